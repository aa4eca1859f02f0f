// SPDX-License-Identifier: BSL-1.0
//
// An addition that takes a carry which the one right behind it gives: IADD3.X R5, ..., P0 / IADD3 R4, P0, ...
//
// By itself that is legal: the carry may be an older one, and the new one be added later. What tells is who adds the new one:
// somebody in another round only (lints.hpp). Nobody at all is a case of unoptimised_pair.hpp.
#pragma once

#include <cstddef>

#include "../ir/program.hpp"
#include "exchanged_pair.hpp"

namespace ww::verify::detail {

// Its predicate results are carries.
[[nodiscard]] inline bool adds(const instruction& i) {
  if (i.op == opcode::ur2up) return false;  // takes saved predicates back, all at once
  switch (i.iclass) {
    case sched_class::alu:
    case sched_class::imad:
    case sched_class::imad_wide:
    case sched_class::viadd:
    case sched_class::ualu:
    case sched_class::ualu_x:
    case sched_class::uimad:
      return true;
    default:
      return false;
  }
}

// The high half of a sum.
[[nodiscard]] inline bool adds_carry(const program& p, const instruction& i) {
  if (!adds(i)) return false;
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && o.is_register() && o.where() == slot::psrc && !o.base().is_zero()) return true;
  }
  return false;
}

// The k-th instruction of `b` adds a carry, the next one gives it anew, and `betrays(result)` of that operand.
template <class Betrays>
[[nodiscard]] bool carry_exchanged(const program& p, const block& b, std::size_t k, Betrays betrays) {
  const auto order = p.order_of(b);
  const instruction& x = p[order[k]];
  const instruction& y = p[order[k + 1]];
  if (!adds(x) || !adds(y) || y.has(iflag::guarded)) return false;
  for (const operand& d : p.operands_of(y)) {
    if (!d.is_def() || !d.is_register() || !is_predicate(d)) continue;
    for (const operand& o : p.operands_of(x)) {
      if (o.is_use() && o.is_register() && o.where() == slot::psrc && o.base() == d.base() && betrays(d)) return true;
    }
  }
  return false;
}

}  // namespace ww::verify::detail
