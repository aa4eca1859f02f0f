// SPDX-License-Identifier: BSL-1.0
//
// Is a branch worth keeping, because what it jumps over is cold (HC-8)? The question that predication puts (knob 582).
//
//   head      the block that ends in the branch
//   arms      the blocks between it and the join, where its ways meet; of a triangle, one block
//   cold_region::query<Mode>   a callable policy: q(marks, head, arms), and q(marks, block) for one block
//     off      never
//     block    the head is cold: the branch stands in cold code
//     arms     every arm is cold, and there is one: predication would run them all for nothing (the default)
//     region   the head and every arm
// If the answer is true, predication keeps the branch: the way is seldom gone, so divergence costs little; both arms would be
// issued every time; and what stays a block can be moved out of the way (phases 108 and 109).
// arms_between() finds the arms. It fails where the head does not dominate its arms up to the join in the sense that control
// enters them elsewhere, leaves them elsewhere, or never gets to the join.
#pragma once

#include <cstdint>

#include "../ir/loops.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "cold_marks.hpp"

namespace ww::layout::cold_region {

enum class mode : std::uint8_t { off, block, arms, region };

template <mode Mode = mode::arms>
struct query {
  static constexpr mode knob = Mode;

  [[nodiscard]] bool operator()(const cold_marks& marks, block_id b) const { return Mode != mode::off && marks.cold(b); }
  [[nodiscard]] bool operator()(const cold_marks& marks, block_id head, span<const block_id> arms) const {
    if constexpr (Mode == mode::off) return false;
    if constexpr (Mode == mode::block || Mode == mode::region) {
      if (!marks.cold(head)) return false;
    }
    if constexpr (Mode == mode::arms || Mode == mode::region) {
      for (const block_id b : arms) {
        if (!marks.cold(b)) return false;
      }
      return !arms.empty();
    }
    return true;
  }
};

// The blocks on the ways from `head` to `join`, in layout order. False, and none, if they are not closed: `head` alone leads
// to them and they lead to one another and to `join` alone. `seen` is memory. Linear in the program's blocks and the arms' edges.
inline bool arms_between(const program& p, block_id head, block_id join, vec<block_id>& arms, vec<std::uint8_t>& seen) {
  arms.clear();
  if (head.index() >= p.blocks.size() || join.index() >= p.blocks.size() || head == join) return false;
  seen.assign(p.blocks.size(), 0);
  const auto fail = [&arms] {
    arms.clear();
    return false;
  };
  bool meets = false;
  const auto follow = [&](block_id from) {
    for (const cfg_edge& e : p.edges_of(p[from])) {
      if (!ww::detail::inside_function(e.kind) || e.to == head || e.to.index() >= p.blocks.size()) return false;
      meets = meets || e.to == join;
      if (e.to == join || seen[e.to.index()] != 0) continue;
      seen[e.to.index()] = 1;
      arms.push_back(e.to);
    }
    const block& b = p[from];
    if (b.edge_count == 0 || b.open_exit || b.count == 0) return false;
    const instruction& last = p[p.order[b.first + b.count - 1]];
    return !last.has(iflag::exit) && !last.has(iflag::ret);
  };
  if (!follow(head)) return fail();
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const block_id b = arms[k];
    if (p[b].entry || !follow(b)) return fail();
    for (const std::uint32_t e : p.pred_edges_of(p[b])) {
      const block_id from = p.edges[e].from;
      if (from != head && seen[from.index()] == 0) return fail();
    }
  }
  if (!meets) return fail();
  arms.clear();
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (seen[b] != 0) arms.push_back(block_id{b});
  }
  return true;
}

}  // namespace ww::layout::cold_region
