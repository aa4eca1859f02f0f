// SPDX-License-Identifier: BSL-1.0
//
// Control words and simulation on real blocks: bench_scoreboard LISTING...
//
// Per program the fastest of several runs with a warm workspace; printed as nanoseconds per instruction over all programs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/assign.hpp>

namespace {

template <class F>
double fastest(F&& f) {
  double best = 1e30;
  for (int k = 0; k < 15; ++k) {
    const auto t = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - t).count());
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
  for (int k = 1; k < argc; ++k) {
    std::ifstream in(argv[k], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    auto r = ww::sass::read_listing(text, {});
    if (!r) {
      std::fprintf(stderr, "%s: not read\n", argv[k]);
      return 2;
    }
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      ww::detail::visit_arch_in(archs{}, ww::nearest_sm(p.sm), [&]<class Arch>() {
        words += fastest([&] { (void)ww::scoreboard::assign_control<Arch>(p, ws); });
        one += fastest([&] { (void)ww::model::simulate<Arch>(p, {}, mw); });
        eight += fastest([&] { (void)ww::model::simulate<Arch>(p, {.warps = 8}, mw); });
        instructions += static_cast<double>(p.order.size());
      });
    }
  }
  if (instructions <= 0) {
    std::fprintf(stderr, "usage: bench_scoreboard LISTING...\n");
    return 2;
  }
  std::printf(
      "ns per instruction: control words %.1f, simulation of one warp %.1f, of eight warps %.1f (%.0f instructions)\n",
      words / instructions, one / instructions, eight / instructions, instructions);
  return 0;
}
