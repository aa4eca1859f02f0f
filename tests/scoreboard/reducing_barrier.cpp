// SPDX-License-Identifier: BSL-1.0
//
// BAR.RED stands behind the reads of earlier stores where its words say that it does not defer, on sm_80 to sm_89.
#include <cstdint>
#include <string>

#include "support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

// The second word of BAR.RED.OR 0x0, P0 as compilers write it, without and with .DEFER_BLOCKING.
constexpr std::uint64_t at_once = 0x000fec0000004800u, deferred = 0x000fec0000014800u;

template <class Arch>
std::string found(std::uint64_t high) {
  program p = program_of<Arch>(
      "STG.E desc[UR4][R2.64], R8\n"
      "BAR.RED.OR 0x0, P0\n"
      "IMAD R2, R9, R9, RZ\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  p.instructions[0].ctl.read_barrier = control::no_barrier;
  for (instruction& i : p.instructions) i.ctl.wait_mask = 0;
  p.instructions[1].word[0] = 0x7b1d;
  p.instructions[1].word[1] = high;
  return ww_test::first_finding<Arch>(p).substr(0, 11);
}

}  // namespace

TEST_CASE("verify: BAR.RED without .DEFER_BLOCKING has waited for the reads of stores") {
  CHECK(found<sm80>(at_once).empty());
  CHECK(found<sm86>(at_once).empty());
  CHECK(found<sm80>(deferred) == "war_counter");
  CHECK(found<sm90>(deferred) == "war_counter");
  CHECK(found<sm75>(deferred).empty());  // all barriers do there
}
