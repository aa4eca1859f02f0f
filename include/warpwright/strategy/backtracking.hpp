// SPDX-License-Identifier: BSL-1.0
//
// Backtracking (PLS-13, "Backtracking Scheduler"): list scheduling that takes picks back.
//
//   conflict   a pick that stalls for more than Threshold cycles, or that waits although an operand-ready instruction exists
//              (its pipe is taken: a resource conflict), and that raised the least possible end of the block (plan::bound)
//   undo       the last 1, 2 ... Depth picks are taken back, latest first, and their instructions are ready again
//   retry      up to Width other selections are tried at the place that was undone; the list scheduler goes on from each to
//              the place of the conflict. The first one whose least possible end is lower stays; otherwise the old picks
//              are made again
// A conflict whose cause lies further back than Depth picks is left alone: undoing could not help. Work is bounded by Budget
// picks per instruction of the block. The result is never longer, in planned cycles, than the list scheduler's.
// Constraints are wishes about neighbours; with any in the composition the list's order is kept as it is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "incumbent.hpp"
#include "plan.hpp"

namespace ww::strategy {

template <unsigned Depth = 10, unsigned Width = 6, unsigned Threshold = 0, unsigned Budget = 64>
struct backtracking {
  using role = ww::role::strategy;
  static constexpr const char* name = "backtracking";
  static constexpr bool arguments_fit = Depth >= 1 && Depth <= 64 && Width >= 1;
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  struct space {
    plan trial;
    vec<std::uint32_t> bounds;   // plan::bound() after each pick
    vec<std::uint32_t> undone;   // picks that were taken back, first one first
    vec<std::uint32_t> choices;  // selections to try at one place
    vec<std::uint32_t> found;
    std::uint64_t budget = 0;  // picks left
    std::uint64_t picks = 0;   // of the last block, retries included
    std::uint32_t retries = 0;
    std::uint32_t adopted = 0;
  };

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own,
                               schedule_stats& stats) {
    own.picks = 0;
    own.retries = 0;
    own.adopted = 0;
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    if constexpr (meta::size_v<typename Config::constraints> != 0) return true;
    if (order.size() < 3) return true;
    plan& t = own.trial;
    t.start(ws, detail::last_is_pinned(p, order));
    if (ws.planned <= t.bound()) return true;  // the list's order is optimal
    own.budget = std::uint64_t{Budget} * order.size();
    own.bounds.clear();
    own.bounds.push_back(t.bound());
    while (!t.complete()) {
      const std::uint32_t next = t.greedy();
      if (next == plan::none) return true;
      const bool conflict = conflicts(t, next, ws);
      t.place(next);
      own.bounds.push_back(t.bound());
      if (conflict && own.budget != 0 && recent_rise(own)) retry(own);
    }
    t.copy_sequence(own.found);
    keep_better(ws, own.found);
    return true;
  }

 private:
  static constexpr bool conflicts(const plan& t, std::uint32_t next, const schedule_space& ws) {
    const std::uint32_t issue = t.issue_of(next);
    if (issue - t.cycle() > Threshold) return true;
    if (issue == t.cycle()) return false;
    for (const std::uint32_t i : t.ready()) {
      if (ws.nodes[i].earliest <= t.cycle()) return true;
    }
    return false;
  }

  // The least possible end rose within the picks that can be undone.
  static constexpr bool recent_rise(const space& own) {
    const std::size_t now = own.bounds.size() - 1;
    const std::size_t back = std::min<std::size_t>(Depth, now);
    return own.bounds[now] > own.bounds[now - back];
  }

  static constexpr void retry(space& own) {
    plan& t = own.trial;
    ++own.retries;
    const std::uint32_t place = t.size();
    const std::uint32_t goal = own.bounds[place];
    const std::uint32_t most = std::min<std::uint32_t>(Depth, place);
    own.undone.clear();
    for (std::uint32_t back = 1; back <= most && own.budget != 0; ++back) {
      const std::uint32_t at = place - back;
      own.undone.insert(own.undone.begin(), t.pick(at));
      t.undo();
      if (own.bounds[at] >= goal) continue;  // the rise lies further back
      others(own, own.undone.front());
      for (const std::uint32_t other : own.choices) {
        if (own.budget == 0) break;
        if (try_other(own, other, place, goal)) return;
      }
    }
    for (const std::uint32_t i : own.undone) t.place(i);
  }

  // Ready nodes in the order in which the list scheduler would take them, without `not_this`; at most Width.
  static constexpr void others(space& own, std::uint32_t not_this) {
    const plan& t = own.trial;
    own.choices.clear();
    for (const std::uint32_t i : t.ready()) {
      if (i == not_this) continue;
      const std::uint32_t issue = t.issue_of(i);
      std::size_t at = own.choices.size();
      while (at > 0 && t.issue_of(own.choices[at - 1]) > issue) --at;
      if (at >= Width) continue;
      own.choices.insert(own.choices.begin() + static_cast<std::ptrdiff_t>(at), i);
      if (own.choices.size() > Width) own.choices.pop_back();
    }
  }

  static constexpr bool try_other(space& own, std::uint32_t other, std::uint32_t place, std::uint32_t goal) {
    plan& t = own.trial;
    const std::uint32_t start = t.size();
    std::uint32_t bound = 0;
    for (std::uint32_t next = other; next != plan::none; next = t.greedy()) {
      t.place(next);
      ++own.picks;
      if (own.budget != 0) --own.budget;
      bound = t.bound();
      if (bound >= goal || t.size() == place || own.budget == 0) break;
    }
    if (bound < goal && t.size() == place) {
      ++own.adopted;
      while (t.size() > start) t.undo();  // once more, to note the bounds
      own.bounds.resize(start + std::size_t{1});
      for (std::uint32_t next = other; t.size() < place; next = t.greedy()) {
        t.place(next);
        own.bounds.push_back(t.bound());
      }
      return true;
    }
    while (t.size() > start) t.undo();
    return false;
  }
};

}  // namespace ww::strategy
