// SPDX-License-Identifier: BSL-1.0
//
// The backends of the reference text on real listings of sm_80 and sm_90: bench_backends [--check] [LISTING...]; without
// listings, the corpus that WARPWRIGHT_CORPUS names, or the bundled listings.
//
// Per strategy, graph construction and liveness included: nanoseconds per instruction (best of 5 passes, processor time of
// this thread) and planned cycles after/before by the engine's own view (geometric mean over kernels). --check fails (exit
// 1) when B or C takes more than twelve times as long as the list engine, which is how bounded picks would show that they
// are not.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "listings.hpp"
#include "reference.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/backend/all.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/ready_list/red_black_tree.hpp"

namespace {

using archs = ww::meta::type_list<ww::sm80, ww::sm90>;

struct totals {
  double nanoseconds = 0;
  double log_ratio = 0;
  unsigned kernels = 0;
  std::uint64_t instructions = 0;
  std::uint64_t asked = 0;
};

template <class Config>
void pass(std::vector<ww::program>& programs, ww::schedule_workspace<Config>& ws, totals& t) {
  for (ww::program& p : programs) {
    if (p.sm != Config::arch::id) continue;
    const double start = ww_bench::now();
    const ww::schedule_stats s = ww::schedule_blocks<Config>(p, ws);
    t.nanoseconds += ww_bench::now() - start;
    t.instructions += s.instructions;
    t.asked += s.postponed;
    if (s.original_cycles == 0) continue;
    t.log_ratio += std::log(static_cast<double>(s.planned_cycles) / static_cast<double>(s.original_cycles));
    ++t.kernels;
  }
}

template <class Strategy>
double row(const char* name, const std::vector<ww::program>& programs) {
  double best = 1e30;
  totals last;
  for (unsigned run = 0; run < 5; ++run) {
    std::vector<ww::program> copy = programs;
    totals t;
    ww::meta::for_each<archs>([&]<class Arch>() {
      static ww::schedule_workspace<ww::config_of<Arch, Strategy>> ws;
      pass<ww::config_of<Arch, Strategy>>(copy, ws, t);
    });
    best = std::min(best, t.nanoseconds / static_cast<double>(t.instructions));
    last = t;
  }
  std::printf("%-28s %7.1f ns/instr   planned/original geomean %.4f   %.2f candidates put back per instruction\n", name,
              best, std::exp(last.log_ratio / std::max(1u, last.kernels)),
              static_cast<double>(last.asked) / static_cast<double>(last.instructions));
  return best;
}

struct within_options : ww::backend::b::options {
  using gate = ww::backend::b::within_score;
};
struct within : ww::strategy::basic_backend_b<within_options> {};
struct one_round_options : ww::backend::c::options {
  static constexpr unsigned refinements = 0;
};
struct one_round : ww::strategy::basic_backend_c<one_round_options> {};
struct tree_options : ww::backend::c::options {
  using queue = ww::ready_list::red_black_queue<ww::ready_list::three_rank>;
};
struct tree : ww::strategy::basic_backend_c<tree_options> {};

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  if (arguments.paths.empty()) arguments.paths = ww_bench::of_corpus();
  std::vector<ww::program> programs;
  ww_bench::each_program(arguments.paths, [&](const ww::program& p) {
    if (p.sm == ww::sm80::id || p.sm == ww::sm90::id) programs.push_back(p);
  });
  std::printf("%zu kernels\n", programs.size());
  if (programs.empty()) return 2;
  const double list = row<ww::strategy::list>("list", programs);
  const double b = row<ww::strategy::backend_b>("backend_b", programs);
  row<within>("backend_b, within_score", programs);
  const double c = row<ww::strategy::backend_c>("backend_c", programs);
  row<one_round>("backend_c, no refinement", programs);
  row<tree>("backend_c, red_black_tree", programs);
  row<ww::strategy::backend_c_pre>("backend_c_pre", programs);
  row<ww::strategy::backend_bc>("backend_bc", programs);
  return arguments.check && std::max(b, c) > 12 * list ? 1 : 0;
}
