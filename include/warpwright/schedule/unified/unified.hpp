// SPDX-License-Identifier: BSL-1.0
//
// strategy::unified: the unified engine as a policy (PLS-1).
//
//   using low = ww::scheduler<ww::sm90, ww::strategy::unified, ww::mode::reduce_reg>;
//
// The mode (schedule/mode.hpp) brings weights, gates and knobs. A block's new order is taken by the mode's own aim:
// ReduceReg does not take one with more live registers, the others not one that is longer. The priority slot is not used:
// the priority function is that of PLS-4 to PLS-7.
#pragma once

#include <cstdint>

#include "../../ir/program.hpp"
#include "../../meta/role.hpp"
#include "../../meta/span.hpp"
#include "../mode.hpp"
#include "../stats.hpp"
#include "engine.hpp"
#include "region_record.hpp"

namespace ww::strategy {

struct unified {
  using role = ww::role::strategy;
  using space = ww::unified::space;
  static constexpr const char* name = "unified";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = false;

  template <class Config, class Workspace>
  static constexpr void prepare(const program& p, Workspace& ws) {
    ws.own.live.template compute<typename Config::vectors>(p);
  }

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats&) {
    if (!ws.prepared) prepare<Config>(p, ws);
    if (!Config::mode::schedules(static_cast<std::uint32_t>(order.size()))) {
      for (std::uint32_t i = 0; i < order.size(); ++i) ws.sequence.push_back(i);
      ws.planned = 0;
      return true;
    }
    return ww::unified::engine<Config, Workspace>(p, order, ws).run();
  }

  template <class Config, class Workspace>
  static constexpr bool worse(const Workspace& ws, const schedule_stats& stats) {
    const auto& before = ws.own.peak_before;
    const auto& after = ws.own.peak_after;
    if constexpr (Config::mode::reduces_registers) {
      if (after.of[0] != before.of[0]) return after.of[0] > before.of[0];
      for (unsigned g = 1; g < 4; ++g) {
        if (after.of[g] > before.of[g]) return true;
      }
    }
    return stats.planned_cycles > stats.original_cycles;
  }
};

}  // namespace ww::strategy
