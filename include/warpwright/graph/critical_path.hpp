// SPDX-License-Identifier: BSL-1.0
//
// Heights, depths and the critical path of a dependence graph, in cycles.
//
//   height(i)  = max(1, latency(i, s) + height(s) over successors s)
//   depth(i)   = max(0, depth(p) + latency(p, i) over predecessors p)
//   critical   = max(depth(i) + height(i)); slack(i) = critical - depth(i) - height(i)
//
// The graphs that build.hpp makes go forward only (every edge to a higher index) and are done in two linear sweeps. A graph
// filled by hand may go anywhere; it is walked in topological order, and one with a cycle is refused (validate.hpp names the
// cycle).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "graph.hpp"

namespace ww {

// Fills height, depth and critical_path. False, with both left empty, when the graph has a cycle.
constexpr bool compute_critical_path(dependence_graph& g);

namespace detail {

constexpr void settle_forward(dependence_graph& g) {
  for (std::uint32_t i = g.count; i-- > 0;) {
    std::uint32_t h = 1;
    for (const dependence_edge& e : g.succ(i)) h = meta::max(h, e.latency + g.height[e.to]);
    g.height[i] = h;
  }
  for (std::uint32_t i = 0; i < g.count; ++i) {
    std::uint32_t d = 0;
    for (const dependence_edge& e : g.pred(i)) d = meta::max(d, g.depth[e.from] + e.latency);
    g.depth[i] = d;
    g.critical_path = meta::max(g.critical_path, d + g.height[i]);
  }
}

// What finish() and compute_critical_path() do, in two walks over the edges of a graph that a builder has placed.
constexpr void finish_placed(dependence_graph& g) {
  const span<const dependence_edge> in = g.added_edges();
  g.edges.resize(in.size());
  g.succ_edges.resize(in.size());
  if (__builtin_is_constant_evaluated()) {
    meta::copy(in.begin(), in.end(), g.edges.data());
  } else if (!in.empty()) {
    __builtin_memcpy(g.edges.data(), in.data(), in.size_bytes());
  }
  g.height.assign(g.count, 1);
  g.depth.resize(g.count);
  g.succ_first.assign(std::size_t{g.count} + 2, 0);
  const dependence_edge* const edges = g.edges.data();
  const std::uint32_t* const first = g.pred_first.data();
  std::uint32_t* const height = g.height.data();
  std::uint32_t* const depth = g.depth.data();
  std::uint32_t* const at = g.succ_first.data();
  for (std::uint32_t i = g.count; i-- > 0;) {
    const std::uint32_t h = height[i];
    for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) {
      const dependence_edge& e = edges[k];
      height[e.from] = meta::max(height[e.from], e.latency + h);
      ++at[std::size_t{e.from} + 2];
    }
  }
  for (std::size_t i = 2; i < std::size_t{g.count} + 2; ++i) at[i] += at[i - 1];
  std::uint32_t critical = 0;
  dependence_edge* const out = g.succ_edges.data();
  for (std::uint32_t i = 0; i < g.count; ++i) {
    std::uint32_t d = 0;
    for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) {
      const dependence_edge e = edges[k];
      d = meta::max(d, depth[e.from] + e.latency);
      out[at[std::size_t{e.from} + 1]++] = e;
    }
    depth[i] = d;
    critical = meta::max(critical, d + height[i]);
  }
  g.succ_first.pop_back();
  g.critical_path = critical;
}

// Nodes in topological order, lowest index first among the free ones of a wave; shorter than count when there is a cycle.
constexpr void topological_order(const dependence_graph& g, vec<std::uint32_t>& order, vec<std::uint32_t>& open_preds) {
  order.clear();
  open_preds.assign(g.count, 0);
  for (std::uint32_t i = 0; i < g.count; ++i) {
    open_preds[i] = static_cast<std::uint32_t>(g.pred(i).size());
    if (open_preds[i] == 0) order.push_back(i);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const dependence_edge& e : g.succ(order[at])) {
      if (--open_preds[e.to] == 0) order.push_back(e.to);
    }
  }
}

}  // namespace detail

constexpr bool compute_critical_path(dependence_graph& g) {
  g.height.assign(g.count, 1);
  g.depth.assign(g.count, 0);
  g.critical_path = 0;
  if (g.forward) {
    detail::settle_forward(g);
    return true;
  }
  vec<std::uint32_t> order;
  vec<std::uint32_t> open_preds;
  detail::topological_order(g, order, open_preds);
  if (order.size() != g.count) {
    g.height.clear();
    g.depth.clear();
    return false;
  }
  for (std::size_t at = order.size(); at-- > 0;) {
    const std::uint32_t i = order[at];
    for (const dependence_edge& e : g.succ(i)) g.height[i] = meta::max(g.height[i], e.latency + g.height[e.to]);
  }
  for (const std::uint32_t i : order) {
    for (const dependence_edge& e : g.pred(i)) g.depth[i] = meta::max(g.depth[i], g.depth[e.from] + e.latency);
    g.critical_path = meta::max(g.critical_path, g.depth[i] + g.height[i]);
  }
  return true;
}

}  // namespace ww
