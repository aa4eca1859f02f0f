// SPDX-License-Identifier: BSL-1.0
//
// Two neighbours in the wrong order in code that nobody has optimised.
//
// Such code is full of idle stalls and of copies whose results are lost, but what it computes, loads, asks for or compares it
// takes, and what it compares, loads from or stores it has made for that. So in neighbours `x` and `y` of which `x` reads what
// `y` writes:
//   wasted   a result of `x` that is no copy is overwritten by `y`, or half of what it loads is
//   stale    nobody reads those results of `y` of which `x` has read the old values
//   carry    `x` adds a carry, and nobody in the block adds the one that `y` gives
//   sign     `x` takes the sign of a number, and `y` puts another number in its place
// Observed on 1,046,560 instructions (-O0, -G; sm_75 to sm_120): of 94,962 neighbours that could have been exchanged none is
// wasted, and none stale, but behind copies, copies behind arithmetic, and shifts behind shifts; 2,480 of 2,480 carries are
// added in their block; no copy stands right behind the sign of what it replaces (5,459 signs).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "carry_pair.hpp"
#include "exchanged_pair.hpp"
#include "half_pair.hpp"

namespace ww::verify::detail {

// SHF.R.S32.HI R5, RZ, 0x1f, R4
[[nodiscard]] inline bool takes_sign(const program& p, const instruction& i) {
  constexpr std::uint32_t sign = 31;
  unsigned sources = 0;
  for (const operand& o : p.operands_of(i)) {
    sources += o.is_use() && o.is_register() && o.where() != slot::guard && !o.base().is_zero() ? 1u : 0u;
  }
  return i.op == opcode::shf && i.has(iflag::reads_immediate) && static_cast<std::uint32_t>(i.word[0] >> 32) == sign &&
         sources == 1;
}

[[nodiscard]] inline bool reads_registers(const program& p, const instruction& i) {
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && o.is_register() && o.where() != slot::guard && !o.base().is_zero()) return true;
  }
  return false;
}

// Nobody reads those results of `y` that `x` has read the old values of. `live(result, part)`: somebody reads that register of it.
// Of a wide product the high half may be all that is wanted.
template <class Live>
[[nodiscard]] bool stale(const program& p, const instruction& x, const instruction& y, Live live) {
  if (!removable(y) || y.has(iflag::guarded) || y.iclass == sched_class::imad_wide) return false;
  for (const operand& d : p.operands_of(y)) {
    if (!d.is_def() || !d.is_register()) continue;
    for (std::uint32_t part = 0; part < d.width(); ++part) {
      if (reads(p, x, reg{d.file(), d.base().number() + part}) && live(d, part)) return false;
    }
  }
  return true;
}

// The k-th instruction of `b` and the next one.
template <class Live>
[[nodiscard]] bool exchanged_unoptimised(const program& p, const block& b, std::size_t k, Live live) {
  const auto order = p.order_of(b);
  const instruction& x = p[order[k]];
  const instruction& y = p[order[k + 1]];
  if (x.has(iflag::never) || x.has(iflag::padding) || y.has(iflag::never) || !overwritten(p, x, y, false)) return false;
  if (x.op != opcode::mov && !among_threads(x) && wasted(p, x, y)) return true;
  if ((x.dir == mem_dir::load && part_lost(p, x, y)) || half_made(p, b, k) || carry_for_others(p, b, k)) return true;
  if (y.op == opcode::mov && !y.has(iflag::guarded) && takes_sign(p, x)) return true;
  if (among_threads(y) || !stale(p, x, y, live)) return false;
  if (y.op == opcode::shf) return x.op != opcode::shf;
  if (y.op != opcode::mov) return true;
  return only_decides(p, x) || x.dir == mem_dir::load || (x.dir == mem_dir::store && !reads_registers(p, y));
}

}  // namespace ww::verify::detail
