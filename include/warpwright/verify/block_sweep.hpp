// SPDX-License-Identifier: BSL-1.0
//
// The order in which a forward data flow hands on what leaves each block, until nothing changes.
//
//   order     reverse postorder of depth-first searches from the entries, then from what none of them reaches: predecessors come
//             first but for the back edges of loops, so that most blocks are looked at once or twice, whatever their layout
//   waiting   a block that has something new to hand on; one bit each, in order
// Costs the edges of what waits, and a look at 64 blocks at once in between.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
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
    waiting_.assign((n + 63) / 64, 0);
    forget();
    entries_.clear();
    for (std::uint32_t b = 0; b < n; ++b) {
      if (p.blocks[b].entry) entries_.push_back(b);
    }
    std::uint32_t left = n;
    for (const std::uint32_t root : entries_) search(root, left);
    for (std::uint32_t root = 0; root < n; ++root) search(root, left);
    list_predecessors();
  }
  [[nodiscard]] span<const std::uint32_t> entries() const { return {entries_.data(), entries_.size()}; }
  // The blocks from which an edge leads to `b`, one for each edge.
  [[nodiscard]] span<const std::uint32_t> predecessors(std::uint32_t b) const {
    return {from_.data() + first_[b], first_[b + 1] - first_[b]};
  }
  void add(std::uint32_t b) {
    const std::uint32_t word = place_[b] / 64;
    waiting_[word] |= 1ull << (place_[b] & 63u);
    low_ = meta::min(low_, word);
    high_ = meta::max(high_, word);
  }

  // `hand_on(from, to)` says whether `to` has more to hand on than before. Of what waits the first in order is next.
  template <class HandOn>
  void run(HandOn hand_on) {
    for (std::uint32_t word = low_; word <= high_;) {
      if (waiting_[word] == 0) {
        ++word;
        continue;
      }
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(waiting_[word]));
      waiting_[word] &= waiting_[word] - 1;
      low_ = word;
      const std::uint32_t b = order_[64 * word + bit];
      const block& blk = p_->blocks[b];
      for (std::uint32_t at = blk.first_edge; at < blk.first_edge + blk.edge_count; ++at) {
        if (follows_[at] != 0 && hand_on(b, p_->edges[at].to.index())) add(p_->edges[at].to.index());
      }
      word = low_;
    }
    forget();
  }

 private:
  void forget() {
    low_ = ~0u;
    high_ = 0;
  }
  void list_predecessors() {
    const std::size_t n = p_->blocks.size();
    first_.assign(n + 1, 0);
    for (std::size_t e = 0; e < p_->edges.size(); ++e) first_[p_->edges[e].to.index() + 1] += follows_[e] != 0 ? 1u : 0u;
    for (std::size_t b = 0; b < n; ++b) first_[b + 1] += first_[b];
    from_.assign(first_[n], 0);
    for (std::uint32_t b = 0; b < n; ++b) {
      const block& blk = p_->blocks[b];
      for (std::uint32_t at = blk.first_edge; at < blk.first_edge + blk.edge_count; ++at) {
        if (follows_[at] != 0) from_[first_[p_->edges[at].to.index()]++] = b;
      }
    }
    for (std::size_t b = n; b > 0; --b) first_[b] = first_[b - 1];  // each was moved on to the next one's
    first_[0] = 0;
  }
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
  vec<std::uint32_t> first_, from_;   // predecessors, by block
  vec<std::uint64_t> waiting_;        // by place
  std::uint32_t low_ = 0, high_ = 0;  // words that may have something
  vec<step> path_;
};

}  // namespace ww::verify::detail
