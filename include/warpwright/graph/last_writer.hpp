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
  static constexpr std::uint32_t none = graph_workspace::none;

  template <class Cycles>
  static void read(operand o, detail::edge_adder& edges, detail::access_pool& pool, graph_workspace& ws);
  template <class Cycles>
  static void write(const instruction& ins, operand o, detail::edge_adder& edges, detail::access_pool& pool,
                    graph_workspace& ws);

  static access_point point(const access& a, reg_file file) { return {a.iclass, a.where, file, a.part, a.guarded}; }

  // True when no thread runs both, so that they cannot meet in a register of `file`.
  static bool apart(const graph_workspace& ws, const access& earlier, const detail::guard_key& guard, reg_file file) {
    return earlier.guarded && guard.guarded() && ws.guards[earlier.node].complementary(guard, file);
  }
  // Gives back a list, the entries of `node` itself in front of it apart.
  static void release(detail::access_pool& pool, std::uint32_t& head, std::uint32_t node) {
    std::uint32_t* link = &head;
    while (*link != none && pool.at[*link].node == node) link = &pool.at[*link].next;
    pool.release(*link);
  }
  // Gives back the entries that nothing can meet any more once `node` has written under its guard.
  static void prune(const graph_workspace& ws, detail::access_pool& pool, std::uint32_t& head, std::uint32_t node) {
    std::uint32_t* link = &head;
    while (*link != none) {
      const std::uint32_t at = *link;
      access& a = pool.at[at];
      if (a.node != node && ws.guards[node].replaces(ws.guards[a.node])) {
        *link = a.next;
        a.next = pool.free;
        pool.free = at;
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
[[gnu::always_inline]] inline void last_writer_with_budget<EdgeBudget>::read(operand o, detail::edge_adder& edges,
                                                                             detail::access_pool& pool,
                                                                             graph_workspace& ws) {
  const reg_file file = o.file();
  const detail::timing& timing = ws.timings[edges.node];
  const detail::guard_key& guard = ws.guards[edges.node];
  const unsigned width = o.width();
  register_entry* const entries = ws.entries(file, o.base().number(), width);
  access self{edges.node, none, timing.read_cycles, o.where(), 0, timing.iclass, timing.guarded};
  for (unsigned part = 0; part < width; ++part) {
    register_entry& e = ws.fresh(entries[part]);
    self.part = static_cast<std::uint8_t>(part);
    const access* const accesses = pool.at;
    for (std::uint32_t w = e.writers; w != none;) {
      const access& from = accesses[w];
      w = from.next;
      if (apart(ws, from, guard, file)) continue;
      const std::uint16_t cycles = from.cycles != 0 ? from.cycles : Cycles::fixed_raw(point(from, file), point(self, file));
      edges.add(from.node, cycles, dependence_kind::raw);
    }
    pool.push(e.readers, self);
  }
}

template <std::uint32_t EdgeBudget>
template <class Cycles>
[[gnu::always_inline]] inline void last_writer_with_budget<EdgeBudget>::write(const instruction& ins, operand o,
                                                                              detail::edge_adder& edges,
                                                                              detail::access_pool& pool,
                                                                              graph_workspace& ws) {
  const reg_file file = o.file();
  const std::uint32_t node = edges.node;
  const detail::timing& timing = ws.timings[node];
  const detail::guard_key guard = ws.guards[node];
  const bool full = detail::writes_fully(ins, o);
  const bool replaces_all = full && !guard.guarded();
  const unsigned width = o.width();
  register_entry* const entries = ws.entries(file, o.base().number(), width);
  access self{node, none, timing.result_cycles, o.where(), 0, timing.iclass, timing.guarded};
  for (unsigned part = 0; part < width; ++part) {
    register_entry& e = ws.fresh(entries[part]);
    self.part = static_cast<std::uint8_t>(part);
    const access_point to = point(self, file);
    const access* const accesses = pool.at;
    unsigned length = 0;
    bool overflow = false;
    for (;;) {
      for (std::uint32_t w = e.writers; w != none; ++length) {
        const access& from = accesses[w];
        w = from.next;
        if (from.node == node || (!overflow && apart(ws, from, guard, file))) continue;
        const std::uint16_t cycles = from.cycles == 0 ? Cycles::fixed_waw(point(from, file), to)
                                                      : Cycles::waw(ws.timings[from.node], timing, point(from, file), to);
        edges.add(from.node, cycles, dependence_kind::waw);
      }
      for (std::uint32_t r = e.readers; r != none; ++length) {
        const access& from = accesses[r];
        r = from.next;
        if (from.node == node || (!overflow && apart(ws, from, guard, file))) continue;
        const std::uint16_t cycles = from.cycles == 0 ? Cycles::fixed_war(point(from, file), to)
                                                      : Cycles::war(ws.timings[from.node], timing, point(from, file), to);
        edges.add(from.node, cycles, dependence_kind::war);
      }
      // A long list under changing guards: order against the complementary entries too, then start afresh.
      if (overflow || length <= list_limit || replaces_all) break;
      overflow = true;
    }
    if (overflow) ws.guards[node].lane_local = false;
    if (overflow || replaces_all) {
      release(pool, e.writers, node);
      release(pool, e.readers, node);
    } else if (full) {
      prune(ws, pool, e.writers, node);
      prune(ws, pool, e.readers, node);
    }
    pool.push(e.writers, self);
    e.version = node + 1;
  }
}

template <std::uint32_t EdgeBudget>
template <class Cycles, class Disambiguation>
void last_writer_with_budget<EdgeBudget>::build(const program& p, std::span<const instr_id> order, dependence_graph& out,
                                                graph_workspace& ws) {
  const auto count = static_cast<std::uint32_t>(order.size());
  detail::edge_adder edges(out);
  detail::access_pool pool(ws.accesses);
  for (std::uint32_t i = 0; i < count; ++i) {
    const instruction& ins = p[order[i]];
    edges.begin(i);
    if (edges.size > edge_budget) {
      if (out.chained_from == dependence_graph::none) out.chained_from = i;
      edges.order(ins, true);
      continue;
    }
    const std::span<const operand> ops = p.operands_of(ins);
    ws.timings[i] = Cycles::of(ins);
    detail::guard_key guard;
    if (ins.has(iflag::guarded)) {
      guard.lane_local = !detail::crosses_lanes(ins.iclass);
      for (const operand o : ops) {
        if (o.where() == slot::guard && o.is_use() && o.is_register()) {
          guard.reg = o.base().packed;
          guard.version = 2 * ws.entry(o.file(), o.base().number()).version + (ins.guard_negated != 0 ? 1u : 0u);
        }
      }
    }
    ws.guards[i] = guard;
    if (detail::touches_memory(ins)) {
      const memory_access m = detail::describe_access(ins, i, ops.data(), Disambiguation::uses_addresses,
                                                      [&ws](reg r) { return ws.entry(r.file(), r.number()).version; });
      detail::memory_order<Disambiguation>::visit(m, edges, ws);
    }
    for (const operand o : ops) {
      if (o.is_use() && o.is_register()) read<Cycles>(o, edges, pool, ws);
    }
    for (const operand o : ops) {
      if (!o.is_def()) break;  // definitions stand first
      if (o.is_register()) write<Cycles>(ins, o, edges, pool, ws);
    }
    edges.order(ins, false);
  }
  edges.close();
}

}  // namespace ww
