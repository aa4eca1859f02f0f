// SPDX-License-Identifier: BSL-1.0
//
// Control-word format of sm_50: three slots in a word before three instructions (SB-1).
//
// The format itself, with its static checks, is control_format/sm50_group.hpp.
#pragma once

#include "../control_format/sm50_group.hpp"

namespace ww {

using sm50_control_format = sm50_group;

}  // namespace ww
