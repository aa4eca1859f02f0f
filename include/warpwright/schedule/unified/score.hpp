// SPDX-License-Identifier: BSL-1.0
//
// What the priority function computes of one candidate (PLS-4): the pressure scores, the overflow signal, the eight bits,
// and the numbers that the tie-breakers compare.
//
//   scores    one per register class; 0 = placing the candidate keeps the class below its safe occupancy
//   overflow  some class would exceed its limit: general, predicate and address above it, uniform at it already. A barrier
//             target far below the budget or far from its result never overflows; a cold access never does
//   byte      yield related 7, yield flag 6, hot 5, overflow 4, same block 3, stall free 2, critical 1, barrier target 0
//   contention   slot-manager cost plus twice the registers above the reduced budget (PLS-7)
// Bit 4 is set only where the candidate does not itself add to a class that overflows: the signal exists to relieve
// pressure. Mode::literal_overflow = true takes the text's condition as it stands.
#pragma once

#include <cstdint>

#include "state.hpp"

namespace ww::unified {

namespace bit {
inline constexpr unsigned yield_related = 0x80, yield_flag = 0x40, hot = 0x20, overflow = 0x10, same_block = 0x08,
                          stall_free = 0x04, critical = 0x02, barrier_target = 0x01;
}

struct evaluated {
  std::int32_t score[4] = {};  // general, predicate, address, uniform
  unsigned byte = 0;
  std::int32_t barrier_group = 0;
  std::int32_t latency_counter = 0;  // cycles
  std::int32_t contention = 0;
  std::int32_t slot_cycles = 0;  // cycles
  std::uint32_t earliest = 0;    // cycle
  std::uint32_t dependence = 0;  // cycle
  std::uint32_t deadline = 0;    // cycle
  std::int32_t delta = 0;        // units
  std::int32_t slot = 0;

  friend constexpr bool operator==(const evaluated&, const evaluated&) = default;
};

// The score of the general registers: what is above the budget, one more for each of two aggravations.
[[nodiscard]] constexpr std::int32_t general_score(const record& r, const state& s) {
  const std::int32_t over = s.live[0] - s.budget.budget;
  std::int32_t score = r.delta[0] + over - 1 > 0 ? r.delta[0] + over - 1 : 0;
  if (r.delta[0] > 0 && over > 0 && r.latency < s.ready.max_predecessor_cycle) ++score;
  if (r.has(record_flag::control) && r.delta[0] + over > 0) ++score;
  return score;
}
// Predicates and address registers: nothing up to six, or at the limit without growth.
[[nodiscard]] constexpr std::int32_t narrow_score(std::int32_t live, std::int32_t delta, std::int32_t limit) {
  const std::int32_t total = live + delta;
  return total <= limit - 1 || (total == limit && delta <= 0) ? 0 : total;
}
[[nodiscard]] constexpr std::int32_t uniform_score(std::int32_t live, std::int32_t delta, std::int32_t limit) {
  return live + delta < limit || limit == 0 ? 0 : live + delta;
}

// The four-class overflow with its asymmetric compare.
template <class Arch, class Mode>
[[nodiscard]] constexpr bool overflows(const record& r, const state& s) {
  if (r.has(record_flag::cold)) return false;
  if (r.has(record_flag::barrier_target)) {
    if (s.budget.budget > to_units<Arch>(8) + s.live[0]) return false;
    if (r.latency_counter(s.cycle()) > s.ready.min_barrier_latency + 9) return false;
  }
  const std::int32_t limit[4] = {s.budget.budget, s.budget.predicate, s.budget.address, s.budget.uniform - 1};
  bool over = false;
  bool relieves = true;
  for (unsigned g = 0; g < 4; ++g) {
    if (g == 3 && s.budget.uniform == 0) continue;
    if (s.live[g] + r.delta[g] <= limit[g]) continue;
    over = true;
    relieves = relieves && r.delta[g] <= 0;
  }
  return over && (Mode::literal_overflow || relieves);
}

// The contention score, both cases.
template <class Arch>
[[nodiscard]] constexpr std::int32_t contention_score(const record& r, const state& s) {
  std::int32_t base = s.slots.contention(r);
  if (r.has(record_flag::barrier_target)) {
    base = base > s.slots.left() ? base : s.slots.left();
  } else {
    if (base == 0) base = s.slots.shares_anchor(r) ? 1 : 0;
    if (!s.ready.any_stall_free) base += 100;
  }
  const std::int32_t live_after = s.live[0] + r.delta[0];
  if (s.budget.reduced >= live_after) return base;
  const std::int32_t falling = s.ready.positive_pressure + r.delta[0] <= 0 ? 1 : 0;
  return base + 2 * to_registers<Arch>(live_after - s.budget.reduced) - falling;
}

// The scores and the byte. `preferred`: the ready instruction that the pre-scan prefers; it counts as stall free.
template <class Arch, class Mode>
[[nodiscard]] constexpr evaluated evaluate_first(const record& r, const state& s, bool preferred) {
  evaluated e;
  const std::uint32_t cycle = s.cycle();
  if constexpr (Mode::tracks_pressure) {
    e.score[0] = general_score(r, s);
    e.score[1] = narrow_score(s.live[1], r.delta[1], s.budget.predicate);
    e.score[2] = narrow_score(s.live[2], r.delta[2], s.budget.address);
    e.score[3] = uniform_score(s.live[3], r.delta[3], s.budget.uniform);
  }
  const bool target = r.has(record_flag::barrier_target);
  const bool behind = r.margin(cycle) < 0;
  const bool hot = (r.has(record_flag::hot) && s.temperature_counts()) || continues_batch<Mode>(s.batch, r);
  const bool overflow = Mode::tracks_pressure && overflows<Arch, Mode>(r, s);
  const bool stall_free = !behind || preferred;
  const bool flag = r.has(record_flag::control) && s.yield && !hot && !overflow && !(behind && s.spill.sequence <= 0);

  bool critical = false;
  if (s.spill.active()) {
    if (!target) {
      critical = s.ready.positive_pressure + r.delta[0] > 0 || (e.score[0] | e.score[1] | e.score[2] | e.score[3]) != 0 ||
                 !s.slots.within_limit(s.slots.contention(r));
    }
  } else {
    critical = s.spill.threshold > 0 && s.spill.threshold <= static_cast<std::int32_t>(s.ready.barrier_count);
    if (Mode::critical_by_height) critical = critical || cycle + Mode::critical_slack >= r.deadline;
  }
  if (r.has(record_flag::cold) && s.temperature_counts()) critical = false;

  e.byte = (r.has(record_flag::yield_boundary) ? bit::yield_related : 0u) | (flag ? bit::yield_flag : 0u) |
           (hot ? bit::hot : 0u) | (overflow ? bit::overflow : 0u) | (r.has(record_flag::imported) ? 0u : bit::same_block) |
           (stall_free ? bit::stall_free : 0u) | (critical ? bit::critical : 0u) | (target ? bit::barrier_target : 0u);
  return e;
}

// The numbers that the tie-breakers compare.
template <class Arch>
constexpr void evaluate_rest(evaluated& e, const record& r, const state& s) {
  e.barrier_group = r.barrier_group;
  e.latency_counter = r.latency_counter(s.cycle());
  e.contention = contention_score<Arch>(r, s);
  e.slot_cycles = s.slots.contention(r);
  e.earliest = r.earliest;
  e.dependence = r.dependence_cycle;
  e.deadline = r.deadline;
  e.delta = r.delta[0];
  e.slot = r.slot;
}

template <class Arch, class Mode>
[[nodiscard]] constexpr evaluated evaluate(const record& r, const state& s, bool preferred) {
  evaluated e = evaluate_first<Arch, Mode>(r, s, preferred);
  evaluate_rest<Arch>(e, r, s);
  return e;
}

}  // namespace ww::unified
