// SPDX-License-Identifier: BSL-1.0
//
// The order in which flows walk the blocks of a program.
//
//   order   blocks in reverse postorder from the entries, then whatever no path reaches, in layout order
//   rank    the place of a block in it
// An edge to a block of a lower or the same rank is retreating: where loops are entered at their head only, it goes back to the
// head, and without such edges nothing is passed twice.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/vec.hpp"

namespace ww::verify {

struct block_order {
  vec<std::uint32_t> order;
  vec<std::uint32_t> rank;

  [[nodiscard]] bool retreating(const cfg_edge& e) const { return rank[e.to.index()] <= rank[e.from.index()]; }

  void build(const program& p) {
    constexpr std::uint32_t unseen = 0xffffffffu;
    constexpr std::uint32_t visited = unseen - 1;
    const auto n = static_cast<std::uint32_t>(p.blocks.size());
    order.clear();
    stack.make_room(n);
    rank.assign(n, unseen);
    next_edge.assign(n, 0);
    stack.clear();
    auto from = [&](std::uint32_t root) {
      if (rank[root] != unseen) return;
      rank[root] = visited;
      stack.push_back(root);
      while (!stack.empty()) {
        const std::uint32_t b = stack.back();
        const block& blk = p.blocks[b];
        if (next_edge[b] < blk.edge_count) {
          const std::uint32_t to = p.edges[blk.first_edge + next_edge[b]++].to.index();
          if (to < n && rank[to] == unseen) {
            rank[to] = visited;
            stack.push_back(to);
          }
        } else {
          order.push_back(b);
          stack.pop_back();
        }
      }
    };
    // Postorder is built backwards, so what shall stand first is visited last.
    for (std::uint32_t b = n; b-- > 0;) {
      if (!p.blocks[b].entry && !p.blocks[b].reachable) from(b);
    }
    for (std::uint32_t b = n; b-- > 0;) {
      if (p.blocks[b].entry) from(b);
    }
    for (std::uint32_t b = n; b-- > 0;) from(b);
    meta::reverse(order.begin(), order.end());
    for (std::uint32_t k = 0; k < n; ++k) rank[order[k]] = k;
  }

 private:
  vec<std::uint32_t> stack;
  vec<std::uint32_t> next_edge;
};

}  // namespace ww::verify
