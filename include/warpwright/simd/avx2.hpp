// SPDX-License-Identifier: BSL-1.0
//
// The vector width policy with 256-bit vectors, for CPUs with AVX2. Its functions are compiled for that instruction set by
// attribute, whatever the flags of the unit; naming this policy is the promise that the CPU has it.
//
// The bit count looks nibbles up in a table of sixteen bytes. Results equal simd::scalar bit for bit (see concept.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "concept.hpp"
#include "scalar.hpp"

#if defined(__x86_64__) || defined(_M_X64)

#include <immintrin.h>

namespace ww::simd {

struct avx2 {
  using role = role::vector_width;
  static constexpr const char* name = "avx2";
  static constexpr std::size_t lanes = 8;

  [[gnu::target("avx2")]] static void add(std::int32_t* out, const std::int32_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(out + i, _mm256_add_epi32(load(out + i), load(in + i)));
    scalar::add(out + i, in + i, count - i);
  }
  [[gnu::target("avx2")]] static void broadcast_add(std::int32_t* out, std::int32_t value, std::size_t count) {
    std::size_t i = 0;
    const __m256i wide = _mm256_set1_epi32(value);
    for (; i + lanes <= count; i += lanes) store(out + i, _mm256_add_epi32(load(out + i), wide));
    scalar::broadcast_add(out + i, value, count - i);
  }
  [[gnu::target("avx2")]] static void zero(std::int32_t* out, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(out + i, _mm256_setzero_si256());
    scalar::zero(out + i, count - i);
  }
  [[gnu::target("avx2")]] static std::size_t min_scan(const std::int32_t* in, std::size_t count) {
    if (count < lanes) return scalar::min_scan(in, count);
    __m256i best = load(in);
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) best = smaller(best, load(in + i));
    best = smaller(best, load(in + count - lanes));
    std::int32_t spread[lanes];
    store(spread, best);
    return find(in, *std::min_element(spread, spread + lanes), count);
  }
  [[gnu::target("avx2")]] static std::size_t max_scan(const std::int32_t* in, std::size_t count) {
    if (count < lanes) return scalar::max_scan(in, count);
    __m256i best = load(in);
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) best = larger(best, load(in + i));
    best = larger(best, load(in + count - lanes));
    std::int32_t spread[lanes];
    store(spread, best);
    return find(in, *std::max_element(spread, spread + lanes), count);
  }
  [[gnu::target("avx2")]] static std::uint64_t popcount(const std::uint64_t* in, std::size_t count) {
    const __m256i table =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f);
    __m256i sum = _mm256_setzero_si256();
    std::size_t i = 0;
    for (; i + words <= count; i += words) {
      const __m256i v = load(in + i);
      const __m256i first = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
      const __m256i second = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
      sum = _mm256_add_epi64(sum, _mm256_sad_epu8(_mm256_add_epi8(first, second), _mm256_setzero_si256()));
    }
    std::uint64_t spread[words];
    store(spread, sum);
    return spread[0] + spread[1] + spread[2] + spread[3] + scalar::popcount(in + i, count - i);
  }
  [[gnu::target("avx2")]] static void bit_or(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm256_or_si256(load(out + i), load(in + i)));
    scalar::bit_or(out + i, in + i, count - i);
  }
  [[gnu::target("avx2")]] static void bit_and(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm256_and_si256(load(out + i), load(in + i)));
    scalar::bit_and(out + i, in + i, count - i);
  }
  [[gnu::target("avx2")]] static void bit_andnot(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm256_andnot_si256(load(in + i), load(out + i)));
    scalar::bit_andnot(out + i, in + i, count - i);
  }
  [[gnu::target("avx2")]] static void add_running(std::int32_t* out, std::int32_t* steps, std::int32_t even,
                                                  std::int32_t odd, std::size_t count) {
    const __m256i alternate = _mm256_setr_epi32(even, odd, even, odd, even, odd, even, odd);
    __m256i before = _mm256_setzero_si256();  // the sum of all steps before, in every lane
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const __m256i sums = prefix(load(steps + i));
      store(out + i, _mm256_add_epi32(_mm256_add_epi32(load(out + i), alternate), _mm256_add_epi32(sums, before)));
      store(steps + i, _mm256_setzero_si256());
      before = _mm256_add_epi32(before, _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(7)));
    }
    if (i == count) return;
    std::int32_t spread[lanes];
    store(spread, before);
    steps[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(steps[i]) + static_cast<std::uint32_t>(spread[0]));
    scalar::add_running(out + i, steps + i, even, odd, count - i);
  }
  [[gnu::target("avx2")]] static std::uint64_t equal_mask(const std::int32_t* in, std::int32_t value, std::size_t count) {
    const __m256i wide = _mm256_set1_epi32(value);
    std::uint64_t mask = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mask |= std::uint64_t{bits_of(_mm256_cmpeq_epi32(load(in + i), wide))} << i;
    return i == count ? mask : mask | scalar::equal_mask(in + i, value, count - i) << i;
  }
  [[gnu::target("avx2")]] static std::uint64_t above_mask(const std::int32_t* in, std::int32_t value, std::size_t count) {
    const __m256i wide = _mm256_set1_epi32(value);
    std::uint64_t mask = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mask |= std::uint64_t{bits_of(_mm256_cmpgt_epi32(load(in + i), wide))} << i;
    return i == count ? mask : mask | scalar::above_mask(in + i, value, count - i) << i;
  }
  [[gnu::target("avx2")]] static std::int32_t min_where(const std::int32_t* in, std::uint64_t mask, std::size_t count) {
    const __m256i most = _mm256_set1_epi32(0x7fffffff);
    __m256i best = most;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) best = smaller(best, where(static_cast<unsigned>(mask >> i), load(in + i), most));
    std::int32_t spread[lanes];
    store(spread, best);
    const std::int32_t rest = i == count ? 0x7fffffff : scalar::min_where(in + i, mask >> i, count - i);
    const std::int32_t least = *std::min_element(spread, spread + lanes);
    return rest < least ? rest : least;
  }

 private:
  static constexpr std::size_t words = lanes / 2;  // 64-bit words per vector

  [[gnu::target("avx2")]] static __m256i load(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  [[gnu::target("avx2")]] static void store(void* to, __m256i value) {
    _mm256_storeu_si256(static_cast<__m256i*>(to), value);
  }
  [[gnu::target("avx2")]] static unsigned bits_of(__m256i lanes_set) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes_set)));
  }
  // Lanes whose bit is set keep their value, others get `other`.
  [[gnu::target("avx2")]] static __m256i where(unsigned bits, __m256i value, __m256i other) {
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), each), each);
    return _mm256_blendv_epi8(other, value, set);
  }
  // Each lane and all lanes before it.
  [[gnu::target("avx2")]] static __m256i prefix(__m256i v) {
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    const __m256i low = _mm256_permute2x128_si256(v, v, 0x08);  // the low half as the high one
    return _mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xff));
  }
  [[gnu::target("avx2")]] static __m256i smaller(__m256i a, __m256i b) { return _mm256_min_epi32(a, b); }
  [[gnu::target("avx2")]] static __m256i larger(__m256i a, __m256i b) { return _mm256_max_epi32(a, b); }

  // First place of a value that is known to occur.
  [[gnu::target("avx2")]] static std::size_t find(const std::int32_t* in, std::int32_t value, std::size_t count) {
    const __m256i wide = _mm256_set1_epi32(value);
    for (std::size_t i = 0; i + lanes <= count; i += lanes) {
      const unsigned equal =
          static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(load(in + i), wide))));
      if (equal != 0) return i + static_cast<std::size_t>(std::countr_zero(equal));
    }
    std::size_t i = count - count % lanes;
    while (in[i] != value) ++i;
    return i;
  }
};
static_assert(slot_width_policy<avx2>);

}  // namespace ww::simd

#endif
