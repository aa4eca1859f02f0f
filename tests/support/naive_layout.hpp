// SPDX-License-Identifier: BSL-1.0
//
// A new layout of the blocks of a program, made at random and without any thought: legal, and independent of the kit's layouter.
//
//   naive_layout(program, random)   the same program with its blocks in another order, instructions numbered anew
// The first block of a function stays first, functions change places, the last block and closing padding stay at the end. Where a
// block fell or came back from a call stands a BRA, sometimes one too many. Guarded branches are turned round, branches to the
// next block are left out, both now and then. A function whose indirect branch has no table, and a BRX behind its PRET, stay.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/program.hpp>
#include <warpwright/isa/opcode_id.hpp>
#include <warpwright/isa/sched_class.hpp>

namespace ww_test {

struct naive_layout_result {
  ww::program program;
  unsigned inserted = 0;
  unsigned removed = 0;
  unsigned turned = 0;
  unsigned moved = 0;  // blocks that stand behind another one than before
  bool ok = false;     // build_cfg() took it
};

inline ww::instruction plain_branch(ww::instr_id target) {
  ww::instruction i;
  i.op = ww::opcode::bra;
  i.iclass = ww::sched_class::branch;
  for (const ww::iflag f : {ww::iflag::branch, ww::iflag::ends_block, ww::iflag::fence, ww::iflag::side_effect}) i.add(f);
  i.target = target;
  return i;
}

class naive_layouter {
 public:
  naive_layouter(const ww::program& p, std::mt19937& random) : p_(p), random_(random) {}

  naive_layout_result run() {
    find_open();
    order_blocks();
    label_.assign(p_.blocks.size(), 0);
    for (std::size_t k = 0; k < layout_.size(); ++k) emit(k);
    // What was left out entirely is where the next one starts.
    for (std::size_t k = layout_.size(); k-- > 0;) {
      if (empty_[layout_[k]]) label_[layout_[k]] = k + 1 < layout_.size() ? label_[layout_[k + 1]] : 0;
    }
    finish();
    return out_;
  }

 private:
  using u32 = std::uint32_t;

  u32 roll(std::size_t n) { return static_cast<u32>(random_() % n); }
  const ww::instruction& last(u32 b) const { return p_[p_.order[p_.blocks[b].first + p_.blocks[b].count - 1]]; }
  u32 owner(u32 b) const { return p_.blocks[b].function.valid() ? p_.blocks[b].function.index() : 0xffffffffu; }

  void find_open() {
    fixed_.assign(p_.functions.size() + 1, false);
    for (u32 b = 0; b < p_.blocks.size(); ++b) {
      const ww::instruction& x = last(b);
      const ww::branch_table* t = p_.table_of(p_.order[p_.blocks[b].first + p_.blocks[b].count - 1]);
      if (x.has(ww::iflag::branch) && x.has(ww::iflag::indirect) && (t == nullptr || t->count == 0)) {
        fixed_[std::min<std::size_t>(owner(b), p_.functions.size())] = true;
        any_fixed_ = true;
      }
    }
  }
  bool is_fixed(u32 b) const { return fixed_[std::min<std::size_t>(owner(b), p_.functions.size())]; }

  void order_blocks() {
    const auto n = static_cast<u32>(p_.blocks.size());
    std::vector<std::vector<u32>> runs;
    for (u32 b = 0; b < n; ++b) {
      if (b == 0 || owner(b) != owner(b - 1)) runs.emplace_back();
      runs.back().push_back(b);
    }
    u32 tail = n - 1;  // this one and those behind it stay at the end
    while (tail > 0 && p_.blocks[tail].padding) --tail;
    for (std::vector<u32>& run : runs) {
      if (is_fixed(run[0])) continue;
      std::size_t end = run.size();
      while (end > 0 && run[end - 1] >= tail) --end;
      for (std::size_t k = end; k > 2; --k) std::swap(run[k - 1], run[1 + roll(k - 1)]);
    }
    bool first_stays = any_fixed_ || owner(0) == 0xffffffffu;
    for (const ww::function& f : p_.functions) first_stays = first_stays || !f.entry.valid();
    if (!any_fixed_ && runs.size() > 2) {
      for (std::size_t k = runs.size() - 1; k > (first_stays ? 2u : 1u); --k) {
        const std::size_t low = first_stays ? 1 : 0;
        std::swap(runs[k - 1], runs[low + roll(k - low)]);
      }
    }
    for (const std::vector<u32>& run : runs) layout_.insert(layout_.end(), run.begin(), run.end());
    for (std::size_t k = 1; k < layout_.size(); ++k) out_.moved += layout_[k] != layout_[k - 1] + 1 ? 1u : 0u;
  }

  void put(ww::instruction i, std::vector<ww::operand> operands, u32 to) {
    i.first_operand = static_cast<u32>(out_.program.operands.size());
    for (const ww::operand& o : operands) out_.program.operands.push_back(o);
    to_.push_back(to);
    out_.program.order.push_back(ww::instr_id{static_cast<u32>(out_.program.instructions.size())});
    out_.program.instructions.push_back(i);
  }
  void branch(u32 to) {
    put(plain_branch({}), {}, to);
    ++out_.inserted;
  }

  void emit(std::size_t k) {
    const u32 b = layout_[k];
    const u32 next = k + 1 < layout_.size() ? layout_[k + 1] : none;
    const ww::block& blk = p_.blocks[b];
    empty_.resize(p_.blocks.size(), false);
    label_[b] = static_cast<u32>(out_.program.instructions.size());
    u32 falls = none;
    for (const ww::cfg_edge& e : p_.edges_of(blk)) {
      if (e.kind == ww::edge_kind::fall || (e.kind == ww::edge_kind::call_return && e.to.index() == b + 1))
        falls = e.to.index();
    }
    for (const ww::instr_id id : p_.order_of(blk)) {
      ww::instruction i = p_[id];
      const auto slice = p_.operands_of(i);
      std::vector<ww::operand> operands(slice.begin(), slice.end());
      u32 to = i.target.valid() ? block_of(i.target) : none;
      const bool at_end = id == p_.order[blk.first + blk.count - 1];
      const bool direct = i.op == ww::opcode::bra && i.has(ww::iflag::branch) && !i.has(ww::iflag::indirect) && to != none &&
                          !i.has(ww::iflag::conditional) && !i.has(ww::iflag::never);
      if (at_end && direct && !is_fixed(b)) {
        if (!i.has(ww::iflag::guarded) && to == next && roll(2) == 0 && !i.has(ww::iflag::padding) &&
            !(blk.count == 1 && blk.entry)) {
          ++out_.removed;
          empty_[b] = blk.count == 1;
          continue;
        }
        const bool modified = i.word[1] != 0 && ((i.word[0] >> 32 & 3u) | (i.word[1] >> 20 & 7u)) != 0;
        if (i.has(ww::iflag::guarded) && !modified && falls != none && roll(2) == 0) {
          i.guard_negated ^= 1;
          for (ww::operand& o : operands) {
            if (o.where() == ww::slot::guard) o.high ^= ww::operand::bit_not;
          }
          std::swap(to, falls);
          ++out_.turned;
        }
      }
      put(i, operands, to);
      new_id_.resize(p_.instructions.size(), none);
      new_id_[id.index()] = static_cast<u32>(out_.program.instructions.size() - 1);
    }
    if (falls == none || is_fixed(b)) return;
    const bool called_back = b + 1 < p_.blocks.size() && last(b).region == ww::region_kind::call;
    if (falls != next || (!called_back && roll(3) == 0)) branch(falls);
  }

  u32 block_of(ww::instr_id id) {
    if (block_of_.empty()) {
      block_of_.assign(p_.instructions.size(), 0);
      for (u32 b = 0; b < p_.blocks.size(); ++b) {
        for (const ww::instr_id i : p_.order_of(p_.blocks[b])) block_of_[i.index()] = b;
      }
    }
    return block_of_[id.index()];
  }
  ww::instr_id place(ww::instr_id id) { return ww::instr_id{label_[block_of(id)]}; }

  void finish() {
    ww::program& q = out_.program;
    for (std::size_t k = 0; k < to_.size(); ++k) {
      q.instructions[k].target = to_[k] == none ? ww::instr_id{} : ww::instr_id{label_[to_[k]]};
    }
    q.functions = p_.functions;
    for (ww::function& f : q.functions) {
      if (f.entry.valid()) f.entry = place(f.entry);
    }
    std::vector<ww::branch_table> tables(p_.tables.begin(), p_.tables.end());
    for (const ww::instr_id t : p_.table_targets) q.table_targets.push_back(place(t));
    for (ww::branch_table& t : tables) t.branch = ww::instr_id{new_id_[t.branch.index()]};
    std::sort(tables.begin(), tables.end(), [](const auto& x, const auto& y) { return x.branch < y.branch; });
    for (const ww::branch_table& t : tables) q.tables.push_back(t);
    for (const ww::instr_id t : p_.leaders) q.leaders.push_back(place(t));
    q.sm = p_.sm;
    q.register_count = p_.register_count;
    q.has_encoding = p_.has_encoding;
    q.has_control = p_.has_control;
    out_.ok = ww::build_cfg(q).ok;
  }

  static constexpr u32 none = 0xffffffffu;

  const ww::program& p_;
  std::mt19937& random_;
  naive_layout_result out_;
  std::vector<bool> fixed_;  // by function
  bool any_fixed_ = false;
  std::vector<u32> layout_;
  std::vector<u32> label_;   // by block: the new id of its first instruction
  std::vector<bool> empty_;  // by block: nothing is left of it
  std::vector<u32> to_;      // by new id: block of the target
  std::vector<u32> new_id_;
  std::vector<u32> block_of_;
};

inline naive_layout_result naive_layout(const ww::program& p, std::mt19937& random) {
  if (p.blocks.empty()) return {p, 0, 0, 0, 0, true};
  return naive_layouter(p, random).run();
}

}  // namespace ww_test
