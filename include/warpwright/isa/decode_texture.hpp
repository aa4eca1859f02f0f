// SPDX-License-Identifier: BSL-1.0
//
// Roles of texture and surface operands.
//
// Texture: TEX R_hi, R_lo, a [, b], handle.., shape [, mask]. The channel mask (all four if it is not written) tells how
// many registers come back: the first two in R_lo, the rest in R_hi. Coordinates stand in `a` and the other parameters
// (level, bias, offset, derivatives) in `b`; in the scattered form (.SCR) all of them are split in halves.
// A handle in uniform registers is a pair for textures and one register for surfaces. With .B it is one more register, the
// first of `b` (observed: -O0 code that sets R12 to x, R13 to y, R14 to the handle and R15 to the level for
// TEX.SCR.B.LL R14, R12, R12, R14, 2D). With derivatives (TXD) `b` is these alone, and `a` the handle, the coordinates and one
// register for the layer of an array and the offsets together (observed: TXD.AOFFI R8, R4, R4, R8, UR4, 0x0, ARRAY_2D with
// LOP3.LUT R6, R7, 0xfff0000, R0, 0xe2 before it).
// On sm_50..62 a 0x0 stands where .B has no number (observed: TEX.B.LL.P R4, R4, R6, 0x0, 2D, 0x7 reads R4 to R7 by a
// disassembler's register tables, and 338 other lines of sm_50 and sm_61 likewise).
// Checked against the register tables of the corpus for 1D, 2D, 3D, CUBE and ARRAY_2D.
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "decode_memory.hpp"

namespace ww::isa::detail {

constexpr unsigned shape_coordinates(string_view s) {
  unsigned n = 0;
  if (s == "1D" || s == "ARRAY_1D" || s == "1D_BUFFER" || s == "BUFFER_1D") n = 1;
  if (s == "2D" || s == "ARRAY_2D") n = 2;
  if (s == "3D" || s == "CUBE" || s == "ARRAY_3D" || s == "ARRAY_CUBE") n = 3;
  if (s == "1D_ARRAY") n = 1;
  if (s == "2D_ARRAY") n = 2;
  if (s == "CUBE_ARRAY" || s == "3D_ARRAY") n = 3;
  if (s.find("ARRAY") != string_view::npos && n != 0) ++n;
  return n;
}

constexpr unsigned texture_parameters(const auto& c) {
  unsigned n = 0;
  for_each_modifier(c.text.modifier_text, [&](string_view w) {
    if (w == "LL" || w == "LB" || w == "AOFFI" || w == "DC" || w == "MS" || w == "LC" || w == "FCL" || w == "LLM") ++n;
    if (w == "PTP") n += 2;
    return true;
  });
  return n;
}

constexpr bool names_array(const auto& c) {
  for (unsigned i = 0; i < c.count(); ++i) {
    if (c.at(i).kind == asm_kind::special && c.at(i).text.find("ARRAY") != string_view::npos) return true;
  }
  return false;
}

// .B: the handle is in a register, whatever number stands in the text. What is gathered (TLD4.B.P: blue) comes before it.
constexpr bool handle_in_register(const auto& c) {
  bool component = c.row.op == opcode::tld4 || c.row.op == opcode::tld4s;
  bool found = false;
  for_each_modifier(c.text.modifier_text, [&](string_view w) {
    found = w == "B" && !component;
    component = component && w != "R" && w != "G" && w != "B" && w != "A";
    return !found;
  });
  return found;
}

constexpr unsigned channels(const auto& c) {
  if (c.row.op == opcode::tld4s) return 4;  // its last number is the handle
  const asm_operand& last = c.at(c.count() - 1);
  if (last.kind == asm_kind::special) {  // TEXS: "R", "RGA", ..
    unsigned letters = 0;
    for (const char ch : last.text) letters += ch == 'R' || ch == 'G' || ch == 'B' || ch == 'A' ? 1u : 10u;
    return letters <= 4 ? letters : 4u;
  }
  if (last.kind != asm_kind::integer) return 4;
  unsigned n = 0;
  for (std::int64_t m = last.value & 15; m != 0; m >>= 1) n += static_cast<unsigned>(m & 1);
  return n;
}

// sm_50..62: TEX, TLD, TLD4 and TXD have one result of up to four registers; TEXS, TLDS and TLD4S have two of two, and share their
// sources out among two operands as .SCR does. (TLD4S.G.AOFFI.P R6, R4, R4, R7: R8, R9 and then R6 overwritten with the read on its way;
// 42 of 42, sm_50 to sm_61.)
constexpr bool is_short_texture(const auto& c) {
  return c.row.op == opcode::texs || c.row.op == opcode::tlds || c.row.op == opcode::tld4s;
}

// .F16: each of two results is one register with two halves (observed: TEX.SCR.F16.RN.LL R7, R6, .., ARRAY_2D, then R6 and R7 stored;
// TEXS.F16.P R7, R0, .., RGBA between other uses of R1 and R8; 31 of 31, sm_61 to sm_80).
constexpr bool names_halves(const auto& c) {
  bool found = false;
  for_each_modifier(c.text.modifier_text, [&](string_view w) {
    found = w == "F16";
    return !found;
  });
  return found;
}

constexpr void decode_texture(auto& c) {
  set_memory(c, mem_dir::load, 0);
  if (c.count() == 0) return;
  unsigned coordinates = c.row.op == opcode::tld4s ? 2 : 0;  // of two dimensions, which no text names
  bool shape_seen = coordinates != 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    if (c.at(i).kind == asm_kind::special && shape_coordinates(c.at(i).text) != 0) {
      coordinates = shape_coordinates(c.at(i).text);
      shape_seen = true;
    }
  }
  const bool whole = c.machine.word64 && !is_short_texture(c);
  const unsigned most = whole ? 1 : 2;  // results
  unsigned sources = 0, results = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    if (!is_general(c.at(i))) continue;
    results < most ? ++results : ++sources;
  }
  unsigned parameters = texture_parameters(c);
  if (c.row.op == opcode::txd) {
    const bool array = names_array(c);
    const unsigned plain = coordinates - (array ? 1u : 0u);
    coordinates = plain + (handle_in_register(c) ? 1u : 0u) + (array || parameters != 0 ? 1u : 0u);
    parameters = 2 * plain;
  } else if (handle_in_register(c)) {
    ++parameters;
  }
  const unsigned total = coordinates + parameters;
  unsigned width_a = 4, width_b = 4;  // shape not known: all that the encoding could mean
  if (shape_seen) {
    if (sources < 2) {
      width_a = total;
    } else if (c.has(modifier::scr) || is_short_texture(c)) {
      // TLDS has the layer apart (I2I.U16.U32.SAT R4, R0; TLDS.LZ.P R10, R2, R4, R6, .., ARRAY_2D; a disassembler's tables say the same).
      width_a = c.row.op == opcode::tlds && names_array(c) ? 1 : (total + 1) / 2;
      width_b = total - width_a;
    } else {
      width_a = coordinates;
      width_b = parameters;
    }
  }
  if (width_a == 0) width_a = 1;
  if (width_b == 0) width_b = 1;
  const unsigned n = channels(c);
  const bool halves = names_halves(c);
  unsigned registers = 0, predicates = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_predicate(i)) {
      if (registers < most) {
        c.def(o, predicate_result_slot(predicates++));
      } else {
        c.use(o, slot::psrc);
      }
    } else if (is_general(o)) {
      ++registers;
      if (whole && registers == 1) {
        c.def(o, slot::dst, n == 0 ? 1 : n);
        ++registers;
      } else if (registers == 1) {
        c.def(o, slot::dst1, n > 2 && !halves ? n - 2 : 1);
      } else if (registers == 2) {
        c.def(o, slot::dst, halves || n == 0 ? 1 : (n > 2 ? 2 : n));
      } else if (registers == 3) {
        c.use(o, slot::a, width_a);
      } else {
        c.use(o, slot::b, width_b);
      }
    } else if (o.kind == asm_kind::reg && o.base.file() == reg_file::ur) {
      c.use(o, slot::desc, 2);
    } else if (o.kind == asm_kind::constant) {
      c.use(o, slot::desc);
    }
  }
}

// With the handle in a register (.B) the source is a pair: the handle, then the level (observed: MOV R26, R26 and MOV R27, RZ in front of
// TXQ.B RZ, R72, R26, TEX_HEADER_DIMENSION, 0x1; a disassembler's register table says the same).
constexpr void decode_texture_query(auto& c) {
  unsigned registers = 0;
  const unsigned sources = handle_in_register(c) ? 2 : 1;
  const unsigned results = c.row.op == opcode::txq && !c.machine.word64 ? 2 : 1;
  const unsigned n = c.count() == 0 ? 4 : channels(c);
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (is_general(o) && registers++ < results) {
      const bool high = registers == 1 && results == 2;
      const unsigned width = results == 1 ? (c.row.op == opcode::txq && n != 0 ? n : 1)
                                          : (high ? (n > 2 ? n - 2 : 1) : (n > 2 ? 2 : (n == 0 ? 1 : n)));
      c.def(o, high ? slot::dst1 : slot::dst, width);
    } else if (o.kind == asm_kind::address) {
      c.use_address(o, 2, 2);
    } else if (o.kind == asm_kind::reg && o.base.file() == reg_file::ur) {
      c.use(o, slot::desc, 2);
    } else if (c.is_predicate(i) && registers == 0) {
      c.def(o, slot::pdst);
    } else if (o.kind != asm_kind::integer) {
      c.use(o, slot::a, sources);
    }
  }
}

constexpr unsigned surface_coordinates(const auto& c) {
  unsigned n = 0;
  for_each_modifier(c.text.modifier_text, [&](string_view w) {
    const unsigned s = shape_coordinates(w);
    if (s != 0) n = s;
    return true;
  });
  return n == 0 ? 4 : n;
}

// Registers of surface data: .D moves one value of the written size, .P the written channels (up to four).
constexpr unsigned surface_words(const auto& c) {
  if (c.has(modifier::p)) {
    unsigned n = 4;
    for_each_modifier(c.text.modifier_text, [&](string_view w) {
      unsigned letters = 0;
      for (char ch : w) letters += ch == 'R' || ch == 'G' || ch == 'B' || ch == 'A' ? 1u : 10u;
      if (letters != 0 && letters <= 4 && w != "BA") n = letters;
      return true;
    });
    return n;
  }
  return words(access_bytes(c.text.modifier_text));
}

constexpr void decode_surface(auto& c, mem_dir dir) {
  const unsigned data_width = surface_words(c);
  bool address_seen = false;
  unsigned predicates = 0, data = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      address_seen = true;
      c.use_address(o, surface_coordinates(c), 1);
    } else if (!address_seen) {
      c.def(o, c.is_predicate(i) ? predicate_result_slot(predicates++) : slot::dst, c.is_predicate(i) ? 1 : data_width);
    } else if (c.is_predicate(i)) {
      c.use(o, slot::psrc);
    } else if (is_general(o) && dir != mem_dir::load) {
      const bool handle = data++ != 0;  // of a surface that a register names: SUST.D.BA.2D.128 [R26], R28, R22
      c.use(o, handle ? slot::data1 : slot::data, handle ? 1 : data_width);
    } else if (o.kind != asm_kind::integer) {
      c.use(o, slot::desc);
    }
  }
  set_memory(c, dir, 0);
}

}  // namespace ww::isa::detail
