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
// hence monotone; ages and counts saturate, so a fixed point is reached. Where thousands of paths meet, each with a little of its
// own, what they bring is gathered and joined at once (`gathered`), so that a join costs what it brings and not what is there.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/sort.hpp"
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
  static constexpr std::int32_t unread = 0x7fffffff;

  std::uint32_t instr = 0;
  std::int32_t read_at = unread;  // clock of the wait for its own read counter; at a boundary minus the least cycles since
  cover write{};                  // covers the results (and so the reads too)
  cover read{};                   // covers the reads
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
  bool changed = false;  // since it was last walked
  vec<access> gathered;  // joined by settle(), in no order
  vec<flight> gathered_flights;

  void clear() {
    accesses.clear();
    flights.clear();
    counter = {};
    changed = false;
    gathered.clear();
    gathered_flights.clear();
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

[[nodiscard]] constexpr access joined(const access& a, const access& b) {
  access m = a;
  m.age = meta::min(a.age, b.age);
  m.guard_valid = static_cast<std::uint8_t>(a.guard_valid & b.guard_valid);
  return m;
}

// A side on which the event is no longer outstanding says nothing about how it can be waited for.
[[nodiscard]] constexpr flight joined(const flight& f, const flight& g) {
  flight m = f;
  if (g.write_pending) m.write = f.write_pending ? least(f.write, g.write) : g.write;
  if (g.read_pending) m.read = f.read_pending ? least(f.read, g.read) : g.read;
  if (g.write_pending) m.read_at = f.write_pending ? meta::max(f.read_at, g.read_at) : g.read_at;
  m.write_pending = f.write_pending || g.write_pending;
  m.read_pending = f.read_pending || g.read_pending;
  m.early = f.early || g.early;
  m.passed = (f.passed || !f.write_pending) && (g.passed || !g.write_pending);
  return m;
}

[[nodiscard]] constexpr bool comes_before(const access& a, const access& b) { return a.before(b); }
[[nodiscard]] constexpr bool comes_before(const flight& a, const flight& b) { return a.instr < b.instr; }

// The union of two sorted sets with the join of what is in both, into `into`, which keeps its own storage. Did it change?
template <class T>
bool join_sets(vec<T>& into, const vec<T>& from, vec<T>& scratch) {
  bool changed = false;
  scratch.clear();
  auto a = into.begin();
  auto b = from.begin();
  while (a != into.end() || b != from.end()) {
    if (b == from.end() || (a != into.end() && comes_before(*a, *b))) {
      scratch.push_back(*a++);
    } else if (a == into.end() || comes_before(*b, *a)) {
      scratch.push_back(*b++);
      changed = true;
    } else {
      const T m = joined(*a, *b);
      changed = changed || !(m == *a);
      scratch.push_back(m);
      ++a;
      ++b;
    }
  }
  if (changed) into.assign(scratch.begin(), scratch.end());
  return changed;
}

// Sorts what was gathered, and joins what is in it twice.
template <class T>
void make_set(vec<T>& v) {
  ww::detail::sort(v.begin(), v.end(), [](const T& a, const T& b) { return comes_before(a, b); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (kept != 0 && !comes_before(v[kept - 1], v[i])) {
      v[kept - 1] = joined(v[kept - 1], v[i]);
    } else {
      v[kept++] = v[i];
    }
  }
  v.erase(v.begin() + static_cast<std::ptrdiff_t>(kept), v.end());
}

// Joins what was gathered.
inline void settle(flow_state& s, vec<access>& scratch, vec<flight>& scratch_flights) {
  if (s.gathered.empty() && s.gathered_flights.empty()) return;
  make_set(s.gathered);
  make_set(s.gathered_flights);
  const bool accesses = join_sets(s.accesses, s.gathered, scratch);
  const bool flights = join_sets(s.flights, s.gathered_flights, scratch_flights);
  s.changed = s.changed || accesses || flights;
  s.gathered.clear();
  s.gathered_flights.clear();
}

// `into` := join(into, from), now or at the next settle(). True where `into` has changed or may yet do so.
inline bool join(flow_state& into, const flow_state& from, vec<access>& scratch, vec<flight>& scratch_flights) {
  if (!into.reached) {
    into.accesses = from.accesses;
    into.flights = from.flights;
    into.counter = from.counter;
    into.reached = into.changed = true;
    return true;
  }
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
    into.changed = into.changed || !(x == old);
  }
  constexpr std::size_t much = 256;
  const std::size_t have = into.accesses.size() + into.flights.size();
  const std::size_t more = from.accesses.size() + from.flights.size();
  if (have < much || more > have / 4) {
    const bool accesses = join_sets(into.accesses, from.accesses, scratch);
    const bool flights = join_sets(into.flights, from.flights, scratch_flights);
    into.changed = into.changed || accesses || flights;
    return into.changed;
  }
  into.gathered.insert(into.gathered.end(), from.accesses.begin(), from.accesses.end());
  into.gathered_flights.insert(into.gathered_flights.end(), from.flights.begin(), from.flights.end());
  if (into.gathered.size() + into.gathered_flights.size() > have) settle(into, scratch, scratch_flights);
  return true;
}

}  // namespace ww::verify::detail
