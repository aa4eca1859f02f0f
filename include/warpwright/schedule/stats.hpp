// SPDX-License-Identifier: BSL-1.0
//
// What the engine says about one block, and why it picked each instruction.
//
//   planned    cycles from the first to one past the last issue, by the engine's own simple in-order view: latencies of
//              the graph, pipe intervals, minimum stalls. The model (model/) is the judge, this is only what the engine
//              believed
//   original   the same count for the order that the block had
//   kept       the new order would have been longer, so the block was left as it was
//   reason     `kind` says how the pick came about; for `compared`, `field` is the priority's field that decided it
#pragma once

#include <cstdint>

namespace ww {

enum class pick_kind : std::uint8_t {
  only_ready,   // nothing else could issue
  compared,     // better than the runner-up; see field
  constrained,  // a better one was postponed by a constraint
  forced,       // every candidate was postponed; the best was placed all the same
  pinned        // ends its block
};

struct pick_reason {
  std::uint32_t runner_up = 0xffffffffu;  // local index of the second best, if compared
  pick_kind kind = pick_kind::only_ready;
  std::uint8_t field = 0;

  friend constexpr bool operator==(const pick_reason&, const pick_reason&) = default;
};

struct schedule_stats {
  std::uint64_t instructions = 0;
  std::uint64_t planned_cycles = 0;
  std::uint64_t original_cycles = 0;
  std::uint64_t critical_cycles = 0;  // critical path of the graph
  std::uint32_t blocks = 0;
  std::uint32_t kept_blocks = 0;   // left in their original order
  std::uint32_t split_blocks = 0;  // longer than the size limit
  std::uint32_t chunks = 0;        // parts scheduled on their own
  std::uint32_t postponed = 0;     // refusals by constraints
  std::uint32_t violations = 0;    // placed although a constraint refused
  bool failed = false;             // no graph, or one with a cycle, or a strategy broke a dependence; the order is unchanged

  constexpr schedule_stats& operator+=(const schedule_stats& o) {
    instructions += o.instructions;
    planned_cycles += o.planned_cycles;
    original_cycles += o.original_cycles;
    critical_cycles += o.critical_cycles;
    blocks += o.blocks;
    kept_blocks += o.kept_blocks;
    split_blocks += o.split_blocks;
    chunks += o.chunks;
    postponed += o.postponed;
    violations += o.violations;
    failed = failed || o.failed;
    return *this;
  }
  friend constexpr bool operator==(const schedule_stats&, const schedule_stats&) = default;
};

}  // namespace ww
