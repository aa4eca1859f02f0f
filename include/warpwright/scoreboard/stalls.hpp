// SPDX-License-Identifier: BSL-1.0
//
// Stall counts for a whole program (SB-4, SB-6).
//
// Time here is the earliest issue that the stall counts alone guarantee; waits only make it later. An instruction issues
// when every fixed-latency result that it reads or overwrites is far enough back on every path, two cycles after a counter
// that it waits for was raised, and when its pipe is free. What is missing goes to the instruction before it; what does not
// fit there (15 cycles) to earlier ones, down to the producer; and what fits nowhere becomes a drain (raw code 0).
// Ages of recent results cross block borders, joined by their minimum (stall_border.hpp). Stalls only grow while this
// iterates, so it ends.
#pragma once

#include <algorithm>
#include <cstdint>

#include "class_table.hpp"
#include "stall_border.hpp"
#include "workspace.hpp"
#include "worst_distance.hpp"
#include "yield_policy.hpp"

namespace ww::scoreboard {

template <class Arch, class YieldPolicy = yields::observed>
struct stall_pass {
  using lat = typename Arch::latency;
  using barriers_page = typename Arch::barriers;
  static constexpr std::int32_t window = static_cast<std::int32_t>(lat::max_fixed) + 1;
  static constexpr std::int32_t max_stall = static_cast<std::int32_t>(barriers_page::max_stall);
  static constexpr std::int32_t max_stay = static_cast<std::int32_t>(barriers_page::max_stall_stay);
  static constexpr std::int32_t set_to_wait = static_cast<std::int32_t>(barriers_page::set_to_wait);
  static constexpr std::uint8_t drain_floor = 255;  // in workspace::floor: this instruction drains
  static constexpr std::uint32_t no_record = 0xffffffffu;

  std::uint64_t drains = 0;  // instructions that drain because no stall was long enough

  stall_pass(program& program, workspace& memory) : p(program), ws(memory) {}

  void run() {
    ws.records.clear();
    ws.clock = 0;
    const auto blocks = static_cast<std::uint32_t>(p.blocks.size());
    for (std::uint32_t b = 0; b < blocks; ++b) visit(b);
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t b = 0; b < blocks; ++b) {
        if (!ws.flow[b].fixed_dirty) continue;
        visit(b);
        again = true;
      }
    }
  }

 private:
  program& p;
  workspace& ws;
  const std::array<class_entry, sched_class_count>& table = class_table<Arch>();
  std::int32_t issued = 0;  // issue of the previous instruction
  std::int32_t end_time = 0;
  std::array<std::int32_t, pipe_count> pipe_free{};
  std::array<std::int32_t, control::barrier_count> set_time{};
  std::uint32_t first_record = 0;   // records before this one belong to other blocks
  std::uint32_t binding = 0;        // position of the producer behind the newest distance found by earliest()

  void visit(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    const bool first_visit = !f.fixed_seen;
    f.fixed_dirty = false;
    f.fixed_seen = true;
    lengthen_predecessors(b);
    if (!join_ages(p, b, ws) && !first_visit) return;
    while (!walk(b)) {
    }
    collect_ages(p, b, first_record, end_time, window, set_time, ws);
  }

  [[nodiscard]] std::int32_t own_stall(std::uint32_t pos) const {
    const std::uint8_t s = ws.floor[pos];
    return s == drain_floor ? 2 * window : std::max<std::int32_t>(1, s);
  }

  // Returns false when the floor of an earlier instruction had to be raised: the block is walked again.
  bool walk(std::uint32_t block_index) {
    const block& b = p.blocks[block_index];
    const block_flow& f = ws.flow[block_index];
    const std::int32_t start = ws.clock + 3 * window + 256;
    first_record = static_cast<std::uint32_t>(ws.records.size());
    for (const fixed_entry& e : f.fixed_in) add_record(e.unit, e.who, e.read, start - e.age, b.first, false);
    for (unsigned c = 0; c < control::barrier_count; ++c) set_time[c] = start - f.set_age_in[c];
    pipe_free.fill(start);
    std::uint32_t prev = no_record;
    issued = start;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const instruction& i = p[p.order[pos]];
      if (ws.role[pos].has(special_role::leave)) continue;
      const class_entry& c = table[static_cast<unsigned>(i.iclass)];
      std::int32_t issue = start;  // of the first one: the blocks before this one see to it
      if (prev != no_record) {
        const std::int32_t plain = issued + own_stall(prev);
        const std::int32_t structural = std::max(plain, pipe_free[static_cast<unsigned>(c.pipe)]);
        const std::int32_t data = earliest(i, plain);
        issue = std::max(data, structural);
        if (ws.floor[prev] != drain_floor) {
          if (data - issued > max_stall) {
            spread(prev, data - issued - max_stall);
            ws.clock = issue + window;
            return false;
          }
          if (issue - issued > max_stall) issue = std::max(data, std::max(plain, issued + max_stay));
          if (data > plain && data >= structural) ws.data_bound[prev] = 1;
        }
        set_stall(prev, issue - issued);
      }
      retire(i, c, issue, pos);
      prev = pos;
    }
    end_time = start;
    if (prev != no_record) {
      std::int32_t next = issued + own_stall(prev);
      if (b.open_exit && ws.floor[prev] != drain_floor) {
        const std::int32_t landed = all_landed(next);
        if (landed - issued > max_stall) {
          make_drain(prev);
        } else {
          next = std::max(next, landed);
        }
      }
      set_stall(prev, next - issued);
      end_time = issued + own_stall(prev);
    }
    ws.clock = end_time + window;
    return true;
  }

  // Earliest issue by data: results, overwritten registers, counters just raised, and opcodes that are not known.
  std::int32_t earliest(const instruction& i, std::int32_t plain) {
    std::int32_t need = plain;
    const bool guarded = i.has(iflag::guarded);
    for (const operand o : p.operands_of(i)) {
      const std::uint32_t u = ws.units.first(o);
      if (u == unit_map::none) continue;
      const unsigned n = unit_map::width(o);
      for (unsigned k = 0; k < n; ++k) {
        std::uint32_t r = ws.write_head[u + k];
        if (r == no_record && !o.is_def()) continue;
        const access_point me{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), guarded};
        for (; r != no_record; r = ws.records[r].next) {
          const write_record& w = ws.records[r];
          if (w.time + window <= need) break;
          raise_to(need, w, o.is_def() ? lat::waw(w.who, me).emit : lat::raw(w.who, me).emit);
        }
        if (!o.is_def()) continue;
        for (r = ws.read_head[u + k]; r != no_record; r = ws.records[r].next) {
          const write_record& w = ws.records[r];
          if (w.time + window <= need) break;
          raise_to(need, w, lat::war(w.who, me).emit);
        }
      }
    }
    for (unsigned m = i.ctl.wait_mask, c = 0; m != 0 && c < control::barrier_count; m >>= 1u, ++c) {
      if ((m & 1u) != 0) need = std::max(need, set_time[c] + set_to_wait);
    }
    return i.has(iflag::unknown) ? all_landed(need) : need;
  }

  void raise_to(std::int32_t& need, const write_record& w, unsigned distance) {
    const std::int32_t t = w.time + static_cast<std::int32_t>(distance);
    if (t <= need) return;
    need = t;
    binding = w.pos;
  }

  // Time at which every recent fixed result of this block's paths could be read by anything.
  std::int32_t all_landed(std::int32_t now) {
    std::int32_t need = now;
    for (auto r = static_cast<std::uint32_t>(ws.records.size()); r-- > first_record;) {
      const write_record& w = ws.records[r];
      if (w.dead || w.read || w.time + window <= need) continue;
      raise_to(need, w, worst_distance<Arch>(w.who));
    }
    return need;
  }

  void add_record(std::uint32_t unit, access_point who, bool read, std::int32_t time, std::uint32_t pos, bool kills) {
    std::uint32_t& head = read ? ws.read_head[unit] : ws.write_head[unit];
    if (kills) {
      for (std::uint32_t r = head; r != no_record && r >= first_record; r = ws.records[r].next) ws.records[r].dead = true;
    }
    const bool stale = head == no_record || head < first_record;
    const std::uint32_t next = kills || stale ? no_record : head;
    head = static_cast<std::uint32_t>(ws.records.size());
    ws.records.push_back({time, next, unit, pos, who, read, false});
  }

  void retire(const instruction& i, const class_entry& c, std::int32_t issue, std::uint32_t pos) {
    const bool guarded = i.has(iflag::guarded);
    for (const operand o : p.operands_of(i)) {
      if (o.is_def() ? c.variable : (!c.slow_war || c.late)) continue;
      const std::uint32_t u = ws.units.first(o);
      if (u == unit_map::none) continue;
      const unsigned n = unit_map::width(o);
      const bool kills = o.is_def() && !guarded && !o.is_partial();
      for (unsigned k = 0; k < n; ++k) {
        add_record(u + k, {i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), guarded}, !o.is_def(), issue, pos, kills);
      }
    }
    issued = issue;
    if (c.pipe != pipe_id::none) pipe_free[static_cast<unsigned>(c.pipe)] = issue + c.interval;
    if (i.ctl.sets_write()) set_time[i.ctl.write_barrier] = issue;
    if (i.ctl.sets_read()) set_time[i.ctl.read_barrier] = issue;
  }

  void make_drain(std::uint32_t pos) {
    if (ws.floor[pos] != drain_floor) ++drains;
    ws.floor[pos] = drain_floor;
  }

  void set_stall(std::uint32_t pos, std::int32_t stall) {
    control& c = p[p.order[pos]].ctl;
    if (ws.floor[pos] == drain_floor) {
      c.stall = 0;
      c.yield = true;
      return;
    }
    ws.floor[pos] = static_cast<std::uint8_t>(stall);
    c.stall = static_cast<std::uint8_t>(stall);
    c.yield = YieldPolicy::template yield<barriers_page>(static_cast<unsigned>(stall), ws.data_bound[pos] != 0);
  }

  // More than 15 cycles are missing before `pos`: raise the floors of the instructions from the producer on, nearest first.
  void spread(std::uint32_t prev, std::int32_t missing) {
    for (std::uint32_t q = prev; q-- > binding && missing > 0;) {
      if (ws.role[q].has(special_role::leave) || ws.floor[q] == drain_floor) continue;
      const std::int32_t have = std::max<std::int32_t>(own_stall(q), p[p.order[q]].ctl.stall);
      const std::int32_t add = std::min(max_stall - have, missing);
      if (add <= 0) continue;
      ws.floor[q] = static_cast<std::uint8_t>(have + add);
      ws.data_bound[q] = 1;
      missing -= add;
    }
    if (missing > 0) make_drain(prev);
  }

  // The first instruction of a block cannot be held back inside it: the blocks before it end later.
  void lengthen_predecessors(std::uint32_t b) {
    const block& to = p.blocks[b];
    std::uint32_t pos = to.first;
    while (pos < to.first + to.count && ws.role[pos].has(special_role::leave)) ++pos;
    if (pos == to.first + to.count) return;
    const instruction& i = p[p.order[pos]];
    for (const std::uint32_t index : p.pred_edges_of(to)) {
      if (detail::skipped(p, p.edges[index])) continue;
      const std::uint32_t from = p.edges[index].from.index();
      const block_flow& f = ws.flow[from];
      if (!f.fixed_seen) continue;
      const std::int32_t missing = missing_at_entry(i, f);
      if (missing > 0) lengthen(from, missing);
    }
  }

  [[nodiscard]] std::int32_t missing_at_entry(const instruction& i, const block_flow& from) const {
    std::int32_t missing = 0;
    for (unsigned m = i.ctl.wait_mask, c = 0; m != 0 && c < control::barrier_count; m >>= 1u, ++c) {
      if ((m & 1u) != 0) missing = std::max(missing, set_to_wait - from.set_age_out[c]);
    }
    const bool guarded = i.has(iflag::guarded);
    for (const fixed_entry& e : from.fixed_out) {
      if (i.has(iflag::unknown)) missing = std::max(missing, static_cast<std::int32_t>(worst_distance<Arch>(e.who)) - e.age);
      for (const operand o : p.operands_of(i)) {
        const std::uint32_t u = ws.units.first(o);
        if (u == unit_map::none || e.unit < u || e.unit >= u + unit_map::width(o) || (e.read && !o.is_def())) continue;
        const access_point me{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(e.unit - u), guarded};
        const distance d = e.read ? lat::war(e.who, me) : o.is_def() ? lat::waw(e.who, me) : lat::raw(e.who, me);
        missing = std::max(missing, static_cast<std::int32_t>(d.emit) - e.age);
      }
    }
    return missing;
  }

  void lengthen(std::uint32_t from, std::int32_t cycles) {
    const block& b = p.blocks[from];
    std::uint32_t pos = b.first + b.count;
    while (pos > b.first && ws.role[pos - 1].has(special_role::leave)) --pos;
    if (pos == b.first) return;
    --pos;
    if (ws.floor[pos] == drain_floor) return;
    const std::int32_t before = own_stall(pos);
    ws.data_bound[pos] = 1;
    if (before + cycles > max_stall) {
      make_drain(pos);
    } else {
      ws.floor[pos] = static_cast<std::uint8_t>(before + cycles);
    }
    set_stall(pos, own_stall(pos));
    grow_ages(from, own_stall(pos) - before, ws);
  }
};

}  // namespace ww::scoreboard
