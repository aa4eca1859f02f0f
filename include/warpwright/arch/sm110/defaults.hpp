// SPDX-License-Identifier: BSL-1.0
//
// The defaults page of sm_110: that of sm_103, declared and not inherited.
//
// The dispatch of the reference gives B and C from sm_80 on, and PS-1 the schedule after allocation.
#pragma once

#include "../sm103/defaults.hpp"

namespace ww {

using sm110_defaults = sm103_defaults;  // same: documented, but for the resident warps, which are assumed there too

}  // namespace ww
