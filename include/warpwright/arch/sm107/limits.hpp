// SPDX-License-Identifier: BSL-1.0
//
// Register file and occupancy of sm_107.
//
// As sm_100 but for the warps and blocks that are resident together (documented: the public table of architecture traits that
// comes with CUDA 13.5).
#pragma once

#include "../sm100/limits.hpp"

namespace ww {

// same: documented but for the two numbers (the same table of traits)
struct sm107_limits : detail::with_residents<sm100_limits, 32, 16> {};

}  // namespace ww
