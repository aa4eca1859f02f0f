// SPDX-License-Identifier: BSL-1.0
//
// PLS-12: the loop that builds its graph inline, against the order oracle.
#include "warpwright/schedule/inline_graph.hpp"

#include "../support/catch.hpp"
#include "../support/order_oracle.hpp"
#include "../support/random_block.hpp"
#include "random_block.hpp"
#include "test_arch.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

template <unsigned Window>
using config = ww::config_of<ww::sm90, ww::strategy::inline_graph<Window>>;

template <unsigned Window>
void check(unsigned& changed) {
  ww::schedule_workspace<config<Window>> ws;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ww_test::random_block_options o;
    o.count = 1 + seed;
    o.registers = seed % 2 == 0 ? 12 : 80;
    const ww::program before = ww_test::random_block(seed, o);
    ww::program after = before;
    const ww::schedule_stats s = ww::schedule_block<config<Window>>(after, ww::block_id(0), ws);
    INFO("seed " << seed << " window " << Window);
    REQUIRE(s.planned_cycles <= s.original_cycles);
    const ww_test::order_oracle oracle(before, before.order);
    const auto bad = oracle.first_misplaced(after.order);
    REQUIRE(bad.permutation);
    REQUIRE_FALSE(bad.found);
    changed += after.order != before.order ? 1 : 0;
    REQUIRE(ws.own.graph.count <= Window + ww::strategy::inline_graph<Window>::remembered);
  }
}

}  // namespace

TEST_CASE("PLS-12: orders are legal whatever the window, and no graph is larger than the window") {
  unsigned changed = 0;
  check<2>(changed);
  check<7>(changed);
  check<64>(changed);
  CHECK(changed > 300);
}

TEST_CASE("PLS-12: a block of 20,000 instructions needs the memory of one window") {
  ww_test::random_block_options o;
  o.count = 20000;
  o.registers = 200;
  ww::program p = ww_test::random_block(3, o);
  const ww::program before = p;
  ww::schedule_workspace<config<64>> ws;
  const ww::schedule_stats s = ww::schedule_blocks<config<64>>(p, ws);
  CHECK(s.planned_cycles < s.original_cycles);
  CHECK(ws.own.graph.edges.capacity() < 20000);
}

TEST_CASE("PLS-12: of equally urgent instructions the one whose unit is less loaded goes first (PLS-9)") {
  using namespace ww;
  program p;
  block b;
  const auto put = [&](sched_class c, unsigned def, unsigned use, bool fence) {
    instruction i;
    i.iclass = c;
    if (fence) i.add(iflag::fence);
    i.first_operand = static_cast<std::uint32_t>(p.operands.size());
    if (!fence) p.operands.push_back(operand::def(R(def), slot::dst));
    if (use != 0) p.operands.push_back(operand::use(R(use), slot::a));
    i.operand_count = static_cast<std::uint8_t>(p.operands.size() - i.first_operand);
    p.order.push_back(instr_id(static_cast<std::uint32_t>(p.instructions.size())));
    p.instructions.push_back(i);
  };
  // both units are free behind the fence, and the integer unit has done more
  put(sched_class::alu, 1, 0, false);
  put(sched_class::alu, 2, 0, false);
  put(sched_class::bar, 0, 0, true);
  put(sched_class::alu, 3, 0, false);
  put(sched_class::fma, 4, 0, false);
  // behind the next one, one of two additions is the last to read a result of its own unit
  put(sched_class::bar, 0, 0, true);
  put(sched_class::alu, 5, 0, false);
  put(sched_class::alu, 6, 2, false);
  b.count = 8;
  p.blocks.push_back(b);
  schedule_workspace<config<64>> ws;
  schedule_block<config<64>>(p, block_id(0), ws);
  CHECK(p.order[3] == instr_id(4));
  CHECK(p.order[4] == instr_id(3));
  CHECK(p.order[6] == instr_id(7));
  CHECK(p.order[7] == instr_id(6));
}

TEST_CASE("PLS-12: a unit whose late reads are not over counts as loaded, until time has passed (PLS-9)") {
  using B = ww_test::block_builder;
  using ww::sched_class;
  using c = ww::config_of<ww_test::tiny_arch, ww::strategy::inline_graph<64>>;
  // The store reads R6 for ten cycles, and R6 is written again: that long its unit is loaded. Behind the multiply-adds the load
  // of shared memory and the last multiply-add can issue in the same cycle; without the late read both units had as much.
  const auto place_of_load = [](unsigned adds, bool overwritten) {
    B b;
    b.add(sched_class::stg, {B::addr(2), B::data(6)});
    b.add(sched_class::alu, {B::d(10), B::a(20)});
    for (unsigned i = 0; i < adds; ++i) b.add(sched_class::fma, {B::d(30 + i), B::a(20)});
    const ww::instr_id load = b.add(sched_class::lds, {B::d(11), B::a(10)});
    b.add(sched_class::fma, {B::d(12), B::a(10)});
    b.add(sched_class::alu, {B::d(overwritten ? 6 : 7), B::a(20)});
    ww::program p = b.finish();
    ww::schedule_workspace<c> ws;
    ww::schedule_block<c>(p, ww::block_id{0}, ws);
    unsigned before = 0;  // multiply-adds that go before it
    for (const ww::instr_id i : p.order) {
      if (i == load) return before;
      before += p[i].iclass == sched_class::fma ? 1u : 0u;
    }
    return 99u;
  };
  CHECK(place_of_load(7, false) == 7);  // 4 + 4 cycles of its unit against 7 + 1
  CHECK(place_of_load(7, true) == 8);   // and two more of the late read
  CHECK(place_of_load(12, true) == 8);  // the read is over when eight are placed
}
