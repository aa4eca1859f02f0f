// SPDX-License-Identifier: BSL-1.0
//
// Control words for a whole program (phase 115, SB-7): given any legal order, fills instruction::ctl of every instruction.
//
//   counters.hpp  which counter each producer raises, and who waits for which (whole program, all paths)
//   stalls.hpp    issue distances of fixed-latency results, own stalls, yield
//   reuse.hpp     operand-cache flags
// The result is right for the kernel as a whole: across blocks, loops and calls. The program must have its blocks
// and edges (ir/cfg.hpp). A program that was read from a listing keeps what its control words said about counters without
// registers (special.hpp). Policies are found by role: barrier_policy, yield_policy and reuse_policy;
// others are ignored.
#pragma once

#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/pick.hpp"
#include "../meta/traits.hpp"
#include "counters.hpp"
#include "old_waits.hpp"
#include "reuse.hpp"
#include "stalls.hpp"
#include "yield_rhythm.hpp"

namespace ww::scoreboard {

struct assign_stats {
  std::uint64_t instructions = 0;
  std::uint64_t stall_cycles = 0;  // sum of all stalls, each instruction once
  std::uint64_t waits = 0;         // instructions with a wait mask
  std::uint64_t write_sets = 0;
  std::uint64_t read_sets = 0;
  std::uint64_t drains = 0;  // dependences that no stall could cover
  std::uint64_t reuse_flags = 0;
};

namespace detail {

template <class Role, class Default, class... Policies>
struct policy_of {
  using type = Default;
};
template <class Role, class Default, class Slot, class... Rest>
struct policy_of<Role, Default, meta::by_default<Slot>, Rest...> : policy_of<Role, Default, Rest...> {};  // nobody's choice
template <class Role, class Default, class First, class... Rest>
struct policy_of<Role, Default, First, Rest...> {
  template <class P>
  struct matches {
    static constexpr bool value = false;
  };
  template <class P>
  requires requires { typename P::role; }
  struct matches<P> {
    static constexpr bool value = __is_same(typename P::role, Role);
  };
  using type = meta::conditional_t<matches<First>::value, First, typename policy_of<Role, Default, Rest...>::type>;
};

template <class Barrier, class Yield, class Reuse>
struct control_policies {
  using barrier = Barrier;
  using yield = Yield;
  using reuse = Reuse;
};
// Those of a list in any order, with the defaults of what it leaves out.
template <class... Policies>
using chosen_policies = control_policies<typename policy_of<role::barrier_policy, barriers::share, Policies...>::type,
                                         typename policy_of<role::yield_policy, yields::observed, Policies...>::type,
                                         typename policy_of<role::reuse_policy, reuse::as_compiler, Policies...>::type>;

inline constexpr std::size_t widest = 255;  // units of one operand: its width has eight bits
// Cycles behind an opcode that is not known. Who comes next may be another than the compiler had there, and may overwrite what it
// reads: UGETNEXTWORKID of sm_100 raises no counter and needs six cycles. Assumed: nothing takes longer than a predicate.
inline constexpr unsigned behind_unknown = 13;

// Where the accesses and writes of one block are noted, each unit once: a bit is set through memory that the next
// instruction sets bits in as well, and looking is cheaper.
struct block_marks {
  unit_block* seen;
  std::uint64_t* access;
  std::uint64_t* write;
  std::uint32_t block;  // its index + 1

  [[gnu::always_inline]] constexpr void mark(std::uint32_t unit, bool writes) const {
    if (seen[unit].access != block) {
      seen[unit].access = block;
      set_bit(access, unit);
    }
    if (writes && seen[unit].write != block) {
      seen[unit].write = block;
      set_bit(write, unit);
    }
  }
};

// Decodes the instruction of a site into `a`, and marks its units in the `gen` bits of its block. False if a
// register has no unit in the present layout.
template <class Arch>
[[gnu::always_inline]] constexpr bool fill_site(const program& p, const instruction& i, const class_entry& c, bool known,
                                                std::uint8_t named, const unit_map& units, site& s, access* a,
                                                const block_marks& marks) {
  constexpr std::uint32_t rare = static_cast<std::uint32_t>(iflag::padding) | static_cast<std::uint32_t>(iflag::unknown);
  const bool guard = i.has(iflag::guarded);
  const operand* o = p.operands.data() + i.first_operand;
  const operand* const end = o + i.operand_count;
  const std::uint32_t code = ww::detail::access_code::of(i.iclass, slot::none, guard);
  access* const begin = a;
  unsigned bits = guard ? site::guarded : 0u;
  const auto add = [&](operand x, std::uint32_t what, bool def) {
    std::uint32_t unit = units.first(x);
    for (unsigned k = unit_map::width(x);; ++unit, what += ww::detail::access_code::next_part) {
      *a++ = {unit, what};
      marks.mark(unit, def);
      if (--k == 0) return;
    }
  };
  for (; o != end && o->is_def(); ++o) {
    if (!units.has(*o)) {
      if (units.missing(*o)) return false;
      continue;
    }
    add(*o, code | unit_map::place(*o) | access::def | (!guard && !o->is_partial() ? access::kills : 0u), true);
  }
  const auto results = static_cast<unsigned>(a - begin);
  for (; o != end; ++o) {
    if (!units.has(*o)) {
      if (units.missing(*o)) return false;
      continue;
    }
    std::uint32_t what = code | unit_map::place(*o);
    if (c.late && c.reads_late(o->where(), o->file(), guard)) {
      what |= access::late;
      bits |= site::late;
    } else if (c.slow && static_cast<unsigned>(o->file()) - 1u < 4u &&
               c.war[(static_cast<unsigned>(o->file()) - 1u) & 3u] > 2) {
      what |= access::slow;
    }
    add(*o, what, false);
  }
  s.results = static_cast<std::uint16_t>(results);
  s.count = static_cast<std::uint16_t>(a - begin);
  s.iclass = i.iclass;
  s.ctl = i.ctl;
  s.floor = i.op == opcode::errbar ? std::uint8_t{255} : c.min_stall;
  s.role = {};
  if (c.variable) bits |= site::variable;
  const bool resizes = resizes_registers(i);
  if (resizes) {
    bits |= site::unknown;  // everything has landed before it
    s.floor = results != 0 ? std::uint8_t{2} : std::uint8_t{255};
  }
  if (resizes || c.special || (i.flags & rare) != 0) {
    if (i.has(iflag::unknown)) {
      bits |= site::unknown;
      s.floor = static_cast<std::uint8_t>(meta::max(behind_unknown, known ? unsigned{i.ctl.stall} : 0u));
    }
    s.role = role_of<Arch>(i, i.ctl, known, results != 0, named);
  }
  s.bits = static_cast<std::uint8_t>(bits);
  return true;
}

// Decodes every position and estimates its issue inside its block, counters left out; false if a register has no unit in
// the present layout.
template <class Arch>
constexpr bool fill_sites(const program& p, workspace& ws, std::uint8_t& reserved) {
  const class_entry* const table = class_rows<Arch>(ws.classes);
  reserved = 0;
  const std::uint8_t named = named_counters(p);
  const bool known = control_is_known(p);
  ws.seen.assign(ws.units.count, {});
  ws.words = (ws.units.count + 63u) / 64u;
  ws.gen_access.assign(p.blocks.size() * ws.words, 0);
  ws.gen_write.assign(p.blocks.size() * ws.words, 0);
  std::uint32_t used = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    const block& k = p.blocks[b];
    const block_marks marks{ws.seen.data(), ws.gen_access.data() + b * ws.words, ws.gen_write.data() + b * ws.words,
                            static_cast<std::uint32_t>(b + 1)};
    set_bit(marks.access, ws.units.order_unit);
    array<std::int32_t, pipe_count> pipe{};
    std::int32_t t = 0;
    for (std::uint32_t pos = k.first; pos < k.first + k.count; ++pos) {
      const instruction& i = p[p.order[pos]];
      const class_entry& c = table[static_cast<unsigned>(i.iclass)];
      if (ws.accesses.size() - used < widest * std::size_t{i.operand_count}) {
        ws.accesses.resize(2 * ws.accesses.size() + widest * std::size_t{i.operand_count} + 1024);
      }
      site& s = ws.sites[pos];
      s.instruction = p.order[pos].index();
      s.first = used;
      if (!fill_site<Arch>(p, i, c, known, named, ws.units, s, ws.accesses.data() + used, marks)) return false;
      if (resizes_registers(i) && pos != k.first) {
        site& before = ws.sites[pos - 1];
        before.floor = static_cast<std::uint8_t>(meta::max(unsigned{before.floor}, before_resize));
      }
      used += s.count;
      std::int32_t& free = pipe[static_cast<unsigned>(c.pipe)];
      t = meta::max(t + (s.leave() ? 0 : 2), free);
      if (c.pipe != pipe_id::none) free = t + c.interval;
      ws.estimate[pos] = t;
      if (k.open_exit && pos + 1 == k.first + k.count) s.role.bits |= special_role::wait_all;
      if (s.iclass == sched_class::ldgdepbar && s.role.has(special_role::pin_write)) {
        reserved = static_cast<std::uint8_t>(reserved | (1u << s.role.write_pin));
      }
    }
  }
  return true;
}

// Rows of the classes that occur in `p`, by class; the others are empty.
template <class Arch>
constexpr vec<class_entry> rows_of(const program& p) {
  vec<class_entry> rows(sched_class_count);
  array<bool, sched_class_count> seen{};
  array<sched_class, sched_class_count> classes{};
  unsigned count = 0;
  for (const instruction& i : p.instructions) {
    bool& known = seen[static_cast<std::size_t>(i.iclass)];
    if (!known) classes[count++] = i.iclass;
    known = true;
  }
  fill_class_rows<Arch>(rows.data(), classes.data(), count);
  return rows;
}

// Sizes the workspace for `p` and forgets what it held. Returns the counters that only pinned producers use.
template <class Arch>
constexpr std::uint8_t prepare(const program& p, workspace& ws) {
  std::uint8_t reserved = 0;
  const std::size_t positions = p.order.size();
  if (ws.sites.size() < positions) {
    ws.sites.resize(positions);
    ws.estimate.resize(positions);
    ws.needs.resize(positions);
  }
  if (__builtin_is_constant_evaluated()) {  // few units and few rows: every step counts
    ws.classes = rows_of<Arch>(p);
    ws.units.build(p);
  } else {
    ws.units.set_physical();
  }
  if (!fill_sites<Arch>(p, ws, reserved)) {
    ws.units.build(p);
    (void)fill_sites<Arch>(p, ws, reserved);
  }
  const std::size_t units = ws.units.count;
  ws.next.assign(units, {});
  if (ws.state.size() < units) {  // empty between programs
    ws.state.resize(units);
    ws.heads.assign(units, {});
    ws.clock = 0;
  }
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

// What assign_control() does, also in constant expressions.
template <class Arch, class Policies>
constexpr assign_stats make_control(program& p, workspace& ws) {
  assign_stats s;
  const std::uint8_t reserved = prepare<Arch>(p, ws);
  find_later_accesses(p, ws);
  counter_pass<Arch, typename Policies::barrier> counters(p, ws);
  counters.reserved = reserved;
  counters.run();
  stall_pass<Arch, typename Policies::yield> stalls(p, ws);
  stalls.run();
  s.drains = stalls.drains;
  s.instructions = p.order.size();
  if constexpr (requires { Policies::barrier::drops_old_waits; }) drop_old_waits<Arch>(p, ws);
  reuse_pass<Arch, typename Policies::reuse> reuse;
  yield_rhythm<typename Policies::yield> rhythm;
  for (const block& b : p.blocks) {
    reuse.begin(b.first);
    rhythm.begin();
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const site& x = ws.sites[pos];
      instruction& i = p.instructions[x.instruction];
      i.ctl = x.ctl;
      rhythm.visit(i.ctl, x.iclass, pos + 1 == b.first + b.count);
      reuse.visit(p, i, pos);
      s.stall_cycles += x.ctl.stall;
      s.waits += x.ctl.wait_mask != 0 ? 1u : 0u;
      s.write_sets += x.ctl.sets_write() ? 1u : 0u;
      s.read_sets += x.ctl.sets_read() ? 1u : 0u;
    }
  }
  s.reuse_flags = reuse.flags();
  p.has_control = true;
  return s;
}

}  // namespace detail

template <class Arch, class... Policies>
assign_stats assign_control(program& p, workspace& ws) {
  return detail::make_control<Arch, detail::chosen_policies<Policies...>>(p, ws);
}

}  // namespace ww::scoreboard
