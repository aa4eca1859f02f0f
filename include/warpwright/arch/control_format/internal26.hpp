// SPDX-License-Identifier: BSL-1.0
//
// The 26-bit working layout of the reference text (SB-1; scoreboards and barriers, "Internal Representation").
//
//   0..3 stall | 4 yield, 1 = yield | 5..7 write barrier | 8..13 read barrier mask | 14..19 wait mask | 20..25 reuse
//
// The text gives the fields and their widths; their order here is that of its table. Everything in a control survives
// a round trip: four of the six reuse bits are used by hardware. The text calls the second mask "barriers this
// instruction must wait for" and the third "clears on completion" in one place and the reverse in another; this kit
// reads the first as the counter taken until the sources are read and the second as the wait mask, which is the only
// reading that hardware supports.
#pragma once

#include <cstdint>

#include "text_slot23.hpp"

namespace ww {

struct internal26 {
  static constexpr unsigned bits = 26;
  static constexpr std::uint32_t mask = (1u << bits) - 1u;

  [[nodiscard]] static constexpr std::uint32_t encode(const control& c) {
    return text_slot23::encode(c) | ((c.reuse & 63u) << 20);
  }
  [[nodiscard]] static constexpr control decode(std::uint32_t w) {
    control c = text_slot23::decode(w & 0xfffffu);
    c.reuse = static_cast<std::uint8_t>((w >> 20) & 63u);
    return c;
  }
  [[nodiscard]] static constexpr bool valid(std::uint32_t w) {
    return w <= mask && text_slot23::valid(w & 0xfffffu) && (w >> 24) == 0;
  }
};

}  // namespace ww
