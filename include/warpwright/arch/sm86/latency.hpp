// SPDX-License-Identifier: BSL-1.0
//
// Latencies of sm_86: the distances of sm_80, with the estimates of a shared double-precision pipe.
//
// same: observed, the cases of sm_80, 86, 87, 88 and 89 are pooled and agree cell by cell. Only result_base differs, which
// models use and legality does not.
#pragma once

#include "../sm80/latency.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm86_latency_page : sm80_latency_page<Sets> {
  static constexpr typename Sets::map result_base = Sets::common_result_estimate;
};

using sm86_latency = detail::latency_table<sm86_latency_page<>>;

}  // namespace ww
