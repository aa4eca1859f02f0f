// SPDX-License-Identifier: BSL-1.0
//
// The spill-mode state machine (PLS-5): NORMAL, SPILL, NORMAL.
//
// When a barrier target wins, its whole group is drained: a countdown of picks starts, during which nearly everything counts
// as critical. It ends by running out (path A), when the supply of stall-free targets is used up, or when something that is
// no barrier target wins (path B), unless its same-block and stall-free bits are both off and the slots allow: then the
// countdown stays. Every instruction of the block itself has the first of these bits, so only one that is marked as imported
// lets an episode go on. Every end sets the depth threshold to the sentinel -1, so that the next pick scans the barrier
// targets again; what the scan before had seen is forgotten.
//   countdown   picks left, 0 = NORMAL       sequence   barrier targets of the block that are not placed yet
//   supply      stall-free targets left       targets, stall_free_targets   what the last scan saw
#pragma once

#include <cstdint>

namespace ww::unified {

inline constexpr std::int32_t rescan = -1;         // the sentinel of `threshold`
inline constexpr std::int32_t no_cutoff = 999999;  // cycles

struct spill_mode {
  std::int32_t countdown = 0;
  std::int32_t sequence = 0;
  std::int32_t supply = 0;
  std::int32_t threshold = rescan;
  std::int32_t cutoff = no_cutoff;  // cycles
  std::int32_t targets = 0;
  std::int32_t stall_free_targets = 0;
  bool no_threshold = true;  // no threshold has been derived in this block yet (376)

  [[nodiscard]] constexpr bool active() const { return countdown != 0; }
  friend constexpr bool operator==(const spill_mode&, const spill_mode&) = default;
};

// What the state machine is told about a pick.
struct spill_step {
  bool barrier_target = false;        // of the winner
  bool stall_free = false;            // the winner's producers are done
  bool pressing = false;              // the winner's same-block or stall-free bit is set
  bool within_slots = false;          // cursor + contention + stride stay within the cycle limit, as for the critical bit
  std::int32_t ready_targets = 0;     // barrier targets in the ready list, the winner included
  std::int32_t total_pressure = 0;    // positive register deltas of the ready list, units
  std::int32_t partial_pressure = 0;  // those within the depth threshold, units
  std::int32_t live_after = 0;        // general registers live behind the winner, units
  std::int32_t budget = 0;            // units
  std::int32_t max_stall_cycles = 16;
};

// How many picks a spill episode that starts now lasts.
[[nodiscard]] constexpr std::int32_t spill_length(const spill_mode& m, const spill_step& s) {
  const bool crowded = s.total_pressure + s.live_after > s.budget;
  std::int32_t length = m.targets;
  if (m.targets <= 3 || m.stall_free_targets > 0) {
    const bool all_within = s.partial_pressure == s.total_pressure;
    length = s.ready_targets <= m.threshold || all_within || !crowded ? s.ready_targets : m.threshold;
  } else if (m.targets > m.threshold && s.partial_pressure != s.total_pressure && crowded) {
    length = m.threshold;
  }
  return length < 1 ? 1 : length;
}

constexpr void leave_spill_mode(spill_mode& m) {
  m.countdown = 0;
  m.threshold = rescan;
}

// A scan of the barrier targets starts: everything but what the block has left is as at its beginning.
constexpr void begin_scan(spill_mode& m) {
  m.threshold = m.countdown = 0;
  m.targets = m.stall_free_targets = m.supply = 0;
  m.cutoff = no_cutoff;
}

// The state after a pick.
constexpr void step(spill_mode& m, const spill_step& s) {
  if (s.barrier_target) {
    if (m.countdown == 0) m.countdown = spill_length(m, s);
    --m.countdown;
    --m.sequence;
    if (s.stall_free) {
      --m.supply;
      if (m.supply == 0 && m.sequence > 0 && m.sequence < s.max_stall_cycles && m.countdown > 1) {
        leave_spill_mode(m);
        return;
      }
    }
    if (m.countdown == 0) m.threshold = rescan;
  } else if (m.countdown > 0 && (s.pressing || !s.within_slots)) {
    leave_spill_mode(m);
  }
}

}  // namespace ww::unified
