// SPDX-License-Identifier: BSL-1.0
//
// The prefetch instruction of an SM, where its words are known.
//
//   CCTL.E.PF2 [Ra+offset]   brings the line of a global address into the second-level cache; no register is written
//   low, high                the two words with guard PT, register and offset left out, and control bits 0
//   Ra 24..31, offset 32..63 (bytes, signed), guard 12..14, level in bits 87..90: 0 = first (PF1), 1 = second (PF2)
//
// Sources: observed, what ptxas 13.0.88 makes of prefetch.global.L1 and .L2 for sm_75, 80, 86, 89, 90, 90a, 100, 103 and 120
// (identical words on all); the level numbers agree with the open encoder of Mesa (NAK, documented by others) for sm_70 and
// later. Nothing compiled has been seen for sm_50, sm_60 and sm_70: no SM page below sm_75 names a form.
// Whether a prefetch of an address that is not mapped faults is stated nowhere: who emits one has to know that the address
// is one that the program loads (region/prefetch_guard.hpp).
#pragma once

#include <cstdint>

namespace ww {

struct prefetch_form {
  std::uint64_t low = 0;
  std::uint64_t high_l1 = 0;
  std::uint64_t high_l2 = 0;
  std::uint32_t line = 128;              // bytes of a cache line, documented
  std::int32_t max_offset = 0x007fffff;  // bytes either way; what loads take (documented: 24 bits), the field is wider

  friend constexpr bool operator==(const prefetch_form&, const prefetch_form&) = default;
};

inline constexpr prefetch_form cctl_prefetch{0x798f, 0x00000100, 0x00800100};

// The SM's page names a form: `static constexpr prefetch_form prefetch = ...;`
template <class Arch>
concept has_prefetch = requires {
  {Arch::prefetch.low};
};

}  // namespace ww
