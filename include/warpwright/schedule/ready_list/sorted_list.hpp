// SPDX-License-Identifier: BSL-1.0
//
// The sorted ready list of PLS-2: an insertion finds its place by the key, the best stands at the end of the array.
//
// Insertion costs O(log n) comparisons and O(n) moves of 8 bytes, which beats trees up to a few hundred ready
// instructions. It is iterable, so it also serves priorities that look at all ready instructions.
//   at(i)    entry i, best first        take(i)  removes entry i
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/vec.hpp"
#include "concept.hpp"

namespace ww::ready_list {

template <class Hook = no_hook>
struct sorted_list {
  using role = ww::role::ready_list;
  static constexpr const char* name = "sorted_list";
  static constexpr bool arguments_fit = insertion_hook<Hook>;
  static constexpr bool iterable = true;

  class queue {
   public:
    constexpr void clear() { items_.clear(); }
    constexpr void reserve(std::size_t n) { items_.reserve(n); }
    [[nodiscard]] constexpr bool empty() const { return items_.empty(); }
    [[nodiscard]] constexpr std::size_t size() const { return items_.size(); }
    [[nodiscard]] constexpr entry top() const { return items_.back(); }
    [[nodiscard]] constexpr entry at(std::size_t i) const { return items_[items_.size() - 1 - i]; }

    constexpr void push(entry e) {
      e = hooked<Hook>(e);
      std::size_t low = 0;
      std::size_t high = items_.size();
      while (low < high) {  // first place whose entry goes before e
        const std::size_t mid = (low + high) / 2;
        if (before(items_[mid], e)) {
          high = mid;
        } else {
          low = mid + 1;
        }
      }
      items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(low), e);
    }
    constexpr void pop() { items_.pop_back(); }
    constexpr void take(std::size_t i) { items_.erase(items_.end() - 1 - static_cast<std::ptrdiff_t>(i)); }
    // The best entry other than the top; the top itself when it is alone.
    [[nodiscard]] constexpr entry second() const { return items_.size() > 1 ? items_[items_.size() - 2] : items_.back(); }

   private:
    vec<entry> items_;  // worst first
  };
};

}  // namespace ww::ready_list
