// SPDX-License-Identifier: BSL-1.0
//
// A result that compilers left behind, and an order that puts it right behind a reader of its register: the same program, and
// `check` would call the two exchanged. What comes out has to pass `check` all the same.
#include "examples/warpwright/unsuspected.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

#include "../support/catch.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/scoreboard/assign.hpp"

namespace {

using arch = ww::sm80;

// P0 = .. stands between the reader of R0 and the LOP3 that writes R0 for nobody.
ww::program left_over() {
  ww::isa::builder b(ww::dialect_of(arch::id));
  for (const char* text :
       {"MOV R1, c[0x0][0x28]", "MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]", "ULDC.64 UR4, c[0x0][0x118]",
        "LDG.E R8, [R2.64]", "FADD R0, R8, 1", "MUFU.RCP R6, R0", "ISETP.NE.AND P0, PT, R8, RZ, PT",
        "LOP3.LUT R0, R8, 0xff, RZ, 0xc0, !PT", "@P0 STG.E [R2.64], R6", "EXIT"}) {
    b.text(text);
  }
  REQUIRE(b.ok());
  ww::program p = b.finish();
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

constexpr unsigned made = 5, reader = 6, between = 7, late = 8;  // in the order that came

void words(ww::program& p) {
  ww::scoreboard::workspace space;
  ww::scoreboard::assign_control<arch>(p, space);
}

void order(ww::program& p, std::initializer_list<unsigned> middle) {
  std::size_t at = made;
  for (const unsigned k : middle) p.order[at++] = ww::instr_id{k};
  words(p);
}

std::size_t exchanged(const ww::program& p) {
  std::size_t n = 0;
  for (const ww::verify::finding& f : ww::verify::check<arch>(p).findings) {
    n += f.level == ww::verify::severity::finding && f.kind == ww::verify::finding_kind::exchanged_pair ? 1u : 0u;
  }
  return n;
}

std::vector<unsigned> middle_of(const ww::program& p) {
  std::vector<unsigned> out;
  for (std::size_t at = made; at <= late; ++at) out.push_back(p.order[at].index());
  return out;
}

ww::schedule_result result_for(const ww::program& came, const ww::program& p) {
  ww::model::workspace space;
  ww::schedule_result r;
  r.warps = 1;
  r.proved = true;
  r.cycles_before = ww::model::simulate<arch>(came, {.warps = 1}, space).cycles + 20;  // what came may have been slower
  r.cycles_after = r.bound = ww::model::simulate<arch>(p, {.warps = 1}, space).cycles;
  return r;
}

}  // namespace

TEST_CASE("command line: what looks exchanged in an order made here moves apart") {
  ww::program came = left_over();
  order(came, {made, reader, between, late});
  REQUIRE(exchanged(came) == 0);
  ww::program p = came;
  order(p, {made, between, reader, late});
  REQUIRE(exchanged(p) == 1);
  ww::schedule_result r = result_for(came, p);
  SECTION("by one place, where that is the same program") {
    cli::unsuspected<arch>(came, p, r).run(words);
    CHECK(middle_of(p) == std::vector<unsigned>{made, reader, between, late});
    CHECK_FALSE(r.kept_all);
    CHECK(r.kept_blocks == 0);
  }
  SECTION("the block gets its order back where nothing can move") {
    order(p, {between, made, reader, late});
    REQUIRE(exchanged(p) == 1);
    cli::unsuspected<arch>(came, p, r).run(words);
    CHECK(middle_of(p) == std::vector<unsigned>{made, reader, between, late});
    CHECK_FALSE(r.kept_all);
    CHECK(r.kept_blocks == 1);
  }
  SECTION(
      "the program does where it has been changed beyond its order, where that is kept, or where the words would be dearer "
      "than before") {
    const int why = GENERATE(0, 1, 2);
    const bool changed = why == 0;
    const bool keeps_order = why == 1;  // nor may an instruction move
    r.blocks = 3;
    r.hazards_before = 2;
    if (changed) {
      r.changes = 1;
    } else if (!keeps_order) {
      r.cycles_before = 1;
    }
    cli::unsuspected<arch>(came, p, r, keeps_order).run(words);
    CHECK(r.kept_all);
    CHECK(r.changes == 0);
    CHECK(r.kept_blocks == 3);
    CHECK(r.hazards_after == 2);
    CHECK(r.cycles_after == r.cycles_before);
  }
  for (std::size_t k = 0; k < came.order.size(); ++k) {
    CHECK(p.order[k] == came.order[k]);
    CHECK(p.instructions[k].ctl == came.instructions[k].ctl);
  }
  CHECK(exchanged(p) == 0);
  CHECK(ww::verify::check<arch>(p).clean());
  ww::vec<ww::verify::order_difference> found;
  ww::verify::compare_orders(came, p, found);
  CHECK(found.empty());
}

TEST_CASE("command line: nothing moves that looked exchanged before") {
  ww::program came = left_over();
  order(came, {made, between, reader, late});
  REQUIRE(exchanged(came) == 1);
  ww::program p = came;
  ww::schedule_result r = result_for(came, p);
  cli::unsuspected<arch>(came, p, r).run(words);
  CHECK(middle_of(p) == std::vector<unsigned>{made, between, reader, late});
  CHECK_FALSE(r.kept_all);
}

TEST_CASE("command line: a result that is not proved, or that nothing was gained by, is left alone") {
  ww::program came = left_over();
  order(came, {made, reader, between, late});
  ww::program p = came;
  order(p, {made, between, reader, late});
  ww::schedule_result r = result_for(came, p);
  const bool kept = GENERATE(true, false);
  (kept ? r.kept_all : r.proved) = kept;
  cli::unsuspected<arch>(came, p, r).run(words);
  CHECK(middle_of(p) == std::vector<unsigned>{made, between, reader, late});
}
