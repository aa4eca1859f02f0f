// SPDX-License-Identifier: BSL-1.0
//
// What the decoding functions share: the text, the opcode row, the growing operand list and the instruction.
//
//   def(reg, slot, width)         a result
//   use(operand, slot, width)     a source, whatever its kind: register, constant with index, immediate, special
//   port                          operand bits 22..24: 1, 2, 3 = the reuse flag of source a, b, c applies
// Results are kept apart from sources so that decode() can put them first. All of it works at compile time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../meta/array.hpp"
#include "asm_form.hpp"
#include "dialect.hpp"
#include "opcode_row.hpp"
#include "special_register.hpp"

namespace ww::isa::detail {

struct decode_context {
  static constexpr std::size_t max_each = 32;

  const asm_instruction& text;
  const opcode_row& row;
  dialect machine;
  std::uint64_t word[2] = {0, 0};
  bool has_words = false;
  instruction ins{};
  array<operand, max_each> defs{};
  array<operand, max_each> uses{};
  std::size_t def_count = 0;
  std::size_t use_count = 0;
  unsigned integers = 0;  // of the text, read so far

  constexpr decode_context(const asm_instruction& t, const opcode_row& r, const isa::dialect& d)
      : text(t), row(r), machine(d) {}

  [[nodiscard]] constexpr const asm_operand& at(unsigned i) const { return text.operands[i]; }
  [[nodiscard]] constexpr unsigned count() const { return text.operand_count; }
  [[nodiscard]] constexpr bool has(modifier m) const { return text.modifiers.has(m); }
  // Operand i is a predicate register.
  [[nodiscard]] constexpr bool is_predicate(unsigned i) const {
    return i < count() && at(i).kind == asm_kind::reg &&
           (at(i).base.file() == reg_file::p || at(i).base.file() == reg_file::up);
  }
  [[nodiscard]] constexpr bool is_register(unsigned i, reg_file f) const {
    return i < count() && at(i).kind == asm_kind::reg && at(i).base.file() == f;
  }

  constexpr operand* push_def(operand o) {
    if (def_count == max_each) return nullptr;
    defs[def_count] = o;
    return &defs[def_count++];
  }
  constexpr operand* push_use(operand o) {
    if (use_count == max_each) return nullptr;
    uses[use_count] = o;
    return &uses[use_count++];
  }
  static constexpr void set_halves(operand& x, const asm_operand& o) {
    if (o.has(asm_flag::half_low)) x.set(operand::bit_low_half);
    if (o.has(asm_flag::half_high)) x.set(operand::bit_high_half);
  }
  constexpr void def(reg r, slot s, unsigned width = 1) { push_def(operand::def(r, s, width)); }
  constexpr void def(const asm_operand& o, slot s, unsigned width = 1) {
    if (o.kind != asm_kind::reg) return;
    operand d = operand::def(o.base, s, width);
    set_halves(d, o);
    if (d.is_half()) d.set(operand::bit_partial);
    push_def(d);
    if (o.has(asm_flag::carry)) def(reg{reg_file::cc, 0}, slot::dst1);
  }
  // The results found so far may leave something of the old values.
  constexpr void keep_old_values() {
    for (std::size_t i = 0; i < def_count; ++i) defs[i].set(operand::bit_partial);
  }
  constexpr void use(reg r, slot s, unsigned width = 1) { push_use(operand::use(r, s, width)); }

  constexpr void use(const asm_operand& o, slot s, unsigned width = 1, unsigned port = 0) {
    switch (o.kind) {
      case asm_kind::reg:
        use_register(o, s, width, port);
        break;
      case asm_kind::predicates:
        use(reg{o.base.file(), 0}, s, 7);
        break;
      case asm_kind::integer:
        compare_integer(o);
        [[fallthrough]];
      case asm_kind::floating:
        ins.add(iflag::reads_immediate);
        push_use(operand::non_register(operand_type::immediate, s));
        break;
      case asm_kind::constant:
        ins.add(iflag::reads_constant);
        compare_constant(o);
        push_use(operand::non_register(operand_type::constant, s));
        if (!o.base.is_none()) use(o.base, slot::address);
        if (!o.ubase.is_none()) use(o.ubase, slot::uaddress);
        if (!o.desc.is_none()) use(o.desc, slot::desc, 2);
        break;
      case asm_kind::gdesc:
        use(o.base, slot::desc, o.text.substr(0, 1) == "i" ? 1 : 2);  // idesc is one register
        break;
      case asm_kind::address:
        use_address(o, 1, 1);
        break;
      case asm_kind::special:
        if (is_special_name(o.text)) use(special_register(o.text), s);
        break;
      case asm_kind::label:
      case asm_kind::none:
        break;
    }
  }
  // Whole numbers of the text against the words. Observed in 1,343 listings of sm_70 to sm_121, without exception: arithmetic of
  // the forms 2 and 4 has its first one in bits 32..63 (700,000), MOV.64 all 64 bits of it from bit 24 on (1,380); LOP3 its table
  // in 72..79 (125,000), LEA its shift in 75..79 (49,000); SHFL, BAR and DEPBAR as below (40,000).
  constexpr void compare_integer(const asm_operand& o) {
    if (!has_words || machine.word64) return;
    const unsigned nth = integers++;
    const auto operand_form = static_cast<unsigned>(word[0] >> 9) & 7u;
    const bool immediate = operand_form == 2 || operand_form == 4;
    const auto meant = static_cast<std::uint64_t>(o.has(asm_flag::invert) ? ~o.value : o.value);
    const auto is = [&](std::uint64_t from, unsigned width) {
      return ((from ^ meant) & ((std::uint64_t{1} << width) - 1)) == 0;
    };
    bool same = true;
    switch (row.op) {
      case opcode::shfl:
        same = is(word[0] >> (nth == 0 && operand_form != 2 ? 53 : 40), nth == 0 && operand_form != 2 ? 5 : 13);
        break;
      case opcode::bar:
        same = nth != 0 || is(word[0] >> 54, 4);
        break;
      case opcode::depbar:
        same = is(word[0] >> 38, 6);
        break;
      case opcode::usetshmsz:  // a disassembler prints these bits of it
        same = is(word[0] >> 32, 20);
        break;
      case opcode::lepc:  // an address where the text has no labels (cuobjdump); the words hold a distance
        break;
      case opcode::lop3:
      case opcode::ulop3:
        same = nth == 0 && immediate ? is(word[0] >> 32, 32) : is(word[1] >> 8, 8);
        break;
      case opcode::lea:
      case opcode::ulea:
        same = nth == 0 && immediate ? is(word[0] >> 32, 32) : is(word[1] >> 11, 5);
        break;
      case opcode::mov:
      case opcode::umov:
        same =
            nth != 0 || (operand_form == 2 ? (word[0] >> 24 | word[1] << 40) == meant : !immediate || is(word[0] >> 32, 32));
        break;
      default: {
        const bool arithmetic =
            row.shape == form::alu || row.shape == form::setp || row.shape == form::p2r || row.shape == form::r2p;
        same = nth != 0 || !arithmetic || !immediate || is(word[0] >> 32, 32);
      }
    }
    if (!same) ins.other_value = 1;
  }
  // c[bank][offset]: bits 54..58 and 38..53, the offset of LDCU in 37..53 (observed: 240,000 of 240,000 there). The linker fills
  // in symbols, and a descriptor stands for a bank.
  constexpr void compare_constant(const asm_operand& o) {
    if (!has_words || machine.word64 || !o.desc.is_none() || o.has(asm_flag::symbolic)) return;
    const auto field = static_cast<std::uint32_t>(word[0] >> 37) & 0x3fffffu;  // bits 37..58
    const bool wide = row.op == opcode::ldcu;
    const std::uint32_t offset = wide ? field & 0x1ffffu : field >> 1 & 0xffffu;
    const auto meant = static_cast<std::uint32_t>(o.value) & (wide ? 0x1ffffu : 0xffffu);
    if (offset != meant || field >> 17 != o.bank) ins.other_value = 1;
  }
  constexpr void use_register(const asm_operand& o, slot s, unsigned width, unsigned port) {
    operand u = operand::use(o.base, s, width);
    if (o.has(asm_flag::reuse)) u.set(operand::bit_reuse);
    if (o.has(asm_flag::invert)) u.set(operand::bit_not);
    if (o.has(asm_flag::negate)) u.low |= operand::bit_negate;
    set_halves(u, o);
    u.set((port & 3u) << 22);
    push_use(u);
  }
  // The registers of an address: vector base, uniform base, descriptor pair.
  constexpr void use_address(const asm_operand& o, unsigned width, unsigned uniform_width, unsigned desc_width = 2) {
    if (!o.base.is_none()) {
      operand u = operand::use(o.base, slot::address, width);
      if (o.has(asm_flag::reuse)) u.set(operand::bit_reuse);
      push_use(u);
    }
    if (!o.ubase.is_none()) use(o.ubase, slot::uaddress, uniform_width);
    if (!o.desc.is_none()) use(o.desc, slot::desc, desc_width);
  }
};

}  // namespace ww::isa::detail
