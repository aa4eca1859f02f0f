// SPDX-License-Identifier: BSL-1.0
//
// What of backend B (PLS-16) a user may change, by deriving from `options` and hiding a member.
//
//   weights      the two weight pairs
//   gate         above_score, the rule of the text, or within_score
//   most_asked   candidates that one pick asks before it takes one that the gates refuse (bounds the time of a pick)
//   range<Arch>  registers between which the score bends. The text reads both from the target: here the least is the largest
//                number of registers at which the SM still holds all of its warps, the most what one thread can name;
//                registers that hardware reserves are in neither
#pragma once

#include "../../pressure/occupancy.hpp"
#include "score.hpp"
#include "weights.hpp"

namespace ww::backend::b {

struct options {
  using weights = text_weights;
  using gate = above_score;
  static constexpr unsigned most_asked = 8;

  template <class Arch>
  [[nodiscard]] static constexpr register_range range() {
    using limits = typename Arch::limits;
    const unsigned full = occupancy_of<Arch>(1).budget;
    const unsigned reserved = limits::reserved_registers;
    return {static_cast<double>(full > reserved ? full - reserved : 0), static_cast<double>(limits::general_registers)};
  }
};

}  // namespace ww::backend::b
