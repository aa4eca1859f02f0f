// SPDX-License-Identifier: BSL-1.0
//
// The join of the data flow: gathered and settled at once, or one by one, it is the same; where many paths meet its cost is
// what they bring.
#include <cstdint>
#include <random>

#include "../support/catch.hpp"
#include "warpwright/verify/flow_state.hpp"

using namespace ww;
using one_access = verify::detail::access;
using verify::detail::flight;
using verify::detail::flow_state;

namespace {

flow_state random_state(std::mt19937& random, unsigned size) {
  flow_state s;
  s.reached = true;
  for (unsigned i = 0; i < size; ++i) {
    if (random() % 3 != 0) continue;
    one_access a;
    a.index = i;
    a.instr = i;
    a.age = static_cast<std::uint16_t>(random() % 40);
    a.is_read = static_cast<std::uint8_t>(random() % 2);
    a.guard_valid = static_cast<std::uint8_t>(random() % 2);
    s.accesses.push_back(a);
    flight f;
    f.instr = i;
    f.write_pending = random() % 2 != 0;
    f.read_pending = random() % 2 != 0;
    for (unsigned c = 0; c < verify::detail::all_counters; ++c) {
      if (f.write_pending) f.write[c] = static_cast<std::uint8_t>(random() % 4);
      if (f.read_pending) f.read[c] = static_cast<std::uint8_t>(random() % 4);
    }
    if (f.write_pending && !f.read_pending) f.read_at = -static_cast<std::int32_t>(random() % 40);
    f.early = random() % 5 == 0;
    f.passed = !f.write_pending || random() % 2 != 0;
    s.flights.push_back(f);
  }
  for (auto& c : s.counter) {
    c.queue = static_cast<std::uint16_t>(random() % 3);
    c.hidden = static_cast<std::uint8_t>(random() % 3);
    c.increments = static_cast<std::uint8_t>(random() % 3);
  }
  return s;
}

template <class T>
bool equal(const vec<T>& a, const vec<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("verify: what many paths bring is joined at once as it would be one by one") {
  std::mt19937 random(7);
  vec<one_access> scratch;
  vec<flight> scratch_flights;
  unsigned late = 0;
  for (unsigned round = 0; round < 60; ++round) {
    flow_state together = random_state(random, 700);
    flow_state single = together;
    for (unsigned n = 0; n < 40; ++n) {
      const flow_state from = random_state(random, 4 + static_cast<unsigned>(random() % 300));
      const bool said = join(together, from, scratch, scratch_flights);
      late += together.gathered.empty() ? 0u : 1u;
      bool changed = join_sets(single.accesses, from.accesses, scratch);
      changed = join_sets(single.flights, from.flights, scratch_flights) || changed;
      CHECK((said || !changed));
      if (n % 13 == 12) {
        settle(together, scratch, scratch_flights);
        CHECK(equal(together.accesses, single.accesses));
        CHECK(equal(together.flights, single.flights));
      }
    }
    settle(together, scratch, scratch_flights);
    CHECK(together.gathered.empty());
    CHECK(equal(together.accesses, single.accesses));
    CHECK(equal(together.flights, single.flights));
    // Nothing new: nothing has changed, whichever way it comes.
    together.changed = false;
    const flow_state again = together;
    join(together, again, scratch, scratch_flights);
    settle(together, scratch, scratch_flights);
    CHECK(!together.changed);
    flow_state part = again;
    part.accesses.erase(part.accesses.begin() + 9, part.accesses.end());
    part.flights.erase(part.flights.begin() + 9, part.flights.end());
    for (unsigned n = 0; n < 30; ++n) join(together, part, scratch, scratch_flights);
    settle(together, scratch, scratch_flights);
    CHECK(!together.changed);
  }
  CHECK(late > 1000);
}
