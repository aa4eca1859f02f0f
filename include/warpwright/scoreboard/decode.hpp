// SPDX-License-Identifier: BSL-1.0
//
// What control words need to know of a program whatever the order inside its blocks: decoded once, used for many orders.
//
//   decode_program()  for every instruction its accesses (access.hpp) and its site without a control word; for every block
//                     which units it accesses and writes, and which ones the code behind it does
//   place_sites()     the sites in the order that the program has, with the control words that it came with
// What was decoded stays good while the instructions, their operands, and which of them each block holds stay the same. Order
// inside blocks and control words may change: several orders are tried, and each gets words.
#pragma once

#include <cstdint>

#include "../arch/far_memory.hpp"
#include "../ir/known_control.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "needs.hpp"
#include "special.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

namespace detail {

inline constexpr std::size_t widest = 255;  // units of one operand: its width has eight bits
// Cycles behind an opcode that is not known. Who comes next may be another than the compiler had there, and may overwrite what it
// reads: UGETNEXTWORKID of sm_100 raises no counter and needs six cycles. Assumed: nothing takes longer than a predicate.
inline constexpr unsigned behind_unknown = 13;

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
    if (c.late && c.reads_late(a->where(), file, guard)) {
      a->what |= access::late;
      late = true;
    } else if (c.slow && static_cast<unsigned>(file) - 1u < 4u && c.war[(static_cast<unsigned>(file) - 1u) & 3u] > 2) {
      a->what |= access::slow;
    }
  }
  return late;
}

// Are there results, and all of them predicates? That of a generic atomic says which memory it was, and comes with the reads
// from sm_90 on (predicates_with_reads).
constexpr bool predicates_only(const access* a, const access* const end) {
  if (a == end) return false;
  for (; a != end; ++a) {
    if (a->file() != reg_file::p) return false;
  }
  return true;
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

// Decodes one instruction into its site and `a`; false if a register has no unit in the present layout.
template <class Arch>
[[gnu::always_inline]] constexpr bool decode_site(const program& p, const instruction& i, const class_entry& c,
                                                  const unit_map& units, site& s, access* const a) {
  constexpr std::uint32_t rare = static_cast<std::uint32_t>(iflag::padding) | static_cast<std::uint32_t>(iflag::unknown);
  const bool guard = i.has(iflag::guarded);
  const operand* o = p.operands.data() + i.first_operand;
  const operand* const last = o + i.operand_count;
  const std::uint32_t code = ww::detail::access_code::of(i.iclass, slot::none, guard);
  operand_decoder decoder{units.files.data(), a};
  const std::uint32_t result = code | access::def | (guard ? 0u : access::kills);
  for (; o != last && o->is_def(); ++o) decoder.add(*o, result & ~(o->is_partial() ? access::kills : 0u));
  access* const sources = decoder.end;
  for (; o != last; ++o) decoder.add(*o, code | (o->port() & 3u) << access::port_at);
  access* const end = decoder.end;
  if (decoder.missing) return false;
  unsigned bits = (guard ? site::guarded : 0u) | (c.variable ? site::variable : 0u);
  if ((c.late || c.slow) && mark_delayed(sources, end, c, guard)) bits |= site::late;
  if (c.special || (i.flags & rare) != 0 || resizes_registers(i) || i.has(iflag::active_mask) ||
      lands_before<typename Arch::pipes>(i))
    bits |= site::special;
  if constexpr (requires { Arch::latency::predicates_with_reads; }) {
    constexpr bool early = Arch::latency::predicates_with_reads;
    if (early && i.iclass == sched_class::atom && predicates_only(a, sources)) bits |= site::early;
  }
  if (c.variable && sources != a && leaves_core(i)) bits |= site::far;
  s.results = static_cast<std::uint16_t>(sources - a);
  s.count = static_cast<std::uint16_t>(end - a);
  s.role = {};
  s.iclass = i.iclass;
  s.floor = static_cast<std::uint8_t>(meta::max(unsigned{c.min_stall}, own_stall<typename Arch::pipes>(p, i)));
  s.bits = static_cast<std::uint8_t>(bits);
  if ((bits & (site::variable | site::late | site::special)) != 0) {
    s.result_cycles = static_cast<std::uint16_t>(Arch::latency::result_estimate(i.iclass, i.mem_bytes));
    s.read_cycles = static_cast<std::uint16_t>(Arch::latency::read_estimate(i.iclass, i.mem_bytes));
  }
  return true;
}

// More room for decoded accesses; returns how many there is room for.
[[gnu::noinline]] constexpr std::size_t more_accesses(std::size_t operands, workspace& ws) {
  ws.accesses.resize(2 * ws.accesses.size() + (widest + 1) * operands + 1024);
  return ws.accesses.size();
}

// Decodes every instruction of a block; false if a register has no unit in the present layout.
template <class Arch>
constexpr bool decode_all(const program& p, workspace& ws) {
  const class_entry* const table = class_rows<Arch>(ws.classes);
  if (ws.seen_stamp > 1u << 30) {
    ws.seen.clear();
    ws.seen_stamp = 0;
  }
  if (ws.seen.size() < ws.units.count) ws.seen.resize(ws.units.count);
  ws.words = (ws.units.count + 63u) / 64u;
  ws.gen_access.assign(p.blocks.size() * ws.words, 0);
  ws.gen_write.assign(p.blocks.size() * ws.words, 0);
  const instruction* const instructions = p.instructions.data();
  site* const decoded = ws.decoded.data();
  std::size_t room = ws.accesses.size();
  std::size_t most_operands = 0;  // of an instruction
  std::uint32_t used = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    const std::uint32_t first_access = used;
    bool acquires = false;
    for (const instr_id id : p.order_of(p.blocks[b])) {
      const instruction& i = instructions[id.index()];
      most_operands = meta::max<std::size_t>(most_operands, i.operand_count);
      if ((room - used) / (widest + 1) < i.operand_count) room = more_accesses(i.operand_count, ws);
      site& s = decoded[id.index()];
      s.instruction = id.index();
      s.first = used;
      const class_entry& c = table[static_cast<unsigned>(i.iclass)];
      if (!decode_site<Arch>(p, i, c, ws.units, s, ws.accesses.data() + used)) return false;
      used += s.count;
      acquires = acquires || (i.iclass == sched_class::cctl && i.has(iflag::fence));
    }
    std::uint64_t* const accessed = ws.gen_access.data() + b * ws.words;
    set_bit(accessed, ws.units.order_unit);
    if (acquires) set_bit(accessed, ws.units.acquire_unit);
    mark_units(ws.accesses.data() + first_access, ws.accesses.data() + used, ws.seen.data(), ws.seen_stamp += 2, accessed,
               ws.gen_write.data() + b * ws.words);
    ws.flow[b].accesses = used - first_access;
  }
  // so that a smaller program, too, finds room for its last instruction
  if (!__builtin_is_constant_evaluated() && (room - used) / (widest + 1) < most_operands) more_accesses(most_operands, ws);
  return true;
}

// Room for the largest block and for what is outstanding at its borders, in all that is filled while words are made: which of it is
// used depends on what the instructions are, and how much there is of it does not.
[[gnu::noinline]] inline void make_room(const program& p, workspace& ws) {
  std::size_t largest = 0, accesses = 0, all = 0;  // of a block; of all
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    largest = meta::max<std::size_t>(largest, p.blocks[b].count);
    accesses = meta::max<std::size_t>(accesses, ws.flow[b].accesses);
    all += ws.flow[b].accesses;
  }
  const std::size_t positions = p.order.size();
  ws.raisers.make_room(largest);
  ws.kept.make_room(positions);
  ws.early.make_room(positions);
  ws.latest.make_room(positions);
  ws.ready.make_room(positions);
  ws.next_crowd.make_room(positions);
  ws.consumers.make_room(largest / 64 + 1);
  ws.fixed_edges.make_room(accesses);
  ws.fixed_results.make_room(ws.units.count);
  ws.covered.make_room(accesses);
  ws.left_pending.make_room(ws.units.count);
  ws.accessed_words.make_room(ws.words);
  for (auto& units : ws.counter_units) units.make_room(accesses + ws.units.count);
  // what comes in is of the program too
  ws.records.make_room(accesses + (p.blocks.size() > 1 ? all : 0));
  ws.touched.make_room(accesses + (p.blocks.size() > 1 ? all : 0));
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

// What all instructions of one program have in common while they are placed.
struct placing_facts {
  bool known;  // the words mean something (ir/known_control.hpp)
  bool counted_named = false;
  std::uint8_t named = 0;  // counters that DEPBAR names, once somebody has asked

  constexpr std::uint8_t named_by(const program& p) {
    if (!counted_named) named = named_counters(p);
    counted_named = true;
    return named;
  }
};

// The role of an instruction that may have one, and what it asks of the stalls around it. `s` holds the word that it came with.
template <class Arch>
constexpr void place_special(const program& p, const instruction& i, placing_facts& facts, site& s) {
  if (i.op == opcode::errbar) s.floor = site::drain_floor;
  if (i.has(iflag::active_mask) || lands_before<typename Arch::pipes>(i)) s.add(site::after_all);
  if (goes_collectively(i)) {
    s.add(site::after_all);
    s.floor = static_cast<std::uint8_t>(meta::clamp<unsigned>(Arch::pipes::min_stall(sched_class::branch), s.floor, 15));
  }
  if (resizes_registers(i)) {
    s.add(site::after_all);
    s.floor = s.results != 0 ? std::uint8_t{2} : site::drain_floor;
  }
  if (i.has(iflag::unknown)) {
    s.add(site::after_all);
    s.floor = static_cast<std::uint8_t>(meta::max(behind_unknown, facts.known ? unsigned{i.ctl.stall} : 0u));
  }
  s.role = role_of<Arch>(i, i.ctl, facts.known, s.results != 0, facts.named_by(p));
}

// Fills the sites of a decoded program by position and estimates each issue inside its block, counters left out. Returns the
// counters that only pinned producers use.
template <class Arch>
constexpr std::uint8_t place_sites(const program& p, workspace& ws) {
  const class_entry* const table = class_rows<Arch>(ws.classes);
  placing_facts facts{control_is_known(p)};
  std::uint8_t reserved = 0;
  ws.acquires = false;
  const instr_id* const order = p.order.data();
  const instruction* const instructions = p.instructions.data();
  const site* const decoded = ws.decoded.data();
  site* const sites = ws.sites.data();
  std::int32_t* const estimate = ws.estimate.data();
  for (const block& k : p.blocks) {
    array<std::int32_t, pipe_count> pipe{};
    std::int32_t t = 0;
    const std::uint32_t last = k.first + k.count;
    for (std::uint32_t pos = k.first; pos < last; ++pos) {
      const std::uint32_t id = order[pos].index();
      const instruction& i = instructions[id];
      site& s = sites[pos];
      s = decoded[id];
      s.ctl = i.ctl;
      std::int32_t step = 2;
      if (s.has(site::special)) {
        place_special<Arch>(p, i, facts, s);
        if (s.leave()) step = 0;
        ws.acquires = ws.acquires || s.role.has(special_role::acquire);
        const unsigned ahead = stall_in_front(i);
        if (ahead != 0 && pos != k.first && sites[pos - 1].floor < ahead)
          sites[pos - 1].floor = static_cast<std::uint8_t>(ahead);
        if (s.iclass == sched_class::ldgdepbar && s.role.has(special_role::pin_write)) {
          reserved = static_cast<std::uint8_t>(reserved | (1u << s.role.write_pin));
        }
      }
      const class_entry& c = table[static_cast<unsigned>(s.iclass)];
      std::int32_t& free = pipe[static_cast<unsigned>(c.pipe)];
      t = meta::max(t + step, free);
      free = t + c.interval;
      estimate[pos] = t;
    }
    if (k.open_exit && k.count != 0) sites[last - 1].role.bits |= special_role::wait_all;
  }
  return reserved;
}

// Forgets what the workspace knows of another order or other words of the decoded program, and places its sites. Returns the
// counters that only pinned producers use.
template <class Arch>
constexpr std::uint8_t begin_words(const program& p, workspace& ws) {
  forget_next(ws, p.blocks.size());
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    block_flow& f = ws.flow[b];
    f.pending_in.clear();
    f.hint.clear();
    f.hint_busy = 0;
    f.slack_found = false;
    f.busy_in = 0;
    f.far_in = 0;
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
  return place_sites<Arch>(p, ws);
}

// What decode_program() does, also in constant expressions.
template <class Arch>
constexpr void decode(const program& p, workspace& ws) {
  ws.far_cycles = far_cycles<typename Arch::latency>;
  const std::size_t positions = p.order.size();
  if (ws.sites.size() < positions) {
    ws.sites.resize(positions);
    ws.estimate.resize(positions);
    ws.needs.resize(positions);
  }
  if (ws.decoded.size() < p.instructions.size()) ws.decoded.resize(p.instructions.size());
  if (ws.flow.size() < p.blocks.size()) ws.flow.resize(p.blocks.size());
  if (__builtin_is_constant_evaluated()) {  // few units and few rows: every step counts
    ws.classes = rows_of<Arch>(p);
    ws.units.build(p);
  } else {
    ws.units.set_physical();
  }
  if (!decode_all<Arch>(p, ws)) {
    ws.units.build(p);
    (void)decode_all<Arch>(p, ws);
  }
  if (!__builtin_is_constant_evaluated()) make_room(p, ws);
  const std::size_t units = ws.units.count;
  if (ws.next.size() < units) ws.next.resize(units);
  if (ws.state.size() < units) {  // empty between programs
    ws.state.resize(units);
    ws.heads.assign(units, {});
    ws.clock = 0;
  }
  if (ws.pending_units.size() < ws.words) ws.pending_units.resize(ws.words);
  ws.accessed_words.clear();
  for (std::uint32_t w = 0; w < ws.words; ++w) {
    std::uint64_t any = 0;
    for (std::size_t b = 0; b < p.blocks.size(); ++b) any |= ws.gen_access[b * ws.words + w];
    if (any != 0) ws.accessed_words.push_back(w);
  }
  find_later_accesses(p, ws);
}

}  // namespace detail

// Decodes `p` for control words by `Arch`: words for any order of its blocks can be made in this workspace afterwards
// (assign_decoded), until another program is decoded. The program must have its blocks and edges.
template <class Arch>
void decode_program(const program& p, workspace& ws) {
  detail::decode<Arch>(p, ws);
}

}  // namespace ww::scoreboard
