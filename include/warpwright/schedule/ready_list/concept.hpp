// SPDX-License-Identifier: BSL-1.0
//
// The ready-list page (PLS-2). A ready list holds the instructions whose predecessors are all placed, best first.
//
//   entry    a key of at most 48 bits (larger goes first) and the instruction's index (smaller goes first among equal keys)
//   hook     called at every insertion; may change the key: hook::insert(key, index) -> key
//   queue    the structure itself: clear, empty, size, push, top, pop, second (the runner-up), reserve
// A list that also has `at(i)` and `take(i)` serves priorities that look at all ready instructions at each pick
// (`iterable = true`). All lists give the same order for the same keys, whatever the order of insertion.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/role.hpp"
#include "../../meta/traits.hpp"

namespace ww {

namespace ready_list {

// One 64-bit number: 48 bits of key above 16 bits of reversed index, so that the larger rank goes first and equal keys
// end in source order. Zero is no entry.
struct entry {
  static constexpr std::uint64_t most_key = (std::uint64_t{1} << 48) - 1;
  static constexpr std::uint32_t most_index = 0xffffu - 1u;

  std::uint64_t rank = 0;

  static constexpr entry of(std::uint64_t key, std::uint32_t index) {
    return {((key < most_key ? key : most_key) << 16) | (0xffffu - index)};
  }
  [[nodiscard]] constexpr std::uint64_t key() const { return rank >> 16; }
  [[nodiscard]] constexpr std::uint32_t index() const { return 0xffffu - static_cast<std::uint32_t>(rank & 0xffffu); }
  // True when a goes before b.
  friend constexpr bool before(entry a, entry b) { return a.rank > b.rank; }
  friend constexpr bool operator==(entry, entry) = default;
};

// The insertion hook that changes nothing.
struct no_hook {
  static constexpr const char* name = "no_hook";
  static constexpr std::uint64_t insert(std::uint64_t key, std::uint32_t) { return key; }
};

template <class H>
concept insertion_hook = requires(std::uint64_t key, std::uint32_t index) {
  { H::insert(key, index) } -> meta::same_as<std::uint64_t>;
};

template <insertion_hook Hook>
[[nodiscard]] constexpr entry hooked(entry e) {
  return entry::of(Hook::insert(e.key(), e.index()), e.index());
}
template <>
constexpr entry hooked<no_hook>(entry e) {
  return e;
}

}  // namespace ready_list

template <class L>
concept ready_list_policy = requires(typename L::queue& q, const typename L::queue& c, ready_list::entry e, std::size_t n) {
  typename meta::constant<bool{L::iterable}>;
  requires __is_constructible(typename L::queue);
  q.clear();
  q.reserve(n);
  q.push(e);
  q.pop();
  { c.empty() } -> meta::same_as<bool>;
  { c.size() } -> meta::convertible_to<std::size_t>;
  { c.top() } -> meta::convertible_to<ready_list::entry>;
  { c.second() } -> meta::convertible_to<ready_list::entry>;
}
&&(
    requires { typename meta::holds<!bool{L::iterable}>; } ||
    requires(typename L::queue & q, const typename L::queue& c, std::size_t n) {
      { c.at(n) } -> meta::convertible_to<ready_list::entry>;
      q.take(n);
    });

}  // namespace ww
