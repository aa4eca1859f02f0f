// SPDX-License-Identifier: BSL-1.0
//
// Which blocks of a program are cold, and why (HC-1): what phase 41 leaves behind for those that come after it.
//
//   cold     seldom run, as its shape or a profile says; everything else is hot
//   reasons  one bit for each signal that spoke, by block; 0 = hot. Their numbers are those of cold_reason
// Consumers: bit 5 of the priority goes by instructions (temperature.hpp), the others by block: layout within loops (phase
// 108), if/else patterns (phase 109), placement (phase 112) and whoever asks whether a region is worth predicating
// (cold_region.hpp).
#pragma once

#include <cstdint>

#include "../ir/ids.hpp"
#include "../meta/vec.hpp"

namespace ww::layout {

enum class cold_reason : std::uint8_t {
  trap,         // it ends in an error
  error_exit,   // it leaves with an error code
  nested,       // it stands below several conditions, the last of them uniform
  behind_loop,  // the back edge of a loop dominates it, and it is not in the loop
  epilogue,     // few instructions and a branch to the end
  seldom,       // a profile counted few executions
  improbable,   // a profile says that the branch to it is hardly ever taken
};

struct cold_marks {
  vec<std::uint8_t> reasons;  // by block, a bit for each cold_reason

  [[nodiscard]] bool cold(block_id b) const { return b.index() < reasons.size() && reasons[b.index()] != 0; }
  [[nodiscard]] bool has(block_id b, cold_reason r) const {
    return b.index() < reasons.size() && (reasons[b.index()] >> static_cast<unsigned>(r) & 1u) != 0;
  }
  void add(block_id b, cold_reason r) {
    reasons[b.index()] = static_cast<std::uint8_t>(reasons[b.index()] | 1u << static_cast<unsigned>(r));
  }
};

}  // namespace ww::layout
