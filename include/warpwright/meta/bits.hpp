// SPDX-License-Identifier: BSL-1.0
//
// Bits of unsigned integers: the part of <bit> that the core needs, with the same names, because that header costs every
// unit a twentieth of the core's own. Both work in constant expressions.
//
//   popcount(v)     bits set                countr_zero(v)  zeros below the lowest set bit; undefined for 0
//   countl_zero(v)  zeros above the highest set bit of 64; undefined for 0
#pragma once

namespace ww::meta {

template <class T>
[[nodiscard]] constexpr int popcount(T v) {
  return __builtin_popcountll(v);
}

template <class T>
[[nodiscard]] constexpr int countr_zero(T v) {
  return __builtin_ctzll(v);
}

[[nodiscard]] constexpr int countl_zero(unsigned long long v) { return __builtin_clzll(v); }

}  // namespace ww::meta
