// SPDX-License-Identifier: BSL-1.0
//
// Preliminary stalls and barriers, made while instructions are placed (PLS-11, "Stall and Barrier Insertion").
//
//   stall     cycles from an instruction to the next one in the order, at most the raw limit (39), then what the field holds
//             (15), or knob 805. The text has the distance to the nearest dependent consumer in its place. But a stall holds
//             back the next instruction, whoever that is (facts, hardware 1.4): with FADD, FADD, FADD and a consumer of the
//             first one four cycles on, the words would be 4 + ... instead of 1 + 1 + 2, and what was placed between producer
//             and consumer would fill nothing. The gaps up to a consumer add up to its distance. The text's number is
//             consumer_distance(). A gap beyond the field is cut here; the final words make up for it
//   yield     the stall is at least the SM's yield threshold
//   barrier   the rules of SB-2. A counter is free when nobody has to wait for it any more or its newest producer is 56 cycles
//             back; of the free ones that whose last producer was of the same pipe is taken, else the first. When none is
//             free, the one that was set longest ago is evicted: the new producer waits for it
//   cover     what a counter is taken for: the result of a variable-latency instruction (write barrier), or sources that are
//             read late (read barrier)
//   table     at most 32 assignments that nobody has waited for. When it is full, the oldest one is waited for
// Who takes over a counter of age makes it young, and the older assignments stay in the table: their consumers still wait for
// that counter. An assignment leaves the table by a wait only, so that none is forgotten; preliminary_operands.hpp asks the
// table for all that an instruction touches.
// What comes out is a first draft per block: control words of the final order are made by scoreboard/ with the state between
// blocks; SB-9 looks at the differences. In-order queues are not asked: the draft waits where the final words may not.
#pragma once

#include <cstdint>

#include "../../ir/control.hpp"
#include "../../meta/span.hpp"
#include "../../meta/vec.hpp"

namespace ww::unified {

// An assignment: `producer` holds `counter`.
struct barrier_entry {
  std::uint32_t producer = 0;
  std::uint32_t issued = 0;  // cycle
  std::uint8_t counter = 0;
  bool sources = false;  // until its sources are read; else until its result is there
};

// What an instruction needs counters for.
struct barrier_cover {
  static constexpr std::uint8_t any_pipe = 0xff;

  bool result = false;
  bool sources = false;
  std::uint8_t pipe = any_pipe;
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
  static constexpr std::uint8_t no_counter = control::no_barrier;

  constexpr void start(std::uint32_t instructions, const preliminary_limits& limits) {
    limits_ = limits;
    if (limits_.counters > control::barrier_count) limits_.counters = control::barrier_count;
    words_.assign(instructions, control{});
    issued_.assign(instructions, none);
    consumer_.assign(instructions, none);
    for (counter_state& c : counters_) c = {};
    used_ = 0;
    last_ = none;
    evictions_ = takeovers_ = 0;
  }

  // Instruction `i` issues at `cycle`. Cycles do not fall.
  constexpr void place(std::uint32_t i, std::uint32_t cycle, const barrier_cover& cover) {
    if (last_ != none) {
      control& before = words_[last_];
      const std::uint32_t gap = smaller(cycle - issued_[last_], limits_.raw_stall);
      before.stall = static_cast<std::uint8_t>(smaller(gap, limits_.field_stall));
      before.yield = before.stall >= limits_.yield_threshold;
    }
    last_ = i;
    issued_[i] = cycle;
    if (cover.result) words_[i].write_barrier = take_counter(i, cycle, cover.pipe, false);
    if (cover.sources) words_[i].read_barrier = take_counter(i, cycle, cover.pipe, true);
  }
  // The same for who knows no more than that the result is `variable`.
  constexpr void place(std::uint32_t i, std::uint32_t cycle, bool variable) {
    place(i, cycle, barrier_cover{variable, false, barrier_cover::any_pipe});
  }

  // Instruction `i`, about to be placed, reads the result of `producer`: it waits for the producer's counter.
  constexpr void consume(std::uint32_t i, std::uint32_t producer) {
    if (consumer_[producer] == none) consumer_[producer] = i;
    unsigned counters = 0;
    for (const barrier_entry& e : outstanding()) {
      if (e.producer == producer && !e.sources) counters |= 1u << e.counter;
    }
    wait(i, counters);
  }

  // Instruction `i`, about to be placed, waits for the counters whose bits are set.
  constexpr void wait(std::uint32_t i, unsigned counters) {
    if (counters == 0) return;
    words_[i].wait_mask = static_cast<std::uint8_t>(words_[i].wait_mask | counters);
    drop(i, counters);
  }

  // The assignments that nobody has waited for, in the order in which they were made.
  [[nodiscard]] constexpr span<const barrier_entry> outstanding() const { return {table_, used_}; }

  // Cycles from `i` to its nearest consumer, at most the raw limit; 0 when none is placed.
  [[nodiscard]] constexpr std::uint32_t consumer_distance(std::uint32_t i) const {
    const std::uint32_t to = consumer_[i];
    if (to == none || issued_[to] == none || issued_[i] == none) return 0;
    return smaller(issued_[to] - issued_[i], limits_.raw_stall);
  }

  [[nodiscard]] constexpr const vec<control>& words() const { return words_; }
  // Counters that a new producer waited for, and those that it took by their age while somebody may still wait for them.
  [[nodiscard]] constexpr unsigned evictions() const { return evictions_; }
  [[nodiscard]] constexpr unsigned takeovers() const { return takeovers_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct counter_state {
    std::uint32_t set = 0;  // cycle of the newest producer
    std::uint8_t pipe = barrier_cover::any_pipe;
  };

  static constexpr std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  // Instruction `i` has waited for these counters: the assignments of all before it are settled.
  constexpr void drop(std::uint32_t i, unsigned counters) {
    unsigned kept = 0;
    for (unsigned k = 0; k < used_; ++k) {
      const bool settled = (counters >> table_[k].counter & 1u) != 0 && table_[k].producer != i;
      if (!settled) table_[kept++] = table_[k];
    }
    used_ = kept;
  }
  // Counters with outstanding assignments.
  [[nodiscard]] constexpr unsigned open() const {
    unsigned counters = 0;
    for (const barrier_entry& e : outstanding()) counters |= 1u << e.counter;
    return counters;
  }

  // A free counter, by pipe if possible.
  [[nodiscard]] constexpr std::uint8_t free_counter(std::uint32_t cycle, std::uint8_t pipe) const {
    const unsigned busy = open();
    std::uint8_t best = no_counter;
    for (unsigned c = 0; c < limits_.counters; ++c) {
      const bool pending = (busy >> c & 1u) != 0 && cycle - counters_[c].set < limits_.done_after;
      if (pending) continue;
      if (pipe != barrier_cover::any_pipe && counters_[c].pipe == pipe) return static_cast<std::uint8_t>(c);
      if (best == no_counter) best = static_cast<std::uint8_t>(c);
    }
    return best;
  }
  // The counter that was set longest ago; `own`, which the same instruction holds already, only where there is no other.
  [[nodiscard]] constexpr std::uint8_t oldest_counter(std::uint8_t own) const {
    std::uint8_t best = own;
    for (unsigned c = 0; c < limits_.counters; ++c) {
      if (best == own || counters_[c].set < counters_[best].set) best = static_cast<std::uint8_t>(c);
    }
    return best;
  }

  constexpr std::uint8_t take_counter(std::uint32_t i, std::uint32_t cycle, std::uint8_t pipe, bool sources) {
    const std::uint8_t own = sources ? words_[i].write_barrier : no_counter;
    const bool full = used_ == table_entries;
    std::uint8_t counter = full ? no_counter : free_counter(cycle, pipe);
    if (counter == no_counter) {
      counter = full ? table_[0].counter : oldest_counter(own);
      if (counter != own || full) {
        wait(i, 1u << counter);
        ++evictions_;
      }
    } else if ((open() >> counter & 1u) != 0) {
      ++takeovers_;
    }
    table_[used_++] = {i, cycle, counter, sources};
    counters_[counter] = {cycle, pipe};
    return counter;
  }

  vec<control> words_;
  vec<std::uint32_t> issued_;    // cycle of a placed instruction
  vec<std::uint32_t> consumer_;  // the first instruction that was placed of those that read its result
  barrier_entry table_[table_entries];
  unsigned used_ = 0;
  counter_state counters_[control::barrier_count];
  preliminary_limits limits_;
  std::uint32_t last_ = none;
  unsigned evictions_ = 0;
  unsigned takeovers_ = 0;
};

}  // namespace ww::unified
