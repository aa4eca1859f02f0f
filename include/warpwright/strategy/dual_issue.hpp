// SPDX-License-Identifier: BSL-1.0
//
// Dual-issue scheduling (PLS-13): an order in which pairs can be made.
//
// List scheduling in which each pick looks for a partner: of the ready instructions that could issue in the same cycle
// (operands there, pipe free, can_pair) the best by height goes right behind it and costs no issue slot. `dual_cycles`
// counts an order's cycles in that view; the new order is taken only where it needs fewer of them than the source order, so
// the difference is the block's benefit (the text's score). `finish` writes the pairs (dual_issue_pairing.hpp). On an SM
// without dual issue the order is the list scheduler's and nothing else happens; `applies<Arch>` says so.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "dual_issue_pairing.hpp"
#include "plan.hpp"

namespace ww::strategy {

struct dual_issue {
  using role = ww::role::strategy;
  static constexpr const char* name = "dual_issue";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  template <class Arch>
  static constexpr bool applies = dual_issues<Arch>;

  struct space {
    dual_issue_pairing::space pairing;
    vec<std::uint32_t> ready;  // best height first
    vec<std::uint32_t> found;
    std::uint64_t source_cycles = 0;  // of the last block's source order, with dual issue
    std::uint64_t benefit = 0;        // cycles that the order taken saves against it
  };

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own, schedule_stats& stats) {
    using arch = typename Config::arch;
    own.benefit = 0;
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    if constexpr (applies<arch> && meta::size_v<typename Config::constraints> == 0) {
      ws.planned = dual_cycles<arch>(p, order, ws, ws.sequence);
      pairing_loop<arch> loop{p, order, ws, own};
      if (!loop.run(detail::last_is_pinned(p, order))) return false;
      take_better<arch>(p, order, ws, own);
      own.found.resize(order.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) own.found[i] = i;
      own.source_cycles = take_better<arch>(p, order, ws, own);
      own.benefit = own.source_cycles - ws.planned;
    }
    return true;
  }

  // One past the last issue of an order when every neighbour that can issue with the one before it does.
  template <class Arch>
  [[nodiscard]] static std::uint64_t dual_cycles(const program& p, span<const instr_id> order, schedule_space& ws,
                                                 span<const std::uint32_t> sequence) {
    std::uint32_t pipe_free[pipe_count] = {};
    std::uint32_t cycle = 0;
    std::uint32_t last = 0;
    bool open = false;  // the instruction before this one has no partner yet
    for (std::uint32_t i = 0; i < ws.graph.count; ++i) ws.nodes[i].earliest = 0;
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      const detail::schedule_node& node = ws.nodes[sequence[k]];
      const std::uint32_t could = std::max(node.earliest, pipe_free[node.pipe]);
      const bool joins = open && could <= last && can_pair<Arch>(p, p[order[sequence[k - 1]]], p[order[sequence[k]]]);
      const std::uint32_t issue = joins ? last : std::max(could, cycle);
      pipe_free[node.pipe] = issue + node.interval;
      for (const dependence_edge& e : ws.graph.succ(sequence[k])) {
        ws.nodes[e.to].earliest = std::max(ws.nodes[e.to].earliest, issue + e.latency);
      }
      cycle = issue + node.min_stall;
      last = issue;
      open = !joins;
    }
    return sequence.empty() ? 0 : last + std::uint64_t{1};
  }

  template <class Arch>
  static void finish(program& p, space& own) {
    dual_issue_pairing::finish<Arch>(p, own.pairing);
  }

 private:
  // Takes own.found where it needs fewer cycles; returns its cycles.
  template <class Arch>
  static std::uint64_t take_better(const program& p, span<const instr_id> order, schedule_space& ws, space& own) {
    const std::uint64_t cycles = dual_cycles<Arch>(p, order, ws, own.found);
    if (cycles < ws.planned) {
      if (ws.want_reasons) {
        ws.reasons.clear();
        for (std::size_t k = 0; k < own.found.size(); ++k) note_pick(ws, own.found[k], ws.sequence[k]);
      }
      ws.sequence.assign(own.found.begin(), own.found.end());
      ws.planned = cycles;
    }
    return cycles;
  }

  template <class Arch>
  struct pairing_loop {
    const program& p;
    span<const instr_id> order;
    schedule_space& ws;
    space& own;
    std::uint32_t cycle = 0;
    std::uint32_t pipe_free[pipe_count] = {};

    bool run(bool pinned) {
      const dependence_graph& g = ws.graph;
      own.ready.clear();
      own.found.clear();
      const std::uint32_t last = pinned ? g.count - 1 : plan::none;
      for (std::uint32_t i = 0; i < g.count; ++i) {
        ws.nodes[i].earliest = 0;
        ws.nodes[i].open = g.pred_first[i + 1] - g.pred_first[i];
        if (ws.nodes[i].open == 0 && i != last) insert(i);
      }
      while (!own.ready.empty()) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < own.ready.size(); ++k) {
          if (issue_of(own.ready[k]) < issue_of(own.ready[best])) best = k;
        }
        const std::uint32_t first = own.ready[best];
        const std::uint32_t at = issue_of(first);
        own.ready.erase(own.ready.begin() + static_cast<std::ptrdiff_t>(best));
        const std::size_t partner = partner_of(first, at);
        std::uint32_t second = plan::none;
        if (partner != own.ready.size()) {
          second = own.ready[partner];
          own.ready.erase(own.ready.begin() + static_cast<std::ptrdiff_t>(partner));
        }
        issue(first, at, last);
        if (second != plan::none) issue(second, at, last);
      }
      if (pinned) own.found.push_back(last);
      return own.found.size() == g.count;
    }

    [[nodiscard]] std::uint32_t issue_of(std::uint32_t i) const {
      return std::max(std::max(ws.nodes[i].earliest, cycle), pipe_free[ws.nodes[i].pipe]);
    }
    [[nodiscard]] std::size_t partner_of(std::uint32_t first, std::uint32_t at) const {
      std::size_t k = 0;
      for (; k < own.ready.size(); ++k) {
        const detail::schedule_node& node = ws.nodes[own.ready[k]];
        if (node.earliest > at || pipe_free[node.pipe] > at || node.pipe == ws.nodes[first].pipe) continue;
        if (can_pair<Arch>(p, p[order[first]], p[order[own.ready[k]]])) break;
      }
      return k;
    }
    void issue(std::uint32_t i, std::uint32_t at, std::uint32_t last) {
      const detail::schedule_node& node = ws.nodes[i];
      own.found.push_back(i);
      pipe_free[node.pipe] = at + node.interval;
      cycle = at + node.min_stall;
      for (const dependence_edge& e : ws.graph.succ(i)) {
        detail::schedule_node& to = ws.nodes[e.to];
        to.earliest = std::max(to.earliest, at + e.latency);
        if (--to.open == 0 && e.to != last) insert(e.to);
      }
    }
    void insert(std::uint32_t i) {
      const auto at = std::lower_bound(own.ready.begin(), own.ready.end(), i, [this](std::uint32_t a, std::uint32_t b) {
        return ws.nodes[a].rank > ws.nodes[b].rank;
      });
      own.ready.insert(at, i);
    }
  };
};

}  // namespace ww::strategy
