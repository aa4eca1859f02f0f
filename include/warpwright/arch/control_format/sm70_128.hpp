// SPDX-License-Identifier: BSL-1.0
//
// Control word of sm_70 and later: 21 bits at bit 105 of the 128-bit instruction (facts: hardware 1.1).
//
//   0..3 stall | 4 raw yield, 0 = yield | 5..7 write barrier | 8..10 read barrier | 11..16 wait mask | 17..20 reuse
//
// Bits 126 and 127 of the instruction are reserved and belong to neither side. The two index fields hold 0..5 or 7
// (none); 6 is not a counter. Stall and yield are one five-bit code of which 16 and 28..31 are undefined.
// A word is taken apart by extract() and put together by place(), which leaves every other bit alone.
#pragma once

#include <cstdint>

#include "../../ir/control.hpp"

namespace ww {

struct sm70_128 {
  static constexpr unsigned bits = 21;
  static constexpr unsigned position = 105;  // of the 128-bit instruction
  static constexpr std::uint32_t mask = (1u << bits) - 1u;

  [[nodiscard]] static constexpr std::uint32_t encode(const control& c) {
    return (c.stall & 15u) | (c.yield ? 0u : 16u) | ((c.write_barrier & 7u) << 5) | ((c.read_barrier & 7u) << 8) |
           ((c.wait_mask & 63u) << 11) | ((c.reuse & 15u) << 17);
  }

  [[nodiscard]] static constexpr control decode(std::uint32_t w) {
    control c;
    c.stall = static_cast<std::uint8_t>(w & 15u);
    c.yield = (w & 16u) == 0;
    c.write_barrier = static_cast<std::uint8_t>((w >> 5) & 7u);
    c.read_barrier = static_cast<std::uint8_t>((w >> 8) & 7u);
    c.wait_mask = static_cast<std::uint8_t>((w >> 11) & 63u);
    c.reuse = static_cast<std::uint8_t>((w >> 17) & 15u);
    return c;
  }

  // True if hardware defines every field: the issue code, both counter indices, nothing above bit 20.
  [[nodiscard]] static constexpr bool valid(std::uint32_t w) {
    return w <= mask && control::defined_code(w & 31u) && ((w >> 5) & 7u) != 6u && ((w >> 8) & 7u) != 6u;
  }

  // The control word of an instruction given as two 64-bit words, low word first.
  [[nodiscard]] static constexpr std::uint32_t extract(const std::uint64_t (&word)[2]) {
    return static_cast<std::uint32_t>(word[1] >> (position - 64u)) & mask;
  }
  static constexpr void place(std::uint64_t (&word)[2], std::uint32_t w) {
    constexpr unsigned shift = position - 64u;
    word[1] = (word[1] & ~(static_cast<std::uint64_t>(mask) << shift)) | (static_cast<std::uint64_t>(w & mask) << shift);
  }
};

namespace detail {

// The checked decodings of facts: hardware 1.1.
constexpr bool checked_decoding(std::uint64_t high, unsigned stall, bool raw_yield) {
  const std::uint64_t word[2] = {0, high};
  const control c = sm70_128::decode(sm70_128::extract(word));
  return c.stall == stall && c.yield == !raw_yield && c.write_barrier == 7 && c.read_barrier == 7 && c.wait_mask == 0 &&
         c.reuse == 0 && sm70_128::encode(c) == sm70_128::extract(word) && sm70_128::valid(sm70_128::encode(c));
}
static_assert(checked_decoding(0x000fec0000010000ull, 6, true), "BAR.SYNC");
static_assert(checked_decoding(0x000fc00000000000ull, 0, false), "padding NOP");
static_assert(checked_decoding(0x000fd000078e00ffull, 8, false), "IMAD.MOV.U32");
static_assert(checked_decoding(0x000fe20000000a00ull, 1, true), "ULDC.64");
static_assert(checked_decoding(0x000fe20007ffe0ffull, 1, true), "IADD3");
static_assert(checked_decoding(0x000fc80000010100ull, 4, false), "FADD");

}  // namespace detail

}  // namespace ww
