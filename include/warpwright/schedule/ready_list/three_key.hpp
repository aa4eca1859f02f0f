// SPDX-License-Identifier: BSL-1.0
//
// The item of the ordered queue of backend C (PLS-2, PLS-17): three keys, compared one after the other.
//
//   priority   integer, larger goes first
//   latency    score of the instruction, larger goes first among equal priorities; any double but not-a-number
//   number     the instruction, smaller goes first among equal scores, so that no two instructions are ever equal
//
// `three_rank` holds the same item as 128 bits whose unsigned order is the three-key order: one comparison of two words
// instead of three comparisons of two types. 0.0 and -0.0 are one score in both.
#pragma once

#include <bit>
#include <cstdint>

namespace ww::ready_list {

struct three_key {
  double latency = 0;
  std::int32_t priority = 0;
  std::uint32_t number = 0;

  // True when a goes before b.
  friend constexpr bool before(const three_key& a, const three_key& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    if (a.latency != b.latency) return a.latency > b.latency;
    return a.number < b.number;
  }
  friend constexpr bool operator==(const three_key&, const three_key&) = default;
};

struct three_rank {
  std::uint64_t high = 0;  // priority, then the upper half of the score
  std::uint64_t low = 0;   // the lower half of the score, then the reversed number

  constexpr three_rank() = default;
  constexpr three_rank(const three_key& k) {  // NOLINT(google-explicit-constructor): a rank is the key in another form
    const std::uint64_t score = ordered_bits(k.latency);
    const std::uint32_t priority = static_cast<std::uint32_t>(k.priority) ^ 0x80000000u;
    high = (std::uint64_t{priority} << 32) | (score >> 32);
    low = (score << 32) | (0xffffffffu - k.number);
  }
  [[nodiscard]] constexpr std::uint32_t number() const { return 0xffffffffu - static_cast<std::uint32_t>(low); }

  friend constexpr bool before(const three_rank& a, const three_rank& b) {
    return a.high != b.high ? a.high > b.high : a.low > b.low;
  }
  friend constexpr bool operator==(const three_rank&, const three_rank&) = default;

  // Maps doubles to integers of the same order.
  [[nodiscard]] static constexpr std::uint64_t ordered_bits(double d) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto bits = std::bit_cast<std::uint64_t>(d + 0.0);
    return (bits & sign) != 0 ? ~bits : bits | sign;
  }
};

}  // namespace ww::ready_list
