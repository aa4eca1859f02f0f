// SPDX-License-Identifier: BSL-1.0
//
// Which ready instructions get their operands as time goes on.
//
//   event     an instruction and the cycle at which its last operand is there
//   ring      one list of events for each of the next 1,024 cycles, and a bit where the list is not empty
//   far       events beyond that, in a heap; no latency of any architecture page reaches it
// Time only goes forward, so putting an event in and taking it out costs a few operations whatever else is waiting, where a
// heap costs its depth in jumps that cannot be guessed. Events of one cycle come out newest first; the engine does not care.
#pragma once

#include <cstdint>

#include "../../meta/binary_heap.hpp"
#include "../../meta/vec.hpp"

namespace ww::unified {

struct event {
  std::uint32_t cycle = 0;
  std::uint32_t index = 0;
  static constexpr bool before(const event& a, const event& b) { return a.cycle < b.cycle; }
};
using event_heap = meta::binary_heap<event, event>;

class wake_ring {
 public:
  static constexpr std::uint32_t cycles = 1024;

  // Forgets everything; time is 0 and indices are below `count`.
  constexpr void start(std::uint32_t count) {
    for (std::uint64_t& word : used_) word = 0;
    if (next_.size() < count) next_.resize(count);
    far_.clear();
    now_ = 0;
  }

  // `cycle` lies behind the last one that was given to each_until(); an index is put in once.
  constexpr void push(std::uint32_t cycle, std::uint32_t index) {
    if (cycle - now_ >= cycles) return far_.push({cycle, index});
    const std::uint32_t at = cycle % cycles;
    std::uint64_t& word = used_[at / 64];
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    next_[index] = (word & bit) != 0 ? first_[at] : none;
    first_[at] = index;
    word |= bit;
  }

  // Takes out all events up to `cycle` and calls f(index) for each.
  template <class F>
  constexpr void each_until(std::uint32_t cycle, F&& f) {
    if (cycle < now_) return;
    const std::uint32_t last = cycle - now_ < cycles ? cycle : now_ + cycles - 1;
    for (std::uint32_t at = now_; at <= last;) {
      std::uint64_t& word = used_[at % cycles / 64];
      const std::uint64_t ahead = word >> (at % 64);
      if (ahead == 0) {
        at = (at | 63u) + 1;
        continue;
      }
      at += static_cast<std::uint32_t>(__builtin_ctzll(ahead));
      if (at > last) break;
      word &= ~(std::uint64_t{1} << (at % 64));
      for (std::uint32_t i = first_[at % cycles]; i != none; i = next_[i]) f(i);
      ++at;
    }
    for (; !far_.empty() && far_.top().cycle <= cycle; far_.pop()) f(far_.top().index);
    now_ = cycle + 1;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint64_t used_[cycles / 64] = {};
  std::uint32_t first_[cycles] = {};
  std::uint32_t now_ = 0;    // first cycle that has not been taken out
  vec<std::uint32_t> next_;  // by index
  event_heap far_;
};

}  // namespace ww::unified
