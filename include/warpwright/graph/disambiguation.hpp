// SPDX-License-Identifier: BSL-1.0
//
// Memory order policies: which accesses of one domain may pass each other.
//
//   conservative   loads commute; a store or atomic is ordered against everything in its domain
//   base_offset    as conservative, but two accesses from the same base register value with constant offsets that do
//                  not overlap are free of each other, and so are .CONSTANT loads of everything
//
// A policy says three things: whether it looks at addresses at all; whether an access is free of memory order; whether two
// accesses cannot touch the same byte. It is never asked about fences. `window` bounds how many accesses a builder
// remembers per domain: beyond it the next store is ordered against all of them, so that the cost stays linear.
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "memory_access.hpp"

namespace ww {

template <class D>
concept disambiguation_policy = meta::same_as<typename D::role, role::disambiguation> && requires(const memory_access& a) {
  typename meta::constant<bool{D::uses_addresses} + unsigned{D::window}>;
  { D::unordered(a) } -> meta::same_as<bool>;
  { D::disjoint(a, a) } -> meta::same_as<bool>;
};

struct conservative {
  using role = role::disambiguation;
  static constexpr const char* name = "conservative";
  static constexpr bool uses_addresses = false;
  static constexpr unsigned window = 0;
  static constexpr bool unordered(const memory_access&) { return false; }
  static constexpr bool disjoint(const memory_access&, const memory_access&) { return false; }
};

struct base_offset {
  using role = role::disambiguation;
  static constexpr const char* name = "base_offset";
  static constexpr bool uses_addresses = true;
  static constexpr unsigned window = 64;
  static constexpr bool unordered(const memory_access& a) { return a.readonly; }
  static constexpr bool disjoint(const memory_access& a, const memory_access& b) {
    if (!a.same_base(b)) return false;
    const std::int64_t first = a.offset;
    const std::int64_t second = b.offset;
    return first + a.bytes <= second || second + b.bytes <= first;
  }
};
static_assert(disambiguation_policy<conservative> && disambiguation_policy<base_offset>);

}  // namespace ww
