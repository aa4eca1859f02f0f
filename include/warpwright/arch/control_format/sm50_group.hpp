// SPDX-License-Identifier: BSL-1.0
//
// Control word of sm_50..62: one 64-bit word in front of three 64-bit instructions (facts: hardware 1.2).
//
// Slot k (0..2) is bits 21k .. 21k+20, with the fields of sm70_128; bit 63 is unused. A 32-byte group holds the control
// word at offset 0 and its instructions at 8, 16 and 24. Stall 0 without yield issues an instruction together with the
// next one, so that code 16 is legal here, unlike on sm_70; 28..31 (stall above 11 without yield) stay undefined
// because hardware does not honour them.
#pragma once

#include <cstdint>

#include "sm70_128.hpp"

namespace ww {

struct sm50_group {
  static constexpr unsigned bits = 21;
  static constexpr unsigned slots = 3;
  static constexpr unsigned group_bytes = 32;
  static constexpr std::uint32_t mask = (1u << bits) - 1u;

  [[nodiscard]] static constexpr std::uint32_t encode(const control& c) { return sm70_128::encode(c); }
  [[nodiscard]] static constexpr control decode(std::uint32_t w) { return sm70_128::decode(w); }
  [[nodiscard]] static constexpr bool valid(std::uint32_t w) {
    return w <= mask && (w & 31u) < 28u && ((w >> 5) & 7u) != 6u && ((w >> 8) & 7u) != 6u;
  }

  // Words of compiler output besides: stall 12 to 15 without yield (28..31), of which stored measurements say that hardware cuts them
  // short, stands behind jumps, conversions and predicates in most kernels of CUDA 12.4.
  [[nodiscard]] static constexpr bool seen(std::uint32_t w) { return valid(w) || ((w & 31u) >= 28u && valid(w & ~16u)); }

  // The control word of slot 0..2 of a group.
  [[nodiscard]] static constexpr std::uint32_t extract(std::uint64_t group, unsigned slot) {
    return static_cast<std::uint32_t>(group >> (bits * slot)) & mask;
  }
  [[nodiscard]] static constexpr std::uint64_t place(std::uint64_t group, unsigned slot, std::uint32_t w) {
    const unsigned shift = bits * slot;
    return (group & ~(static_cast<std::uint64_t>(mask) << shift)) | (static_cast<std::uint64_t>(w & mask) << shift);
  }
  // Byte offset of the i-th instruction of a section, and back from an offset that is not a control word's.
  [[nodiscard]] static constexpr std::uint32_t instruction_offset(std::uint32_t i) { return (i / 3u + 1u) * 8u + i * 8u; }
  [[nodiscard]] static constexpr std::uint32_t control_offset(std::uint32_t i) { return (i / 3u) * group_bytes; }
};

static_assert(sm50_group::extract(0x001f9400fe2007e6ull, 0) == 0x7e6);
static_assert(sm50_group::extract(0x001f9400fe2007e6ull, 1) == 0x7f1);
static_assert(sm50_group::extract(0x001f9400fe2007e6ull, 2) == 0x7e5);
static_assert(sm50_group::decode(0x7e6).stall == 6 && sm50_group::decode(0x7e6).yield);
static_assert(sm50_group::decode(0x7f1).stall == 1 && !sm50_group::decode(0x7f1).yield);
static_assert(sm50_group::instruction_offset(0) == 8 && sm50_group::instruction_offset(3) == 40);

}  // namespace ww
