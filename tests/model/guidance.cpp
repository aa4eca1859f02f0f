// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the numbers behind the guidance lines, on a program built by hand and on bundled listings.
#include "warpwright/model/guidance.hpp"

#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
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
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines(
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
  ww::program p = b.finish();
  REQUIRE(b.ok());
  p.sm = ww::sm90::id;
  REQUIRE(ww::build_cfg(p).ok);
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
  // an arm of a branch counts half, what weighs more counts more
  double arms = 0;
  const ww::model::cost c = ww::model::simulate<ww::sm90>(p, {}, ws);
  for (std::size_t k = 1; k < p.blocks.size(); ++k) arms += c.block_cycles[k];
  CHECK(g.average_latency == g.est_latency - arms / 2);
  p.blocks[1].weight = 3;
  const ww::model::guidance heavy = ww::model::collect_guidance<ww::sm90>(p, ws);
  CHECK(heavy.worst_latency == heavy.est_latency + 2 * c.block_cycles[1]);
}
