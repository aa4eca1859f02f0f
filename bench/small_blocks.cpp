// SPDX-License-Identifier: BSL-1.0
//
// Small blocks of real kernels in the best order there is: bench_small_blocks [--check] [LISTING...]; without listings, the
// corpus that WARPWRIGHT_CORPUS names, or the bundled ones.
//
// Blocks of 2 to 10 instructions, by their size: the engine's planned cycles of the compiler's order, of the list scheduler's
// and of the permutation search's (shortest of all legal orders), over the lower bound (longest path, work of a pipe, issue
// slots); and in how many blocks each of them is at the bound. What is left between search and bound is not an order's fault:
// no legal order is shorter. --check exits 1 when an order is below the bound, the search above the list or not complete.
#include <array>
#include <cstdio>
#include <vector>

#include "listings.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/strategy/permutation.hpp"

namespace {

using archs =
    ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a, ww::sm100, ww::sm103, ww::sm120>;

constexpr unsigned most = 10;

struct row {
  std::uint64_t blocks = 0, bound = 0;
  std::array<std::uint64_t, 3> cycles{}, at_bound{};  // the compiler's order, list, permutation

  void add(std::uint64_t least, const std::array<std::uint64_t, 3>& c) {
    ++blocks;
    bound += least;
    for (std::size_t n = 0; n < c.size(); ++n) {
      cycles[n] += c[n];
      at_bound[n] += c[n] == least ? 1u : 0u;
    }
  }
  void print(const char* name) const {
    if (blocks == 0) return;
    std::printf("| %s | %llu |", name, static_cast<unsigned long long>(blocks));
    for (const std::uint64_t c : cycles) std::printf(" %.4f |", static_cast<double>(c) / static_cast<double>(bound));
    for (const std::uint64_t n : at_bound) {
      std::printf(" %.1f %% |", 100.0 * static_cast<double>(n) / static_cast<double>(blocks));
    }
    std::printf("\n");
  }
};

struct figures {
  std::array<row, most + 1> rows{};
  unsigned wrong = 0;
};

template <class Arch>
void look(const ww::program& before, figures& f) {
  using list = ww::config_of<Arch>;
  using search = ww::config_of<Arch, ww::strategy::permutation<most>>;
  static ww::schedule_workspace<list> list_space;
  static ww::schedule_workspace<search> search_space;
  static ww::strategy::plan plan;
  for (std::uint32_t b = 0; b < before.blocks.size(); ++b) {
    const ww::block& k = before.blocks[b];
    if (k.padding || !k.reachable || k.count < 2 || k.count > most) continue;
    ww::program p = before;
    const ww::schedule_stats by_list = ww::schedule_block<list>(p, ww::block_id{b}, list_space);
    p.order = before.order;
    const ww::schedule_stats by_search = ww::schedule_block<search>(p, ww::block_id{b}, search_space);
    ww::detail::fill_nodes<Arch>(before, before.order_of(k), list_space);
    plan.start(list_space, before[before.order_of(k).back()].has(ww::iflag::ends_block));
    const std::uint64_t least = plan.bound();
    f.rows[k.count].add(least, {by_list.original_cycles, by_list.planned_cycles, by_search.planned_cycles});
    f.wrong +=
        by_search.planned_cycles < least || by_search.planned_cycles > by_list.planned_cycles || !search_space.own.proved
            ? 1u
            : 0u;
  }
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  if (arguments.paths.empty()) arguments.paths = ww_bench::of_corpus();
  figures f;
  const unsigned unusable = ww_bench::each_program(arguments.paths, [&](const ww::program& p) {
    ww::meta::for_each<archs>([&]<class Arch>() {
      if (p.sm == Arch::id) look<Arch>(p, f);
    });
  });
  if (unusable != 0) return 2;
  std::printf(
      "| instructions | blocks | compiler / bound | list / bound | search / bound | compiler at bound | list at bound | "
      "search at "
      "bound |\n|---|---|---|---|---|---|---|---|\n");
  row all;
  for (unsigned n = 2; n <= most; ++n) {
    const row& r = f.rows[n];
    r.print(std::to_string(n).c_str());
    all.blocks += r.blocks;
    all.bound += r.bound;
    for (std::size_t k = 0; k < r.cycles.size(); ++k) {
      all.cycles[k] += r.cycles[k];
      all.at_bound[k] += r.at_bound[k];
    }
  }
  all.print("all");
  std::printf("\n%u blocks where the search is wrong or not complete.\n", f.wrong);
  return arguments.check && (f.wrong != 0 || all.blocks == 0) ? 1 : 0;
}
