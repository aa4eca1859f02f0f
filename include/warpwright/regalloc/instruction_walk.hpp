// SPDX-License-Identifier: BSL-1.0
//
// Walks over instructions in order, has each assigned, and picks the instruction at which to spill where that fails (FPA-11).
//
//   instruction_walk<>::run(p, first_block, blocks, settings, host, walk);      // walk.choices, walk.failed
//
//   pressure      of a stretch: registers of the class that its operands name, as far as the host counts them; pairs count twice
//   early         the first store to global memory, for the classes that have loads and stores: everything before it is done
//   first         the first place where one can spill behind more than three assigned instructions
//   fallback      likewise behind more than thirty, where the host allows it
//   rematerialise the first instruction whose successor can be computed again: nothing needs to be stored there
//   boundary      the start of another block forgets all of them
//   choice        rematerialise, else early, else first; once protection is lifted, else fallback
//   escalation    where the host cannot carry a choice out, or it did not help, one is made again with protected registers
//                 (walk_sets.hpp) allowed to be spilled; if that fails too, the walk has failed
// A call ends the walk. After a choice the walk goes on where it stopped, with fresh counts. The text does this by calling itself:
// here it is a loop, which ends because each instruction is tried at most three times. Which opcodes are which the text says by
// numbers of its own tables; walk_rules has them as questions, to be derived from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "retry_mode.hpp"
#include "spill_plan.hpp"
#include "walk_sets.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t early_spill_count = 3;      // the text's
inline constexpr std::uint32_t fallback_spill_count = 30;  // likewise

struct walk_rules {
  // Stays as it is, whatever the allocation.
  [[nodiscard]] static bool pinned(const program&, const instruction& i) {
    return !i.has(iflag::call) && (i.has(iflag::fence) || i.has(iflag::pc_relative) || i.has(iflag::reads_clock));
  }
  // Can code stand in front of it?
  [[nodiscard]] static bool can_spill_at(const program&, const instruction& i) {
    return !i.has(iflag::ends_block) && !i.has(iflag::behind_barrier);
  }
  [[nodiscard]] static bool early(const program&, const instruction& i, register_class of) {
    return i.op == opcode::stg && of >= register_class::r && of <= register_class::ur;
  }
  [[nodiscard]] static bool ends_walk(const program&, const instruction& i) { return i.has(iflag::call); }
  [[nodiscard]] static bool recomputes(const program& p, const instruction& i) { return computes_constant(p, i); }
};

enum class walk_reason : std::uint8_t { none, rematerialise, early, first, fallback };
enum class walk_level : std::uint8_t { protect, spill_protected, failed };

struct walk_choice {
  static constexpr std::uint32_t nowhere = 0xffffffffu;

  std::uint32_t at = nowhere;  // position in program::order
  walk_reason reason = walk_reason::none;
  walk_level level = walk_level::protect;
  std::uint32_t pressure = 0;         // for `first`: when it was passed; else at the end of the stretch
  std::uint32_t failed_at = nowhere;  // position of the instruction that could not be assigned
};

struct walk_settings {
  register_class of = register_class::r;
  reg_file file = reg_file::r;
  pair_mode pairing = pair_mode::single;
  std::uint32_t registers = 255;  // that the class has
  bool fallback = false;          // fallback points are allowed
};

struct walk_result {
  vec<walk_choice> choices;    // carried out
  walk_sets sets;              // of the last stretch
  std::uint32_t assigned = 0;  // instructions
  bool failed = false;
  bool at_call = false;          // a call ended it
  std::uint32_t stopped_at = 0;  // position: behind the last instruction, of the call, or of the instruction that failed
};

// `Host`:
//   bool counts(operand o)                               is its register of the class, and does it count as pressure?
//   bool live_behind(instr_id i, std::uint32_t operand)
//   bool assign(instr_id i, const walk_sets& sets, walk_level level, bool recompute)
//   bool spill(const walk_choice& c, const walk_sets& sets)    carries the choice out; `at` may be nowhere
template <class Rules = walk_rules, class Conflict = same_group_conflict>
struct instruction_walk {
  template <class Host>
  static void run(const program& p, block_id first_block, std::uint32_t blocks, const walk_settings& settings, Host& host,
                  walk_result& out) {
    out.choices.clear();
    out.assigned = 0;
    out.failed = out.at_call = false;
    out.stopped_at = 0;
    stretch s;
    escalation e;
    bool fresh = true;
    const std::size_t end = std::size_t{first_block.index()} + blocks;
    for (std::size_t b = first_block.index(); b < end && b < p.blocks.size(); ++b) {
      const block& blk = p.blocks[b];
      if (blk.first > p.order.size() || blk.count > p.order.size() - blk.first) break;
      if (!fresh) s.forget();
      for (std::uint32_t at = blk.first; at < blk.first + blk.count;) {
        if (fresh) {
          s = {};
          out.sets.template start<Conflict>(p, p.order[at], settings.file, settings.pairing, settings.registers,
                                            [&](instr_id i, std::uint32_t k) { return host.live_behind(i, k); });
          if (e.now != walk_level::protect) out.sets.must_not_spill.clear();
          s.recompute = Rules::recomputes(p, p[p.order[at]]);
          fresh = false;
        }
        out.stopped_at = at;
        const instruction& i = p[p.order[at]];
        for (const operand& o : p.operands_of(i)) {
          if (o.is_register() && o.file() == settings.file && host.counts(o)) {
            s.pressure += settings.pairing == pair_mode::single ? 1 : 2;
          }
        }
        if (Rules::pinned(p, i)) {
          ++at;
          continue;
        }
        if (host.assign(p.order[at], out.sets, e.now, s.recompute)) {
          e = {};
          ++out.assigned;
          ++s.count;
          if (Rules::ends_walk(p, i)) {
            out.at_call = true;
            return;
          }
          note(p, i, at, at + 1 < blk.first + blk.count ? &p[p.order[at + 1]] : nullptr, settings, s);
          ++at;
          continue;
        }
        if (!spill(s, at, host, e, out)) return;
        fresh = true;
      }
      out.stopped_at = blk.first + blk.count;
    }
  }

 private:
  static constexpr std::uint32_t nowhere = walk_choice::nowhere;

  struct stretch {
    std::uint32_t pressure = 0, count = 0;
    std::uint32_t first = nowhere, fallback = nowhere, early = nowhere, remat = nowhere;
    std::uint32_t first_pressure = 0;
    bool recompute = false;
    void forget() { first = fallback = early = remat = nowhere; }
  };

  // Of the instruction that could not be assigned.
  struct escalation {
    std::uint32_t stuck_at = nowhere;
    walk_level now = walk_level::protect;   // at which it is tried again
    walk_level next = walk_level::protect;  // at which one spills next
    void raise() { next = next == walk_level::protect ? walk_level::spill_protected : walk_level::failed; }
  };

  static void note(const program& p, const instruction& i, std::uint32_t at, const instruction* next,
                   const walk_settings& settings, stretch& s) {
    const bool source = Rules::recomputes(p, i);
    if (s.early == nowhere && Rules::early(p, i, settings.of)) s.early = at;
    if (s.early == nowhere && Rules::can_spill_at(p, i)) {
      if (s.first == nowhere && s.count > early_spill_count && !source) {
        s.first = at;
        s.first_pressure = s.pressure;
      }
      if (s.fallback == nowhere && s.count > fallback_spill_count && settings.fallback) s.fallback = at;
    }
    if (source || s.early != nowhere) return;
    s.recompute = next != nullptr && Rules::recomputes(p, *next);
    if (s.recompute && s.remat == nowhere && Rules::can_spill_at(p, i)) s.remat = at;
  }

  // Picks a place and has the host spill there, at this level and then at the next, until it can.
  template <class Host>
  static bool spill(const stretch& s, std::uint32_t at, Host& host, escalation& e, walk_result& out) {
    if (e.stuck_at != at) e = {at, walk_level::protect, walk_level::protect};
    for (; e.next != walk_level::failed; e.raise()) {
      walk_choice c;
      c.failed_at = at;
      c.level = e.next;
      c.pressure = s.pressure;
      const bool lifted = e.next != walk_level::protect;
      if (s.remat != nowhere) {
        c.at = s.remat;
        c.reason = walk_reason::rematerialise;
      } else if (s.early != nowhere) {
        c.at = s.early;
        c.reason = walk_reason::early;
      } else if (s.first != nowhere) {
        c.at = s.first;
        c.reason = walk_reason::first;
        c.pressure = s.first_pressure;
      } else if (lifted && s.fallback != nowhere) {
        c.at = s.fallback;
        c.reason = walk_reason::fallback;
      }
      if (lifted) out.sets.must_not_spill.clear();
      if (!host.spill(c, out.sets)) continue;
      out.choices.push_back(c);
      e.now = e.next;
      e.raise();
      return true;
    }
    out.failed = true;
    return false;
  }
};

}  // namespace ww::regalloc
