// SPDX-License-Identifier: BSL-1.0
//
// The distance rule of SB-2 to the letter: a counter that was set 56 cycles ago is taken to be zero, so that nobody waits
// for it.
//
// Age is the sum of the stalls since the newest set, inside a block; a counter that comes in from another block may be
// young. Nothing proves that a load has landed after 56 cycles: words made this way have hazards that verify/ finds. The
// policy barriers::literal_distance asks for this; no other does.
#pragma once

#include <cstdint>

#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

// Takes waits for counters that are old enough out of the sites' words. Returns how many bits.
template <class Arch>
constexpr std::uint64_t drop_old_waits(const program& p, workspace& ws) {
  constexpr auto old = static_cast<std::int32_t>(Arch::barriers::barrier_latency);
  std::uint64_t dropped = 0;
  for (const block& b : p.blocks) {
    array<std::int32_t, control::barrier_count> set{};  // time of the newest set + 1, 0 = not in this block
    std::int32_t t = 0;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      site& s = ws.sites[pos];
      if (s.leave()) continue;
      control& c = s.ctl;
      for (unsigned m = c.wait_mask; m != 0; m &= m - 1) {
        const auto k = static_cast<unsigned>(meta::countr_zero(m));
        if (k >= set.size() || set[k] == 0 || t - (set[k] - 1) < old) continue;
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << k));
        ++dropped;
      }
      if (c.sets_write() && c.write_barrier < set.size()) set[c.write_barrier] = t + 1;
      if (c.sets_read() && c.read_barrier < set.size()) set[c.read_barrier] = t + 1;
      t += c.drains() ? old : c.stall;
    }
  }
  return dropped;
}

}  // namespace ww::scoreboard
