// SPDX-License-Identifier: BSL-1.0
//
// The core loop for fixed-key priorities: cycle-driven list scheduling with one queue per pipe.
//
//   future     instructions whose predecessors are placed but whose operands are not there yet, earliest cycle first
//   ready      per pipe: instructions that could issue now as far as dependences go, best key first
// A pick looks at the top of each pipe that is free in this cycle; when no pipe offers anything, time moves to the next
// event (an operand or a pipe). No queue is ever scanned, so a block costs O(n (pipes + log n) + edges).
#pragma once

#include <cstdint>

#include "../constraint/all.hpp"
#include "../graph/graph.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../priority/concept.hpp"
#include "block_facts.hpp"
#include "class_table.hpp"
#include "timing.hpp"
#include "workspace.hpp"

namespace ww::detail {

template <class Arch>
constexpr constraint::issue_view view_of(const program& p, instr_id id, std::uint32_t cycle) {
  const instruction& ins = p[id];
  constraint::issue_view v;
  v.ins = &ins;
  v.operands = p.operands_of(ins);
  v.cycle = cycle;
  v.variable = row_of<Arch>(ins.iclass).variable;
  if (v.variable) {
    v.queue = Arch::latency::completion_queue(ins.iclass);
    const unsigned bytes = ins.mem_bytes == 0 ? 4u : ins.mem_bytes;
    v.completion = cycle + static_cast<std::uint32_t>(Arch::latency::result_estimate(ins.iclass, bytes));
  }
  return v;
}

// The keys of a priority policy. A strategy may bring its own: `key(candidate)`, `explain(a, b)`.
template <class Priority>
struct priority_keys {
  [[nodiscard]] static constexpr std::uint64_t key(const priority::candidate& c) { return Priority::key(c); }
  [[nodiscard]] static constexpr unsigned explain(std::uint64_t a, std::uint64_t b) { return Priority::explain(a, b); }
};

template <class Config, class Workspace, class Keys = priority_keys<typename Config::priority>>
class fixed_key_engine {
  using arch = typename Config::arch;
  using constraint_list = typename Config::constraints;
  static constexpr bool constrained = meta::size_v<constraint_list> != 0;
  static constexpr unsigned most_aside = 8;

 public:
  constexpr fixed_key_engine(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats,
                             Keys keys = {})
      : p_(p), order_(order), ws_(ws), stats_(stats), keys_(keys), count_(static_cast<std::uint32_t>(order.size())) {}

  constexpr bool run() {
    start();
    const std::uint32_t free_picks = pinned_ ? count_ - 1 : count_;
    while (ws_.sequence.size() < free_picks) {
      release_due();
      unsigned pipe = best_pipe();
      if (pipe == none) {
        if (!advance()) return false;
        continue;
      }
      if constexpr (constrained) {
        pick_constrained(pipe);
      } else {
        const ready_list::entry e = take(pipe);
        place(e.index(), reason_for(e, pick_kind::compared));
      }
    }
    if (pinned_) {
      const std::uint32_t last = count_ - 1;
      if (ws_.nodes[last].open != 0) return false;
      place(last, {0xffffffffu, pick_kind::pinned, 0});
    }
    return true;
  }

 private:
  static constexpr unsigned none = 0xffffffffu;
  static constexpr std::uint32_t no_cycle = 0xffffffffu;

  constexpr void start() {
    const dependence_graph& g = ws_.graph;
    for (auto& q : ws_.ready) q.clear();
    ws_.future.clear();
    ws_.sequence.reserve(count_);
    pinned_ = last_is_pinned(p_, order_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      schedule_node& node = ws_.nodes[i];
      priority::candidate c;
      c.index = i;
      c.height = g.height[i];
      c.fanout = static_cast<std::uint16_t>(g.succ_first[i + 1] - g.succ_first[i]);
      c.iclass = node.iclass;
      c.pipe = static_cast<pipe_id>(node.pipe);
      c.interval = node.interval;
      c.traits = traits_of(p_[order_[i]], row_of<arch>(node.iclass).variable);
      node.rank = ready_list::entry::of(keys_.key(c), i).rank;
      if (node.open == 0) make_ready(i);
    }
  }

  constexpr void make_ready(std::uint32_t i) {
    const schedule_node& node = ws_.nodes[i];
    if (pinned_ && i == count_ - 1) return;
    if (node.earliest <= cycle_) {
      ws_.ready[node.pipe].push({node.rank});
      offered_ |= 1u << node.pipe;
    } else {
      ws_.future.push(ready_list::entry::of(no_cycle - node.earliest, i));
    }
  }

  constexpr void release_due() {
    while (!ws_.future.empty()) {
      const ready_list::entry e = ws_.future.top();
      if (no_cycle - static_cast<std::uint32_t>(e.key()) > cycle_) break;
      ws_.future.pop();
      const schedule_node& node = ws_.nodes[e.index()];
      ws_.ready[node.pipe].push({node.rank});
      offered_ |= 1u << node.pipe;
    }
  }

  // The free pipe with the best top, or none.
  [[nodiscard]] constexpr unsigned best_pipe() const {
    unsigned best = none;
    ready_list::entry top;
    for (unsigned left = offered_; left != 0; left &= left - 1) {
      const auto pipe = static_cast<unsigned>(__builtin_ctz(left));
      if (pipe_free_[pipe] > cycle_) continue;
      const ready_list::entry e = ws_.ready[pipe].top();
      if (best == none || before(e, top)) {
        best = pipe;
        top = e;
      }
    }
    return best;
  }

  // Moves to the next cycle in which anything changes; false when nothing ever will.
  constexpr bool advance() {
    std::uint32_t next = no_cycle;
    if (!ws_.future.empty()) next = no_cycle - static_cast<std::uint32_t>(ws_.future.top().key());
    for (unsigned left = offered_; left != 0; left &= left - 1) {
      const std::uint32_t at = pipe_free_[static_cast<unsigned>(__builtin_ctz(left))];
      if (at < next) next = at;
    }
    if (next == no_cycle) return false;
    cycle_ = next;
    return true;
  }

  constexpr ready_list::entry take(unsigned pipe) {
    auto& q = ws_.ready[pipe];
    const ready_list::entry e = q.top();
    q.pop();
    if (q.empty()) offered_ &= ~(1u << pipe);
    return e;
  }
  constexpr void put_back(const ready_list::entry& e) {
    const schedule_node& node = ws_.nodes[e.index()];
    const unsigned pipe = node.pipe;
    ws_.ready[pipe].push({node.rank});
    offered_ |= 1u << pipe;
  }

  // Asks the constraints for the best candidates in turn; the first one admitted is placed, the best one if none is.
  constexpr void pick_constrained(unsigned pipe) {
    ready_list::entry aside[most_aside];
    unsigned refused = 0;
    while (pipe != none) {
      const ready_list::entry e = take(pipe);
      const constraint::issue_view v = view_of<arch>(p_, order_[e.index()], cycle_);
      if (constraint::admits_all<arch, constraint_list>(v, window_, ws_.nodes[e.index()].refused)) {
        for (unsigned i = 0; i < refused; ++i) put_back(aside[i]);
        window_.place(v);
        place(e.index(),
              refused == 0 ? reason_for(e, pick_kind::compared) : pick_reason{aside[0].index(), pick_kind::constrained, 0});
        return;
      }
      if (ws_.nodes[e.index()].refused < 0xff) ++ws_.nodes[e.index()].refused;
      ++stats_.postponed;
      aside[refused++] = e;
      if (refused == most_aside) break;
      pipe = best_pipe();
    }
    for (unsigned i = 1; i < refused; ++i) put_back(aside[i]);
    ++stats_.violations;
    window_.place(view_of<arch>(p_, order_[aside[0].index()], cycle_));
    place(aside[0].index(), {0xffffffffu, pick_kind::forced, 0});
  }

  // Compares the taken entry with the best one left.
  [[nodiscard]] constexpr pick_reason reason_for(const ready_list::entry& e, pick_kind kind) const {
    if (!ws_.want_reasons) return {};
    const unsigned pipe = best_pipe();
    if (pipe == none) return {};
    const ready_list::entry other = ws_.ready[pipe].top();
    return {other.index(), kind, static_cast<std::uint8_t>(keys_.explain(e.key(), other.key()))};
  }

  // The pinned last instruction may have to wait; all others are placed when they can issue.
  [[nodiscard]] constexpr std::uint32_t issue_cycle(std::uint32_t i) const {
    const schedule_node& node = ws_.nodes[i];
    std::uint32_t at = cycle_;
    if (node.earliest > at) at = node.earliest;
    if (pipe_free_[node.pipe] > at) at = pipe_free_[node.pipe];
    return at;
  }

  constexpr void place(std::uint32_t i, const pick_reason& why) {
    const schedule_node& node = ws_.nodes[i];
    ws_.sequence.push_back(i);
    if (ws_.want_reasons) ws_.reasons.push_back(why);
    const std::uint32_t issue = issue_cycle(i);
    ws_.planned = issue + std::uint64_t{1};
    pipe_free_[node.pipe] = issue + node.interval;
    cycle_ = issue + node.min_stall;
    for (const dependence_edge& e : ws_.graph.succ(i)) {
      schedule_node& to = ws_.nodes[e.to];
      const std::uint32_t at = issue + e.latency;
      if (at > to.earliest) to.earliest = at;
      if (--to.open == 0) make_ready(e.to);
    }
  }

  const program& p_;
  span<const instr_id> order_;
  Workspace& ws_;
  schedule_stats& stats_;
  [[no_unique_address]] Keys keys_;
  std::uint32_t count_;
  std::uint32_t cycle_ = 0;
  unsigned offered_ = 0;  // pipes with a ready instruction
  std::uint32_t pipe_free_[pipe_count] = {};
  bool pinned_ = false;
  constraint::issue_window window_;
};

template <class Config, class Workspace>
constexpr bool fixed_loop(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
  return fixed_key_engine<Config, Workspace>(p, order, ws, stats).run();
}
template <class Config, class Workspace, class Keys>
constexpr bool keyed_loop(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats, Keys keys) {
  return fixed_key_engine<Config, Workspace, Keys>(p, order, ws, stats, keys).run();
}

}  // namespace ww::detail
