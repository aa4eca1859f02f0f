// SPDX-License-Identifier: BSL-1.0
//
// Input patterns for kernels on silicon: ten ways to fill a buffer, no two of which agree in any element.
//
//   element  f32, u32 (any integers of 32 bits), u8, u64, f64; what the values should look like to the kernel
//   pattern  0 uniform in [0,1)      1 uniform in [-1,1)   2 small whole numbers  3 wide range of exponents
//            4 alternating and rising 5 ramp               6 close to one         7 mostly tiny
//            8 any finite bits       9 rare large spikes in small noise
// The low four bits of every element are the number of the pattern, which makes the patterns differ everywhere (bytes: the
// value is a permutation of the index that depends on the pattern). Same pattern, same seed: same bytes on every machine.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ww_gpu {

inline constexpr unsigned pattern_count = 10;

enum class element : std::uint8_t { f32, f64, u8, u32, u64 };

inline constexpr unsigned size_of(element e) {
  return e == element::u8 ? 1u : (e == element::u64 || e == element::f64 ? 8u : 4u);
}

// A 64-bit mix of a counter: the same on every machine.
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Value of element i as a number, before it is rounded to its type. Only exact operations and ldexp are used.
inline double value_of(unsigned pattern, std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t r = mix(seed ^ (i * 16 + pattern));
  const double unit = std::ldexp(static_cast<double>(r >> 40), -24);  // [0, 1)
  switch (pattern) {
    case 0:
      return unit;
    case 1:
      return 2 * unit - 1;
    case 2:
      return static_cast<double>(static_cast<int>(r >> 58) - 32);
    case 3:
      return std::ldexp(2 * unit - 1, static_cast<int>((r & 31u)) - 16);
    case 4:
      return (i % 2 == 0 ? 1.0 : -1.0) * std::ldexp(static_cast<double>((i + seed * 1000) % 4096), -6);
    case 5:
      return std::ldexp(static_cast<double>((i + seed * 100) % 1021), -10);
    case 6:
      return 1 + std::ldexp(unit, -12);
    case 7:
      return std::ldexp(unit - 0.5, -60 - static_cast<int>(r & 63u));
    case 9:
      return r % 997 == 0 ? std::ldexp(unit + 1, 10) : std::ldexp(unit - 0.5, -8);
    default:
      return unit;
  }
}

// `count` elements; the bytes are little-endian.
inline std::vector<std::uint8_t> fill(element e, unsigned pattern, std::uint64_t seed, std::uint64_t count) {
  const unsigned size = size_of(e);
  std::vector<std::uint8_t> out(count * size);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    const std::uint64_t r = mix(seed ^ (i * 16 + pattern));
    if (e == element::u8) {
      bits = (r & 0xf0u) | ((pattern + i) & 15u);
    } else if (e == element::f32) {
      if (pattern == 8) {
        bits = r & 0xffffffffu;
        if ((bits & 0x7f800000u) == 0x7f800000u) {
          bits &= ~std::uint64_t{0x00800000u};  // finite
        }
      } else {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(value_of(pattern, seed, i)));
      }
      bits = (bits & ~std::uint64_t{15}) | pattern;
    } else if (e == element::f64) {
      bits = (std::bit_cast<std::uint64_t>(value_of(pattern, seed, i)) & ~std::uint64_t{15}) | pattern;
    } else {
      bits = r;
      if (pattern == 2) {
        bits &= 0xff;
      } else if (pattern == 5) {
        bits = (i + seed * 1000) << 4;
      } else if (pattern == 7) {
        bits = std::uint64_t{1} << (r & 63u);
      }
      bits = (bits & ~std::uint64_t{15}) | pattern;
    }
    for (unsigned k = 0; k < size; ++k) {
      out[i * size + k] = static_cast<std::uint8_t>(bits >> (8 * k));
    }
  }
  return out;
}

// What an output holds before the launch: differs from element to element and from pattern to pattern.
inline std::vector<std::uint8_t> poison(unsigned pattern, std::uint64_t size) {
  std::vector<std::uint8_t> out(size);
  for (std::uint64_t i = 0; i < size; ++i) {
    out[i] = static_cast<std::uint8_t>(mix(0x5a5a0000u + pattern + i * 16) >> 8);
  }
  return out;
}

}  // namespace ww_gpu
