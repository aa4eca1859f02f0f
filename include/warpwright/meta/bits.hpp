// SPDX-License-Identifier: BSL-1.0
//
// Bits of unsigned integers: the part of <bit> that the core needs, with the same names and the same meaning, because that
// header costs every unit a twentieth of the core's own.
#pragma once

namespace ww::meta {

template <class T>
[[nodiscard]] constexpr int popcount(T v) {
  return __builtin_popcountll(v);
}

// Zeros below the lowest set bit; v is not 0.
template <class T>
[[nodiscard]] constexpr int countr_zero(T v) {
  return __builtin_ctzll(v);
}

}  // namespace ww::meta
