// SPDX-License-Identifier: BSL-1.0
//
// How a texture instruction names its texture (PLS-18: the four counts of the guidance lines).
//
//   constant   by its place in a constant bank (TEX .., 0x0, 0x58)
//   uniform    by a uniform register (TEX .., UR4, 0x0)
//   bindless   by a general register, where every thread may have its own (TEX.B)
//   unknown    machine code does not tell: words of sm_50..62, and programs without words whose operands name neither
// "Partially bound" is a word of the text that machine code does not explain; only who made the code can count it.
//
// Where there are words of two halves, bits 9..11 of the first say it: 5, 7 and 1 (observed: all 74 texture instructions of
// the bundled listings and the corpus, sm_75 to sm_100). Surfaces and waits are no textures.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/span.hpp"

namespace ww::model {

enum class texture_binding : std::uint8_t { none, constant, uniform, bindless, unknown };

[[nodiscard]] constexpr texture_binding binding_of(const instruction& ins, span<const operand> operands) {
  using b = texture_binding;
  if (ins.iclass != sched_class::tex && ins.iclass != sched_class::tld && ins.iclass != sched_class::txq) return b::none;
  if ((ins.word[0] | ins.word[1]) != 0) {
    if (has_short_word(ins)) return b::unknown;
    switch ((ins.word[0] >> 9) & 7u) {
      case 5:
        return b::constant;
      case 7:
        return b::uniform;
      case 1:
        return b::bindless;
      default:
        return b::unknown;
    }
  }
  for (const operand& o : operands) {
    if (o.where() != slot::desc) continue;
    if (o.type() == operand_type::constant) return b::constant;
    if (o.is_register() && o.file() == reg_file::ur) return b::uniform;
  }
  return b::unknown;
}

}  // namespace ww::model
