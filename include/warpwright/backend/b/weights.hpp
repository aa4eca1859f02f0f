// SPDX-License-Identifier: BSL-1.0
//
// The two pairs of weights of backend B (PLS-16), as constants that a user's struct may replace by deriving.
//
//   pair 1   pressure_weight 1.8 and ilp_weight -0.8: register pressure against instruction-level parallelism
//   pair 2   forward_weight 3.2 and backward_penalty -2.2: the second axis, asked by the backward pass
//   complement rule: the two weights of a pair add up to one, so whoever sets the first has set the second
//   slope    the second weight divided by the register range (max - min): the score scales with the register file
//
// Source of the four numbers: the reference text, section "Float Weighting System".
#pragma once

namespace ww::backend::b {

// The complement rule.
[[nodiscard]] constexpr double complement(double weight) { return 1.0 - weight; }

struct text_weights {
  static constexpr double pressure_weight = 1.8;
  static constexpr double ilp_weight = -0.8;
  static constexpr double forward_weight = 3.2;
  static constexpr double backward_penalty = -2.2;
};

// Own weights for both pairs, in thousandths: own_weights<1500, 3200> has the pairs (1.5, -0.5) and (3.2, -2.2).
template <int Pressure, int Forward = 3200>
struct own_weights {
  static constexpr double pressure_weight = Pressure / 1000.0;
  static constexpr double ilp_weight = complement(pressure_weight);
  static constexpr double forward_weight = Forward / 1000.0;
  static constexpr double backward_penalty = complement(forward_weight);
};

// Registers per thread between which the score bends: at or below `least` pressure is free.
struct register_range {
  double least = 0;
  double most = 0;

  // Never below one register, so that the slopes are finite where a machine has no range.
  [[nodiscard]] constexpr double span() const { return most - least > 1.0 ? most - least : 1.0; }
};

}  // namespace ww::backend::b
