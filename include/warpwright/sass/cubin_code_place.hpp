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

#include "../meta/span.hpp"
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

// All relocations of a file, grouped by the section that they patch and sorted by offset there.
class relocation_index {
 public:
  explicit relocation_index(const elf_file& file) : first_(file.sections.size() + 1, 0) {
    order_.resize(file.relocations.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      order_[i] = i;
      ++first_[file.relocations[i].target + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) {
      first_[i] += first_[i - 1];
    }
    std::sort(order_.begin(), order_.end(), [&file](std::uint32_t a, std::uint32_t b) {
      const elf_relocation& x = file.relocations[a];
      const elf_relocation& y = file.relocations[b];
      return x.target != y.target ? x.target < y.target : (x.offset != y.offset ? x.offset < y.offset : a < b);
    });
  }

  // Indices into elf_file::relocations.
  [[nodiscard]] span<const std::uint32_t> of(std::uint32_t section) const {
    return span(order_).subspan(first_[section], first_[section + 1] - first_[section]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> order_;
};

// The relocations of one section.
class field_relocations {
 public:
  field_relocations(const elf_file& file, span<const std::uint32_t> of) : file_(&file), of_(of) {}

  // The relocation of the field at an offset of the section, null without.
  [[nodiscard]] const elf_relocation* find(std::uint64_t offset) const {
    const auto it = std::lower_bound(of_.begin(), of_.end(), offset,
                                     [this](std::uint32_t r, std::uint64_t o) { return file_->relocations[r].offset < o; });
    return it == of_.end() || file_->relocations[*it].offset != offset ? nullptr : &file_->relocations[*it];
  }
  // Meaning of the 64-bit field at an offset of the section that holds `stored`.
  [[nodiscard]] code_place at(std::uint64_t offset, std::uint64_t stored) const {
    const elf_relocation* const found = find(offset);
    code_place p;
    if (found == nullptr) {
      return p;
    }
    const elf_relocation& r = *found;
    const elf_symbol& s = file_->symbols[r.symbol];
    p.known = true;
    p.section = s.section;
    p.offset = s.value + (r.has_addend ? static_cast<std::uint64_t>(r.addend) : stored);
    return p;
  }

  [[nodiscard]] span<const std::uint32_t> indices() const { return of_; }

 private:
  const elf_file* file_;
  span<const std::uint32_t> of_;
};

}  // namespace ww::sass::detail
