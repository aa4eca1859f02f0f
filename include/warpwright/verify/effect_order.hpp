// SPDX-License-Identifier: BSL-1.0
//
// Does a new order of a block keep the order of everything that the rest of the machine can see?
//   version     how many times a register has been written in the block so far: equal versions are equal values
//   apart       two accesses of one space through the same versions of the same address registers to bytes that do not
//               overlap
// What registers hold is asked for by reaching.hpp, what instructions do by effect.hpp. Nothing at all passes an instruction of an
// unknown opcode. Only pairs that stand the other way round are looked at: none where the order is as before, all m * m of a
// block with m effects where it is reversed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "effect.hpp"

namespace ww::verify {

// Two instructions that have to stand in this order and do not; `second` alone: nobody may pass it, and somebody did.
struct misplaced_effect {
  instr_id first;
  instr_id second;
  [[nodiscard]] bool found() const { return second.valid(); }
};

namespace detail {

class effect_order {
 public:
  // Two orders of the same instructions of a block.
  misplaced_effect run(const program& p, span<const instr_id> old_order, span<const instr_id> new_order) {
    p_ = &p;
    if (rank_.size() < p.instructions.size()) rank_.resize(p.instructions.size());
    effects_.clear();
    entries_.clear();
    steps_.clear();
    for (std::size_t k = 0; k < old_order.size(); ++k) {
      rank_[old_order[k].index()] = static_cast<std::uint32_t>(k);
      effects_.push_back({effect_of(p[old_order[k]]), old_order[k], 0, 0});
      note_versions(p[old_order[k]], effects_[k]);
    }
    std::size_t furthest = 0;  // of the ranks so far
    for (std::size_t k = 0; k < new_order.size(); ++k) {
      const std::size_t rank = rank_[new_order[k].index()];
      if (p[new_order[k]].has(iflag::unknown) && (rank != k || furthest > rank)) return {{}, new_order[k]};
      furthest = rank > furthest ? rank : furthest;
    }
    // Whoever stands behind somebody of a higher rank was overtaken by him.
    for (const instr_id late : new_order) {
      const std::uint32_t rank = rank_[late.index()];
      const placed_effect& e = effects_[rank];
      if (!e.any()) continue;
      for (std::size_t at = steps_.size(); at-- > 0 && steps_[at].highest > rank;) {
        const std::uint32_t over = steps_[at].rank;
        if (over > rank && ordered(rank, over)) return {late, old_order[over]};
      }
      const std::uint32_t highest = steps_.empty() ? 0 : steps_[steps_.size() - 1].highest;
      steps_.push_back({rank, rank > highest ? rank : highest});
    }
    return {};
  }

 private:
  struct placed_effect : effect {
    instr_id id;
    std::uint32_t entry = 0;  // first address register in entries_
    std::uint32_t entries = 0;
  };
  struct address_register {
    std::uint32_t low = 0;   // of the operand
    std::uint32_t high = 0;  // the same without the bits that change with the order
    std::uint32_t version = 0;
  };
  struct step {
    std::uint32_t rank = 0;
    std::uint32_t highest = 0;  // of this one and all before
  };

  // Keeps the versions of the address registers of an access, then counts what the instruction writes.
  void note_versions(const instruction& i, placed_effect& e) {
    if (e.plain) {
      e.entry = static_cast<std::uint32_t>(entries_.size());
      for (const operand& o : p_->operands_of(i)) {
        if (!o.is_use() || (o.where() != slot::address && o.where() != slot::uaddress)) continue;
        for (unsigned k = 0; k < o.width(); ++k) {
          const std::uint32_t version = o.is_register() ? version_of(reg{o.file(), o.base().number() + k}) : 0u;
          entries_.push_back({o.low, o.high & ~operand::bit_reuse, version});
          ++e.entries;
        }
      }
    }
    for (const operand& o : p_->operands_of(i)) {
      if (!o.is_def() || !o.is_register()) continue;
      for (unsigned k = 0; k < o.width(); ++k) ++version_of(reg{o.file(), o.base().number() + k});
    }
  }
  std::uint32_t& version_of(reg r) {
    vec<std::uint32_t>& of_file = versions_[static_cast<std::size_t>(r.file())];
    if (r.number() >= of_file.size()) of_file.resize(r.number() + 1u);
    return of_file[r.number()];
  }

  [[nodiscard]] bool ordered(std::uint32_t x, std::uint32_t y) const {
    return effects_[x].keeps_order_with(effects_[y]) && !apart(x, y);
  }
  [[nodiscard]] bool apart(std::uint32_t x, std::uint32_t y) const {
    const placed_effect& a = effects_[x];
    const placed_effect& b = effects_[y];
    const instruction& i = (*p_)[a.id];
    const instruction& j = (*p_)[b.id];
    if (!a.plain || !b.plain || i.space != j.space || a.entries != b.entries) return false;
    for (std::uint32_t k = 0; k < a.entries; ++k) {
      const address_register& u = entries_[a.entry + k];
      const address_register& v = entries_[b.entry + k];
      if (u.low != v.low || u.high != v.high || u.version != v.version) return false;
    }
    // [R2.X4] and [R2] name the same register: the scale stands in bits 78 and 79 (observed, nvdisasm listings).
    if (((i.word[1] ^ j.word[1]) >> 14 & 3u) != 0) return false;
    const std::int64_t from = i.mem_offset;
    const std::int64_t to = j.mem_offset;
    return from + i.mem_bytes <= to || to + j.mem_bytes <= from;
  }

  const program* p_ = nullptr;
  vec<std::uint32_t> rank_;     // by instruction: its place in the old order of the block
  vec<placed_effect> effects_;  // by rank
  vec<address_register> entries_;
  vec<step> steps_;  // instructions with effects, in the new order
  vec<std::uint32_t> versions_[reg_file_count];
};

}  // namespace detail

}  // namespace ww::verify
