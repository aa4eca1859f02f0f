// SPDX-License-Identifier: BSL-1.0
//
// Size limits of PLS-14: a block above 4095 instructions is scheduled in parts, a function above 16383 in chunks of
// whole blocks.
//
// A part is a run of consecutive instructions of the block; nothing moves from one part to another, so every order between
// parts is kept as it was, and the parts are simply put one after the other. Parts are made equal (4096 instructions give
// 2048 and 2048, not 4095 and 1), because a part of a few instructions has nothing to fill its stalls with.
#pragma once

#include <cstdint>

namespace ww {

inline constexpr std::uint32_t block_size_limit = 4095;      // instructions
inline constexpr std::uint32_t function_size_limit = 16383;  // instructions

struct part {
  std::uint32_t first = 0;  // instructions from the start of the block
  std::uint32_t count = 0;
};

[[nodiscard]] constexpr std::uint32_t part_count(std::uint32_t instructions, std::uint32_t limit = block_size_limit) {
  return instructions == 0 ? 0 : (instructions - 1) / limit + 1;
}

// Part `i` of part_count(instructions, limit).
[[nodiscard]] constexpr part part_of(std::uint32_t instructions, std::uint32_t i, std::uint32_t limit = block_size_limit) {
  const std::uint64_t parts = part_count(instructions, limit);
  const auto first = static_cast<std::uint32_t>(std::uint64_t{instructions} * i / parts);
  const auto end = static_cast<std::uint32_t>(std::uint64_t{instructions} * (i + 1) / parts);
  return {first, end - first};
}

// Calls f(first_block, block_count) for chunks of consecutive blocks of at most `limit` instructions each (a single
// larger block is a chunk of its own). `size_of(b)` gives the instructions of block b. Returns the number of chunks.
template <class SizeOf, class F>
constexpr std::uint32_t for_each_chunk(std::uint32_t blocks, SizeOf&& size_of, F&& f,
                                       std::uint32_t limit = function_size_limit) {
  std::uint32_t chunks = 0;
  std::uint32_t first = 0;
  std::uint64_t total = 0;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const std::uint64_t size = size_of(b);
    if (b > first && total + size > limit) {
      f(first, b - first);
      ++chunks;
      first = b;
      total = 0;
    }
    total += size;
  }
  if (blocks > first) {
    f(first, blocks - first);
    ++chunks;
  }
  return chunks;
}

}  // namespace ww
