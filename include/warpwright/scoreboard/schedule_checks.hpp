// SPDX-License-Identifier: BSL-1.0
//
// The seven schedule checks of the reference (SB-10), each a function of its own.
//
//   1 check_stall_bounds       stalls of 0..15 cycles
//   2 check_barrier_index      counters 0..5, or 7 = none
//   3 check_wait_consistency   a wait names only counters that are set on some path to it
//   4 check_completeness       every variable-latency result, and every late source, that somebody needs later has a
//                              counter, or stands in an in-order queue before one that has
//   5 check_word_format        the word survives its encoding, and hardware defines it
//   6 check_yield_hint         a stall above 11 yields, one of a single cycle does not, but for textures (observed: 12 of
//                              13338 such words in 80 compiled listings yield)
//   7 check_live_range         inside a block, no result is read or overwritten and no late source is overwritten too early
// They take the table of entries (entries.hpp) and a workspace that `schedule_checks::prepare` has filled; faults are
// appended in program order, the number of new ones is returned. These are the text's checks, made with this folder's own
// analysis; the judge of the kit is verify/, which shares no code with it and follows dependences over all paths.
#pragma once

#include <cstdint>

#include "assign.hpp"
#include "entries.hpp"
#include "fields/dispatch.hpp"
#include "live_range.hpp"
#include "schedule_fault.hpp"

namespace ww::scoreboard {

namespace detail {

// Calls f(position, instruction) for everything but padding; f returns whether it found a fault.
template <class F>
unsigned each_word(const program& p, F f) {
  unsigned n = 0;
  for (std::uint32_t pos = 0; pos < p.order.size(); ++pos) {
    const instruction& i = p[p.order[pos]];
    if (!i.has(iflag::padding) && f(pos, i)) ++n;
  }
  return n;
}

}  // namespace detail

template <class Arch>
unsigned check_stall_bounds(const program& p, vec<schedule_fault>& out) {
  constexpr std::uint32_t limit = Arch::barriers::max_stall;
  return detail::each_word(p, [&](std::uint32_t pos, const instruction& i) {
    if (i.ctl.stall <= limit) return false;
    out.push_back({schedule_check::stall_bounds, pos, pos, i.ctl.stall, limit});
    return true;
  });
}

template <class Arch>
unsigned check_barrier_index(const program& p, vec<schedule_fault>& out) {
  constexpr std::uint32_t limit = Arch::barriers::count - 1;
  return detail::each_word(p, [&](std::uint32_t pos, const instruction& i) {
    for (const std::uint32_t index : {i.ctl.write_barrier, i.ctl.read_barrier}) {
      if (index <= limit || index == control::no_barrier) continue;
      out.push_back({schedule_check::barrier_index, pos, pos, index, limit});
      return true;
    }
    return false;
  });
}

template <class Arch>
unsigned check_word_format(const program& p, vec<schedule_fault>& out) {
  using format = typename Arch::control_format;
  return detail::each_word(p, [&](std::uint32_t pos, const instruction& i) {
    const std::uint32_t w = format::encode(i.ctl);
    if (format::valid(w) && format::decode(w) == i.ctl) return false;
    out.push_back({schedule_check::word_format, pos, pos, w, 0});
    return true;
  });
}

template <class Arch>
unsigned check_yield_hint(const program& p, vec<schedule_fault>& out) {
  constexpr std::uint32_t must = Arch::barriers::max_stall_stay;
  return detail::each_word(p, [&](std::uint32_t pos, const instruction& i) {
    const bool lacks = i.ctl.stall > must && !i.ctl.yield;
    if (!lacks && !(i.ctl.stall == 1 && i.ctl.yield && !is_texture(i.iclass))) return false;
    out.push_back({schedule_check::yield_hint, pos, pos, i.ctl.stall, lacks ? must : 1u});
    return true;
  });
}

// What checks 3, 4 and 7 look things up in.
template <class Arch>
struct schedule_checks {
  entry_table table;
  vec<std::uint8_t> set_in;  // by block: counters set on some path to it

  // Fills the table and `ws` for the program as it stands.
  void prepare(const program& p, workspace& ws) {
    table.build(p);
    decode_program<Arch>(p, ws);
    (void)detail::begin_words<Arch>(p, ws);
  }

  unsigned check_wait_consistency(const program& p, vec<schedule_fault>& out) {
    constexpr std::uint8_t all = (1u << Arch::barriers::count) - 1u;
    set_in.assign(p.blocks.size(), 0);
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      const block& k = p.blocks[b];
      const bool kernel = !k.function.valid() || p.functions.empty() || p.functions[k.function.index()].kernel;
      if (k.entry && !kernel) set_in[b] = all;  // a caller that is not known
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < p.blocks.size(); ++b) {
        std::uint8_t m = set_in[b];
        for (unsigned c = 0; c < Arch::barriers::count; ++c) {
          if (table.set_within(c, p.blocks[b].first, p.blocks[b].first + p.blocks[b].count)) {
            m = static_cast<std::uint8_t>(m | 1u << c);
          }
        }
        for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
          const std::uint8_t send = e.kind == edge_kind::call_return ? all : m;  // a callee that is not known
          std::uint8_t& to = set_in[e.to.index()];
          changed = changed || (send & ~to) != 0;
          to = static_cast<std::uint8_t>(to | send);
        }
      }
    }
    unsigned n = 0;
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      std::uint8_t m = set_in[b];
      for (std::uint32_t pos = p.blocks[b].first; pos < p.blocks[b].first + p.blocks[b].count; ++pos) {
        const instruction& i = p[p.order[pos]];
        if (i.has(iflag::padding)) continue;
        const unsigned unset = i.ctl.wait_mask & ~static_cast<unsigned>(m);
        if (unset != 0) {
          out.push_back({schedule_check::wait_consistency, pos, pos, unset, m});
          ++n;
        }
        if (i.ctl.sets_write()) m = static_cast<std::uint8_t>(m | 1u << (i.ctl.write_barrier & 7u));
        if (i.ctl.sets_read()) m = static_cast<std::uint8_t>(m | 1u << (i.ctl.read_barrier & 7u));
      }
    }
    return n;
  }

  unsigned check_completeness(const program& p, workspace& ws, vec<schedule_fault>& out) {
    unsigned n = 0;
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      if (p.blocks[b].padding || !p.blocks[b].reachable) continue;
      find_needs<Arch>(p, b, ws);
      for (std::uint32_t pos = p.blocks[b].first; pos < p.blocks[b].first + p.blocks[b].count; ++pos) {
        const site& s = ws.sites[pos];
        if (s.leave() || s.iclass == sched_class::hgmma || !s.has(site::variable | site::late)) continue;
        const need_pair& need = ws.needs[pos];
        const auto lacks = [&](std::uint32_t who, std::uint32_t what) {
          out.push_back({schedule_check::completeness, pos, who == need_beyond ? schedule_fault::beyond : who, what, 0});
          ++n;
        };
        if (s.has(site::variable) && need.write != need_none && !s.ctl.sets_write()) {
          const live_range<Arch> range{p, ws, table, pos, p.blocks[b].first + p.blocks[b].count};
          const std::uint32_t who = range.first_asking(need.write, ws.out_access.data() + std::size_t{b} * ws.words);
          if (who != need_none && !queue_covered(ws, pos, who, p.blocks[b], true)) lacks(who, 0);
        }
        if (s.has(site::late) && need.read != need_none && !s.ctl.sets_read()) {
          const bool inside = need.read - p.blocks[b].first < p.blocks[b].count;
          const bool covered = read_covered(p, ws, pos, need.read) || queue_covered(ws, pos, need.read, p.blocks[b], true) ||
                               queue_covered(ws, pos, need.read, p.blocks[b], false) ||
                               (inside && live_range<Arch>{p, ws, table, pos, need.read}.lands_behind(need.read));
          if (!covered) lacks(need.read, 1);
        }
      }
    }
    return n;
  }

  unsigned check_live_range(const program& p, workspace& ws, vec<schedule_fault>& out) {
    unsigned n = 0;
    for (const block& k : p.blocks) {
      if (k.padding || !k.reachable) continue;
      for (std::uint32_t pos = k.first; pos < k.first + k.count; ++pos) n += live_ranges_of(p, ws, pos, k, out);
    }
    return n;
  }

  // All seven, in the text's order.
  unsigned run(const program& p, workspace& ws, vec<schedule_fault>& out) {
    prepare(p, ws);
    unsigned n = check_stall_bounds<Arch>(p, out) + check_barrier_index<Arch>(p, out);
    n += check_wait_consistency(p, out);
    n += check_completeness(p, ws, out);
    n += check_word_format<Arch>(p, out) + check_yield_hint<Arch>(p, out);
    return n + check_live_range(p, ws, out);
  }

 private:
  static const access* begin_of(const workspace& ws, const site& s) { return ws.accesses.data() + s.first; }

  // The result of `pos`, waited for before `who`, says that its sources have been read.
  bool read_covered(const program& p, const workspace& ws, std::uint32_t pos, std::uint32_t who) const {
    const site& s = ws.sites[pos];
    if (who >= p.order.size() || !s.ctl.sets_write()) return who == need_beyond && s.ctl.sets_write();
    const std::uint32_t seen = live_range<Arch>{p, ws, table, pos, who + 1}.seen_from();
    return table.next_wait(s.ctl.write_barrier, seen, who + 1) != entry_table::none;
  }

  // Loads and atomics of memory whose landing no later one tells of: compilers rely on it for none (docs/verify.md), but for those SMs
  // on which all loads land in order, and for shared memory.
  static constexpr bool told_by_none(sched_class c) {
    if constexpr (requires { Arch::latency::loads_in_order; }) {
      if (Arch::latency::loads_in_order) return false;
    }
    return detail::lands_by_itself(c) && c != sched_class::atoms;
  }

  // A later instruction of the same in-order queue has a counter, and `who` waits for that one. For reads the counter of its
  // result will do: its own reads have ended by then, and with them the earlier ones.
  bool queue_covered(const workspace& ws, std::uint32_t pos, std::uint32_t who, const block& b, bool result) const {
    const auto& classes = class_table<Arch>();
    const class_entry& mine = classes[static_cast<unsigned>(ws.sites[pos].iclass)];
    const std::uint8_t queue = result ? mine.write_queue : mine.read_queue;
    if (queue == queue_mixed || queue == queue_empty || (result && told_by_none(ws.sites[pos].iclass))) return false;
    const std::uint32_t end = b.first + b.count;
    for (std::uint32_t k = pos + 1; k < end && k < who; ++k) {
      const class_entry& c = classes[static_cast<unsigned>(ws.sites[k].iclass)];
      if ((result ? c.write_queue : c.read_queue) != queue) continue;
      const control& ctl = ws.sites[k].ctl;
      const auto waited = [&](std::uint8_t counter) {
        return counter != control::no_barrier &&
               (who >= end || table.next_wait(counter, k + 1, who + 1) != entry_table::none);
      };
      if (waited(ctl.write_barrier) || (!result && waited(ctl.read_barrier))) return true;
    }
    return false;
  }

  // A later instruction that reads in order behind `pos` has a counter, and `who` waits for that one. Compilers rely on more of these
  // queues than the kit does (matrix operations in double precision on sm_80).
  bool read_before(const workspace& ws, std::uint32_t pos, std::uint32_t who) const {
    const sched_class mine = ws.sites[pos].iclass;
    const queue_id queue = Arch::latency::read_queue(mine);
    for (std::uint32_t k = pos + 1; k < who && queue != queue_id::none; ++k) {
      const site& s = ws.sites[k];
      if (queue == queue_id::own ? s.iclass != mine : Arch::latency::read_queue(s.iclass) != queue) continue;
      for (const std::uint8_t c : {s.ctl.write_barrier, s.ctl.read_barrier}) {
        if (c != control::no_barrier && table.next_wait(c, k + 1, who + 1) != entry_table::none) return true;
      }
    }
    return false;
  }

  unsigned live_ranges_of(const program& p, const workspace& ws, std::uint32_t pos, const block& b,
                          vec<schedule_fault>& out) const {
    const site& s = ws.sites[pos];
    const live_range<Arch> range{p, ws, table, pos, b.first + b.count};
    if (s.leave() || s.iclass == sched_class::hgmma || range.unlike(pos)) return 0;
    const auto bit = [](bool sets, std::uint8_t counter) { return sets ? 1u << (counter & 7u) : 0u; };
    const unsigned write = bit(s.ctl.sets_write(), s.ctl.write_barrier);
    const unsigned read = bit(s.ctl.sets_read(), s.ctl.read_barrier);
    const unsigned result_counters = write | (s.has(site::early) ? read : 0u);
    const auto in_queue = [&](std::uint32_t q) { return range.replaced_by(q); };
    const auto behind_reads = [&](std::uint32_t q) {
      if (read_covered(p, ws, pos, q) || range.lands_behind(q)) return true;
      return read == 0 && (queue_covered(ws, pos, q, b, true) || read_before(ws, pos, q));
    };
    const access* const first = begin_of(ws, s);
    for (const access* a = first; a != first + s.count; ++a) {
      const bool result = a < first + s.results;
      schedule_fault f;
      bool bad = false;
      if (result && !s.has(site::variable)) {
        bad = range.too_near(*a, f);
      } else if (result && result_counters != 0) {  // without one: check 4
        bad = range.unwaited(*a, true, result_counters, in_queue, f);
      } else if (!result && a->has(access::late) && (read | write) != 0) {
        bad = range.unwaited(*a, false, read != 0 ? read : write, behind_reads, f);
      }
      if (!bad) continue;
      out.push_back(f);
      return 1;
    }
    return 0;
  }
};

}  // namespace ww::scoreboard
