// SPDX-License-Identifier: BSL-1.0
//
// The backends on real code: the bundled listings, and the whole corpus where WARPWRIGHT_CORPUS names its folder. Every
// order is judged by the brute-force oracle and, with new control words, by the checker; every run is made twice.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/backend/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/scoreboard/assign.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

namespace corpus = ww_test::corpus;

struct sums {
  double log_ratio = 0;
  unsigned kernels = 0;
  std::uint64_t instructions = 0;
  std::uint64_t asked = 0;
  std::size_t suspected = 0;
  std::size_t suspected_before = 0;
};

struct hazard_count {
  std::size_t certain = 0;
  std::size_t suspected = 0;  // neighbours that look exchanged; such an order is legal, and the oracle has judged it
};
template <class Arch>
hazard_count hazards(ww::program p) {
  ww::scoreboard::workspace space;
  ww::scoreboard::assign_control<Arch>(p, space);
  hazard_count n;
  for (const ww::verify::finding& f : ww::verify::check<Arch>(p).findings) {
    if (f.level != ww::verify::severity::finding) continue;
    ++(f.kind == ww::verify::finding_kind::exchanged_pair ? n.suspected : n.certain);
  }
  return n;
}

template <class Arch, class Strategy>
void judge(const ww::program& before, sums& t) {
  using config = ww::config_of<Arch, Strategy>;
  static ww::schedule_workspace<config> ws;
  ww::program p = before;
  const ww::schedule_stats s = ww::schedule_blocks<config>(p, ws);
  REQUIRE_FALSE(s.failed);
  REQUIRE(s.planned_cycles <= s.original_cycles);
  t.instructions += s.instructions;
  // A pick asks at most options::most_asked candidates, C in at most three rounds.
  REQUIRE(s.postponed <= 8u * 3u * s.instructions);
  t.asked += s.postponed;
  if (s.original_cycles > 0) {
    t.log_ratio += std::log(static_cast<double>(s.planned_cycles) / static_cast<double>(s.original_cycles));
    ++t.kernels;
  }
  for (const ww::block& b : before.blocks) {
    if (b.count < 2 || b.count > 800) continue;  // quadratic
    const ww_test::order_oracle oracle(before, before.order_of(b));
    const ww_test::misplaced_pair bad = oracle.first_misplaced(p.order_of(b));
    REQUIRE(bad.permutation);
    REQUIRE_FALSE(bad.found);
  }
  const hazard_count after = hazards<Arch>(p);
  REQUIRE(after.certain == 0);
  t.suspected += after.suspected;
  t.suspected_before += hazards<Arch>(before).suspected;
  ww::program again = before;
  ww::schedule_blocks<config>(again, ws);
  REQUIRE(again.order == p.order);
}

using few = ww::meta::type_list<ww::sm80, ww::sm90>;
#if defined(WW_TEST_FEW_ARCHS)  // sanitizer builds
using archs = few;
#else
using archs =
    ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a, ww::sm100, ww::sm103, ww::sm120>;
#endif

template <class Strategy, class Archs = archs>
void judge_all() {
  sums t;
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result read =
        ww::sass::read_listing(std::string_view(text), {.sm = corpus::sm_of(path), .file = path});
    INFO(Strategy::name << " " << path);
    REQUIRE(static_cast<bool>(read));
    for (ww::program& p : read.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      const ww::sm_id sm = ww::nearest_sm(p.sm);
      ww::meta::for_each<Archs>([&]<class Arch>() {
        if (Arch::id == sm) judge<Arch, Strategy>(p, t);
      });
    }
  }
  REQUIRE(t.kernels > 0);
  std::printf(
      "%s: %u kernels, %llu instructions, planned/original %.4f (geometric mean), %.2f candidates put back per pick, "
      "%zu neighbours look exchanged, %zu in the old order\n",
      Strategy::name, t.kernels, static_cast<unsigned long long>(t.instructions), std::exp(t.log_ratio / t.kernels),
      static_cast<double>(t.asked) / static_cast<double>(t.instructions), t.suspected, t.suspected_before);
  CHECK(t.suspected <= t.suspected_before + 2);  // the checker's suspicion hardly depends on the strategy
}

}  // namespace

TEST_CASE("PLS-16: backend B is legal and repeatable on every listing") { judge_all<ww::strategy::backend_b>(); }

TEST_CASE("PLS-17: backend C is legal and repeatable on every listing") {
  judge_all<ww::strategy::backend_c>();
  judge_all<ww::strategy::backend_c_pre, few>();
}

TEST_CASE("PLS-15: B and C together are legal and repeatable on every listing") {
  judge_all<ww::strategy::backend_bc, few>();
}
