// SPDX-License-Identifier: BSL-1.0
//
// The defaults page of sm_107: that of sm_100, declared and not inherited.
//
// The dispatch of the reference gives B and C from sm_80 on, and PS-1 the schedule after allocation.
#pragma once

#include "../sm100/defaults.hpp"

namespace ww {

using sm107_defaults = sm100_defaults;  // same: assumed

}  // namespace ww
