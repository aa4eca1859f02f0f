// SPDX-License-Identifier: BSL-1.0
//
// Holds what a graph builder of the user's own has left against the block: a node for each instruction, and edges between nodes.
//
//   own_builder   a builder of the kit, which is not asked
//   is_sound      may the graph be finished and walked? Cycles are looked for later, by whoever orders the nodes
//   keep_order    what stands in for a graph that may not: a chain in source order, marked as `refused`
// Linear in nodes and edges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph.hpp"

namespace ww::detail {

template <class Builder>
inline constexpr bool own_builder = false;

[[gnu::noinline]] constexpr bool is_sound(const dependence_graph& g, std::size_t instructions) {
  if (g.count != instructions || g.added_count > g.added.size()) return false;
  if (!g.placed) {
    for (const dependence_edge& e : g.added_edges()) {
      if (e.from >= g.count || e.to >= g.count) return false;
    }
    return true;
  }
  // pred_first is filled already: node by node, its edges and no others, all of them forward
  if (g.pred_first.size() <= g.count || g.pred_first[g.count] != g.added_count) return false;
  std::uint32_t at = 0;
  for (std::uint32_t node = 0; node < g.count; ++node) {
    if (g.pred_first[node] != at || g.pred_first[node + 1] > g.added_count) return false;
    for (; at < g.pred_first[node + 1]; ++at) {
      if (g.added[at].to != node || g.added[at].from >= node) return false;
    }
  }
  return at == g.added_count;
}

[[gnu::noinline]] constexpr void keep_order(dependence_graph& g, std::size_t instructions) {
  g.reset(static_cast<std::uint32_t>(instructions));
  for (std::uint32_t node = 1; node < g.count; ++node) g.add(node - 1, node, 1, dependence_kind::barrier);
  g.refused = true;
}

}  // namespace ww::detail
