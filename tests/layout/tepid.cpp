// SPDX-License-Identifier: BSL-1.0
//
// HC-5: the epilogue test, the report of the tepid mode with every formula worked out by hand, its numbers from small blocks and
// from real kernels, and the overlap that follows from them.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "../schedule/test_arch.hpp"
#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90a.hpp"
#include "warpwright/layout/tepid_counts.hpp"
#include "warpwright/layout/tepid_plan.hpp"
#include "warpwright/layout/tepid_report.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/schedule/timing.hpp"
#include "warpwright/schedule/workspace.hpp"

namespace {

namespace lay = ww::layout;
namespace corpus = ww_test::corpus;
using lay::tepid_gap;
using lay::tepid_metric;
using lay::tepid_path;
using ww_test::Approx;
using ww_test::program_of;
using ww_test::tiny_arch;

constexpr lay::tepid_mode on{.on = true};
constexpr lay::tepid_mode off{};

lay::tepid_block budgets(std::uint32_t wait, std::uint32_t tepid, std::uint8_t marks = 0) {
  lay::tepid_block b;
  b.marks = marks;
  b.wait_budget = wait;
  b.tepid_budget = tepid;
  return b;
}
// Ten of math, two cycles each; in turns also two each, and four until the last result.
lay::tepid_block math_block() {
  lay::tepid_block b = budgets(100, 50);
  b.math = 10;
  b.math_cycles = 2;
  b.next_cycles = 2;
  b.last_cycles = 4;
  return b;
}
std::string text_of(const lay::tepid_report& r, unsigned verbosity) {
  std::string all;
  lay::write_lines(r, verbosity, [&](std::string_view line) { all += line; });
  return all;
}

ww::sass::listing_result read(const std::string& name, ww::sm_id sm) {
  const std::string path = corpus::bundled(name);
  ww::sass::listing_result r = ww::sass::read_listing(corpus::text(path), {.sm = sm, .file = path});
  REQUIRE(r);
  for (ww::program& p : r.mod.sections) REQUIRE(ww::build_cfg(p).ok);
  return r;
}

std::vector<std::uint32_t> epilogues(const ww::program& p) {
  ww::vec<std::uint8_t> marks;
  ww::vec<std::uint32_t> stack;
  marks.assign(p.blocks.size(), 0);
  lay::mark_epilogues(p, marks, stack);
  std::vector<std::uint32_t> found;
  for (std::uint32_t b = 0; b < marks.size(); ++b) {
    CHECK((marks[b] & ~lay::epilogue_mark) == 0);
    if (marks[b] != 0) found.push_back(b);
  }
  return found;
}
using blocks = std::vector<std::uint32_t>;

lay::tepid_node walk(std::string_view text) {
  const ww::program p = program_of<ww::sm80>(text);
  lay::tepid_workspace ws;
  return lay::walk_tepid<tiny_arch>(p, ww::block_id{0}, ws);
}
bool math(std::string_view text) {
  const ww::program p = program_of<ww::sm80>(std::string(text) + "\nEXIT");
  return lay::is_math(p.instructions[0], p.operands_of(p.instructions[0]));
}
bool copy(std::string_view text) {
  const ww::program p = program_of<ww::sm80>(std::string(text) + "\nEXIT");
  return lay::is_copy(p.instructions[0]);
}

}  // namespace

TEST_CASE("HC-5 epilogue: a mark or knob 490 makes one, while the mode is on") {
  static_assert(lay::epilogue_mark == 0x10 && lay::dma_mark == 0x08);
  CHECK(lay::is_epilogue(0x10, 0, true));
  CHECK(lay::is_epilogue(0xff, 0, true));
  CHECK(lay::is_epilogue(0, 0x10, true));
  CHECK(lay::is_epilogue(0, 0x730, true));
  CHECK_FALSE(lay::is_epilogue(0, 0, true));
  CHECK_FALSE(lay::is_epilogue(0xef, 0xffffffef, true));
  CHECK_FALSE(lay::is_epilogue(0x10, 0x10, false));
}

TEST_CASE("HC-5 epilogue: blocks behind a loop that store results are marked") {
  const std::string_view loop =
      "STG.E [R2.64], R4\n.L:\nSTG.E [R2.64], R4\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(.L)\n";
  const auto behind = [&](std::string_view store) {
    return epilogues(program_of<ww::sm80>(std::string(loop) + std::string(store) + "\nEXIT"));
  };
  CHECK(behind("STG.E [R2.64], R4") == blocks{2});
  CHECK(behind("ST.E [R2.64], R4") == blocks{2});
  CHECK(behind("RED.E.ADD.STRONG.GPU [R2.64], R4") == blocks{2});
  CHECK(behind("@P1 BRA `(.E)\nMOV R4, R5\n.E:\nSTG.E [R2.64], R4") == blocks{4});
  CHECK(behind("STS [R2], R4").empty());
  CHECK(behind("STL [R1], R4").empty());
  CHECK(behind("LDG.E R4, [R2.64]").empty());
  CHECK(behind("FADD R4, R4, R4").empty());
  // Of the bulk operations those out of shared memory.
  ww::instruction bulk;
  for (const ww::opcode op : {ww::opcode::utmastg, ww::opcode::utmaredg, ww::opcode::ublkred}) {
    bulk.op = op;
    CHECK(lay::stores_result(bulk));
  }
  bulk.op = ww::opcode::utmaldg;
  CHECK_FALSE(lay::stores_result(bulk));
  // A callee is not behind the loop of its caller; what the call comes back to is.
  CHECK(epilogues(program_of<ww::sm80>(
            ".kernel k\n.L:\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(.L)\nCALL.REL.NOINC `(f)\n"
            "STG.E [R2.64], R4\nEXIT\n.function f\nSTG.E [R2.64], R5\nRET.REL.NODEC R20 `(k)")) == blocks{2});
  // Other marks stay, and an array of another length is left alone.
  const ww::program p = program_of<ww::sm80>(std::string(loop) + "STG.E [R2.64], R4\nEXIT");
  ww::vec<std::uint8_t> marks;
  ww::vec<std::uint32_t> stack;
  marks.assign(p.blocks.size(), lay::dma_mark);
  lay::mark_epilogues(p, marks, stack);
  CHECK(marks[0] == 0x08);
  CHECK(marks[2] == 0x18);
  marks.assign(1, 0);
  lay::mark_epilogues(p, marks, stack);
  CHECK(marks[0] == 0);
  marks.assign(p.blocks.size() + 1, 0);
  lay::mark_epilogues(p, marks, stack);
  CHECK(marks[2] == 0);
}

TEST_CASE("HC-5 report: a baseline block says how busy math is, and becomes the reference") {
  lay::tepid_reporter<> reporter(on);
  CHECK_FALSE(reporter.has_reference());
  const lay::tepid_report r = reporter.report(math_block());
  CHECK(r.path == tepid_path::baseline);
  CHECK(r.wait.metric == tepid_metric::mac_util);
  CHECK(r.wait.value == 20.0);  // 10 * 2 * 100 / 100
  CHECK(r.tepid.metric == tepid_metric::tepid_mac_util);
  CHECK(r.tepid.value == 44.0);  // (9 * 2 + 4) * 100 / 50
  CHECK(reporter.has_reference());
  CHECK(reporter.wait_reference() == 100);
  CHECK(reporter.tepid_reference_budget() == 50);
  // Without math nothing is said, but it is a reference all the same.
  const lay::tepid_report none = reporter.report(budgets(30, 20));
  CHECK(none.path == tepid_path::baseline);
  CHECK(none.wait.gap == tepid_gap::no_math);
  CHECK(none.tepid.gap == tepid_gap::no_math);
  CHECK(none.wait.value == 0);
  CHECK(text_of(none, 3).empty());
  CHECK(reporter.wait_reference() == 30);
  CHECK(reporter.tepid_reference_budget() == 20);
  // Nothing to divide by.
  lay::tepid_block empty = math_block();
  empty.wait_budget = 0;
  const lay::tepid_report half = reporter.report(empty);
  CHECK(half.wait.gap == tepid_gap::no_divisor);
  CHECK(half.tepid.value == 44.0);
  CHECK(text_of(half, 3) == "TepidMacUtil: 44.00\n");
}

TEST_CASE("HC-5 report: a block of copies is measured against the reference") {
  lay::tepid_reporter<> reporter(on);
  const lay::tepid_report before = reporter.report(budgets(40, 16, lay::dma_mark));
  CHECK(before.path == tepid_path::dma);
  CHECK(before.wait.gap == tepid_gap::no_reference);
  CHECK(before.tepid.gap == tepid_gap::no_reference);
  CHECK(text_of(before, 3).empty());
  CHECK_FALSE(reporter.has_reference());
  reporter.report(math_block());
  const lay::tepid_report r = reporter.report(budgets(40, 16, lay::dma_mark));
  CHECK(r.wait.metric == tepid_metric::math_to_dma_wait_ratio);
  CHECK(r.wait.value == 2.5);  // 100 / 40
  CHECK(r.tepid.metric == tepid_metric::math_to_dma_tepid_ratio);
  CHECK(r.tepid.value == 3.125);  // 50 / 16
  CHECK(reporter.wait_reference() == 100);
  // The mark of a copy goes before that of an epilogue.
  CHECK(reporter.report(budgets(40, 16, lay::dma_mark | lay::epilogue_mark)).path == tepid_path::dma);
  CHECK(reporter.report(budgets(0, 16, lay::dma_mark)).wait.gap == tepid_gap::no_divisor);
  CHECK(reporter.report(budgets(40, 0, lay::dma_mark)).tepid.gap == tepid_gap::no_divisor);
  // Single precision: a third is not that of double precision, and 2^24 + 1 is 2^24.
  reporter.report(budgets(1, 16777216));
  const lay::tepid_report third = reporter.report(budgets(3, 16777217, lay::dma_mark));
  CHECK(third.wait.value == double{1.0F / 3.0F});
  CHECK(third.wait.value != 1.0 / 3.0);
  CHECK(third.tepid.value == 1.0);
  lay::tepid_block many = math_block();
  many.math = 16777216;
  many.math_cycles = 1;
  many.wait_budget = 16777217;
  CHECK(reporter.report(many).wait.value == 100.0);
}

TEST_CASE("HC-5 report: the budgets of an epilogue are divided by knob 294, as integers") {
  lay::tepid_reporter<> thirds({.on = true, .forced = 0, .epilogue_count = 3});
  thirds.report(math_block());
  const lay::tepid_report r = thirds.report(budgets(100, 50, lay::epilogue_mark));
  CHECK(r.path == tepid_path::epilogue);
  CHECK(r.wait.metric == tepid_metric::math_to_epilogue_wait_ratio);
  CHECK(r.wait.value == double{100.0F / 33.0F});  // 100 / 3 is 33
  CHECK(r.tepid.metric == tepid_metric::math_to_epilogue_tepid_ratio);
  CHECK(r.tepid.value == 3.125);  // 50 / 3 is 16
  CHECK(thirds.wait_reference() == 100);
  const lay::tepid_report small = thirds.report(budgets(2, 3, lay::epilogue_mark));
  CHECK(small.wait.gap == tepid_gap::no_divisor);  // 2 / 3 is 0
  CHECK(small.tepid.value == 50.0);
  // By the knob of the block or of all blocks.
  lay::tepid_block b = budgets(100, 50);
  b.forced = 0x10;
  CHECK(thirds.report(b).path == tepid_path::epilogue);
  b.forced = 0x08;
  CHECK(thirds.report(b).path == tepid_path::baseline);
  lay::tepid_reporter<> all({.on = true, .forced = 0x10, .epilogue_count = 1});
  CHECK(all.report(math_block()).path == tepid_path::epilogue);
  CHECK(all.report(math_block()).wait.gap == tepid_gap::no_reference);
  CHECK(all.report(budgets(1, 1, lay::dma_mark)).path == tepid_path::dma);
  // N of 0 divides nothing.
  lay::tepid_reporter<> zero({.on = true, .forced = 0, .epilogue_count = 0});
  zero.report(math_block());
  const lay::tepid_report n = zero.report(budgets(100, 50, lay::epilogue_mark));
  CHECK(n.wait.gap == tepid_gap::no_divisor);
  CHECK(n.tepid.gap == tepid_gap::no_divisor);
  CHECK(text_of(n, 3).empty());
  // Whole budgets by default.
  lay::tepid_reporter<> whole(on);
  whole.report(math_block());
  CHECK(whole.report(budgets(50, 100, lay::epilogue_mark)).wait.value == 2.0);
}

TEST_CASE("HC-5 report: with the mode off two lines for any block, and no reference") {
  lay::tepid_reporter<> reporter(off);
  for (const unsigned marks : {0x00u, 0x08u, 0x10u, 0x18u}) {
    lay::tepid_block b = math_block();
    b.marks = static_cast<std::uint8_t>(marks);
    b.forced = 0x10;
    const lay::tepid_report r = reporter.report(b);
    CHECK(r.path == tepid_path::brief);
    CHECK(r.wait.metric == tepid_metric::mac_util);
    CHECK(r.wait.value == 20.0);
    CHECK(r.tepid.metric == tepid_metric::tepid_mac_util);
    CHECK(r.tepid.value == 44.0);
    CHECK(text_of(r, 3) == "MacUtil: 20.00\nTepidMacUtil: 44.00\n");
    CHECK(text_of(r, 2) == "TepidMacUtil: 44.00\n");
    CHECK(text_of(r, 0).empty());
  }
  CHECK(reporter.report(budgets(9, 9)).wait.gap == tepid_gap::no_math);
  CHECK_FALSE(reporter.has_reference());
}

TEST_CASE("HC-5 report: what each verbosity shows") {
  lay::tepid_reporter<> reporter(on);
  const std::string_view first[] = {"MacUtil: 20.00\n", "MathToDmaWaitRatio: 2.50\n", "MathToEpilogueWaitRatio: 4.00\n"};
  const std::string_view second[] = {"TepidMacUtil: 44.00\n", "MathToDmaTepidRatio: 3.13\n",
                                     "MathToEpilogueTepidRatio: 0.01\n"};
  const lay::tepid_report reports[] = {reporter.report(math_block()), reporter.report(budgets(40, 16, lay::dma_mark)),
                                       reporter.report(budgets(25, 5000, lay::epilogue_mark))};
  for (unsigned k = 0; k < 3; ++k) {
    CHECK(text_of(reports[k], 0).empty());
    CHECK(text_of(reports[k], 1) == second[k]);
    CHECK(text_of(reports[k], 2) == second[k]);
    CHECK(text_of(reports[k], 3) == std::string(first[k]) + std::string(second[k]));
    CHECK(text_of(reports[k], 4) == text_of(reports[k], 3));
  }
}

TEST_CASE("HC-5 report: numbers as text") {
  const auto text = [](double value) {
    lay::tepid_line l;
    l.metric = tepid_metric::mac_util;
    l.value = value;
    return std::string(std::string_view(lay::tepid_text(l).view()));
  };
  CHECK(text(0) == "MacUtil: 0.00\n");
  CHECK(text(0.004) == "MacUtil: 0.00\n");
  CHECK(text(0.006) == "MacUtil: 0.01\n");
  CHECK(text(0.5) == "MacUtil: 0.50\n");
  CHECK(text(9.999) == "MacUtil: 10.00\n");
  CHECK(text(1234567.25) == "MacUtil: 1234567.25\n");
  CHECK(text(1e30) == "MacUtil: 1000000000000000.00\n");
  lay::tepid_line longest;
  longest.metric = tepid_metric::math_to_epilogue_tepid_ratio;
  longest.value = 1e30;
  CHECK(lay::tepid_text(longest).size <= lay::tepid_text::most);
  for (unsigned m = 0; m < static_cast<unsigned>(tepid_metric::count); ++m) {
    CHECK_FALSE(lay::name_of(static_cast<tepid_metric>(m)).empty());
  }
  CHECK(lay::name_of(tepid_metric::count).empty());
}

TEST_CASE("HC-5 report: which baseline block is the reference") {
  const auto reference = [](auto reporter) {
    reporter.report(budgets(7, 5));
    reporter.report(math_block());
    reporter.report(budgets(3, 2));
    return reporter.wait_reference();
  };
  CHECK(reference(lay::tepid_reporter<>(on)) == 3);
  CHECK(reference(lay::tepid_reporter<lay::tepid_reference::first>(on)) == 7);
  CHECK(reference(lay::tepid_reporter<lay::tepid_reference::math>(on)) == 100);
  lay::tepid_reporter<lay::tepid_reference::math> none(on);
  none.report(budgets(7, 5));
  CHECK_FALSE(none.has_reference());
}

TEST_CASE("HC-5 node: what has not been seen is later than everything") {
  lay::tepid_node n;
  CHECK(n.soonest_math == 0x7fffffff);
  CHECK(n.soonest_copy == 0x7fffffff);
  CHECK((n.math | n.copies | n.math_interval | n.last_math | n.issued | n.waited) == 0);
  n.note_copy(8);
  CHECK_FALSE(n.has_math());
  CHECK(n.has_copy());
  n.note_math(5, 2, 4);
  n.note_math(3, 1, 6);
  n.note_copy(9);
  n.note_math(0xffffffffu, 1, 7);
  CHECK(n.soonest_math == 3);
  CHECK(n.soonest_copy == 8);
  CHECK(n.math == 3);
  CHECK(n.math_interval == 4);
  CHECK(n.last_math == 7);
  CHECK(n.copies == 2);
}

TEST_CASE("HC-5 numbers: what is math, and what is a copy") {
  for (const char* t :
       {"FFMA R4, R5, R6, R7", "FFMA R4, R5, 2, R7", "DFMA R4, R6, R8, R10", "HFMA2 R4, R5, R6, R7",
        "HFMA2.MMA R4, R5, R6, R7", "IDP.4A.S8.S8 R4, R5, R6, R7", "IMAD R4, R5, R6, R4", "HMMA.16816.F32 R4, R8, R12, R4",
        "HMMA.16816.F32 R4, R8, R12, RZ", "IMMA.16832.S8.S8 R4, R8, R12, R4"}) {
    INFO(t);
    CHECK(math(t));
  }
  for (const char* t : {"FADD R4, R5, R6", "FMUL R4, R5, R6", "IMAD.MOV.U32 R4, RZ, RZ, R5", "IMAD.SHL.U32 R4, R5, 0x4, RZ",
                        "IMAD R4, R5, R6, R7", "IMAD R4, R5, c[0x0][0x164], R4", "IMAD R4, R5, 0x10, R4",
                        "IMAD.WIDE R4, R6, R7, c[0x0][0x160]", "HFMA2.MMA R4, -RZ, RZ, 0, 2.384185791015625e-07",
                        "FFMA R4, R5, R6, RZ", "IADD3 R4, R5, R6, R7", "LDG.E R4, [R2.64]"}) {
    INFO(t);
    CHECK_FALSE(math(t));
  }
  for (const char* t : {"LDGSTS.E [R4], [R2.64]", "LDG.E R4, [R2.64]", "LD.E R4, [R2.64]"}) {
    INFO(t);
    CHECK(copy(t));
  }
  for (const char* t : {"LDS R4, [R2]", "STS [R2], R4", "STG.E [R2.64], R4", "LDL R4, [R1]",
                        "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R5", "LDC R4, c[0x0][R2]"}) {
    INFO(t);
    CHECK_FALSE(copy(t));
  }
  ww::instruction bulk;
  for (const ww::opcode op : {ww::opcode::utmaldg, ww::opcode::ublkcp}) {
    bulk.op = op;
    CHECK(lay::is_copy(bulk));
  }
  bulk.op = ww::opcode::utmastg;
  CHECK_FALSE(lay::is_copy(bulk));
}

// The small architecture of the engine tests: loads from global memory 200 cycles and 4 apart, FMA to FMA 4 cycles, to others 5,
// late reads 10.
TEST_CASE("HC-5 numbers: small blocks by hand") {
  // Waiting: 0, 4, 200, 204, 205, 206. Covered: 0, 4, 5, 6, 9, 10.
  const lay::tepid_node a =
      walk("LDG.E R4, [R2.64]\nLDG.E R5, [R2.64+0x4]\nFFMA R6, R4, R7, R6\nFFMA R8, R5, R7, R8\nFFMA R9, R6, R7, R9\nEXIT");
  CHECK(a.waited == 207);
  CHECK(a.issued == 11);
  CHECK(a.math == 3);
  CHECK(a.copies == 2);
  CHECK(a.soonest_math == 200);
  CHECK(a.soonest_copy == 0);
  CHECK(a.math_interval == 3);
  CHECK(a.last_math == 4);
  const lay::tepid_block k = lay::tepid_numbers(a, 0);
  CHECK(k.marks == 0);  // it has math
  CHECK(k.math == 3);
  CHECK(k.math_cycles == 1);
  CHECK(k.next_cycles == 1);
  CHECK(k.last_cycles == 4);
  CHECK(k.wait_budget == 207);
  CHECK(k.tepid_budget == 11);
  // A load and its store to shared memory: waiting 0, 200, 201; covered 0, 1, 2.
  const lay::tepid_node b = walk("LDG.E R4, [R2.64]\nSTS [R0], R4\nEXIT");
  CHECK(b.waited == 202);
  CHECK(b.issued == 3);
  CHECK(lay::tepid_numbers(b, lay::epilogue_mark).marks == 0x18);
  CHECK(lay::tepid_numbers(b, 0).math_cycles == 0);
  // The last result counts where nobody reads it: of a load 200 cycles, of a copy 30.
  CHECK(walk("LDG.E R4, [R2.64]\nEXIT").waited == 200);
  CHECK(walk("LDG.E R4, [R2.64]\nEXIT").issued == 2);
  CHECK(walk("LDGSTS.E [R4], [R2.64]\nEXIT").waited == 30);
  CHECK(walk("STG.E [R2.64], R4\nEXIT").waited == 2);
  // A late read: waiting 0, 10, 11; covered 0, 1, 2.
  const lay::tepid_node late = walk("STG.E [R2.64], R4\nIADD3 R4, R5, R6, RZ\nEXIT");
  CHECK(late.waited == 12);
  CHECK(late.issued == 3);
  // Fixed latencies stay in both: FMA to ALU 5.
  const lay::tepid_node fixed = walk("FFMA R4, R5, R6, R4\nIADD3 R7, R4, R6, RZ\nEXIT");
  CHECK(fixed.waited == 7);
  CHECK(fixed.issued == 7);
  // Cycles of a math instruction are an average, rounded up.
  lay::tepid_node mixed;
  mixed.note_math(0, 1, 4);
  mixed.note_math(1, 1, 4);
  mixed.note_math(2, 2, 4);
  CHECK(lay::tepid_numbers(mixed, 0).math_cycles == 2);
  // No block, no instructions.
  ww::program none;
  lay::tepid_workspace ws;
  CHECK(lay::walk_tepid<tiny_arch>(none, ww::block_id{}, ws) == lay::tepid_node{});
  CHECK(lay::walk_tepid<tiny_arch>(none, ww::block_id{7}, ws) == lay::tepid_node{});
  lay::report_tepid<tiny_arch>(none, on, ws, [](auto...) { FAIL("no block"); });
}

TEST_CASE("HC-5 real code: the report of a matrix multiplication") {
  ww::sass::listing_result r = read("listings/sgemm_tiled.sm80.sass", ww::sm80::id);
  const ww::program& p = r.mod.sections[0];
  lay::tepid_workspace ws;
  std::string all;
  std::vector<lay::tepid_block> numbers;
  lay::report_tepid<ww::sm80, lay::tepid_reference::math>(
      p, on, ws, [&](ww::block_id b, const lay::tepid_block& k, const lay::tepid_report& rep) {
        numbers.push_back(k);
        all += 'b' + std::to_string(b.index()) + ":\n" + text_of(rep, 3);
      });
  REQUIRE(numbers.size() == 5);
  // Block 2 is the loop: 16 FFMA, each two cycles of the pipe, the last one 4 to its result. Its LDG stand beside math.
  CHECK(numbers[2].math == 16);
  CHECK(numbers[2].math_cycles == 2);
  CHECK(numbers[2].last_cycles == 4);
  CHECK(numbers[2].marks == 0);
  // Block 4 stores: HFMA2.MMA at 0, IMAD 1, IMAD.WIDE 10 behind the first at 10, STG 5 behind that at 15, EXIT 16.
  CHECK(numbers[4].marks == lay::epilogue_mark);
  CHECK(numbers[4].wait_budget == 17);
  CHECK(numbers[4].tepid_budget == 17);
  CHECK(numbers[4].math == 0);
  // 16 * 2 * 100 / 174, (15 * 2 + 4) * 100 / 149, 174 / 17, 149 / 17.
  CHECK(numbers[2].wait_budget == 174);
  CHECK(numbers[2].tepid_budget == 149);
  CHECK(all ==
        "b0:\nb1:\nb2:\nMacUtil: 18.39\nTepidMacUtil: 22.82\nb3:\nb4:\nMathToEpilogueWaitRatio: 10.24\n"
        "MathToEpilogueTepidRatio: 8.76\n");
  std::printf("%s", all.c_str());
  // As in the text: block 3, an EXIT of one cycle, becomes the reference.
  std::string latest;
  lay::report_tepid<ww::sm80>(p, on, ws, [&](ww::block_id, const lay::tepid_block&, const lay::tepid_report& rep) {
    if (rep.path == tepid_path::epilogue) latest += text_of(rep, 3);
  });
  CHECK(latest == "MathToEpilogueWaitRatio: 0.06\nMathToEpilogueTepidRatio: 0.06\n");
}

TEST_CASE("HC-5 real code: all three paths in one kernel") {
  ww::sass::listing_result r = read("listings/wgmma_gemm.sm90a.sass", ww::sm90a::id);
  const ww::program& p = r.mod.sections[0];
  lay::tepid_workspace ws;
  unsigned paths[4] = {};
  unsigned matrix = 0;
  lay::tepid_block reference;
  lay::report_tepid<ww::sm90a>(p, on, ws, [&](ww::block_id b, const lay::tepid_block& k, const lay::tepid_report& rep) {
    ++paths[static_cast<unsigned>(rep.path)];
    for (const ww::instr_id i : p.order_of(p[b])) {
      if (p[i].op != ww::opcode::hgmma) continue;
      ++matrix;
      CHECK(k.math == 4);
      CHECK(k.math_cycles == 16);
      CHECK(rep.wait.value == Approx(4 * 16 * 100.0 / k.wait_budget));
      CHECK(rep.tepid.value == Approx((3 * 16 + 16) * 100.0 / k.tepid_budget));
    }
    if (rep.path == tepid_path::baseline) reference = k;
    if (rep.path == tepid_path::dma) {
      CHECK(k.math == 0);
      CHECK(rep.wait.value == Approx(static_cast<double>(reference.wait_budget) / k.wait_budget));
      CHECK(rep.tepid.value == Approx(static_cast<double>(reference.tepid_budget) / k.tepid_budget));
    }
    if (rep.path == tepid_path::epilogue) {
      CHECK(p[b].loop_depth == 0);
      CHECK(rep.wait.metric == tepid_metric::math_to_epilogue_wait_ratio);
    }
  });
  CHECK(matrix == 4);
  CHECK(paths[static_cast<unsigned>(tepid_path::dma)] == 4);
  CHECK(paths[static_cast<unsigned>(tepid_path::epilogue)] == 1);
  CHECK(paths[static_cast<unsigned>(tepid_path::baseline)] == 18);
  CHECK(paths[static_cast<unsigned>(tepid_path::brief)] == 0);
}

TEST_CASE("HC-5 real code: every listing is reported, and the walk agrees with the engine's clock") {
  unsigned programs = 0;
  unsigned three = 0;
  unsigned paths[4] = {};
  lay::tepid_workspace ws;
  ww::schedule_space engine;
  for (const std::string& path : corpus::listings()) {
    if (corpus::sm_of(path) != ww::sm80::id) continue;
    INFO(path);
    ww::sass::listing_result r = ww::sass::read_listing(corpus::text(path), {.sm = ww::sm80::id, .file = path});
    if (!r) continue;
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      ++programs;
      unsigned own[4] = {};
      lay::report_tepid<ww::sm80>(p, on, ws, [&](ww::block_id b, const lay::tepid_block& k, const lay::tepid_report& rep) {
        ++own[static_cast<unsigned>(rep.path)];
        const ww::span<const ww::instr_id> order = p.order_of(p[b]);
        ww::build_graph<ww::sm80>(p, order, engine.graph, engine.graph_space);
        ww::detail::fill_nodes<ww::sm80>(p, order, engine);
        const std::uint64_t end = ww::detail::cycles_of_source_order(engine);
        REQUIRE(k.wait_budget >= end);
        REQUIRE(k.wait_budget <= end + 300);  // no estimate of a result is longer
        REQUIRE(k.tepid_budget <= end);
        REQUIRE(k.tepid_budget >= order.size());
      });
      for (unsigned i = 0; i < 4; ++i) paths[i] += own[i];
      three += own[0] != 0 && own[1] != 0 && own[2] != 0 ? 1u : 0u;
    }
  }
  std::printf("tepid: %u programs of sm_80, all three paths in %u; blocks: %u dma, %u epilogue, %u baseline\n", programs,
              three, paths[0], paths[1], paths[2]);
  CHECK(programs > 10);
  CHECK(three >= 3);
}

TEST_CASE("HC-5 plan: hot covers all, cold the least, tepid what its ratios allow") {
  using plan = lay::tepid_plan<>;
  using heat = lay::block_heat;
  lay::tepid_reporter<> reporter(on);
  reporter.report(math_block());
  const auto share = [&](std::uint32_t wait, std::uint32_t tepid) {
    const lay::tepid_block b = budgets(wait, tepid, lay::dma_mark);
    return plan::plan(heat::tepid, b, reporter.report(b), on);
  };
  CHECK(share(200, 50) == lay::overlap{0.5, 100});   // 100 / 200 is the smaller one
  CHECK(share(100, 200) == lay::overlap{0.25, 25});  // 50 / 200 is
  CHECK(share(50, 25) == lay::overlap{1.0, 50});     // more math than waiting
  CHECK(share(0, 25) == lay::overlap{0.0, 0});
  double last = 1.0;
  for (std::uint32_t wait = 1; wait < 2000; wait += 7) {
    const double now = share(wait, 1).share;
    REQUIRE(now <= last);
    REQUIRE(now >= 0);
    last = now;
  }
  CHECK(last < 0.1);
  const lay::tepid_block b = budgets(200, 50, lay::dma_mark);
  const lay::tepid_report r = reporter.report(b);
  CHECK(plan::plan(heat::hot, b, r, on) == lay::overlap{1.0, 200});
  CHECK(plan::plan(heat::cold, b, r, on) == lay::overlap{0.0, 0});
  using quarter = lay::tepid_plan<25>;
  CHECK(quarter::plan(heat::cold, b, r, on) == lay::overlap{0.25, 50});
  CHECK(quarter::plan(heat::tepid, b, r, on) == lay::overlap{0.5, 100});
  const lay::tepid_block slow = budgets(2000, 5000, lay::dma_mark);
  CHECK(quarter::plan(heat::tepid, slow, reporter.report(slow), on) == lay::overlap{0.25, 500});
  // Without a reference as cold.
  lay::tepid_reporter<> fresh(on);
  CHECK(quarter::plan(heat::tepid, b, fresh.report(b), on) == lay::overlap{0.25, 50});
  // An epilogue has a part of its budget: 200 / 4 is 50, 100 / 50 covers all of it.
  const lay::tepid_mode fourths{.on = true, .forced = 0, .epilogue_count = 4};
  lay::tepid_reporter<> tails(fourths);
  tails.report(math_block());
  const lay::tepid_block tail = budgets(200, 50, lay::epilogue_mark);
  CHECK(plan::plan(heat::tepid, tail, tails.report(tail), fourths) == lay::overlap{1.0, 50});
  const lay::tepid_mode none{.on = true, .forced = 0, .epilogue_count = 0};
  lay::tepid_reporter<> nothing(none);
  nothing.report(math_block());
  CHECK(plan::plan(heat::hot, tail, nothing.report(tail), none) == lay::overlap{1.0, 0});
  // Who is what.
  CHECK(lay::heat_of(true, tepid_path::dma) == heat::cold);
  CHECK(lay::heat_of(false, tepid_path::dma) == heat::tepid);
  CHECK(lay::heat_of(false, tepid_path::epilogue) == heat::tepid);
  CHECK(lay::heat_of(false, tepid_path::baseline) == heat::hot);
  CHECK(lay::heat_of(false, tepid_path::brief) == heat::hot);
  lay::cold_marks marks;
  marks.reasons.assign(2, 0);
  marks.add(ww::block_id{1}, lay::cold_reason::trap);
  CHECK(lay::heat_of(marks, ww::block_id{0}, tepid_path::dma) == heat::tepid);
  CHECK(lay::heat_of(marks, ww::block_id{1}, tepid_path::dma) == heat::cold);
  CHECK(lay::heat_of(marks, ww::block_id{}, tepid_path::baseline) == heat::hot);
}
