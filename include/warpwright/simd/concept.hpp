// SPDX-License-Identifier: BSL-1.0
//
// Vector width policies: the few loops over integer arrays and bit sets that scheduling spends time in (PLS-9).
//
//   add            out[i] += in[i]                (32-bit, wraps)
//   broadcast_add  out[i] += value                (32-bit, wraps)
//   zero           out[i] = 0
//   min_scan       index of the smallest element, the lowest index among equals; 0 for an empty array
//   max_scan       index of the largest element, the lowest index among equals; 0 for an empty array
//   popcount       bits set in an array of 64-bit words
//   bit_or, bit_and, bit_andnot   out[i] |= in[i], out[i] &= in[i], out[i] &= ~in[i]
// and those over at most 64 elements and one word of bits, which register allocation scans slots with (FPA-4, FPA-5):
//   add_running    out[i] += steps[0] + .. + steps[i], and even, or odd where i is odd; steps[i] = 0   (32-bit, wraps; any
//                  length)
//   equal_mask, above_mask   bit i: in[i] == value, in[i] > value
//   min_where      the smallest in[i] among those whose bit is set; the largest number where none is
//
// Laws: every policy gives the results of simd::scalar bit for bit, for every length and alignment. A policy is compiled for
// its instruction set by function attributes, so no -march flag is needed; nothing is chosen at run time here. A caller who
// names avx2 or avx512 promises a CPU that has it. scalar works in constant expressions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/role.hpp"
#include "../meta/traits.hpp"

namespace ww {

template <class V>
concept vector_width_policy = meta::same_as<typename V::role, role::vector_width> &&
    requires(std::int32_t* o, const std::int32_t* i, std::uint64_t* w, const std::uint64_t* x, std::size_t n) {
  typename meta::constant<unsigned{V::lanes}>;  // 32-bit elements per vector
  { V::name } -> meta::convertible_to<const char*>;
  V::add(o, i, n);
  V::broadcast_add(o, std::int32_t{1}, n);
  V::zero(o, n);
  { V::min_scan(i, n) } -> meta::same_as<std::size_t>;
  { V::max_scan(i, n) } -> meta::same_as<std::size_t>;
  { V::popcount(x, n) } -> meta::same_as<std::uint64_t>;
  V::bit_or(w, x, n);
  V::bit_and(w, x, n);
  V::bit_andnot(w, x, n);
};

template <class V>
concept slot_width_policy = vector_width_policy<V> &&
    requires(std::int32_t* o, const std::int32_t* i, std::uint64_t w, std::size_t n) {
  V::add_running(o, o, std::int32_t{1}, std::int32_t{2}, n);
  { V::equal_mask(i, std::int32_t{1}, n) } -> meta::same_as<std::uint64_t>;
  { V::above_mask(i, std::int32_t{1}, n) } -> meta::same_as<std::uint64_t>;
  { V::min_where(i, w, n) } -> meta::same_as<std::int32_t>;
};

}  // namespace ww
