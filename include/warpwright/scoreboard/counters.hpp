// SPDX-License-Identifier: BSL-1.0
//
// Counter indices and wait masks for a whole program.
//
// First visit of a block: every instruction that needs a counter (needs.hpp) gets an index from the pool by the barrier policy,
// with the counters that may come in busy. Wait masks are a forward data flow over all paths: a unit carries the set of counters
// that may still protect it, and an instruction waits for every counter that protects one of its registers. So the masks are right
// for any choice of indices; a bad one costs cycles, never a result. Entry states only grow and are finite sets, so the iteration
// ends. Guards do not matter: a counter is raised and waited for whether the guard is true or not (facts: hardware 1.4).
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/vec.hpp"
#include "barrier_policy.hpp"
#include "class_table.hpp"
#include "needs.hpp"
#include "pending_border.hpp"
#include "pool.hpp"
#include "protection.hpp"
#include "round_store.hpp"
#include "slack.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

template <class Arch, class BarrierPolicy = barriers::share>
struct counter_pass {
  using barriers_page = typename Arch::barriers;
  using pool_type = barrier_pool<barriers_page>;
  static constexpr unsigned counters = barriers_page::count;
  static_assert(counters <= control::barrier_count, "a control word names at most six counters");

  std::uint8_t reserved = 0;  // counters that only pinned producers use

  constexpr counter_pass(const program& program, workspace& memory) : p(program), ws(memory) {}

  // Chooses indices and masks. A loop's end is not known when its head is chosen for: if that led two producers to one
  // counter, the choice is repeated with what the last round found out.
  constexpr void run() {
    for (auto& list : ws.counter_units) list.clear();
    constexpr unsigned most_rounds = 4;
    double best = 0;
    for (unsigned round = 0; round < most_rounds; ++round) {
      first_round = round == 0;
      if (!first_round) detail::keep_hints(ws, p.blocks.size());
      one_round();
      const bool settled = !collided();
      const bool last = round + 1 == most_rounds || ws.keep_indices || settled;
      if (first_round && last) return;
      const double cost = judge_choice(p, ws);
      const bool better = first_round || cost < best || (settled && cost <= best);
      if (last) {
        if (!better) restore_choice(p, ws);
        return;
      }
      if (!better) continue;
      best = cost;
      keep_choice(p, ws);
    }
  }

 private:
  const program& p;
  workspace& ws;
  const class_entry* const table = class_rows<Arch>(ws.classes);
  protection protect{ws};
  pool_type pool{};
  std::uint8_t busy = 0;   // counters that may be non-zero here
  std::uint8_t far = 0;    // counters that may hold a result from beyond the first-level cache
  std::uint8_t force = 0;  // counters that the next instruction waits for
  std::uint8_t sticky_write = control::no_barrier;
  std::uint8_t sticky_read = control::no_barrier;
  std::uint8_t from_outside = 0;         // counters that came in busy and have not been waited for or raised since
  std::uint32_t settles_at = need_none;  // where the block waits for all counters
  bool first_round = true;
  bool crowded_block = false;  // counters run out in the block (slack.hpp)
  std::int32_t behind = 0;     // so that it is later than it had to be, by so many cycles

  constexpr void one_round() {
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) visit(b);
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
        if (!ws.flow[b].pending_dirty) continue;
        visit(b);
        again = true;
      }
    }
  }

  [[nodiscard]] constexpr const class_entry& c_of(const site& s) const { return table[static_cast<unsigned>(s.iclass)]; }

  [[nodiscard]] constexpr bool collided() const {
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      if (detail::collided(ws.flow[b])) return true;
    }
    return false;
  }
  constexpr void visit(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    const bool first_visit = !f.pending_seen;
    f.pending_seen = true;
    f.pending_dirty = false;
    const bool chooses = first_round || f.rechoose;
    if (first_visit && !chooses && detail::same_as_hint(f)) return hand_on(b);
    settles_at = detail::settles_at(p, b, ws);
    enter(f);
    if (first_visit && chooses) {
      const unsigned raised = find_needs<Arch>(p, b, ws);
      const unsigned taken = (reserved | f.busy_in | f.hint_busy) & ((1u << counters) - 1);
      const unsigned free = counters - static_cast<unsigned>(meta::popcount(taken));
      crowded_block = raised > free && find_slack<Arch>(p, b, free, ws);
      fill_pool(p.blocks[b], f);
      f.heads_loop = detail::heads_loop(p, b);
      if (f.heads_loop) detail::note_known(f);
      f.chosen = 0;
      walk<true>(p.blocks[b], f);
    } else {
      walk<false>(p.blocks[b], f);
    }
    leave(b);
  }

  constexpr void enter(const block_flow& f) {
    busy = f.busy_in;
    far = f.far_in;
    force = f.force_in;
    for (const pending_entry& e : f.pending_in) {
      ws.state[e.unit] = e.state;
      for (unsigned m = e.state.writes | e.state.reads; m != 0; m &= m - 1) {
        ws.counter_units[static_cast<unsigned>(meta::countr_zero(m))].push_back(e.unit);
      }
    }
  }

  // Counters that come in busy, with the first instruction of the block that will wait for them.
  constexpr void fill_pool(const block& b, block_flow& f) {
    pool.reset();
    f.known_in = static_cast<std::uint8_t>(f.busy_in | f.hint_busy);
    from_outside = f.known_in;
    array<std::uint32_t, counters> first{};
    first.fill(need_beyond);
    const auto look = [&](const vec<pending_entry>& list, unsigned only) {
      for (const pending_entry& e : list) {
        const unit_next& n = ws.next[e.unit];
        const bool in_order = e.state.read_queue != queue_mixed && n.write_queue() == e.state.read_queue;
        const unsigned writes = n.access_pos() - b.first < b.count ? e.state.writes : 0u;
        const unsigned reads = n.write_pos() - b.first < b.count && !in_order ? e.state.reads : 0u;
        for (unsigned m = (writes | reads) & only; m != 0; m &= m - 1) {
          const auto c = static_cast<unsigned>(meta::countr_zero(m));
          if ((writes >> c & 1u) != 0) first[c] = meta::min(first[c], n.access_pos());
          if ((reads >> c & 1u) != 0) first[c] = meta::min(first[c], n.write_pos());
        }
      }
    };
    look(f.pending_in, f.busy_in);
    look(f.hint, f.hint_busy);
    for (unsigned c = 0; c < counters; ++c) {
      pool.records[c].reserved = (reserved >> c & 1u) != 0;
      if ((f.known_in >> c & 1u) == 0) continue;
      barrier_request q;
      q.write = true;
      q.done_cycle = entry_done + detail::far_of(ws, f.far_in, c);
      q.need_pos = first[c];
      q.need_cycle = first[c] == need_beyond ? pool_type::never : ws.estimate[first[c]];
      q.landed = q.done_cycle;
      q.latest = !crowded_block || first[c] == need_beyond ? pool_type::never : ws.latest[first[c]];
      pool.set(c, q);
    }
  }

  template <bool Choose>
  constexpr void walk(const block& b, block_flow& f) {
    std::int32_t late = 0;  // waits so far, beyond the estimate
    behind = 0;
    ws.covered.clear();
    const bool forget = first_round && !ws.keep_indices;
    site* const sites = ws.sites.data();
    const unit_state* const state = ws.state.data();
    const access* const accesses = ws.accesses.data();
    const std::uint32_t end = b.first + b.count;
    for (std::uint32_t pos = b.first; pos < end; ++pos) {
      site& s = sites[pos];
      const bool acts = s.role.bits != 0 || s.has(site::variable | site::late);
      control& ctl = s.ctl;
      unsigned mask = force;
      if (acts) {
        if (s.leave()) continue;
        if (s.role.has(special_role::wait_all)) {
          mask |= busy;
        } else if (s.role.has(special_role::never_waits)) {
          ctl.wait_mask = 0;
          ctl.write_barrier = control::no_barrier;
          ctl.read_barrier = control::no_barrier;
          continue;
        }
      }
      force = 0;
      if (busy != 0) {
        if (pos == settles_at) {
          mask |= busy;
        } else {
          mask |= acts ? protect.needed(s, c_of(s)) : protection::over_all(state, accesses + s.first, s.results, s.count);
        }
      }
      if constexpr (Choose) {
        if (from_outside != 0) end_outside(pos, mask);
        if (mask != 0) late = clear_and_advance(mask, ws.estimate[pos] + late, pos) - ws.estimate[pos];
        const control had = ctl;
        ctl.write_barrier = control::no_barrier;
        ctl.read_barrier = control::no_barrier;
        if (acts) {
          // what outlives the block keeps its counter from round to round, so that the rounds settle
          sticky_write = forget ? control::no_barrier : had.write_barrier;
          sticky_read = forget ? control::no_barrier : had.read_barrier;
          mask |= choose(ctl, s, pos, ws.estimate[pos] + late);
          if (ctl.sets_write()) f.chosen = static_cast<std::uint8_t>(f.chosen | (1u << ctl.write_barrier));
          if (ctl.sets_read()) f.chosen = static_cast<std::uint8_t>(f.chosen | (1u << ctl.read_barrier));
        }
      } else if (mask != 0) {
        clear(mask);
      }
      ctl.wait_mask = static_cast<std::uint8_t>(mask);
      if (!acts) continue;
      if (s.has(site::variable | site::late)) {
        const need_pair& n = ws.needs[pos];
        if (n.covered) protect.defer(ctl, s, c_of(s), n.read_covered);
        if (n.read_covered) protect.defer_reads(s, c_of(s), n.read);
      }
      if (s.drains()) ws.state[ws.units.acquire_unit] = {};
      if (ctl.sets_write() || ctl.sets_read()) raise(ctl, s, pos);
    }
  }

  // A counter that came in busy is free for the choice once its first consumer in this block is reached: it waits, even if this
  // round does not know yet that it will. If the round knows and it does not wait (it comes behind in a queue), it is not free.
  constexpr void end_outside(std::uint32_t pos, unsigned mask) {
    for (unsigned m = from_outside, c = 0; m != 0; m >>= 1u, ++c) {
      if ((m & 1u) == 0) continue;
      const barrier_record& r = pool.records[c];
      if (r.producer.valid() || r.status == barrier_status::free) {
        from_outside = static_cast<std::uint8_t>(from_outside & ~(1u << c));
      } else if (r.need_pos == pos) {
        if (((busy & ~mask) >> c & 1u) == 0) pool.release(c);
        from_outside = static_cast<std::uint8_t>(from_outside & ~(1u << c));
      }
    }
  }

  constexpr void clear(unsigned mask) {
    mask &= busy;
    for (unsigned m = mask; m != 0; m &= m - 1) {
      const auto c = static_cast<unsigned>(meta::countr_zero(m));
      const auto keep = static_cast<std::uint8_t>(~(1u << c));
      for (const std::uint32_t u : ws.counter_units[c]) {
        unit_state& s = ws.state[u];
        s.writes = static_cast<std::uint8_t>(s.writes & keep);
        s.reads = static_cast<std::uint8_t>(s.reads & keep);
        if (s.writes == 0) s.write_queue = queue_empty;
        if (s.reads == 0) s.read_queue = queue_empty;
      }
      ws.counter_units[c].clear();
    }
    busy = static_cast<std::uint8_t>(busy & ~mask);
    far = static_cast<std::uint8_t>(far & ~mask);
  }

  // Waits for the counters of `mask`; returns when they are zero by the estimate, `cycle` at the earliest.
  constexpr std::int32_t clear_and_advance(unsigned mask, std::int32_t cycle, std::uint32_t pos) {
    for (unsigned m = mask & ((1u << counters) - 1); m != 0; m &= m - 1) {
      const auto c = static_cast<unsigned>(meta::countr_zero(m));
      if (pool.is_free(c)) continue;
      cycle = meta::max(cycle, pool.records[c].done_cycle);
      if (crowded_block) behind = meta::max(behind, pool.records[c].landed - ws.early[pos]);
      pool.release(c);
    }
    clear(mask);
    return cycle;
  }

  // Gives the instruction its counters; returns those that it must wait for because they were taken from another producer.
  constexpr unsigned choose(control& ctl, const site& s, std::uint32_t pos, std::int32_t cycle) {
    const special_role role = s.role;
    std::uint32_t nw = need_none, nr = need_none;
    if (s.has(site::variable | site::late)) {
      nw = ws.needs[pos].covered ? need_none : ws.needs[pos].write;
      nr = ws.needs[pos].read_covered ? need_none : ws.needs[pos].read;
    }
    if (role.bits == 0 && nw == need_none && nr == need_none) return 0;
    pool.advance(cycle);
    const class_entry& c = table[static_cast<unsigned>(s.iclass)];
    if (role.has(special_role::force_next) || role.has(special_role::pin_write)) ctl.write_barrier = role.write_pin;
    if (role.has(special_role::force_next) || role.has(special_role::pin_read)) ctl.read_barrier = role.read_pin;
    if (role.has(special_role::order_write)) nw = need_beyond;
    if (role.has(special_role::order_read) && nr == need_none)
      nr = role.has(special_role::force_next) ? pos + 1 : need_beyond;
    const bool write = nw != need_none && !ctl.sets_write();
    const bool read = nr != need_none && !ctl.sets_read();
    unsigned evicted = 0;
    const std::int32_t later = detail::far_of(ws, s);
    if (write) evicted = take(ctl.write_barrier, c.write_queue, true, nw, pos, cycle, s.result_cycles + later);
    if (read && !(write && later == 0 && nr == need_beyond && pool.crowded() && !role.has(special_role::order_read))) {
      evicted |= take(ctl.read_barrier, c.read_queue, false, nr, pos, cycle, s.read_cycles);
    }
    return evicted;
  }

  constexpr unsigned take(std::uint8_t& field, std::uint8_t queue, bool write, std::uint32_t need, std::uint32_t pos,
                          std::int32_t cycle, std::int32_t estimate) {
    barrier_request q;
    q.producer = instr_id{ws.sites[pos].instruction};
    q.queue = queue;
    q.write = write;
    q.cycle = cycle;
    q.done_cycle = cycle + estimate;
    q.need_pos = need;
    q.need_cycle = need >= need_beyond ? pool_type::never : cycle + ws.estimate[need] - ws.estimate[pos];
    q.latest = pool_type::never;
    if (crowded_block) detail::ask_in_crowd(q, ws, pos, behind, estimate);
    const std::uint8_t sticky = write ? sticky_write : sticky_read;
    const bool named = sticky < counters && !pool.records[sticky].reserved && pool.records[sticky].producers < most_raised;
    const bool keep = named && (ws.keep_indices || (need >= need_beyond && pool.is_free(sticky)));
    const barrier_choice c =
        keep ? barrier_choice{sticky, false, !pool.is_free(sticky)} : chosen_counter<BarrierPolicy>(pool, q);
    const unsigned evicted = c.wait_first ? 1u << c.index : 0u;
    if (c.wait_first) {
      if (crowded_block) behind = meta::max(behind, pool.records[c.index].landed - ws.early[pos]);
      pool.release(c.index);
      clear(evicted);
    }
    pool.set(c.index, q);
    field = c.index;
    return evicted;
  }

  // The instruction has issued: its results and late sources are protected from here on.
  constexpr void raise(const control& ctl, const site& s, std::uint32_t pos) {
    const class_entry& c = table[static_cast<unsigned>(s.iclass)];
    const unsigned w = ctl.sets_write() ? 1u << ctl.write_barrier : 0u;
    const unsigned r = ctl.sets_read() ? 1u << ctl.read_barrier : 0u;
    busy = static_cast<std::uint8_t>(busy | w | r);
    if (s.role.has(special_role::force_next)) {
      force = static_cast<std::uint8_t>(force | w | r);
      return;
    }
    // a landed result implies that the sources were read
    const unsigned reads_under = r != 0 ? ctl.read_barrier : ctl.write_barrier;
    const access* const begin = detail::begin_of(ws, s);
    const access* const sources = begin + s.results;
    if (s.has(site::early)) {
      for (const access* a = begin; a != sources; ++a) {
        if (a->has(access::kills)) protection::forget_older(ws.state[a->unit], c);
        protect.result(a->unit, reads_under, queue_mixed);
      }
    }
    if (c.variable && w != 0) {
      if (s.has(site::far)) far = static_cast<std::uint8_t>(far | w);
      if (!ws.covered.empty() && !s.has(site::guarded)) protect.covered_results(c.write_queue, ctl.write_barrier);
      for (const access* a = begin; a != sources && !s.has(site::early); ++a) {
        if (a->has(access::kills)) protection::forget_older(ws.state[a->unit], c);
        protect.result(a->unit, ctl.write_barrier, c.replace_queue);
      }
      if (ws.acquires && may_acquire(p.instructions[s.instruction])) {
        if (is_strong(p.instructions[s.instruction])) ws.state[ws.units.acquire_unit] = {};
        protect.result(ws.units.acquire_unit, ctl.write_barrier, queue_mixed);
      }
    }
    if (!ws.covered.empty() && c.reads_covered && s.has(site::variable | site::late) && !s.has(site::guarded)) {
      protect.covered_reads(c.read_queue, ws.needs[pos].reads_end(), reads_under);
    }
    if (s.has(site::late) && !ws.needs[pos].read_covered) {
      for (const access* a = sources; a != begin + s.count; ++a) {
        if (a->has(access::late)) protect.read(a->unit, reads_under, c.read_queue);
      }
    }
    if (s.role.has(special_role::order_write)) protect.result(ws.units.order_unit, ctl.write_barrier, queue_mixed);
    if (s.role.has(special_role::order_read)) protect.read(ws.units.order_unit, ctl.read_barrier, queue_mixed);
  }

  constexpr void leave(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    f.busy_out = busy;
    f.force_out = force;
    f.far_out = far;
    detail::take_pending(p.blocks[b].edge_count != 0 ? f.pending_out : ws.left_pending, ws);
    hand_on(b);
  }

  constexpr void hand_on(std::uint32_t b) {
    for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
      if (!detail::skipped(p, e)) join_pending(ws.flow[e.to.index()], ws.flow[b]);
    }
  }
};

}  // namespace ww::scoreboard
