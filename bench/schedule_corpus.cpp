// SPDX-License-Identifier: BSL-1.0
//
// List scheduling on real listings of sm_80 and sm_90: bench_schedule_corpus [--check] [LISTING...]; without listings, the
// corpus that WARPWRIGHT_CORPUS names, or the bundled listings.
//
// Per composition: nanoseconds per instruction of graph construction and of the engine (median over repeats of the
// whole set), and planned cycles after/before by the engine's own view, blocks weighted by loop depth.
// Budget: list scheduling 150 ns per instruction; --check fails (exit 1) on its ratio to the work of bench/reference.hpp
// that is timed in the same run. The budget of graphs is one for the median block: bench/graph.cpp. Here every block is
// built once in turn, with nothing in the caches, and long ones count by their length.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "listings.hpp"
#include "reference.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"

namespace {

using archs = ww::meta::type_list<ww::sm80, ww::sm90>;

struct totals {
  double before = 0;
  double after = 0;
  double critical = 0;
  double log_ratio = 0;
  unsigned kernels = 0;
  std::uint64_t instructions = 0;
};

// One pass over all programs of one SM.
template <class Config>
void pass(std::vector<ww::program>& programs, totals& t) {
  ww::schedule_workspace<Config> ws;
  for (ww::program& p : programs) {
    if (p.sm != Config::arch::id) continue;
    double before = 0;
    double after = 0;
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const ww::schedule_stats s = ww::schedule_block<Config>(p, ww::block_id{b}, ws);
      const double w = p.blocks[b].weight;
      before += w * static_cast<double>(s.original_cycles);
      after += w * static_cast<double>(s.planned_cycles);
      t.critical += w * static_cast<double>(s.critical_cycles);
      t.instructions += s.instructions;
    }
    t.before += before;
    t.after += after;
    if (before > 0) {
      t.log_ratio += std::log(after / before);
      ++t.kernels;
    }
  }
}

template <class Config>
void graphs_only(std::vector<ww::program>& programs, std::uint64_t& edges) {
  ww::schedule_workspace<Config> ws;
  for (ww::program& p : programs) {
    if (p.sm != Config::arch::id) continue;
    for (const ww::block& b : p.blocks) {
      if (b.padding || b.count == 0) continue;
      ww::build_graph<typename Config::arch>(p, p.order_of(b), ws.graph, ws.graph_space);
      edges += ws.graph.edges.size();
    }
  }
}

struct row_figures {
  double graph = 0;   // ns per instruction
  double engine = 0;  // the same
};

template <class... Ps>
row_figures row(const char* name, const std::vector<ww::program>& programs, unsigned repeats = 7) {
  std::vector<double> whole;
  std::vector<double> graph;
  totals t;
  for (unsigned r = 0; r < repeats; ++r) {
    std::vector<ww::program> copy = programs;
    totals now;
    std::uint64_t edges = 0;
    const double start = ww_bench::now();
    ww::meta::for_each<archs>([&]<class Arch>() { graphs_only<ww::config_of<Arch, Ps...>>(copy, edges); });
    const double middle = ww_bench::now();
    ww::meta::for_each<archs>([&]<class Arch>() { pass<ww::config_of<Arch, Ps...>>(copy, now); });
    const double end = ww_bench::now();
    const double n = static_cast<double>(now.instructions);
    graph.push_back((middle - start) / n);
    whole.push_back((end - middle) / n);
    t = now;
  }
  std::sort(whole.begin(), whole.end());
  std::sort(graph.begin(), graph.end());
  const double g = graph[graph.size() / 2];
  const double w = whole[whole.size() / 2];
  std::printf("%-26s graph %6.1f  engine %6.1f ns/instr   planned/original sum %.4f geomean %.4f\n", name, g, w - g,
              t.after / t.before, std::exp(t.log_ratio / std::max(1u, t.kernels)));
  return {g, w - g};
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  if (arguments.paths.empty()) arguments.paths = ww_bench::of_corpus();
  std::vector<ww::program> programs;
  std::uint64_t instructions = 0;
  ww_bench::each_program(arguments.paths, [&](const ww::program& p) {
    if (p.sm != ww::sm80::id && p.sm != ww::sm90::id) return;
    instructions += p.instructions.size();
    programs.push_back(p);
  });
  std::printf("%zu kernels, %llu instructions\n", programs.size(), static_cast<unsigned long long>(instructions));
  if (programs.empty()) return 2;
  const double reference_before = ww_bench::reference();
  const row_figures list = row<>("list, heap", programs);
  const double reference = (reference_before + ww_bench::reference()) / 2;
  row<ww::ready_list::sorted_list<>>("list, sorted_list", programs);
  row<ww::ready_list::ordered3<>>("list, ordered3", programs);
  row<ww::priority::source_order<>>("list, source_order", programs);
  row<ww::constraint::bank_limit<>, ww::constraint::reuse_limit<>, ww::constraint::write_distance,
      ww::constraint::counters<>>("list, all constraints", programs);
  row<ww::constraint::counters<>>("list, counters", programs);
  row<ww::base_offset>("list, base_offset", programs);
  row<ww::strategy::depth_first>("depth_first", programs);
  row<ww::strategy::critical_path>("critical_path sort", programs);
  row<ww::priority::packed>("packed (per pick)", programs, 3);
  row<ww::priority::refined>("refined (per pick)", programs, 3);
  constexpr double budget = 150;  // ns per instruction, list scheduling
  constexpr double ratio_budget = budget / ww_bench::reference_budget_ns;
  std::printf("ratio: graph %.2f, list scheduling %.2f (budget %.2f) of one sorted number, %.1f ns\n",
              list.graph / reference, list.engine / reference, ratio_budget, reference);
  return arguments.check && list.engine / reference > ratio_budget ? 1 : 0;
}
