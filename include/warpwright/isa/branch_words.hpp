// SPDX-License-Identifier: BSL-1.0
//
// Distances of direct branches in 128-bit instruction words, written.
//
//   distance  from the next instruction to the target, in bytes, a multiple of 4
//   split     where it stands: bits 34..81, or split over 16..23 (the low eight) and 34..81 (dialect::split_distance); BSSY 34..63.
//             RET.REL holds that to the beginning of the code, to which the number in its register is added; BRX of compilers too
//             BRA.U of a uniform predicate and the collective forms of WARPSYNC are known in split words alone (6,352 of 6,352)
//   guard     bits 12..14 the predicate, bit 15 its negation
// A plain BRA is 0x7947 with PT in bits 12..14 and 87..89 and nothing else beside distance and control (all of 18,928 in the listings
// of sm_75 to sm_120 that were looked at).
#pragma once

#include <cstdint>

namespace ww::isa {

inline constexpr std::uint64_t plain_branch_word[2] = {0x7947, 0x3800000};

// Does the word hold the distance to a target, so that set_distance() can write another one?
[[nodiscard]] constexpr bool holds_distance(bool split, const std::uint64_t (&word)[2]) {
  const std::uint64_t op = word[0] & 0xfffu;
  return op == 0x945 || op == 0x944 || op == 0x947 || op == 0x949 || op == 0x950 ||
         (split && (op == 0x348 || op == 0x547 || op == 0x948));
}

// Writes `distance` into a word that holds one. False, and nothing is changed, if it does not fit.
[[nodiscard]] constexpr bool set_distance(bool split, std::uint64_t (&word)[2], std::int64_t distance) {
  if (!holds_distance(split, word) || distance % 4 != 0) return false;
  std::int64_t field = distance / 4;
  const auto fits = [&field](unsigned bits) {
    const std::int64_t most = std::int64_t{1} << (bits - 1);
    return field >= -most && field < most;
  };
  if ((word[0] & 0xfffu) == 0x945) {
    constexpr std::uint64_t mask = ((std::uint64_t{1} << 30) - 1) << 34;
    if (!fits(30)) return false;
    word[0] = (word[0] & ~mask) | (static_cast<std::uint64_t>(field) << 34 & mask);
    return true;
  }
  if (!fits(48)) return false;
  if (split) {
    word[0] = (word[0] & ~std::uint64_t{0xff0000}) | (static_cast<std::uint64_t>(field) & 0xffu) << 16;
    field >>= 8;
  }
  constexpr std::uint64_t low = ((std::uint64_t{1} << 30) - 1) << 34;
  const auto bits = static_cast<std::uint64_t>(field);
  word[0] = (word[0] & ~low) | (bits << 34 & low);
  word[1] = (word[1] & ~std::uint64_t{0x3ffff}) | (bits >> 30 & 0x3ffffu);
  return true;
}

// Turns the guard round.
constexpr void flip_guard(std::uint64_t (&word)[2]) { word[0] ^= std::uint64_t{1} << 15; }

}  // namespace ww::isa
