// SPDX-License-Identifier: BSL-1.0
//
// Every strategy that the kit ships, as compile-time lists: strategy::block_level (PLS-13) and strategy::every.
//
//   of the engine   list, critical_path, depth_first, keep (schedule/strategy.hpp)
//   of a block      backtracking, permutation, latency, pressure, tensor, combined
//   another core loop      inline_graph
//   of control words too   scoreboard_reuse, warp_yield, dual_issue, dual_issue_pairing
//   of the reference text's back ends   unified (A), backend_b, backend_c, backend_c_pre, backend_bc (backend/all.hpp)
// A tool that offers strategies by name walks the list; a program that knows what it wants includes the one header.
#pragma once

#include "../backend/all.hpp"
#include "../schedule/inline_graph.hpp"
#include "../schedule/strategy.hpp"
#include "backtracking.hpp"
#include "combined.hpp"
#include "dual_issue.hpp"
#include "dual_issue_pairing.hpp"
#include "latency.hpp"
#include "permutation.hpp"
#include "pressure.hpp"
#include "scoreboard_reuse.hpp"
#include "tensor.hpp"
#include "warp_yield.hpp"

namespace ww::strategy {

using block_level =
    meta::type_list<list, critical_path, depth_first, keep, backtracking<>, permutation<>, latency<>, pressure, tensor<>,
                    scoreboard_reuse, warp_yield<>, dual_issue, dual_issue_pairing, combined>;

using loops = meta::type_list<inline_graph<>>;  // other core loops

using every = meta::concat_t<meta::concat_t<block_level, loops>, backends>;

}  // namespace ww::strategy
