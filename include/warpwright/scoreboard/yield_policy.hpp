// SPDX-License-Identifier: BSL-1.0
//
// When an instruction carries the yield form of its stall (SB-6). Each policy is an empty type of role yield_policy.
//
//   yields::observed   (default) what the compiler does: yield iff the stall covers a result latency of at least three
//                      cycles, or is 12 or more; structural stalls and branches stay (facts: observed, control-word rules)
//   yields::text       the text's EncodeYieldField: yield from `stall_floor` (3) cycles on; the cap at the threshold
//                      (4) is not applied, for shortening a stall would break a dependence (docs/deviations.md)
//   yields::stay       never yield unless the code set requires it
// Whatever a policy says, a stall above `max_stall_stay` must yield (codes 28..31 are undefined) and a drain always does.
#pragma once

#include "../meta/role.hpp"

namespace ww::yields {

struct observed {
  using role = ww::role::yield_policy;
  static constexpr const char* name = "observed";
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool covers_latency) {
    return (covers_latency && stall >= 3) || stall > Barriers::max_stall_stay;
  }
};

struct text {
  using role = ww::role::yield_policy;
  static constexpr const char* name = "text";
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool) {
    return stall >= Barriers::stall_floor || stall > Barriers::max_stall_stay;
  }
};

struct stay {
  using role = ww::role::yield_policy;
  static constexpr const char* name = "stay";
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool) {
    return stall > Barriers::max_stall_stay;
  }
};

}  // namespace ww::yields
