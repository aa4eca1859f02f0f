// SPDX-License-Identifier: BSL-1.0
//
// The hazard checker's speed: bench_verify [--check] [LISTING...]; without listings, the bundled ones of all SMs.
//
// Per SM: instructions per second of processor time of verify::check with one workspace for all programs, the median over
// repeats of the whole set. Parsing and graph building are not counted. With --check: exits 1 if any SM is below 1,000,000
// instructions per second on a machine of nominal speed: one that sorts slower than bench/reference.hpp says, between the
// repeats, by some factor is allowed that factor. Then the proof that an order is the same program (verify::compare_orders), of every
// program against itself, which looks at all of it: at most 2,000 ns an instruction, allowed the same factor.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "listings.hpp"
#include "reference.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/verify/same_order.hpp"

namespace {

// Those of which there are listings.
using archs = ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a, ww::sm100, ww::sm103,
                                  ww::sm107, ww::sm110, ww::sm120>;

constexpr double budget = 1'000'000;    // instructions per second
constexpr double proof_budget = 2'000;  // ns an instruction
constexpr unsigned repeats = 9;
constexpr std::uint64_t least = 60'000;  // instructions per measurement, so that the clock's grain does not matter

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
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
    sort.push_back(ww_bench::reference());
    const double start = ww_bench::now();
    for (std::uint64_t k = 0; k < rounds; ++k) {
      for (const ww::program& p : programs) {
        if (p.sm == Arch::id) findings += ww::verify::check<Arch>(p, {}, w).findings.size();
      }
    }
    cost.push_back((ww_bench::now() - start) / static_cast<double>(once * rounds));
  }
  const double ns = middle(cost);
  const double factor = std::max(1.0, middle(sort) / ww_bench::reference_budget_ns);
  const double speed = 1e9 / ns;
  const bool slow = speed * factor < budget;
  std::printf("%-7s %3zu kernels %7llu instructions %6.0f ns/instr %5.2f M instr/s  sort %5.1f ns  %s%s\n", Arch::name,
              kernels, static_cast<unsigned long long>(once), ns, speed / 1e6, middle(sort), slow ? "below budget" : "ok",
              findings != 0 ? "  with findings" : "");
  t.slow = t.slow || slow;
  ++t.sms;
}

bool proof_is_slow(const std::vector<ww::program>& programs) {
  std::uint64_t once = 0;
  for (const ww::program& p : programs) once += p.instructions.size();
  if (once == 0) return false;
  std::vector<double> cost;
  std::vector<double> sort;
  std::size_t differences = 0;
  for (unsigned r = 0; r < repeats; ++r) {
    sort.push_back(ww_bench::reference());
    const double start = ww_bench::now();
    for (const ww::program& p : programs) {
      ww::vec<ww::verify::order_difference> found;
      ww::verify::compare_orders(p, p, found);
      differences += found.size();
    }
    cost.push_back((ww_bench::now() - start) / static_cast<double>(once));
  }
  const double ns = middle(cost);
  const double factor = std::max(1.0, middle(sort) / ww_bench::reference_budget_ns);
  const bool slow = ns > proof_budget * factor;
  std::printf("the same program: %zu kernels %llu instructions %6.0f ns/instr  sort %5.1f ns  %s%s\n", programs.size(),
              static_cast<unsigned long long>(once), ns, middle(sort), slow ? "above budget" : "ok",
              differences != 0 ? "  with differences" : "");
  return slow || differences != 0;
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  std::vector<std::string>& paths = arguments.paths;
  if (paths.empty()) {
    paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
    const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
    paths.insert(paths.end(), more.begin(), more.end());
  }
  std::vector<ww::program> programs;
  ww_bench::each_program(paths, [&](const ww::program& p) { programs.push_back(p); });
  totals t;
  ww::verify::workspace w;
  ww::meta::for_each<archs>([&]<class Arch>() { row<Arch>(programs, w, t); });
  if (t.sms == 0) return 2;
  const bool slow_proof = proof_is_slow(programs);
  if (arguments.check && (t.slow || slow_proof)) {
    std::printf("the budget is %.0f instructions per second, and %.0f ns for the proof\n", budget, proof_budget);
    return 1;
  }
  return 0;
}
