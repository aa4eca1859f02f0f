// SPDX-License-Identifier: BSL-1.0
//
// The order that a searching strategy starts from and must not fall behind: the list scheduler's.
//
//   list_incumbent<Config>   runs list scheduling with the composition's own priority and constraints; leaves the order in
//                            ws.sequence, its cycles in ws.planned, and a rank per node that a plan (plan.hpp) can use: the
//                            priority's key where the priority is a fixed key, the place in the list's order otherwise
//   keep_better              takes `other` into ws.sequence where the engine plans fewer cycles for it
//   note_pick                why a search picked `i` where the list scheduler would have picked `other`
// An order that came out of a search as a whole has as its reasons: compared where the list picked another one at that place
// (the runner-up is that one), only_ready otherwise.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../priority/concept.hpp"
#include "../schedule/fixed_loop.hpp"
#include "../schedule/per_pick_loop.hpp"
#include "../schedule/timing.hpp"

namespace ww::strategy {

// False when the graph has a cycle.
template <class Config, class Workspace>
constexpr bool list_incumbent(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
  using arch = typename Config::arch;
  detail::fill_nodes<arch>(p, order, ws);
  ws.sequence.clear();
  if (ws.want_reasons) ws.reasons.clear();
  ws.planned = 0;
  if constexpr (fixed_key_priority<typename Config::priority>) {
    if (!detail::fixed_loop<Config>(p, order, ws, stats)) return false;
  } else {
    if (!detail::per_pick_loop<Config>(p, order, ws, stats)) return false;
    const auto n = static_cast<std::uint32_t>(ws.sequence.size());
    for (std::uint32_t k = 0; k < n; ++k) {
      ws.nodes[ws.sequence[k]].rank = ready_list::entry::of(n - k, ws.sequence[k]).rank;
    }
  }
  return ws.sequence.size() == order.size();
}

constexpr void note_pick(schedule_space& ws, std::uint32_t i, std::uint32_t other) {
  if (!ws.want_reasons) return;
  const bool same = i == other;
  ws.reasons.push_back({same ? 0xffffffffu : other, same ? pick_kind::only_ready : pick_kind::compared, 0});
}

// Puts `other` into ws.sequence if it is planned in fewer cycles. True if it did.
constexpr bool keep_better(schedule_space& ws, span<const std::uint32_t> other) {
  const std::uint64_t cycles = detail::cycles_of(ws, other);
  if (cycles >= ws.planned) return false;
  if (ws.want_reasons) {
    ws.reasons.resize(other.size());
    for (std::size_t k = 0; k < other.size(); ++k) {
      const bool same = ws.sequence[k] == other[k];
      ws.reasons[k] = {same ? 0xffffffffu : ws.sequence[k], same ? pick_kind::only_ready : pick_kind::compared, 0};
    }
  }
  ws.sequence.assign(other.begin(), other.end());
  ws.planned = cycles;
  return true;
}

}  // namespace ww::strategy
