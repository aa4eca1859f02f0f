// SPDX-License-Identifier: BSL-1.0
//
// Register pressure and cycles of orders made on virtual registers: bench_lifted [--check] [--each] [--json] [--only NAME]
// [LISTING...]; without listings, the corpus that WARPWRIGHT_CORPUS names, or the bundled listings.
//
// NAME: a strategy, backend or mode as the command line names it, or refined (the list engine with that priority);
// "reduce_reg/physical" orders the physical program instead, for comparison. Every program is lifted, each of its blocks is
// ordered by each composition, and the largest number of live registers is printed before and after (lift/peak_live.hpp).
// Strategies that change the program first do so, and their inner one orders what they make. Cycles are those of the model
// for one warp with control words made anew, over those of the listing's own order with control words made anew. The order
// before is that of the listing, in which the compiler had already reduced pressure. --each prints a line per program,
// --only one composition, --json one object for each composition. --check exits 1 when an order reads other values than the
// listing (verify/reaching.hpp). Listings older than sm_90 use the tables of sm_80, the others those of sm_90: orders need
// no more.
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
#include "warpwright/model/simulate.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/region/all.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/unified/unified.hpp"
#include "warpwright/scoreboard/assign.hpp"
#include "warpwright/strategy/all.hpp"
#include "warpwright/verify/reaching.hpp"

namespace {

struct options {
  bool check = false;
  bool each = false;
  bool json = false;
  std::string only;
};

struct named_program {
  std::string name;
  ww::program physical;
  ww::lifted_program lifted;
  ww::live_count before;
  double cycles = 0;  // by the model, in the order of the listing
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
  double log_cycles = 0;  // of the model, after over before
  unsigned slower = 0;
  std::uint64_t changes = 0;  // of a strategy that changes the program
};

// Cycles of one warp with control words made for the present order.
template <class Arch>
double modelled(ww::program& p) {
  static ww::scoreboard::workspace board;
  static ww::model::workspace space;
  ww::scoreboard::assign_control<Arch>(p, board);
  return ww::model::simulate<Arch>(p, {.warps = 1}, space).cycles;
}

template <class Config>
void order_program(const named_program& n, const char* what, const options& o, totals& t, bool physical) {
  using strategy = typename Config::strategy;
  const ww::program& before = physical ? n.physical : n.lifted.code;
  ww::program p = before;
  ww::schedule_stats s;
  unsigned changes = 0;
  if constexpr (ww::region_strategy<strategy>) {
    typename ww::detail::strategy_space<strategy>::type own;
    changes = strategy::template transform<Config>(p, own);
    using inner = ww::config_of<typename Config::arch, typename strategy::inner>;
    ww::schedule_workspace<inner> ws;
    s = ww::schedule_blocks<inner>(p, ws);
  } else {
    ww::schedule_workspace<Config> ws;
    s = ww::schedule_blocks<Config>(p, ws);
  }
  t.changes += changes;
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
  const double cycles = modelled<typename Config::arch>(p);
  if (n.cycles > 0 && cycles > 0) t.log_cycles += std::log(cycles / n.cycles);
  t.slower += cycles > n.cycles ? 1u : 0u;
  t.log_ratio += std::log(static_cast<double>(after[r] + 1) / static_cast<double>(n.before[r] + 1));
  const bool same_instructions = p.order.size() == before.order.size();
  if (o.check && same_instructions && !ww::verify::same_reaching(before, p).ok()) {
    ++t.wrong;
    std::fprintf(stderr, "%s, %s: the order reads other values\n", n.name.c_str(), what);
  }
  if (!o.each) return;
  std::printf("  %-48s %-19s R %3u -> %3u  P %u -> %u  UR %2u -> %2u  cycles %.0f -> %.0f (%.3f)\n", n.name.c_str(), what,
              n.before[r], after[r], n.before[ww::pressure_class::p], after[ww::pressure_class::p],
              n.before[ww::pressure_class::ur], after[ww::pressure_class::ur], n.cycles, cycles, cycles / n.cycles);
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
  const double all = t.programs;
  const double not_above = 1 - t.more / all;
  if (o.json) {
    std::printf(
        "{\"name\": \"%s\", \"programs\": %u, \"peak_before\": %llu, \"peak_after\": %llu, \"peak_ratio\": %.4f, "
        "\"not_above\": %.4f, \"fewer\": %u, \"cycles\": %.4f, \"slower\": %u, \"changes\": %llu}\n",
        what, t.programs, static_cast<unsigned long long>(t.before), static_cast<unsigned long long>(t.after),
        std::exp(t.log_ratio / all), not_above, t.fewer, std::exp(t.log_cycles / all), t.slower,
        static_cast<unsigned long long>(t.changes));
    return t.wrong;
  }
  std::printf(
      "%-19s peak R, sum %llu -> %llu, geometric mean of ratios %.3f; fewer in %u, more in %u of %u; planned cycles %.3f, "
      "modelled %.3f\n",
      what, static_cast<unsigned long long>(t.before), static_cast<unsigned long long>(t.after), std::exp(t.log_ratio / all),
      t.fewer, t.more, t.programs, static_cast<double>(t.planned) / static_cast<double>(t.original),
      std::exp(t.log_cycles / all));
  return t.wrong;
}

template <class... Ts, class F>
void every(ww::meta::type_list<Ts...>, F&& f) {
  (f.template operator()<Ts>(), ...);
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
    } else if (std::strcmp(argv[a], "--json") == 0) {
      o.json = true;
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
      ww::program order = n.lifted.code;
      n.cycles = n.physical.sm < ww::sm90::id ? modelled<ww::sm80>(order) : modelled<ww::sm90>(order);
      programs.push_back(std::move(n));
    }
  }
  if (programs.empty()) {
    std::fprintf(stderr, "no program\n");
    return 2;
  }
  if (!o.json) {
    std::printf("lift: %zu programs, %zu instructions, %zu webs (%zu fixed), %.0f ns per instruction (budget 300)\n",
                programs.size(), instructions, webs, fixed, nanoseconds / static_cast<double>(instructions));
    for (std::size_t k = 0; k < by_reason.size(); ++k) {
      std::printf("  %-15s %7zu webs %7zu operands\n", k == 0 ? "lifted" : ww::name_of(static_cast<ww::fixed_reason>(k)),
                  by_reason[k], accesses[k]);
    }
  }
  unsigned wrong = 0;
  every(ww::strategy::every{}, [&]<class S>() {
    if constexpr (!std::is_same_v<S, ww::strategy::unified>) wrong += measure<S>(programs, S::name, o);
  });
  every(ww::strategy::regional{}, [&]<class S>() { wrong += measure<S>(programs, S::name, o); });
  every(ww::mode::shipped{}, [&]<class M>() { wrong += measure<ww::strategy::unified, M>(programs, M::name, o); });
  wrong += measure<ww::priority::refined>(programs, "refined", o);
  wrong += measure<ww::strategy::unified, ww::mode::reduce_reg>(programs, "reduce_reg/physical", o, true);
  return o.check && wrong != 0 ? 1 : 0;
}
