// SPDX-License-Identifier: BSL-1.0
//
// Which instructions multiply and accumulate: what tells the body of a loop from its residue (HC-3), and what a block that waits for
// data is measured by (HC-5).
//
//   accumulator  FFMA, DFMA, HFMA2 and their like, dot products, XMAD, where none of the sources is the zero register: such a form
//                moves, shifts or multiplies only
//   integer      IMAD where it multiplies two registers and adds to the register that it writes; anything else that it does is
//                addressing
//   matrix       HMMA and all others, of a warp, of four and of tensor memory, whatever they add to
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode.hpp"
#include "../meta/span.hpp"

namespace ww::layout {

namespace detail {

enum class multiplier : std::uint8_t { none, matrix, accumulator, integer };

constexpr multiplier multiplier_of(opcode op) {
  switch (op) {
    case opcode::hmma:
    case opcode::imma:
    case opcode::bmma:
    case opcode::dmma:
    case opcode::qmma:
    case opcode::omma:
    case opcode::hgmma:
    case opcode::igmma:
    case opcode::qgmma:
    case opcode::bgmma:
    case opcode::utchmma:
    case opcode::utcimma:
    case opcode::utcqmma:
    case opcode::utcomma:
    case opcode::utcmxqmma:
      return multiplier::matrix;
    case opcode::ffma:
    case opcode::ffma32i:
    case opcode::ffma2:
    case opcode::fhfma:
    case opcode::hfma2:
    case opcode::hfma2_32i:
    case opcode::dfma:
    case opcode::idp:
    case opcode::idp4a:
    case opcode::idp2a:
    case opcode::xmad:
      return multiplier::accumulator;
    case opcode::imad:
    case opcode::imad32i:
    case opcode::imadsp:
      return multiplier::integer;
    default:
      return multiplier::none;
  }
}

}  // namespace detail

[[nodiscard]] constexpr bool is_math(const instruction& ins, span<const operand> operands) {
  const detail::multiplier kind = detail::multiplier_of(ins.op);
  if (kind == detail::multiplier::none || kind == detail::multiplier::matrix) return kind == detail::multiplier::matrix;
  unsigned factors = 0;
  reg result;
  bool accumulates = false;
  for (const operand& o : operands) {
    if (o.is_def() && o.where() == slot::dst) result = o.base();
    if (!o.is_use() || (o.where() != slot::a && o.where() != slot::b && o.where() != slot::c)) continue;
    if (o.type() == operand_type::physical && o.base().is_zero()) return false;
    if (!o.is_register()) continue;
    if (o.where() == slot::c) accumulates = o.base() == result;
    if (o.where() != slot::c) ++factors;
  }
  return kind != detail::multiplier::integer || (accumulates && factors == 2);
}

}  // namespace ww::layout
