// SPDX-License-Identifier: BSL-1.0
//
// The yardstick of the benchmarks: a fixed piece of work that is timed in the same run, so that a slow or busy machine makes
// both figures larger and their ratio stays.
//
//   reference   sorting 4,096 pseudo-random 32-bit numbers with std::sort, other numbers in every run, in ns of processor time
//               per number
//   ratio       ns per instruction of what is measured over that
//
// Sorting is branchy integer work in the first-level cache, like the passes here. The numbers differ from run to run, or a
// large branch predictor learns them by heart (10 ns where other numbers take 38, observed). One number takes about 40 ns on
// the machine of bench/README.md (37 to 46 ns while it was busy); a budget of N ns is a ratio of N / 40.
// Times are processor time of this single-threaded program, so that other programs count only for what they do to caches
// and clock rates.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>

namespace ww_bench {

constexpr double reference_budget_ns = 40;  // of one sorted number, where a budget in ns applies as it stands

// Processor time in ns.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

// ns per sorted number, the median of several runs. Call it right before and after what it is compared with.
inline double reference() {
  constexpr unsigned count = 4096;
  constexpr unsigned runs = 31;
  static std::array<std::uint32_t, count> numbers;
  std::array<double, runs> samples{};
  std::uint32_t sink = 0;
  static std::uint32_t x = 2463534242u;
  for (double& sample : samples) {
    for (std::uint32_t& n : numbers) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      n = x;
    }
    const double start = now();
    std::sort(numbers.begin(), numbers.end());
    sample = (now() - start) / count;
    sink += numbers[count / 2];
  }
  std::nth_element(samples.begin(), samples.begin() + runs / 2, samples.end());
  return sink == 1 ? 0 : samples[runs / 2];
}

}  // namespace ww_bench
