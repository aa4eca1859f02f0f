// SPDX-License-Identifier: BSL-1.0
//
// Control information of one instruction, decoded.
//
//   stall          cycles from this instruction's issue to the earliest issue of the NEXT one of the warp, 0..15
//   yield          true = prefer another warp next (encoded as raw bit 0); false = stay (raw bit 1)
//   write_barrier  counter 0..5 held until the result is written, 7 = none
//   read_barrier   counter 0..5 held until the sources have been read, 7 = none
//   wait_mask      bit i: do not issue before counter i is zero
//   reuse          bit i: keep source slot i (0 = a, 1 = b, 2 = c) in the operand cache
//
// On sm_70+ stall and yield are one 5-bit code: 0 (stall 0, yield) drains; 1..15 wait n and yield; 17..27
// wait 1..11 and stay; 16 and 28..31 are undefined. `issue_code()` gives that code.
// The encodings of the word live in arch/control_format.hpp.
#pragma once

#include <cstdint>

namespace ww {

struct control {
  static constexpr std::uint8_t no_barrier = 7;
  static constexpr unsigned barrier_count = 6;

  std::uint8_t stall = 1;
  bool yield = false;
  std::uint8_t write_barrier = no_barrier;
  std::uint8_t read_barrier = no_barrier;
  std::uint8_t wait_mask = 0;
  std::uint8_t reuse = 0;

  // The five bits 105..109 of an sm_70+ instruction.
  [[nodiscard]] constexpr unsigned issue_code() const { return (stall & 15u) | (yield ? 0u : 16u); }
  // True for a code that the hardware defines: 0..15 and 17..27 (facts: code set).
  [[nodiscard]] static constexpr bool defined_code(unsigned code) { return code <= 15u || (code >= 17u && code <= 27u); }
  [[nodiscard]] constexpr bool drains() const { return stall == 0 && yield; }
  [[nodiscard]] constexpr bool sets_write() const { return write_barrier != no_barrier; }
  [[nodiscard]] constexpr bool sets_read() const { return read_barrier != no_barrier; }
  friend constexpr bool operator==(const control&, const control&) = default;
};

}  // namespace ww
