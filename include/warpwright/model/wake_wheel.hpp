// SPDX-License-Identifier: BSL-1.0
//
// Which warps are awake: a clock and the times at which up to 64 sleepers wake, a warp being a bit.
//
//   wheel   one slot a cycle for the next 63 cycles, whose bits are the warps that wake then
//   later   warps that wake after that, with the earliest of their times
// A cycle and a new time of a warp take a few instructions each, however many warps there are.
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"

namespace ww::model {

class wake_wheel {
 public:
  static constexpr std::int32_t never = 0x7fffffff;  // behind all times

  [[nodiscard]] std::int32_t now() const { return now_; }
  [[nodiscard]] std::uint64_t awake() const { return awake_; }
  [[nodiscard]] std::int32_t time_of(unsigned warp) const { return times_[warp]; }

  void reset() { *this = {}; }

  // The warp wakes at `t`, or is awake if that is past. It was awake, or not there.
  void set(unsigned warp, std::int32_t t) {
    const std::uint64_t bit = std::uint64_t{1} << warp;
    times_[warp] = t;
    awake_ &= ~bit;
    put(bit, t);
  }
  // The warp is not there any more. It was awake.
  void remove(unsigned warp) { awake_ &= ~(std::uint64_t{1} << warp); }

  // When the next sleeper wakes, `never` if there is none.
  [[nodiscard]] std::int32_t next() const { return slots_ != 0 ? nearest() : earliest_; }

  // The clock goes on to `to`, at most next().
  void jump(std::int32_t to) {
    now_ = to;
    const unsigned s = slot(to);
    awake_ |= wheel_[s];
    wheel_[s] = 0;
    slots_ &= ~(std::uint64_t{1} << s);
    if (earliest_ - to < width) refill();
  }
  // All times become so many cycles earlier, a multiple of the slots and less than now(). What is past stays past.
  void shift(std::int32_t by) {
    for (std::int32_t& t : times_) t = t > by ? t - by : 0;
    if (earliest_ != never) earliest_ -= by;
    now_ -= by;
  }

 private:
  static constexpr std::int32_t width = 64;

  static unsigned slot(std::int32_t t) { return static_cast<unsigned>(t) & 63u; }

  void put(std::uint64_t bit, std::int32_t t) {
    if (t <= now_) {
      awake_ |= bit;
    } else if (t - now_ < width) {
      wheel_[slot(t)] |= bit;
      slots_ |= std::uint64_t{1} << slot(t);
    } else {
      earliest_ = meta::min(earliest_, t);
      later_ |= bit;
    }
  }
  // The earliest time that has a slot; there is one.
  [[nodiscard]] std::int32_t nearest() const {
    const unsigned from = slot(now_ + 1);
    const std::uint64_t turned = slots_ >> from | slots_ << ((64u - from) & 63u);
    return now_ + 1 + static_cast<std::int32_t>(meta::countr_zero(turned));
  }
  void refill() {
    std::uint64_t left = later_;
    later_ = 0;
    earliest_ = never;
    for (; left != 0; left &= left - 1) {
      const auto w = static_cast<unsigned>(meta::countr_zero(left));
      put(std::uint64_t{1} << w, times_[w]);
    }
  }

  array<std::uint64_t, 64> wheel_{};
  array<std::int32_t, 64> times_{};
  std::uint64_t slots_ = 0;  // slots with somebody in them
  std::uint64_t awake_ = 0;
  std::uint64_t later_ = 0;
  std::int32_t earliest_ = never;  // of `later_`
  std::int32_t now_ = 0;
};

}  // namespace ww::model
