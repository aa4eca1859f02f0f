// SPDX-License-Identifier: BSL-1.0
//
// What of backend C (PLS-17) a user may change, by deriving from `options` and hiding a member.
//
//   operand_weight   pressure cost of one live register operand          damping   factor for a negated last register source
//   latency_weight   factor of the bonus of atomics on shared memory     penalty   factor for too many live ranges
//   excess_limit     share of excess live ranges from which the penalty applies
//   live_ranges      live ranges that an instruction may touch before they count as excess, less two
//   when             pre: before registers are assigned. Pressure is checked against a bound, priorities are coarse so that
//                    scores decide more often. post: over assigned registers, which no order can exceed
//   refinements      rounds after the first, each with a tighter threshold; the best round is committed
//   most_asked       candidates that one pick evaluates before it retries the rejected ones (bounds the time of a pick)
//   queue            the ordered queue: ordered_queue, or red_black_queue as the text has it (same order)
//   long_latency     cycles above which an instruction counts as one of long latency (reference text: more than 19)
//
// The text names the weights but not their values (they come from the target): the numbers here are assumed.
#pragma once

#include <cstdint>

#include "../../schedule/ready_list/ordered3.hpp"
#include "../../schedule/ready_list/three_key.hpp"

namespace ww::backend::c {

enum class stage : std::uint8_t { pre, post };

struct options {
  using queue = ready_list::ordered_queue<ready_list::three_rank>;
  static constexpr double operand_weight = 1.0;
  static constexpr double damping = 0.5;
  static constexpr double latency_weight = 1.0;
  static constexpr double penalty = 2.0;
  static constexpr double excess_limit = 0.5;
  static constexpr int live_ranges = 4;
  static constexpr stage when = stage::post;
  static constexpr unsigned refinements = 2;
  static constexpr unsigned most_asked = 8;
  static constexpr unsigned long_latency = 19;  // cycles
};

struct pre_options : options {
  static constexpr stage when = stage::pre;
};

}  // namespace ww::backend::c
