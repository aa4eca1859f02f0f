// SPDX-License-Identifier: BSL-1.0
//
// Counters where loads may miss the first-level cache: what a wait in the wrong place costs then.
//
// Measured on an H100: a stencil whose address register was freed by waiting for the loaded value took 1.24 times as long
// (docs/gpu.md). Straight-line kernels and loops of that shape are here, with and without workspace::loads_miss.
#include "support.hpp"

#include <warpwright/model/far_view.hpp>
#include <warpwright/model/simulate.hpp>

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;

namespace {

program words(const std::string& text, bool loads_miss) {
  program p = program_of<sm90>(text);
  scoreboard::workspace ws;
  ws.loads_miss = loads_miss;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(first_finding<sm90>(p).empty());
  return p;
}

double far(const program& p) {
  model::workspace ws;
  return model::simulate<sm90>(p, model::far_view<sm90>(), ws).cycles;
}

// A value is loaded for the next round of a loop; its address register is written again at the head of the round, and four other
// counters are outstanding when it is loaded.
std::string prefetching_loop(const char* load) {
  return std::string("MOV R6, RZ\nMOV R23, RZ\n.L_1:\n") +
         "IADD3 R14, R6, R8, RZ\nIADD3 R15, R6, R9, RZ\n"
         "LDS R25, [R22+0x10]\nLDS R26, [R22+0x20]\nMUFU.RCP R27, R21\nLDC R28, c[0x0][R20]\n" +
         load +
         "\nIADD3 R6, R6, 0x1, RZ\nISETP.NE.AND P1, PT, R6, R7, PT\n@P2 BRA `(.L_2)\n"
         "IADD3 R14, R10, R11, RZ\nFADD R16, R14, R14\n"
         "\n.L_2:\nFADD R17, R25, R26\nFADD R18, R27, R28\nFADD R19, R17, R18\n"
         "FADD R30, R30, R19\nFADD R30, R30, R23\n@P1 BRA `(.L_1)\nEXIT\n";
}
const char* const prefetch = "LDG.E R23, desc[UR8][R14.64]";
constexpr std::uint32_t load_at = 8, overwrites_at = 12, uses_at = 18;

}  // namespace

TEST_CASE("far loads: who writes the address register does not wait for the value") {
  const program near = words(prefetching_loop(prefetch), false);
  const program both = words(prefetching_loop(prefetch), true);
  REQUIRE(near.instructions[load_at].op == opcode::ldg);
  // counters are short: the value's counter does for the address too, which costs nothing while it is there soon
  CHECK_FALSE(near.instructions[load_at].ctl.sets_read());
  CHECK((near.instructions[overwrites_at].ctl.wait_mask >> near.instructions[load_at].ctl.write_barrier & 1u) == 1u);
  const control& load = both.instructions[load_at].ctl;
  REQUIRE(load.sets_write());
  REQUIRE(load.sets_read());
  CHECK(load.read_barrier != load.write_barrier);
  CHECK((both.instructions[overwrites_at].ctl.wait_mask >> load.read_barrier & 1u) == 1u);
  CHECK((both.instructions[overwrites_at].ctl.wait_mask >> load.write_barrier & 1u) == 0u);
  CHECK((both.instructions[uses_at].ctl.wait_mask >> load.write_barrier & 1u) == 1u);
  CHECK(far(both) < far(near));
}

TEST_CASE("far loads: shared memory does not miss, whatever is asked") {
  const std::string text = prefetching_loop("LDS R23, [R14]");
  const program near = words(text, false);
  const program both = words(text, true);
  for (std::size_t i = 0; i < near.instructions.size(); ++i) CHECK(near.instructions[i].ctl == both.instructions[i].ctl);
}

TEST_CASE("far loads: a quick result does not go under the counter of a value that may be long in coming") {
  // Seven results on six counters; the loads are needed last.
  std::string text;
  for (unsigned k = 0; k < 3; ++k)
    text += "LDG.E R" + std::to_string(40 + k) + ", desc[UR8][R2.64+" + std::to_string(64 * k) + "]\n";
  for (unsigned k = 0; k < 4; ++k)
    text += "MUFU.RCP R" + std::to_string(50 + k) + ", R" + std::to_string(10 + k) + "\nNOP\n";
  for (unsigned k = 0; k < 4; ++k) text += "FADD R" + std::to_string(60 + k) + ", R" + std::to_string(50 + k) + ", R3\n";
  for (unsigned k = 0; k < 3; ++k) text += "FADD R" + std::to_string(70 + k) + ", R" + std::to_string(40 + k) + ", R3\n";
  const program p = words(text + "EXIT\n", true);
  unsigned loads = 0;
  for (const instruction& i : p.instructions) {
    if (i.op == opcode::ldg) loads |= 1u << i.ctl.write_barrier;
  }
  for (const instruction& i : p.instructions) {
    if (i.op == opcode::mufu) CHECK((loads >> i.ctl.write_barrier & 1u) == 0u);
  }
}

TEST_CASE("far loads: nor in a later block") {
  // All six counters come in busy; that of the load, the lowest, is the last to be joined.
  std::string text = "LDG.E R40, desc[UR8][R2.64]\n";
  for (unsigned k = 0; k < 5; ++k) text += "LDS R" + std::to_string(50 + k) + ", [R4+" + std::to_string(4 * k) + "]\n";
  text +=
      "@P0 BRA `(.L_1)\nFADD R3, R3, R3\n.L_1:\nMUFU.RCP R60, R10\nFADD R11, R12, R13\nFADD R61, R60, R11\n@P1 BRA "
      "`(.L_2)\nFADD R3, R3, R3\n.L_2:\n";
  for (unsigned k = 0; k < 5; ++k) text += "FADD R" + std::to_string(70 + k) + ", R" + std::to_string(50 + k) + ", R3\n";
  text += "FADD R80, R40, R3\nEXIT\n";
  const auto counters = [&](bool loads_miss) {
    const program p = words(text, loads_miss);
    unsigned load = 0, quick = 0;
    for (const instruction& i : p.instructions) {
      if (i.op == opcode::ldg) load = i.ctl.write_barrier;
      if (i.op == opcode::mufu) quick = i.ctl.write_barrier;  // the last one
    }
    return std::pair{load, quick};
  };
  const auto [load, quick] = counters(true);
  CHECK(load != quick);
  const auto [near_load, near_quick] = counters(false);
  CHECK(near_load == near_quick);
}
