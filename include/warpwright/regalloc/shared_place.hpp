// SPDX-License-Identifier: BSL-1.0
//
// May a result take a register from which its own instruction still reads? (FPA-3: what interferes inside one instruction)
//
//   free            in any way. All but matrix instructions: compiled code has results over dying sources at every offset that
//                   alignment leaves, for fixed and variable latencies, narrow and wide (IMAD.WIDE 556, LDG.128 at the upper
//                   half 40, LDS.128 at each of its four, LDSM.x4 at three, TEX below its coordinates)
//   nested          HMMA, DMMA, of a factor: where one lies within the other
//   ends_together   IMMA, BMMA, QMMA, of a factor: only where both end with the same register
//   never           a factor of any other matrix instruction
//   starts_together the addend and the sparsity selector: at the result's first register
// Observed in the corpus, the bundled listings and 2,100 of libraries and random sources (sm_75 to sm_121, CUDA 11 to 13), results
// over factors that die there, source (registers) at register n of the result (registers):
//   HMMA   b (2) at 2 of 4: 902, at 0: 240; a (4) at 0 of 4: 579; narrow ones at 0 to 2: 31; sparse, (4) at 0 and -2 of 2: 194
//   DMMA   a and b (2) at 0 and 2 of 4: 34         QMMA  b (2) at 2 of 4: 60, a (4) at 0: 22
//   IMMA   b (2) at 2 of 4: 24, a (4) at 0: 29; others 5       BMMA  a (4) at 0 of 4: 39; b (2) at 0: 1
// addends of the corpus 659: same 587, other 0. Nothing was seen across an end. The five IMMA and the BMMA are not taken as a permission.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/opcode.hpp"

namespace ww::regalloc {

enum class shared_place : std::uint8_t { free, nested, ends_together, starts_together, never };

[[nodiscard]] constexpr shared_place shared_place_of(const instruction& ins, operand use) {
  if (use.file() != reg_file::r) return shared_place::free;
  shared_place factor = shared_place::never;
  switch (ins.op) {
    case opcode::hmma:
    case opcode::dmma:
      factor = shared_place::nested;
      break;
    case opcode::imma:
    case opcode::bmma:
    case opcode::qmma:
      factor = shared_place::ends_together;
      break;
    case opcode::omma:
      break;
    default:
      return shared_place::free;
  }
  return use.where() == slot::a || use.where() == slot::b ? factor : shared_place::starts_together;
}

}  // namespace ww::regalloc
