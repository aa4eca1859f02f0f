// SPDX-License-Identifier: BSL-1.0
//
// The pipes page of sm_90a: that of sm_90, declared and not inherited.
//
// Warp-group matrix operations have their own class, hgmma.
#pragma once

#include "../sm90/pipes.hpp"

namespace ww {

using sm90a_pipes = sm90_pipes;  // same: same chip

}  // namespace ww
