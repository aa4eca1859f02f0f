// SPDX-License-Identifier: BSL-1.0
//
// The latency page of sm_89: that of sm_86, declared and not inherited.
//
// Distances and estimates are shared; see the page of sm_86.
#pragma once

#include "../sm86/latency.hpp"

namespace ww {

using sm89_latency = sm86_latency;  // same: observed (pooled with sm_86)

}  // namespace ww
