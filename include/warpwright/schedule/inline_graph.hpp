// SPDX-License-Identifier: BSL-1.0
//
// strategy::inline_graph<Window>: the combined loop (PLS-12), which builds dependences while it schedules instead of before.
//
//   window   the first Window instructions in program order that are not placed; only among them, and the last few placed
//            ones, are dependences ever built. Whatever an instruction of the window depends on is placed or in the window
//   refill   half of the window is placed, then it is filled up again and its graph built anew
//   fence    a control marker closes the window behind it until it is placed
//   pick     earliest issue, then height in the window, then the smaller load of the unit that the instruction needs (PLS-9),
//            then program order
//   load     cycles that the placed instructions took of a unit, with the instruction's own and without those of the
//            instructions whose results it is the last to read, and the cycles until late reads of that unit are over
// The graph is that of one window, whatever the length of the block; a few words for each instruction come on top (order, issue
// cycle). The engine holds what comes out against the graph of the whole part, as that of every order_part(). The order
// is checked for length against the block's own with the same window and clock; the longer one is not taken.
#pragma once

#include <cstdint>

#include "../arch/margin.hpp"
#include "../graph/build.hpp"
#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/resource_vector.hpp"
#include "class_table.hpp"
#include "stats.hpp"
#include "timing.hpp"

namespace ww {

struct inline_space {
  dependence_graph graph;
  graph_workspace graph_space;
  vec<instr_id> ids;            // the placed ones that still matter, then the window
  vec<std::uint32_t> pending;   // places of the window's instructions in the block, in program order
  vec<std::uint32_t> sequence;  // the new order, as places in the block
  vec<std::uint32_t> issue;     // cycle, by place in the block
  vec<std::uint32_t> earliest;  // cycle, by node
  vec<std::uint32_t> open;      // predecessors in the window that are not placed, by node
  vec<std::uint32_t> readers;   // nodes that wait to read the results of a node, by node
  vec<sched_class> released;    // producers whose results a candidate is the last to read
  vec<std::uint8_t> done;       // by node
  resource_vector resources;    // of the block
  vec<instr_id> before;
};

namespace strategy {

template <unsigned Window = 64>
struct inline_graph {
  using role = ww::role::strategy;
  using space = inline_space;
  static constexpr const char* name = "inline_graph";
  static constexpr bool arguments_fit = Window >= 2;
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = false;
  static constexpr std::uint32_t remembered = 32;  // placed instructions whose latencies still count

  template <class Config, class Workspace>
  static schedule_stats order_part(program& p, span<instr_id> order, Workspace& ws) {
    schedule_stats stats;
    stats.instructions = order.size();
    stats.chunks = 1;
    if (order.empty()) return stats;
    stats.original_cycles = loop<Config>(p, order, ws.own, true);
    stats.planned_cycles = loop<Config>(p, order, ws.own, false);
    if (stats.planned_cycles > stats.original_cycles) {
      stats.planned_cycles = stats.original_cycles;
      stats.kept_blocks = 1;
      return stats;
    }
    ws.own.before.assign(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = ws.own.before[ws.own.sequence[i]];
    return stats;
  }

 private:
  // Runs the loop and returns the cycles of the order it made; `keep`: of the order as it is.
  template <class Config>
  static std::uint64_t loop(const program& p, span<const instr_id> order, space& s, bool keep) {
    using arch = typename Config::arch;
    const auto count = static_cast<std::uint32_t>(order.size());
    std::uint32_t pipe_free[pipe_count] = {};
    std::uint32_t cycle = 0;
    std::uint32_t last_issue = 0;
    std::uint32_t entered = 0;
    s.sequence.clear();
    s.pending.clear();
    s.issue.assign(count, 0);
    s.resources.clear();
    while (s.sequence.size() < count) {
      bool closed = !s.pending.empty() && detail::is_fence(p[order[s.pending.back()]]);
      while (!closed && entered < count && s.pending.size() < Window) {
        closed = detail::is_fence(p[order[entered]]);
        s.pending.push_back(entered++);
      }
      const std::uint32_t kept = enter<Config>(p, order, s);
      const auto waiting = static_cast<std::uint32_t>(s.pending.size());
      const std::uint32_t quota = entered == count || closed ? waiting : (waiting + 1) / 2;
      for (std::uint32_t picks = 0; picks < quota; ++picks) {
        std::uint32_t best = waiting;
        std::uint32_t best_issue = 0;
        for (std::uint32_t k = 0; k < waiting; ++k) {
          const std::uint32_t node = kept + k;
          if (s.done[node] != 0 || s.open[node] != 0) continue;
          const detail::class_row& row = detail::row_of<arch>(p[order[s.pending[k]]].iclass);
          std::uint32_t at = s.earliest[node] > cycle ? s.earliest[node] : cycle;
          at = pipe_free[row.pipe] > at ? pipe_free[row.pipe] : at;
          if (best != waiting) {
            const std::uint32_t height = s.graph.height[node];
            const std::uint32_t most = s.graph.height[kept + best];
            if (at > best_issue) continue;
            if (at == best_issue && height < most) continue;
            if (at == best_issue && height == most && load<Config>(p, kept + best, s) <= load<Config>(p, node, s)) continue;
          }
          best = k;
          best_issue = at;
          if (keep) break;  // the first one in program order
        }
        const detail::class_row& row = detail::row_of<arch>(p[order[s.pending[best]]].iclass);
        s.done[kept + best] = 1;
        s.issue[s.pending[best]] = best_issue;
        s.sequence.push_back(s.pending[best]);
        pipe_free[row.pipe] = best_issue + row.interval;
        if (!keep) {
          s.resources.template advance<typename Config::vectors>(static_cast<std::int32_t>(best_issue - last_issue));
          book<Config>(p, kept + best, s);
        }
        cycle = best_issue + row.min_stall;
        last_issue = best_issue;
        for (const dependence_edge& e : s.graph.succ(kept + best)) {
          --s.open[e.to];
          const std::uint32_t at = best_issue + e.latency;
          if (at > s.earliest[e.to]) s.earliest[e.to] = at;
        }
      }
      std::uint32_t left = 0;
      for (std::uint32_t k = 0; k < waiting; ++k) {
        if (s.done[kept + k] == 0) s.pending[left++] = s.pending[k];
      }
      s.pending.resize(left);
    }
    return last_issue + std::uint64_t{1};
  }

  // The classes of the instructions whose results `node` is the last to read.
  static span<const sched_class> last_read(const program& p, std::uint32_t node, space& s) {
    s.released.clear();
    for (const dependence_edge& e : s.graph.pred(node)) {
      if (e.kind == dependence_kind::raw && s.readers[e.from] == 1) s.released.push_back(p[s.ids[e.from]].iclass);
    }
    return {s.released.data(), s.released.size()};
  }
  // Load of the unit that `node` needs, once it is placed; cycles.
  template <class Config>
  static std::int32_t load(const program& p, std::uint32_t node, space& s) {
    const sched_class c = p[s.ids[node]].iclass;
    using costs = resource_cost<typename Config::arch::pipes>;
    const resource_lanes_array cost =
        costs::template combined<typename Config::vectors>(s.resources, c, last_read(p, node, s));
    const auto unit = static_cast<std::size_t>(unit_of(c));
    return cost[unit] + s.resources.pending[unit];
  }
  // Books a placed node: its own cycles, what it releases, and how long its sources are read.
  template <class Config>
  static void book(const program& p, std::uint32_t node, space& s) {
    using cost = resource_cost<typename Config::arch::pipes>;
    using vectors = typename Config::vectors;
    const sched_class c = p[s.ids[node]].iclass;
    resource_lanes_array sum = cost::own(c);
    vectors::add(sum.data(), cost::release(last_read(p, node, s)).data(), resource_lanes);
    s.resources.template accumulate<vectors>(sum);
    for (const dependence_edge& e : s.graph.pred(node)) {
      if (e.kind == dependence_kind::raw && s.readers[e.from] != 0) --s.readers[e.from];
    }
    for (const dependence_edge& e : s.graph.succ(node)) {
      if (e.kind == dependence_kind::war) s.resources.read_late(c, e.latency);
    }
  }

  // Builds the graph of the last placed instructions and the window; returns how many placed ones there are.
  template <class Config>
  static std::uint32_t enter(const program& p, span<const instr_id> order, space& s) {
    using graph_arch = with_margin<typename Config::arch, typename Config::margin>;
    const auto placed = static_cast<std::uint32_t>(s.sequence.size());
    const std::uint32_t kept = placed < remembered ? placed : remembered;
    s.ids.clear();
    for (std::uint32_t k = placed - kept; k < placed; ++k) s.ids.push_back(order[s.sequence[k]]);
    for (const std::uint32_t k : s.pending) s.ids.push_back(order[k]);
    build_graph<graph_arch, typename Config::graph_builder, typename Config::disambiguation>(
        p, span<const instr_id>(s.ids.data(), s.ids.size()), s.graph, s.graph_space);
    s.earliest.assign(s.ids.size(), 0);
    s.done.assign(s.ids.size(), 0);
    s.open.assign(s.ids.size(), 0);
    s.readers.assign(s.ids.size(), 0);
    for (std::uint32_t node = kept; node < s.ids.size(); ++node) {
      for (const dependence_edge& e : s.graph.pred(node)) {
        s.readers[e.from] += e.kind == dependence_kind::raw ? 1u : 0u;
        if (e.from >= kept) {
          ++s.open[node];
        } else {
          const std::uint32_t at = s.issue[s.sequence[placed - kept + e.from]] + e.latency;
          if (at > s.earliest[node]) s.earliest[node] = at;
        }
      }
    }
    return kept;
  }
};

}  // namespace strategy
}  // namespace ww
