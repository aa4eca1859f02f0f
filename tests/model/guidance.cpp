// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the numbers behind the guidance lines, on a program built by hand and on bundled listings.
#include "warpwright/model/guidance.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm50.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/sass/listing.hpp"

namespace {

using ww::model::block_guidance;
using ww::model::block_order;
using ww::model::guidance_unit;

// Two functions, of which one is a kernel.
void two_functions(ww::program& p, std::uint32_t kernel, std::uint32_t leaf) {
  ww::function k;
  k.kernel = true;
  k.entry = ww::instr_id(kernel);
  ww::function f;
  f.entry = ww::instr_id(leaf);
  p.functions.push_back(kernel < leaf ? k : f);
  p.functions.push_back(kernel < leaf ? f : k);
}

}  // namespace

TEST_CASE("PLS-18: counts of a bundled kernel add up and follow its text") {
  unsigned read = 0;
  for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled("listings"))) {
    if (!ww_test::corpus::ends_with(path, ".sm90.sass")) continue;
    const std::string text = ww_test::corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {});
    REQUIRE(r);
    INFO(path);
    std::uint32_t loads = 0;
    std::uint32_t converts = 0;
    for (std::size_t at = text.find("R2UR"); at != std::string::npos; at = text.find("R2UR", at + 1)) ++converts;
    std::uint32_t counted = 0;
    for (ww::program& p : r.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      ww::model::workspace ws;
      const ww::model::guidance g = ww::model::collect_guidance<ww::sm90>(p, ws);
      std::uint32_t sum = 0;
      for (const std::uint32_t n : g.units) sum += n;
      CHECK(sum == g.instructions);
      CHECK(g.instructions > 0);
      CHECK(g.program_bytes == 16 * g.instructions);
      CHECK(g.est_latency >= g.instructions);
      CHECK(g.worst_latency >= g.est_latency);
      CHECK(g.average_latency <= g.est_latency);
      ww::program again = p;
      ww::loop_forest forest;
      ww::find_loops(again, forest);
      CHECK(g.loops == static_cast<std::uint32_t>(std::count(forest.is_header.begin(), forest.is_header.end(), 1)));
      CHECK(g.occupancy > 0);
      CHECK(g.occupancy <= 1);
      CHECK(g.issue_throughput > 0);
      for (const double t : g.throughput) CHECK((t >= 0 && t <= 1));
      counted += g.vector_to_uniform;
      loads += g.of(guidance_unit::lsu);
    }
    CHECK(counted == converts);
    CHECK(loads > 0);
    ++read;
  }
  CHECK(read > 3);
}

TEST_CASE("PLS-18: blocks in the order of the text: reachable, then deferred; a back edge brings its branch as a hint") {
  // 0 -> 1 <-> 1 -> 2 (exit); 3 is reached by nothing.
  ww::program p;
  const auto add = [&p](ww::sched_class c, auto... flags) {
    ww::instruction i;
    i.iclass = c;
    (i.add(flags), ...);
    p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
    p.instructions.push_back(i);
    return p.order.back();
  };
  add(ww::sched_class::alu);
  const ww::instr_id head = add(ww::sched_class::alu);
  const ww::instr_id back = add(ww::sched_class::branch, ww::iflag::branch, ww::iflag::guarded, ww::iflag::ends_block);
  p[back].target = head;
  add(ww::sched_class::exit, ww::iflag::exit, ww::iflag::ends_block);
  add(ww::sched_class::alu);
  add(ww::sched_class::exit, ww::iflag::exit, ww::iflag::ends_block);
  REQUIRE(ww::build_cfg(p).ok);
  std::vector<block_guidance> seen;
  ww::model::classify_blocks(p, [&](const block_guidance& g) { seen.push_back(g); });
  REQUIRE(seen.size() == 4);
  CHECK(seen[0].order == block_order::first_pass);
  CHECK_FALSE(seen[0].back_edge.valid());
  CHECK(seen[1].back_edge == back);
  CHECK(seen[2].order == block_order::first_pass);
  CHECK(seen[3].order == block_order::deferred);
  CHECK(seen[3].block.index() == 3);
}

TEST_CASE("PLS-18: every class has the unit that the text names for it") {
  using ww::sched_class;
  const auto unit = [](sched_class c) { return ww::model::guidance_unit_of(c); };
  CHECK(unit(sched_class::dsetp) == guidance_unit::fma2x);
  CHECK(unit(sched_class::fp64) == guidance_unit::fma2x);
  CHECK(unit(sched_class::ldc) == guidance_unit::adu);
  CHECK(unit(sched_class::s2r) == guidance_unit::adu);
  CHECK(unit(sched_class::tld) == guidance_unit::tex);
  CHECK(unit(sched_class::lds) == guidance_unit::lsu);
  CHECK(unit(sched_class::ualu) == guidance_unit::udp);
  CHECK(unit(sched_class::branch) == guidance_unit::cbu);
  CHECK(unit(sched_class::mufu) == guidance_unit::transcendental);
  CHECK(unit(sched_class::imad) == guidance_unit::fma);
  CHECK(unit(sched_class::alu) == guidance_unit::alu);
  CHECK(unit(sched_class::redux) == guidance_unit::redux);
  CHECK(unit(sched_class::depbar) == guidance_unit::dispatch);
}

TEST_CASE("PLS-18: what single instructions and the flow between blocks say") {
  ww::program p = ww_test::program_of<ww::sm90>(
      "STL [R1], R4\n"
      "LDL.64 R6, [R1]\n"
      "DADD R8, R8, R10\n"
      "UMOV UR4, UR5\n"
      "LDC R5, c[0x0][0x210]\n"
      "TEX.SCR.LL R12, R16, R14, R2, 0x0, 0x58, 2D, 0xb\n"
      "FADD R3, R12, R3\n"
      "IADD3 R12, R3, R3, RZ\n"
      "IADD3 R11, R12, R3, RZ\n"
      "loop:\n"
      "FADD R5, R5, R5\n"
      "@P0 BRA `(loop)\n"
      "@P1 BRA `(over)\n"
      "MOV R4, R5\n"
      "over:\n"
      "EXIT\n");
  for (ww::instruction& i : p.instructions) i.ctl.stall = 4;
  for (ww::block& k : p.blocks) k.weight = 1;
  ww::model::workspace ws;
  const ww::model::guidance g = ww::model::collect_guidance<ww::sm90>(p, ws);
  CHECK(g.spill_bytes == 4);
  CHECK(g.refill_bytes == 8);
  CHECK(g.precise == 1);
  CHECK(g.uniform == 1);
  CHECK(g.texture == 1);
  CHECK(g.tepid == 1);  // the sum behind it reads a newer R12
  CHECK(g.divergent_branches == 2);
  CHECK(g.loops == 1);
  CHECK(g.of(guidance_unit::adu) == 1);
  CHECK(g.est_load_store() == 2);
  CHECK(g.est_fp() == g.of(guidance_unit::fma) + g.of(guidance_unit::alu));
  CHECK(g.of(guidance_unit::alu) > 0);
  CHECK(g.of(guidance_unit::fma) > 0);
  CHECK(g.worst_latency == g.est_latency);
  // only the MOV is an arm of a branch: the loop, what stands behind it and where the sides meet run in any case
  const ww::model::cost c = ww::model::simulate<ww::sm90>(p, {}, ws);
  REQUIRE(p.blocks.size() == 5);
  CHECK(g.average_latency == g.est_latency - c.block_cycles[3] / 2);
  p.blocks[1].weight = 3;
  const ww::model::guidance heavy = ww::model::collect_guidance<ww::sm90>(p, ws);
  CHECK(heavy.worst_latency == heavy.est_latency + 2 * c.block_cycles[1]);
}

TEST_CASE(
    "PLS-18: loops are headers of loops, whatever returns and jumps back; arms are what only one side of a branch leads "
    "to") {
  // A function in front of its caller, called twice, and a loop in the caller whose head is one side of a branch.
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines(
      "callee:\n"
      "FADD R3, R3, R3\n"
      "RET.REL.NODEC R20 0x0\n"
      "@P0 BRA `(other)\n"
      "loop:\n"
      "FADD R5, R5, R6\n"
      "@P1 BRA `(loop)\n"
      "FADD R7, R7, R8\n"
      "CALL.REL.NOINC `(callee)\n"
      "FADD R9, R9, R10\n"
      "BRA `(end)\n"
      "other:\n"
      "MOV R4, R5\n"
      "CALL.REL.NOINC `(callee)\n"
      "end:\n"
      "EXIT\n");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  p.sm = ww::sm90::id;
  two_functions(p, 2, 0);
  REQUIRE(ww::build_cfg(p).ok);
  unsigned returns = 0;
  for (const ww::cfg_edge& e : p.edges) returns += e.kind == ww::edge_kind::ret ? 1u : 0u;
  REQUIRE(returns == 2);
  for (ww::instruction& i : p.instructions) i.ctl.stall = 4;
  ww::model::workspace ws;
  const ww::model::guidance g = ww::model::collect_guidance<ww::sm90>(p, ws);
  CHECK(g.loops == 1);
  const ww::model::cost c = ww::model::simulate<ww::sm90>(p, {}, ws);
  double arms = 0;
  unsigned found = 0;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const ww::instruction& first = p[p.order[p.blocks[k].first]];
    const bool head = first.op == ww::opcode::fadd && p.blocks[k].loop_depth == 1;
    const bool other = first.op == ww::opcode::mov && k + 2 >= p.blocks.size();
    if (!head && !other) continue;
    arms += c.block_cycles[k];
    ++found;
  }
  REQUIRE(found == 2);
  CHECK(g.average_latency == g.est_latency - arms / 2);
}

TEST_CASE("PLS-18: where sides meet and what is called once is no arm of a branch") {
  const auto average = [](std::string_view text, std::size_t arm) {
    ww::isa::builder b(ww::dialect_of(ww::sm90::id));
    b.lines(text);
    ww::program p = b.finish();
    REQUIRE(b.ok());
    p.sm = ww::sm90::id;
    if (arm == 0) two_functions(p, 0, 2);
    REQUIRE(ww::build_cfg(p).ok);
    for (ww::instruction& i : p.instructions) i.ctl.stall = 4;
    ww::model::workspace ws;
    const ww::model::guidance g = ww::model::collect_guidance<ww::sm90>(p, ws);
    const ww::model::cost c = ww::model::simulate<ww::sm90>(p, {}, ws);
    CHECK(g.average_latency == g.est_latency - (arm == 0 ? 0 : c.block_cycles[arm] / 2));
  };
  average("@P0 BRA `(over)\nMOV R4, R5\n@P1 BRA `(end)\nover:\nFADD R5, R5, R6\nend:\nEXIT\n", 1);
  average("CALL.REL.NOINC `(f)\nEXIT\nf:\nFADD R3, R3, R3\nRET.REL.NODEC R20 0x0\n", 0);
}

TEST_CASE("PLS-18: bytes, shares of units and registers, and branches that diverge") {
  const auto collect = []<class Arch>(Arch, std::string_view text) {
    ww::program p = ww_test::program_of<Arch>(text);
    for (ww::instruction& i : p.instructions) i.ctl.stall = 15;
    ww::model::workspace ws;
    return ww::model::collect_guidance<Arch>(p, ws);
  };
  const std::string_view text = "MUFU.RCP R0, R1\nMUFU.RCP R2, R39\nBRA `(L)\nL:\n@P0 BRA `(M)\nM:\nEXIT\n";
  const ww::model::guidance old = collect(ww::sm50{}, text);
  CHECK(old.program_bytes == 5 * 8);
  const ww::model::guidance now = collect(ww::sm90{}, text);
  CHECK(now.program_bytes == 5 * 16);
  CHECK(now.est_latency == 5 * 15);
  CHECK(now.of(guidance_unit::transcendental) == 2);
  CHECK(now.throughput[static_cast<std::size_t>(guidance_unit::transcendental)] == 2 * 8 / 75.0);
  CHECK(now.issue_throughput == 5 / 75.0);
  CHECK(now.registers == 40);
  CHECK(now.register_throughput == 40 / 255.0);
  CHECK(now.divergent_branches == 1);  // the other one takes all
}
