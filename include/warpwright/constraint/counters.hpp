// SPDX-License-Identifier: BSL-1.0
//
// Counter limit: do not open more groups of outstanding results than there are dependency counters.
//
// A warp has six counters. When all of them are held, one more variable-latency result has to share one, and whoever waits
// for the older result then waits for the newer one as well. A candidate that would open group Count + 1 is postponed while
// something else can issue; results of one in-order queue placed within a few instructions share a group, which costs
// nothing.
#pragma once

#include "../meta/role.hpp"
#include "issue_window.hpp"

namespace ww::constraint {

template <unsigned Count = 6>
struct counters {
  using role = ww::role::constraint;
  static constexpr const char* name = "counters";
  static constexpr bool arguments_fit = Count >= 1;
  static constexpr unsigned patience = 4;
  static constexpr unsigned counters_used = Count;

  template <class Arch>
  [[nodiscard]] constexpr static bool admits(const issue_view& next, const issue_window& placed) {
    if (!next.variable || placed.joins(next) != nullptr) return true;
    return placed.open_groups(next.cycle) < Count;
  }
};

}  // namespace ww::constraint
