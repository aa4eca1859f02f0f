// SPDX-License-Identifier: BSL-1.0
//
// Register pressure of orders made on virtual registers: bench_lifted [--check] [--each] [--only NAME] [LISTING...]; without
// listings, the corpus that WARPWRIGHT_CORPUS names, or the bundled listings.
//
// NAME: list, refined, reduce_reg, dyn_batch, unified_ilp, critical_path, depth_first; "NAME/physical" orders the physical
// program instead, for comparison (reduce_reg only). Every program is lifted, each of its blocks is ordered by each
// composition, and the largest number of live registers is printed before and after (lift/peak_live.hpp). The order before
// is that of the listing, in which the compiler had already reduced pressure. --each prints a line per program, --only one
// composition. --check exits 1 when an order reads other values than the listing (verify/reaching.hpp). Listings older than
// sm_90 use the tables of sm_80, the others those of sm_90: orders need no more.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "../tests/support/corpus.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/lift/lift.hpp"
#include "warpwright/lift/peak_live.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/unified/unified.hpp"
#include "warpwright/verify/reaching.hpp"

namespace {

struct options {
  bool check = false;
  bool each = false;
  std::string only;
};

struct named_program {
  std::string name;
  ww::program physical;
  ww::lifted_program lifted;
  ww::live_count before;
};

struct totals {
  unsigned programs = 0;
  unsigned fewer = 0;
  unsigned more = 0;
  unsigned wrong = 0;
  double log_ratio = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t planned = 0;  // cycles by the engine's own view
  std::uint64_t original = 0;
};

template <class Config>
void order_program(const named_program& n, const char* what, const options& o, totals& t, bool physical) {
  ww::schedule_workspace<Config> ws;
  const ww::program& before = physical ? n.physical : n.lifted.code;
  ww::program p = before;
  const ww::schedule_stats s = ww::schedule_blocks<Config>(p, ws);
  ww::peak_workspace peaks;
  const ww::live_count after = ww::peak_live(p, peaks, n.lifted.physical);
  const auto r = ww::pressure_class::r;
  ++t.programs;
  t.fewer += after[r] < n.before[r] ? 1u : 0u;
  t.more += after[r] > n.before[r] ? 1u : 0u;
  t.before += n.before[r];
  t.after += after[r];
  t.planned += s.planned_cycles;
  t.original += s.original_cycles;
  t.log_ratio += std::log(static_cast<double>(after[r] + 1) / static_cast<double>(n.before[r] + 1));
  if (o.check && !ww::verify::same_reaching(before, p).ok()) {
    ++t.wrong;
    std::fprintf(stderr, "%s, %s: the order reads other values\n", n.name.c_str(), what);
  }
  if (!o.each) return;
  std::printf("  %-48s %-19s R %3u -> %3u  P %u -> %u  UR %2u -> %2u\n", n.name.c_str(), what, n.before[r], after[r],
              n.before[ww::pressure_class::p], after[ww::pressure_class::p], n.before[ww::pressure_class::ur],
              after[ww::pressure_class::ur]);
}

// One composition over all programs; `Policies` beside the architecture. Returns the number of wrong orders.
template <class... Policies>
unsigned measure(const std::vector<named_program>& programs, const char* what, const options& o, bool physical = false) {
  if (!o.only.empty() && o.only != what) return 0;
  totals t;
  for (const named_program& n : programs) {
    if (n.physical.sm < ww::sm90::id) {
      order_program<ww::config_of<ww::sm80, Policies...>>(n, what, o, t, physical);
    } else {
      order_program<ww::config_of<ww::sm90, Policies...>>(n, what, o, t, physical);
    }
  }
  std::printf(
      "%-19s peak R, sum %llu -> %llu, geometric mean of ratios %.3f; fewer in %u, more in %u of %u; planned cycles %.3f\n",
      what, static_cast<unsigned long long>(t.before), static_cast<unsigned long long>(t.after),
      std::exp(t.log_ratio / t.programs), t.fewer, t.more, t.programs,
      static_cast<double>(t.planned) / static_cast<double>(t.original));
  return t.wrong;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  std::vector<std::string> paths;
  for (int a = 1; a < argc; ++a) {
    if (std::strcmp(argv[a], "--check") == 0) {
      o.check = true;
    } else if (std::strcmp(argv[a], "--each") == 0) {
      o.each = true;
    } else if (std::strcmp(argv[a], "--only") == 0 && a + 1 < argc) {
      o.only = argv[++a];
    } else {
      paths.emplace_back(argv[a]);
    }
  }
  if (paths.empty()) paths = ww_test::corpus::listings();
  std::vector<named_program> programs;
  ww::lift_workspace ws;
  std::size_t instructions = 0;
  std::size_t fixed = 0;
  std::array<std::size_t, ww::fixed_reason_count> by_reason{};
  std::array<std::size_t, ww::fixed_reason_count> accesses{};
  std::size_t webs = 0;
  double nanoseconds = 0;
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    auto r = ww::sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    if (!r) {
      std::fprintf(stderr, "%s\n", r.err.message().c_str());
      return 2;
    }
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      named_program n;
      n.name = std::string(ww_test::corpus::file_name(path)) + " " + std::string(r.mod.name_of(r.mod.infos[s]));
      n.physical = r.mod.sections[s];
      if (!ww::build_cfg(n.physical).ok) continue;
      double best = 1e18;
      for (unsigned repeat = 0; repeat < 3; ++repeat) {
        const std::clock_t begin = std::clock();
        unsigned runs = 0;
        do {
          if (ww::lift(n.physical, n.lifted, ws) != ww::lift_fault::none) {
            std::fprintf(stderr, "%s: %s\n", n.name.c_str(), ww::name_of(n.lifted.fault));
            return 2;
          }
          ++runs;
        } while (std::clock() - begin < CLOCKS_PER_SEC / 2000);
        best = std::min(best, 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / runs);
      }
      nanoseconds += best;
      n.before = ww::peak_live(n.lifted);
      instructions += n.physical.order.size();
      webs += n.lifted.webs.size();
      fixed += n.lifted.webs.size() - n.lifted.virtual_webs();
      for (const ww::web& w : n.lifted.webs) {
        ++by_reason[static_cast<std::size_t>(w.reason)];
        accesses[static_cast<std::size_t>(w.reason)] += w.defs + w.uses;
      }
      programs.push_back(std::move(n));
    }
  }
  if (programs.empty()) {
    std::fprintf(stderr, "no program\n");
    return 2;
  }
  std::printf("lift: %zu programs, %zu instructions, %zu webs (%zu fixed), %.0f ns per instruction (budget 300)\n",
              programs.size(), instructions, webs, fixed, nanoseconds / static_cast<double>(instructions));
  for (std::size_t k = 0; k < by_reason.size(); ++k) {
    std::printf("  %-15s %7zu webs %7zu operands\n", k == 0 ? "lifted" : ww::name_of(static_cast<ww::fixed_reason>(k)),
                by_reason[k], accesses[k]);
  }
  unsigned wrong = measure<>(programs, "list", o);
  wrong += measure<ww::priority::refined>(programs, "refined", o);
  wrong += measure<ww::strategy::unified, ww::mode::reduce_reg>(programs, "reduce_reg", o);
  wrong += measure<ww::strategy::unified, ww::mode::reduce_reg>(programs, "reduce_reg/physical", o, true);
  wrong += measure<ww::strategy::unified, ww::mode::dyn_batch>(programs, "dyn_batch", o);
  wrong += measure<ww::strategy::unified, ww::mode::ilp>(programs, "unified_ilp", o);
  wrong += measure<ww::strategy::critical_path>(programs, "critical_path", o);
  wrong += measure<ww::strategy::depth_first>(programs, "depth_first", o);
  return o.check && wrong != 0 ? 1 : 0;
}
