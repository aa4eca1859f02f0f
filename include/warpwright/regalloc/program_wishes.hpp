// SPDX-License-Identifier: BSL-1.0
//
// Soft constraints that a lifted program gives its webs (FPA-3): what would be good, and may be left out on later attempts.
//
//   copy   the webs on both sides of a move of one register (MOV, UMOV, IMAD.MOV and the like): kind 15, range, with each of
//          them. It adds to the second cost of all slots but the other's, which is what the first attempt looks at. Where both
//          get one place, the move does nothing
//   bank   general registers that one instruction reads through ports a, b and c, one wide each: kind 33, other_bank, with each. It
//          speaks against the slots of the other's parity, since an even and an odd register never come from one bank: two
//          banks from sm_70 on, four on sm_50..62 (number mod 4, of which parity is the lower bit). In blocks that are run more
//          often it weighs more (apart_wishes.hpp: rank_of)
//   apart  webs of which one is written soon after the last access to the other: kind 34 (apart_wishes.hpp)
// Weights are per instruction and add up; two webs get at most one wish of
// a kind per instruction. Linear in operands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode.hpp"
#include "../lift/lifted.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/register_layout.hpp"
#include "apart_wishes.hpp"
#include "constraint_kinds.hpp"
#include "copies.hpp"
#include "problem.hpp"

namespace ww::regalloc {

struct wish_weights {
  std::int32_t copy = 0;
  std::int32_t bank = 0;
  std::int32_t apart = 0;
};

class wish_space {
 public:
  void clear() {
    found_.clear();
    first_.clear();
  }

  // `live` is that of the program in its present order.
  void collect(const lifted_program& l, pressure_class c, const liveness& live, span<const std::uint32_t> register_of_web,
               const wish_weights& weights, std::size_t registers) {
    clear();
    for (const block& k : l.code.blocks) {
      const std::int32_t rank = rank_of(k.weight);
      for (const instr_id i : l.code.order_of(k)) {
        if (weights.copy > 0) {
          const copy_ends ends = copy_of(l, i);
          if (ends.found && ends.aligned() && ends.file_class == c) {
            both(register_of_web[ends.to], register_of_web[ends.from], {0, weights.copy, range::type, true, false});
          }
        }
        if (weights.bank > 0 && c == pressure_class::r) add_banks(l, l.code[i], register_of_web, weights.bank * rank);
      }
    }
    if (weights.apart > 0) {
      apart_.each_pair(l, c, live, [&](std::uint32_t a, std::uint32_t b, std::int32_t weight) {
        both(register_of_web[a], register_of_web[b], {0, weight * weights.apart, apart::type, true, false});
      });
    }
    group(registers);
  }

  template <class F>
  void each_of(std::uint32_t r, F&& f) const {
    if (std::size_t{r} + 1 >= first_.size()) return;
    for (std::size_t k = first_[r]; k < first_[r + 1]; ++k) f(grouped_[k]);
  }

 private:
  struct wish {
    std::uint32_t owner;
    constraint what;
  };
  struct port {
    std::uint32_t owner;
    bool single;
    std::uint32_t parity;  // of a tuple's part
  };

  void both(std::uint32_t a, std::uint32_t b, constraint c) {
    if (a == b) return;
    c.target = b;
    found_.push_back({a, c});
    c.target = a;
    found_.push_back({b, c});
  }
  void add_banks(const lifted_program& l, const instruction& ins, span<const std::uint32_t> register_of_web,
                 std::int32_t weight) {
    port read[3];
    unsigned n = 0;
    for (std::uint32_t k = ins.first_operand; k < ins.first_operand + ins.operand_count; ++k) {
      const operand o = l.code.operands[k];
      if (!o.is_use() || o.file() != reg_file::r || !o.is_register() || o.width() != 1) continue;
      if (o.where() != slot::a && o.where() != slot::b && o.where() != slot::c) continue;
      const std::uint32_t w = l.web_of_operand[k];
      if (w == lifted_program::no_web || n == 3) continue;
      const web& one = l.webs[w];
      // Of a tuple that begins at an even register, or at an odd one, the parity of each part is known.
      if (one.width != 1 && one.alignment < 2) continue;
      const std::uint32_t part = o.base().number() - one.number;
      read[n++] = {register_of_web[w], one.width == 1, (one.phase + part) & 1u};
    }
    for (unsigned x = 0; x < n; ++x) {
      for (unsigned y = x + 1; y < n; ++y) {
        if (read[x].owner == read[y].owner) continue;
        if (read[x].single && read[y].single) {
          both(read[x].owner, read[y].owner, {0, weight, other_bank::type, true, false});
        } else if (read[x].single != read[y].single) {
          const port& one = read[x].single ? read[x] : read[y];
          const port& tuple = read[x].single ? read[y] : read[x];
          found_.push_back({one.owner, {tuple.parity, weight, other_bank::type, true, true}});
        }
      }
    }
  }
  void group(std::size_t registers) {
    first_.assign(registers + 1, 0);
    for (const wish& w : found_) ++first_[w.owner + std::size_t{1}];
    for (std::size_t r = 0; r < registers; ++r) first_[r + 1] += first_[r];
    grouped_.resize(found_.size());
    for (const wish& w : found_) grouped_[first_[w.owner]++] = w.what;
    for (std::size_t r = registers; r > 0; --r) first_[r] = first_[r - 1];
    if (registers > 0) first_[0] = 0;
  }

  apart_wishes apart_;
  vec<wish> found_;
  vec<std::uint32_t> first_;  // by register
  vec<constraint> grouped_;
};

}  // namespace ww::regalloc
