// SPDX-License-Identifier: BSL-1.0
//
// Yields at short stalls (SB-6): where nothing has yielded for a while.
//
// In code whose stalls are all short no stall covers three cycles, and nobody would yield. The compiler yields there at a
// stall of two cycles of vector arithmetic once `rhythm` cycles have passed since the last yielding stall ended, or since the
// block began; not at the last instruction of a block. Observed on sm_80: 5,074 of its 5,156 such yields, and 44 others, by
// this rule alone (fed with its own stalls); the yields that are missing stand at the start of blocks.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "yield_policy.hpp"

namespace ww::scoreboard {

// Call begin() before the first instruction of a block and visit() for each in order, with its final stall.
template <class YieldPolicy>
class yield_rhythm {
 public:
  constexpr void begin() { quiet_ = 0; }

  constexpr void visit(control& c, sched_class of, bool last) {
    if constexpr (names_rhythm<YieldPolicy>) {
      constexpr std::int32_t rhythm{YieldPolicy::rhythm};
      if (c.stall == 2 && quiet_ >= rhythm && !last && yields_when_it_stalls(of)) c.yield = true;
      quiet_ = c.yield ? 0 : quiet_ + c.stall;
    }
  }

 private:
  std::int32_t quiet_ = 0;  // cycles
};

}  // namespace ww::scoreboard
