// SPDX-License-Identifier: BSL-1.0
//
// How long would a list scheduler make this block? The estimate by which region strategies judge a change.
//
//   cycles   from the first issue to one past the last one, on one warp with idle pipes, all values of other blocks ready
// Graph and distances are those that the composition schedules with; ties go by height, then by place. The price that
// decides in the end is the model's, of the whole program with its control words (pipeline/scheduler.hpp).
#pragma once

#include <cstdint>

#include "../arch/margin.hpp"
#include "../graph/build.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../schedule/timing.hpp"
#include "../schedule/workspace.hpp"
#include "../strategy/plan.hpp"

namespace ww::region {

struct plan_space {
  schedule_space ws;
  strategy::plan plan;
};

// Cycles of an order of instructions; `pinned`: the last one stays last.
template <class Config>
[[nodiscard]] std::uint32_t plan_length(const program& p, span<const instr_id> order, bool pinned, plan_space& s) {
  using arch = typename Config::arch;
  using graph_arch = with_margin<arch, typename Config::margin>;
  if (order.empty()) return 0;
  build_graph<graph_arch, typename Config::graph_builder, typename Config::disambiguation>(p, order, s.ws.graph,
                                                                                           s.ws.graph_space);
  ww::detail::fill_nodes<arch>(p, order, s.ws);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    s.ws.nodes[i].rank = ready_list::entry::of(s.ws.graph.height[i], i).rank;
  }
  s.plan.start(s.ws, pinned);
  for (std::uint32_t next = s.plan.greedy(); next != strategy::plan::none; next = s.plan.greedy()) s.plan.place(next);
  return s.plan.end();
}

template <class Config>
[[nodiscard]] std::uint32_t plan_length(const program& p, block_id b, plan_space& s) {
  const span<const instr_id> order = p.order_of(p[b]);
  return plan_length<Config>(p, order, !order.empty() && p[order.back()].has(iflag::ends_block), s);
}

}  // namespace ww::region
