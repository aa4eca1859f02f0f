// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the numbers behind the guidance lines, on a program built by hand and on bundled listings.
#include "warpwright/model/guidance.hpp"

#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/sm50.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
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
