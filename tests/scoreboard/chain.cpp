// SPDX-License-Identifier: BSL-1.0
//
// The encoder chain of SB-4 where instructions ask for more than their class: own stalls, what lands first, counters that
// DEPBAR names, words without a wait mask. The reference words stand in compiled code (special.hpp names the sources).
#include "support.hpp"

#include <warpwright/scoreboard/fields/chain.hpp>

using namespace ww;
using namespace ww::scoreboard;

namespace {

template <class Arch>
program chained(const std::string& text) {
  program p = ww_test::program_of<Arch>(text);
  encoder_chain<Arch> chain;
  chain.run(p);
  CHECK(ww_test::first_finding<Arch>(p) == "");
  return p;
}

}  // namespace

TEST_CASE("SB-4 chain: the stall of a form is kept where it is more than that of its class") {
  CHECK(chained<sm90>("BAR.ARV 0x1, 0x80\nIADD3 R5, R4, R4, RZ\nEXIT\n").instructions[0].ctl.stall == 6);
  CHECK(chained<sm90>("RPCMOV.32 Rpc.LO, R2\nIADD3 R5, R4, R4, RZ\nEXIT\n").instructions[0].ctl.stall == 6);
  CHECK(chained<sm80>("MOV R3, R5\nWARPSYNC R4\nIADD3 R5, R4, R4, RZ\nEXIT\n").instructions[1].ctl.stall == 4);
  const program q = chained<sm80>("IADD3 R5, R4, R4, RZ\nBMOV.32.PQUAD MACTIVE, R5\nIADD3 R5, R4, R4, RZ\nEXIT\n");
  CHECK(q.instructions[0].ctl.stall == 7);  // everything fixed has landed
  CHECK(q.instructions[1].ctl.stall == 2);
  const program m = chained<sm80>("S2R R4, SR_TID.X\nBMOV MACTIVE, B0\nIADD3 R5, R6, R6, RZ\nEXIT\n");
  CHECK(m.instructions[0].ctl.stall == 6);  // six in front of it
}

TEST_CASE("SB-4 chain: what is not arithmetic keeps away from a barrier, however many stand in between") {
  const program p = chained<sm90>("BAR.SYNC.DEFER_BLOCKING 0x0\nIADD3 R6, R7, R8, RZ\nLDS R5, [R4]\nEXIT\n");
  const auto cycles = [&p](unsigned n) { return unsigned{p.instructions[n].ctl.stall}; };
  CHECK(cycles(0) < 6);
  CHECK(cycles(0) + cycles(1) == 6);
  const program q = chained<sm90>("UCGABAR_ARV\nLDS R5, [R4]\nEXIT\n");
  CHECK(q.instructions[0].ctl.stall < 6);
}

TEST_CASE("SB-4 chain: a change of the warp's registers is kept away from, waited for and drained") {
  const program p = chained<sm90>("IADD3 R5, R4, R4, RZ\nUSETMAXREG.DEALLOC.CTAPOOL 0x18\nIADD3 R5, R4, R4, RZ\nEXIT\n");
  CHECK(p.instructions[0].ctl.stall == 8);
  CHECK(p.instructions[1].ctl.drains());
  REQUIRE(p.instructions[1].ctl.sets_write());
  CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[1].ctl.write_barrier);
}

TEST_CASE("SB-4 chain: fixed results have landed before a call where the page says so") {
  const std::string text = "ISETP.GT.AND P0, PT, R2, R3, PT\nBSYNC B0\nEXIT\n";
  const program p = chained<sm90>(text);
  const program q = chained<sm75>(text);
  CHECK(chain_timing<sm90>::lands_all(p.instructions[1]) == lands_before<sm90::pipes>(p.instructions[1]));
  CHECK(lands_before<sm90::pipes>(p.instructions[1]) != (p.instructions[0].ctl.stall < 12));
  CHECK(lands_before<sm75::pipes>(q.instructions[1]) != (q.instructions[0].ctl.stall < 12));
  CHECK(p.instructions[0].ctl.stall != q.instructions[0].ctl.stall);
}

TEST_CASE("SB-4 chain: an error barrier drains, and so does an opcode that is not known") {
  CHECK(chained<sm90>("ERRBAR\nIADD3 R5, R4, R4, RZ\nEXIT\n").instructions[0].ctl.drains());
  program p = ww_test::program_of<sm90>("IADD3 R5, R4, R4, RZ\nNOP\nIADD3 R6, R4, R4, RZ\nEXIT\n");
  p.instructions[1].add(iflag::unknown);
  encoder_chain<sm90> chain;
  chain.run(p);
  CHECK(p.instructions[0].ctl.stall >= 6);  // nothing fixed is on its way
  CHECK(p.instructions[1].ctl.drains());
}

TEST_CASE("SB-4 chain: WARPGROUP.DEPBAR has no wait mask, whoever comes behind it waits") {
  const program p = chained<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "WARPGROUP.DEPBAR.LE gsb0, 0x0\n"
      "next:\n"
      "IADD3 R5, R4, R4, RZ\n"
      "@P0 BRA `(next)\n"
      "EXIT\n");
  CHECK(p.instructions[1].ctl.wait_mask == 0);
  CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[0].ctl.write_barrier);
  const program first = chained<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "@P1 BRA `(next)\n"
      "LDG.E R6, desc[UR4][R2.64]\n"
      "next:\n"
      "WARPGROUP.DEPBAR.LE gsb0, 0x0\n"
      "IADD3 R5, R6, R4, RZ\n"
      "EXIT\n");
  CHECK(first.instructions[3].ctl.wait_mask == 0);
  CHECK((first.instructions[4].ctl.wait_mask >> first.instructions[2].ctl.write_barrier & 1u) == 1);
  const program alone = chained<sm90>(
      "@P1 BRA `(next)\n"
      "LDG.E R4, desc[UR4][R2.64]\n"
      "next:\n"
      "WARPGROUP.DEPBAR.LE gsb0, 0x0\n"
      "last:\n"
      "IADD3 R5, R4, R4, RZ\n"
      "@P0 BRA `(last)\n"
      "EXIT\n");
  CHECK(alone.instructions[2].ctl.wait_mask == 0);
  CHECK(alone.instructions[3].ctl.wait_mask == 1u << alone.instructions[1].ctl.write_barrier);
  CHECK(chained<sm90>("WARPGROUP.ARRIVE\nIADD3 R5, R4, R4, RZ\nWARPGROUP.DEPBAR.LE gsb0, 0x0\nIADD3 R5, R4, R4, RZ\nEXIT\n")
            .instructions[2]
            .ctl.stall == 2);
}

TEST_CASE("SB-4 chain: what a fence asks of the next instruction passes over WARPGROUP.DEPBAR") {
  const program p = chained<sm90>("MEMBAR.ALL.CTA\nWARPGROUP.DEPBAR.LE gsb0, 0x0\nIADD3 R5, R4, R4, RZ\nEXIT\n");
  REQUIRE(p.instructions[0].ctl.sets_read());
  CHECK(p.instructions[1].ctl.wait_mask == 0);
  CHECK(p.instructions[2].ctl.wait_mask == 1u << p.instructions[0].ctl.read_barrier);
}

TEST_CASE("SB-4 chain: a load takes no counter that DEPBAR names, unless it names all") {
  std::string some = "LDG.E R4, desc[UR4][R2.64]\nLDG.E R6, desc[UR4][R2.64]\nIADD3 R5, R4, R6, RZ\n";
  std::string all = some + "DEPBAR.LE SB0, 0x0\n";
  for (int k = 1; k < 6; ++k) some += "DEPBAR.LE SB" + std::to_string(k) + ", 0x0\n";
  for (int k = 1; k < 6; ++k) all += "DEPBAR.LE SB" + std::to_string(k) + ", 0x0\n";
  const program five = chained<sm90>(some + "EXIT\n");
  CHECK(five.instructions[0].ctl.write_barrier == 0);
  CHECK(five.instructions[1].ctl.write_barrier == 0);
  const program six = chained<sm90>(all + "EXIT\n");
  CHECK(six.instructions[0].ctl.sets_write());
  CHECK(six.instructions[1].ctl.sets_write());
}

TEST_CASE("SB-4 chain: a counter raised just before is seen by the instruction that takes it over") {
  std::string text;
  for (int k = 1; k < 6; ++k) text += "DEPBAR.LE SB" + std::to_string(k) + ", 0x0\n";
  const program p = chained<sm90>(text + "LDG.E R4, desc[UR4][R2.64]\nLDG.E R6, desc[UR4][R2.64]\nEXIT\n");
  CHECK(p.instructions[6].ctl.wait_mask == 1);
  CHECK(p.instructions[5].ctl.stall == 2);
}
