// SPDX-License-Identifier: BSL-1.0
//
// Loads that miss the first-level cache: which those are, how much later they land, what a program costs then.
#include <warpwright/model/far_view.hpp>
#include <warpwright/model/simulate.hpp>

#include <string>

#include "scoreboard/support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

bool far(const char* text) { return leaves_core(program_of<sm90>(std::string(text) + "\nEXIT\n").instructions[0]); }

double cycles(const program& p, std::int32_t far, unsigned warps = 1) {
  model::workspace ws;
  return model::simulate<sm90>(p, {.warps = warps, .stagger = model::far_stagger, .far = far}, ws).cycles;
}

// One load, its consumer behind three others, words by hand.
program load_and_use(const char* load) {
  program p =
      program_of<sm90>(std::string(load) + "\nFADD R8, R9, R9\nFADD R10, R9, R9\nFADD R11, R9, R9\nFADD R0, R4, R9\nEXIT\n");
  for (instruction& i : p.instructions) i.ctl = control{};
  p.instructions[0].ctl.write_barrier = 0;
  p.instructions[4].ctl.wait_mask = 1;
  return p;
}

struct plain_page {};
struct own_page {
  static constexpr unsigned far_cycles = 70;
};

}  // namespace

TEST_CASE("far view: global and generic loads, atomics with a result, textures and surfaces may miss; nothing else does") {
  CHECK(far("LDG.E R4, desc[UR4][R2.64]"));
  CHECK(far("LDG.E.CONSTANT R4, desc[UR4][R2.64]"));
  CHECK(far("LD.E R4, desc[UR4][R2.64]"));
  CHECK(far("ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R6"));
  CHECK(far("TEX.SCR.LL R4, R6, R8, 0x0, 0x58, 2D, 0x1"));
  CHECK_FALSE(far("LDS R4, [R2]"));
  CHECK_FALSE(far("LDL R4, [R2]"));
  CHECK_FALSE(far("LDC R4, c[0x0][R2]"));
  CHECK_FALSE(far("STG.E desc[UR4][R2.64], R4"));
  CHECK_FALSE(far("MUFU.RCP R4, R2"));
  CHECK(model::goes_far(program_of<sm90>("FADD R0, R1, R2\nLDG.E R4, desc[UR4][R2.64]\nEXIT\n")));
  CHECK_FALSE(model::goes_far(program_of<sm90>("FADD R0, R1, R2\nLDS R4, [R2]\nEXIT\n")));
}

TEST_CASE("far view: 243 cycles on sm_90, as measured; 250 where nobody measured, also for pages that somebody wrote") {
  STATIC_REQUIRE(far_cycles<sm90::latency> == 243);
  STATIC_REQUIRE(far_cycles<sm90a::latency> == 243);
  STATIC_REQUIRE(far_cycles<sm80::latency> == assumed_far_cycles);
  STATIC_REQUIRE(far_cycles<sm120::latency> == assumed_far_cycles);
  STATIC_REQUIRE(far_cycles<with_margin<sm90, safety_margin<3>>::latency> == 243);
  STATIC_REQUIRE(far_cycles<plain_page> == assumed_far_cycles);
  STATIC_REQUIRE(far_cycles<own_page> == 70);
  STATIC_REQUIRE(model::far_view<sm90>().far == 243);
  STATIC_REQUIRE(model::far_view<sm90>().warps == 2);
}

TEST_CASE("far view: who waits for a load waits so much longer; who waits for shared memory does not") {
  const program global = load_and_use("LDG.E R4, desc[UR4][R2.64]");
  CHECK(cycles(global, 243) == cycles(global, 0) + 243);
  CHECK(cycles(global, 1) == cycles(global, 0) + 1);
  const program shared = load_and_use("LDS R4, [R2]");
  CHECK(cycles(shared, 243) == cycles(shared, 0));
  // nobody waits: nothing is lost
  program idle = global;
  idle.instructions[4].ctl.wait_mask = 0;
  CHECK(cycles(idle, 243) == cycles(idle, 0));
  // the read of the address is not later
  program read = global;
  read.instructions[0].ctl.write_barrier = control::no_barrier;
  read.instructions[0].ctl.read_barrier = 0;
  CHECK(cycles(read, 243) == cycles(read, 0));
  // with two warps one of them fills what the other waits, but not all of it
  CHECK(cycles(global, 243, 2) > cycles(global, 0, 2));
  CHECK(cycles(global, 243, 2) < cycles(global, 243, 1));
}
