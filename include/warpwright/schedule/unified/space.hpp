// SPDX-License-Identifier: BSL-1.0
//
// The scratch memory of the unified engine, kept from block to block, and what a caller may look at after a block.
//
//   records   one per instruction of the block (record.hpp)       live   liveness of the program, filled once per program
//   wakes     ready instructions that wait for their operands, by cycle
//   urgents   ready instructions whose deadline is still to come, by deadline
//   arrivals  dependence cycles of ready instructions, largest first; entries of placed ones are dropped at the top
//   peak_before, peak_after   largest number of live registers per class, in the order as it came and in the new one
#pragma once

#include <cstdint>
#include "../../meta/span.hpp"
#include "../../meta/vec.hpp"

#include "../../pressure/liveness.hpp"
#include "live_values.hpp"
#include "preliminary.hpp"
#include "ready_index.hpp"
#include "record.hpp"
#include "slot_set.hpp"

namespace ww::unified {

// A binary heap of (cycle, index), smallest cycle first.
class event_heap {
 public:
  struct event {
    std::uint32_t cycle;
    std::uint32_t index;
  };
  void clear() { items_.clear(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const event& top() const { return items_.front(); }
  void push(event e) {
    std::size_t at = items_.size();
    items_.push_back(e);
    while (at > 0 && e.cycle < items_[(at - 1) / 2].cycle) {
      items_[at] = items_[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    items_[at] = e;
  }
  void pop() {
    const event e = items_.back();
    items_.pop_back();
    const std::size_t n = items_.size();
    if (n == 0) return;
    std::size_t at = 0;
    for (std::size_t child = 1; child < n; child = 2 * at + 1) {
      if (child + 1 < n && items_[child + 1].cycle < items_[child].cycle) ++child;
      if (items_[child].cycle >= e.cycle) break;
      items_[at] = items_[child];
      at = child;
    }
    items_[at] = e;
  }

 private:
  vec<event> items_;
};

struct space {
  liveness live;
  vec<record> records;
  live_values values;
  ready_index ready;
  slot_set targets;     // ready barrier targets
  slot_set nontargets;  // the other ready instructions
  event_heap wakes, urgents, arrivals;
  vec<std::uint64_t> live_in, live_out;
  vec<std::int32_t> table;  // latency counters of the depth table
  bool want_draft = false;  // make preliminary control words
  preliminary draft;
  class_counts peak_before, peak_after;
  std::uint64_t picks = 0;
  std::uint64_t evaluations = 0;  // candidates evaluated, over all picks
};

// Fills own.live_in and own.live_out for `count` instructions of block `b` from its `first` one on.
inline void live_at_ends(const program& p, const block& blk, block_id b, std::uint32_t first, std::uint32_t count,
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
