// SPDX-License-Identifier: BSL-1.0
//
// Register files, occupancy cliffs (facts: hardware 3) and the per-SM parameter table of PLS-11.
#include <warpwright/arch/all.hpp>

#include "../support/catch.hpp"

using namespace ww;

TEST_CASE("occupancy: register cliffs of 64-warp SMs") {
  struct cliff {
    unsigned registers, warps;
  };
  const cliff cliffs[] = {{32, 64}, {40, 48},  {48, 40},  {56, 36},  {64, 32},  {72, 28}, {80, 24},
                          {96, 20}, {104, 16}, {112, 16}, {128, 16}, {168, 12}, {255, 8}};
  for (const cliff& c : cliffs) {
    INFO(c.registers);
    CHECK(sm80::limits::warps_for(c.registers) == c.warps);
    CHECK(sm90::limits::warps_for(c.registers) == c.warps);
    CHECK(sm50::limits::warps_for(c.registers) == c.warps);
    CHECK(sm100::limits::warps_for(c.registers) == c.warps);
  }
  CHECK(sm80::limits::warps_for(33) == 48);  // one register more costs 16 warps
  CHECK(sm80::limits::warps_for(0) == 64);
  CHECK(sm80::limits::warps_for(1) == 64);
}

TEST_CASE("occupancy: 48-warp and 32-warp SMs") {
  for (unsigned r = 1; r <= 40; ++r) {
    CHECK(sm86::limits::warps_for(r) == 48);
    CHECK(sm89::limits::warps_for(r) == 48);
    CHECK(sm120::limits::warps_for(r) == 48);
  }
  CHECK(sm86::limits::warps_for(41) == 40);
  for (unsigned r = 1; r <= 64; ++r) {
    CHECK(sm75::limits::warps_for(r) == 32);
  }
  CHECK(sm75::limits::warps_for(65) == 28);
}

TEST_CASE("occupancy: registers for a number of warps is the inverse, and never falls short") {
  meta::for_each<all_archs>([]<class Arch>() {
    using L = typename Arch::limits;
    INFO(Arch::name);
    for (unsigned w = 1; w <= L::max_warps; ++w) {
      const unsigned r = L::registers_for(w);
      CHECK(L::warps_for(r) >= w);
      if (r < 255) {
        CHECK(L::warps_for(r + 1) < w);
      }
    }
    for (unsigned r = 1; r < 255; ++r) {
      CHECK(L::warps_for(r) >= L::warps_for(r + 1));
    }
  });
}

TEST_CASE("register files: what is usable, reserved and encoded") {
  CHECK((sm50::limits::general_registers == 255 && sm50::limits::reserved_registers == 0));
  CHECK((sm70::limits::general_registers == 253 && sm70::limits::reserved_registers == 2));
  CHECK((sm50::limits::uniform_registers == 0 && sm70::limits::uniform_registers == 0));
  CHECK((sm75::limits::uniform_registers == 63 && sm75::limits::uniform_zero == 63));
  CHECK((sm90a::limits::uniform_registers == 63 && sm120::limits::uniform_zero == 255));
  CHECK((sm50::limits::register_banks == 4 && sm86::limits::register_banks == 2));
  CHECK((sm60::limits::sub_cores == 2 && sm70::limits::sub_cores == 4));
}

TEST_CASE("PLS-11 per-SM parameters of the stall and barrier inserter") {
  struct row {
    sm_id id;
    unsigned entries, triplets, rules;
  };
  const row rows[] = {{sm60::id, 0, 0, 619},   {sm70::id, 0, 0, 619},   {sm75::id, 0, 0, 619},   {sm80::id, 31, 1, 256},
                      {sm86::id, 31, 1, 256},  {sm89::id, 32, 1, 256},  {sm90::id, 31, 1, 256},  {sm90a::id, 32, 1, 256},
                      {sm100::id, 75, 6, 430}, {sm103::id, 46, 1, 430}, {sm107::id, 75, 6, 430}, {sm110::id, 46, 1, 430}};
  for (const row& r : rows) {
    const bool found = visit_arch(r.id, [&]<class Arch>() {
      using B = typename Arch::barriers;
      INFO(Arch::name);
      CHECK(B::count == 6);
      CHECK(B::scoreboard_entries == r.entries);
      CHECK(B::max_triplets == r.triplets);
      CHECK(B::dependence_rules == r.rules);
      CHECK(B::raw_max_stall == 39);
      CHECK(B::barrier_latency == 56);
    });
    CHECK(found);
  }
}

TEST_CASE("PLS-14 and PS-1: back ends and the schedule after allocation by SM") {
  meta::for_each<all_archs>([]<class Arch>() {
    using D = typename Arch::defaults;
    INFO(Arch::name);
    const bool old = static_cast<unsigned>(static_cast<sm_id>(Arch::id)) < 800;
    CHECK((D::backend == backend_kind::a) == old);
    CHECK(D::post_schedule != old);
    CHECK(D::default_warps >= 4);
    CHECK(D::default_warps <= Arch::limits::max_warps);
  });
}
