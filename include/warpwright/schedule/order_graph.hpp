// SPDX-License-Identifier: BSL-1.0
//
// Ordering a block by dependences that the caller made: what is wrong with them is named, nothing is assumed of them.
//
//   graph     ws.graph, after reset(n) and add(): one node for each instruction of `order`, not finished yet
//   cycle     edges that come back to their start: no order satisfies them. The error names its nodes
//   range     an edge whose end is no node, or a graph that has not one node for each instruction (no edge is named then)
//   backward  an edge from a later to an earlier instruction, for a strategy that starts from the source order (all
//             but list and depth_first, which order such a graph). The error names the edge
// With an error ws.sequence is empty. Graphs from build.hpp never fail, so the engine does not come by here.
#pragma once

#include <cstdint>

#include "../graph/critical_path.hpp"
#include "../graph/validate.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "engine.hpp"
#include "stats.hpp"

namespace ww {

// Orders `order` by ws.graph into ws.sequence: places in `order`, first to issue first.
template <class Config, class Workspace>
[[nodiscard]] constexpr graph_error order_graph(const program& p, span<const instr_id> order, Workspace& ws,
                                                schedule_stats& stats) {
  graph_error error;
  ws.sequence.clear();
  if (ws.graph.count != order.size() || order.size() > ready_list::entry::most_index) {
    error.fault = graph_fault::range;
    return error;
  }
  error = validate_graph(ws.graph);
  if (error) return error;
  ws.graph.finish();
  compute_critical_path(ws.graph);
  stats.instructions = order.size();
  stats.critical_cycles = ws.graph.critical_path;
  if (order_nodes<Config>(p, order, ws, stats)) return error;
  ws.sequence.clear();
  for (const dependence_edge& e : ws.graph.added_edges()) {
    if (e.from < e.to) continue;
    error.fault = graph_fault::backward;
    error.edge = e;
    return error;
  }
  error.fault = graph_fault::range;  // instructions of no block
  return error;
}

// By a composition that was rejected (compose.hpp): nothing, so that there is no second error.
template <class Config, class Workspace>
requires(!Config::composed) [[nodiscard]] constexpr graph_error
    order_graph(const program&, span<const instr_id>, Workspace&, schedule_stats&) {
  return {};
}

}  // namespace ww
