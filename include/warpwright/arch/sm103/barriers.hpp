// SPDX-License-Identifier: BSL-1.0
//
// Dependency counters and scoreboard parameters of sm_103.
//
// Hardware (facts: hardware 1.4): six counters per warp that count to 63; a set is seen by a wait two cycles later;
// DEPBAR holds back the next instruction only with a stall of 4 or more; stalls above 11 need the yield form.
// Scoreboard entries, triplets and dependence rules are the per-SM table of PLS-11; 39 and 56 are its limits for a
// raw stall and for a counter whose producer is done. Yield threshold and stall floor: SB-6.
#pragma once

namespace ww {

struct sm103_barriers {
  static constexpr unsigned count = 6;
  static constexpr unsigned set_to_wait = 2;
  static constexpr unsigned counter_max = 63;
  static constexpr unsigned depbar_min_stall = 4;
  static constexpr unsigned max_stall = 15;
  static constexpr unsigned max_stall_stay = 11;
  static constexpr unsigned scoreboard_entries = 46;
  static constexpr unsigned max_triplets = 1;
  static constexpr unsigned dependence_rules = 430;
  static constexpr unsigned raw_max_stall = 39;
  static constexpr unsigned barrier_latency = 56;
  static constexpr unsigned yield_threshold = 4;
  static constexpr unsigned stall_floor = 3;
  // A fence of the scope of a block raises a read counter, and the next instruction waits for it (observed: compilers from
  // CUDA 12.4 on, 415 of 415 fences that are not the last instruction; those before 12.2 did not).
  static constexpr bool block_fence_counted = true;
};

}  // namespace ww
