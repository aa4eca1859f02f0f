// SPDX-License-Identifier: BSL-1.0
//
// Repair of places (place_repair.hpp): answers break no constraint, problems that exhaustive search can solve are solved, and what it
// does not know it refuses.
#include <random>
#include <vector>

#include <warpwright/regalloc/all.hpp>

#include "../support/catch.hpp"

namespace {

namespace ra = ww::regalloc;

struct random_problem {
  ra::problem p;
  explicit random_problem(unsigned seed, std::uint32_t slots, std::uint32_t count, bool ties) {
    std::mt19937 rng(seed);
    ra::problem_builder b;
    for (std::uint32_t r = 0; r < count; ++r) {
      ra::allocatable a;
      a.set(ra::register_flag::exact_width);
      if (rng() % 3 == 0) {
        a.width = static_cast<std::uint16_t>(1 + rng() % 3);
        a.alignment_log2 = static_cast<std::uint8_t>(rng() % 2);
        a.phase = static_cast<std::uint16_t>(rng() % 2 & a.alignment_log2);
      }
      if (rng() % 8 == 0) {
        a.set(ra::register_flag::pre_assigned);
        a.physical = static_cast<std::int32_t>(rng() % slots);
        a.width = 1;
        a.alignment_log2 = 0;
        a.phase = 0;
      }
      b.add(a);
    }
    for (std::uint32_t x = 0; x < count; ++x) {
      for (std::uint32_t y = x + 1; y < count; ++y) {
        if (b[x].has(ra::register_flag::pre_assigned) && b[y].has(ra::register_flag::pre_assigned)) continue;
        const unsigned roll = static_cast<unsigned>(rng() % 10);
        if (roll < 4) b.interfere(x, y);
        if (roll == 4) {  // the first of x and the last of y
          const std::int16_t d = static_cast<std::int16_t>(b[y].width - 1);
          b.constrain(x, {y, 1, ra::part_point::type, false, false, d, d});
          b.constrain(
              y, {x, 1, ra::part_point::type, false, false, static_cast<std::int16_t>(-d), static_cast<std::int16_t>(-d)});
        }
      }
      if (rng() % 4 == 0) b.constrain(x, {static_cast<std::uint32_t>(rng() % slots), 1, ra::exclude_one::type, false, true});
    }
    b.build(p);
    p.file.max_slot = slots - 1;
    if (rng() % 3 == 0) p.file.reserved.push_back(1);
    if (!ties) return;
    ra::place_links links;
    links.start(p);
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto x = static_cast<std::uint32_t>(rng() % count);
      const auto y = static_cast<std::uint32_t>(rng() % count);
      if (!p.registers[x].has(ra::register_flag::pre_assigned) && !p.registers[y].has(ra::register_flag::pre_assigned)) {
        (void)links.tie(p, x, y);
      }
    }
  }
};

// Does register r at `at` break a constraint with what stands in `places` (-1 = nowhere)?
bool breaks(const ra::problem& p, std::uint32_t r, std::int64_t at, const std::vector<std::int64_t>& places) {
  const ra::allocatable& a = p.registers[r];
  if (at < 0 || at + a.width > std::int64_t{p.file.max_slot} + 1) return true;
  if ((at & ((1 << a.alignment_log2) - 1)) != a.phase) return true;
  for (const std::uint32_t n : p.file.reserved) {
    if (at <= n && n < at + a.width) return true;
  }
  for (const ra::constraint& c : p.constraints_of(r)) {
    if (c.soft) continue;
    const std::int64_t other = c.physical ? c.target : places[c.target];
    if (other < 0) continue;
    const std::int64_t width = c.physical || c.kind == ra::exclude_one::type ? 1 : p.registers[c.target].width;
    if (c.kind == ra::part_point::type ? at - other >= c.low && at - other <= c.high
                                       : at < other + width && other < at + a.width)
      return true;
  }
  return false;
}

bool solvable(const ra::problem& p, std::uint32_t r, std::vector<std::int64_t>& places, unsigned& budget) {
  if (budget-- == 0) return false;
  while (r < places.size() && p.registers[r].has(ra::register_flag::pre_assigned)) ++r;
  if (r == places.size()) return true;
  for (std::int64_t at = 0; at <= p.file.max_slot && budget > 0; ++at) {
    if (breaks(p, r, at, places)) continue;
    places[r] = at;
    if (solvable(p, r + 1, places, budget)) return true;
    places[r] = -1;
  }
  return false;
}

std::vector<std::int64_t> given(const ra::problem& p) {
  std::vector<std::int64_t> places;
  for (const ra::allocatable& a : p.registers) places.push_back(a.has(ra::register_flag::pre_assigned) ? a.physical : -1);
  return places;
}

}  // namespace

TEST_CASE("FPA-8 repair: answers keep every promise, and nearly all that can be solved is solved") {
  ra::place_repair repair;
  ra::allocator_workspace ws;
  std::size_t solved = 0;
  std::size_t missed = 0;
  std::size_t kept = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    random_problem one(seed, 5 + seed % 5, 6 + seed % 8, seed % 4 == 0);
    ra::problem& p = one.p;
    (void)ra::fat_point_allocator<ra::ordering::straight<>>::run(p, ws, {.attempt = 1});
    const ra::problem before = p;
    const bool ok = repair.run(p, 3000);
    INFO("seed " << seed);
    if (!ok) {
      for (std::size_t r = 0; r < p.registers.size(); ++r) REQUIRE(p.registers[r].physical == before.registers[r].physical);
      ++kept;
      if (seed % 4 == 0) continue;
      std::vector<std::int64_t> places = given(p);
      unsigned budget = 200000;
      missed += solvable(p, 0, places, budget) ? 1u : 0u;
      continue;
    }
    ++solved;
    std::vector<std::int64_t> places;
    std::uint32_t top = 0;
    for (const ra::allocatable& a : p.registers) {
      places.push_back(a.physical);
      top = std::max(top, static_cast<std::uint32_t>(a.physical) + a.width);
    }
    CHECK(repair.registers() == top);
    for (std::uint32_t r = 0; r < places.size(); ++r) {
      const ra::allocatable& a = p.registers[r];
      REQUIRE(!a.has(ra::register_flag::needs_spill));
      if (a.has(ra::register_flag::pre_assigned)) {
        REQUIRE(a.physical == before.registers[r].physical);
      } else {
        REQUIRE(!breaks(p, r, places[r], places));
      }
      if (a.alias_parent != ra::no_register) REQUIRE(a.physical == p.registers[a.alias_parent].physical);
    }
  }
  CHECK(solved > 1000);
  CHECK(kept > 100);
  CHECK(missed * 50 < solved);
}

TEST_CASE("FPA-8 repair: the limit, and problems that it does not know") {
  ra::place_repair repair;
  ra::allocator_workspace ws;
  ra::problem_builder b;
  for (int k = 0; k < 5; ++k) b.add({});
  for (std::uint32_t x = 0; x < 5; ++x) {
    for (std::uint32_t y = x + 1; y < 5; ++y) b.interfere(x, y);
  }
  ra::problem p;
  b.build(p);
  p.file.max_slot = 3;
  (void)ra::fat_point_allocator<>::run(p, ws);
  CHECK(!repair.run(p, 100));
  CHECK(repair.steps() == 101);
  p.file.max_slot = 4;
  CHECK(repair.run(p, 100));
  p.registers[0].pairing = ra::pair_mode::paired;
  CHECK(!repair.run(p, 100));
  p.registers[0].pairing = ra::pair_mode::single;
  p.constraints[0].kind = ra::below_point::type;
  CHECK(!repair.run(p, 100));
  p.constraints[0].soft = true;
  CHECK(repair.run(p, 100));
  p.registers[1].set(ra::register_flag::pre_assigned);
  p.registers[1].physical = 0;
  CHECK(repair.run(p, 100));
  p.registers[2].alias_parent = 1;
  CHECK(!repair.run(p, 100));  // tied to a given place
  ra::problem_builder wishes;
  for (int k = 0; k < 2; ++k) wishes.add({});
  wishes.constrain(0, {1, 1, ra::point::type, true, false});
  wishes.constrain(1, {0, 1, ra::point::type, true, false});
  ra::problem one;
  wishes.build(one);
  one.file.max_slot = 0;
  CHECK(repair.run(one, 10));  // a wish does not count
  // What two constraints speak of is moved once: 1 comes in line, and 0 goes elsewhere.
  ra::problem_builder twice;
  for (int k = 0; k < 2; ++k) twice.add({});
  twice.constrain(0, {1, 1, ra::point::type, false, false});
  twice.constrain(1, {0, 1, ra::part_point::type, false, false, 0, 0});
  twice.constrain(1, {0, 1, ra::point::type, false, false});
  twice.constrain(1, {1, 1, ra::exclude_one::type, false, true});
  ra::problem moved;
  twice.build(moved);
  moved.file.max_slot = 1;
  moved.registers[0].physical = 0;
  moved.registers[1].physical = -1;
  CHECK(repair.run(moved, 100));
  CHECK(moved.registers[1].physical == 0);
  CHECK(moved.registers[0].physical == 1);
  CHECK(repair.steps() == 2);
  ra::problem none;
  CHECK(repair.run(none, 0));
}
