// SPDX-License-Identifier: BSL-1.0
//
// The limits page of sm_103: that of sm_100, declared and not inherited.
//
// Register file and occupancy are stated in one row for both.
#pragma once

#include "../sm100/limits.hpp"

namespace ww {

using sm103_limits = sm100_limits;  // same: documented (facts: hardware 3, one row for 10.0 and 10.3)

}  // namespace ww
