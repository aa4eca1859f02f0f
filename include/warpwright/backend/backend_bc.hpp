// SPDX-License-Identifier: BSL-1.0
//
// Backends B and C together (PLS-15), as the text dispatches them from sm_80 on: they complement each other.
//
//   B numbers   its two passes give the order in which the instructions of a block are numbered
//   C orders    with those numbers as the third key of its queue: where priority and score tie, B has decided
// That is what it means for a block to come to C in the order that B gave it.
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "../meta/span.hpp"
#include "../schedule/strategy.hpp"
#include "../schedule/timing.hpp"
#include "backend_b.hpp"
#include "backend_c.hpp"

namespace ww::strategy {

template <class B = backend_b, class C = backend_c>
struct basic_backend_bc {
  using role = ww::role::strategy;
  static constexpr const char* name = "basic_backend_bc";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;

  struct space {
    typename B::space b;
    typename C::space c;
  };

  template <class Config, class Workspace>
  static void prepare(const program& p, Workspace& ws) {
    ws.own.b.live.template prepare<typename Config::vectors>(p);
    C::template prepare_space<typename Config::vectors>(p, ws.own.c);
  }

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    if (!ws.prepared) prepare<Config>(p, ws);
    if (!B::template search<Config>(p, order, ws, ws.own.b, stats)) return false;
    ws.own.c.number.resize(order.size());
    for (std::uint32_t k = 0; k < ws.sequence.size(); ++k) ws.own.c.number[ws.sequence[k]] = k;
    return C::template search<Config>(p, order, ws, ws.own.c, stats);
  }
};

struct backend_bc : basic_backend_bc<> {
  static constexpr const char* name = "backend_bc";
};

}  // namespace ww::strategy
