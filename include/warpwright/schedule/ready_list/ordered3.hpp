// SPDX-License-Identifier: BSL-1.0
//
// The ordered queue of three keys (PLS-2, PLS-17) in its fast form: priority descending, latency descending, instruction
// number ascending.
//
// The keys stand packed in one rank (three_rank: all 128 bits of them; entry: 48 bits of key and 16 of number), so that one
// comparison decides. The queue is a binary heap in one array. A removal lets the hole sink to the bottom along the better
// children and puts the last item there, which takes half of the comparisons of the usual way, because the last item nearly
// always belongs near the bottom. Same order as red_black_tree.hpp in about half of its time (bench/ready_list.cpp).
#pragma once

#include <cstddef>

#include "../../meta/vec.hpp"
#include "concept.hpp"

namespace ww::ready_list {

// Holds any item with a `before(a, b)`; for three keys give it three_rank.
template <class Item>
class ordered_queue {
 public:
  constexpr void clear() { items_.clear(); }
  constexpr void reserve(std::size_t n) { items_.reserve(n); }
  [[nodiscard]] constexpr bool empty() const { return items_.empty(); }
  [[nodiscard]] constexpr std::size_t size() const { return items_.size(); }
  [[nodiscard]] constexpr Item top() const { return items_.front(); }
  // The best item other than the top; the top itself when it is alone.
  [[nodiscard]] constexpr Item second() const {
    if (items_.size() < 2) return items_.front();
    return items_.size() > 2 && before(items_[2], items_[1]) ? items_[2] : items_[1];
  }

  constexpr void push(const Item& item) {
    items_.push_back(item);
    rise(items_.size() - 1, item);
  }
  constexpr void pop() {
    const Item last = items_.back();
    items_.pop_back();
    const std::size_t n = items_.size();
    if (n == 0) return;
    std::size_t hole = 0;
    std::size_t right = 2;
    for (; right < n; right = 2 * hole + 2) {
      const std::size_t best = before(items_[right - 1], items_[right]) ? right - 1 : right;
      items_[hole] = items_[best];
      hole = best;
    }
    if (right == n) {  // a left child alone
      items_[hole] = items_[right - 1];
      hole = right - 1;
    }
    rise(hole, last);
  }

 private:
  constexpr void rise(std::size_t at, const Item& item) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 2;
      if (!before(item, items_[parent])) break;
      items_[at] = items_[parent];
      at = parent;
    }
    items_[at] = item;
  }

  vec<Item> items_;
};

template <class Hook = no_hook>
struct ordered3 {
  using role = ww::role::ready_list;
  static constexpr const char* name = "ordered3";
  static constexpr bool arguments_fit = insertion_hook<Hook>;
  static constexpr bool iterable = false;

  struct queue : ordered_queue<entry> {
    constexpr void push(entry e) { ordered_queue<entry>::push(hooked<Hook>(e)); }
  };
};

}  // namespace ww::ready_list
