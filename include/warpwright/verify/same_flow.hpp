// SPDX-License-Identifier: BSL-1.0
//
// Is a program whose blocks were laid out anew the same program? A proof by walking both at once (a bisimulation).
//
//   verify::same_flow_difference d = verify::same_flow(before, after);     // both with blocks and edges from build_cfg()
//   if (!d.ok()) print(name(d.fault), d.before, d.after, d.from_before, d.from_after);
//
//   pair     the instruction that either program executes next. The first ones of functions, further entries and leaders are
//            pairs, the k-th of one with the k-th of the other; from a pair control goes on to pairs
//   free     a new layout may put in and take away plain branches (BRA, direct, that nothing decides), turn a guarded direct
//            branch round so that taken and not taken change places, number instructions anew and move blocks inside their
//            function. What else an instruction says must stay (equal_instruction.hpp)
//   one      each instruction has one partner. Code that was duplicated, or merged, is a difference
// Ends of regions (BSSY, SSY, PBK, PCNT, PRET) and of collectives are pairs too, also through plain branches: whoever comes there
// goes on at what these lead to. Branch tables are compared entry by entry. Where an indirect branch has none, its function must
// not have been laid out anew: block k stays block k, with as many instructions.
// Reached code is compared, `pairs` instructions of it; what neither an entry nor a leader reaches is not. Instructions stand in
// `program::order`, and blocks in theirs: to be asked before anybody reorders inside blocks (same_order.hpp asks what that does).
// Code addresses that an instruction holds as a number (MOV R6, 0xe0 in front of CALL.REL.NOINC) are for whoever writes the
// program out: here such a word stays. Programs that contradict themselves are told, not walked. Linear in the size of both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"
#include "equal_instruction.hpp"
#include "flow_difference.hpp"
#include "flow_side.hpp"

namespace ww::verify {

namespace detail {

class flow_pairing {
 public:
  flow_pairing(const program& before, const program& after) : p_(before), q_(after), a_(before), b_(after) {}

  [[nodiscard]] same_flow_difference run() {
    if (agree()) {
      while (!work_.empty()) {
        const step s = work_.back();
        work_.pop_back();
        if (!walk(s)) break;
      }
    }
    found_.passed_before = a_.passed();
    found_.passed_after = b_.passed();
    return found_;
  }

 private:
  static constexpr std::uint32_t none = flow_side::none;
  static constexpr std::uint32_t endless = flow_side::endless;

  struct step {
    std::uint32_t a = none;  // places
    std::uint32_t b = none;
    std::uint32_t from_a = none;
    std::uint32_t from_b = none;
  };

  bool fail(flow_fault f, instr_id before = {}, instr_id after = {}) {
    found_.fault = f;
    found_.before = before;
    found_.after = after;
    return false;
  }
  bool fail(flow_fault f, const step& s) {
    found_.from_before = a_.id(s.from_a);
    found_.from_after = b_.id(s.from_b);
    return fail(f, a_.id(s.a), b_.id(s.b));
  }

  // Each program with itself, then what is not code; lists the pairs to begin with.
  bool agree() {
    if (const flow_fault f = a_.check(); f != flow_fault::none) return fail(f, a_.where(), {});
    if (const flow_fault f = b_.check(); f != flow_fault::none) return fail(f, {}, b_.where());
    if (p_.sm != q_.sm || p_.register_count != q_.register_count || p_.order.empty() != q_.order.empty() ||
        p_.functions.size() != q_.functions.size() || p_.leaders.size() != q_.leaders.size() ||
        a_.further_entries().size() != b_.further_entries().size()) {
      return fail(flow_fault::shape);
    }
    for (std::size_t k = 0; k < p_.functions.size(); ++k) {
      if (p_.functions[k].kernel != q_.functions[k].kernel) return fail(flow_fault::shape);
    }
    partner_a_.assign(p_.order.size(), none);
    partner_b_.assign(q_.order.size(), none);
    pinned_.assign(p_.functions.size() + 1, 0);
    // The last one put here is walked first.
    for (std::size_t k = p_.leaders.size(); k-- > 0;) put(a_.start_of(p_.leaders[k]), b_.start_of(q_.leaders[k]));
    for (std::size_t k = a_.further_entries().size(); k-- > 0;) put(a_.further_entries()[k], b_.further_entries()[k]);
    for (std::size_t k = p_.order.empty() ? 0 : p_.functions.size(); k-- > 0;) {
      put(p_[p_.functions[k].first_block].first, q_[q_.functions[k].first_block].first);
    }
    return true;
  }

  void put(std::uint32_t a, std::uint32_t b, std::uint32_t from_a = none, std::uint32_t from_b = none) {
    work_.push_back({a, b, from_a, from_b});
  }

  // From a pair on as far as control falls; other ways wait in work_.
  bool walk(step s) {
    for (;;) {
      const step raw = s;
      s.a = a_.land(s.a);
      s.b = b_.land(s.b);
      if (s.a == endless || s.b == endless) return s.a == s.b || fail(flow_fault::empty_loop, raw);
      if (partner_a_[s.a] == s.b) return true;
      if (partner_a_[s.a] != none || partner_b_[s.b] != none) return fail(flow_fault::duplicated, s);
      partner_a_[s.a] = s.b;
      partner_b_[s.b] = s.a;
      ++found_.pairs;
      if (a_.owner(s.a) != b_.owner(s.b)) return fail(flow_fault::owner, s);
      const instruction_match m = match_instructions(p_, a_.at(s.a), q_, b_.at(s.b));
      if (m.fault != flow_fault::none) return fail(m.fault, s);
      flow_ways x = a_.ways(s.a);
      flow_ways y = b_.ways(s.b);
      if (!go_on(s, x, y, m.exchanged)) return false;
      if (x.fall == none) return true;
      s = {x.fall, y.fall, s.a, s.b};
    }
  }

  // Pairs the ways out of a pair; falling is left to walk().
  bool go_on(const step& s, flow_ways& x, flow_ways& y, bool exchanged) {
    const instruction& i = a_.at(s.a);
    // Where control goes that does not fall: behind a SYNC, BRK or CONT that always acts, only where nobody knows better.
    if (x.guessed || y.guessed) {
      x.fall = y.fall = none;
    } else if (exchanged) {
      const std::uint32_t taken = y.aim;
      y.aim = y.fall;
      y.fall = taken;
    }
    if ((x.fall == none) != (y.fall == none) || (x.aim == none) != (y.aim == none) || (x.back == none) != (y.back == none)) {
      return fail(flow_fault::exits, s);
    }
    // Whether the callers of a RET and the callee of a direct call are known depends on how large the program is (cfg_options).
    const bool by_size = has_any(i, {iflag::ret, iflag::call}) && !i.has(iflag::never);
    if (!by_size && !x.guessed && !y.guessed && x.open != y.open) return fail(flow_fault::exits, s);
    if (a_.goes_anywhere(s.a, x) || b_.goes_anywhere(s.b, y)) {
      if (!pin(s)) return false;
    }
    if (x.back != none) put(x.back, y.back, s.a, s.b);
    const branch_table* t = a_.table(s.a);
    const branch_table* u = b_.table(s.b);
    if ((t == nullptr) != (u == nullptr) || (t != nullptr && t->count != u->count)) return fail(flow_fault::table, s);
    for (std::uint32_t k = t == nullptr ? 0 : t->count; k-- > 0;) {
      put(a_.start_of(p_.table_targets[t->first + k]), b_.start_of(q_.table_targets[u->first + k]), s.a, s.b);
    }
    if (x.aim != none) put(x.aim, y.aim, s.a, s.b);
    return true;
  }

  // The function of this pair is laid out alike in both programs: its blocks are pairs, one by one.
  bool pin(const step& s) {
    const std::uint32_t f = a_.owner(s.a);
    if (f >= p_.functions.size()) return fail(flow_fault::unknown_targets, s);
    if (pinned_[f] != 0) return true;
    pinned_[f] = 1;
    const function& x = p_.functions[f];
    const function& y = q_.functions[f];
    const std::uint32_t first_a = x.first_block.index();
    const std::uint32_t first_b = y.first_block.index();
    for (std::uint32_t k = 0;; ++k) {
      const bool more_a = owns(p_, first_a + k, f);
      const bool more_b = owns(q_, first_b + k, f);
      if (!more_a && !more_b) return true;
      if (more_a != more_b || p_.blocks[first_a + k].count != q_.blocks[first_b + k].count) {
        return fail(flow_fault::unknown_targets, s);
      }
      put(p_.blocks[first_a + k].first, q_.blocks[first_b + k].first, s.a, s.b);
    }
  }
  static bool owns(const program& p, std::uint32_t b, std::uint32_t f) {
    return b < p.blocks.size() && p.blocks[b].function == function_id{f};
  }

  const program& p_;
  const program& q_;
  flow_side a_;
  flow_side b_;
  vec<std::uint32_t> partner_a_;  // by place of one: place of the other
  vec<std::uint32_t> partner_b_;
  vec<std::uint8_t> pinned_;  // by function
  vec<step> work_;
  same_flow_difference found_;
};

}  // namespace detail

// The first difference between a program and what a new layout of its blocks made of it; ok() if there is none.
[[nodiscard]] inline same_flow_difference same_flow(const program& before, const program& after) {
  return detail::flow_pairing(before, after).run();
}

}  // namespace ww::verify
