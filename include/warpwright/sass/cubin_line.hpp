// SPDX-License-Identifier: BSL-1.0
//
// Moves a line table (.debug_line, .nv_debug_line_sass, .nv.tileir.debug_line of a compiler for tiles) along with the instructions.
//
// Every instruction keeps its file, line, column and inlining context: a row that begins at an instruction begins at its
// new place, and where the instruction before it in the new order belongs elsewhere a row is repeated. Contexts name rows
// of their sequence by number, so they are renumbered. The table is encoded anew and may grow; the caller finds it a
// place. Tables of which no function changes are left as they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../meta/algorithm.hpp"
#include "cubin_code_place.hpp"
#include "cubin_remap.hpp"
#include "elf.hpp"
#include "elf_error.hpp"
#include "line_table.hpp"
#include "line_table_write.hpp"

namespace ww::sass::detail {

// All of them have DWARF's form, with a relocation to their code.
[[nodiscard]] inline bool is_line_table(std::string_view section) {
  return section == ".debug_line" || section == ".nv_debug_line_sass" || section == ".nv.tileir.debug_line";
}

// The header of a unit keeps its bytes.
struct moved_line_header {
  std::uint64_t begin = 0;  // where it was
  std::uint64_t end = 0;
  std::uint64_t now = 0;  // where it begins now
};

struct moved_line_table {
  bool changed = false;
  std::vector<std::uint8_t> bytes;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> operands;  // start addresses: old place, new place
  std::vector<moved_line_header> headers;

  // Where a relocated field is now: a start address, or something in a header (rdc objects: its .debug_str).
  [[nodiscard]] bool place(std::uint64_t old, std::uint64_t& now) const {
    const auto k = std::lower_bound(operands.begin(), operands.end(), std::pair(old, std::uint64_t{0}));
    if (k != operands.end() && k->first == old) {
      now = k->second;
      return true;
    }
    for (const moved_line_header& h : headers) {
      if (h.begin <= old && old < h.end) {
        now = h.now + (old - h.begin);
        return true;
      }
    }
    return false;
  }
};

class line_mover {
 public:
  line_mover(const elf_file& file, const relocation_index& relocations, std::uint32_t section, const move_table& moves,
             cubin_remaps& remaps)
      : table_(file.sections[section]), fields_(file, relocations.of(section)), moves_(moves), remaps_(remaps), file_(file) {
    for (const section_move& m : moves.moves) {
      budget_ += m.count();
    }
  }

  elf_error run(moved_line_table& out) {
    bool touched = false;
    for (const std::uint32_t r : fields_.indices()) {
      touched = touched || moves_.find(file_.symbols[file_.relocations[r].symbol].section) != nullptr;
    }
    // Without any relocation nobody knows whose rows these are.
    const bool unknown = fields_.indices().empty() && !moves_.moves.empty();
    if (!touched && !unknown) {
      return {};
    }
    std::vector<line_unit> units;
    if (elf_error e = read_line_units(table_.bytes, table_.offset, std::string(table_.name), units)) {
      return e;
    }
    if (!touched) {
      for (const line_unit& u : units) {
        for (const line_sequence& s : u.sequences) {
          if (s.count != 0) return fail(s.operand, "a relocation that says which function the rows describe");
        }
      }
      return {};
    }
    std::vector<std::uint64_t> operands;
    for (line_unit& u : units) {
      line_unit fresh = u;
      fresh.rows.clear();
      for (line_sequence& s : fresh.sequences) {
        if (elf_error e = sequence(u, s, fresh.rows)) {
          return e;
        }
      }
      out.headers.push_back({u.begin, u.program, out.bytes.size()});
      write_line_unit(table_.bytes, fresh, out.bytes, operands);
      for (std::size_t k = 0; k < operands.size(); ++k) {
        out.operands.emplace_back(u.sequences[k].operand, operands[k]);
      }
    }
    out.changed = true;
    return {};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  elf_error fail(std::uint64_t at, const std::string& wanted) const {
    return elf_error(table_.offset + at, table_.name, wanted);
  }

  // Appends the rows of one sequence of the old unit `u` in their new order; `s` is that sequence in the new unit.
  elf_error sequence(const line_unit& u, line_sequence& s, std::vector<line_row>& rows) {
    const std::uint32_t first = s.first;
    const std::uint32_t count = s.count;
    s.first = static_cast<std::uint32_t>(rows.size());
    const code_place p = fields_.at(s.operand, s.start);
    if (!p.known) {
      return fail(s.operand, "a relocation that says which function the rows describe");
    }
    const section_move* move = moves_.find(p.section);
    if (move == nullptr || count == 0) {
      for (std::uint32_t i = 0; i < count; ++i) {
        rows.push_back(u.rows[first + i]);
      }
      return {};
    }
    const std::uint64_t base = p.offset + u.rows[first].address;
    const std::uint64_t end = p.offset + s.end;
    if (!move->closed(base) || !move->closed(end) || base > end) {
      return fail(s.operand, "rows whose first and last instruction keep their sides of their bounds");
    }
    const auto low = static_cast<std::uint32_t>(base / section_move::instruction_bytes);
    const auto high = static_cast<std::uint32_t>(end / section_move::instruction_bytes);
    if (high - low > budget_) {
      return fail(s.operand, "sequences that describe every instruction once");
    }
    budget_ -= high - low;
    // begin_[k]: the first row that begins at instruction low + k, inherited_[k]: the last row in force there
    begin_.assign(static_cast<std::size_t>(high - low) + 1, none);
    std::uint64_t previous = u.rows[first].address;
    for (std::uint32_t i = 0; i < count; ++i) {
      const line_row& row = u.rows[first + i];
      const std::uint64_t at = p.offset + row.address;
      if (row.address < previous || at % section_move::instruction_bytes != 0 || at > end) {
        return fail(s.operand, "rows that begin at instructions, in rising order");
      }
      if (row.context > count) {
        return fail(s.operand, "contexts that are numbers of rows of their sequence");
      }
      previous = row.address;
      std::uint32_t& b = begin_[meta::to_size(at / section_move::instruction_bytes - low)];
      b = b == none ? i : b;
    }
    begin_.back() = begin_.back() == none ? count : begin_.back();  // rows at the very end stay there
    inherited_.assign(high - low, 0);
    std::uint32_t next = 0;
    for (std::uint32_t k = 0; k < high - low; ++k) {
      if (begin_[k] != none) {
        next = begin_[k];
        while (next + 1 < count && u.rows[first + next + 1].address == u.rows[first + next].address) {
          ++next;
        }
      }
      inherited_[k] = next;
    }
    new_number_.assign(count, 0);
    std::uint32_t last = none;  // row that is in force
    for (std::uint32_t k = low; k < high; ++k) {
      const std::uint32_t i = move->old_index(k) - low;
      const std::uint64_t address = std::uint64_t{k} * section_move::instruction_bytes - p.offset;
      if (begin_[i] != none) {
        for (std::uint32_t r = begin_[i]; r <= inherited_[i]; ++r) {
          rows.push_back(u.rows[first + r]);
          rows.back().address = address;
          new_number_[r] = static_cast<std::uint32_t>(rows.size()) - s.first;
          remaps_.push_back({short_name(table_.name), "row", std::uint64_t{r} + 1, move->section(),
                             p.offset + u.rows[first + r].address, p.offset + address});
        }
      } else if (last == none || !u.rows[first + inherited_[i]].same_state(u.rows[first + last])) {
        rows.push_back(u.rows[first + inherited_[i]]);
        rows.back().address = address;
        rows.back().basic_block = rows.back().prologue_end = rows.back().epilogue_begin = false;
      }
      last = inherited_[i];
    }
    for (std::uint32_t r = begin_.back(); r < count; ++r) {
      rows.push_back(u.rows[first + r]);
      new_number_[r] = static_cast<std::uint32_t>(rows.size()) - s.first;
    }
    s.count = static_cast<std::uint32_t>(rows.size()) - s.first;
    for (std::uint32_t i = s.first; i < rows.size(); ++i) {
      if (rows[i].context != 0) {
        rows[i].context = new_number_[meta::to_size(rows[i].context) - 1];
      }
    }
    return {};
  }

  const elf_section& table_;
  field_relocations fields_;
  const move_table& moves_;
  cubin_remaps& remaps_;
  const elf_file& file_;
  std::uint64_t budget_ = 0;  // instructions that sequences may still describe
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> inherited_;
  std::vector<std::uint32_t> new_number_;
};

}  // namespace ww::sass::detail
