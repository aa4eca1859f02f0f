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
    ws.clock = 0;
    ws.pairs.template use<Arch>();
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
  std::int32_t horizon = 0;   // unit heads older than this belong to another walk
  std::uint32_t binding = 0;  // position of the producer behind the newest distance found by earliest()

  void visit(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    const bool first_visit = !f.fixed_seen;
    f.fixed_dirty = false;
    f.fixed_seen = true;
    lengthen_predecessors(b);
    if (!join_ages(p, b, ws) && !first_visit) return;
    while (!walk(b)) {
    }
    collect_ages(p, b, end_time, window, set_time, ws);
  }

  [[nodiscard]] std::int32_t own_stall(std::uint32_t pos) const {
    const std::uint8_t s = ws.sites[pos].floor;
    return s == drain_floor ? 2 * window : s;
  }

  // Returns false when the floor of an earlier instruction had to be raised: the block is walked again.
  bool walk(std::uint32_t block_index) {
    const block& b = p.blocks[block_index];
    const block_flow& f = ws.flow[block_index];
    const std::int32_t start = ws.clock + 3 * window + 256;
    ws.records.clear();
    horizon = start - 2 * window;
    for (const fixed_entry& e : f.fixed_in) add_record(e.unit, e.who, e.read, start - e.age, b.first, false);
    for (unsigned c = 0; c < control::barrier_count; ++c) set_time[c] = start - f.set_age_in[c];
    pipe_free.fill(start);
    std::uint32_t prev = no_record;
    std::uint32_t before_prev = no_record;
    issued = start;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const site& s = ws.sites[pos];
      if (s.leave()) continue;
      const class_entry& c = table[static_cast<unsigned>(s.iclass)];
      const control& ctl = p.instructions[s.instruction].ctl;
      std::int32_t issue = start;  // of the first one: the blocks before this one see to it
      if (prev != no_record) {
        site& before = ws.sites[prev];
        const std::int32_t plain = issued + own_stall(prev);
        const std::int32_t structural = std::max(plain, pipe_free[static_cast<unsigned>(c.pipe)]);
        const std::int32_t data = earliest(s, ctl, plain, prev);
        issue = std::max(data, structural);
        if (before.floor != drain_floor) {
          if (data - issued > max_stall) {
            spread(prev, data - issued - max_stall);
            ws.clock = issue + window;
            return false;
          }
          if (issue - issued > max_stall) issue = std::max(data, std::max(plain, issued + max_stay));
          if (data > plain && data >= structural) before.data_bound = 1;
        }
        set_stall(prev, issue - issued);
      }
      retire(s, c, ctl, issue, pos);
      before_prev = prev;
      prev = pos;
    }
    end_time = start;
    if (prev != no_record) {
      std::int32_t next = issued + own_stall(prev);
      if (b.open_exit && ws.sites[prev].floor != drain_floor) {
        const std::int32_t landed = all_landed(next);
        const bool waits = p.instructions[ws.sites[prev].instruction].ctl.wait_mask != 0;
        if (landed > next && waits && before_prev != no_record && ws.sites[before_prev].floor != drain_floor &&
            landed - next <= max_stall - own_stall(before_prev)) {
          // in front of the wait the cycles cost nothing
          ws.sites[before_prev].floor = static_cast<std::uint8_t>(ws.sites[before_prev].floor + (landed - next));
          ws.sites[before_prev].data_bound = 1;
          ws.clock = landed + window;
          return false;
        }
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
  std::int32_t earliest(const site& s, const control& ctl, std::int32_t plain, std::uint32_t prev) {
    std::int32_t need = plain;
    const access* const end = detail::end_of(ws, s);
    const unit_heads* const heads = ws.heads.data();
    const bool over_late = table[static_cast<unsigned>(s.iclass)].late_over;
    for (const access* a = detail::begin_of(ws, s); a != end; ++a) {
      const unit_heads* const first = heads + a->unit;
      const unsigned width = a->width;
      for (unsigned k = 0; k < width; ++k) {
        const unit_heads& h = first[k];
        if (h.write_until > need) {
          const access_point me = point_of(s, *a, k);
          for (std::uint32_t r = h.write; r != no_record; r = ws.records[r].next) {
            const write_record& w = ws.records[r];
            if (w.time + window <= need) break;
            const unsigned most = ws.pairs.template of<Arch>(w.who.iclass, s.iclass, a->file);
            if (w.time + static_cast<std::int32_t>(most) <= need) continue;
            raise_to(need, w, a->is_def() ? lat::waw(w.who, me).emit : lat::raw(w.who, me).emit);
          }
        }
        if (!a->is_def() || h.read_until <= need) continue;
        const access_point me = point_of(s, *a, k);
        for (std::uint32_t r = h.read; r != no_record; r = ws.records[r].next) {
          const write_record& w = ws.records[r];
          if (w.time + window <= need) break;
          raise_to(need, w, lat::war(w.who, me).emit);
        }
      }
      // a distance of two cycles after a read concerns the neighbour only
      if (over_late && a->is_def() && need < issued + 2) {
        const unsigned d = over_neighbour(ws.sites[prev], s, *a);
        if (issued + static_cast<std::int32_t>(d) > need) {
          need = issued + static_cast<std::int32_t>(d);
          binding = prev;
        }
      }
    }
    for (unsigned m = ctl.wait_mask, c = 0; m != 0 && c < control::barrier_count; m >>= 1u, ++c) {
      if ((m & 1u) != 0) need = std::max(need, set_time[c] + set_to_wait);
    }
    return s.has(site::unknown) ? all_landed(need) : need;
  }

  // Distance that the overwriting access `a` of `s` must keep from the sources of the instruction right before it.
  [[nodiscard]] unsigned over_neighbour(const site& before, const site& s, const access& a) const {
    unsigned d = 1;
    for (const access* r = detail::begin_of(ws, before); r != detail::end_of(ws, before); ++r) {
      if (r->is_def() || r->has(access::late) || r->unit >= a.unit + a.width || a.unit >= r->unit + r->width) continue;
      d = std::max<unsigned>(d, lat::war(point_of(before, *r, 0), point_of(s, a, 0)).emit);
    }
    return d;
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
    for (const write_record& w : ws.records) {
      if (w.dead || w.read || w.time + window <= need) continue;
      raise_to(need, w, worst_distance<Arch>(w.who));
    }
    return need;
  }

  void add_record(std::uint32_t unit, access_point who, bool read, std::int32_t time, std::uint32_t pos, bool kills) {
    unit_heads& h = ws.heads[unit];
    std::uint32_t& head = read ? h.read : h.write;
    std::int32_t& until = read ? h.read_until : h.write_until;
    const class_entry& c = table[static_cast<unsigned>(who.iclass)];
    const unsigned f = (static_cast<unsigned>(who.file) - 1u) & 3u;
    const std::int32_t mine = time + (read && who.file != reg_file::cc ? c.war[f] : window);
    if (until < horizon) {
      head = no_record;
      until = mine;
    } else if (kills) {
      for (std::uint32_t r = head; r != no_record; r = ws.records[r].next) ws.records[r].dead = true;
      head = no_record;
      until = mine;
    } else {
      until = std::max(until, mine);
    }
    const std::uint32_t next = head;
    head = static_cast<std::uint32_t>(ws.records.size());
    ws.records.push_back({time, next, unit, pos, who, read, false});
  }

  void retire(const site& s, const class_entry& c, const control& ctl, std::int32_t issue, std::uint32_t pos) {
    for (const access* a = detail::begin_of(ws, s); a != detail::end_of(ws, s); ++a) {
      if (a->is_def() ? s.has(site::variable) : !a->has(access::slow)) continue;
      for (unsigned k = 0; k < a->width; ++k) {
        add_record(a->unit + k, point_of(s, *a, k), !a->is_def(), issue, pos, a->has(access::kills));
      }
    }
    issued = issue;
    if (c.pipe != pipe_id::none) pipe_free[static_cast<unsigned>(c.pipe)] = issue + c.interval;
    if (ctl.sets_write()) set_time[ctl.write_barrier] = issue;
    if (ctl.sets_read()) set_time[ctl.read_barrier] = issue;
  }

  void make_drain(std::uint32_t pos) {
    if (ws.sites[pos].floor != drain_floor) ++drains;
    ws.sites[pos].floor = drain_floor;
  }

  void set_stall(std::uint32_t pos, std::int32_t stall) {
    site& s = ws.sites[pos];
    control& c = p.instructions[s.instruction].ctl;
    if (s.floor == drain_floor) {
      c.stall = 0;
      c.yield = true;
      return;
    }
    s.floor = static_cast<std::uint8_t>(stall);
    c.stall = static_cast<std::uint8_t>(stall);
    c.yield = YieldPolicy::template yield<barriers_page>(static_cast<unsigned>(stall), s.data_bound != 0);
  }

  // More than 15 cycles are missing: raise the floors of the instructions from the producer on, nearest first.
  void spread(std::uint32_t prev, std::int32_t missing) {
    for (std::uint32_t q = prev; q-- > binding && missing > 0;) {
      site& s = ws.sites[q];
      if (s.leave() || s.floor == drain_floor) continue;
      const std::int32_t add = std::min(max_stall - s.floor, missing);
      if (add <= 0) continue;
      s.floor = static_cast<std::uint8_t>(s.floor + add);
      s.data_bound = 1;
      missing -= add;
    }
    if (missing > 0) make_drain(prev);
  }

  // The first instruction of a block cannot be held back inside it: the blocks before it end later.
  void lengthen_predecessors(std::uint32_t b) {
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
  [[nodiscard]] std::uint32_t last_of(std::uint32_t block_index) const {
    const block& b = p.blocks[block_index];
    for (std::uint32_t pos = b.first + b.count; pos-- > b.first;) {
      if (!ws.sites[pos].leave()) return pos;
    }
    return no_record;
  }

  [[nodiscard]] std::int32_t missing_at_entry(const site& s, const block_flow& from, std::uint32_t last) const {
    std::int32_t missing = 0;
    for (unsigned m = p.instructions[s.instruction].ctl.wait_mask, c = 0; m != 0 && c < control::barrier_count;
         m >>= 1u, ++c) {
      if ((m & 1u) != 0) missing = std::max(missing, set_to_wait - from.set_age_out[c]);
    }
    const bool unknown = s.has(site::unknown);
    for (const access* a = detail::begin_of(ws, s); a != detail::end_of(ws, s); ++a) {
      if (a->is_def())
        missing = std::max(missing, static_cast<std::int32_t>(over_neighbour(ws.sites[last], s, *a)) - own_stall(last));
      for (const fixed_entry& e : from.fixed_out) {
        if (e.unit < a->unit || e.unit >= a->unit + a->width || (e.read && !a->is_def())) continue;
        const access_point me = point_of(s, *a, e.unit - a->unit);
        const distance d = e.read ? lat::war(e.who, me) : a->is_def() ? lat::waw(e.who, me) : lat::raw(e.who, me);
        missing = std::max(missing, static_cast<std::int32_t>(d.emit) - e.age);
      }
    }
    if (unknown) {
      for (const fixed_entry& e : from.fixed_out) {
        missing = std::max(missing, static_cast<std::int32_t>(worst_distance<Arch>(e.who)) - e.age);
      }
    }
    return missing;
  }

  void lengthen(std::uint32_t from, std::uint32_t pos, std::int32_t cycles) {
    site& s = ws.sites[pos];
    if (s.floor == drain_floor) return;
    const std::int32_t before = own_stall(pos);
    s.data_bound = 1;
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
