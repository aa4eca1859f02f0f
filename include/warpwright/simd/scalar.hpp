// SPDX-License-Identifier: BSL-1.0
//
// The vector width policy without vectors: plain loops, usable in constant expressions.
//
// It states what the others have to give (see concept.hpp): add, broadcast-add, zero, minimum and maximum scan, popcount and
// the bit-set and slot operations, with the lowest index winning a tie. It is the default, since it needs nothing of the CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/bits.hpp"
#include "concept.hpp"

namespace ww::simd {

struct scalar {
  using role = role::vector_width;
  static constexpr const char* name = "scalar";
  static constexpr std::size_t lanes = 1;

  static constexpr void add(std::int32_t* out, const std::int32_t* in, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = wrapping(out[i], in[i]);
  }
  static constexpr void broadcast_add(std::int32_t* out, std::int32_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = wrapping(out[i], value);
  }
  static constexpr void zero(std::int32_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = 0;
  }
  static constexpr std::size_t min_scan(const std::int32_t* in, std::size_t count) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) best = in[i] < in[best] ? i : best;
    return best;
  }
  static constexpr std::size_t max_scan(const std::int32_t* in, std::size_t count) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) best = in[i] > in[best] ? i : best;
    return best;
  }
  static constexpr std::uint64_t popcount(const std::uint64_t* in, std::size_t count) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits += static_cast<std::uint64_t>(meta::popcount(in[i]));
    return bits;
  }
  static constexpr void bit_or(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] |= in[i];
  }
  static constexpr void bit_and(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] &= in[i];
  }
  static constexpr void bit_andnot(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] &= ~in[i];
  }
  static constexpr void add_running(std::int32_t* out, std::int32_t* steps, std::int32_t even, std::int32_t odd,
                                    std::size_t count) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum = wrapping(sum, steps[i]);
      out[i] = wrapping(out[i], wrapping(sum, i % 2 == 0 ? even : odd));
      steps[i] = 0;
    }
  }
  static constexpr std::uint64_t equal_mask(const std::int32_t* in, std::int32_t value, std::size_t count) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < count; ++i) mask |= static_cast<std::uint64_t>(in[i] == value) << i;
    return mask;
  }
  static constexpr std::uint64_t above_mask(const std::int32_t* in, std::int32_t value, std::size_t count) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < count; ++i) mask |= static_cast<std::uint64_t>(in[i] > value) << i;
    return mask;
  }
  static constexpr std::int32_t min_where(const std::int32_t* in, std::uint64_t mask, std::size_t count) {
    std::int32_t best = 0x7fffffff;
    if (count < 64) mask &= (std::uint64_t{1} << count) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const std::int32_t value = in[meta::countr_zero(mask)];
      best = value < best ? value : best;
    }
    return best;
  }

 private:
  static constexpr std::int32_t wrapping(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
};
static_assert(slot_width_policy<scalar>);

}  // namespace ww::simd
