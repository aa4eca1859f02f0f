// SPDX-License-Identifier: BSL-1.0
//
// The vector width policy with 128-bit vectors. SSE2 is part of every x86-64 CPU, so this policy needs no promise.
//
// What SSE2 lacks is made from what it has: the 32-bit minimum from a comparison and a blend, the bit count
// by summing pairs, nibbles and bytes in place. Results equal simd::scalar bit for bit (see concept.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "concept.hpp"
#include "scalar.hpp"

#if defined(__x86_64__) || defined(_M_X64)

#include <emmintrin.h>

namespace ww::simd {

struct sse2 {
  using role = role::vector_width;
  static constexpr const char* name = "sse2";
  static constexpr std::size_t lanes = 4;

  static void add(std::int32_t* out, const std::int32_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(out + i, _mm_add_epi32(load(out + i), load(in + i)));
    scalar::add(out + i, in + i, count - i);
  }
  static void broadcast_add(std::int32_t* out, std::int32_t value, std::size_t count) {
    std::size_t i = 0;
    const __m128i wide = _mm_set1_epi32(value);
    for (; i + lanes <= count; i += lanes) store(out + i, _mm_add_epi32(load(out + i), wide));
    scalar::broadcast_add(out + i, value, count - i);
  }
  static void zero(std::int32_t* out, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(out + i, _mm_setzero_si128());
    scalar::zero(out + i, count - i);
  }
  static std::size_t min_scan(const std::int32_t* in, std::size_t count) {
    if (count < lanes) return scalar::min_scan(in, count);
    __m128i best = load(in);
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) best = smaller(best, load(in + i));
    best = smaller(best, load(in + count - lanes));
    std::int32_t spread[lanes];
    store(spread, best);
    return find(in, *std::min_element(spread, spread + lanes), count);
  }
  static std::size_t max_scan(const std::int32_t* in, std::size_t count) {
    if (count < lanes) return scalar::max_scan(in, count);
    __m128i best = load(in);
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) best = larger(best, load(in + i));
    best = larger(best, load(in + count - lanes));
    std::int32_t spread[lanes];
    store(spread, best);
    return find(in, *std::max_element(spread, spread + lanes), count);
  }
  static std::uint64_t popcount(const std::uint64_t* in, std::size_t count) {
    const __m128i pairs = _mm_set1_epi8(0x55);
    const __m128i nibbles = _mm_set1_epi8(0x33);
    const __m128i bytes = _mm_set1_epi8(0x0f);
    __m128i sum = _mm_setzero_si128();
    std::size_t i = 0;
    for (; i + words <= count; i += words) {
      __m128i v = load(in + i);
      v = _mm_sub_epi8(v, _mm_and_si128(_mm_srli_epi16(v, 1), pairs));
      v = _mm_add_epi8(_mm_and_si128(v, nibbles), _mm_and_si128(_mm_srli_epi16(v, 2), nibbles));
      v = _mm_and_si128(_mm_add_epi8(v, _mm_srli_epi16(v, 4)), bytes);
      sum = _mm_add_epi64(sum, _mm_sad_epu8(v, _mm_setzero_si128()));
    }
    std::uint64_t spread[words];
    store(spread, sum);
    return spread[0] + spread[1] + scalar::popcount(in + i, count - i);
  }
  static void bit_or(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm_or_si128(load(out + i), load(in + i)));
    scalar::bit_or(out + i, in + i, count - i);
  }
  static void bit_and(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm_and_si128(load(out + i), load(in + i)));
    scalar::bit_and(out + i, in + i, count - i);
  }
  static void bit_andnot(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm_andnot_si128(load(in + i), load(out + i)));
    scalar::bit_andnot(out + i, in + i, count - i);
  }
  static void add_running(std::int32_t* out, std::int32_t* steps, std::int32_t even, std::int32_t odd, std::size_t count) {
    const __m128i alternate = _mm_setr_epi32(even, odd, even, odd);
    __m128i before = _mm_setzero_si128();  // the sum of all steps before, in every lane
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const __m128i sums = prefix(load(steps + i));
      store(out + i, _mm_add_epi32(_mm_add_epi32(load(out + i), alternate), _mm_add_epi32(sums, before)));
      store(steps + i, _mm_setzero_si128());
      before = _mm_add_epi32(before, _mm_shuffle_epi32(sums, 0xff));
    }
    if (i == count) return;
    std::int32_t spread[lanes];
    store(spread, before);
    steps[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(steps[i]) + static_cast<std::uint32_t>(spread[0]));
    scalar::add_running(out + i, steps + i, even, odd, count - i);
  }
  static std::uint64_t equal_mask(const std::int32_t* in, std::int32_t value, std::size_t count) {
    const __m128i wide = _mm_set1_epi32(value);
    std::uint64_t mask = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mask |= std::uint64_t{bits_of(_mm_cmpeq_epi32(load(in + i), wide))} << i;
    return i == count ? mask : mask | scalar::equal_mask(in + i, value, count - i) << i;
  }
  static std::uint64_t above_mask(const std::int32_t* in, std::int32_t value, std::size_t count) {
    const __m128i wide = _mm_set1_epi32(value);
    std::uint64_t mask = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mask |= std::uint64_t{bits_of(_mm_cmpgt_epi32(load(in + i), wide))} << i;
    return i == count ? mask : mask | scalar::above_mask(in + i, value, count - i) << i;
  }
  static std::int32_t min_where(const std::int32_t* in, std::uint64_t mask, std::size_t count) {
    const __m128i most = _mm_set1_epi32(0x7fffffff);
    __m128i best = most;
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

  static __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
  static void store(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }
  static __m128i blend(__m128i mask, __m128i yes, __m128i no) {
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
  }
  static unsigned bits_of(__m128i lanes_set) { return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(lanes_set))); }
  // Lanes whose bit is set keep their value, others get `other`.
  static __m128i where(unsigned bits, __m128i value, __m128i other) {
    const __m128i each = _mm_setr_epi32(1, 2, 4, 8);
    const __m128i set = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(bits)), each), each);
    return blend(set, value, other);
  }
  // Each lane and all lanes before it.
  static __m128i prefix(__m128i v) {
    v = _mm_add_epi32(v, _mm_slli_si128(v, 4));
    return _mm_add_epi32(v, _mm_slli_si128(v, 8));
  }
  static __m128i smaller(__m128i a, __m128i b) { return blend(_mm_cmplt_epi32(a, b), a, b); }
  static __m128i larger(__m128i a, __m128i b) { return blend(_mm_cmpgt_epi32(a, b), a, b); }

  // First place of a value that is known to occur.
  static std::size_t find(const std::int32_t* in, std::int32_t value, std::size_t count) {
    const __m128i wide = _mm_set1_epi32(value);
    for (std::size_t i = 0; i + lanes <= count; i += lanes) {
      const unsigned equal = static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(load(in + i), wide))));
      if (equal != 0) return i + static_cast<std::size_t>(std::countr_zero(equal));
    }
    std::size_t i = count - count % lanes;
    while (in[i] != value) ++i;
    return i;
  }
};
static_assert(slot_width_policy<sse2>);

}  // namespace ww::simd

#endif
