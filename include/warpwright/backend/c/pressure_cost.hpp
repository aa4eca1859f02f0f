// SPDX-License-Identifier: BSL-1.0
//
// PressureCost of backend C (PLS-17) and what is done to it before it enters the score.
//
//   base      operand_weight per live register operand that is no predicate, plus the opcode's bonus:
//             TEX, TLD and their query +5, LD +0.5, ST +1, LDG +6, ATOMS +0.4 * latency_weight,
//             MOV and IMAD +1 unless they depend on another block
//   damping   factor when the last register operand is encoded as a negated one
//   latency   factor (LatencyScale of the class) for classes whose result a dependency counter covers
//   penalty   factor when the live ranges touched exceed their budget: (count - budget + 2) / (mode - 2) above the limit;
//             entries of mode 2 are exempt
// The bonuses go by scheduling class, so that the relatives of an opcode (LDU, TLD4, STAS ..) have them too.
// The text's opcode numbers: 88 and 89 TEX and TLD, 86 beside them (taken as TXQ), 44 and 45 LD and ST, 195 LDG, 288 ATOMS,
// 130 and 137 MOV and IMAD (so named where the text on allocation uses the same numbers).
#pragma once

#include <cstdint>

#include "../../ir/instruction.hpp"
#include "../../ir/operand.hpp"
#include "../../isa/opcode_id.hpp"
#include "../../isa/sched_class.hpp"
#include "../../meta/span.hpp"
#include "entry.hpp"

namespace ww::backend::c {

[[nodiscard]] constexpr double opcode_bonus(opcode op, sched_class c, double latency_weight, bool crosses_blocks) {
  switch (c) {
    case sched_class::tex:
    case sched_class::tld:
    case sched_class::txq:
      return 5.0;
    case sched_class::ld:
      return 0.5;
    case sched_class::st:
      return 1.0;
    case sched_class::ldg:
      return 6.0;
    case sched_class::atoms:
      return 0.4 * latency_weight;
    default:
      return (op == opcode::mov || op == opcode::imad) && !crosses_blocks ? 1.0 : 0.0;
  }
}

// True for operands that PressureCost counts, were they live.
[[nodiscard]] constexpr bool counts_for_pressure(operand o) {
  return o.is_register() && (o.file() == reg_file::r || o.file() == reg_file::ur);
}

// The last register operand is encoded as a negated one. Predicates and immediates are skipped.
[[nodiscard]] constexpr bool last_register_negated(span<const operand> operands) {
  for (std::size_t k = operands.size(); k-- > 0;) {
    if (counts_for_pressure(operands[k])) return operands[k].is_negated();
  }
  return false;
}

// `live_count` live ranges of which the entry touches, all with a further reader.
template <class Options>
[[nodiscard]] constexpr double with_live_range_penalty(double cost, int live_count, entry_mode mode) {
  if (mode == entry_mode::fixed) return cost;
  const int excess = live_count - Options::live_ranges + 2;
  const double share = static_cast<double>(excess) / (static_cast<int>(mode) - 2);
  return excess > 0 && share > Options::excess_limit ? cost * Options::penalty : cost;
}

}  // namespace ww::backend::c
