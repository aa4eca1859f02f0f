// SPDX-License-Identifier: BSL-1.0
//
// Loop-aware orders against a simulation of many iterations, and barriers that may or may not be merged.
#include <random>
#include <string>

#include "../schedule/test_arch.hpp"
#include "../support/order_oracle.hpp"
#include "support.hpp"
#include "warpwright/region/barrier_coalescence.hpp"
#include "warpwright/region/loop_aware.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

using ww::region::barrier_refusal;
using ww::strategy::loop_aware;
using ww_test::from_text;
using list_config = ww::config_of<ww_test::tiny_arch>;
using loop_config = ww::config_of<ww_test::tiny_arch, loop_aware>;

// Cycles of `times` iterations in a row of block 1, in its present order.
std::uint64_t cycles_of_iterations(const ww::program& p, unsigned times) {
  ww::schedule_space ws;
  ww::vec<ww::instr_id> order;
  for (unsigned k = 0; k < times; ++k) {
    const auto body = p.order_of(p.blocks[1]);
    order.insert(order.end(), body.begin(), body.end());
  }
  ww::build_graph<ww::with_margin<ww_test::tiny_arch, list_config::margin>, list_config::graph_builder,
                  list_config::disambiguation>(p, order, ws.graph, ws.graph_space);
  ww::detail::fill_nodes<ww_test::tiny_arch>(p, order, ws);
  return ww::detail::cycles_of_source_order(ws);
}

unsigned peak_of(const ww::program& p) {
  ww::liveness live;
  live.compute(p);
  ww::vec<std::uint64_t> row(live.live_out(ww::block_id{1}).begin(), live.live_out(ww::block_id{1}).end());
  unsigned most = 0;
  const auto order = p.order_of(p.blocks[1]);
  for (std::size_t k = order.size(); k-- > 0;) {
    live.step(p, p[order[k]], row.data());
    most = std::max(most, live.layout.population<ww::simd::scalar>(row.data())[ww::pressure_class::r]);
  }
  return most;
}

// The first `kept` of its fourteen values are read behind the loop.
ww::program random_loop(unsigned seed, unsigned kept = 14) {
  std::mt19937 rng(seed);
  const auto any = [&rng] { return "R" + std::to_string(10 + rng() % 14); };
  std::string text = "MOV R1, RZ\nloop:\n";
  const unsigned length = 4 + static_cast<unsigned>(rng() % 12);
  for (unsigned k = 0; k < length; ++k) {
    switch (rng() % 4) {
      case 0:
        text += "LDS " + any() + ", [" + any() + "]\n";
        break;
      case 1:
        text += "IADD3 " + any() + ", " + any() + ", " + any() + ", RZ\n";
        break;
      default:
        text += "FFMA " + any() + ", " + any() + ", " + any() + ", " + any() + "\n";
        break;
    }
  }
  text += "IADD3 R1, R1, 0x1, RZ\nISETP.LT.AND P0, PT, R1, R2, PT\n@P0 BRA `(loop)\n";
  for (unsigned k = 10; k < 10 + kept; ++k) text += "STG.E [R4], R" + std::to_string(k) + "\n";
  return from_text(text + "EXIT");
}

}  // namespace

TEST_CASE("PLS-13 loop-aware: many iterations of its order are never slower than those of the list order") {
  unsigned faster = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const ww::program before = random_loop(seed);
    ww::program list = before;
    ww::program loop = before;
    ww::schedule_workspace<list_config> ws;
    ww::schedule_workspace<loop_config> own;
    ww::schedule_blocks<list_config>(list, ws);
    ww::schedule_blocks<loop_config>(loop, own);
    INFO("seed " << seed);
    REQUIRE(own.own.loops == 1);
    const auto order = before.order_of(before.blocks[1]);
    const ww_test::misplaced_pair bad = ww_test::order_oracle(before, order).first_misplaced(loop.order_of(loop.blocks[1]));
    REQUIRE(bad.permutation);
    REQUIRE_FALSE(bad.found);
    const std::uint64_t steady_list = cycles_of_iterations(list, 2) - cycles_of_iterations(list, 1);
    const std::uint64_t steady_loop = cycles_of_iterations(loop, 2) - cycles_of_iterations(loop, 1);
    const std::uint64_t cost_list = cycles_of_iterations(list, 1) + 9 * steady_list;
    const std::uint64_t cost_loop = cycles_of_iterations(loop, 1) + 9 * steady_loop;
    REQUIRE(cost_loop <= cost_list);
    REQUIRE(cost_loop <=
            cycles_of_iterations(before, 1) + 9 * (cycles_of_iterations(before, 2) - cycles_of_iterations(before, 1)));
    faster += cost_loop < cost_list ? 1 : 0;
  }
  INFO(faster);
  CHECK(faster > 10);
}

TEST_CASE("PLS-13 loop-aware: the trip count comes from the weights") {
  ww::program p = random_loop(1);
  CHECK(ww::region::iterations_per_entry(p, ww::block_id{1}) == 10.0);
  p.blocks[1].weight = 300;
  p.blocks[0].weight = 100;
  CHECK(ww::region::iterations_per_entry(p, ww::block_id{1}) == 3.0);
  p.blocks[1].weight = 1;
  CHECK(ww::region::iterations_per_entry(p, ww::block_id{1}) == 1.0);
}

TEST_CASE("PLS-13 loop-aware: no order needs more registers than the budget and the old order") {
  unsigned narrower = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const ww::program before = random_loop(seed, 2);
    ww::program tight = before;
    ww::program wide = before;
    ww::schedule_workspace<loop_config> own;
    own.own.budget = 1;
    ww::schedule_blocks<loop_config>(tight, own);
    own.own.budget = 200;
    ww::schedule_blocks<loop_config>(wide, own);
    INFO("seed " << seed);
    REQUIRE(peak_of(tight) <= peak_of(before));
    narrower += peak_of(tight) < peak_of(wide) ? 1 : 0;
  }
  CHECK(narrower > 5);
}

namespace {

constexpr std::uint64_t full[2] = {0x7b1d, 0x000fec0000010000};
constexpr std::uint64_t old_full[2] = {0x7b1d, 0x000fea0000000000};

struct part {
  const char* text;
  const std::uint64_t* words = nullptr;
};

ww::program build(std::initializer_list<part> parts) {
  ww::isa::builder b;
  for (const part& x : parts) {
    if (std::string_view(x.text).back() == ':') {
      b.label(std::string_view(x.text).substr(0, std::string_view(x.text).size() - 1));
    } else {
      b.text(x.text, x.words);
    }
  }
  ww::program p = b.finish();
  REQUIRE(b.ok());
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

using coalescence = ww::strategy::barrier_coalescence<>;
const part bar{"BAR.SYNC.DEFER_BLOCKING 0x0", full};

unsigned merged(ww::program p, barrier_refusal why = barrier_refusal::none) {
  coalescence::space space;
  const std::size_t before = p.order.size();
  const unsigned n = coalescence::transform<list_config>(p, space);
  CHECK(p.order.size() == before - n);
  std::uint32_t covered = 0;
  for (const ww::block& b : p.blocks) {
    CHECK(b.first == covered);
    covered += b.count;
  }
  CHECK(covered == p.order.size());
  if (why != barrier_refusal::none) CHECK(space.refused[static_cast<unsigned>(why)] != 0);
  return n;
}

}  // namespace

TEST_CASE("PLS-13 coalescence: the second of two barriers with arithmetic between goes") {
  CHECK(merged(build({{"STS [R2], R3"}, bar, {"IADD3 R4, R5, R6, RZ"}, bar, {"LDS R7, [R2]"}, {"EXIT"}})) == 1);
  CHECK(merged(build({bar, bar, bar, {"EXIT"}})) == 2);
  CHECK(merged(build({bar, {"BAR.SYNC 0x0", old_full}, {"EXIT"}})) == 1);
}

TEST_CASE("PLS-13 coalescence: what a barrier orders keeps both") {
  CHECK(merged(build({bar, {"STS [R2], R3"}, bar, {"EXIT"}}), barrier_refusal::between) == 0);
  CHECK(merged(build({bar, {"LDG.E R2, [R4.64]"}, bar, {"EXIT"}}), barrier_refusal::between) == 0);
  CHECK(merged(build({bar, {"MEMBAR.SC.GPU"}, bar, {"EXIT"}}), barrier_refusal::between) == 0);
  CHECK(merged(build({bar, {"WARPSYNC 0xffffffff"}, bar, {"EXIT"}}), barrier_refusal::between) == 0);
}

TEST_CASE("PLS-13 coalescence: arrivals, reductions and unknown words are no full barriers") {
  static constexpr std::uint64_t reduction[2] = {0x7b1d, 0x000fec0001014000};
  static constexpr std::uint64_t counted[2] = {0x0042000000007b1d, 0x002fec0000010000};
  CHECK(merged(build({{"BAR.SYNC 0x0"}, {"BAR.SYNC 0x0"}, {"EXIT"}}), barrier_refusal::not_full) == 0);
  CHECK(merged(build({bar, {"BAR.RED.POPC.DEFER_BLOCKING 0x0, P2", reduction}, {"EXIT"}}), barrier_refusal::not_full) == 0);
  CHECK(
      merged(
          build({{"BAR.SYNC.DEFER_BLOCKING 0x1, 0x80", counted}, {"BAR.SYNC.DEFER_BLOCKING 0x1, 0x80", counted}, {"EXIT"}}),
          barrier_refusal::not_full) == 0);
}

TEST_CASE("PLS-13 coalescence: threads that leave earlier, branches and loops keep both") {
  CHECK(merged(build({{"@P0 EXIT"}, bar, bar, {"EXIT"}}), barrier_refusal::divergent) == 0);
  CHECK(merged(build({{"@P0 BRA `(far)"}, bar, bar, {"far:"}, {"EXIT"}}), barrier_refusal::divergent) == 0);
  CHECK(merged(build({{"loop:"}, bar, bar, {"@P0 BRA `(loop)"}, {"EXIT"}}), barrier_refusal::divergent) == 0);
  CHECK(merged(build({{"@P0 BRA `(far)"}, bar, {"far:"}, bar, bar, {"EXIT"}}), barrier_refusal::divergent) == 0);
}

TEST_CASE("PLS-13 coalescence: a listing keeps every instruction") {
  ww::program p = build({bar, bar, {"EXIT"}});
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].source = i;
  CHECK(merged(p, barrier_refusal::placed) == 0);
}
