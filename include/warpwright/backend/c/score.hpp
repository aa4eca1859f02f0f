// SPDX-License-Identifier: BSL-1.0
//
// The composite score of backend C (PLS-17), the second key of its queue: how much an instruction is waited for.
//
//   depth term     for each dependence of the entry, in its block or carried in from another one: LatencyScale of the
//                  producer times the entry's pressure cost
//   conflict       a producer whose result needs a dependency counter. The largest latency scale of such producers, at
//                  least 1
//   long latency   an entry above options::long_latency gets ten times that
// An entry without dependences and of short latency scores 0, whatever its pressure cost.
#pragma once

#include <cstdint>

#include "../../meta/rounded.hpp"

namespace ww::backend::c {

class composite_score {
 public:
  static constexpr double long_latency_weight = 10.0;

  constexpr explicit composite_score(double pressure_cost) : cost_(pressure_cost) {}

  constexpr void depend(double producer_scale, bool conflict) {
    if (conflict && producer_scale > worst_conflict_) worst_conflict_ = producer_scale;
    depth_ += meta::rounded(producer_scale * cost_);
  }
  [[nodiscard]] constexpr double value(bool long_latency) const {
    return depth_ + (long_latency ? meta::rounded(worst_conflict_ * long_latency_weight) : 0.0);
  }

 private:
  double cost_;
  double depth_ = 0;
  double worst_conflict_ = 1.0;
};

}  // namespace ww::backend::c
