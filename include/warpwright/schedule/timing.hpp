// SPDX-License-Identifier: BSL-1.0
//
// The engine's own simple view of time: one warp, in order, latencies of the graph, one pipe per class.
//
// An instruction issues at the latest of: one past the previous issue (more where its class has a minimum stall), the cycle
// at which its pipe takes the next one, and the latency of every edge into it. `cycles_of` gives one past the last issue for
// any legal order of ws.graph. It is what the engine compares orders by; the cycle model of model/ knows more and judges.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "class_table.hpp"
#include "workspace.hpp"

namespace ww::detail {

template <class Arch>
[[gnu::noinline]] constexpr void fill_nodes(const program& p, span<const instr_id> order, schedule_space& ws) {
  const auto n = static_cast<std::uint32_t>(order.size());
  ws.nodes.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const instruction& ins = p[order[i]];
    const class_row& row = row_of<Arch>(ins.iclass);
    schedule_node& node = ws.nodes[i];
    node.earliest = 0;
    node.open = ws.graph.pred_first[i + 1] - ws.graph.pred_first[i];
    node.pipe = row.pipe;
    node.interval = row.interval;
    node.min_stall = row.min_stall;
    node.refused = 0;
    node.iclass = ins.iclass;
  }
}

template <class Next>
constexpr std::uint64_t cycles_of_order(schedule_space& ws, std::uint32_t count, Next&& next) {
  std::uint32_t pipe_free[pipe_count] = {};
  std::uint32_t cycle = 0;
  std::uint32_t end = 0;
  for (std::uint32_t i = 0; i < count; ++i) ws.nodes[i].earliest = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = next(i);
    const schedule_node& node = ws.nodes[at];
    std::uint32_t issue = node.earliest > cycle ? node.earliest : cycle;
    std::uint32_t& pipe = pipe_free[node.pipe];
    if (pipe > issue) issue = pipe;
    pipe = issue + node.interval;
    for (const dependence_edge& e : ws.graph.succ(at)) {
      std::uint32_t& earliest = ws.nodes[e.to].earliest;
      if (issue + e.latency > earliest) earliest = issue + e.latency;
    }
    cycle = issue + node.min_stall;
    end = issue + 1;
  }
  return end;
}

constexpr std::uint64_t cycles_of(schedule_space& ws, span<const std::uint32_t> sequence) {
  return cycles_of_order(ws, static_cast<std::uint32_t>(sequence.size()), [&](std::uint32_t i) { return sequence[i]; });
}
constexpr std::uint64_t cycles_of_source_order(schedule_space& ws) {
  return cycles_of_order(ws, ws.graph.count, [](std::uint32_t i) { return i; });
}

// True when the last node must stay last.
[[nodiscard]] constexpr bool last_is_pinned(const program& p, span<const instr_id> order) {
  return !order.empty() && p[order.back()].has(iflag::ends_block);
}

}  // namespace ww::detail
