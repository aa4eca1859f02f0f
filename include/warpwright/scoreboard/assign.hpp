// SPDX-License-Identifier: BSL-1.0
//
// Control words for a whole program (phase 115, SB-7): given any legal order, fills instruction::ctl of every instruction.
//
//   counters.hpp  which counter each producer raises, and who waits for which (whole program, all paths)
//   stalls.hpp    issue distances of fixed-latency results, own stalls, yield
//   reuse.hpp     operand-cache flags that are still valid
// The result is right for the kernel as a whole: across blocks, loops and calls. The program must have its blocks
// and edges (ir/cfg.hpp). A program that was read from a listing keeps what its control words said about counters without
// registers (special.hpp). Policies are found by role: barrier_policy and yield_policy; others are ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "counters.hpp"
#include "reuse.hpp"
#include "stalls.hpp"

namespace ww::scoreboard {

struct assign_stats {
  std::uint64_t instructions = 0;
  std::uint64_t stall_cycles = 0;  // sum of all stalls, each instruction once
  std::uint64_t waits = 0;         // instructions with a wait mask
  std::uint64_t write_sets = 0;
  std::uint64_t read_sets = 0;
  std::uint64_t drains = 0;  // dependences that no stall could cover
  std::uint64_t reuse_kept = 0;
};

namespace detail {

template <class Role, class Default, class... Policies>
struct policy_of {
  using type = Default;
};
template <class Role, class Default, class First, class... Rest>
struct policy_of<Role, Default, First, Rest...> {
  template <class P, class = void>
  struct matches : std::false_type {};
  template <class P>
  struct matches<P, std::void_t<typename P::role>> : std::is_same<typename P::role, Role> {};
  using type = std::conditional_t<matches<First>::value, First, typename policy_of<Role, Default, Rest...>::type>;
};

// Decodes the instruction at one position; false if a register has no unit in the present layout.
template <class Arch>
bool fill_site(const program& p, std::uint32_t pos, const std::array<class_entry, sched_class_count>& table,
               std::uint8_t named, workspace& ws) {
  const instr_id id = p.order[pos];
  const instruction& i = p[id];
  const class_entry& c = table[static_cast<unsigned>(i.iclass)];
  site& s = ws.sites[pos];
  s = site{};
  s.instruction = id.index();
  s.first = static_cast<std::uint32_t>(ws.accesses.size());
  s.iclass = i.iclass;
  const bool guard = i.has(iflag::guarded);
  if (guard) s.bits |= site::guarded;
  if (i.has(iflag::unknown)) s.bits |= site::unknown;
  if (c.variable) s.bits |= site::variable;
  bool fits = true;
  for (const operand o : p.operands_of(i)) {
    const std::uint32_t u = ws.units.first(o);
    if (u == unit_map::none) continue;
    access a;
    fits = fits && ws.units.fits(o);
    a.unit = u;
    a.width = static_cast<std::uint8_t>(unit_map::width(o));
    a.where = o.where();
    a.file = o.file();
    if (o.is_def()) {
      a.bits = static_cast<std::uint8_t>(access::def | (!guard && !o.is_partial() ? access::kills : 0u));
      s.bits |= site::result;
    } else if (c.late && late_source<typename Arch::latency>({i.iclass, o.where(), o.file(), 0, guard})) {
      a.bits = access::late;
      s.bits |= site::late;
    } else {
      const unsigned f = static_cast<unsigned>(a.file) - 1u;
      if (f < 4 && c.war[f] > 2) a.bits = access::slow;
    }
    ws.accesses.push_back(a);
  }
  s.count = static_cast<std::uint8_t>(ws.accesses.size() - s.first);
  s.role = role_of(i, i.ctl, p.has_control, s.has(site::result), named);
  s.floor = i.iclass == sched_class::errbar ? std::uint8_t{255} : std::max<std::uint8_t>(1, c.min_stall);
  return fits;
}

// Decodes every position; false if a register has no unit in the present layout.
template <class Arch>
bool fill_sites(const program& p, workspace& ws, std::uint8_t& reserved) {
  const auto& table = class_table<Arch>();
  ws.sites.resize(p.order.size());
  ws.accesses.clear();
  reserved = 0;
  const std::uint8_t named = named_counters(p);
  for (const block& k : p.blocks) {
    for (std::uint32_t pos = k.first; pos < k.first + k.count; ++pos) {
      if (!fill_site<Arch>(p, pos, table, named, ws)) return false;
      site& s = ws.sites[pos];
      if (k.open_exit && pos + 1 == k.first + k.count) s.role.bits |= special_role::wait_all;
      if (s.iclass == sched_class::ldgdepbar && s.role.has(special_role::pin_write)) {
        reserved = static_cast<std::uint8_t>(reserved | (1u << s.role.write_pin));
      }
    }
  }
  return true;
}

// Sizes the workspace for `p` and forgets what it held. Returns the counters that only pinned producers use.
template <class Arch>
std::uint8_t prepare(const program& p, workspace& ws) {
  std::uint8_t reserved = 0;
  ws.units.set_physical();
  if (!fill_sites<Arch>(p, ws, reserved)) {
    ws.units.build(p);
    (void)fill_sites<Arch>(p, ws, reserved);
  }
  const std::size_t units = ws.units.count;
  const std::size_t positions = p.order.size();
  ws.state.assign(units, {});
  ws.next_access.assign(units, need_none);
  ws.next_write.assign(units, need_none);
  ws.next_write_queue.assign(units, queue_mixed);
  ws.heads.assign(units, {});
  ws.stamp.assign(units, 0);
  ws.stamp_value = 0;
  ws.need_write.assign(positions, need_none);
  ws.need_read.assign(positions, need_none);
  ws.estimate.resize(positions);
  if (ws.flow.size() < p.blocks.size()) ws.flow.resize(p.blocks.size());
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    block_flow& f = ws.flow[b];
    f.pending_in.clear();
    f.hint.clear();
    f.hint_busy = 0;
    f.busy_in = 0;
    f.force_in = 0;
    f.pending_dirty = true;
    f.pending_seen = false;
    f.fixed_in.clear();
    f.fixed_out.clear();
    f.set_age_in.fill(255);
    f.set_age_out.fill(255);
    f.fixed_dirty = true;
    f.fixed_seen = false;
  }
  return reserved;
}

}  // namespace detail

template <class Arch, class... Policies>
assign_stats assign_control(program& p, workspace& ws) {
  using barrier_choice_policy = typename detail::policy_of<role::barrier_policy, barriers::share, Policies...>::type;
  using yield_choice_policy = typename detail::policy_of<role::yield_policy, yields::observed, Policies...>::type;
  assign_stats s;
  const std::uint8_t reserved = detail::prepare<Arch>(p, ws);
  find_later_accesses(p, ws);
  counter_pass<Arch, barrier_choice_policy> counters(p, ws);
  counters.reserved = reserved;
  counters.run();
  stall_pass<Arch, yield_choice_policy> stalls(p, ws);
  stalls.run();
  s.drains = stalls.drains;
  s.reuse_kept = keep_valid_reuse<Arch>(p);
  for (const instr_id id : p.order) {
    const control& c = p[id].ctl;
    ++s.instructions;
    s.stall_cycles += c.stall;
    s.waits += c.wait_mask != 0 ? 1u : 0u;
    s.write_sets += c.sets_write() ? 1u : 0u;
    s.read_sets += c.sets_read() ? 1u : 0u;
  }
  p.has_control = true;
  return s;
}

}  // namespace ww::scoreboard
