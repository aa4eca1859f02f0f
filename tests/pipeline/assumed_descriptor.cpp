// SPDX-License-Identifier: BSL-1.0
//
// Code of sm_80 to sm_89 without words: accesses whose text does not print the uniform pair that they read.
#include <cstddef>
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

using namespace ww;

program scheduled(const std::string& lines) {
  isa::builder b(dialect_of(sm80::id));
  b.lines(lines);
  REQUIRE(b.ok());
  program p = b.finish();
  REQUIRE(b.ok());
  CHECK(scheduler<sm80>{}.run(p, {.warps = 1}).proved);
  return p;
}

std::size_t place(const program& p, unsigned index) {
  for (std::size_t k = 0; k < p.order.size(); ++k) {
    if (p.order[k] == instr_id{index}) return k;
  }
  return p.order.size();
}

std::string with(const std::string& before, const std::string& descriptor) {
  return before + "LDG.E R4, " + descriptor + "[R2.64]\nLDG.E R6, " + descriptor +
         "[R2.64+0x4]\nFMUL R5, R4, R6\nFMUL R5, R5, R5\nSTG.E " + descriptor + "[R2.64], R5\nEXIT\n";
}

}  // namespace

TEST_CASE("assumed descriptor: no access goes above what writes the pair, nor comes too soon behind it") {
  const std::string head = "ULDC.64 UR4, c[0x0][0x118]\n";
  const program named = scheduled(with(head, "desc[UR4]"));
  const program p = scheduled(with(head, ""));
  CHECK(place(p, 0) < place(p, 1));
  CHECK(place(p, 0) < place(p, 2));
  for (std::size_t k = 0; k < p.order.size(); ++k) {
    CHECK(p.order[k] == named.order[k]);
    CHECK(p[p.order[k]].ctl == named[named.order[k]].ctl);
  }
  // nor is it written anew while an access may read it
  const program later = scheduled(with(head, "") + with("UMOV UR4, UR8\n", ""));
  CHECK(place(later, 0) == 0);
}

TEST_CASE("assumed descriptor: what is written between two accesses stays between them") {
  const program p = scheduled(
      "LDG.E R4, [R2.64]\nULDC.64 UR4, c[0x0][0x118]\nLDG.E R6, [R8.64]\nFADD R4, R4, R6\n"
      "UMOV UR4, UR6\nSTG.E [R2.64], R4\nEXIT\n");
  for (unsigned k : {0u, 1u, 2u, 4u, 5u}) {
    for (unsigned later : {1u, 2u, 4u, 5u}) {
      if (k < later) CHECK(place(p, k) < place(p, later));
    }
  }
}

TEST_CASE("assumed descriptor: listings without hex are scheduled with it") {
  const std::string bare = ww_test::corpus::text(ww_test::corpus::bundled("listings/formats/saxpy.sm80.c.txt"));
  sass::listing_result r = sass::read_listing(bare, {sm80::id, ""});
  REQUIRE(r);
  for (program& p : r.mod.sections) {
    REQUIRE(build_cfg(p).ok);
    CHECK(scheduler<sm80>{}.run(p, {.warps = 1}).proved);
    std::size_t written = p.order.size();
    bool seen = false;
    for (std::size_t k = 0; k < p.order.size(); ++k) {
      const instruction& i = p[p.order[k]];
      if (i.op == opcode::uldc) written = k;
      if (i.op != opcode::ldg && i.op != opcode::stg) continue;
      seen = true;
      CHECK(written < k);
      for (const operand& o : p.operands_of(i)) {
        if (o.where() == slot::desc) CHECK((o.base() == UR(4) && o.width() == 2 && o.is_assumed()));
      }
    }
    CHECK(seen);
  }
}

TEST_CASE("assumed descriptor: nobody alleges that it is read without having been written") {
  isa::builder b(dialect_of(sm80::id));
  b.lines("LDG.E R4, [R2.64]\nUMOV UR6, 0x1\nFADD R5, R4, R4\nIADD3 R5, R5, UR6, RZ\nSTG.E [R2.64], R5\nEXIT\n");
  program p = b.finish();
  REQUIRE(build_cfg(p).ok);
  verify::options o;
  o.dependences = false;
  o.encoding = false;
  o.notes = true;
  unsigned general = 0;
  for (const verify::finding& f : verify::check<sm80>(p, o).findings) {
    if (f.kind != verify::finding_kind::undefined_read) continue;
    CHECK(f.target.file() != reg_file::ur);
    ++general;
  }
  CHECK(general != 0);  // R2
}
