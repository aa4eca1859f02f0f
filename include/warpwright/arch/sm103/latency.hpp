// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_103.
//
// As sm_100, but double precision and the integer matrix operations are counted. Distances: latency_tables.hpp. Sets: facts:
// variable_latency and observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm103_latency_page : detail::sm103_tables {
  static constexpr typename Sets::set variable_classes =
      typename Sets::set{sched_class::uldc} | Sets::always_counted | Sets::double_classes | Sets::integer_matrix_classes;
  static constexpr typename Sets::set late_classes = Sets::always_late | Sets::double_classes | Sets::integer_matrix_classes;
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate;
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;

  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  // Uniform arithmetic to the registers of SYNCS.EXCH. Observed: none closer, 34 exactly so of 241, sm_110 36 of 241; other SYNCS take 9.
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
  // observed: LDL over a source of an earlier STG or LDG without a wait, 6 cases and none against
  static constexpr bool load_reads_covered = true;        // observed: all 9 times
  static constexpr bool matrix_in_order = true;           // observed: IMMA.16832 awaited by the counter of IMMA.16816, once
  static constexpr bool barrier_results_in_order = true;  // assumed: as observed on sm_100
  // observed: SULD and SUST let nobody overwrite a handle in a uniform register unawaited, 407 of 407 cases on sm_100, 103 and 120; on
  // sm_90 181 of 181 are not awaited
  static constexpr bool surface_handles_late = true;
  static constexpr bool predicates_with_reads = true;  // observed: 7 times, and as on sm_100
  static constexpr bool copy_reads_covered = true;     // assumed: as observed on sm_100
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm103_latency = detail::latency_table<sm103_latency_page<>>;

}  // namespace ww
