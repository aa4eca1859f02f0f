// SPDX-License-Identifier: BSL-1.0
//
// Software pipelining on the loops of real kernels: bench_pipelined [--check] [LISTING...]; without listings, the corpus that
// WARPWRIGHT_CORPUS names, or the bundled ones. sm_80 and sm_90.
//
// Every program is lifted to virtual registers; strategy::software_pipeline overlaps what loops it can, memory being told apart
// by base and offset. Prints, as the tables of docs/results/schedulers.md:
//   loops     cycles of one iteration by the list scheduler, both lower bounds, the initiation interval, stages, names for a
//             register
//   kernels   the model's cycles of one warp, both ordered by the list engine and with control words made anew, pipelined over
//             not, for 10 and for 100 iterations of every loop
//   refused   how many innermost loops were left as they are, by reason
// --check exits 1 when no loop is overlapped, when an interval is below a bound or not shorter than the iteration, or when
// fewer than five kernels gain at 100 iterations (one without a corpus).
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "listings.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/lift/lift.hpp"
#include "warpwright/model/simulate.hpp"
#include "warpwright/region/software_pipeline.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/scoreboard/assign.hpp"

namespace {

using pipeline = ww::strategy::software_pipeline<>;
using refusal = ww::region::pipelining_refusal;

struct kernel {
  std::string name;
  const char* sm = "";
  std::vector<ww::strategy::pipelined_report> loops;
  std::array<double, 2> ratio{};  // of 10 and of 100 iterations
};

struct figures {
  std::vector<kernel> kernels;
  std::map<std::string, unsigned> refused;
  unsigned loops = 0;
  unsigned broken = 0;
};

// Cycles of one warp for 10 and for 100 iterations of a loop.
template <class Arch>
std::array<double, 2> cycles(ww::program p) {
  using config = ww::config_of<Arch, ww::base_offset>;
  ww::schedule_workspace<config> ws;
  ww::schedule_blocks<config>(p, ws);
  ww::scoreboard::workspace board;
  ww::model::workspace space;
  ww::scoreboard::assign_control<Arch>(p, board);
  std::array<double, 2> out{};
  out[0] = ww::model::simulate<Arch>(p, {.warps = 1}, space).cycles;
  for (ww::block& b : p.blocks) {
    for (unsigned d = 0; d < b.loop_depth; ++d) b.weight *= 10;
  }
  out[1] = ww::model::simulate<Arch>(p, {.warps = 1}, space).cycles;
  return out;
}

template <class Arch>
void look(const ww::program& physical, const std::string& path, figures& f) {
  static ww::lift_workspace lift_space;
  static pipeline::space space;
  ww::lifted_program l;
  if (ww::lift(physical, l, lift_space) != ww::lift_fault::none) return;
  ww::program p = l.code;
  pipeline::transform<ww::config_of<Arch, ww::base_offset>>(p, space);
  kernel k{ww_test::corpus::unit_of(path), Arch::name, {}, {}};
  for (const ww::strategy::pipelined_report& r : space.loops) {
    ++f.loops;
    if (r.refusal != refusal::none) {
      ++f.refused[ww::region::name_of(r.refusal)];
      continue;
    }
    f.broken += r.interval < r.res_mii || r.interval < r.rec_mii || r.interval >= r.iteration ? 1u : 0u;
    k.loops.push_back(r);
  }
  if (k.loops.empty()) return;
  const std::array<double, 2> before = cycles<Arch>(l.code);
  const std::array<double, 2> after = cycles<Arch>(p);
  for (std::size_t n = 0; n < k.ratio.size(); ++n) k.ratio[n] = after[n] / before[n];
  f.kernels.push_back(std::move(k));
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  const bool corpus = arguments.paths.empty() && !ww_test::corpus::root().empty();
  if (arguments.paths.empty()) arguments.paths = ww_bench::of_corpus();
  figures f;
  unsigned unusable = 0;
  for (const std::string& path : arguments.paths) {
    unusable += ww_bench::each_program({path}, [&](const ww::program& p) {
      if (p.sm == ww::sm80::id) look<ww::sm80>(p, path, f);
      if (p.sm == ww::sm90::id) look<ww::sm90>(p, path, f);
    });
  }
  if (unusable != 0) return 2;
  std::printf(
      "| SM | file | body | iteration | resources | recurrence | interval | stages | names | 10 iterations | 100 iterations "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::array<unsigned, 2> gains{};
  for (const kernel& k : f.kernels) {
    for (std::size_t n = 0; n < gains.size(); ++n) gains[n] += k.ratio[n] < 1 ? 1u : 0u;
    for (std::size_t n = 0; n < k.loops.size(); ++n) {
      const ww::strategy::pipelined_report& r = k.loops[n];
      std::printf("| %s | %s | %u | %u | %u | %u | %u | %u | %u |", k.sm, k.name.c_str(), r.instructions, r.iteration,
                  r.res_mii, r.rec_mii, r.interval, r.stages, r.copies);
      if (n == 0) {
        std::printf(" %.3f | %.3f |\n", k.ratio[0], k.ratio[1]);
      } else {
        std::printf(" | |\n");
      }
    }
  }
  std::printf("\n%zu kernels with overlapped loops; cheaper: %u at 10 iterations, %u at 100.\n", f.kernels.size(), gains[0],
              gains[1]);
  std::printf("%u innermost loops; left as they are:", f.loops);
  const char* separator = " ";
  for (const auto& [reason, count] : f.refused) {
    std::printf("%s%u %s", separator, count, reason.c_str());
    separator = ", ";
  }
  std::printf(".\n");
  const bool bad = f.kernels.empty() || f.broken != 0 || gains[1] < (corpus ? 5u : 1u);
  return arguments.check && bad ? 1 : 0;
}
