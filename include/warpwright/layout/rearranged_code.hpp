// SPDX-License-Identifier: BSL-1.0
//
// Writes a program out with its blocks in another order, and its branches so that control goes where it went.
//
//   inserted  an unconditional branch behind a block whose `fall` no longer stands there. The text gives it stall count 0 and no
//             counters; a stall of 0 drains on hardware, so it gets control words like everybody else
//   removed   an unconditional branch to what stands behind it now
//   inverted  a branch under a guard whose target stands behind it now: it goes to the old `fall`, under the opposite guard
//   came_from by new instruction: the old one, none for an inserted branch
// The new program's instructions stand in layout order, addresses are counted anew, and its control-flow graph is built again.
// Weights stay with their blocks; an inserted branch that is a block of its own runs as often as the rarer of the two between
// which it stands. Control words are copied and no longer right: give it new ones before it is checked or run. 128-bit words of
// branches, BSSY and the like are encoded for the new places; where one cannot hold its distance, and for 64-bit instructions, the
// new program says has_encoding = false. Numbers that are addresses (in front of CALL, RET) are for who writes the program out.
#pragma once

#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../isa/branch_words.hpp"
#include "../isa/builder.hpp"
#include "../meta/vec.hpp"
#include "block_order.hpp"

namespace ww::layout {

struct rearrangement {
  vec<instr_id> came_from;
  std::uint32_t inserted = 0;
  std::uint32_t removed = 0;
  std::uint32_t inverted = 0;

  void clear() {
    came_from.clear();
    inserted = removed = inverted = 0;
  }
};

class rearranged_code {
 public:
  // `order` is that of `p`. False if the new program has no control-flow graph; `out` is of no use then.
  [[nodiscard]] bool write(const program& p, const block_order& order, isa::dialect dialect, program& out,
                           rearrangement& r) {
    p_ = &p;
    q_ = &out;
    r_ = &r;
    r.clear();
    out = program{};
    out.sm = p.sm;
    out.register_count = p.register_count;
    out.has_control = p.has_control;
    bytes_ = dialect.word64 ? 8 : 16;
    jump_ = isa::typed_instruction<>(opcode::bra, dialect);
    jump_.remove(iflag::indirect);
    if (p.has_encoding && !dialect.word64) {
      jump_.word[0] = isa::plain_branch_word[0];
      jump_.word[1] = isa::plain_branch_word[1];
    }
    first_of_.assign(p.blocks.size(), instr_id{});
    block_of_.assign(p.instructions.size(), none);
    new_id_.assign(p.instructions.size(), instr_id{});
    weight_.clear();
    jumps_.clear();
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      for (const instr_id i : p.order_of(p.blocks[b])) block_of_[i.index()] = b;
    }
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      write_block(order[k], order.exits(order[k]), k + 1 < order.size() ? order[k + 1] : block_id{});
    }
    resolve();
    if (!build_cfg(out).ok) return false;
    out.has_encoding = p.has_encoding && !dialect.word64 && encode(dialect.split_distance);
    for (block& b : out.blocks) {
      if (b.count != 0) b.weight = weight_[out.order[b.first].index()];
    }
    return true;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct jump {
    instr_id from;
    block_id to;
  };

  [[nodiscard]] instr_id next() const { return instr_id{static_cast<std::uint32_t>(q_->instructions.size())}; }

  void add(const instruction& i, double weight, instr_id old) {
    q_->order.push_back(next());
    weight_.push_back(weight);
    r_->came_from.push_back(old);
    q_->instructions.push_back(i);
    q_->instructions.back().address = bytes_ * static_cast<std::uint32_t>(q_->instructions.size() - 1);
  }

  void write_block(block_id b, const block_exits& exits, block_id behind) {
    const program& p = *p_;
    const block& blk = p[b];
    first_of_[b.index()] = next();
    const auto order = p.order_of(blk);
    const bool falls_elsewhere = exits.fall.valid() && exits.fall != behind;
    // Who branches to a block of which nothing is left goes where it went: to what is written next.
    const bool leave_out = exits.plain && exits.taken == behind && !blk.padding;
    const bool invert = falls_elsewhere && exits.invertible && exits.taken == behind;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const instr_id id = order[k];
      if (leave_out && k + 1 == order.size()) {
        ++r_->removed;
        break;
      }
      instruction i = p[id];
      i.first_operand = static_cast<std::uint32_t>(q_->operands.size());
      for (const operand& o : p.operands_of(id)) q_->operands.push_back(o);
      new_id_[id.index()] = next();
      add(i, blk.weight, id);
    }
    if (invert) {
      flip(q_->instructions.back());
      jumps_.push_back({instr_id{next().index() - 1}, exits.fall});
      ++r_->inverted;
    } else if (falls_elsewhere) {
      instruction i = jump_;
      i.first_operand = static_cast<std::uint32_t>(q_->operands.size());
      jumps_.push_back({next(), exits.fall});
      const double there = p[exits.fall].weight;
      add(i, there < blk.weight ? there : blk.weight, instr_id{});
      ++r_->inserted;
    }
  }

  void flip(instruction& branch) {
    branch.guard_negated ^= 1u;
    if ((branch.word[0] | branch.word[1]) != 0) isa::flip_guard(branch.word);
    for (unsigned k = 0; k < branch.operand_count; ++k) {
      operand& o = q_->operands[branch.first_operand + k];
      if (o.where() == slot::guard) o.high ^= operand::bit_not;
    }
  }

  // Targets mean blocks: an old one the first instruction of the block that the old target stands in.
  void resolve() {
    const auto moved = [&](instr_id old) {
      return old.valid() && old.index() < block_of_.size() && block_of_[old.index()] != none
                 ? first_of_[block_of_[old.index()]]
                 : instr_id{};
    };
    for (instruction& i : q_->instructions) i.target = moved(i.target);
    for (const jump& j : jumps_) q_->instructions[j.from.index()].target = first_of_[j.to.index()];
    for (branch_table t : p_->tables) {
      if (!new_id_[t.branch.index()].valid()) continue;
      t.branch = new_id_[t.branch.index()];
      // Ordered by branch: mostly they are.
      std::size_t at = q_->tables.size();
      q_->tables.push_back(t);
      for (; at > 0 && t.branch < q_->tables[at - 1].branch; --at) q_->tables[at] = q_->tables[at - 1];
      q_->tables[at] = t;
    }
    for (const instr_id t : p_->table_targets) q_->table_targets.push_back(moved(t));
    for (const instr_id t : p_->leaders) q_->leaders.push_back(moved(t));
    for (function f : p_->functions) {
      f.entry = moved(f.entry);
      q_->functions.push_back(f);
    }
  }

  // Distances to targets, from where everything stands now.
  bool encode(bool split) {
    for (instruction& i : q_->instructions) {
      if (!i.target.valid()) continue;
      const std::int64_t there = (*q_)[i.target].address;
      if (!isa::set_distance(split, i.word, there - std::int64_t{i.address} - 16)) return false;
    }
    return true;
  }

  const program* p_ = nullptr;
  program* q_ = nullptr;
  rearrangement* r_ = nullptr;
  std::uint32_t bytes_ = 16;
  instruction jump_;             // the branch that is inserted
  vec<instr_id> first_of_;       // by old block: its first new instruction
  vec<std::uint32_t> block_of_;  // by old instruction
  vec<instr_id> new_id_;         // by old instruction
  vec<double> weight_;           // by new instruction: executions
  vec<jump> jumps_;              // branches that go to a block
};

}  // namespace ww::layout
