// SPDX-License-Identifier: BSL-1.0
//
// The engine on random blocks: legal, deterministic, never longer than before, no allocation after warm-up, linear
// reasons, size limits, and how far list scheduling is from the best order of small blocks.
#include "warpwright/schedule/engine.hpp"

#include <algorithm>
#include <numeric>

#include "../support/catch.hpp"
#include "count_allocations.hpp"
#include "random_block.hpp"
#include "test_arch.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"
#include "warpwright/schedule/ready_list/sorted_list.hpp"

namespace {

using ww_test::block_builder;
using ww_test::legal;
using ww_test::random_block;
using ww_test::tiny_arch;

template <class... Ps>
using config = ww::config_of<tiny_arch, Ps...>;

template <class Config>
ww::schedule_stats schedule(ww::program& p) {
  ww::schedule_workspace<Config> ws;
  return ww::schedule_block<Config>(p, ww::block_id{0}, ws);
}

template <class Config>
void check_legal(std::uint32_t seeds) {
  ww::schedule_workspace<Config> ws;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    for (const unsigned registers : {6u, 24u, 200u}) {
      const ww::program before = random_block(seed, 1 + seed % 90, {registers, seed % 3 != 0});
      ww::program after = before;
      const ww::schedule_stats s = ww::schedule_block<Config>(after, ww::block_id{0}, ws);
      INFO("seed " << seed << " registers " << registers);
      REQUIRE(!s.failed);
      REQUIRE(legal(before, after));
      REQUIRE(s.planned_cycles <= s.original_cycles);
      REQUIRE(s.planned_cycles >= before.order.size());
      if (s.kept_blocks == 0) {  // what the engine planned is what replaying its order gives
        REQUIRE(s.planned_cycles == ww::detail::cycles_of(ws, ws.sequence));
      }
      ww::program again = before;
      ww::schedule_block<Config>(again, ww::block_id{0}, ws);
      REQUIRE(again.order == after.order);
    }
  }
}

// As the page of priorities has it, without the optional member.
struct shortest_first {
  using role = ww::role::priority;
  static constexpr bool fixed_key = false;
  static constexpr ww::priority::verdict compare(const ww::priority::candidate& a, const ww::priority::candidate& b,
                                                 const ww::priority::pick_state&) {
    return {a.height != b.height ? a.height < b.height : a.index < b.index, 0};
  }
  static constexpr const char* reason_name(unsigned) { return "height"; }
};

template <class Base>
struct derived : Base {
  static constexpr const char* name = "derived";
};
template <class Base>
void check_runs_as_base() {
  ww::schedule_workspace<config<derived<Base>>> ws;
  ww::schedule_workspace<config<Base>> base_ws;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    ww::program p = random_block(seed, 1 + seed * 4, {24, true});
    ww::program q = p;
    ww::schedule_block<config<derived<Base>>>(p, ww::block_id{0}, ws);
    ww::schedule_block<config<Base>>(q, ww::block_id{0}, base_ws);
    REQUIRE(ws.sequence == base_ws.sequence);
    REQUIRE(p.order == q.order);
  }
}

using all_constraints = ww::constraint::shipped;

}  // namespace

TEST_CASE("PLS-1 engine: every composition gives a legal order, the same one each time") {
  SECTION("default") { check_legal<config<>>(80); }
  SECTION("sorted list") { check_legal<config<ww::ready_list::sorted_list<>>>(40); }
  SECTION("ordered3") { check_legal<config<ww::ready_list::ordered3<>>>(40); }
  SECTION("source order") { check_legal<config<ww::priority::source_order<>>>(40); }
  SECTION("packed") { check_legal<config<ww::priority::packed>>(40); }
  SECTION("own, per pick") { check_legal<config<shortest_first>>(40); }
  SECTION("refined") { check_legal<config<ww::priority::refined>>(40); }
  SECTION("constraints") {
    check_legal<config<ww::constraint::bank_limit<>, ww::constraint::reuse_limit<>, ww::constraint::write_distance,
                       ww::constraint::counters<2>>>(40);
    check_legal<config<ww::priority::refined, ww::constraint::bank_limit<1>, ww::constraint::write_distance,
                       ww::constraint::counters<1>>>(40);
  }
  SECTION("depth first") { check_legal<config<ww::strategy::depth_first>>(40); }
  SECTION("critical path sort") { check_legal<config<ww::strategy::critical_path>>(40); }
  SECTION("keep") { check_legal<config<ww::strategy::keep>>(5); }
}

TEST_CASE("PLS-2 ready lists: heap, sorted list and ordered3 give the same order") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const ww::program before = random_block(seed, 100);
    ww::program a = before;
    ww::program b = before;
    ww::program c = before;
    schedule<config<ww::ready_list::heap<>>>(a);
    schedule<config<ww::ready_list::sorted_list<>>>(b);
    schedule<config<ww::ready_list::ordered3<>>>(c);
    REQUIRE(a.order == b.order);
    REQUIRE(a.order == c.order);
  }
}

TEST_CASE("PLS-1 engine: a load is issued early enough to hide its latency") {
  block_builder b;
  using B = block_builder;
  using ww::sched_class;
  for (unsigned i = 0; i < 10; ++i) b.add(sched_class::alu, {B::d(40 + i), B::a(60), B::b(61)});
  const ww::instr_id load = b.add(sched_class::ldg, {B::d(4), B::addr(2)});
  const ww::instr_id use = b.add(sched_class::alu, {B::d(5), B::a(4), B::b(61)});
  b.add(sched_class::exit, {});
  ww::program p = b.finish();
  const ww::schedule_stats s = schedule<config<>>(p);
  CHECK(p.order.front() == load);
  CHECK(p.order[p.order.size() - 2] == use);
  CHECK(s.planned_cycles < s.original_cycles);
}

TEST_CASE("PLS-1 engine: a half-rate pipe is interleaved with another one") {
  block_builder b;
  using B = block_builder;
  for (unsigned i = 0; i < 4; ++i) b.add(ww::sched_class::alu, {B::d(40 + i), B::a(60), B::b(61)});
  for (unsigned i = 0; i < 4; ++i) b.add(ww::sched_class::fma, {B::d(50 + i), B::a(60), B::b(61), B::c(62)});
  ww::program p = b.finish();
  const ww::schedule_stats s = schedule<config<>>(p);
  CHECK(s.original_cycles == 11);  // four ALU two apart, then four FMA
  CHECK(s.planned_cycles == 8);
}

TEST_CASE("PLS-1 engine: an instruction that ends the block stays last, and fixed points do not move") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    ww::program p = random_block(seed, 50);
    const ww::instr_id last = p.order.back();
    schedule<config<>>(p);
    REQUIRE(p.order.back() == last);
  }
}

TEST_CASE("PLS-1 engine: the end of the block stays last even where the graph says nothing about it") {
  const auto run = [](auto composition) {
    using c = typename decltype(composition)::type;
    block_builder b;
    b.add(ww::sched_class::alu, {});
    b.add(ww::sched_class::alu, {});
    b.add(ww::sched_class::exit, {});  // its pipe is free when the second ALU instruction still waits
    const ww::program p = b.finish();
    ww::schedule_workspace<c> ws;
    ws.graph.reset(3);
    ws.graph.finish();
    ww::compute_critical_path(ws.graph);
    ww::schedule_stats s;
    REQUIRE(ww::order_nodes<c>(p, p.order, ws, s));
    CHECK(ws.sequence == std::vector<std::uint32_t>{0, 1, 2});
  };
  run(ww::meta::type_identity<config<>>{});
  run(ww::meta::type_identity<config<ww::priority::packed>>{});
}

TEST_CASE("PLS-1 engine: an order that would be longer is not taken") {
  std::uint32_t kept = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const ww::program before = random_block(seed, 40);
    ww::program p = before;
    const ww::schedule_stats s = schedule<config<ww::strategy::depth_first>>(p);
    kept += s.kept_blocks;
    if (s.kept_blocks == 1) REQUIRE(p.order == before.order);
  }
  CHECK(kept > 0);
}

TEST_CASE("strategies: one derived from an engine's own runs as its base") {
  check_runs_as_base<ww::strategy::list>();
  check_runs_as_base<ww::strategy::critical_path>();
  check_runs_as_base<ww::strategy::depth_first>();
  check_runs_as_base<ww::strategy::keep>();
}

TEST_CASE("PLS-14 size limits: blocks above 4095 instructions are split into equal parts that keep their order") {
  CHECK(ww::part_count(4095) == 1);
  CHECK(ww::part_count(4096) == 2);
  CHECK(ww::part_of(4096, 0).count == 2048);
  CHECK(ww::part_of(4096, 1).first == 2048);
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < ww::part_count(100000); ++i) {
    const ww::part part = ww::part_of(100000, i);
    CHECK(part.first == at);
    CHECK(part.count <= ww::block_size_limit);
    at += part.count;
  }
  CHECK(at == 100000);

  const ww::program before = random_block(7, 5000, {200, true});
  ww::program p = before;
  const ww::schedule_stats s = schedule<config<>>(p);
  CHECK(s.split_blocks == 1);
  CHECK(s.chunks == 2);
  CHECK(legal(before, p));
  for (std::uint32_t i = 0; i < 2500; ++i) {  // nothing crosses from one part to the other
    REQUIRE(p.order[i].index() < 2500);
  }
}

TEST_CASE("PLS-14 size limits: functions above 16383 instructions are walked in chunks of whole blocks") {
  const std::vector<std::uint32_t> sizes{16000, 383, 1, 20000, 5, 5};
  std::vector<std::uint32_t> firsts;
  const std::uint32_t chunks = ww::for_each_chunk(
      6, [&](std::uint32_t b) { return sizes[b]; },
      [&](std::uint32_t first, std::uint32_t count) {
        firsts.push_back(first);
        std::uint64_t total = 0;
        for (std::uint32_t b = first; b < first + count; ++b) total += sizes[b];
        CHECK((total <= ww::function_size_limit || count == 1));
      });
  CHECK(chunks == firsts.size());
  CHECK(firsts == std::vector<std::uint32_t>{0, 2, 3, 4});
}

TEST_CASE("PLS-1 engine: after warm-up nothing is allocated") {
  const auto run = [](auto composition) {
    using c = typename decltype(composition)::type;
    ww::schedule_workspace<c> ws;
    ww::program big = random_block(1, 3000);
    ww::schedule_block<c>(big, ww::block_id{0}, ws);
    ww::program next = random_block(1, 3000);
    const std::size_t before = ww_test::allocations();
    ww::schedule_block<c>(next, ww::block_id{0}, ws);
    CHECK(ww_test::allocations() == before);
  };
  run(ww::meta::type_identity<config<>>{});
  run(ww::meta::type_identity<config<ww::ready_list::ordered3<>>>{});
  run(ww::meta::type_identity<config<ww::ready_list::sorted_list<>>>{});
  run(ww::meta::type_identity<config<ww::priority::packed>>{});
  run(ww::meta::type_identity<config<ww::strategy::depth_first>>{});
  run(ww::meta::type_identity<config<ww::constraint::bank_limit<>, ww::constraint::counters<>>>{});
}

TEST_CASE("PLS-1 engine: every pick has a reason, and asking for reasons does not change the order") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const ww::program before = random_block(seed, 60);
    const auto run = [&](auto composition) {
      using c = typename decltype(composition)::type;
      ww::schedule_workspace<c> ws;
      ww::program plain = before;
      ww::schedule_block<c>(plain, ww::block_id{0}, ws);
      ws.want_reasons = true;
      ww::program told = before;
      ww::schedule_block<c>(told, ww::block_id{0}, ws);
      REQUIRE(plain.order == told.order);
      REQUIRE(ws.reasons.size() == 60);
      std::size_t compared = 0;
      for (std::size_t i = 0; i < ws.reasons.size(); ++i) {
        const ww::pick_reason& r = ws.reasons[i];
        REQUIRE(c::priority::reason_name(r.field) != nullptr);
        if (r.kind == ww::pick_kind::compared) {
          ++compared;
          REQUIRE(r.runner_up < 60);
          REQUIRE(r.runner_up != ws.sequence[i]);
        }
      }
      REQUIRE(ws.reasons.back().kind == ww::pick_kind::pinned);
      REQUIRE(compared > 0);
    };
    run(ww::meta::type_identity<config<>>{});
    run(ww::meta::type_identity<config<ww::priority::packed>>{});
    run(ww::meta::type_identity<config<ww::priority::refined>>{});
  }
}

TEST_CASE("PLS-1 engine: a graph with a cycle is refused and nothing is changed") {
  using c = config<>;
  ww::schedule_workspace<c> ws;
  ww::program p = random_block(3, 3, {200, false});
  ws.graph.reset(3);
  ws.graph.add(0, 1, 1, ww::dependence_kind::raw);
  ws.graph.add(1, 2, 1, ww::dependence_kind::raw);
  ws.graph.add(2, 1, 1, ww::dependence_kind::raw);
  ws.graph.finish();
  ws.graph.height.assign(3, 1);
  ws.graph.depth.assign(3, 0);
  ww::schedule_stats s;
  CHECK_FALSE(ww::order_nodes<c>(p, p.order, ws, s));
  using q = config<ww::priority::packed>;
  ww::schedule_workspace<q> wq;
  wq.graph = ws.graph;
  CHECK_FALSE(ww::order_nodes<q>(p, p.order, wq, s));
}

TEST_CASE("PLS-1 engine: list scheduling is close to the best order of small blocks") {
  // Exhaustive search over all legal orders of blocks of up to eight instructions, in the engine's own view of time.
  using c = config<>;
  ww::schedule_workspace<c> ws;
  std::uint64_t best_total = 0;
  std::uint64_t list_total = 0;
  std::uint64_t source_total = 0;
  unsigned optimal = 0;
  unsigned blocks = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const unsigned n = 4 + seed % 5;
    const ww::program before = random_block(seed, n, {10, false});
    ww::program p = before;
    const ww::schedule_stats s = ww::schedule_block<c>(p, ww::block_id{0}, ws);
    ww::build_graph<tiny_arch>(before, before.order, ws.graph, ws.graph_space);
    ww::detail::fill_nodes<tiny_arch>(before, before.order, ws);
    std::vector<std::uint32_t> perm(n);
    std::iota(perm.begin(), perm.end(), 0u);
    std::uint64_t best = s.original_cycles;
    do {
      std::vector<std::uint32_t> place(n);
      for (std::uint32_t i = 0; i < n; ++i) place[perm[i]] = i;
      const bool ok = std::all_of(ws.graph.edges.begin(), ws.graph.edges.end(),
                                  [&](const ww::dependence_edge& e) { return place[e.from] < place[e.to]; });
      if (ok) best = std::min(best, ww::detail::cycles_of(ws, perm));
    } while (std::next_permutation(perm.begin(), perm.end()));
    REQUIRE(s.planned_cycles >= best);
    best_total += best;
    list_total += s.planned_cycles;
    source_total += s.original_cycles;
    optimal += s.planned_cycles == best ? 1u : 0u;
    ++blocks;
  }
  WARN("best " << best_total << " list " << list_total << " source " << source_total << "; optimal in " << optimal << " of "
               << blocks);
  CHECK(list_total * 100 <= best_total * 102);
  CHECK(list_total < source_total);
  CHECK(optimal * 100 >= blocks * 80);
}
