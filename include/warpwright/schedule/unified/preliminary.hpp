// SPDX-License-Identifier: BSL-1.0
//
// Preliminary stalls and barriers, made while instructions are placed (PLS-11, "Stall and Barrier Insertion").
//
//   stall     cycles from an instruction to the next one in the order, at most the raw limit (39), then what the field holds
//             (15), or knob 805
//   barrier   a variable-latency producer takes one of the SM's counters when it is placed; its first true consumer waits
//   table     at most 32 assignments that nobody has waited for. When no counter is free, one whose producer is done by the
//             barrier limit (56 cycles) is taken over first, else the oldest is evicted: the new producer waits for it
//   yield     the stall is at least the SM's yield threshold
// What comes out is a first draft per block: control words of the final order are made by scoreboard/ with the state between
// blocks; SB-9 looks at the differences. A counter that is taken over without a wait keeps its old consumers waiting on it,
// so the draft never drops a dependence.
#pragma once

#include <cstdint>

#include "../../ir/control.hpp"
#include "../../meta/vec.hpp"

namespace ww::unified {

struct barrier_entry {
  std::uint32_t producer = 0;
  std::uint32_t issued = 0;  // cycle
  std::uint8_t counter = 0;
};

// The SM's numbers: counters, cycles.
struct preliminary_limits {
  unsigned counters = 6;
  std::uint32_t field_stall = 15;
  std::uint32_t raw_stall = 39;
  std::uint32_t done_after = 56;
  std::uint32_t yield_threshold = 4;
};

// `knob_805`: the largest stall that is asked for.
template <class Arch>
[[nodiscard]] constexpr preliminary_limits limits_of(std::uint32_t knob_805 = 16) {
  using b = typename Arch::barriers;
  const std::uint32_t field = b::max_stall;
  return {b::count, knob_805 < field ? knob_805 : field, b::raw_max_stall, b::barrier_latency, b::yield_threshold};
}

class preliminary {
 public:
  static constexpr unsigned table_entries = 32;
  static constexpr std::uint8_t no_counter = 0xff;

  constexpr void start(std::uint32_t instructions, const preliminary_limits& limits) {
    limits_ = limits;
    words_.assign(instructions, control{});
    counter_of_.assign(instructions, no_counter);
    used_ = 0;
    last_ = none;
    evictions_ = takeovers_ = 0;
  }

  // Instruction `i` issues at `cycle`. `variable`: its result is covered by a counter.
  constexpr void place(std::uint32_t i, std::uint32_t cycle, bool variable) {
    if (last_ != none) {
      control& before = words_[last_];
      std::uint32_t gap = cycle - last_cycle_;
      gap = gap < limits_.raw_stall ? gap : limits_.raw_stall;
      before.stall = static_cast<std::uint8_t>(gap < limits_.field_stall ? gap : limits_.field_stall);
      before.yield = before.stall >= limits_.yield_threshold;
    }
    last_ = i;
    last_cycle_ = cycle;
    words_[i].stall = 1;
    if (variable) assign(i, cycle);
  }

  // Instruction `i`, about to be placed, reads the result of `producer`: it waits for the producer's counter.
  constexpr void consume(std::uint32_t i, std::uint32_t producer) {
    const std::uint8_t counter = counter_of_[producer];
    if (counter == no_counter) return;
    words_[i].wait_mask = static_cast<std::uint8_t>(words_[i].wait_mask | 1u << counter);
    drop(counter);
  }

  [[nodiscard]] constexpr const vec<control>& words() const { return words_; }
  [[nodiscard]] constexpr unsigned evictions() const { return evictions_; }
  [[nodiscard]] constexpr unsigned takeovers() const { return takeovers_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  // All assignments of a counter have been waited for.
  constexpr void drop(std::uint8_t counter) {
    unsigned kept = 0;
    for (unsigned k = 0; k < used_; ++k) {
      if (table_[k].counter == counter) {
        counter_of_[table_[k].producer] = no_counter;
      } else {
        table_[kept++] = table_[k];
      }
    }
    used_ = kept;
  }

  constexpr void assign(std::uint32_t i, std::uint32_t cycle) {
    unsigned busy = 0;
    for (unsigned k = 0; k < used_; ++k) busy |= 1u << table_[k].counter;
    std::uint8_t counter = no_counter;
    for (unsigned c = 0; c < limits_.counters && counter == no_counter; ++c) {
      if ((busy >> c & 1u) == 0) counter = static_cast<std::uint8_t>(c);
    }
    // Entries stand in the order of issue, so the first one that fits is the oldest.
    for (unsigned k = 0; k < used_ && counter == no_counter; ++k) {
      if (cycle - table_[k].issued > limits_.done_after) {
        counter = table_[k].counter;
        ++takeovers_;
      }
    }
    if (counter == no_counter || used_ == table_entries) {
      counter = table_[0].counter;
      words_[i].wait_mask = static_cast<std::uint8_t>(words_[i].wait_mask | 1u << counter);
      drop(counter);
      ++evictions_;
    }
    table_[used_++] = {i, cycle, counter};
    counter_of_[i] = counter;
    words_[i].write_barrier = counter;
  }

  vec<control> words_;
  vec<std::uint8_t> counter_of_;  // counter of a variable-latency producer
  barrier_entry table_[table_entries];
  unsigned used_ = 0;
  preliminary_limits limits_;
  std::uint32_t last_ = none;
  std::uint32_t last_cycle_ = 0;
  unsigned evictions_ = 0;
  unsigned takeovers_ = 0;
};

}  // namespace ww::unified
