// SPDX-License-Identifier: BSL-1.0
//
// Which place in the code a relocated field means, and the moves of a file by section.
//
// A field of .debug_frame or of a line table holds an address that the loader fills in: symbol value plus addend. In
// a RELA section the addend stands in the relocation, in a REL section in the field itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "elf.hpp"
#include "section_move.hpp"

namespace ww::sass::detail {

// The moves of a patch, found by section.
struct move_table {
  std::vector<section_move> moves;
  std::vector<std::uint32_t> of_section;  // index into moves, elf_file::none where the section is not changed

  // The move of a section, null when none of its instructions moves.
  [[nodiscard]] const section_move* find(std::uint32_t section) const {
    if (section >= of_section.size() || of_section[section] == elf_file::none) {
      return nullptr;
    }
    const section_move& m = moves[of_section[section]];
    return m.moved() ? &m : nullptr;
  }
};

struct code_place {
  bool known = false;  // a relocation names the place
  std::uint32_t section = 0;
  std::uint64_t offset = 0;
};

// The relocations of one section, sorted by offset.
class field_relocations {
 public:
  field_relocations(const elf_file& file, std::uint32_t section) : file_(&file), section_(section) {
    for (std::uint32_t i = 0; i < file.relocations.size(); ++i) {
      if (file.relocations[i].target == section) {
        of_.push_back(i);
      }
    }
    std::sort(of_.begin(), of_.end(), [&file](std::uint32_t a, std::uint32_t b) {
      return file.relocations[a].offset != file.relocations[b].offset
                 ? file.relocations[a].offset < file.relocations[b].offset
                 : a < b;
    });
  }

  // Meaning of the 64-bit field at an offset of the section that holds `stored`.
  [[nodiscard]] code_place at(std::uint64_t offset, std::uint64_t stored) const {
    const auto it = std::lower_bound(of_.begin(), of_.end(), offset,
                                     [this](std::uint32_t r, std::uint64_t o) { return file_->relocations[r].offset < o; });
    code_place p;
    if (it == of_.end() || file_->relocations[*it].offset != offset) {
      return p;
    }
    const elf_relocation& r = file_->relocations[*it];
    const elf_symbol& s = file_->symbols[r.symbol];
    p.known = true;
    p.section = s.section;
    p.offset = s.value + (r.has_addend ? static_cast<std::uint64_t>(r.addend) : stored);
    return p;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& indices() const { return of_; }

 private:
  const elf_file* file_;
  std::uint32_t section_;
  std::vector<std::uint32_t> of_;
};

}  // namespace ww::sass::detail
