// SPDX-License-Identifier: BSL-1.0
//
// Writes one unit of a line table back into bytes.
//
// The header of the unit is copied; the program is encoded anew: each sequence begins with its start address, a row is
// a special opcode where one fits and `advance line, advance address, copy` where not, in the order in which ptxas
// writes them, so that an unchanged unit of ptxas comes back byte for byte. The places of the start addresses in the
// new bytes are reported, because relocations point at them. A unit without sequences is copied as it is.
#pragma once

#include <cstdint>
#include <vector>

#include "../meta/algorithm.hpp"
#include "elf_bytes.hpp"
#include "line_table.hpp"

namespace ww::sass {

namespace detail {

struct line_writer {
  std::vector<std::uint8_t>& out;

  void byte(std::uint64_t v) { out.push_back(static_cast<std::uint8_t>(v)); }
  void uleb(std::uint64_t v) {
    while (v >= 0x80u) {
      byte((v & 0x7fu) | 0x80u);
      v >>= 7;
    }
    byte(v);
  }
  void sleb(std::int64_t v) {
    for (;;) {
      const auto low = static_cast<std::uint8_t>(static_cast<std::uint64_t>(v) & 0x7fu);
      v >>= 7;
      if ((v == 0 && (low & 0x40u) == 0) || (v == -1 && (low & 0x40u) != 0)) {
        byte(low);
        return;
      }
      byte(low | 0x80u);
    }
  }
};

inline unsigned uleb_size(std::uint64_t v) {
  unsigned n = 1;
  while (v >= 0x80u) {
    v >>= 7;
    ++n;
  }
  return n;
}

}  // namespace detail

// Appends the unit to `out`. `operands[k]` becomes the place in `out` of the start address of sequence k.
inline void write_line_unit(byte_span section, const line_unit& u, std::vector<std::uint8_t>& out,
                            std::vector<std::uint64_t>& operands) {
  detail::line_writer w{out};
  const std::size_t begin = out.size();
  const auto header = section.subspan(meta::to_size(u.begin), meta::to_size(u.program - u.begin));
  out.insert(out.end(), header.begin(), header.end());
  operands.clear();
  if (u.sequences.empty()) {
    const auto program = section.subspan(meta::to_size(u.program), meta::to_size(u.end - u.program));
    out.insert(out.end(), program.begin(), program.end());
    return;
  }
  for (const line_sequence& s : u.sequences) {
    w.byte(0);
    w.byte(9);
    w.byte(2);
    operands.push_back(out.size());
    for (unsigned k = 0; k < 8; ++k) {
      w.byte((s.start >> (8 * k)) & 0xffu);
    }
    line_row state;
    state.statement = u.default_statement;
    for (std::uint32_t i = 0; i < s.count; ++i) {
      const line_row& row = u.rows[s.first + i];
      if (row.file != state.file) {
        w.byte(4);
        w.uleb(row.file);
      }
      if (row.column != state.column) {
        w.byte(5);
        w.uleb(row.column);
      }
      if (row.context != state.context || row.function != state.function) {
        w.byte(0);
        w.byte(1u + detail::uleb_size(row.context) + detail::uleb_size(row.function));
        w.byte(0x90);
        w.uleb(row.context);
        w.uleb(row.function);
      }
      if (row.statement != state.statement) {
        w.byte(6);
      }
      if (row.basic_block) {
        w.byte(7);
      }
      if (row.prologue_end) {
        w.byte(10);
      }
      if (row.epilogue_begin) {
        w.byte(11);
      }
      const auto lines = static_cast<std::int64_t>(row.line - state.line);
      const std::uint64_t steps = (row.address - state.address) / u.min_length;
      const auto first = static_cast<std::int64_t>(static_cast<int>(u.line_base));
      const bool near = lines >= first && lines < first + u.line_range && steps <= 255;
      const std::uint64_t special =
          near ? static_cast<std::uint64_t>(lines - first) + steps * u.line_range + u.opcode_base : 256;
      if (special <= 255) {
        w.byte(special);
      } else {
        if (lines != 0) {
          w.byte(3);
          w.sleb(lines);
        }
        if (steps != 0) {
          w.byte(2);
          w.uleb(steps);
        }
        w.byte(1);
      }
      state = row;
    }
    if (s.end != state.address) {
      w.byte(2);
      w.uleb((s.end - state.address) / u.min_length);
    }
    w.byte(0);
    w.byte(1);
    w.byte(1);
  }
  detail::store_le<std::uint32_t>(out, begin, static_cast<std::uint32_t>(out.size() - begin - 4));
}

}  // namespace ww::sass
