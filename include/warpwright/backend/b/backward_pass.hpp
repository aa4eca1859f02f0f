// SPDX-License-Identifier: BSL-1.0
//
// The backward pass of backend B (PLS-16): places a block from its end, gated by both pairs.
//
//   candidate   every instruction that must stand behind it is placed. The one that the forward order has last goes first,
//               so that without refusals the forward order comes out again
//   pick        as in the forward pass, with both gates; a refused candidate moves up in the block
//   count       instructions that the pass has placed so far; the second gate adds it
// Pressure P of a candidate: general registers live in front of it, were it placed above what is already there. Going up,
// registers are live from their last reader on to a full write, so physical registers need no value numbers here.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../ir/program.hpp"
#include "../../meta/span.hpp"
#include "../../schedule/stats.hpp"
#include "../../schedule/timing.hpp"
#include "options.hpp"
#include "space.hpp"

namespace ww::backend::b {

template <class Arch, class Options>
class backward_pass {
 public:
  backward_pass(const program& p, span<const instr_id> order, schedule_space& ws, space& own, schedule_stats& stats)
      : p_(p),
        order_(order),
        ws_(ws),
        own_(own),
        stats_(stats),
        score_(Options::template range<Arch>()),
        count_(static_cast<std::uint32_t>(order.size())) {}

  // Replaces ws.sequence, the forward order, by the backward one.
  bool run() {
    start();
    const bool pinned = ww::detail::last_is_pinned(p_, order_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (own_.open[i] == 0 && !(pinned && i == count_ - 1)) offer(i);
    }
    if (pinned) {
      if (own_.open[count_ - 1] != 0) return false;
      try_on(count_ - 1);
      place(count_ - 1);
    }
    while (own_.backward.size() < count_) {
      if (own_.below.empty()) return false;
      pick();
    }
    for (std::uint32_t k = 0; k < count_; ++k) ws_.sequence[k] = own_.backward[count_ - 1 - k];
    return true;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  void start() {
    const dependence_graph& g = ws_.graph;
    own_.place.resize(count_);
    own_.open.resize(count_);
    own_.backward.clear();
    own_.below.clear();
    own_.changed.clear();
    for (std::uint32_t k = 0; k < count_; ++k) own_.place[ws_.sequence[k]] = k;
    const std::size_t words = own_.live.of_blocks.layout.first_word[1];
    own_.alive.assign(own_.live.out.begin(), own_.live.out.begin() + static_cast<std::ptrdiff_t>(words));
    live_ = own_.live.general(own_.live.out);
    depth_ = own_.live.general(own_.live.through);
    for (std::uint32_t i = 0; i < count_; ++i) {
      own_.open[i] = g.succ_first[i + 1] - g.succ_first[i];
    }
  }
  void offer(std::uint32_t i) { own_.below.push(ready_list::entry::of(own_.place[i], i)); }

  void pick() {
    std::uint32_t aside[Options::most_asked];
    std::uint32_t refused = 0;
    std::uint32_t best = none;
    std::int64_t least = 0;
    while (refused < Options::most_asked && !own_.below.empty()) {
      const std::uint32_t i = own_.below.top().index();
      own_.below.pop();
      const std::int64_t live = try_on(i);
      if (score_.accepts_backward(static_cast<double>(live), depth_, static_cast<double>(own_.backward.size()))) {
        stats_.postponed += refused;
        for (std::uint32_t k = 0; k < refused; ++k) offer(aside[k]);
        place(i);
        return;
      }
      take_off();
      if (best == none || live < least) {
        best = i;
        least = live;
      }
      aside[refused++] = i;
    }
    stats_.postponed += refused - 1;
    ++stats_.violations;
    for (std::uint32_t k = 0; k < refused; ++k) {
      if (aside[k] != best) offer(aside[k]);
    }
    try_on(best);
    place(best);
  }

  // Turns the set live behind `i` into the set live in front of it; returns its size.
  std::int64_t try_on(std::uint32_t i) {
    const instruction& ins = p_[order_[i]];
    before_ = live_;
    for (const operand o : p_.operands_of(ins)) {
      if (o.is_def() && is_general(o) && !ins.has(iflag::guarded) && !o.is_partial()) flip(o, true);
    }
    for (const operand o : p_.operands_of(ins)) {
      if (o.is_use() && is_general(o)) flip(o, false);
    }
    return live_;
  }
  void take_off() {
    for (const std::uint32_t bit : own_.changed) own_.alive[bit >> 6] ^= std::uint64_t{1} << (bit & 63u);
    own_.changed.clear();
    live_ = before_;
  }
  static bool is_general(operand o) { return o.file() == reg_file::r && o.is_register(); }
  // Changes those registers of the operand whose bit is `from`.
  void flip(operand o, bool from) {
    own_.live.of_blocks.each_bit(o, [&](std::uint32_t bit) {
      std::uint64_t& word = own_.alive[bit >> 6];
      const std::uint64_t mask = std::uint64_t{1} << (bit & 63u);
      if (((word & mask) != 0) != from) return;
      word ^= mask;
      live_ += from ? -1 : 1;
      own_.changed.push_back(bit);
    });
  }

  // `i` has been tried on.
  void place(std::uint32_t i) {
    own_.changed.clear();
    own_.backward.push_back(i);
    for (const dependence_edge& e : ws_.graph.pred(i)) {
      if (--own_.open[e.from] == 0) offer(e.from);
    }
  }

  const program& p_;
  span<const instr_id> order_;
  schedule_space& ws_;
  space& own_;
  schedule_stats& stats_;
  score<typename Options::weights, typename Options::gate> score_;
  std::uint32_t count_;
  std::int64_t live_ = 0;
  std::int64_t before_ = 0;
  double depth_ = 0;
};

}  // namespace ww::backend::b
