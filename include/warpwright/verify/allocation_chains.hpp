// SPDX-License-Identifier: BSL-1.0
//
// From a definition of an allocated program to what it stands for: back through copies, refills and spills, predicates in
// bits of registers, and what was computed again.
//
//   root     where a chain ends: a definition of the program before, what stood in a register at an entry, code that is not
//            known, or an inserted instruction that makes a value of its own
//   bit      of a register, followed on its own: R2P asks for it, P2R that puts a predicate into it answers with that
//            predicate
//   route    what the chain went through, which decides the error that an unexpected root is
//   fault    where a chain breaks: an error of 1 to 4, 8 or 9
// A refill and its spill must have the same base register with the same definitions, and whole words, or the same bytes.
// Where bits of two registers are merged, one of them may have a zero there. Chains are walked with an explicit stack; each
// state (definition and bit) is visited once, so a walk is linear in the inserted definitions that it meets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "allocation_error.hpp"
#include "allocation_side.hpp"
#include "definition_sets.hpp"
#include "reaching_relation.hpp"

namespace ww::verify::detail {

// A set of allocation errors.
struct error_set {
  std::uint32_t bits = 0;

  constexpr void add(allocation_error e) { bits |= 1u << static_cast<unsigned>(e); }
  constexpr void add(error_set o) { bits |= o.bits; }
  constexpr void remove(allocation_error e) { bits &= ~(1u << static_cast<unsigned>(e)); }
  [[nodiscard]] constexpr bool has(allocation_error e) const { return (bits >> static_cast<unsigned>(e) & 1u) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits == 0; }
  [[nodiscard]] constexpr allocation_error lowest() const {
    return bits == 0 ? allocation_error::none : static_cast<allocation_error>(__builtin_ctz(bits));
  }
};

// The operand whose value an instruction moves, if it does nothing else: number of the operand, or `none`. The function that
// PLOP3 or PSETP computes is not among the operands: they are taken for a move only where `inserted` as one.
[[nodiscard]] inline std::uint32_t copied_operand(const program& p, const instruction& i, bool inserted) {
  constexpr std::uint32_t none = 0xffffffffu;
  const bool put_aside = (i.op == opcode::r2ur || i.op == opcode::ur2ur) && i.has(iflag::spill);
  const bool move = i.op == opcode::mov || i.op == opcode::umov || put_aside;
  const bool logic = i.op == opcode::plop3 || i.op == opcode::uplop3 || i.op == opcode::psetp || i.op == opcode::upsetp;
  const bool product = i.op == opcode::imad || i.op == opcode::uimad;  // RZ * RZ + R
  if (!move && !product && !(logic && inserted)) return none;
  std::uint32_t found = none;
  unsigned defs = 0;
  unsigned width = 0;
  const span<const operand> ops = p.operands_of(i);
  for (std::uint32_t k = 0; k < ops.size(); ++k) {
    const operand o = ops[k];
    if (o.where() == slot::guard) continue;
    if (o.is_half() || o.is_negated() || (o.is_not() && !o.base().is_zero())) return none;
    if (o.is_def()) {
      if (!o.is_register()) continue;
      if (o.is_partial() && !i.has(iflag::guarded)) return none;
      ++defs;
      width = o.width();
    } else if (o.is_register()) {
      if (found != none || (product && o.where() != slot::c)) return none;
      found = k;
    } else if (product && (o.type() == operand_type::immediate || o.type() == operand_type::constant)) {
      return none;
    }
  }
  return defs == 1 && found != none && ops[found].width() == width && (move || width == 1) ? found : none;
}

class allocation_chains {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  vec<std::uint32_t> roots;  // of the last walk; not sorted, may hold one twice
  error_set routes;
  error_set faults;
  error_set empty;  // a slot is read that is not written on some path: error 1 if no spill writes it at all, else 2
  std::uint32_t remat = none;  // number of an instruction that computes again, if the walk met one

  // `deleted`: by number, of the program before. Copies among those are followed, and all copies if `through_copies`.
  void start(const allocation_side& side, const definition_sets& pool, span<const std::uint8_t> deleted) {
    side_ = &side;
    pool_ = &pool;
    deleted_ = deleted;
    spilled_.clear();
    for (std::uint32_t n = side.originals; n < side.code.instructions.size(); ++n) {
      if (side.role[n].what != allocated_as::spill || !side.frame[n].known) continue;
      const operand o = operands(n)[slots_operand(n)];
      for (unsigned k = 0; k < o.width(); ++k) spilled_.push_back(o.base().packed + k);
    }
    std::sort(spilled_.begin(), spilled_.end());
  }

  void walk(std::uint32_t element, bool through_copies) {
    roots.clear();
    routes = {};
    faults = {};
    empty = {};
    remat = none;
    seen_.begin();
    push(element, value);
    while (!stack_.empty()) {
      const state s = stack_.back();
      stack_.pop_back();
      if ((s.element & (reaching_relation::from_entry | reaching_relation::from_outside)) != 0) {
        leave(s);
      } else {
        step(s, side_->locate(s.element), through_copies);
      }
    }
  }

 private:
  using mode = std::uint32_t;  // how a definition is looked at
  static constexpr mode value = 0;
  static constexpr mode one_bit = 1u << 5;  // the bit in the low five bits
  static constexpr mode merged = 1u << 6;   // it may be zero here
  static constexpr mode by_bits = 1u << 7;  // asked for by a bit-spill, not by R2P

  struct state {
    std::uint32_t element;
    mode how;
  };

  // The states seen in one walk: open addressing, emptied by counting walks.
  class state_set {
   public:
    void begin() {
      ++walk_;
      size_ = 0;
      if (keys_.empty()) grow();
    }
    bool insert(std::uint64_t key) {
      if (2 * (size_ + 1) > keys_.size()) grow();
      const std::size_t at = find(key);
      if (walks_[at] == walk_) return false;
      walks_[at] = walk_;
      keys_[at] = key;
      ++size_;
      return true;
    }

   private:
    [[nodiscard]] std::size_t find(std::uint64_t key) const {
      const std::size_t mask = keys_.size() - 1;
      std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & mask;
      while (walks_[at] == walk_ && keys_[at] != key) at = (at + 1) & mask;
      return at;
    }
    void grow() {
      const vec<std::uint64_t> keys = keys_;
      const vec<std::uint64_t> walks = walks_;
      const std::size_t room = keys.empty() ? 64 : 2 * keys.size();
      keys_.assign(room, 0);
      walks_.assign(room, 0);
      for (std::size_t k = 0; k < keys.size(); ++k) {
        if (walks[k] != walk_) continue;
        const std::size_t at = find(keys[k]);
        walks_[at] = walk_;
        keys_[at] = keys[k];
      }
    }
    vec<std::uint64_t> keys_, walks_;
    std::uint64_t walk_ = 0;
    std::size_t size_ = 0;
  };

  [[nodiscard]] span<const operand> operands(std::uint32_t n) const { return side_->code.operands_of(instr_id{n}); }
  [[nodiscard]] std::uint32_t slots_operand(std::uint32_t n) const {
    return static_cast<std::uint32_t>(operands(n).size()) - 1;
  }

  void push(std::uint32_t element, mode how) {
    if (seen_.insert(std::uint64_t{how} << 32 | element)) stack_.push_back({element, how});
  }
  void push_set(std::uint32_t part, mode how) {
    for (const std::uint32_t e : pool_->elements(side_->relation.sets[part])) push(e, how);
  }
  static allocation_error broken(mode how) {
    return (how & by_bits) != 0 ? allocation_error::bit_spill_refill : allocation_error::p2r_r2p;
  }
  static allocation_error destroyed(mode how) {
    return (how & by_bits) != 0 ? allocation_error::bit_spill_base : allocation_error::p2r_r2p_base;
  }
  void root(const state& s) {
    if (s.how == value) {
      roots.push_back(s.element);
    } else {
      faults.add(destroyed(s.how));
    }
  }
  void leave(const state& s) {
    const bool entry = (s.element & reaching_relation::from_entry) != 0;
    if (s.how != value && entry) {
      empty.add(broken(s.how));
    } else {
      root(s);
    }
  }

  void step(const state& s, const allocation_side::place_of_part& at, bool through_copies) {
    const std::uint32_t n = at.number;
    const instruction& ins = side_->code.instructions[n];
    if (n < side_->originals) {
      const bool follow = s.how == value && (through_copies || deleted_[n] != 0);
      const std::uint32_t from = follow ? copied_operand(side_->code, ins, false) : none;
      return from == none ? root(s) : push_set(side_->part_of(n, from, at.word), value);
    }
    switch (side_->role[n].what) {
      case allocated_as::copy: {
        const std::uint32_t from = copied_operand(side_->code, ins, true);
        return from == none ? root(s) : push_set(side_->part_of(n, from, at.word), s.how);
      }
      case allocated_as::refill:
        return refill(s, n, at);
      case allocated_as::r2p:
        return s.how == value ? out_of_bits(n, side_->role[n].first_bit + operands(n)[at.operand].base().number(), 0)
                              : root(s);
      case allocated_as::bit_in:
        return s.how == value ? out_of_bits(n, side_->role[n].first_bit, by_bits) : root(s);
      case allocated_as::p2r:
        return s.how == value ? root(s) : from_p2r(s, n);
      case allocated_as::bit_out:
        return s.how == value ? root(s) : from_bit(s, n);
      case allocated_as::bit_merge:
        return s.how == value ? root(s) : from_merge(s, n);
      case allocated_as::remat:
        return again(s, n);
      default:
        return root(s);
    }
  }

  void refill(const state& s, std::uint32_t n, const allocation_side::place_of_part& at) {
    routes.add(allocation_error::spill_refill);
    const frame_access& f = side_->frame[n];
    if (!f.known || f.data != at.operand || operands(n)[f.data].width() != f.words) {
      return faults.add(allocation_error::spill_refill);
    }
    const std::uint32_t slots = slots_operand(n);
    const reg name(frame_slots::file, operands(n)[slots].base().number() + at.word);
    for (const std::uint32_t e : pool_->elements(side_->relation.sets[side_->part_of(n, slots, at.word)])) {
      if ((e & (reaching_relation::from_entry | reaching_relation::from_outside)) != 0) {
        const bool spilled = std::binary_search(spilled_.begin(), spilled_.end(), name.packed);
        empty.add(spilled ? allocation_error::refill_uninitialised : allocation_error::spill_refill);
        continue;
      }
      const allocation_side::place_of_part store = side_->locate(e);
      if (!fits(store.number, n)) {
        faults.add(allocation_error::spill_refill);
      } else {
        push_set(side_->part_of(store.number, side_->frame[store.number].data, store.word), s.how);
      }
    }
  }
  // Is that instruction a spill that stores what this refill loads?
  [[nodiscard]] bool fits(std::uint32_t store, std::uint32_t load) const {
    if (side_->role[store].what != allocated_as::spill || store < side_->originals) return false;
    const frame_access& x = side_->frame[store];
    const frame_access& y = side_->frame[load];
    if (x.data == none || operands(store)[x.data].width() != x.words) return false;
    if ((x.address == none) != (y.address == none)) return false;
    if (x.address != none && base_of(store) != base_of(load)) return false;
    const instruction& i = side_->code.instructions[store];
    const instruction& j = side_->code.instructions[load];
    const bool whole = x.aligned && y.aligned && i.mem_bytes % 4 == 0 && j.mem_bytes % 4 == 0;
    return whole || (i.mem_bytes == j.mem_bytes && i.mem_offset == j.mem_offset);
  }

  // What reaches the base register of an access; a call gives the stack pointer back as it was.
  [[nodiscard]] vec<std::uint32_t> base_of(std::uint32_t n) const {
    const std::uint32_t k = side_->frame[n].address;
    vec<std::uint32_t> all = pool_->elements(side_->relation.sets[side_->part_of(n, k)]);
    if (operands(n)[k].base() != frame_access::stack_pointer) return all;
    vec<std::uint32_t> kept;
    for (const std::uint32_t e : all) {
      if ((e & (reaching_relation::from_entry | reaching_relation::from_outside)) != reaching_relation::from_outside) {
        kept.push_back(e);
      }
    }
    return kept;
  }

  // A predicate that R2P, or an instruction that looks at one bit, takes out of a register.
  void out_of_bits(std::uint32_t n, std::uint32_t bit, mode pattern) {
    routes.add(pattern != 0 ? allocation_error::bit_spill_refill : allocation_error::p2r_r2p);
    const mode how = one_bit | pattern | (bit & 31u);
    std::uint32_t base = none;
    const span<const operand> ops = operands(n);
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      const operand o = ops[k];
      if (!o.is_use() || o.where() == slot::guard || !o.is_register()) continue;
      if (base != none || o.file() != reg_file::r || o.width() != 1) return faults.add(broken(how));
      base = k;
    }
    const instruction& i = side_->code.instructions[n];
    const bool right =
        pattern == 0 ? i.op == opcode::r2p : i.op == opcode::lop3 || i.op == opcode::isetp || i.op == opcode::r2p;
    if (base == none || bit > 31 || !right || !mask_is(i, bit, pattern)) return faults.add(broken(how));
    push_set(side_->part_of(n, base), how);
  }
  // LOP3 with an immediate, where the encoding is there: that has the bit and no other. R2P shows its mask as operands.
  static bool mask_is(const instruction& i, std::uint32_t bit, mode pattern) {
    constexpr unsigned with_immediate = 4;  // bits 9 to 11 of the encoding; the immediate is the upper half of its low word
    if (pattern == 0 || (i.op != opcode::lop3 && i.op != opcode::sel) || i.word[1] == 0) return true;
    if ((static_cast<unsigned>(i.word[0] >> 9) & 7u) != with_immediate) return false;
    return static_cast<std::uint32_t>(i.word[0] >> 32) == 1u << bit;
  }
  void zero(const state& s) {
    if ((s.how & merged) == 0) empty.add(broken(s.how));
  }
  void from_p2r(const state& s, std::uint32_t n) {
    const instruction& i = side_->code.instructions[n];
    if (i.op != opcode::p2r) return faults.add(broken(s.how));
    const span<const operand> ops = operands(n);
    const std::uint32_t bit = s.how & 31u;
    std::uint32_t base = none;
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      const operand o = ops[k];
      if (!o.is_use() || !o.is_register() || o.where() == slot::guard) continue;
      if (o.file() != reg_file::p) {
        base = k;
      } else if (side_->role[n].first_bit + o.base().number() == bit) {
        return push_set(side_->part_of(n, k), value);
      }
    }
    if (base == none) return zero(s);
    push_set(side_->part_of(n, base), s.how);
  }
  // SEL Rd, RZ, 1 << bit, !P
  void from_bit(const state& s, std::uint32_t n) {
    const instruction& i = side_->code.instructions[n];
    std::uint32_t predicate = none;
    const span<const operand> ops = operands(n);
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      const operand o = ops[k];
      if (!o.is_use() || !o.is_register() || o.where() == slot::guard) continue;
      if (predicate != none || o.file() != reg_file::p || !o.is_not()) return faults.add(broken(s.how));
      predicate = k;
    }
    const std::uint32_t bit = side_->role[n].first_bit;
    const bool right = i.op == opcode::sel && i.has(iflag::reads_immediate) && !i.has(iflag::guarded) && predicate != none;
    if (!right || !mask_is(i, bit, by_bits)) return faults.add(broken(s.how));
    if (bit != (s.how & 31u)) return zero(s);
    push_set(side_->part_of(n, predicate), value);
  }
  // LOP3 with 0xfc, 0xfa or 0xfe: "or" of what it reads.
  void from_merge(const state& s, std::uint32_t n) {
    const instruction& i = side_->code.instructions[n];
    const auto table = static_cast<unsigned>(i.word[1] >> 8) & 0xffu;
    const bool is_or = i.word[1] == 0 || table == 0xfc || table == 0xfa || table == 0xee || table == 0xfe;
    if (i.op != opcode::lop3 || !is_or || i.has(iflag::guarded)) return faults.add(broken(s.how));
    const span<const operand> ops = operands(n);
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      const operand o = ops[k];
      if (!o.is_use() || !o.is_register()) continue;
      if (o.file() != reg_file::r) return faults.add(broken(s.how));
      push_set(side_->part_of(n, k), s.how | merged);
    }
  }

  // The definition of the instruction that is computed again; whether it is the same is checked where it stands.
  void again(const state& s, std::uint32_t n) {
    routes.add(allocation_error::rematerialization);
    remat = n;
    const std::uint32_t of = side_->role[n].of.index();
    if (s.how != value) return root(s);
    const std::uint32_t first = side_->first_part[of];
    const std::uint32_t end = of + 1 < side_->first_part.size() ? side_->first_part[of + 1] : side_->parts;
    const std::uint32_t part = first + (s.element - side_->first_part[n]);
    return part < end ? roots.push_back(part) : root(s);
  }

  const allocation_side* side_ = nullptr;
  const definition_sets* pool_ = nullptr;
  span<const std::uint8_t> deleted_;
  vec<std::uint32_t> spilled_;  // slots that some spill writes, sorted
  vec<state> stack_;
  state_set seen_;
};

}  // namespace ww::verify::detail
