// SPDX-License-Identifier: BSL-1.0
//
// What the seven schedule checks say (SB-10), one value per fault.
//
//   check   which of the seven; the numbers are those of the text's list
//   first   position of the instruction at fault, or of the earlier one of a pair
//   second  position of the later one, equal to `first` where one instruction is wrong by itself
//   value   what was found: cycles, a counter, a mask or a word, by check (below)
//   limit   what it is held against
#pragma once

#include <cstdint>

namespace ww::scoreboard {

enum class schedule_check : std::uint8_t {
  stall_bounds = 1,  // value: stall, limit: 15
  barrier_index,     // value: index, limit: largest index; 6 and everything above 7 is none that exists
  wait_consistency,  // value: mask of the counters that nothing has set
  completeness,      // value: 0 result, 1 late source; second: who needs it (none = beyond the block)
  word_format,       // value: the word
  yield_hint,        // value: stall; limit: 11 = must yield above it, 1 = nothing to yield for
  live_range,  // value: least cycles or counter; limit: cycles needed (of a wait: behind the set), 0 where a wait is missing
};

struct schedule_fault {
  static constexpr std::uint32_t beyond = 0xffffffffu;

  schedule_check check = schedule_check::stall_bounds;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t value = 0;
  std::uint32_t limit = 0;

  friend constexpr bool operator==(const schedule_fault&, const schedule_fault&) = default;
};

[[nodiscard]] constexpr const char* name(schedule_check c) {
  constexpr const char* names[] = {"stall bounds", "barrier index", "wait consistency", "completeness",
                                   "word format",  "yield hint",    "live range"};
  return names[static_cast<unsigned>(c) - 1];
}

}  // namespace ww::scoreboard
