// SPDX-License-Identifier: BSL-1.0
//
// Opex (SB-8): control words and DEPBAR for instructions that an expansion has put into a finished program.
//
//   expanded   marks, by instruction index, of the instructions that are new; all others have their final words, which are
//              right without the new ones. An old result that a later one of its in-order queue announced gets a counter where
//              such a later one is new; an old late source that relied on one is not looked for
//   119        WAR pass: an old instruction that needed no counter, because nobody touched its registers, gets one where an
//              expanded one does; overwriters wait. So does a load in front of an expanded CCTL that may acquire it
//   120        words for the expanded instructions, extra waits and longer stalls for the old ones around them; where all
//              counters are busy, a DEPBAR.LE SBx, 0 before the instruction instead of a wait in its word
//   121        WAR pass again, over what 120 has made: it confirms, for 120 lets every overwriter wait itself
//   insertion  what is to be inserted, as values: position in program::order, counter, cycles behind it
// `opex::run` leaves the order as it is and returns the insertions; `apply_insertions` makes them, for programs that may
// grow. The words are legal once they are applied. A listing, which may only be permuted, takes `in_words` instead: waits in
// the words and no insertion.
#pragma once

#include <cstdint>

#include "../arch/dialect.hpp"
#include "../isa/assemble.hpp"
#include "../meta/array.hpp"
#include "fields/chain.hpp"

namespace ww::scoreboard {

struct insertion {
  std::uint32_t position = 0;  // before the instruction at this place of program::order
  std::uint8_t counter = 0;    // DEPBAR.LE SB<counter>, <allowed>
  std::uint8_t stall = 0;      // cycles behind it
  std::uint8_t allowed = 0;    // increments that may still be outstanding, at most 63

  friend constexpr bool operator==(const insertion&, const insertion&) = default;
};

struct war_stats {
  std::uint32_t counters = 0;  // given to old instructions
  std::uint32_t waits = 0;     // overwriters whose mask grew
};

struct opex_report {
  war_stats before;  // phase 119
  war_stats after;   // phase 121
  std::uint32_t expanded = 0;
  vec<insertion> insertions;  // by position
};

// Where a counter that somebody else uses is needed.
enum class opex_form : std::uint8_t { depbar, in_words };

template <class Arch>
class opex {
 public:
  static constexpr unsigned number = 120;
  static constexpr const char* name = "MercGenerateOpex";

  opex_report run(program& p, const vec<std::uint8_t>& expanded, opex_form form = opex_form::depbar) {
    opex_report r;
    for (const std::uint8_t e : expanded) r.expanded += e != 0 ? 1u : 0u;
    if (r.expanded == 0) return r;
    r.before = war_pass(p, expanded);
    encoder_chain<Arch> chain;
    chain.run(p, expanded, inserter{r.insertions, form});
    r.after = war_pass(p, expanded);
    return r;
  }

  // Phases 119 and 121.
  war_stats war_pass(program& p, const vec<std::uint8_t>& expanded) {
    war_stats s;
    state_.start(p);
    cover_old(p, expanded, s);
    for (const block& b : p.blocks) {
      state_.clear(0xff);
      for (const instr_id id : p.order_of(b)) {
        instruction& i = p[id];
        if (i.has(iflag::padding)) continue;
        unsigned need = 0;
        for (const operand o : p.operands_of(i)) need |= o.is_def() && is_new(expanded, id) ? state_.sources_of(o) : 0u;
        if ((need & ~static_cast<unsigned>(i.ctl.wait_mask)) != 0) {
          i.ctl.wait_mask = static_cast<std::uint8_t>(i.ctl.wait_mask | need);
          ++s.waits;
        }
        state_.clear(i.ctl.wait_mask | named_by(p, i));
        // Either counter tells that the sources have been read; the read counter does so sooner.
        const std::uint8_t c = i.ctl.sets_read() ? i.ctl.read_barrier : i.ctl.write_barrier;
        for (const operand o : p.operands_of(i)) {
          if (c < control::barrier_count && late(i, o)) state_.set_source(o, c);
        }
      }
    }
    return s;
  }

 private:
  struct inserter {
    vec<insertion>& out;
    opex_form form;

    bool evicted(std::uint32_t pos, unsigned counter) {
      if (form == opex_form::in_words) return false;
      out.push_back(
          {pos, static_cast<std::uint8_t>(counter), static_cast<std::uint8_t>(Arch::barriers::depbar_min_stall), 0});
      return true;
    }
    void conflict(std::uint32_t, unsigned, std::uint32_t) {}
    void released(std::uint32_t, unsigned) {}
  };

  static bool is_new(const vec<std::uint8_t>& expanded, instr_id id) {
    return id.index() < expanded.size() && expanded[id.index()] != 0;
  }
  static bool late(const instruction& i, operand o) {
    return o.is_use() && o.is_register() &&
           late_source<typename Arch::latency>({i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)});
  }
  static unsigned named_by(const program& p, const instruction& i) {
    unsigned m = 0;
    for (const operand o : p.operands_of(i)) {
      if (i.iclass == sched_class::depbar && o.file() == reg_file::sb) m |= 1u << (o.base().number() & 7u);
    }
    return m;
  }

  // Old instructions without a counter whose registers an expanded one touches, wherever it stands.
  void cover_old(program& p, const vec<std::uint8_t>& expanded, war_stats& s) {
    touched_.assign(state_.units.count, 0);
    array<bool, 256> queues{};  // in which expanded instructions complete
    bool acquires = false;
    const auto queue_of = [](sched_class c) { return class_table<Arch>()[static_cast<unsigned>(c)].write_queue; };
    array<std::uint32_t, Arch::barriers::count> uses{};
    for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
      const instruction& i = p.instructions[k];
      if (!is_new(expanded, instr_id{k})) {
        if (i.ctl.write_barrier < uses.size()) ++uses[i.ctl.write_barrier];
        if (i.ctl.read_barrier < uses.size()) ++uses[i.ctl.read_barrier];
        for (const operand o : p.operands_of(i)) {
          if (o.is_use()) mark(o, 4);
        }
        continue;
      }
      for (const operand o : p.operands_of(i)) mark(o, o.is_def() ? 1 : 2);
      queues[queue_of(i.iclass)] = queues[queue_of(i.iclass)] || Arch::latency::variable(i.iclass);
      acquires = acquires || (i.iclass == sched_class::cctl && i.has(iflag::fence));
    }
    const unsigned named = named_counters(p);
    std::uint8_t rare = 0;
    for (std::uint8_t c = 0; c < uses.size(); ++c) {
      const bool free = (named >> c & 1u) == 0;
      if (free && ((named >> rare & 1u) != 0 || uses[c] < uses[rare])) rare = c;
    }
    for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
      instruction& i = p.instructions[k];
      if (is_new(expanded, instr_id{k}) || i.has(iflag::padding) || i.iclass == sched_class::hgmma) continue;
      const bool variable = Arch::latency::variable(i.iclass);
      const bool ordered = queue_of(i.iclass) != queue_mixed && queues[queue_of(i.iclass)];
      bool result = acquires && variable && may_acquire(i) && chain_timing<Arch>::has_result(p, i);
      bool source = false;
      for (const operand o : p.operands_of(i)) {
        result = result || (o.is_def() && variable && (seen(o) & (ordered ? 7u : 3u)) != 0);
        source = source || (late(i, o) && (seen(o) & 1u) != 0);
      }
      if (result && !i.ctl.sets_write()) {
        i.ctl.write_barrier = rare;
        ++s.counters;
      }
      if (source && !i.ctl.sets_read() && !i.ctl.sets_write()) {
        i.ctl.read_barrier = rare;
        ++s.counters;
      }
    }
  }
  void mark(operand o, unsigned what) {
    if (!state_.units.has(o)) return;
    for (unsigned k = 0; k < unit_map::width(o); ++k) {
      std::uint8_t& t = touched_[state_.units.first(o) + k];
      t = static_cast<std::uint8_t>(t | what);
    }
  }
  [[nodiscard]] unsigned seen(operand o) const {
    unsigned m = 0;
    for (unsigned k = 0; state_.units.has(o) && k < unit_map::width(o); ++k) m |= touched_[state_.units.first(o) + k];
    return m;
  }

  register_counters state_;
  vec<std::uint8_t> touched_;  // by unit: 1 written, 2 read by an expanded instruction, 4 read by an old one
};

// Inserts the DEPBARs; positions are those before the first one. False if the dialect has no such instruction.
inline bool apply_insertions(program& p, const vec<insertion>& insertions) {
  for (std::size_t n = insertions.size(); n-- > 0;) {
    const insertion& x = insertions[n];
    char text[] = "DEPBAR.LE SB0, 0x00";
    text[12] = static_cast<char>('0' + x.counter);
    text[17] = "0123456789abcdef"[x.allowed >> 4 & 3u];
    text[18] = "0123456789abcdef"[x.allowed & 15u];
    isa::error e;
    if (!isa::append(p, text, dialect_of(p.sm), e)) return false;
    const instr_id id = p.order.back();
    for (std::size_t k = p.order.size() - 1; k > x.position; --k) p.order[k] = p.order[k - 1];
    p.order[x.position] = id;
    p[id].ctl = control{};
    p[id].mem_offset = x.allowed;
    p[id].ctl.stall = x.stall;
    p[id].ctl.yield = true;
    for (block& b : p.blocks) {
      if (b.first > x.position) {
        ++b.first;
      } else if (b.first + b.count > x.position) {
        ++b.count;
      }
    }
  }
  return true;
}

}  // namespace ww::scoreboard
