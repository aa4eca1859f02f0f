// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_86.
//
// As sm_80, but FP32 issues every cycle (a heavy and a light half pipe; IMAD has the heavy one only), double
// precision is one shared pipe and the matrix pipes are half as fast. Sources: facts: hardware 4 and observed "Issue
// distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm86_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 4},
                                                                               {sched_class::fma, 1},
                                                                               {sched_class::half, 1},
                                                                               {sched_class::fp64, 64},
                                                                               {sched_class::dsetp, 64},
                                                                               {sched_class::dmma, 64},
                                                                               {sched_class::hmma_small, 16},
                                                                               {sched_class::hmma_medium, 16},
                                                                               {sched_class::hmma_large, 32},
                                                                               {sched_class::hmma_sparse, 32},
                                                                               {sched_class::imma_small, 16},
                                                                               {sched_class::imma_medium, 16},
                                                                               {sched_class::imma_large, 32},
                                                                               {sched_class::bmma_small, 16},
                                                                               {sched_class::bmma_large, 32},
                                                                               {sched_class::qmma, 32},
                                                                               {sched_class::hgmma, 64}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls =
      Sets::common_stalls.with({{sched_class::membar, 6}, {sched_class::cctl, 5}});

  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) { return detail::common_pipe(c); }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  static constexpr bool spaced_writes = false;  // a slot between two writes of one register: from sm_90 on (PS-2)
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // Of the intervals, what compilers encode as stalls; the hardware waits for the rest by itself (observed).
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) {
    if (c == sched_class::fp64 || c == sched_class::dsetp) return 4;             // 292 of 336 pairs of double precision
    if (c == sched_class::hmma_large || c == sched_class::imma_large) return 8;  // 94 of 94 pairs
    if (c == sched_class::dmma) return 10;
    if (c == sched_class::half) return 2;  // 56 of 56 pairs; half2 has half the rate of sm_80 here (documented)
    if (c == sched_class::tex) return 1;   // 4 of 5 pairs
    return interval(c);
  }
  // BAR is paced by the shared-memory accesses before it (observed: all of 372 stalls of STS before BAR are 4); CS2R by nothing
  // (observed: 1 cycle apart, 625 of 625).
  [[nodiscard]] static constexpr pipe_id paced_pipe(sched_class c) {
    if (c == sched_class::bar) return pipe_of(sched_class::sts);
    return c == sched_class::cs2r ? pipe_id::none : detail::half_pace(c, pipe_of(c), false);
  }
  // What is not plain arithmetic issues this many cycles behind a BAR or later (observed: BAR.SYNC stalls 1 before ISETP,
  // IMAD, LOP3, SHF, IMMA; memory accesses, branches, EXIT, BSSY and further barriers come after 6 or more).
  static constexpr unsigned behind_barrier = 6;
  // WARPSYNC whose mask is in a register, to anybody (observed: 514 of 514, sm_89 516 of 516; with a number as its mask 1).
  static constexpr unsigned behind_mask = 4;
  // BMOV.32.CLEAR Bm, Bn and BMOV.32 Bn with a number, to anybody (observed: 2,040 of 2,040 on sm_87, unseen elsewhere; from a general
  // register it keeps 1).
  static constexpr unsigned behind_convergence_move = 4;
  [[nodiscard]] static constexpr bool free_behind_barrier(sched_class c) { return Sets::plain_arithmetic.has(c); }
};

using sm86_pipes = sm86_pipes_page<>;

}  // namespace ww
