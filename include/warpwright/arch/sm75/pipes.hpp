// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_75.
//
// As sm_70 with a shared double-precision pipe and slower matrix pipes. Sources: facts: hardware 4 and observed "Issue
// distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm75_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 4},
                                                                               {sched_class::fp64, 64},
                                                                               {sched_class::dsetp, 64},
                                                                               {sched_class::hmma_small, 4},
                                                                               {sched_class::hmma_medium, 8},
                                                                               {sched_class::hmma_large, 16},
                                                                               {sched_class::hmma_sparse, 16},
                                                                               {sched_class::imma_small, 4},
                                                                               {sched_class::imma_medium, 8},
                                                                               {sched_class::imma_large, 16},
                                                                               {sched_class::bmma_small, 4},
                                                                               {sched_class::bmma_large, 16},
                                                                               {sched_class::dmma, 64},
                                                                               {sched_class::qmma, 16}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls = Sets::common_stalls.with(
      {{sched_class::bar, 5}, {sched_class::membar, 5}, {sched_class::warpsync, 4}, {sched_class::cctl, 5}});

  // Floating point and IMAD share one FMA pipe (observed: 2 cycles apart either way, 4 behind IMAD.WIDE; 71 of 71 neighbours).
  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) { return detail::one_fma_pipe(c); }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  static constexpr bool spaced_writes = false;  // a slot between two writes of one register: from sm_90 on (PS-2)
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // Of the intervals, what compilers encode as stalls; the hardware waits for the rest by itself (observed).
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) {
    if (c == sched_class::fp64 || c == sched_class::dsetp) return 4;  // 292 of 336 pairs of double precision
    return interval(c);
  }
  // BAR is paced by the shared-memory accesses before it (observed: all of 372 stalls of STS before BAR are 4); CS2R by nothing
  // (observed: 1 cycle apart, 625 of 625).
  [[nodiscard]] static constexpr pipe_id paced_pipe(sched_class c) {
    if (c == sched_class::bar) return pipe_of(sched_class::sts);
    return c == sched_class::cs2r ? pipe_id::none : pipe_of(c);
  }
};

using sm75_pipes = sm75_pipes_page<>;

}  // namespace ww
