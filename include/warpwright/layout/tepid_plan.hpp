// SPDX-License-Identifier: BSL-1.0
//
// How much overlap of math and memory a block is worth (HC-5, "scheduling policy summary").
//
//   hot     aggressive: all of the block's waiting is to be covered by other work
//   cold    conservative: as little as the policy allows
//   tepid   between the two, by what its report says: the smaller of the two ratios of math to waiting is the share of the waiting that
//           is covered. More math than waiting covers all of it; little math falls back toward cold, no ratio falls back to it
//   share   of the waiting that is to be covered, 0 to 1; `cycles` the same of the wait budget, rounded down. The budget of an epilogue
//           is the wait budget divided by knob 294, as in its report, so that the end of a kernel is not scheduled past its worth
// The text has the three words and the direction; that the share is the ratio itself is assumed, and so is `Least`, the share of
// cold blocks in percent.
//
// A block with a cold mark is cold whatever the mode; a block that reports a ratio is tepid; all others are hot.
#pragma once

#include <cstdint>

#include "../ir/ids.hpp"
#include "cold_marks.hpp"
#include "tepid_report.hpp"

namespace ww::layout {

enum class block_heat : std::uint8_t { cold, tepid, hot };

[[nodiscard]] constexpr block_heat heat_of(bool cold, tepid_path path) {
  if (cold) return block_heat::cold;
  return path == tepid_path::dma || path == tepid_path::epilogue ? block_heat::tepid : block_heat::hot;
}
[[nodiscard]] inline block_heat heat_of(const cold_marks& marks, block_id b, tepid_path path) {
  return heat_of(marks.cold(b), path);
}

struct overlap {
  double share = 0;
  std::uint32_t cycles = 0;

  friend constexpr bool operator==(const overlap&, const overlap&) = default;
};

template <unsigned Least = 0>
struct tepid_plan {
  static_assert(Least <= 100, "ww::layout::tepid_plan: the least share is given in percent");
  static constexpr double least = Least / 100.0;

  [[nodiscard]] static constexpr double share(block_heat heat, const tepid_report& r) {
    if (heat == block_heat::hot) return 1.0;
    if (heat == block_heat::cold) return least;
    // A line with a gap has the value 0.
    const double ratio = r.wait.value < r.tepid.value ? r.wait.value : r.tepid.value;
    return ratio < least ? least : ratio < 1.0 ? ratio : 1.0;
  }

  [[nodiscard]] static constexpr overlap plan(block_heat heat, const tepid_block& b, const tepid_report& r,
                                              const tepid_mode& mode) {
    std::uint32_t budget = b.wait_budget;
    if (r.path == tepid_path::epilogue) budget = mode.epilogue_count == 0 ? 0 : budget / mode.epilogue_count;
    overlap o;
    o.share = share(heat, r);
    o.cycles = static_cast<std::uint32_t>(o.share * static_cast<double>(budget));
    return o;
  }
};

}  // namespace ww::layout
