// SPDX-License-Identifier: BSL-1.0
//
// The hazard checker's speed: bench_verify [--check] [LISTING...]; without listings, the bundled ones of all SMs.
//
// Per SM: instructions per second of processor time of verify::check with one workspace for all programs, the median over
// repeats of the whole set. Parsing and graph building are not counted. With --check: exits 1 if any SM is below 1,000,000
// instructions per second on a machine of nominal speed. What nominal is, a sort of 65,536 numbers tells that runs between
// the repeats: a machine, or a moment, that sorts slower by some factor is allowed that factor.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

constexpr double nominal_sort = 75;   // ns per number; an unloaded 3 GHz core (assumed)
constexpr double budget = 1'000'000;  // instructions per second
constexpr unsigned repeats = 9;
constexpr std::uint64_t least = 60'000;  // instructions per measurement, so that the clock's grain does not matter

double now() { return 1e9 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }  // ns

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// ns per number.
double sort_once() {
  constexpr std::size_t n = 65536;
  std::vector<std::uint32_t> v(n);
  std::uint64_t state = 88172645463325252ull;
  for (std::uint32_t& x : v) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x = static_cast<std::uint32_t>(state >> 16);
  }
  const double start = now();
  std::sort(v.begin(), v.end());
  const double end = now();
  if (!std::is_sorted(v.begin(), v.end())) std::puts("?");  // the result is used
  return (end - start) / static_cast<double>(n);
}

struct totals {
  bool slow = false;
  unsigned sms = 0;
};

template <class Arch>
void row(const std::vector<ww::program>& programs, ww::verify::workspace& w, totals& t) {
  std::uint64_t once = 0;
  std::size_t kernels = 0;
  for (const ww::program& p : programs) {
    if (p.sm != Arch::id) continue;
    once += ww::verify::check<Arch>(p, {}, w).instructions;
    ++kernels;
  }
  if (once == 0) return;
  const std::uint64_t rounds = least / once + 1;
  std::vector<double> cost;
  std::vector<double> sort;
  std::uint64_t findings = 0;
  for (unsigned r = 0; r < repeats; ++r) {
    sort.push_back(sort_once());
    const double start = now();
    for (std::uint64_t k = 0; k < rounds; ++k) {
      for (const ww::program& p : programs) {
        if (p.sm == Arch::id) findings += ww::verify::check<Arch>(p, {}, w).findings.size();
      }
    }
    cost.push_back((now() - start) / static_cast<double>(once * rounds));
  }
  const double ns = middle(cost);
  const double factor = std::max(1.0, middle(sort) / nominal_sort);
  const double speed = 1e9 / ns;
  const bool slow = speed * factor < budget;
  std::printf("%-7s %3zu kernels %7llu instructions %6.0f ns/instr %5.2f M instr/s  sort %5.1f ns  %s%s\n", Arch::name,
              kernels, static_cast<unsigned long long>(once), ns, speed / 1e6, middle(sort), slow ? "below budget" : "ok",
              findings != 0 ? "  with findings" : "");
  t.slow = t.slow || slow;
  ++t.sms;
}

}  // namespace

int main(int argc, char** argv) {
  bool check = false;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--check") {
      check = true;
    } else {
      paths.emplace_back(argv[i]);
    }
  }
  if (paths.empty()) {
    paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
    const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
    paths.insert(paths.end(), more.begin(), more.end());
  }
  std::vector<ww::program> programs;
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!r) {
      std::fprintf(stderr, "%s: unusable\n", path.c_str());
      continue;
    }
    for (ww::program& p : r.mod.sections) {
      static_cast<void>(ww::build_cfg(p, {}));
      programs.push_back(p);
    }
  }
  totals t;
  ww::verify::workspace w;
  ww::meta::for_each<ww::all_archs>([&]<class Arch>() { row<Arch>(programs, w, t); });
  if (t.sms == 0) return 2;
  if (check && t.slow) {
    std::printf("the budget is %.0f instructions per second\n", budget);
    return 1;
  }
  return 0;
}
