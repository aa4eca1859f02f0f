// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_107.
//
// Arithmetic as on sm_120, matrix operations as on sm_100; double precision is timed, integer matrix operations are counted.
// Distances: latency_tables.hpp. Sets: observed (every opcode of 750,000 instructions by CUDA 13.5 that raises a counter, and no other).
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm107_latency_page : detail::sm107_tables {
  static constexpr typename Sets::set variable_classes =
      typename Sets::set{sched_class::uldc} | Sets::always_counted | Sets::integer_matrix_classes;
  static constexpr typename Sets::set late_classes = Sets::always_late | Sets::integer_matrix_classes;
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate.with({{sched_class::imma_large, 80}});
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;

  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war{1, 1, provenance::observed};
  static constexpr distance r_war_slow{1, 2, provenance::assumed};
  // 64-bit minima, carries of IADD and IADD.64: as on sm_120.
  static constexpr distance r_raw_minimum_64{4, 4, provenance::assumed};
  static constexpr distance r_raw_minimum_64_sum{4, 6, provenance::assumed};
  static constexpr distance p_raw_viadd{5, 5, provenance::assumed};
  static constexpr distance p_raw_alu_64{6, 6, provenance::assumed};
  // Predicates to SEL.64 and IADD.64.X (observed: 5 from comparisons, 97 times, and from LOP3, 3 of 9; none closer).
  static constexpr distance p_raw_read_64{4, 5, provenance::assumed};
  // Uniform registers as sources of double precision. Observed: none of 540 closer, 430 exactly so.
  static constexpr distance u_raw_double{9, 9, provenance::observed};
  // Uniform arithmetic to the registers of USYNCS.EXCH, which SYNCS.EXCH has become: as on sm_100.
  static constexpr distance u_raw_exchanged{12, 12, provenance::assumed};
  // UMOV overwrites what uniform arithmetic has read in the next cycle (observed: 18 times); of others nothing was seen.
  static constexpr distance u_war{1, 1, provenance::observed};
  static constexpr distance u_war_direct{1, 3, provenance::assumed};
  static constexpr distance up_war_direct{1, 2, provenance::assumed};
  static constexpr distance up_waw{1, 1, provenance::assumed};
  static constexpr distance up_waw_direct{1, 7, provenance::assumed};
  // The carry flag, which only sm_50..62 have.
  static constexpr distance cc_raw = detail::doc(1, 1);
  static constexpr distance cc_waw = detail::doc(1, 1);

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  // same: assumed, all as on sm_100
  static constexpr bool load_reads_covered = true;
  static constexpr bool barrier_results_in_order = true;
  static constexpr bool surface_handles_late = true;
  static constexpr bool predicates_with_reads = true;
  static constexpr bool copy_reads_covered = true;
  static constexpr bool matrix_in_order = true;  // as on sm_103, where they are counted too
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm107_latency = detail::latency_table<sm107_latency_page<>>;

}  // namespace ww
