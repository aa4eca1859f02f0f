// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_60.
//
// As sm_50, but with half-rate double precision and full-rate half precision. Sources: facts: hardware 4 and observed "Issue
// distance"; own stalls: observed per-opcode minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"
#include "../sm50/pipes.hpp"  // same: documented (facts: hardware 4), but for the classes named here

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm60_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals =
      sm50_pipes_page<Sets>::intervals.with({{sched_class::fp64, 2}, {sched_class::dsetp, 2}});
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls = sm50_pipes_page<Sets>::min_stalls;

  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) { return detail::common_pipe(c); }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  static constexpr bool spaced_writes = false;  // a slot between two writes of one register: from sm_90 on (PS-2)
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
};

using sm60_pipes = sm60_pipes_page<>;

}  // namespace ww
