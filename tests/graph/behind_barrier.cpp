// SPDX-License-Identifier: BSL-1.0
//
// B2R takes what the barrier in front of it has found: nothing comes between the two.
#include <string>

#include "../support/catch.hpp"
#include "warpwright/tools.hpp"

using namespace ww;

namespace {

constexpr const char* text =
    "LDS R4, [R2]\n"
    "LDG.E R5, desc[UR4][R6.64]\n"
    "ISETP.NE.AND P0, PT, R8, RZ, PT\n"
    "BAR.RED.AND.DEFER_BLOCKING 0x0, P0\n"
    "B2R.RESULT RZ, P1\n"
    "LDS R9, [R2+0x40]\n"
    "FADD R10, R4, R5\n"
    "SEL R11, R10, R9, P1\n"
    "STG.E desc[UR4][R6.64], R11\n"
    "EXIT\n";

template <class Arch>
program built() {
  isa::builder b(dialect_of(Arch::id));
  b.lines(text);
  program p = b.finish();
  REQUIRE(b.ok());
  p.sm = Arch::id;
  REQUIRE(build_cfg(p).ok);
  return p;
}

template <class Scheduler, class Arch>
void stays() {
  program p = built<Arch>();
  (void)Scheduler{}.run(p);
  for (std::size_t k = 0; k + 1 < p.order.size(); ++k) {
    if (p[p.order[k]].op == opcode::bar) CHECK(p[p.order[k + 1]].op == opcode::b2r);
  }
}

}  // namespace

TEST_CASE("graph: B2R stays behind its barrier") {
  stays<scheduler<sm90>, sm90>();
  stays<scheduler<sm120>, sm120>();
  stays<scheduler<sm90, priority::packed>, sm90>();
  stays<scheduler<sm100, strategy::unified>, sm100>();
}

TEST_CASE("verify: an order that moves an access between a barrier and B2R is not the same") {
  const program before = built<sm90>();
  program after = before;
  REQUIRE(after.order.size() == 10);
  const instr_id b2r = after.order[4];
  after.order[4] = after.order[5];
  after.order[5] = b2r;
  vec<verify::order_difference> found;
  verify::same_order(before, before, found);
  CHECK(found.empty());
  verify::same_order(before, after, found);
  CHECK_FALSE(found.empty());
}
