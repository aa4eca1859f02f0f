// SPDX-License-Identifier: BSL-1.0
//
// The one signature of generated kernels, so that a folder of them runs without a table.
//
//   kernel(const unsigned* in, unsigned* out, unsigned salt)
//   launch       8 blocks of 128 threads: one warp in each sub-core, so nothing but the code itself keeps two
//                instructions apart
//   in, out      `words_per_thread` words a thread: thread t of the grid reads in[t * 16 .. t * 16 + 15] and writes the
//                same places of out; it may read any other word of in
//   salt         the number of the pattern
// A generated kernel gives the same bits on every run, whatever the order of its blocks and warps.
#pragma once

#include "cases.hpp"

namespace ww_gpu {

inline constexpr unsigned generated_blocks = 8;
inline constexpr unsigned generated_threads = 128;
inline constexpr unsigned words_per_thread = 16;
inline constexpr const char* generated_kernel = "kernel";

inline launch generated_launch(unsigned pattern) {
  const std::uint64_t words = std::uint64_t{generated_blocks} * generated_threads * words_per_thread;
  return shape(generated_blocks, 1, generated_threads, 1,
               {in(element::u32, pattern, words), out(pattern, 4 * words), scalar(pattern)});
}

}  // namespace ww_gpu
