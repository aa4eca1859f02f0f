// SPDX-License-Identifier: BSL-1.0
//
// The pipes page of sm_89: that of sm_86, declared and not inherited.
//
// Rates are stated together for both.
#pragma once

#include "../sm86/pipes.hpp"

namespace ww {

using sm89_pipes = sm86_pipes;  // same: documented (facts: hardware 4, one column for 8.6 and 8.9)

}  // namespace ww
