// SPDX-License-Identifier: BSL-1.0
//
// One step of the fat-point allocator, nanoseconds against the number of constraints: bench_fat_point [--check].
//
// A step clears the pressure of 512 slots, adds point interference of registers 1 to 4 wide, and takes the cheapest slot. First column:
// the loops of the reference text as they stand, compiled like the rest; then regalloc/ with each vector policy that this processor
// has. Best of 15 runs over 256 lists in turn, processor time of this thread.
// With few additions the first slots are free, and the text's scan ends there; with 256 nothing is, as in code that fills the file.
// --check fails (exit 1) when with 256 additions the widest policy takes more than half of the text's loops, or scalar more than they.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

#include "warpwright/regalloc/all.hpp"
#include "warpwright/simd/all.hpp"

namespace {

namespace ra = ww::regalloc;

constexpr unsigned slots = 512;
constexpr unsigned lists = 256;

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

template <class F>
double nanoseconds(F&& step) {
  constexpr unsigned runs = 15;
  constexpr unsigned inner = 8192;
  double best = 1e30;
  for (unsigned r = 0; r < runs; ++r) {
    const double start = now();
    for (unsigned k = 0; k < inner; ++k) step(k % lists);
    best = std::min(best, (now() - start) / inner);
  }
  return best;
}

using list = std::vector<ra::target_place>;

// The text's loops: both arrays to zero, every constraint slot by slot, one scan.
double plain(const std::vector<list>& all, long& sink) {
  std::vector<int> primary(slots + 2);
  std::vector<int> secondary(slots + 2);
  return nanoseconds([&](unsigned k) {
    for (unsigned s = 0; s < slots; ++s) primary[s] = secondary[s] = 0;
    for (const ra::target_place& t : all[k]) {
      for (long s = t.slot; s < t.slot + t.extent; ++s) primary[static_cast<std::size_t>(s)] += t.weight;
    }
    unsigned best = 0;
    for (unsigned s = 1; s < slots; ++s) {
      if (primary[s] < primary[best] || (primary[s] == primary[best] && secondary[s] < secondary[best])) best = s;
      if (primary[best] == 0 && secondary[best] == 0) break;
    }
    sink += best;
  });
}

template <class Vector>
double step(const std::vector<list>& all, long& sink) {
  static ra::pressure_arrays arrays;
  ra::occupancy_bits bits;
  bits.reset(slots);
  return nanoseconds([&](unsigned k) {
    arrays.zero<Vector>();
    ra::pressure_view<Vector, true> view{&arrays, &bits, slots, 1, ra::pair_mode::single};
    for (const ra::target_place& t : all[k]) ra::constraint_kinds::accumulate(0, view, t);
    view.finish();
    ra::slot_scan scan{arrays.primary.cost, arrays.secondary.cost, &bits, {}};
    scan.geometry.end = slots;
    scan.geometry.last = slots - 1;
    scan.geometry.entries = slots;
    scan.first_attempt = false;
    scan.secondary_clear = true;
    sink += ra::fat_point<>::template select<Vector>(scan).slot;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  std::mt19937 rng(7);
  long sink = 0;
  bool good = true;
  std::printf("%10s %10s %10s %10s %10s %10s\n", "additions", "text", "scalar", "sse2", "avx2", "avx512");
  for (const unsigned n : {16u, 64u, 256u}) {
    std::vector<list> all(lists);
    for (list& l : all) {
      for (unsigned k = 0; k < n; ++k) {
        l.push_back({.slot = static_cast<long>(rng() % 508),
                     .extent = static_cast<long>(1 + rng() % 4),
                     .unit = 1,
                     .weight = static_cast<int>(1 + rng() % 7),
                     .hard = false});
      }
    }
    const double text = plain(all, sink);
    const double scalar = step<ww::simd::scalar>(all, sink);
    double widest = step<ww::simd::sse2>(all, sink);
    std::printf("%10u %10.1f %10.1f %10.1f", n, text, scalar, widest);
    if (__builtin_cpu_supports("avx2")) {
      widest = step<ww::simd::avx2>(all, sink);
      std::printf(" %10.1f", widest);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
      widest = step<ww::simd::avx512>(all, sink);
      std::printf(" %10.1f", widest);
    }
    std::printf("\n");
    if (n == 256) good = widest <= 0.5 * text && scalar <= text;
  }
  std::printf("nanoseconds a step; %ld\n", sink & 1);
  return check && !good ? 1 : 0;
}
