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
  using type =
      std::conditional_t<matches<First>::value, First, typename policy_of<Role, Default, Rest...>::type>;
};

// Sizes the workspace for `p` and forgets what it held.
template <class Arch>
void prepare(const program& p, workspace& ws) {
  const auto& table = class_table<Arch>();
  ws.units.build(p);
  const std::size_t units = ws.units.count;
  const std::size_t positions = p.order.size();
  ws.state.assign(units, {});
  ws.next_access.assign(units, need_none);
  ws.next_write.assign(units, need_none);
  ws.next_write_queue.assign(units, queue_mixed);
  ws.write_head.assign(units, 0xffffffffu);
  ws.read_head.assign(units, 0xffffffffu);
  ws.stamp.assign(units, 0);
  ws.stamp_value = 0;
  ws.role.assign(positions, {});
  ws.need_write.assign(positions, need_none);
  ws.need_read.assign(positions, need_none);
  ws.data_bound.assign(positions, 0);
  ws.floor.assign(positions, 1);
  if (ws.flow.size() < p.blocks.size()) ws.flow.resize(p.blocks.size());
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    block_flow& f = ws.flow[b];
    f.pending_in.clear();
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
  const std::uint8_t named = named_counters(p);
  for (const block& b : p.blocks) {
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const instruction& i = p[p.order[pos]];
      const class_entry& c = table[static_cast<unsigned>(i.iclass)];
      const auto ops = p.operands_of(i);
      const bool has_result = !ops.empty() && ops.front().is_def() && ops.front().is_register();
      ws.role[pos] = role_of(i, i.ctl, p.has_control, has_result, named);
      if (b.open_exit && pos + 1 == b.first + b.count) ws.role[pos].bits |= special_role::wait_all;
      ws.floor[pos] = i.iclass == sched_class::errbar ? std::uint8_t{255} : c.min_stall;
    }
  }
}

}  // namespace detail

template <class Arch, class... Policies>
assign_stats assign_control(program& p, workspace& ws) {
  using barrier_choice_policy = typename detail::policy_of<role::barrier_policy, barriers::share, Policies...>::type;
  using yield_choice_policy = typename detail::policy_of<role::yield_policy, yields::observed, Policies...>::type;
  assign_stats s;
  detail::prepare<Arch>(p, ws);
  find_later_accesses(p, ws);
  counter_pass<Arch, barrier_choice_policy> counters{p, ws};
  for (const instruction& i : p.instructions) {
    if (i.iclass == sched_class::ldgdepbar) {
      const special_role r = role_of(i, i.ctl, p.has_control, false, named_counters(p));
      if (r.has(special_role::pin_write)) counters.reserved = static_cast<std::uint8_t>(counters.reserved | (1u << r.write_pin));
    }
  }
  counters.run();
  stall_pass<Arch, yield_choice_policy> stalls{p, ws};
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
