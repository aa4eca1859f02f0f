// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_107.
//
// Arithmetic as on sm_120, matrix operations as on sm_100; double precision is timed, integer matrix operations are counted.
// Distances: latency_tables.hpp. Sets: observed (2,291,359 instructions by CUDA 13.5: nothing else raises a counter).
#pragma once

#include "../sm100/latency.hpp"
#include "latency_tables.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm107_latency_page : sm100_latency_page<Sets> {  // same: assumed but for what is named here, and no case against it
  using cells = detail::sm107_tables::cells;
  static constexpr typename Sets::set variable_classes =
      sm100_latency_page<Sets>::variable_classes | Sets::integer_matrix_classes;
  static constexpr typename Sets::set late_classes = sm100_latency_page<Sets>::late_classes | Sets::integer_matrix_classes;
  static constexpr typename Sets::map result_base = Sets::common_result_estimate.with({{sched_class::imma_large, 80}});

  // 64-bit minima, carries of IADD and IADD.64: as on sm_120.
  static constexpr distance r_raw_minimum_64{4, 4, provenance::assumed};
  static constexpr distance r_raw_minimum_64_sum{4, 6, provenance::assumed};
  static constexpr distance p_raw_viadd{5, 5, provenance::assumed};
  static constexpr distance p_raw_alu_64{6, 6, provenance::assumed};
  // Predicates to SEL.64 and IADD.64.X (observed: 5 from comparisons, 97 times, and from LOP3, 3 of 9; none closer).
  static constexpr distance p_raw_read_64{4, 5, provenance::assumed};
  // Uniform registers as sources of double precision. Observed: none of 2,229 closer, 930 exactly so.
  static constexpr distance u_raw_double{9, 9, provenance::observed};
  // UMOV overwrites what uniform arithmetic has read in the next cycle (observed: 18 times); of others nothing was seen.
  static constexpr distance u_war_direct{1, 3, provenance::assumed};
  // Not known: the pipe is slower than that of sm_100.
  static constexpr unsigned dmma_behind_reads = 0;
  static constexpr bool matrix_in_order = true;  // assumed: as on sm_103, where integer ones are counted too

  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) {
    return detail::common_completion_queue(c, variable_classes.has(c));
  }
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    return detail::one_memory_read_queue(c, completion_queue(c));
  }
};

using sm107_latency = detail::latency_table<sm107_latency_page<>>;

}  // namespace ww
