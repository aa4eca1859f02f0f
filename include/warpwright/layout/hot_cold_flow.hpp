// SPDX-License-Identifier: BSL-1.0
//
// Phase 109 (HC-4): of an if/else with a hot and a cold arm, the hot one is fallen into and the cold one branched to.
//
//   pattern     a block with a conditional direct branch of which one successor is cold and the other is not
//   cold run    the cold successor and the cold blocks that stand right behind it: they move together
//   hot chain   the hot successor and what follows it, up to the first block that does not fall into the next
//   cold_place  where cold runs go: `behind_function`, one behind the other in front of the closing NOPs, which also takes them out of
//               the loops that they stand in (what the texts say of PS-1's input); or `beside`, right behind the hot chain, which
//               is as local as HC's own words
// Patterns are taken one by one in layout order of the blocks as they came. One is left alone where the hot successor stands in
// front of its block (a back edge is no arm), where a run or chain would have to leave its function or a return point its call, and
// with `beside` where the hot arm is fallen into already. Branches are not touched here: rearranged_code inserts, inverts and
// removes them once the order is final. `enabled = false` is the text's switch to disable the phase.
#pragma once

#include <cstdint>

#include "block_order.hpp"
#include "cold_marks.hpp"
#include "role.hpp"

namespace ww::layout {

enum class cold_place : std::uint8_t { behind_function, beside };

struct flow_changes {
  std::uint32_t patterns = 0;   // if/else with one cold arm
  std::uint32_t reordered = 0;  // of which the order of blocks was changed
};

template <cold_place Place = cold_place::behind_function, bool Enabled = true>
struct hot_cold_flow {
  using role = layout::role::flow;
  static constexpr const char* name = "hot_cold_flow";
  static constexpr unsigned number = 109;
  static constexpr bool enabled = Enabled;

  static flow_changes run(const cold_marks& marks, block_order& order) {
    flow_changes changes;
    if constexpr (!Enabled) return changes;
    for (const block_order::function_span& s : order.spans()) {
      // Blocks [s.first - 1, s.end) in the order as it came are those of the function, by number too.
      std::uint32_t stop = s.end;  // cold runs that have moved stand behind it
      for (std::uint32_t b = s.first - 1; b < s.end; ++b) {
        const block_exits& x = order.exits(block_id{b});
        if (!x.conditional()) continue;
        const bool fall_cold = marks.cold(x.fall);
        if (fall_cold == marks.cold(x.taken)) continue;
        ++changes.patterns;
        const block_id cold = fall_cold ? x.fall : x.taken;
        const block_id hot = fall_cold ? x.taken : x.fall;
        if (arrange(marks, order, s, stop, block_id{b}, hot, cold)) ++changes.reordered;
      }
    }
    return changes;
  }

 private:
  static bool arrange(const cold_marks& marks, block_order& order, const block_order::function_span& s, std::uint32_t& stop,
                      block_id from, block_id hot, block_id cold) {
    const std::uint32_t at = order.position(from);
    const std::uint32_t c = order.position(cold);
    const std::uint32_t h = order.position(hot);
    if (c < s.first || c >= stop || h <= at || h >= s.end || at >= stop) return false;
    std::uint32_t end = c + 1;
    while (end < stop && marks.cold(order[end]) && order[end] != hot) ++end;
    while (end > c && !order.loose(c, end)) --end;
    if (end == c) return false;
    if constexpr (Place == cold_place::behind_function) {
      if (end == stop) {  // it stands there already
        stop = c;
        return false;
      }
      if (order.held(s.end)) return false;
      order.move(c, end, s.end);
      stop -= end - c;
      pull_up(order, stop, order.position(from) + 1, order.position(hot));
      return true;
    } else {
      const std::uint32_t chain = end_of_chain(order, h, c > h ? c : s.end);
      if (c == at + 1 && h == end) {  // the cold run stands between the two: it goes behind the hot chain
        if (order.held(chain)) return false;
        order.move(c, end, chain);
        return true;
      }
      return pull_up(order, c > h ? c : s.end, at + 1, h);
    }
  }

  // One past the last block of the chain that begins at position `h`.
  static std::uint32_t end_of_chain(const block_order& order, std::uint32_t h, std::uint32_t most) {
    std::uint32_t end = h + 1;
    while (end < most && order.exits(order[end - 1]).fall == order[end]) ++end;
    return end;
  }

  // Brings the hot chain at position `h` behind its condition, to position `to`, if nobody falls into it where it stands now.
  static bool pull_up(block_order& order, std::uint32_t most, std::uint32_t to, std::uint32_t h) {
    if (h <= to || h >= most || order.exits(order[h - 1]).fall == order[h]) return false;
    const std::uint32_t end = end_of_chain(order, h, most);
    if (!order.loose(h, end) || order.held(to)) return false;
    order.move(h, end, to);
    return true;
  }
};

}  // namespace ww::layout
