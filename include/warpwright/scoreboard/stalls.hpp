// SPDX-License-Identifier: BSL-1.0
//
// Stall counts for a whole program (SB-4, SB-6).
//
// Time here is the earliest issue that the stall counts alone guarantee; waits only make it later. An instruction issues
// when every fixed-latency result that it reads or overwrites is far enough back on every path, two cycles after a counter
// that it waits for was raised, and when its pipe is free. What is missing goes to the instruction before it; what does not
// fit there (15 cycles) to earlier ones, down to the producer; and what fits nowhere becomes a drain (raw code 0).
// Ages of recent results cross block borders, joined by their minimum (stall_border.hpp); what a block owes to those before
// it, they wait for (stall_entry.hpp). Stalls only grow while this iterates, so it ends. A block whose earlier stalls had to grow
// (stall_raise.hpp) is walked again from there.
#pragma once

#include <cstdint>

#include "../graph/distance.hpp"
#include "../graph/distance_memo.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "class_table.hpp"
#include "stall_border.hpp"
#include "stall_raise.hpp"
#include "workspace.hpp"
#include "yield_policy.hpp"

namespace ww::scoreboard {

template <class Arch, class YieldPolicy = yields::observed>
struct stall_pass : stall_raise<Arch, YieldPolicy> {
  using base = stall_raise<Arch, YieldPolicy>;
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
  using base::all_landed;
  using base::binding;
  using base::horizon;
  using base::issued;
  using base::lengthen_predecessors;
  using base::make_drain;
  using base::memo;
  using base::only_entered;
  using base::over_neighbour;
  using base::own_stall;
  using base::p;
  using base::pay_before;
  using base::raised;
  using base::recent;
  using base::set_stall;
  using base::set_time;
  using base::spread;
  using base::table;
  using base::ws;
  std::int32_t end_time = 0;
  std::int32_t barrier_passed = 0;  // from when on anything may issue behind the BAR before it
  array<std::int32_t, pipe_count> pipe_free{};
  bool entering = false;  // the block is the head of a loop, and only what is in front of the loop is known yet

  enum class walked : std::uint8_t {
    whole,
    not_yet,   // the floor of an earlier instruction had to be raised: the block is walked again
    as_before  // what came in has landed and changed nothing: the rest, and what leaves the block, is as it was
  };

  constexpr void visit(std::uint32_t b) {
    block_flow& f = ws.flow[b];
    const bool first_visit = !f.fixed_seen;
    f.fixed_dirty = false;
    f.fixed_seen = true;
    lengthen_predecessors(b);
    if (!join_ages(p, b, ws) && !first_visit) return;
    entering = first_visit && ws.pay_before_loops && only_entered(b);
    raised = no_record;
    walked how = walk(b, first_visit);
    if (how == walked::as_before) return;
    while (how == walked::not_yet) how = walk(b, true);
    collect_ages(p, b, end_time, horizon, table, set_time.data(), set_to_wait, ws);
  }

  // Where a walk stands: a value of its own, for all memory may change where the bytes of a control word are written.
  struct place_of_walk {
    const access* accesses;
    unit_heads* heads;
    write_record* records;
    std::uint32_t* touched;
    std::uint32_t used;           // records
    std::uint32_t touched_count;  // units
    std::int32_t horizon;         // unit heads older than this belong to another walk
    std::int32_t issued;          // issue of the previous instruction
    std::uint32_t binding;        // position of the producer behind the newest distance found by earliest()
    typename base::memo_type memo;
  };
  constexpr void store(const place_of_walk& at) {
    ws.touched_count = at.touched_count, issued = at.issued, binding = at.binding;
  }

  // `anew`: the stalls that are there are not those of a whole walk.
  constexpr walked walk(std::uint32_t block_index, bool anew) {
    const block& b = p.blocks[block_index];
    const block_flow& f = ws.flow[block_index];
    if (ws.clock > 1 << 29) {  // times of earlier walks are long ago, until they would overflow
      ws.heads.assign(ws.heads.size(), {});
      ws.clock = 0;
    }
    const std::int32_t start = ws.clock + 3 * window + 256;
    const std::size_t most = f.fixed_in.size() + f.accesses;
    if (ws.records.size() < most) {
      ws.records.resize(most);
      ws.touched.resize(most);
    }
    horizon = start - 2 * window;
    place_of_walk at{
        ws.accesses.data(), ws.heads.data(), ws.records.data(), ws.touched.data(), 0, 0, horizon, start, 0, memo};
    for (unsigned c = 0; c < control::barrier_count; ++c) set_time[c] = start - f.set_age_in[c];
    site* const sites = ws.sites.data();
    if (ws.slow_ends && b.entry && b.count != 0) {
      site& first = sites[b.first];
      if (!first.leave() && first.floor < 2) first.floor = 2;
    }
    pipe_free.fill(start);
    barrier_passed = start;
    site* previous = nullptr;
    site* before_previous = nullptr;
    std::uint32_t pos = b.first;
    if (const std::uint32_t from = raised == no_record ? no_record : recent(b); from != no_record) {
      pos = replay(at, from, start, previous, before_previous);
    } else {
      for (const fixed_entry& e : f.fixed_in) {
        const std::int32_t time = start - e.age;
        if (e.read()) {
          add_read(at, e.unit, {time, e.what, b.first}, detail::binds_until(table, e.what, time));
        } else {
          add_result(at, e.unit, {time, e.what, b.first}, detail::binds_until(table, e.what, time), false);
        }
      }
    }
    raised = no_record;
    constexpr std::int32_t never = 0x7fffffff;
    std::int32_t settled = anew ? never : start + window;  // what came in has landed; never, once anything has changed
    const std::uint32_t end = b.first + b.count;
    for (; pos < end; ++pos) {
      site& s = sites[pos];
      if (s.leave()) continue;
      const class_entry& c = table[static_cast<unsigned>(s.iclass)];
      std::int32_t issue = start;  // of the first one: the blocks before this one see to it
      if (previous != nullptr) {
        site& before = *previous;
        const bool drained = before.floor == drain_floor;
        const std::int32_t plain = at.issued + (drained ? 2 * window : before.floor);
        std::int32_t structural = meta::max(plain, pipe_free[static_cast<unsigned>(c.paced_pipe)]);
        if (behind_barrier != 0 && c.behind_barrier) structural = meta::max(structural, barrier_passed);
        const std::int32_t data = earliest(at, s, c, plain, before);
        issue = meta::max(data, structural);
        if (issue != plain && !drained) {
          settled = never;
          if (data - at.issued > max_stall) {
            store(at);
            spread(place_of(previous), data - issued - max_stall);
            ws.clock = issue + window;
            return walked::not_yet;
          }
          if (entering && data > structural) {
            store(at);
            if (pay_before(block_index, s, place_of(previous), start, data, structural)) {
              ws.clock = issue + window;
              return walked::not_yet;
            }
          }
          if (issue - at.issued > max_stall) issue = meta::max(data, meta::max(plain, at.issued + max_stay));
          if (data > plain && data >= structural) before.add(site::data_bound);
        }
        if (issue >= settled) {
          ws.clock = issue + window;
          return walked::as_before;
        }
        set_stall(before, issue - at.issued);
      }
      retire(at, s, c, issue, pos);
      before_previous = previous;
      previous = &s;
    }
    store(at);
    end_time = start;
    if (previous != nullptr && !finish(b, place_of(previous), place_of(before_previous))) return walked::not_yet;
    ws.clock = end_time + window;
    return walked::whole;
  }

  // Issues everything from `from` to the raised floor as before; the position behind that.
  [[gnu::noinline]] constexpr std::uint32_t replay(place_of_walk& at, std::uint32_t from, std::int32_t issue,
                                                   site*& previous, site*& before_previous) {
    for (std::uint32_t pos = from; pos <= raised; ++pos) {
      site& s = ws.sites[pos];
      if (s.leave()) continue;
      retire(at, s, table[static_cast<unsigned>(s.iclass)], issue, pos);
      issue += own_stall(pos);
      before_previous = previous;
      previous = &s;
    }
    return raised + 1;
  }

  [[nodiscard]] constexpr std::uint32_t place_of(const site* s) const {
    return s == nullptr ? no_record : static_cast<std::uint32_t>(s - ws.sites.data());
  }

  // The stall of the last instruction of a block. False if the block is walked again.
  constexpr bool finish(const block& b, std::uint32_t prev, std::uint32_t before_prev) {
    std::int32_t next = meta::max(issued + own_stall(prev), barrier_passed);
    if (ws.slow_ends && !p.instructions[ws.sites[prev].instruction].has(iflag::ends_block))
      next = meta::max(next, issued + 2);
    if (b.open_exit) {
      const std::int32_t landed = all_landed(next);
      const bool waits = ws.sites[prev].ctl.wait_mask != 0;
      if (landed > next && waits && before_prev != no_record && landed - next <= max_stall - own_stall(before_prev)) {
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
    return true;
  }

  // Earliest issue by data: results, overwritten registers, counters just raised, and opcodes that are not known.
  [[gnu::always_inline]] constexpr std::int32_t earliest(place_of_walk& at, const site& s, const class_entry& c,
                                                         std::int32_t plain, const site& before) {
    std::int32_t need = plain;
    const access* a = at.accesses + s.first;
    const access* const sources = a + s.results;
    const access* const end = a + s.count;
    // a distance of two cycles after a read concerns the neighbour only
    const std::int32_t neighbour = c.late_over ? at.issued + 2 : plain;
    for (; a != sources; ++a) {
      const unit_heads& h = at.heads[a->unit];
      if (meta::max(h.write_until, h.read_until) > need) need = behind_both(at, h, *a, need);
      if (need < neighbour) {
        const unsigned d = over_neighbour(before, *a);
        if (at.issued + static_cast<std::int32_t>(d) > need) {
          need = at.issued + static_cast<std::int32_t>(d);
          at.binding = place_of(&before);
        }
      }
    }
    for (; a != end; ++a) {
      const unit_heads& h = at.heads[a->unit];
      if (h.write_until > need) need = behind(at, h.write, dependence_kind::raw, *a, need);
    }
    for (unsigned m = s.ctl.wait_mask & ((1u << control::barrier_count) - 1); m != 0; m &= m - 1) {
      need = meta::max(need, set_time[static_cast<unsigned>(meta::countr_zero(m))] + set_to_wait);
    }
    if (!s.has(site::after_all)) return need;
    store(at);
    need = all_landed(need);
    at.binding = binding;
    return need;
  }

  // The same for a result. Overwriting something recent is rare, and its code would crowd the loop.
  [[gnu::noinline]] static constexpr std::int32_t behind_both(place_of_walk& at, const unit_heads& h, const access& a,
                                                              std::int32_t need) {
    if (h.write_until > need) need = behind(at, h.write, dependence_kind::waw, a, need);
    if (h.read_until > need) need = behind(at, at.records[h.read], dependence_kind::war, a, need);
    return need;
  }

  // `need`, or the time at which `a` is far enough behind a record and all older ones of its unit.
  [[gnu::always_inline]] static constexpr std::int32_t behind(place_of_walk& at, const write_record& w, dependence_kind kind,
                                                              const access& a, std::int32_t need) {
    const auto q = ww::detail::distance_question::of_place(kind, a.what);
    const std::int32_t t = w.time + static_cast<std::int32_t>(at.memo.fixed(q, w.code()));
    if (t > need) {
      need = t;
      at.binding = w.pos;
    }
    if (w.next != no_record) [[unlikely]]
      return behind_older(at, w.next, q, need);
    return need;
  }
  [[gnu::noinline]] static constexpr std::int32_t behind_older(place_of_walk& at, std::uint32_t list,
                                                               ww::detail::distance_question q, std::int32_t need) {
    do {
      write_record& w = at.records[list];
      const std::int32_t t = w.time + static_cast<std::int32_t>(at.memo.fixed(q, w.code()));
      if (t > need) {
        need = t;
        at.binding = w.pos;
      }
      if (w.time + 2 * window < at.issued)
        w.next = no_record;  // nor does anything older bind: a long list would cost every time
      list = w.next;
    } while (list != no_record);
    return need;
  }

  [[gnu::always_inline]] static constexpr void touch(place_of_walk& at, std::uint32_t unit, const unit_heads& h) {
    at.touched[at.touched_count] = unit;
    at.touched_count += meta::max(h.write_until, h.read_until) < at.horizon ? 1u : 0u;
  }
  // A result that binds until `until`, in place of all older ones if it `kills`.
  [[gnu::always_inline]] static constexpr void add_result(place_of_walk& at, std::uint32_t unit, const write_record& w,
                                                          std::int32_t until, bool kills) {
    unit_heads& h = at.heads[unit];
    touch(at, unit, h);
    std::uint32_t next = no_record;
    if (!kills && h.write_until >= at.horizon) {
      at.records[at.used] = h.write;
      next = at.used++;
      until = meta::max(until, h.write_until);
    }
    h.write_until = until;
    h.write.time = w.time;
    h.write.what = w.what;
    h.write.pos = w.pos;
    h.write.next = next;
  }
  static constexpr void forget(unit_heads& h, std::int32_t now, bool kills) {
    if (kills && h.write_until > now) h.write_until = now;
  }
  static constexpr void add_read(place_of_walk& at, std::uint32_t unit, const write_record& w, std::int32_t until) {
    unit_heads& h = at.heads[unit];
    touch(at, unit, h);
    const bool alone = h.read_until < at.horizon;
    h.read_until = alone ? until : meta::max(until, h.read_until);
    at.records[at.used] = {w.time, w.what, w.pos, alone ? no_record : h.read};
    h.read = at.used++;
  }

  [[gnu::always_inline]] constexpr void retire(place_of_walk& at, const site& s, const class_entry& c, std::int32_t issue,
                                               std::uint32_t pos) {
    const access* a = at.accesses + s.first;
    const access* const sources = a + s.results;
    if (!s.has(site::variable) || c.beside) {
      for (; a != sources; ++a) {
        add_result(at, a->unit, {issue, a->what & write_record::place, pos},
                   issue + c.landed[static_cast<unsigned>(a->file())], a->has(access::kills));
      }
    } else if constexpr (requires { Arch::latency::tables::beside; }) {  // whoever reads it now does not read what was there
      for (; a != sources; ++a) forget(at.heads[a->unit], issue, a->has(access::kills));
    }
    if (c.slow) {
      for (const access* r = sources; r != sources + (s.count - s.results); ++r) {
        if (!r->has(access::slow)) continue;
        const std::uint32_t what = (r->what & write_record::place) | write_record::read_bit;
        add_read(at, r->unit, {issue, what, pos}, detail::binds_until(table, what, issue));
      }
    }
    at.issued = issue;
    if (behind_barrier != 0 && s.iclass == sched_class::bar && !s.role.has(special_role::at_once))
      barrier_passed = issue + behind_barrier;
    pipe_free[static_cast<unsigned>(c.paced_pipe)] = issue + c.paced_interval;
    set_time[s.ctl.write_barrier & control::no_barrier] = issue;
    set_time[s.ctl.read_barrier & control::no_barrier] = issue;
  }
};

}  // namespace ww::scoreboard
