// SPDX-License-Identifier: BSL-1.0
//
// Medians with intervals, and the comparison of two buffers.
//
//   median interval  between two order statistics that enclose the true median with at least 95 % probability, whatever
//                    the distribution (binomial bounds); needs six values, else it is the range of the values
//   difference       first byte that differs and the number of bytes that differ
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ww_gpu {

struct interval {
  double median = 0, low = 0, high = 0;
};

inline interval median_interval(std::vector<double> v) {
  interval r;
  if (v.empty()) {
    return r;
  }
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  r.median = n % 2 == 1 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
  // largest k with P(fewer than k of n fair coins show heads) <= 0.025; then v[k-1] .. v[n-k] holds the median
  double term = std::pow(0.5, static_cast<double>(n));
  double sum = 0;
  std::size_t k = 0;
  while (k < n && sum + term <= 0.025) {
    sum += term;
    ++k;
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
  }
  k = std::max<std::size_t>(k, 1);
  r.low = v[k - 1];
  r.high = v[n - k];
  return r;
}

struct difference {
  std::size_t count = 0;
  std::size_t first = 0;
};

inline difference compare(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  difference d;
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) {
      d.first = d.count == 0 ? i : d.first;
      ++d.count;
    }
  }
  if (a.size() != b.size()) {
    d.first = d.count == 0 ? n : d.first;
    d.count += std::max(a.size(), b.size()) - n;
  }
  return d;
}

}  // namespace ww_gpu
