// SPDX-License-Identifier: BSL-1.0
//
// Every shipped priority, as a compile-time list in the order in which the command line names them.
//
//   critical_path  fixed key: height, pipe occupancy, fanout (the default)
//   source_order   fixed key: the compiler's order in windows, long latencies first inside one
//   packed         per pick: the eight bits of the text as one number
//   refined        per pick: pressure scores, the bit scan 4, 6, 1, 2, 5, tie-breaks, position
#pragma once

#include "../meta/type_list.hpp"
#include "bits.hpp"
#include "critical_path.hpp"
#include "packed.hpp"
#include "refined.hpp"
#include "source_order.hpp"

namespace ww::priority {

using shipped = meta::type_list<critical_path, source_order<>, packed, refined>;

}  // namespace ww::priority
