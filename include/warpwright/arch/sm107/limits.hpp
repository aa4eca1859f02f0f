// SPDX-License-Identifier: BSL-1.0
//
// Register file and occupancy of sm_107.
//
// As sm_100 but for the warps and blocks that are resident together (documented: the public table of architecture traits that
// comes with CUDA 13.5).
#pragma once

#include "../sm100/limits.hpp"

namespace ww {

struct sm107_limits : sm100_limits {  // same: documented but for these two (the same table of traits)
  static constexpr unsigned max_warps = 32;
  static constexpr unsigned max_blocks = 16;

  [[nodiscard]] static constexpr unsigned warps_for(unsigned registers_per_thread) {
    return detail::resident_warps<max_warps, sub_cores>(registers_per_thread);
  }
  [[nodiscard]] static constexpr unsigned registers_for(unsigned warps) {
    return detail::registers_for_warps<max_warps, sub_cores>(warps);
  }
};

}  // namespace ww
