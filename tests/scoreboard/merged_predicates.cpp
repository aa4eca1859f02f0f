// SPDX-License-Identifier: BSL-1.0
//
// A predicate written under a guard and read without one: on sm_70 to sm_89 it comes as late as to a guard.
#include <string>

#include "support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

// Cycles from the first instruction to the second, in new words; and whether one less is found.
template <class Arch>
unsigned kept(const std::string& writer, const std::string& reader) {
  program p =
      program_of<Arch>("ISETP.NE.AND P2, PT, R8, RZ, PT\n" + std::string(40, '\n') + writer + "\n" + reader + "\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  CHECK(ww_test::first_finding<Arch>(p).empty());
  const unsigned cycles = p.instructions[1].ctl.stall;
  --p.instructions[1].ctl.stall;
  p.instructions[1].ctl.yield = false;
  CHECK((cycles <= 1 || cycles > 12 || !ww_test::first_finding<Arch>(p).empty()));
  return cycles;
}

}  // namespace

TEST_CASE("SB-3 predicates: written under a guard, read without one") {
  const std::string under = "@!P2 PLOP3.LUT P0, PT, P0, P1, PT, 0x80, 0x8";
  const std::string plain = "PLOP3.LUT P0, PT, P0, P1, PT, 0x80, 0x8";
  const std::string reader = "P2R R39, PR, RZ, 0x1";
  CHECK(kept<sm75>(under, reader) == 12);
  CHECK(kept<sm80>(under, reader) == 13);
  CHECK(kept<sm86>(under, reader) == 13);
  CHECK(kept<sm89>("@P2 FSETP.GT.AND P0, PT, R4, R5, PT", "SEL R3, R4, R5, P0") == 13);
  CHECK(kept<sm80>("@P2 ISETP.GT.AND P0, PT, R4, R5, PT", "SEL R3, R4, R5, P0") == 13);
  // Without a guard, under the same one, or from sm_90 on it comes as data does.
  CHECK(kept<sm80>(plain, reader) < 8);
  CHECK(kept<sm80>(under, "@!P2 SEL R3, R4, R5, P0") < 8);
  CHECK(kept<sm90>(under, reader) < 8);
}
