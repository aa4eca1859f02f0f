// SPDX-License-Identifier: BSL-1.0
//
// The transitive closure of a dependence graph as one bit row per node.
//
//   reaches(a, b)   an edge sequence leads from a to b: b has to stay behind a in every legal order
//
// Space is n * n / 8 bytes, time O(edges * n / 64): for tests and for blocks of ordinary size. The graph must go forward
// (every edge to a higher index), as all graphs from build.hpp do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "graph.hpp"

namespace ww {

struct reachability {
  vec<std::uint64_t> bits;
  std::size_t words = 0;  // per row
  std::uint32_t count = 0;

  constexpr void compute(const dependence_graph& g) {
    count = g.count;
    words = (static_cast<std::size_t>(count) + 63) / 64;
    bits.assign(words * count, 0);
    for (std::uint32_t i = count; i-- > 0;) {
      std::uint64_t* row = bits.data() + words * i;
      for (const dependence_edge& e : g.succ(i)) {
        const std::uint64_t* other = bits.data() + words * e.to;
        for (std::size_t w = 0; w < words; ++w) row[w] |= other[w];
        row[e.to >> 6] |= 1ull << (e.to & 63u);
      }
    }
  }

  [[nodiscard]] constexpr bool reaches(std::uint32_t from, std::uint32_t to) const {
    return ((bits[words * from + (to >> 6)] >> (to & 63u)) & 1u) != 0;
  }
  constexpr friend bool operator==(const reachability&, const reachability&) = default;
};

}  // namespace ww
