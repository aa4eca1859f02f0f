// SPDX-License-Identifier: BSL-1.0
//
// Stages 1 and 2 of the candidate comparison (PLS-6) as one integer, for the engine's pick loop.
//
//   key    general score 24 bits, predicate, address and uniform score 10 bits each, then the five scanned bits inverted, in
//          the order of the scan; the smaller key wins, equal keys go on to the tie-breakers
//   view   what is the same for all candidates of a pick, worked out once
// The key says the same as evaluate_first() and decide_first() as long as narrow scores fit their ten bits; the tests hold them
// against each other. `narrow_scores_fit` says so of a whole pick. Above (more than a thousand virtual predicates or uniform
// registers live at once) the engine evaluates and compares.
#pragma once

#include <cstdint>

#include "score.hpp"

namespace ww::unified {

struct pick_view {
  std::uint32_t cycle = 0;
  std::int32_t over = 0;  // general registers live above the budget, units
  bool temperature = false;
  bool spilling = false;
  bool all_critical = false;     // by the depth threshold
  bool target_headroom = false;  // barrier targets cannot overflow
};

template <class Arch, class Mode>
[[nodiscard]] constexpr pick_view view_of(const state& s) {
  pick_view v;
  v.cycle = s.cycle();
  v.over = s.live[0] - s.budget.budget;
  v.temperature = s.temperature_counts();
  v.spilling = s.spill.active();
  v.all_critical = s.spill.threshold > 0 && s.spill.threshold <= static_cast<std::int32_t>(s.ready.barrier_count);
  v.target_headroom = s.budget.budget > to_units<Arch>(8) + s.live[0];
  return v;
}

// `most`: the largest delta of any instruction that has been ready, by class.
[[nodiscard]] constexpr bool narrow_scores_fit(const state& s, const std::int32_t* most) {
  constexpr std::int32_t limit = 1023;  // ten bits
  return s.live[1] + most[1] <= limit && s.live[2] + most[2] <= limit && s.live[3] + most[3] <= limit;
}

template <class Arch, class Mode>
[[nodiscard]] constexpr std::uint64_t quick_key(const record& r, const state& s, const pick_view& v, bool preferred) {
  constexpr auto flag_of = [](record_flag f) { return static_cast<unsigned>(f); };
  const unsigned flags = r.flags;
  const bool target = (flags & flag_of(record_flag::barrier_target)) != 0;
  std::uint64_t scores = 0;
  bool overflow = false;
  if constexpr (Mode::tracks_pressure) {
    const std::int32_t sum = r.delta[0] + v.over;
    const std::int32_t predicates = s.live[1] + r.delta[1];
    const std::int32_t addresses = s.live[2] + r.delta[2];
    const std::int32_t uniforms = s.live[3] + r.delta[3];
    const bool over_predicates = predicates > s.budget.predicate;
    const bool over_addresses = addresses > s.budget.address;
    const bool over_uniforms = uniforms >= s.budget.uniform && s.budget.uniform != 0;
    if (sum > 0) scores = static_cast<std::uint64_t>(general_score(r, s)) << 30;
    if (predicates >= s.budget.predicate || addresses >= s.budget.address || over_uniforms) {
      scores |= static_cast<std::uint64_t>(narrow_score(s.live[1], r.delta[1], s.budget.predicate)) << 20 |
                static_cast<std::uint64_t>(narrow_score(s.live[2], r.delta[2], s.budget.address)) << 10 |
                static_cast<std::uint64_t>(uniform_score(s.live[3], r.delta[3], s.budget.uniform));
    }
    overflow = (sum > 0 || over_predicates || over_addresses || over_uniforms) &&
               (flags & flag_of(record_flag::cold)) == 0 &&
               (Mode::literal_overflow || !((sum > 0 && r.delta[0] > 0) || (over_predicates && r.delta[1] > 0) ||
                                            (over_addresses && r.delta[2] > 0) || (over_uniforms && r.delta[3] > 0))) &&
               !(target && (v.target_headroom || r.latency_counter(v.cycle) > s.ready.min_barrier_latency + 9));
  }
  const bool behind = r.earliest > v.cycle;
  const bool hot = ((flags & flag_of(record_flag::hot)) != 0 && v.temperature) || continues_batch<Mode>(s.batch, r);
  const bool flag =
      s.yield && (flags & flag_of(record_flag::control)) != 0 && !hot && !overflow && !(behind && s.spill.sequence <= 0);
  bool critical = v.all_critical || (Mode::critical_by_height && v.cycle + Mode::critical_slack >= r.deadline);
  if (v.spilling) {
    critical = !target &&
               (s.ready.positive_pressure + r.delta[0] > 0 || scores != 0 || !s.slots.within_limit(s.slots.contention(r)));
  }
  if (v.temperature && (flags & flag_of(record_flag::cold)) != 0) critical = false;
  const unsigned lost =
      (overflow ? 0u : 16u) | (flag ? 0u : 8u) | (critical ? 0u : 4u) | (!behind || preferred ? 0u : 2u) | (hot ? 0u : 1u);
  return scores << 5 | lost;
}

}  // namespace ww::unified
