// SPDX-License-Identifier: BSL-1.0
//
// PS-2: bank limit, reuse limit, write-after-write distance, and the counter limit; ready lists (PLS-2).
#include "warpwright/constraint/all.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "../support/catch.hpp"
#include "random_block.hpp"
#include "test_arch.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"
#include "warpwright/schedule/ready_list/red_black_tree.hpp"

namespace {

using ww_test::block_builder;
using ww_test::tiny_arch;
using B = block_builder;
using ww::sched_class;
namespace con = ww::constraint;

con::issue_view view(const ww::program& p, ww::instr_id i, std::uint32_t cycle = 0) {
  return ww::detail::view_of<tiny_arch>(p, i, cycle);
}

}  // namespace

TEST_CASE("PS-2 bank limit: at most two sources of one bank, less what the operand cache holds") {
  block_builder b;
  const auto three = b.add(sched_class::fma, {B::d(1), B::a(2), B::b(4), B::c(6)});  // all in bank 0
  const auto two = b.add(sched_class::fma, {B::d(1), B::a(2), B::b(4), B::c(7)});
  const auto keeper = b.add(sched_class::fma, {B::d(9), B::a(2).set(ww::operand::bit_reuse), B::b(5), B::c(7)});
  const auto wide = b.add(sched_class::alu, {B::d(9), B::a(2, 4), B::b(4)});
  const ww::program p = b.finish();
  con::issue_window w;
  using limit = con::bank_limit<>;
  CHECK(limit::reads<tiny_arch>(view(p, three), w) == 3);
  CHECK_FALSE(limit::admits<tiny_arch>(view(p, three), w));
  CHECK(limit::admits<tiny_arch>(view(p, two), w));
  CHECK(limit::reads<tiny_arch>(view(p, wide), w) == 3);
  w.place(view(p, keeper));
  CHECK(limit::reads<tiny_arch>(view(p, three), w) == 2);
  CHECK(limit::admits<tiny_arch>(view(p, three), w));
}

TEST_CASE("PS-2 reuse limit: one register of a bank is kept at a time") {
  block_builder b;
  const auto keeps2 = b.add(sched_class::fma, {B::d(9), B::a(2).set(ww::operand::bit_reuse), B::b(5), B::c(7)});
  const auto keeps4 = b.add(sched_class::fma, {B::d(11), B::a(4).set(ww::operand::bit_reuse), B::b(5), B::c(7)});
  const auto keeps5 = b.add(sched_class::fma, {B::d(13), B::a(4), B::b(5).set(ww::operand::bit_reuse), B::c(7)});
  const auto reads2 = b.add(sched_class::fma, {B::d(15), B::a(2), B::b(4).set(ww::operand::bit_reuse), B::c(7)});
  const ww::program p = b.finish();
  con::issue_window w;
  CHECK(con::reuse_limit<>::admits<tiny_arch>(view(p, keeps4), w));
  w.place(view(p, keeps2));
  CHECK_FALSE(con::reuse_limit<>::admits<tiny_arch>(view(p, keeps4), w));  // same bank
  CHECK(con::reuse_limit<>::admits<tiny_arch>(view(p, keeps5), w));        // other bank
  CHECK(con::reuse_limit<>::admits<tiny_arch>(view(p, reads2), w));        // reads what is kept, then keeps its own
  CHECK(con::reuse_limit<2>::admits<tiny_arch>(view(p, keeps4), w));
}

TEST_CASE("PS-2 write distance: two writes of one register do not stand side by side") {
  block_builder b;
  const auto first = b.add(sched_class::ldg, {B::d(4, 2), B::addr(2)});
  const auto second = b.add(sched_class::alu, {B::d(5), B::a(2), B::b(3)});
  const auto apart = b.add(sched_class::alu, {B::d(6), B::a(5), B::b(4)});
  const ww::program p = b.finish();
  con::issue_window w;
  w.place(view(p, first));
  CHECK_FALSE(con::write_distance::admits<tiny_arch>(view(p, second), w));
  CHECK(con::write_distance::admits<tiny_arch>(view(p, apart), w));
  w.place(view(p, apart));
  CHECK(con::write_distance::admits<tiny_arch>(view(p, second), w));
}

TEST_CASE("PS-2 write distance: the engine puts an independent instruction between") {
  block_builder b;
  const auto first = b.add(sched_class::fma, {B::d(4), B::a(20), B::b(21), B::c(22)});
  const auto second = b.add(sched_class::fma, {B::d(4), B::a(23), B::b(24), B::c(25)});
  const auto other = b.add(sched_class::fma, {B::d(6), B::a(26), B::b(27), B::c(28)});
  const ww::program before = b.finish();
  using free_config = ww::config_of<tiny_arch, ww::priority::source_order<>>;
  using bound_config = ww::config_of<tiny_arch, ww::priority::source_order<>, con::write_distance>;
  ww::program p = before;
  ww::schedule_workspace<bound_config> ws;
  ww::schedule_block<bound_config>(p, ww::block_id{0}, ws);
  CHECK(p.order == std::vector<ww::instr_id>{first, other, second});
  static_assert(!std::is_same_v<free_config, bound_config>);
}

TEST_CASE("PS-2 counters: a seventh group of outstanding results waits for a better moment") {
  block_builder b;
  std::vector<ww::instr_id> loads;
  loads.push_back(b.add(sched_class::ldg, {B::d(10), B::addr(2)}));
  loads.push_back(b.add(sched_class::lds, {B::d(11), B::a(3)}));
  loads.push_back(b.add(sched_class::ldg, {B::d(12), B::addr(2)}));
  loads.push_back(b.add(sched_class::mufu, {B::d(13), B::a(3)}));
  const auto alu = b.add(sched_class::alu, {B::d(14), B::a(3), B::b(4)});
  const ww::program p = b.finish();
  con::issue_window w;
  using two = con::counters<2>;
  CHECK(two::admits<tiny_arch>(view(p, loads[0]), w));
  w.place(view(p, loads[0], 0));
  w.place(view(p, loads[1], 1));
  CHECK(w.open_groups(2) == 2);
  CHECK(two::admits<tiny_arch>(view(p, loads[2], 2), w));        // joins the group of its queue
  CHECK_FALSE(two::admits<tiny_arch>(view(p, loads[3], 2), w));  // would open a third
  CHECK(con::counters<3>::admits<tiny_arch>(view(p, loads[3], 2), w));
  CHECK(two::admits<tiny_arch>(view(p, alu, 2), w));
  CHECK(two::admits<tiny_arch>(view(p, loads[3], 40), w));  // the shared-memory result has arrived
}

TEST_CASE("PS-2 constraints never make a block unschedulable, and cost at most their patience") {
  using c = ww::config_of<tiny_arch, con::bank_limit<1>, con::reuse_limit<>, con::write_distance, con::counters<1>>;
  ww::schedule_workspace<c> ws;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const ww::program before = ww_test::random_block(seed, 80, {8, true});
    ww::program p = before;
    const ww::schedule_stats s = ww::schedule_block<c>(p, ww::block_id{0}, ws);
    REQUIRE_FALSE(s.failed);
    REQUIRE(ww_test::legal(before, p));
    REQUIRE(s.postponed <= 80 * (1 + 1 + 1 + 4));
  }
}

TEST_CASE("PLS-2 ready lists: best first whatever the order of insertion, ties in source order") {
  const auto drain = [](auto& q) {
    std::vector<std::uint32_t> out;
    while (!q.empty()) {
      const auto top = q.top();
      if (q.size() > 1) {
        REQUIRE(before(top, q.second()));
      } else {
        REQUIRE(top == q.second());
      }
      out.push_back(top.index());
      q.pop();
    }
    return out;
  };
  std::mt19937 rng(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<ww::ready_list::entry> entries;
    for (std::uint32_t i = 0; i < 40; ++i) entries.push_back(ww::ready_list::entry::of(rng() % 6, i));
    std::vector<std::uint32_t> expected;
    {
      auto sorted = entries;
      std::sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return before(a, b); });
      for (const auto& e : sorted) expected.push_back(e.index());
    }
    std::shuffle(entries.begin(), entries.end(), rng);
    ww::ready_list::heap<>::queue h;
    ww::ready_list::sorted_list<>::queue s;
    ww::ready_list::ordered3<>::queue o;
    o.clear();
    for (const auto& e : entries) {
      h.push(e);
      s.push(e);
      o.push(e);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) REQUIRE(s.at(i).index() == expected[i]);
    REQUIRE(drain(h) == expected);
    REQUIRE(drain(s) == expected);
    REQUIRE(drain(o) == expected);
  }
}

namespace {
struct latest_first {  // an insertion hook: turns source order round
  static constexpr std::uint64_t insert(std::uint64_t, std::uint32_t index) { return index; }
};
}  // namespace

TEST_CASE("PLS-2 ready lists: the insertion hook decides the key") {
  block_builder b;
  for (unsigned i = 0; i < 5; ++i) b.add(sched_class::fma, {B::d(10 + i), B::a(2), B::b(3), B::c(4)});
  const ww::program before = b.finish();
  const auto run = [&](auto list) {
    using c = ww::config_of<tiny_arch, decltype(list)>;
    ww::schedule_workspace<c> ws;
    ww::program p = before;
    ww::schedule_block<c>(p, ww::block_id{0}, ws);
    for (std::uint32_t i = 0; i < 5; ++i) CHECK(p.order[i].index() == 4 - i);
  };
  run(ww::ready_list::heap<latest_first>{});
  run(ww::ready_list::sorted_list<latest_first>{});
  run(ww::ready_list::ordered3<latest_first>{});
  run(ww::ready_list::red_black_tree<latest_first>{});
}

TEST_CASE("PLS-2 ready lists: shuffled successor lists give the same schedule") {
  using c = ww::config_of<tiny_arch>;
  std::mt19937 rng(11);
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    ww::program p = ww_test::random_block(seed, 70);
    ww::schedule_workspace<c> ws;
    ww::schedule_stats stats;
    ww::build_graph<tiny_arch>(p, p.order, ws.graph, ws.graph_space);
    REQUIRE(ww::order_nodes<c>(p, p.order, ws, stats));
    const auto first = ws.sequence;
    for (std::uint32_t i = 0; i < 70; ++i) {
      std::shuffle(ws.graph.succ_edges.begin() + ws.graph.succ_first[i],
                   ws.graph.succ_edges.begin() + ws.graph.succ_first[i + 1], rng);
    }
    REQUIRE(ww::order_nodes<c>(p, p.order, ws, stats));
    REQUIRE(ws.sequence == first);
  }
}
