// SPDX-License-Identifier: BSL-1.0
//
// Loops of the control-flow graph, inside functions: depth and weight of every block.
//
//   header     the block by which depth-first search enters a loop; it is counted in its own loop
//   loop_depth number of loops around a block; weight = 10 to the power of it, at most 10^6
//   back edge  an edge to a header that is still open in the search, so also a self-loop
//   irreducible  a loop that is also entered elsewhere than at its header, by an edge or at an entry; it is found, and counted
//                once
// Only fall, branch, indirect and call_return edges count: a callee is not in a loop because two calls name it.
// One depth-first search with header chains (Wei and others 2007): linear times the nesting depth, no recursion.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "program.hpp"

namespace ww {

// The innermost header of every block (a header's own entry is the next outer one), and what the search saw.
struct loop_forest {
  vec<block_id> outer;               // by block; none = in no loop, or a header of an outermost loop
  vec<std::uint8_t> is_header;       // by block
  vec<std::uint8_t> is_irreducible;  // by block, set on headers
  vec<std::uint32_t> back_edges;     // indices into program::edges
};

namespace detail {

[[nodiscard]] constexpr bool inside_function(edge_kind k) { return k != edge_kind::call && k != edge_kind::ret; }

template <class Program>
class loop_search {
 public:
  loop_search(const Program& p, loop_forest& out) : p_(p), out_(out) {}

  void run() {
    const std::size_t n = p_.blocks.size();
    out_.outer.assign(n, block_id{});
    out_.is_header.assign(n, 0);
    out_.is_irreducible.assign(n, 0);
    out_.back_edges.clear();
    path_.assign(n, 0);
    seen_.assign(n, 0);
    preorder_.clear();
    for (std::uint32_t b = 0; b < n; ++b) {
      if (p_.blocks[b].entry && seen_[b] == 0) search(b);
    }
    for (std::uint32_t b = 0; b < n; ++b) {
      if (!p_.blocks[b].entry) continue;
      for (block_id h = out_.outer[b]; h.valid(); h = out_.outer[h.index()]) out_.is_irreducible[h.index()] = 1;
    }
  }

  // Blocks in the order of the search: a header stands before its loop.
  [[nodiscard]] const vec<std::uint32_t>& preorder() const { return preorder_; }

 private:
  struct frame {
    std::uint32_t block;
    std::uint32_t next;  // edge to look at
  };

  void open(std::uint32_t b) {
    seen_[b] = 1;
    preorder_.push_back(b);
    stack_.push_back({b, p_.blocks[b].first_edge});
    path_[b] = static_cast<std::uint32_t>(stack_.size());
  }

  void search(std::uint32_t root) {
    open(root);
    while (!stack_.empty()) {
      frame& f = stack_.back();
      const block& blk = p_.blocks[f.block];
      if (f.next == blk.first_edge + blk.edge_count) {
        const block_id inner = out_.outer[f.block];
        path_[f.block] = 0;
        stack_.pop_back();
        if (!stack_.empty()) tag(stack_.back().block, inner);
        continue;
      }
      const std::uint32_t e = f.next++;
      if (!inside_function(p_.edges[e].kind)) continue;
      const std::uint32_t from = f.block;
      const std::uint32_t to = p_.edges[e].to.index();
      if (seen_[to] == 0) {
        open(to);
      } else {
        meet(from, to, e);
      }
    }
  }

  void meet(std::uint32_t from, std::uint32_t to, std::uint32_t e) {
    if (path_[to] != 0) {
      out_.is_header[to] = 1;
      out_.back_edges.push_back(e);
      tag(from, block_id{to});
      return;
    }
    for (block_id h = out_.outer[to]; h.valid(); h = out_.outer[h.index()]) {
      if (path_[h.index()] != 0) {
        tag(from, h);
        return;
      }
      out_.is_irreducible[h.index()] = 1;
    }
  }

  // `inner` is a header of a loop around b: weaves it into b's chain, which is ordered by place on the path.
  void tag(std::uint32_t b, block_id inner) {
    if (!inner.valid() || inner.index() == b) return;
    std::uint32_t a = b;
    std::uint32_t h = inner.index();
    while (out_.outer[a].valid()) {
      const std::uint32_t up = out_.outer[a].index();
      if (up == h) return;
      if (path_[up] < path_[h]) {
        out_.outer[a] = block_id{h};
        a = h;
        h = up;
      } else {
        a = up;
      }
    }
    out_.outer[a] = block_id{h};
  }

  const Program& p_;
  loop_forest& out_;
  vec<std::uint32_t> path_;  // 1-based place on the current path, 0 = not on it
  vec<std::uint8_t> seen_;
  vec<std::uint32_t> preorder_;
  vec<frame> stack_;
};

}  // namespace detail

// Fills loop_depth and weight of every block; blocks that no entry reaches keep depth 0.
inline void find_loops(auto& p, loop_forest& forest) {
  constexpr double max_weight = 1e6;
  detail::loop_search search(p, forest);
  search.run();
  for (block& b : p.blocks) {
    b.loop_depth = 0;
    b.weight = 1.0;
  }
  for (const std::uint32_t b : search.preorder()) {
    const block_id outer = forest.outer[b];
    const unsigned around = outer.valid() ? p.blocks[outer.index()].loop_depth : 0u;
    const unsigned depth = around + (forest.is_header[b] != 0 ? 1u : 0u);
    p.blocks[b].loop_depth = static_cast<std::uint16_t>(depth < 0xffffu ? depth : 0xffffu);
    double weight = 1.0;
    for (unsigned k = 0; k < depth && weight < max_weight; ++k) weight *= 10.0;
    p.blocks[b].weight = weight;
  }
}

inline void find_loops(auto& p) {
  loop_forest forest;
  find_loops(p, forest);
}

}  // namespace ww
