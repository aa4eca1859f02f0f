// SPDX-License-Identifier: BSL-1.0
//
// The instructions of a block by deadline, for the moment at which a deadline is reached (PLS-4: critical).
//
//   deadline   last cycle that makes nothing longer: critical path less height, known before anything is placed
// A deadline does not change, so the whole block is sorted once, and time walks over the sorted list. Small blocks, nearly in
// order as they come, are sorted by insertion, others by bytes, least first. Equal deadlines stay in source order.
#pragma once

#include <cstdint>

#include "../../meta/sort.hpp"
#include "../../meta/vec.hpp"

namespace ww::unified {

class deadline_order {
 public:
  // Forgets everything; `count` instructions will come.
  constexpr void start(std::uint32_t count) {
    at_ = 0;
    items_.clear();
    items_.reserve(count);
  }
  constexpr void add(std::uint32_t deadline, std::uint32_t index) { items_.push_back({deadline, index}); }

  // Sorts what was added, in source order; `last` is no smaller than any deadline.
  constexpr void sort(std::uint32_t last) {
    const std::size_t count = items_.size();
    if (count <= small) {
      ww::detail::insertion_sort(items_.begin(), items_.end(),
                                 [](const item& a, const item& b) { return a.deadline < b.deadline; });
      return;
    }
    other_.resize(count);
    for (unsigned shift = 0; shift < 32 && last >> shift != 0; shift += 8) sort_by(shift);
  }
  // Calls f(index) for every instruction whose deadline is at most `cycle`, once.
  template <class F>
  constexpr void each_until(std::uint32_t cycle, F&& f) {
    const item* const items = items_.data();
    const auto count = static_cast<std::uint32_t>(items_.size());
    for (; at_ < count && items[at_].deadline <= cycle; ++at_) f(items[at_].index);
  }

 private:
  static constexpr std::uint32_t small = 48;  // instructions
  struct item {
    std::uint32_t deadline = 0;  // cycle
    std::uint32_t index = 0;
  };

  constexpr void sort_by(unsigned shift) {
    std::uint32_t begin[256] = {};
    for (const item& x : items_) ++begin[x.deadline >> shift & 255u];
    std::uint32_t sum = 0;
    for (std::uint32_t& b : begin) {
      const std::uint32_t here = b;
      b = sum;
      sum += here;
    }
    for (const item& x : items_) other_[begin[x.deadline >> shift & 255u]++] = x;
    items_.swap(other_);
  }

  vec<item> items_;
  vec<item> other_;
  std::uint32_t at_ = 0;
};

}  // namespace ww::unified
