// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_100.
//
// As sm_90 with all legacy matrix operations at 8 cycles. VIADD runs on the FMA pipe (facts: observed). Sources: facts:
// hardware 4 and observed "Issue distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm100_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 1},
                                                                               {sched_class::fma, 1},
                                                                               {sched_class::half, 1},
                                                                               {sched_class::dmma, 16},
                                                                               {sched_class::hmma_small, 8},
                                                                               {sched_class::hmma_medium, 8},
                                                                               {sched_class::hmma_large, 8},
                                                                               {sched_class::hmma_sparse, 8},
                                                                               {sched_class::imma_small, 8},
                                                                               {sched_class::imma_medium, 8},
                                                                               {sched_class::imma_large, 8},
                                                                               {sched_class::bmma_small, 8},
                                                                               {sched_class::bmma_large, 8},
                                                                               {sched_class::qmma, 8},
                                                                               {sched_class::hgmma, 8}});
  // Own stall that generated code keeps at least; of UTCSHIFT observed: 11 of 11, sm_103 too.
  static constexpr typename Sets::map min_stalls =
      Sets::newer_stalls.with({{sched_class::collective, 5}, {sched_class::tensor_shift, 12}});

  // One FMA pipe as on sm_90 (observed).
  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) {
    return c == sched_class::viadd ? pipe_id::fma_heavy : detail::newer_pipe(c);
  }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // Of the intervals, what compilers encode as stalls; the hardware waits for the rest by itself (observed: 1 cycle between two
  // of these, 59 of 64).
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) { return paced(c, interval(c)); }
  [[nodiscard]] static constexpr unsigned paced(sched_class c, unsigned whole) {
    const bool plain = c == sched_class::uldc || c == sched_class::ldcu || c == sched_class::umov || c == sched_class::s2ur;
    if (c == sched_class::half) return 2;   // as on sm_90
    if (c == sched_class::bssy) return 4;   // to a branch or another BSSY; observed: none of 139 closer, 118 exactly so
    if (c == sched_class::syncs) return 1;  // 6 of 7 pairs
    return plain ? 1u : whole;
  }
  [[nodiscard]] static constexpr pipe_id paced_pipe(sched_class c) { return detail::half_pace(c, pipe_of(c), true); }
  // Every result of fixed latency has landed before CALL, LEPC and BSYNC (observed: as on sm_90, some 2,000 of 2,000).
  static constexpr bool lands_before_calls = true;
  // What is not plain arithmetic issues this many cycles behind a BAR or later (observed: BAR.SYNC stalls 1 before ISETP,
  // IMAD, LOP3, SHF, IMMA; memory accesses, branches, EXIT, BSSY and further barriers come after 6 or more).
  static constexpr unsigned behind_barrier = 6;
  [[nodiscard]] static constexpr bool free_behind_barrier(sched_class c) { return Sets::plain_arithmetic.has(c); }
};

using sm100_pipes = sm100_pipes_page<>;

}  // namespace ww
