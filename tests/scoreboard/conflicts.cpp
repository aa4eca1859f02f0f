// SPDX-License-Identifier: BSL-1.0
//
// Conflict avoidance as a policy: who takes a counter waits for every pending one that has a register of its own.
#include <cstdint>
#include <string>

#include "support.hpp"
#include "warpwright/warpwright.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

template <class Policy>
program words(const std::string& text) {
  program p = program_of<sm90>(text);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90, Policy>(p, ws);
  CHECK(ww_test::first_finding<sm90>(p).empty());
  return p;
}

const control& word(const program& p, std::size_t at) { return p[p.order[at]].ctl; }

// A store reads its address late, and R2 is written behind it; the load from shared memory takes R3 too.
const std::string same_address =
    "STG.E desc[UR4][R2.64], R8\n"
    "LDS R6, [R3+0x10]\n"
    "LDG.E R7, desc[UR4][R10.64]\n"
    "MOV R2, RZ\n"
    "FADD R9, R6, R7\n"
    "STG.E desc[UR4][R12.64], R9\n"
    "EXIT\n";

}  // namespace

TEST_CASE("SB-2 conflicts: two sources in one register make the later producer wait") {
  const program plain = words<barriers::share>(same_address);
  REQUIRE(word(plain, 0).sets_read());
  CHECK(word(plain, 1).wait_mask == 0);
  const program careful = words<barriers::avoid_conflicts<>>(same_address);
  REQUIRE(word(careful, 0).sets_read());
  CHECK(word(careful, 1).wait_mask == 1u << word(careful, 0).read_barrier);
  CHECK(word(careful, 0).stall >= sm90::barriers::set_to_wait);
  CHECK(word(careful, 2).wait_mask == 0);  // no register of its own there
  const program evicting = words<barriers::avoid_conflicts<barriers::evict_oldest>>(same_address);
  CHECK(word(evicting, 1).wait_mask == 1u << word(evicting, 0).read_barrier);
}

TEST_CASE("SB-2 conflicts: a counter that was waited for is in nobody's way") {
  // The MOV has waited, and MUFU has taken the counter anew: the load takes another one, and need not wait for the store again.
  const program waited = words<barriers::avoid_conflicts<>>(
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R8, RZ\n"
      "MUFU.RCP R20, R21\n"
      "LDS R6, [R3]\n"
      "FADD R9, R6, R6\n"
      "FADD R22, R20, R9\n"
      "STG.E desc[UR4][R12.64], R22\n"
      "EXIT\n");
  CHECK(word(waited, 1).wait_mask == 1u << word(waited, 0).read_barrier);
  REQUIRE(word(waited, 2).write_barrier == word(waited, 0).read_barrier);
  REQUIRE(word(waited, 3).write_barrier != word(waited, 2).write_barrier);
  CHECK(word(waited, 3).wait_mask == 0);
  // Without the wait in between it would have to, and a load of other registers never.
  const program apart = words<barriers::avoid_conflicts<>>(
      "STG.E desc[UR4][R2.64], R8\n"
      "LDS R6, [R30]\n"
      "MUFU.RCP R20, R21\n"
      "FADD R9, R6, R6\n"
      "MOV R2, R9\n"
      "FADD R22, R20, R2\n"
      "STG.E desc[UR4][R12.64], R22\n"
      "EXIT\n");
  REQUIRE(word(apart, 1).write_barrier != word(apart, 0).read_barrier);
  REQUIRE(word(apart, 2).write_barrier != word(apart, 1).write_barrier);
  CHECK(word(apart, 1).wait_mask == 0);
  CHECK(word(apart, 2).wait_mask == 0);
}

TEST_CASE("SB-2 conflicts: a composed scheduler asks the policy") {
  program p = program_of<sm90>(same_address);
  (void)scheduler<sm90, strategy::keep, barriers::avoid_conflicts<>>{}.run(p);
  CHECK(ww_test::first_finding<sm90>(p).empty());
  CHECK(word(p, 1).wait_mask != 0);
}
