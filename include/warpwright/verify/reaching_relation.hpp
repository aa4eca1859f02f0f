// SPDX-License-Identifier: BSL-1.0
//
// Which definitions reach which uses in one program: the data flow of reaching.hpp, where the words are explained.
//
//   part     a register that an operand names, numbered over all operands of all instructions in the order of their ids
//   element  of a set: the part that was written; from_outside | id of an unknown instruction or call; from_entry | register
// Registers are looked at one after the other: events of one register in layout order, gen sets per block, forward
// propagation in the order of a depth-first search to the least fixed point, then one walk over the events that gives each
// use its set. What sets have in common is kept once (definition_sets.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "block_sweep.hpp"
#include "definition_sets.hpp"

namespace ww::verify::detail {

class reaching_relation {
 public:
  static constexpr std::uint32_t from_entry = 1u << 31;
  static constexpr std::uint32_t from_outside = 1u << 30;

  struct exit_read {
    instr_id last;
    std::uint32_t name = 0;  // packed register
    definition_sets::key set = 0;

    [[nodiscard]] bool before(const exit_read& o) const { return last != o.last ? last < o.last : name < o.name; }
    friend bool operator==(const exit_read&, const exit_read&) = default;
  };

  vec<definition_sets::key> sets;  // by register of an operand; meaningful for uses
  vec<exit_read> exits;            // by instruction, then register
  bool tell_guards_apart = true;   // definitions and reads under complementary guards do not meet

  // How calls are followed: through the function, or without returns, so that no path runs through a function twice; the
  // caller does not go on then, or goes on as if nothing had been called.
  enum class calls : std::uint8_t { through, ended, passed };

  // Does it do nothing for a thread but by that thread's own values? Then threads under the complement of its guard do not matter.
  [[nodiscard]] static constexpr bool keeps_threads_apart(const instruction& i) { return !looks_at_other_threads(i.iclass); }

  // `first_part`: by instruction, the number of its first register. Edges in `without` are not followed.
  void compute(const program& p, span<const std::uint32_t> first_part, std::size_t parts, definition_sets& pool,
               span<const std::uint32_t> without, calls how) {
    p_ = &p;
    pool_ = &pool;
    sets.assign(parts, definition_sets::empty);
    exits.clear();
    follows_.resize(p.edges.size());
    for (std::size_t e = 0; e < p.edges.size(); ++e) {
      const bool closed = how == calls::passed ? false : is_summary(p, p.edges[e]);
      follows_[e] = closed || (how != calls::through && p.edges[e].kind == edge_kind::ret) ? 0 : 1;
    }
    for (const std::uint32_t e : without) follows_[e] = 0;
    collect(first_part);
    sweep_.start(p, {follows_.data(), follows_.size()});
    about_.assign(p.blocks.size(), {});
    round_ = 0;
    for (std::size_t at = 0; at < events_.size();) {
      std::size_t end = at;
      while (end < events_.size() && events_[end].name == events_[at].name) ++end;
      solve({events_.data() + at, end - at});
      at = end;
    }
    std::sort(exits.begin(), exits.end(),
              [](const exit_read& a, const exit_read& b) { return a.last != b.last ? a.last < b.last : a.name < b.name; });
  }

 private:
  enum class event_kind : std::uint8_t { use, full, partial, outside, exit };
  struct event {
    std::uint32_t name = 0;  // packed register
    std::uint32_t block = 0;
    std::uint32_t element = 0;  // of a definition; the register of an operand for a use; instruction for an exit
    event_kind kind = event_kind::use;
    std::uint32_t guard = 0;  // 2 * number of the predicate's value + negated; 0 = none, or threads are not told apart
  };
  struct guard_value {
    std::uint32_t name = 0;  // packed predicate
    std::uint32_t number = 0;
  };

  // Everything that happens to registers, by register, then in layout order.
  void collect(span<const std::uint32_t> first_part) {
    const program& p = *p_;
    vec<std::uint32_t> names;  // physical registers
    for (const operand o : p.operands) {
      for (unsigned k = 0; k < o.width() && o.is_register(); ++k) {
        const reg r(o.file(), o.base().number() + k);
        if (!r.is_virtual()) names.push_back(r.packed);
      }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    events_.clear();
    std::uint32_t values = 0;
    vec<guard_value> guards;  // of the block, newest last
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const block& blk = p.blocks[b];
      guards.clear();
      for (const instr_id i : p.order_of(blk)) {
        const instruction& ins = p[i];
        const operand by = guard_of(ins);
        const std::uint32_t guard = by.is_register() && tell_guards_apart
                                        ? value_of(by.base(), guards, values) + (ins.guard_negated != 0 ? 1 : 0)
                                        : 0;
        for (const bool defs : {false, true}) {
          std::uint32_t part = first_part[i.index()];
          for (const operand o : p.operands_of(ins)) {
            const event_kind kind = !defs                                       ? event_kind::use
                                    : ins.has(iflag::guarded) || o.is_partial() ? event_kind::partial
                                                                                : event_kind::full;
            for (unsigned k = 0; k < o.width(); ++k, ++part) {
              if (!o.is_register() || o.is_def() != defs) continue;
              const reg r(o.file(), o.base().number() + k);
              const bool own = r.file() == reg_file::r || r.file() == reg_file::p || by.file() == reg_file::up;
              events_.push_back({r.packed, b, part, kind, own ? guard : 0});
              if (defs && (r.file() == reg_file::p || r.file() == reg_file::up)) guards.push_back({r.packed, ++values});
            }
          }
        }
        if (ins.has(iflag::unknown)) everywhere(names, b, i, true);
      }
      if (blk.open_exit && blk.count != 0) {
        const instr_id last = p.order[blk.first + blk.count - 1];
        everywhere(names, b, last, p[last].has(iflag::call));
      }
    }
    marks_.assign(2 * std::size_t{values} + 2, 0);
    epoch_ = 0;
    std::stable_sort(events_.begin(), events_.end(), [](const event& a, const event& b) { return a.name < b.name; });
  }
  // The guard, where threads under its complement do not matter to the instruction.
  [[nodiscard]] operand guard_of(const instruction& ins) const {
    if (!ins.has(iflag::guarded) || looks_at_other_threads(ins.iclass)) return {};
    for (const operand o : p_->operands_of(ins)) {
      if (o.where() == slot::guard && o.is_use()) return o;
    }
    return {};
  }
  static std::uint32_t value_of(reg r, vec<guard_value>& guards, std::uint32_t& values) {
    for (std::size_t k = guards.size(); k-- > 0;) {
      if (guards[k].name == r.packed) return 2 * guards[k].number;
    }
    guards.push_back({r.packed, ++values});
    return 2 * values;
  }
  static constexpr bool looks_at_other_threads(sched_class c) {
    using s = sched_class;
    if (c >= s::hmma_small && c <= s::hgmma) return true;
    for (const s k : {s::unknown, s::vote, s::voteu, s::match, s::redux, s::shfl, s::movm, s::ldsm, s::stsm, s::r2ur,
                      s::elect, s::tex, s::tld, s::collective, s::warpsync, s::warpgroup, s::bar}) {
      if (c == k) return true;
    }
    return false;
  }
  void everywhere(span<const std::uint32_t> names, std::uint32_t b, instr_id i, bool writes) {
    for (const std::uint32_t name : names) {
      events_.push_back({name, b, i.index(), event_kind::exit, 0});
      if (writes) events_.push_back({name, b, from_outside | i.index(), event_kind::outside, 0});
    }
  }

  // One register: which of its definitions reach the start of each block, then what each use sees.
  void solve(span<const event> events) {
    bool exposed = false;
    elements_.assign(1, from_entry | events[0].name);
    guards_.assign(1, 0);
    std::uint32_t in_block = 0xffffffffu;
    bool defined = false;
    for (const event& e : events) {
      if (e.block != in_block) defined = false;
      in_block = e.block;
      const bool reads = e.kind == event_kind::use || e.kind == event_kind::exit;
      exposed = exposed || (reads && !defined);
      if (!reads) {
        elements_.push_back(e.element);
        guards_.push_back(e.guard);
      }
      defined = defined || e.kind == event_kind::full;
    }
    if (exposed) flow(events);
    vec<std::uint32_t> here;       // elements defined in the block since the last full write
    bool open = false;             // what came in at its start is not overwritten
    std::uint32_t number = 0;      // of the last element that was defined
    definition_sets::key now = 0;  // what came in if it is open, and all of `here`, ...
    bool known = false;            // ... once it is asked for
    in_block = 0xffffffffu;
    for (const event& e : events) {
      if (e.block != in_block) {
        in_block = e.block;
        forget(here);
        open = exposed;
        known = false;
      }
      if (e.kind != event_kind::use && e.kind != event_kind::exit) {
        if (e.kind == event_kind::full) {
          forget(here);
          open = known = false;
        }
        here.push_back(++number);
        marks_[guards_[number]] = epoch_;
        if (known) now = pool_->with(now, elements_[number]);
        for (without_guard& o : others_) {
          if (guards_[number] != o.guard) o.set = pool_->with(o.set, elements_[number]);
        }
        continue;
      }
      if (!known) {
        known = true;
        now = all_but(0, open, e.block, here);
      }
      const definition_sets::key set = e.guard == 0 ? now : seen_under(e.guard ^ 1u, now, open, e.block, here);
      if (e.kind == event_kind::use) {
        sets[e.element] = set;
      } else if (set != definition_sets::empty && pool_->least(set) < from_outside) {  // some stand in code that is known
        exits.push_back({instr_id{e.element}, e.name, set});
      }
    }
  }
  void forget(vec<std::uint32_t>& here) {
    here.clear();
    others_.clear();
    ++epoch_;
  }
  // What came in if it is open, and those of `here` that are not under this guard; 0 = all.
  definition_sets::key all_but(std::uint32_t guard, bool open, std::uint32_t b, const vec<std::uint32_t>& here) {
    definition_sets::key set = open ? about_[b].in : definition_sets::empty;
    for (const std::uint32_t k : here) {
      if (guard == 0 || guards_[k] != guard) set = pool_->with(set, elements_[k]);
    }
    return set;
  }
  // The same, kept for the guards that were asked for last.
  definition_sets::key seen_under(std::uint32_t guard, definition_sets::key all, bool open, std::uint32_t b,
                                  const vec<std::uint32_t>& here) {
    if (marks_[guard] != epoch_) return all;
    for (const without_guard& o : others_) {
      if (o.guard == guard) return o.set;
    }
    if (others_.size() == 8) others_.erase(others_.begin());
    others_.push_back({guard, all_but(guard, open, b, here)});
    return others_.back().set;
  }
  // What comes into each block in which that is asked for, or from which it goes on to one, to the least fixed point.
  void flow(span<const event> events) {
    ++round_;
    asked_.clear();
    std::uint32_t number = 0;
    std::uint32_t in_block = 0xffffffffu;
    for (const event& e : events) {
      if (e.block != in_block) {
        in_block = e.block;
        if (about_[e.block].round != round_) about_[e.block] = {round_};
      }
      about_block& here = about_[e.block];
      if (e.kind == event_kind::use || e.kind == event_kind::exit) {
        if (!here.stops) ask(e.block);
        continue;
      }
      here.own = e.kind == event_kind::full ? elements_[++number] : pool_->with(here.own, elements_[++number]);
      here.stops = here.stops || e.kind == event_kind::full;
      sweep_.add(e.block);
    }
    for (std::size_t next = 0; next < asked_.size(); ++next) {
      for (const std::uint32_t from : sweep_.predecessors(asked_[next])) {
        if (about_[from].round != round_) about_[from] = {round_};
        if (!about_[from].stops) ask(from);
      }
    }
    for (const std::uint32_t b : sweep_.entries()) {
      if (about_[b].round != round_ || !about_[b].asked) continue;
      about_[b].in = elements_[0];
      sweep_.add(b);
    }
    sweep_.run([this](std::uint32_t from, std::uint32_t to) {
      if (about_[to].round != round_ || !about_[to].asked) return false;
      const about_block& f = about_[from];
      const definition_sets::key out = f.stops ? f.own : pool_->unite(f.in, f.own);
      const definition_sets::key was = about_[to].in;
      about_[to].in = pool_->unite(was, out);
      return about_[to].in != was && !about_[to].stops;
    });
  }
  void ask(std::uint32_t b) {
    if (about_[b].asked) return;
    about_[b].asked = true;
    asked_.push_back(b);
  }

  const program* p_ = nullptr;
  definition_sets* pool_ = nullptr;
  vec<event> events_;
  vec<std::uint32_t> elements_;  // of the register at hand; [0] is its entry
  vec<std::uint32_t> guards_;    // of elements_
  // What is seen where definitions of one guard are not.
  struct without_guard {
    std::uint32_t guard = 0;
    definition_sets::key set = 0;
  };
  vec<without_guard> others_;
  vec<std::uint32_t> marks_;  // by guard: the epoch in which a definition was under it
  std::uint32_t epoch_ = 0;   // since the last full write, or the start of a block
  // A block as the register at hand has it, if `round` is that of the register.
  struct about_block {
    std::uint32_t round = 0;
    bool stops = false;                                 // a full write in it
    bool asked = false;                                 // what comes in counts
    definition_sets::key own = definition_sets::empty;  // what is defined behind its last full write
    definition_sets::key in = definition_sets::empty;   // what comes in
  };
  vec<about_block> about_;
  std::uint32_t round_ = 0;
  vec<std::uint32_t> asked_;
  vec<std::uint8_t> follows_;  // by edge
  block_sweep sweep_;
};

}  // namespace ww::verify::detail
