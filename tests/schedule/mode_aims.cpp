// SPDX-License-Identifier: BSL-1.0
//
// PLS-1: each mode by its own aim: which blocks it orders, and which new orders it takes.
#include <cstdint>
#include <string>

#include "../support/catch.hpp"
#include "../support/random_block.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/unified/unified.hpp"

namespace {

using ww::mode::dyn_batch;
using ww::mode::ilp;
using ww::mode::reduce_reg;
template <class Mode>
using config = ww::config_of<ww::sm90, ww::strategy::unified, Mode>;

// Registers of the four classes at the peak of the old and of the new order, and the cycles of both.
struct outcome {
  std::int32_t before[4] = {20, 3, 2, 5};
  std::int32_t after[4] = {20, 3, 2, 5};
  std::uint64_t original_cycles = 100;
  std::uint64_t planned_cycles = 100;
};
template <class Mode>
bool refused(const outcome& o) {
  ww::schedule_workspace<config<Mode>> ws;
  for (unsigned g = 0; g < 4; ++g) {
    ws.own.peak_before.of[g] = o.before[g];
    ws.own.peak_after.of[g] = o.after[g];
  }
  ww::schedule_stats s;
  s.original_cycles = o.original_cycles;
  s.planned_cycles = o.planned_cycles;
  return ww::is_worse<config<Mode>>(ws, s);
}

// The peak of a block in its present order.
ww::unified::class_counts peak_of(const ww::program& p, ww::unified::space& own) {
  own.live.compute(p);
  ww::unified::live_at_ends(p, p.blocks[0], ww::block_id{0}, 0, p.blocks[0].count, own);
  own.values.start(p, p.order_of(p.blocks[0]), own.live, own.live_in, own.live_out);
  return own.values.peak_in_order();
}

}  // namespace

TEST_CASE("PLS-1 ReduceReg: an order with more live registers is not taken however short, one with fewer is however long") {
  CHECK_FALSE(refused<reduce_reg>({}));
  outcome o;
  o.after[0] = 21;
  o.planned_cycles = 50;
  CHECK(refused<reduce_reg>(o));
  o.after[0] = 19;
  o.planned_cycles = 500;
  CHECK_FALSE(refused<reduce_reg>(o));
  o.after[1] = 4;  // general registers come first
  CHECK_FALSE(refused<reduce_reg>(o));
  for (unsigned g = 1; g < 4; ++g) {
    INFO("class " << g);
    outcome other;
    ++other.after[g];
    other.planned_cycles = 50;
    CHECK(refused<reduce_reg>(other));
    other.after[g] -= 2;
    CHECK_FALSE(refused<reduce_reg>(other));
  }
  outcome longer;  // with as many registers it may not be longer
  longer.planned_cycles = 101;
  CHECK(refused<reduce_reg>(longer));
}

TEST_CASE("PLS-1 ILP and DynBatch: a longer order is not taken, whatever its registers") {
  outcome o;
  o.after[0] = 10;
  o.planned_cycles = 101;
  CHECK(refused<ilp>(o));
  CHECK(refused<dyn_batch>(o));
  o.after[0] = 90;
  o.planned_cycles = 100;
  CHECK_FALSE(refused<ilp>(o));
  CHECK_FALSE(refused<dyn_batch>(o));
}

TEST_CASE("PLS-1 ReduceReg: no block ends with more live registers than it began with") {
  ww::schedule_workspace<config<reduce_reg>> ws;
  ww::unified::space own;
  unsigned kept = 0;
  unsigned reduced = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    ww_test::random_block_options o;
    o.count = 4 + seed % 40;
    o.registers = seed % 2 == 0 ? 12 : 40;
    ww::program p = ww_test::random_block(seed, o);
    REQUIRE(ww::build_cfg(p).ok);
    const ww::unified::class_counts before = peak_of(p, own);
    const ww::schedule_stats s = ww::schedule_blocks<config<reduce_reg>>(p, ws);
    const ww::unified::class_counts after = peak_of(p, own);
    REQUIRE(after.of[0] <= before.of[0]);
    if (after.of[0] == before.of[0]) {
      for (unsigned g = 1; g < 4; ++g) REQUIRE(after.of[g] <= before.of[g]);
    }
    kept += s.kept_blocks != 0 && ws.own.peak_after.of[0] > before.of[0] ? 1u : 0u;
    reduced += after.of[0] < before.of[0] ? 1u : 0u;
  }
  CHECK(kept > 0);
  CHECK(reduced > 10);
}

TEST_CASE("PLS-1 gates: ReduceReg leaves blocks of one or two instructions alone, the others order every block") {
  CHECK_FALSE(reduce_reg::schedules(1));
  CHECK_FALSE(reduce_reg::schedules(2));
  CHECK(reduce_reg::schedules(3));
  CHECK(ilp::schedules(1));
  CHECK(dyn_batch::schedules(1));
  const auto picks = [](auto mode, bool longer) {
    using c = config<decltype(mode)>;
    ww::isa::builder b;
    b.text("FADD R0, R1, R2");
    if (longer) b.text("FADD R3, R4, R5");
    b.text("EXIT");
    ww::program p = b.finish();
    REQUIRE(ww::build_cfg(p).ok);
    ww::schedule_workspace<c> ws;
    ww::schedule_blocks<c>(p, ws);
    return ws.own.picks;
  };
  CHECK(picks(reduce_reg{}, false) == 0);
  CHECK(picks(reduce_reg{}, true) == 2);
  CHECK(picks(ilp{}, false) == 1);
  CHECK(picks(dyn_batch{}, false) == 1);
}

TEST_CASE("PLS-1 temperature: sixteen cold accesses of a block use the budget up, in every mode") {
  CHECK(ilp::hot_budget == 16);
  CHECK(reduce_reg::hot_budget == 16);
  CHECK(dyn_batch::hot_budget == 16);
  const auto left = [](unsigned cold) {
    using c = config<ilp>;
    ww::isa::builder b;
    for (unsigned i = 0; i < cold; ++i) b.text("LDS R" + std::to_string(10 + i) + ", [R2]");
    b.text("EXIT");
    ww::program p = b.finish();
    REQUIRE(ww::build_cfg(p).ok);
    ww::schedule_workspace<c> ws;
    ww::strategy::unified::prepare<c>(p, ws);
    ws.at = ww::block_id{0};
    ww::build_graph<ww::sm90>(p, p.order, ws.graph, ws.graph_space);
    ww::detail::fill_nodes<ww::sm90>(p, p.order, ws);
    ww::unified::engine<c, ww::schedule_workspace<c>> e(p, p.order, ws);
    REQUIRE(e.run());
    CHECK(e.now().temperature_counts() == (cold < 16));
    return e.now().hot_budget;
  };
  CHECK(left(0) == 16);
  CHECK(left(1) == 15);
  CHECK(left(15) == 1);
  CHECK(left(16) == 0);
  CHECK(left(20) == 0);
}
