// SPDX-License-Identifier: BSL-1.0
//
// Control words and simulation on real programs: bench_scoreboard [--check] [LISTING...]; without listings, the bundled
// ones.
//
// Per program the fastest of several runs with a warm workspace, in processor time; printed as ns per instruction over all
// programs, and as the median of the programs. Budget of the control words: 50 ns per instruction. It is not met, so that
// --check fails (exit 1) above `limit`, a ratio to the work of bench/reference.hpp that is timed in the same run: it keeps
// what was reached from getting lost. No program at all is exit 2.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/scoreboard/assign.hpp>

#include "listings.hpp"
#include "reference.hpp"

namespace {

template <class F>
double fastest(F&& f) {
  double best = 1e30;
  for (int k = 0; k < 15; ++k) {
    const double t = ww_bench::now();
    f();
    best = std::min(best, ww_bench::now() - t);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  ww::scoreboard::workspace ws;
  ww::model::workspace mw;
  double words = 0;
  double one = 0;
  double eight = 0;
  double instructions = 0;
  using archs = ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a>;
  ww_bench::arguments arguments(argc, argv);
  std::vector<std::string>& paths = arguments.paths;
  if (paths.empty()) paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
  std::vector<double> of_programs;
  const double reference_before = ww_bench::reference();
  const unsigned unusable = ww_bench::each_program(paths, [&](ww::program& p) {
    ww::detail::visit_arch_in(archs{}, ww::nearest_sm(p.sm), [&]<class Arch>() {
      const double program = fastest([&] { (void)ww::scoreboard::assign_control<Arch>(p, ws); });
      words += program;
      of_programs.push_back(program / static_cast<double>(p.order.size()));
      one += fastest([&] { (void)ww::model::simulate<Arch>(p, {}, mw); });
      eight += fastest([&] { (void)ww::model::simulate<Arch>(p, {.warps = 8}, mw); });
      instructions += static_cast<double>(p.order.size());
    });
  });
  if (unusable != 0 || instructions <= 0) {
    std::fprintf(stderr, "a listing cannot be read, or there is no program in them\n");
    return 2;
  }
  const double reference = (reference_before + ww_bench::reference()) / 2;
  std::nth_element(of_programs.begin(), of_programs.begin() + static_cast<std::ptrdiff_t>(of_programs.size() / 2),
                   of_programs.end());
  constexpr double budget = 50;  // ns per instruction
  constexpr double limit = 5.0;  // sorted numbers per instruction
  const double ns = words / instructions;
  std::printf(
      "ns per instruction: control words %.1f (budget %.0f), simulation of one warp %.1f, of eight warps %.1f (%.0f "
      "instructions)\n",
      ns, budget, one / instructions, eight / instructions, instructions);
  std::printf("control words: median of %zu programs %.1f ns\n", of_programs.size(), of_programs[of_programs.size() / 2]);
  std::printf("ratio: control words %.2f of one sorted number, %.1f ns (budget %.2f, limit %.2f)\n", ns / reference,
              reference, budget / ww_bench::reference_budget_ns, limit);
  return arguments.check && ns / reference > limit ? 1 : 0;
}
