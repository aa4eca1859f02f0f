// SPDX-License-Identifier: BSL-1.0
//
// The engine on real code: the bundled listings, and every listing of the corpus where WARPWRIGHT_CORPUS names its folder.
// Legality is judged by the brute-force oracle, which shares no code with the graph.
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "count_allocations.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

namespace corpus = ww_test::corpus;

std::vector<ww::program> programs_of(const std::string& path) {
  const std::string text = corpus::text(path);
  ww::sass::listing_result r = ww::sass::read_listing(std::string_view(text), {.sm = corpus::sm_of(path), .file = path});
  std::vector<ww::program> out;
  if (!r) return out;
  for (ww::program& p : r.mod.sections) {
    static_cast<void>(ww::build_cfg(p, {}));
    out.push_back(p);
  }
  return out;
}

std::vector<std::string> listings() {
  std::vector<std::string> paths = corpus::files(corpus::bundled("listings"));
  if (!corpus::root().empty()) {
    for (const std::string& p : corpus::files(corpus::root() + "/listings")) paths.push_back(p);
  }
  return paths;
}

struct sums {
  double log_ratio = 0;
  unsigned kernels = 0;
  std::uint64_t instructions = 0;
  std::uint64_t moved = 0;
};

template <class Config>
void schedule_and_judge(const ww::program& before, sums& t, ww_test::oracle_memory memory) {
  ww::schedule_workspace<Config> ws;
  ww::program p = before;
  double old_cycles = 0;
  double new_cycles = 0;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const ww::schedule_stats s = ww::schedule_block<Config>(p, ww::block_id{b}, ws);
    REQUIRE_FALSE(s.failed);
    REQUIRE(s.planned_cycles <= s.original_cycles);
    old_cycles += p.blocks[b].weight * static_cast<double>(s.original_cycles);
    new_cycles += p.blocks[b].weight * static_cast<double>(s.planned_cycles);
    t.instructions += s.instructions;
    const auto was = before.order_of(before.blocks[b]);
    const auto is = p.order_of(p.blocks[b]);
    for (std::size_t i = 0; i < was.size(); ++i) t.moved += was[i] == is[i] ? 0u : 1u;
    const ww_test::order_oracle oracle(before, was, memory);
    const ww_test::misplaced_pair bad = oracle.first_misplaced(is);
    INFO("block " << b << " instructions " << bad.first.index() << " and " << bad.second.index());
    REQUIRE(bad.permutation);
    REQUIRE_FALSE(bad.found);
  }
  if (old_cycles > 0) {
    t.log_ratio += std::log(new_cycles / old_cycles);
    ++t.kernels;
  }
}

template <class... Ps>
void judge_all(const char* name, ww_test::oracle_memory memory = ww_test::oracle_memory::conservative) {
  sums t;
  for (const std::string& path : listings()) {
    INFO(name << " " << path);
    for (const ww::program& p : programs_of(path)) {
      ww::visit_arch(ww::nearest_sm(p.sm),
                     [&]<class Arch>() { schedule_and_judge<ww::config_of<Arch, Ps...>>(p, t, memory); });
    }
  }
  REQUIRE(t.kernels > 0);
  WARN(name << ": " << t.kernels << " kernels, " << t.instructions << " instructions, " << t.moved
            << " moved, planned/original geometric mean " << std::exp(t.log_ratio / t.kernels));
  CHECK(t.moved > 0);
}

}  // namespace

TEST_CASE("PS-1 engine on real code: every dependent pair keeps its order") { judge_all<>("default"); }

TEST_CASE("PS-2 engine on real code: constraints keep every order legal") {
  judge_all<ww::constraint::bank_limit<>, ww::constraint::reuse_limit<>, ww::constraint::write_distance,
            ww::constraint::counters<>>("all constraints");
}

TEST_CASE("PLS-3 engine on real code: refined priority") { judge_all<ww::priority::refined>("refined"); }

TEST_CASE("PLS-8 engine on real code: base and offset disambiguation") {
  judge_all<ww::base_offset>("base_offset", ww_test::oracle_memory::same_base);
}

TEST_CASE("PLS-1 engine on real code: nothing is allocated after warm-up") {
  using config = ww::config_of<ww::sm90>;
  ww::schedule_workspace<config> ws;
  std::vector<ww::program> first;
  for (const std::string& path : corpus::files(corpus::bundled("listings"))) {
    for (const ww::program& p : programs_of(path)) {
      if (p.sm == ww::sm90::id) first.push_back(p);
    }
  }
  REQUIRE(first.size() > 3);
  std::vector<ww::program> second = first;
  for (ww::program& p : first) ww::schedule_blocks<config>(p, ws);
  const std::size_t before = ww_test::allocations();
  for (ww::program& p : second) ww::schedule_blocks<config>(p, ws);
  CHECK(ww_test::allocations() == before);
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].order == second[i].order);
}
