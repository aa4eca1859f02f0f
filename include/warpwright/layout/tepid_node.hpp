// SPDX-License-Identifier: BSL-1.0
//
// The scheduling node of the tepid mode (HC-5): what one walk over a block gathers.
//
//   none           0x7fffffff, in both cycles of a new node: nothing of that kind has issued. It is above every cycle, so that the
//                  sooner of two is always the right one
//   soonest_math   cycle in which the first multiply-accumulate issues
//   soonest_copy   cycle in which the first copy or load from global memory issues
//   tracking       everything else, 0 in a new node
// The text has a constructor that makes a node with two such sentinels and clears its tracking fields; what stands where in it is
// not told, and the names are ours.
#pragma once

#include <cstdint>

namespace ww::layout {

struct tepid_node {
  static constexpr std::int32_t none = 0x7fffffff;

  std::int32_t soonest_math = none;
  std::int32_t soonest_copy = none;
  std::uint32_t math = 0;           // multiply-accumulates
  std::uint32_t copies = 0;         // copies, and loads from global memory
  std::uint64_t math_interval = 0;  // cycles for which they hold their pipes, summed
  std::uint32_t last_math = 0;      // cycles from issue to result of the last one
  std::uint32_t issued = 0;         // one past the last issue, where nobody waits for what is counted
  std::uint32_t waited = 0;         // one past the last issue, or the last result if that is later, where everybody waits

  // `issue` in cycles of the walk in which everybody waits.
  constexpr void note_math(std::uint32_t issue, std::uint32_t interval, std::uint32_t latency) {
    soonest_math = sooner(soonest_math, issue);
    ++math;
    math_interval += interval;
    last_math = latency;
  }
  constexpr void note_copy(std::uint32_t issue) {
    soonest_copy = sooner(soonest_copy, issue);
    ++copies;
  }
  [[nodiscard]] constexpr bool has_math() const { return soonest_math != none; }
  [[nodiscard]] constexpr bool has_copy() const { return soonest_copy != none; }

  friend constexpr bool operator==(const tepid_node&, const tepid_node&) = default;

 private:
  constexpr static std::int32_t sooner(std::int32_t a, std::uint32_t b) {
    return b < static_cast<std::uint32_t>(a) ? static_cast<std::int32_t>(b) : a;
  }
};

}  // namespace ww::layout
