// SPDX-License-Identifier: BSL-1.0
//
// The ready-list page (PLS-2). A ready list holds the instructions whose predecessors are all placed, best first.
//
//   entry    a key (larger goes first) and the instruction's index (smaller goes first among equal keys)
//   hook     called at every insertion; may change the key: hook::insert(key, index) -> key
//   queue    the structure itself: clear, empty, size, push, top, pop, second (the runner-up), reserve
// A list that also has `at(i)` and `take(i)` serves priorities that look at all ready instructions at each pick
// (`iterable = true`). All lists give the same order for the same keys, whatever the order of insertion.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../../meta/role.hpp"

namespace ww {

namespace ready_list {

struct entry {
  std::uint64_t key = 0;
  std::uint32_t index = 0;

  // True when a goes before b.
  friend constexpr bool before(const entry& a, const entry& b) {
    return a.key != b.key ? a.key > b.key : a.index < b.index;
  }
  friend constexpr bool operator==(const entry&, const entry&) = default;
};

// The insertion hook that changes nothing.
struct no_hook {
  static constexpr const char* name = "no_hook";
  static constexpr std::uint64_t insert(std::uint64_t key, std::uint32_t) { return key; }
};

template <class H>
concept insertion_hook = requires(std::uint64_t key, std::uint32_t index) {
  { H::insert(key, index) } -> std::same_as<std::uint64_t>;
};

}  // namespace ready_list

template <class L>
concept ready_list_policy = requires(typename L::queue& q, const typename L::queue& c, ready_list::entry e, std::size_t n) {
  { L::iterable } -> std::convertible_to<bool>;
  q.clear();
  q.reserve(n);
  q.push(e);
  q.pop();
  { c.empty() } -> std::same_as<bool>;
  { c.size() } -> std::convertible_to<std::size_t>;
  { c.top() } -> std::convertible_to<ready_list::entry>;
};

}  // namespace ww
