// SPDX-License-Identifier: BSL-1.0
//
// strategy::loop_aware: the body of a loop is judged by what an iteration costs when the next one follows it (PLS-13, "Trip
// count + register awareness for loop bodies").
//
//   steady    cycles that a further iteration adds, by the engine's own view of time: length of two iterations in a row
//             less that of one. A value needed at the start of the next iteration wants to be made early in this one
//   trips     iterations per entry: the weight of the loop's block over that of the block in front of it. find_loops() says
//             10; a profile or the caller may set the weights (immediates are not in the program, so none are read off)
//   cost      length of one iteration + (trips - 1) * steady
//   registers an order whose live general registers pass both `budget` and what the order as it came needs is not taken
// Candidates: the list order, the order as it came, and a list order whose priority is the longest path through this
// iteration and the next. Other blocks, and loops of several blocks, get the list order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../arch/margin.hpp"
#include "../graph/build.hpp"
#include "../ir/program.hpp"
#include "../meta/rounded.hpp"
#include "../meta/span.hpp"
#include "../pressure/liveness.hpp"
#include "../schedule/timing.hpp"
#include "../schedule/workspace.hpp"
#include "../strategy/incumbent.hpp"
#include "../strategy/plan.hpp"
#include "counted_loop.hpp"

namespace ww::strategy {

struct loop_aware {
  using role = ww::role::strategy;
  static constexpr const char* name = "loop_aware";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  struct space {
    std::uint32_t budget = 0;  // general registers; 0 = the declared ones of the program, or what the SM has
    liveness live;
    plan next;
    schedule_space two;  // two iterations
    vec<instr_id> twice;
    vec<std::uint32_t> best, own, doubled;
    vec<std::uint64_t> row;
    std::uint32_t loops = 0;     // bodies judged in the last program
    std::uint32_t improved = 0;  // of them, those whose list order was not the cheapest
    bool taken = false;          // the block ordered last is one of these
  };

  template <class Config, class Workspace>
  static void prepare(const program& p, Workspace& ws) {
    ws.own.live.template compute<typename Config::vectors>(p);
    ws.own.loops = ws.own.improved = 0;
  }

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    ws.own.taken = false;
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    const block& blk = p[ws.at];
    if (!ws.prepared || order.size() != blk.count || order.size() < 2 || !is_body(p, ws.at)) return true;
    space& own = ws.own;
    ++own.loops;
    describe<Config>(p, order, ws);
    const auto n = static_cast<std::uint32_t>(order.size());
    const double trips = region::iterations_per_entry(p, ws.at);
    own.own.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) own.own[i] = i;
    const std::uint32_t limit = std::max(budget_of<typename Config::arch>(p, own), peak(p, order, own.own, ws.at, own));
    own.best.assign(ws.sequence.begin(), ws.sequence.end());
    double least = cost(ws, own, trips);
    bool over = peak(p, order, own.best, ws.at, own) > limit;
    bool changed = false;
    const auto consider = [&](const vec<std::uint32_t>& candidate) {
      own.best.assign(candidate.begin(), candidate.end());
      const double now = cost(ws, own, trips);
      if (!(over || now < least) || peak(p, order, candidate, ws.at, own) > limit) return;
      least = now;
      over = false;
      changed = true;
      ws.sequence.assign(candidate.begin(), candidate.end());
    };
    consider(own.own);
    // Longest path through this iteration and the next.
    for (std::uint32_t i = 0; i < n; ++i) {
      ws.nodes[i].rank = ready_list::entry::of(own.two.graph.height[i], i).rank;
    }
    own.next.start(ws, ww::detail::last_is_pinned(p, order));
    for (std::uint32_t i = own.next.greedy(); i != plan::none; i = own.next.greedy()) own.next.place(i);
    if (own.next.complete()) {
      own.next.copy_sequence(own.own);
      consider(own.own);
    }
    if (changed) {
      ++own.improved;
      own.taken = true;
      ws.planned = ww::detail::cycles_of(ws, ws.sequence);
      if (ws.want_reasons) ws.reasons.assign(ws.sequence.size(), {});
    }
    return true;
  }

  // The choice above has the order as it came among its candidates.
  template <class Config, class Workspace>
  static bool worse(const Workspace& ws, const schedule_stats& stats) {
    return stats.planned_cycles > stats.original_cycles && !ws.own.taken;
  }

 private:
  static bool is_body(const program& p, block_id b) {
    for (const cfg_edge& e : p.edges_of(p[b])) {
      if (e.to == b) return true;
    }
    return false;
  }

  // The graph of two iterations.
  template <class Config, class Workspace>
  static void describe(const program& p, span<const instr_id> order, Workspace& ws) {
    using arch = typename Config::arch;
    space& own = ws.own;
    own.twice.assign(order.begin(), order.end());
    own.twice.insert(own.twice.end(), order.begin(), order.end());
    build_graph<with_margin<arch, typename Config::margin>, typename Config::graph_builder, typename Config::disambiguation>(
        p, own.twice, own.two.graph, own.two.graph_space);
    ww::detail::fill_nodes<arch>(p, own.twice, own.two);
  }

  template <class Workspace>
  static double cost(Workspace& ws, space& own, double trips) {
    const auto n = static_cast<std::uint32_t>(own.best.size());
    own.doubled.assign(own.best.begin(), own.best.end());
    for (std::uint32_t k = 0; k < n; ++k) own.doubled.push_back(own.best[k] + n);
    const auto one = static_cast<double>(ww::detail::cycles_of(ws, own.best));
    const auto both = static_cast<double>(ww::detail::cycles_of(own.two, own.doubled));
    return one + meta::rounded((trips - 1) * (both - one));
  }

  template <class Arch>
  static std::uint32_t budget_of(const program& p, const space& own) {
    if (own.budget != 0) return own.budget;
    return p.register_count != 0 ? p.register_count : Arch::limits::general_registers;
  }

  // Most general registers live at once.
  static std::uint32_t peak(const program& p, span<const instr_id> order, span<const std::uint32_t> sequence, block_id b,
                            space& own) {
    const span<const std::uint64_t> out = own.live.live_out(b);
    own.row.assign(out.begin(), out.end());
    std::uint32_t most = 0;
    for (std::size_t k = sequence.size(); k-- > 0;) {
      own.live.step(p, p[order[sequence[k]]], own.row.data());
      most = std::max(most, own.live.layout.population<simd::scalar>(own.row.data())[pressure_class::r]);
    }
    return most;
  }
};

}  // namespace ww::strategy
