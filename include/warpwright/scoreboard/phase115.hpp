// SPDX-License-Identifier: BSL-1.0
//
// Phase 115 (SB-7): the routing of the reference in front of the real control-word assignment.
//
// The text sends texture and surface operations, warp-group matrix operations and asynchronous copies down a fast path,
// which gives them a counter by class alone, and everything else, including what carries a special flag, down a slow path
// with dependence analysis. Here both ends meet in one data flow (assign.hpp): a counter by class alone would be right
// inside a block only. `route` is the text's dispatch and `phase115::run` reports how many instructions went which way; the
// control words do not depend on it.
#pragma once

#include <cstdint>

#include "assign.hpp"

namespace ww::scoreboard {

enum class route_kind : std::uint8_t { fast, slow, skipped };

// `fast_capable` is the text's capability test of the back end.
[[nodiscard]] constexpr route_kind route(const instruction& i, bool fast_capable) {
  if (i.has(iflag::padding)) return route_kind::skipped;
  if (!fast_capable || i.has(iflag::unknown) || i.has(iflag::guarded)) return route_kind::slow;
  switch (i.iclass) {
    case sched_class::tex:
    case sched_class::tld:
    case sched_class::txq:
    case sched_class::suld:
    case sched_class::sust:
    case sched_class::suatom:
    case sched_class::hgmma:
    case sched_class::tma:
    case sched_class::ldgsts:
      return route_kind::fast;
    default:
      return route_kind::slow;
  }
}

struct phase115_stats {
  assign_stats words;
  std::uint64_t fast = 0;
  std::uint64_t slow = 0;
};

template <class Arch, class... Policies>
struct phase115 {
  static constexpr unsigned number = 115;
  static constexpr const char* name = "AdvancedScoreboardsAndOpexes";

  static phase115_stats run(program& p, workspace& ws, bool fast_capable = true) {
    phase115_stats s;
    for (const instruction& i : p.instructions) {
      const route_kind r = route(i, fast_capable);
      s.fast += r == route_kind::fast ? 1u : 0u;
      s.slow += r == route_kind::slow ? 1u : 0u;
    }
    s.words = assign_control<Arch, Policies...>(p, ws);
    return s;
  }
};

}  // namespace ww::scoreboard
