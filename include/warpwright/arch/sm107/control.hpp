// SPDX-License-Identifier: BSL-1.0
//
// The control page of sm_107: that of sm_70, declared and not inherited.
//
// One format from sm_70 to sm_121.
#pragma once

#include "../sm70/control.hpp"

namespace ww {

using sm107_control_format = sm70_control_format;  // same: observed, every word of the bundled listings

}  // namespace ww
