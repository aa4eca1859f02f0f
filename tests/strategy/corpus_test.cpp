// SPDX-License-Identifier: BSL-1.0
//
// Every strategy on real code (the bundled listings, and the corpus where WARPWRIGHT_CORPUS names its folder) and on bad
// shapes: legal by the brute-force oracle, clean by the checker, the same twice, nothing allocated once warm.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "../schedule/count_allocations.hpp"
#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "../support/random_block.hpp"
#include "../support/slow.hpp"
#include "support.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/strategy/all.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace strategy = ww::strategy;
using ww_test::random_block;

// Two architectures serve all listings: what is legal does not depend on latencies. The checker judges those whose own
// architecture it is.
using archs = ww::meta::type_list<ww::sm80, ww::sm90>;

template <class Arch>
bool serves(ww::sm_id sm) {
  return (sm >= ww::sm90::id) == (Arch::id == ww::sm90::id);
}

// The sections of every listing that one of `archs` serves.
struct listed {
  std::string path;
  ww::program p;
};
const std::vector<listed>& sections() {
  static const std::vector<listed> all = [] {
    std::vector<listed> v;
    for (const std::string& path : corpus::listings()) {
      const std::string text = corpus::text(path);
      ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
      if (!r) continue;
      for (ww::program& p : r.mod.sections) {
        if (ww::build_cfg(p).ok) v.push_back({path, p});
      }
    }
    return v;
  }();
  return all;
}

struct figures {
  double list = 0;
  double planned = 0;
  double nanoseconds = 0;
  std::uint64_t instructions = 0;
  std::size_t programs = 0;
};

template <class Arch, class S>
void judge(const ww::program& before, ww::schedule_workspace<ww::config_of<Arch, S>>& ws, figures& f) {
  using config = ww::config_of<Arch, S>;
  ww::program p = before;
  const auto start = std::chrono::steady_clock::now();
  const ww::schedule_stats s = ww::schedule_blocks<config>(p, ws);
  f.nanoseconds += std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  f.instructions += p.order.size();
  ++f.programs;
  REQUIRE_FALSE(s.failed);
  ww::program q = before;
  ww::schedule_workspace<ww::config_of<Arch>> list;
  f.planned += static_cast<double>(s.planned_cycles);
  f.list += static_cast<double>(ww::schedule_blocks<ww::config_of<Arch>>(q, list).planned_cycles);
  if (!std::is_same_v<S, strategy::pressure>) REQUIRE(s.planned_cycles <= s.original_cycles);
  for (const ww::block& b : before.blocks) {
    if (b.count < 2 || b.count > 300) continue;  // quadratic
    const ww_test::misplaced_pair bad = ww_test::order_oracle(before, before.order_of(b)).first_misplaced(p.order_of(b));
    REQUIRE(bad.permutation);
    REQUIRE_FALSE(bad.found);
  }
  ww::program again = before;
  ww::schedule_blocks<config>(again, ws);
  REQUIRE(again.order == p.order);
  ww::scoreboard::workspace board;
  ww::scoreboard::assign_control<Arch>(p, board);
  if constexpr (requires { S::template finish<Arch>(p, ws.own); }) S::template finish<Arch>(p, ws.own);
  if (before.sm != Arch::id) return;
  const ww::verify::report r = ww::verify::check<Arch>(p);
  for (const ww::verify::finding& x : r.findings) {
    // distances, counters and encodings; the lints look at how the compiler orders, which is what changed
    if (x.level == ww::verify::severity::note || x.kind > ww::verify::finding_kind::fixed_counter) continue;
    FAIL(ww::verify::name(x.kind) << " at instruction " << x.second.index());
  }
}

template <class S, class... As>
void judge_strategy(ww::meta::type_list<As...>) {
  figures f;
  const auto one = [&]<class Arch>() {
    ww::schedule_workspace<ww::config_of<Arch, S>> ws;
    std::size_t number = 0;
    for (const listed& l : sections()) {
      if (!serves<Arch>(l.p.sm) || !ww_test::chosen(number++, 2)) continue;
      INFO(S::name << " " << l.path);
      judge<Arch, S>(l.p, ws, f);
    }
  };
  (one.template operator()<As>(), ...);
  REQUIRE(f.programs > 10);
  std::printf("%-20s %4zu functions, planned/list %.4f, %.0f ns per instruction\n", S::name, f.programs, f.planned / f.list,
              f.nanoseconds / static_cast<double>(f.instructions));
}

// Fences only, one instruction, nothing, and a block above the size limit.
template <class S>
void judge_shapes() {
  using config = ww_test::tiny_config<S>;
  ww::schedule_workspace<config> ws;
  ww::program empty;
  empty.blocks.resize(1);
  CHECK_FALSE(ww::schedule_blocks<config>(empty, ws).failed);
  for (const unsigned count : {1u, 2u, 3u, 12u, 300u}) {
    ww_test::random_block_options o;
    o.count = count;
    o.fence_percent = 100;
    const ww::program before = ww_test::random_block(count, o);
    ww::program p = before;
    CHECK_FALSE(ww::schedule_blocks<config>(p, ws).failed);
    CHECK(p.order == before.order);
  }
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    ww_test::random_block_options o;
    o.count = 1 + seed;
    o.ends_with_branch = seed % 2 == 0;
    o.virtual_registers = seed % 5 == 0;
    const ww::program before = ww_test::random_block(seed, o);
    ww::program p = before;
    CHECK_FALSE(ww::schedule_blocks<config>(p, ws).failed);
    const ww_test::misplaced_pair bad = ww_test::order_oracle(before, before.order).first_misplaced(p.order);
    REQUIRE(bad.permutation);
    REQUIRE_FALSE(bad.found);
  }
  const ww::program large = ww_test::random_block(7, 5000, {120, true});
  ww::program p = large;
  const auto start = std::chrono::steady_clock::now();
  const ww::schedule_stats s = ww::schedule_blocks<config>(p, ws);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK_FALSE(s.failed);
  CHECK(s.chunks == 2);
  CHECK(seconds < 20);
  ww::program again = large;
  const std::size_t allocated = ww_test::allocations();
  ww::schedule_blocks<config>(again, ws);
  CHECK(ww_test::allocations() == allocated);
  CHECK(again.order == p.order);
  // PLS-14: no instruction leaves its part
  for (std::size_t k = 0; k < 2048; ++k) REQUIRE(p.order[k].index() < 4095);
}

template <class... Ss, class F>
void each(ww::meta::type_list<Ss...>, F&& f) {
  (f.template operator()<Ss>(), ...);
}

}  // namespace

TEST_CASE("PLS-13 strategies: every one on real code, legal by the oracle, clean by the checker, the same twice") {
  each(strategy::block_level{}, []<class S>() { judge_strategy<S>(archs{}); });
}

TEST_CASE("PLS-13 strategies: bad shapes, a block above the size limit, and nothing allocated when warm") {
  each(strategy::block_level{}, []<class S>() {
    INFO(S::name);
    judge_shapes<S>();
  });
}

TEST_CASE("PLS-13 strategies: finishing control words allocates nothing when warm, and gives the same words twice") {
  const auto one = []<class S>(const ww::program& p) {
    using space = typename ww::detail::strategy_space<S>::type;
    if constexpr (requires(ww::program & q, space & own) { S::template finish<ww::sm80>(q, own); }) {
      INFO(S::name);
      space own;
      ww::program warm = p;
      ww::program again = p;
      for (unsigned k = 0; k < 2; ++k) {  // twice: lists that are exchanged between rounds grow one after the other
        warm = p;
        S::template finish<ww::sm80>(warm, own);
      }
      const std::size_t allocated = ww_test::allocations();
      S::template finish<ww::sm80>(again, own);
      CHECK(ww_test::allocations() == allocated);
      for (std::size_t i = 0; i < p.instructions.size(); ++i) REQUIRE(again.instructions[i].ctl == warm.instructions[i].ctl);
    }
  };
  unsigned programs = 0;
  for (const listed& l : sections()) {
    if (l.p.sm != ww::sm80::id) continue;
    each(strategy::block_level{}, [&]<class S>() { one.template operator()<S>(l.p); });
    ++programs;
  }
  CHECK(programs > 5);
}

TEST_CASE("PLS-13 strategies: one reason per pick where reasons are wanted") {
  each(strategy::block_level{}, []<class S>() {
    using config = ww_test::tiny_config<S>;
    ww::schedule_workspace<config> ws;
    ws.want_reasons = true;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      ww::program p = random_block(seed, 1 + 3 * seed, {24, true});
      ww::schedule_blocks<config>(p, ws);
      INFO(S::name << " seed " << seed);
      if (S::models_cycles) REQUIRE(ws.reasons.size() == p.order.size());
      for (const ww::pick_reason& r : ws.reasons) {
        REQUIRE((r.runner_up == 0xffffffffu || r.runner_up < p.order.size()));
      }
    }
  });
}

TEST_CASE(
    "PLS-13 strategies: every kind of the ledger's row that acts inside a block is in the list, by a name of its own") {
  std::vector<std::string> names;
  each(strategy::block_level{}, [&]<class S>() { names.emplace_back(S::name); });
  for (const char* wanted :
       {"list", "backtracking", "permutation", "latency", "pressure", "dual_issue", "tensor", "scoreboard_reuse",
        "warp_yield", "dual_issue_pairing", "combined", "depth_first", "critical_path"}) {
    CHECK(std::count(names.begin(), names.end(), wanted) == 1);
  }
}
