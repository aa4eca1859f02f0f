// SPDX-License-Identifier: BSL-1.0
//
// Counters and pointers of a loop body of one block: by how much does a register grow from iteration to iteration?
//
//   value     what a register holds at a place of the body, as "register `root` at the start of the iteration + offset",
//             through copies and additions of immediates; not known where anything else is computed
//   address   the same for a 64-bit value in two registers: each addition to the low one has its carry added to the high one
//   step      offset of a root at the end of the body from itself at the start: what one iteration adds
// Immediates are read from the encoding words of sm_70 and later (facts, hardware 5: form in bits 9..11, immediate in bits
// 32..63), so a program without words has no known steps. In a lifted program the register fields of the words are old, and
// only the operands are asked for registers.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww::region {

// Opcode bases (bits 0..8) and forms (bits 9..11) that are read here; facts, hardware 5, and for VIADD observed.
namespace words {
inline constexpr std::uint64_t mov = 0x002, isetp = 0x00c, iadd3 = 0x010, imad = 0x024, viadd = 0x036;
inline constexpr unsigned registers = 1, immediate_b = 4, constant_b = 5, uniform_b = 6;

[[nodiscard]] constexpr bool is(const instruction& i, std::uint64_t base) { return (i.word[0] & 0x1ffu) == base; }
[[nodiscard]] constexpr unsigned form(const instruction& i) { return static_cast<unsigned>(i.word[0] >> 9) & 7u; }
[[nodiscard]] constexpr std::int32_t immediate(const instruction& i) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(i.word[0] >> 32));
}
}  // namespace words

class loop_values {
 public:
  struct value {
    reg root;
    std::int64_t offset = 0;  // modulo 2^32
    bool known = false;
  };
  struct address {
    reg low;
    reg high;
    std::int64_t offset = 0;  // bytes
    bool known = false;
    [[nodiscard]] bool same_root(const address& o) const { return low == o.low && high == o.high; }
  };

  void start(const program& p, span<const instr_id> body) {
    p_ = &p;
    body_ = body;
  }

  [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(body_.size()); }

  // Place of the last write of `r` in front of place `before`; `none` where there is none.
  [[nodiscard]] std::uint32_t last_write(reg r, std::uint32_t before) const {
    for (std::uint32_t k = before; k-- > 0;) {
      for (const operand o : p_->operands_of(body_[k])) {
        if (o.is_def() && o.is_register() && o.file() == r.file() && r.number() - o.base().number() < o.width()) return k;
      }
    }
    return none;
  }

  // What `r` holds in front of place `before`.
  [[nodiscard]] value at(reg r, std::uint32_t before) { return walk(r, before, low_steps_, true); }
  // What the pair holds there.
  [[nodiscard]] address at(reg low, reg high, std::uint32_t before) {
    const value l = walk(low, before, low_steps_, true);
    const value h = walk(high, before, high_steps_, false);
    address a{l.root, h.root, 0, l.known && h.known && low_steps_.size() == high_steps_.size()};
    for (std::size_t n = 0; a.known && n < low_steps_.size(); ++n) {
      const addition& x = low_steps_[n];
      const addition& y = high_steps_[n];
      a.known = y.amount == (x.amount < 0 ? -1 : 0) && x.carry == y.carry && last_write(y.carry, y.place) == x.place;
      a.offset += x.amount;
    }
    return a;
  }

  // What one iteration adds to a root; false where it is not known.
  [[nodiscard]] bool step(reg root, std::int64_t& amount) {
    const value v = at(root, end());
    amount = v.offset;
    return v.known && v.root == root;
  }
  [[nodiscard]] bool step(reg low, reg high, std::int64_t& amount) {
    const address a = at(low, high, end());
    amount = a.offset;
    return a.known && a.low == low && a.high == high;
  }
  // Not written in the loop?
  [[nodiscard]] bool invariant(reg r) const { return last_write(r, end()) == none; }

  static constexpr std::uint32_t none = 0xffffffffu;

 private:
  struct addition {
    std::uint32_t place;
    std::int32_t amount;
    reg carry;  // out of a low half, into a high half
  };

  value walk(reg r, std::uint32_t before, vec<addition>& steps, bool low_half) const {
    steps.clear();
    value v{r, 0, true};
    for (;;) {
      const std::uint32_t k = last_write(v.root, before);
      if (k == none) return v;
      const instruction& i = (*p_)[body_[k]];
      reg source;
      addition a{k, 0, {}};
      if (i.has(iflag::guarded) || i.has(iflag::unknown)) {
        v.known = false;
      } else if (is_copy(i, source)) {
        // nothing is added
      } else if (low_half ? is_addition(i, source, a) : is_carry_addition(i, source, a)) {
        v.offset += a.amount;
        steps.push_back(a);
      } else {
        v.known = false;
      }
      if (!v.known) return v;
      v.root = source;
      before = k;
    }
  }

  [[nodiscard]] operand source_at(const instruction& i, slot where) const {
    for (const operand o : p_->operands_of(i)) {
      if (o.is_use() && o.where() == where) return o;
    }
    return {};
  }
  // A general register, not negated, in one piece.
  static bool plain(operand o, reg& r) {
    r = o.base();
    return o.is_register() && o.file() == reg_file::r && o.width() == 1 && !o.is_negated() && !o.is_not();
  }
  static bool zero(operand o) { return o.base().file() == reg_file::r && o.base().is_zero(); }
  [[nodiscard]] bool reads_predicate(const instruction& i) const {
    for (const operand o : p_->operands_of(i)) {
      if (o.is_use() && o.is_register() && (o.file() == reg_file::p || o.file() == reg_file::up)) return true;
    }
    return false;
  }

  // MOV R, R and IMAD.MOV.U32 R, RZ, RZ, R.
  [[nodiscard]] bool is_copy(const instruction& i, reg& source) const {
    if (words::form(i) != words::registers || reads_predicate(i)) return false;
    if (i.op == opcode::mov && words::is(i, words::mov)) return plain(source_at(i, slot::b), source);
    if (i.op != opcode::imad || !words::is(i, words::imad)) return false;
    return (zero(source_at(i, slot::a)) || zero(source_at(i, slot::b))) && plain(source_at(i, slot::c), source);
  }
  // IADD3 R[, P], R, immediate, RZ and VIADD R, R, immediate.
  [[nodiscard]] bool is_addition(const instruction& i, reg& source, addition& a) const {
    if (words::form(i) != words::immediate_b || reads_predicate(i)) return false;
    const bool three = i.op == opcode::iadd3 && words::is(i, words::iadd3) && zero(source_at(i, slot::c));
    if (!three && !(i.op == opcode::viadd && words::is(i, words::viadd))) return false;
    a.amount = words::immediate(i);
    for (const operand o : p_->operands_of(i)) {
      if (!o.is_def() || !o.is_register()) continue;
      if (o.where() == slot::pdst) a.carry = o.base();
      if (o.where() == slot::pdst1) return false;
    }
    return plain(source_at(i, slot::a), source);
  }
  // IADD3.X R, R, RZ or -1, RZ, P, !PT in any order of its registers, and IMAD.X R, RZ, RZ, R, P.
  [[nodiscard]] bool is_carry_addition(const instruction& i, reg& source, addition& a) const {
    const unsigned form = words::form(i);
    const bool adds =
        i.op == opcode::iadd3 && words::is(i, words::iadd3) && (form == words::registers || form == words::immediate_b);
    const bool multiplies = i.op == opcode::imad && words::is(i, words::imad) && form == words::registers;
    if (!adds && !multiplies) return false;
    a.amount = form == words::immediate_b ? words::immediate(i) : 0;
    const operand in = source_at(i, slot::psrc);
    const operand in1 = source_at(i, slot::psrc1);
    if (!in.is_register() || in.is_not() || in1.is_register()) return false;
    if (in1.base().file() == reg_file::p && !in1.is_not()) return false;  // PT would add one more
    a.carry = in.base();
    unsigned found = 0;
    for (const slot s : {slot::a, slot::b, slot::c}) {
      const operand o = source_at(i, s);
      if (zero(o) || (s == slot::b && form == words::immediate_b)) continue;
      if (!plain(o, source) || (multiplies && s != slot::c)) return false;
      ++found;
    }
    return found == 1;
  }

  const program* p_ = nullptr;
  span<const instr_id> body_;
  vec<addition> low_steps_;
  vec<addition> high_steps_;
};

}  // namespace ww::region
