// SPDX-License-Identifier: BSL-1.0
//
// What the graph builders share: adding edges, fences, block ends, and the program-order chain beyond an edge budget.
//
//   region  the nodes since the last fence. A fence gets an edge from every node of its region that has no successor yet
//   (its
//           sinks), and every node after it that has no predecessor in its own region gets an edge from the fence. Order
//           against a fence is thus transitive and costs O(n) edges
//   chain   beyond the budget each further node is a fence: program order, nothing lost
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "../ir/program.hpp"
#include "graph.hpp"
#include "workspace.hpp"

namespace ww::detail {

// True when nothing may pass the instruction in either direction. A pc-relative result stays right only if the number of
// instructions before it stays the same, which a fence keeps.
constexpr bool is_fence(const instruction& ins) {
  constexpr std::uint32_t mask = static_cast<std::uint32_t>(iflag::fence) | static_cast<std::uint32_t>(iflag::sync) |
                                 static_cast<std::uint32_t>(iflag::convergence) |
                                 static_cast<std::uint32_t>(iflag::unknown) | static_cast<std::uint32_t>(iflag::never) |
                                 static_cast<std::uint32_t>(iflag::pc_relative) |
                                 static_cast<std::uint32_t>(iflag::ends_block) | static_cast<std::uint32_t>(iflag::branch) |
                                 static_cast<std::uint32_t>(iflag::call) | static_cast<std::uint32_t>(iflag::ret) |
                                 static_cast<std::uint32_t>(iflag::exit);
  return (ins.flags & mask) != 0;
}

// Holds its pointers and counts itself while a block is built, so that they can stay in registers; close() hands them back.
struct edge_adder {
  dependence_graph& graph;
  dependence_edge* added;
  dependence_graph::newest_edge* newest_of;
  std::uint32_t size = 0;
  std::uint32_t capacity;
  std::uint32_t node = 0;                        // the node whose incoming edges are being added
  std::uint32_t newest = 0;                      // newest predecessor + 1
  std::uint32_t region = 0;                      // first node after the last fence
  std::uint32_t clock = dependence_graph::none;  // last reader of a clock

  explicit edge_adder(dependence_graph& g)
      : graph(g), added(g.added.data()), newest_of(g.newest.data()), capacity(static_cast<std::uint32_t>(g.added.size())) {}

  void begin(std::uint32_t n) {
    node = n;
    newest = 0;
  }
  // `from` stands before `node`.
  [[gnu::always_inline]] void add(std::uint32_t from, std::uint16_t latency, dependence_kind kind) {
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
      graph.grow(std::size_t{size} + 1);
      added = graph.added.data();
      capacity = static_cast<std::uint32_t>(graph.added.size());
    }
    newest = from >= newest ? from + 1 : newest;
    last.to = node;
    last.index = size;
    added[size++] = {from, node, latency, kind, 0};
  }
  void close() { graph.added_count = size; }
  // Ties `node` to the fences around it, after all its other edges have been added.
  void order(const instruction& ins, bool chained) {
    if (ins.has(iflag::reads_clock)) {
      if (clock != dependence_graph::none) add(clock, 1, dependence_kind::barrier);
      clock = node;
    }
    if (chained || is_fence(ins)) {
      for (std::uint32_t i = region; i < node; ++i) {
        if (newest_of[i].to == dependence_graph::none) add(i, 1, dependence_kind::barrier);
      }
      if (region != 0 && newest < region) add(region - 1, 1, dependence_kind::barrier);
      region = node + 1;
    } else if (region != 0 && newest < region) {
      add(region - 1, 1, dependence_kind::barrier);
    }
  }
};

}  // namespace ww::detail
