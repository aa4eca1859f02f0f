// SPDX-License-Identifier: BSL-1.0
//
// The 23-bit slot of the reference text (SB-1; scoreboards and barriers, "SASS Control Word").
//
//   0..3 stall | 4 yield, 1 = yield | 5..7 write barrier | 8..13 read barrier mask | 14..19 wait mask | 20..22 reserved
//
// Three slots share one 128-bit control instruction of that text: slot k is bits 23k .. 23k+22. Reuse flags live elsewhere
// in it. The read barrier is a one-hot mask here and an index in hardware: a mask of zero is "none", one bit is that
// counter, and more than one bit cannot be decoded, so valid() rejects it. What does not survive a round trip: reuse, and
// nothing else.
#pragma once

#include <cstdint>

#include "../../ir/control.hpp"

namespace ww {

struct text_slot23 {
  static constexpr unsigned bits = 23;
  static constexpr unsigned slots = 3;
  static constexpr std::uint32_t mask = (1u << bits) - 1u;

  [[nodiscard]] static constexpr std::uint32_t encode(const control& c) {
    const std::uint32_t read = c.sets_read() ? (1u << (c.read_barrier & 7u)) & 63u : 0u;
    return (c.stall & 15u) | (c.yield ? 16u : 0u) | ((c.write_barrier & 7u) << 5) | (read << 8) |
           ((c.wait_mask & 63u) << 14);
  }
  // Of several read bits the lowest is taken; valid() tells such words apart.
  [[nodiscard]] static constexpr control decode(std::uint32_t w) {
    control c;
    c.stall = static_cast<std::uint8_t>(w & 15u);
    c.yield = (w & 16u) != 0;
    c.write_barrier = static_cast<std::uint8_t>((w >> 5) & 7u);
    c.read_barrier = index_of((w >> 8) & 63u);
    c.wait_mask = static_cast<std::uint8_t>((w >> 14) & 63u);
    return c;
  }
  [[nodiscard]] static constexpr bool valid(std::uint32_t w) {
    const std::uint32_t read = (w >> 8) & 63u;
    const unsigned code = (w & 15u) | ((w & 16u) != 0 ? 0u : 16u);
    return w < (1u << 20) && control::defined_code(code) && ((w >> 5) & 7u) != 6u && (read & (read - 1u)) == 0;
  }

  // Slot 0..2 of a 128-bit control instruction given as two 64-bit words, low word first.
  [[nodiscard]] static constexpr std::uint32_t extract(const std::uint64_t (&word)[2], unsigned slot) {
    const unsigned at = bits * slot;
    std::uint64_t w = word[0] >> at;
    if (at + bits > 64u) {
      w |= word[1] << (64u - at);
    }
    return static_cast<std::uint32_t>(w) & mask;
  }
  static constexpr void place(std::uint64_t (&word)[2], unsigned slot, std::uint32_t w) {
    const unsigned at = bits * slot;
    const std::uint64_t m = mask;
    word[0] = (word[0] & ~(m << at)) | (static_cast<std::uint64_t>(w & mask) << at);
    if (at + bits > 64u) {
      word[1] = (word[1] & ~(m >> (64u - at))) | (static_cast<std::uint64_t>(w & mask) >> (64u - at));
    }
  }

  // Lowest set bit as a counter index, or none.
  [[nodiscard]] static constexpr std::uint8_t index_of(std::uint32_t one_hot) {
    for (std::uint8_t i = 0; i < control::barrier_count; ++i) {
      if (((one_hot >> i) & 1u) != 0) {
        return i;
      }
    }
    return control::no_barrier;
  }
};

}  // namespace ww
