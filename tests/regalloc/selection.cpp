// SPDX-License-Identifier: BSL-1.0
//
// FPA-5: which slot is selected, by hand and against the text's scan, slot by slot, for every vector width.
#include <algorithm>
#include <optional>

#include "support.hpp"

using namespace ww_test::regalloc;

namespace {

// A scan over arrays of its own.
struct scene {
  std::vector<std::int32_t> primary = std::vector<std::int32_t>(ra::pressure_entries + ra::pressure_sentinel, 0);
  std::vector<std::int32_t> secondary = primary;
  ra::occupancy_bits blocked;
  ra::slot_scan scan;

  explicit scene(std::uint32_t end, std::int64_t last) {
    blocked.reset(end);
    scan.geometry.end = end;
    scan.geometry.entries = std::min(end + 4, ra::pressure_entries);
    scan.geometry.last = last;
  }
  scene(const scene&) = delete;
  void fill(std::int32_t p, std::int32_t s) {
    std::fill(primary.begin(), primary.end(), p);
    std::fill(secondary.begin(), secondary.end(), s);
  }
  template <class Selection = ra::fat_point<>, class V = ww::simd::scalar>
  ra::slot_choice select() {
    scan.primary = primary.data();
    scan.secondary = secondary.data();
    scan.blocked = &blocked;
    return Selection::template select<V>(scan);
  }
  // The same slot and costs in every width.
  template <class Selection = ra::fat_point<>>
  std::int64_t slot() {
    const ra::slot_choice one = select<Selection>();
    each_width([&]<class V>() {
      const ra::slot_choice other = select<Selection, V>();
      CHECK((one.slot == other.slot && one.primary == other.primary && one.secondary == other.secondary));
    });
    if (one.slot >= 0 && one.slot < scan.geometry.entries) {
      CHECK(one.primary == primary[static_cast<std::size_t>(one.slot)]);
      CHECK(one.secondary == secondary[static_cast<std::size_t>(one.slot)]);
    }
    return one.slot;
  }
};

// The text's scan, one slot after the other.
std::int64_t by_scan(const scene& s, std::int32_t threshold, bool banks) {
  const ra::search_geometry& g = s.scan.geometry;
  const auto cost = [&](const std::vector<std::int32_t>& a, std::int64_t k) {
    return k < g.entries ? a[static_cast<std::size_t>(k)] : 0;
  };
  const auto taken = [&](std::int64_t k) { return s.blocked[static_cast<std::uint32_t>(k)]; };
  const std::int64_t first = (std::int64_t{g.start} + g.step - 1) / g.step * g.step;
  bool first_pass = s.scan.first_attempt;
  for (std::int64_t k = first; first_pass && k <= g.last && k < g.end; k += g.step) {
    if (!taken(k) && cost(s.primary, k) > threshold) first_pass = false;
  }
  std::int64_t best = -1;
  std::int32_t best_p = 0;
  std::int32_t best_s = 0;
  for (std::int64_t k = first; k < g.end; k += g.step) {
    if (taken(k)) continue;
    const std::int32_t p = cost(s.primary, k);
    const std::int32_t q = cost(s.secondary, k);
    if (best >= 0) {
      if (first_pass && q >= best_s) continue;
      if (!first_pass && (p > best_p || (p == best_p && q >= best_s))) continue;
    }
    const std::int64_t mask = s.scan.pairing == ra::pair_mode::paired ? -8 : -4;
    if (banks && s.scan.previous >= 0 && k <= g.last && ((k ^ s.scan.previous) & mask) == 0) continue;
    if (k > g.last) {
      if (best < 0) best = k;
      break;
    }
    best = k;
    best_p = p;
    best_s = q;
    if (q == 0 && (p == 0 || first_pass)) break;
  }
  if (banks && (best < 0 || best > g.last)) return by_scan(s, threshold, false);
  return best;
}

// The text's simpler loop.
std::int64_t by_loop(const scene& s, std::int32_t threshold) {
  const ra::search_geometry& g = s.scan.geometry;
  std::int64_t step = s.scan.pairing == ra::pair_mode::single ? 1 : std::int64_t{2} << s.scan.pair_shift;
  step = std::max<std::int64_t>(step, g.step);
  std::int64_t best = -1;
  for (std::int64_t k = 0; k <= g.last && k < g.end; k += step) {
    if (k < g.start || s.blocked[static_cast<std::uint32_t>(k)]) continue;
    const auto at = [&](const std::vector<std::int32_t>& a, std::int64_t x) {
      return x < g.entries ? a[static_cast<std::size_t>(x)] : 0;
    };
    const std::int32_t p = at(s.primary, k);
    const std::int32_t q = at(s.secondary, k);
    if (p > threshold) continue;
    if (best < 0 || p < at(s.primary, best) || (p == at(s.primary, best) && q < at(s.secondary, best))) best = k;
  }
  return best;
}

}  // namespace

TEST_CASE("FPA-5 fat point: the first attempt goes by the second cost alone") {
  scene s(20, 15);
  s.fill(3, 5);
  s.secondary[9] = 2;
  s.secondary[4] = 2;
  s.primary[4] = 50;  // not above the threshold
  CHECK(s.slot() == 4);
  s.primary[4] = 51;  // crowded: the first cost counts
  CHECK(s.slot() == 9);
  s.primary[7] = 1;
  CHECK(s.slot() == 7);
  s.blocked.set(7);
  CHECK(s.slot() == 9);
  s.blocked.set(4);  // what is occupied does not make a file crowded
  s.primary[9] = 40;
  CHECK(s.slot() == 9);
  s.primary[16] = 60;  // nor does what lies beyond the budget
  CHECK(s.slot() == 9);
  CHECK(s.slot<ra::fat_point<39>>() == 0);
}

TEST_CASE("FPA-5 fat point: later attempts go by the first cost, then the second") {
  scene s(20, 15);
  s.scan.first_attempt = false;
  s.fill(3, 5);
  s.primary[8] = s.primary[11] = s.primary[12] = 2;
  CHECK(s.slot() == 8);
  s.secondary[12] = s.secondary[11] = 4;
  CHECK(s.slot() == 11);
  s.secondary[3] = 0;
  CHECK(s.slot() == 11);
}

TEST_CASE("FPA-5 fat point: the first slot that costs nothing is taken") {
  scene s(20, 15);
  s.fill(1, 1);
  s.secondary[6] = s.secondary[8] = 0;
  CHECK(s.slot() == 6);
  s.scan.first_attempt = false;
  s.primary[10] = s.secondary[10] = 0;
  CHECK(s.slot() == 10);
  s.primary[8] = 0;
  CHECK(s.slot() == 8);
}

TEST_CASE("FPA-5 fat point: steps, a start, and the end of the budget") {
  scene s(20, 15);
  s.scan.geometry.step = 4;
  s.scan.geometry.start = 5;
  CHECK(s.slot() == 8);
  s.blocked.set(8);
  CHECK(s.slot() == 12);
  s.blocked.set(12);
  CHECK(s.slot() == 16);  // beyond
  s.blocked.set(16);
  CHECK(s.slot() == -1);
  scene t(20, 15);
  t.fill(9, 9);
  t.primary[17] = t.secondary[17] = 0;
  CHECK(t.slot() == 0);  // dear is better than beyond
  scene none(20, -3);
  CHECK(none.slot() == 0);  // nothing is within the budget
}

TEST_CASE("FPA-5 fat point: banks keep away from the group of the slot given last, if they can") {
  scene s(40, 31);
  s.scan.banks = true;
  CHECK(s.slot() == 0);
  s.scan.previous = 2;
  CHECK(s.slot() == 4);
  s.scan.previous = 5;
  CHECK(s.slot() == 0);
  s.scan.pairing = ra::pair_mode::paired;
  CHECK(s.slot() == 8);
  s.scan.pairing = ra::pair_mode::single;
  s.blocked.set_range(0, 5);
  s.blocked.set_range(8, 32);
  CHECK(s.slot() == 5);  // no other group has room
  s.scan.banks = false;
  s.scan.previous = 0;
  CHECK(s.slot() == 5);
  CHECK((ra::fat_point<50, -2>::select<ww::simd::scalar>(s.scan).slot == 5));
}

TEST_CASE("FPA-5 fat point: slots beyond the arrays cost nothing") {
  scene s(600, 590);
  s.fill(7, 7);
  CHECK(s.slot() == 512);
  s.blocked.set_range(512, 591);
  CHECK(s.slot() == 0);
  s.blocked.set_range(0, 512);
  CHECK(s.slot() == 591);
}

TEST_CASE("FPA-5 plain selection: threshold, step, two costs, nothing beyond the budget") {
  scene s(20, 15);
  s.fill(50, 3);
  CHECK(s.slot<ra::select_register<>>() == 0);
  s.fill(51, 3);
  CHECK(s.slot<ra::select_register<>>() == -1);
  s.primary[7] = s.primary[9] = 20;
  s.secondary[9] = 1;
  CHECK(s.slot<ra::select_register<>>() == 9);
  s.scan.pairing = ra::pair_mode::doubled;
  CHECK(s.slot<ra::select_register<>>() == -1);
  s.primary[10] = 30;
  CHECK(s.slot<ra::select_register<>>() == 10);
  s.scan.pair_shift = 1;
  CHECK(s.slot<ra::select_register<>>() == -1);
  s.primary[12] = 31;
  CHECK(s.slot<ra::select_register<>>() == 12);
  CHECK(s.slot<ra::select_register<30>>() == -1);
  s.blocked.set_range(0, 16);
  CHECK(s.slot<ra::select_register<>>() == -1);
  CHECK(ra::select_register<>::step_of(ra::pair_mode::paired, 0, 1) == 2);
  CHECK(ra::select_register<>::step_of(ra::pair_mode::doubled, 1, 2) == 4);
  CHECK(ra::select_register<>::step_of(ra::pair_mode::single, 1, 8) == 8);
}

TEST_CASE("FPA-5 selection: against the text's scans, slot by slot, in every vector width") {
  dice rng(17);
  int with_zero = 0;
  int beyond = 0;
  for (int run = 0; run < 6000; ++run) {
    const std::uint32_t end = 1 + rng() % (run % 4 == 0 ? 700 : 140);
    scene s(end, static_cast<std::int64_t>(rng() % (end + 3)) - 2);
    const unsigned range = std::vector<unsigned>{1, 2, 4, 60, 1000}[rng() % 5];
    for (std::uint32_t k = 0; k < ra::pressure_entries; ++k) {
      s.primary[k] = static_cast<std::int32_t>(rng() % range + (rng() % 9 == 0 ? 0u : static_cast<unsigned>(run) % 3));
      s.secondary[k] = static_cast<std::int32_t>(rng() % range + (rng() % 9 == 0 ? 0u : static_cast<unsigned>(run) % 2));
    }
    const unsigned dense = rng() % 7;
    for (std::uint32_t k = 0; k < end; ++k) {
      if (rng() % 6 < dense) s.blocked.set(k);
    }
    if (rng() % 4 == 0) {
      std::fill(s.secondary.begin(), s.secondary.end(), 0);
      s.scan.secondary_clear = true;
    }
    if (rng() % 4 == 0) {
      for (std::uint32_t k = 0; k < ra::pressure_entries; ++k) {
        if (!s.blocked[k]) s.primary[k] = 0;
      }
      s.scan.primary_clear = rng() % 2 == 0;
    }
    s.scan.geometry.step = 1u << (rng() % 2 == 0 ? 0 : rng() % 8);
    s.scan.geometry.start = rng() % 3 == 0 ? rng() % end : 0;
    s.scan.pairing =
        std::vector<ra::pair_mode>{ra::pair_mode::single, ra::pair_mode::paired, ra::pair_mode::doubled}[rng() % 3];
    s.scan.pair_shift = rng() % 3;
    s.scan.first_attempt = rng() % 2 == 0;
    s.scan.banks = rng() % 2 == 0;
    s.scan.previous = rng() % 5 == 0 ? -1 : rng() % end;
    INFO("run " << run);
    const std::int64_t slot = s.slot();
    REQUIRE(slot == by_scan(s, 50, s.scan.banks));
    REQUIRE(s.slot<ra::select_register<>>() == by_loop(s, 50));
    REQUIRE(s.slot<ra::select_register<2>>() == by_loop(s, 2));
    beyond += slot > s.scan.geometry.last ? 1 : 0;
    with_zero += slot >= 0 && slot < 512 && s.primary[static_cast<std::size_t>(slot)] == 0 ? 1 : 0;
  }
  CHECK(with_zero > 1000);
  CHECK(beyond > 300);
}
