// SPDX-License-Identifier: BSL-1.0
//
// Who touches a register behind an instruction, inside its block: what checks 4 and 7 of SB-10 ask (schedule_checks.hpp).
//
//   each_touch     everybody who reads or writes a unit, nearest first, up to the write that certainly replaces it
//   first_asking   who needs a counted result first, later writes of its in-order queue left out
//   too_near       a touch of a fixed-latency result before its cycles have passed
//   unwaited       a touch of a counted result, or a write over a late source, that no wait stands in front of; a wait so close behind
//                  the set that it cannot see it is none (barriers::set_to_wait)
// Two guards that exclude each other touch nothing in common. Only stalls count as cycles, 64 of them stand for a drain.
#pragma once

#include <cstdint>

#include "entries.hpp"
#include "needs.hpp"
#include "schedule_fault.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

template <class Arch>
struct live_range {
  static constexpr std::uint32_t drain_cycles = 64;

  const program& p;
  const workspace& ws;
  const entry_table& table;
  std::uint32_t pos;  // the instruction
  std::uint32_t end;  // of its block

  [[nodiscard]] const access* accesses_of(std::uint32_t at) const { return ws.accesses.data() + ws.sites[at].first; }

  // Calls f(position, access, is a result) until it returns true. True if it did, or if the value was replaced before `end`.
  template <class F>
  bool each_touch(std::uint32_t unit, F f) const {
    for (std::uint32_t q = pos + 1; q < end; ++q) {
      const site& s = ws.sites[q];
      const access* const first = accesses_of(q);
      bool killed = false;
      for (const access* a = first + s.results; a != first + s.count; ++a) {
        if (a->unit == unit && f(q, *a, false)) return true;
      }
      for (const access* a = first; a != first + s.results; ++a) {
        if (a->unit != unit) continue;
        if (f(q, *a, true)) return true;
        killed = killed || a->has(access::kills);
      }
      if (killed) return true;
    }
    return false;
  }

  // `need` where that is not in the block, need_none where nobody asks. `later`: units accessed behind the block.
  [[nodiscard]] std::uint32_t first_asking(std::uint32_t need, const std::uint64_t* later) const {
    if (need >= end) return need;
    std::uint32_t who = need_none;
    for (const access* a = accesses_of(pos); a != accesses_of(pos) + ws.sites[pos].results; ++a) {
      std::uint32_t asks = need_none;
      const bool ended = each_touch(a->unit, [&](std::uint32_t q, const access&, bool result) {
        if (result && replaced_by(q)) return false;
        asks = q;
        return true;
      });
      if (!ended && detail::test_bit(later, a->unit)) asks = need_beyond;
      who = asks < who ? asks : who;
    }
    return who;
  }

  bool too_near(const access& a, schedule_fault& f) const {
    using ww::detail::access_code;
    const control& own = ws.sites[pos].ctl;
    std::uint32_t reached = pos;
    std::uint32_t cycles = 0;
    bool found = false;
    each_touch(a.unit, [&](std::uint32_t q, const access& b, bool result) {
      for (; reached < q && cycles < drain_cycles; ++reached) cycles += stall_of(reached);
      if (cycles >= drain_cycles || unlike(q)) return true;
      if (own.sets_write() && table.next_wait(own.write_barrier, pos + 1, q + 1) != entry_table::none) return true;
      if (exclusive(q)) return false;
      const access_point from = access_code::point(a.code(), a.file());
      const access_point to = access_code::point(b.code(), b.file());
      const unsigned needed = result ? Arch::latency::waw(from, to).check : Arch::latency::raw(from, to).check;
      found = cycles < needed;
      if (found) f = {schedule_check::live_range, pos, q, cycles, needed};
      return found;
    });
    return found;
  }

  // `counters`: mask of those of which a wait for one is enough. `may_pass(q)`: the write at `q` needs no wait.
  template <class F>
  bool unwaited(const access& a, bool result, unsigned counters, F may_pass, schedule_fault& f) const {
    bool found = false;
    each_touch(a.unit, [&](std::uint32_t q, const access&, bool over) {
      if (unlike(q)) return true;
      if ((!result && !over) || exclusive(q) || (over && may_pass(q))) return false;
      std::uint32_t near = entry_table::none;
      for (std::uint8_t c = 0; c < 8; ++c) {
        if ((counters >> c & 1u) == 0) continue;
        if (table.next_wait(c, seen_from(), q + 1) != entry_table::none) return true;
        const std::uint32_t w = table.next_wait(c, pos + 1, q + 1);
        near = w < near ? w : near;
        f.value = c;
      }
      found = true;
      f = {schedule_check::live_range, pos, q, f.value, 0};
      if (near != entry_table::none) {
        f.value = cycles_to(near);
        f.limit = Arch::barriers::set_to_wait;
      }
      return true;
    });
    return found;
  }

  // What the instruction at `q` touches is not known, or the warp's registers change.
  [[nodiscard]] bool unlike(std::uint32_t q) const {
    const instruction& i = p.instructions[ws.sites[q].instruction];
    return i.has(iflag::unknown) || resizes_registers(i);
  }

  // The result of `q` comes behind that of `pos` in one queue.
  [[nodiscard]] bool replaced_by(std::uint32_t q) const {
    const std::uint8_t queue = row(pos).replace_queue;
    return ws.sites[q].has(site::variable) && queue != queue_mixed && queue == row(q).replace_queue;
  }
  // The result of `q` lands behind the late reads of `pos`.
  [[nodiscard]] bool lands_behind(std::uint32_t q) const {
    return row(pos).read_queue != queue_mixed && row(pos).read_queue == row(q).overwrite_queue;
  }

  // First position that sees the counters of `pos`. A single cycle with yield leaves one free by itself, and DEPBAR sees them at once.
  [[nodiscard]] std::uint32_t seen_from() const {
    const control& own = ws.sites[pos].ctl;
    std::uint32_t cycles = own.stall == 1 && own.yield ? 1 : 0;
    std::uint32_t q = pos;
    while (q < end && cycles < Arch::barriers::set_to_wait) {
      cycles += stall_of(q++);
      if (q < end && ws.sites[q].iclass == sched_class::depbar) break;
    }
    return q;
  }

 private:
  [[nodiscard]] const class_entry& row(std::uint32_t q) const {
    return class_table<Arch>()[static_cast<unsigned>(ws.sites[q].iclass)];
  }
  [[nodiscard]] std::uint32_t stall_of(std::uint32_t q) const {
    const control& c = ws.sites[q].ctl;
    return c.drains() ? drain_cycles : c.stall;
  }
  [[nodiscard]] std::uint32_t cycles_to(std::uint32_t q) const {
    std::uint32_t cycles = 0;
    for (std::uint32_t k = pos; k < q && cycles < drain_cycles; ++k) cycles += stall_of(k);
    return cycles;
  }
  [[nodiscard]] const access* guard_of(std::uint32_t q) const {
    for (const access* a = accesses_of(q); a != accesses_of(q) + ws.sites[q].count; ++a) {
      if (a->where() == slot::guard) return a;
    }
    return nullptr;
  }
  // One of the two at most acts: their guards are the two senses of one value.
  [[nodiscard]] bool exclusive(std::uint32_t q) const {
    const access* const mine = guard_of(pos);
    const access* const other = guard_of(q);
    if (mine == nullptr || other == nullptr || mine->unit != other->unit) return false;
    const auto negated = [&](std::uint32_t at) { return p.instructions[ws.sites[at].instruction].guard_negated; };
    if (negated(pos) == negated(q)) return false;
    for (std::uint32_t k = pos; k < q; ++k) {
      for (const access* a = accesses_of(k); a != accesses_of(k) + ws.sites[k].results; ++a) {
        if (a->unit == mine->unit) return false;
      }
    }
    return true;
  }
};

}  // namespace ww::scoreboard
