// SPDX-License-Identifier: BSL-1.0
//
// The speed of listings in and out: bench_reader [--check] [LISTING...]; without listings, the corpus that WARPWRIGHT_CORPUS
// names, else the bundled ones of all SMs.
//
// Megabytes (1,000,000 bytes of text) per second of processor time, each the median over repeats of the whole set; files are
// read into memory before.
//   reading   read_listing: every line parsed, every instruction decoded, labels and branch tables resolved
//   writing   write_listing of what was read; the bytes must be the first ones
// With --check: exits 1 if reading is slower than 100 MB/s on a machine of nominal speed. One that sorts slower than
// bench/reference.hpp says, between the repeats, by some factor is allowed that factor.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "listings.hpp"
#include "reference.hpp"
#include "warpwright/sass/writer.hpp"

namespace {

constexpr double budget = 100;  // MB/s
constexpr unsigned repeats = 9;
constexpr std::size_t least = 20'000'000;  // bytes per measurement

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

struct file {
  std::string path, text;
};

ww::sass::listing_result read(const file& f) {
  return ww::sass::read_listing(f.text, {.sm = ww_test::corpus::sm_of(f.path), .file = f.path});
}

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments arguments(argc, argv);
  if (arguments.paths.empty()) {
    arguments.paths = ww_bench::of_corpus();
    const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
    arguments.paths.insert(arguments.paths.end(), more.begin(), more.end());
  }
  std::vector<file> files;
  std::size_t bytes = 0;
  std::uint64_t instructions = 0;
  for (const std::string& path : arguments.paths) {
    files.push_back({path, ww_test::corpus::text(path)});
    const ww::sass::listing_result r = read(files.back());
    if (!r) {
      std::fprintf(stderr, "%s\n", r.err.message().c_str());
      return 2;
    }
    bytes += files.back().text.size();
    for (const ww::program& p : r.mod.sections) instructions += p.instructions.size();
  }
  if (bytes == 0 || instructions == 0) return 2;

  const std::size_t rounds = least / bytes + 1;
  const double all = static_cast<double>(bytes) * static_cast<double>(rounds);
  std::vector<double> reading, writing, sort;  // ns per byte
  std::uint64_t again = 0;
  unsigned changed = 0;
  std::string out;
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    sort.push_back(ww_bench::reference());
    double in = 0, back = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      for (const file& f : files) {
        const double start = ww_bench::now();
        const ww::sass::listing_result r = read(f);
        const double middle_of = ww_bench::now();
        out.clear();
        const ww::sass::error e = ww::sass::write_listing(r.mod, [&](std::string_view piece) { out += piece; });
        const double end = ww_bench::now();
        in += middle_of - start;
        back += end - middle_of;
        changed += e || out != f.text;
        for (const ww::program& p : r.mod.sections) again += p.instructions.size();
      }
    }
    reading.push_back(in / all);
    writing.push_back(back / all);
  }
  if (again != instructions * rounds * repeats) return 2;
  const double factor = std::max(1.0, middle(sort) / ww_bench::reference_budget_ns);
  const double speed = 1e3 / middle(reading);
  const bool slow = speed * factor < budget;
  std::printf("%zu listings, %.1f MB, %llu instructions; sort %.1f ns\n", files.size(), static_cast<double>(bytes) / 1e6,
              static_cast<unsigned long long>(instructions), middle(sort));
  std::printf("reading: %.0f MB/s, %.0f ns per instruction (budget %.0f MB/s)  %s\n", speed,
              middle(reading) * static_cast<double>(bytes) / static_cast<double>(instructions), budget,
              slow ? "below budget" : "ok");
  std::printf("writing: %.0f MB/s  %s\n", 1e3 / middle(writing), changed != 0 ? "with changed bytes" : "the same bytes");
  return changed != 0 || (arguments.check && slow) ? 1 : 0;
}
