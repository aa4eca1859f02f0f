// SPDX-License-Identifier: BSL-1.0
//
// Yields once the stalls are known (SB-6): where nothing has yielded for a while, and what a policy adjusts.
//
// In code whose stalls are all short no stall covers three cycles, and nobody would yield. The compiler yields there at a
// stall of two cycles of vector arithmetic once `rhythm` cycles have passed since the last yielding stall ended, or since the
// block began; not at the last instruction of a block. Observed on sm_80: 5,074 of its 5,156 such yields, and 44 others, by
// this rule alone (fed with its own stalls); the yields that are missing stand at the start of blocks.
// A policy with an `adjust` (yield_adjust.hpp) has the last word, but for a drain and for stalls of more than `MostStay` cycles, which
// exist with yield only.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "yield_policy.hpp"

namespace ww::scoreboard {

namespace detail {

template <class YieldPolicy, bool There = names_adjust<YieldPolicy>>
struct yield_adjust_of {
  typename YieldPolicy::adjust own;

  constexpr void begin() { own = {}; }
  constexpr void visit(control& c, sched_class of, unsigned most_stay) {
    const bool may = c.stall != 0 && c.stall <= most_stay;
    const bool yields = own.visit(of, c.stall, c.yield);
    if (may) c.yield = yields;
  }
};
template <class YieldPolicy>
struct yield_adjust_of<YieldPolicy, false> {
  constexpr void begin() {}
  constexpr void visit(control&, sched_class, unsigned) {}
};

}  // namespace detail

// Call begin() before the first instruction of a block and visit() for each in order, with its final stall.
template <class YieldPolicy, unsigned MostStay = 11>
class yield_rhythm {
 public:
  constexpr void begin() { quiet_ = 0, adjust_.begin(); }

  constexpr void visit(control& c, sched_class of, bool last) {
    if constexpr (names_rhythm<YieldPolicy>) {
      constexpr std::int32_t rhythm{YieldPolicy::rhythm};
      if (c.stall == 2 && quiet_ >= rhythm && !last && yields_when_it_stalls(of)) c.yield = true;
    }
    adjust_.visit(c, of, MostStay);
    if constexpr (names_rhythm<YieldPolicy>) quiet_ = c.yield ? 0 : quiet_ + c.stall;
  }

 private:
  std::int32_t quiet_ = 0;  // cycles
  [[no_unique_address]] detail::yield_adjust_of<YieldPolicy> adjust_;
};

}  // namespace ww::scoreboard
