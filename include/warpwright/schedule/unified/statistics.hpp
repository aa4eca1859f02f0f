// SPDX-License-Identifier: BSL-1.0
//
// What the priority function knows of the whole ready list before it looks at one candidate (PLS-4): the fourteen pre-scan
// statistics of the text.
//
// The engine keeps them up to date as instructions come and go; the filtered pressure it works out when a spill episode over
// budget starts, the only moment that asks for it. `scan` is the text's way, one walk over the list: the definition, and the
// oracle of the tests.
//   deficit, pressure   sums of the negative and of the positive general register deltas, in hardware units
//   filtered pressure   positive deltas of instructions whose latency counter is within the depth threshold's cutoff
//   margins             cycle - earliest: 0 and above issues without a stall
//   preferred           the ready instruction that stands last in the program and is no barrier target
#pragma once

#include <cstdint>

#include "record.hpp"

namespace ww::unified {

struct ready_statistics {
  std::uint32_t shared_memory_count = 0;
  std::int32_t register_deficit = 0;       // units, <= 0
  std::int32_t max_dependence_cycle = -1;  // cycle
  std::int32_t max_predecessor_cycle = 0;  // cycle
  std::uint32_t barrier_count = 0;
  std::uint32_t dependence_count = 0;
  std::int32_t positive_pressure = 0;  // units
  std::int32_t filtered_pressure = 0;  // units
  std::int32_t max_barrier_slot = -1;
  std::int32_t min_barrier_latency = latency_infinity;  // cycles
  std::int32_t max_nonbarrier_margin = -1;              // cycles
  bool any_stall_free = false;
  std::uint32_t total_ready = 0;
  std::uint32_t preferred = no_record;

  friend constexpr bool operator==(const ready_statistics&, const ready_statistics&) = default;
};

// One more instruction seen by the scan. `cutoff`: latency counters up to it count as within the depth threshold.
constexpr void count(ready_statistics& s, const record& r, std::uint32_t index, std::uint32_t cycle, std::int32_t cutoff,
                     std::int32_t preferred_slot) {
  const bool target = r.has(record_flag::barrier_target);
  s.shared_memory_count += r.has(record_flag::shared_memory) ? 1u : 0u;
  if (r.delta[0] < 0) s.register_deficit += r.delta[0];
  if (r.delta[0] > 0) {
    s.positive_pressure += r.delta[0];
    if (r.latency_counter(cycle) <= cutoff) s.filtered_pressure += r.delta[0];
  }
  const auto more = [](std::int32_t& most, std::int32_t v) { most = v > most ? v : most; };
  more(s.max_dependence_cycle, static_cast<std::int32_t>(r.dependence_cycle));
  more(s.max_predecessor_cycle, static_cast<std::int32_t>(r.predecessor_cycle));
  s.dependence_count += r.has(record_flag::has_dependence) ? 1u : 0u;
  const std::int32_t margin = r.margin(cycle);
  if (target) {
    ++s.barrier_count;
    more(s.max_barrier_slot, r.slot);
    const std::int32_t wait = r.latency_counter(cycle);
    s.min_barrier_latency = wait < s.min_barrier_latency ? wait : s.min_barrier_latency;
  } else {
    more(s.max_nonbarrier_margin, margin);
    if (r.slot > preferred_slot) s.preferred = index;
  }
  s.any_stall_free = s.any_stall_free || margin >= 0;
  ++s.total_ready;
}

// The text's walk over the ready list: `records` linked by next_ready from `head`.
template <class Records>
[[nodiscard]] constexpr ready_statistics scan(const Records& records, std::uint32_t head, std::uint32_t cycle,
                                              std::int32_t cutoff) {
  ready_statistics s;
  for (std::uint32_t at = head; at != no_record; at = records[at].next_ready) {
    const std::int32_t slot = s.preferred == no_record ? -1 : records[s.preferred].slot;
    count(s, records[at], at, cycle, cutoff, slot);
  }
  return s;
}

}  // namespace ww::unified
