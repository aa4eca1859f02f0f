// SPDX-License-Identifier: BSL-1.0
//
// PLS-9: every vector width gives the results of the scalar policy, for every length and alignment that matters. Widths that
// the CPU lacks are compiled, and named as not run.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <warpwright/simd/avx2.hpp>
#include <warpwright/simd/avx512.hpp>
#include <warpwright/simd/scalar.hpp>
#include <warpwright/simd/sse2.hpp>

#include "../support/catch.hpp"

namespace {

using ww::simd::scalar;

template <class V>
void compare(bool runs_here) {
  static_assert(std::is_empty_v<V> && !std::is_polymorphic_v<V> && std::is_trivially_copyable_v<V>);
  if (!runs_here) {
    WARN(std::string("this CPU lacks ") + V::name + ": compiled, not run");
    return;
  }
  std::mt19937 rng(99);
  for (std::size_t count = 0; count <= 70; ++count) {
    for (std::size_t shift = 0; shift < 3; ++shift) {
      for (unsigned range : {3u, 1000u, 0xffffffffu}) {
        INFO(V::name << " count " << count << " shift " << shift << " range " << range);
        std::vector<std::int32_t> in(count + 4);
        std::vector<std::int32_t> base(count + 4);
        std::vector<std::uint64_t> bits(count + 4);
        std::vector<std::uint64_t> mask(count + 4);
        for (auto& x : in) x = static_cast<std::int32_t>(range == 0xffffffffu ? rng() : rng() % range);
        for (auto& x : base) x = static_cast<std::int32_t>(rng());
        for (auto& x : bits) x = (static_cast<std::uint64_t>(rng()) << 32) | rng();
        for (auto& x : mask) x = (static_cast<std::uint64_t>(rng()) << 32) | rng();
        const auto same = [&](auto work) {
          auto a = base;
          auto b = base;
          work(V{}, a.data() + shift);
          work(scalar{}, b.data() + shift);
          REQUIRE(a == b);
        };
        same([&](auto v, std::int32_t* out) { decltype(v)::add(out, in.data() + shift, count); });
        same([&](auto v, std::int32_t* out) { decltype(v)::broadcast_add(out, in[0], count); });
        same([&](auto v, std::int32_t* out) { decltype(v)::zero(out, count); });
        REQUIRE(V::min_scan(in.data() + shift, count) == scalar::min_scan(in.data() + shift, count));
        REQUIRE(V::max_scan(in.data() + shift, count) == scalar::max_scan(in.data() + shift, count));
        REQUIRE(V::popcount(bits.data() + shift, count) == scalar::popcount(bits.data() + shift, count));
        same([&](auto v, std::int32_t* out) {
          std::vector<std::int32_t> steps = in;
          decltype(v)::add_running(out, steps.data() + shift, in[1], in[2], count);
          for (std::size_t k = 0; k < steps.size(); ++k) REQUIRE(steps[k] == (k < shift || k >= shift + count ? in[k] : 0));
        });
        const std::size_t some = std::min<std::size_t>(count, 64);
        const std::int32_t middle = in[shift + some / 2];
        const std::int32_t* from = in.data() + shift;
        REQUIRE(V::equal_mask(from, middle, some) == scalar::equal_mask(from, middle, some));
        REQUIRE(V::above_mask(from, middle, some) == scalar::above_mask(from, middle, some));
        for (const std::uint64_t chosen : {std::uint64_t{0}, bits[0], bits[0] & mask[0] & mask[1], ~std::uint64_t{0}}) {
          REQUIRE(V::min_where(from, chosen, some) == scalar::min_where(from, chosen, some));
        }
        const auto same_bits = [&](auto work) {
          auto a = bits;
          auto b = bits;
          work(V{}, a.data() + shift);
          work(scalar{}, b.data() + shift);
          REQUIRE(a == b);
        };
        same_bits([&](auto v, std::uint64_t* out) { decltype(v)::bit_or(out, mask.data() + shift, count); });
        same_bits([&](auto v, std::uint64_t* out) { decltype(v)::bit_and(out, mask.data() + shift, count); });
        same_bits([&](auto v, std::uint64_t* out) { decltype(v)::bit_andnot(out, mask.data() + shift, count); });
      }
    }
  }
}

constexpr bool scalar_in_constant_expressions() {
  std::int32_t a[4] = {3, 1, 1, 3};
  const std::int32_t b[4] = {std::numeric_limits<std::int32_t>::max(), 0, 0, 0};
  scalar::add(a, b, 4);
  if (a[0] != std::numeric_limits<std::int32_t>::min() + 2) return false;
  scalar::broadcast_add(a, 1, 4);
  if (scalar::min_scan(a, 4) != 0 || scalar::max_scan(a, 4) != 3) return false;
  const std::int32_t c[4] = {5, 2, 2, 5};
  if (scalar::min_scan(c, 4) != 1 || scalar::max_scan(c, 4) != 0) return false;
  std::uint64_t w[2] = {0xff, 0x1};
  const std::uint64_t m[2] = {0x0f, 0x1};
  if (scalar::popcount(w, 2) != 9) return false;
  scalar::bit_andnot(w, m, 2);
  if (w[0] != 0xf0 || w[1] != 0) return false;
  scalar::bit_or(w, m, 2);
  scalar::bit_and(w, m, 2);
  scalar::zero(a, 4);
  std::int32_t d[3] = {1, std::numeric_limits<std::int32_t>::max(), 5};
  std::int32_t steps[3] = {4, -4, 1};
  scalar::add_running(d, steps, 2, 1, 3);
  if (d[0] != 7 || d[1] != std::numeric_limits<std::int32_t>::min() || d[2] != 8) return false;
  if (steps[0] != 0 || steps[1] != 0 || steps[2] != 0) return false;
  if (scalar::equal_mask(c, 2, 4) != 0b0110 || scalar::above_mask(c, 2, 4) != 0b1001 || scalar::above_mask(c, 5, 4) != 0)
    return false;
  if (scalar::min_where(c, 0b1001, 4) != 5 || scalar::min_where(c, 0b0101, 4) != 2) return false;
  if (scalar::min_where(c, 0b10000, 4) != std::numeric_limits<std::int32_t>::max()) return false;
  return w[0] == 0x0f && w[1] == 1 && a[0] == 0 && a[3] == 0;
}
static_assert(scalar_in_constant_expressions());

}  // namespace

TEST_CASE("PLS-9 sse2 gives the results of scalar") { compare<ww::simd::sse2>(__builtin_cpu_supports("sse2") != 0); }
TEST_CASE("PLS-9 avx2 gives the results of scalar") { compare<ww::simd::avx2>(__builtin_cpu_supports("avx2") != 0); }
TEST_CASE("PLS-9 avx512 gives the results of scalar") {
  compare<ww::simd::avx512>(__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0);
}
