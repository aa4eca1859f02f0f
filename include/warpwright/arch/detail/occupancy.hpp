// SPDX-License-Identifier: BSL-1.0
//
// How many warps are resident on one SM, from the registers one thread uses.
//
// Registers are allocated per warp in units of 256 (8 per thread); each sub-core has its own quarter of the file, so
// that the count is a multiple of the number of sub-cores (facts: hardware 3). The count given is the one declared for the
// kernel, reserved registers included. Register cliffs of a 64-warp SM: 32 -> 64, 40 -> 48, 64 -> 32, 128 -> 16, 255 -> 8.
#pragma once

namespace ww::detail {

template <unsigned MaxWarps, unsigned SubCores>
constexpr unsigned resident_warps(unsigned registers_per_thread) {
  constexpr unsigned file = 65536u / SubCores;  // registers of one sub-core
  const unsigned per_thread = registers_per_thread == 0 ? 8u : (registers_per_thread + 7u) / 8u * 8u;
  const unsigned warps = file / (per_thread * 32u) * SubCores;
  return warps < MaxWarps ? warps : MaxWarps;
}

// Most registers per thread (a multiple of 8, at most 255) with which that many warps are resident; 0 if none.
template <unsigned MaxWarps, unsigned SubCores>
constexpr unsigned registers_for_warps(unsigned warps) {
  for (unsigned r = 256; r >= 8; r -= 8) {
    if (resident_warps<MaxWarps, SubCores>(r) >= warps) {
      return r < 255u ? r : 255u;
    }
  }
  return 0;
}

// The limits of another SM with other numbers of resident warps and blocks.
template <class Limits, unsigned MaxWarps, unsigned MaxBlocks>
struct with_residents : Limits {
  static constexpr unsigned max_warps = MaxWarps;
  static constexpr unsigned max_blocks = MaxBlocks;

  [[nodiscard]] static constexpr unsigned warps_for(unsigned registers_per_thread) {
    return resident_warps<MaxWarps, Limits::sub_cores>(registers_per_thread);
  }
  [[nodiscard]] static constexpr unsigned registers_for(unsigned warps) {
    return registers_for_warps<MaxWarps, Limits::sub_cores>(warps);
  }
};

}  // namespace ww::detail
