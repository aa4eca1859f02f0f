// SPDX-License-Identifier: BSL-1.0
//
// What the core loop tells a per-pick priority before each pick (PLS-1, PLS-3): the pre-scan of the ready list, the budgets, the
// traits of barrier targets; each by the number that is seen and by who wins.
#include <cstdint>
#include <vector>

#include "../support/catch.hpp"
#include "random_block.hpp"
#include "test_arch.hpp"
#include "warpwright/priority/packed.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

using ww::dependence_kind;
using ww::sched_class;
using ww::priority::candidate;
using ww::priority::pick_state;
using ww::priority::trait;
using B = ww_test::block_builder;
using indices = std::vector<std::uint32_t>;

// The priority `Base`, which keeps what it is shown.
template <class Base>
struct watched : Base {
  static constexpr const char* name = "watched";
  struct look {
    pick_state state;
    candidate candidates[2];
  };
  static inline std::vector<look> looks;

  static ww::priority::verdict compare(const candidate& a, const candidate& b, const pick_state& s) {
    looks.push_back({s, {a, b}});
    return Base::compare(a, b, s);
  }
};

struct edge {
  std::uint32_t from, to;
  std::uint16_t latency;
};

// The order of a block whose dependences are these and no others.
template <class Priority>
indices order_of(const ww::program& p, const std::vector<edge>& edges) {
  using c = ww::config_of<ww_test::tiny_arch, Priority>;
  ww::schedule_workspace<c> ws;
  ws.graph.reset(static_cast<std::uint32_t>(p.order.size()));
  for (const edge& e : edges) ws.graph.add(e.from, e.to, e.latency, dependence_kind::raw);
  ws.graph.finish();
  ww::compute_critical_path(ws.graph);
  ww::schedule_stats stats;
  REQUIRE(ww::order_nodes<c>(p, p.order, ws, stats));
  return {ws.sequence.begin(), ws.sequence.end()};
}
// The same, and the state at the first comparison of each pick that had one.
template <class Base>
std::vector<pick_state> states_of(const ww::program& p, const std::vector<edge>& edges) {
  using spy = watched<Base>;
  spy::looks.clear();
  order_of<spy>(p, edges);
  std::vector<pick_state> out;
  for (const auto& l : spy::looks) {
    if (out.empty() || out.back().cycle != l.state.cycle) out.push_back(l.state);
  }
  return out;
}
// The candidate of this index as the priority was shown it.
template <class Base>
candidate shown(std::uint32_t index) {
  for (const auto& l : watched<Base>::looks) {
    for (const candidate& c : l.candidates) {
      if (c.index == index) return c;
    }
  }
  FAIL("never shown");
  return {};
}

using ww::priority::packed;
using ww::priority::refined;

}  // namespace

TEST_CASE("PLS-1 pre-scan: the yield state begins where everything ready would wait four cycles") {
  B b;
  b.add(sched_class::alu, {B::d(1)});
  b.add(sched_class::fma, {B::d(2), B::a(1)});
  b.add(sched_class::fma, {B::d(3), B::a(1)});
  ww::program p = b.finish();
  p.instructions[2].add(ww::iflag::convergence);
  // The second pick stands in cycle 1.
  CHECK_FALSE(states_of<refined>(p, {{0, 1, 4}, {0, 2, 4}}).at(0).yield_state);
  CHECK(states_of<refined>(p, {{0, 1, 5}, {0, 2, 5}}).at(0).yield_state);
  CHECK_FALSE(states_of<refined>(p, {{0, 1, 4}, {0, 2, 5}}).at(0).yield_state);
  CHECK(order_of<refined>(p, {{0, 1, 4}, {0, 2, 4}}) == indices{0, 1, 2});
  CHECK(order_of<refined>(p, {{0, 1, 5}, {0, 2, 5}}) == indices{0, 2, 1});  // the control instruction carries it
}

TEST_CASE("PLS-3 temperature: a hot winner ends the tracking of the block") {
  B b;
  b.add(sched_class::fma, {B::d(1)});
  b.add(sched_class::ldg, {B::d(2)});
  b.add(sched_class::alu, {B::d(3)});
  ww::program p = b.finish();
  p.instructions[2].space = ww::mem_space::texture;  // on a pipe of its own
  p.instructions[2].dir = ww::mem_dir::load;
  CHECK(order_of<refined>(p, {}) == indices{1, 0, 2});
  const auto states = states_of<refined>(p, {});
  REQUIRE(states.size() == 2);
  CHECK(states[0].hot_budget == 16);
  CHECK(states[1].hot_budget == 0);
}

TEST_CASE("PLS-3 temperature: each cold winner takes one from the budget of sixteen, and at none hot is nothing") {
  const auto block = [](unsigned cold) {
    B b;
    for (unsigned i = 0; i < cold; ++i) b.add(sched_class::lds, {B::d(10 + i)});
    b.add(sched_class::fma, {B::d(1)});
    b.add(sched_class::alu, {B::d(2)});
    ww::program p = b.finish();
    p.instructions[cold + 1].space = ww::mem_space::global;
    p.instructions[cold + 1].dir = ww::mem_dir::load;
    return p;
  };
  for (const unsigned cold : {1u, 15u, 16u, 17u}) {
    INFO(cold << " cold accesses");
    const ww::program p = block(cold);
    std::vector<edge> edges;
    for (std::uint32_t i = 1; i < cold; ++i) edges.push_back({i - 1, i, 4});
    edges.push_back({cold - 1, cold, 4});
    edges.push_back({cold - 1, cold + 1, 4});
    const indices order = order_of<refined>(p, edges);
    CHECK(order[cold] == (cold < 16 ? cold + 1 : cold));
    const auto states = states_of<refined>(p, edges);
    REQUIRE(states.size() == 1);
    CHECK(states[0].hot_budget == (cold < 16 ? 16 - cold : 0));
  }
}

TEST_CASE("PLS-1 pre-scan: what grows adds up, what releases does not; shared accesses and barrier targets are counted") {
  B b;
  b.add(sched_class::alu, {B::d(1, 2)});
  b.add(sched_class::alu, {B::d(3)});
  b.add(sched_class::stg, {B::data(40)});  // the last reader before R40 is written
  b.add(sched_class::lds, {B::d(5)});
  b.add(sched_class::fma, {B::d(40), B::a(5)});
  const ww::program p = b.finish();
  const std::vector<edge> edges{{2, 4, 1}, {3, 4, 30}};
  using spy = watched<refined>;
  spy::looks.clear();
  const indices order = order_of<spy>(p, edges);
  const pick_state& first = spy::looks.front().state;
  CHECK(first.positive_pressure == 2 + 1 + 1);
  CHECK(first.shared_count == 1);
  CHECK(first.barrier_count == 0);
  CHECK(shown<refined>(2).delta[0] == -1);
  // Behind the winner there is so much less of each.
  for (const spy::look& l : spy::looks) {
    if (l.state.cycle == 0) continue;
    REQUIRE(order[0] == 3);  // the head of the longest path
    CHECK(l.state.positive_pressure == 2 + 1);
    CHECK(l.state.shared_count == 0);
    break;
  }
}

TEST_CASE("PLS-4 budgets: 95 % of the declared registers, and a sixteenth less where contention begins") {
  B b;
  b.add(sched_class::alu, {B::d(1)});
  b.add(sched_class::fma, {B::d(2)});
  ww::program p = b.finish();
  p.register_count = 100;
  const pick_state declared = states_of<refined>(p, {}).at(0);
  CHECK(declared.limit[0] == 95);
  CHECK(declared.reduced_limit == 95 - 5);
  CHECK(declared.limit[1] == 7);
  CHECK(declared.limit[2] == 7);
  CHECK(declared.limit[3] == 63);
  p.register_count = 0;
  CHECK(states_of<refined>(p, {}).at(0).limit[0] == 253);
  CHECK(states_of<refined>(p, {}).at(0).reduced_limit == 253 - 15);
}

TEST_CASE("PLS-4 budgets: between the reduced limit and the limit, what takes fewer registers goes first") {
  B b;
  b.add(sched_class::alu, {B::d(1, 2)});  // deadline sooner, but takes two registers
  b.add(sched_class::fma, {B::d(3)});
  b.add(sched_class::alu, {B::a(1)});
  b.add(sched_class::alu, {B::a(3)});
  for (unsigned i = 0; i < 22; ++i) b.add(sched_class::alu, {B::a(100 + 4 * i, 4)});  // 88 live at the start
  b.add(sched_class::alu, {});
  b.add(sched_class::mufu, {});  // the critical path begins here, and is picked first
  ww::program p = b.finish();
  std::vector<edge> edges{{0, 2, 4}, {1, 3, 4}, {2, 4, 3}, {3, 4, 1}, {27, 4, 20}};
  for (std::uint32_t i = 4; i < 26; ++i) edges.push_back({i, i + 1, 9});
  const auto first = [&](unsigned registers) {
    p.register_count = registers;
    const indices order = order_of<refined>(p, edges);
    REQUIRE(order[0] == 27);
    return order[1];
  };
  watched<refined>::looks.clear();
  order_of<watched<refined>>(p, edges);
  REQUIRE(watched<refined>::looks.front().state.live[0] == 88);
  CHECK(first(110) == 0);  // 104 - 6 = 98
  CHECK(first(97) == 1);   // 92 - 5 = 87
}

TEST_CASE("PLS-3 barrier targets: who reads a variable result goes first where all else is equal") {
  B b;
  b.add(sched_class::alu, {B::d(1)});
  b.add(sched_class::lds, {B::d(2)});
  b.add(sched_class::fma, {B::d(3), B::a(1)});
  b.add(sched_class::fma, {B::d(4), B::a(2)});
  const ww::program p = b.finish();
  const std::vector<edge> edges{{0, 2, 8}, {0, 3, 8}, {1, 2, 7}, {1, 3, 7}};
  std::vector<edge> plain = edges;
  plain.erase(plain.begin() + 2);  // the first reader no longer waits for the load
  CHECK(order_of<packed>(p, edges) == indices{0, 1, 2, 3});
  plain.push_back({0, 2, 8});
  CHECK(order_of<packed>(p, plain) == indices{0, 1, 3, 2});
  states_of<packed>(p, plain);
  CHECK(shown<packed>(3).has(trait::barrier_target));
  CHECK_FALSE(shown<packed>(2).has(trait::barrier_target));
  CHECK(watched<packed>::looks.back().state.barrier_count == 1);
  CHECK(watched<packed>::looks.back().state.max_predecessor_cycle == 1);  // the load went second
}

TEST_CASE("PLS-3 barrier targets: the group is the highest queue that is waited for, and the lowest group goes first") {
  B b;
  b.add(sched_class::ldg, {B::d(1)});
  b.add(sched_class::lds, {B::d(2)});
  b.add(sched_class::fma, {B::d(3), B::a(1), B::b(2)});
  b.add(sched_class::fma, {B::d(4), B::a(2)});
  const ww::program p = b.finish();
  const std::vector<edge> edges{{0, 2, 13}, {1, 2, 9}, {1, 3, 9}};
  const auto group = [](ww::queue_id q) { return static_cast<std::uint8_t>(q); };
  states_of<refined>(p, edges);
  CHECK(shown<refined>(2).barrier_group == group(ww::queue_id::global));
  CHECK(shown<refined>(3).barrier_group == group(ww::queue_id::shared));
  REQUIRE(group(ww::queue_id::shared) < group(ww::queue_id::global));
  CHECK(order_of<refined>(p, edges) == indices{0, 1, 3, 2});
}
