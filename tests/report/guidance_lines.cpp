// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the statistics lines against the reference text character by character, and of a program counted by hand.
#include "warpwright/report/guidance_lines.hpp"

#include <bit>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../support/catch.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/sm50.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/report/guidance_of.hpp"

namespace {

using ww::report::detail_lines;
using ww::report::guidance_detail;
using ww::report::guidance_numbers;

template <detail_lines Lines = detail_lines::marked>
std::string before(const guidance_numbers& n, std::uint32_t detail, std::vector<ww::string_view> notes = {}) {
  std::string out;
  ww::report::write_before_allocation<Lines>(n, detail, {notes.data(), notes.size()},
                                             [&out](ww::string_view piece) { out += std::string(piece); });
  return out;
}
template <detail_lines Lines = detail_lines::marked>
std::string after(const guidance_numbers& n, std::uint32_t detail, std::vector<ww::string_view> notes = {}) {
  std::string out;
  ww::report::write_after_allocation<Lines>(n, detail, {notes.data(), notes.size()},
                                            [&out](ww::string_view piece) { out += std::string(piece); });
  return out;
}

// The numbers of the example in the text.
guidance_numbers example() {
  guidance_numbers n;
  n.total_inst = 145;
  n.removed_inst = 3;
  n.registers_base = 22;
  n.registers_extra = 2;
  n.uniform_registers = 8;
  n.architecture = 0x6000;
  n.est_latency = 87;
  n.worst_latency = 87;
  n.average_latency = 52.5;
  n.occupancy = 0.75f;
  n.divergent_branches = 2;
  n.program_size = 1024;
  n.est_fp = 12;
  n.est_control_flow = 8;
  n.est_load_store = 24;
  n.est_pairs = 4;
  n.issue_thru = 8.0f / 9;
  n.fp_thru = 1.0f / 9;
  n.control_flow_thru = 0.0625f;
  n.tex_load_store_thru = 0.1875f;
  n.shared_alloc_thru = 0.125f;
  n.non_unrolled_loops = 1;
  n.inst_hint = 142;
  n.inst_pairs = 4;
  return n;
}

constexpr std::string_view example_head =
    "# 142 instructions, 24 R-regs\n"
    "# [inst=142] [texInst=0] [tepid=0] [rregs=24]\n"
    "# [urregs=8]\n"
    "# [_lat2inst=0.0]\n";
constexpr std::string_view example_fp16 = "# [FP16 inst=0] [FP16 VectInst=0] [Percentage Vectorized=0.00]\n";
constexpr std::string_view example_memory =
    "# [est latency = 87] [LSpillB=0] [LRefillB=0], [SSpillB=0], [SRefillB=0], [LowLmemSpillSize=0] [FrameLmemSpillSize=0]\n"
    "# [LNonSpillB=0] [LNonRefillB=0], [NonSpillSize=0]\n"
    "# [Occupancy = 0.750000], [est numDivergentBranches=2] [attributeMemUsage=0], [programSize=1024]\n";
constexpr std::string_view example_units =
    "# [est fp=12] [est half=0], [est trancedental=0], [est ipa=0], [est shared=0], [est controlFlow=8], [est "
    "loadStore=24]\n"
    "# [est tex=0] [est pairs=4]\n"
    "# [issue thru=0.888889] [fp thru=0.111111] [half thru=0.000000], [trancedental thru=0.000000], [ipa thru=0.000000]\n"
    "# [shared thru=0.000000] [controlFlow thru=0.062500] [texLoadStore thru=0.187500], [reg thru=0.000000], [warp "
    "thru=0.000000]\n";
constexpr std::string_view example_tail =
    "# [SharedMem Alloc thru=0.125000]\n"
    "# [partially unrolled loops=0] [non-unrolled loops=1]\n"
    "# [CB-Bound Tex=0] [UR-Bound Tex=0] [Bindless Tex=0] [Partially Bound Tex=0]\n"
    "# [UDP inst=0] [numVecToURConverts inst=0]\n"
    "# [maxNumLiveValuesAtSuspend=0]\n"
    "# [Precise inst=0]\n";
constexpr std::string_view example_worst = "# [worstcaseLat=87.000000]\n";
constexpr std::string_view example_average = "# [avgcaseLat=52.500000]\n";
constexpr std::string_view example_pairs = "# [instHint=142] [instPairs=4]\n";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view p : parts) all += p;
  return all;
}

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

// The format lines of the text for what is after allocation, as they stand there.
constexpr const char* after_memory[] = {
    "# [est latency = %d] [LSpillB=%d] [LRefillB=%d] [SSpillB=%d] [SRefillB=%d] [SpillSize=%d]",
    "# [LNonSpillB=%d] [LNonRefillB=%d] [NonSpillSize=%d]",
    "# [Occupancy = %f] [est numDivergentBranches=%d] [attributeMemUsage=%d] [programSize=%d]",
};
constexpr const char* after_units[] = {
    "# [est adu=%d] [est alu=%d] [est cbu=%d] [est fma2x=%d] [est fma=%d] [est half=%d]",
    "# [est trancedental=%d] [est ipa=%d] [est lsu=%d] [est redux=%d]",
    "# [est schedDisp=%d] [est tex=%d] [est ttu=%d] [est udp=%d]",
    "# [est imma16816=%d] [est imma16832=%d] [est immaSp8832=%d] [est immaSp16832=%d]",
    "# [est dmma=%d] [est fma64=%d] [est hmma16816=%d] [est hmma16816f16=%d]",
    "# [est hmma1688=%d] [est hmma1688f16=%d] [est hmmaSp1688=%d] [est hmmaSp1688f16=%d]",
    "# [issue thru=%f] [adu thru=%f] [alu thru=%f] [cbu thru=%f] [fma2x thru=%f] [fma thru=%f]",
    "# [trancedental thru=%f] [ipa thru=%f] [lsu thru=%f] [redux thru=%f]",
    "# [schedDisp thru=%f] [tex thru=%f] [ttu thru=%f] [udp thru=%f]",
    "# [imma16816 thru=%f] [imma16832 thru=%f] [immaSp8832 thru=%f] [immaSp16832 thru=%f]",
    "# [dmma thru=%f] [fma64 thru=%f] [hmma16816 thru=%f] [hmma16816f16 thru=%f]",
    "# [hmma1688 thru=%f] [hmma1688f16 thru=%f] [hmmaSp1688 thru=%f] [hmmaSp1688f16 thru=%f]",
    "# [reg thru=%f] [warp thru=%f]",
};

// Numbers that are all different, so that two that change places are seen.
guidance_numbers distinct() {
  guidance_numbers n;
  std::int32_t next = 100;
  const auto i = [&next](std::int32_t& field) { field = next++; };
  const auto f = [&next](float& field) { field = static_cast<float>(next++) / 1024; };
  i(n.total_inst);
  i(n.texture_inst);
  i(n.tepid_inst);
  i(n.registers_base);
  i(n.registers_extra);
  i(n.uniform_registers);
  n.architecture = 0x6000;
  f(n.lat2inst);
  i(n.fp16_inst);
  i(n.fp16_vector_inst);
  f(n.fp16_vectorized);
  for (std::int32_t* field : {&n.est_latency, &n.l_spill, &n.l_refill, &n.s_spill, &n.s_refill, &n.low_spill_size,
                              &n.frame_spill_size, &n.l_non_spill, &n.l_non_refill, &n.non_spill_size}) {
    i(*field);
  }
  f(n.occupancy);
  for (std::int32_t* field :
       {&n.divergent_branches, &n.attribute_bytes, &n.program_size, &n.est_fp, &n.est_half, &n.est_transcendental,
        &n.est_ipa, &n.est_shared, &n.est_control_flow, &n.est_load_store, &n.est_tex, &n.est_pairs}) {
    i(*field);
  }
  for (float* field : {&n.issue_thru, &n.fp_thru, &n.half_thru, &n.transcendental_thru, &n.ipa_thru, &n.shared_thru,
                       &n.control_flow_thru, &n.tex_load_store_thru, &n.reg_thru, &n.warp_thru, &n.shared_alloc_thru}) {
    f(*field);
  }
  for (std::int32_t* field : {&n.partially_unrolled_loops, &n.non_unrolled_loops, &n.constant_tex, &n.uniform_tex,
                              &n.bindless_tex, &n.partially_bound_tex, &n.uniform_inst, &n.vector_to_uniform,
                              &n.live_at_suspend, &n.precise_inst, &n.inst_hint, &n.inst_pairs}) {
    i(*field);
  }
  for (std::int32_t& field : n.pipes) i(field);
  for (float& field : n.pipe_thru) f(field);
  for (std::int32_t& field : n.matrix) i(field);
  for (float& field : n.matrix_thru) f(field);
  return n;
}

// printf of one line of the text.
template <class... Values>
std::string printed(const char* format, Values... values) {
  char buffer[1024];
  const int n = std::snprintf(buffer, sizeof buffer, format, values...);
  REQUIRE((n > 0 && n < static_cast<int>(sizeof buffer)));
  return std::string(buffer) + '\n';
}

}  // namespace

TEST_CASE("PLS-18 lines: the example of the text before allocation, character by character, at every level of detail") {
  const guidance_numbers n = example();
  using d = guidance_detail;
  CHECK(before(n, d::none) == joined({example_head, example_memory, example_units, example_tail, example_pairs}));
  CHECK(before(n, d::statistics) ==
        joined({example_head, example_fp16, example_memory, example_units, example_tail, example_pairs}));
  CHECK(before(n, d::statistics | d::worst_case) ==
        joined({example_head, example_fp16, example_memory, example_units, example_tail, example_worst, example_pairs}));
  CHECK(before(n, d::statistics | d::average_case) ==
        joined({example_head, example_fp16, example_memory, example_units, example_tail, example_average, example_pairs}));
  CHECK(before(n, d::worst_case | d::average_case) == before(n, d::none));  // neither condition holds
  CHECK(before(n, 0x7 | 0xffffffc0u) == before(n, d::none));                // other bits mean nothing here
  CHECK(before(n, 0x8) == before(n, d::statistics));                        // the masks of the text
  CHECK(before(n, 0x10) == before(n, d::worst_case));
  CHECK(before(n, 0x20) == before(n, d::average_case));
  CHECK(before(n, d::none, {"a note", "two\nlines"}) == before(n, d::none) + "# a note\n# two\n# lines\n");
}

TEST_CASE("PLS-18 lines: units and throughputs wait for bit 3 where the table of the text is followed") {
  const guidance_numbers n = example();
  CHECK(before<detail_lines::table>(n, 0) == joined({example_head, example_memory, example_tail, example_pairs}));
  CHECK(before<detail_lines::table>(n, 8) == before(n, 8));
  std::string expected = after(n, 0);
  std::size_t from = expected.find("# [est adu");
  expected.erase(from, expected.find("# [SharedMem Alloc") - from);
  CHECK(after<detail_lines::table>(n, 0) == expected);
  CHECK(after<detail_lines::table>(n, 8) == after(n, 8));
}

TEST_CASE("PLS-18 lines: what has a condition is written where it holds, and nowhere else") {
  guidance_numbers n = example();
  const std::string all = before(n, 0);
  n.architecture = 0x5fff;
  CHECK(before(n, 0) == without(all, "# [urregs=8]\n"));
  n = example();
  n.shared_alloc_thru = 0;
  CHECK(before(n, 0) == without(all, "# [SharedMem Alloc thru=0.125000]\n"));
  CHECK(after(n, 0) == without(after(example(), 0), "# [SharedMem Alloc thru=0.125000]\n"));
  n = example();
  n.inst_pairs = 0;
  CHECK(before(n, 0) == without(all, example_pairs));
  n.inst_hint = 0;
  CHECK(before(n, 0) == without(all, example_pairs));
  n.inst_pairs = 4;
  CHECK(before(n, 0).ends_with("# [instHint=0] [instPairs=4]\n"));
}

TEST_CASE("PLS-18 lines: before allocation every number stands in its place") {
  const guidance_numbers n = distinct();
  std::string expected = printed("# %d instructions, %d R-regs", n.total_inst, n.registers_base + n.registers_extra);
  expected += printed("# [inst=%d] [texInst=%d] [tepid=%d] [rregs=%d]", n.total_inst, n.texture_inst, n.tepid_inst,
                      n.registers_base + n.registers_extra);
  expected += printed("# [urregs=%d]", n.uniform_registers);
  expected += printed("# [_lat2inst=%.1f]", double{n.lat2inst});
  expected += printed("# [FP16 inst=%d] [FP16 VectInst=%d] [Percentage Vectorized=%.2f]", n.fp16_inst, n.fp16_vector_inst,
                      double{n.fp16_vectorized});
  expected += printed(
      "# [est latency = %d] [LSpillB=%d] [LRefillB=%d], [SSpillB=%d], [SRefillB=%d], [LowLmemSpillSize=%d] "
      "[FrameLmemSpillSize=%d]",
      n.est_latency, n.l_spill, n.l_refill, n.s_spill, n.s_refill, n.low_spill_size, n.frame_spill_size);
  expected +=
      printed("# [LNonSpillB=%d] [LNonRefillB=%d], [NonSpillSize=%d]", n.l_non_spill, n.l_non_refill, n.non_spill_size);
  expected += printed("# [Occupancy = %f], [est numDivergentBranches=%d] [attributeMemUsage=%d], [programSize=%d]",
                      double{n.occupancy}, n.divergent_branches, n.attribute_bytes, n.program_size);
  expected += printed(
      "# [est fp=%d] [est half=%d], [est trancedental=%d], [est ipa=%d], [est shared=%d], [est controlFlow=%d], [est "
      "loadStore=%d]",
      n.est_fp, n.est_half, n.est_transcendental, n.est_ipa, n.est_shared, n.est_control_flow, n.est_load_store);
  expected += printed("# [est tex=%d] [est pairs=%d]", n.est_tex, n.est_pairs);
  expected +=
      printed("# [issue thru=%f] [fp thru=%f] [half thru=%f], [trancedental thru=%f], [ipa thru=%f]", double{n.issue_thru},
              double{n.fp_thru}, double{n.half_thru}, double{n.transcendental_thru}, double{n.ipa_thru});
  expected += printed("# [shared thru=%f] [controlFlow thru=%f] [texLoadStore thru=%f], [reg thru=%f], [warp thru=%f]",
                      double{n.shared_thru}, double{n.control_flow_thru}, double{n.tex_load_store_thru}, double{n.reg_thru},
                      double{n.warp_thru});
  expected += printed("# [SharedMem Alloc thru=%f]", double{n.shared_alloc_thru});
  expected +=
      printed("# [partially unrolled loops=%d] [non-unrolled loops=%d]", n.partially_unrolled_loops, n.non_unrolled_loops);
  expected += printed("# [CB-Bound Tex=%d] [UR-Bound Tex=%d] [Bindless Tex=%d] [Partially Bound Tex=%d]", n.constant_tex,
                      n.uniform_tex, n.bindless_tex, n.partially_bound_tex);
  expected += printed("# [UDP inst=%d] [numVecToURConverts inst=%d]", n.uniform_inst, n.vector_to_uniform);
  expected += printed("# [maxNumLiveValuesAtSuspend=%d]", n.live_at_suspend);
  expected += printed("# [Precise inst=%d]", n.precise_inst);
  expected += printed("# [instHint=%d] [instPairs=%d]", n.inst_hint, n.inst_pairs);
  CHECK(before(n, guidance_detail::statistics) == expected);
}

TEST_CASE("PLS-18 lines: after allocation the text's own lines stand in the places of those before, without commas") {
  const guidance_numbers n = distinct();
  const std::string old = before(n, guidance_detail::statistics);
  const std::string now = after(n, guidance_detail::statistics);
  const std::size_t head = old.find("# [est latency");
  CHECK(now.substr(0, head) == old.substr(0, head));
  const std::size_t tail = old.find("# [SharedMem Alloc");
  CHECK(now.substr(now.find("# [SharedMem Alloc")) == old.substr(tail));
  CHECK(now.find("],") == std::string::npos);

  using u = ww::model::guidance_unit;
  const auto e = [&n](u unit) { return n.pipes[static_cast<std::size_t>(unit)]; };
  const auto t = [&n](u unit) { return double{n.pipe_thru[static_cast<std::size_t>(unit)]}; };
  const auto me = [&n](unsigned k) { return n.matrix[k]; };
  const auto mt = [&n](unsigned k) { return double{n.matrix_thru[k]}; };
  std::string expected;
  expected += printed(after_memory[0], n.est_latency, n.l_spill, n.l_refill, n.s_spill, n.s_refill,
                      n.low_spill_size + n.frame_spill_size);
  expected += printed(after_memory[1], n.l_non_spill, n.l_non_refill, n.non_spill_size);
  expected += printed(after_memory[2], double{n.occupancy}, n.divergent_branches, n.attribute_bytes, n.program_size);
  expected += printed(after_units[0], e(u::adu), e(u::alu), e(u::cbu), e(u::fma2x), e(u::fma), e(u::half));
  expected += printed(after_units[1], e(u::transcendental), e(u::ipa), e(u::lsu), e(u::redux));
  expected += printed(after_units[2], e(u::dispatch), e(u::tex), e(u::ttu), e(u::udp));
  expected += printed(after_units[3], me(0), me(1), me(2), me(3));
  expected += printed(after_units[4], me(4), me(5), me(6), me(7));
  expected += printed(after_units[5], me(8), me(9), me(10), me(11));
  expected += printed(after_units[6], double{n.issue_thru}, t(u::adu), t(u::alu), t(u::cbu), t(u::fma2x), t(u::fma));
  expected += printed(after_units[7], t(u::transcendental), t(u::ipa), t(u::lsu), t(u::redux));
  expected += printed(after_units[8], t(u::dispatch), t(u::tex), t(u::ttu), t(u::udp));
  expected += printed(after_units[9], mt(0), mt(1), mt(2), mt(3));
  expected += printed(after_units[10], mt(4), mt(5), mt(6), mt(7));
  expected += printed(after_units[11], mt(8), mt(9), mt(10), mt(11));
  expected += printed(after_units[12], double{n.reg_thru}, double{n.warp_thru});
  CHECK(now.substr(head, now.find("# [SharedMem Alloc") - head) == expected);
}

TEST_CASE("PLS-18 lines: the names of the pipes are those of the counts behind them") {
  // A count of one pipe alone shows up under its own name.
  for (std::size_t k = 0; k <= static_cast<std::size_t>(ww::model::guidance_unit::udp); ++k) {
    guidance_numbers n;
    n.pipes[k] = 7;
    const std::string field = std::string("[est ") + ww::model::name(static_cast<ww::model::guidance_unit>(k)) + "=7]";
    CHECK(after(n, 8).find(field) != std::string::npos);
  }
}

TEST_CASE("PLS-18 lines: numbers are written as printf writes them, and the largest fit") {
  const auto line = [](const char* format, double v) { return std::string(ww::report::text_line(format, {v}).view()); };
  char buffer[64];
  std::mt19937 random(18);
  for (unsigned k = 0; k < 200000; ++k) {
    const auto v = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0x7fffffffu);
    if (!(v < 1e14f)) continue;
    for (const char* format : {"%f", "%.2f", "%.1f"}) {
      std::snprintf(buffer, sizeof buffer, format, double{v});
      if (line(format, double{v}) != buffer) FAIL(format << " of " << buffer << " is " << line(format, double{v}));
    }
  }
  for (unsigned k = 0; k < 20000; ++k) {  // ties
    const double v = static_cast<double>(random() % 100000) / 128.0;
    std::snprintf(buffer, sizeof buffer, "%f", v);
    REQUIRE(line("%f", v) == buffer);
    std::snprintf(buffer, sizeof buffer, "%.2f", v);
    REQUIRE(line("%.2f", v) == buffer);
  }
  CHECK(line("%f", 0.9999999) == "1.000000");
  CHECK(line("%d", -2147483648.0) == "-2147483648");
  CHECK(line("%d", 2147483647.0) == "2147483647");
  CHECK(line("%f", -1.5) == "-1.500000");
  CHECK(line("%f", 1e300) == "1000000000000000.000000");
  CHECK(line("%f", __builtin_nan("")) == "0.000000");
  CHECK(line("%d%", 3) == "3");
  CHECK(line("100% of %d", 3) == "100% of 3");
  CHECK(ww::report::text_line("%d %d", {1}).view() == "1 ");
  CHECK(std::string(ww::report::text_line("%d", {}).view()).empty());
  guidance_numbers n;
  n.est_latency = n.l_spill = n.l_refill = n.s_spill = n.s_refill = n.low_spill_size = n.frame_spill_size = -2147483647 - 1;
  n.est_fp = n.est_half = n.est_transcendental = n.est_ipa = n.est_shared = n.est_control_flow = n.est_load_store =
      -2147483647 - 1;
  n.shared_thru = n.control_flow_thru = n.tex_load_store_thru = n.reg_thru = n.warp_thru = -1e30f;
  const std::string most = before(n, 8);
  std::size_t longest = 0;
  for (std::size_t at = 0; at < most.size();) {
    const std::size_t end = most.find('\n', at);
    longest = std::max(longest, end + 1 - at);
    at = end + 1;
  }
  CHECK(longest < ww::report::text_line::most);
  CHECK(most.find("[est loadStore=-2147483648]\n") != std::string::npos);
  std::string all(ww::report::text_line::most, 'x');
  CHECK(ww::report::text_line(all, {}).fits());
  CHECK_FALSE(ww::report::text_line(all + "y", {}).fits());
  CHECK(ww::report::text_line(all + "y", {}).view().size() == all.size());
  static_assert(ww::report::text_line("%d of %.2f", {3.0, 0.125}).view() == "3 of 0.12");
}

TEST_CASE("PLS-18 lines: a program counted by hand") {
  // Cycles: 20 instructions with a stall of 15 each.
  ww::program p = ww_test::program_of<ww::sm90>(
      "STL [R1+0x8], R4\n"
      "LDL R6, [R1+0x8]\n"
      "DADD R8, R8, R10\n"
      "UMOV UR4, UR5\n"
      "LDC R5, c[0x0][0x210]\n"
      "TEX.LL R12, R16, R14, R2, UR8, 0x0, 2D, 0x3\n"
      "FADD R3, R12, R3\n"
      "HFMA2 R20, R21, R22, R23\n"
      "HADD2 R20, R21.H0_H0, R22.H0_H0\n"
      "HADD2.F32 R24, R22, R21.H1_H1\n"
      "MUFU.RCP R25, R24\n"
      "LDS R26, [R27]\n"
      "STS [R27+0x4], R26\n"
      "LDG.E R28, [R30.64]\n"
      "HMMA.16816.F32 R32, R36, R38, RZ\n"
      "R2UR UR6, R28\n"
      "loop:\n"
      "IADD3 R5, R5, 0x1, RZ\n"
      "@P0 BRA `(loop)\n"
      "NOP\n"
      "EXIT\n");
  for (ww::instruction& i : p.instructions) i.ctl.stall = 15;
  ww::model::workspace ws;
  const ww::model::guidance g = ww::model::collect_guidance<ww::sm90>(p, ws);
  REQUIRE(g.est_latency == 300);
  ww::report::guidance_given given;
  given.shared_bytes = 228 * 1024 / 8;
  given.attribute_bytes = 16;
  given.live_at_suspend = 3;
  given.lat2inst = 2.5f;
  const guidance_numbers n = ww::report::guidance_of<ww::sm90>(p, g, given);
  // R39 is the highest register and two are reserved: 42, of which a warp of 48 registers has a place 40 times on an SM of 64.
  CHECK(before(n, guidance_detail::statistics | guidance_detail::worst_case) ==
        "# 20 instructions, 42 R-regs\n"
        "# [inst=20] [texInst=1] [tepid=1] [rregs=42]\n"
        "# [urregs=10]\n"
        "# [_lat2inst=2.5]\n"
        "# [FP16 inst=3] [FP16 VectInst=1] [Percentage Vectorized=0.33]\n"
        "# [est latency = 300] [LSpillB=4] [LRefillB=4], [SSpillB=0], [SRefillB=0], [LowLmemSpillSize=0] "
        "[FrameLmemSpillSize=4]\n"
        "# [LNonSpillB=0] [LNonRefillB=0], [NonSpillSize=0]\n"
        "# [Occupancy = 0.625000], [est numDivergentBranches=1] [attributeMemUsage=16], [programSize=320]\n"
        "# [est fp=2] [est half=3], [est trancedental=1], [est ipa=0], [est shared=2], [est controlFlow=2], [est "
        "loadStore=3]\n"
        "# [est tex=1] [est pairs=0]\n" +
            before(n, 0).substr(before(n, 0).find("# [issue"),
                                before(n, 0).find("# [SharedMem") - before(n, 0).find("# [issue")) +
            "# [SharedMem Alloc thru=0.125000]\n"
            "# [partially unrolled loops=0] [non-unrolled loops=1]\n"
            "# [CB-Bound Tex=0] [UR-Bound Tex=1] [Bindless Tex=0] [Partially Bound Tex=0]\n"
            "# [UDP inst=2] [numVecToURConverts inst=1]\n"
            "# [maxNumLiveValuesAtSuspend=3]\n"
            "# [Precise inst=1]\n" +
            printed("# [worstcaseLat=%f]", g.worst_latency));
  CHECK(g.worst_latency == 300 + 9 * 30);
  // One instruction of a unit holds it for as long as the page of the SM says.
  const auto interval = [](ww::sched_class c) { return static_cast<float>(ww::sm90::pipes::interval(c)); };
  CHECK(n.issue_thru == 20.0f / 300);
  CHECK(n.shared_thru == (interval(ww::sched_class::lds) + interval(ww::sched_class::sts)) / 300);
  CHECK(n.tex_load_store_thru == (interval(ww::sched_class::tex) + interval(ww::sched_class::stl) +
                                  interval(ww::sched_class::ldl) + interval(ww::sched_class::ldg)) /
                                     300);
  CHECK(n.fp_thru == (interval(ww::sched_class::alu) + interval(ww::sched_class::fma)) / 300);
  CHECK(n.matrix_thru[static_cast<std::size_t>(ww::model::matrix_pipe::hmma16816)] ==
        interval(ww::sched_class::hmma_large) / 300);
  const std::string done = after(n, 0);
  for (const char* line : {"# [est adu=1] [est alu=1] [est cbu=2] [est fma2x=1] [est fma=1] [est half=3]\n",
                           "# [est trancedental=1] [est ipa=0] [est lsu=5] [est redux=0]\n",
                           "# [est schedDisp=1] [est tex=1] [est ttu=0] [est udp=2]\n",
                           "# [est dmma=0] [est fma64=0] [est hmma16816=1] [est hmma16816f16=0]\n", "[SpillSize=4]\n"}) {
    INFO(line);
    CHECK(done.find(line) != std::string::npos);
  }
}

TEST_CASE("PLS-18 lines: what a user gives goes to its field, and what the SM has no page for is left out") {
  const ww::program p = ww_test::program_of<ww::sm50>("FADD R3, R3, R3\nloop:\nIADD R5, R5, 0x1\n@P0 BRA `(loop)\nEXIT\n");
  ww::model::workspace ws;
  const ww::model::guidance g = ww::model::collect_guidance<ww::sm50>(p, ws);
  ww::report::guidance_given given;
  given.removed_instructions = 1;
  given.partially_unrolled_loops = 1;
  given.partially_bound_textures = 5;
  given.instruction_hint = 6;
  const guidance_numbers n = ww::report::guidance_of<ww::sm50>(p, g, given);
  const std::string text = before(n, 0);
  CHECK(text.starts_with("# 3 instructions, 6 R-regs\n"));
  CHECK(text.find("urregs") == std::string::npos);
  CHECK(text.find("SharedMem Alloc") == std::string::npos);
  CHECK(text.find("[partially unrolled loops=1] [non-unrolled loops=0]") != std::string::npos);
  CHECK(text.find("[Partially Bound Tex=5]") != std::string::npos);
  CHECK(n.inst_hint == 6);
  CHECK(before(ww::report::guidance_of<ww::sm75>(p, g, {}), 0).find("[urregs=0]") != std::string::npos);
  given.architecture = 0x5000;
  CHECK(before(ww::report::guidance_of<ww::sm75>(p, g, given), 0).find("urregs") == std::string::npos);
  given = {};
  given.shared_bytes = 0xffffffffu;
  CHECK(ww::report::guidance_of<ww::sm75>(p, g, given).shared_alloc_thru == 1);
  given.partially_unrolled_loops = 7;
  CHECK(ww::report::guidance_of<ww::sm75>(p, g, given).non_unrolled_loops == 0);
}

TEST_CASE("PLS-18 lines: pairs that may issue together and pairs that do") {
  ww::program p = ww_test::program_of<ww::sm50>(
      "FADD R3, R4, R5\n"
      "LDG R6, [R8]\n"
      "FADD R9, R10, R11\n"
      "FADD R12, R13, R14\n"
      "EXIT\n");
  for (ww::instruction& i : p.instructions) i.ctl.stall = 1;
  p.has_control = true;
  CHECK(ww::report::count_pairs<ww::sm50>(p).possible == 1);  // the load is taken once
  CHECK(ww::report::count_pairs<ww::sm50>(p).made == 0);
  p.instructions[0].ctl.stall = 0;
  CHECK(ww::report::count_pairs<ww::sm50>(p).made == 1);
  p.instructions[2].ctl.stall = 0;
  p.instructions[2].ctl.yield = true;  // drains
  CHECK(ww::report::count_pairs<ww::sm50>(p).made == 1);
  CHECK(ww::report::count_pairs<ww::sm90>(p).possible == 0);
  CHECK(ww::report::count_pairs<ww::sm90>(p).made == 0);
  ww::model::workspace ws;
  const guidance_numbers n =
      ww::report::guidance_of<ww::sm50>(p, ww::model::collect_guidance<ww::sm50>(p, ws), {.instruction_hint = 9});
  CHECK(before(n, 0).ends_with("# [instHint=9] [instPairs=1]\n"));
  CHECK(before(n, 0).find("[est pairs=1]") != std::string::npos);
  p.has_control = false;
  CHECK(ww::report::count_pairs<ww::sm50>(p).made == 0);
}

TEST_CASE("PLS-18 lines: a program without instructions") {
  const ww::program p;
  ww::model::workspace ws;
  const ww::model::guidance g = ww::model::collect_guidance<ww::sm90>(p, ws);
  const std::string text = before(ww::report::guidance_of<ww::sm90>(p, g), 8);
  CHECK(text.starts_with("# 0 instructions, 2 R-regs\n"));
  CHECK(text.find("nan") == std::string::npos);
}
