// SPDX-License-Identifier: BSL-1.0
//
// Counts of a section, by the rules that the corpus statistics use:
//
//   instructions  all but the run of NOPs that pads the end of the section
//   padding       that run
//   blocks        ranges that start at the section start, at a label that is referred to or names a function, and behind
//                 every instruction that ends a block; the closing self-branch is a block of its own
//   max_block     instructions in the largest of them
// They follow from the blocks that build_cfg() makes; call that first.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"

namespace ww::sass {

struct listing_counts {
  std::uint32_t instructions = 0;
  std::uint32_t padding = 0;
  std::uint32_t blocks = 0;
  std::uint32_t max_block = 0;
  friend bool operator==(const listing_counts&, const listing_counts&) = default;
};

[[nodiscard]] inline listing_counts count_listing(const program& p) {
  listing_counts c;
  std::uint32_t tail = static_cast<std::uint32_t>(p.order.size());
  while (tail > 0) {
    const instruction& x = p[p.order[tail - 1]];
    if (!x.has(iflag::padding) || x.has(iflag::branch)) break;
    --tail;
  }
  c.instructions = tail;
  c.padding = static_cast<std::uint32_t>(p.order.size()) - tail;
  for (const block& b : p.blocks) {
    if (b.first >= tail) continue;
    ++c.blocks;
    if (b.count > c.max_block) c.max_block = b.count;
  }
  return c;
}

}  // namespace ww::sass
