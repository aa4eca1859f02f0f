// SPDX-License-Identifier: BSL-1.0
//
// The clock of a backend's list scheduling: which unplaced instructions could issue in the present cycle, best first.
//
//   waiting    predecessors placed, operands not there yet: ordered by the cycle in which they will be
//   ready      could issue as far as dependences go; one ordered queue per pipe, so that a busy pipe holds back its own
//              instructions and nobody scans. The best of all free pipes is what one queue over all of them would give
//   taken      out of its queue and being looked at: it is either placed or put back
// `Item` is what the queues compare: it has `number()` or `index()`, the local index of its instruction. Cycles are the
// engine's simple view (schedule/timing.hpp).
#pragma once

#include <cstdint>

#include "../meta/vec.hpp"
#include "../schedule/ready_list/ordered3.hpp"
#include "../schedule/workspace.hpp"

namespace ww::backend {

template <class Item, class Queue = ready_list::ordered_queue<Item>>
class issue_queues {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  // `items` belong to the instructions by local index and must outlive the schedule. Where items are numbered otherwise,
  // `index_of` gives the local index for a number.
  void start(schedule_space& ws, const vec<Item>& items, const vec<std::uint32_t>* index_of = nullptr) {
    ws_ = &ws;
    items_ = &items;
    index_of_ = index_of;
    for (Queue& q : ready_) q.clear();
    ws.future.clear();
    for (std::uint32_t& free : pipe_free_) free = 0;
    offered_ = 0;
    cycle_ = 0;
  }
  [[nodiscard]] std::uint32_t cycle() const { return cycle_; }

  // An instruction whose predecessors are all placed.
  void add(std::uint32_t i) {
    const detail::schedule_node& node = ws_->nodes[i];
    if (node.earliest <= cycle_) {
      offer(i);
    } else {
      ws_->future.push(ready_list::entry::of(none - node.earliest, i));
    }
  }
  // Puts a taken instruction back.
  void offer(std::uint32_t i) {
    const unsigned pipe = ws_->nodes[i].pipe;
    ready_[pipe].push((*items_)[i]);
    offered_ |= 1u << pipe;
  }

  // Takes the best instruction that can issue in this cycle; none if there is none.
  [[nodiscard]] std::uint32_t take() {
    release();
    unsigned best = pipe_count;
    for (unsigned left = offered_; left != 0; left &= left - 1) {
      const auto pipe = static_cast<unsigned>(__builtin_ctz(left));
      if (pipe_free_[pipe] > cycle_) continue;
      if (best == pipe_count || before(ready_[pipe].top(), ready_[best].top())) best = pipe;
    }
    if (best == pipe_count) return none;
    const std::uint32_t i = number_of(ready_[best].top());
    ready_[best].pop();
    if (ready_[best].empty()) offered_ &= ~(1u << best);
    return i;
  }

  // Moves to the next cycle in which an operand arrives or a pipe becomes free; false if there is none.
  [[nodiscard]] bool advance() {
    std::uint32_t next = none;
    if (!ws_->future.empty()) next = none - static_cast<std::uint32_t>(ws_->future.top().key());
    for (unsigned left = offered_; left != 0; left &= left - 1) {
      const std::uint32_t at = pipe_free_[static_cast<unsigned>(__builtin_ctz(left))];
      if (at < next) next = at;
    }
    if (next == none || next <= cycle_) return false;
    cycle_ = next;
    return true;
  }

  // Issues the instruction at the earliest cycle it can have and returns that cycle. `freed(j)` is called for every
  // instruction that has lost its last unplaced predecessor; whoever wants it in the queues adds it.
  template <class Freed>
  std::uint32_t place(std::uint32_t i, Freed&& freed) {
    const detail::schedule_node& node = ws_->nodes[i];
    std::uint32_t issue = node.earliest > cycle_ ? node.earliest : cycle_;
    if (pipe_free_[node.pipe] > issue) issue = pipe_free_[node.pipe];
    pipe_free_[node.pipe] = issue + node.interval;
    cycle_ = issue + node.min_stall;
    for (const dependence_edge& e : ws_->graph.succ(i)) {
      detail::schedule_node& to = ws_->nodes[e.to];
      const std::uint32_t at = issue + e.latency;
      if (at > to.earliest) to.earliest = at;
      if (--to.open == 0) freed(e.to);
    }
    return issue;
  }

 private:
  [[nodiscard]] std::uint32_t number_of(const Item& item) const {
    if constexpr (requires { item.number(); }) {
      return index_of_ == nullptr ? item.number() : (*index_of_)[item.number()];
    } else {
      return item.index();
    }
  }

  void release() {
    while (!ws_->future.empty()) {
      const ready_list::entry e = ws_->future.top();
      if (none - static_cast<std::uint32_t>(e.key()) > cycle_) break;
      ws_->future.pop();
      offer(e.index());
    }
  }

  schedule_space* ws_ = nullptr;
  const vec<Item>* items_ = nullptr;
  const vec<std::uint32_t>* index_of_ = nullptr;
  Queue ready_[pipe_count];
  std::uint32_t pipe_free_[pipe_count] = {};
  unsigned offered_ = 0;  // pipes with a ready instruction
  std::uint32_t cycle_ = 0;
};

}  // namespace ww::backend
