// SPDX-License-Identifier: BSL-1.0
//
// What comes in order in a queue, and what that saves: counters that a later one stands for, waits that nobody needs.
#include "support.hpp"

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;
using ww_test::word;

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
    CHECK(words.operator()<sm80>(store, "ATOMG.E.ADD.STRONG.GPU PT, R6, [R8.64], R10"));
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

TEST_CASE("SB-7 constant loads read their registers in no order: each has a counter until the register is written again") {
  // On silicon a later one's counter did not stand for the earlier one: its address was the new value, and not aligned.
  const auto try_on = [&]<class Arch>() {
    program p = program_of<Arch>(
        "LDC.64 R24, c[0x3][R36+0x400]\n"
        "LDC.64 R26, c[0x3][R36+0x408]\n"
        "SHF.R.U32.HI R36, RZ, 0x1, R3\n"
        "FADD R4, R36, R36\n"
        "DADD R20, R24, R26\n"
        "EXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    for (const std::uint32_t load : {0u, 1u}) {
      const control& c = word(p, load);
      const unsigned own = (c.sets_read() ? 1u << c.read_barrier : 0u) | (c.sets_write() ? 1u << c.write_barrier : 0u);
      CHECK((word(p, 2).wait_mask & own) != 0);
      program q = p;
      q.instructions[load].ctl.read_barrier = control::no_barrier;
      CHECK(first_finding<Arch>(q).substr(0, 11) == "war_counter");
    }
  };
  try_on.operator()<sm75>();
  try_on.operator()<sm80>();
  try_on.operator()<sm90>();
  try_on.operator()<sm120>();
}

TEST_CASE("SB-7 read queues: words rely on those that compilers rely on, and on no others") {
  using scoreboard::detail::relied_on;
  STATIC_REQUIRE(sm90::latency::read_queue(sched_class::ldc) == queue_id::none);
  STATIC_REQUIRE(sm50::latency::read_queue(sched_class::ldc) == queue_id::none);
  STATIC_REQUIRE(relied_on<sm90::latency>(sched_class::sts) == queue_id::global);
  STATIC_REQUIRE(relied_on<sm90::latency>(sched_class::ldg) == queue_id::loads);
  STATIC_REQUIRE(relied_on<sm80::latency>(sched_class::ldg) == queue_id::none);
  STATIC_REQUIRE(relied_on<sm90::latency>(sched_class::mufu) == queue_id::xu);
  STATIC_REQUIRE(relied_on<sm90::latency>(sched_class::tma) == queue_id::own);
  STATIC_REQUIRE(relied_on<sm75::latency>(sched_class::atomg) == queue_id::none);
  STATIC_REQUIRE(relied_on<sm89::latency>(sched_class::atomg) == queue_id::none);
  STATIC_REQUIRE(relied_on<sm90::latency>(sched_class::atomg) == queue_id::loads);
  STATIC_REQUIRE(relied_on<sm80::latency>(sched_class::ldgsts) == queue_id::none);
  STATIC_REQUIRE(relied_on<sm90::latency>(sched_class::ldgsts) == queue_id::own);
  STATIC_REQUIRE(relied_on<sm120::latency>(sched_class::ldgsts) == queue_id::own);
  for (const sched_class c :
       {sched_class::redux, sched_class::atom, sched_class::syncs, sched_class::tex, sched_class::sust, sched_class::dmma}) {
    CHECK(relied_on<sm90::latency>(c) == queue_id::none);
    CHECK(sm90::latency::read_queue(c) != queue_id::none);  // the checker has nothing against it
  }
}

TEST_CASE("SB-7 read queues: nothing but its own counter or result says that ATOMG has read, where loads read in no order") {
  const auto text = [](const char* covers) {
    return "@P0 ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R2.64], R23\n" + std::string(covers) +
           "\nFADD R30, R9, R9\nIADD3 R23, R22, 0x4, RZ\nFADD R31, R8, R30\nSTS [R21], R31\nSTS [R21+0x4], R23\nEXIT\n";
  };
  scoreboard::workspace ws;
  const auto try_on = [&]<class Arch>(const char* covers, bool own) {
    program p = program_of<Arch>(text(covers));
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    const control& c = word(p, 0);
    const unsigned raised = (c.sets_read() ? 1u << c.read_barrier : 0u) | (c.sets_write() ? 1u << c.write_barrier : 0u);
    unsigned waited = 0;
    for (std::uint32_t k = 1; k < 4; ++k) waited |= word(p, k).wait_mask;
    CHECK(((waited & raised) != 0) == own);
    if (!own) return;
    program q = p;  // a later one's counter is not enough for the checker either
    q.instructions[0].ctl.read_barrier = control::no_barrier;
    for (std::uint32_t k = 1; k < 4; ++k) q.instructions[k].ctl.wait_mask &= static_cast<std::uint8_t>(~raised);
    q.instructions[3].ctl.wait_mask |= static_cast<std::uint8_t>(1u << word(p, 1).write_barrier);
    CHECK(first_finding<Arch>(q).substr(0, 11) == "war_counter");
  };
  for (const char* covers :
       {"ATOMG.E.ADD.STRONG.GPU PT, R9, desc[UR4][R10.64], R24", "LDS R9, [R20]", "LDG.E R9, desc[UR4][R10.64]"}) {
    INFO(covers);
    try_on.operator()<sm75>(covers, true);
    try_on.operator()<sm80>(covers, true);
    try_on.operator()<sm86>(covers, true);
  }
  try_on.operator()<sm90>("LDG.E R9, desc[UR4][R10.64]", false);  // compilers let later loads cover it there
  try_on.operator()<sm90>("LDS R9, [R20]", true);
}

TEST_CASE("SB-7 read queues: only LDGSTS covers LDGSTS, from sm_90 on") {
  const auto text = [](const char* covers, const char* writes) {
    return "LDGSTS.E [R20], desc[UR4][R2.64]\n" + std::string(covers) + "\nFADD R30, R9, R9\n" + writes +
           "\nSTS [R21], R30\nSTS [R21+0x4], R20\nEXIT\n";
  };
  scoreboard::workspace ws;
  const auto own = [&]<class Arch>(const char* covers, const char* writes = "IADD3 R20, R22, 0x4, RZ") {
    program p = program_of<Arch>(text(covers, writes));
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    unsigned waited = 0;
    for (std::uint32_t k = 1; k < 4; ++k) waited |= word(p, k).wait_mask;
    if (!word(p, 0).sets_read()) return false;
    program q = p;
    q.instructions[0].ctl.read_barrier = control::no_barrier;
    CHECK(first_finding<Arch>(q).substr(0, 11) == "war_counter");
    return (waited >> word(p, 0).read_barrier & 1u) != 0;
  };
  constexpr const char* copy = "LDGSTS.E [R24], desc[UR4][R10.64]";
  CHECK(own.operator()<sm80>("LDS R9, [R26]"));
  CHECK(own.operator()<sm89>("LDS R9, [R26]"));
  CHECK(own.operator()<sm90>("LDS R9, [R26]"));
  CHECK(own.operator()<sm120>("LDS R9, [R26]"));
  CHECK(own.operator()<sm80>(copy, "LDS R20, [R26]"));  // what comes through shared memory does not land behind it
  CHECK(own.operator()<sm90>("MOV R9, R8", "LDS R20, [R26]"));
  // The second one's counter stands for both from sm_90 on.
  program p = program_of<sm90>(
      "LDGSTS.E [R20], desc[UR4][R2.64]\nLDGSTS.E [R24], desc[UR4][R10.64]\nIADD3 R24, R22, 0x4, RZ\n"
      "IADD3 R20, R22, 0x8, RZ\nSTS [R24], R20\nEXIT\n");
  scoreboard::assign_control<sm90>(p, ws);
  CHECK(first_finding<sm90>(p).empty());
  CHECK_FALSE(word(p, 0).sets_read());
  program older = program_of<sm80>(
      "LDGSTS.E [R20], [R2.64]\nLDGSTS.E [R24], [R10.64]\nIADD3 R24, R22, 0x4, RZ\n"
      "IADD3 R20, R22, 0x8, RZ\nSTS [R24], R20\nEXIT\n");
  scoreboard::assign_control<sm80>(older, ws);
  CHECK(first_finding<sm80>(older).empty());
  CHECK(word(older, 0).sets_read());
}

TEST_CASE("SB-3 delay and counter: double precision and matrix operations keep both to their readers until sm_89") {
  scoreboard::workspace ws;
  // Cycles from the first instruction to the one at `to`, by the stalls alone, in new words.
  const auto apart = [&]<class Arch>(const std::string& text, std::uint32_t to) {
    program p = program_of<Arch>(text + "\nEXIT\n");
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    CHECK(word(p, 0).sets_write());
    CHECK((word(p, to).wait_mask >> word(p, 0).write_barrier & 1u) != 0);
    unsigned cycles = 0;
    for (std::uint32_t k = 0; k < to; ++k) {
      CHECK(word(p, k).stall != 0);
      cycles += word(p, k).stall;
    }
    return cycles;
  };
  const auto one = [&]<class Arch>(const std::string& producer, const std::string& reader) {
    return apart.template operator()<Arch>(producer + "\n" + reader, 1);
  };
  const std::string dfma = "DFMA R4, R8, R10, R12";
  CHECK(one.operator()<sm70>(dfma, "DADD R14, R4, R8") == 8);
  CHECK(one.operator()<sm75>(dfma, "DADD R14, R4, R8") == 8);
  CHECK(one.operator()<sm75>(dfma, "IADD3 R14, R4, R8, RZ") == 9);
  CHECK(one.operator()<sm75>("HMMA.1688.F16 R6, R4, R0, R6", "IADD3 R14, R6, R8, RZ") == 14);
  CHECK(one.operator()<sm75>("IMMA.8816.S8.S8 R6, R4.ROW, R0.COL, R6", "IADD3 R14, R6, R8, RZ") == 10);
  CHECK(one.operator()<sm80>(dfma, "DADD R14, R4, R8") == 6);
  CHECK(one.operator()<sm89>(dfma, "FADD R14, R4, R8") == 10);
  CHECK(one.operator()<sm86>("DSETP.GT.AND P0, PT, R4, R6, PT", "@P0 MOV R8, R9") == 14);
  CHECK(one.operator()<sm80>("DSETP.GT.AND P0, PT, R4, R6, PT", "SEL R8, R9, R10, P0") == 6);
  // More than one stall holds: what stands in between takes its part.
  const std::string gap = "\nMOV R30, R31\nMOV R32, R33\n";
  const std::string dmma = "DMMA.884 R8, R4, R6, R8";
  CHECK(apart.operator()<sm80>(dmma + gap + "STG.E.64 [R2.64], R8", 3) == 24);
  CHECK(apart.operator()<sm80>(dmma + gap + "DMMA.884 R8, R20, R22, R8", 3) == 18);
  CHECK(apart.operator()<sm80>(dmma + gap + "DMMA.884 R12, R8, R22, R16", 3) == 26);
  // Where they are fixed or the compiler keeps nothing, it is the counter or the distance alone.
  CHECK(one.operator()<sm120>(dfma, "FADD R14, R4, R8") == 2);
  // With nothing in between, a drain.
  program p = program_of<sm80>(dmma + "\nDADD R14, R8, R20\nEXIT\n");
  scoreboard::assign_control<sm80>(p, ws);
  CHECK(word(p, 0).stall == 0);
  CHECK(word(p, 0).yield);
}
