// SPDX-License-Identifier: BSL-1.0
//
// Stall counts for a whole program (SB-4, SB-6).
//
// Time here is the earliest issue that the stall counts alone guarantee; waits only make it later. An instruction issues
// when every fixed-latency result that it reads or overwrites is far enough back on every path, two cycles after a counter
// that it waits for was raised, and when its pipe is free. What is missing goes to the instruction before it; what does not
// fit there (15 cycles) to earlier ones, down to the producer; and what fits nowhere becomes a drain (raw code 0).
// Ages of recent results cross block borders, joined by their minimum (stall_border.hpp); what a block owes to those before
// it, they wait for (stall_entry.hpp). Stalls only grow while this iterates, so it ends.
#pragma once

#include <cstdint>

#include "../graph/distance.hpp"
#include "../graph/distance_memo.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "class_table.hpp"
#include "stall_border.hpp"
#include "stall_entry.hpp"
#include "workspace.hpp"
#include "yield_policy.hpp"

namespace ww::scoreboard {

template <class Arch, class YieldPolicy = yields::observed>
struct stall_pass : stall_entry<Arch, YieldPolicy> {
  using base = stall_entry<Arch, YieldPolicy>;
  using base::drain_floor;
  using base::max_stall;
  using base::max_stay;
  using base::no_record;
  using base::set_to_wait;
  using base::window;
  static constexpr std::int32_t behind_barrier = [] {
    if constexpr (requires { Arch::pipes::behind_barrier; }) return static_cast<std::int32_t>(Arch::pipes::behind_barrier);
    return std::int32_t{0};
  }();

  constexpr stall_pass(const program& program, workspace& memory) : base(program, memory) {}

  constexpr void run() {
    if (ws.clock > 1 << 29) {  // times of earlier programs are long ago, until they would overflow
      ws.heads.assign(ws.heads.size(), {});
      ws.clock = 0;
    }
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
  using base::issued;
  using base::lengthen_predecessors;
  using base::make_drain;
  using base::memo;
  using base::only_entered;
  using base::over_neighbour;
  using base::own_stall;
  using base::p;
  using base::pay_before;
  using base::set_stall;
  using base::set_time;
  using base::table;
  using base::ws;
  std::int32_t end_time = 0;
  std::int32_t barrier_passed = 0;  // from when on anything may issue behind the BAR before it
  array<std::int32_t, pipe_count> pipe_free{};
  bool entering = false;      // the block is the head of a loop, and only what is in front of the loop is known yet
  std::int32_t horizon = 0;   // unit heads older than this belong to another walk
  std::uint32_t binding = 0;  // position of the producer behind the newest distance found by earliest()

  constexpr void visit(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    const bool first_visit = !f.fixed_seen;
    f.fixed_dirty = false;
    f.fixed_seen = true;
    lengthen_predecessors(b);
    if (!join_ages(p, b, ws) && !first_visit) return;
    entering = first_visit && ws.pay_before_loops && only_entered(b);
    while (!walk(b)) {
    }
    collect_ages(p, b, end_time, window, set_time, ws);
  }

  // Returns false when the floor of an earlier instruction had to be raised: the block is walked again.
  constexpr bool walk(std::uint32_t block_index) {
    const block& b = p.blocks[block_index];
    const block_flow& f = ws.flow[block_index];
    const std::int32_t start = ws.clock + 3 * window + 256;
    ws.record_count = 0;
    horizon = start - 2 * window;
    if (b.count != 0) {
      const site& last = ws.sites[b.first + b.count - 1];
      const std::size_t most = f.fixed_in.size() + last.first + last.count - ws.sites[b.first].first;
      if (ws.records.size() < most) ws.records.resize(most + most / 2);
    } else if (ws.records.size() < f.fixed_in.size()) {
      ws.records.resize(f.fixed_in.size());
    }
    for (const fixed_entry& e : f.fixed_in) {
      const std::int32_t time = start - e.age;
      add_record(e.unit, e.what, time, until_of(e.what, time), b.first, false);
    }
    for (unsigned c = 0; c < control::barrier_count; ++c) set_time[c] = start - f.set_age_in[c];
    if (ws.slow_ends && b.entry && b.count != 0) {
      site& first = ws.sites[b.first];
      if (!first.leave() && first.floor < 2) first.floor = 2;
    }
    pipe_free.fill(start);
    barrier_passed = start;
    std::uint32_t prev = no_record;
    std::uint32_t before_prev = no_record;
    issued = start;
    site* const sites = ws.sites.data();
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const site& s = sites[pos];
      if (s.leave()) continue;
      const class_entry& c = table[static_cast<unsigned>(s.iclass)];
      const control& ctl = s.ctl;
      std::int32_t issue = start;  // of the first one: the blocks before this one see to it
      if (prev != no_record) {
        site& before = sites[prev];
        const std::int32_t plain = issued + own_stall(prev);
        std::int32_t structural = meta::max(plain, pipe_free[static_cast<unsigned>(c.paced_pipe)]);
        if (c.behind_barrier) structural = meta::max(structural, barrier_passed);
        const std::int32_t data = earliest(s, c, ctl, plain, prev);
        issue = meta::max(data, structural);
        if (issue != plain || before.floor == drain_floor) {
          if (before.floor != drain_floor) {
            if (data - issued > max_stall) {
              spread(prev, data - issued - max_stall);
              ws.clock = issue + window;
              return false;
            }
            if (entering && data > structural && pay_before(block_index, s, prev, start, data, structural)) {
              ws.clock = issue + window;
              return false;
            }
            if (issue - issued > max_stall) issue = meta::max(data, meta::max(plain, issued + max_stay));
            if (data > plain && data >= structural) before.add(site::data_bound);
          }
        }
        set_stall(before, issue - issued);
      }
      retire(s, c, ctl, issue, pos);
      before_prev = prev;
      prev = pos;
    }
    end_time = start;
    if (prev != no_record) {
      std::int32_t next = meta::max(issued + own_stall(prev), barrier_passed);
      if (ws.slow_ends && !p.instructions[ws.sites[prev].instruction].has(iflag::ends_block))
        next = meta::max(next, issued + 2);
      if (b.open_exit && ws.sites[prev].floor != drain_floor) {
        const std::int32_t landed = all_landed(next);
        const bool waits = ws.sites[prev].ctl.wait_mask != 0;
        if (landed > next && waits && before_prev != no_record && ws.sites[before_prev].floor != drain_floor &&
            landed - next <= max_stall - own_stall(before_prev)) {
          // in front of the wait the cycles cost nothing
          ws.sites[before_prev].floor = static_cast<std::uint8_t>(ws.sites[before_prev].floor + (landed - next));
          ws.sites[before_prev].add(site::data_bound);
          ws.clock = landed + window;
          return false;
        }
        if (landed - issued > max_stall) {
          make_drain(prev);
        } else {
          next = meta::max(next, landed);
        }
      }
      set_stall(prev, next - issued);
      end_time = issued + own_stall(prev);
    }
    ws.clock = end_time + window;
    return true;
  }

  // Earliest issue by data: results, overwritten registers, counters just raised, and opcodes that are not known.
  [[gnu::always_inline]] constexpr std::int32_t earliest(const site& s, const class_entry& c, const control& ctl,
                                                         std::int32_t plain, std::uint32_t prev) {
    std::int32_t need = plain;
    const access* const begin = detail::begin_of(ws, s);
    const access* const sources = begin + s.results;
    const access* const end = begin + s.count;
    const unit_heads* const heads = ws.heads.data();
    for (const access* a = begin; a != sources; ++a) {
      const unit_heads& h = heads[a->unit];
      if (h.write_until > need) need = behind(h.write, dependence_kind::waw, *a, need);
      if (h.read_until > need) need = behind(h.read, dependence_kind::war, *a, need);
      // a distance of two cycles after a read concerns the neighbour only
      if (c.late_over && need < issued + 2) {
        const unsigned d = over_neighbour(ws.sites[prev], *a);
        if (issued + static_cast<std::int32_t>(d) > need) {
          need = issued + static_cast<std::int32_t>(d);
          binding = prev;
        }
      }
    }
    for (const access* a = sources; a != end; ++a) {
      const unit_heads& h = heads[a->unit];
      if (h.write_until > need) need = behind(h.write, dependence_kind::raw, *a, need);
    }
    for (unsigned m = ctl.wait_mask & ((1u << control::barrier_count) - 1); m != 0; m &= m - 1) {
      need = meta::max(need, set_time[static_cast<unsigned>(meta::countr_zero(m))] + set_to_wait);
    }
    return s.has(site::unknown) ? all_landed(need) : need;
  }

  // `need`, or the time at which `a` is far enough behind all records of a list.
  [[gnu::always_inline]] constexpr std::int32_t behind(std::uint32_t list, dependence_kind kind, const access& a,
                                                       std::int32_t need) {
    const auto q = ww::detail::distance_question::of_place(kind, a.what);
    const write_record* const records = ws.records.data();
    do {
      const write_record& w = records[list];
      const std::int32_t t = w.time + static_cast<std::int32_t>(memo.fixed(q, w.code()));
      if (t > need) {
        need = t;
        binding = w.pos;
      }
      list = w.next;
    } while (list != no_record);
    return need;
  }

  // Time at which every recent fixed result of this block's paths could be read by anything.
  constexpr std::int32_t all_landed(std::int32_t now) {
    std::int32_t need = now;
    for (std::uint32_t k = 0; k < ws.record_count; ++k) {
      const write_record& w = ws.records[k];
      if (w.read() || w.time + window <= need || !detail::is_live(ws, k)) continue;
      const std::int32_t t =
          w.time + static_cast<std::int32_t>(worst_distance<Arch>(w.what & write_record::place, ws.worst));
      if (t <= need) continue;
      need = t;
      binding = w.pos;
    }
    return need;
  }

  // From when on a record with these bits, issued at `time`, binds nobody.
  [[nodiscard]] constexpr std::int32_t until_of(std::uint32_t what, std::int32_t time) const {
    const unsigned file = what >> access::file_at & 15u;
    if ((what & write_record::read_bit) == 0 || file == static_cast<unsigned>(reg_file::cc)) return time + window;
    return time + table[what & 0xffu].war[(file - 1u) & 3u];
  }

  [[gnu::always_inline]] constexpr void add_record(std::uint32_t unit, std::uint32_t what, std::int32_t time,
                                                   std::int32_t mine, std::uint32_t pos, bool kills) {
    unit_heads& h = ws.heads[unit];
    const bool read = (what & write_record::read_bit) != 0;
    std::uint32_t& head = read ? h.read : h.write;
    std::int32_t& until = read ? h.read_until : h.write_until;
    write_record* const records = ws.records.data();
    std::uint32_t next = no_record;
    if (until < horizon) {
      until = mine;
    } else if (kills) {
      until = mine;
    } else {
      next = head;
      until = meta::max(until, mine);
    }
    head = ws.record_count;
    records[ws.record_count++] = {time, next, unit, pos, what};
  }

  [[gnu::always_inline]] constexpr void retire(const site& s, const class_entry& c, const control& ctl, std::int32_t issue,
                                               std::uint32_t pos) {
    const access* const begin = detail::begin_of(ws, s);
    const access* const sources = begin + s.results;
    if (!s.has(site::variable)) {
      for (const access* a = begin; a != sources; ++a) {
        add_record(a->unit, a->what & write_record::place, issue, issue + window, pos, a->has(access::kills));
      }
    }
    if (c.slow) {
      for (const access* a = sources; a != begin + s.count; ++a) {
        if (!a->has(access::slow)) continue;
        const std::uint32_t what = (a->what & write_record::place) | write_record::read_bit;
        add_record(a->unit, what, issue, until_of(what, issue), pos, false);
      }
    }
    issued = issue;
    if (behind_barrier != 0 && s.iclass == sched_class::bar) barrier_passed = issue + behind_barrier;
    if (c.paced_pipe != pipe_id::none) {
      pipe_free[static_cast<unsigned>(c.paced_pipe)] = issue + c.paced_interval;
    }
    if (ctl.sets_write()) set_time[ctl.write_barrier] = issue;
    if (ctl.sets_read()) set_time[ctl.read_barrier] = issue;
  }

  // More than 15 cycles are missing: raise the floors of the instructions from the producer on, nearest first.
  constexpr void spread(std::uint32_t prev, std::int32_t missing) {
    for (std::uint32_t q = prev; q-- > binding && missing > 0;) {
      site& s = ws.sites[q];
      if (s.leave() || s.floor == drain_floor) continue;
      const std::int32_t add = meta::min(max_stall - s.floor, missing);
      if (add <= 0) continue;
      s.floor = static_cast<std::uint8_t>(s.floor + add);
      s.add(site::data_bound);
      missing -= add;
    }
    if (missing > 0) make_drain(prev);
  }
};

}  // namespace ww::scoreboard
