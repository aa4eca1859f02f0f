// SPDX-License-Identifier: BSL-1.0
//
// What must hold before definitions are compared: both programs are sound, have the same blocks and edges, and the map says
// truly which instruction comes from which.
//
//   matched    original instructions of the program after are those of the one before but for registers
//              (allocation_match.hpp), in the same block and in the same order, and none comes from another one twice
//   deleted    is only what has no effect but its results
//   inserted   has no effect but its results, and for a spill its store to local or shared memory at an address that is
//              known
// Linear in instructions, operands and edges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_map.hpp"
#include "allocation_match.hpp"
#include "allocation_report.hpp"

namespace ww::verify::detail {

class allocation_shape {
 public:
  vec<std::uint32_t> after_of;  // by instruction before: the one after, or `none`

  static constexpr std::uint32_t none = 0xffffffffu;

  allocation_fault check(const program& before, const program& after, span<const allocated_from> map, instr_id& at) {
    at = {};
    if (!sound(before, at, block_before_)) return allocation_fault::program_before;
    if (!sound(after, at, block_after_)) return allocation_fault::program_after;
    if (map.size() != after.instructions.size()) return allocation_fault::map;
    if (!same_flow(before, after)) return allocation_fault::flow;
    place_before_.assign(before.instructions.size(), none);
    for (std::uint32_t k = 0; k < before.order.size(); ++k) {
      if (before.order[k].index() < place_before_.size()) place_before_[before.order[k].index()] = k;
    }
    after_of.assign(before.instructions.size(), none);
    for (const block& b : after.blocks) {
      const span<const instr_id> order = after.order_of(b);
      next_ = 0;
      for (std::size_t k = 0; k < order.size(); ++k) {
        at = order[k];
        const allocation_fault f = instruction_fault(before, after, map[at.index()], at, k + 1 == order.size());
        if (f != allocation_fault::none) return f;
      }
    }
    for (std::uint32_t i = 0; i < before.instructions.size(); ++i) {
      at = instr_id{i};
      if (block_before_[i] != none && after_of[i] == none && !can_go(before.instructions[i]))
        return allocation_fault::effect;
    }
    at = {};
    return allocation_fault::none;
  }

 private:
  static bool sound(const program& p, instr_id& at, vec<std::uint32_t>& block_of) {
    block_of.assign(p.instructions.size(), none);
    if (!p.order.empty() && p.blocks.empty()) return false;
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
      at = instr_id{i};
      const instruction& ins = p.instructions[i];
      if (ins.first_operand > p.operands.size() || ins.operand_count > p.operands.size() - ins.first_operand) return false;
      for (const operand& o : p.operands_of(ins)) {
        if (o.is_register() && o.base().number() + o.width() > reg::zero_number) return false;
      }
    }
    at = {};
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const block& blk = p.blocks[b];
      if (blk.first > p.order.size() || blk.count > p.order.size() - blk.first) return false;
      if (blk.first_edge > p.edges.size() || blk.edge_count > p.edges.size() - blk.first_edge) return false;
      for (const cfg_edge& e : p.edges_of(blk)) {
        if (e.to.index() >= p.blocks.size() || e.from.index() != b) return false;
      }
      for (const instr_id i : p.order_of(blk)) {
        if (i.index() >= p.instructions.size() || block_of[i.index()] != none) return false;
        block_of[i.index()] = b;
      }
    }
    for (const cfg_edge& e : p.edges) {
      if (e.from.index() >= p.blocks.size() || e.to.index() >= p.blocks.size()) return false;
    }
    return true;
  }
  static bool same_flow(const program& before, const program& after) {
    if (before.blocks.size() != after.blocks.size() || before.edges.size() != after.edges.size()) return false;
    for (std::size_t b = 0; b < before.blocks.size(); ++b) {
      const block& x = before.blocks[b];
      const block& y = after.blocks[b];
      if (x.entry != y.entry || x.open_exit != y.open_exit || x.edge_count != y.edge_count || x.first_edge != y.first_edge) {
        return false;
      }
    }
    for (std::size_t e = 0; e < before.edges.size(); ++e) {
      const cfg_edge& x = before.edges[e];
      const cfg_edge& y = after.edges[e];
      if (x.from != y.from || x.to != y.to || x.kind != y.kind) return false;
    }
    return true;
  }

  allocation_fault instruction_fault(const program& before, const program& after, allocated_from from, instr_id id,
                                     bool last) {
    const instruction& ins = after[id];
    for (const operand& o : after.operands_of(ins)) {
      if (!o.is_register() || !is_allocated_file(o.file())) continue;
      if (o.base().number() + o.width() > reg::first_virtual) return allocation_fault::unallocated;
    }
    if (ins.has(iflag::ends_block) && !last) return allocation_fault::flow;
    if (from.what >= allocated_as::count) return allocation_fault::map;
    if (from.what != allocated_as::original) {
      if (from.what == allocated_as::remat &&
          (from.of.index() >= before.instructions.size() || block_before_[from.of.index()] == none)) {
        return allocation_fault::map;
      }
      if (from.what == allocated_as::spill) {
        const bool memory = ins.dir == mem_dir::store && (ins.space == mem_space::local || ins.space == mem_space::shared);
        return memory && !ins.has(iflag::symbolic_mem) && ins.mem_bytes != 0 && !acts(ins) ? allocation_fault::none
                                                                                           : allocation_fault::effect;
      }
      return can_go(ins) ? allocation_fault::none : allocation_fault::effect;
    }
    const std::uint32_t of = from.of.index();
    if (of >= before.instructions.size() || after_of[of] != none) return allocation_fault::map;
    if (block_before_[of] != block_after_[id.index()] || place_before_[of] < next_) return allocation_fault::place;
    next_ = place_before_[of] + 1;
    if (!same_but_registers(before, before.instructions[of], after, ins)) return allocation_fault::instruction;
    after_of[of] = id.index();
    return allocation_fault::none;
  }
  // Does it do more than write its results and access memory?
  static bool acts(const instruction& i) {
    return has_any(i, {iflag::never, iflag::branch, iflag::call, iflag::ret, iflag::exit, iflag::ends_block, iflag::fence,
                       iflag::unknown, iflag::sync, iflag::convergence, iflag::reconverge, iflag::arrives,
                       iflag::active_mask, iflag::volatile_mem, iflag::behind_barrier, iflag::block_fence});
  }
  static bool can_go(const instruction& i) {
    return !acts(i) && !i.has(iflag::side_effect) && (i.dir == mem_dir::none || i.dir == mem_dir::load);
  }

  vec<std::uint32_t> block_before_, block_after_;  // by instruction
  vec<std::uint32_t> place_before_;                // in the order, by instruction
  std::uint32_t next_ = 0;                         // place before that the next original instruction must have at least
};

}  // namespace ww::verify::detail
