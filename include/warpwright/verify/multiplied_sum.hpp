// SPDX-License-Identifier: BSL-1.0
//
// A sum of 64 bits that one wide product adds and multiplies as well: IADD.64 R12, then IMAD.WIDE.U32 R26, R0, R12, R12.
//
// Compilers keep between the two what a factor takes, not what an addend does (observed, sm_120: 4 cycles, where addends take 6).
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/algorithm.hpp"

namespace ww::verify::detail {

// Does `i` multiply the lower register of what it adds?
[[nodiscard]] inline bool multiplies_addend(const program& p, const instruction& i, const operand& addend) {
  if (i.iclass != sched_class::imad_wide || addend.where() != slot::c) return false;
  for (const operand& o : p.operands_of(i)) {
    const bool factor = o.is_use() && (o.where() == slot::a || o.where() == slot::b);
    if (factor && o.is_register() && o.base() == addend.base()) return true;
  }
  return false;
}

// The distance `d` from the result `w` to the operand `o` of `i`, or what a factor asks for where that is less and will do.
template <class Latency>
[[nodiscard]] distance as_factor(distance d, const program& p, access_point w, const instruction& i, const operand& o) {
  if (w.iclass != sched_class::alu_64 || !multiplies_addend(p, i, o)) return d;
  w.part = 0;
  d.check = meta::min(d.check, Latency::raw(w, {i.iclass, slot::b, o.file(), 0, i.has(iflag::guarded)}).check);
  return d;
}

}  // namespace ww::verify::detail
