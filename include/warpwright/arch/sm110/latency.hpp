// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_110.
//
// As sm_103, but integer matrix operations are timed: double precision alone is counted. Distances: latency_tables.hpp. Sets:
// observed (facts: observed, "MMA" and "Variable latency").
#pragma once

#include "../sm103/latency.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm110_latency_page : sm103_latency_page<Sets> {  // same: assumed but for what is named here, and no case against it
  using cells = detail::sm110_cells<>;
  static constexpr typename Sets::set variable_classes =
      sm103_latency_page<Sets>::variable_classes - Sets::integer_matrix_classes;
  static constexpr typename Sets::set late_classes = sm103_latency_page<Sets>::late_classes - Sets::integer_matrix_classes;

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm110_latency = detail::latency_table<sm110_latency_page<>>;

}  // namespace ww
