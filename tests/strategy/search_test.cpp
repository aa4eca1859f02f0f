// SPDX-License-Identifier: BSL-1.0
//
// The strategies that search: what undo restores, that the short blocks are optimal, that nothing is worse than the list.
#include "../support/catch.hpp"
#include "../support/slow.hpp"
#include "support.hpp"
#include "warpwright/strategy/backtracking.hpp"
#include "warpwright/strategy/permutation.hpp"

namespace {

using ww_test::block_builder;
using ww_test::random_block;
using ww_test::tiny_config;
using backtracking = ww::strategy::backtracking<>;
using permutation = ww::strategy::permutation<>;

}  // namespace

TEST_CASE("PLS-13 backtracking: after undo every word of the state is what it was before") {
  using config = tiny_config<>;
  ww::schedule_workspace<config> ws;
  ww::strategy::plan plan;
  std::size_t undone = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const ww::program p = random_block(seed, 2 + seed % 70, {seed % 2 == 0 ? 6u : 24u, seed % 3 != 0});
    ww_test::with_graph<config>(p, ws);
    plan.start(ws, ww::detail::last_is_pinned(p, p.order));
    std::mt19937 rng(seed);
    std::vector<std::uint64_t> hashes{plan.hash()};
    while (!plan.complete()) {
      const auto ready = plan.ready();
      REQUIRE(!ready.empty());
      plan.place(ready[rng() % ready.size()]);
      hashes.push_back(plan.hash());
      if (rng() % 4 != 0) continue;
      for (auto back = rng() % 9; back != 0 && plan.size() != 0; --back) {
        plan.undo();
        hashes.pop_back();
        ++undone;
        INFO("seed " << seed << " at " << plan.size());
        REQUIRE(plan.hash() == hashes.back());
      }
    }
    const std::uint32_t end = plan.end();
    ww::vec<std::uint32_t> sequence;
    plan.copy_sequence(sequence);
    while (plan.size() != 0) {
      plan.undo();
      hashes.pop_back();
      REQUIRE(plan.hash() == hashes.back());
    }
    REQUIRE(ww::detail::cycles_of(ws, sequence) == end);
  }
  CHECK(undone > 3000);
}

TEST_CASE("PLS-13 plan: the bound is never above the end of any way to finish") {
  using config = tiny_config<>;
  ww::schedule_workspace<config> ws;
  ww::strategy::plan plan;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const ww::program p = random_block(seed, 2 + seed % 40, {seed % 2 == 0 ? 6u : 60u, seed % 3 != 0});
    ww_test::with_graph<config>(p, ws);
    plan.start(ws, ww::detail::last_is_pinned(p, p.order));
    std::mt19937 rng(seed);
    std::uint32_t highest = 0;
    while (!plan.complete()) {
      REQUIRE(plan.bound() >= highest);
      highest = plan.bound();
      const auto ready = plan.ready();
      plan.place(ready[rng() % ready.size()]);
    }
    REQUIRE(plan.end() >= highest);
  }
}

TEST_CASE("PLS-13 backtracking: an undone pick finds an order that the list scheduler misses") {
  using list = tiny_config<>;
  using back = tiny_config<backtracking>;
  ww::schedule_workspace<list> a;
  ww::schedule_workspace<back> b;
  unsigned shorter = 0;
  std::uint32_t adopted = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    ww::program x = random_block(seed, 12 + seed % 50, {seed % 2 == 0 ? 60u : 16u, seed % 3 != 0});
    ww::program y = x;
    const ww::program before = x;
    const ww::schedule_stats s = ww::schedule_block<list>(x, ww::block_id{0}, a);
    const ww::schedule_stats t = ww::schedule_block<back>(y, ww::block_id{0}, b);
    INFO("seed " << seed);
    REQUIRE(t.planned_cycles <= s.planned_cycles);
    REQUIRE(ww_test::legal(before, y));
    REQUIRE(b.own.picks <= 64 * before.order.size());
    shorter += t.planned_cycles < s.planned_cycles ? 1u : 0u;
    adopted += b.own.adopted;
  }
  CHECK(shorter >= 20);
  CHECK(adopted >= shorter);
}

TEST_CASE("PLS-13 backtracking: work is bounded by the budget of picks per instruction") {
  using frugal = tiny_config<ww::strategy::backtracking<10, 6, 0, 1>>;
  ww::schedule_workspace<frugal> a;
  ww::schedule_workspace<tiny_config<backtracking>> b;
  unsigned over = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    ww::program x = random_block(seed, 60, {40, true});
    ww::program y = x;
    ww::schedule_block<frugal>(x, ww::block_id{0}, a);
    ww::schedule_block<tiny_config<backtracking>>(y, ww::block_id{0}, b);
    REQUIRE(a.own.picks <= 60);
    over += b.own.picks > 60 ? 1u : 0u;
  }
  CHECK(over > 10);
}

TEST_CASE("PLS-13 backtracking: deeper undo and more work never lose the guarantee, and depth helps") {
  using list = tiny_config<>;
  using shallow = tiny_config<ww::strategy::backtracking<1, 4, 1, 64>>;
  using deep = tiny_config<ww::strategy::backtracking<12, 6, 0, 256>>;
  std::uint64_t sums[3] = {0, 0, 0};
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const ww::program p = random_block(seed, 30, {40, true});
    ww::program x = p;
    ww::program y = p;
    ww::program z = p;
    sums[0] += ww_test::schedule<list>(x).planned_cycles;
    sums[1] += ww_test::schedule<shallow>(y).planned_cycles;
    sums[2] += ww_test::schedule<deep>(z).planned_cycles;
  }
  CHECK(sums[1] <= sums[0]);
  CHECK(sums[2] < sums[1]);
}

TEST_CASE("PLS-13 permutation: the shortest of all legal orders, by brute force on thousands of blocks") {
  using config = tiny_config<permutation>;
  ww::schedule_workspace<config> ws;
  ww::schedule_workspace<tiny_config<>> other;
  unsigned blocks = 0;
  unsigned shorter_than_list = 0;
  constexpr std::uint32_t seeds = ww_test::slow ? 1000 : 3000;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const unsigned n = 2 + seed % 7;
    const ww::program before = random_block(seed * 7919u, n,
                                            {seed % 3 == 0   ? 6u
                                             : seed % 3 == 1 ? 24u
                                                             : 200u,
                                             seed % 2 == 0});
    ww::program p = before;
    const ww::schedule_stats s = ww::schedule_block<config>(p, ww::block_id{0}, ws);
    INFO("seed " << seed);
    REQUIRE(ws.own.proved);
    ww_test::with_graph<config>(before, other);
    ww_test::enumerate all(other, ww::detail::last_is_pinned(before, before.order));
    REQUIRE(s.planned_cycles == all.shortest());
    REQUIRE(ww_test::legal(before, p));
    ww::program q = before;
    shorter_than_list += s.planned_cycles < ww_test::schedule<tiny_config<>>(q).planned_cycles ? 1u : 0u;
    ++blocks;
  }
  CHECK(blocks == seeds);
  CHECK(shorter_than_list > seeds / 150);
}

TEST_CASE("PLS-13 permutation: ten instructions are proved, eleven fall back to windows and are never worse than the list") {
  using config = tiny_config<permutation>;
  ww::schedule_workspace<config> ws;
  ww::schedule_workspace<tiny_config<>> list;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    ww::program p = random_block(seed, 10, {200, seed % 2 == 0});
    ww::schedule_block<config>(p, ww::block_id{0}, ws);
    REQUIRE(ws.own.proved);
    REQUIRE(ws.own.picks < 200000);
  }
  unsigned shorter = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const ww::program before = random_block(seed, 11 + seed % 60, {seed % 2 == 0 ? 60u : 16u, seed % 3 != 0});
    ww::program p = before;
    ww::program q = before;
    const ww::schedule_stats s = ww::schedule_block<config>(p, ww::block_id{0}, ws);
    const ww::schedule_stats t = ww::schedule_block<tiny_config<>>(q, ww::block_id{0}, list);
    REQUIRE(s.planned_cycles <= t.planned_cycles);
    REQUIRE(ww_test::legal(before, p));
    const std::size_t windows = before.order.size() / 5 + 1;
    REQUIRE(ws.own.picks <= (200 + 20 + 10) * windows);  // a judged order may end behind the last pick allowed
    shorter += s.planned_cycles < t.planned_cycles ? 1u : 0u;
  }
  CHECK(shorter >= 20);
}

TEST_CASE("PLS-13 permutation: what cannot be told apart is tried once, and no worse state is searched again") {
  // five MUFU with one reader and three ALU with the same reader: 8!/(5! 3!) = 56 ways to mix them, 8! without symmetry
  using config = tiny_config<permutation>;
  ww::schedule_workspace<config> ws;
  block_builder b;
  using B = block_builder;
  for (unsigned i = 0; i < 5; ++i) b.add(ww::sched_class::mufu, {B::d(10 + i), B::a(60)});
  for (unsigned i = 0; i < 3; ++i) b.add(ww::sched_class::alu, {B::d(30 + i), B::a(60), B::b(61)});
  b.add(ww::sched_class::alu, {B::d(40), B::a(10, 4), B::b(30)});
  b.add(ww::sched_class::alu, {B::d(50), B::a(60), B::b(61)});
  ww::program p = b.finish();
  const ww::schedule_stats s = ww::schedule_block<config>(p, ww::block_id{0}, ws);
  CHECK(ws.own.proved);
  CHECK(s.planned_cycles == 55);
  CHECK(ws.own.picks < 200);
}
