// SPDX-License-Identifier: BSL-1.0
//
// The page of pipes and rates of sm_110: that of sm_103, declared and not inherited.
//
// Double precision is counted, as there, so that it is taken to be one shared slow pipe.
#pragma once

#include "../sm103/pipes.hpp"

namespace ww {

using sm110_pipes = sm103_pipes;  // same: assumed, and no pair of compiled code is closer

}  // namespace ww
