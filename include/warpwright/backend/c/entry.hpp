// SPDX-License-Identifier: BSL-1.0
//
// The scheduling entry of backend C (PLS-17): what is known of one instruction while its block is ordered.
//
//   pressure_cost   operands, opcode bonus, damping, latency and live-range penalty (pressure_cost.hpp)
//   score           second key of the queue, and what the threshold gate looks at (score.hpp)
//   priority        first key of the queue: cycles to the end of the block, coarser before allocation
//   latency         latency scale of its class, 1 = an ALU instruction
//   mode            5 or 6 for instructions that the evaluator schedules by choice (after and before allocation); 2 for
//                   those that have one place only (fences, block ends, padding). The constraint check wants 5 or 6
#pragma once

#include <cstdint>

#include "../../isa/sched_class.hpp"

namespace ww::backend::c {

enum class entry_mode : std::uint8_t { fixed = 2, post = 5, pre = 6 };

struct entry {
  double pressure_cost = 0;
  double score = 0;
  double latency = 1;
  std::int32_t priority = 0;
  sched_class class_id{};
  entry_mode mode = entry_mode::fixed;
  bool long_latency = false;
};

// First validation step.
[[nodiscard]] constexpr bool mode_allows(entry_mode m) { return m == entry_mode::post || m == entry_mode::pre; }

}  // namespace ww::backend::c
