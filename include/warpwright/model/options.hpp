// SPDX-License-Identifier: BSL-1.0
//
// What a simulation assumes.
//
//   warps     resident warps of ONE sub-core that run the program together: resident warps per SM divided by the number of
//             sub-cores (warps_per_sub_core()). 1 = the warp is alone; more than most_warps are taken for so many
//   reasons   also attribute every lost cycle to its cause, per instruction; costs about twice the time
//   stagger   cycles between the starts of two warps; 0 = the mean over `mean_staggers`, for one distance alone may suit one of
//             two equally good programs by several percent
//   banks     what a bank conflict holds up (operand_reads.hpp). `none`: nothing. `warp`: the next instruction of the warp,
//             the pipe being taken for its interval only. `sub_core`: the pipe too and, with several warps, every other
//             warp, as on sm_86 (facts: hardware 3, "they only block issue"); other SMs assumed
//   far       cycles by which results come later that may come from beyond the first-level cache (far_view.hpp); 0 = all hit
#pragma once

#include <cstdint>

#include "../meta/array.hpp"

namespace ww::model {

enum class bank_pricing : std::uint8_t { none, warp, sub_core };

inline constexpr array<std::uint32_t, 6> mean_staggers{3, 5, 7, 11, 13, 17};  // cycles

inline constexpr unsigned most_warps = 64;
// Longer distances, between starts and to what loads miss, are taken for so long. With them no time of a simulation overflows:
// clocks go back to 0 when they have come to most_time.
inline constexpr std::int32_t most_ahead = 1 << 20;  // cycles
inline constexpr std::int32_t most_time = 1 << 28;   // cycles

struct options {
  unsigned warps = 1;
  bool reasons = false;
  std::uint32_t stagger = 0;
  bank_pricing banks = bank_pricing::warp;
  std::int32_t far = 0;
};

// Warps of one sub-core for a kernel with this many registers per thread, at least 1.
template <class Arch>
constexpr unsigned warps_per_sub_core(unsigned registers) {
  const unsigned resident = Arch::limits::warps_for(registers == 0 ? 1u : registers);
  const unsigned n = resident / Arch::limits::sub_cores;
  return n == 0 ? 1u : n;
}

}  // namespace ww::model
