// SPDX-License-Identifier: BSL-1.0
//
// The latency page of sm_90a: that of sm_90, declared and not inherited.
//
// Warp-group matrix operations are ordered by their own scoreboard, which warpgroup.depbar waits for.
#pragma once

#include "../sm90/latency.hpp"

namespace ww {

using sm90a_latency = sm90_latency;  // same: observed (pooled with sm_90)

}  // namespace ww
