// SPDX-License-Identifier: BSL-1.0
//
// The engine of PLS-1: one block at a time, one core loop, everything that differs between users a compile-time policy.
//
//   1  build the dependence graph of the block (or of each part of it, above 4095 instructions)
//   2  ready list: every instruction without open predecessors
//   3  pick the best by the priority policy; ask the constraints; place it at the current cycle
//   4  update pipes and cycles; a successor whose last predecessor was placed becomes ready
//   5  permute program::order inside the block; an order that is longer than the old one is not taken
// The graph alone decides what is legal, also of an order that a strategy's own code has made; an instruction that ends
// its block stays last. Ties end in source order, so equal input gives equal output on every compiler.
// schedule_blocks() makes room for the largest block, after which nothing is allocated (what largest is: pipeline/scheduler.hpp).
#pragma once

#include <cstdint>

#include "../arch/margin.hpp"
#include "../graph/build.hpp"
#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../meta/traits.hpp"
#include "../meta/type_list.hpp"
#include "class_table.hpp"
#include "fixed_loop.hpp"
#include "per_pick_loop.hpp"
#include "simple_orders.hpp"
#include "split.hpp"
#include "stats.hpp"
#include "strategy.hpp"
#include "timing.hpp"
#include "workspace.hpp"

namespace ww {

namespace detail {

// What does not depend on the strategy, compiled once for each architecture or once for all.
template <class GraphArch, class Builder, class Disambiguation>
[[gnu::noinline]] constexpr void build_part(const program& p, span<const instr_id> order, schedule_space& ws) {
  build_graph<GraphArch, Builder, Disambiguation>(p, order, ws.graph, ws.graph_space);
}
[[gnu::noinline]] constexpr void count_cycles(schedule_space& ws, bool planned, schedule_stats& stats) {
  stats.original_cycles = cycles_of_source_order(ws);
  stats.planned_cycles = planned ? ws.planned : cycles_of(ws, ws.sequence);
}
[[gnu::noinline]] constexpr void take_sequence(span<instr_id> order, schedule_space& ws) {
  ws.before.assign(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = ws.before[ws.sequence[i]];
}

}  // namespace detail

namespace detail {

// The block that holds the first instruction of `order`; none if there is none.
constexpr block_id block_of(const program& p, span<const instr_id> order) {
  for (std::uint32_t b = 0; b < p.blocks.size() && !order.empty(); ++b) {
    for (const instr_id id : p.order_of(p.blocks[b])) {
      if (id == order[0]) return block_id(b);
    }
  }
  return {};
}

}  // namespace detail

namespace detail {

// Is ws.sequence every node once, no edge against it, and what ends the block last? Asked of orders that a strategy's own code
// has made. ws.stack becomes the places.
[[gnu::noinline]] constexpr bool is_legal_sequence(const program& p, span<const instr_id> order, schedule_space& ws) {
  constexpr std::uint32_t nowhere = 0xffffffffu;
  const auto count = static_cast<std::uint32_t>(order.size());
  if (ws.sequence.size() != count) return false;
  ws.stack.assign(count, nowhere);
  for (std::uint32_t at = 0; at < count; ++at) {
    const std::uint32_t node = ws.sequence[at];
    if (node >= count || ws.stack[node] != nowhere) return false;
    ws.stack[node] = at;
  }
  for (const dependence_edge& e : ws.graph.edges) {
    if (ws.stack[e.from] > ws.stack[e.to]) return false;
  }
  return count == 0 || !p[order[count - 1]].has(iflag::ends_block) || ws.sequence[count - 1] == count - 1;
}

// Does `order` hold the instructions of ws.given, each once, with no dependence of theirs broken? Asked of what a strategy's own
// order_part() has made; ws.graph becomes the graph of ws.given.
template <class GraphArch, class Builder, class Disambiguation>
[[gnu::noinline]] constexpr bool is_legal_order(const program& p, span<const instr_id> order, schedule_space& ws) {
  const span<const instr_id> given{ws.given.data(), ws.given.size()};
  if (meta::equal(order.begin(), order.end(), given.begin())) return true;
  if (ws.node_of.size() < p.instructions.size()) ws.node_of.resize(p.instructions.size());
  for (std::uint32_t k = 0; k < given.size(); ++k) ws.node_of[given[k].index()] = k;
  ws.sequence.clear();
  for (const instr_id id : order) {
    if (id.index() >= p.instructions.size()) return false;
    const std::uint32_t node = ws.node_of[id.index()];
    if (node >= given.size() || given[node] != id) return false;
    ws.sequence.push_back(node);
  }
  build_part<GraphArch, Builder, Disambiguation>(p, given, ws);
  return is_legal_sequence(p, given, ws);
}

}  // namespace detail

// Orders the nodes of ws.graph into ws.sequence. `order` are the instructions of the nodes. False when the graph has a
// cycle, or an edge against the source order from which the strategy starts (order_graph.hpp names it), and when a strategy's
// own code leaves a node out or breaks a dependence.
template <class Config, class Workspace>
constexpr bool order_nodes(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
  using strategy_type = typename Config::strategy;
  ws.sequence.clear();
  if (order.size() > ready_list::entry::most_index) return false;  // parts are far smaller (split.hpp)
  if (ws.want_reasons) ws.reasons.clear();
  detail::fill_nodes<typename Config::arch>(p, order, ws);
  if constexpr (requires { strategy_type::template order<Config>(p, order, ws, stats); }) {
    if (!ws.graph.forward) return false;                     // searches start from the source order
    if (!ws.at.valid()) ws.at = detail::block_of(p, order);  // a graph made by hand, outside schedule_block()
    if (!ws.at.valid() && !order.empty()) return false;
    return strategy_type::template order<Config>(p, order, ws, stats) && detail::is_legal_sequence(p, order, ws);
  } else if constexpr (__is_base_of(strategy::depth_first, strategy_type)) {
    return detail::depth_first_order(ws);
  } else if constexpr (__is_base_of(strategy::critical_path, strategy_type)) {
    return detail::sorted_order(ws);
  } else if constexpr (__is_base_of(strategy::keep, strategy_type)) {
    return detail::same_order(ws);
  } else if constexpr (fixed_key_priority<typename Config::priority>) {
    return detail::fixed_loop<Config>(p, order, ws, stats);
  } else {
    return detail::per_pick_loop<Config>(p, order, ws, stats);
  }
}

// Is the new order not worth taking? A strategy with another aim than cycles says so itself.
template <class Config, class Workspace>
constexpr bool is_worse(const Workspace& ws, const schedule_stats& stats) {
  if constexpr (requires { Config::strategy::template worse<Config>(ws, stats); }) {
    return Config::strategy::template worse<Config>(ws, stats);
  } else {
    return stats.planned_cycles > stats.original_cycles;
  }
}

// Schedules one part of a block: `order` is permuted in place.
template <class Config, class Workspace>
[[gnu::noinline]] constexpr schedule_stats schedule_part(program& p, span<instr_id> order, Workspace& ws) {
  using graph_arch = with_margin<typename Config::arch, typename Config::margin>;
  using builder = typename Config::graph_builder;
  using disambiguation = typename Config::disambiguation;
  schedule_stats stats;
  stats.instructions = order.size();
  stats.chunks = 1;
  if (order.empty()) return stats;
  if constexpr (requires { Config::strategy::template order_part<Config>(p, order, ws); }) {
    ws.given.assign(order.begin(), order.end());
    const schedule_stats own = Config::strategy::template order_part<Config>(p, order, ws);
    if (detail::is_legal_order<graph_arch, builder, disambiguation>(p, order, ws)) return own;
    meta::copy_n(ws.given.begin(), order.size(), order.begin());
    stats.failed = true;
    return stats;
  }
  detail::build_part<graph_arch, builder, disambiguation>(p, order, ws);
  stats.critical_cycles = ws.graph.critical_path;
  if (ws.graph.refused || !order_nodes<Config>(p, order, ws, stats)) {
    stats.failed = true;
    return stats;
  }
  detail::count_cycles(ws, Config::strategy::models_cycles, stats);
  if (is_worse<Config>(ws, stats)) {
    stats.planned_cycles = stats.original_cycles;
    stats.kept_blocks = 1;
  } else {
    detail::take_sequence(order, ws);
  }
  return stats;
}

template <class Config, class Workspace>
constexpr schedule_stats schedule_block(program& p, block_id b, Workspace& ws) {
  const block blk = p[b];
  schedule_stats total;
  total.blocks = 1;
  if (blk.padding || blk.count == 0) return total;
  ws.at = b;
  const span<instr_id> order = p.order_of(blk);
  const std::uint32_t parts = part_count(blk.count);
  if (parts > 1) total.split_blocks = 1;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < parts; ++i) {
    const part piece = part_of(blk.count, i);
    ws.part_first = piece.first;
    schedule_stats s = schedule_part<Config>(p, order.subspan(piece.first, piece.count), ws);
    kept += s.kept_blocks;
    s.kept_blocks = 0;
    total += s;
  }
  total.kept_blocks = kept == parts ? 1 : 0;
  return total;
}

namespace detail {

// Room for the largest part of any block, whatever the instructions of it are: a smaller one of another kind then finds it.
template <class Workspace>
[[gnu::noinline]] void make_room(const program& p, Workspace& ws) {
  std::size_t nodes = 0, registers = 0, memory = 0;
  for (const block& b : p.blocks) {
    const std::uint32_t parts = b.padding ? 0 : part_count(b.count);
    for (std::uint32_t i = 0; i < parts; ++i) {
      const part piece = part_of(b.count, i);
      std::size_t touched = 0, accesses = 0;
      for (const instr_id id : p.order_of(b).subspan(piece.first, piece.count)) {
        for (const operand& o : p.operands_of(id)) touched += o.is_register() ? o.width() : 0u;
        accesses += touches_memory(p[id]) ? 1u : 0u;
      }
      nodes = meta::max<std::size_t>(nodes, piece.count);
      registers = meta::max(registers, touched);
      memory = meta::max(memory, accesses);
    }
  }
  ws.graph_space.make_room(registers, memory);
  ws.sequence.make_room(nodes);
  ws.before.make_room(nodes);
  if (nodes <= ws.room) return;
  ws.room = nodes + nodes / 2;
  ws.future.reserve(ws.room);
  if constexpr (requires { ws.ready; }) {
    for (auto& q : ws.ready) q.reserve(ws.room);
  }
}

}  // namespace detail

// Every block of a program, in chunks of whole blocks (PLS-14).
template <class Config, class Workspace>
constexpr schedule_stats schedule_blocks(program& p, Workspace& ws) {
  schedule_stats total;
  if (!__builtin_is_constant_evaluated()) detail::make_room(p, ws);
  if constexpr (requires { Config::strategy::template prepare<Config>(p, ws); }) {
    Config::strategy::template prepare<Config>(p, ws);
    ws.prepared = true;
  }
  for_each_chunk(
      static_cast<std::uint32_t>(p.blocks.size()), [&](std::uint32_t b) { return p.blocks[b].count; },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t b = first; b < first + count; ++b) total += schedule_block<Config>(p, block_id{b}, ws);
      });
  ws.prepared = false;
  return total;
}

// By a composition that was rejected (compose.hpp): nothing, so that there is no second error.
template <class Config, class Workspace>
requires(!Config::composed) constexpr schedule_stats schedule_block(program&, block_id, Workspace&) { return {}; }
template <class Config, class Workspace>
requires(!Config::composed) constexpr schedule_stats schedule_blocks(program&, Workspace&) { return {}; }

}  // namespace ww
