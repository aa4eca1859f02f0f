// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_100.
//
// As sm_90, but every legacy matrix operation takes 19 cycles, and ULDC has become LDCU, which is counted. Distances:
// latency_tables.hpp. Sets: facts: variable_latency and observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm100_latency_page : detail::sm100_tables {
  static constexpr typename Sets::set variable_classes = typename Sets::set{sched_class::uldc} | Sets::always_counted;
  static constexpr typename Sets::set late_classes = Sets::always_late;
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate;
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;

  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  // Uniform arithmetic to the registers of SYNCS.EXCH. Observed: none closer, 35 exactly so of 244; other SYNCS take 9.
  static constexpr distance u_raw_exchanged{12, 12, provenance::observed};
  static constexpr distance u_war = detail::doc(1, 1);
  static constexpr distance u_war_direct = detail::doc(2, 3);
  static constexpr distance up_war_direct = detail::doc(1, 2);
  static constexpr distance up_waw = detail::doc(1, 1);
  static constexpr distance up_waw_direct = detail::doc(1, 7);
  // The carry flag, which only sm_50..62 have.
  static constexpr distance cc_raw = detail::doc(1, 1);
  static constexpr distance cc_waw = detail::doc(1, 1);

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  // Cycles. Observed: the least of 47 results that only time announces, in two kernels (cuDSS, ptxas 12.9).
  static constexpr unsigned dmma_behind_reads = 54;
  // observed: LDL over a source of an earlier STG or LDG without a wait, 6 cases and none against
  static constexpr bool load_reads_covered = true;        // observed: all 10 times
  static constexpr bool barrier_results_in_order = true;  // observed: as on sm_90
  // observed: SULD and SUST let nobody overwrite a handle in a uniform register unawaited, 407 of 407 cases on sm_100, 103 and 120; on
  // sm_90 181 of 181 are not awaited
  static constexpr bool surface_handles_late = true;
  static constexpr bool predicates_with_reads = true;  // observed: 141 times, and in libraries
  static constexpr bool copy_reads_covered = true;     // observed: on sm_100 and 101 22 times, and no wait for it
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm100_latency = detail::latency_table<sm100_latency_page<>>;

}  // namespace ww
