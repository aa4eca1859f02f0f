// SPDX-License-Identifier: BSL-1.0
//
// The kernels that run on silicon: launch shape and arguments for a pattern of input.
//
//   unit, kernel  file name and symbol in the corpus: UNIT.sm90.cubin, KERNEL
//   argument      a scalar by value, or a buffer: `in` filled with the pattern, `zero` cleared, `out` poisoned before the
//                 launch
//   compared      buffers that the kernel writes; they must come out the same bit for bit
//   constants     __constant__ variables of the module, set before the launch
// Every kernel here gives the same bits on every run: float sums across blocks are kept to one block. Some scalars
// depend on the pattern, so that kernels without input buffers see different work too.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "pattern.hpp"

namespace ww_gpu {

enum class role : std::uint8_t { scalar, in, zero, out };

struct argument {
  role kind = role::scalar;
  std::vector<std::uint8_t> bytes;  // the value, or the contents of the buffer before the launch
  bool compared = false;
};

struct constant {
  const char* name;
  std::vector<std::uint8_t> bytes;
};

struct launch {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::vector<argument> arguments;
  std::vector<constant> constants;
};

struct test_case {
  const char* unit;
  const char* kernel;
  launch (*make)(unsigned pattern);
};

template <class T>
argument scalar(T v) {
  argument a;
  a.bytes.resize(sizeof(T));
  std::memcpy(a.bytes.data(), &v, sizeof(T));
  return a;
}
inline argument in(element e, unsigned pattern, std::uint64_t count, std::uint64_t seed = 1) {
  return {role::in, fill(e, pattern, seed, count), false};
}
inline argument inout(element e, unsigned pattern, std::uint64_t count, std::uint64_t seed = 2) {
  return {role::in, fill(e, pattern, seed, count), true};
}
inline argument zero(std::uint64_t bytes, bool compared) {
  return {role::zero, std::vector<std::uint8_t>(bytes, 0), compared};
}
inline argument out(unsigned pattern, std::uint64_t bytes) { return {role::out, poison(pattern, bytes), true}; }

inline launch shape(unsigned gx, unsigned gy, unsigned bx, unsigned by, std::vector<argument> a,
                    std::vector<constant> c = {}) {
  launch l;
  l.grid[0] = gx;
  l.grid[1] = gy;
  l.block[0] = bx;
  l.block[1] = by;
  l.arguments = std::move(a);
  l.constants = std::move(c);
  return l;
}

inline std::vector<test_case> all_cases() {
  using e = element;
  return {
      {"saxpy", "saxpy",
       [](unsigned p) {
         const int n = (1 << 20) + 3;
         return shape(264, 1, 256, 1,
                      {scalar(n), scalar(1.5f + static_cast<float>(p)), in(e::f32, p, n), inout(e::f32, p, n)});
       }},
      {"saxpy", "saxpy_vec4",
       [](unsigned p) {
         const int n = (1 << 18) + 1;
         return shape(264, 1, 256, 1,
                      {scalar(n), scalar(0.75f + static_cast<float>(p)), in(e::f32, p, std::uint64_t{4} * n),
                       inout(e::f32, p, std::uint64_t{4} * n)});
       }},
      {"sgemm_tiled", "sgemm_tiled",
       [](unsigned p) {
         const int m = 250, n = 241, k = 515;
         return shape(16, 16, 16, 16,
                      {scalar(m), scalar(n), scalar(k), in(e::f32, p, std::uint64_t{m} * k),
                       in(e::f32, p, std::uint64_t{k} * n, 3), out(p, std::uint64_t{4} * m * n)});
       }},
      {"sgemm_naive", "sgemm_naive",
       [](unsigned p) {
         const int m = 250, n = 241, k = 515;
         return shape(16, 16, 16, 16,
                      {scalar(m), scalar(n), scalar(k), scalar(0.5f), in(e::f32, p, std::uint64_t{m} * k),
                       in(e::f32, p, std::uint64_t{k} * n, 3), scalar(0.25f), inout(e::f32, p, std::uint64_t{m} * n)});
       }},
      {"reduce_shfl", "reduce_shfl",  // one block: the order of float sums across blocks is not fixed
       [](unsigned p) {
         const std::uint64_t n = (1 << 18) + 7;
         return shape(1, 1, 512, 1, {in(e::f32, p, n), zero(4, true), scalar(n)});
       }},
      {"reduce_shfl", "warp_votes",
       [](unsigned p) {
         return shape(512, 1, 256, 1, {in(e::u32, p, 512 * 256), out(p, 512 * 256 * 4), out(p, 512 * 256 * 4)});
       }},
      {"transpose", "transpose32",
       [](unsigned p) {
         const int w = 1000, h = 777;
         return shape(32, 25, 32, 8,
                      {in(e::f32, p, std::uint64_t{w} * h), out(p, std::uint64_t{4} * w * h), scalar(w), scalar(h)});
       }},
      {"stencil3d", "stencil3d",
       [](unsigned p) {
         const int nx = 32 * 6 + 8, ny = 8 * 16 + 8, nz = 40;
         const std::uint64_t n = std::uint64_t{nx} * ny * nz;
         return shape(6, 16, 32, 8, {in(e::f32, p, n), out(p, 4 * n), scalar(nx), scalar(ny), scalar(nz)},
                      {{"coef", fill(e::f32, p, 9, 5)}});
       }},
      {"nbody", "nbody",
       [](unsigned p) {
         const int n = 4000;
         return shape(16, 1, 256, 1,
                      {in(e::f32, p, std::uint64_t{4} * n), inout(e::f32, p, std::uint64_t{4} * n), scalar(n), scalar(0.01f),
                       scalar(0.001f)});
       }},
      {"chacha20", "chacha20_xor",
       [](unsigned p) {
         const std::uint64_t threads = 256 * 256;
         return shape(256, 1, 256, 1,
                      {in(e::u32, p, threads * 16), out(p, threads * 64), in(e::u32, p, 8, 5), scalar(0x01020304u + p),
                       scalar(0x11121314u + p), scalar(0x21222324u + p), scalar(p)});
       }},
      {"sha256", "sha256_compress",
       [](unsigned p) {
         const int n = 65000;
         return shape(254, 1, 256, 1,
                      {in(e::u32, p, std::uint64_t{16} * n), inout(e::u32, p, std::uint64_t{8} * n), scalar(n)});
       }},
      {"hashes", "murmur3_32",
       [](unsigned p) {
         const int words = 33, n = 60000;
         return shape(235, 1, 256, 1,
                      {in(e::u32, p, std::uint64_t{33} * n), out(p, std::uint64_t{4} * n), scalar(words),
                       scalar(0x9747b28cu + p), scalar(n)});
       }},
      {"hashes", "xxh64_stripes",
       [](unsigned p) {
         const int stripes = 9;
         const std::uint64_t n = 128 * 256;
         return shape(128, 1, 256, 1,
                      {in(e::u64, p, n * 9 * 4), out(p, 8 * n), scalar(stripes), scalar(std::uint64_t{77} + p)});
       }},
      {"histogram", "histogram256",
       [](unsigned p) {
         const std::uint64_t n16 = 1 << 16;
         return shape(128, 1, 256, 1, {in(e::u8, p, n16 * 16), zero(1024, true), scalar(n16)});
       }},
      {"scan", "scan_lookback",
       [](unsigned p) {
         const int n = 300001;
         const unsigned tiles = (static_cast<unsigned>(n) + 1023) / 1024;
         return shape(tiles, 1, 256, 1,
                      {in(e::u32, p, n), out(p, std::uint64_t{4} * n), zero(std::uint64_t{8} * tiles, false), zero(4, true),
                       scalar(n)});
       }},
      {"softmax", "softmax_rows",
       [](unsigned p) {
         const int cols = 3001;
         return shape(200, 1, 256, 1,
                      {in(e::f32, p, std::uint64_t{200} * cols), out(p, std::uint64_t{800} * cols), scalar(cols)});
       }},
      {"layernorm", "layernorm",
       [](unsigned p) {
         const int cols = 2056;
         return shape(200, 1, 256, 1,
                      {in(e::f32, p, std::uint64_t{200} * cols), in(e::f32, p, cols, 3), in(e::f32, p, cols, 4),
                       out(p, std::uint64_t{800} * cols), scalar(cols), scalar(1e-5f)});
       }},
      {"conv2d", "conv2d_5x5",
       [](unsigned p) {
         const int w = 1001, h = 509;
         return shape(32, 16, 256, 1,
                      {in(e::f32, p, std::uint64_t{w} * h), out(p, std::uint64_t{4} * w * h), scalar(w), scalar(h)},
                      {{"filt", fill(e::f32, p, 9, 25)}});
       }},
      {"dct8x8", "dct8x8",
       [](unsigned p) {
         const unsigned bx = 256, by = 64;
         const int pitch4 = static_cast<int>(bx) * 2;
         const std::uint64_t bytes = std::uint64_t{bx} * by * 64;
         return shape(2, by, 128, 1, {in(e::u8, p, bytes), out(p, bytes), in(e::f32, p, 64, 3), scalar(pitch4)});
       }},
      {"mandelbrot", "mandelbrot_f32",
       [](unsigned p) {
         const int w = 640, h = 400;
         const float shift = 0.05f * static_cast<float>(p);
         return shape(40, 25, 16, 16,
                      {out(p, std::uint64_t{4} * w * h), scalar(w), scalar(h), scalar(-0.7f + shift), scalar(0.1f - shift),
                       scalar(0.004f), scalar(200 + static_cast<int>(p))});
       }},
      {"philox_mc", "philox_mc",
       [](unsigned p) {
         return shape(256, 1, 256, 1,
                      {out(p, 256 * 256 * 4), scalar(100), scalar(100.0f), scalar(99.0f + static_cast<float>(p)),
                       scalar(0.0001f), scalar(0.02f), scalar(1234u + p)});
       }},
      {"fft_r4", "fft_r4",
       [](unsigned p) {
         // 64 transforms of 64 complex numbers in each block
         return shape(64, 1, 64, 1, {in(e::f32, p, 64 * 16 * 64 * 2), out(p, 64 * 16 * 64 * 8)});
       }},
  };
}

}  // namespace ww_gpu
