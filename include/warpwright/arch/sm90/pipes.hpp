// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_90.
//
// FP32 issues every cycle, double precision every second one. VIADD runs on the FMA pipe (facts: observed).
// Matrix rates are those of the legacy mma instructions. Sources: facts: hardware 4 and observed "Issue distance"; own
// stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm90_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 1},
                                                                               {sched_class::fma, 1},
                                                                               {sched_class::half, 1},
                                                                               {sched_class::dmma, 16},
                                                                               {sched_class::hmma_small, 4},
                                                                               {sched_class::hmma_medium, 4},
                                                                               {sched_class::hmma_large, 6},
                                                                               {sched_class::hmma_sparse, 8},
                                                                               {sched_class::imma_small, 4},
                                                                               {sched_class::imma_medium, 4},
                                                                               {sched_class::imma_large, 6},
                                                                               {sched_class::bmma_small, 4},
                                                                               {sched_class::bmma_large, 8},
                                                                               {sched_class::qmma, 8}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls = Sets::newer_stalls;

  // Floating point and IMAD share one FMA pipe, which floating point takes for one cycle (observed: 1 cycle before IMAD, 2 behind it
  // and 4 behind IMAD.WIDE; 28 of 28 neighbours, on sm_80, 90 and later some 30,000 of 30,000).
  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) {
    return c == sched_class::viadd ? pipe_id::fma_heavy : detail::newer_pipe(c);
  }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // Of the intervals, what compilers encode as stalls; the hardware waits for the rest by itself (observed: 1 cycle between two
  // of these, 220 of 251 on sm_90).
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) {
    const bool plain = c == sched_class::uldc || c == sched_class::ldcu || c == sched_class::umov || c == sched_class::s2ur;
    if (c == sched_class::half) return 2;   // 14 of 14 pairs
    if (c == sched_class::bssy) return 4;   // to a branch or another BSSY; observed: none of 125 closer, 83 exactly so
    if (c == sched_class::syncs) return 1;  // 6 of 7 pairs
    return plain ? 1u : interval(c);
  }
  [[nodiscard]] static constexpr pipe_id paced_pipe(sched_class c) { return detail::half_pace(c, pipe_of(c), true); }
  // Every result of fixed latency has landed before CALL, LEPC and BSYNC (observed: 7 cycles behind arithmetic and 13 behind comparisons
  // at least, some 2,600 of 2,600, before BSYNC 37 of 37, most exactly so; until sm_89 the cycles of CALL count).
  static constexpr bool lands_before_calls = true;
  // What is not plain arithmetic issues this many cycles behind a BAR or later (observed: BAR.SYNC stalls 1 before ISETP,
  // IMAD, LOP3, SHF, IMMA; memory accesses, branches, EXIT, BSSY and further barriers come after 6 or more).
  static constexpr unsigned behind_barrier = 6;
  [[nodiscard]] static constexpr bool free_behind_barrier(sched_class c) { return Sets::plain_arithmetic.has(c); }
  // Matrix operations of warp groups. Observed (sm_90a, CUDA 12.4 and 13.0): the operation 6 cycles behind WARPGROUP.ARRIVE or more
  // (1,023 of 1,023, 982 exactly 6), WARPGROUP.DEPBAR 3 behind one that raises gsb0 (683 of 683, 437 exactly 3), and whoever comes
  // behind DEPBAR 2 (1,020 of 1,020, 889 exactly 2).
  static constexpr unsigned behind_arrival = 6;
  static constexpr unsigned behind_group = 3;
  static constexpr unsigned behind_group_wait = 2;
};

using sm90_pipes = sm90_pipes_page<>;

}  // namespace ww
