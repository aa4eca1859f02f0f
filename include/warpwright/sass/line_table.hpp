// SPDX-License-Identifier: BSL-1.0
//
// One unit of a DWARF line table (.debug_line, .nv_debug_line_sass), decoded into rows.
//
//   row       at `address` the code begins to belong to file, line and column; holds until the next row
//   sequence  rows of one function: starts at a relocated address, addresses never fall, ends in an `end` row
//   context   NVIDIA's extended opcode 0x90: the row (numbered from 1 in its sequence) of the call into which this
//             row's code was inlined, 0 for none, and the name of the inlined function
// The header of a unit (directories, files) is kept as bytes; only the program is decoded. Understood: versions 2 and
// 3, standard opcodes 1..11 and extended opcodes 1, 2 and 0x90; anything else is an error, since a row that is not
// understood cannot be moved. An end without a start, at address 0, is a sequence without rows and is passed over: ptxas 13.5
// writes it where no code has source lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../meta/algorithm.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"

namespace ww::sass {

struct line_row {
  std::uint64_t address = 0;  // relative to the start of its sequence
  std::uint64_t file = 1;
  std::uint64_t line = 1;
  std::uint64_t column = 0;
  std::uint64_t context = 0;
  std::uint64_t function = 0;
  bool statement = false;
  bool basic_block = false;
  bool prologue_end = false;
  bool epilogue_begin = false;

  [[nodiscard]] bool same_state(const line_row& o) const {
    return file == o.file && line == o.line && column == o.column && context == o.context && function == o.function &&
           statement == o.statement;
  }
  friend bool operator==(const line_row&, const line_row&) = default;
};

struct line_sequence {
  std::uint64_t operand = 0;  // byte of the section at which the start address stands
  std::uint64_t start = 0;    // that address as stored
  std::uint64_t end = 0;      // address of its end, relative to start
  std::uint32_t first = 0;    // first row
  std::uint32_t count = 0;    // rows without the end
};

struct line_unit {
  std::uint64_t begin = 0;    // byte of the section at which the unit starts
  std::uint64_t program = 0;  // ... its program
  std::uint64_t end = 0;      // ... the next unit
  std::uint8_t min_length = 1;
  bool default_statement = true;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::uint8_t opcode_base = 10;
  std::vector<line_sequence> sequences;
  std::vector<line_row> rows;  // without the end rows
};

namespace detail {

inline elf_error read_line_program(byte_span section, std::uint64_t base, const std::string& name, line_unit& u) {
  byte_reader r{section.first(meta::to_size(u.end)), u.program};
  const auto fail = [&](std::uint64_t at, const char* wanted) { return elf_error(base + at, name, wanted); };
  line_row state;
  bool open = false;  // inside a sequence
  const auto reset = [&] {
    state = line_row{};
    state.statement = u.default_statement;
    open = false;
  };
  reset();
  const auto emit = [&] {
    u.rows.push_back(state);
    ++u.sequences.back().count;
    state.basic_block = state.prologue_end = state.epilogue_begin = false;
  };
  while (r.more()) {
    const std::uint64_t at = r.at;
    const std::uint8_t op = r.take<std::uint8_t>();
    if (op >= u.opcode_base) {
      const unsigned adjusted = static_cast<unsigned>(op) - u.opcode_base;
      state.address += std::uint64_t{adjusted / u.line_range} * u.min_length;
      state.line += static_cast<std::uint64_t>(static_cast<std::int64_t>(u.line_base) + adjusted % u.line_range);
      if (!open) {
        return fail(at, "a start address before the first row");
      }
      emit();
    } else if (op == 0) {
      const std::uint64_t length = r.take_uleb();
      const std::uint64_t body = r.at;
      if (!r.skip(length) || length == 0) {
        return fail(at, "an extended opcode that ends inside the unit");
      }
      byte_reader e{section.first(meta::to_size(r.at)), body};
      const std::uint8_t kind = e.take<std::uint8_t>();
      if (kind == 1 && length == 1 && (open || state.address == 0)) {
        if (open) u.sequences.back().end = state.address;
        reset();
      } else if (kind == 2 && length == 9 && !open) {
        line_sequence s;
        s.operand = e.at;
        s.start = e.take<std::uint64_t>();
        s.first = static_cast<std::uint32_t>(u.rows.size());
        u.sequences.push_back(s);
        open = true;
      } else if (kind == 0x90) {
        state.context = e.take_uleb();
        state.function = e.take_uleb();
        if (!e.ok || e.more()) {
          return fail(at, "a context and a function name");
        }
      } else {
        return fail(at, "extended opcode 1, 2 (once in a sequence) or 0x90");
      }
    } else if (op == 1 && open) {
      emit();
    } else if (op == 2) {
      state.address += r.take_uleb() * u.min_length;
    } else if (op == 3) {
      state.line += static_cast<std::uint64_t>(r.take_sleb());
    } else if (op == 4) {
      state.file = r.take_uleb();
    } else if (op == 5) {
      state.column = r.take_uleb();
    } else if (op == 6) {
      state.statement = !state.statement;
    } else if (op == 7) {
      state.basic_block = true;
    } else if (op == 8) {
      state.address += std::uint64_t{(255u - u.opcode_base) / u.line_range} * u.min_length;
    } else if (op == 9) {
      state.address += r.take<std::uint16_t>();
    } else if (op == 10) {
      state.prologue_end = true;
    } else if (op == 11) {
      state.epilogue_begin = true;
    } else {
      return fail(at, "a line opcode that is known, inside a sequence");
    }
    if (!r.ok) {
      return fail(at, "a whole line opcode");
    }
  }
  return open ? fail(u.end, "the end of the last sequence") : elf_error{};
}

}  // namespace detail

// Decodes all units of a section; `base` is its file offset, for messages.
[[nodiscard]] inline elf_error read_line_units(byte_span section, std::uint64_t base, const std::string& name,
                                               std::vector<line_unit>& out) {
  const auto fail = [&](std::uint64_t at, const char* wanted) { return elf_error(base + at, name, wanted); };
  detail::byte_reader r{section};
  while (r.more()) {
    line_unit u;
    u.begin = r.at;
    const std::uint32_t length = r.take<std::uint32_t>();
    const std::uint64_t after = r.at;
    if (length >= 0xfffffff0u || !r.skip(length)) {
      return fail(u.begin, "a unit of a 32-bit length inside the section");
    }
    u.end = r.at;
    detail::byte_reader h{section.first(meta::to_size(u.end)), after};
    const std::uint16_t version = h.take<std::uint16_t>();
    const std::uint32_t header = h.take<std::uint32_t>();
    u.program = h.at + header;
    u.min_length = h.take<std::uint8_t>();
    u.default_statement = h.take<std::uint8_t>() != 0;
    u.line_base = static_cast<std::int8_t>(h.take<std::uint8_t>());
    u.line_range = h.take<std::uint8_t>();
    u.opcode_base = h.take<std::uint8_t>();
    if (!h.ok || (version != 2 && version != 3)) {
      return fail(after, "a line table of version 2 or 3");
    }
    if (u.program > u.end || u.min_length == 0 || u.line_range == 0 || u.opcode_base < 10 || u.opcode_base > 13) {
      return fail(after + 2, "a header that ends inside the unit, with 9 to 12 standard opcodes");
    }
    if (elf_error e = detail::read_line_program(section, base, name, u)) {
      return e;
    }
    out.push_back(std::move(u));
  }
  return r.ok ? elf_error{} : fail(section.size(), "a whole unit");
}

}  // namespace ww::sass
