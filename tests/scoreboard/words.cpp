// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <warpwright/arch/margin.hpp>
#include <warpwright/scoreboard/o0.hpp>
#include <warpwright/scoreboard/phase115.hpp>

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;

namespace {

const control& word(const program& p, std::uint32_t n) { return p.instructions[n].ctl; }

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

TEST_CASE(
    "SB-7 in-order queue: what comes through shared memory may overwrite the source of an earlier store without a wait") {
  scoreboard::workspace ws;
  const auto words = [&]<class Arch>(const std::string& first, const std::string& second) {
    program p = program_of<Arch>(first + "\n" + second + "\nFADD R7, R6, R6\nSTS [R2], R7\nEXIT\n");
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    const bool waits = word(p, 0).sets_read() && word(p, 1).wait_mask == 1u << word(p, 0).read_barrier;
    CHECK(waits == (word(p, 1).wait_mask != 0));
    CHECK(waits == word(p, 0).sets_read());
    // The counter left out is found where it is needed.
    program q = p;
    q.instructions[0].ctl.read_barrier = control::no_barrier;
    CHECK(first_finding<Arch>(q).empty() == !waits);
    return waits;
  };
  for (const char* store : {"STG.E desc[UR4][R2.64], R6", "STL [R2], R6", "STS [R2], R6"}) {
    INFO(store);
    CHECK_FALSE(words.operator()<sm90>(store, "LDS R6, [R8]"));
    CHECK_FALSE(words.operator()<sm100>(store, "LDS R6, [R8]"));
    CHECK(words.operator()<sm90>(store, "LDG.E R6, desc[UR4][R8.64]"));
    CHECK(words.operator()<sm100>(store, "LDG.E R6, desc[UR4][R8.64]"));
    CHECK(words.operator()<sm90>(store, "LDL R6, [R8]"));
    CHECK_FALSE(words.operator()<sm90>(store, "ATOMS.ADD R6, [R8], R9"));
    CHECK_FALSE(words.operator()<sm120>(store, "ATOMS.CAS R6, [R8], R10, R11"));
    CHECK(words.operator()<sm120>(store, "ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R8.64], R10"));
  }
  for (const char* store : {"STG.E [R2.64], R6", "STL [R2], R6", "STS [R2], R6"}) {
    INFO(store);
    CHECK_FALSE(words.operator()<sm80>(store, "LDS R6, [R8]"));
    CHECK_FALSE(words.operator()<sm75>(store, "LDS R6, [R8]"));
    CHECK_FALSE(words.operator()<sm80>(store, "ATOMS.EXCH R6, [R8], R9"));
    CHECK_FALSE(words.operator()<sm75>(store, "ATOMS.OR R6, [R8], R9"));
    CHECK(words.operator()<sm80>(store, "LDG.E R6, [R8.64]"));
    CHECK(words.operator()<sm75>(store, "LDL R6, [R8]"));
  }
  // Addresses of loads: in order among loads from sm_90 on.
  CHECK_FALSE(words.operator()<sm90>("LDG.E R12, desc[UR4][R6.64]", "LDG.E R6, desc[UR4][R8.64]"));
  CHECK_FALSE(words.operator()<sm120>("LDG.E R12, desc[UR4][R6.64]", "LDG.E R6, desc[UR4][R8.64]"));
  CHECK_FALSE(words.operator()<sm90>("LDG.E R12, desc[UR4][R6.64]", "LDL R6, [R8]"));
  CHECK(words.operator()<sm90>("LDG.E R12, desc[UR4][R6.64]", "LDS R6, [R8]"));
  CHECK(words.operator()<sm80>("LDG.E R12, [R6.64]", "LDG.E R6, [R8.64]"));
  // Global atomics are among these loads.
  const std::string atomic = "ATOMG.E.ADD.STRONG.GPU PT, ";
  CHECK_FALSE(words.operator()<sm90>("LDG.E R12, desc[UR4][R6.64]", atomic + "R6, desc[UR4][R8.64], R10"));
  CHECK_FALSE(words.operator()<sm120>(atomic + "R12, desc[UR4][R6.64], R10", "LDG.E R6, desc[UR4][R8.64]"));
  CHECK_FALSE(words.operator()<sm100>(atomic + "R12, desc[UR4][R8.64], R6", "LDL R6, [R8]"));
  CHECK(words.operator()<sm90>(atomic + "R12, desc[UR4][R6.64], R10", "LDS R6, [R8]"));
  CHECK(words.operator()<sm80>("LDG.E R12, [R6.64]", atomic + "R6, [R8.64], R10"));
  CHECK(words.operator()<sm80>(atomic + "R12, [R6.64], R10", "LDG.E R6, [R8.64]"));
  CHECK(words.operator()<sm75>("LDL R12, [R6]", "LDL R6, [R8]"));
}

TEST_CASE(
    "SB-7 in-order queue: a load of global memory that may be replaced waits for the earlier one, a shared one does not") {
  scoreboard::workspace ws;
  const auto waits = [&](const std::string& load) {
    program p = program_of<sm90>(load + "[R2]\n@P0 " + load + "[R8]\nFADD R5, R4, R4\nSTS [R10], R5\nEXIT\n");
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(first_finding<sm90>(p).empty());
    const bool waited = word(p, 1).wait_mask != 0;
    // Taken away, the wait is missed where it is needed: both results are still waited for behind.
    program q = p;
    q.instructions[1].ctl.wait_mask = 0;
    q.instructions[2].ctl.wait_mask = 0x3f;
    CHECK(first_finding<sm90>(q).empty() == !waited);
    return waited;
  };
  CHECK(waits("LDL R4, "));
  CHECK(waits("LD.E R4, "));
  CHECK_FALSE(waits("LDS R4, "));
}

TEST_CASE("SB-7 in-order queue: the result of a later load does not say that an earlier one has read its address") {
  program p = program_of<sm80>(
      "LDG.E R12, [R6.64]\n"
      "LDG.E R14, [R8.64]\n"
      "FADD R16, R14, R14\n"
      "MOV R6, R16\n"
      "FADD R12, R12, R6\n"
      "STG.E [R2.64], R12\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  CHECK(first_finding<sm80>(p).empty());
  CHECK(word(p, 0).sets_read());
  p.instructions[0].ctl.read_barrier = control::no_barrier;
  CHECK_FALSE(first_finding<sm80>(p).empty());
}

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

TEST_CASE("SB-6 collectives: everything has landed before WARPSYNC.COLLECTIVE goes to its label") {
  const auto before = [](const char* text) {
    program p = program_of<sm120>((std::string("MOV R2, R3\nMOV R9, R8\nMOV R9, R8\nMOV R9, R8\nMOV R9, R8\n") + text +
                                   "\nWARPSYNC.COLLECTIVE R2, `(L)\nL:\nEXIT\n"));
    scoreboard::workspace ws;
    scoreboard::assign_control<sm120>(p, ws);
    CHECK(first_finding<sm120>(p).empty());
    return static_cast<unsigned>(word(p, 5).stall);
  };
  CHECK(before("MOV R7, R6") == 7);  // as compilers have it: 229 of 229
  CHECK(before("ISETP.NE.AND P1, PT, R7, R6, PT") == 13);
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

TEST_CASE("SB-7 tensor memory: uniform registers are free when they have been read, results are waited for") {
  program p = program_of<sm100>(
      "UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR5, UR5\n"
      "MOV R3, UR5\n"
      "UTCHMMA gdesc[UR16], gdesc[UR18], tmem[UR10], tmem[UR6], idesc[UR7], UPT\n"
      "UTCHMMA gdesc[UR20], gdesc[UR18], tmem[UR10], tmem[UR6], idesc[UR7], UPT\n"
      "UTCBAR [UR22], URZ\n"
      "UMOV UR16, 0x1\n"
      "UMOV UR22, UR4\n"
      "STS [UR22], R3\n"
      "EXIT\n");
  scoreboard::workspace ws;
  const auto look = [&] {
    scoreboard::assign_control<sm100>(p, ws);
    REQUIRE(word(p, 0).sets_write());
    CHECK(word(p, 1).wait_mask == (1u << word(p, 0).write_barrier));
    CHECK(word(p, 3).wait_mask == 0);  // in order by themselves
    CHECK(word(p, 4).wait_mask == 0);
    const control& first = word(p, 2).sets_read() ? word(p, 2) : word(p, 3);
    REQUIRE(first.sets_read());
    CHECK((word(p, 5).wait_mask >> first.read_barrier & 1u) != 0);
    REQUIRE(word(p, 4).sets_read());
    CHECK(((word(p, 5).wait_mask | word(p, 6).wait_mask) >> word(p, 4).read_barrier & 1u) != 0);
    CHECK(first_finding<sm100>(p).empty());
  };
  look();
  look();
  p.instructions[5].ctl.wait_mask = p.instructions[6].ctl.wait_mask = 0;
  CHECK_FALSE(first_finding<sm100>(p).empty());
}

TEST_CASE("SB-7 a barrier that registers name reads them late") {
  program p = program_of<sm80>(
      "BAR.SYNC.DEFER_BLOCKING R7, R7\n"
      "IADD3 R8, R9, 0x1, RZ\n"
      "IADD3 R7, R7, 0x1, RZ\n"
      "BAR.SYNC.DEFER_BLOCKING 0x0\n"
      "STS [R7], R8\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  REQUIRE(word(p, 0).sets_read());
  CHECK(word(p, 2).wait_mask == (1u << word(p, 0).read_barrier));
  CHECK_FALSE(word(p, 3).sets_read());
  CHECK(first_finding<sm80>(p).empty());
  p.instructions[2].ctl.wait_mask = 0;
  CHECK_FALSE(first_finding<sm80>(p).empty());
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

namespace {

// The stall of the first instruction, where nothing but itself asks for one.
template <class Arch>
unsigned own_stall(const char* text) {
  program p = program_of<Arch>(std::string(text) + "\nFADD R20, R21, R22\nL:\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  CHECK(first_finding<Arch>(p).empty());
  return word(p, 0).stall;
}

}  // namespace

TEST_CASE("SB-6 least own stalls: what compiled code keeps behind opcodes is kept in new words") {
  // convergence registers: 5 in 19 of 19 on sm_90 and later, 1 in 140 of 146 before
  CHECK(own_stall<sm80>("BMOV.32 B0, R2") == 1);
  CHECK(own_stall<sm90>("BMOV.32 B0, R2") == 5);
  CHECK(own_stall<sm90a>("BMOV.32.CLEAR R2, B0") == 5);
  CHECK(own_stall<sm100>("BMOV.32 B0, R2") == 5);
  CHECK(own_stall<sm103>("BMOV.32 B0, R2") == 5);
  CHECK(own_stall<sm120>("BMOV.32.CLEAR R2, B0") == 5);
  // collectives: 5 in 17 of 17, their ends in 9 of 9 on sm_100 and later, 1 in 8 of 8 on sm_90
  CHECK(own_stall<sm90>("WARPSYNC.COLLECTIVE R2, `(L)") == 5);
  CHECK(own_stall<sm120>("WARPSYNC.COLLECTIVE R2, `(L)") == 5);
  CHECK(own_stall<sm90>("ENDCOLLECTIVE") == 1);
  CHECK(own_stall<sm100>("ENDCOLLECTIVE") == 5);
  CHECK(own_stall<sm120>("ENDCOLLECTIVE") == 5);
  // halves to singles: 1 on every SM by newer compilers (2 in 58 of 58 by one of CUDA 12 on sm_90), 2 to the next of them;
  // packed comparisons keep 2 on sm_90
  for (const unsigned stall :
       {own_stall<sm86>("HADD2.F32 R2, -RZ, R3.H0_H0"), own_stall<sm90>("HADD2.F32 R2, -RZ, R3.H0_H0"),
        own_stall<sm90a>("HADD2.F32 R2, -RZ, R3.H0_H0")}) {
    CHECK(stall == 1);
  }
  program halves = program_of<sm90>(
      "HADD2.F32 R2, -RZ, R3.H0_H0\nHADD2.F32 R4, -RZ, R3.H1_H1\nFMNMX R6, R7, R8, PT\n"
      "STG.E desc[UR4][R10.64], R2\nSTG.E desc[UR4][R10.64], R4\nSTG.E desc[UR4][R10.64], R6\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(halves, ws);
  CHECK(word(halves, 0).stall == 2);
  CHECK(word(halves, 1).stall == 1);
  CHECK(own_stall<sm90>("HSETP2.GT.AND P0, PT, R2, R3, PT") == 2);
  // rows of tensor memory moved down by one: 12 and no counter for what it reads
  CHECK(own_stall<sm100>("UTCSHIFT.DOWN tmem[UR7]") == 12);
  program shift = program_of<sm100>("UTCSHIFT.DOWN tmem[UR7]\nUMOV UR7, UR8\nEXIT\n");
  scoreboard::assign_control<sm100>(shift, ws);
  CHECK(word(shift, 0).read_barrier == control::no_barrier);
  const auto short_of = [&] {  // as the checker notes it
    unsigned cycles = 0;
    for (const verify::finding& f : verify::check<sm100>(shift, {.lints = false, .notes = true}).findings) {
      if (f.kind == verify::finding_kind::own_stall && f.second == shift.order[0]) cycles = f.short_by;
    }
    return cycles;
  };
  CHECK(short_of() == 0);
  shift[shift.order[0]].ctl.stall = 11;
  CHECK(short_of() == 1);
  // 64-bit arithmetic of sm_120: 2 in 48 of 48
  CHECK(own_stall<sm120>("IADD.64 R2, R4, R6") == 2);
  CHECK(own_stall<sm120>("MOV.64 R2, R4") == 2);
  CHECK(own_stall<sm120>("MOV R2, R4") == 1);
  CHECK(own_stall<sm120>("IMNMX.U64 R2, R4, R6, PT") == 2);
  CHECK(own_stall<sm120>("IMNMX.U32 R2, R4, R6, PT") == 1);
  // the address of what stands behind a call: 7 in 1,471 of 1,471
  CHECK(own_stall<sm90>("LEPC R30") == 7);
  CHECK(own_stall<sm100>("LEPC R30") == 7);
  CHECK(own_stall<sm110>("LEPC R30") == 7);
  CHECK(own_stall<sm120>("LEPC R30") == 7);
  CHECK(own_stall<sm80>("LEPC R30") == 1);
  // a return address that is written: 6 in 36 of 36
  CHECK(own_stall<sm100>("RPCMOV.32 Rpc.LO, R2") == 6);
}

namespace {

// Cycles that the checker notes to be missing in front of the instruction at position `at`.
template <class Arch>
unsigned noted(const program& p, std::uint32_t at) {
  unsigned cycles = 0;
  for (const verify::finding& f : verify::check<Arch>(p, {.lints = false, .notes = true}).findings) {
    if (f.kind == verify::finding_kind::own_stall && f.second == p.order[at]) cycles = f.short_by;
  }
  return cycles;
}

template <class Arch>
void arrival_is_kept(unsigned cycles) {
  scoreboard::workspace ws;
  for (const char* alone : {"BAR.ARV 0x1, 0x80", "BAR.SYNC 0x0"}) {
    INFO(alone);
    program p = program_of<Arch>(std::string(alone) + "\nFADD R20, R21, R22\nEXIT\n");
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(word(p, 0).stall == cycles);
    CHECK(noted<Arch>(p, 1) == 0);
    p.instructions[0].ctl.stall = static_cast<std::uint8_t>(cycles - 1);
    p.instructions[0].ctl.yield = false;
    CHECK(noted<Arch>(p, 1) == (cycles == 6 ? 1u : 0u));
  }
  const unsigned deferred = cycles == 6 ? 1u : cycles;
  program p = program_of<Arch>("BAR.SYNC.DEFER_BLOCKING 0x0\nFADD R20, R21, R22\nEXIT\n");
  scoreboard::assign_control<Arch>(p, ws);
  CHECK(word(p, 0).stall == deferred);
  CHECK(noted<Arch>(p, 1) == 0);
}

template <class Arch>
void regions_are_kept(unsigned cycles) {
  for (const char* second : {"@P1 BRA `(L)\n", "BSSY B1, `(L)\n"}) {
    INFO(second);
    program p = program_of<Arch>(std::string("BSSY B0, `(L)\n") + second + "FADD R20, R21, R22\nL:\nBSYNC B0\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(word(p, 0).stall == cycles);
    CHECK(noted<Arch>(p, 1) == 0);
    if (cycles == 1) continue;
    p.instructions[0].ctl.stall = static_cast<std::uint8_t>(cycles - 1);
    p.instructions[0].ctl.yield = false;
    CHECK(noted<Arch>(p, 1) == 1);
  }
  // arithmetic may follow at once, and counts
  program p =
      program_of<Arch>("BSSY B0, `(L)\nFADD R20, R21, R22\nFADD R23, R21, R22\n@P1 BRA `(L)\nNOP\nL:\nBSYNC B0\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  CHECK(word(p, 0).stall == 1);
  CHECK(word(p, 0).stall + word(p, 1).stall + word(p, 2).stall >= static_cast<int>(cycles));
}

}  // namespace

TEST_CASE("SB-3 conversions of 64 bits are awaited before another result of the special unit replaces theirs") {
  program p = program_of<sm120>(
      "F2I.F64.TRUNC R5, R2\n"
      "@P1 POPC R5, R7\n"
      "STG.E desc[UR4][R10.64], R5\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm120>(p, ws);
  REQUIRE(word(p, 0).sets_write());
  CHECK((word(p, 1).wait_mask >> word(p, 0).write_barrier & 1u) == 1);
  CHECK(first_finding<sm120>(p).empty());
  p = program_of<sm120>(
      "I2F.U32 R5, R2\n"
      "@P1 POPC R5, R7\n"
      "STG.E desc[UR4][R10.64], R5\n"
      "EXIT\n");
  scoreboard::assign_control<sm120>(p, ws);
  CHECK(word(p, 1).wait_mask == 0);  // in order
}

TEST_CASE("SB-6 which threads are active is changed when everything has landed, and holds two cycles later") {
  program p = program_of<sm80>(
      "MOV R4, R5\n"
      "BMOV.32 B15, MACTIVE\n"
      "BMOV.32.PQUAD MACTIVE, B15\n"
      "FSWZADD.NDV R6, R7, R8, PPPPPPPP\n"
      "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\n"
      "BMOV.32 MACTIVE, B15\n"
      "FADD R9, R10, R11\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  CHECK(word(p, 0).stall >= 4);
  CHECK(word(p, 1).stall == 1);
  CHECK(word(p, 2).stall == 2);
  CHECK(word(p, 11).stall == 6);
  CHECK(word(p, 12).stall == 2);
  CHECK(first_finding<sm80>(p).empty());
}

namespace {

// Cycles between the first instruction and the one at `at`, by new words.
template <class Arch>
unsigned cycles_to(const std::string& text, std::uint32_t at) {
  program p = program_of<Arch>(text);
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  unsigned cycles = 0;
  for (std::uint32_t k = 0; k < at; ++k) cycles += word(p, k).stall;
  return cycles;
}

}  // namespace

TEST_CASE(
    "SB-6 calls: everything of fixed latency has landed before CALL, LEPC and BSYNC from sm_90 on, as in compiled code") {
  const std::string call = "\nCALL.REL.NOINC `(F)\nEXIT\nF:\nRET.REL.NODEC R20 0x0\n";
  CHECK(cycles_to<sm90>("MOV R4, R5" + call, 1) == 7);
  CHECK(cycles_to<sm100>("MOV R4, R5" + call, 1) == 7);
  CHECK(cycles_to<sm110>("MOV R4, R5" + call, 1) == 7);
  CHECK(cycles_to<sm120>("MOV R4, R5" + call, 1) == 7);
  CHECK(cycles_to<sm90>("ISETP.GE.AND P0, PT, R4, R5, PT" + call, 1) == 13);
  CHECK(cycles_to<sm80>("MOV R4, R5" + call, 1) < 7);
  CHECK(cycles_to<sm90>("MOV R4, R5\nLEPC R20\nEXIT\n", 1) == 7);
  CHECK(cycles_to<sm80>("MOV R4, R5\nLEPC R20\nEXIT\n", 1) < 7);
  CHECK(cycles_to<sm90>("LEPC R20" + call, 1) == 7);  // its address is there after its own stall
  CHECK(cycles_to<sm100>("LEPC R20" + call, 1) == 7);
  CHECK(cycles_to<sm120>("LEPC R20" + call, 1) == 7);
  program q = program_of<sm90>("BSSY B0, `(L)\n@P0 BRA `(L)\nVOTE.ANY R4, PT, P1\nBSYNC B0\nEXIT\nL:\nBSYNC B0\nEXIT\n");
  scoreboard::workspace again;
  scoreboard::assign_control<sm90>(q, again);
  CHECK(word(q, 2).stall == 7);
  // the checker notes it
  program p = program_of<sm90>("MOV R4, R5" + call);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  const auto notes = [&] {
    unsigned n = 0;
    for (const verify::finding& f : verify::check<sm90>(p, {.lints = false, .notes = true}).findings) {
      n += f.kind == verify::finding_kind::raw_distance && f.second == p.order[1] && f.level == verify::severity::note ? 1u
                                                                                                                       : 0u;
    }
    return n;
  };
  CHECK(notes() == 0);
  p.instructions[0].ctl.stall = 5;
  CHECK(notes() == 1);
}

TEST_CASE("SB-6 R2UR and ELECT go through the ALU from sm_90 on, CS2R overwrites slowly before") {
  CHECK(cycles_to<sm90>("R2UR UR4, R5\nLOP3.LUT R6, R7, R8, RZ, 0xc0, !PT\nEXIT\n", 1) == 2);
  CHECK(cycles_to<sm100>("PRMT R6, R7, 0x7710, R8\nR2UR UR4, R5\nEXIT\n", 1) == 2);
  CHECK(cycles_to<sm120>("R2UR UR4, R5\nLOP3.LUT R6, R7, R8, RZ, 0xc0, !PT\nEXIT\n", 1) == 2);
  CHECK(cycles_to<sm90>("R2UR UR4, R5\nIMAD R6, R7, R8, R9\nEXIT\n", 1) == 1);
  for (const unsigned cycles : {cycles_to<sm80>("ISETP.GE.AND P0, PT, R4, R5, PT\nCS2R R4, SRZ\nEXIT\n", 1),
                                cycles_to<sm89>("ISETP.GE.AND P0, PT, R4, R5, PT\nCS2R R4, SRZ\nEXIT\n", 1)}) {
    CHECK(cycles == 2);
  }
  CHECK(cycles_to<sm80>("ISETP.GE.AND P0, PT, R4, R5, PT\nCS2R R6, SRZ\nEXIT\n", 1) == 1);
  CHECK(cycles_to<sm120>("ISETP.GE.AND P0, PT, R4, R5, PT\nCS2R R4, SRZ\nEXIT\n", 1) == 1);
}

TEST_CASE("SB-6 WARPSYNC with its mask in a register keeps four cycles on sm_80 to sm_89, as in compiled code") {
  const std::string masked = "WARPSYNC R2\nMOV R2, R5\nEXIT\n";
  CHECK(cycles_to<sm80>(masked, 1) == 4);
  CHECK(cycles_to<sm86>(masked, 1) == 4);
  CHECK(cycles_to<sm89>(masked, 1) == 4);
  CHECK(cycles_to<sm90>(masked, 1) == 5);
  CHECK(cycles_to<sm80>("WARPSYNC 0xffffffff\nMOV R2, R5\nEXIT\n", 1) == 1);
  CHECK(cycles_to<sm80>("@P0 WARPSYNC 0xffffffff\nMOV R2, R5\nEXIT\n", 1) == 1);
  for (const char* mask : {"R2", "0xffffffff"}) {
    program p = program_of<sm80>(std::string("WARPSYNC ") + mask + "\nMOV R3, R5\nEXIT\n");
    p.instructions[0].ctl.stall = 3;
    CHECK(noted<sm80>(p, 0) == (mask[0] == 'R' ? 1u : 0u));
  }
}

TEST_CASE("SB-6 SYNCS.EXCH: what it takes from uniform registers has been there for 12 cycles, as in compiled code") {
  for (const char* from : {"ULEA UR9, UR10, UR6, 0x18", "USHF.L.U32 UR4, UR7, 0x1, URZ"}) {
    INFO(from);
    const auto with = [&](const char* object) { return std::string(from) + "\n" + object + "\nEXIT\n"; };
    CHECK(cycles_to<sm90>(with("SYNCS.EXCH.64 URZ, [UR9], UR4"), 1) == 12);
    CHECK(cycles_to<sm100>(with("SYNCS.EXCH.64 URZ, [UR9], UR4"), 1) == 12);
    CHECK(cycles_to<sm110>(with("SYNCS.EXCH.64 URZ, [UR9], UR4"), 1) == 12);
    CHECK(cycles_to<sm120>(with("SYNCS.EXCH.64 URZ, [UR9], UR4"), 1) == 12);
  }
  CHECK(cycles_to<sm90>("ULEA UR9, UR10, UR6, 0x18\nSYNCS.ARRIVE.TRANS64 RZ, [UR9], R0\nEXIT\n", 1) == 9);
  CHECK(cycles_to<sm90>("UMOV UR9, UR10\nSYNCS.EXCH.64 URZ, [UR9], UR4\nEXIT\n", 1) < 9);
}

TEST_CASE("SB-6 a barrier that is only told keeps its distance from anybody, BSSY from branches") {
  arrival_is_kept<sm75>(5);
  arrival_is_kept<sm80>(6);
  arrival_is_kept<sm90>(6);
  arrival_is_kept<sm100>(6);
  arrival_is_kept<sm120>(6);
  regions_are_kept<sm80>(1);
  regions_are_kept<sm90>(4);
  regions_are_kept<sm100>(4);
  regions_are_kept<sm103>(4);
  regions_are_kept<sm120>(4);
}

namespace {

// Stall behind a matrix instruction whose first source somebody overwrites at once, and two instructions later.
template <class Arch>
std::pair<unsigned, unsigned> over_matrix(const char* matrix, const char* over) {
  unsigned cycles[2] = {};
  for (unsigned between = 0; between < 2; ++between) {
    program p = program_of<Arch>(std::string(matrix) + (between != 0 ? "\nFADD R40, R41, R42\nFADD R44, R45, R46\n" : "\n") +
                                 over + "\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    for (unsigned k = 0; k < 1 + 2 * between; ++k) cycles[between] += word(p, k).stall;
  }
  return {cycles[0], cycles[1]};
}

template <class Arch>
void overwrites_after(unsigned deep, bool small_too = false) {
  INFO("sm " << static_cast<unsigned>(Arch::id));
  const unsigned two_more = deep > 3 ? deep : 3;
  for (const char* matrix : {"HMMA.16816.F32 R8, R16, R20, R8", "HMMA.1688.F32.TF32 R8, R16, R20, R8",
                             "IMMA.16832.S8.S8 R8, R16.ROW, R20.COL, R8"}) {
    INFO(matrix);
    for (const char* over : {"MOV R16, R30", "IADD3 R17, R30, R31, RZ", "FMUL R20, R30, R31"}) {
      const auto [at_once, later] = over_matrix<Arch>(matrix, over);
      CHECK(at_once == deep);
      CHECK(later == two_more);
    }
    CHECK(over_matrix<Arch>(matrix, "LDS R16, [R30]").first <= 2);  // its result comes later
  }
  for (const char* small : {"HMMA.1688.F32 R8, R16, R20, R8", "HMMA.1684.F32.TF32 R8, R16, R20, R8",
                            "IMMA.16816.S8.S8 R8, R16.ROW, R20.COL, R8"}) {
    INFO(small);
    const unsigned first = over_matrix<Arch>(small, "MOV R16, R30").first;
    CHECK((small_too ? first == deep : first <= 2));
  }
}

}  // namespace

TEST_CASE("SB-6 sources of deep matrix instructions: vector arithmetic overwrites them as late as in compiled code") {
  overwrites_after<sm80>(7);
  overwrites_after<sm86>(7);
  overwrites_after<sm89>(7);
  overwrites_after<sm90>(7);
  overwrites_after<sm90a>(7);
  overwrites_after<sm120>(8, true);
  CHECK(over_matrix<sm100>("HMMA.16816.F32 R8, R16, R20, R8", "MOV R16, R30").first == 1);
  // across a block border as well
  program p = program_of<sm80>("HMMA.16816.F32 R8, R16, R20, R8\nBRA `(L)\nL:\nMOV R16, R30\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  CHECK(word(p, 0).stall + word(p, 1).stall == 7);
}

namespace {

template <class Arch>
void keeps_uniform_sources() {
  INFO("sm " << static_cast<unsigned>(Arch::id));
  for (const char* over : {"UMOV UR4, UR8", "UMOV UR5, URZ", "UIADD3 UR9, UR10, 0x8, URZ"}) {
    INFO(over);
    program p = program_of<Arch>(std::string("SYNCS.EXCH.64 URZ, [UR9], UR4\nFADD R2, R3, R4\n") + over + "\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    REQUIRE(word(p, 0).sets_read());
    CHECK(word(p, 1).wait_mask == 0);
    CHECK((word(p, 2).wait_mask >> word(p, 0).read_barrier & 1u) != 0);
  }
}

}  // namespace

TEST_CASE("SB-7 SYNCS: its uniform registers are overwritten when they have been read, as in compiled code") {
  keeps_uniform_sources<sm90>();
  keeps_uniform_sources<sm90a>();
  keeps_uniform_sources<sm100>();
  keeps_uniform_sources<sm103>();
  keeps_uniform_sources<sm120>();
  // a load reads its descriptor at once
  program p = program_of<sm90>("LDG.E R4, desc[UR4][R2.64]\nUMOV UR4, UR8\nSTG.E desc[UR6][R2.64], R4\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(word(p, 1).wait_mask == 0);
}

TEST_CASE("SB-7 registers given back and taken: nothing is on its way, and nobody goes on before it is done") {
  program p = program_of<sm90>(
      "LDS R8, [R4]\n"
      "IADD3 R5, R5, 0x1, RZ\n"
      "NOP\n"
      "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8\n"
      "MOV R6, R7\n"
      "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0\n"
      "STS [R4], R8\n"
      "NOP\n"
      "USETMAXREG.DEALLOC.CTAPOOL 0x28\n"
      "MOV R7, R8\n"
      "EXIT\n");
  scoreboard::workspace ws;
  const auto look = [&] {
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(word(p, 2).stall >= 8);
    CHECK(word(p, 3).wait_mask == (1u << word(p, 0).write_barrier));
    REQUIRE(word(p, 3).sets_write());
    CHECK((word(p, 4).wait_mask >> word(p, 3).write_barrier & 1u) != 0);
    CHECK(word(p, 7).stall >= 8);
    REQUIRE(word(p, 8).sets_write());
    CHECK(word(p, 8).drains());
    CHECK((word(p, 9).wait_mask >> word(p, 8).write_barrier & 1u) != 0);
    CHECK(first_finding<sm90>(p).empty());
  };
  look();
  look();  // from words that are known
  scoreboard::assign_o0<sm90>(p);
  CHECK(word(p, 3).drains());
  CHECK(word(p, 8).drains());
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-3 generic atomics: a predicate comes with the reads, what comes in registers does not") {
  const auto made = [](const char* results) {
    program p = program_of<sm120>(std::string("ATOM.E.CAS.STRONG.GPU ") + results +
                                  ", [R2], R4, R5\n"
                                  "@P0 MOV R10, R9\n"
                                  "EXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<sm120>(p, ws);
    CHECK(first_finding<sm120>(p).empty());
    return p;
  };
  const program predicate = made("P0, RZ");
  CHECK_FALSE(word(predicate, 0).sets_write());
  REQUIRE(word(predicate, 0).sets_read());
  CHECK(word(predicate, 1).wait_mask == 1u << word(predicate, 0).read_barrier);
  for (const char* results : {"PT, R9", "P0, R8"}) {
    INFO(results);
    const program both = made(results);
    REQUIRE(word(both, 0).sets_write());
    CHECK_FALSE(word(both, 0).sets_read());
    CHECK(word(both, 1).wait_mask == 1u << word(both, 0).write_barrier);
  }
}

TEST_CASE("SB-3 generic atomics: before sm_90 a predicate comes as a result does") {
  const auto made = []<class Arch>() {
    program p = program_of<Arch>(
        "ATOM.E.CAS.STRONG.GPU P0, RZ, [R2], R4, R5\n"
        "@P0 MOV R10, R9\n"
        "EXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    REQUIRE(word(p, 0).sets_write());
    CHECK_FALSE(word(p, 0).sets_read());
    CHECK(word(p, 1).wait_mask == 1u << word(p, 0).write_barrier);
    // the read counter says nothing of it
    program broken = p;
    control& c = broken.instructions[0].ctl;
    c.read_barrier = c.write_barrier;
    c.write_barrier = 7;
    CHECK_FALSE(first_finding<Arch>(broken).empty());
  };
  made.operator()<sm75>();
  made.operator()<sm80>();
  made.operator()<sm89>();
}

TEST_CASE("SB-3 acquire: other operations on a cache ask for nothing") {
  const auto made = [](const char* behind) {
    program p = program_of<sm90>(std::string("CCTL.IVALL\n"
                                             "LDG.E.STRONG.GPU R4, desc[UR4][R2.64]\n"
                                             "@P0 BRA `(OUT)\n") +
                                 behind + "OUT:\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(first_finding<sm90>(p).empty());
    return word(p, 1).sets_write();
  };
  CHECK(made("CCTL.IVALL\n"));
  CHECK_FALSE(made("CCTL.E.PF2 desc[UR4][R2.64]\n"));
  // in the same block as little, and what is never run brings nothing to acquire
  const auto asked = [](const char* text) {
    program p = program_of<sm90>(text);
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(first_finding<sm90>(p).empty());
    return word(p, 0).sets_write();
  };
  CHECK(asked("LDG.E.STRONG.GPU R4, desc[UR4][R2.64]\nCCTL.IVALL\nEXIT\n"));
  CHECK_FALSE(asked("LDG.E.STRONG.GPU R4, desc[UR4][R2.64]\nCCTL.E.PF2 desc[UR4][R2.64]\nEXIT\n"));
  CHECK(asked("LDS R4, [R2]\nCCTL.IVALL\nEXIT\n"));
  CHECK_FALSE(asked("@!PT LDS R4, [R2]\nCCTL.IVALL\nEXIT\n"));
  // surfaces are not in that cache, and SURED has no result to wait for: a disassembler refuses words that give it a write counter
  CHECK_FALSE(asked("SURED.D.BA.1D.ADD.STRONG.SYS.TRAP [R14], R4, UR4\nCCTL.IVALL\nEXIT\n"));
  CHECK_FALSE(asked("SURED.D.BA.1D.ADD.STRONG.SYS.TRAP [R14], R4, UR4\nMOV R14, R3\nEXIT\n"));
  CHECK_FALSE(asked("SULD.D.BA.2D.STRONG.SM.TRAP R2, [R4], UR4\nCCTL.IVALL\nEXIT\n"));
  CHECK(asked("SULD.D.BA.2D.STRONG.SM.TRAP R2, [R4], UR4\nMOV R6, R2\nEXIT\n"));
  CHECK_FALSE(asked("@!PT LDG.E.STRONG.GPU R4, desc[UR4][R2.64]\nCCTL.IVALL\nEXIT\n"));
}

TEST_CASE("SB-3 acquire: a cache is thrown away when what is in front of it has come, or when all of it has drained") {
  const auto made = [](const char* behind) {
    program p = program_of<sm90>(std::string("ATOMG.E.ADD.STRONG.GPU PT, RZ, desc[UR4][R2.64], R6\n") + behind + "EXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(first_finding<sm90>(p).empty());
    return p;
  };
  const program plain = made("CCTL.IVALL\nERRBAR\n");
  REQUIRE(word(plain, 0).sets_write());
  CHECK(word(plain, 1).wait_mask == 1u << word(plain, 0).write_barrier);
  const program drained = made("MEMBAR.SC.GPU\nERRBAR\nCCTL.IVALL\n");
  CHECK_FALSE(word(drained, 0).sets_write());
  CHECK(word(drained, 3).wait_mask == 0);
  const program never = made("MEMBAR.SC.GPU\nERRBAR\n");
  CHECK_FALSE(word(never, 0).sets_write());
  // In another block, and on one of two ways.
  const program beyond = made("@P0 BRA `(OUT)\nCCTL.IVALL\nOUT:\n");
  REQUIRE(word(beyond, 0).sets_write());
  CHECK(word(beyond, 2).wait_mask == 1u << word(beyond, 0).write_barrier);
}

TEST_CASE("SB-3 collective operations: what has been asked for has come before and behind") {
  program p = program_of<sm90>(
      "LDG.E R6, desc[UR4][R2.64]\n"
      "WARPSYNC.COLLECTIVE R10, `(on)\n"
      "SHFL.IDX P0, R8, R7, R11, R9\n"
      "ENDCOLLECTIVE\n"
      "on:\n"
      "MOV R1, R8\n"
      "MOV R2, R6\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  REQUIRE(word(p, 0).sets_write());
  CHECK((word(p, 1).wait_mask >> word(p, 0).write_barrier & 1u) != 0);
  REQUIRE(word(p, 2).sets_write());
  CHECK((word(p, 3).wait_mask >> word(p, 2).write_barrier & 1u) != 0);
  CHECK(first_finding<sm90>(p).empty());
}

TEST_CASE("SB-5 matrix operations of warp groups keep their distance from WARPGROUP.ARRIVE, WARPGROUP.DEPBAR from them") {
  program p = program_of<sm90a>(
      "WARPGROUP.ARRIVE\n"
      "HGMMA.64x16x16.F32 R24, gdesc[UR8], R24\n"
      "HGMMA.64x16x16.F32 R24, gdesc[UR12], R24, gsb0\n"
      "WARPGROUP.DEPBAR.LE gsb0, 0x0\n"
      "MOV R1, R24\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90a>(p, ws);
  CHECK(word(p, 0).stall >= 6);
  CHECK(word(p, 2).stall >= 3);
  CHECK(word(p, 3).stall >= 2);
  CHECK(first_finding<sm90a>(p).empty());
  // one cycle less is found
  constexpr std::uint8_t least[] = {6, 0, 3, 2};
  for (const std::uint32_t at : {0u, 2u, 3u}) {
    INFO(at);
    program q = p;
    control& c = q.instructions[at].ctl;
    c.stall = least[at];
    c.yield = false;
    CHECK(first_finding<sm90a>(q).empty());
    c.stall = static_cast<std::uint8_t>(least[at] - 1);
    CHECK_FALSE(first_finding<sm90a>(q).empty());
  }
}

TEST_CASE("SB-3 WARPGROUP.DEPBAR waits for matrix operations and never for a counter, WARPGROUP.ARRIVE may") {
  const char* text =
      "HGMMA.64x64x16.F32 R24, gdesc[UR8], R24, gsb0\n"
      "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR22], RZ\n"
      "WARPGROUP.DEPBAR.LE gsb0, 0x0\n"
      "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR22], RZ\n"
      "WARPGROUP.ARRIVE\n"
      "EXIT\n";
  program p = program_of<sm90a>(text);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90a>(p, ws);
  REQUIRE((word(p, 1).sets_read() || word(p, 1).sets_write()));
  CHECK(word(p, 2).wait_mask == 0);
  CHECK(word(p, 4).wait_mask != 0);
  CHECK(first_finding<sm90a>(p).empty());
  scoreboard::assign_o0<sm90a>(p);
  CHECK(word(p, 2).wait_mask == 0);
  CHECK(word(p, 3).wait_mask == 3);
  CHECK(first_finding<sm90a>(p).empty());
  // Nor where who is behind a fence has to wait: then it is the next one, also at a place that two paths lead to.
  for (const char* fence : {"MEMBAR.ALL.CTA\nWARPGROUP.DEPBAR.LE gsb0, 0x0\nMOV R1, R2\nEXIT\n",
                            "MEMBAR.ALL.CTA\n@P0 BRA `(on)\nWARPGROUP.DEPBAR.LE gsb0, 0x0\non:\nMOV R1, R2\nEXIT\n",
                            "@P0 BRA `(on)\nMEMBAR.ALL.CTA\non:\nWARPGROUP.DEPBAR.LE gsb0, 0x0\nMOV R1, R2\nEXIT\n"}) {
    CAPTURE(fence);
    program behind = program_of<sm90a>(fence);
    scoreboard::assign_control<sm90a>(behind, ws);
    std::uint32_t at = 0;
    while (behind[instr_id{at}].op != opcode::warpgroup) ++at;
    CHECK(word(behind, at).wait_mask == 0);
    CHECK(first_finding<sm90a>(behind).empty());
    scoreboard::assign_o0<sm90a>(behind);
    CHECK(word(behind, at).wait_mask == 0);
    CHECK(first_finding<sm90a>(behind).empty());
  }
  // With a guard that is on its way it has to.
  program guarded = program_of<sm90a>(
      "SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [UR22], R6\n@P2 WARPGROUP.DEPBAR.LE gsb0, 0x0\nMOV R1, R2\nEXIT\n");
  scoreboard::assign_control<sm90a>(guarded, ws);
  REQUIRE(word(guarded, 0).sets_write());
  CHECK(word(guarded, 1).wait_mask == 1u << word(guarded, 0).write_barrier);
  CHECK(first_finding<sm90a>(guarded).empty());
  scoreboard::assign_o0<sm90a>(guarded);
  CHECK(first_finding<sm90a>(guarded).empty());
  program loose = program_of<sm90a>("MEMBAR.ALL.CTA\nWARPGROUP.DEPBAR.LE gsb0, 0x0\nMOV R1, R2\nEXIT\n");
  scoreboard::assign_control<sm90a>(loose, ws);
  REQUIRE(word(loose, 2).wait_mask != 0);
  loose.instructions[loose.order[2].index()].ctl.wait_mask = 0;
  CHECK_FALSE(first_finding<sm90a>(loose).empty());
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
  program p = program_of<sm90>("LDG.E R4, desc[UR4][R2.64]\nFADD R5, R4, R4\nSTG.E desc[UR4][R2.64], R5\nEXIT\n");
  program q = p;
  scoreboard::workspace ws;
  const auto a = scoreboard::phase115<sm90>::run(p, ws, true);
  const auto b = scoreboard::phase115<sm90>::run(q, ws, false);
  CHECK(a.fast + a.slow == b.slow);
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) CHECK(word(p, i) == word(q, i));
}

TEST_CASE("SB-2 in-order queues: a result that a later one of its queue covers takes no counter") {
  const auto made = [](const char* second) {
    program p = program_of<sm90>((std::string("LDS R4, [R2]\n") + second +
                                  "FADD R6, R5, R5\n"
                                  "FADD R7, R4, R4\n"
                                  "STG.E desc[UR4][R8.64], R6\n"
                                  "STG.E desc[UR4][R8.64+0x4], R7\n"
                                  "EXIT\n")
                                     .c_str());
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(first_finding<sm90>(p).empty());
    return p;
  };
  const program covered = made("LDS R5, [R3]\n");
  CHECK_FALSE(word(covered, 0).sets_write());  // R5 is waited for first, and shared loads return in order
  REQUIRE(word(covered, 1).sets_write());
  CHECK(word(covered, 2).wait_mask == (1u << word(covered, 1).write_barrier));
  CHECK(word(covered, 3).wait_mask == 0);
  const program guarded = made("@P0 LDS R5, [R3]\n");
  CHECK(word(guarded, 0).sets_write());  // the later load may not enter the queue
  program global = program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "LDG.E R5, desc[UR4][R8.64]\n"
      "FADD R6, R5, R5\n"
      "FADD R7, R4, R4\n"
      "STG.E desc[UR4][R10.64], R6\n"
      "STG.E desc[UR4][R10.64+0x4], R7\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(global, ws);
  CHECK(word(global, 0).sets_write());  // no compiler leaves out the counter of a global load
  const program elsewhere = made("LDG.E R5, desc[UR4][R10.64]\n");
  CHECK(word(elsewhere, 0).sets_write());  // another queue
}

TEST_CASE("SB-2 in-order queues: a result that the next one of its queue replaces takes no counter") {
  program p = program_of<sm90>(
      "LDS R4, [R3]\n"
      "LDS R4, [R5]\n"
      "FADD R6, R4, R4\n"
      "STG.E desc[UR4][R10.64], R6\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(p, ws);
  CHECK_FALSE(word(p, 0).sets_write());
  REQUIRE(word(p, 1).sets_write());
  CHECK(word(p, 1).wait_mask == 0);
  CHECK(first_finding<sm90>(p).empty());
  program guarded = program_of<sm90>(  // the second load may not happen
      "LDS R4, [R3]\n"
      "@P0 LDS R4, [R5]\n"
      "FADD R6, R4, R4\n"
      "STG.E desc[UR4][R10.64], R6\n"
      "EXIT\n");
  scoreboard::assign_control<sm90>(guarded, ws);
  CHECK(word(guarded, 0).sets_write());
  CHECK(first_finding<sm90>(guarded).empty());
}

TEST_CASE("SB-2 in-order queues: what comes behind in a queue does not wait, and the one after it does") {
  // A guarded load may overwrite what the store reads, for it comes behind it; the address may be overwritten when it is read.
  program reads = program_of<sm90>(
      "STG.E desc[UR4][R2.64], R6\n"
      "@P0 LDS R6, [R8]\n"
      "MOV R2, R7\n"
      "STG.E desc[UR4][R10.64], R6\n"
      "STG.E desc[UR4][R10.64+0x4], R2\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(reads, ws);
  REQUIRE(word(reads, 0).sets_read());
  CHECK(word(reads, 1).wait_mask == 0);
  CHECK((word(reads, 2).wait_mask >> word(reads, 0).read_barrier & 1u) != 0);
  CHECK(first_finding<sm90>(reads).empty());
  // The same for results: the value of the first load is there where the second one did not act.
  program results = program_of<sm90>(
      "LDS R4, [R2]\n"
      "@P0 LDS R4, [R8]\n"
      "IADD3 R12, R13, R14, RZ\n"
      "FADD R5, R4, R4\n"
      "STG.E desc[UR4][R10.64], R5\n"
      "EXIT\n");
  scoreboard::assign_control<sm90>(results, ws);
  REQUIRE(word(results, 0).sets_write());
  REQUIRE(word(results, 1).sets_write());
  CHECK(word(results, 1).wait_mask == 0);
  CHECK(word(results, 2).wait_mask == 0);
  CHECK(word(results, 3).wait_mask == (1u << word(results, 0).write_barrier | 1u << word(results, 1).write_barrier));
  CHECK(first_finding<sm90>(results).empty());
  // Where the load may not act, who writes behind it waits for the store; where it certainly does, its result says that the store
  // has read.
  for (const bool guarded : {true, false}) {
    program again = program_of<sm90>("STG.E desc[UR4][R2.64], R6\n" + std::string(guarded ? "@P0 " : "") +
                                     "LDS R6, [R8]\n"
                                     "FADD R12, R6, R6\n"
                                     "MOV R6, R7\n"
                                     "STG.E desc[UR4][R10.64], R6\n"
                                     "STG.E desc[UR4][R10.64+0x4], R12\n"
                                     "EXIT\n");
    scoreboard::assign_control<sm90>(again, ws);
    CHECK(word(again, 0).sets_read() == guarded);
    if (guarded) {
      CHECK((word(again, 3).wait_mask >> word(again, 0).read_barrier & 1u) != 0);
    }
    CHECK(first_finding<sm90>(again).empty());
  }
}

TEST_CASE("SB-2 in-order queues: late reads that a later read covers take no counter") {
  const auto text = [](const std::string& from, const std::string& guard) {
    return "STS [R3], R4\n" + guard + "LDS R5, [R8]\n" + "FADD R6, R5, R5\n" + "MOV R4, R6\n" + "STG.E " + from +
           ", R4\nEXIT\n";
  };
  scoreboard::workspace ws;
  program p = program_of<sm80>(text("[R10.64]", ""));
  scoreboard::assign_control<sm80>(p, ws);
  CHECK_FALSE(word(p, 0).sets_read());  // R5 is waited for before R4 is overwritten
  CHECK(word(p, 3).wait_mask == 0);
  CHECK(first_finding<sm80>(p).empty());
  program guarded = program_of<sm80>(text("[R10.64]", "@P0 "));
  scoreboard::assign_control<sm80>(guarded, ws);
  CHECK(word(guarded, 0).sets_read());
  CHECK(first_finding<sm80>(guarded).empty());
  // Loads of global memory keep theirs where compilers let them, and go without from sm_90 on.
  const auto loads = [](const std::string& from, const std::string& second) {
    return "LDG.E R5, " + from + "\nLDG.E R6, " + second +
           "\nFADD R7, R6, R6\nIADD3 R2, R2, 0x4, RZ\nFADD R8, R5, R7\nSTS [R20], R8\nSTS [R20+0x4], R2\nEXIT\n";
  };
  program older = program_of<sm80>(loads("[R2.64]", "[R10.64]"));
  scoreboard::assign_control<sm80>(older, ws);
  CHECK(word(older, 0).sets_read());
  CHECK(first_finding<sm80>(older).empty());
  program newer = program_of<sm90>(loads("desc[UR4][R2.64]", "desc[UR4][R10.64]"));
  scoreboard::assign_control<sm90>(newer, ws);
  CHECK_FALSE(word(newer, 0).sets_read());
  CHECK(word(newer, 3).wait_mask == 0);
  CHECK(first_finding<sm90>(newer).empty());
}

TEST_CASE("SB-2 in-order queues: what covers late reads may have none of its own") {
  // The load from a constant address is first met by a guarded one behind it in its queue, which does not wait: what covers the
  // reads of the store is then waited for by who overwrites them.
  program p = program_of<sm80>(
      "STS [R3], R6\n"
      "LDS R2, [0x10]\n"
      "@P0 LDS R2, [R8]\n"
      "MOV R6, 0x1\n"
      "FADD R9, R2, R2\n"
      "STS [R6], R9\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  CHECK_FALSE(word(p, 0).sets_read());
  CHECK(word(p, 2).wait_mask == 0);
  CHECK(word(p, 3).wait_mask == 1u << word(p, 1).write_barrier);
  CHECK(first_finding<sm80>(p).empty());
}

TEST_CASE("SB-2 share: several producers on one counter where one consumer needs them all") {
  const std::string text =
      "LDG.E R8, desc[UR4][R2.64]\n"
      "LDS R9, [R20]\n"
      "MUFU.RCP R10, R21\n"
      "LDG.E R11, desc[UR4][R2.64+0x4]\n"
      "LDG.E R30, desc[UR4][R2.64+0x8]\n"  // for somebody else
      "HMMA.16816.F32 R4, R8, R12, R4\n"
      "FADD R31, R30, R30\n"
      "STG.E desc[UR4][R24.64], R31\n"
      "EXIT\n";
  scoreboard::workspace ws;
  program p = program_of<sm90>(text);
  scoreboard::assign_control<sm90>(p, ws);
  const std::uint8_t together = word(p, 0).write_barrier;
  CHECK(together != control::no_barrier);
  for (std::uint32_t k = 1; k < 4; ++k) CHECK(word(p, k).write_barrier == together);
  CHECK(word(p, 4).write_barrier != together);
  CHECK(word(p, 5).wait_mask == 1u << together);
  CHECK(first_finding<sm90>(p).empty());
  program q = program_of<sm90>(text);
  scoreboard::assign_control<sm90, barriers::evict_oldest>(q, ws);
  CHECK(word(q, 5).wait_mask == 15);  // four counters for the same
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

TEST_CASE("SB-6 pace: floating point and IMAD take turns on one FMA pipe but on sm_86 and sm_89") {
  const auto stalls = []<class Arch>(meta::type_identity<Arch>) {
    program p = program_of<Arch>(
        "FFMA R4, R0, R1, R2\nIMAD R5, R0, R1, R2\nFADD R6, R0, R1\nIMAD.WIDE R8, R0, R1, R2\nFMUL R10, R0, R1\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    return std::vector<unsigned>{word(p, 0).stall, word(p, 1).stall, word(p, 2).stall, word(p, 3).stall};
  };
  const std::vector<unsigned> taking_two{2, 2, 2, 4}, taking_one{1, 2, 1, 4}, apart{1, 1, 1, 1};
  CHECK(stalls(meta::type_identity<sm75>{}) == taking_two);
  CHECK(stalls(meta::type_identity<sm80>{}) == taking_two);
  CHECK(stalls(meta::type_identity<sm86>{}) == apart);
  CHECK(stalls(meta::type_identity<sm89>{}) == apart);
  CHECK(stalls(meta::type_identity<sm90>{}) == taking_one);
  CHECK(stalls(meta::type_identity<sm100>{}) == taking_one);
  CHECK(stalls(meta::type_identity<sm103>{}) == taking_one);
  CHECK(stalls(meta::type_identity<sm120>{}) == taking_one);
}
