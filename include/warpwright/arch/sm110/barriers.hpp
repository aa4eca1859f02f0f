// SPDX-License-Identifier: BSL-1.0
//
// Dependency counters and scoreboard parameters of sm_110: those of sm_103, declared and not inherited.
//
// The table of PLS-11 has no row for this SM. What compilers encode is the same: set-to-wait distance, DEPBAR (1,736 cases),
// the counter of a fence of the scope of a block (5 of 5; 767,372 instructions in all).
#pragma once

#include "../sm103/barriers.hpp"

namespace ww {

using sm110_barriers = sm103_barriers;  // same: assumed for the scoreboard parameters, observed for the rest

}  // namespace ww
