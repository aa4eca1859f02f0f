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
// does. The upper half is 0 and stays (code is shorter than 4 GB).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"

namespace ww::sass {

struct return_number {
  instr_id move;  // the instruction that holds the number
  instr_id call;  // the number is the address behind this call
};

namespace detail {

class return_number_search {
 public:
  explicit return_number_search(const program& p) : p_(p) {}

  // False if it cannot be told which numbers are addresses; `numbers` is of no use then.
  [[nodiscard]] bool run(std::vector<return_number>& numbers) {
    numbers.clear();
    find_candidates(numbers);
    state_.assign(p_.blocks.size(), {});
    bool again = true;
    while (again) {
      again = false;
      for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) again = pass(b, false) || again;
    }
    ok_ = true;
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) (void)pass(b, true);
    return ok_;
  }

  // Does control come back behind it?
  [[nodiscard]] static bool comes_back(const program& p, const block& b) {
    for (const cfg_edge& e : p.edges_of(b)) {
      if (e.kind == edge_kind::call_return || e.kind == edge_kind::call) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned registers = 256;
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

  static bool moves(const instruction& x) { return x.op == opcode::mov || x.op == opcode::imad; }

  // The only general register that a move writes, when it moves and does nothing else; registers if it does not.
  unsigned written(const instruction& x) const {
    unsigned to = registers;
    for (const operand& o : p_.operands_of(x)) {
      if (!o.is_def()) continue;
      if (to != registers || !o.is_register() || o.file() != reg_file::r || o.width() != 1) return registers;
      to = o.base().number();
    }
    return to < registers ? to : registers;
  }
  // The register that a plain copy takes: MOV R2, R20 and IMAD.MOV.U32 R2, RZ, RZ, R20.
  unsigned copied(const instruction& x) const {
    if (!moves(x) || x.has(iflag::reads_immediate) || x.has(iflag::reads_constant)) return registers;
    unsigned from = registers;
    for (const operand& o : p_.operands_of(x)) {
      if (!o.is_use() || !o.is_register() || o.where() == slot::guard) continue;
      if (from != registers || o.file() != reg_file::r || o.width() != 1) return registers;
      from = o.base().number();
    }
    return from < registers ? from : registers;
  }

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
      if (!moves(x) || !x.has(iflag::reads_immediate) || x.word[0] == 0 || written(x) == registers) continue;
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
    for (const instr_id id : p_.order_of(blk)) {
      const instruction& x = p_[id];
      if (judge) look(x, v);
      step(id, x, v);
    }
    bool grown = false;
    for (const cfg_edge& e : p_.edges_of(blk)) {
      if (is_summary(p_, e)) continue;
      values& to = state_[e.to.index()];
      const values old = to;
      to.number |= v.number;
      to.other |= v.other;
      to.seen = true;
      grown = grown || !old.seen || old.number != to.number || old.other != to.other;
    }
    return grown;
  }

  void look(const instruction& x, const values& v) {
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
          ok_ = ok_ && v.number[r] && !v.other[r];
          low = false;
        } else if (v.number[r] && r != from) {
          ok_ = false;
        }
      }
    }
    if (x.has(iflag::ret) && low) ok_ = false;  // it goes where no register says
  }

  void step(instr_id id, const instruction& x, values& v) const {
    const unsigned from = copied(x);
    const bool copy = from != registers && written(x) != registers;
    const bool number = copy ? v.number[from] : candidate_[id.index()] != 0;
    const bool other = copy ? v.other[from] : candidate_[id.index()] == 0;
    for (const operand& o : p_.operands_of(x)) {
      if (!o.is_def() || !o.is_register() || o.file() != reg_file::r) continue;
      for (unsigned part = 0; part < o.width() && o.base().number() + part < registers; ++part) {
        const unsigned r = o.base().number() + part;
        const bool keeps = o.is_partial();  // under a guard the old value may stay
        v.number[r] = number || (keeps && v.number[r]);
        v.other[r] = other || (keeps && v.other[r]);
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
  bool ok_ = true;
};

}  // namespace detail

// The numbers of `p`, whose instructions are as they were read, that are addresses behind its calls. False if that cannot be told.
[[nodiscard]] inline bool find_return_numbers(const program& p, std::vector<return_number>& numbers) {
  return detail::return_number_search(p).run(numbers);
}

}  // namespace ww::sass
