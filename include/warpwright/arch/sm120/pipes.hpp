// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_120.
//
// Moves, selects, compares and VIADD issue every cycle and form a class of their own; the rest of the ALU takes
// two. Matrix operations take 16, double precision 64 on a shared pipe. Sources: facts: hardware 4 and observed "Issue
// distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm120_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals = Sets::common_intervals.with({{sched_class::s2r, 1},
                                                                               {sched_class::fma, 1},
                                                                               {sched_class::half, 1},
                                                                               {sched_class::alu_dual, 1},
                                                                               {sched_class::setp, 1},
                                                                               {sched_class::viadd, 1},
                                                                               {sched_class::fp64, 64},
                                                                               {sched_class::dsetp, 64},
                                                                               {sched_class::dmma, 64},
                                                                               {sched_class::hmma_small, 16},
                                                                               {sched_class::hmma_medium, 16},
                                                                               {sched_class::hmma_large, 16},
                                                                               {sched_class::hmma_sparse, 16},
                                                                               {sched_class::imma_small, 16},
                                                                               {sched_class::imma_medium, 16},
                                                                               {sched_class::imma_large, 16},
                                                                               {sched_class::bmma_small, 16},
                                                                               {sched_class::bmma_large, 16},
                                                                               {sched_class::qmma, 16}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls =
      Sets::newer_stalls.with({{sched_class::collective, 5}, {sched_class::alu_64, 2}, {sched_class::setp_64, 2}});

  // What issues every cycle does not wait for the rest of the ALU, and counts as a pipe of its own (observed: 45
  // of 45 moves, selects, comparisons, votes and 64-bit additions that owe it no result stand 1 cycle behind the rest of the ALU; of
  // the rest itself 111 of 111 stand 2 apart or more).
  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) {
    const bool light = c == sched_class::alu_dual || c == sched_class::setp || c == sched_class::viadd ||
                       c == sched_class::vote || c == sched_class::alu_64;
    return light ? pipe_id::fma : detail::newer_pipe(c);  // which as on sm_90 (observed)
  }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // Of the intervals, what compilers encode as stalls; the hardware waits for the rest by itself (observed: 1 cycle between two
  // of these, 101 of 110).
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) { return paced(c, interval(c)); }
  [[nodiscard]] static constexpr unsigned paced(sched_class c, unsigned whole) {
    const bool plain = c == sched_class::uldc || c == sched_class::ldcu || c == sched_class::umov ||
                       c == sched_class::s2ur || c == sched_class::ualu;
    if (c == sched_class::half) return 2;   // 3 of 4 pairs, none closer
    if (c == sched_class::bssy) return 4;   // to a branch or another BSSY; observed: none of 187 closer, 151 exactly so
    if (c == sched_class::syncs) return 1;  // 7 of 7 pairs
    return plain ? 1u : whole;
  }
  // CS2R is paced by nothing (observed: 1 cycle apart, 15 of 15).
  [[nodiscard]] static constexpr pipe_id paced_pipe(sched_class c) {
    return c == sched_class::cs2r ? pipe_id::none : detail::half_pace(c, pipe_of(c), true);
  }
  // Every result of fixed latency has landed before CALL, LEPC and BSYNC (observed: as on sm_90, some 3,000 of 3,000).
  static constexpr bool lands_before_calls = true;
  // What is not plain arithmetic issues this many cycles behind a BAR or later (observed: BAR.SYNC stalls 1 before ISETP,
  // IMAD, LOP3, SHF, IMMA; memory accesses, branches, EXIT, BSSY and further barriers come after 6 or more).
  static constexpr unsigned behind_barrier = 6;
  [[nodiscard]] static constexpr bool free_behind_barrier(sched_class c) { return Sets::plain_arithmetic.has(c); }
};

using sm120_pipes = sm120_pipes_page<>;

}  // namespace ww
