// SPDX-License-Identifier: BSL-1.0
//
// Counter indices and wait masks for a whole program.
//
// First visit of a block: every instruction that needs a counter (needs.hpp) gets an index from the pool by the barrier policy,
// with the counters that may come in busy from the blocks before it. Wait masks are a forward data flow over all paths: a
// unit carries the set of counters that may still protect it, and an instruction waits for every counter that protects one of
// its registers. So the masks are right for any choice of indices; a bad choice costs cycles, never a wrong result.
// Entry states only grow and each is a finite set, so the iteration ends. Guards do not matter for counters: a
// counter is raised and waited for whether the guard is true or not (facts: hardware 1.4).
#pragma once

#include <algorithm>
#include <cstdint>

#include "barrier_policy.hpp"
#include "class_table.hpp"
#include "needs.hpp"
#include "pool.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

template <class Arch, class BarrierPolicy = barriers::share>
struct counter_pass {
  using barriers_page = typename Arch::barriers;
  using pool_type = barrier_pool<barriers_page>;
  static constexpr unsigned counters = barriers_page::count;
  static_assert(counters <= control::barrier_count, "a control word names at most six counters");

  std::uint8_t reserved = 0;  // counters that only pinned producers use

  counter_pass(program& program, workspace& memory) : p(program), ws(memory) {}

  void run() {
    for (auto& list : ws.counter_units) list.clear();
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) visit(b);
    bool again = true;
    while (again) {
      again = false;
      for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
        if (!ws.flow[b].pending_dirty) continue;
        visit(b);
        again = true;
      }
    }
  }

 private:
  program& p;
  workspace& ws;
  const std::array<class_entry, sched_class_count>& table = class_table<Arch>();
  pool_type pool{};
  std::uint8_t busy = 0;   // counters that may be non-zero here
  std::uint8_t force = 0;  // counters that the next instruction waits for

  void visit(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    const bool first_visit = !f.pending_seen;
    f.pending_seen = true;
    f.pending_dirty = false;
    enter(f, first_visit);
    if (first_visit) {
      find_needs<Arch>(p, b, ws);
      walk<true>(p.blocks[b]);
    } else {
      walk<false>(p.blocks[b]);
    }
    leave(b);
  }

  void enter(const block_flow& f, bool choose) {
    busy = f.busy_in;
    force = f.force_in;
    for (const pending_entry& e : f.pending_in) {
      ws.state[e.unit] = e.state;
      const unsigned m = e.state.writes | e.state.reads;
      for (unsigned c = 0; c < counters; ++c) {
        if ((m >> c & 1u) != 0) ws.counter_units[c].push_back(e.unit);
      }
    }
    if (!choose) return;
    pool.reset();
    for (unsigned c = 0; c < counters; ++c) {
      pool.records[c].reserved = (reserved >> c & 1u) != 0;
      if ((busy >> c & 1u) != 0) pool.set_from_outside(c, 0, entry_done);
    }
  }

  template <bool Choose>
  void walk(const block& b) {
    std::int32_t cycle = 0;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      instruction& i = p[p.order[pos]];
      const special_role role = ws.role[pos];
      if (role.has(special_role::leave)) continue;
      unsigned mask = force;
      force = 0;
      if (role.has(special_role::wait_all)) mask |= busy;
      if (busy != 0) mask |= needed(i, role);
      if constexpr (Choose) {
        cycle = clear_and_advance(mask, cycle);
        i.ctl.write_barrier = control::no_barrier;
        i.ctl.read_barrier = control::no_barrier;
        mask |= choose(i, role, pos, cycle);
        cycle += 2;
      } else {
        clear(mask);
      }
      i.ctl.wait_mask = static_cast<std::uint8_t>(mask);
      if (i.ctl.sets_write() || i.ctl.sets_read()) raise(i, role);
    }
  }

  // Counters that protect a register of the instruction.
  [[nodiscard]] unsigned needed(const instruction& i, special_role role) const {
    unsigned mask = 0;
    const class_entry& c = table[static_cast<unsigned>(i.iclass)];
    for (const operand o : p.operands_of(i)) {
      const std::uint32_t u = ws.units.first(o);
      if (u == unit_map::none) continue;
      const unsigned n = unit_map::width(o);
      if (!o.is_def()) {
        for (unsigned k = 0; k < n; ++k) mask |= ws.state[u + k].writes;
        continue;
      }
      for (unsigned k = 0; k < n; ++k) {
        const unit_state s = ws.state[u + k];
        const bool in_order_write = c.variable && c.write_queue != queue_mixed && s.write_queue == c.write_queue;
        const bool in_order_read = c.variable && c.read_queue != queue_mixed && s.read_queue == c.read_queue;
        if (!in_order_write) mask |= s.writes;
        if (!in_order_read) mask |= s.reads;
      }
    }
    if (role.has(special_role::order_wait)) {
      const unit_state s = ws.state[ws.units.order_unit];
      mask |= s.writes | s.reads;
    }
    return mask;
  }

  void clear(unsigned mask) {
    mask &= busy;
    for (unsigned c = 0; c < counters; ++c) {
      if ((mask >> c & 1u) == 0) continue;
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
  }

  std::int32_t clear_and_advance(unsigned mask, std::int32_t cycle) {
    unsigned m = mask & busy;
    for (unsigned c = 0; c < counters; ++c) {
      if ((m >> c & 1u) == 0) continue;
      cycle = std::max(cycle, pool.records[c].done_cycle);
      pool.release(c);
    }
    clear(mask);
    pool.advance(cycle);
    return cycle;
  }

  // Gives the instruction its counters; returns those that it must wait for because they were taken from another producer.
  unsigned choose(instruction& i, special_role role, std::uint32_t pos, std::int32_t cycle) {
    const class_entry& c = table[static_cast<unsigned>(i.iclass)];
    unsigned evicted = 0;
    if (role.has(special_role::force_next) || role.has(special_role::pin_write)) i.ctl.write_barrier = role.write_pin;
    if (role.has(special_role::force_next) || role.has(special_role::pin_read)) i.ctl.read_barrier = role.read_pin;
    const bool write = !i.ctl.sets_write() && !role.has(special_role::pin_write) &&
                       (ws.need_write[pos] != need_none || role.has(special_role::order_write)) && i.iclass != sched_class::hgmma;
    const bool read = !i.ctl.sets_read() && !role.has(special_role::pin_read) &&
                      (ws.need_read[pos] != need_none || role.has(special_role::order_read));
    if (write) {
      const bool order = role.has(special_role::order_write) && ws.need_write[pos] == need_none;
      evicted |= take(i, c.write_queue, true, order ? need_beyond : ws.need_write[pos], pos, cycle,
                      Arch::latency::result_estimate(i.iclass, i.mem_bytes));
    }
    if (read && !(write && ws.need_read[pos] == need_beyond && crowded())) {
      const bool order = role.has(special_role::order_read) && ws.need_read[pos] == need_none;
      evicted |= take(i, c.read_queue, false, order ? need_beyond : ws.need_read[pos], pos, cycle,
                      Arch::latency::read_estimate(i.iclass, i.mem_bytes));
    }
    return evicted;
  }

  [[nodiscard]] bool crowded() const {
    unsigned free = 0;
    for (unsigned c = 0; c < counters; ++c) free += pool.is_free(c) && !pool.records[c].reserved ? 1u : 0u;
    return free < 3;
  }

  unsigned take(instruction& i, std::uint8_t queue, bool write, std::uint32_t need, std::uint32_t pos, std::int32_t cycle,
                unsigned estimate) {
    barrier_request q;
    q.producer = p.order[pos];
    q.queue = queue;
    q.write = write;
    q.cycle = cycle;
    q.done_cycle = cycle + static_cast<std::int32_t>(estimate);
    q.need_pos = need;
    q.need_cycle = need >= need_beyond ? pool_type::never : cycle + 2 * static_cast<std::int32_t>(need - pos);
    const barrier_choice c = BarrierPolicy::choose(pool, q);
    unsigned evicted = 0;
    if (c.wait_first) {
      evicted = 1u << c.index;
      pool.release(c.index);
      clear(evicted);
    }
    pool.set(c.index, q);
    (write ? i.ctl.write_barrier : i.ctl.read_barrier) = c.index;
    return evicted;
  }

  // The instruction has issued: its results and late sources are protected from here on.
  void raise(const instruction& i, special_role role) {
    const class_entry& c = table[static_cast<unsigned>(i.iclass)];
    const unsigned w = i.ctl.sets_write() ? 1u << i.ctl.write_barrier : 0u;
    const unsigned r = i.ctl.sets_read() ? 1u << i.ctl.read_barrier : 0u;
    busy = static_cast<std::uint8_t>(busy | w | r);
    if (role.has(special_role::force_next)) {
      force = static_cast<std::uint8_t>(force | w | r);
      return;
    }
    const unsigned reads_under = r != 0 ? r : w;  // a landed result implies that the sources were read
    const bool kills = !i.has(iflag::guarded);
    for (const operand o : p.operands_of(i)) {
      const std::uint32_t u = ws.units.first(o);
      if (u == unit_map::none) continue;
      const unsigned n = unit_map::width(o);
      if (o.is_def()) {
        if (!c.variable || w == 0) continue;
        for (unsigned k = 0; k < n; ++k) protect(u + k, w, true, c.write_queue, kills && !o.is_partial());
      } else if (reads_under != 0 && c.late && detail::is_late_source<Arch>(i, o)) {
        for (unsigned k = 0; k < n; ++k) protect(u + k, reads_under, false, c.read_queue, false);
      }
    }
    if (role.has(special_role::order_write) && w != 0) protect(ws.units.order_unit, w, true, queue_mixed, false);
    if (role.has(special_role::order_read) && r != 0) protect(ws.units.order_unit, r, false, queue_mixed, false);
  }

  void protect(std::uint32_t unit, unsigned bit, bool write, std::uint8_t queue, bool supersedes) {
    unit_state& s = ws.state[unit];
    if (write) {
      // An older result of the same in-order queue lands first, so the new counter covers it; so does an older in-order read.
      if (supersedes) {
        s.writes = 0;
        s.write_queue = queue_empty;
      }
      s.write_queue = join_queue(s.writes, s.write_queue, queue);
      s.writes = static_cast<std::uint8_t>(s.writes | bit);
    } else {
      s.read_queue = join_queue(s.reads, s.read_queue, queue);
      s.reads = static_cast<std::uint8_t>(s.reads | bit);
    }
    for (unsigned c = 0; c < counters; ++c) {
      if ((bit >> c & 1u) != 0) ws.counter_units[c].push_back(unit);
    }
  }

  static constexpr std::uint8_t join_queue(std::uint8_t present, std::uint8_t old, std::uint8_t queue) {
    return present == 0 ? queue : old == queue ? old : queue_mixed;
  }

  // Collects the state, hands it to the successors and clears the arrays.
  void leave(std::uint32_t b) {
    ws.out_pending.clear();
    ++ws.stamp_value;
    for (unsigned c = 0; c < counters; ++c) {
      for (const std::uint32_t u : ws.counter_units[c]) {
        if (ws.stamp[u] == ws.stamp_value) continue;
        ws.stamp[u] = ws.stamp_value;
        if (!ws.state[u].empty()) ws.out_pending.push_back({u, ws.state[u]});
      }
    }
    for (unsigned c = 0; c < counters; ++c) {
      for (const std::uint32_t u : ws.counter_units[c]) ws.state[u] = unit_state{};
      ws.counter_units[c].clear();
    }
    std::sort(ws.out_pending.begin(), ws.out_pending.end(),
              [](const pending_entry& a, const pending_entry& z) { return a.unit < z.unit; });
    for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
      if (!detail::skipped(p, e)) join_into(ws.flow[e.to.index()]);
    }
  }

  void join_into(block_flow& f) {
    bool grew = (busy & ~f.busy_in) != 0 || (force & ~f.force_in) != 0;
    f.busy_in = static_cast<std::uint8_t>(f.busy_in | busy);
    f.force_in = static_cast<std::uint8_t>(f.force_in | force);
    auto& in = f.pending_in;
    auto& merged = ws.merged_pending;
    merged.clear();
    std::size_t x = 0;
    std::size_t y = 0;
    const auto& out = ws.out_pending;
    while (x < in.size() || y < out.size()) {
      if (y == out.size() || (x < in.size() && in[x].unit < out[y].unit)) {
        merged.push_back(in[x++]);
      } else if (x == in.size() || out[y].unit < in[x].unit) {
        merged.push_back(out[y++]);
        grew = true;
      } else {
        pending_entry e = in[x];
        const unit_state o = out[y].state;
        const unit_state before = e.state;
        e.state.write_queue = join(before.writes, before.write_queue, o.writes, o.write_queue);
        e.state.read_queue = join(before.reads, before.read_queue, o.reads, o.read_queue);
        e.state.writes = static_cast<std::uint8_t>(before.writes | o.writes);
        e.state.reads = static_cast<std::uint8_t>(before.reads | o.reads);
        grew = grew || e.state.writes != before.writes || e.state.reads != before.reads ||
               e.state.write_queue != before.write_queue || e.state.read_queue != before.read_queue;
        merged.push_back(e);
        ++x;
        ++y;
      }
    }
    if (grew) {
      in.swap(merged);
      f.pending_dirty = true;
    }
  }

  static constexpr std::uint8_t join(std::uint8_t has_a, std::uint8_t a, std::uint8_t has_b, std::uint8_t b) {
    if (has_a == 0) return b;
    if (has_b == 0) return a;
    return a == b ? a : queue_mixed;
  }

  static constexpr std::int32_t entry_done = 24;  // estimate for a counter that comes in busy
};

}  // namespace ww::scoreboard
