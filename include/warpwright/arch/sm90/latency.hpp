// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_90.
//
// As sm_80, but double precision is fixed (8 to itself, 10 to others, 14 as a guard), the addend of a wide multiply
// is read later, and R2UR is fixed at 13. No public table exists for this SM: its cells are observed, and the documented
// ones that fill gaps are those of sm_80 and sm_100. Distances: latency_tables.hpp. Sets: facts: variable_latency and
// observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm90_latency_page : detail::sm90_tables {
  static constexpr typename Sets::set variable_classes = Sets::always_counted - typename Sets::set{sched_class::ldcu};
  static constexpr typename Sets::set late_classes = Sets::always_late;
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  // Double precision is fixed here: what takes longest of its distances.
  static constexpr typename Sets::map result_base =
      Sets::common_result_estimate.with({{sched_class::fp64, 10}, {sched_class::dsetp, 14}});
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;

  // The new value of ATOMS.CAST. Observed: 16 of 16 neighbours 6 cycles behind its writer, where STS has 5.
  static constexpr std::uint8_t r_raw_exchanged_emit = 6;  // cycles
  // Double precision to it. Observed: 56 of 57 exactly 10 cycles behind, where STS has 7, and one 7.
  static constexpr distance r_raw_fp64_exchanged{7, 10, provenance::observed};
  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  // A source of a deep matrix instruction by vector arithmetic. Observed: never closer, 16 of 76 exactly so; tables of others
  // say 1.
  static constexpr distance r_war_deep{1, 7, provenance::observed};
  // Uniform arithmetic to the registers of SYNCS.EXCH. Observed: none closer, 29 exactly so of 225; other SYNCS take 9.
  static constexpr distance u_raw_exchanged{12, 12, provenance::observed};
  static constexpr distance u_war = detail::doc(1, 1);
  static constexpr distance u_war_direct = detail::doc(2, 3);
  static constexpr distance up_war_direct = detail::doc(1, 2);
  // An unguarded integer result that the single-precision pipe replaces. Observed on sm_90 and 90a: 64 moves under a guard
  // one cycle behind the result that they replace.
  static constexpr distance r_waw_fma_over_alu{1, 1, provenance::observed};
  static constexpr distance up_waw = detail::doc(1, 1);
  static constexpr distance up_waw_direct = detail::doc(1, 7);
  // The carry flag, which only sm_50..62 have.
  static constexpr distance cc_raw = detail::doc(1, 1);
  static constexpr distance cc_waw = detail::doc(1, 1);

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  // Cycles. Observed: the least of 32 results that only time announces, all in one kernel (cuDSS, ptxas 12.9).
  static constexpr unsigned dmma_behind_reads = 105;
  // A load from the second-level cache takes 243 cycles more than one that hits the first. Measured on an H100: dependent LDG,
  // 282.8 against 39.6 cycles each, the address included (docs/gpu.md).
  static constexpr unsigned far_cycles = 243;
  static constexpr bool load_reads_covered = true;  // observed: 286 of 322 times
  static constexpr bool barrier_results_in_order =
      true;                                         // observed: B2R.RESULT without a counter, awaited by that of a later one
  static constexpr bool copy_reads_covered = true;  // observed: by LDG 3 times, by ATOMG 2
  static constexpr bool predicates_with_reads = true;  // observed: 92 times, both counters elsewhere
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm90_latency = detail::latency_table<sm90_latency_page<>>;

}  // namespace ww
