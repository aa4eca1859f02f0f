// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_70.
//
// ALU and FMA 4 and 5 cycles, half precision 6, predicates 4 as operands and 12 as guards. Double precision and all
// matrix operations are counted. There are no uniform registers. Distances: latency_tables.hpp. Sets: facts:
// variable_latency and observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "../detail/latency_table.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm70_latency_page : detail::sm70_tables {
  static constexpr typename Sets::set variable_classes = Sets::always_counted | Sets::double_classes | Sets::matrix_classes;
  static constexpr typename Sets::set late_classes = Sets::always_late | Sets::double_classes | Sets::matrix_classes;
  // A predicate written under a guard and read as data without one. Observed, compilers of CUDA 11 to 13: as late as a guard would read
  // it, 12 and more in 62 of 62 cases; under the same guard it is read after 4.
  static constexpr bool p_raw_merged = true;
  static constexpr bool barrier_behind_memory = true;  // assumed, as sm_75
  static constexpr typename Sets::set load_classes = Sets::load_classes_of_all;
  static constexpr typename Sets::set store_classes = Sets::store_classes_of_all;
  static constexpr typename Sets::map result_base =
      Sets::common_result_estimate.with({{sched_class::fp64, 8}, {sched_class::dsetp, 14}});
  static constexpr typename Sets::map read_base = Sets::common_read_estimate;
  static constexpr detail::beside_rows beside = detail::beside_sm70;

  // A result that a guarded instruction replaces keeps the distance of one that it reads. Observed, compilers of CUDA 11 to 13: alu over
  // alu 4, IMAD over IMAD 4, alu over IMAD and IMAD over alu 5, each exactly in 220 to 509 cases, none closer; sm_80 and later do not.
  static constexpr bool r_waw_merged = true;
  // Loads, atomics, shuffles and S2R over a result of timed arithmetic. Observed: 6,940 cases, 1,342 exactly 8, none closer.
  static constexpr unsigned r_waw_memory_emit = 8;
  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
  static constexpr distance u_war = detail::doc(1, 1);
  static constexpr distance u_war_direct = detail::doc(1, 1);
  static constexpr distance up_war_direct = detail::doc(1, 1);
  static constexpr distance up_waw = detail::doc(1, 1);
  static constexpr distance up_waw_direct = detail::doc(1, 1);
  // The carry flag, which only sm_50..62 have.
  static constexpr distance cc_raw = detail::doc(1, 1);
  static constexpr distance cc_waw = detail::doc(1, 1);

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  // observed (CUDA 11.8 to 12.4): LDS over the data of an earlier STG, and STS covered by a later STG's counter, without a
  // wait, about 70 cases in a dozen kernels
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm70_latency = detail::latency_table<sm70_latency_page<>>;

}  // namespace ww
