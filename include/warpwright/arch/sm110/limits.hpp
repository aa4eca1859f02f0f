// SPDX-License-Identifier: BSL-1.0
//
// Register file and occupancy of sm_110.
//
// As sm_100 but for the warps and blocks that are resident together (documented: the public table of architecture traits that
// comes with CUDA 13), and the reuse flags of double precision.
#pragma once

#include "../sm100/limits.hpp"

namespace ww {

// same: documented but for the two numbers and the flags (the same table of traits)
struct sm110_limits : detail::with_residents<sm100_limits, 48, 24> {
  // Ports of double-precision sources that may carry a reuse flag: none. Observed: 0 of 5,190 DADD, DFMA, DMUL and DSETP of public
  // libraries, where 503 of 12,014 for sm_100 have one; 0 of 48 DMMA of tiles that share factors, 6 for sm_100.
  static constexpr unsigned double_reuse_ports = 0;
};

}  // namespace ww
