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

struct edge_adder {
  dependence_graph& graph;
  std::uint32_t node = 0;                        // the node whose incoming edges are being added
  std::uint32_t newest = 0;                      // newest predecessor + 1
  std::uint32_t region = 0;                      // first node after the last fence
  std::uint32_t clock = dependence_graph::none;  // last reader of a clock

  void begin(std::uint32_t n) {
    node = n;
    newest = 0;
  }
  void add(std::uint32_t from, std::uint16_t latency, dependence_kind kind) {
    newest = std::max(newest, from + 1);
    graph.append(from, node, latency, kind);
  }
  // Ties `node` to the fences around it, after all its other edges have been added.
  void order(const instruction& ins, bool chained) {
    if (ins.has(iflag::reads_clock)) {
      if (clock != dependence_graph::none) add(clock, 1, dependence_kind::barrier);
      clock = node;
    }
    if (chained || is_fence(ins)) {
      for (std::uint32_t i = region; i < node; ++i) {
        if (graph.is_sink(i)) add(i, 1, dependence_kind::barrier);
      }
      if (region != 0 && newest < region) add(region - 1, 1, dependence_kind::barrier);
      region = node + 1;
    } else if (region != 0 && newest < region) {
      add(region - 1, 1, dependence_kind::barrier);
    }
  }
};

}  // namespace ww::detail
