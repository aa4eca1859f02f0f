// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_120.
//
// As sm_100, but moves, selects, compares and VIADD take 5 cycles to and from everything, matrix operations 28 (integer
// 26), and double precision is counted. Documented values for this SM are those of sm_100 with one cycle more; where
// shipped code is tighter, the observed value holds. Distances: latency_tables.hpp. Sets: facts: variable_latency and
// observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm120_latency_page : detail::sm120_tables {
  static constexpr typename Sets::set variable_classes =
      typename Sets::set{sched_class::uldc} | Sets::always_counted | Sets::double_classes;
  static constexpr typename Sets::set late_classes = Sets::always_late | Sets::double_classes;
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate;
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;

  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  // A source of a matrix instruction by vector arithmetic. Observed: never closer, 547 of some 3,300 exactly so, small ones (HMMA.1684,
  // HMMA.1688, IMMA.16816) 158 of 1,288.
  static constexpr distance r_war_deep{1, 8, provenance::observed};
  static constexpr bool small_matrices_deep = true;
  // IMNMX.U64 and IMNMX.S64 to each other and 64-bit comparisons (observed: 55 exactly 4), and to IADD.64 and SEL.64 (60 of 78).
  static constexpr distance r_raw_minimum_64{4, 4, provenance::observed};
  static constexpr distance r_raw_minimum_64_sum{4, 6, provenance::observed};
  // The carry of IADD, which has a pipe of its own here. Observed: 94 of 94 neighbours 5 cycles apart (IADD.X, IADD3.X,
  // IMAD.WIDE.X), that of IADD3 4.
  static constexpr distance p_raw_viadd{5, 5, provenance::observed};
  // That of IADD.64 and IADD.64.X to the next half of a wider sum. Observed: 336 of 336 cases 6 cycles or more, 242 exactly 6.
  static constexpr distance p_raw_alu_64{6, 6, provenance::observed};
  // Uniform arithmetic to the registers of SYNCS.EXCH. Observed: none closer, 16 exactly so of 126; other SYNCS take less.
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
  // observed: LDL over a source of an earlier STG or LDG without a wait, 2 cases and none against
  static constexpr bool load_reads_covered = true;  // observed: 13 of 14 times
  static constexpr bool copy_reads_covered =
      true;  // observed: LDGSTS, two loads, then LDG.64 over its address; 3 waits elsewhere
  static constexpr bool barrier_results_in_order = true;  // observed: as on sm_90
  // observed: SULD and SUST let nobody overwrite a handle in a uniform register unawaited, 407 of 407 cases on sm_100, 103 and 120; on
  // sm_90 181 of 181 are not awaited
  static constexpr bool surface_handles_late = true;
  static constexpr bool predicates_with_reads = true;  // observed: 152 times, and in libraries
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm120_latency = detail::latency_table<sm120_latency_page<>>;

}  // namespace ww
