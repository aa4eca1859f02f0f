// SPDX-License-Identifier: BSL-1.0
//
// PLS-3: the eight bits, the packed order, the refined comparison and a bit of a user's own.
#include "warpwright/priority/packed.hpp"

#include <random>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "warpwright/priority/critical_path.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"

namespace {

using namespace ww::priority;
namespace bits = ww::priority::bits;

candidate with(std::initializer_list<trait> traits) {
  candidate c;
  for (const trait t : traits) c.add(t);
  return c;
}

struct fan_bit {  // a user's own: touches no other file
  static constexpr const char* name = "fan";
  static constexpr bool test(const candidate& c, const pick_state&) { return c.fanout > 3; }
};

struct loud_field {  // answers more than its field holds
  static constexpr const char* name = "loud";
  static constexpr unsigned width = 3;
  static constexpr unsigned value(const candidate& c, const pick_state&) { return c.height; }
};

static_assert(ww::per_pick_priority<packed> && ww::per_pick_priority<refined>);
static_assert(ww::fixed_key_priority<critical_path> && ww::fixed_key_priority<source_order<>>);

// The byte and its order are usable at compile time.
constexpr candidate stalled = [] {
  candidate c;
  c.earliest = 9;
  c.height = 2;
  return c;
}();
constexpr pick_state late = [] {
  pick_state s;
  s.cycle = 4;
  s.critical_length = 100;
  return s;
}();
static_assert(packed::key(stalled, late) == 0b00001000);
static_assert(packed::key(candidate{}, late) == 0b00001100);

}  // namespace

TEST_CASE("PLS-3 packed: eight bits in the text's places") {
  REQUIRE(packed::total_bits == 8);
  const char* names[] = {"yield_related", "yield_flag", "hot_cold",      "pressure",
                         "same_block",    "stall_free", "critical_path", "tiebreaker"};
  for (unsigned i = 0; i < 8; ++i) {
    CHECK(packed::table[i].name == std::string(names[i]));
    CHECK(packed::table[i].low == 7 - i);
    CHECK(packed::table[i].mask() == (std::uint64_t{1} << (7 - i)));
  }
  std::string map;
  packed::print([&](std::string_view s) { map += s; });
  CHECK(map ==
        "bits 7..7   yield_related\n"
        "bits 6..6   yield_flag\n"
        "bits 5..5   hot_cold\n"
        "bits 4..4   pressure\n"
        "bits 3..3   same_block\n"
        "bits 2..2   stall_free\n"
        "bits 1..1   critical_path\n"
        "bits 0..0   tiebreaker\n");
}

TEST_CASE("PLS-3 bits: each answers its own question") {
  pick_state s;
  s.cycle = 10;
  s.critical_length = 50;
  CHECK(bits::yield_related::test(with({trait::yield_boundary}), s));
  CHECK_FALSE(bits::yield_related::test(with({trait::control}), s));

  CHECK_FALSE(bits::yield_flag::test(with({trait::control}), s));
  s.yield_state = true;
  CHECK(bits::yield_flag::test(with({trait::control}), s));
  CHECK_FALSE(bits::yield_flag::test(with({trait::control, trait::hot}), s));
  CHECK_FALSE(bits::yield_flag::test(with({}), s));

  CHECK_FALSE(bits::hot_cold::test(with({trait::hot}), s));  // no budget left
  s.hot_budget = 1;
  CHECK(bits::hot_cold::test(with({trait::hot}), s));
  CHECK_FALSE(bits::hot_cold::test(with({trait::cold}), s));

  candidate frees;
  frees.delta[0] = -1;
  s.live[0] = 255;
  CHECK_FALSE(bits::pressure::test(frees, s));  // at the limit of a general register file is not over it
  s.live[0] = 256;
  CHECK(bits::pressure::test(frees, s));
  frees.add(trait::cold);
  CHECK_FALSE(bits::pressure::test(frees, s));
  candidate uniform;
  uniform.delta[3] = -1;
  s.live[3] = 63;  // the uniform group overflows at its limit, one sooner
  CHECK(bits::pressure::test(uniform, s));

  CHECK(bits::same_block::test(with({}), s));
  CHECK_FALSE(bits::same_block::test(with({trait::imported}), s));

  candidate c;
  c.earliest = 10;
  CHECK(bits::stall_free::test(c, s));
  c.earliest = 11;
  CHECK_FALSE(bits::stall_free::test(c, s));
  c.earliest = 0;
  s.pipe_free[static_cast<unsigned>(c.pipe)] = 12;
  CHECK_FALSE(bits::stall_free::test(c, s));

  c.height = 40;
  CHECK(bits::critical_path::test(c, s));
  c.height = 39;
  CHECK_FALSE(bits::critical_path::test(c, s));

  CHECK(bits::tiebreaker::test(with({trait::barrier_target}), s));
  CHECK_FALSE(bits::tiebreaker::test(with({}), s));
}

TEST_CASE("PLS-3 pack: most significant first as written, with fields, and the field that decided") {
  using mine = pack<fan_bit, bits::height_field<6>, bits::stall_free>;
  REQUIRE(mine::total_bits == 8);
  CHECK(mine::table[0].low == 7);
  CHECK(mine::table[1].low == 1);
  CHECK(mine::table[1].width == 6);
  candidate a;
  candidate b;
  a.height = 63;
  b.height = 9;
  b.fanout = 4;
  b.index = 1;
  const pick_state s;
  CHECK_FALSE(mine::compare(a, b, s).first_wins);
  CHECK(mine::reason_name(mine::compare(a, b, s).reason) == std::string("fan"));
  a.fanout = 4;
  CHECK(mine::compare(a, b, s).first_wins);
  CHECK(mine::reason_name(mine::compare(a, b, s).reason) == std::string("height"));
  a.height = 200;  // cut off at the largest value of the field
  CHECK(mine::key(a, s) == 0xff);
  b = a;
  b.index = 1;
  CHECK(mine::compare(a, b, s).first_wins);
  CHECK(mine::reason_name(mine::compare(a, b, s).reason) == std::string("source_order"));
  CHECK_FALSE(mine::compare(b, a, s).first_wins);
}

TEST_CASE("PLS-3 pack: a value above its field counts as the largest one and never reaches the field above") {
  using mine = pack<fan_bit, loud_field, bits::stall_free>;
  candidate loud;
  loud.height = 100;
  candidate high;
  high.fanout = 4;
  high.index = 1;
  const pick_state s;
  CHECK(mine::key(loud, s) == 0b01111);
  CHECK(mine::compare(high, loud, s).first_wins);
  loud.height = 7;
  CHECK(mine::key(loud, s) == 0b01111);
  loud.height = 6;
  CHECK(mine::key(loud, s) == 0b01101);
}

TEST_CASE("PLS-3 refined: the resource vector decides before the byte") {
  pick_state s;
  s.limit[0] = 10;
  s.live[0] = 10;
  candidate greedy = with({trait::yield_boundary});
  greedy.delta[0] = 1;
  candidate modest;
  modest.index = 1;
  CHECK(packed::compare(greedy, modest, s).first_wins);
  CHECK_FALSE(refined::compare(greedy, modest, s).first_wins);
  CHECK(refined::compare(greedy, modest, s).reason == refined::general_group);
  s.live[0] = 5;  // within the limit both score nothing
  CHECK(refined::score(greedy, s, reg_group::general) == 0);
  // The narrow groups: six are free, seven only without growth, eight never.
  candidate p;
  s.live[1] = 6;
  CHECK(refined::score(p, s, reg_group::predicate) == 0);
  p.delta[1] = 1;
  CHECK(refined::score(p, s, reg_group::predicate) == 7);
  p.delta[1] = 0;
  s.live[1] = 7;
  CHECK(refined::score(p, s, reg_group::predicate) == 0);
  // The uniform group is charged from its limit on.
  s.live[3] = 62;
  CHECK(refined::score(p, s, reg_group::uniform) == 0);
  p.delta[3] = 1;
  CHECK(refined::score(p, s, reg_group::uniform) == 63);
}

TEST_CASE("PLS-3 refined: bits are scanned 4, 6, 1, 2, 5, and bit 7 comes late") {
  const unsigned order[] = {4, 6, 1, 2, 5};
  for (unsigned i = 0; i < 5; ++i) CHECK(refined::scan_order[i] == order[i]);
  pick_state s;
  s.cycle = 10;
  s.critical_length = 50;
  s.hot_budget = 4;
  candidate critical;
  critical.height = 45;
  critical.earliest = 11;  // critical but stalling
  candidate free;
  free.index = 1;
  free.height = 3;
  CHECK_FALSE(packed::compare(critical, free, s).first_wins);  // bit 2 above bit 1
  CHECK(refined::compare(critical, free, s).first_wins);       // bit 1 before bit 2
  CHECK(refined::compare(critical, free, s).reason == refined::critical_bit);
  candidate hot = with({trait::hot});
  hot.earliest = 11;
  hot.height = 3;
  CHECK(packed::compare(hot, free, s).first_wins);         // bit 5 above bit 2
  CHECK_FALSE(refined::compare(hot, free, s).first_wins);  // bit 2 before bit 5
  candidate boundary = with({trait::yield_boundary});
  boundary.height = 3;
  CHECK(packed::compare(boundary, free, s).first_wins);
  boundary.index = 2;
  CHECK_FALSE(refined::compare(boundary, free, s).first_wins);  // no shared-memory access ready: source order
  s.shared_count = 1;
  CHECK(refined::compare(boundary, free, s).first_wins);
  CHECK(refined::compare(boundary, free, s).reason == refined::yield_related_bit);
}

TEST_CASE("PLS-3 refined: tie-breakers in the text's order, then source order") {
  const pick_state s;
  const auto decided_by = [&](auto change) {
    candidate a;
    candidate b;
    a.index = 5;
    b.index = 6;
    a.height = b.height = 1;
    change(b);
    CHECK(refined::compare(a, b, s).first_wins != refined::compare(b, a, s).first_wins);
    return static_cast<unsigned>(refined::compare(a, b, s).reason);
  };
  CHECK(decided_by([](candidate& c) { c.barrier_group = 2; }) == refined::barrier_group);
  CHECK(decided_by([](candidate& c) { c.latency = 9; }) == refined::latency);
  CHECK(decided_by([](candidate& c) { c.dependence_cycle = 9; }) == refined::dependence);
  CHECK(decided_by([](candidate& c) { c.deadline = 9; }) == refined::deadline);
  CHECK(decided_by([](candidate& c) { c.delta[0] = 1; }) == refined::register_delta);
  CHECK(decided_by([](candidate&) {}) == refined::source_order);
  // Contention: twice what lies above the reduced limit, less one while the ready list releases registers.
  pick_state tight;
  tight.limit[0] = 200;
  tight.reduced_limit = 100;
  tight.live[0] = 103;
  candidate c;
  CHECK(refined::contention_score(c, tight) == 5);
  tight.positive_pressure = 1;
  CHECK(refined::contention_score(c, tight) == 6);
  tight.live[0] = 100;
  CHECK(refined::contention_score(c, tight) == 0);
}

TEST_CASE("PLS-3 comparisons are strict total orders over the ready list") {
  std::mt19937 rng(5);
  const auto r = [&](unsigned n) { return static_cast<unsigned>(rng() % n); };
  for (int round = 0; round < 300; ++round) {
    pick_state s;
    s.cycle = r(20);
    s.critical_length = 30;
    s.hot_budget = r(2);
    s.yield_state = r(2) == 0;
    s.shared_count = r(2);
    for (auto& l : s.live) l = static_cast<std::int32_t>(r(10));
    for (auto& l : s.limit) l = 7;
    s.reduced_limit = 6;
    std::vector<candidate> cs(6);
    for (std::uint32_t i = 0; i < cs.size(); ++i) {
      candidate& c = cs[i];
      c.index = i;
      c.height = 1 + r(4) * 8;
      c.earliest = r(25);
      c.traits = static_cast<std::uint16_t>(r(256));
      c.latency = 1 + r(2);
      c.barrier_group = static_cast<std::uint8_t>(r(2));
      for (auto& d : c.delta) d = static_cast<std::int8_t>(static_cast<int>(r(3)) - 1);
    }
    const auto check = [&](auto compare) {
      for (const candidate& a : cs) {
        for (const candidate& b : cs) {
          if (a.index == b.index) continue;
          REQUIRE(compare(a, b) != compare(b, a));
          for (const candidate& c : cs) {
            if (c.index == a.index || c.index == b.index) continue;
            if (compare(a, b) && compare(b, c)) REQUIRE(compare(a, c));
          }
        }
      }
    };
    check([&](const candidate& a, const candidate& b) { return packed::compare(a, b, s).first_wins; });
    check([&](const candidate& a, const candidate& b) { return refined::compare(a, b, s).first_wins; });
  }
}

TEST_CASE("priority critical_path: height, then pipe occupancy, then fan-out") {
  candidate a;
  candidate b;
  a.height = 5;
  b.height = 4;
  b.interval = 9;
  b.fanout = 9;
  CHECK(critical_path::key(a) > critical_path::key(b));
  CHECK(critical_path::reason_name(critical_path::explain(critical_path::key(a), critical_path::key(b))) ==
        std::string("height"));
  b.height = 5;
  CHECK(critical_path::key(a) < critical_path::key(b));
  CHECK(critical_path::explain(critical_path::key(a), critical_path::key(b)) == 1);
  a.interval = 9;
  CHECK(critical_path::explain(critical_path::key(a), critical_path::key(b)) == 2);
  a.fanout = 9;
  CHECK(critical_path::explain(critical_path::key(a), critical_path::key(b)) == 3);
  a.height = 0xffffffff;
  CHECK(critical_path::key(a) < (std::uint64_t{1} << 48));
}
