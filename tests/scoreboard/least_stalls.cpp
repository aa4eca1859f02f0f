// SPDX-License-Identifier: BSL-1.0
//
// Stalls that an opcode asks for by itself, whoever comes behind it: what compiled code keeps is kept in new words.
#include "support.hpp"

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;
using ww_test::word;

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
  // from a number or another one, which it clears: 4 in 2,040 of 2,040 on sm_87, which sm_86 serves
  CHECK(own_stall<sm86>("BMOV.32 B0, 0xffffffff") == 4);
  CHECK(own_stall<sm86>("BMOV.32.CLEAR B1, B0") == 4);
  CHECK(own_stall<sm86>("@P0 BMOV.32.CLEAR B1, B0") == 4);
  CHECK(own_stall<sm89>("BMOV.32 B0, 0xffffffff") == 4);
  CHECK(own_stall<sm86>("BMOV.32 B0, R2") == 1);
  CHECK(own_stall<sm86>("@P0 BMOV.32 B0, R2") == 1);
  CHECK(own_stall<sm86>("BMOV.32 B0, MACTIVE") == 1);
  CHECK(own_stall<sm80>("BMOV.32.CLEAR B1, B0") == 1);
  // collectives: 5 in 17 of 17, their ends in 9 of 9 on sm_100 and later, 1 in 8 of 8 on sm_90
  CHECK(own_stall<sm90>("WARPSYNC.COLLECTIVE R2, `(L)") == 5);
  CHECK(own_stall<sm120>("WARPSYNC.COLLECTIVE R2, `(L)") == 5);
  CHECK(own_stall<sm90>("ENDCOLLECTIVE") == 1);
  CHECK(own_stall<sm100>("ENDCOLLECTIVE") == 5);
  CHECK(own_stall<sm120>("ENDCOLLECTIVE") == 5);
  // halves to singles: from sm_90 on the pace of the FMA pipe, else 1, and 2 to the next of them
  CHECK(own_stall<sm86>("HADD2.F32 R2, -RZ, R3.H0_H0") == 1);
  CHECK(own_stall<sm90>("HADD2.F32 R2, -RZ, R3.H0_H0") == 2);
  CHECK(own_stall<sm90a>("HADD2.F32 R2, -RZ, R3.H0_H0") == 2);
  program halves = program_of<sm90>(
      "HADD2.F32 R2, -RZ, R3.H0_H0\nHADD2.F32 R4, -RZ, R3.H1_H1\nFMNMX R6, R7, R8, PT\n"
      "STG.E desc[UR4][R10.64], R2\nSTG.E desc[UR4][R10.64], R4\nSTG.E desc[UR4][R10.64], R6\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(halves, ws);
  CHECK(word(halves, 0).stall == 2);
  CHECK(word(halves, 1).stall == 1);
  // packed comparisons: 1 in 604 of 1,039 on sm_90, where others of the ALU are 2 behind them
  CHECK(own_stall<sm90>("HSETP2.GT.AND P0, PT, R2, R3, PT") == 1);
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
    CHECK(cycles_to<sm107>(with("USYNCS.EXCH.64 URZ, [UR9], UR4"), 1) == 12);
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

TEST_CASE("SB-6 pace: half precision keeps the pace of the pipes that it shares") {
  const auto stalls = []<class Arch>(meta::type_identity<Arch>, const char* text) {
    program p = program_of<Arch>(text);
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(first_finding<Arch>(p).empty());
    std::vector<unsigned> s;
    for (std::uint32_t k = 0; k + 1 < p.instructions.size(); ++k) s.push_back(word(p, k).stall);
    s.pop_back();  // of the one in front of EXIT
    return s;
  };
  using list = std::vector<unsigned>;
  const char* const half =
      "HFMA2 R4, R0, R1, R2\nFADD R5, R0, R1\nHADD2 R6, R0, R1\nIMAD R7, R0, R1, R2\nHMUL2 R8, R0, R1\nNOP\nEXIT\n";
  const char* const to_float =
      "HADD2.F32 R4, -RZ, R0.H0_H0\nIMAD R5, R0, R1, R2\nHADD2.F32 R6, -RZ, R1.H0_H0\nFADD R7, R0, R1\nHADD2.F32 R8, -RZ, "
      "R2.H0_H0\n"
      "HADD2 R9, R0, R1\nNOP\nEXIT\n";
  const char* const compared =
      "HMNMX2 R4, R0, R1, PT\nIADD3 R5, R0, R1, R2\nHSET2.GT.AND R6, R0, R1, PT\nFADD R7, R0, R1\nHMNMX2 R8, R1, R2, PT\n"
      "HFMA2 R9, R0, R1, R2\nNOP\nEXIT\n";
  const auto all = [&]<class Arch>(meta::type_identity<Arch> t, const list& a, const list& b, const list& c) {
    INFO(Arch::name);
    CHECK(stalls(t, half) == a);
    CHECK(stalls(t, to_float) == b);
    CHECK(stalls(t, compared) == c);
  };
  const list a[] = {{1, 1, 1, 1, 1}, {2, 1, 2, 2, 1}};
  const list b[] = {{1, 1, 1, 1, 2, 1}, {2, 2, 1, 1, 1, 1}, {2, 2, 2, 1, 2, 1}};
  const list c[] = {{1, 1, 1, 1, 2, 1}, {2, 2, 1, 1, 1, 1}};
  all(meta::type_identity<sm75>{}, a[0], b[0], c[0]);
  all(meta::type_identity<sm80>{}, a[0], b[0], c[0]);
  all(meta::type_identity<sm86>{}, a[0], b[1], c[1]);
  all(meta::type_identity<sm89>{}, a[0], b[1], c[1]);
  all(meta::type_identity<sm90>{}, a[1], b[2], c[1]);
  all(meta::type_identity<sm90a>{}, a[1], b[2], c[1]);
  all(meta::type_identity<sm100>{}, a[1], b[2], c[1]);
  all(meta::type_identity<sm103>{}, a[1], b[2], c[1]);
  all(meta::type_identity<sm110>{}, a[1], b[2], c[1]);
  all(meta::type_identity<sm120>{}, a[1], b[2], c[1]);
}
