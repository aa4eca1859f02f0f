// SPDX-License-Identifier: BSL-1.0
//
// List scheduling on generated blocks: nanoseconds per instruction for growing blocks, per composition.
// The graph is built once per block; only the engine is timed (ready lists, picks, the permutation, the guard against
// longer orders). Median of repeats, one thread, processor time. Output: one line per composition and size; `growth` is the
// figure of the largest size over that of 250 instructions. Budget: 1.5 at 4,000 instructions for the default composition;
// --check fails (exit 1) above it.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../tests/schedule/random_block.hpp"
#include "reference.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"

namespace {

template <class Config>
double nanoseconds_per_instruction(unsigned size) {
  ww::schedule_workspace<Config> ws;
  std::vector<double> samples;
  const unsigned repeats = std::max(5u, 40000u / size);
  double sink = 0;
  for (unsigned r = 0; r < repeats; ++r) {
    ww::program p = ww_test::random_block(r % 8 + 1, size, {64, true});
    ww::build_graph<typename Config::arch>(p, p.order, ws.graph, ws.graph_space);
    ww::schedule_stats stats;
    const double start = ww_bench::now();
    ww::order_nodes<Config>(p, p.order, ws, stats);
    const auto old_cycles = ww::detail::cycles_of_source_order(ws);
    const auto new_cycles = ww::detail::cycles_of(ws, ws.sequence);
    sink += static_cast<double>(old_cycles) - static_cast<double>(new_cycles);
    samples.push_back((ww_bench::now() - start) / size);
  }
  std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2), samples.end());
  if (sink == 0.123) std::puts("");
  return samples[samples.size() / 2];
}

template <class... Ps>
double row(const char* name, unsigned largest = 4000) {
  using config = ww::config_of<ww::sm90, Ps...>;
  double at_250 = 0;
  double last = 0;
  std::printf("%-28s", name);
  for (const unsigned size : {16u, 60u, 250u, 1000u, 4000u}) {
    if (size > largest) continue;
    last = nanoseconds_per_instruction<config>(size);
    if (size == 250) at_250 = last;
    std::printf("  %4u: %6.1f", size, last);
  }
  std::printf("  growth %.2f\n", last / at_250);
  return last / at_250;
}

}  // namespace

int main(int argc, char** argv) {
  std::puts("ns per instruction by block size (engine only, graph excluded)");
  const double growth = row<>("list, heap");
  row<ww::ready_list::sorted_list<>>("list, sorted_list");
  row<ww::ready_list::ordered3<>>("list, ordered3");
  row<ww::priority::source_order<>>("list, source_order");
  row<ww::constraint::bank_limit<>, ww::constraint::reuse_limit<>, ww::constraint::write_distance,
      ww::constraint::counters<>>("list, all constraints");
  row<ww::strategy::depth_first>("depth_first");
  row<ww::strategy::critical_path>("critical_path sort");
  row<ww::priority::packed>("packed (per pick)", 1000);
  row<ww::priority::refined>("refined (per pick)", 1000);
  constexpr double budget = 1.5;
  std::printf("growth: 4000 instructions over 250, list, heap: %.2f (budget %.2f)\n", growth, budget);
  return argc > 1 && std::strcmp(argv[1], "--check") == 0 && growth > budget ? 1 : 0;
}
