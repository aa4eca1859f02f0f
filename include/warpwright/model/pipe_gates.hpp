// SPDX-License-Identifier: BSL-1.0
//
// Which warps are held by a pipe: their next instruction is for one that does not take it yet. A warp is a bit.
//
//   closed   a pipe that took an instruction and takes the next one only at a later time
//   opening  pipes that open at a time, in a ring of the next 255 cycles; what closes for longer is looked at every cycle
// A cycle and a new instruction take a few instructions each, however many warps there are.
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "wake_wheel.hpp"

namespace ww::model {

class pipe_gates {
 public:
  static constexpr std::int32_t never = wake_wheel::never;

  void reset() { *this = {}; }

  // Warps that may not issue because of their pipe.
  [[nodiscard]] std::uint64_t held() const { return held_; }

  // The next instruction of the warp is for this pipe. It was for none.
  void hold(unsigned warp, unsigned pipe) {
    on_[pipe] |= std::uint64_t{1} << warp;
    held_ |= std::uint64_t{closed_ >> pipe & 1u} << warp;
  }
  // The warp issues an instruction for this pipe, which is open, and closes it until `t`.
  void leave(unsigned warp, unsigned pipe, std::int32_t t) {
    on_[pipe] &= ~(std::uint64_t{1} << warp);
    if (pipe == static_cast<unsigned>(pipe_id::none) || t - now_ <= 1) return;
    closed_ |= 1u << pipe;
    held_ |= on_[pipe];
    opens_[pipe] = t;
    if (t - now_ < width) {
      ring_[slot(t)] = static_cast<std::uint16_t>(ring_[slot(t)] | 1u << pipe);
    } else {
      long_ |= 1u << pipe;
    }
  }
  // When the next pipe opens, `never` if all are open.
  [[nodiscard]] std::int32_t next() const {
    std::int32_t t = never;
    for (unsigned m = closed_; m != 0; m &= m - 1) t = meta::min(t, opens_[static_cast<unsigned>(meta::countr_zero(m))]);
    return t;
  }
  // The clock goes on to `to`, at most next() or by one.
  void jump(std::int32_t to) {
    now_ = to;
    unsigned open = ring_[slot(to)];
    ring_[slot(to)] = 0;
    for (unsigned m = long_; m != 0; m &= m - 1) {
      const auto pipe = static_cast<unsigned>(meta::countr_zero(m));
      if (opens_[pipe] > to) continue;
      open |= 1u << pipe;
      long_ &= ~(1u << pipe);
    }
    closed_ &= ~open;
    for (; open != 0; open &= open - 1) held_ &= ~on_[static_cast<unsigned>(meta::countr_zero(open))];
  }

  // All times become so many cycles earlier, a multiple of the slots and less than the clock. What is past stays past.
  void shift(std::int32_t by) {
    for (std::int32_t& t : opens_) t = t > by ? t - by : 0;
    now_ -= by;
  }

 private:
  static constexpr std::int32_t width = 256;
  static_assert(pipe_count <= 16);

  static unsigned slot(std::int32_t t) { return static_cast<unsigned>(t) & 255u; }

  array<std::uint64_t, pipe_count> on_{};  // by pipe: warps whose next instruction is for it
  array<std::int32_t, pipe_count> opens_{};
  array<std::uint16_t, 256> ring_{};
  std::uint64_t held_ = 0;
  unsigned closed_ = 0;
  unsigned long_ = 0;  // closed for longer than the ring is
  std::int32_t now_ = 0;
};

}  // namespace ww::model
