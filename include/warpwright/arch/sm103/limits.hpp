// SPDX-License-Identifier: BSL-1.0
//
// The limits page of sm_103: that of sm_100 but for the reuse flags of double precision.
//
// Register file and occupancy are stated in one row for both.
#pragma once

#include "../sm100/limits.hpp"

namespace ww {

// same: documented but for the flags (facts: hardware 3, one row for 10.0 and 10.3)
struct sm103_limits : sm100_limits {
  // Ports of double-precision sources that may carry a reuse flag: none. Observed: 0 of 1,154 DADD, DFMA, DMUL and DSETP of public
  // libraries, where 503 of 12,014 for sm_100 have one; 0 of 48 DMMA of tiles that share factors, 6 for sm_100.
  static constexpr unsigned double_reuse_ports = 0;
};

}  // namespace ww
