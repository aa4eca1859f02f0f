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
#include "../meta/bits.hpp"
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

// What all instructions of one program have in common while they are decoded.
struct decode_facts {
  const class_entry* table;
  bool known;  // the words mean something (ir/known_control.hpp)
  bool counted_named = false;
  std::uint8_t named = 0;  // counters that DEPBAR names, once somebody has asked

  constexpr std::uint8_t named_by(const program& p) {
    if (!counted_named) named = named_counters(p);
    counted_named = true;
    return named;
  }
};

// Decodes operands one by one into accesses.
struct operand_decoder {
  const unit_map::file_units* files;
  access* end;
  bool missing = false;  // a register had no unit in the present layout

  [[gnu::always_inline]] constexpr void add(operand x, std::uint32_t what) {
    const unit_map::file_units f = files[unit_map::file_of(x)];
    const std::uint32_t number = x.low & reg::number_mask;
    if (number >= f.limit) {
      missing = missing || (f.limit != 0 && number != reg::zero_number);
      return;
    }
    what |= unit_map::place(x);
    std::uint32_t unit = f.base + number;
    *end++ = {unit, what};
    if (x.width() <= 1) return;
    missing = missing || number + x.width() > f.limit;
    for (unsigned k = 1; k < x.width(); ++k) {
      what += ww::detail::access_code::next_part;
      *end++ = {++unit, what};
    }
  }
};

// Marks the sources that are read late or whose overwriting takes long; true if there are late ones.
constexpr bool mark_delayed(access* a, const access* const end, const class_entry& c, bool guard) {
  bool late = false;
  for (; a != end; ++a) {
    const reg_file file = a->file();
    if (c.late && c.reads_late(static_cast<slot>(a->what >> 8 & 0x1fu), file, guard)) {
      a->what |= access::late;
      late = true;
    } else if (c.slow && static_cast<unsigned>(file) - 1u < 4u && c.war[(static_cast<unsigned>(file) - 1u) & 3u] > 2) {
      a->what |= access::slow;
    }
  }
  return late;
}

// Sets the bits of the units that are accessed and written. A unit is looked at once for each: bits that stand side by side
// are set through the same memory.
constexpr void mark_units(const access* a, const access* const end, std::uint32_t* seen, std::uint32_t stamp,
                          std::uint64_t* accessed, std::uint64_t* written) {
  for (; a != end; ++a) {
    const std::uint32_t def = a->what >> access::def_at & 1u;
    std::uint32_t& last = seen[a->unit];
    if (last >= stamp + def) continue;
    last = stamp + def;
    set_bit(accessed, a->unit);
    if (def != 0) set_bit(written, a->unit);
  }
}

// Decodes the instruction at a position into its site and `a`; false if a register has no unit in the present layout.
template <class Arch>
[[gnu::always_inline]] constexpr bool fill_site(const program& p, const instruction& i, const class_entry& c,
                                                decode_facts& facts, const unit_map& units, site& s, access* const a) {
  constexpr std::uint32_t rare = static_cast<std::uint32_t>(iflag::padding) | static_cast<std::uint32_t>(iflag::unknown);
  const bool guard = i.has(iflag::guarded);
  const operand* o = p.operands.data() + i.first_operand;
  const operand* const last = o + i.operand_count;
  const std::uint32_t code = ww::detail::access_code::of(i.iclass, slot::none, guard);
  operand_decoder decoder{units.files.data(), a};
  const std::uint32_t result = code | access::def | (guard ? 0u : access::kills);
  for (; o != last && o->is_def(); ++o) decoder.add(*o, result & ~(o->is_partial() ? access::kills : 0u));
  access* const sources = decoder.end;
  for (; o != last; ++o) decoder.add(*o, code);
  access* const end = decoder.end;
  if (decoder.missing) return false;
  unsigned bits = (guard ? site::guarded : 0u) | (c.variable ? site::variable : 0u);
  if ((c.late || c.slow) && mark_delayed(sources, end, c, guard)) bits |= site::late;
  const auto results = static_cast<std::uint16_t>(sources - a);
  s.ctl = i.ctl;
  s.results = results;
  s.count = static_cast<std::uint16_t>(end - a);
  s.role = {};
  s.iclass = i.iclass;
  s.floor = c.min_stall;
  if (c.special || (i.flags & rare) != 0 || resizes_registers(i)) {
    if (i.op == opcode::errbar) s.floor = 255;
    if (goes_collectively(i)) {
      bits |= site::after_all;
      s.floor = static_cast<std::uint8_t>(meta::clamp<unsigned>(Arch::pipes::min_stall(sched_class::branch), s.floor, 15));
    }
    if (resizes_registers(i)) {
      bits |= site::after_all;
      s.floor = results != 0 ? std::uint8_t{2} : std::uint8_t{255};
    }
    if (i.has(iflag::unknown)) {
      bits |= site::after_all;
      s.floor = static_cast<std::uint8_t>(meta::max(behind_unknown, facts.known ? unsigned{i.ctl.stall} : 0u));
    }
    s.role = role_of<Arch>(i, i.ctl, facts.known, results != 0, facts.named_by(p));
  }
  s.bits = static_cast<std::uint8_t>(bits);
  return true;
}

// Decodes every position and estimates its issue inside its block, counters left out; false if a register has no unit in
// the present layout.
template <class Arch>
constexpr bool fill_sites(const program& p, workspace& ws, std::uint8_t& reserved) {
  decode_facts facts{class_rows<Arch>(ws.classes), control_is_known(p)};
  reserved = 0;
  if (ws.seen_stamp > 1u << 30) {
    ws.seen.clear();
    ws.seen_stamp = 0;
  }
  if (ws.seen.size() < ws.units.count) ws.seen.resize(ws.units.count);
  ws.acquires = false;
  ws.words = (ws.units.count + 63u) / 64u;
  ws.gen_access.assign(p.blocks.size() * ws.words, 0);
  ws.gen_write.assign(p.blocks.size() * ws.words, 0);
  const instr_id* const order = p.order.data();
  const instruction* const instructions = p.instructions.data();
  site* const sites = ws.sites.data();
  std::int32_t* const estimate = ws.estimate.data();
  std::size_t room = ws.accesses.size();
  std::uint32_t used = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    const block& k = p.blocks[b];
    const std::uint32_t first_access = used;
    array<std::int32_t, pipe_count> pipe{};
    std::int32_t t = 0;
    const std::uint32_t last = k.first + k.count;
    for (std::uint32_t pos = k.first; pos < last; ++pos) {
      const instr_id id = order[pos];
      const instruction& i = instructions[id.index()];
      const class_entry& c = facts.table[static_cast<unsigned>(i.iclass)];
      if ((room - used) / (widest + 1) < i.operand_count) {
        ws.accesses.resize(2 * ws.accesses.size() + (widest + 1) * std::size_t{i.operand_count} + 1024);
        room = ws.accesses.size();
      }
      site& s = sites[pos];
      s.instruction = id.index();
      s.first = used;
      if (!fill_site<Arch>(p, i, c, facts, ws.units, s, ws.accesses.data() + used)) return false;
      used += s.count;
      std::int32_t& free = pipe[static_cast<unsigned>(c.pipe)];
      t = meta::max(t + (s.leave() ? 0 : 2), free);
      if (c.pipe != pipe_id::none) free = t + c.interval;
      estimate[pos] = t;
      if (s.role.bits == 0) continue;
      ws.acquires = ws.acquires || s.role.has(special_role::acquire);
      if (s.has(site::after_all) && resizes_registers(i) && pos != k.first) {
        site& before = sites[pos - 1];
        before.floor = static_cast<std::uint8_t>(meta::max(unsigned{before.floor}, before_resize));
      }
      if (s.iclass == sched_class::ldgdepbar && s.role.has(special_role::pin_write)) {
        reserved = static_cast<std::uint8_t>(reserved | (1u << s.role.write_pin));
      }
    }
    std::uint64_t* const accessed = ws.gen_access.data() + b * ws.words;
    set_bit(accessed, ws.units.order_unit);
    set_bit(accessed, ws.units.acquire_unit);
    mark_units(ws.accesses.data() + first_access, ws.accesses.data() + used, ws.seen.data(), ws.seen_stamp += 2, accessed,
               ws.gen_write.data() + b * ws.words);
    if (k.open_exit && k.count != 0) ws.sites[k.first + k.count - 1].role.bits |= special_role::wait_all;
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

// Clears `next` of the units that the program accesses, and notes in which words they stand.
constexpr void forget_later_accesses(const program& p, workspace& ws) {
  if (ws.next.size() < ws.units.count) ws.next.resize(ws.units.count);
  ws.accessed_words.clear();
  for (std::uint32_t w = 0; w < ws.words; ++w) {
    std::uint64_t any = 0;
    for (std::size_t b = 0; b < p.blocks.size(); ++b) any |= ws.gen_access[b * ws.words + w];
    if (any != 0) ws.accessed_words.push_back(w);
    for (; any != 0; any &= any - 1) ws.next[w * 64 + static_cast<unsigned>(meta::countr_zero(any))] = {};
  }
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
  forget_later_accesses(p, ws);
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
