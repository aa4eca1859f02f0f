// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_110.
//
// As sm_103, but integer matrix operations are timed: double precision alone is counted. Distances: latency_tables.hpp. Sets:
// observed (facts: observed, "MMA" and "Variable latency").
#pragma once

#include "../detail/class_sets.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm110_latency_page : detail::sm110_tables {
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
  static constexpr bool load_reads_covered = true;  // assumed: as observed on sm_103; no case against it
  static constexpr bool copy_reads_covered = true;  // assumed: as observed on sm_100
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm110_latency = detail::latency_table<sm110_latency_page<>>;

}  // namespace ww
