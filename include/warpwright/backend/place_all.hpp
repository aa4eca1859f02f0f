// SPDX-License-Identifier: BSL-1.0
//
// The loop around the picks of a forward list scheduler (PLS-16, PLS-17): as long as instructions are left, the one picked
// is placed, and when none can issue the clock moves on.
//
//   pinned   the last instruction of the part stays last; it is placed when all others are
// False when the graph has a cycle: nothing can issue and nothing is on its way.
#pragma once

#include <cstdint>

#include "../schedule/workspace.hpp"

namespace ww::backend {

template <class Queues, class Pick, class Place>
[[nodiscard]] constexpr bool place_all(const schedule_space& ws, Queues& queues, std::uint32_t count, bool pinned,
                                       Pick&& pick, Place&& place) {
  const std::uint32_t free_picks = pinned ? count - 1 : count;
  while (ws.sequence.size() < free_picks) {
    const std::uint32_t i = pick();
    if (i != Queues::none) {
      place(i);
    } else if (!queues.advance()) {
      return false;
    }
  }
  if (!pinned) return true;
  if (ws.nodes[count - 1].open != 0) return false;
  place(count - 1);
  return true;
}

}  // namespace ww::backend
