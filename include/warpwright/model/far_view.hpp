// SPDX-License-Identifier: BSL-1.0
//
// The second price of a program: what it costs where its loads miss the first-level cache.
//
//   far view   two warps of a sub-core, each load that may miss lands arch/far_memory.hpp's cycles later
// The model's own estimates are of hits, with as many warps as the kernel's occupancy allows: then nearly every wait is hidden
// by another warp, and a wait in the wrong place costs nothing. A small grid has few warps on a sub-core, and its loads miss. Two
// warps and the distance to the second-level cache say about such a run what was measured: stencil3d on an H100 with waits that the
// near view found free took 1.24 times as long, the far view says 1.14 (docs/gpu.md).
// So nothing is taken that is dearer in either view, and of the rest the least product of the two.
#pragma once

#include <cstdint>

#include "../arch/far_memory.hpp"
#include "../ir/program.hpp"
#include "options.hpp"

namespace ww::model {

inline constexpr unsigned far_warps = 2;
inline constexpr std::uint32_t far_stagger = 7;  // cycles between the starts of the two

template <class Arch>
[[nodiscard]] constexpr options far_view() {
  return {.warps = far_warps, .stagger = far_stagger, .far = far_cycles<typename Arch::latency>};
}

// Is there anything that may miss? Without it the near view is all there is.
[[nodiscard]] inline bool goes_far(const program& p) {
  for (const instruction& i : p.instructions) {
    if (leaves_core(i)) return true;
  }
  return false;
}

}  // namespace ww::model
