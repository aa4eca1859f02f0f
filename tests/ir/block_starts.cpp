// SPDX-License-Identifier: BSL-1.0
#include <warpwright/ir/block_starts.hpp>

#include "../support/program_of.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/pipeline/scheduler.hpp"

TEST_CASE("block starts: a branch goes to what stands first in its block after a run") {
  ww::program p = ww_test::program_of<ww::sm90>(
      "MOV R0, R1\n"
      "loop:\n"
      "FADD R8, R0, R0\n"  // waits for nothing and is wanted late
      "LDG.E R4, desc[UR4][R2.64]\n"
      "FADD R5, R4, R4\n"
      "FADD R6, R5, R8\n"
      "ISETP.GT.AND P0, PT, R6, RZ, PT\n"
      "@P0 BRA `(loop)\n"
      "EXIT\n");
  const ww::instr_id target = p.instructions[6].target;
  REQUIRE(target == ww::instr_id{1});
  CHECK(ww::block_starts(p)(target) == target);

  REQUIRE(ww::scheduler<ww::sm90>{}.run(p, {.warps = 1}).proved);
  const ww::block& loop = p.blocks[1];
  REQUIRE(p.order[loop.first] != target);  // the load goes first now
  CHECK(p.instructions[6].target == target);
  const ww::block_starts starts(p);
  CHECK(starts(target) == p.order[loop.first]);
  CHECK(starts(ww::instr_id{0}) == ww::instr_id{0});
  CHECK(starts(ww::instr_id{}) == ww::instr_id{});
  CHECK(starts(ww::instr_id{99}) == ww::instr_id{99});
}
