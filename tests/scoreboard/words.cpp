// SPDX-License-Identifier: BSL-1.0
//
// Control words of small programs: counters, waits, stalls, flags, options.
#include "support.hpp"

#include <warpwright/arch/margin.hpp>
#include <warpwright/scoreboard/o0.hpp>
#include <warpwright/scoreboard/phase115.hpp>

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;
using ww_test::word;

TEST_CASE("SB-7 phase 115: a load is waited for, a sum keeps its distance") {
  program p = program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "IADD3 R5, R6, R7, RZ\n"
      "IADD3 R8, R5, R4, RZ\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  REQUIRE(word(p, 0).sets_write());
  CHECK(word(p, 2).wait_mask == (1u << word(p, 0).write_barrier));
  CHECK(word(p, 1).wait_mask == 0);
  CHECK(word(p, 1).stall == 4);
  CHECK(word(p, 1).yield);
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-7 set to wait: two cycles before a neighbour that waits") {
  program p = program_of<sm90>(
      "MUFU.RCP R4, R2\n"
      "FADD R5, R4, R4\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 0).stall == 2);
  CHECK(word(p, 1).wait_mask != 0);
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-7 results that nobody reads take no counter, sources only where overwritten") {
  program p = program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"  // result never used, address not overwritten
      "STG.E desc[UR4][R2.64], R6\n"  // data overwritten next
      "MOV R6, R7\n"
      "STG.E desc[UR4][R8.64], R6\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK_FALSE(word(p, 0).sets_write());
  CHECK_FALSE(word(p, 0).sets_read());
  REQUIRE(word(p, 1).sets_read());
  CHECK(word(p, 2).wait_mask == (1u << word(p, 1).read_barrier));
  CHECK_FALSE(word(p, 3).sets_read());
}

TEST_CASE("SB-6 a distance above 15 is spread over earlier instructions, and drains where there is no room") {
  scoreboard::workspace ws;
  program p = program_of<sm80>(
      "HMMA.16816.F32 R4, R8, R12, R4\n"
      "MOV R20, R21\n"
      "FADD R0, R4, R5\n"
      "EXIT\n");
  const auto roomy = scoreboard::assign_control<sm80>(p, ws);
  CHECK(roomy.drains == 0);
  CHECK(word(p, 0).stall + word(p, 1).stall >= 24);
  CHECK(word(p, 1).stall == 15);
  CHECK(first_finding<sm80>(p).empty());
  program q = program_of<sm80>(
      "HMMA.16816.F32 R4, R8, R12, R4\n"
      "FADD R0, R4, R5\n"
      "EXIT\n");
  const auto tight = scoreboard::assign_control<sm80>(q, ws);
  CHECK(tight.drains == 1);
  CHECK(word(q, 0).drains());
  CHECK(first_finding<sm80>(q).empty());
}

TEST_CASE("SB-2 more producers than counters: all policies are right") {
  std::string text;
  for (int i = 0; i < 16; ++i)
    text += "LDG.E R" + std::to_string(32 + i) + ", desc[UR4][R2.64+" + std::to_string(4 * i) + "]\n";
  for (int i = 0; i < 16; ++i) text += "FADD R" + std::to_string(64 + i) + ", R" + std::to_string(32 + i) + ", R3\n";
  for (int i = 0; i < 16; ++i) text += "STG.E desc[UR4][R4.64], R" + std::to_string(64 + i) + "\n";
  text += "EXIT\n";
  scoreboard::workspace ws;
  program a = program_of<sm90>(text);
  program b = a;
  program c = a;
  scoreboard::assign_control<sm90, barriers::share>(a, ws);
  scoreboard::assign_control<sm90, barriers::evict_oldest>(b, ws);
  scoreboard::assign_control<sm90, barriers::literal_text>(c, ws);
  CHECK(first_finding<sm90>(a).empty());
  CHECK(first_finding<sm90>(b).empty());
  CHECK(first_finding<sm90>(c).empty());
  // sharing never makes a producer wait for another one, eviction does
  unsigned waiting_a = 0;
  unsigned waiting_b = 0;
  for (std::uint32_t i = 0; i < 16; ++i) {
    waiting_a += word(a, i).wait_mask != 0 ? 1u : 0u;
    waiting_b += word(b, i).wait_mask != 0 ? 1u : 0u;
  }
  CHECK(waiting_a == 0);
  CHECK(waiting_b == 10);
}

TEST_CASE("SB-4 reuse flags of R2UR: none is made, and one that came is cleared") {
  program p = program_of<sm90>(
      "R2UR UR4, R4.reuse\n"
      "IADD3 R4, R4, 0x1, RZ\n"
      "R2UR UR5, R4\n"
      "EXIT\n");
  p.instructions[0].ctl.reuse = 1;
  p.instructions[0].ctl.stall = 2;
  REQUIRE(p.instructions[0].has(iflag::reuse_legal));
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 0).reuse == 0);
  CHECK(word(p, 2).reuse == 0);
}

TEST_CASE(
    "SB-4 reuse flags of PLOP3 on signs of registers, and of CREDUX: made by the rule or not at all, never left over") {
  const auto flags = [](const char* between) {
    program p = program_of<sm90>(std::string("PLOP3.LUT P5, PT, R0.SIGN, R4.SIGN, R7.SIGN, 0x2, 0x0\n") + between +
                                 "IADD3 R8, R0, R9, R7\nCREDUX.MIN.S32 UR4, R0\nEXIT\n");
    for (const std::size_t k : {std::size_t{0}, p.instructions.size() - 2}) {
      p.instructions[k].ctl.reuse = 7;
      p.instructions[k].ctl.stall = 2;
      REQUIRE(p.instructions[k].has(iflag::reuse_legal));
    }
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(p.instructions[p.instructions.size() - 2].ctl.reuse == 0);
    return unsigned{p.instructions[0].ctl.reuse};
  };
  CHECK(flags("") == 5);
  CHECK(flags("MOV R20, R3\n") == 5);
  CHECK(flags("MOV R0, R3\n") == 0);  // yields, too
}

TEST_CASE("SB-7 -O0: a copy whose counter DEPBAR names too is waited for all the same") {
  program p = program_of<sm90a>(
      "UTMALDG.2D [UR8], [UR4]\n"
      "UMOV UR8, URZ\n"
      "UTMACMDFLUSH\n"
      "DEPBAR.LE SB2, 0x0\n"
      "EXIT\n");
  p.has_control = true;
  p.instructions[0].ctl.read_barrier = 2;
  p.instructions[2].ctl.read_barrier = 2;
  scoreboard::assign_o0<sm90a>(p);
  CHECK(word(p, 0).read_barrier == 1);
  CHECK(word(p, 2).read_barrier == 2);
  CHECK(first_finding<sm90a>(p).empty());
}

TEST_CASE("SB-7 DEPBAR names its counter: LDGDEPBAR keeps it and nobody else takes it") {
  program p = program_of<sm80>(
      "LDGSTS.E.BYPASS.128 [R8], [R2.64]\n"
      "LDGDEPBAR\n"
      "LDG.E R4, [R2.64]\n"
      "DEPBAR.LE SB0, 0x0\n"
      "FADD R5, R4, R4\n"
      "STG.E [R2.64], R5\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  CHECK(word(p, 1).write_barrier == 0);
  CHECK(word(p, 2).write_barrier != 0);
  CHECK(word(p, 3).stall >= 4);
  CHECK(first_finding<sm80>(p).empty());
}

TEST_CASE("SB-7 the checker finds a group of copies on a counter that DEPBAR does not name") {
  program p = program_of<sm90>(
      "LDGSTS.E [R8], desc[UR4][R2.64]\nLDGDEPBAR\nLDGSTS.E [R8+0x200], desc[UR4][R2.64]\nLDGDEPBAR\n"
      "DEPBAR.LE SB0, 0x1\nLDS R4, [R6]\nDEPBAR.LE SB0, 0x0\nLDS R5, [R6+0x200]\nFADD R5, R4, R5\n"
      "STG.E desc[UR4][R2.64], R5\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(first_finding<sm90>(p).empty());
  for (const std::uint32_t group : {1u, 3u}) {
    program q = p;
    q.instructions[group].ctl.write_barrier = 5;
    CHECK(first_finding<sm90>(q).substr(0, 10) == "fence_wait");
    // somebody else waits for that counter: it is not what DEPBAR counts all the same
    q.instructions[8].ctl.wait_mask = static_cast<std::uint8_t>(q.instructions[8].ctl.wait_mask | 1u << 5);
    CHECK(first_finding<sm90>(q).substr(0, 10) == "fence_wait");
  }
  // without DEPBAR a wait mask does
  program plain =
      program_of<sm90>("LDGSTS.E [R8], desc[UR4][R2.64]\nLDGDEPBAR\nLDS R4, [R6]\nSTG.E desc[UR4][R2.64], R4\nEXIT\n");
  scoreboard::assign_control<sm90>(plain, ws);
  plain.instructions[1].ctl.write_barrier = 4;
  plain.instructions[2].ctl.wait_mask = static_cast<std::uint8_t>(plain.instructions[2].ctl.wait_mask | 1u << 4);
  CHECK(first_finding<sm90>(plain).substr(0, 10) != "fence_wait");
}

TEST_CASE("SB-7 words that were wiped out say nothing: what counts without a register is counted as if never read") {
  program fresh = program_of<sm80>(
      "LDGSTS.E.BYPASS.128 [R8], [R2.64]\n"
      "LDGDEPBAR\n"
      "LDG.E R4, [R2.64]\n"
      "DEPBAR.LE SB2, 0x0\n"
      "FADD R5, R4, R4\n"
      "STG.E [R2.64], R5\n"
      "EXIT\n");
  scoreboard::workspace ws;
  CHECK_FALSE(control_is_known(fresh));
  for (const bool zeros : {false, true}) {
    program p = fresh;
    for (instruction& i : p.instructions) {
      i.ctl = {};
      if (!zeros) continue;
      i.ctl.stall = 0;
      i.ctl.write_barrier = i.ctl.read_barrier = 0;
    }
    p.has_control = true;
    CHECK_FALSE(control_is_known(p));
    scoreboard::assign_control<sm80>(p, ws);
    CHECK(word(p, 1).write_barrier == 2);
    CHECK(word(p, 2).write_barrier != 2);
    CHECK(first_finding<sm80>(p).empty());
    CHECK(control_is_known(p));
    // compiled words that say LDGDEPBAR counts nothing are believed
    p.instructions[1].ctl.write_barrier = control::no_barrier;
    scoreboard::assign_control<sm80>(p, ws);
    CHECK_FALSE(word(p, 1).sets_write());
  }
}

TEST_CASE("SB-4 reuse flags: kept while valid, cleared when stale") {
  const auto build = [](const char* between) {
    program p = program_of<sm90>(std::string("FFMA R4, R2.reuse, R3, R5\n") + between + "FFMA R6, R2, R7, R8\nEXIT\n");
    p.instructions[0].ctl.reuse = 1;
    p.has_control = true;
    return p;
  };
  scoreboard::workspace ws;
  program good = build("");
  scoreboard::assign_control<sm90>(good, ws);
  CHECK(word(good, 0).reuse == 1);
  program written = build("MOV R2, R9\n");
  scoreboard::assign_control<sm90>(written, ws);
  CHECK(word(written, 0).reuse == 0);
  program replaced = build("FFMA R10, R12, R13, R14\n");  // same slot and bank, another register
  scoreboard::assign_control<sm90>(replaced, ws);
  CHECK(word(replaced, 0).reuse == 0);
}

TEST_CASE("SB-7 safety margin: every distance grows") {
  using padded = with_margin<sm90, safety_margin<3>>;
  program p = program_of<sm90>("IADD3 R4, R2, R3, RZ\nIADD3 R5, R4, R3, RZ\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<padded>(p, ws);
  CHECK(word(p, 0).stall == 7);
  scoreboard::assign_control<sm90>(p, ws);  // the same workspace serves another architecture
  CHECK(word(p, 0).stall == 4);
}

TEST_CASE("SB-7 phase 116: -O0 words are right, the text's would not wait for a load") {
  program p = program_of<sm80>(
      "LDG.E R4, [R2.64]\n"
      "FADD R5, R4, R4\n"
      "HMMA.16816.F32 R8, R12, R16, R8\n"
      "MOV R9, R8\n"
      "STG.E [R2.64], R5\n"
      "MOV R5, R9\n"
      "EXIT\n");
  program text = p;
  scoreboard::assign_o0<sm80>(p);
  CHECK(word(p, 0).write_barrier == 0);
  CHECK(word(p, 0).stall == 15);
  CHECK(word(p, 1).wait_mask == 3);
  CHECK(word(p, 2).drains());
  CHECK(word(p, 4).read_barrier == 1);
  CHECK(first_finding<sm80>(p).empty());
  for (instruction& i : text.instructions) i.ctl = scoreboard::o0_text_control();
  CHECK_FALSE(first_finding<sm80>(text).empty());
}

TEST_CASE("SB-7 phase 115 routes by class and gives the same words either way") {
  program p = program_of<sm90>(
      "LDGSTS.E [R8], desc[UR4][R2.64]\nLDG.E R4, desc[UR4][R2.64]\n@P0 LDGSTS.E [R8+0x10], desc[UR4][R2.64]\n"
      "FADD R5, R4, R4\nTEX.SCR.LL RZ, R6, R6, R10, UR6, 2D\nSTG.E desc[UR4][R2.64], R5\nEXIT\n");
  program q = p;
  scoreboard::workspace ws;
  const auto a = scoreboard::phase115<sm90>::run(p, ws, true);
  const auto b = scoreboard::phase115<sm90>::run(q, ws, false);
  CHECK(a.fast == 2);
  CHECK(a.slow == 5);
  CHECK(b.fast == 0);
  CHECK(b.slow == 7);
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) CHECK(word(p, i) == word(q, i));
}

TEST_CASE("SB-7 phase 115 route: textures, surfaces, warp-group products and copies are fast where the back end can") {
  using scoreboard::route;
  using scoreboard::route_kind;
  using s = sched_class;
  for (unsigned k = 0; k < sched_class_count; ++k) {
    INFO("class " << k);
    instruction i;
    i.iclass = static_cast<s>(k);
    bool fast = false;
    for (const s c : {s::tex, s::tld, s::txq, s::suld, s::sust, s::suatom, s::hgmma, s::tma, s::ldgsts}) {
      fast = fast || i.iclass == c;
    }
    CHECK(route(i, true) == (fast ? route_kind::fast : route_kind::slow));
    CHECK(route(i, false) == route_kind::slow);
    for (const iflag special : {iflag::guarded, iflag::unknown}) {
      instruction flagged = i;
      flagged.add(special);
      CHECK(route(flagged, true) == route_kind::slow);
    }
    i.add(iflag::padding);
    CHECK(route(i, true) == route_kind::skipped);
    CHECK(route(i, false) == route_kind::skipped);
  }
  const program p = program_of<sm90a>("HGMMA.64x8x16.F32 R4, gdesc[UR4], !UPT\nEXIT\n");
  CHECK(route(p.instructions[0], true) == route_kind::fast);
  CHECK(route(p.instructions[0], false) == route_kind::slow);
}

TEST_CASE("SB-2 the distance rule to the letter breaks what the default keeps") {
  std::string text = "LDG.E R4, desc[UR4][R2.64]\n";
  for (int k = 0; k < 20; ++k) text += "IADD3 R5, R5, 0x1, RZ\n";  // 80 cycles
  text +=
      "FADD R6, R4, R5\n"
      "STG.E desc[UR4][R2.64], R6\n"
      "EXIT\n";
  scoreboard::workspace ws;
  program p = program_of<sm90>(text);
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 21).wait_mask == 1u << word(p, 0).write_barrier);
  CHECK(first_finding<sm90>(p).empty());
  program q = program_of<sm90>(text);
  scoreboard::assign_control<sm90, barriers::literal_distance>(q, ws);
  CHECK(word(q, 21).wait_mask == 0);
  CHECK(first_finding<sm90>(q) == "raw_counter 0 -> 21, short by 0");
  program young = program_of<sm90>("LDG.E R4, desc[UR4][R2.64]\nFADD R6, R4, R5\nSTG.E desc[UR4][R2.64], R6\nEXIT\n");
  scoreboard::assign_control<sm90, barriers::literal_distance>(young, ws);
  CHECK(first_finding<sm90>(young).empty());
}
