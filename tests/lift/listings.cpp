// SPDX-License-Identifier: BSL-1.0
//
// The lift on real code: the bundled listings, and every listing of the corpus where WARPWRIGHT_CORPUS names its folder.
#include <chrono>
#include <string>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/backend/backend_b.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/graph/reachability.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>
#include <warpwright/lift/peak_live.hpp>
#include <warpwright/pressure/tracker.hpp>
#include <warpwright/priority/refined.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/schedule/compose.hpp>
#include <warpwright/schedule/engine.hpp>
#include <warpwright/schedule/unified/unified.hpp>
#include <warpwright/verify/reaching.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "support.hpp"

namespace {

namespace corpus = ww_test::corpus;

struct tally {
  std::size_t programs = 0;
  std::size_t instructions = 0;
  std::size_t webs = 0;
  std::size_t lifted = 0;
  std::size_t edges_before = 0;
  std::size_t edges_after = 0;
  std::size_t blocks = 0;
  std::size_t blocks_with_more = 0;
  std::size_t moved = 0;
  double nanoseconds = 0;
};

void check_graph(const ww::program& p, const ww::lifted_program& l, tally& t) {
  ww::graph_workspace ws;
  ww::dependence_graph before;
  ww::dependence_graph after;
  ww::reachability x;
  ww::reachability y;
  for (const ww::block& b : p.blocks) {
    if (b.padding || b.count == 0) continue;
    ww::build_graph<ww::sm80>(p, p.order_of(b), before, ws);
    ww::build_graph<ww::sm80>(l.code, p.order_of(b), after, ws);
    t.edges_before += before.edges.size();
    t.edges_after += after.edges.size();
    ++t.blocks;
    t.blocks_with_more += after.edges.size() > before.edges.size() ? 1u : 0u;
    REQUIRE(after.critical_path <= before.critical_path);
    if (b.count > 400) continue;
    x.compute(before);
    y.compute(after);
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < b.count; ++i) {
      for (std::uint32_t j = i + 1; j < b.count; ++j) wrong += y.reaches(i, j) && !x.reaches(i, j) ? 1u : 0u;
    }
    REQUIRE(wrong == 0);
  }
}

// The tracker on virtual registers, in the order as read: its sets are those of liveness at the start of every instruction.
void check_tracker(const ww::lifted_program& l) {
  ww::liveness live;
  live.compute(l.code, l.physical);
  const std::vector<ww_test::live_line> lines = ww_test::live_lines(l.code, live);
  ww::pressure_tracker<> tracker;
  for (std::uint32_t b = 0; b < l.code.blocks.size(); ++b) {
    const ww::block& blk = l.code.blocks[b];
    bool unknown = blk.open_exit;
    for (const ww::instr_id i : l.code.order_of(blk)) unknown = unknown || l.code[i].has(ww::iflag::unknown);
    if (unknown) continue;
    tracker.start(l.code, ww::block_id{b}, l.code.order_of(blk), live);
    for (std::uint32_t k = 0; k < blk.count; ++k) {
      REQUIRE(tracker.live() == lines[blk.first + k].before);
      tracker.place(k);
    }
    REQUIRE(tracker.live() == tracker.population());
  }
}

template <class Config>
void check_engine(const ww::lifted_program& l, tally& t) {
  ww::schedule_workspace<Config> ws;
  ww::program p = l.code;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const ww::schedule_stats s = ww::schedule_block<Config>(p, ww::block_id{b}, ws);
    REQUIRE(!s.failed);
    const auto now = p.order_of(p.blocks[b]);
    const auto was = l.code.order_of(l.code.blocks[b]);
    for (std::size_t k = 0; k < now.size(); ++k) t.moved += now[k] != was[k] ? 1u : 0u;
  }
  const ww::verify::reaching_difference d = ww::verify::same_reaching(l.code, p);
  INFO("use at " << (d.use.valid() ? p[d.use].address : 0));
  REQUIRE(d.ok());
}

void check_listing(const std::string& path, tally& t) {
  const std::string text = corpus::text(path);
  auto r = ww::sass::read_listing(text, {corpus::sm_of(path), path});
  INFO(path << ": " << r.err.message());
  REQUIRE(r);
  ww::lift_workspace ws;
  ww::lifted_program l;
  for (ww::program& p : r.mod.sections) {
    REQUIRE(ww::build_cfg(p).ok);
    double best = 1e18;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto begin = std::chrono::steady_clock::now();
      REQUIRE(ww::lift(p, l, ws) == ww::lift_fault::none);
      best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    t.nanoseconds += best;
    const ww::lifted_program again = ww::lift(p);
    REQUIRE(again.code.operands == l.code.operands);
    const ww::lower_result back = ww::lower(l, ww::identity_assignment(l));
    REQUIRE(back.ok());
    REQUIRE(ww_test::identical(back.code, p));
    REQUIRE(ww_test::live_lines(p) == ww_test::live_lines(l.code, &l));
    REQUIRE(ww::peak_live(p) == ww::peak_live(l));
    REQUIRE(ww::peak_live(p) == ww_test::highest(ww_test::live_lines(p)));
    REQUIRE(ww::verify::same_reaching(p, l.code).ok());
    check_graph(p, l, t);
    check_tracker(l);
    if (path.find(".sm80") != std::string::npos && path.find("huge") == std::string::npos) {
      check_engine<ww::config_of<ww::sm80>>(l, t);
      check_engine<ww::config_of<ww::sm80, ww::priority::refined>>(l, t);
      check_engine<ww::config_of<ww::sm80, ww::strategy::unified, ww::mode::reduce_reg>>(l, t);
      check_engine<ww::config_of<ww::sm80, ww::strategy::backend_b>>(l, t);
    }
    if (path.find(".sm90.") != std::string::npos && path.find("huge") == std::string::npos) {
      check_engine<ww::config_of<ww::sm90>>(l, t);
    }
    ++t.programs;
    t.instructions += p.order.size();
    t.webs += l.webs.size();
    t.lifted += l.virtual_webs();
  }
}

}  // namespace

TEST_CASE("lift: every listing, there and back") {
  tally t;
  for (const std::string& path : corpus::listings()) check_listing(path, t);
  CHECK(t.programs > 20);
  CHECK(t.moved > 1000);
  CHECK(t.lifted * 10 > t.webs * 8);
  CHECK(t.edges_after < t.edges_before);
  // An edge that led through a value in between can become several direct ones; closures are compared above.
  CHECK(t.blocks_with_more * 100 < t.blocks);
  WARN(t.programs << " programs, " << t.instructions << " instructions, " << t.webs << " webs, " << t.lifted << " lifted; "
                  << t.edges_before << " edges before, " << t.edges_after << " after (" << t.blocks_with_more << " of "
                  << t.blocks << " blocks with more); " << t.nanoseconds / static_cast<double>(t.instructions)
                  << " ns per instruction");
  if (corpus::root().empty()) WARN("WARPWRIGHT_CORPUS is not set: corpus part not run");
}
