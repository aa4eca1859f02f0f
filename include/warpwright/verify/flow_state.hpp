// SPDX-License-Identifier: BSL-1.0
//
// What may be outstanding at a block boundary: the value that the data flow joins.
//
//   access      one register written or read by one instruction, with the least issue distance over all paths
//   in flight   one instruction whose results or late reads a counter announces. For each counter: is this instruction
//               done when that counter has been waited for, and how many increments of the counter came later
//               (DEPBAR.LE with a count lets so many be outstanding). The least over all paths is kept, "not covered" being
//               less than any
//   counter     which in-order queue its increments belong to, and for how long its newest increment stays invisible
//
// Only what is still outstanding is stored, so the empty state is the clean one. The join is a union with minima,
// hence monotone; ages and counts saturate, so a fixed point is reached.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"

namespace ww::verify::detail {

inline constexpr unsigned counters = control::barrier_count;
inline constexpr unsigned group_counter = counters;  // gsb0, which warp-group matrix operations raise
inline constexpr unsigned all_counters = counters + 1;
inline constexpr std::uint32_t nil = 0xffffffffu;

struct access {
  std::uint32_t index = 0;   // register_index
  std::uint32_t instr = 0;   // who accessed it
  std::uint16_t age = 0;     // least cycles since issue, saturated
  std::uint8_t is_read = 0;  // 0 = write
  std::uint8_t where = 0;    // slot
  std::uint8_t part = 0;
  std::uint8_t late = 0;         // a read that a counter announces
  std::uint8_t guard_valid = 0;  // the guard still has the value under which the access was made

  [[nodiscard]] constexpr bool same_key(const access& o) const {
    return index == o.index && is_read == o.is_read && instr == o.instr && where == o.where && part == o.part;
  }
  [[nodiscard]] constexpr bool before(const access& o) const {
    if (index != o.index) return index < o.index;
    if (is_read != o.is_read) return is_read < o.is_read;
    if (instr != o.instr) return instr < o.instr;
    if (where != o.where) return where < o.where;
    return part < o.part;
  }
  friend constexpr bool operator==(const access&, const access&) = default;
};

// Later increments + 1 for each counter, 0 = a wait for that counter says nothing about the event.
using cover = array<std::uint8_t, all_counters>;

struct flight {
  std::uint32_t instr = 0;
  cover write{};  // covers the results (and so the reads too)
  cover read{};   // covers the reads
  bool write_pending = false;
  bool read_pending = false;
  bool early = false;   // a wait came too close behind the set
  bool passed = false;  // a later strong access has issued, and may have been meant to acquire

  friend constexpr bool operator==(const flight&, const flight&) = default;
};

struct counter_state {
  static constexpr std::uint16_t nothing = 0;
  static constexpr std::uint16_t mixed = 0xffff;

  std::uint16_t queue = nothing;  // queue of all outstanding increments
  std::uint8_t hidden = 0;        // cycles until the newest increment can be seen
  std::uint8_t increments = 0;    // how many increments are that new

  friend constexpr bool operator==(const counter_state&, const counter_state&) = default;
};

struct flow_state {
  vec<access> accesses;  // sorted
  vec<flight> flights;   // sorted by instr
  array<counter_state, all_counters> counter{};
  bool reached = false;

  void clear() {
    accesses.clear();
    flights.clear();
    counter = {};
  }
};

// Lets `cycles` pass.
inline void age(flow_state& s, unsigned cycles, unsigned horizon) {
  for (access& a : s.accesses) a.age = static_cast<std::uint16_t>(meta::min(a.age + cycles, horizon));
  for (counter_state& c : s.counter) {
    c.hidden = c.hidden > cycles ? static_cast<std::uint8_t>(c.hidden - cycles) : std::uint8_t{0};
    if (c.hidden == 0) c.increments = 0;
  }
}

[[nodiscard]] constexpr cover least(const cover& a, const cover& b) {
  cover r{};
  for (unsigned c = 0; c < all_counters; ++c) r[c] = meta::min(a[c], b[c]);
  return r;
}

// `into` := join(into, from). Returns true when `into` changed. The two scratch vectors are swapped with the stored ones.
inline bool join(flow_state& into, const flow_state& from, vec<access>& scratch, vec<flight>& scratch_flights) {
  if (!into.reached) {
    into.accesses = from.accesses;
    into.flights = from.flights;
    into.counter = from.counter;
    into.reached = true;
    return true;
  }
  bool changed = false;

  scratch.clear();
  auto a = into.accesses.begin();
  auto b = from.accesses.begin();
  while (a != into.accesses.end() || b != from.accesses.end()) {
    if (b == from.accesses.end() || (a != into.accesses.end() && a->before(*b))) {
      scratch.push_back(*a++);
    } else if (a == into.accesses.end() || b->before(*a)) {
      scratch.push_back(*b++);
      changed = true;
    } else {
      access m = *a;
      m.age = meta::min(a->age, b->age);
      m.guard_valid = static_cast<std::uint8_t>(a->guard_valid & b->guard_valid);
      changed = changed || !(m == *a);
      scratch.push_back(m);
      ++a;
      ++b;
    }
  }
  into.accesses.swap(scratch);

  scratch_flights.clear();
  auto f = into.flights.begin();
  auto g = from.flights.begin();
  while (f != into.flights.end() || g != from.flights.end()) {
    if (g == from.flights.end() || (f != into.flights.end() && f->instr < g->instr)) {
      scratch_flights.push_back(*f++);
    } else if (f == into.flights.end() || g->instr < f->instr) {
      scratch_flights.push_back(*g++);
      changed = true;
    } else {
      // A side on which the event is no longer outstanding says nothing about how it can be waited for.
      flight m = *f;
      if (g->write_pending) m.write = f->write_pending ? least(f->write, g->write) : g->write;
      if (g->read_pending) m.read = f->read_pending ? least(f->read, g->read) : g->read;
      m.write_pending = f->write_pending || g->write_pending;
      m.read_pending = f->read_pending || g->read_pending;
      m.early = f->early || g->early;
      m.passed = (f->passed || !f->write_pending) && (g->passed || !g->write_pending);
      changed = changed || !(m == *f);
      scratch_flights.push_back(m);
      ++f;
      ++g;
    }
  }
  into.flights.swap(scratch_flights);

  for (unsigned c = 0; c < all_counters; ++c) {
    counter_state& x = into.counter[c];
    const counter_state& y = from.counter[c];
    const counter_state old = x;
    if (x.queue == counter_state::nothing) {
      x.queue = y.queue;
    } else if (y.queue != counter_state::nothing && y.queue != x.queue) {
      x.queue = counter_state::mixed;
    }
    x.hidden = meta::max(x.hidden, y.hidden);
    x.increments = meta::max(x.increments, y.increments);
    changed = changed || !(x == old);
  }
  return changed;
}

}  // namespace ww::verify::detail
