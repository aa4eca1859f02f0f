// SPDX-License-Identifier: BSL-1.0
//
// Wipe and restore: control words made anew in the compiler's order, beside the compiler's own.
//
//   bench_agreement [--check] [LISTING...]   without listings, the corpus that WARPWRIGHT_CORPUS names, or the bundled ones
//
// Every control word is deleted, then made as `schedule --keep-order` does (pipeline/word_search.hpp). Prints, as the tables of docs/results/scoreboards.md:
//   agreement   per SM and field, how many instructions have the same value
//   cost        per SM, modelled cycles of our words over the compiler's (geometric mean and sum, one warp and eight), stall
//               cycles, waits, barrier sets and reuse flags in total
//   worst       the kernels whose ratio is largest
//   -O0         programs of which half of the words stall 15: how many words are what phase 116 of the text gives and what
//               assign_o0() does, by field, with the cycles of one and of eight warps over the compiler's
// A set counts as equal when both words set a counter of that kind (the index is free to differ), a wait when both wait or
// neither does. --check exits 1 when a restored program has a finding, when the sum of cycles is above the
// compiler's, or a kernel above 1.03.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "listings.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/model/simulate.hpp"
#include "warpwright/pipeline/word_search.hpp"
#include "warpwright/scoreboard/o0.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

enum field : unsigned { stall, yield, write_barrier, read_barrier, waits, reuse, whole, field_count };
constexpr std::array<const char*, field_count> field_names{"stall", "yield",       "write barrier",         "read barrier",
                                                           "wait",  "reuse flags", "whole word but indices"};
constexpr std::array<unsigned, 2> warp_counts{1, 8};

struct cost {
  std::uint64_t stalls = 0, waits = 0, sets = 0, reuse = 0;

  void add(const ww::control& c) {
    stalls += c.stall;
    waits += static_cast<unsigned>(std::popcount(static_cast<unsigned>(c.wait_mask)));
    sets += (c.sets_write() ? 1u : 0u) + (c.sets_read() ? 1u : 0u);
    reuse += static_cast<unsigned>(std::popcount(static_cast<unsigned>(c.reuse)));
  }
};

struct kernel {
  std::string name;
  std::array<double, 2> ratio{1, 1};  // by warp_counts
  cost theirs, ours;
};

// Programs that the compiler has not optimised.
struct conservative_figures {
  std::uint64_t instructions = 0;
  std::array<std::array<std::uint64_t, field_count>, 2> equal{};  // the text's words, ours
  std::array<double, 2> before{}, after{};                        // by warp_counts; ours
  std::uint64_t programs = 0, findings = 0;
};

struct sm_figures {
  const char* name = "";
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, field_count> equal{};
  cost theirs, ours;
  std::array<double, 2> log_ratio{}, before{}, after{};
  std::vector<kernel> kernels;
  std::uint64_t findings = 0;
  conservative_figures o0;
};

using field_flags = std::array<bool, whole>;

field_flags same_fields(const ww::control& x, const ww::control& y) {
  return {x.stall == y.stall,
          x.yield == y.yield,
          x.sets_write() == y.sets_write(),
          x.sets_read() == y.sets_read(),
          (x.wait_mask != 0) == (y.wait_mask != 0),
          x.reuse == y.reuse};
}

void count(const field_flags& same, std::array<std::uint64_t, field_count>& equal) {
  bool all = true;
  for (unsigned n = 0; n < whole; ++n) {
    equal[n] += same[n] ? 1u : 0u;
    all = all && same[n];
  }
  equal[whole] += all ? 1u : 0u;
}

struct spaces {
  ww::model::workspace model;
  ww::verify::workspace verify;
};

template <class Arch>
void restore(const ww::program& original, const std::string& name, sm_figures& f, spaces& s) {
  f.name = Arch::name;
  ww::program p = original;
  for (ww::instruction& i : p.instructions) {
    const std::uint8_t fixed = i.has(ww::iflag::reuse_legal) ? std::uint8_t{0} : i.ctl.reuse;  // part of the encoding
    i.ctl = {};
    i.ctl.reuse = fixed;
  }
  typename ww::word_search<Arch>::workspace words;
  ww::word_search<Arch> search(p, words, warp_counts.back());
  search.consider_usual();
  search.consider_neighbours();
  search.finish();
  f.findings += ww::verify::check<Arch>(p, {.notes = false}, s.verify).errors();
  kernel k{name, {}, {}, {}};
  for (const ww::block& b : p.blocks) {
    if (b.padding) continue;
    for (const ww::instr_id id : p.order_of(b)) {
      const ww::control& x = original[id].ctl;
      const ww::control& y = p[id].ctl;
      ++f.instructions;
      k.theirs.add(x);
      k.ours.add(y);
      count(same_fields(x, y), f.equal);
    }
  }
  for (std::size_t w = 0; w < warp_counts.size(); ++w) {
    const double before = ww::model::simulate<Arch>(original, {.warps = warp_counts[w]}, s.model).cycles;
    const double after = ww::model::simulate<Arch>(p, {.warps = warp_counts[w]}, s.model).cycles;
    f.before[w] += before;
    f.after[w] += after;
    if (before > 0) k.ratio[w] = after / before;
    f.log_ratio[w] += std::log(k.ratio[w]);
  }
  const auto add = [](cost& to, const cost& c) {
    to.stalls += c.stalls;
    to.waits += c.waits;
    to.sets += c.sets;
    to.reuse += c.reuse;
  };
  add(f.theirs, k.theirs);
  add(f.ours, k.ours);
  f.kernels.push_back(std::move(k));
}

template <class Arch>
void conservative(const ww::program& original, conservative_figures& f, spaces& s) {
  std::size_t long_stalls = 0;
  for (const ww::instr_id id : original.order) long_stalls += original[id].ctl.stall == 15 ? 1u : 0u;
  if (2 * long_stalls < original.order.size() || original.order.empty()) return;
  ww::program p = original;
  ww::scoreboard::assign_o0<Arch>(p);
  ++f.programs;
  f.findings += ww::verify::check<Arch>(p, {.notes = false}, s.verify).errors();
  for (const ww::block& b : p.blocks) {
    if (b.padding) continue;
    for (const ww::instr_id id : p.order_of(b)) {
      ++f.instructions;
      count(same_fields(original[id].ctl, ww::scoreboard::o0_text_control()), f.equal[0]);
      count(same_fields(original[id].ctl, p[id].ctl), f.equal[1]);
    }
  }
  for (std::size_t w = 0; w < warp_counts.size(); ++w) {
    f.before[w] += ww::model::simulate<Arch>(original, {.warps = warp_counts[w]}, s.model).cycles;
    f.after[w] += ww::model::simulate<Arch>(p, {.warps = warp_counts[w]}, s.model).cycles;
  }
}

void print_conservative(const std::vector<sm_figures>& all) {
  std::printf("\n| SM | -O0 programs | instructions | words of |");
  for (const char* n : field_names) std::printf(" %s |", n);
  std::printf(" one warp | eight warps |\n|---|---|---|---|---|---|");
  for (unsigned n = 0; n < field_count; ++n) std::printf("---|");
  std::printf("\n");
  for (const sm_figures& f : all) {
    const conservative_figures& o = f.o0;
    if (o.instructions == 0) continue;
    for (unsigned who = 0; who < 2; ++who) {
      std::printf("| %s | %llu | %llu | %s |", f.name, static_cast<unsigned long long>(o.programs),
                  static_cast<unsigned long long>(o.instructions), who == 0 ? "the text" : "`--o0`");
      for (const std::uint64_t n : o.equal[who]) {
        std::printf(" %.2f %% |", 100.0 * static_cast<double>(n) / static_cast<double>(o.instructions));
      }
      if (who == 0) {
        std::printf(" - | - |\n");  // wrong values: nothing waits for a load
      } else {
        std::printf(" %.3f | %.3f |\n", o.after[0] / o.before[0], o.after[1] / o.before[1]);
      }
    }
  }
}

void print_agreement(const std::vector<sm_figures>& all) {
  std::printf("| SM | kernels | instructions |");
  for (const char* n : field_names) std::printf(" %s |", n);
  std::printf("\n|---|---|---|");
  for (unsigned n = 0; n < field_count; ++n) std::printf("---|");
  std::printf("\n");
  for (const sm_figures& f : all) {
    if (f.instructions == 0) continue;
    std::printf("| %s | %zu | %llu |", f.name, f.kernels.size(), static_cast<unsigned long long>(f.instructions));
    for (const std::uint64_t n : f.equal) {
      std::printf(" %.2f %% |", 100.0 * static_cast<double>(n) / static_cast<double>(f.instructions));
    }
    std::printf("\n");
  }
}

void print_cost(const std::vector<sm_figures>& all) {
  std::printf(
      "\n| SM | one warp, mean | one warp, sum | eight warps, mean | eight warps, sum | stall cycles | waits | barrier sets "
      "| "
      "reuse flags |\n|---|---|---|---|---|---|---|---|---|\n");
  const auto pair = [](std::uint64_t x, std::uint64_t y) {
    std::printf(" %llu, ours %llu |", static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
  };
  for (const sm_figures& f : all) {
    if (f.kernels.empty()) continue;
    std::printf("| %s |", f.name);
    for (std::size_t w = 0; w < warp_counts.size(); ++w) {
      std::printf(" %.3f | %.3f |", std::exp(f.log_ratio[w] / static_cast<double>(f.kernels.size())),
                  f.after[w] / f.before[w]);
    }
    pair(f.theirs.stalls, f.ours.stalls);
    pair(f.theirs.waits, f.ours.waits);
    pair(f.theirs.sets, f.ours.sets);
    pair(f.theirs.reuse, f.ours.reuse);
    std::printf("\n");
  }
}

// Returns how many kernels are above 1.03.
std::size_t print_worst(const std::vector<sm_figures>& all) {
  struct entry {
    const char* sm;
    const kernel* k;
  };
  std::vector<entry> list;
  for (const sm_figures& f : all) {
    for (const kernel& k : f.kernels) list.push_back({f.name, &k});
  }
  const auto worse = [](const kernel& k) { return std::max(k.ratio[0], k.ratio[1]); };
  std::stable_sort(list.begin(), list.end(), [&](const entry& a, const entry& b) { return worse(*a.k) > worse(*b.k); });
  std::size_t above = 0;
  for (const entry& e : list) above += worse(*e.k) > 1.03 ? 1u : 0u;
  std::printf("\n%zu of %zu kernels are above 1.03.\n\n| kernel | SM | one warp | eight warps | stall cycles | waits |\n",
              above, list.size());
  std::printf("|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < list.size() && i < std::max<std::size_t>(5, above); ++i) {
    const kernel& k = *list[i].k;
    std::printf("| %s | %s | %.3f | %.3f | %llu, ours %llu | %llu, ours %llu |\n", k.name.c_str(), list[i].sm, k.ratio[0],
                k.ratio[1], static_cast<unsigned long long>(k.theirs.stalls), static_cast<unsigned long long>(k.ours.stalls),
                static_cast<unsigned long long>(k.theirs.waits), static_cast<unsigned long long>(k.ours.waits));
  }
  return above;
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  if (arguments.paths.empty()) {
    arguments.paths = ww_bench::of_corpus();
    const std::vector<std::string> newer = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
    arguments.paths.insert(arguments.paths.end(), newer.begin(), newer.end());
  }
  using archs = ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a, ww::sm100, ww::sm103,
                                    ww::sm107, ww::sm110, ww::sm120>;
  std::vector<sm_figures> all(ww::meta::size_v<archs>);
  spaces s;
  unsigned unusable = 0;
  for (const std::string& path : arguments.paths) {
    unusable += ww_bench::each_program({path}, [&](const ww::program& p) {
      std::size_t at = 0;
      ww::meta::for_each<archs>([&]<class Arch>() {
        if (p.sm == Arch::id) {
          restore<Arch>(p, ww_test::corpus::unit_of(path), all[at], s);
          conservative<Arch>(p, all[at].o0, s);
        }
        ++at;
      });
    });
  }
  std::uint64_t findings = 0;
  bool slower = false;
  std::size_t kernels = 0;
  for (const sm_figures& f : all) {
    findings += f.findings + f.o0.findings;
    kernels += f.kernels.size();
    for (std::size_t w = 0; w < warp_counts.size(); ++w) slower = slower || f.after[w] > f.before[w];
  }
  if (unusable != 0 || kernels == 0) {
    std::fprintf(stderr, "a listing cannot be read, or there is no program in them\n");
    return 2;
  }
  print_agreement(all);
  print_cost(all);
  const std::size_t above = print_worst(all);
  print_conservative(all);
  std::printf("\n%llu findings in the restored programs.\n", static_cast<unsigned long long>(findings));
  return arguments.check && (findings != 0 || slower || above != 0) ? 1 : 0;
}
