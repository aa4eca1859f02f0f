// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_70.
//
// All arithmetic pipes are half as wide as a warp: two cycles each, so that ALU and FMA work alternates.
// Matrix steps are counted. Sources: facts: hardware 4 and observed "Issue distance"; own stalls: observed per-opcode minima
// and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm70_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 4},
                                                                               {sched_class::fp64, 4},
                                                                               {sched_class::dsetp, 4},
                                                                               {sched_class::hmma_small, 4},
                                                                               {sched_class::hmma_medium, 8},
                                                                               {sched_class::hmma_large, 16},
                                                                               {sched_class::hmma_sparse, 16},
                                                                               {sched_class::imma_small, 4},
                                                                               {sched_class::imma_medium, 8},
                                                                               {sched_class::imma_large, 16},
                                                                               {sched_class::bmma_small, 4},
                                                                               {sched_class::bmma_large, 16},
                                                                               {sched_class::dmma, 16},
                                                                               {sched_class::qmma, 16}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls = Sets::common_stalls.with(
      {{sched_class::bar, 5}, {sched_class::membar, 5}, {sched_class::warpsync, 4}, {sched_class::cctl, 5}});

  // Floating point and IMAD share one FMA pipe (assumed: as observed on sm_75).
  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) { return detail::one_fma_pipe(c); }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  static constexpr bool spaced_writes = false;  // a slot between two writes of one register: from sm_90 on (PS-2)
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
};

using sm70_pipes = sm70_pipes_page<>;

}  // namespace ww
