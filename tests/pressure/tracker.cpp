// SPDX-License-Identifier: BSL-1.0
//
// PLS-9, PLS-10: liveness, the incremental tracker and the resource vectors against plain recomputation.
#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/pressure/liveness.hpp>
#include <warpwright/pressure/occupancy.hpp>
#include <warpwright/pressure/resource_vector.hpp>
#include <warpwright/pressure/tracker.hpp>
#include <warpwright/simd/sse2.hpp>

#include "../support/catch.hpp"
#include "../support/random_block.hpp"
#include "../support/test_arch.hpp"

namespace {

using ww::block_id;
using ww::operand;
using ww::pressure_class;

void append(ww::program& p, ww::vec<operand> ops, bool guarded = false) {
  ww::instruction ins;
  ins.iclass = ww::sched_class::alu;
  if (guarded) ins.add(ww::iflag::guarded);
  ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
  ins.operand_count = static_cast<std::uint8_t>(ops.size());
  p.operands.insert(p.operands.end(), ops.begin(), ops.end());
  p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
  p.instructions.push_back(ins);
}

operand def(unsigned n) { return operand::def(ww::R(n), ww::slot::dst); }
operand use(unsigned n) { return operand::use(ww::R(n), ww::slot::a); }
operand guard(unsigned n) { return operand::use(ww::P(n), ww::slot::guard); }

// entry: R0 =, R1 =    loop: R1 = R1 + R0, @P0 R2 = R1    exit: R3 = R2
ww::program loop_program() {
  ww::program p;
  append(p, {def(0)});
  append(p, {def(1)});
  append(p, {def(1), use(1), use(0)});
  append(p, {def(2).set(operand::bit_partial), use(1), guard(0)}, true);
  append(p, {def(3), use(2)});
  p.blocks.resize(3);
  const std::uint32_t shape[3][4] = {{0, 2, 0, 1}, {2, 2, 1, 2}, {4, 1, 3, 0}};
  for (std::size_t b = 0; b < 3; ++b) {
    p.blocks[b].first = shape[b][0];
    p.blocks[b].count = shape[b][1];
    p.blocks[b].first_edge = shape[b][2];
    p.blocks[b].edge_count = shape[b][3];
  }
  p.edges = {{block_id(0), block_id(1), ww::edge_kind::fall},
             {block_id(1), block_id(1), ww::edge_kind::branch},
             {block_id(1), block_id(2), ww::edge_kind::fall}};
  p.pred_edges = {0, 1, 2};
  p.blocks[1].first_pred = 0;
  p.blocks[1].pred_count = 2;
  p.blocks[2].first_pred = 2;
  p.blocks[2].pred_count = 1;
  return p;
}

bool live(const ww::liveness& l, std::span<const std::uint64_t> set, ww::reg r) {
  std::uint32_t bit = 0;
  return l.layout.bit_of(r, bit) && (set[bit >> 6] >> (bit & 63u) & 1u) != 0;
}

}  // namespace

TEST_CASE("PLS-10 liveness: back edges, guarded writes that do not kill, open exits") {
  ww::program p = loop_program();
  ww::liveness l;
  l.compute(p);
  CHECK(live(l, l.live_in(block_id(1)), ww::R(0)));
  CHECK(live(l, l.live_out(block_id(1)), ww::R(0)));  // through the back edge
  CHECK(live(l, l.live_in(block_id(1)), ww::R(2)));   // the guarded write keeps the old value
  CHECK(live(l, l.live_in(block_id(0)), ww::R(2)));   // never written fully: live from the entry
  CHECK(live(l, l.live_in(block_id(0)), ww::P(0)));
  CHECK(!live(l, l.live_in(block_id(0)), ww::R(1)));
  CHECK(!live(l, l.live_out(block_id(2)), ww::R(3)));
  p.blocks[2].open_exit = true;
  l.compute(p);
  CHECK(live(l, l.live_out(block_id(2)), ww::R(3)));
  CHECK(live(l, l.live_in(block_id(2)), ww::R(0)));
  ww::liveness wide;
  wide.compute<ww::simd::sse2>(p);
  CHECK(wide.in == l.in);
  CHECK(wide.out == l.out);
}

TEST_CASE("PLS-10 live counts include dead results at their definition") {
  const ww::program p = loop_program();
  ww::liveness l;
  l.compute(p);
  ww::vec<ww::live_count> counts;
  ww::count_live(p, l, counts);
  CHECK(counts[4][pressure_class::r] == 2);  // R2 read, R3 written and dead
  CHECK(counts[2][pressure_class::r] == 3);  // R0 R1 R2
  CHECK(counts[2][pressure_class::p] == 1);
}

TEST_CASE("PLS-10 tracker: increments, popcount and recount agree in every legal order") {
  ww::graph_workspace ws;
  ww::dependence_graph g;
  ww::pressure_tracker<> tracker;
  std::mt19937 rng(5);
  for (unsigned seed = 0; seed < 120; ++seed) {
    INFO("seed " << seed);
    ww_test::random_block_options o;
    o.count = 30;
    o.registers = 8 + seed % 12;
    o.virtual_registers = seed % 7 == 0;
    ww::program p = ww_test::random_block(seed, o);
    p.blocks[0].open_exit = seed % 2 == 0;
    ww::liveness l;
    l.compute(p);
    ww::build_graph<ww_test::test_arch>(p, p.order, g, ws);
    tracker.start(p, block_id(0), p.order, l);
    std::vector<std::uint32_t> open(g.count, 0);
    std::vector<std::uint32_t> ready;
    std::vector<ww::instr_id> moved;
    for (const auto& e : g.edges) ++open[e.to];
    for (std::uint32_t i = 0; i < g.count; ++i) {
      if (open[i] == 0) ready.push_back(i);
    }
    ww::vec<ww::live_count> after;
    while (!ready.empty()) {
      const std::size_t k = rng() % ready.size();
      const std::uint32_t node = ready[k];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k));
      const ww::live_count before = tracker.live();
      const ww::pressure_change change = tracker.delta(node);
      tracker.place(node);
      REQUIRE(tracker.live() == tracker.population());
      for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
        REQUIRE(static_cast<std::int64_t>(before.of[c]) + change.delta[c] == tracker.live().of[c]);
        REQUIRE(before.of[c] + static_cast<std::uint32_t>(change.high[c]) <= tracker.peak().of[c]);
      }
      REQUIRE(tracker.pairs(pressure_class::r) <= tracker.live()[pressure_class::r]);
      REQUIRE(2 * tracker.pairs(pressure_class::r) >= tracker.live()[pressure_class::r]);
      after.push_back(tracker.live());
      moved.push_back(p.order[node]);
      for (const auto& e : g.succ(node)) {
        if (--open[e.to] == 0) ready.push_back(e.to);
      }
    }
    // Recount backward over the new order.
    std::vector<std::uint64_t> set(l.live_out(block_id(0)).begin(), l.live_out(block_id(0)).end());
    for (std::size_t k = moved.size(); k-- > 0;) {
      const ww::live_count exact = l.layout.population<ww::simd::scalar>(set.data());
      for (std::size_t c = 0; c < ww::pressure_class_count; ++c) REQUIRE(after[k].of[c] == exact.of[c]);
      l.step(p, p[moved[k]], set.data());
    }
  }
}

TEST_CASE("PLS-10 pairs: an even register and the odd one behind it count once, whichever halves live") {
  ww::program p;
  const unsigned order[] = {1, 2, 3, 0, 5, 63, 64, 62, 9, 8};
  const std::uint32_t pairs[] = {1, 2, 2, 2, 3, 4, 5, 5, 6, 6};
  ww::vec<operand> last;  // reads them all
  for (const unsigned n : order) append(p, {def(n)});
  for (const unsigned n : order) last.push_back(use(n));
  for (const unsigned n : {1u, 2u, 3u}) {
    append(p, {operand::def(ww::P(n), ww::slot::pdst)});
    last.push_back(guard(n));
  }
  append(p, last);
  p.blocks.resize(1);
  p.blocks[0].count = 14;
  ww::liveness l;
  l.compute(p);
  ww::pressure_tracker<> tracker;
  ww::pressure_tracker<ww::simd::sse2> wide;
  tracker.start(p, block_id(0), p.order, l);
  wide.start(p, block_id(0), p.order, l);
  CHECK(tracker.pairs(pressure_class::r) == 0);
  for (std::uint32_t i = 0; i < 10; ++i) {
    INFO("R" << order[i]);
    tracker.place(i);
    wide.place(i);
    CHECK(tracker.live()[pressure_class::r] == i + 1);
    CHECK(tracker.pairs(pressure_class::r) == pairs[i]);
    CHECK(wide.pairs(pressure_class::r) == pairs[i]);
  }
  for (std::uint32_t i = 10; i < 13; ++i) tracker.place(i);
  CHECK(tracker.pairs(pressure_class::p) == 2);  // P1, and P2 with P3
  tracker.place(13);
  CHECK(tracker.pairs(pressure_class::r) == 0);
}

TEST_CASE("PLS-9 units: the ten pipes of the text, by their numbers") {
  using s = ww::sched_class;
  const auto all = [](unsigned number, std::initializer_list<s> classes) {
    for (const s c : classes) {
      INFO("class " << static_cast<unsigned>(c));
      CHECK(static_cast<unsigned>(ww::unit_of(c)) == number);
    }
  };
  all(0, {s::alu, s::setp, s::imad, s::imad_wide, s::xmad});
  all(1, {s::fma, s::half, s::half_f32, s::hfma2_mma});
  all(2, {s::fp64, s::dsetp, s::dmma});
  all(3, {s::hmma_small, s::hmma_large, s::hmma_sparse, s::imma_medium, s::bmma_small, s::bmma_large, s::qmma, s::hgmma});
  all(4, {s::ld, s::st, s::ldg, s::stg, s::lds, s::sts, s::ldl, s::stl, s::ldc, s::ldsm, s::atomg, s::red, s::ldgsts});
  all(5, {s::tex, s::tld, s::txq, s::suld, s::sust, s::suatom});
  all(6, {s::branch, s::branch_indirect, s::call, s::ret, s::exit, s::bar, s::bssy, s::bsync, s::warpsync});
  all(7, {s::atoms});
  all(8, {s::mufu, s::conv, s::conv_64, s::popc, s::flo});
  all(9, {s::ualu, s::usetp, s::uplop3, s::uimad, s::umov, s::uldc, s::r2ur});
}

TEST_CASE("PLS-9 resource vectors: the three costs, late reads, the same with every width") {
  using pipes = ww::sm80::pipes;
  using cost = ww::resource_cost<pipes>;
  const ww::sched_class made[] = {ww::sched_class::mufu, ww::sched_class::mufu, ww::sched_class::ldg};
  ww::resource_vector a;
  ww::resource_vector b;
  for (unsigned c = 0; c < ww::sched_class_count; ++c) {
    const auto k = static_cast<ww::sched_class>(c);
    CHECK(static_cast<std::size_t>(ww::unit_of(k)) < ww::functional_unit_count);
    a.accumulate(cost::own(k));
    b.accumulate<ww::simd::sse2>(cost::own(k));
    a.read_late(k, static_cast<std::int32_t>(c));
    b.read_late(k, static_cast<std::int32_t>(c));
    a.advance(3);
    b.advance<ww::simd::sse2>(3);
  }
  CHECK(a.usage == b.usage);
  CHECK(a.pending == b.pending);
  CHECK(a.busiest() == b.busiest<ww::simd::sse2>());
  CHECK(*std::min_element(a.pending.begin(), a.pending.end()) == 0);
  for (std::size_t i = ww::functional_unit_count; i < ww::resource_lanes; ++i) CHECK(a.usage[i] == 0);
  const auto special = static_cast<std::size_t>(ww::functional_unit::special);
  const auto interval = static_cast<std::int32_t>(pipes::interval(ww::sched_class::mufu));
  CHECK(cost::release(made)[special] == -2 * interval);
  CHECK(cost::combined(a, ww::sched_class::mufu, made)[special] == a.usage[special] - interval);
  CHECK(ww::unit_of(ww::sched_class::hmma_large) == ww::functional_unit::tensor);
  CHECK(ww::unit_of(ww::sched_class::lds) == ww::functional_unit::load_store);
  CHECK(ww::unit_of(ww::sched_class::usetp) == ww::functional_unit::uniform);
  a.clear();
  CHECK(a.usage == ww::resource_lanes_array{});
  a.read_late(ww::sched_class::mufu, 9);
  a.read_late(ww::sched_class::mufu, 4);  // over sooner: nothing changes
  CHECK(a.pending[special] == 9);
}

TEST_CASE("PLS-10 occupancy: budget, slack and cliff of a register count") {
  const ww::register_occupancy o = ww::occupancy_of<ww::sm80>(33);
  CHECK(o.warps == ww::sm80::limits::warps_for(33));
  CHECK(ww::sm80::limits::warps_for(o.budget) == o.warps);
  CHECK(o.budget == 40);
  CHECK(o.slack == 7);
  CHECK(ww::sm80::limits::warps_for(o.cliff) < o.warps);
  CHECK(ww::occupancy_of<ww::sm80>(255).cliff == 0);
}
