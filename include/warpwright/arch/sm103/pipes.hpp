// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_103.
//
// As sm_100 except for double precision, which is counted and taken to be one shared slow pipe (assumed:
// it is covered by a counter here and not on sm_100, as on the parts with a shared pipe). Sources: facts: hardware 4 and
// observed "Issue distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../sm100/pipes.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm103_pipes_page : sm100_pipes_page<Sets> {
  // same: assumed but for double precision, for the facts have a column for 10.0 alone; the observed pairs agree.
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals =
      sm100_pipes_page<Sets>::intervals.with({{sched_class::fp64, 64}, {sched_class::dsetp, 64}, {sched_class::dmma, 64}});
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  // Of the intervals, what compilers encode as stalls, as on sm_100.
  [[nodiscard]] static constexpr unsigned paced_interval(sched_class c) {
    return sm100_pipes_page<Sets>::paced(c, interval(c));
  }
};

using sm103_pipes = sm103_pipes_page<>;

}  // namespace ww
