// SPDX-License-Identifier: BSL-1.0
//
// Which instructions multiply and accumulate: what tells the body of a loop from its residue (HC-3), and what a block that waits
// for data is measured by (HC-5).
//
//   scalar   FFMA, DFMA, IMAD, XMAD and the like with something to add: a product alone (IMAD.SHL, a c of RZ) and a move in the
//            clothes of a product (IMAD.MOV, a factor of RZ) are none
//   packed   HFMA2, FFMA2, IDP: the same rule
//   matrix   HMMA, IMMA, BMMA, DMMA, QMMA, OMMA, the warpgroup's and the fifth generation's, whatever they add to
#pragma once

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"

namespace ww::layout {

[[nodiscard]] constexpr bool is_matrix_product(opcode op) {
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
      return true;
    default:
      return false;
  }
}

[[nodiscard]] inline bool multiplies_and_adds(const program& p, const instruction& i) {
  switch (i.op) {
    case opcode::ffma:
    case opcode::ffma32i:
    case opcode::ffma2:
    case opcode::fhfma:
    case opcode::hfma2:
    case opcode::hfma2_32i:
    case opcode::dfma:
    case opcode::imad:
    case opcode::imad32i:
    case opcode::xmad:
    case opcode::idp:
    case opcode::idp4a:
    case opcode::idp2a:
      break;
    default:
      return is_matrix_product(i.op);
  }
  for (const operand& o : p.operands_of(i)) {
    const slot s = o.where();
    const bool source = o.is_use() && (s == slot::a || s == slot::b || s == slot::c);
    if (source && o.type() == operand_type::physical && o.base().is_zero()) return false;
  }
  return true;
}

}  // namespace ww::layout
