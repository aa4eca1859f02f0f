// SPDX-License-Identifier: BSL-1.0
//
// A schedule in the making that can be taken back, pick by pick: what the searching strategies stand on.
//
//   place(i)   issues ready node i at its earliest cycle, in the engine's own view of time (schedule/timing.hpp)
//   undo()     takes the last pick back. Every word of the state is what it was before: ready list, earliest cycles, pipes,
//              open counts, cycle, remaining work. `hash()` covers all of it, so a test can say so
//   ready()    nodes without open predecessors, best rank first (ws.nodes[i].rank; larger goes first)
//   bound()    no way to finish ends earlier: longest path below any node, work left per pipe, issue slots left; never falls
// The graph, the facts of the nodes and their ranks are the workspace's; the plan writes `earliest` and `open` of the nodes
// and nothing else there. A node that ends its block becomes ready when it is the only one left. After the largest block has
// been seen once, nothing is allocated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../schedule/class_table.hpp"
#include "../schedule/workspace.hpp"

namespace ww::strategy {

class plan {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  // Empties the plan. `pinned`: the last node stays last.
  constexpr void start(schedule_space& space, bool pinned) {
    ws_ = &space;
    const dependence_graph& g = space.graph;
    count_ = g.count;
    pinned_ = pinned && count_ != 0 ? count_ - 1 : none;
    cycle_ = 0;
    end_ = 0;
    least_ = 0;
    stall_left_ = 0;
    longest_stall_ = 0;
    std::fill_n(pipe_free_, pipe_count, 0u);
    std::fill_n(work_left_, pipe_count, 0u);
    std::fill_n(longest_, pipe_count, 0u);
    picks_.clear();
    trail_.clear();
    ready_.clear();
    picks_.reserve(count_);
    ready_.reserve(count_);
    trail_.reserve(g.edges.size());
    for (std::uint32_t i = 0; i < count_; ++i) {
      detail::schedule_node& node = space.nodes[i];
      node.earliest = 0;
      node.open = g.pred_first[i + 1] - g.pred_first[i];
      work_left_[node.pipe] += node.interval;
      longest_[node.pipe] = std::max<std::uint32_t>(longest_[node.pipe], node.interval);
      stall_left_ += node.min_stall;
      longest_stall_ = std::max<std::uint32_t>(longest_stall_, node.min_stall);
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (space.nodes[i].open == 0 && (i != pinned_ || count_ == 1)) insert(i);
    }
  }

  [[nodiscard]] constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(picks_.size()); }
  [[nodiscard]] constexpr bool complete() const { return size() == count_; }
  [[nodiscard]] constexpr std::uint32_t cycle() const { return cycle_; }
  [[nodiscard]] constexpr std::uint32_t end() const { return end_; }
  [[nodiscard]] constexpr span<const std::uint32_t> ready() const { return ready_; }
  [[nodiscard]] constexpr std::uint32_t pick(std::uint32_t place) const { return picks_[place].node; }
  [[nodiscard]] constexpr std::uint32_t pipe_free(unsigned pipe) const { return pipe_free_[pipe]; }

  // Cycle at which node i would issue now.
  [[nodiscard]] constexpr std::uint32_t issue_of(std::uint32_t i) const {
    const detail::schedule_node& node = ws_->nodes[i];
    return std::max(std::max(node.earliest, cycle_), pipe_free_[node.pipe]);
  }

  constexpr void place(std::uint32_t i) {
    detail::schedule_node& node = ws_->nodes[i];
    const std::uint32_t issue = issue_of(i);
    picks_.push_back({i, cycle_, end_, least_, pipe_free_[node.pipe], static_cast<std::uint32_t>(trail_.size())});
    least_ = std::max(least_, issue + ws_->graph.height[i]);
    ready_.erase(place_of(i));
    pipe_free_[node.pipe] = issue + node.interval;
    work_left_[node.pipe] -= node.interval;
    stall_left_ -= node.min_stall;
    cycle_ = issue + node.min_stall;
    end_ = issue + 1;
    for (const dependence_edge& e : ws_->graph.succ(i)) {
      detail::schedule_node& to = ws_->nodes[e.to];
      trail_.push_back(to.earliest);
      to.earliest = std::max(to.earliest, issue + e.latency);
      if (--to.open == 0 && e.to != pinned_) insert(e.to);
    }
    if (pinned_ != none && size() + 1 == count_ && ws_->nodes[pinned_].open == 0) insert(pinned_);
  }

  constexpr void undo() {
    const taken t = picks_.back();
    if (pinned_ != none && size() + 1 == count_ && ws_->nodes[pinned_].open == 0) ready_.erase(place_of(pinned_));
    const span<const dependence_edge> out = ws_->graph.succ(t.node);
    for (std::size_t k = out.size(); k-- > 0;) {
      detail::schedule_node& to = ws_->nodes[out[k].to];
      if (to.open++ == 0 && out[k].to != pinned_) ready_.erase(place_of(out[k].to));
      to.earliest = trail_[t.trail + k];
    }
    trail_.resize(t.trail);
    const detail::schedule_node& node = ws_->nodes[t.node];
    stall_left_ += node.min_stall;
    work_left_[node.pipe] += node.interval;
    pipe_free_[node.pipe] = t.pipe_free;
    cycle_ = t.cycle;
    end_ = t.end;
    least_ = t.least;
    picks_.pop_back();
    insert(t.node);
  }

  // One past the last issue of any way to finish is at least this.
  [[nodiscard]] constexpr std::uint32_t bound() const {
    std::uint32_t least = least_;
    if (ready_.empty()) return least;
    for (const std::uint32_t i : ready_) least = std::max(least, issue_of(i) + ws_->graph.height[i]);
    for (unsigned pipe = 0; pipe < pipe_count; ++pipe) {
      if (work_left_[pipe] == 0) continue;
      least = std::max(least, std::max(pipe_free_[pipe], cycle_) + work_left_[pipe] - longest_[pipe] + 1);
    }
    return std::max(least, cycle_ + stall_left_ - std::min(stall_left_, longest_stall_) + 1);
  }

  // The list scheduler's choice: the ready node that issues first, of several the best rank. none when there is none.
  [[nodiscard]] constexpr std::uint32_t greedy() const {
    std::uint32_t best = none;
    std::uint32_t when = none;
    for (const std::uint32_t i : ready_) {
      const std::uint32_t issue = issue_of(i);
      if (issue >= when) continue;
      best = i;
      when = issue;
      if (issue == cycle_) break;
    }
    return best;
  }

  template <class Array>
  constexpr void copy_sequence(Array& into) const {
    into.clear();
    for (const taken& t : picks_) into.push_back(t.node);
  }

  // A number over every word of the state.
  [[nodiscard]] constexpr std::uint64_t hash() const {
    std::uint64_t h = 0x9e3779b97f4a7c15ull;
    const auto mix = [&h](std::uint64_t v) {
      h = (h ^ v) * 0xff51afd7ed558ccdull;
      h ^= h >> 29;
    };
    mix(cycle_);
    mix(end_);
    mix(least_);
    mix(stall_left_);
    for (unsigned pipe = 0; pipe < pipe_count; ++pipe) mix((std::uint64_t{pipe_free_[pipe]} << 32) | work_left_[pipe]);
    for (const taken& t : picks_) {
      for (const std::uint32_t v : {t.node, t.cycle, t.end, t.least, t.pipe_free, t.trail}) mix(v);
    }
    for (const std::uint32_t v : trail_) mix(v);
    mix(ready_.size());
    for (const std::uint32_t i : ready_) mix(i);
    for (std::uint32_t i = 0; i < count_; ++i) {
      mix((std::uint64_t{ws_->nodes[i].earliest} << 32) | ws_->nodes[i].open);
      mix(ws_->nodes[i].rank);
    }
    return h;
  }

 private:
  struct taken {
    std::uint32_t node = 0;
    std::uint32_t cycle = 0;
    std::uint32_t end = 0;
    std::uint32_t least = 0;
    std::uint32_t pipe_free = 0;
    std::uint32_t trail = 0;
  };

  [[nodiscard]] constexpr vec<std::uint32_t>::iterator place_of(std::uint32_t i) {
    return std::lower_bound(ready_.begin(), ready_.end(), i,
                            [this](std::uint32_t a, std::uint32_t b) { return ws_->nodes[a].rank > ws_->nodes[b].rank; });
  }
  constexpr void insert(std::uint32_t i) { ready_.insert(place_of(i), i); }

  schedule_space* ws_ = nullptr;
  vec<taken> picks_;
  vec<std::uint32_t> trail_;  // old `earliest` of the successors of each pick
  vec<std::uint32_t> ready_;
  std::uint32_t count_ = 0;
  std::uint32_t pinned_ = none;
  std::uint32_t cycle_ = 0;  // first cycle in which the next one may issue
  std::uint32_t end_ = 0;    // one past the last issue
  std::uint32_t least_ = 0;  // longest path below a placed node
  std::uint32_t stall_left_ = 0;
  std::uint32_t longest_stall_ = 0;
  std::uint32_t pipe_free_[pipe_count] = {};
  std::uint32_t work_left_[pipe_count] = {};  // cycles that the nodes not yet placed hold the pipe
  std::uint32_t longest_[pipe_count] = {};    // longest interval of a node on the pipe
};

}  // namespace ww::strategy
