// SPDX-License-Identifier: BSL-1.0
//
// FPA-4: what each constraint kind adds to which slot, by hand and against an oracle that asks slot by slot, for every vector
// width; and which soft constraints are relaxed.
#include <algorithm>
#include <cstring>

#include "support.hpp"

using namespace ww_test::regalloc;

namespace {

struct pressure {
  std::vector<std::int32_t> primary;
  std::vector<std::int32_t> secondary;
  std::vector<bool> blocked;
  friend bool operator==(const pressure&, const pressure&) = default;
};

struct setting {
  std::uint32_t slots = 16;
  std::uint32_t entries = 20;
  std::uint32_t width = 1;
  ra::pair_mode pairing = ra::pair_mode::single;
};

template <class V, class Kinds = ra::constraint_kinds, bool Counting = true>
pressure accumulate(const setting& s, const std::vector<std::pair<std::uint8_t, ra::target_place>>& list) {
  ra::pressure_arrays arrays;
  ra::occupancy_bits bits;
  bits.reset(s.slots);
  ra::pressure_view<V, Counting> v{&arrays, &bits, s.entries, s.width, s.pairing};
  for (const auto& [type, place] : list) (void)Kinds::accumulate(type, v, place);
  v.finish();
  pressure out;
  out.primary.assign(arrays.primary.cost, arrays.primary.cost + s.entries);
  out.secondary.assign(arrays.secondary.cost, arrays.secondary.cost + s.entries);
  for (std::uint32_t k = 0; k < s.slots; ++k) out.blocked.push_back(bits[k]);
  for (const ra::pressure_layer* layer : {&arrays.primary, &arrays.secondary}) {
    const auto zero = [](std::int32_t x) { return x == 0; };
    REQUIRE(std::all_of(layer->cost + s.entries, layer->cost + ra::pressure_layer::size, zero));
    REQUIRE(std::all_of(layer->steps, layer->steps + ra::pressure_layer::size, zero));
    REQUIRE((layer->even == 0 && layer->odd == 0 && !layer->stepped));
  }
  return out;
}

std::vector<int> speaks_against(std::uint8_t type, const ra::target_place& t, const setting& s = {}) {
  const pressure p = accumulate<ww::simd::scalar>(s, {{type, t}});
  std::vector<int> slots;
  for (std::uint32_t k = 0; k < s.entries; ++k) {
    if (p.primary[k] != 0) slots.push_back(static_cast<int>(k));
    REQUIRE((p.primary[k] == 0 || p.primary[k] == t.weight));
    REQUIRE(p.secondary[k] == 0);
  }
  return slots;
}

std::vector<int> all_of(int count, int without = -1) {
  std::vector<int> v;
  for (int k = 0; k < count; ++k) {
    if (k != without) v.push_back(k);
  }
  return v;
}

// Whether a constraint of this kind speaks against starting at `slot`, asked of one slot alone.
bool against(std::uint8_t type, std::int64_t slot, const ra::target_place& t, const setting& s) {
  const auto covers = [&](std::int64_t first, std::int64_t stop) {
    for (std::int64_t k = slot; k < slot + s.width; ++k) {
      if (k >= first && k < stop) return true;
    }
    return false;
  };
  const std::int64_t low = t.slot - (t.slot % 2 != 0 ? 1 : 0);
  switch (type) {
    case 0:
      return covers(t.slot, t.slot + t.extent);
    case 1:
      return covers(t.slot, t.slot + std::min(t.extent, t.unit));
    case 2:
      return slot != t.slot;
    case 3:
      return slot < t.slot;
    case 5:
      return covers(low, low + (s.pairing == ra::pair_mode::doubled ? 2 : 1));
    case 6:
      return covers(low + 1, low + 2);
    case 7:
      return covers(low, low + 2);
    case 8:
      return slot % 2 == t.slot % 2;
    case 11:
      return slot % 2 == 1;
    case 12:
      return slot % 2 == 0;
    case 13:
      return t.slot % 2 == 0 && slot != t.slot + 1;
    case 14:
      return t.slot % 2 == 1 && slot != t.slot - 1;
    case 32:
      return slot >= t.slot + t.low && slot <= t.slot + t.high;
    default:
      return false;
  }
}

// Likewise in the second array: the wishes.
bool against_second(std::uint8_t type, std::int64_t slot, const ra::target_place& t, const setting& s) {
  switch (type) {
    case 15:
      return slot < t.slot || slot >= t.slot + s.width;
    case 33:
      return slot % 2 == t.slot % 2;
    case 34:
      return slot < t.slot + t.extent && t.slot < slot + s.width;
    default:
      return false;
  }
}

struct count_calls {
  template <class View>
  static void accumulate(View& v, const ra::target_place& t) {
    v.add(t.slot, t.slot + 1, 1000, false);
  }
};

}  // namespace

TEST_CASE("FPA-4 kinds: each by hand") {
  ra::target_place t{.slot = 6, .extent = 1, .unit = 1, .weight = 3, .hard = true};
  CHECK(speaks_against(0, t) == std::vector<int>{6});
  CHECK(speaks_against(1, t) == std::vector<int>{6});
  CHECK(speaks_against(2, t) == all_of(20, 6));
  CHECK(speaks_against(3, t) == all_of(6));
  CHECK(speaks_against(4, t).empty());
  CHECK(speaks_against(5, t) == std::vector<int>{6});
  CHECK(speaks_against(6, t) == std::vector<int>{7});
  CHECK(speaks_against(7, t) == std::vector<int>{6, 7});
  CHECK(speaks_against(8, t) == std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18});
  CHECK(speaks_against(9, t).empty());
  CHECK(speaks_against(10, t).empty());
  CHECK(speaks_against(11, t) == std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19});
  CHECK(speaks_against(12, t) == std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18});
  CHECK(speaks_against(13, t) == all_of(20, 7));
  CHECK(speaks_against(14, t).empty());
  CHECK(speaks_against(16, t).empty());
  t.slot = 7;
  CHECK(speaks_against(5, t) == std::vector<int>{6});
  CHECK(speaks_against(6, t) == std::vector<int>{7});
  CHECK(speaks_against(7, t) == std::vector<int>{6, 7});
  CHECK(speaks_against(8, t) == std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19});
  CHECK(speaks_against(13, t).empty());
  CHECK(speaks_against(14, t) == all_of(20, 6));
}

TEST_CASE("FPA-4 kinds: a wide register meets what lies above its start") {
  setting s;
  s.width = 4;
  ra::target_place t{.slot = 6, .extent = 2, .unit = 1, .weight = 1, .hard = true};
  CHECK(speaks_against(0, t, s) == std::vector<int>{3, 4, 5, 6, 7});
  CHECK(speaks_against(1, t, s) == std::vector<int>{3, 4, 5, 6});
  CHECK(speaks_against(2, t, s) == all_of(20, 6));
  s.width = 2;
  s.pairing = ra::pair_mode::doubled;
  CHECK(speaks_against(5, t, s) == std::vector<int>{5, 6, 7});
  CHECK(speaks_against(6, t, s) == std::vector<int>{6, 7});
}

TEST_CASE("FPA-4 range: the second array, everywhere but at the target") {
  ra::target_place t{.slot = 5, .extent = 1, .unit = 1, .weight = 7, .hard = true};
  setting s;
  s.width = 2;
  pressure p = accumulate<ww::simd::scalar>(s, {{15, t}});
  for (int k = 0; k < 20; ++k) {
    CHECK(p.secondary[static_cast<std::size_t>(k)] == (k == 5 || k == 6 ? 0 : 7));
    CHECK(p.primary[static_cast<std::size_t>(k)] == 0);
  }
  CHECK(std::count(p.blocked.begin(), p.blocked.end(), true) == 0);
  t.slot = 40;  // beyond: all alike
  p = accumulate<ww::simd::scalar>(s, {{15, t}});
  CHECK(std::count(p.secondary.begin(), p.secondary.end(), 7) == 20);
}

TEST_CASE("FPA-4 own kinds: another bank, apart, and parts that meet") {
  ra::target_place t{.slot = 5, .extent = 2, .unit = 1, .weight = 7, .hard = true};
  setting s;
  s.width = 3;
  const auto second = [&](std::uint8_t type) {
    const pressure p = accumulate<ww::simd::scalar>(s, {{type, t}});
    CHECK(std::count(p.primary.begin(), p.primary.end(), 0) == 20);
    CHECK(std::count(p.blocked.begin(), p.blocked.end(), true) == 0);  // wishes only
    std::vector<int> slots;
    for (int k = 0; k < 20; ++k) {
      if (p.secondary[static_cast<std::size_t>(k)] != 0) slots.push_back(k);
    }
    return slots;
  };
  CHECK(second(33) == std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19});
  CHECK(second(34) == std::vector<int>{3, 4, 5, 6});  // a start at 3 takes 3, 4 and 5
  t.slot = 4;
  CHECK(second(33) == std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18});
  t.low = -1;
  t.high = 2;
  CHECK(speaks_against(32, t, s) == std::vector<int>{3, 4, 5, 6});
  t.slot = 0;
  CHECK(speaks_against(32, t, s) == std::vector<int>{0, 1, 2});
  CHECK(ra::constraint_kinds::interferes(32));
  CHECK(!ra::constraint_kinds::interferes(33));
  CHECK(!ra::constraint_kinds::interferes(34));
}

TEST_CASE("FPA-4 kinds: against an oracle, slot by slot, in every vector width") {
  dice rng(11);
  for (int run = 0; run < 1500; ++run) {
    setting s;
    s.slots = 1 + rng() % (run % 3 == 0 ? 520 : 70);
    s.entries = std::min(s.slots + 4, ra::pressure_entries);
    s.width = 1 + rng() % 4;
    s.pairing = std::vector<ra::pair_mode>{ra::pair_mode::single, ra::pair_mode::paired, ra::pair_mode::doubled}[rng() % 3];
    std::vector<std::pair<std::uint8_t, ra::target_place>> list;
    for (unsigned k = 1 + rng() % (run % 4 == 0 ? 40 : 5); k > 0; --k) {
      ra::target_place t;
      t.slot = rng() % (s.slots + 8);
      t.extent = 1 + rng() % 12;
      t.unit = s.pairing == ra::pair_mode::paired ? 2 : 1;
      t.weight = static_cast<std::int32_t>(rng() % 9);
      t.hard = rng() % 2 == 0;
      t.low = static_cast<std::int64_t>(rng() % 9) - 4;
      t.high = t.low + rng() % 4;
      const unsigned type = rng() % 21;
      list.push_back({static_cast<std::uint8_t>(type < 18 ? type : type + 14), t});  // up to 17, and 32 to 34
    }
    pressure expected;
    expected.primary.assign(s.entries, 0);
    expected.secondary.assign(s.entries, 0);
    expected.blocked.assign(s.slots, false);
    pressure soft_only = expected;
    for (const auto& [type, t] : list) {
      for (std::uint32_t k = 0; k < std::max(s.entries, s.slots); ++k) {
        const bool hit = against(type, k, t, s);
        if (k < s.entries && hit) {
          expected.primary[k] += t.weight;
          if (!t.hard || type == 8) soft_only.primary[k] += t.weight;
        }
        if (k < s.entries && against_second(type, k, t, s)) {
          expected.secondary[k] += t.weight;
          soft_only.secondary[k] += t.weight;
        }
        if (k < s.slots && hit && t.hard && type != 8) expected.blocked[k] = soft_only.blocked[k] = true;
      }
    }
    each_width([&]<class V>() {
      INFO(V::name << " run " << run);
      REQUIRE(accumulate<V>(s, list) == expected);
      REQUIRE((accumulate<V, ra::constraint_kinds, false>(s, list)) == soft_only);
    });
  }
}

TEST_CASE("FPA-4 kinds: the loops' reading of exclude-one and parity, as a list of its own") {
  const ra::target_place t{.slot = 6, .extent = 1, .unit = 1, .weight = 2, .hard = false};
  const auto zero_at = [&](std::uint8_t type) {
    const pressure p = accumulate<ww::simd::scalar, ra::constraint_kinds_by_loop>({}, {{type, t}});
    REQUIRE(std::count(p.primary.begin(), p.primary.end(), 0) == 1);
    return std::find(p.primary.begin(), p.primary.end(), 0) - p.primary.begin();
  };
  CHECK(zero_at(1) == 6);
  CHECK(zero_at(2) == 6);
  CHECK(zero_at(11) == 6);
  CHECK(zero_at(12) == 7);
  CHECK(zero_at(13) == 7);
}

TEST_CASE("FPA-4 kinds: a user's kind replaces a shipped one, or adds a new") {
  using mine = ra::extend<ra::constraint_kinds, ra::reserved<4, count_calls>, ra::reserved<0, count_calls>,
                          ra::reserved<77, count_calls>>;
  const ra::target_place t{.slot = 3, .extent = 1, .unit = 1, .weight = 1, .hard = true};
  for (const std::uint8_t type : {std::uint8_t{4}, std::uint8_t{0}, std::uint8_t{77}}) {
    const pressure p = accumulate<ww::simd::scalar, mine>({}, {{type, t}});
    CHECK(p.primary[3] == 1000);
    CHECK(std::count(p.blocked.begin(), p.blocked.end(), true) == 0);
  }
  CHECK_FALSE(mine::interferes(0));
  for (const int type : {0, 5, 6, 7}) CHECK(ra::constraint_kinds::interferes(static_cast<std::uint8_t>(type)));
  for (const int type : {1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    CHECK_FALSE(ra::constraint_kinds::interferes(static_cast<std::uint8_t>(type)));
}

TEST_CASE("FPA-4 arrays: zeroed over what was used, and only then") {
  each_width([&]<class V>() {
    ra::pressure_arrays arrays;
    ra::occupancy_bits bits;
    bits.reset(100);
    ra::pressure_view<V> v{&arrays, &bits, 104, 1, ra::pair_mode::single};
    v.add(0, 104, 5, false);
    v.finish();
    CHECK((arrays.primary.used == 104 && arrays.secondary.used == 0));
    CHECK((arrays.primary.cost[0] == 5 && arrays.primary.cost[103] == 5));
    v.add_secondary(50, 60, 5);
    v.finish();
    CHECK(arrays.secondary.used == 104);
    arrays.zero<V>();
    CHECK((arrays.primary.used == 0 && arrays.secondary.used == 0));
    for (const std::int32_t x : arrays.primary.cost) REQUIRE(x == 0);
    for (const std::int32_t x : arrays.secondary.cost) REQUIRE(x == 0);
  });
  CHECK(reinterpret_cast<std::uintptr_t>(std::vector<ra::pressure_arrays>(1)[0].primary.cost) % 64 == 0);
}

TEST_CASE("FPA-4 relaxation: more soft constraints go with every attempt, and the tail where banks count") {
  using two = ra::relaxation::progressive<2, 3>;
  const auto kept = [](std::uint64_t total, std::uint32_t attempt, bool banks) {
    std::vector<int> list;
    for (std::uint64_t k = 1; k <= total; ++k) {
      if (!two::skip(k, total, attempt, banks)) list.push_back(static_cast<int>(k));
    }
    return list;
  };
  CHECK(kept(6, 0, true) == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(kept(6, 1, false) == std::vector<int>{3, 4, 5, 6});
  CHECK(kept(6, 2, false) == std::vector<int>{5, 6});
  CHECK(kept(6, 3, false).empty());
  CHECK(kept(8, 1, true) == std::vector<int>{3, 4, 5});
  CHECK(kept(8, 2, true).empty());
  CHECK(kept(20, 2, true) == std::vector<int>{5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  CHECK_FALSE(ra::relaxation::keep_all::skip(1, 1, 99, true));
  CHECK_FALSE(two::skip(1, 0, 0, true));  // whoever did not count may ask on the first attempt
}
