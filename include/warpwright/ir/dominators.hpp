// SPDX-License-Identifier: BSL-1.0
//
// Immediate dominators of the blocks, inside functions (Lengauer and Tarjan 1979, path compression, no recursion).
//
//   a dominates b   every path from an entry to b passes a; a block dominates itself
//   idom            the closest other dominator; none for an entry, for a block that no entry reaches, and where paths
//                   from different entries meet
// A template over the program only so that it is compiled where it is used.
// Edges are those of loops.hpp: fall, branch, indirect, call_return. O(edges * log(blocks)).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "loops.hpp"
#include "program.hpp"

namespace ww {

template <class Program>
class basic_dominator_tree {
 public:
  explicit basic_dominator_tree(const Program& p) { build(p); }

  [[nodiscard]] block_id idom(block_id b) const { return idom_[b.index()]; }
  // True for a reached block b and every block on the way up from it.
  [[nodiscard]] bool dominates(block_id a, block_id b) const {
    if (enter_[a.index()] == 0 || enter_[b.index()] == 0) return false;
    return enter_[a.index()] <= enter_[b.index()] && leave_[b.index()] <= leave_[a.index()];
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  // Vertices are search numbers; 0 is a root above all entries.
  void build(const Program& p) {
    const std::size_t n = p.blocks.size();
    idom_.assign(n, block_id{});
    enter_.assign(n, 0);
    leave_.assign(n, 0);
    number_.assign(n, none);
    vertex_.assign(1, none);
    parent_.assign(1, 0);
    for (std::uint32_t b = 0; b < n; ++b) {
      if (p.blocks[b].entry && number_[b] == none) search(p, b);
    }
    const auto count = static_cast<std::uint32_t>(vertex_.size());
    semi_.resize(count);
    best_.resize(count);
    for (std::uint32_t v = 0; v < count; ++v) semi_[v] = best_[v] = v;
    ancestor_.assign(count, none);
    dom_.assign(count, 0);
    bucket_.assign(count, none);
    chain_.assign(count, none);
    for (std::uint32_t w = count - 1; w > 0 && w != none; --w) {
      const block& blk = p.blocks[vertex_[w]];
      if (blk.entry) semi_[w] = 0;
      for (const std::uint32_t e : p.pred_edges_of(blk)) {
        const cfg_edge& edge = p.edges[e];
        if (!detail::inside_function(edge.kind)) continue;
        const std::uint32_t v = number_[edge.from.index()];
        if (v == none) continue;
        const std::uint32_t u = evaluate(v);
        if (semi_[u] < semi_[w]) semi_[w] = semi_[u];
      }
      chain_[w] = bucket_[semi_[w]];
      bucket_[semi_[w]] = w;
      const std::uint32_t up = parent_[w];
      ancestor_[w] = up;
      for (std::uint32_t v = bucket_[up]; v != none; v = chain_[v]) {
        const std::uint32_t u = evaluate(v);
        dom_[v] = semi_[u] < semi_[v] ? u : up;
      }
      bucket_[up] = none;
    }
    for (std::uint32_t w = 1; w < count; ++w) {
      if (dom_[w] != semi_[w]) dom_[w] = dom_[dom_[w]];
      if (dom_[w] != 0) idom_[vertex_[w]] = block_id{vertex_[dom_[w]]};
    }
    number_tree(count);
  }

  void search(const Program& p, std::uint32_t root) {
    struct frame {
      std::uint32_t block;
      std::uint32_t next;
    };
    vec<frame> stack;
    const auto open = [&](std::uint32_t b, std::uint32_t parent) {
      number_[b] = static_cast<std::uint32_t>(vertex_.size());
      vertex_.push_back(b);
      parent_.push_back(parent);
      stack.push_back({b, p.blocks[b].first_edge});
    };
    open(root, 0);
    while (!stack.empty()) {
      frame& f = stack.back();
      const block& blk = p.blocks[f.block];
      if (f.next == blk.first_edge + blk.edge_count) {
        stack.pop_back();
        continue;
      }
      const cfg_edge& e = p.edges[f.next++];
      if (detail::inside_function(e.kind) && number_[e.to.index()] == none) open(e.to.index(), number_[f.block]);
    }
  }

  // The vertex of least semidominator on the forest path above v, compressing the path.
  std::uint32_t evaluate(std::uint32_t v) {
    if (ancestor_[v] == none) return v;
    path_.clear();
    for (std::uint32_t x = v; ancestor_[ancestor_[x]] != none; x = ancestor_[x]) path_.push_back(x);
    while (!path_.empty()) {
      const std::uint32_t x = path_.back();
      path_.pop_back();
      const std::uint32_t a = ancestor_[x];
      if (semi_[best_[a]] < semi_[best_[x]]) best_[x] = best_[a];
      ancestor_[x] = ancestor_[a];
    }
    return best_[v];
  }

  // Interval numbers of the dominator tree. A parent has a smaller search number than its children.
  void number_tree(std::uint32_t count) {
    vec<std::uint32_t>& size = semi_;
    for (std::uint32_t w = 0; w < count; ++w) size[w] = 1;
    for (std::uint32_t w = count - 1; w > 0 && w != none; --w) size[dom_[w]] += size[w];
    vec<std::uint32_t>& free = best_;  // next interval start below a vertex
    free[0] = 1;
    for (std::uint32_t w = 1; w < count; ++w) {
      const std::uint32_t start = free[dom_[w]];
      free[dom_[w]] += size[w];
      free[w] = start + 1;
      enter_[vertex_[w]] = start;
      leave_[vertex_[w]] = start + size[w];
    }
  }

  vec<block_id> idom_;
  vec<std::uint32_t> enter_, leave_;  // by block, 0 = not reached
  vec<std::uint32_t> number_;         // by block
  vec<std::uint32_t> vertex_, parent_, semi_, best_, ancestor_, dom_, bucket_, chain_, path_;
};

using dominator_tree = basic_dominator_tree<program>;

}  // namespace ww
