// SPDX-License-Identifier: BSL-1.0
//
// Strong 32-bit ids. A program is flat arrays; everything that names an element of such an
// array is one of these ids, so that an instruction can never be used where a block is meant.
//
//   instr_id    index into program::instructions (never changes while an order is permuted)
//   block_id    index into program::blocks
//   function_id index into program::functions
//   position    index into program::order (a place in the current order, not an identity)
//
// `none` is the all-ones value; ids compare by value and convert to an index by `index()`.
#pragma once

#include <cstdint>

namespace ww {

template <class Tag>
struct strong_id {
  static constexpr std::uint32_t none_value = 0xffffffffu;

  std::uint32_t value = none_value;

  constexpr strong_id() = default;
  constexpr explicit strong_id(std::uint32_t v) : value(v) {}

  [[nodiscard]] constexpr std::uint32_t index() const { return value; }
  [[nodiscard]] constexpr bool valid() const { return value != none_value; }
  friend constexpr bool operator==(strong_id, strong_id) = default;
  // A template, because <=> needs <compare> and a unit that does not use it need not include that.
  template <class Id>
  requires(__is_same(Id, strong_id)) friend constexpr auto operator<=>(Id a, Id b) { return a.value <=> b.value; }
  friend constexpr bool operator<(strong_id a, strong_id b) { return a.value < b.value; }
  friend constexpr bool operator>(strong_id a, strong_id b) { return a.value > b.value; }
  friend constexpr bool operator<=(strong_id a, strong_id b) { return a.value <= b.value; }
  friend constexpr bool operator>=(strong_id a, strong_id b) { return a.value >= b.value; }
};

using instr_id = strong_id<struct instr_tag>;
using block_id = strong_id<struct block_tag>;
using function_id = strong_id<struct function_tag>;
using position = strong_id<struct position_tag>;

}  // namespace ww
