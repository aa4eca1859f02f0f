// SPDX-License-Identifier: BSL-1.0
//
// The order in which the blocks of a program are to stand, while it is being decided.
//
//   order     every block once; starts as the program's own
//   span      the blocks of one function that may move: behind its entry, in front of the closing NOPs of the section. Blocks
//             never leave their function, for a function owns what stands between its entry and the next one
//   run       blocks that stand one behind the other in the order
//   position  place of a block in the order
// Passes move runs; rearranged_code writes the program out once all have had their say. Moving a run costs the distance that it
// moves. The memory is kept from program to program.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"
#include "block_exits.hpp"

namespace ww::layout {

class block_order {
 public:
  struct function_span {
    std::uint32_t first = 0;  // position
    std::uint32_t end = 0;    // one past its last position
  };

  // The program's own order, with the exits of its blocks.
  void start(const program& p) {
    const auto n = static_cast<std::uint32_t>(p.blocks.size());
    order_.resize(n);
    position_.resize(n);
    exits_.resize(n);
    spans_.clear();
    for (std::uint32_t b = 0; b < n; ++b) {
      order_[b] = block_id{b};
      position_[b] = b;
      exits_[b] = p.blocks[b].count != 0 ? exits_of(p, block_id{b}) : block_exits{};
    }
    for (std::uint32_t b = 0; b < n;) {
      std::uint32_t end = b + 1;
      while (end < n && p.blocks[end].function == p.blocks[b].function && !starts_function(p, end)) ++end;
      std::uint32_t last = end;
      while (last > b && p.blocks[last - 1].padding) --last;
      if (last > b + 1 && movable(p, b, last - b)) spans_.push_back({b + 1, last});
      b = end;
    }
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }
  [[nodiscard]] const vec<block_id>& order() const { return order_; }
  [[nodiscard]] block_id operator[](std::uint32_t position) const { return order_[position]; }
  [[nodiscard]] std::uint32_t position(block_id b) const { return position_[b.index()]; }
  [[nodiscard]] const block_exits& exits(block_id b) const { return exits_[b.index()]; }
  [[nodiscard]] const vec<function_span>& spans() const { return spans_; }

  // Must the block at `position` stay behind the one in front of it?
  [[nodiscard]] bool held(std::uint32_t position) const { return position > 0 && exits(order_[position - 1]).glued; }
  // Can blocks [from, end) be cut out, and nothing that must stay together is torn apart?
  [[nodiscard]] bool loose(std::uint32_t from, std::uint32_t end) const { return !held(from) && !held(end); }

  // Moves the run [from, end) so that it stands in front of what is at `to`, a position outside of it.
  void move(std::uint32_t from, std::uint32_t end, std::uint32_t to) {
    if (to >= from && to <= end) return;
    const std::uint32_t low = to < from ? to : from;
    const std::uint32_t high = to < from ? end : to;
    const std::uint32_t first = to < from ? from : end;  // the second part of [low, high) becomes the first
    scratch_.clear();
    for (std::uint32_t k = first; k < high; ++k) scratch_.push_back(order_[k]);
    for (std::uint32_t k = low; k < first; ++k) scratch_.push_back(order_[k]);
    put(low);
  }

  // Gives the positions from `first` on to the blocks of `blocks`, which stood there in another order.
  void assign(std::uint32_t first, const vec<block_id>& blocks) {
    scratch_ = blocks;
    put(first);
  }

 private:
  static bool starts_function(const program& p, std::uint32_t b) {
    const function_id f = p.blocks[b].function;
    return f.valid() && f.index() < p.functions.size() && p.functions[f.index()].first_block.index() == b;
  }
  void put(std::uint32_t first) {
    for (std::uint32_t k = 0; k < scratch_.size(); ++k) {
      order_[first + k] = scratch_[k];
      position_[scratch_[k].index()] = first + k;
    }
  }

  vec<block_id> order_;
  vec<std::uint32_t> position_;  // by block
  vec<block_exits> exits_;       // by block
  vec<function_span> spans_;
  vec<block_id> scratch_;
};

}  // namespace ww::layout
