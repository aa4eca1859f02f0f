// SPDX-License-Identifier: BSL-1.0
//
// FPA-1 to FPA-6 together: whole attempts over random problems, and over bad ones.
#include <cstdio>
#include <string>

#include "support.hpp"

using namespace ww_test::regalloc;
using flag = ra::register_flag;

namespace {

using allocator = ra::fat_point_allocator<>;

std::vector<std::int32_t> answer(const ra::problem& p) {
  std::vector<std::int32_t> places;
  for (const ra::allocatable& r : p.registers) {
    places.push_back(r.physical);
    places.push_back(static_cast<std::int32_t>(r.flags));
  }
  return places;
}

// Registers of many shapes whose live ranges meet, with wishes between them.
ra::problem random_problem(dice& rng, std::uint32_t registers_of_file, int count, int reach, bool shapes, bool wishes) {
  ra::problem_builder b;
  const std::vector<live_range> ranges = random_ranges(rng, count, reach);
  for (int k = 0; k < count; ++k) {
    ra::allocatable r;
    r.spill_cost = rng() % 5;
    if (shapes) {
      const unsigned shape = rng() % 8;
      r.width = static_cast<std::uint16_t>(shape < 4 ? 1 : shape < 6 ? 2 : shape == 6 ? 4 : 3);
      r.alignment_log2 = static_cast<std::uint8_t>(shape < 4 ? 0 : shape == 4 ? 0 : shape == 5 ? 1 : 2);
      if (rng() % 8 == 0) r.pairing = rng() % 2 == 0 ? ra::pair_mode::paired : ra::pair_mode::doubled;
    }
    (void)b.add(r);
  }
  interfere_all(b, ranges);
  for (int k = 0; wishes && k < count; ++k) {
    const std::uint32_t other = rng() % static_cast<unsigned>(count);
    static constexpr std::uint8_t types[] = {0, 1, 2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 15, 15, 4, 9};
    b.constrain(static_cast<std::uint32_t>(k), {rng() % 3 == 0 ? rng() % registers_of_file : other,
                                                static_cast<std::int32_t>(rng() % 80), types[rng() % 17], true, false});
    b.constrain(static_cast<std::uint32_t>(k), {rng() % registers_of_file, 5, types[rng() % 17], true, true});
  }
  ra::problem p;
  p.file = file_of(registers_of_file);
  b.build(p);
  return p;
}

}  // namespace

TEST_CASE("FPA-5 round: registers that meet get different slots, others the same") {
  ra::problem_builder b;
  for (int k = 0; k < 4; ++k) (void)b.add({});
  b.interfere(0, 1);
  b.interfere(1, 2);
  ra::problem p;
  b.build(p);
  allocator::workspace ws;
  const ra::round_result r = allocator::run(p, ws);
  CHECK(p.registers[0].physical == 0);
  CHECK(p.registers[1].physical == 1);
  CHECK(p.registers[2].physical == 0);
  CHECK(p.registers[3].physical == 0);
  CHECK(
      (r.registers == 2 && r.account.placed == 4 && r.account.cumulative_pressure == 0 && r.error == ra::round_error::none));
  CHECK((r.account.peak == 1 && ws.high_water == 1));
}

TEST_CASE("FPA-5 round: interval graphs of width one fit into as many registers as are live at once") {
  dice rng(31);
  int straight_fits = 0;
  for (int run = 0; run < 150; ++run) {
    ra::problem_builder b;
    const std::vector<live_range> ranges =
        random_ranges(rng, 20 + static_cast<int>(rng() % 100), 2 + static_cast<int>(rng() % 40));
    for (std::size_t k = 0; k < ranges.size(); ++k) (void)b.add({});
    interfere_all(b, ranges);
    ra::problem p;
    p.file = file_of(static_cast<std::uint32_t>(most_live(ranges)));
    b.build(p);
    allocator::workspace ws;
    const ra::round_result r = allocator::run(p, ws);
    INFO("run " << run);
    CHECK(r.account.needing_spill == 0);
    CHECK(r.optimistic == 0);
    CHECK(r.registers == p.file.hardware_limit);
    check_answer(p, r);
    const ra::round_result s = ra::fat_point_allocator<ra::ordering::straight<>>::run(p, ws);
    straight_fits += s.account.needing_spill == 0 ? 1 : 0;
    check_answer(p, s);
  }
  CHECK(straight_fits < 75);  // the order is what makes them fit
}

TEST_CASE("FPA-5 round: registers of all shapes keep apart, aligned and within the peak") {
  dice rng(37);
  for (int run = 0; run < 120; ++run) {
    ra::problem p = random_problem(rng, 255, 100, 12, true, run % 2 == 0);
    INFO("run " << run);
    allocator::workspace ws;
    for (std::uint32_t attempt = 0; attempt < 3; ++attempt) {
      const ra::round_result r = allocator::run(p, ws, {attempt, run % 3 == 0});
      CHECK(r.account.needing_spill == 0);
      CHECK(r.account.placed == p.registers.size());
      check_answer(p, r);
      check_answer(p, ra::fat_point_allocator<ra::ordering::straight<>>::run(p, ws, {attempt}));
      const ra::round_result plain =
          ra::fat_point_allocator<ra::select_register<>, ra::constraint_kinds_by_loop>::run(p, ws, {attempt});
      check_answer(p, plain);
    }
  }
}

TEST_CASE("FPA-5 round: with too few registers nobody shares, and who has no place needs a spill") {
  dice rng(41);
  int spilled = 0;
  for (int run = 0; run < 150; ++run) {
    ra::problem p = random_problem(rng, 12, 80, 14, run % 2 == 0, run % 3 == 0);
    INFO("run " << run);
    allocator::workspace ws;
    const ra::round_result r = allocator::run(p, ws, {static_cast<std::uint32_t>(run % 3), run % 5 == 0});
    check_answer(p, r);
    std::uint32_t need = 0;
    for (const ra::allocatable& a : p.registers) {
      const bool over = a.physical < 0 || (cover_of(a).stop - 1) / 2 >= 12;
      CHECK(a.has(flag::needs_spill) == over);
      need += over ? 1u : 0u;
    }
    CHECK(r.account.needing_spill == need);
    CHECK(r.account.placed + need == p.registers.size());
    if (need != 0) CHECK(r.registers > 12);
    spilled += need != 0 ? 1 : 0;
  }
  CHECK(spilled > 60);
}

TEST_CASE("FPA-5 round: every vector width gives the same answer, and so does a second run") {
  dice rng(43);
  for (int run = 0; run < 40; ++run) {
    ra::problem p = random_problem(rng, run % 2 == 0 ? 255 : 20, 90, 20, true, true);
    const ra::round_options options{static_cast<std::uint32_t>(run % 3), run % 4 == 0};
    allocator::workspace ws;
    const ra::round_result first = allocator::run(p, ws, options);
    const std::vector<std::int32_t> places = answer(p);
    each_width([&]<class V>() {
      const ra::round_result r = ra::fat_point_allocator<V>::run(p, ws, options);
      INFO(V::name << " run " << run);
      CHECK(answer(p) == places);
      CHECK((r.registers == first.registers && r.account.cumulative_pressure == first.account.cumulative_pressure));
    });
  }
}

namespace {
// The same selection for a reader of occupied slots: costs are counted everywhere.
struct reads_all : ra::fat_point<> {
  static constexpr bool reads_blocked = true;
};
// Gives what it must not.
struct careless {
  using role = ra::role::selection;
  template <class V>
  static ra::slot_choice select(const ra::slot_scan&) {
    return {0, 0, 0};
  }
};
struct far_off : careless {
  template <class V>
  static ra::slot_choice select(const ra::slot_scan&) {
    return {1 << 20, 0, 0};
  }
};
}  // namespace

TEST_CASE("FPA-5 round: leaving out costs of occupied slots changes nothing, and no selection gives one away") {
  dice rng(47);
  for (int run = 0; run < 60; ++run) {
    ra::problem p = random_problem(rng, run % 2 == 0 ? 255 : 20, 90, 20, true, true);
    allocator::workspace ws;
    const ra::round_options options{static_cast<std::uint32_t>(run % 3), run % 4 == 0};
    const ra::round_result first = allocator::run(p, ws, options);
    const std::vector<std::int32_t> places = answer(p);
    const ra::round_result r = ra::fat_point_allocator<reads_all>::run(p, ws, options);
    CHECK(answer(p) == places);
    CHECK(r.account.cumulative_pressure == first.account.cumulative_pressure);
    check_answer(p, ra::fat_point_allocator<careless>::run(p, ws, options));
    CHECK(ra::fat_point_allocator<far_off>::run(p, ws, options).account.placed == 0);
  }
}

TEST_CASE("FPA-4 round: hard constraints hold on the first attempt already, wishes if they can") {
  ra::problem_builder b;
  const auto fixed = b.add({});
  const auto kept_off = b.add({});
  const auto odd = b.add({});
  const auto high = b.add({});
  const auto wish = b.add({});
  const auto partner = b.add({});
  b.constrain(fixed, {9, 1, 2, false, true});
  b.constrain(kept_off, {0, 1, 1, false, true});
  b.constrain(odd, {0, 1, 12, false, true});
  b.constrain(high, {11, 1, 3, false, true});
  b.constrain(wish, {fixed, 1, 15, true, false});
  b.constrain(partner, {fixed, 1, 14, false, false});
  ra::problem p;
  p.file = file_of(16);
  b.build(p);
  allocator::workspace ws;
  ra::round_result r = allocator::run(p, ws);
  CHECK(p.registers[fixed].physical == 9);
  CHECK(p.registers[kept_off].physical == 1);
  CHECK(p.registers[odd].physical == 1);
  CHECK(p.registers[high].physical == 11);
  CHECK(p.registers[wish].physical == 9);
  CHECK(p.registers[partner].physical == 8);
  // the wish goes on a second attempt, by the relaxation
  r = allocator::run(p, ws, {1});
  CHECK((p.registers[wish].physical == 0 && r.relaxed == 1));
  r = ra::fat_point_allocator<ra::relaxation::keep_all>::run(p, ws, {1});
  CHECK((p.registers[wish].physical == 9 && r.relaxed == 0));
  p.registers[wish].spill_cost = 0;
}

TEST_CASE("FPA-4 round: the constraints of a whole alias set count, and soft ones are counted over it") {
  ra::problem_builder b;
  const auto x = b.add({});
  const auto y = b.add({});
  b[x].alias_parent = y;
  b.constrain(x, {0, 1, 1, false, true});
  b.constrain(y, {1, 1, 1, false, true});
  b.constrain(x, {2, 10, 0, true, true});
  b.constrain(y, {3, 10, 0, true, true});
  ra::problem p;
  p.file = file_of(16);
  b.build(p);
  allocator::workspace ws;
  using strict = ra::fat_point_allocator<ra::relaxation::keep_all>;
  (void)strict::run(p, ws, {1});
  CHECK((p.registers[x].physical == 4 && p.registers[y].physical == 4));
  const ra::round_result second = allocator::run(p, ws, {1});
  CHECK((p.registers[x].physical == 2 && p.registers[y].physical == 2 && second.relaxed == 1));
  const ra::round_result r = allocator::run(p, ws, {2});
  CHECK((p.registers[x].physical == 2 && r.relaxed == 2));
  CHECK(r.account.placed == 1);
}

TEST_CASE("FPA-5 round: registers with a place of their own stay there, and others keep off") {
  ra::problem_builder b;
  const auto given = b.add({});
  const auto other = b.add({});
  const auto tied = b.add({});
  const auto foreign = b.add({});
  b[given].set(flag::pre_assigned);
  b[given].physical = 0;
  b[tied].alias_parent = given;
  b[foreign].reg_class = 5;
  b[foreign].physical = 77;
  b.interfere(given, other);
  b.interfere(foreign, other);
  ra::problem p;
  p.file = file_of(4);
  b.build(p);
  allocator::workspace ws;
  ra::round_result r = allocator::run(p, ws);
  CHECK((p.registers[given].physical == 0 && p.registers[other].physical == 1 && p.registers[tied].physical == 0));
  CHECK((p.registers[foreign].physical == 77 && r.account.placed == 1 && r.account.peak == 1));
  p.registers[given].physical = 3;
  r = allocator::run(p, ws);
  CHECK((p.registers[other].physical == 0 && p.registers[tied].physical == 3 && r.account.peak == 3));
  p.file.reserved = {0, 1, 900};
  r = allocator::run(p, ws);
  CHECK(p.registers[other].physical == 2);
  p.registers[other].width = 2;  // covers 3
  r = allocator::run(p, ws);
  CHECK((p.registers[other].physical == 4 && p.registers[other].has(flag::needs_spill) && r.registers == 6));
}

TEST_CASE("FPA-2 round: a wide register covers no reserved one, in whole registers and in halves") {
  ra::problem_builder b;
  const auto pair = b.add({.width = 2});
  const auto halves = b.add({.width = 3, .pairing = ra::pair_mode::paired});
  const auto quad = b.add({.width = 4});
  ra::problem p;
  p.file = file_of(12);
  p.file.base = 10;
  p.file.reserved = {11, 14, 17, 200, 3};
  b.build(p);
  allocator::workspace ws;
  const ra::round_result r = allocator::run(p, ws);
  CHECK((p.registers[pair].physical == 12 && p.registers[halves].physical == 12));
  CHECK(p.registers[quad].physical == 18);
  CHECK(r.account.peak == 11);
  p.file.reserved.push_back(19);  // no four in a row within the budget, but 20 to 23 are looked at
  CHECK(allocator::run(p, ws).account.needing_spill == 1);
  CHECK(p.registers[quad].physical == 20);
  p.file.reserved.push_back(28);  // nor four within what is looked at, once 20 and 24 are gone
  p.file.reserved.push_back(20);
  p.file.reserved.push_back(24);
  CHECK(allocator::run(p, ws).account.needing_spill == 1);
  CHECK(p.registers[quad].physical == -1);
}

TEST_CASE("FPA-5 round: two paired registers share, a whole one keeps off both halves") {
  ra::problem_builder b;
  const auto x = b.add({.pairing = ra::pair_mode::paired});
  const auto y = b.add({.pairing = ra::pair_mode::paired});
  const auto whole = b.add({});
  b.interfere(x, y);
  b.interfere(x, whole);
  b.interfere(y, whole);
  ra::problem p;
  p.file = file_of(7);
  b.build(p);
  allocator::workspace ws;
  const ra::round_result r = ra::fat_point_allocator<ra::ordering::straight<>>::run(p, ws);
  CHECK((p.registers[x].physical == 0 && p.registers[y].physical == 0 && p.registers[whole].physical == 1));
  CHECK((!p.registers[x].has(flag::high_half) && p.registers[y].has(flag::high_half) && r.registers == 2));
  check_answer(p, r);
}

TEST_CASE("FPA-4 round: a physical register is two halves to a paired one") {
  ra::problem_builder b;
  const auto x = b.add({.pairing = ra::pair_mode::paired});
  const auto y = b.add({.pairing = ra::pair_mode::paired});
  b.constrain(x, {0, 1, 1, false, true});
  b.constrain(x, {1, 1, 1, false, true});
  b.constrain(y, {3, 1, 2, false, true});
  ra::problem p;
  p.file = file_of(7);
  b.build(p);
  allocator::workspace ws;
  (void)allocator::run(p, ws);
  CHECK((p.registers[x].physical == 2 && !p.registers[x].has(flag::high_half)));
  CHECK((p.registers[y].physical == 3 && !p.registers[y].has(flag::high_half)));
}

TEST_CASE("FPA-4 round: where banks count, the tail of the soft constraints goes as well") {
  ra::problem_builder b;
  const auto x = b.add({});
  for (const std::uint32_t slot : {0u, 1u, 2u}) {
    b.constrain(x, {slot, 10, 0, true, true});
    b.constrain(x, {8 + slot, 1, 1, false, true});
  }
  ra::problem p;
  p.file = file_of(16);
  b.build(p);
  allocator::workspace ws;
  CHECK((allocator::run(p, ws, {1, false}).relaxed == 1 && p.registers[x].physical == 0));
  CHECK((allocator::run(p, ws, {1, true}).relaxed == 2 && p.registers[x].physical == 0));
  CHECK(allocator::run(p, ws, {2, true}).relaxed == 3);
  CHECK(allocator::run(p, ws, {0, true}).relaxed == 0);
}

TEST_CASE("FPA-6 round: the first of a set that has its place gives it to the rest, halves as well") {
  ra::problem_builder b;
  for (int k = 0; k < 4; ++k) (void)b.add({.pairing = ra::pair_mode::paired});
  b[2].alias_parent = b[1].alias_parent = 0;
  for (const std::uint32_t given : {0u, 1u}) {
    b[given].set(flag::pre_assigned);
    b[given].physical = given == 0 ? 0 : 5;
  }
  b[0].set(flag::high_half);
  b.interfere(0, 3);
  ra::problem p;
  p.file = file_of(7);
  b.build(p);
  allocator::workspace ws;
  const ra::round_result r = allocator::run(p, ws);
  CHECK((p.registers[2].physical == 0 && p.registers[2].has(flag::high_half)));
  CHECK((p.registers[1].physical == 5 && !p.registers[1].has(flag::high_half)));
  CHECK((p.registers[3].physical == 0 && !p.registers[3].has(flag::high_half)));
  CHECK((r.account.placed == 1 && r.account.peak == 5));
  p.registers[0].set(flag::high_half, false);
  (void)allocator::run(p, ws);
  CHECK((p.registers[3].physical == 0 && p.registers[3].has(flag::high_half)));
}

TEST_CASE("FPA-6 round: a new attempt takes old answers back") {
  ra::problem_builder b;
  (void)b.add({});
  (void)b.add({.pairing = ra::pair_mode::paired});
  (void)b.add({.pairing = ra::pair_mode::paired});
  b.interfere(0, 1);
  b.interfere(0, 2);
  b.interfere(1, 2);
  ra::problem p;
  p.file = file_of(1);
  b.build(p);
  allocator::workspace ws;
  CHECK(allocator::run(p, ws).account.needing_spill > 0);
  p.file = file_of(2);
  for (ra::allocatable& r : p.registers) r.set(flag::high_half);
  const ra::round_result r = allocator::run(p, ws);
  CHECK(r.account.needing_spill == 0);
  for (const ra::allocatable& a : p.registers) CHECK_FALSE(a.has(flag::needs_spill));
  CHECK(p.registers[0].has(flag::high_half) == false);
  CHECK(p.registers[1].has(flag::high_half) != p.registers[2].has(flag::high_half));
}

TEST_CASE("FPA-5 round: banks part consecutive registers") {
  ra::problem p;
  p.registers.assign(3, ra::allocatable{});
  p.first_constraint.assign(4, 0);
  allocator::workspace ws;
  (void)allocator::run(p, ws, {0, true});
  CHECK((p.registers[0].physical == 0 && p.registers[1].physical == 4 && p.registers[2].physical == 0));
}

TEST_CASE("FPA-5 round: what must not be spilled and has no place is an error, as a value") {
  ra::problem_builder b;
  for (int k = 0; k < 3; ++k) {
    (void)b.add({});
    b[static_cast<std::uint32_t>(k)].set(flag::must_not_spill);
  }
  b.interfere(0, 1);
  b.interfere(1, 2);
  b.interfere(0, 2);
  ra::problem p;
  p.file = file_of(2);
  b.build(p);
  allocator::workspace ws;
  const ra::round_result r = allocator::run(p, ws);
  CHECK((r.error == ra::round_error::too_many_registers && r.error_count == 2));
  CHECK(r.registers == 0x989677 + 8);
  CHECK(ra::sanity_peak == 0x989677 + 6);
  char text[160];
  std::snprintf(text, sizeof text, ra::too_many_registers_message, static_cast<int>(r.error_count));
  CHECK(std::string(text) ==
        "Register allocation failed with register count of '2'. Compile the program with a higher register target");
  CHECK(ws.high_water == ra::failed_peak);
  p.file = file_of(3);
  CHECK(allocator::run(p, ws).error == ra::round_error::none);
}

TEST_CASE("FPA-5 round: bad problems are passed over") {
  allocator::workspace ws;
  ra::problem p;
  CHECK((allocator::run(p, ws).registers == 0));  // no registers, no groups
  p.registers.assign(3, ra::allocatable{});
  CHECK((allocator::run(p, ws).registers == 1));
  p.first_constraint = {0, 5, 2, 9};  // groups that do not fit
  p.constraints.assign(4, {77, -5, 200, false, false});
  CHECK((allocator::run(p, ws).account.placed == 3));
  p.constraints.assign(4, {0xffffffffu, 2147483647, 2, false, true});
  p.first_constraint = {0, 4, 4, 4};
  CHECK((allocator::run(p, ws).account.needing_spill == 1));
  p.registers[1].width = 65535;
  p.registers[1].alignment_log2 = 255;
  p.registers[1].pairing = static_cast<ra::pair_mode>(2);
  p.registers[2].set(flag::pre_assigned);
  p.registers[2].physical = 2147483647;
  p.file.hardware_limit = p.file.max_slot = p.file.start = p.file.slot_count = p.file.scan_alignment = 0xffffffffu;
  p.file.reserved = {0xffffffffu, 5};
  p.candidates.insert(0, 0xffffffffu);
  for (std::uint32_t attempt : {0u, 1u, 0xffffffffu}) (void)allocator::run(p, ws, {attempt, true});
  p.file.base = 0xffffffffu;
  (void)allocator::run(p, ws);
  p.file = file_of(1);
  p.file.max_slot = 0;
  p.file.hardware_limit = 0;
  (void)allocator::run(p, ws);
  (void)ra::fat_point_allocator<ra::select_register<>>::run(p, ws);
}

TEST_CASE("FPA-5 builder: groups are stable, and what does not fit is left out") {
  ra::problem_builder b;
  (void)b.add({});
  (void)b.add({});
  b.constrain(1, {0, 1});
  b.constrain(0, {1, 2});
  b.constrain(7, {1, 3});
  b.constrain(1, {0, -4});
  ra::problem p;
  b.build(p);
  REQUIRE((p.constraints_of(0).size() == 1 && p.constraints_of(1).size() == 2 && p.constraints_of(2).empty()));
  CHECK(p.constraints_of(0)[0].weight == 2);
  CHECK(p.constraints_of(1)[0].weight == 1);
  CHECK(p.constraints_of(1)[1].weight == 0);
}
