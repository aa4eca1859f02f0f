// SPDX-License-Identifier: BSL-1.0
//
// Control-word format of sm_70: 21 bits inside each 128-bit instruction (SB-1).
//
// The format itself, with its static checks, is control_format/sm70_128.hpp.
#pragma once

#include "../control_format/sm70_128.hpp"

namespace ww {

using sm70_control_format = sm70_128;

}  // namespace ww
