// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <warpwright/model/simulate.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/idle_nops.hpp>

#include "support/corpus.hpp"

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;

namespace {

constexpr std::string_view chain =
    "DFMA R4, R8, R10, R12\nNOP\nNOP\nNOP\nNOP\n"
    "DFMA R6, R4, R10, R12\nNOP\nNOP\nNOP\nNOP\n"
    "DADD R14, R6, R4\nEXIT\n";

// As the compiler writes it (facts: public notes 2.9): 15+15+15+15+4 cycles, and a counter all the same.
program padded() {
  program p = program_of<sm120>(chain);
  for (std::uint32_t k = 0; k < 10; ++k) {
    control& c = p.instructions[k].ctl;
    c.stall = k % 5 == 4 ? 4 : 15;
    c.yield = true;
    if (k % 5 == 0) c.write_barrier = static_cast<std::uint8_t>(k / 5);
    if (k == 5) c.wait_mask = 1;
  }
  p.instructions[10].ctl.wait_mask = 2;
  p.instructions[10].ctl.stall = 1;
  p.instructions[11].ctl.stall = 5;
  p.has_control = true;
  return p;
}

}  // namespace

TEST_CASE("SB-6 sm_120: NOPs between dependent double precision are reclaimed, the counter is not") {
  program p = padded();
  REQUIRE(first_finding<sm120>(p).empty());
  CHECK(scoreboard::count_idle_nops<sm120>(p) == 8);
  model::workspace mw;
  const double before = model::simulate<sm120>(p, {}, mw).cycles;

  program q = p;
  CHECK(scoreboard::reclaim_nops<sm120>(q) == 8);
  CHECK(q.order.size() + 8 == p.order.size());
  CHECK(q.blocks[0].count == q.order.size());
  CHECK(scoreboard::count_idle_nops<sm120>(q) == 0);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm120>(q, ws);
  CHECK(first_finding<sm120>(q).empty());
  CHECK(q[q.order[0]].ctl.sets_write());
  CHECK(q[q.order[1]].ctl.wait_mask != 0);
  const model::cost after = model::simulate<sm120>(q, {}, mw);
  CHECK(after.cycles <= before);
  CHECK(after.issues + 8 == model::simulate<sm120>(p, {}, mw).issues);

  // without the counter it breaks, whatever the NOPs do
  program broken = p;
  broken.instructions[0].ctl.write_barrier = control::no_barrier;
  CHECK_FALSE(first_finding<sm120>(broken).empty());
}

TEST_CASE("SB-6 sm_120: new words alone leave the NOPs a stall of one") {
  program p = padded();
  scoreboard::workspace ws;
  scoreboard::assign_control<sm120>(p, ws);
  CHECK(first_finding<sm120>(p).empty());
  for (const std::uint32_t k : {2u, 3u, 7u, 8u}) CHECK(p.instructions[k].ctl.stall == 1);
}

TEST_CASE("SB-6 NOPs with another job stay") {
  const auto count = [](std::string_view text) {
    program p = program_of<sm120>(text);
    scoreboard::workspace ws;
    scoreboard::assign_control<sm120>(p, ws);
    return scoreboard::count_idle_nops<sm120>(p);
  };
  CHECK(count("DFMA R4, R8, R10, R12\nNOP\nNOP\nDADD R6, R4, R8\nSTS.64 [R20], R6\nEXIT\n") == 2);
  CHECK(count("DFMA R4, R8, R10, R12\nNOP\nFADD R20, R21, R22\nDADD R6, R4, R8\nSTS.64 [R20], R6\nEXIT\n") == 0);
  CHECK(count("FFMA R4, R8, R10, R12\nNOP\nNOP\nFADD R6, R4, R8\nSTS [R20], R6\nEXIT\n") == 0);
  CHECK(count("DFMA R4, R8, R10, R12\n@P0 NOP\nDADD R6, R4, R8\nSTS.64 [R20], R6\nEXIT\n") == 0);
  CHECK(count("DFMA R4, R8, R10, R12\nlabel:\nNOP\nDADD R6, R4, R8\nSTS.64 [R20], R6\n@P0 BRA `(label)\nEXIT\n") == 0);
}

TEST_CASE("SB-6 sm_120 listings of this repository have no such NOP") {
  unsigned programs = 0;
  unsigned found = 0;
  unsigned doubles = 0;
  for (const char* folder : {"listings", "listings_blackwell"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
      if (ww_test::corpus::sm_of(path) != sm120::id) continue;
      sass::listing_result r = sass::read_listing(ww_test::corpus::text(path), {sm120::id, path.c_str()});
      REQUIRE(static_cast<bool>(r));
      for (program& p : r.mod.sections) {
        if (!build_cfg(p).ok) continue;
        ++programs;
        found += scoreboard::count_idle_nops<sm120>(p);
        for (const instruction& i : p.instructions) doubles += i.iclass == sched_class::fp64 ? 1u : 0u;
      }
    }
  }
  CHECK(programs >= 20);
  CHECK(doubles == 2);
  CHECK(found == 0);
}
