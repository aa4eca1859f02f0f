// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_103.
//
// As sm_100, but double precision and the integer matrix operations are counted. Distances: latency_tables.hpp. Sets: facts:
// variable_latency and observed.
#pragma once

#include "../detail/class_sets.hpp"
#include "latency_tables.hpp"

namespace ww {

struct sm103_latency_data : detail::sm103_tables {
  static constexpr detail::class_set variable_classes = detail::class_set{sched_class::uldc} | detail::always_counted |
                                                        detail::double_classes | detail::integer_matrix_classes;
  static constexpr detail::class_set late_classes =
      detail::always_late | detail::double_classes | detail::integer_matrix_classes;
  static constexpr detail::class_set load_classes = detail::load_classes_of_all;
  static constexpr detail::class_set store_classes = detail::store_classes_of_all;
  static constexpr detail::number_map result_base = detail::common_result_estimate;
  static constexpr detail::number_map read_base = detail::common_read_estimate;

  // Overwriting a source: of a fixed reader by a fixed writer, and by a counted or matrix writer.
  static constexpr distance r_war = detail::doc(1, 1);
  static constexpr distance r_war_slow = detail::doc(1, 2);
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
  static constexpr bool load_reads_covered = true;  // observed: all 9 times
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm103_latency = detail::latency_table<sm103_latency_data>;

}  // namespace ww
