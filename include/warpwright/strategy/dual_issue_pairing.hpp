// SPDX-License-Identifier: BSL-1.0
//
// Dual-issue pairing (PLS-13): which neighbours of a finished order issue together.
//
// The order is the list scheduler's. When the control words stand, neighbours are matched along the order and the first of
// each pair gets stall 0 without yield, which is how sm_50..62 write "together with the next one". A pair is offered where
// can_pair (pair_rules.hpp) holds, the first one's stall is 1 (nothing but the issue slot parts them) and the second one
// waits for no counter. Every pair saves the same cycle, so matching from the front takes as many pairs as there can be.
// The stall pass then runs again with those floors at 0: distances that a pair shortened are made good where they are
// needed, in other blocks too. A pair that the pass has to part stays apart.
// On an SM whose control format has no such code nothing happens, and `applies<Arch>` says so at compile time.
#pragma once

#include <cstdint>

#include "../meta/span.hpp"
#include "../scoreboard/assign.hpp"
#include "incumbent.hpp"
#include "pair_rules.hpp"

namespace ww::strategy {

template <class Yield = yields::observed>
struct dual_issue_pairing_with {
  using role = ww::role::strategy;
  static constexpr const char* name = "dual_issue_pairing";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  template <class Arch>
  static constexpr bool applies = dual_issues<Arch>;

  struct space {
    ww::scoreboard::workspace board;
    std::uint32_t offered = 0;  // pairs of the last program before the stall pass
    std::uint32_t pairs = 0;    // and after it
  };

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return list_incumbent<Config>(p, order, ws, stats);
  }

  template <class Arch>
  static void finish(program& p, space& own) {
    own.offered = 0;
    own.pairs = 0;
    if constexpr (applies<Arch>) {
      scoreboard::decode_program<Arch>(p, own.board);
      (void)scoreboard::detail::begin_words<Arch>(p, own.board);
      for (const block& b : p.blocks) match<Arch>(p, b, own);
      if (own.offered == 0) return;
      scoreboard::stall_pass<Arch, Yield>(p, own.board).run();
      for (std::size_t pos = 0; pos < p.order.size(); ++pos) p[p.order[pos]].ctl = own.board.sites[pos].ctl;
      (void)scoreboard::keep_valid_reuse<Arch>(p);
      for (const instr_id id : p.order) own.pairs += is_first_of_pair(p[id]) ? 1u : 0u;
    }
  }

  [[nodiscard]] static bool is_first_of_pair(const instruction& i) {
    return i.ctl.stall == 0 && !i.ctl.yield && !i.has(iflag::padding);
  }

 private:
  template <class Arch>
  static void match(const program& p, const block& b, space& own) {
    const std::uint32_t end = b.first + b.count;
    for (std::uint32_t pos = b.first; pos + 1 < end; ++pos) {
      scoreboard::site& s = own.board.sites[pos];
      const instruction& first = p[p.order[pos]];
      const instruction& second = p[p.order[pos + 1]];
      if (s.leave() || own.board.sites[pos + 1].leave() || first.ctl.stall != 1 || s.floor != 1) continue;
      if (second.ctl.wait_mask != 0 || !can_pair<Arch>(p, first, second)) continue;
      s.floor = 0;
      ++own.offered;
      ++pos;  // the second one is taken
    }
  }
};

using dual_issue_pairing = dual_issue_pairing_with<>;

}  // namespace ww::strategy
