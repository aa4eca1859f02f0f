// SPDX-License-Identifier: BSL-1.0
//
// What was measured of a program's control flow: how often blocks ran, and how likely their branches were taken (HC-7).
//
//   count        executions of a block by one warp, by block in layout order; `unknown` where nothing was measured
//   probability  of an edge, by its index in program::edges: how often control left its block that way, 0 to 1, or `unknown`
// Both arrays are empty, or as long as the program's blocks and edges. Numbers that were measured stand apart from
// block::weight, which is there for every block, measured or estimated. A program whose blocks change needs a new profile.
#pragma once

#include "../meta/vec.hpp"
#include "program.hpp"

namespace ww {

struct flow_profile {
  static constexpr double unknown = -1.0;

  vec<double> count;
  vec<double> probability;

  [[nodiscard]] bool has_count(block_id b) const { return b.index() < count.size() && count[b.index()] >= 0; }
  [[nodiscard]] bool has_probability(std::uint32_t edge) const {
    return edge < probability.size() && probability[edge] >= 0;
  }
  // Room for all blocks and edges of `p`, nothing measured.
  void reset(const program& p) {
    count.assign(p.blocks.size(), unknown);
    probability.assign(p.edges.size(), unknown);
  }
};

}  // namespace ww
