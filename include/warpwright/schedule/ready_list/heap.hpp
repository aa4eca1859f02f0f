// SPDX-License-Identifier: BSL-1.0
//
// A ready list as an implicit heap with four children per node: O(log n) insertion and removal, no pointers.
//
// Four children halve the depth of a binary heap and keep siblings in one cache line. Keys may not change while an entry
// waits, so it serves fixed-key priorities only; `iterable = false` lets the composer say so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/vec.hpp"
#include "concept.hpp"

namespace ww::ready_list {

template <class Hook = no_hook>
struct heap {
  using role = ww::role::ready_list;
  static constexpr const char* name = "heap";
  static constexpr bool arguments_fit = insertion_hook<Hook>;
  static constexpr bool iterable = false;

  class queue {
   public:
    constexpr void clear() { items_.clear(); }
    constexpr void reserve(std::size_t n) { items_.reserve(n); }
    [[nodiscard]] constexpr bool empty() const { return items_.empty(); }
    [[nodiscard]] constexpr std::size_t size() const { return items_.size(); }
    [[nodiscard]] constexpr entry top() const { return items_.front(); }

    constexpr void push(entry e) {
      e = hooked<Hook>(e);
      std::size_t at = items_.size();
      items_.push_back(e);
      while (at > 0) {
        const std::size_t parent = (at - 1) / 4;
        if (!before(e, items_[parent])) break;
        items_[at] = items_[parent];
        at = parent;
      }
      items_[at] = e;
    }

    constexpr void pop() {
      const entry e = items_.back();
      items_.pop_back();
      const std::size_t n = items_.size();
      if (n == 0) return;
      std::size_t at = 0;
      for (;;) {
        const std::size_t first = 4 * at + 1;
        if (first >= n) break;
        std::size_t best = first;
        if (first + 4 <= n) {
          const std::size_t x = before(items_[first + 1], items_[first]) ? first + 1 : first;
          const std::size_t y = before(items_[first + 3], items_[first + 2]) ? first + 3 : first + 2;
          best = before(items_[y], items_[x]) ? y : x;
        } else {
          for (std::size_t c = first + 1; c < n; ++c) best = before(items_[c], items_[best]) ? c : best;
        }
        if (!before(items_[best], e)) break;
        items_[at] = items_[best];
        at = best;
      }
      items_[at] = e;
    }
    // The best entry other than the top; the top itself when it is alone.
    [[nodiscard]] constexpr entry second() const {
      std::size_t best = 0;
      for (std::size_t c = 1; c < items_.size() && c < 5; ++c) {
        if (best == 0 || before(items_[c], items_[best])) best = c;
      }
      return items_[best];
    }

   private:
    vec<entry> items_;
  };
};

}  // namespace ww::ready_list
