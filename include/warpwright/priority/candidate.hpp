// SPDX-License-Identifier: BSL-1.0
//
// What a priority policy sees: one ready instruction (`candidate`) and the block's state at the pick (`pick_state`).
//
//   ready        every instruction that it depends on has been placed
//   height       cycles from its issue to the end of the block along the longest path below it, >= 1
//   earliest     first cycle at which its placed producers allow it to issue
//   deadline     last cycle at which it can issue without making the block longer than its critical path
//   delta        registers that become live minus registers that die, per register group
//   barrier target  reads the result of a variable-latency instruction, so it waits on a dependency counter
//   hot, cold    memory access with long (global, texture, surface) or short (constant, shared) latency
// Register groups are the four of PLS-3: general, predicate, address, uniform. Where an SM has no address
// registers (all here), the group `address` holds the uniform predicates, which have the same limit of seven.
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../isa/sched_class.hpp"

namespace ww::priority {

inline constexpr unsigned group_count = 4;
enum class reg_group : std::uint8_t { general, predicate, address, uniform };

enum class trait : std::uint16_t {
  barrier_target = 1u << 0,
  hot = 1u << 1,
  cold = 1u << 2,
  yield_boundary = 1u << 3,  // a YIELD instruction
  control = 1u << 4,         // a synchronisation or control instruction, which carries the yield state
  shared_memory = 1u << 5,
  imported = 1u << 6,  // comes from another block
  variable = 1u << 7,  // its own result needs a dependency counter
};

struct candidate {
  std::uint32_t index = 0;              // place in the block's program order
  std::uint32_t height = 1;             // cycles
  std::uint32_t earliest = 0;           // cycle
  std::uint32_t deadline = 0;           // cycle
  std::uint32_t dependence_cycle = 0;   // earliest, counting only true dependences
  std::uint32_t predecessor_cycle = 0;  // issue cycle of the last placed predecessor
  std::uint32_t latency = 1;            // longest latency of an edge to a successor, cycles
  std::uint16_t fanout = 0;             // successors
  std::uint16_t traits = 0;
  std::int8_t delta[group_count] = {0, 0, 0, 0};
  std::uint8_t barrier_group = 0;  // queue of the variable producer it waits for
  sched_class iclass{};
  pipe_id pipe{};
  std::uint8_t interval = 1;  // cycles that it occupies its pipe

  [[nodiscard]] constexpr bool has(trait t) const { return (traits & static_cast<std::uint16_t>(t)) != 0; }
  constexpr void add(trait t) { traits = static_cast<std::uint16_t>(traits | static_cast<std::uint16_t>(t)); }
};

struct pick_state {
  std::uint32_t cycle = 0;            // the cycle being filled
  std::uint32_t critical_length = 0;  // cycles of the block's critical path
  std::uint32_t slack = 0;            // cycles by which an instruction may miss its deadline and still count as critical
  std::int32_t live[group_count] = {0, 0, 0, 0};
  std::int32_t limit[group_count] = {255, 7, 7, 63};
  std::int32_t reduced_limit = 240;          // general registers, about 6 % below the limit
  std::int32_t positive_pressure = 0;        // sum of positive general deltas over the ready list
  std::uint32_t max_predecessor_cycle = 0;   // over the ready list
  std::uint32_t shared_count = 0;            // ready shared-memory accesses
  std::uint32_t barrier_count = 0;           // ready barrier targets
  std::uint32_t hot_budget = 0;              // how many more cold accesses before hot and cold stop mattering
  std::uint32_t pipe_free[pipe_count] = {};  // cycle from which a pipe takes the next instruction
  bool yield_state = false;                  // the stream is at a point where another warp should run

  [[nodiscard]] constexpr std::int32_t after(const candidate& c, reg_group g) const {
    const auto i = static_cast<unsigned>(g);
    return live[i] + c.delta[i];
  }
  // Cycle at which the candidate would issue if it were picked now.
  [[nodiscard]] constexpr std::uint32_t issue(const candidate& c) const {
    const std::uint32_t pipe = pipe_free[static_cast<unsigned>(c.pipe)];
    const std::uint32_t ready = c.earliest > pipe ? c.earliest : pipe;
    return ready > cycle ? ready : cycle;
  }
};

}  // namespace ww::priority
