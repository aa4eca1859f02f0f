// SPDX-License-Identifier: BSL-1.0
//
// How many consecutive 32-bit registers each operand of an arithmetic instruction names.
//
// The text gives only the first register of a group; opcode and modifiers give the length (facts: format.md 1.5,
// hardware.md 5.3). Checked line by line against the register tables of the corpus (tests/isa).
// Addends of the HI and WIDE forms are 64 bits wide; shifts and LEA take both halves as separate operands.
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "asm_form.hpp"
#include "element_type.hpp"
#include "opcode_id.hpp"

namespace ww::isa {

struct alu_widths {
  std::uint8_t d = 1, a = 1, b = 1, c = 1;
};

namespace detail {

constexpr std::uint8_t registers_of(unsigned bits) { return static_cast<std::uint8_t>(bits > 32 ? bits / 32 : 1); }

// Conversions: [destination type] [source type] in the order written; a type that is not written is 32 bits.
constexpr alu_widths conversion_widths(opcode op, string_view modifiers) {
  const type_pair t = convert_types(modifiers);
  alu_widths w;
  switch (op) {
    case opcode::f2f:
    case opcode::uf2f: {
      w.d = registers_of(t.first);
      w.a = registers_of(t.second);
      break;
    }
    case opcode::f2i:
    case opcode::uf2i: {  // F2I.U32.F64, F2I.S64.F64, F2I.F64, F2I.U64 (from F32)
      bool from_double = false, to_long = false;
      for_each_modifier(modifiers, [&](string_view m) {
        from_double = from_double || m == "F64";
        to_long = to_long || m == "S64" || m == "U64";
        return true;
      });
      w.d = to_long ? 2 : 1;
      w.a = from_double ? 2 : 1;
      break;
    }
    case opcode::i2f:
    case opcode::ui2f: {  // I2F.F64, I2F.F64.U64, I2F.U64.RP
      bool to_double = false, from_long = false;
      for_each_modifier(modifiers, [&](string_view m) {
        to_double = to_double || m == "F64";
        from_long = from_long || m == "S64" || m == "U64";
        return true;
      });
      w.d = to_double ? 2 : 1;
      w.a = from_long ? 2 : 1;
      break;
    }
    default: {  // FRND, I2I
      const std::uint8_t n = registers_of(t.first);
      w.d = w.a = n;
      break;
    }
  }
  w.b = w.a;
  w.c = w.a;
  return w;
}

}  // namespace detail

constexpr alu_widths widths_of(opcode op, const asm_instruction& text, bool word64 = false) {
  const modifier_set& m = text.modifiers;
  const alu_widths pair{2, 2, 2, 2};
  switch (op) {
    case opcode::dadd:
    case opcode::dmul:
    case opcode::dfma:
    case opcode::dmnmx:
    case opcode::clmad:
    case opcode::fadd2:
    case opcode::fmul2:
    case opcode::ffma2:
      return pair;
    case opcode::dset:
    case opcode::dsetp:
      return {1, 2, 2, 2};
    case opcode::isetp:
    case opcode::uisetp:
      return m.has(modifier::s64) || m.has(modifier::u64) ? pair : alu_widths{};
    case opcode::imad:
    case opcode::uimad:
      if (m.has(modifier::wide)) return {2, 1, 1, 2};
      if (m.has(modifier::hi) && !word64) return {1, 1, 1, 2};  // sm_50..62 add 32 bits to the upper half
      return {};
    case opcode::iadd:
    case opcode::iadd3:
    case opcode::mov:
    case opcode::sel:
    case opcode::uiadd3:
    case opcode::uiadd:
    case opcode::umov:
    case opcode::usel:
    case opcode::viadd:
    case opcode::lop3:
    case opcode::ulop3:
    case opcode::r2ur:
    case opcode::s2ur:
    case opcode::shf:
    case opcode::ushf:
      return m.has(modifier::w64) ? pair : alu_widths{};
    case opcode::imnmx:  // IMNMX.U64 on sm_120
    case opcode::uimnmx:
    case opcode::vimnmx:
      return m.has(modifier::w64) || m.has(modifier::u64) || m.has(modifier::s64) ? pair : alu_widths{};
    case opcode::match:
      return m.has(modifier::u64) ? alu_widths{1, 2, 2, 2} : alu_widths{};
    case opcode::movm:  // unpacking 4-bit elements doubles the result
      return text.modifier_text.find("4TO8") != string_view::npos ? alu_widths{2, 1, 1, 1} : alu_widths{};
    case opcode::cs2r:
      if (word64)
        return {};  // one register there (observed, sm_50 to sm_61: odd ones too, and the disassembler's register tables)
      [[fallthrough]];
    case opcode::cs2ur:
    case opcode::ucs2r:
      return m.has(modifier::w32) ? alu_widths{} : alu_widths{2, 1, 1, 1};
    case opcode::lepc:
    case opcode::getlmembase:
      return {2, 1, 1, 1};
    case opcode::setlmembase:
      return {1, 2, 2, 2};
    case opcode::rpcmov:
      return m.has(modifier::w64) ? pair : alu_widths{};
    case opcode::f2f:
    case opcode::f2i:
    case opcode::i2f:
    case opcode::frnd:
    case opcode::i2i:
    case opcode::uf2f:
    case opcode::uf2i:
    case opcode::ui2f:
    case opcode::ufrnd:
      return detail::conversion_widths(op, text.modifier_text);
    default:
      return {};
  }
}

}  // namespace ww::isa
