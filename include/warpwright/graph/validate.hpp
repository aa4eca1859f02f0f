// SPDX-License-Identifier: BSL-1.0
//
// Checks a dependence graph that was filled by hand.
//
//   cycle     an edge sequence that comes back to its start: no order can satisfy it. The error names its nodes in edge order,
//             starting at the lowest index
//   range     an edge whose end is not a node of the graph
//   backward  not a fault of the graph: an edge against the order of its nodes (schedule/order_graph.hpp)
//
// Graphs from build.hpp never fail. The result is a value; nothing is thrown or printed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/vec.hpp"
#include "graph.hpp"

namespace ww {

enum class graph_fault : std::uint8_t { none, cycle, range, backward };

struct graph_error {
  graph_fault fault = graph_fault::none;
  dependence_edge edge;      // range, backward: the edge; cycle: the edge that closes it
  vec<std::uint32_t> nodes;  // cycle: its nodes, each with an edge to the next and the last to the first

  [[nodiscard]] constexpr explicit operator bool() const { return fault != graph_fault::none; }
};

// Looks at the added edges alone: call it before finish() on graphs from doubtful sources.
[[nodiscard]] constexpr graph_error validate_graph(const dependence_graph& g) {
  graph_error error;
  for (const dependence_edge& e : g.added_edges()) {
    if (e.from >= g.count || e.to >= g.count) {
      error.fault = graph_fault::range;
      error.edge = e;
      return error;
    }
  }
  // Peel nodes without open successors; what is left has, from every node, an edge inside the rest.
  vec<std::uint32_t> open_succs(g.count, 0);
  vec<std::uint32_t> first(static_cast<std::size_t>(g.count) + 2, 0);
  vec<std::uint32_t> preds(g.added_edges().size());
  for (const dependence_edge& e : g.added_edges()) {
    ++open_succs[e.from];
    ++first[static_cast<std::size_t>(e.to) + 2];
  }
  for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  for (const dependence_edge& e : g.added_edges()) preds[first[static_cast<std::size_t>(e.to) + 1]++] = e.from;
  vec<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < g.count; ++i) {
    if (open_succs[i] == 0) queue.push_back(i);
  }
  vec<std::uint8_t> peeled(g.count, 0);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const std::uint32_t node = queue[at];
    peeled[node] = true;
    for (std::uint32_t k = first[node]; k < first[node + 1]; ++k) {
      if (--open_succs[preds[k]] == 0) queue.push_back(preds[k]);
    }
  }
  if (queue.size() == g.count) return error;
  // Walk forward inside the rest until a node repeats.
  vec<std::uint32_t> next(g.count, dependence_graph::none);
  for (const dependence_edge& e : g.added_edges()) {
    if (!peeled[e.from] && !peeled[e.to] && e.to < next[e.from]) next[e.from] = e.to;
  }
  std::uint32_t node = 0;
  while (peeled[node]) ++node;
  vec<std::uint32_t> seen_at(g.count, dependence_graph::none);
  while (seen_at[node] == dependence_graph::none) {
    seen_at[node] = static_cast<std::uint32_t>(error.nodes.size());
    error.nodes.push_back(node);
    node = next[node];
  }
  error.nodes.erase(error.nodes.begin(), error.nodes.begin() + static_cast<std::ptrdiff_t>(seen_at[node]));
  std::rotate(error.nodes.begin(), std::min_element(error.nodes.begin(), error.nodes.end()), error.nodes.end());
  error.fault = graph_fault::cycle;
  for (const dependence_edge& e : g.added_edges()) {
    if (e.from == error.nodes.back() && e.to == error.nodes.front()) error.edge = e;
  }
  return error;
}

}  // namespace ww
