// SPDX-License-Identifier: BSL-1.0
//
// Counters and distances from block to block: loops, several ways in, code that is not known.
#include "support.hpp"

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;
using ww_test::word;

namespace {

// A loop that adds R5 until R3 reaches R7, behind `before`.
program adds_in_a_loop(const std::string& before) {
  program p = program_of<sm90>(before +
                               "LOOP:\n"
                               "IADD3 R3, R3, 0x1, RZ\n"
                               "FADD R6, R6, R5\n"
                               "ISETP.LT.AND P0, PT, R3, R7, PT\n"
                               "@P0 BRA `(LOOP)\n"
                               "STG.E desc[UR4][R10.64], R6\n"
                               "EXIT\n");
  REQUIRE(p[block_id(1)].weight > p[block_id(0)].weight);
  return p;
}

}  // namespace

TEST_CASE("SB-2 cross block: a counter that is pending at a loop's end is waited for at its head") {
  program p = program_of<sm90>(
      "MOV R8, RZ\n"
      "loop:\n"
      "FADD R6, R6, R4\n"  // R4 of the round before; R6 is stored late
      "LDG.E R4, desc[UR4][R2.64]\n"
      "STG.E desc[UR4][R10.64], R6\n"
      "IADD3 R8, R8, 0x1, RZ\n"
      "ISETP.LT.AND P0, PT, R8, 0x10, PT\n"
      "@P0 BRA `(loop)\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  REQUIRE(word(p, 2).sets_write());
  REQUIRE(word(p, 3).sets_read());
  const unsigned both = (1u << word(p, 2).write_barrier) | (1u << word(p, 3).read_barrier);
  CHECK((word(p, 1).wait_mask & both) == both);
  CHECK(word(p, 2).write_barrier != word(p, 3).read_barrier);
  CHECK(word(p, 5).stall == 13);  // guard of the branch
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-2 cross block: a counter that comes in is not given away to what passes it in its queue") {
  // The guarded load may overwrite R7, which the store reads, without a wait: same queue. R3 is free only when the store has
  // read, so the counter of the store is still in use when the load takes one; the load's would delay the move.
  program p = program_of<sm80>(
      "STS.64 [R13], R2\n"
      "STS.64 [R13+0x8], R6\n"
      "@!P1 BRA 0x60\n"
      "MOV R20, R21\n"
      "MOV R22, R23\n"
      "MOV R24, R25\n"
      "@P0 LDS R7, [R13+0x10]\n"
      "MOV R3, 0x4\n"
      "STS [R20], R3\n"
      "STS [R22], R7\n"
      "STS [R24], R2\n"
      "EXIT\n");
  REQUIRE(p.blocks.size() >= 3);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  const control& store = word(p, 1).sets_read() ? word(p, 1) : word(p, 0);
  const control& load = word(p, 6);
  REQUIRE(store.sets_read());
  REQUIRE(load.sets_write());
  CHECK(load.wait_mask == 0);
  CHECK(load.write_barrier != store.read_barrier);
  CHECK(word(p, 7).wait_mask == (1u << store.read_barrier));
  CHECK(first_finding<sm80>(p).empty());
}

TEST_CASE("SB-2 cross block: what comes over the back edge on a counter that was known is news as well") {
  // Both loads are consumed by the FFMA, so that they may share a counter. The store's reads come over the back edge: where they
  // are on that counter too, the MOV over R20 would wait for the load in each iteration.
  program p = program_of<sm89>(
      "LDG.E R8, [R2.64]\n"
      "LOOP:\n"
      "LDG.E R16, [R30.64]\n"
      "MOV R20, R24\n"
      "IADD3 R3, R3, 0x1, RZ\n"
      "FFMA R16, R8, R16, R20\n"
      "ISETP.LT.AND P0, PT, R3, R7, PT\n"
      "STG.E [R12.64], R20\n"
      "@P0 BRA `(LOOP)\n"
      "STG.E [R12.64], R16\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm89>(p, ws);
  REQUIRE(word(p, 1).sets_write());
  REQUIRE(word(p, 6).sets_read());
  CHECK((word(p, 2).wait_mask >> word(p, 6).read_barrier & 1u) != 0);
  CHECK((word(p, 2).wait_mask >> word(p, 1).write_barrier & 1u) == 0);
  CHECK(word(p, 4).wait_mask != 0);
  CHECK(first_finding<sm89>(p).empty());
  SECTION("a guarded shared load passes the store in its queue, and the counter is not free behind it") {
    program q = program_of<sm89>(
        "LOOP:\n"
        "LDG.E R16, [R30.64]\n"
        "@P1 LDS R12, [R14]\n"
        "MOV R20, R24\n"
        "IADD3 R3, R3, 0x1, RZ\n"
        "FADD R22, R12, R22\n"
        "FFMA R16, R8, R16, R20\n"
        "ISETP.LT.AND P0, PT, R3, R7, PT\n"
        "STG.E [R12.64], R20\n"
        "@P0 BRA `(LOOP)\n"
        "STG.E [R12.64], R16\n"
        "EXIT\n");
    scoreboard::assign_control<sm89>(q, ws);
    REQUIRE(word(q, 0).sets_write());
    REQUIRE(word(q, 1).sets_write());
    REQUIRE(word(q, 7).sets_read());
    CHECK(word(q, 1).wait_mask == 0);
    CHECK((word(q, 2).wait_mask >> word(q, 7).read_barrier & 1u) != 0);
    CHECK((word(q, 2).wait_mask >> word(q, 0).write_barrier & 1u) == 0);
    CHECK((word(q, 2).wait_mask >> word(q, 1).write_barrier & 1u) == 0);
    CHECK(first_finding<sm89>(q).empty());
  }
}

TEST_CASE("SB-2 cross block: whoever comes behind a fence waits for the counter that it has in the last round") {
  // The store's read comes over the back edge: the choice is repeated, and the fence gets another counter. All else that comes to
  // the EXIT is as it was.
  program p = program_of<sm90>(
      "AGAIN:\n"
      "LDG.E.128 R4, desc[UR4][R4.64]\n"
      "BRA `(FENCE)\n"
      "STG.E.128 desc[UR4][R20.64], R4\n"
      "LDG.E R4, desc[UR4][R22.64]\n"
      "HERE:\n"
      "@P1 BRA `(OUT)\n"
      "@P5 BRA `(AGAIN)\n"
      "BRA `(HERE)\n"
      "FENCE:\n"
      "MEMBAR.ALL.CTA\n"
      "OUT:\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  REQUIRE(word(p, 7).sets_read());
  CHECK((word(p, 8).wait_mask >> word(p, 7).read_barrier & 1u) != 0);
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-7 block borders: the block before ends later when its successor reads at once") {
  program p = program_of<sm90>(
      "IADD3 R4, R2, R3, RZ\n"
      "next:\n"
      "IADD3 R5, R4, R3, RZ\n"
      "ISETP.LT.AND P0, PT, R5, 0x10, PT\n"
      "@P0 BRA `(next)\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 0).stall == 4);
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-7 block borders: what is pending on two paths is joined by unit, and is news once") {
  const auto entry = [](std::uint32_t unit, unsigned writes, unsigned queue) {
    scoreboard::pending_entry e{unit, {}};
    e.state.writes = static_cast<std::uint8_t>(writes);
    e.state.write_queue = static_cast<std::uint8_t>(queue);
    return e;
  };
  scoreboard::block_flow from;
  scoreboard::block_flow f;
  for (const unsigned unit : {2u, 5u, 9u}) f.pending_in.push_back(entry(unit, 1, 3));
  for (const unsigned unit : {1u, 5u, 7u, 8u, 12u}) from.pending_out.push_back(entry(unit, 2, 4));
  from.busy_out = 3;
  f.pending_dirty = false;
  scoreboard::join_pending(f, from);
  CHECK(f.pending_dirty);
  std::string joined;
  for (const scoreboard::pending_entry& e : f.pending_in) {
    joined +=
        std::to_string(e.unit) + ':' + std::to_string(e.state.writes) + '/' + std::to_string(e.state.write_queue) + ' ';
  }
  CHECK(joined == "1:2/4 2:1/3 5:3/255 7:2/4 8:2/4 9:1/3 12:2/4 ");
  f.pending_dirty = false;
  scoreboard::join_pending(f, from);
  CHECK_FALSE(f.pending_dirty);
  CHECK(f.pending_in.size() == 7);
}

TEST_CASE("SB-7 block borders: a result that is nearly there when its block ends keeps its distance") {
  for (unsigned between = 0; between <= 9; ++between) {
    std::string text = "ISETP.LT.AND P0, PT, R5, 0x10, PT\n";
    for (unsigned k = 0; k < between; ++k) text += "MOV R" + std::to_string(20 + k) + ", R3\n";
    program p = program_of<sm90>((text + "next:\n@P0 BRA `(next)\nEXIT\n"));
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    unsigned apart = 0;
    for (unsigned k = 0; k <= between; ++k) apart += word(p, k).stall;
    CAPTURE(between);
    CHECK(apart == std::max(13u, 1 + 2 * between));  // MOV keeps two cycles to its neighbour
    CHECK(first_finding<sm90>(p).empty());
  }
}

TEST_CASE("SB-2 loops: counters may be waited for in front of a loop, which then has all of them") {
  program p = adds_in_a_loop(
      "LDC R5, c[0x0][0x210]\n"
      "LDC R7, c[0x0][0x218]\n"
      "MOV R9, R8\n");
  scoreboard::workspace ws;
  const auto masks = [&](bool settle) {
    ws.settle_before_loops = settle;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(first_finding<sm90>(p).empty());
    unsigned inside = 0;
    for (unsigned k = 3; k < 7; ++k) inside |= word(p, k).wait_mask;
    const unsigned raised = 1u << word(p, 0).write_barrier | 1u << word(p, 1).write_barrier;
    CHECK((settle ? word(p, 2).wait_mask : inside) == raised);
    CHECK((settle ? inside : word(p, 2).wait_mask) == 0);
  };
  masks(false);
  masks(true);
}

TEST_CASE("SB-6 loops: what comes from in front of a loop is waited for there, not in each iteration") {
  program p = adds_in_a_loop(
      "IADD3 R5, R2, 0x1, RZ\n"
      "FMUL R9, R8, R8\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 1).stall > 1);
  CHECK(word(p, 2).stall == 1);
  CHECK(first_finding<sm90>(p).empty());
  const unsigned together = word(p, 1).stall;
  ws.pay_before_loops = false;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 1).stall == 1);
  CHECK(word(p, 2).stall == together);
  CHECK(first_finding<sm90>(p).empty());
  // what the loop owes to itself it waits for itself
  ws.pay_before_loops = true;
  program own = program_of<sm90>(
      "MOV R9, R8\n"
      "LOOP:\n"
      "IADD3 R3, R3, 0x1, RZ\n"
      "ISETP.LT.AND P0, PT, R3, R7, PT\n"
      "@P0 BRA `(LOOP)\n"
      "EXIT\n");
  scoreboard::assign_control<sm90>(own, ws);
  CHECK(word(own, 0).stall == 1);
  CHECK(word(own, 1).stall > 1);
  CHECK(first_finding<sm90>(own).empty());
}

TEST_CASE("SB-7 code that is not known: everything has landed before a call of an unknown function") {
  program p = program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "IADD3 R5, R6, R7, RZ\n"
      "CALL.ABS.NOINC R20\n"
      "STG.E desc[UR4][R2.64], R4\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  REQUIRE(word(p, 0).sets_write());
  CHECK((word(p, 2).wait_mask >> word(p, 0).write_barrier & 1u) == 1u);
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-7 code that is not known: what follows an unknown opcode keeps away from it") {
  program p = program_of<sm90>(
      "IADD3 R4, R4, 0x1, RZ\n"
      "NOP\n"
      "USEL UR4, UR6, UR5, UP0\n"
      "LDS R5, [R4]\n"
      "STS [R6], R5\n"
      "EXIT\n");
  p.instructions[1].iclass = sched_class::unknown;
  p.instructions[1].add(iflag::unknown);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 1).stall == 13);
  p.instructions[1].ctl.stall = 15;  // as the compiler had it
  p.has_control = true;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 1).stall == 15);
}

TEST_CASE("SB-7 open exits: what comes late has landed where code that is not known begins") {
  // With a wait at the exit the cycles are spent in front of it, where they cost nothing, as long as a stall holds them.
  const auto made = [](const char* before) {
    program p = program_of<sm80>(std::string(before) + "RET.REL.NODEC R20 0x0\n");
    REQUIRE(p.blocks.back().open_exit);
    scoreboard::workspace ws;
    scoreboard::assign_control<sm80>(p, ws);
    CHECK(first_finding<sm80>(p).empty());
    return p;
  };
  const unsigned landed = 13;  // cycles behind the comparison
  const program alone = made("ISETP.NE.AND P0, PT, R8, RZ, PT\n");
  CHECK(unsigned{word(alone, 0).stall} + word(alone, 1).stall == landed);
  CHECK(word(alone, 0).stall == 1);
  const program waits = made("LDG.E R4, [R2.64]\nISETP.NE.AND P0, PT, R8, RZ, PT\n");
  CHECK(unsigned{word(waits, 1).stall} + word(waits, 2).stall == landed);
  CHECK(word(waits, 2).stall == 5);
  CHECK((word(waits, 2).wait_mask >> word(waits, 0).write_barrier & 1u) != 0);
  // more than a stall holds: the exit drains
  const program far = made("LDG.E R4, [R2.64]\nHMMA.16816.F32 R24, R8, R12, R24\n");
  CHECK(word(far, 1).stall == 1);
  CHECK(word(far, 2).stall == 0);
  // nobody in front of the exit in its block
  const program only = made("LDG.E R4, [R2.64]\n@P1 BRA `(L)\nISETP.NE.AND P0, PT, R8, RZ, PT\nL:\n");
  CHECK(unsigned{word(only, 2).stall} + word(only, 3).stall == landed);
}
