// SPDX-License-Identifier: BSL-1.0
//
// ww::scheduler<Policies...> for a strategy that works on regions or loops (strategies.hpp includes this): the strategy
// changes the program, then its inner strategy schedules both.
//
//   region strategy   one with transform(), which says how many changes it made, and an `inner` block strategy
//   proved            every operand reads the same definitions as before, where the strategy keeps all instructions
//                     (verify/reaching.hpp), and the checker has no new finding
#pragma once

#include <utility>

#include "../verify/reaching.hpp"
#include "scheduler.hpp"

namespace ww {

template <region_strategy Strategy>
inline constexpr bool detail::has_scheduler<Strategy> = true;

// A strategy that changes the program first (moves between blocks, loops): the inner strategy runs on the program as it came
// and on the changed one, and the cheaper of the two results is taken; the unchanged one when the changed one is not proved.
// Proved: no new finding of the checker and, where the strategy says keeps_instructions, every operand reads the same
// definitions as before (verify/reaching.hpp).
template <class Config>
requires region_strategy<typename Config::strategy>
struct basic_scheduler<Config> {
  using config = Config;
  using arch = typename Config::arch;
  using strategy_type = typename Config::strategy;
  using inner_scheduler = basic_scheduler<typename detail::with_strategy<Config, typename strategy_type::inner>::type>;
  using rounds = typename inner_scheduler::rounds;

  struct workspace {
    typename inner_scheduler::workspace inner;
    typename detail::strategy_space<strategy_type>::type own;
    program changed;
  };

  // The pricing workspace of the block strategy, however many region strategies stand around it.
  static typename rounds::workspace& pricing(workspace& ws) {
    if constexpr (requires { inner_scheduler::pricing(ws.inner); }) {
      return inner_scheduler::pricing(ws.inner);
    } else {
      return ws.inner.pricing;
    }
  }

  schedule_result run(program& p, const run_options& options = {}) const {
    workspace ws;
    return run(p, ws, options);
  }

  schedule_result run(program& p, workspace& ws, const run_options& options = {}) const {
    if (!rounds::well_formed(p, pricing(ws))) return pricing(ws).result;
    ws.changed = p;
    const unsigned changes = strategy_type::template transform<Config>(ws.changed, ws.own);
    bool proved = true;
    if constexpr (requires { strategy_type::keeps_instructions; }) {
      proved = changes == 0 || !options.verify || verify::same_reaching(p, ws.changed).ok();
    }
    const schedule_result plain = inner_scheduler{}.run(p, ws.inner, options);
    if (changes == 0 || !proved) return plain;
    // The changed order with control words of its own is the program "as it came" of the second run.
    rounds::decode(ws.changed, pricing(ws));
    rounds::assign(ws.changed, pricing(ws));
    schedule_result moved = inner_scheduler{}.run(ws.changed, ws.inner, options);
    moved.changes += changes;
    moved.cycles_before = plain.cycles_before;
    moved.far_before = plain.far_before;
    moved.hazards_before = plain.hazards_before;
    proved = !options.verify || moved.hazards_after <= plain.hazards_after;
    if (moved.malformed || !proved || !cheaper(moved, plain)) return plain;
    moved.proved = options.verify && (plain.proved || moved.hazards_after == 0);
    std::swap(p, ws.changed);
    return moved;
  }

 private:
  // Cheaper in one view, loads that hit or loads that miss, and not dearer in the other; where the strategy's gain is not one
  // that the model sees, within its percent in both.
  static bool cheaper(const schedule_result& moved, const schedule_result& plain) {
    if constexpr (requires { strategy_type::accepted_cost; }) {
      constexpr double most = (100.0 + strategy_type::accepted_cost) / 100.0;
      return moved.cycles_after <= plain.cycles_after * most && moved.far_after <= plain.far_after * most;
    } else {
      return moved.cycles_after <= plain.cycles_after && moved.far_after <= plain.far_after &&
             (moved.cycles_after < plain.cycles_after || moved.far_after < plain.far_after);
    }
  }
};

}  // namespace ww
