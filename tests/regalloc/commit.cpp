// SPDX-License-Identifier: BSL-1.0
//
// FPA-6: the four cases of giving a register its slot, the accounts, and places that were chosen before.
#include "support.hpp"

using namespace ww_test::regalloc;
using flag = ra::register_flag;

namespace {

// One problem, and what commit does to it.
struct case_of {
  ra::problem p;
  ra::alias_sets sets;
  ra::place_table places;
  ra::round_account account;

  explicit case_of(std::vector<ra::allocatable> registers, std::uint32_t count = 16) {
    p.file = file_of(count);
    p.registers.assign(registers.begin(), registers.end());
    sets.build(p);
    places.reset(registers.size());
  }
  void put(std::uint32_t r, std::int64_t slot) {
    ra::commit(p, sets.members(sets.root(r)), sets.root(r), ra::search_geometry_of(p.file, p.registers[r]), slot, places,
               account);
  }
};

using allocator = ra::fat_point_allocator<>;

}  // namespace

TEST_CASE("FPA-6 commit: a normal register, and the peak that it raises") {
  case_of c({{}, {.width = 3, .alignment_log2 = 2}, {.pairing = ra::pair_mode::doubled}, {}});
  c.put(0, 5);
  CHECK((c.p.registers[0].physical == 5 && c.account.peak == 5));
  c.put(1, 8);
  CHECK((c.p.registers[1].physical == 8 && c.account.peak == 11));
  c.put(2, 12);
  CHECK((c.p.registers[2].physical == 12 && c.account.peak == 13));
  c.put(3, 2);
  CHECK((c.account.peak == 13 && c.account.placed == 4 && c.account.needing_spill == 0));
  for (const ra::allocatable& r : c.p.registers) CHECK(r.flags == 0);
}

TEST_CASE("FPA-6 commit: numbers count from the first register of the file") {
  case_of c({{}, {.pairing = ra::pair_mode::paired}});
  c.p.file.base = 100;
  c.put(0, 5);
  c.put(1, 5);
  CHECK((c.p.registers[0].physical == 105 && c.p.registers[1].physical == 102 && c.account.peak == 5));
}

TEST_CASE("FPA-6 commit: two paired registers share a physical one") {
  case_of c({{.pairing = ra::pair_mode::paired}, {.pairing = ra::pair_mode::paired}});
  c.put(0, 6);
  CHECK((c.p.registers[0].physical == 3 && !c.p.registers[0].has(flag::high_half)));
  c.put(1, 7);
  CHECK((c.p.registers[1].physical == 3 && c.p.registers[1].has(flag::high_half) && c.account.peak == 3));
  c.put(1, 4);
  CHECK((c.p.registers[1].physical == 2 && !c.p.registers[1].has(flag::high_half)));
}

TEST_CASE("FPA-6 commit: over the budget it needs a spill, once, and costs") {
  ra::allocatable dear;
  dear.spill_cost = 2.5;
  dear.secondary_cost = 0.5f;
  ra::allocatable in_memory = dear;
  in_memory.set(flag::spilled);
  ra::allocatable pair = dear;
  pair.width = 2;
  ra::allocatable wanted;
  wanted.set(flag::must_not_spill);
  case_of c({dear, in_memory, dear, pair, wanted});
  c.put(0, 15);
  CHECK_FALSE(c.p.registers[0].has(flag::needs_spill));
  c.put(0, 16);
  CHECK((c.p.registers[0].has(flag::needs_spill) && c.p.registers[0].physical == 16 && c.account.peak == 16));
  CHECK((c.account.spill_cost == 2.5 && c.account.secondary_cost == 0.5f && c.account.needing_spill == 1));
  c.put(1, 17);
  CHECK((!c.p.registers[1].has(flag::needs_spill) && c.account.spill_cost == 2.5 && c.account.needing_spill == 1));
  c.put(2, -1);  // nowhere
  CHECK((c.p.registers[2].has(flag::needs_spill) && c.p.registers[2].physical == -1 && c.account.spill_cost == 5));
  c.put(3, 15);  // its second slot is over the budget
  CHECK((c.p.registers[3].has(flag::needs_spill) && c.account.needing_spill == 3));
  CHECK(c.account.peak == 17);
  c.put(4, 16);
  CHECK(c.account.peak == ra::failed_peak);
}

TEST_CASE("FPA-6 commit: a register nowhere counts as one beyond the budget") {
  case_of c(std::vector<ra::allocatable>(1));
  c.put(0, -1);
  CHECK((c.account.peak == 16 && c.account.placed == 0));
}

TEST_CASE("FPA-6 commit: every register of an alias set gets the place") {
  std::vector<ra::allocatable> list(4);
  list[0].alias_parent = 1;
  list[1].alias_parent = 2;
  list[0].spill_cost = 1;
  list[1].spill_cost = 2;
  case_of c(list);
  c.put(0, 9);
  CHECK((c.p.registers[0].physical == 9 && c.p.registers[1].physical == 9 && c.p.registers[2].physical == 9));
  CHECK((c.p.registers[3].physical == -1 && c.account.placed == 1));
  c.put(0, -1);
  CHECK((c.account.spill_cost == 3 && c.account.needing_spill == 1));
}

TEST_CASE("FPA-6 candidates: a place chosen before is taken when it is free") {
  ra::problem_builder b;
  const auto x = b.add({});
  const auto y = b.add({});
  const auto half = b.add({.pairing = ra::pair_mode::paired});
  const auto pair = b.add({.width = 2, .alignment_log2 = 1});
  b[x].spill_cost = 1;  // first pick
  b.interfere(x, y);
  ra::problem p;
  p.file = file_of(16);
  b.build(p);
  allocator::workspace ws;
  p.candidates.insert(x, 7);
  p.candidates.insert(half, 5);
  p.candidates.insert(pair, 6);
  ra::round_result r = allocator::run(p, ws);
  CHECK((p.registers[x].physical == 7 && p.registers[y].physical == 0 && p.registers[pair].physical == 6));
  CHECK((p.registers[half].physical == 5 && !p.registers[half].has(flag::high_half)));
  CHECK((r.candidates == 3 && r.account.placed == 4));
  p.candidates.insert(y, 7);      // x has it
  p.candidates.insert(pair, 3);   // not aligned
  p.candidates.insert(half, 16);  // beyond the budget
  r = allocator::run(p, ws);
  CHECK((p.registers[x].physical == 7 && p.registers[y].physical == 0 && p.registers[pair].physical == 0));
  CHECK((p.registers[half].physical == 0 && r.candidates == 1));
  p.file.reserved.push_back(7);
  r = allocator::run(p, ws);
  CHECK((p.registers[x].physical == 0 && r.candidates == 0));
}

TEST_CASE("FPA-6 candidates: one for any of an alias set, and its cost counts") {
  ra::problem_builder b;
  const auto x = b.add({});
  const auto y = b.add({});
  b[x].alias_parent = y;
  b.constrain(y, {4, 9, 1, true, true});
  ra::problem p;
  p.file = file_of(16);
  b.build(p);
  p.candidates.insert(x, 4);
  allocator::workspace ws;
  const ra::round_result r = allocator::run(p, ws);
  CHECK((p.registers[x].physical == 4 && p.registers[y].physical == 4 && r.account.cumulative_pressure == 9));
}
