// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_80.
//
// ALU and FMA 4 and 5 cycles, half precision 4 and 5, HFMA2.MMA 10, matrix operations 13 to 24 and fixed; predicates 4
// as operands and 13 as guards. Double precision, DMMA and R2UR are counted, ULDC is fixed. Distances: latency_tables.hpp.
// Sets: facts: variable_latency and observed. All memory operations read their sources as one queue (facts: observed, about
// 1,000 cases and none against).
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm80_latency_page : detail::sm80_tables {
  static constexpr typename Sets::set variable_classes =
      (Sets::always_counted | Sets::double_classes | typename Sets::set{sched_class::r2ur}) -
      typename Sets::set{sched_class::ldcu};
  static constexpr typename Sets::set late_classes =
      Sets::always_late | Sets::double_classes | typename Sets::set{sched_class::r2ur};
  // A predicate written under a guard and read as data without one. Observed, compilers of CUDA 11 to 13: as late as a guard would read
  // it, 13 and more in 301 of 301 cases (sm_86: 45 of 45); under the same guard it is read after 4.
  static constexpr bool p_raw_merged = true;
  static constexpr bool plain_barrier_behind_memory = true;  // observed: STG before BAR.SYNC, 8 without a counter
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base =
      Sets::common_result_estimate.with({{sched_class::fp64, 10}, {sched_class::dsetp, 14}, {sched_class::dmma, 25}});
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;
  static constexpr detail::beside_rows beside = detail::beside_sm80;

  // The new value of ATOMS.CAST. Observed: 9 of 9 neighbours 6 cycles behind its writer (sm_80 to sm_89), where STS has 5.
  static constexpr std::uint8_t r_raw_exchanged_emit = 6;  // cycles
  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  // So it is by CS2R. Observed on sm_80 to sm_89: 478 of some 4,000 exactly 2 cycles behind, one closer, behind a matrix operation.
  static constexpr bool cs2r_over_slowly = true;
  // A source of a deep matrix instruction by vector arithmetic. Observed on sm_80, 86 and 89: never closer, 33 of 88 exactly so;
  // tables of others say 1, and shallow ones are overwritten after 1.
  static constexpr distance r_war_deep{1, 7, provenance::observed};
  static constexpr distance u_war = detail::doc(1, 1);
  static constexpr distance u_war_direct = detail::doc(2, 3);
  static constexpr distance up_war_direct = detail::doc(1, 2);
  // An unguarded integer result that the single-precision pipe replaces. Observed on sm_80, 86 and 89: 699 moves under a
  // guard one cycle behind the result that they replace, ten at two.
  static constexpr distance r_waw_fma_over_alu{1, 1, provenance::observed};
  static constexpr distance up_waw = detail::doc(1, 1);
  static constexpr distance up_waw_direct = detail::doc(1, 7);
  // The carry flag, which only sm_50..62 have.
  static constexpr distance cc_raw = detail::doc(1, 1);
  static constexpr distance cc_waw = detail::doc(1, 1);

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm80_latency = detail::latency_table<sm80_latency_page<>>;

}  // namespace ww
