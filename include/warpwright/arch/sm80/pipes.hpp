// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_80.
//
// All arithmetic pipes take two cycles; double precision is full hardware at four; matrix pipes take 4 or 8
// cycles. BAR holds the issue for 6 cycles; forms that only arrive were seen with 1. Sources: facts: hardware 4 and observed
// "Issue distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm80_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 4},
                                                                               {sched_class::fp64, 4},
                                                                               {sched_class::dsetp, 4},
                                                                               {sched_class::dmma, 10},
                                                                               {sched_class::hmma_small, 4},
                                                                               {sched_class::hmma_medium, 4},
                                                                               {sched_class::hmma_large, 8},
                                                                               {sched_class::hmma_sparse, 8},
                                                                               {sched_class::imma_small, 4},
                                                                               {sched_class::imma_medium, 4},
                                                                               {sched_class::imma_large, 8},
                                                                               {sched_class::bmma_small, 4},
                                                                               {sched_class::bmma_large, 8},
                                                                               {sched_class::qmma, 8}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls =
      Sets::common_stalls.with({{sched_class::membar, 6}, {sched_class::cctl, 5}});

  // Floating point and IMAD share one FMA pipe (observed: 2 cycles apart either way, 4 behind IMAD.WIDE; 70 of 70 neighbours).
  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) { return detail::one_fma_pipe(c); }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  static constexpr bool spaced_writes = false;  // a slot between two writes of one register: from sm_90 on (PS-2)
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // BAR is paced by the shared-memory accesses before it (observed: all of 372 stalls of STS before BAR are 4); CS2R by nothing
  // (observed: 1 cycle apart, 625 of 625).
  [[nodiscard]] static constexpr pipe_id paced_pipe(sched_class c) {
    if (c == sched_class::bar) return pipe_of(sched_class::sts);
    return c == sched_class::cs2r ? pipe_id::none : pipe_of(c);
  }
  // What is not plain arithmetic issues this many cycles behind a BAR or later (observed: BAR.SYNC stalls 1 before ISETP,
  // IMAD, LOP3, SHF, IMMA; memory accesses, branches, EXIT, BSSY and further barriers come after 6 or more).
  static constexpr unsigned behind_barrier = 6;
  // WARPSYNC whose mask is in a register, to anybody (observed: 454 of 454; with a number as its mask 1).
  static constexpr unsigned behind_mask = 4;
  [[nodiscard]] static constexpr bool free_behind_barrier(sched_class c) { return Sets::plain_arithmetic.has(c); }
};

using sm80_pipes = sm80_pipes_page<>;

}  // namespace ww
