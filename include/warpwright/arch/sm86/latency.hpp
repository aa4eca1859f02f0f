// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_86: the distances of sm_80, with the estimates of a shared double-precision pipe.
//
// same: observed, the cases of sm_80, 86, 87, 88 and 89 are pooled and agree cell by cell. Only result_base differs, which
// models use and legality does not.
#pragma once

#include "../sm80/latency.hpp"

namespace ww {

struct sm86_latency_data : sm80_latency_data {
  static constexpr detail::number_map result_base = detail::common_result_estimate;
};

using sm86_latency = detail::latency_table<sm86_latency_data>;

}  // namespace ww
