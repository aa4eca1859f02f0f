// SPDX-License-Identifier: BSL-1.0
//
// The latency page of sm_60: that of sm_50, declared and not inherited.
//
// Half-rate double precision is counted like the slow one, so that no distance depends on it.
#pragma once

#include "../sm50/latency.hpp"

namespace ww {

using sm60_latency = sm50_latency;  // same: observed (pooled cases of sm_50..62; counters on the same opcodes)

}  // namespace ww
