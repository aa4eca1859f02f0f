// SPDX-License-Identifier: BSL-1.0
//
// The vector width policy with 512-bit vectors, for CPUs with AVX-512 F and BW. Its functions are compiled for that
// instruction set by attribute, whatever the flags of the unit; naming this policy is the promise that the CPU has it.
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

struct avx512 {
  using role = role::vector_width;
  static constexpr const char* name = "avx512";
  static constexpr std::size_t lanes = 16;

  [[gnu::target("avx512f,avx512bw")]] static void add(std::int32_t* out, const std::int32_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(out + i, _mm512_add_epi32(load(out + i), load(in + i)));
    scalar::add(out + i, in + i, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static void broadcast_add(std::int32_t* out, std::int32_t value, std::size_t count) {
    std::size_t i = 0;
    const __m512i wide = _mm512_set1_epi32(value);
    for (; i + lanes <= count; i += lanes) store(out + i, _mm512_add_epi32(load(out + i), wide));
    scalar::broadcast_add(out + i, value, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static void zero(std::int32_t* out, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(out + i, _mm512_setzero_si512());
    scalar::zero(out + i, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static std::size_t min_scan(const std::int32_t* in, std::size_t count) {
    if (count < lanes) return scalar::min_scan(in, count);
    __m512i best = load(in);
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) best = smaller(best, load(in + i));
    best = smaller(best, load(in + count - lanes));
    std::int32_t spread[lanes];
    store(spread, best);
    return find(in, *std::min_element(spread, spread + lanes), count);
  }
  [[gnu::target("avx512f,avx512bw")]] static std::size_t max_scan(const std::int32_t* in, std::size_t count) {
    if (count < lanes) return scalar::max_scan(in, count);
    __m512i best = load(in);
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) best = larger(best, load(in + i));
    best = larger(best, load(in + count - lanes));
    std::int32_t spread[lanes];
    store(spread, best);
    return find(in, *std::max_element(spread, spread + lanes), count);
  }
  [[gnu::target("avx512f,avx512bw")]] static std::uint64_t popcount(const std::uint64_t* in, std::size_t count) {
    const __m512i table = _mm512_set4_epi32(0x04030302, 0x03020201, 0x03020201, 0x02010100);
    const __m512i low = _mm512_set1_epi8(0x0f);
    __m512i sum = _mm512_setzero_si512();
    std::size_t i = 0;
    for (; i + words <= count; i += words) {
      const __m512i v = load(in + i);
      const __m512i first = _mm512_shuffle_epi8(table, _mm512_and_si512(v, low));
      const __m512i second = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(v, 4), low));
      sum = _mm512_add_epi64(sum, _mm512_sad_epu8(_mm512_add_epi8(first, second), _mm512_setzero_si512()));
    }
    std::uint64_t spread[words];
    store(spread, sum);
    std::uint64_t bits = 0;
    for (const std::uint64_t part : spread) bits += part;
    return bits + scalar::popcount(in + i, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static void bit_or(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm512_or_si512(load(out + i), load(in + i)));
    scalar::bit_or(out + i, in + i, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static void bit_and(std::uint64_t* out, const std::uint64_t* in, std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm512_and_si512(load(out + i), load(in + i)));
    scalar::bit_and(out + i, in + i, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static void bit_andnot(std::uint64_t* out, const std::uint64_t* in,
                                                             std::size_t count) {
    std::size_t i = 0;
    for (; i + words <= count; i += words) store(out + i, _mm512_maskz_andnot_epi32(every, load(in + i), load(out + i)));
    scalar::bit_andnot(out + i, in + i, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static void add_running(std::int32_t* out, std::int32_t* steps, std::int32_t even,
                                                              std::int32_t odd, std::size_t count) {
    const __m512i alternate = _mm512_set4_epi32(odd, even, odd, even);
    __m512i before = _mm512_setzero_si512();  // the sum of all steps before, in every lane
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const __m512i sums = prefix(load(steps + i));
      store(out + i, _mm512_add_epi32(_mm512_add_epi32(load(out + i), alternate), _mm512_add_epi32(sums, before)));
      store(steps + i, _mm512_setzero_si512());
      before = _mm512_add_epi32(before, _mm512_maskz_permutexvar_epi32(every, _mm512_set1_epi32(15), sums));
    }
    if (i == count) return;
    std::int32_t spread[lanes];
    store(spread, before);
    steps[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(steps[i]) + static_cast<std::uint32_t>(spread[0]));
    scalar::add_running(out + i, steps + i, even, odd, count - i);
  }
  [[gnu::target("avx512f,avx512bw")]] static std::uint64_t equal_mask(const std::int32_t* in, std::int32_t value,
                                                                      std::size_t count) {
    const __m512i wide = _mm512_set1_epi32(value);
    std::uint64_t mask = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mask |= std::uint64_t{_mm512_cmpeq_epi32_mask(load(in + i), wide)} << i;
    return i == count ? mask : mask | scalar::equal_mask(in + i, value, count - i) << i;
  }
  [[gnu::target("avx512f,avx512bw")]] static std::uint64_t above_mask(const std::int32_t* in, std::int32_t value,
                                                                      std::size_t count) {
    const __m512i wide = _mm512_set1_epi32(value);
    std::uint64_t mask = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) mask |= std::uint64_t{_mm512_cmpgt_epi32_mask(load(in + i), wide)} << i;
    return i == count ? mask : mask | scalar::above_mask(in + i, value, count - i) << i;
  }
  [[gnu::target("avx512f,avx512bw")]] static std::int32_t min_where(const std::int32_t* in, std::uint64_t mask,
                                                                    std::size_t count) {
    const __m512i most = _mm512_set1_epi32(0x7fffffff);
    __m512i best = most;
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
  static constexpr __mmask16 every = 0xffff;       // unmasked forms draw a false warning from g++ 12

  [[gnu::target("avx512f,avx512bw")]] static __m512i load(const void* from) { return _mm512_loadu_si512(from); }
  [[gnu::target("avx512f,avx512bw")]] static void store(void* to, __m512i value) { _mm512_storeu_si512(to, value); }
  // Lanes whose bit is set keep their value, others get `other`.
  [[gnu::target("avx512f,avx512bw")]] static __m512i where(unsigned bits, __m512i value, __m512i other) {
    return _mm512_mask_mov_epi32(other, static_cast<__mmask16>(bits), value);
  }
  // Each lane and all lanes before it.
  [[gnu::target("avx512f,avx512bw")]] static __m512i prefix(__m512i v) {
    const __m512i none = _mm512_setzero_si512();
    v = _mm512_add_epi32(v, _mm512_maskz_alignr_epi32(every, v, none, 15));
    v = _mm512_add_epi32(v, _mm512_maskz_alignr_epi32(every, v, none, 14));
    v = _mm512_add_epi32(v, _mm512_maskz_alignr_epi32(every, v, none, 12));
    return _mm512_add_epi32(v, _mm512_maskz_alignr_epi32(every, v, none, 8));
  }
  [[gnu::target("avx512f,avx512bw")]] static __m512i smaller(__m512i a, __m512i b) {
    return _mm512_maskz_min_epi32(every, a, b);
  }
  [[gnu::target("avx512f,avx512bw")]] static __m512i larger(__m512i a, __m512i b) {
    return _mm512_maskz_max_epi32(every, a, b);
  }

  // First place of a value that is known to occur.
  [[gnu::target("avx512f,avx512bw")]] static std::size_t find(const std::int32_t* in, std::int32_t value,
                                                              std::size_t count) {
    const __m512i wide = _mm512_set1_epi32(value);
    for (std::size_t i = 0; i + lanes <= count; i += lanes) {
      const unsigned equal = _mm512_cmpeq_epi32_mask(load(in + i), wide);
      if (equal != 0) return i + static_cast<std::size_t>(std::countr_zero(equal));
    }
    std::size_t i = count - count % lanes;
    while (in[i] != value) ++i;
    return i;
  }
};
static_assert(slot_width_policy<avx512>);

}  // namespace ww::simd

#endif
