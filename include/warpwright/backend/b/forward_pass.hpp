// SPDX-License-Identifier: BSL-1.0
//
// The forward pass of backend B (PLS-16): list scheduling from the start of a block, gated by pair 1.
//
//   pick       the ready instructions in queue order are asked one after the other: the first one that the gate accepts is
//              placed, and those that it refused go back into the queue
//   refused    when the gate refuses every one asked, the one with the fewest live registers is placed, the first of them in
//              queue order: a block is never left unfinished
// Pressure P of a candidate: general registers live after it, were it placed now. The last instruction of a block stays
// last.
#pragma once

#include <cstdint>

#include "../../ir/program.hpp"
#include "../../meta/span.hpp"
#include "../../schedule/stats.hpp"
#include "../../schedule/timing.hpp"
#include "../place_all.hpp"
#include "options.hpp"
#include "space.hpp"

namespace ww::backend::b {

template <class Arch, class Options>
class forward_pass {
 public:
  forward_pass(const program& p, span<const instr_id> order, schedule_space& ws, space& own, schedule_stats& stats)
      : p_(p),
        order_(order),
        ws_(ws),
        own_(own),
        stats_(stats),
        score_(Options::template range<Arch>()),
        count_(static_cast<std::uint32_t>(order.size())) {}

  // Fills ws.sequence; false when the graph has a cycle.
  bool run() {
    start();
    return place_all(
        ws_, own_.queues, count_, pinned_, [&] { return pick(); }, [&](std::uint32_t k) { place(k); });
  }

 private:
  static constexpr std::uint32_t none = issue_queues<ready_list::entry>::none;

  void start() {
    const dependence_graph& g = ws_.graph;
    own_.tracker.start(p_, order_, own_.live.of_blocks, own_.live.in, own_.live.out);
    depth_ = own_.live.general(own_.live.through);
    pinned_ = ww::detail::last_is_pinned(p_, order_);
    own_.keys.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t fanout = g.succ_first[i + 1] - g.succ_first[i];
      own_.keys[i] = ready_list::entry::of((std::uint64_t{g.height[i]} << 16) | (fanout < 0xffffu ? fanout : 0xffffu), i);
    }
    own_.queues.start(ws_, own_.keys);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (ws_.nodes[i].open == 0) add(i);
    }
  }
  void add(std::uint32_t i) {
    if (!pinned_ || i != count_ - 1) own_.queues.add(i);
  }

  std::uint32_t pick() {
    std::uint32_t aside[Options::most_asked];
    std::uint32_t refused = 0;
    std::uint32_t best = none;
    std::int64_t least = 0;
    std::uint32_t chosen = none;
    while (refused < Options::most_asked) {
      const std::uint32_t i = own_.queues.take();
      if (i == none) break;
      const std::int64_t live = pressure_after(i);
      if (score_.accepts_forward(static_cast<double>(live), depth_)) {
        chosen = i;
        break;
      }
      if (best == none || live < least) {
        best = i;
        least = live;
      }
      aside[refused++] = i;
    }
    stats_.postponed += refused;
    if (chosen == none && best != none) {
      chosen = best;
      --stats_.postponed;
      ++stats_.violations;
    }
    for (std::uint32_t k = 0; k < refused; ++k) {
      if (aside[k] != chosen) own_.queues.offer(aside[k]);
    }
    return chosen;
  }
  [[nodiscard]] std::int64_t pressure_after(std::uint32_t i) const {
    return std::int64_t{own_.tracker.live()[pressure_class::r]} + own_.tracker.delta(i)[pressure_class::r];
  }

  void place(std::uint32_t i) {
    ws_.sequence.push_back(i);
    own_.tracker.place(i);
    own_.queues.place(i, [&](std::uint32_t to) { add(to); });
  }

  const program& p_;
  span<const instr_id> order_;
  schedule_space& ws_;
  space& own_;
  schedule_stats& stats_;
  score<typename Options::weights, typename Options::gate> score_;
  std::uint32_t count_;
  double depth_ = 0;
  bool pinned_ = false;
};

}  // namespace ww::backend::b
