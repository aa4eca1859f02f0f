// SPDX-License-Identifier: BSL-1.0
//
// The part of the scheduling record that loops between blocks keep for an instruction that stands for its block (PLS-19).
//
//   chain     the blocks that are ordered together, linked through `next`, the newest first
//   region    index of the block's record: its pressure and the state of its resources
//   weight    place of the region in the order. Either extreme marks a boundary, which belongs to no region
// Blocks that follow each other in the chain with the same weight are one region; another weight begins the next.
// Apart from record.hpp, for a pick inside a block never reads it.
#pragma once

#include <cstdint>

#include "../../meta/span.hpp"
#include "record.hpp"

namespace ww::unified {

struct region_record {
  std::uint32_t next = no_record;
  std::uint32_t region = 0;
  std::int32_t weight = 0;
};

// INT_MAX and -INT_MAX (0x80000001), as the text names them.
[[nodiscard]] constexpr bool is_boundary(std::int32_t weight) { return weight == 0x7fffffff || weight == -0x7fffffff; }

// Puts a block in front of the chain that starts at `head`; returns the new head, which is `index`.
constexpr std::uint32_t link_region(span<region_record> records, std::uint32_t head, std::uint32_t index,
                                    std::uint32_t region, std::int32_t weight) {
  records[index] = {head, region, weight};
  return index;
}

// Calls f(index, begins) for each block of the chain but boundaries; `begins`: it is the first of a region. A boundary ends
// the region before it.
template <class F>
constexpr void each_of_chain(span<const region_record> records, std::uint32_t head, F&& f) {
  bool inside = false;
  std::int32_t weight = 0;
  for (std::uint32_t at = head; at != no_record; at = records[at].next) {
    const region_record& r = records[at];
    if (is_boundary(r.weight)) {
      inside = false;
      continue;
    }
    f(at, !inside || r.weight != weight);
    inside = true;
    weight = r.weight;
  }
}

}  // namespace ww::unified
