// SPDX-License-Identifier: BSL-1.0
//
// Pending counters at block borders, for counters.hpp.
//
// What may be outstanding at the end of a block (block_flow::pending_out, sorted by unit) is joined into the entry of each
// successor: the union of counters per unit, and one queue code only where all that is pending came through that queue.
// Entries only grow; a successor whose entry grew is walked again.
// What comes over the back edge of a loop may be more than was known when indices were chosen (note_known, brings_more): then
// counters.hpp chooses again.
// In front of a loop all counters may be waited for (workspace::settle_before_loops): whoever needs them inside waits only
// once, and the loop has them for itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/bits.hpp"
#include "../meta/vec.hpp"
#include "class_table.hpp"
#include "needs.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

namespace detail {

constexpr std::uint8_t join_queue_codes(std::uint8_t has_a, std::uint8_t a, std::uint8_t has_b, std::uint8_t b) {
  if (has_a == 0) return b;
  if (has_b == 0) return a;
  return a == b ? a : queue_mixed;
}

// Adds `more` to what is pending of a unit; true if that changes anything.
constexpr bool join_states(unit_state& s, const unit_state& more) {
  const unit_state before = s;
  s.write_queue = join_queue_codes(before.writes, before.write_queue, more.writes, more.write_queue);
  s.read_queue = join_queue_codes(before.reads, before.read_queue, more.reads, more.read_queue);
  s.writes = static_cast<std::uint8_t>(before.writes | more.writes);
  s.reads = static_cast<std::uint8_t>(before.reads | more.reads);
  return s.writes != before.writes || s.reads != before.reads || s.write_queue != before.write_queue ||
         s.read_queue != before.read_queue;
}

// The place in program::order at which block `b` waits for all counters, because control goes on into a loop.
[[nodiscard]] constexpr std::uint32_t settles_at(const program& p, std::uint32_t b, const workspace& ws) {
  if (!ws.settle_before_loops) return need_none;
  const block& k = p.blocks[b];
  bool enters = false;
  for (const cfg_edge& e : p.edges_of(k)) enters = enters || (!skipped(p, e) && p[e.to].weight > k.weight);
  return enters ? k.first + k.count - 1 : need_none;
}

// Does control come to `b` from a block that is visited behind it?
[[nodiscard]] constexpr bool heads_loop(const program& p, std::uint32_t b) {
  bool back = false;
  for (const std::uint32_t index : p.pred_edges_of(p.blocks[b])) {
    back = back || (!skipped(p, p.edges[index]) && p.edges[index].from.index() >= b);
  }
  return back;
}

// What is known to be pending at entry while indices are chosen: what came in, and what the round before found out.
constexpr void note_known(block_flow& f) {
  f.known.clear();
  std::size_t y = 0;
  for (const pending_entry& e : f.pending_in) {
    for (; y < f.hint.size() && f.hint[y].unit < e.unit; ++y) f.known.push_back(f.hint[y]);
    f.known.push_back(e);
    if (y == f.hint.size() || f.hint[y].unit != e.unit) continue;
    unit_state& s = f.known.back().state;
    s.writes = static_cast<std::uint8_t>(s.writes | f.hint[y].state.writes);
    s.reads = static_cast<std::uint8_t>(s.reads | f.hint[y].state.reads);
    ++y;
  }
  for (; y < f.hint.size(); ++y) f.known.push_back(f.hint[y]);
}

// Does a counter that the block raises come in over a unit for which that was not known?
[[nodiscard]] constexpr bool brings_more(const block_flow& f) {
  std::size_t k = 0;
  for (const pending_entry& e : f.pending_in) {
    while (k < f.known.size() && f.known[k].unit < e.unit) ++k;
    const bool there = k < f.known.size() && f.known[k].unit == e.unit;
    const unsigned writes = there ? f.known[k].state.writes : 0u;
    const unsigned reads = there ? f.known[k].state.reads : 0u;
    if (((e.state.writes & ~writes) | (e.state.reads & ~reads)) & f.chosen) return true;
  }
  return false;
}

// Does a counter that the block raises come in with something that was not known when it was chosen?
[[nodiscard]] constexpr bool collided(const block_flow& f) {
  if ((f.busy_in & ~f.known_in & f.chosen) != 0) return true;
  return f.heads_loop && brings_more(f);
}

// Empty entries for another round, which knows what came in in this one. Blocks that collided are chosen for again.
constexpr void keep_hints(workspace& ws, std::size_t blocks) {
  forget_next(ws, blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    block_flow& f = ws.flow[b];
    f.rechoose = collided(f);
    f.hint.assign(f.pending_in.begin(), f.pending_in.end());
    f.hint_busy = f.busy_in;
    f.hint_force = f.force_in;
    f.pending_in.clear();
    f.busy_in = 0;
    f.force_in = 0;
    f.pending_dirty = true;
    f.pending_seen = false;
  }
}

// Is what comes in all that came in when the block was walked last, in the round before?
[[nodiscard]] constexpr bool same_as_hint(const block_flow& f) {
  if (f.busy_in != f.hint_busy || f.force_in != f.hint_force || f.pending_in.size() != f.hint.size()) return false;
  for (std::size_t k = 0; k < f.hint.size(); ++k) {
    if (!(f.pending_in[k] == f.hint[k])) return false;
  }
  return true;
}

// Moves what is pending of all units (workspace::state) to `out`, sorted by unit.
constexpr void take_pending(vec<pending_entry>& out, workspace& ws) {
  std::uint64_t* const units = ws.pending_units.data();
  for (auto& list : ws.counter_units) {
    for (const std::uint32_t u : list) set_bit(units, u);
    list.clear();
  }
  out.clear();
  for (const std::uint32_t w : ws.accessed_words) {
    for (std::uint64_t m = units[w]; m != 0; m &= m - 1) {
      const std::uint32_t u = w * 64 + static_cast<unsigned>(meta::countr_zero(m));
      if (!ws.state[u].empty()) out.push_back({u, ws.state[u]});
      ws.state[u] = unit_state{};
    }
    units[w] = 0;
  }
}

}  // namespace detail

// Joins what is pending at the end of `from` into the entry of `f`, which may be the same block.
constexpr void join_pending(block_flow& f, const block_flow& from) {
  bool grew = (from.busy_out & ~f.busy_in) != 0 || (from.force_out & ~f.force_in) != 0;
  f.busy_in = static_cast<std::uint8_t>(f.busy_in | from.busy_out);
  f.force_in = static_cast<std::uint8_t>(f.force_in | from.force_out);
  f.far_in = static_cast<std::uint8_t>(f.far_in | from.far_out);
  const auto& out = from.pending_out;
  auto& in = f.pending_in;
  std::size_t added = 0;  // units that were not there
  std::size_t x = 0;
  for (const pending_entry& o : out) {
    while (x < in.size() && in[x].unit < o.unit) ++x;
    if (x < in.size() && in[x].unit == o.unit) {
      grew = detail::join_states(in[x].state, o.state) || grew;
    } else {
      ++added;
    }
  }
  if (added != 0) {  // merged from the end, in place: each list keeps its own storage
    grew = true;
    x = in.size();
    std::size_t to = x + added;
    in.resize(to);
    for (std::size_t y = out.size(); y-- != 0;) {
      while (x != 0 && in[x - 1].unit > out[y].unit) in[--to] = in[--x];
      if (x == 0 || in[x - 1].unit != out[y].unit) in[--to] = out[y];
    }
  }
  f.pending_dirty = f.pending_dirty || grew;
}

}  // namespace ww::scoreboard
