// SPDX-License-Identifier: BSL-1.0
//
// The search for better orders with the model as judge: bench_order_search [--check] [LISTING...]; without listings, the corpus
// that WARPWRIGHT_CORPUS names, or the bundled ones.
//
//   a try    what one costs, in ns per instruction of the program, for one warp; and over the control words and the price of one warp
//            of the same program, timed in the same run: what the search adds to the two is to choose and to move
//   found    cycles of one warp over those of the program as it came, geometric mean, by the scheduler and with `tries` tries more
// Processor time. --check exits 1 when a try costs more than `limit` times words and price (1.03 was seen), when a program became dearer, or
// when nothing was found.
#include <cmath>
#include <cstdio>

#include <warpwright/arch/all.hpp>
#include <warpwright/pipeline/order_search.hpp>
#include <warpwright/pipeline/scheduler.hpp>

#include "listings.hpp"
#include "reference.hpp"

namespace {

using archs = ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a>;

constexpr unsigned tries = 100;
constexpr double limit = 1.5;

struct figures {
  double search = 0, parts = 0;  // ns
  double work = 0;               // instructions, each as often as it was tried
  double before = 0, after = 0;  // sums of logarithms
  unsigned programs = 0, better = 0, dearer = 0;
};

template <class Arch>
void measure(ww::program& p, figures& f) {
  using sched = ww::scheduler<Arch>;
  using search = ww::order_search<sched>;
  static typename sched::workspace scheduling;
  static typename search::workspace searching;
  const ww::schedule_result first = sched{}.run(p, scheduling, {.warps = 1});
  if (first.malformed || first.unknown_targets || first.cycles_before <= 0) return;
  ww::program words = p;
  const ww::search_options none{{.warps = 1, .verify = false}, 0};
  const ww::search_options some{{.warps = 1, .verify = false}, tries};
  ww::program q = p;
  double begin = ww_bench::now();
  (void)search::run(q, searching, none);
  const double base = ww_bench::now() - begin;
  q = p;
  begin = ww_bench::now();
  const ww::schedule_result found = search::run(q, searching, some);
  const double whole = ww_bench::now() - begin;
  const unsigned tried = searching.done.tries;
  ++f.programs;
  f.before += std::log(first.cycles_after / first.cycles_before);
  f.after += std::log(found.cycles_after / first.cycles_before);
  f.better += found.cycles_after < first.cycles_after ? 1u : 0u;
  f.dearer += found.cycles_after > first.cycles_after ? 1u : 0u;
  if (tried == 0) return;
  ww::scoreboard::workspace space;
  ww::model::workspace model;
  ww::scoreboard::decode_program<Arch>(words, space);
  double sum = 0;
  begin = ww_bench::now();
  for (unsigned n = 0; n < tried; ++n) {
    ww::scoreboard::assign_decoded<Arch, ww::barriers::share, ww::yields::observed, ww::reuse::as_compiler>(words, space);
    sum += ww::model::simulate<Arch>(words, {.warps = 1}, model).cycles;
  }
  const double parts = ww_bench::now() - begin;
  if (sum <= 0) return;
  f.search += whole - base;
  f.parts += parts;
  f.work += static_cast<double>(tried) * static_cast<double>(p.order.size());
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  if (arguments.paths.empty()) arguments.paths = ww_bench::of_corpus();
  figures f;
  const unsigned unusable = ww_bench::each_program(arguments.paths, [&](ww::program& p) {
    ww::meta::for_each<archs>([&]<class Arch>() {
      if (p.sm == Arch::id) measure<Arch>(p, f);
    });
  });
  if (unusable != 0 || f.programs == 0 || f.work <= 0) return 2;
  const double ratio = f.search / f.parts;
  std::printf("a try: %.1f ns per instruction, %.2f times words and price of one warp (limit %.2f)\n", f.search / f.work,
              ratio, limit);
  std::printf(
      "cycles of one warp over those that came, %u programs: scheduler %.4f, with %u tries %.4f; %u better, %u dearer\n",
      f.programs, std::exp(f.before / f.programs), tries, std::exp(f.after / f.programs), f.better, f.dearer);
  return arguments.check && (ratio > limit || f.dearer != 0 || f.better == 0) ? 1 : 0;
}
