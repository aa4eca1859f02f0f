// SPDX-License-Identifier: BSL-1.0
//
// The cheap strategies: orders that come from the graph alone, without cycles or pipes.
//
//   sorted_order       by earliest possible cycle, then height, then source order
//   depth_first_order  a placed instruction is followed by the most urgent successor that it set free, chain by chain
//   same_order         the order as it is
// All three put an instruction after its predecessors: depths never fall along an edge, and equal depths are decided by
// source order, along which every edge of a block goes forward.
#pragma once

#include <cstdint>

#include "../meta/sort.hpp"
#include "timing.hpp"
#include "workspace.hpp"

namespace ww::detail {

// False when an edge goes against it.
constexpr bool same_order(schedule_space& ws) {
  ws.sequence.resize(ws.graph.count);
  for (std::uint32_t i = 0; i < ws.graph.count; ++i) ws.sequence[i] = i;
  return ws.graph.forward;
}

constexpr bool sorted_order(schedule_space& ws) {
  if (!same_order(ws)) return false;
  const dependence_graph& g = ws.graph;
  // Edges of zero cycles leave depths equal; the height alone could then put a reader before its writer, so equal
  // depths with equal heights end in source order and a height difference always follows the edge.
  ww::detail::sort(ws.sequence.begin(), ws.sequence.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (g.depth[a] != g.depth[b]) return g.depth[a] < g.depth[b];
    if (g.height[a] != g.height[b]) return g.height[a] > g.height[b];
    return a < b;
  });
  return true;
}

constexpr bool depth_first_order(schedule_space& ws) {
  const dependence_graph& g = ws.graph;
  ws.stack.clear();
  ws.stack.reserve(g.count);
  for (std::uint32_t i = g.count; i-- > 0;) {
    if (ws.nodes[i].open == 0) ws.stack.push_back(i);
  }
  while (!ws.stack.empty()) {
    const std::uint32_t at = ws.stack.back();
    ws.stack.pop_back();
    ws.sequence.push_back(at);
    const std::size_t first = ws.stack.size();
    for (const dependence_edge& e : g.succ(at)) {
      if (--ws.nodes[e.to].open == 0) ws.stack.push_back(e.to);
    }
    ww::detail::sort(ws.stack.begin() + first, ws.stack.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (g.height[a] != g.height[b]) return g.height[a] < g.height[b];
      return a > b;
    });
  }
  return ws.sequence.size() == g.count;
}

}  // namespace ww::detail
