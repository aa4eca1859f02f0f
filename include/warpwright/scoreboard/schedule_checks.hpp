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
//   7 check_live_range         inside a block, no result is read and no late source is overwritten too early
// They take the table of entries (entries.hpp) and a workspace that `schedule_checks::prepare` has filled; faults are
// appended in program order, the number of new ones is returned. These are the text's checks, made with this folder's own
// analysis; the judge of the kit is verify/, which shares no code with it and follows dependences over all paths.
#pragma once

#include <cstdint>

#include "assign.hpp"
#include "entries.hpp"
#include "fields/dispatch.hpp"
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
          if (!queue_covered(ws, pos, need.write, p.blocks[b], true)) lacks(need.write, 0);
        }
        if (s.has(site::late) && need.read != need_none && !s.ctl.sets_read()) {
          const bool inside = need.read - p.blocks[b].first < p.blocks[b].count;
          const bool covered = read_covered(p, ws, pos, need.read) || queue_covered(ws, pos, need.read, p.blocks[b], true) ||
                               queue_covered(ws, pos, need.read, p.blocks[b], false) ||
                               (inside && lands_behind(ws, pos, need.read));
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
      const std::uint32_t end = k.first + k.count;
      for (std::uint32_t pos = k.first; pos < end; ++pos) n += live_ranges_of(p, ws, pos, end, out);
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
  static constexpr std::uint32_t drain_cycles = 64;  // stands for "everything fixed has landed"

  static const access* begin_of(const workspace& ws, const site& s) { return ws.accesses.data() + s.first; }

  // The result of `pos`, waited for before `who`, says that its sources have been read.
  bool read_covered(const program& p, const workspace& ws, std::uint32_t pos, std::uint32_t who) const {
    const site& s = ws.sites[pos];
    if (who >= p.order.size() || !s.ctl.sets_write()) return who == need_beyond && s.ctl.sets_write();
    return table.next_wait(s.ctl.write_barrier, pos + 1, who + 1) != entry_table::none;
  }

  // A later instruction of the same in-order queue has a counter, and `who` waits for that one. For reads the counter of its
  // result will do: its own reads have ended by then, and with them the earlier ones.
  bool queue_covered(const workspace& ws, std::uint32_t pos, std::uint32_t who, const block& b, bool result) const {
    const auto& classes = class_table<Arch>();
    const class_entry& mine = classes[static_cast<unsigned>(ws.sites[pos].iclass)];
    const std::uint8_t queue = result ? mine.write_queue : mine.read_queue;
    if (queue == queue_mixed || queue == queue_empty) return false;
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

  // First position in (pos, end) that touches `unit`: reading it (`reads`), or writing it.
  static std::uint32_t next_touch(const workspace& ws, std::uint32_t unit, std::uint32_t pos, std::uint32_t end, bool reads,
                                  const access** found) {
    for (std::uint32_t q = pos + 1; q < end; ++q) {
      const site& s = ws.sites[q];
      const access* const first = begin_of(ws, s);
      for (const access* a = first + (reads ? s.results : 0u); a != first + (reads ? s.count : s.results); ++a) {
        if (a->unit != unit) continue;
        *found = a;
        return q;
      }
      for (const access* a = first; reads && a != first + s.results; ++a) {
        if (a->unit == unit && a->has(access::kills)) return end;
      }
    }
    return end;
  }

  unsigned live_ranges_of(const program& p, const workspace& ws, std::uint32_t pos, std::uint32_t end,
                          vec<schedule_fault>& out) const {
    using ww::detail::access_code;
    const site& s = ws.sites[pos];
    if (s.leave() || s.iclass == sched_class::hgmma || unlike(p, s)) return 0;
    const access* const first = begin_of(ws, s);
    for (const access* a = first; a != first + s.count; ++a) {
      const bool result = a < first + s.results;
      if (!result && (!a->has(access::late) || !s.ctl.sets_read())) continue;
      if (result && s.has(site::variable) && !s.ctl.sets_write()) continue;  // check 4
      const access* other = nullptr;
      const std::uint32_t q = next_touch(ws, a->unit, pos, end, result, &other);
      if (q == end || unlike(p, ws.sites[q])) continue;
      if (result && !s.has(site::variable)) {
        std::uint32_t cycles = 0;
        for (std::uint32_t k = pos; k < q && cycles < drain_cycles; ++k) {
          const control& c = ws.sites[k].ctl;
          cycles += c.drains() ? drain_cycles : c.stall;
        }
        const unsigned needed =
            Arch::latency::raw(access_code::point(a->code(), a->file()), access_code::point(other->code(), other->file()))
                .check;
        if (cycles >= needed || cycles >= drain_cycles) continue;
        out.push_back({schedule_check::live_range, pos, q, cycles, needed});
        return 1;
      }
      const unsigned counter = result ? s.ctl.write_barrier : s.ctl.read_barrier;
      if (table.next_wait(counter, pos + 1, q + 1) != entry_table::none) continue;
      if (!result && (read_covered(p, ws, pos, q) || lands_behind(ws, pos, q))) continue;
      out.push_back({schedule_check::live_range, pos, q, counter, 0});
      return 1;
    }
    return 0;
  }

  // What it touches is not known, or the warp's registers change.
  static bool unlike(const program& p, const site& s) {
    const instruction& i = p.instructions[s.instruction];
    return i.has(iflag::unknown) || resizes_registers(i);
  }

  // The result of `b` lands behind the late reads of `a`.
  static bool lands_behind(const workspace& ws, std::uint32_t a, std::uint32_t b) {
    const auto& classes = class_table<Arch>();
    const std::uint8_t qa = classes[static_cast<unsigned>(ws.sites[a].iclass)].read_queue;
    return qa != queue_mixed && qa == classes[static_cast<unsigned>(ws.sites[b].iclass)].overwrite_queue;
  }
};

}  // namespace ww::scoreboard
