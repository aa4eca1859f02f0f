// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_75.
//
// As sm_70, with the uniform datapath: ULDC and R2UR differ, ULDC is fixed and R2UR counted. Distances: latency_tables.hpp.
// Sets: facts: variable_latency and observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm75_latency_page : detail::sm75_tables {
  static constexpr typename Sets::set variable_classes =
      (Sets::always_counted | Sets::double_classes | Sets::matrix_classes | typename Sets::set{sched_class::r2ur}) -
      typename Sets::set{sched_class::ldcu};
  static constexpr typename Sets::set late_classes =
      Sets::always_late | Sets::double_classes | Sets::matrix_classes | typename Sets::set{sched_class::r2ur};
  static constexpr bool barrier_behind_memory =
      true;  // observed: STG and STL before BAR.SYNC, some 70 times without a counter
  static constexpr bool matrix_in_order =
      true;  // observed: BMMA awaited by the counter of HMMA, IMMA read before BMMA, 6 cases
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate;
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;
  static constexpr detail::beside_rows beside = detail::beside_sm75;

  // A predicate written under a guard and read as data without one. Observed, compilers of CUDA 11 to 13: as late as a guard would read
  // it, PLOP3 to P2R 12 in 44 of 44 cases; under the same guard it is read after 4.
  static constexpr bool p_raw_merged = true;
  // What IMMA and BMMA read, HMMA reads sooner (observed: some 750 sources of fixed latency, none sooner, where HMMA has 6).
  static constexpr distance r_raw_integer_matrix = detail::obs(8, 8);
  // A result that a guarded instruction replaces keeps the distance of one that it reads. Observed, compilers of CUDA 11 to 13: alu over
  // alu 4, IMAD over IMAD 4, alu over IMAD and IMAD over alu 5, each exactly in 297 to 1,285 cases, none closer; sm_80 and later do not.
  static constexpr bool r_waw_merged = true;
  // Loads, atomics, shuffles and S2R over a result of timed arithmetic. Observed: 14,086 cases, 3,087 exactly 8, none closer.
  static constexpr unsigned r_waw_memory_emit = 8;
  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  // So it is by CS2R. Observed: 35 of 420 exactly 2 cycles behind, none closer.
  static constexpr bool cs2r_over_slowly = true;
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
  // observed: LDS over the data of an earlier STG without a wait, about 2,800 cases and none against
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm75_latency = detail::latency_table<sm75_latency_page<>>;

}  // namespace ww
