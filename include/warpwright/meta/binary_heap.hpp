// SPDX-License-Identifier: BSL-1.0
//
// binary_heap<T, Before>: the least of some values at hand.
//
//   before   a stateless type with a static before(a, b): a comes out first
//   top      the value that comes out next; push and pop take log n steps
// Values of which none comes before the other leave in an order that depends on how they came in: where that matters, `before`
// is a total order. The memory is kept when the heap is cleared.
#pragma once

#include <cstddef>

#include "vec.hpp"

namespace ww::meta {

template <class T, class Before>
class binary_heap {
 public:
  constexpr void clear() { items_.clear(); }
  [[nodiscard]] constexpr bool empty() const { return items_.empty(); }
  [[nodiscard]] constexpr std::size_t size() const { return items_.size(); }
  [[nodiscard]] constexpr const T& top() const { return items_.front(); }
  // In no order that means anything.
  [[nodiscard]] constexpr const T* begin() const { return items_.begin(); }
  [[nodiscard]] constexpr const T* end() const { return items_.end(); }

  constexpr void push(const T& item) {
    const T e = item;
    std::size_t at = items_.size();
    items_.push_back(e);
    T* const items = items_.data();
    for (; at > 0 && Before::before(e, items[(at - 1) / 2]); at = (at - 1) / 2) items[at] = items[(at - 1) / 2];
    items[at] = e;
  }

  constexpr void pop() {
    const T e = items_.back();
    items_.pop_back();
    const std::size_t n = items_.size();
    if (n == 0) return;
    T* const items = items_.data();
    std::size_t at = 0;
    for (std::size_t child = 1; child < n; child = 2 * at + 1) {
      if (child + 1 < n && Before::before(items[child + 1], items[child])) ++child;
      if (!Before::before(items[child], e)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = e;
  }

 private:
  vec<T> items_;
};

}  // namespace ww::meta
