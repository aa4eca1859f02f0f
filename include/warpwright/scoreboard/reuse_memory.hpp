// SPDX-License-Identifier: BSL-1.0
//
// What the pass of reuse.hpp keeps from one instruction to the next.
//
//   entry    what one port of an operand cache keeps of one register bank: an operand, and who read it
//   stamp    number of an instruction, counted over all programs: a memory is used again without being emptied, for what
//            is from an earlier program or block is older than all that counts
#pragma once

#include <cstdint>

#include "../meta/array.hpp"
#include "reuse_class.hpp"

namespace ww::scoreboard {

struct reuse_memory {
  static constexpr unsigned registers = 256;  // general registers that are looked at
  static constexpr unsigned widest = 255;     // registers of one operand
  static constexpr unsigned most_banks = 4;

  struct entry {
    std::uint32_t key = closed;  // first register | registers << 8, and `closed` if there is nothing to take
    std::uint32_t stamp = 0;     // of who read it
    static constexpr std::uint32_t closed = 1u << 31;

    [[nodiscard]] constexpr std::uint32_t number() const { return key & 0xffu; }
    [[nodiscard]] constexpr unsigned width() const { return key >> 8 & 0xffu; }
    friend constexpr bool operator==(const entry&, const entry&) = default;
  };

  array<entry, reuse_caches * 3 * most_banks> cache{};  // by cache, port and bank
  array<std::uint32_t, registers + widest> written{};   // stamp of the last write
  std::uint32_t used = 0;                               // stamps so far

  // The banks of the first port of a cache; those of the next port stand `most_banks` behind them.
  [[nodiscard]] constexpr entry* ports_of(unsigned which) { return cache.data() + which * 3 * most_banks; }

  // Takes so many stamps; returns the first.
  constexpr std::uint32_t take(std::uint32_t stamps) {
    if (used > 0x7fffffffu) *this = {};
    const std::uint32_t first = used + 1;
    used += stamps;
    return first;
  }
};

}  // namespace ww::scoreboard
