// SPDX-License-Identifier: BSL-1.0
//
// The scoreboard object of the reference (SB-5): 35 counters with shared ownership and 14 barrier records, as flat arrays.
//
//   counters 0..17   nine classes of registers, two each: which barrier is live, and the least stall in cycles
//   counters 18..34  storage that several contexts share; 19 belongs to the records, 25 to the last of them
//   records 0..5     the barriers of hardware; 6..12 are spare, 13 is the sentinel
//   owners           a counter starts with one (its place here); each link from a record or the list node adds two
//   active node      the first barrier of the block
// The text allocates a counter as a node and counts its owners; here the counts are the same and the nodes are array
// elements, so that nothing is allocated and a counter without owners is merely dead. `share` and `drop` are for a second
// context. The text is changed in four places (docs/deviations.md): a class stores its barrier plus one, for 0 means "none"
// at the start; the node keeps its index apart from its flag, for `idx | 1` is the same for 0 and 1; owners are added where
// a record becomes pending, once, or `release` would take more than was given; and a wait is left out because of age only
// where the caller trusts distances.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "../ir/ids.hpp"
#include "../ir/reg.hpp"
#include "../meta/array.hpp"
#include "pool.hpp"

namespace ww::scoreboard {

// The register classes of counters 0..17; four are the architecture's own.
enum class counter_class : std::uint8_t { r, p, ur, up, b, own5, own6, own7, own8, count };

[[nodiscard]] constexpr counter_class counter_class_of(reg_file f) {
  switch (f) {
    case reg_file::p:
      return counter_class::p;
    case reg_file::ur:
      return counter_class::ur;
    case reg_file::up:
      return counter_class::up;
    case reg_file::b:
      return counter_class::b;
    case reg_file::sb:
      return counter_class::own5;
    case reg_file::cc:
      return counter_class::own6;
    case reg_file::special:
      return counter_class::own7;
    default:
      return counter_class::r;
  }
}

struct board_counter {
  std::uint32_t owners = 1;
  std::uint32_t value = 0;
};

struct board_record {
  barrier_status status = barrier_status::free;
  instr_id producer;
  std::uint32_t set_cycle = 0;
  std::uint32_t waiters = 0;  // consumers that have asked
  std::uint8_t counter = 0;   // the shared counter that it links to
};

struct board_node {
  instr_id producer;
  std::uint32_t set_cycle = 0;
  std::uint8_t index = control::no_barrier;
  bool active = false;
};

// What an issue needs: a barrier (7 = none), and whether the producer must wait for it first because it was in use.
struct issue_answer {
  std::uint8_t barrier = control::no_barrier;
  std::uint8_t wait_mask = 0;
};

// Why a consumer waits or does not.
enum class wait_answer : std::uint8_t { wait, released_by_age, owner_changed };

template <class Barriers>
class board {
 public:
  static constexpr unsigned counters = 35;
  static constexpr unsigned records = 14;
  static constexpr unsigned sentinel = 13;
  static constexpr unsigned first_shared = 18;
  static constexpr unsigned record_counter = 19;
  static constexpr unsigned sentinel_counter = 25;
  static constexpr unsigned links = 2;  // owners that one link adds
  static constexpr unsigned usable = Barriers::count;
  static_assert(usable <= sentinel);

  board() { reset(); }

  void reset() {
    counter_.fill({});
    record_.fill({});
    node_ = {};
    for (unsigned i = 0; i < records; ++i) {
      record_[i].counter = static_cast<std::uint8_t>(i == sentinel ? sentinel_counter : record_counter);
      counter_[record_[i].counter].owners += links;
    }
    counter_[stall_slot(counter_class::r)].owners += links;  // the list node's two links
    counter_[record_counter].owners += links;
  }

  [[nodiscard]] static constexpr unsigned barrier_slot(counter_class c) { return 2 * static_cast<unsigned>(c); }
  [[nodiscard]] static constexpr unsigned stall_slot(counter_class c) { return barrier_slot(c) + 1; }
  static_assert(2 * static_cast<unsigned>(counter_class::count) == first_shared);

  // A producer of `c` with this latency in cycles. Up to 15 it raises the stall of its class and takes no barrier.
  issue_answer on_issue(instr_id producer, counter_class c, unsigned latency, std::uint32_t cycle) {
    if (latency <= Barriers::max_stall) {
      board_counter& s = counter_[stall_slot(c)];
      if (s.value < latency) s.value = latency;
      return {};
    }
    issue_answer a;
    unsigned best = usable;
    for (unsigned i = 0; i < usable && best == usable; ++i) {
      if (record_[i].status == barrier_status::free) best = i;
    }
    if (best == usable) {  // the oldest is waited for and taken
      best = 0;
      for (unsigned i = 1; i < usable; ++i) {
        if (record_[i].set_cycle < record_[best].set_cycle) best = i;
      }
      a.wait_mask = static_cast<std::uint8_t>(1u << best);
      release(best);
    }
    on_set(best, producer, cycle);
    counter_[barrier_slot(c)].value = best + 1;
    a.barrier = static_cast<std::uint8_t>(best);
    return a;
  }

  // Barrier `i` now belongs to `producer`.
  void on_set(unsigned i, instr_id producer, std::uint32_t cycle) {
    board_record& r = record_[i];
    if (r.status == barrier_status::free) ++counter_[r.counter].owners;
    r = {barrier_status::pending, producer, cycle, 0, r.counter};
    if (!node_.active) node_ = {producer, cycle, static_cast<std::uint8_t>(i), true};
  }

  // A consumer wants what `expected` produces under barrier `i`. `trusted_latency`: cycles after which the text counts the
  // producer as done; 0 = no number of cycles is proof.
  wait_answer on_wait(unsigned i, instr_id expected, std::uint32_t cycle, std::uint32_t trusted_latency = 0) {
    board_record& r = record_[i];
    if (r.status == barrier_status::free || r.producer != expected) return wait_answer::owner_changed;
    ++r.waiters;
    if (trusted_latency != 0 && cycle - r.set_cycle > trusted_latency) {
      release(i);
      return wait_answer::released_by_age;
    }
    return wait_answer::wait;
  }

  // Everything that wanted the barrier has waited. A free barrier stays free.
  void release(unsigned i) {
    board_record& r = record_[i];
    if (r.status == barrier_status::free) return;
    drop(r.counter);
    r = {barrier_status::free, instr_id{}, 0, 0, r.counter};
    for (unsigned c = 0; c < static_cast<unsigned>(counter_class::count); ++c) {
      if (counter_[2 * c].value == i + 1) counter_[2 * c].value = 0;
    }
    if (node_.active && node_.index == i) node_ = {};
  }

  // A second context takes or gives up a part in a counter; true when nobody owns it any more.
  void share(unsigned slot) { ++counter_[slot].owners; }
  bool drop(unsigned slot) {
    board_counter& c = counter_[slot];
    if (c.owners == 0) return false;
    if (--c.owners != 0) return false;
    c.value = 0;
    return true;
  }

  // Gives up all links and places; returns how many counters somebody else still owns.
  unsigned close() {
    for (unsigned i = 0; i < records; ++i) {
      release(i);
      for (unsigned k = 0; k < links; ++k) drop(record_[i].counter);
    }
    for (unsigned k = 0; k < links; ++k) {
      drop(stall_slot(counter_class::r));
      drop(record_counter);
    }
    unsigned left = 0;
    for (unsigned s = 0; s < counters; ++s) left += drop(s) ? 0u : 1u;
    return left;
  }

  // The barrier that is live for a class, 7 = none.
  [[nodiscard]] std::uint8_t live_barrier(counter_class c) const {
    const std::uint32_t v = counter_[barrier_slot(c)].value;
    return v == 0 ? control::no_barrier : static_cast<std::uint8_t>(v - 1);
  }
  [[nodiscard]] const board_counter& counter(unsigned slot) const { return counter_[slot]; }
  [[nodiscard]] const board_record& record(unsigned i) const { return record_[i]; }
  [[nodiscard]] const board_node& node() const { return node_; }

 private:
  array<board_counter, counters> counter_;
  array<board_record, records> record_;
  board_node node_;
};

}  // namespace ww::scoreboard
