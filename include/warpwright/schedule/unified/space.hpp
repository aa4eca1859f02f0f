// SPDX-License-Identifier: BSL-1.0
//
// The scratch memory of the unified engine, kept from block to block, and what a caller may look at after a block.
//
//   records   one per instruction of the block (record.hpp)       live   liveness of the program, filled once per program
//   wakes     ready instructions that wait for their operands, by cycle
//   urgents   the instructions of the block by deadline
//   arrivals  dependence cycles of ready instructions, largest first; entries of placed ones are dropped at the top
//   peak_before, peak_after   largest number of live registers per class, in the order as it came and in the new one
#pragma once

#include <cstdint>
#include "../../meta/span.hpp"
#include "../../meta/vec.hpp"

#include "../../pressure/liveness.hpp"
#include "deadline_order.hpp"
#include "live_values.hpp"
#include "preliminary.hpp"
#include "ready_index.hpp"
#include "record.hpp"
#include "slot_set.hpp"
#include "wake_ring.hpp"

namespace ww::unified {

struct space {
  liveness live;
  vec<record> records;
  live_values values;
  ready_index ready;
  slot_set targets;     // ready barrier targets
  slot_set nontargets;  // the other ready instructions
  wake_ring wakes;
  deadline_order urgents;
  event_heap arrivals;
  vec<std::uint64_t> live_in, live_out;
  vec<std::int32_t> table;  // latency counters of the depth table
  bool want_draft = false;  // make preliminary control words
  preliminary draft;
  class_counts peak_before, peak_after;
  std::uint64_t picks = 0;
  std::uint64_t evaluations = 0;  // candidates evaluated, over all picks
};

// Fills own.live_in and own.live_out for `count` instructions of block `b` from its `first` one on.
constexpr void live_at_ends(const program& p, const block& blk, block_id b, std::uint32_t first, std::uint32_t count,
                            space& own) {
  const span<const std::uint64_t> out = own.live.live_out(b);
  own.live_out.assign(out.begin(), out.end());
  if (first == 0 && count == blk.count) {  // the order inside a block does not matter to its ends
    const span<const std::uint64_t> in = own.live.live_in(b);
    own.live_in.assign(in.begin(), in.end());
    return;
  }
  const span<const instr_id> order = p.order_of(blk);
  for (std::size_t k = order.size(); k-- > std::size_t{first} + count;) {
    own.live.step(p, p[order[k]], own.live_out.data());
  }
  own.live_in = own.live_out;
  for (std::size_t k = std::size_t{first} + count; k-- > first;) own.live.step(p, p[order[k]], own.live_in.data());
}

}  // namespace ww::unified
