// SPDX-License-Identifier: BSL-1.0
//
// May a result take a register from which its own instruction still reads? (FPA-3: what interferes inside one instruction)
//
//   free            in any way. All but matrix instructions: compiled code has results over dying sources at every offset that
//                   alignment leaves, for fixed and variable latencies, narrow and wide (IMAD.WIDE 556, LDG.128 at the upper
//                   half 40, LDS.128 at each of its four, LDSM.x4 at three, TEX below its coordinates)
//   ends_together   HMMA, IMMA, BMMA, of a factor: only where both end with the same register. They write their result in parts
//                   while factors are still read
//   never           a factor of any other matrix instruction
//   starts_together the addend and the sparsity selector: at the result's first register
// Observed in the corpus and the bundled listings, results over sources that die there or share a register:
//   HMMA factor b (2 of 4 registers)  324: upper half 54, lower half 0      factor a (4 of 4)  67: same 15
//   HMMA factor a (4) over 2           4: at its upper half 4              IMMA factors (1 of 2) 45: upper 5, lower 0
//   DMMA factors                      120: 0                               addends           659: same 587, other 0
// One BMMA has its factor b (2 of 4) at the lower half; it is not taken as a permission.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/opcode.hpp"

namespace ww::regalloc {

enum class shared_place : std::uint8_t { free, ends_together, starts_together, never };

[[nodiscard]] constexpr shared_place shared_place_of(const instruction& ins, operand use) {
  if (use.file() != reg_file::r) return shared_place::free;
  bool parts = false;
  switch (ins.op) {
    case opcode::hmma:
    case opcode::imma:
    case opcode::bmma:
      parts = true;
      break;
    case opcode::dmma:
    case opcode::qmma:
    case opcode::omma:
      break;
    default:
      return shared_place::free;
  }
  if (use.where() == slot::a || use.where() == slot::b) return parts ? shared_place::ends_together : shared_place::never;
  return shared_place::starts_together;
}

}  // namespace ww::regalloc
