// SPDX-License-Identifier: BSL-1.0
//
// What code of strangers found: branches of which nobody knows where they go, labels that nothing names, relocated opcodes,
// masks of predicates, programs that never were compiled.
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/ir/unknown_targets.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/region_scheduler.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/region/all.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

ww::program program_of(const char* lines, ww::sm_id sm = ww::sm80::id) {
  ww::isa::builder b(ww::dialect_of(sm));
  b.lines(lines);
  REQUIRE(b.ok());
  ww::program p = b.finish();
  p.sm = sm;
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

constexpr const char* head =
    "\t.target\tsm_80\n"
    "\t.section\t.text.k,\"ax\",@progbits\n"
    "k:\n"
    ".text.k:\n";
std::string line(unsigned at, const std::string& body, const char* low, const char* high) {
  char text[64];
  std::snprintf(text, sizeof text, "        /*%04x*/                   ", at);
  return text + body + " /* 0x" + low + " */\n" + std::string(60, ' ') + "/* 0x" + high + " */\n";
}

}  // namespace

TEST_CASE("an indirect branch without a table: nothing moves and no word is made anew") {
  const std::string path = ww_test::corpus::bundled("cli") + "/switch.sm80.cuobjdump.txt";
  ww::sass::listing_result r = ww::sass::read_listing(ww_test::corpus::text(path), {});
  REQUIRE(r);
  ww::program& p = r.mod.sections.front();
  REQUIRE(ww::build_cfg(p).ok);
  REQUIRE(ww::has_unknown_targets(p));
  const ww::program before = p;
  const ww::schedule_result done = ww::scheduler<ww::sm80>{}.run(p);
  CHECK(done.unknown_targets);
  CHECK(done.kept_all);
  CHECK(std::equal(p.order.begin(), p.order.end(), before.order.begin()));
  bool same = true;
  for (std::size_t i = 0; i < p.instructions.size(); ++i) same = same && p.instructions[i].ctl == before.instructions[i].ctl;
  CHECK(same);
  // nor by a strategy that works on regions
  for (const bool prefetch : {false, true}) {
    const ww::schedule_result kept = prefetch ? ww::scheduler<ww::sm80, ww::strategy::prefetch<>>{}.run(p)
                                              : ww::scheduler<ww::sm80, ww::strategy::global_motion<>>{}.run(p);
    CHECK(kept.unknown_targets);
    CHECK(std::equal(p.order.begin(), p.order.end(), before.order.begin()));
    CHECK(p.instructions.size() == before.instructions.size());
  }
  // with its table it is like any other
  ww::program known = program_of("MOV R2, 0x1\nEXIT\n");
  CHECK_FALSE(ww::has_unknown_targets(known));
}

TEST_CASE("a label that nothing names starts a block, a relocated opcode is read") {
  const std::string text =
      head + line(0, "MOV R2, R3 ;", "0000000300027202", "000fe20000000f00") + ".L_x_unnamed:\n" +
      line(16, "YIELD     (*\"RELOCATOR OPCODE,YIELD,280\"*);", "0000000000007946", "000fe20003800000") +
      line(32, "EXIT ;", "000000000000794d", "000fea0003800000") + ".L_x_0:\n" +
      line(48, "BRA `(.L_x_0);", "fffffff000007947", "000fc0000383ffff");
  ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww::sm80::id, .file = "k.sass"});
  INFO(r.err.message());
  REQUIRE(r);
  ww::program& p = r.mod.sections.front();
  REQUIRE(ww::build_cfg(p).ok);
  REQUIRE(p.blocks.size() >= 2);
  CHECK(p.blocks[0].count == 1);
  CHECK(p.instructions[1].op == ww::opcode::yield);
}

TEST_CASE("UP2UR reads the predicates of its mask") {
  const ww::program p = program_of("UP2UR UR4, UPR, URZ, 0x6\nEXIT\n");
  unsigned read = 0;
  for (const ww::operand o : p.operands_of(p.order[0])) {
    if (o.is_use() && o.file() == ww::reg_file::up) read |= 1u << o.base().number();
  }
  CHECK(read == 6u);
}

TEST_CASE("lints about compiled code do not decide about a program that never was compiled") {
  std::string lines;
  for (unsigned i = 0; i < 40; ++i) {
    const std::string r = std::to_string(16 + 4 * i);
    lines += "LDG.E R" + r + ", [R2.64+" + std::to_string(16 * i) + "]\nFADD R" + std::to_string(17 + 4 * i) + ", R" + r +
             ", R" + std::to_string(i % 8 + 8) + "\n";
  }
  ww::program p = program_of((lines + "EXIT\n").c_str());
  const ww::schedule_result r = ww::scheduler<ww::sm80>{}.run(p, {.warps = 1});
  CHECK(r.hazards_before == 0);
  CHECK(r.hazards_after == 0);
  CHECK(r.cycles_after < 0.7 * r.cycles_before);
}

TEST_CASE("readers that are over are forgotten, the one that is not is found") {
  std::string lines;
  for (unsigned i = 0; i < 3000; ++i) {
    const std::string r = std::to_string(16 + 4 * (i % 40));
    lines += "LDG.E R" + r + ", [R2.64+" + std::to_string(16 * (i % 1000)) + "]\nFADD R" + r + ", R" + r + ", R8\n";
  }
  lines += "STG.E [R2.64], R16\nMOV R2, R9\nEXIT\n";
  ww::program p = program_of(lines.c_str());
  ww::scoreboard::workspace ws;
  ww::scoreboard::assign_control<ww::sm80>(p, ws);
  CHECK(ww::verify::check<ww::sm80>(p, {.lints = false}).errors() == 0);
  ww::instruction& over = p[p.order[6001]];
  REQUIRE(over.op == ww::opcode::mov);
  REQUIRE(over.ctl.wait_mask != 0);
  over.ctl.wait_mask = 0;
  const ww::verify::report planted = ww::verify::check<ww::sm80>(p, {.lints = false});
  REQUIRE(planted.errors() == 1);
  for (const ww::verify::finding& f : planted.findings) CHECK(f.kind == ww::verify::finding_kind::war_counter);
}
