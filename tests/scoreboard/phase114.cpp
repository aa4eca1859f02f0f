// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/phase114.hpp>

#include "support/corpus.hpp"

using namespace ww;
using namespace ww::scoreboard;

namespace {

constexpr const char* sample =
    "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
    "MOV R20, R21\n"
    "FADD R4, R0, R12\n"
    "EXIT\n";

program prepared(const char* lines) {
  program p = ww_test::program_of<sm80>(lines);
  workspace ws;
  assign_control<sm80>(p, ws);
  return p;
}

}  // namespace

TEST_CASE("SB-7 phase 114: active where a class has several triplets, and nothing changes in a right program") {
  CHECK_FALSE(phase114<sm80>::active);
  CHECK(phase114<sm100>::active);
  program p = prepared(sample);
  phase114<sm80> pass;
  const phase114_stats s = pass.run(p);
  CHECK(s.textures == 1);
  CHECK_FALSE(s.changed());
}

TEST_CASE("SB-7 phase 114 index: a texture without a counter gets one, and its reader waits") {
  for (const std::uint8_t index : {std::uint8_t{7}, std::uint8_t{6}, std::uint8_t{12}}) {
    program p = prepared(sample);
    p.instructions[0].ctl.write_barrier = index;
    p.instructions[2].ctl.wait_mask = 0;
    phase114<sm80> pass;
    const phase114_stats s = pass.run(p);
    CHECK(s.indices == 1);
    REQUIRE(p.instructions[0].ctl.write_barrier < 6);
    CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[0].ctl.write_barrier);
    CHECK(ww_test::first_finding<sm80>(p).empty());
  }
}

TEST_CASE("SB-7 phase 114 index: textures of a block share one, others are left alone, DEPBAR's is not taken") {
  program p = ww_test::program_of<sm80>(
      "LDG.E R30, desc[UR4][R8.64]\n"
      "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "TEX.SCR.LL R4, R16, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "DEPBAR.LE SB1, 0x0\n"
      "FADD R0, R0, R4\n"
      "EXIT\n");
  p.instructions[0].ctl.write_barrier = 0;
  phase114<sm80> pass;
  const phase114_stats s = pass.run(p);
  CHECK(s.indices == 2);
  CHECK(p.instructions[0].ctl.write_barrier == 0);
  CHECK(p.instructions[1].ctl.write_barrier == 2);
  CHECK(p.instructions[2].ctl.write_barrier == 2);
  CHECK(p.instructions[4].ctl.wait_mask == 4);
}

TEST_CASE("SB-7 phase 114 waits: on every path, and for sources that are overwritten") {
  program p = ww_test::program_of<sm80>(
      "SUST.D.BA.2D.STRONG.SM.IGN [R2], R0, UR4\n"
      "TEX.SCR.LL R4, R12, R14, R6, 0x0, 0x58, 2D, 0xb\n"
      "@P0 BRA `(other)\n"
      "MOV R0, R21\n"
      "FADD R8, R4, R4\n"
      "EXIT\n"
      "other:\n"
      "FADD R9, R12, R12\n"
      "EXIT\n");
  phase114<sm80> pass;
  pass.run(p);
  REQUIRE(p.instructions[0].ctl.read_barrier < 6);
  REQUIRE(p.instructions[1].ctl.write_barrier < 6);
  CHECK((p.instructions[3].ctl.wait_mask >> p.instructions[0].ctl.read_barrier & 1u) == 1);
  const unsigned tex = 1u << p.instructions[1].ctl.write_barrier;
  CHECK(((p.instructions[3].ctl.wait_mask | p.instructions[4].ctl.wait_mask) & tex) == tex);
  CHECK((p.instructions[6].ctl.wait_mask & tex) == tex);
  CHECK(p.instructions[2].ctl.wait_mask == 0);
}

TEST_CASE("SB-7 phase 114 waits: round a loop") {
  program p = ww_test::program_of<sm80>(
      "MOV R3, R2\n"
      "loop:\n"
      "@P1 BRA `(skip)\n"
      "FADD R5, R0, R5\n"
      "skip:\n"
      "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "@P0 BRA `(loop)\n"
      "EXIT\n");
  phase114<sm80> pass;
  pass.run(p);
  REQUIRE(p.instructions[3].ctl.write_barrier < 6);
  CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[3].ctl.write_barrier);
  CHECK(p.instructions[1].ctl.wait_mask == 0);
}

TEST_CASE("SB-7 phase 114 issue code: bounds, yield, and two cycles before a neighbour that waits") {
  program p = prepared(
      "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "FADD R4, R0, R12\n"
      "EXIT\n");
  control& c = p.instructions[0].ctl;
  phase114<sm80> pass;
  c.stall = 1;
  c.yield = false;
  CHECK(pass.run(p).stalls == 1);
  CHECK(c.stall == 2);
  c.stall = 20;
  CHECK(pass.run(p).stalls == 1);
  CHECK(c.stall == 15);
  CHECK(c.yield);
  c.stall = 0;
  c.yield = false;
  pass.run(p);
  CHECK(c.stall == 2);
  c.stall = 11;
  CHECK_FALSE(pass.run(p).changed());
  CHECK_FALSE(c.yield);
}

TEST_CASE("SB-7 phase 114 index: a texture that has DEPBAR's keeps it and does not hand it on; what exists nowhere goes") {
  program p = ww_test::program_of<sm80>(
      "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "TEX.SCR.LL R4, R16, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "TEX.SCR.LL R8, R16, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "TEX.SCR.LL R20, R16, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "DEPBAR.LE SB1, 0x0\n"
      "FADD R0, R0, R4\n"
      "EXIT\n");
  p.instructions[0].ctl.write_barrier = 1;
  p.instructions[2].ctl.write_barrier = 3;
  p.instructions[2].ctl.read_barrier = 6;
  phase114<sm80> pass;
  CHECK(pass.run(p).indices == 3);
  CHECK(p.instructions[0].ctl.write_barrier == 1);
  CHECK(p.instructions[1].ctl.write_barrier == 0);
  CHECK(p.instructions[2].ctl.read_barrier == control::no_barrier);
  CHECK(p.instructions[3].ctl.write_barrier == 3);  // that of the last one
}

TEST_CASE("SB-7 phase 114 waits: where control leaves, and before what is not known, everything has come") {
  program p = ww_test::program_of<sm80>(
      "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "NOP\n"
      "MOV R20, R21\n"
      "EXIT\n");
  p.instructions[1].add(iflag::unknown);
  phase114<sm80> pass;
  pass.run(p);
  CHECK(p.instructions[1].ctl.wait_mask == 1u << p.instructions[0].ctl.write_barrier);
  program open = ww_test::program_of<sm80>("TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\nMOV R20, R21\n");
  REQUIRE(open.blocks[0].open_exit);
  pass.run(open);
  CHECK(open.instructions[1].ctl.wait_mask == 1u << open.instructions[0].ctl.write_barrier);
}

TEST_CASE("SB-7 phase 114 issue code: the last of a block comes two cycles before the next block, a stall of none is one") {
  program p = ww_test::program_of<sm80>(
      "MOV R3, R2\n"
      "TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "loop:\n"
      "MOV R4, R5\n"
      "@P0 BRA `(loop)\n"
      "EXIT\n");
  p.instructions[1].ctl.write_barrier = 0;
  p.instructions[1].ctl.stall = 1;
  phase114<sm80> pass;
  pass.run(p);
  CHECK(p.instructions[1].ctl.stall == 2);
  program q = ww_test::program_of<sm80>("TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb\nMOV R20, R21\nEXIT\n");
  q.instructions[0].ctl.write_barrier = 0;
  q.instructions[0].ctl.stall = 0;
  q.instructions[0].ctl.yield = false;
  pass.run(q);
  CHECK(q.instructions[0].ctl.stall == 1);
}

TEST_CASE("SB-7 phase 114 issue code: who raises a counter that is now waited for right behind it stalls longer") {
  const std::string text =
      "SUST.D.BA.2D.STRONG.SM.IGN [R2], R0, UR4\n"
      "LDG.E R30, desc[UR4][R8.64]\n";
  for (const bool border : {false, true}) {
    program p = ww_test::program_of<sm80>(text + (border ? "next:\n" : "") + "MOV R0, R21\n" +
                                          (border ? "@P0 BRA `(next)\n" : "") + "EXIT\n");
    p.instructions[0].ctl.read_barrier = 1;
    p.instructions[0].ctl.stall = 4;
    p.instructions[1].ctl.write_barrier = 1;
    p.instructions[1].ctl.stall = 1;
    phase114<sm80> pass;
    CHECK(pass.run(p).stalls == 1);
    CHECK(p.instructions[2].ctl.wait_mask == 2);
    CHECK(p.instructions[1].ctl.stall == 2);
    CHECK_FALSE(pass.run(p).changed());
  }
}

TEST_CASE("SB-7 phase 114 corpus: textures whose words were spoilt are right again in real programs") {
  static workspace ws;
  phase114<sm80> pass;
  std::size_t programs = 0;
  std::string first;
  for (const std::string& path : ww_test::corpus::listings()) {
    if (ww_test::corpus::sm_of(path) != sm80::id) continue;
    const auto r = sass::read_listing(ww_test::corpus::text(path), {.sm = sm80::id, .file = path});
    if (!r) continue;
    for (const program& s : r.mod.sections) {
      program p = s;
      if (p.sm != sm80::id || p.order.empty() || !build_cfg(p).ok) continue;
      assign_control<sm80>(p, ws);
      const phase114_stats once = pass.run(p);
      // A texture whose result nobody needs has no counter in good words, so only its own word may change.
      CHECK(once.waits == 0);
      unsigned textures = 0;
      for (instruction& i : p.instructions) {
        if (!is_texture(i.iclass)) continue;
        i.ctl.write_barrier = static_cast<std::uint8_t>(6 + textures++ % 2);
        i.ctl.read_barrier = control::no_barrier;
        i.ctl.stall = static_cast<std::uint8_t>(i.ctl.stall + 16 * (textures % 3 == 0));
      }
      pass.run(p);
      programs += textures != 0 ? 1u : 0u;
      const std::string f = ww_test::first_finding<sm80>(p);
      if (first.empty() && !f.empty()) first = path + ": " + f;
    }
  }
  CHECK(first == "");
  if (ww_test::corpus::reference()) CHECK(programs > 0);
}
