// SPDX-License-Identifier: BSL-1.0
//
// DEPBAR.LE for in-order groups: results of one in-order queue on one counter, and waits for the first k of n of them.
//
//   group        producers of one queue that raise one counter, one behind the other, with nobody waiting in between
//   group wait   DEPBAR.LE SBx, n-k before the first instruction that needs the k-th: results of one queue return in order,
//                so that n-k outstanding increments can only be the last n-k (facts: hardware 1.4, use (a) of DEPBAR). A
//                plain wait in its word would be for all n
//   judge        a callable that says what a program costs; a group keeps its DEPBARs only where that is less
// Instructions are inserted, so that this is for programs in memory, and nobody calls it by default. A group ends inside its
// block; what else relies on its counter (covered results, late reads, control flow) waits for all of it.
#pragma once

#include <cstdint>

#include "../meta/array.hpp"
#include "assign.hpp"
#include "opex.hpp"

namespace ww::barriers {

// Where counters run out, results of one in-order queue join the counter that the queue has already, up to eight of them;
// the rest as in `share`. Without group_waits.hpp this only makes consumers wait longer.
struct in_order_groups {
  using role = ww::role::barrier_policy;
  static constexpr const char* name = "in_order_groups";
  static constexpr unsigned group = 8;  // the model tells no more outstanding ones apart

  template <class Pool>
  static constexpr scoreboard::barrier_choice choose(const Pool& pool, const scoreboard::barrier_request& q) {
    if (q.crowded && q.write && q.queue != scoreboard::queue_mixed) {
      for (unsigned i = 0; i < Pool::size; ++i) {
        const auto& r = pool.records[i];
        if (r.reserved || pool.is_free(i) || !r.writes || r.last_queue != q.queue || r.producers >= group) continue;
        return {static_cast<std::uint8_t>(i), false, true};
      }
    }
    return share::choose(pool, q);
  }
};

}  // namespace ww::barriers

namespace ww::scoreboard {

struct group_stats {
  std::uint32_t groups = 0;   // that keep their DEPBARs
  std::uint32_t depbars = 0;  // inserted
};

template <class Arch>
class group_finder {
 public:
  explicit group_finder(const program& program) : p(program) {}

  // Looks at the group whose first waiter stands at `pos` of block `b` and waits for `counter`. True if its waits can be
  // made for parts of it: `insertions` and `full` (where a plain wait for the counter stands instead) are filled.
  bool look(const block& b, std::uint32_t pos, unsigned counter) {
    insertions.clear();
    full = none;
    if (!find_members(b, pos, counter)) return false;
    std::uint32_t done = 0;
    const auto all = static_cast<std::uint32_t>(members.size());
    for (std::uint32_t at = pos; at < b.first + b.count; ++at) {
      const instruction& i = p[p.order[at]];
      if (i.has(iflag::padding)) continue;
      std::uint32_t need = needs(b, pos, i);
      if (raises(i, counter) || at + 1 == b.first + b.count) need = all;  // nothing outlives its counter or its block
      if (need <= done) continue;
      if (need == all) {
        full = at;
        return !insertions.empty();
      }
      insertions.push_back({at, static_cast<std::uint8_t>(counter),
                            static_cast<std::uint8_t>(Arch::barriers::depbar_min_stall),
                            static_cast<std::uint8_t>(all - need)});
      done = need;
    }
    return false;
  }

  static constexpr std::uint32_t none = 0xffffffffu;
  vec<insertion> insertions;
  std::uint32_t full = none;

 private:
  const program& p;
  const array<class_entry, sched_class_count>& table = class_table<Arch>();
  vec<std::uint32_t> members;  // positions

  static bool raises(const instruction& i, unsigned counter) {
    return (i.ctl.sets_write() && i.ctl.write_barrier == counter) || (i.ctl.sets_read() && i.ctl.read_barrier == counter);
  }
  [[nodiscard]] const class_entry& row(const instruction& i) const { return table[static_cast<unsigned>(i.iclass)]; }

  // The producers behind the last wait for the counter, in this block: all of one queue, and at least two.
  bool find_members(const block& b, std::uint32_t pos, unsigned counter) {
    members.clear();
    bool clean = false;
    std::uint32_t first = pos;
    while (first-- > b.first) {
      const instruction& i = p[p.order[first]];
      if (raises(i, counter)) members.push_back(first);
      clean = (i.ctl.wait_mask >> counter & 1u) != 0;
      if (clean) break;
    }
    if (!clean && !b.entry) return false;  // what came in from elsewhere is not known
    if (members.size() < 2 || members.size() > barriers::in_order_groups::group) return false;
    meta::reverse(members.begin(), members.end());
    const std::uint8_t queue = row(p[p.order[members[0]]]).write_queue;
    for (const std::uint32_t m : members) {
      const instruction& i = p[p.order[m]];
      const bool plain = i.ctl.sets_write() && i.ctl.write_barrier == counter && !i.has(iflag::guarded) &&
                         !i.has(iflag::never) && !i.has(iflag::unknown) &&
                         !(i.ctl.sets_read() && i.ctl.read_barrier == counter);
      if (!plain || !row(i).variable || row(i).write_queue != queue || queue == queue_mixed) return false;
    }
    return true;
  }

  static bool overlap(operand a, operand b) {
    return a.is_register() && b.is_register() && a.file() == b.file() && !a.base().is_zero() && !b.base().is_zero() &&
           a.base().number() < b.base().number() + b.width() && b.base().number() < a.base().number() + a.width();
  }
  // Does `i` touch a result of `w`, or overwrite one of its late sources?
  [[nodiscard]] bool touches_result(const instruction& i, const instruction& w) const {
    for (const operand d : p.operands_of(w)) {
      if (!d.is_def()) continue;
      for (const operand o : p.operands_of(i)) {
        if (overlap(o, d)) return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool overwrites_source(const instruction& i, const instruction& w) const {
    if (!row(w).late) return false;
    for (const operand s : p.operands_of(w)) {
      if (s.is_def() || !row(w).reads_late(s.where(), s.file(), w.has(iflag::guarded))) continue;
      for (const operand o : p.operands_of(i)) {
        if (o.is_def() && overlap(o, s)) return true;
      }
    }
    return false;
  }

  // How many members have to be done before `i`, which stands at or behind the first waiter at `pos`.
  [[nodiscard]] std::uint32_t needs(const block& b, std::uint32_t pos, const instruction& i) const {
    const auto all = static_cast<std::uint32_t>(members.size());
    constexpr iflag leaving[] = {iflag::branch, iflag::call,    iflag::ret,         iflag::exit,       iflag::sync,
                                 iflag::fence,  iflag::unknown, iflag::convergence, iflag::reconverge, iflag::ends_block};
    for (const iflag f : leaving) {
      if (i.has(f)) return all;
    }
    std::uint32_t need = 0;
    std::uint32_t member = 0;
    for (std::uint32_t at = b.first; at < pos; ++at) {
      const instruction& w = p[p.order[at]];
      const bool is_member = member < all && members[member] == at;
      if (is_member) {
        ++member;
        if (touches_result(i, w) || overwrites_source(i, w)) need = member;
        continue;
      }
      // results and reads without a counter of their own may be under this one
      const bool covered = row(w).variable && !w.ctl.sets_write() && touches_result(i, w);
      if (covered || (!w.ctl.sets_read() && overwrites_source(i, w))) return all;
    }
    return need;
  }
};

// Control words for `p` with group waits where `judge(program)` gains by them, else as assign_control makes them.
template <class Arch, class Judge>
group_stats assign_with_group_waits(program& p, workspace& ws, Judge&& judge) {
  group_stats s;
  program plain = p;
  decode_program<Arch>(p, ws);
  assign_decoded<Arch>(plain, ws);
  const auto plain_cost = judge(plain);
  assign_decoded<Arch, barriers::in_order_groups>(p, ws);
  auto best = judge(p);
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
    for (std::uint32_t pos = p.blocks[k].first; pos < p.blocks[k].first + p.blocks[k].count; ++pos) {
      const unsigned mask = p[p.order[pos]].ctl.wait_mask;
      for (unsigned counter = 0; counter < control::barrier_count; ++counter) {
        if ((mask >> counter & 1u) == 0) continue;
        group_finder<Arch> finder(p);
        if (!finder.look(p.blocks[k], pos, counter)) continue;
        program grouped = p;
        const auto bit = static_cast<std::uint8_t>(1u << counter);
        control& old = grouped[grouped.order[pos]].ctl;
        old.wait_mask = static_cast<std::uint8_t>(old.wait_mask & ~bit);
        control& last = grouped[grouped.order[finder.full]].ctl;
        last.wait_mask = static_cast<std::uint8_t>(last.wait_mask | bit);
        if (!apply_insertions(grouped, finder.insertions)) continue;
        const auto cost = judge(grouped);
        if (!(cost < best)) continue;
        best = cost;
        p = grouped;
        ++s.groups;
        s.depbars += static_cast<std::uint32_t>(finder.insertions.size());
      }
    }
  }
  if (best < plain_cost) return s;
  p = plain;
  return {};
}

}  // namespace ww::scoreboard
