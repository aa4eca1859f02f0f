// SPDX-License-Identifier: BSL-1.0
//
// The default graph builder (PLS-8, "Pair-check pruning via last-writer tracking"): one pass in program order, O(n *
// operands).
//
// Per 32-bit register it keeps the newest writers and the readers since. A full write replaces both lists; a guarded
// write replaces only what stands under the same guard, because threads that do not act keep the old value; a partial
// (half-register) write replaces nothing. Where a register collects more than `list_limit` entries, the next writer is
// ordered behind all of them and replaces them, which keeps the pass linear.
//
// `edge_budget` (PLS-8, AdvancedSBPruningBudget) caps the edges of a block: once passed, the rest of the block is a chain in
// program order, and the graph says so (chained_from). No order is ever dropped.
#pragma once

#include <cstdint>
#include <span>

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "builder_state.hpp"
#include "distance.hpp"
#include "memory_order.hpp"
#include "workspace.hpp"

namespace ww {

template <std::uint32_t EdgeBudget>
struct last_writer_with_budget {
  using role = role::graph_builder;
  static constexpr const char* name = "last_writer";
  static constexpr std::uint32_t edge_budget = EdgeBudget;
  static constexpr unsigned list_limit = 96;

  template <class Cycles, class Disambiguation>
  static void build(const program& p, std::span<const instr_id> order, dependence_graph& out, graph_workspace& ws);

 private:
  using access = graph_workspace::access;
  using register_entry = graph_workspace::register_entry;

  template <class Cycles>
  static void read(operand o, detail::edge_adder& edges, graph_workspace& ws);
  template <class Cycles>
  static void write(const instruction& ins, operand o, detail::edge_adder& edges, graph_workspace& ws);

  static access_point point(const graph_workspace& ws, const access& a, reg_file file) {
    const detail::timing& t = ws.timings[a.node];
    return {t.iclass, a.where, file, a.part, t.guarded};
  }
  static void push(graph_workspace& ws, std::uint32_t& head, std::uint32_t node, slot where, unsigned part) {
    ws.accesses.push_back({node, head, where, static_cast<std::uint8_t>(part)});
    head = static_cast<std::uint32_t>(ws.accesses.size() - 1);
  }
  // Unlinks the entries under the same guard as `node`, its own entries apart.
  static void prune(graph_workspace& ws, std::uint32_t& head, std::uint32_t node) {
    std::uint32_t* link = &head;
    while (*link != graph_workspace::none) {
      access& a = ws.accesses[*link];
      if (a.node != node && ws.guards[node].replaces(ws.guards[a.node])) {
        *link = a.next;
      } else {
        link = &a.next;
      }
    }
  }
};

// The default budget is larger than any block needs.
using last_writer = last_writer_with_budget<0xffffffffu>;

template <std::uint32_t EdgeBudget>
template <class Cycles>
void last_writer_with_budget<EdgeBudget>::read(operand o, detail::edge_adder& edges, graph_workspace& ws) {
  const reg_file file = o.file();
  const detail::guard_key& guard = ws.guards[edges.node];
  for (unsigned part = 0; part < o.width(); ++part) {
    const register_entry& e = ws.entry(file, o.base().number() + part);
    for (std::uint32_t w = e.writers; w != graph_workspace::none; w = ws.accesses[w].next) {
      const access& from = ws.accesses[w];
      if (ws.guards[from.node].complementary(guard, file)) continue;
      const access to{edges.node, graph_workspace::none, o.where(), static_cast<std::uint8_t>(part)};
      edges.add(from.node, Cycles::raw(ws.timings[from.node], point(ws, from, file), point(ws, to, file)),
                dependence_kind::raw);
    }
  }
}

template <std::uint32_t EdgeBudget>
template <class Cycles>
void last_writer_with_budget<EdgeBudget>::write(const instruction& ins, operand o, detail::edge_adder& edges,
                                                graph_workspace& ws) {
  const reg_file file = o.file();
  const std::uint32_t node = edges.node;
  const detail::guard_key& guard = ws.guards[node];
  const bool full = detail::writes_fully(ins, o);
  for (unsigned part = 0; part < o.width(); ++part) {
    register_entry& e = ws.entry(file, o.base().number() + part);
    const access self{node, graph_workspace::none, o.where(), static_cast<std::uint8_t>(part)};
    const access_point to = point(ws, self, file);
    unsigned length = 0;
    bool overflow = false;
    for (;;) {
      for (std::uint32_t w = e.writers; w != graph_workspace::none; w = ws.accesses[w].next, ++length) {
        const access& from = ws.accesses[w];
        if (!overflow && ws.guards[from.node].complementary(guard, file)) continue;
        edges.add(from.node, Cycles::waw(ws.timings[from.node], ws.timings[node], point(ws, from, file), to),
                  dependence_kind::waw);
      }
      for (std::uint32_t r = e.readers; r != graph_workspace::none; r = ws.accesses[r].next, ++length) {
        const access& from = ws.accesses[r];
        if (!overflow && ws.guards[from.node].complementary(guard, file)) continue;
        edges.add(from.node, Cycles::war(ws.timings[from.node], ws.timings[node], point(ws, from, file), to),
                  dependence_kind::war);
      }
      // A long list under changing guards: order against the complementary entries too, then start afresh.
      if (overflow || length <= list_limit || (full && !guard.guarded())) break;
      overflow = true;
    }
    if (overflow) ws.guards[node].lane_local = false;
    if (overflow || (full && !guard.guarded())) {
      e.writers = graph_workspace::none;
      e.readers = graph_workspace::none;
    } else if (full) {
      prune(ws, e.writers, node);
      prune(ws, e.readers, node);
    }
    push(ws, e.writers, node, o.where(), part);
    e.version = node + 1;
  }
}

template <std::uint32_t EdgeBudget>
template <class Cycles, class Disambiguation>
void last_writer_with_budget<EdgeBudget>::build(const program& p, std::span<const instr_id> order, dependence_graph& out,
                                                graph_workspace& ws) {
  const auto count = static_cast<std::uint32_t>(order.size());
  detail::edge_adder edges{out};
  for (std::uint32_t i = 0; i < count; ++i) {
    const instruction& ins = p[order[i]];
    edges.begin(i);
    if (out.edges.size() > edge_budget) {
      if (out.chained_from == dependence_graph::none) out.chained_from = i;
      edges.order(ins, true);
      continue;
    }
    const std::span<const operand> ops = p.operands_of(ins);
    ws.timings[i] = Cycles::of(ins);
    detail::guard_key guard;
    guard.lane_local = !detail::crosses_lanes(ins.iclass);
    for (const operand o : ops) {
      if (o.where() == slot::guard && o.is_use() && o.is_register()) {
        guard.reg = o.base().packed;
        guard.version = 2 * ws.entry(o.file(), o.base().number()).version + (ins.guard_negated != 0 ? 1u : 0u);
      }
    }
    ws.guards[i] = guard;
    if (ins.dir != mem_dir::none || ins.iclass == sched_class::syncs || ins.iclass == sched_class::depbar ||
        ins.iclass == sched_class::ldgdepbar) {
      const memory_access m = detail::describe_access(ins, i, ops.data(), Disambiguation::uses_addresses,
                                                      [&ws](reg r) { return ws.entry(r.file(), r.number()).version; });
      detail::memory_order<Disambiguation>::visit(m, edges, ws);
    }
    for (const operand o : ops) {
      if (o.is_use() && o.is_register()) read<Cycles>(o, edges, ws);
    }
    for (const operand o : ops) {
      if (o.is_def() && o.is_register()) write<Cycles>(ins, o, edges, ws);
    }
    for (const operand o : ops) {
      if (!o.is_use() || !o.is_register()) continue;
      for (unsigned part = 0; part < o.width(); ++part) {
        push(ws, ws.entry(o.file(), o.base().number() + part).readers, i, o.where(), part);
      }
    }
    edges.order(ins, false);
  }
}

}  // namespace ww
