// SPDX-License-Identifier: BSL-1.0
//
// Which numbers of a program are addresses that its calls come back to: who moves the code has to change them.
//
//   MOV R20, 0x2d0            a candidate: it moves the address behind a call into a register
//   CALL.REL.NOINC `(f)       in front of 0x2d0
//   f: .. MOV R2, R20 ..      copies hand the number on
//   RET.REL.NODEC R2 `(k)     and RET goes where it says
// Two things are proved by data flow over all edges, calls and returns followed: every RET gets nothing but candidates, and no
// candidate goes to anybody but copies and RETs. Then the candidates are these numbers, all of them and nothing else. A number that
// only looks like such an address is used for something, which refuses the program, as an unguarded candidate whose call is not known
// does. Where every function goes back to its call (matched_calls.hpp), what it does not write is told apart by calls. The upper half is 0
// and stays (code is shorter than 4 GB). What is written and read under one guard in a block has no other value.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "matched_calls.hpp"

namespace ww::sass {

namespace detail {

class return_number_search {
 public:
  explicit return_number_search(const program& p) : p_(p), calls_(p) {}

  // False if it cannot be told which numbers are addresses; `numbers` is of no use then.
  [[nodiscard]] bool run(std::vector<return_number>& numbers) {
    numbers.clear();
    find_candidates(numbers);
    if (numbers.empty() && !returns()) return true;
    state_.assign(p_.blocks.size(), {});
    exit_.assign(p_.functions.size(), {});
    matched_ = calls_.run(numbers);
    bool again = true;
    while (again) {
      again = false;
      for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) again = pass(b, false) || again;
    }
    ok_ = true;
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) (void)pass(b, true);
    return ok_;
  }

  [[nodiscard]] bool returns() const {
    for (const instruction& x : p_.instructions) {
      if (x.has(iflag::ret)) return true;
    }
    return false;
  }
  // Does control come back behind it?
  [[nodiscard]] static bool comes_back(const program& p, const block& b) {
    for (const cfg_edge& e : p.edges_of(b)) {
      if (e.kind == edge_kind::call_return || e.kind == edge_kind::call) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned registers = general_registers;
  struct values {
    std::bitset<registers> number;  // may hold a candidate's number
    std::bitset<registers> other;   // may hold something else
    bool seen = false;
  };

  // Is everybody known who comes to this entry?
  bool called(const block& b) const {
    for (const std::uint32_t e : p_.pred_edges_of(b)) {
      if (p_.edges[e].kind == edge_kind::call) return true;
    }
    return false;
  }

  unsigned written(const instruction& x) const { return moved_register(p_, x); }
  unsigned copied(const instruction& x) const { return copied_register(p_, x); }

  void find_candidates(std::vector<return_number>& numbers) {
    candidate_.assign(p_.instructions.size(), 0);
    std::vector<std::uint32_t> call_before(p_.instructions.size() + 1,
                                           0xffffffffu);  // by the instruction behind it, as read
    for (const block& b : p_.blocks) {
      if (b.count == 0 || !comes_back(p_, b)) continue;
      const instr_id last = p_.order[b.first + b.count - 1];
      const std::uint32_t behind = p_[last].address / 16 + 1;
      if (behind < call_before.size()) call_before[behind] = last.index();
    }
    for (std::uint32_t k = 0; k < p_.instructions.size(); ++k) {
      const instruction& x = p_.instructions[k];
      if (!is_move(x) || !x.has(iflag::reads_immediate) || x.word[0] == 0 || written(x) == registers) continue;
      const std::uint64_t number = x.word[0] >> 32;
      if (number % 16 != 0 || number / 16 >= call_before.size() || call_before[number / 16] == 0xffffffffu) continue;
      candidate_[k] = 1;
      numbers.push_back({instr_id{k}, instr_id{call_before[number / 16]}});
    }
  }

  // Through one block; true if what comes in at a successor has grown. `judge`: look at what is read as well.
  bool pass(std::uint32_t b, bool judge) {
    values v = state_[b];
    const block& blk = p_.blocks[b];
    if (blk.entry && !called(blk)) {
      v.other.set();
      v.seen = true;
    }
    if (!v.seen) return false;
    under_.guard.fill(0);
    for (const instr_id id : p_.order_of(blk)) {
      const instruction& x = p_[id];
      const std::uint32_t guard = guard_of(x);
      if (judge) look(x, v, guard);
      step(id, x, v, guard);
    }
    bool grown = false;
    const std::uint32_t body = matched_ ? calls_.body_of(b) : matched_calls::none;
    if (body < exit_.size() && blk.count != 0 && p_[p_.order[blk.first + blk.count - 1]].has(iflag::ret)) {
      grown = add(exit_[body], v);
    }
    const std::uint32_t callee = matched_ ? calls_.callee_of(b) : matched_calls::none;
    for (const cfg_edge& e : p_.edges_of(blk)) {
      values out = v;
      if (callee != matched_calls::none && e.kind == edge_kind::call_return) {
        const values& back = exit_[callee];
        if (!back.seen) continue;
        const matched_calls::registers& written = calls_.written_by(callee);
        out.number = (v.number & ~written) | (back.number & written);
        out.other = (v.other & ~written) | (back.other & written);
      } else if (is_summary(p_, e) || (matched_ && e.kind == edge_kind::ret)) {
        continue;
      }
      grown = add(state_[e.to.index()], out) || grown;
    }
    return grown;
  }

  static bool add(values& to, const values& more) {
    const values old = to;
    to.number |= more.number;
    to.other |= more.other;
    to.seen = true;
    return !old.seen || old.number != to.number || old.other != to.other;
  }

  // What a register holds where the guard is true.
  bool may_be_number(const values& v, unsigned r, std::uint32_t guard) const {
    return guard != 0 && under_.guard[r] == guard ? under_.number[r] : v.number[r];
  }
  bool may_be_other(const values& v, unsigned r, std::uint32_t guard) const {
    return guard != 0 && under_.guard[r] == guard ? under_.other[r] : v.other[r];
  }
  [[nodiscard]] std::uint32_t guard_of(const instruction& x) const {
    if (!x.has(iflag::guarded)) return 0;
    for (const operand& o : p_.operands_of(x)) {
      if (o.where() == slot::guard && o.is_use() && o.is_register()) return 1 + 2 * o.base().packed + x.guard_negated;
    }
    return 0;
  }

  void look(const instruction& x, const values& v, std::uint32_t guard) {
    if (x.has(iflag::unknown) || x.has(iflag::call)) {
      if (x.has(iflag::unknown)) ok_ = ok_ && v.number.none();
      return;
    }
    const unsigned from = copied(x);
    bool low = true;
    for (const operand& o : p_.operands_of(x)) {
      if (!o.is_use() || !o.is_register() || o.file() != reg_file::r) continue;
      for (unsigned part = 0; part < o.width() && o.base().number() + part < registers; ++part) {
        const unsigned r = o.base().number() + part;
        if (x.has(iflag::ret) && low) {
          ok_ = ok_ && may_be_number(v, r, guard) && !may_be_other(v, r, guard);
          low = false;
        } else if (may_be_number(v, r, guard) && r != from) {
          ok_ = false;
        }
      }
    }
    if (x.has(iflag::ret) && low) ok_ = false;  // it goes where no register says
  }

  void step(instr_id id, const instruction& x, values& v, std::uint32_t guard) {
    const unsigned from = copied(x);
    const bool copy = from != registers && written(x) != registers;
    const bool number = copy ? may_be_number(v, from, guard) : candidate_[id.index()] != 0;
    const bool other = copy ? may_be_other(v, from, guard) : candidate_[id.index()] == 0;
    // Does it write all of its results where the guard is true? Moves of some bytes and loads by half of the threads do not.
    const bool whole =
        guard != 0 && !x.has(iflag::never) && !x.has(iflag::unknown) && x.op != opcode::mov && x.dir == mem_dir::none;
    for (const operand& o : p_.operands_of(x)) {
      if (!o.is_def() || !o.is_register()) continue;
      if (o.file() != reg_file::r) {  // a guard that is computed again is another one
        for (std::uint32_t& g : under_.guard) g = g != 0 && (g - 1) / 2 == o.base().packed ? 0 : g;
        continue;
      }
      for (unsigned part = 0; part < o.width() && o.base().number() + part < registers; ++part) {
        const unsigned r = o.base().number() + part;
        const bool keeps = o.is_partial();  // under a guard the old value may stay
        v.number[r] = number || (keeps && v.number[r]);
        v.other[r] = other || (keeps && v.other[r]);
        under_.guard[r] = whole && !o.is_half() ? guard : 0;
        under_.number[r] = number;
        under_.other[r] = other;
      }
    }
    if (x.has(iflag::unknown)) {
      v.number.reset();
      v.other.set();
    }
  }

  const program& p_;
  std::vector<std::uint8_t> candidate_;  // by instruction
  std::vector<values> state_;            // by block, where it begins
  std::vector<values> exit_;             // by function, where it returns
  struct {
    std::array<std::uint32_t, registers>
        guard{};  // predicate and sense, of the last write; 0: of none, or computed again since
    std::bitset<registers> number, other;
  } under_;  // what registers hold where that guard is true
  matched_calls calls_;
  bool matched_ = false;
  bool ok_ = true;
};

}  // namespace detail

// The numbers of `p`, whose instructions are as they were read, that are addresses behind its calls. False if that cannot be told.
[[nodiscard]] inline bool find_return_numbers(const program& p, std::vector<return_number>& numbers) {
  return detail::return_number_search(p).run(numbers);
}

}  // namespace ww::sass
