// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_107.
//
// As sm_120: moves, selects, comparisons and IADD issue every cycle and form a class of their own, the rest of the ALU takes two
// (observed: MOV 3,446, IADD 983, ISETP 376, FSEL 322 pairs 1 cycle apart; LOP3, SHF, LEA and IMAD never less than 2). Matrix
// operations as on sm_100, double precision 4 (observed: DADD, DMUL, DFMA and DSETP 1,011 pairs exactly so, none closer).
#pragma once

#include "../sm120/pipes.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm107_pipes_page : sm120_pipes_page<Sets> {  // same: observed but for what is named here
  // Cycles before the same pipe takes another warp instruction. Observed: DMMA 32 (24 of 25 pairs), HMMA 8 (83 of 108), IMMA.16832 64
  // (18 of 18); other integer matrix operations, and those of 8-bit floats, assumed.
  static constexpr typename Sets::map intervals = sm120_pipes_page<Sets>::intervals.with({{sched_class::fp64, 4},
                                                                                          {sched_class::dsetp, 4},
                                                                                          {sched_class::dmma, 32},
                                                                                          {sched_class::hmma_small, 8},
                                                                                          {sched_class::hmma_medium, 8},
                                                                                          {sched_class::hmma_large, 8},
                                                                                          {sched_class::hmma_sparse, 8},
                                                                                          {sched_class::imma_small, 64},
                                                                                          {sched_class::imma_medium, 64},
                                                                                          {sched_class::imma_large, 64},
                                                                                          {sched_class::bmma_small, 64},
                                                                                          {sched_class::bmma_large, 64},
                                                                                          {sched_class::qmma, 8}});
  // Own stall that generated code keeps at least; of UTCSHIFT as on sm_100.
  static constexpr typename Sets::map min_stalls =
      sm120_pipes_page<Sets>::min_stalls.with({{sched_class::tensor_shift, 12}});

  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
  // Of the intervals, what compilers encode as stalls, as on sm_120. Counted matrix operations wait in their queue.
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) {
    return sm120_pipes_page<Sets>::paced(c, interval(c));
  }
};

using sm107_pipes = sm107_pipes_page<>;

}  // namespace ww
