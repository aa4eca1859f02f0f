// SPDX-License-Identifier: BSL-1.0
//
// Dependency counters and scoreboard parameters of sm_107: those of sm_100, declared and not inherited.
//
// The table of PLS-11 has no row for this SM. What compilers encode is the same: set-to-wait distance and DEPBAR.
#pragma once

#include "../sm100/barriers.hpp"

namespace ww {

using sm107_barriers = sm100_barriers;  // same: assumed for the scoreboard parameters, observed for the rest

}  // namespace ww
