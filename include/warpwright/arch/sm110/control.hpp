// SPDX-License-Identifier: BSL-1.0
//
// The control page of sm_110: that of sm_70, declared and not inherited.
//
// One format from sm_70 to sm_121.
#pragma once

#include "../sm70/control.hpp"

namespace ww {

using sm110_control_format = sm70_control_format;  // same: documented (facts: hardware 1.1)

}  // namespace ww
