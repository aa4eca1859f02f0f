// SPDX-License-Identifier: BSL-1.0
//
// Pairs of instructions that issue together (PLS-18: est pairs and instPairs).
//
//   possible   neighbours of a block that may be a pair (strategy/pair_rules.hpp), each instruction in one pair at most; matched
//              from the front, which finds as many as there can be
//   made       pairs of the control words: the first one has stall 0 and stays (sm_50..62)
// On an SM whose control words have no such code both are 0. That the text's two counts are these is assumed.
//
// The rules of the kit allow fewer pairs than compilers make: in the ten bundled listings of
// sm_50..62 and one more of sm_52, 248 are possible by them, and 297 are made.
#pragma once

#include <cstdint>

#include "../strategy/pair_rules.hpp"

namespace ww::report {

struct issue_pairs {
  std::uint32_t possible = 0;
  std::uint32_t made = 0;
};

template <class Arch>
[[nodiscard]] constexpr issue_pairs count_pairs(const program& p) {
  issue_pairs n;
  if constexpr (strategy::dual_issues<Arch>) {
    for (const block& b : p.blocks) {
      if (b.padding) continue;
      const span<const instr_id> order = p.order_of(b);
      for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        if (!strategy::can_pair<Arch>(p, p[order[i]], p[order[i + 1]])) continue;
        ++n.possible;
        ++i;  // the second one is taken
      }
      for (const instr_id id : order) {
        const instruction& i = p[id];
        n.made += p.has_control && i.ctl.stall == 0 && !i.ctl.yield && !i.has(iflag::padding) ? 1u : 0u;
      }
    }
  }
  return n;
}

}  // namespace ww::report
