// SPDX-License-Identifier: BSL-1.0
//
// Graph construction on real blocks: nanoseconds per instruction by block size, and the growth between sizes.
//
//   bench_graph [--check] [LISTING...]   listings of sm_80 (nvdisasm -c -hex, not compressed); without any, the bundled ones
//
// Budget: at most 100 ns per instruction (median over blocks of 16 instructions and more), and at 4,000 instructions at most
// 1.5 times what 250 cost. Figures are processor time; --check fails (exit 1) on the growth, and on the median as a ratio to
// the work of bench/reference.hpp that is timed in the same run. No block at all is exit 2.
//
// Growth compares the same code in pieces and whole: a block of 4,000 instructions of the listings, or, where they hold
// none, one made of all their blocks one after the other (without the instructions that nothing may pass), repeated.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/graph/build.hpp>

#include "listings.hpp"
#include "reference.hpp"

namespace {

// Median over repeats of the time of one construction, in ns per instruction.
template <class Builder, class Disambiguation>
double time_block(const ww::program& p, std::span<const ww::instr_id> order, ww::dependence_graph& g,
                  ww::graph_workspace& ws) {
  ww::build_graph<ww::sm80, Builder, Disambiguation>(p, order, g, ws);
  const std::size_t inner = std::max<std::size_t>(1, 20000 / order.size());
  std::vector<double> samples;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const double begin = ww_bench::now();
    for (std::size_t k = 0; k < inner; ++k) ww::build_graph<ww::sm80, Builder, Disambiguation>(p, order, g, ws);
    samples.push_back((ww_bench::now() - begin) / static_cast<double>(inner * order.size()));
  }
  std::nth_element(samples.begin(), samples.begin() + 4, samples.end());
  return samples[4];
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

constexpr std::uint32_t whole = 4000;  // instructions of a long block
constexpr std::uint32_t piece = 250;
static_assert(whole % piece == 0);

// Appends the instructions of a block that others may pass.
void append_block(ww::program& to, const ww::program& from, const ww::block& b) {
  for (const ww::instr_id id : from.order_of(b)) {
    ww::instruction ins = from[id];
    if (ww::detail::is_fence(ins)) continue;
    const auto operands = from.operands_of(ins);
    ins.first_operand = static_cast<std::uint32_t>(to.operands.size());
    to.operands.insert(to.operands.end(), operands.begin(), operands.end());
    to.order.push_back(ww::instr_id(static_cast<std::uint32_t>(to.instructions.size())));
    to.instructions.push_back(ins);
  }
}

struct growth_figures {
  double of_pieces = 0;
  double of_whole = 0;
};

growth_figures growth_of(const ww::program& p, std::span<const ww::instr_id> order, ww::dependence_graph& g,
                         ww::graph_workspace& ws) {
  for (std::uint32_t n = 125; n <= whole; n *= 2) {
    const double t = time_block<ww::last_writer, ww::conservative>(p, order.first(n), g, ws);
    std::printf("prefix of %5u instructions: %6.1f ns per instruction\n", n, t);
  }
  // The pieces are built one after the other, as the whole is: one piece alone, many times over, would be learnt by heart.
  const auto in_pieces = [&] {
    const double begin = ww_bench::now();
    for (std::uint32_t at = 0; at < whole; at += piece) {
      ww::build_graph<ww::sm80, ww::last_writer, ww::conservative>(p, order.subspan(at, piece), g, ws);
    }
    return (ww_bench::now() - begin) / whole;
  };
  const auto at_once = [&] {
    const double begin = ww_bench::now();
    ww::build_graph<ww::sm80, ww::last_writer, ww::conservative>(p, order.first(whole), g, ws);
    return (ww_bench::now() - begin) / whole;
  };
  std::vector<double> pieces;
  std::vector<double> wholes;
  for (int repeat = 0; repeat < 51; ++repeat) {
    pieces.push_back(in_pieces());
    wholes.push_back(at_once());
  }
  growth_figures f;
  f.of_pieces = median(pieces);
  f.of_whole = median(wholes);
  const double offset = time_block<ww::last_writer, ww::base_offset>(p, order.first(whole), g, ws);
  std::printf("base_offset, %u instructions: %6.1f ns per instruction\n", whole, offset);
  return f;
}

}  // namespace

int main(int argc, char** argv) {
  ww::graph_workspace ws;
  ww::dependence_graph g;
  static constexpr std::uint32_t limits[] = {16, 64, 128, 256, 512, 1024, 2048, 4096, 100000};
  std::vector<std::vector<double>> by_size(std::size(limits));
  std::vector<std::vector<double>> edges_by_size(std::size(limits));
  std::vector<double> all;
  growth_figures growth;
  ww::program joined;  // all blocks one after the other
  const double reference_before = ww_bench::reference();
  ww_bench::arguments arguments(argc, argv);
  std::vector<std::string>& paths = arguments.paths;
  if (paths.empty()) {
    for (const char* folder : {"listings", "demo"}) {
      for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
        if (path.find(".sm80.sass") != std::string::npos) paths.push_back(path);
      }
    }
  }
  const unsigned unusable = ww_bench::each_program(paths, [&](const ww::program& p) {
    for (const ww::block& b : p.blocks) {
      if (b.padding || b.count < 4) continue;
      const double ns = time_block<ww::last_writer, ww::conservative>(p, p.order_of(b), g, ws);
      std::size_t k = 0;
      while (b.count > limits[k]) ++k;
      by_size[k].push_back(ns);
      edges_by_size[k].push_back(static_cast<double>(g.edges.size()) / b.count);
      if (b.count >= 16) all.push_back(ns);
      if (joined.order.size() < 4 * std::size_t{whole}) append_block(joined, p, b);
      if (b.count >= whole && growth.of_whole == 0) growth = growth_of(p, p.order_of(b), g, ws);
    }
  });
  if (unusable != 0) return 2;
  if (all.empty() || joined.order.empty()) {
    std::fprintf(stderr, "no block of 16 instructions or more\n");
    return 2;
  }
  if (growth.of_whole == 0) {
    const std::size_t once = joined.order.size();
    while (joined.order.size() < whole) joined.order.push_back(joined.order[joined.order.size() - once]);
    std::printf("no block of %u instructions: %zu instructions of all blocks stand for one\n", whole, once);
    growth = growth_of(joined, joined.order, g, ws);
  }
  const double reference = (reference_before + ww_bench::reference()) / 2;
  std::uint32_t low = 3;
  for (std::size_t k = 0; k < std::size(limits); ++k) {
    if (!by_size[k].empty()) {
      std::printf("blocks of %4u..%6u: %4zu blocks, median %6.1f ns per instruction, %5.2f edges per instruction\n", low + 1,
                  limits[k], by_size[k].size(), median(by_size[k]), median(edges_by_size[k]));
    }
    low = limits[k];
  }
  constexpr double budget = 100;  // ns per instruction
  constexpr double growth_budget = 1.5;
  const double ns = median(all);
  const double grown = growth.of_whole / growth.of_pieces;
  const double ratio_budget = budget / ww_bench::reference_budget_ns;
  std::printf("graph: median %.1f ns per instruction over %zu blocks of 16 and more (budget %.0f)\n", ns, all.size(),
              budget);
  std::printf("ratio: %.2f of one sorted number, %.1f ns (budget %.2f)\n", ns / reference, reference, ratio_budget);
  std::printf("growth: %u instructions %.1f ns, %u instructions %.1f ns, ratio %.2f (budget %.2f)\n", whole, growth.of_whole,
              piece, growth.of_pieces, grown, growth_budget);
  return arguments.check && (ns / reference > ratio_budget || grown > growth_budget) ? 1 : 0;
}
