// SPDX-License-Identifier: BSL-1.0
//
// The depth threshold (PLS-4): how many barrier targets must be ready before the critical-path bit counts.
//
// A table of at most 32 ready barrier targets is read in tiers of equal latency counter, shortest first; whole tiers are
// taken until they hold at least as many instructions as the old threshold. The number taken is the new threshold, the
// latency of the last tier the cutoff. An old threshold that is not below the number of targets stays as it is.
#pragma once

#include <cstdint>

#include "../../meta/span.hpp"

namespace ww::unified {

inline constexpr std::uint32_t depth_table_entries = 32;

struct depth_threshold {
  std::int32_t threshold = 0;    // instructions
  std::int32_t cutoff = 999999;  // cycles
};

// `latencies`: latency counters (cycles) of the barrier targets in the table, `targets` how many there are in all.
[[nodiscard]] constexpr depth_threshold derive_threshold(span<const std::int32_t> latencies, std::int32_t targets,
                                                         std::int32_t old_threshold) {
  depth_threshold d;
  d.threshold = old_threshold;
  if (old_threshold >= targets || latencies.empty()) return d;
  std::int32_t lower = -1;
  std::int32_t taken = 0;
  do {
    std::int32_t next = 999999;
    std::int32_t ties = 0;
    for (const std::int32_t latency : latencies) {
      if (latency <= lower || latency > next) continue;
      ++ties;
      if (latency != next) {
        next = latency;
        ties = 1;
      }
    }
    taken += ties;
    lower = next;
    if (ties == 0) break;  // the table is used up
  } while (old_threshold > taken);
  d.threshold = taken;
  d.cutoff = lower;
  return d;
}

}  // namespace ww::unified
