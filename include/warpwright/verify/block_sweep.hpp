// SPDX-License-Identifier: BSL-1.0
//
// The order in which a forward data flow hands on what leaves each block, until nothing changes.
//
//   order     reverse postorder of depth-first searches from the entries, then from what none of them reaches: predecessors come
//             first but for the back edges of loops, so that a sweep or two do for most programs, whatever their layout
//   waiting   a block of which the next sweep hands on what leaves it
// Linear in blocks and edges for each sweep; what a sweep finds waiting it hands on in the same sweep if it comes later.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww::verify::detail {

class block_sweep {
 public:
  // `follows`: by edge, 0 = not taken; must outlive the sweeps.
  void start(const program& p, span<const std::uint8_t> follows) {
    p_ = &p;
    follows_ = follows;
    const auto n = static_cast<std::uint32_t>(p.blocks.size());
    order_.assign(n, 0);
    place_.assign(n, n);
    waiting_.assign(n, 0);
    entries_.clear();
    for (std::uint32_t b = 0; b < n; ++b) {
      if (p.blocks[b].entry) entries_.push_back(b);
    }
    std::uint32_t left = n;
    for (const std::uint32_t root : entries_) search(root, left);
    for (std::uint32_t root = 0; root < n; ++root) search(root, left);
  }
  [[nodiscard]] span<const std::uint32_t> entries() const { return {entries_.data(), entries_.size()}; }
  void add(std::uint32_t b) { waiting_[b] = 1; }

  // `hand_on(from, to)` says whether `to` has more to hand on than before.
  template <class HandOn>
  void run(HandOn hand_on) {
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t place = 0; place < order_.size(); ++place) {
        const std::uint32_t b = order_[place];
        if (waiting_[b] == 0) continue;
        waiting_[b] = 0;
        const block& blk = p_->blocks[b];
        for (std::uint32_t at = blk.first_edge; at < blk.first_edge + blk.edge_count; ++at) {
          if (follows_[at] == 0) continue;
          const std::uint32_t to = p_->edges[at].to.index();
          if (!hand_on(b, to)) continue;
          waiting_[to] = 1;
          again = again || place_[to] <= place;
        }
      }
    }
  }

 private:
  void search(std::uint32_t root, std::uint32_t& left) {
    const auto unmet = static_cast<std::uint32_t>(order_.size());
    if (place_[root] != unmet) return;
    place_[root] = unmet + 1;  // met, but not left yet
    path_.push_back({root, 0});
    while (!path_.empty()) {
      const std::uint32_t b = path_.back().block;
      const block& blk = p_->blocks[b];
      if (path_.back().next == blk.edge_count) {
        place_[b] = --left;
        order_[left] = b;
        path_.pop_back();
        continue;
      }
      const std::uint32_t at = blk.first_edge + path_.back().next++;
      const std::uint32_t to = p_->edges[at].to.index();
      if (follows_[at] == 0 || place_[to] != unmet) continue;
      place_[to] = unmet + 1;
      path_.push_back({to, 0});
    }
  }

  struct step {
    std::uint32_t block = 0;
    std::uint32_t next = 0;  // edge to follow
  };

  const program* p_ = nullptr;
  span<const std::uint8_t> follows_;
  vec<std::uint32_t> entries_;
  vec<std::uint32_t> order_, place_;  // of blocks, and where each stands in it
  vec<std::uint8_t> waiting_;
  vec<step> path_;
};

}  // namespace ww::verify::detail
