// SPDX-License-Identifier: BSL-1.0
//
// The lower bound of programs that are long in one way or the other.
#include <warpwright/model/bound.hpp>

#include <string>

#include "scoreboard/support.hpp"

using namespace ww;
using ww_test::program_of;

TEST_CASE("model bound: a block owes nothing to a longer one in front of it") {
  // The first block takes more cycles than any result may lie ahead; the second reads what it wrote last.
  std::string text;
  for (unsigned i = 0; i < 30'000; ++i) text += "FADD R0, R0, R1\n";
  const std::string second = "@P0 BRA `(.L_1)\nFADD R2, R0, R0\nFADD R3, R2, R2\n.L_1:\nEXIT\n";
  const program alone = program_of<sm90>("FADD R0, R0, R1\n" + second);
  const program behind = program_of<sm90>(text + second);
  model::workspace ws;
  const model::bound_result few = model::lower_bound<sm90>(alone, {.warps = 1}, ws);
  REQUIRE(few.blocks.size() == 3);
  const double want = few.blocks[1];
  const model::bound_result many = model::lower_bound<sm90>(behind, {.warps = 1}, ws);
  REQUIRE(many.blocks.size() == 3);
  CHECK(many.blocks[0] > 100'000);
  CHECK(many.blocks[1] == ww_test::Approx(want));
}

TEST_CASE("model bound: every one of very many equal blocks has the same") {
  constexpr unsigned blocks = 25'000;
  std::string text;
  for (unsigned i = 0; i < blocks; ++i) {
    text += "MUFU.RCP R4, R5\nFADD R2, R4, R0\nFADD R3, R2, R2\n@P0 BRA `(.L_end)\n";
  }
  const program p = program_of<sm90>(text + ".L_end:\nEXIT\n");
  model::workspace ws;
  const model::bound_result r = model::lower_bound<sm90>(p, {.warps = 1}, ws);
  REQUIRE(r.blocks.size() == blocks + 1);
  unsigned other = 0;
  for (unsigned b = 1; b < blocks; ++b) other += r.blocks[b] == r.blocks[1] ? 0u : 1u;
  CHECK(other == 0);
  CHECK(r.blocks[1] > 10);
}
