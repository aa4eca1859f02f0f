// SPDX-License-Identifier: BSL-1.0
//
// The limits page of sm_90a: that of sm_90, declared and not inherited.
//
// sm_90a is the same hardware; the letter opens instructions, not registers.
#pragma once

#include "../sm90/limits.hpp"

namespace ww {

using sm90a_limits = sm90_limits;  // same: same chip

}  // namespace ww
