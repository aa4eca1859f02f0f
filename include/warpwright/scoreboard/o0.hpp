// SPDX-License-Identifier: BSL-1.0
//
// Conservative control words (phase 116, SB-7): right for any program in any order, and slow.
//
// The text gives every instruction stall 15, a wait for all six barriers, no barrier of its own and the yield form. Without a
// barrier nobody would ever be told that a load has landed, so that the literal rule cannot be right on hardware
// (docs/deviations.md); the compiler's own -O0 raises SB0 for results and SB1 for sources and waits for both (facts: observed).
// Here: stall 15, yield, wait 0x3f, SB0 for counted results, SB1 for late sources, no reuse; the drain code 0 where
// a fixed result takes longer than 15 cycles. Counters that another instruction names (DEPBAR, LDGDEPBAR) keep their number.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../arch/late_source.hpp"
#include "../ir/program.hpp"
#include "special.hpp"
#include "worst_distance.hpp"

namespace ww::scoreboard {

namespace detail {

// A fixed-latency result of `i` that 15 cycles do not cover.
template <class Arch>
bool outlasts_longest_stall(const program& p, const instruction& i) {
  if (Arch::latency::variable(i.iclass)) return false;
  for (const operand o : p.operands_of(i)) {
    if (!o.is_def() || !o.is_register()) continue;
    const access_point who{i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)};
    if (worst_distance<Arch>(who) > Arch::barriers::max_stall) return true;
  }
  return false;
}

template <class Arch>
control conservative_control(const program& p, const instruction& i, std::uint8_t named) {
  bool result = false;
  bool late = false;
  for (const operand o : p.operands_of(i)) {
    if (!o.is_register()) continue;
    const access_point who{i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)};
    result = result || (o.is_def() && Arch::latency::variable(i.iclass));
    late = late || (o.is_use() && late_source<typename Arch::latency>(who));
  }
  const special_role role = role_of(i, i.ctl, p.has_control, result, named);
  if (role.has(special_role::leave)) return i.ctl;
  control c;
  c.stall = static_cast<std::uint8_t>(Arch::barriers::max_stall);
  c.yield = true;
  c.wait_mask = (1u << control::barrier_count) - 1;
  if (result || role.has(special_role::order_write)) c.write_barrier = 0;
  if (late || role.has(special_role::order_read)) c.read_barrier = 1;
  if (role.has(special_role::pin_write) || role.has(special_role::force_next)) c.write_barrier = role.write_pin;
  if (role.has(special_role::pin_read) || role.has(special_role::force_next)) c.read_barrier = role.read_pin;
  const bool drains = i.iclass == sched_class::errbar || outlasts_longest_stall<Arch>(p, i);
  if (drains) c.stall = 0;
  return c;
}

}  // namespace detail

// Control words for the whole program; the order is not looked at.
template <class Arch>
void assign_o0(program& p) {
  const std::uint8_t named = named_counters(p);
  for (instruction& i : p.instructions) i.ctl = detail::conservative_control<Arch>(p, i, named);
  p.has_control = true;
}

}  // namespace ww::scoreboard
