// SPDX-License-Identifier: BSL-1.0
//
// The scratch memory of the scheduling engine. Keep one per thread and hand it to every call: after the largest program
// has been seen once, scheduling its blocks allocates nothing (what largest is: pipeline/scheduler.hpp).
//
//   sequence   the result: local indices (places in the block's program order) in issue order
//   reasons    one per pick, in issue order, filled only when `want_reasons` is set
//   at         the block that is being ordered
//   prepared   the strategy's prepare() has seen the program whose blocks are being ordered
//   nodes      per instruction: what the pick loops need in one cache line's reach
// Queues depend on the ready-list policy: `schedule_workspace<Config>` adds those of the composition.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../graph/graph.hpp"
#include "../graph/workspace.hpp"
#include "../ir/ids.hpp"
#include "../meta/vec.hpp"
#include "../priority/candidate.hpp"
#include "block_facts.hpp"
#include "ready_list/heap.hpp"
#include "stats.hpp"
#include "strategy.hpp"

namespace ww {

namespace detail {

// One instruction in the pick loops. `open` counts predecessors that are not placed yet.
struct schedule_node {
  std::uint64_t rank = 0;      // entry of the ready list
  std::uint32_t earliest = 0;  // cycle
  std::uint32_t open = 0;
  std::uint8_t pipe = 0;
  std::uint8_t interval = 1;   // cycles
  std::uint8_t min_stall = 1;  // cycles
  std::uint8_t refused = 0;    // times that a constraint postponed it
  sched_class iclass{};
};

}  // namespace detail

struct schedule_space {
  dependence_graph graph;
  graph_workspace graph_space;
  vec<std::uint32_t> sequence;
  vec<pick_reason> reasons;
  bool want_reasons = false;
  block_id at;
  std::uint32_t part_first = 0;  // where in it the part starts
  bool prepared = false;

  vec<detail::schedule_node> nodes;
  vec<instr_id> before;                 // the order of the part before it was scheduled
  ready_list::heap<>::queue future;     // not yet issuable, earliest cycle first
  vec<priority::candidate> candidates;  // per-pick priorities only
  detail::pressure_bits pressure;       // per-pick priorities that ask for register pressure
  vec<std::uint32_t> stack;
  vec<instr_id> given;         // the order of the part before a strategy's order_part() had it
  vec<std::uint32_t> node_of;  // by instruction; what is not of the part holds anything
  std::uint64_t planned = 0;   // cycles of `sequence`, if the strategy counted them
  std::size_t room = 0;        // instructions of a part that every queue has room for
};

template <class Config>
struct schedule_workspace : schedule_space {
  typename Config::ready_list::queue ready[pipe_count];  // one per pipe; per-pick priorities use the first
  [[no_unique_address]] typename detail::strategy_space<typename Config::strategy>::type own;
};

}  // namespace ww
