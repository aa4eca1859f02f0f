// SPDX-License-Identifier: BSL-1.0
//
// The seven priority queues from which spill victims are taken (FPA-8).
//
//   option   something that could be spilled to make room at one place: a number of the caller's, and what it costs
//   queue    by what kind of option it is: all of it can be computed again; the register that found no place, single or wide; one
//            register in its way, single or wide; several in its way
//   taken    the cheapest option at the head of any queue; of equal ones that of the first queue, then the lowest number
//   member   each queue has a bit per option, so that one is in it once
// The text gives the number of queues, says that pairs and quads have their own, and that bit masks stand behind them; which is which
// it does not say: assumed. n log n in options.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"

namespace ww::regalloc {

enum class guidance : std::uint8_t { recompute, self, self_wide, one_other, one_other_wide, others, others_wide, count };

inline constexpr std::size_t guidance_queue_count = static_cast<std::size_t>(guidance::count);
static_assert(guidance_queue_count == 7);

class guidance_queues {
 public:
  struct option {
    double cost = 0;
    std::uint32_t number = 0;
    guidance queue = guidance::count;
  };

  // Empties them; options have numbers below `options`.
  void reset(std::size_t options) {
    for (queue& q : queues_) {
      q.heap.clear();
      q.members.assign((options + 63) / 64, 0);
    }
  }
  void push(guidance to, std::uint32_t number, double cost) {
    if (to >= guidance::count) return;
    queue& q = queues_[static_cast<std::size_t>(to)];
    if (number / 64 >= q.members.size()) return;
    const std::uint64_t bit = 1ull << (number & 63u);
    if ((q.members[number / 64] & bit) != 0) return;
    q.members[number / 64] |= bit;
    q.heap.push_back({cost, number, to});
    std::push_heap(q.heap.begin(), q.heap.end(), later);
  }
  [[nodiscard]] bool empty() const {
    for (const queue& q : queues_) {
      if (!q.heap.empty()) return false;
    }
    return true;
  }
  // `count` as queue: they are empty.
  option pop() {
    queue* best = nullptr;
    for (queue& q : queues_) {
      if (!q.heap.empty() && (best == nullptr || q.heap.front().cost < best->heap.front().cost)) best = &q;
    }
    if (best == nullptr) return {};
    const option taken = best->heap.front();
    std::pop_heap(best->heap.begin(), best->heap.end(), later);
    best->heap.pop_back();
    best->members[taken.number / 64] &= ~(1ull << (taken.number & 63u));
    return taken;
  }

 private:
  static bool later(const option& a, const option& b) { return a.cost != b.cost ? a.cost > b.cost : a.number > b.number; }

  struct queue {
    vec<option> heap;
    vec<std::uint64_t> members;
  };
  queue queues_[guidance_queue_count];
};

}  // namespace ww::regalloc
