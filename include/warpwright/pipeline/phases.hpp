// SPDX-License-Identifier: BSL-1.0
//
// The phase band from scheduling before allocation to control words (PS-4), as a compile-time list in order.
//
//   number       position in the reference pipeline, 97..116
//   progress     value that a progress marker takes when the phase has run, 0 = it sets none (markers 14, 15, 20)
//   least_level  the -O level from which the phase acts
//   most_level   the -O level up to which it acts
//   gate         which SMs it acts on: decided from the architecture policy at compile time, never from a number (phase 114
//                where a class may have several scoreboard triplets, as scoreboard/phase114.hpp says)
//   here         the kit has the phase; false = it is a named place in the order and nothing else
// `runs<Phase, Arch>(level)` asks whether a phase acts. Names are those of the reference text.
#pragma once

#include "../meta/type_list.hpp"

namespace ww::phase {

enum class gate : unsigned char { every, post_schedule, places_blocks, several_triplets };

#define WARPWRIGHT_PHASE(type_name, number_, text, progress_, least, most, gate_, here_) \
  struct type_name {                                                                     \
    static constexpr unsigned number = number_;                                          \
    static constexpr const char* name = text;                                            \
    static constexpr unsigned progress = progress_;                                      \
    static constexpr unsigned least_level = least;                                       \
    static constexpr unsigned most_level = most;                                         \
    static constexpr gate acts_on = gate_;                                               \
    static constexpr bool here = here_;                                                  \
  };

WARPWRIGHT_PHASE(pre_schedule, 97, "AdvancedPhasePreSched", 0, 1, 3, gate::every, false)
WARPWRIGHT_PHASE(allocate_registers, 101, "AdvancedPhaseAllocReg", 0, 0, 3, gate::every, false)
WARPWRIGHT_PHASE(post_expansion, 104, "AdvancedPhasePostExpansion", 0, 0, 3, gate::every, false)
WARPWRIGHT_PHASE(allocation_wars, 105, "ApplyPostRegAllocWars", 0, 0, 3, gate::every, false)
WARPWRIGHT_PHASE(post_schedule_marker, 106, "AdvancedPhasePostSched", 14, 0, 3, gate::every, true)
WARPWRIGHT_PHASE(remove_nops, 107, "OriRemoveNopCode", 0, 1, 3, gate::every, false)
WARPWRIGHT_PHASE(hot_cold_in_loop, 108, "OptimizeHotColdInLoop", 15, 1, 3, gate::every, true)
WARPWRIGHT_PHASE(hot_cold_flow, 109, "OptimizeHotColdFlow", 0, 1, 3, gate::every, true)
WARPWRIGHT_PHASE(post_schedule, 110, "PostSchedule", 0, 1, 3, gate::post_schedule, true)
WARPWRIGHT_PHASE(post_fix_up_marker, 111, "AdvancedPhasePostFixUp", 20, 0, 3, gate::every, true)
WARPWRIGHT_PHASE(place_blocks, 112, "PlaceBlocksInSourceOrder", 0, 0, 3, gate::places_blocks, true)
WARPWRIGHT_PHASE(post_fix_for_merc, 113, "PostFixForMercTargets", 0, 0, 3, gate::every, false)
WARPWRIGHT_PHASE(fix_up_texture_barriers, 114, "FixUpTexDepBarAndSync", 0, 0, 3, gate::several_triplets, true)
WARPWRIGHT_PHASE(advanced_scoreboards, 115, "AdvancedScoreboardsAndOpexes", 0, 1, 3, gate::every, true)
WARPWRIGHT_PHASE(conservative_scoreboards, 116, "ProcessO0WaitsAndSBs", 0, 0, 0, gate::every, true)

#undef WARPWRIGHT_PHASE

using band = meta::type_list<pre_schedule, allocate_registers, post_expansion, allocation_wars, post_schedule_marker,
                             remove_nops, hot_cold_in_loop, hot_cold_flow, post_schedule, post_fix_up_marker, place_blocks,
                             post_fix_for_merc, fix_up_texture_barriers, advanced_scoreboards, conservative_scoreboards>;

// Does `Phase` act for `Arch` at optimisation level `level`?
template <class Phase, class Arch>
[[nodiscard]] constexpr bool runs(unsigned level) {
  const bool at_level = level >= Phase::least_level && level <= Phase::most_level;
  bool on_arch = Phase::acts_on == gate::every;
  if constexpr (Phase::acts_on == gate::post_schedule) on_arch = Arch::defaults::post_schedule;
  if constexpr (Phase::acts_on == gate::places_blocks && requires { Arch::defaults::places_blocks; }) {
    on_arch = Arch::defaults::places_blocks;
  }
  if constexpr (Phase::acts_on == gate::several_triplets) on_arch = Arch::barriers::max_triplets > 1;
  return at_level && on_arch;
}

}  // namespace ww::phase
