// SPDX-License-Identifier: BSL-1.0
//
// One round of backend C (PLS-17): a candidate schedule of the whole part, each pick evaluated and then committed.
//
//   take       the best instruction by the three keys among those that can issue
//   evaluate   1 its mode is 5 or 6 and the composition's constraints admit it    2 the SM's dependency counters suffice
//              3 before allocation: the pressure stays within the bound            4 its score passes the threshold gate
//   commit     an accepted instruction is placed and its score goes into the solution table under its class
//   retry      when nothing is accepted, the best that only the gate has turned down is placed, else the best of all: a
//              block is never left unfinished. With the gate inactive every pick ends here
// An instruction enters the queue when its predecessors are placed; the text puts the whole block in and rejects what comes
// out too early, which gives the same order.
#pragma once

#include <cstdint>

#include "../../constraint/all.hpp"
#include "../../meta/span.hpp"
#include "../../schedule/fixed_loop.hpp"
#include "../../schedule/stats.hpp"
#include "../../schedule/timing.hpp"
#include "../place_all.hpp"
#include "rejection_set.hpp"
#include "space.hpp"

namespace ww::backend::c {

template <class Config, class Options>
class list_round {
  using arch = typename Config::arch;

 public:
  list_round(const program& p, span<const instr_id> order, schedule_space& ws, space<Options>& own, schedule_stats& stats)
      : p_(p), order_(order), ws_(ws), own_(own), stats_(stats), count_(static_cast<std::uint32_t>(order.size())) {}

  // Fills ws.sequence; false when the graph has a cycle.
  bool run() {
    start();
    return place_all(
        ws_, own_.queues, count_, pinned_, [&] { return pick(); }, [&](std::uint32_t k) { place(k); });
  }
  // Cycles from the first to one past the last issue.
  [[nodiscard]] std::uint32_t cycles() const { return end_; }

 private:
  static constexpr std::uint32_t none = issue_queues<ready_list::three_rank>::none;
  static constexpr bool checks_pressure = Options::when == stage::pre;

  void start() {
    ws_.sequence.clear();
    own_.solutions.clear();
    pinned_ = ww::detail::last_is_pinned(p_, order_);
    if constexpr (checks_pressure) {
      own_.tracker.start(p_, order_, own_.live.of_blocks, own_.live.in, own_.live.out);
      bound_ = Config::mode::budget(arch::limits::general_registers, p_.register_count);
    }
    ww::detail::fill_nodes<arch>(p_, order_, ws_);
    own_.queues.start(ws_, own_.items, &own_.index_of);
    for (std::uint32_t i = 0; i < count_; ++i) ws_.nodes[i].earliest = own_.carried[i];
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (ws_.nodes[i].open == 0) add(i);
    }
  }
  void add(std::uint32_t i) {
    if (!pinned_ || i != count_ - 1) own_.queues.add(i);
  }

  std::uint32_t pick() {
    rejection_set<Options::most_asked> rejected;
    std::uint32_t chosen = none;
    while (!rejected.full()) {
      const std::uint32_t i = own_.queues.take();
      if (i == none) break;
      const verdict v = evaluate(i);
      if (v == verdict::accepted) {
        own_.solutions.insert(static_cast<std::uint32_t>(own_.entries[i].class_id), own_.entries[i].score);
        chosen = i;
        break;
      }
      rejected.insert(i, v);
      if (v == verdict::above_threshold) {
        if (!own_.gate.active()) break;  // it would turn down all the others, too
      } else if (ws_.nodes[i].refused < 0xff) {
        ++ws_.nodes[i].refused;
      }
    }
    stats_.postponed += rejected.size();
    if (chosen == none && !rejected.empty()) {
      chosen = rejected.retry();
      --stats_.postponed;
    }
    for (unsigned k = 0; k < rejected.size(); ++k) {
      if (rejected[k] != chosen) own_.queues.offer(rejected[k]);
    }
    return chosen;
  }

  [[nodiscard]] verdict evaluate(std::uint32_t i) const {
    const entry& e = own_.entries[i];
    if (!mode_allows(e.mode)) return verdict::constraint;
    const constraint::issue_view v = ww::detail::view_of<arch>(p_, order_[i], own_.queues.cycle());
    const unsigned refused = ws_.nodes[i].refused;
    if constexpr (meta::size_v<typename Config::constraints> != 0) {
      if (!constraint::admits_all<arch, typename Config::constraints>(v, window_, refused)) return verdict::constraint;
    }
    if (!constraint::admits_all<arch, meta::type_list<counters>>(v, window_, refused)) return verdict::architecture;
    if constexpr (checks_pressure) {
      const std::int64_t live = own_.tracker.live()[pressure_class::r];
      const std::int32_t more = own_.tracker.delta(i)[pressure_class::r];
      if (more > 0 && live + more > bound_) return verdict::pressure;
    }
    return own_.gate.rejects(e.score) ? verdict::above_threshold : verdict::accepted;
  }

  void place(std::uint32_t i) {
    ws_.sequence.push_back(i);
    if constexpr (checks_pressure) own_.tracker.place(i);
    const std::uint32_t issue = own_.queues.place(i, [&](std::uint32_t to) { add(to); });
    window_.place(ww::detail::view_of<arch>(p_, order_[i], issue));
    end_ = issue + 1;
  }

  using counters = constraint::counters<arch::barriers::count>;

  const program& p_;
  span<const instr_id> order_;
  schedule_space& ws_;
  space<Options>& own_;
  schedule_stats& stats_;
  std::uint32_t count_;
  std::uint32_t end_ = 0;
  std::int64_t bound_ = 0;
  bool pinned_ = false;
  constraint::issue_window window_;
};

}  // namespace ww::backend::c
