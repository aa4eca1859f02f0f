// SPDX-License-Identifier: BSL-1.0
//
// What the graph builders share: adding edges, fences, block ends, and the program-order chain beyond an edge budget.
//
//   region  the nodes since the last fence. A fence gets an edge from every node of its region that has no successor yet
//           (its sinks), and every node after it that has no predecessor in its own region gets an edge from the fence.
//           Order against a fence is thus transitive and costs O(n) edges
//   chain   beyond the budget each further node is a fence: program order, nothing lost
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "graph.hpp"
#include "workspace.hpp"

namespace ww::detail {

// True when nothing may pass the instruction in either direction. A pc-relative result stays right only if the number of
// instructions before it stays the same, which a fence keeps. What B2R takes lies where the barrier in front of it has left it: from
// sm_90 on compilers put nothing between the two (429 of 429 pairs), earlier they do.
inline constexpr std::uint32_t fence_flags =
    static_cast<std::uint32_t>(iflag::fence) | static_cast<std::uint32_t>(iflag::sync) |
    static_cast<std::uint32_t>(iflag::convergence) | static_cast<std::uint32_t>(iflag::unknown) |
    static_cast<std::uint32_t>(iflag::never) | static_cast<std::uint32_t>(iflag::pc_relative) |
    static_cast<std::uint32_t>(iflag::ends_block) | static_cast<std::uint32_t>(iflag::branch) |
    static_cast<std::uint32_t>(iflag::call) | static_cast<std::uint32_t>(iflag::ret) |
    static_cast<std::uint32_t>(iflag::exit) | static_cast<std::uint32_t>(iflag::behind_barrier);
constexpr bool is_fence(const instruction& ins) { return (ins.flags & fence_flags) != 0; }

// Holds its pointers and counts itself while a block is built, and is passed by value where a call is not inlined, so that
// they can stay in registers; close() hands them back.
struct edge_adder {
  dependence_graph* graph;
  dependence_edge* added;
  dependence_graph::newest_edge* newest_of;
  std::uint32_t* pred_first;
  std::uint32_t size = 0;
  std::uint32_t capacity;
  std::uint32_t node = 0;                        // the node whose incoming edges are being added
  std::uint32_t newest = 0;                      // newest predecessor + 1
  std::uint32_t region = 0;                      // first node after the last fence
  std::uint32_t clock = dependence_graph::none;  // last reader of a clock

  constexpr explicit edge_adder(dependence_graph& g)
      : graph(&g), added(g.added.data()), newest_of(g.newest.data()), capacity(static_cast<std::uint32_t>(g.added.size())) {
    g.pred_first.resize(std::size_t{g.count} + 1);
    pred_first = g.pred_first.data();
  }

  // Nodes are begun in their order, each once.
  constexpr void begin(std::uint32_t n) {
    node = n;
    pred_first[n] = size;
    newest = 0;
  }
  // `from` stands before `node`.
  [[gnu::always_inline]] constexpr void add(std::uint32_t from, std::uint16_t latency, dependence_kind kind) {
    dependence_graph::newest_edge& last = newest_of[from];
    if (last.to == node) {
      dependence_edge& e = added[last.index];
      if (latency > e.latency || (latency == e.latency && kind < e.kind)) {
        e.latency = latency;
        e.kind = kind;
      }
      return;
    }
    if (size == capacity) {
      graph->grow(std::size_t{size} + 1);
      added = graph->added.data();
      capacity = static_cast<std::uint32_t>(graph->added.size());
    }
    newest = from >= newest ? from + 1 : newest;
    last.to = node;
    last.index = size;
    added[size++] = {from, node, latency, kind, 0};
  }
  constexpr void close() {
    pred_first[graph->count] = size;
    graph->added_count = size;
    graph->placed = true;
  }
  // Ties `node` to the fences around it, after all its other edges have been added.
  [[gnu::always_inline]] constexpr void order(const instruction& ins, bool chained) {
    constexpr auto clocks = static_cast<std::uint32_t>(iflag::reads_clock);
    if (chained || (ins.flags & (fence_flags | clocks)) != 0) {
      *this = fenced(*this, ins, chained);
    } else if (newest < region) {
      add(region - 1, 1, dependence_kind::barrier);
    }
  }

 private:
  [[gnu::noinline]] constexpr static edge_adder fenced(edge_adder e, const instruction& ins, bool chained) {
    if (ins.has(iflag::reads_clock)) {
      if (e.clock != dependence_graph::none) e.add(e.clock, 1, dependence_kind::barrier);
      e.clock = e.node;
    }
    const bool fence = chained || is_fence(ins);
    for (std::uint32_t i = fence ? e.region : e.node; i < e.node; ++i) {
      if (e.newest_of[i].to == dependence_graph::none) e.add(i, 1, dependence_kind::barrier);
    }
    if (e.newest < e.region) e.add(e.region - 1, 1, dependence_kind::barrier);
    if (fence) e.region = e.node + 1;
    return e;
  }
};

}  // namespace ww::detail
