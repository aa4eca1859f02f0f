// SPDX-License-Identifier: BSL-1.0
//
// The default graph builder (PLS-8, "Pair-check pruning via last-writer tracking"): one pass in program order, O(n *
// operands).
//
// Per 32-bit register it keeps the writers that still count and the readers since. A full write replaces both lists; a
// guarded write replaces only what stands under the same guard, because threads that do not act keep the old value; a
// partial (half-register) write replaces nothing. Where a register collects more than `list_limit` entries, the next writer
// is ordered behind all of them and replaces them, which keeps the pass linear.
//
// `edge_budget` (PLS-8, AdvancedSBPruningBudget) caps the edges of a block: once passed, the rest of the block is a chain in
// program order, and the graph says so (chained_from). No order is ever dropped.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "../meta/span.hpp"
#include "builder_state.hpp"
#include "distance.hpp"
#include "memory_order.hpp"
#include "sound_graph.hpp"
#include "workspace.hpp"

namespace ww {

namespace detail {

// What the walk over a block holds. Passed by value where a call is not inlined, so that it can stay in registers.
template <class Cycles>
struct register_walk {
  using access = graph_workspace::access;
  using register_entry = graph_workspace::register_entry;
  static constexpr std::uint32_t none = graph_workspace::none;
  static constexpr unsigned list_limit = 96;

  graph_workspace* ws;
  edge_adder edges;
  access_pool pool;
  distance_memo<Cycles> memo;

  constexpr register_walk(dependence_graph& out, graph_workspace& w)
      : ws(&w), edges(out), pool(w.accesses), memo(w.distances) {}

  [[gnu::always_inline]] constexpr void read(operand o, const timing& t) {
    const unsigned width = o.width();
    register_entry* e = ws->entries(o.file(), o.base().number(), width);
    access self{edges.node, none, access_code::of(t.iclass, o.where(), t.guarded), t.read_cycles};
    distance_question q(dependence_kind::raw, self.code, o.file());
    for (register_entry* const end = e + width; e != end; ++e) {
      if (e->epoch != ws->epoch) {
        e->epoch = ws->epoch;
        e->readers = none;
        e->writer.set(none, none, 0, 0);
      } else if (e->writer.node != none) {
        if ((e->writer.next != none) | (((e->writer.code & self.code) & access_code::guarded) != 0)) {
          *this = behind_writers(*this, *e, q);
        } else {
          behind_writer(e->writer, q);
        }
      }
      pool.push(e->readers, self);
      self.code += access_code::next_part;
      q.next_part();
    }
  }

  [[gnu::always_inline]] constexpr void write(const instruction& ins, operand o, const timing& t) {
    const unsigned width = o.width();
    const bool plain = !t.guarded && !o.is_partial();
    register_entry* e = ws->entries(o.file(), o.base().number(), width);
    access self{edges.node, none, access_code::of(t.iclass, o.where(), t.guarded), t.result_cycles};
    distance_question q(dependence_kind::waw, self.code, o.file());
    for (register_entry* const end = e + width; e != end; ++e) {
      if (e->epoch != ws->epoch) {
        e->epoch = ws->epoch;
        e->readers = none;
        e->writer.set(self.node, none, self.code, self.cycles);
      } else if (!plain || e->writer.next != none || e->writer.node == edges.node) {
        *this = write_some(*this, *e, self, writes_fully(ins, o), o.file());
      } else {
        replace(*e, self, q);
      }
      self.code += access_code::next_part;
      q.next_part();
    }
  }

 private:
  [[gnu::always_inline]] constexpr void behind_writer(const access& from, distance_question q) {
    edges.add(from.node, static_cast<std::uint16_t>(from.cycles != 0 ? from.cycles : memo.fixed(q, from.code)),
              dependence_kind::raw);
  }
  [[gnu::always_inline]] constexpr void over_writer(const access& from, distance_question q) {
    std::uint32_t cycles = from.cycles;
    if (cycles != 0 && in_one_queue(&timing::completion, &timing::completion, from.node)) cycles = 0;
    edges.add(from.node, static_cast<std::uint16_t>(cycles != 0 ? cycles : memo.fixed(q, from.code)), dependence_kind::waw);
  }
  [[gnu::always_inline]] constexpr void over_reader(const access& from, distance_question q) {
    std::uint32_t cycles = from.cycles;
    if (cycles != 0 && in_one_queue(&timing::read, &timing::overwrite, from.node)) cycles = 0;
    edges.add(from.node, static_cast<std::uint16_t>(cycles != 0 ? cycles : memo.fixed(q, from.code)), dependence_kind::war);
  }
  [[nodiscard]] constexpr bool in_one_queue(queue_id timing::*queue, queue_id timing::*behind, std::uint32_t earlier) const {
    const timing& first = ws->timings[earlier];
    const timing& second = ws->timings[edges.node];
    return same_queue(first.*queue, first.iclass, second.*behind, second.iclass);
  }
  // True when no thread runs both, so that they cannot meet in a register of `file`.
  [[nodiscard]] constexpr bool apart(const access& earlier, std::uint32_t code, reg_file file) const {
    return ((earlier.code & code) & access_code::guarded) != 0 &&
           ws->guards[earlier.node].complementary(ws->guards[edges.node], access_code::where(earlier.code), file);
  }

  // A read behind several writers, or behind one under a guard while it has one too.
  [[gnu::noinline]] constexpr static register_walk behind_writers(register_walk w, const register_entry& e,
                                                                  distance_question q) {
    for (const access* from = &e.writer;; from = &w.pool.at[from->next]) {
      if (!w.apart(*from, q.code(), q.file())) w.behind_writer(*from, q);
      if (from->next == none) return w;
    }
  }

  // A full write without a guard over at most one writer: behind everything, and instead of it. What the instruction itself
  // has read stays.
  [[gnu::always_inline]] constexpr void replace(register_entry& e, const access& self, distance_question q) {
    if (e.writer.node != none) over_writer(e.writer, q);
    e.writer.set(self.node, none, self.code, self.cycles);
    std::uint32_t* link = &e.readers;
    while (*link != none && pool.at[*link].node == edges.node) link = &pool.at[*link].next;
    const std::uint32_t first = *link;
    if (first == none) return;
    *link = none;
    q.ask(dependence_kind::war);
    std::uint32_t last = first;
    for (;; last = pool.at[last].next) {
      over_reader(pool.at[last], q);
      if (pool.at[last].next == none) break;
    }
    pool.release(first, last);
  }

  // Any other write: guarded, partial, over several writers, or the second one of the same instruction.
  [[gnu::noinline]] constexpr static register_walk write_some(register_walk w, register_entry& e, const access& self,
                                                              bool full, reg_file file) {
    const std::uint32_t node = w.edges.node;
    access_pool& pool = w.pool;
    std::uint32_t writers = e.writer.next;
    if (e.writer.node != none) pool.push(writers, e.writer);
    const bool guarded = (self.code & access_code::guarded) != 0 && w.ws->guards[node].guarded();
    const bool replaces_all = full && !guarded;
    const distance_question waw(dependence_kind::waw, self.code, file);
    const distance_question war(dependence_kind::war, self.code, file);
    bool overflow = false;
    for (;;) {
      unsigned length = 0;
      for (std::uint32_t k = writers; k != none; k = pool.at[k].next, ++length) {
        const access& from = pool.at[k];
        if (from.node != node && (overflow || !w.apart(from, self.code, file))) w.over_writer(from, waw);
      }
      for (std::uint32_t k = e.readers; k != none; k = pool.at[k].next, ++length) {
        const access& from = pool.at[k];
        if (from.node != node && (overflow || !w.apart(from, self.code, file))) w.over_reader(from, war);
      }
      // A long list under changing guards: order against the complementary entries too, then start afresh.
      if (overflow || length <= list_limit || replaces_all) break;
      overflow = true;
    }
    if (overflow) w.ws->guards[node].lane_local = false;
    if (overflow || replaces_all) {
      w.drop(writers);
      w.drop(e.readers);
    } else if (full) {
      w.prune(writers);
      w.prune(e.readers);
    }
    e.writer.set(self.node, writers, self.code, self.cycles);
    return w;
  }
  // Gives back a list, the entries of the present node in front of it apart.
  constexpr void drop(std::uint32_t& head) {
    std::uint32_t* link = &head;
    while (*link != none && pool.at[*link].node == edges.node) link = &pool.at[*link].next;
    const std::uint32_t first = *link;
    if (first == none) return;
    *link = none;
    std::uint32_t last = first;
    while (pool.at[last].next != none) last = pool.at[last].next;
    pool.release(first, last);
  }
  // Gives back the entries that nothing can meet any more once the present node has written under its guard. Only guarded
  // nodes have a key in `guards`.
  constexpr void prune(std::uint32_t& head) {
    std::uint32_t* link = &head;
    while (*link != none) {
      const std::uint32_t at = *link;
      access& a = pool.at[at];
      const bool guarded = (a.code & access_code::guarded) != 0;
      if (a.node != edges.node && guarded && ws->guards[edges.node].replaces(ws->guards[a.node])) {
        *link = a.next;
        pool.release(at, at);
      } else {
        link = &a.next;
      }
    }
  }
};

}  // namespace detail

template <std::uint32_t EdgeBudget>
struct last_writer_with_budget {
  using role = role::graph_builder;
  static constexpr const char* name = "last_writer";
  static constexpr std::uint32_t edge_budget = EdgeBudget;

  template <class Cycles, class Disambiguation>
  constexpr static void build(const program& p, span<const instr_id> order, dependence_graph& out, graph_workspace& ws) {
    const auto count = static_cast<std::uint32_t>(order.size());
    const auto* const facts = Cycles::known_facts();
    detail::register_walk<Cycles> walk(out, ws);
    for (std::uint32_t i = 0; i < count; ++i) {
      const instruction& ins = p[order[i]];
      walk.edges.begin(i);
      if (walk.edges.size > edge_budget) {
        if (out.chained_from == dependence_graph::none) out.chained_from = i;
        walk.edges.order(ins, true);
        continue;
      }
      const operand* const first = p.operands.data() + ins.first_operand;
      const operand* const last = first + ins.operand_count;
      const detail::timing timing = Cycles::of(ins, facts, ws.far_cycles);
      ws.timings[i] = timing;
      if (timing.guarded) ws.guards[i] = guard_of(ins, first, last, ws);
      if (detail::touches_memory(ins)) {
        const memory_access m = detail::describe_access(ins, i, first, Disambiguation::uses_addresses,
                                                        [&ws](reg r) { return ws.entry(r.file(), r.number()).version(); });
        walk.edges = detail::memory_order<Disambiguation>::visit(m, walk.edges, ws);
      }
      const operand* uses = first;  // definitions stand first
      while (uses != last && uses->is_def()) ++uses;
      for (const operand* o = uses; o != last; ++o) {
        if (o->is_use() && o->is_register()) walk.read(*o, timing);
      }
      for (const operand* o = first; o != uses; ++o) {
        if (o->is_register()) walk.write(ins, *o, timing);
      }
      walk.edges.order(ins, false);
    }
    walk.edges.close();
  }

 private:
  [[gnu::noinline]] constexpr static detail::guard_key guard_of(const instruction& ins, const operand* first,
                                                                const operand* last, graph_workspace& ws) {
    detail::guard_key guard;
    guard.lane_local = !detail::crosses_lanes(ins.iclass);
    for (const operand* o = first; o != last; ++o) {
      if (o->where() == slot::guard && o->is_use() && o->is_register()) {
        guard.reg = o->base().packed;
        guard.version = 2 * ws.entry(o->file(), o->base().number()).version() + (ins.guard_negated != 0 ? 1u : 0u);
      }
    }
    return guard;
  }
};

namespace detail {
template <std::uint32_t EdgeBudget>
inline constexpr bool own_builder<last_writer_with_budget<EdgeBudget>> = true;
}

// The default budget is larger than any block needs.
using last_writer = last_writer_with_budget<0xffffffffu>;

}  // namespace ww
