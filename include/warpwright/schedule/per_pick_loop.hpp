// SPDX-License-Identifier: BSL-1.0
//
// The core loop for priorities that look at the state of the block: PLS-1 as the text has it. One pass over the whole ready
// list gathers what the bits need, a second one keeps a running best by the priority's own comparison.
//
// The ready list is kept sorted by height at insertion (the text inserts by priority value), so that the likely winner is
// met first. A pick costs O(ready); fixed-key priorities have their own loop. The state that survives a pick: cycle and
// pipes, live registers per group, the budget of cold accesses, the yield state.
//   yield state   true when every ready instruction would stall by at least the architecture's yield threshold
#pragma once

#include <cstdint>

#include "../constraint/all.hpp"
#include "../graph/graph.hpp"
#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../priority/concept.hpp"
#include "block_facts.hpp"
#include "class_table.hpp"
#include "fixed_loop.hpp"
#include "timing.hpp"
#include "workspace.hpp"

namespace ww::detail {

template <class Config, class Workspace>
class per_pick_engine {
  using arch = typename Config::arch;
  using mode_type = typename Config::mode;
  using priority_type = typename Config::priority;
  using constraint_list = typename Config::constraints;
  static constexpr bool constrained = meta::size_v<constraint_list> != 0;

 public:
  constexpr per_pick_engine(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats)
      : p_(p), order_(order), ws_(ws), stats_(stats), count_(static_cast<std::uint32_t>(order.size())) {}

  constexpr bool run() {
    start();
    const std::uint32_t free_picks = pinned_ ? count_ - 1 : count_;
    while (ws_.sequence.size() < free_picks) {
      if (ready().empty()) return false;
      survey();
      pick();
    }
    if (pinned_) {
      if (ws_.nodes[count_ - 1].open != 0) return false;
      place(count_ - 1, {0xffffffffu, pick_kind::pinned, 0});
    }
    return true;
  }

 private:
  [[nodiscard]] constexpr auto& ready() { return ws_.ready[0]; }

  constexpr void start() {
    const dependence_graph& g = ws_.graph;
    ready().clear();
    ws_.sequence.reserve(count_);
    ws_.candidates.assign(count_, priority::candidate{});
    pinned_ = last_is_pinned(p_, order_);
    state_.critical_length = g.critical_path;
    state_.slack = mode_type::critical_slack;
    state_.hot_budget = mode_type::hot_budget;
    for (std::uint32_t i = 0; i < count_; ++i) describe(i);
    if constexpr (priority::detail::needs_pressure<priority_type>) {
      fill_pressure(p_, order_, ws_.candidates, state_.live, ws_.pressure);
      const unsigned most = arch::limits::general_registers;
      state_.limit[0] = mode_type::budget(most, p_.register_count);
      state_.limit[1] = static_cast<std::int32_t>(arch::limits::predicates);
      state_.limit[2] = static_cast<std::int32_t>(arch::limits::uniform_predicates);
      state_.limit[3] = static_cast<std::int32_t>(arch::limits::uniform_registers);
      state_.reduced_limit = state_.limit[0] - state_.limit[0] / 16;
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (ws_.nodes[i].open == 0) make_ready(i);
    }
  }

  constexpr void describe(std::uint32_t i) {
    const dependence_graph& g = ws_.graph;
    const schedule_node& node = ws_.nodes[i];
    priority::candidate& c = ws_.candidates[i];
    c.index = i;
    c.height = g.height[i];
    c.deadline = g.critical_path - g.height[i];
    c.iclass = node.iclass;
    c.pipe = static_cast<pipe_id>(node.pipe);
    c.interval = node.interval;
    c.traits = traits_of(p_[order_[i]], row_of<arch>(node.iclass).variable);
    const auto out = g.succ(i);
    c.fanout = static_cast<std::uint16_t>(meta::min<std::size_t>(out.size(), 0xffffu));
    for (const dependence_edge& e : out) c.latency = meta::max<std::uint32_t>(c.latency, e.latency);
    for (const dependence_edge& e : g.pred(i)) {
      const sched_class from = ws_.nodes[e.from].iclass;
      if (e.kind != dependence_kind::raw || !row_of<arch>(from).variable) continue;
      c.add(priority::trait::barrier_target);
      c.barrier_group = meta::max(c.barrier_group, static_cast<std::uint8_t>(arch::latency::completion_queue(from)));
    }
  }

  constexpr void make_ready(std::uint32_t i) {
    if (pinned_ && i == count_ - 1) return;
    ready().push(ready_list::entry::of(ws_.candidates[i].height, i));
  }

  // The pre-scan of the ready list.
  constexpr void survey() {
    state_.positive_pressure = 0;
    state_.max_predecessor_cycle = 0;
    state_.shared_count = 0;
    state_.barrier_count = 0;
    std::uint32_t soonest = 0xffffffffu;
    for (std::size_t i = 0; i < ready().size(); ++i) {
      const priority::candidate& c = ws_.candidates[ready().at(i).index()];
      state_.positive_pressure += meta::max<int>(c.delta[0], 0);
      state_.max_predecessor_cycle = meta::max(state_.max_predecessor_cycle, c.predecessor_cycle);
      state_.shared_count += c.has(priority::trait::shared_memory) ? 1u : 0u;
      state_.barrier_count += c.has(priority::trait::barrier_target) ? 1u : 0u;
      soonest = meta::min(soonest, state_.issue(c));
    }
    state_.yield_state = soonest >= state_.cycle + arch::barriers::yield_threshold;
  }

  constexpr void pick() {
    std::size_t best = ready().size();
    std::size_t second = best;
    std::size_t refused_best = best;
    priority::verdict decided;
    for (std::size_t i = 0; i < ready().size(); ++i) {
      const std::uint32_t index = ready().at(i).index();
      const priority::candidate& c = ws_.candidates[index];
      if constexpr (constrained) {
        const constraint::issue_view v = view_of<arch>(p_, order_[index], state_.issue(c));
        if (!constraint::admits_all<arch, constraint_list>(v, window_, ws_.nodes[index].refused)) {
          if (refused_best == ready().size() || wins(c, refused_best)) refused_best = i;
          continue;
        }
      }
      if (best == ready().size()) {
        best = i;
        continue;
      }
      const priority::verdict v = priority_type::compare(c, ws_.candidates[ready().at(best).index()], state_);
      if (v.first_wins) {
        second = best;
        best = i;
        decided = v;
      } else if (second == ready().size() || wins(c, second)) {
        second = i;
        decided = v;
      }
    }
    pick_reason why;
    if (best == ready().size()) {
      best = refused_best;
      why.kind = pick_kind::forced;
      ++stats_.violations;
    } else if (constrained && refused_best != ready().size() &&
               wins(ws_.candidates[ready().at(refused_best).index()], best)) {
      why = {ready().at(refused_best).index(), pick_kind::constrained, 0};
      if (auto& r = ws_.nodes[ready().at(refused_best).index()].refused; r < 0xff) ++r;
      ++stats_.postponed;
    } else if (second != ready().size()) {
      why = {ready().at(second).index(), pick_kind::compared, decided.reason};
    }
    const std::uint32_t index = ready().at(best).index();
    ready().take(best);
    if constexpr (constrained) window_.place(view_of<arch>(p_, order_[index], state_.issue(ws_.candidates[index])));
    place(index, why);
  }

  [[nodiscard]] constexpr bool wins(const priority::candidate& c, std::size_t place) {
    return priority_type::compare(c, ws_.candidates[ready().at(place).index()], state_).first_wins;
  }

  constexpr void place(std::uint32_t i, const pick_reason& why) {
    const schedule_node& node = ws_.nodes[i];
    const priority::candidate& c = ws_.candidates[i];
    const std::uint32_t issue = state_.issue(c);
    ws_.sequence.push_back(i);
    ws_.planned = issue + std::uint64_t{1};
    if (ws_.want_reasons) ws_.reasons.push_back(why);
    state_.pipe_free[node.pipe] = issue + node.interval;
    state_.cycle = issue + node.min_stall;
    for (unsigned g = 0; g < priority::group_count; ++g) state_.live[g] += c.delta[g];
    // PLS-3, hot and cold: a cold winner uses up the budget, a hot one ends the tracking for this block.
    if (state_.hot_budget > 0) {
      if (c.has(priority::trait::cold)) {
        --state_.hot_budget;
      } else if (c.has(priority::trait::hot)) {
        state_.hot_budget = 0;
      }
    }
    for (const dependence_edge& e : ws_.graph.succ(i)) {
      priority::candidate& to = ws_.candidates[e.to];
      const std::uint32_t at = issue + e.latency;
      to.earliest = meta::max(to.earliest, at);
      if (e.kind == dependence_kind::raw) to.dependence_cycle = meta::max(to.dependence_cycle, at);
      to.predecessor_cycle = meta::max(to.predecessor_cycle, issue);
      if (--ws_.nodes[e.to].open == 0) make_ready(e.to);
    }
  }

  const program& p_;
  span<const instr_id> order_;
  Workspace& ws_;
  schedule_stats& stats_;
  std::uint32_t count_;
  bool pinned_ = false;
  priority::pick_state state_;
  constraint::issue_window window_;
};

template <class Config, class Workspace>
constexpr bool per_pick_loop(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
  return per_pick_engine<Config, Workspace>(p, order, ws, stats).run();
}

}  // namespace ww::detail
