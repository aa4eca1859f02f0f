// SPDX-License-Identifier: BSL-1.0
//
// Waits that belong to single units: tensor memory, barriers in memory, atomics, acquiring loads, matrix operations of warp groups.
#include "support.hpp"

#include <warpwright/scoreboard/o0.hpp>

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;
using ww_test::word;

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

TEST_CASE("SB-7 CCTL: what leaves the cache of constants is awaited by UTMACCTL, as in compiled code") {
  const auto look = []<class Arch>() {
    program p = program_of<Arch>("CCTL.E.C.LDCU.IV.DEEP [UR6]\nUTMACCTL.IV [UR6]\nUTMACMDFLUSH\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    REQUIRE(word(p, 0).sets_write());
    CHECK((word(p, 1).wait_mask >> word(p, 0).write_barrier & 1u) != 0);
    const auto found = [](const program& q) {
      unsigned n = 0;
      for (const verify::finding& f : verify::check<Arch>(q).findings)
        n += f.kind == verify::finding_kind::fence_wait ? 1u : 0u;
      return n;
    };
    CHECK(found(p) == 0);
    program no_wait = p, no_counter = p;
    no_wait.instructions[1].ctl.wait_mask = 0;
    CHECK(found(no_wait) == 1);
    no_counter.instructions[0].ctl.write_barrier = control::no_barrier;
    CHECK(found(no_counter) == 1);
    no_counter.instructions[0].ctl.stall = 0;
    no_counter.instructions[0].ctl.yield = true;
    CHECK(found(no_counter) == 0);  // everything drains
    // Other caches raise none.
    program other = program_of<Arch>("CCTL.IVALL\nUTMACCTL.IV [UR6]\nEXIT\n");
    scoreboard::assign_control<Arch>(other, ws);
    CHECK_FALSE(word(other, 0).sets_write());
  };
  look.operator()<sm100>();
  look.operator()<sm103>();
  look.operator()<sm120>();
}

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

TEST_CASE(
    "SB-7 size of shared memory: EXIT and what orders memory wait for it, nothing moves across, and a flush counts "
    "nothing") {
  scoreboard::workspace ws;
  const auto look = [&]<class Arch>() {
    program p = program_of<Arch>(
        "USETSHMSZ 0x3980\n"
        "IADD3 R5, R5, 0x1, RZ\n"
        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R2+URZ+0x80], RZ\n"
        "@UP0 USETSHMSZ 0x100\n"
        "MOV R7, R8\n"
        "USETSHMSZ.FLUSH\n"
        "EXIT\n");
    for (unsigned round = 0; round < 2; ++round) {  // from nothing, and from words that are known
      scoreboard::assign_control<Arch>(p, ws);
      for (const std::uint32_t k : {0u, 3u}) {
        REQUIRE(word(p, k).sets_write());
        CHECK_FALSE(word(p, k).sets_read());
        CHECK(word(p, k + 1).wait_mask == 0);
      }
      CHECK((word(p, 2).wait_mask >> word(p, 0).write_barrier & 1u) != 0);
      CHECK((word(p, 5).wait_mask >> word(p, 3).write_barrier & 1u) != 0);
      CHECK_FALSE(word(p, 5).sets_write());
      CHECK_FALSE(word(p, 5).sets_read());
      CHECK(first_finding<Arch>(p).empty());
    }
    program q = program_of<Arch>("USETSHMSZ 0x3980\nMOV R7, R8\nEXIT\n");
    scoreboard::assign_control<Arch>(q, ws);
    REQUIRE(word(q, 0).sets_write());
    CHECK((word(q, 2).wait_mask >> word(q, 0).write_barrier & 1u) != 0);
    CHECK(q.instructions[0].has(iflag::fence));
    CHECK(q.instructions[0].has(iflag::side_effect));
    CHECK_FALSE(q.instructions[0].has(iflag::unknown));
    scoreboard::assign_o0<Arch>(q);
    CHECK(first_finding<Arch>(q).empty());
  };
  look.operator()<sm90>();
  look.operator()<sm90a>();
  look.operator()<sm100>();
  look.operator()<sm120>();
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

TEST_CASE("SB-7 surfaces: from sm_100 on a handle in a uniform register is free when the surface instruction has read it") {
  const auto look = []<class Arch>(bool late) {
    for (const char* first :
         {"SULD.D.BA.2D.128.STRONG.SM R8, [R4], UR8\n", "SUST.D.BA.2D.64.STRONG.SM.IGN [R4], R6, UR8\n"}) {
      program p = program_of<Arch>(std::string(first) + "UMOV UR8, UR4\nMOV R20, UR8\nEXIT\n");
      scoreboard::workspace ws;
      scoreboard::assign_control<Arch>(p, ws);
      INFO(Arch::name << ' ' << first);
      const control& surface = word(p, 0);
      CHECK((surface.sets_read() && (word(p, 1).wait_mask >> surface.read_barrier & 1u) != 0) == late);
      CHECK(first_finding<Arch>(p).empty());
      p.instructions[1].ctl.wait_mask = 0;
      CHECK(first_finding<Arch>(p).empty() == !late);
    }
  };
  look.operator()<sm90>(false);
  look.operator()<sm100>(true);
  look.operator()<sm103>(true);
  look.operator()<sm120>(true);
}

TEST_CASE("SB-6 atomics on shared memory: their result is waited for before a load replaces it") {
  program p = program_of<sm89>("ATOMS.ADD R4, [R2], R3\nLDS R4, [R5]\nFADD R6, R4, R4\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm89>(p, ws);
  REQUIRE(word(p, 0).sets_write());
  CHECK((word(p, 1).wait_mask >> word(p, 0).write_barrier & 1u) != 0);
  CHECK(first_finding<sm89>(p).empty());
}

TEST_CASE("SB-7 ARRIVES: what arrives on a barrier object counts nothing, whether words are known or not") {
  program p = program_of<sm80>(
      "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]\n"
      "LDGDEPBAR\n"
      "ARRIVES.LDGSTSBAR.64.TRANSCNT [R8]\n"
      "DEPBAR.LE SB0, 0x0\n"
      "EXIT\n");
  scoreboard::workspace ws;
  for (int round = 0; round < 2; ++round) {  // the second one has the words of the first
    scoreboard::assign_control<sm80>(p, ws);
    CHECK(word(p, 1).sets_write());
    CHECK_FALSE(word(p, 2).sets_write());
    CHECK(first_finding<sm80>(p).empty());
  }
}
