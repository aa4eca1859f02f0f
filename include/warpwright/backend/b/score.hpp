// SPDX-License-Identifier: BSL-1.0
//
// The quadratic score of backend B (PLS-16) for P live general registers, and the gates that compare with it.
//
//   first(P)    P * (ilp_weight / range * (P - min) + pressure_weight)                      pair 1
//   second(P)   floor(P * (backward_penalty / range * (P - min) + forward_weight))          pair 2, rounded down
//   forward     accepts when the gate passes P + depth against first(P)
//   backward    accepts when it also passes P + depth + count against second(P)
//   guard       P at or below min is accepted without asking
//
// P: live general registers after the candidate. depth: population of the live bit vectors that only pass through. count:
// instructions that the pass has placed so far. range = max - min. With the text's weights first(P) exceeds P by
// 0.8 * P * (max - P) / range: a penalty that grows with P up to half of max, and shrinks again above.
#pragma once

#include <cmath>
#include <cstdint>

#include "../../meta/rounded.hpp"
#include "weights.hpp"

namespace ww::backend::b {

// The gate of the text: a candidate passes when it lies above the score.
struct above_score {
  [[nodiscard]] static constexpr bool passes(double cost, double score) { return cost > score; }
};
// The other reading: the score is what may be live, and a candidate above it is refused.
struct within_score {
  [[nodiscard]] static constexpr bool passes(double cost, double score) { return cost <= score; }
};

template <class Weights = text_weights, class Gate = above_score>
class score {
 public:
  constexpr explicit score(register_range r)
      : least_(r.least),
        pressure_slope_(Weights::ilp_weight / r.span()),
        secondary_slope_(Weights::backward_penalty / r.span()) {}

  [[nodiscard]] constexpr double pressure_slope() const { return pressure_slope_; }
  [[nodiscard]] constexpr double secondary_slope() const { return secondary_slope_; }

  [[nodiscard]] constexpr double first(double live) const {
    return meta::rounded(live * (meta::rounded(pressure_slope_ * (live - least_)) + Weights::pressure_weight));
  }
  [[nodiscard]] double second(double live) const {
    return std::floor(live * (meta::rounded(secondary_slope_ * (live - least_)) + Weights::forward_weight));
  }

  // True where the gates are asked at all.
  [[nodiscard]] constexpr bool contended(double live) const { return live > least_; }
  [[nodiscard]] constexpr bool accepts_forward(double live, double depth) const {
    return !contended(live) || Gate::passes(live + depth, first(live));
  }
  [[nodiscard]] bool accepts_backward(double live, double depth, double count) const {
    return !contended(live) || (Gate::passes(live + depth, first(live)) && Gate::passes(live + depth + count, second(live)));
  }

 private:
  double least_;
  double pressure_slope_;
  double secondary_slope_;
};

}  // namespace ww::backend::b
