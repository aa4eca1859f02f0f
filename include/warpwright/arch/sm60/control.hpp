// SPDX-License-Identifier: BSL-1.0
//
// The control page of sm_60: that of sm_50, declared and not inherited.
//
// One format from sm_50 to sm_62.
#pragma once

#include "../sm50/control.hpp"

namespace ww {

using sm60_control_format = sm50_control_format;  // same: documented (facts: hardware 1.2)

}  // namespace ww
