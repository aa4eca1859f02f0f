// SPDX-License-Identifier: BSL-1.0
//
// Graph construction on real blocks: nanoseconds per instruction by block size, and the growth between sizes.
//
//   bench_graph [--check] [LISTING...]   listings of sm_80 (nvdisasm -c -hex, not compressed); without any, the bundled ones
//
// --check fails (exit 1) only on the growth ratio, above 2.0, where the listings hold a block of 4,000 instructions; times
// are printed with their budget and not checked. No block at all is exit 2.
//
// Budget: at most 100 ns per instruction (median over blocks), and at 4,000 instructions at most 1.5 times what 250 cost.
// Besides real blocks, prefixes of the largest block are timed, so that the growth compares the same code.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>

#include "../tests/support/corpus.hpp"

namespace {

using steady = std::chrono::steady_clock;

// Median over repeats of the time of one construction, in ns per instruction.
template <class Builder, class Disambiguation>
double time_block(const ww::program& p, std::span<const ww::instr_id> order, ww::dependence_graph& g,
                  ww::graph_workspace& ws) {
  ww::build_graph<ww::sm80, Builder, Disambiguation>(p, order, g, ws);
  const std::size_t inner = std::max<std::size_t>(1, 20000 / order.size());
  std::vector<double> samples;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const auto begin = steady::now();
    for (std::size_t k = 0; k < inner; ++k) ww::build_graph<ww::sm80, Builder, Disambiguation>(p, order, g, ws);
    const std::chrono::duration<double, std::nano> spent = steady::now() - begin;
    samples.push_back(spent.count() / static_cast<double>(inner * order.size()));
  }
  std::nth_element(samples.begin(), samples.begin() + 4, samples.end());
  return samples[4];
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  ww::graph_workspace ws;
  ww::dependence_graph g;
  static constexpr std::uint32_t limits[] = {16, 64, 128, 256, 512, 1024, 2048, 4096, 100000};
  std::vector<std::vector<double>> by_size(std::size(limits));
  std::vector<std::vector<double>> edges_by_size(std::size(limits));
  std::vector<double> all;
  double prefix_250 = 0;
  double prefix_4000 = 0;
  bool check = false;
  std::vector<std::string> paths;
  for (int a = 1; a < argc; ++a) {
    if (std::string_view(argv[a]) == "--check") {
      check = true;
    } else {
      paths.emplace_back(argv[a]);
    }
  }
  if (paths.empty()) {
    for (const char* folder : {"listings", "demo"}) {
      for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
        if (path.find(".sm80.sass") != std::string::npos) paths.push_back(path);
      }
    }
  }
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    auto r = ww::sass::read_listing(text, {ww::sm80::id, path});
    if (!r) {
      std::fprintf(stderr, "%s\n", r.err.message().c_str());
      return 2;
    }
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) return 2;
      for (const ww::block& b : p.blocks) {
        if (b.padding || b.count < 4) continue;
        const double ns = time_block<ww::last_writer, ww::conservative>(p, p.order_of(b), g, ws);
        std::size_t k = 0;
        while (b.count > limits[k]) ++k;
        by_size[k].push_back(ns);
        edges_by_size[k].push_back(static_cast<double>(g.edges.size()) / b.count);
        if (b.count >= 16) all.push_back(ns);
        if (b.count >= 4000 && prefix_4000 == 0) {
          for (std::uint32_t n = 125; n <= b.count; n *= 2) {
            const double t = time_block<ww::last_writer, ww::conservative>(p, p.order_of(b).first(n), g, ws);
            std::printf("prefix of %5u instructions: %6.1f ns per instruction\n", n, t);
          }
          // 250-instruction pieces all over the block, so that the code compared is the same
          std::vector<double> pieces;
          for (std::uint32_t at = 0; at + 250 <= 4000; at += 250) {
            pieces.push_back(time_block<ww::last_writer, ww::conservative>(p, p.order_of(b).subspan(at, 250), g, ws));
          }
          prefix_250 = median(pieces);
          prefix_4000 = time_block<ww::last_writer, ww::conservative>(p, p.order_of(b).first(4000), g, ws);
          const double offset = time_block<ww::last_writer, ww::base_offset>(p, p.order_of(b).first(4000), g, ws);
          std::printf("base_offset, 4000 instructions: %6.1f ns per instruction\n", offset);
        }
      }
    }
  }
  std::uint32_t low = 3;
  for (std::size_t k = 0; k < std::size(limits); ++k) {
    if (!by_size[k].empty()) {
      std::printf("blocks of %4u..%6u: %4zu blocks, median %6.1f ns per instruction, %5.2f edges per instruction\n", low + 1,
                  limits[k], by_size[k].size(), median(by_size[k]), median(edges_by_size[k]));
    }
    low = limits[k];
  }
  std::printf("graph: median %.1f ns per instruction over %zu blocks of 16 and more (budget 100)\n", median(all),
              all.size());
  if (prefix_250 > 0) {
    std::printf("growth: 4000 instructions %.1f ns, 250 instructions %.1f ns, ratio %.2f (budget 1.50)\n", prefix_4000,
                prefix_250, prefix_4000 / prefix_250);
    if (check && prefix_4000 > 2.0 * prefix_250) return 1;
  } else {
    std::printf("growth: not measured, no block of 4000 instructions in these listings\n");
  }
  if (all.empty()) {
    std::fprintf(stderr, "no block of 16 instructions or more\n");
    return 2;
  }
  return 0;
}
