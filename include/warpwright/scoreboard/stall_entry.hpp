// SPDX-License-Identifier: BSL-1.0
//
// Stall counts across block borders: what the first instructions of a block lack is waited for in the blocks before it.
//
//   first instruction  nothing of its own block is in front of it, so the blocks before it end later, all of them
//   loop head          what an instruction there lacks to results from in front of the loop is waited for in front of the
//                      loop, once, and not in each iteration (workspace::pay_before_loops)
// The base of the stall pass (stalls.hpp), which walks the blocks themselves; the words are those of that file.
#pragma once

#include <cstdint>

#include "../graph/distance.hpp"
#include "../graph/distance_memo.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "class_table.hpp"
#include "stall_border.hpp"
#include "workspace.hpp"
#include "yield_policy.hpp"

namespace ww::scoreboard {

template <class Arch, class YieldPolicy>
struct stall_entry {
  using lat = typename Arch::latency;
  using barriers_page = typename Arch::barriers;
  static constexpr std::int32_t window = static_cast<std::int32_t>(lat::max_fixed) + 1;
  static constexpr std::int32_t max_stall = static_cast<std::int32_t>(barriers_page::max_stall);
  static constexpr std::int32_t max_stay = static_cast<std::int32_t>(barriers_page::max_stall_stay);
  static constexpr std::int32_t set_to_wait = static_cast<std::int32_t>(barriers_page::set_to_wait);
  static constexpr std::uint8_t drain_floor = site::drain_floor;
  static constexpr std::uint32_t no_record = 0xffffffffu;

  std::uint64_t drains = 0;  // instructions that drain because no stall was long enough

  constexpr stall_entry(const program& program, workspace& memory) : p(program), ws(memory), memo(memory.distances) {}

 protected:
  const program& p;
  workspace& ws;
  using memo_type = ww::detail::distance_memo<ww::detail::edge_cycles<Arch, distance_use::emit>>;
  const memo_type memo;
  const class_entry* const table = class_rows<Arch>(ws.classes);
  std::int32_t issued = 0;                                  // issue of the previous instruction
  array<std::int32_t, control::no_barrier + 1> set_time{};  // by counter; the last one stands for none

  [[nodiscard]] constexpr std::int32_t own_stall(std::uint32_t pos) const {
    const std::uint8_t s = ws.sites[pos].floor;
    return s == drain_floor ? 2 * window : s;
  }

  // Distance that the overwriting access `a` must keep from the sources of the instruction right before it; 0 = none, so
  // that a dual-issue pair (floor 0) stays together.
  [[nodiscard]] constexpr unsigned over_neighbour(const site& before, const access& a) const {
    unsigned d = 0;
    const access* const begin = detail::begin_of(ws, before);
    for (const access* r = begin + before.results; r != begin + before.count; ++r) {
      if (r->unit != a.unit || r->has(access::late)) continue;
      d = meta::max<unsigned>(d, memo.fixed({dependence_kind::war, a.first_code(), a.file()}, r->first_code()));
    }
    return d;
  }

  constexpr void make_drain(std::uint32_t pos) {
    if (ws.sites[pos].floor != drain_floor) ++drains;
    ws.sites[pos].floor = drain_floor;
  }

  constexpr void set_stall(std::uint32_t pos, std::int32_t stall) { set_stall(ws.sites[pos], stall); }
  static constexpr void set_stall(site& s, std::int32_t stall) {
    control& c = s.ctl;
    if (s.floor == drain_floor) {
      c.stall = 0;
      c.yield = true;
      return;
    }
    s.floor = static_cast<std::uint8_t>(stall);
    c.stall = static_cast<std::uint8_t>(stall);
    const auto cycles = static_cast<unsigned>(stall);
    c.yield = yields(cycles, false);
    if (c.yield == yields(cycles, true)) return;  // whatever it covers
    const bool uniform = s.iclass >= sched_class::ualu && !s.has(site::variable) && !s.has(site::late);
    const bool covers = yields_when_it_stalls(s.iclass) || (uniform && s.has(site::data_bound));
    c.yield = yields(cycles, covers);
  }
  // A stall of more than `max_stall_stay` cycles exists with yield only, whatever the policy says.
  [[nodiscard]] static constexpr bool yields(unsigned cycles, bool covers) {
    return cycles > barriers_page::max_stall_stay || YieldPolicy::template yield<barriers_page>(cycles, covers);
  }

  // Is `b` the head of a loop that has been seen from outside only, by blocks that run less often?
  [[nodiscard]] constexpr bool only_entered(std::uint32_t b) const {
    bool back = false;
    for (const std::uint32_t index : p.pred_edges_of(p.blocks[b])) {
      if (detail::skipped(p, p.edges[index])) continue;
      const std::uint32_t from = p.edges[index].from.index();
      back = back || from >= b;
      if (from < b && (!ws.flow[from].fixed_seen || p.blocks[from].weight >= p.blocks[b].weight)) return false;
    }
    return back;
  }

  // What an instruction of a loop's head lacks to results from in front of the loop is waited for there, once. False when it
  // is owed to the block itself, or no stall there may be long enough.
  [[gnu::noinline]] constexpr bool pay_before(std::uint32_t b, const site& s, std::uint32_t prev, std::int32_t start,
                                              std::int32_t need, std::int32_t otherwise) {
    if (s.has(site::after_all)) return false;
    const access* const begin = detail::begin_of(ws, s);
    const access* const sources = begin + s.results;
    const auto look = [&](const write_record* w, std::int32_t until, dependence_kind kind, const access& a) {
      if (until <= otherwise) return;  // long ago
      const auto q = ww::detail::distance_question::of_place(kind, a.what);
      for (;; w = &ws.records[w->next]) {
        if (w->time >= start)
          otherwise = meta::max(otherwise, w->time + static_cast<std::int32_t>(memo.fixed(q, w->code())));
        if (w->next == no_record) return;
      }
    };
    for (const access* a = begin; a != begin + s.count; ++a) {
      const unit_heads& h = ws.heads[a->unit];
      look(&h.write, h.write_until, a < sources ? dependence_kind::waw : dependence_kind::raw, *a);
      if (a >= sources) continue;
      if (h.read != no_record) look(&ws.records[h.read], h.read_until, dependence_kind::war, *a);
      otherwise = meta::max(otherwise, issued + static_cast<std::int32_t>(over_neighbour(ws.sites[prev], *a)));
    }
    for (unsigned m = s.ctl.wait_mask & ((1u << control::barrier_count) - 1); m != 0; m &= m - 1) {
      const std::int32_t set = set_time[static_cast<unsigned>(meta::countr_zero(m))];
      if (set >= start) otherwise = meta::max(otherwise, set + set_to_wait);
    }
    const std::int32_t missing = need - otherwise;
    if (missing <= 0) return false;
    std::uint32_t done = b;
    for (const bool really : {false, true}) {
      for (const std::uint32_t index : p.pred_edges_of(p.blocks[b])) {
        const std::uint32_t from = p.edges[index].from.index();
        if (from >= b || detail::skipped(p, p.edges[index])) continue;
        const std::uint32_t last = last_of(from);
        if (really && from == done) continue;  // by two edges
        done = really ? from : b + 1;
        if (!really && (last == no_record || own_stall(last) + missing > max_stall)) return false;
        if (really) lengthen(from, last, missing);
      }
      if (done == b) return false;  // nothing in front of it
    }
    block_flow& f = ws.flow[b];
    f.fixed_in.clear();
    f.set_age_in.fill(255);
    join_ages(p, b, ws);
    return true;
  }

  // The first instruction of a block cannot be held back inside it: the blocks before it end later.
  constexpr void lengthen_predecessors(std::uint32_t b) {
    const block& to = p.blocks[b];
    std::uint32_t pos = to.first;
    while (pos < to.first + to.count && ws.sites[pos].leave()) ++pos;
    if (pos == to.first + to.count) return;
    const site& s = ws.sites[pos];
    for (const std::uint32_t index : p.pred_edges_of(to)) {
      if (detail::skipped(p, p.edges[index])) continue;
      const std::uint32_t from = p.edges[index].from.index();
      if (!ws.flow[from].fixed_seen) continue;
      const std::uint32_t last = last_of(from);
      if (last == no_record) continue;
      const std::int32_t missing = missing_at_entry(s, ws.flow[from], last);
      if (missing > 0) lengthen(from, last, missing);
    }
  }

  // Position of the last instruction of a block that is not padding.
  [[nodiscard]] constexpr std::uint32_t last_of(std::uint32_t block_index) const {
    const block& b = p.blocks[block_index];
    for (std::uint32_t pos = b.first + b.count; pos-- > b.first;) {
      if (!ws.sites[pos].leave()) return pos;
    }
    return no_record;
  }

  [[nodiscard]] constexpr std::int32_t missing_at_entry(const site& s, const block_flow& from, std::uint32_t last) const {
    std::int32_t missing = 0;
    for (unsigned m = s.ctl.wait_mask, c = 0; m != 0 && c < control::barrier_count; m >>= 1u, ++c) {
      if ((m & 1u) != 0) missing = meta::max(missing, set_to_wait - from.set_age_out[c]);
    }
    const access* const begin = detail::begin_of(ws, s);
    const access* const sources = begin + s.results;
    for (const access* a = begin; a != sources; ++a) {
      missing = meta::max(missing, static_cast<std::int32_t>(over_neighbour(ws.sites[last], *a)) - own_stall(last));
    }
    for (const fixed_entry& e : from.fixed_out) {
      for (const access* a = begin; a != begin + s.count; ++a) {
        if (e.unit != a->unit || (e.read() && a >= sources)) continue;
        const dependence_kind kind = e.read()      ? dependence_kind::war
                                     : a < sources ? dependence_kind::waw
                                                   : dependence_kind::raw;
        const auto q = ww::detail::distance_question::of_place(kind, a->what);
        missing = meta::max(missing, static_cast<std::int32_t>(memo.fixed(q, e.code())) - e.age);
      }
      if (s.has(site::after_all)) {
        missing = meta::max(missing,
                            static_cast<std::int32_t>(worst_distance<Arch>(e.what & write_record::place, ws.worst)) - e.age);
      }
    }
    return missing;
  }

  constexpr void lengthen(std::uint32_t from, std::uint32_t pos, std::int32_t cycles) {
    site& s = ws.sites[pos];
    if (s.floor == drain_floor) return;
    const std::int32_t before = own_stall(pos);
    s.add(site::data_bound);
    if (before + cycles > max_stall) {
      make_drain(pos);
    } else {
      s.floor = static_cast<std::uint8_t>(before + cycles);
    }
    set_stall(pos, own_stall(pos));
    grow_ages(from, own_stall(pos) - before, ws);
  }
};

}  // namespace ww::scoreboard
