// SPDX-License-Identifier: BSL-1.0
//
// The assembly form of one instruction: what its text says, before meaning is given to it.
//
// isa/instruction_text.hpp makes this form from a line of a listing; isa/decode.hpp turns it into
// an instruction with operands. Builders write it directly. Nothing here owns memory; `mnemonic` and labels
// point into the text.
#pragma once

#include <cstdint>

#include "../ir/reg.hpp"
#include "../meta/array.hpp"
#include "../meta/string_view.hpp"
#include "modifier.hpp"

namespace ww::isa {

enum class asm_kind : std::uint8_t {
  none,
  reg,         // R2, UR4, P0, B1, SB0: `base`
  predicates,  // PR: all predicates at once
  integer,     // 0x1f: `value`
  floating,    // 1, -72, +INF: `value` holds nothing useful, the text does
  constant,    // c[bank][offset], c[bank][base + offset]: `bank`, `base`, `value`
  address,     // [base + ubase + value], desc[desc][...]: `base`, `ubase`, `desc`, `value`
  gdesc,       // gdesc[UR8]: `base`
  label,       // `(NAME) or a code offset: `text` / `value`
  special,     // SR_TID.X, SRZ, gsb0, 2D, CUBE ...: `text`
};

enum class asm_flag : std::uint16_t {
  negate = 1u << 0,
  invert = 1u << 1,  // ~R3 or !P0
  reuse = 1u << 2,
  wide64 = 1u << 3,     // .64 on the register
  u32 = 1u << 4,        // .U32 on the register
  half_low = 1u << 5,   // .H0_H0
  half_high = 1u << 6,  // .H1_H1
  scaled = 1u << 7,     // .X4 .X8 .X16
  f32 = 1u << 8,        // .F32
  carry = 1u << 9,      // .CC: the result's carry goes to the carry flag (sm_50..62)
  symbolic = 1u << 10   // `(NAME) inside the brackets: an offset that only the linker knows
};

struct asm_operand {
  asm_kind kind = asm_kind::none;
  std::uint8_t bank = 0;
  std::uint16_t flags = 0;  // asm_flag bits
  reg base;
  reg ubase{reg_file::none, 0};
  reg desc{reg_file::none, 0};
  std::int64_t value = 0;
  string_view text;  // the operand as written

  [[nodiscard]] constexpr bool has(asm_flag f) const { return (flags & static_cast<std::uint16_t>(f)) != 0; }
  constexpr void add(asm_flag f) { flags = static_cast<std::uint16_t>(flags | static_cast<std::uint16_t>(f)); }
};

struct asm_instruction {
  static constexpr unsigned max_operands = 12;

  string_view mnemonic;          // without modifiers: "IMAD"
  modifier_set modifiers;        // those that modifier.hpp names
  string_view modifier_text;     // ".WIDE.U32", as written
  reg guard{reg_file::none, 0};  // P or UP register; file none = no guard written
  bool guard_negated = false;
  std::uint8_t operand_count = 0;
  array<asm_operand, max_operands> operands{};
  string_view branch_targets;  // ".L_x_1,.L_x_2" of a BRX comment
};

}  // namespace ww::isa
