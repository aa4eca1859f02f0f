// SPDX-License-Identifier: BSL-1.0
//
// Random allocation problems, a check of their answers that knows nothing of the allocator, and every vector width that the
// CPU has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <warpwright/regalloc/all.hpp>
#include <warpwright/simd/all.hpp>

#include "../support/catch.hpp"

namespace ww_test::regalloc {

namespace ra = ww::regalloc;

struct dice {
  std::mt19937 engine;
  explicit dice(unsigned seed) : engine(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine()); }
};

// Calls f.template operator()<V>() for every vector policy that runs here.
template <class F>
void each_width(F&& f) {
  f.template operator()<ww::simd::scalar>();
#if defined(__x86_64__)
  f.template operator()<ww::simd::sse2>();
  if (__builtin_cpu_supports("avx2") != 0) f.template operator()<ww::simd::avx2>();
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0)
    f.template operator()<ww::simd::avx512>();
#endif
}

// Halves of physical registers that a register covers.
struct cover {
  std::int64_t first = -1;
  std::int64_t stop = -1;
};
inline cover cover_of(const ra::allocatable& r) {
  if (r.physical < 0) return {};
  const std::int64_t stride = std::int64_t{1} << r.alignment_log2;
  std::int64_t slots = (r.width + stride - 1) / stride * stride;
  if (r.pairing == ra::pair_mode::paired) {
    const std::int64_t first = std::int64_t{r.physical} * 2 + (r.has(ra::register_flag::high_half) ? 1 : 0);
    return {first, first + slots};
  }
  if (r.pairing == ra::pair_mode::doubled) slots *= 2;
  return {std::int64_t{r.physical} * 2, (std::int64_t{r.physical} + slots) * 2};
}
inline bool overlap(const cover& a, const cover& b) {
  return a.first >= 0 && b.first >= 0 && a.first < b.stop && b.first < a.stop;
}

// Alignment, interference and the peak of an answer; registers with places only.
inline void check_answer(const ra::problem& p, const ra::round_result& result) {
  std::int64_t peak = -1;
  for (std::uint32_t r = 0; r < p.registers.size(); ++r) {
    const ra::allocatable& a = p.registers[r];
    const cover mine = cover_of(a);
    if (mine.first < 0) continue;
    const std::int64_t slot = a.pairing == ra::pair_mode::paired ? mine.first : a.physical - std::int64_t{p.file.base};
    const std::int64_t step = (std::int64_t{1} << a.alignment_log2) * (a.pairing == ra::pair_mode::doubled ? 2 : 1);
    CHECK(slot % step == 0);
    peak = std::max(peak, (mine.stop - 1) / 2 - static_cast<std::int64_t>(p.file.base));
    for (const ra::constraint& c : p.constraints_of(r)) {
      if (c.kind != 0 || c.soft || c.physical || c.target >= p.registers.size() || c.target == r) continue;
      if (overlap(mine, cover_of(p.registers[c.target]))) {
        FAIL_CHECK("registers " << r << " and " << c.target << " share a slot");
      }
    }
  }
  if (result.account.needing_spill == 0) {
    CHECK(result.account.peak == peak);
    CHECK(result.registers == static_cast<std::uint32_t>(peak + 1));
  }
}

struct live_range {
  int from = 0;
  int to = 0;  // the first point at which it is no longer live
};

// Live ranges of straight-line code: each register is written once and read up to `reach` points later.
inline std::vector<live_range> random_ranges(dice& rng, int count, int reach) {
  std::vector<live_range> ranges(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    ranges[static_cast<std::size_t>(k)] = {k, k + 1 + static_cast<int>(rng() % static_cast<unsigned>(reach))};
  }
  for (std::size_t k = ranges.size(); k > 1; --k) std::swap(ranges[k - 1], ranges[rng() % k]);
  return ranges;
}
inline void interfere_all(ra::problem_builder& b, const std::vector<live_range>& ranges) {
  for (std::uint32_t x = 0; x < ranges.size(); ++x) {
    for (std::uint32_t y = x + 1; y < ranges.size(); ++y) {
      if (ranges[x].from < ranges[y].to && ranges[y].from < ranges[x].to) b.interfere(x, y);
    }
  }
}
inline int most_live(const std::vector<live_range>& ranges) {
  int most = 0;
  for (const live_range& at : ranges) {
    int live = 0;
    for (const live_range& r : ranges) live += r.from <= at.from && at.from < r.to ? 1 : 0;
    most = std::max(most, live);
  }
  return most;
}

inline ra::register_file file_of(std::uint32_t registers) {
  ra::register_file f;
  f.hardware_limit = registers;
  f.max_slot = f.class_limit = registers - 1;
  return f;
}

}  // namespace ww_test::regalloc
