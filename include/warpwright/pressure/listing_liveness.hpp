// SPDX-License-Identifier: BSL-1.0
//
// Live registers as NVIDIA's disassembler counts them (nvdisasm -plr), instruction by instruction.
//
// The rules below were found from its tables (corpus, sm_80 and sm_90, and kernels by CUDA 11 to 13 for sm_70 to sm_90 through
// nvdisasm 12.4: docs/deviations.md); they differ from liveness.hpp where the tool summarises or approximates, so use this to compare
// with listings and liveness.hpp for everything else.
//
//   row      registers live before the instruction or written by it
//   region   a maximal run of code that falls through and that no label interrupts; conditional branches do not end it
//   ends     inside its region an unguarded write ends a live range, and so does one under a uniform predicate. What is needed
//            behind an exit of the region is, for the regions before it, ended by any write above that exit, guarded or not
//   R1       is needed at the end of every region
//   call     never followed, also when it goes to a plain label: reads R0 and R1 and clobbers by call_convention.hpp, of general
//            registers those that the kernel declares and its file names, of other classes those that its file names
//   ret      reads all preserved registers that the kernel declares
//   P2R, R2P neither read nor write the predicates of their mask
//   collective and reconvergence instructions fall through only
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "../simd/scalar.hpp"
#include "call_convention.hpp"
#include "liveness.hpp"

namespace ww {

class listing_liveness {
 public:
  using numbers = array<std::uint32_t, pressure_class_count>;

  // How many registers of each class a section names, the highest number + 1; a return names what it reads. `declared`: general
  // registers that its kernel asks for; 0 takes program::register_count.
  static numbers named(const program& p, std::uint32_t declared = 0) {
    register_layout own;
    own.compute(p);
    if (declared == 0) declared = p.register_count;
    bool returns = false;
    for (const instruction& ins : p.instructions) returns = returns || ins.has(iflag::ret);
    if (!returns) return own.physical;
    while (declared > own.physical[0] && !call_convention::preserved(pressure_class::r, declared - 1)) --declared;
    own.physical[0] = std::max(own.physical[0], declared);
    return own.physical;
  }

  // Fills counts[position]; needs blocks and edges (ir/cfg.hpp). `in_file`: the highest of what the sections of its file name
  // (0 where only this one counts).
  void compute(const program& p, vec<live_count>& counts, const numbers& in_file = {}, std::uint32_t declared = 0) {
    numbers room = named(p, declared);
    for (std::size_t c = 0; c < room.size(); ++c) room[c] = std::max(room[c], in_file[c]);
    const std::uint32_t general = room[0];
    room[0] = declared != 0 ? declared : p.register_count;
    sets_.layout.compute(p, room);
    words_ = sets_.layout.words();
    prepare(p, general);
    in_.assign(words_ * p.blocks.size(), 0);
    vec<std::uint64_t> live(words_);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t last = static_cast<std::uint32_t>(p.blocks.size()); last > 0;) {
        const std::uint32_t first = region_of_[last - 1];
        walk_region(p, first, last, live, nullptr);
        std::uint64_t* const known = in_.data() + words_ * first;
        changed = changed || !std::equal(live.begin(), live.end(), known);
        std::copy(live.begin(), live.end(), known);
        last = first;
      }
    }
    counts.assign(p.order.size(), live_count{});
    for (std::uint32_t last = static_cast<std::uint32_t>(p.blocks.size()); last > 0;) {
      walk_region(p, region_of_[last - 1], last, live, &counts);
      last = region_of_[last - 1];
    }
  }

 private:
  static bool is_call(const instruction& ins) { return ins.iclass == sched_class::call; }
  static bool falls_only(const instruction& ins) {
    return is_call(ins) || ins.has(iflag::convergence) || ins.has(iflag::sync) || ins.iclass == sched_class::warpsync ||
           ins.iclass == sched_class::collective || ins.iclass == sched_class::brk || ins.iclass == sched_class::bsync ||
           ins.iclass == sched_class::bpt;
  }

  void prepare(const program& p, std::uint32_t general) {
    vec<std::uint8_t> labelled(p.instructions.size(), 0);
    for (const instruction& ins : p.instructions) {
      if (ins.target.valid()) labelled[ins.target.index()] = true;
    }
    for (const cfg_edge& e : p.edges) {
      if (e.kind == edge_kind::indirect && p[e.to].count != 0) labelled[p.order[p[e.to].first].index()] = true;
    }
    region_of_.assign(p.blocks.size(), 0);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const block& blk = p.blocks[b];
      const bool starts = b == 0 || blk.entry || blk.count == 0 || labelled[p.order[blk.first].index()] ||
                          !falls(p, b - 1) || p.blocks[b - 1].function != blk.function;
      region_of_[b] = starts ? b : region_of_[b - 1];
    }
    clobbered_.assign(words_, 0);
    read_by_call_.assign(words_, 0);
    read_by_return_.assign(words_, 0);
    always_.assign(words_, 0);
    call_convention::mark(sets_.layout, clobbered_.data(), [general](pressure_class c, std::uint32_t n) {
      return !call_convention::preserved(c, n) && (c != pressure_class::r || n < general);
    });
    call_convention::mark(sets_.layout, read_by_call_.data(), call_convention::read_by_call);
    call_convention::mark(sets_.layout, read_by_return_.data(), call_convention::read_by_return);
    call_convention::mark(sets_.layout, always_.data(), call_convention::always_live);
  }

  [[nodiscard]] const instruction& last_of(const program& p, std::uint32_t b) const {
    const block& blk = p.blocks[b];
    return p[p.order[blk.first + blk.count - 1]];
  }
  // True when control can go from the end of block b to the next block.
  [[nodiscard]] bool falls(const program& p, std::uint32_t b) const {
    if (p.blocks[b].count == 0 || falls_only(last_of(p, b))) return true;
    for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
      if (e.to.index() == b + 1 && e.kind == edge_kind::fall) return true;
    }
    return false;
  }

  void add(vec<std::uint64_t>& live, const std::uint64_t* bits) const {
    for (std::size_t w = 0; w < words_; ++w) live[w] |= bits[w];
  }

  // Blocks [first, last) backward. Without `rows` it gives the set at the start as other regions see it.
  void walk_region(const program& p, std::uint32_t first, std::uint32_t last, vec<std::uint64_t>& live,
                   vec<live_count>* rows) {
    std::copy(always_.begin(), always_.end(), live.begin());
    behind_.assign(words_, 0);
    vec<std::uint64_t>& exits = rows == nullptr ? behind_ : live;
    if (last < p.blocks.size() && falls(p, last - 1)) add(exits, in_.data() + words_ * last);
    vec<std::uint64_t> row(words_);
    for (std::uint32_t b = last; b-- > first;) {
      const block& blk = p.blocks[b];
      if (blk.count == 0) continue;
      if (!falls_only(last_of(p, b))) {
        for (const cfg_edge& e : p.edges_of(blk)) {
          if (e.kind == edge_kind::branch || e.kind == edge_kind::indirect) add(exits, in_.data() + words_ * e.to.index());
        }
      }
      for (std::uint32_t at = blk.first + blk.count; at-- > blk.first;) {
        const instruction& ins = p[p.order[at]];
        step(p, ins, live, rows == nullptr);
        if (rows == nullptr) continue;
        row = live;
        for (const operand o : p.operands_of(ins)) {
          if (o.is_def() && counts(ins, o)) set(o, row.data());
        }
        if (is_call(ins)) add(row, clobbered_.data());
        (*rows)[at] = sets_.layout.population<simd::scalar>(row.data());
      }
    }
    add(live, behind_.data());
  }

  // Is it a register that the table knows of the instruction?
  static bool counts(const instruction& ins, operand o) {
    const bool mask =
        (ins.op == opcode::p2r || ins.op == opcode::r2p) && o.file() == reg_file::p && o.where() != slot::guard;
    return o.is_register() && !mask;
  }
  void set(operand o, std::uint64_t* bits) const {
    sets_.each_bit(o, [&](std::uint32_t bit) { bits[bit >> 6] |= 1ull << (bit & 63u); });
  }
  void clear(operand o, std::uint64_t* bits) const {
    sets_.each_bit(o, [&](std::uint32_t bit) { bits[bit >> 6] &= ~(1ull << (bit & 63u)); });
  }

  void step(const program& p, const instruction& ins, vec<std::uint64_t>& live, bool outside) {
    bool acts = true;  // whatever a vector predicate says
    for (const operand o : p.operands_of(ins)) {
      if (o.where() == slot::guard && o.is_register() && o.file() == reg_file::p) acts = false;
    }
    if (is_call(ins)) {
      for (std::size_t w = 0; w < words_; ++w) {
        if (acts || outside) live[w] &= ~clobbered_[w];
        behind_[w] &= ~clobbered_[w];
      }
    }
    for (const operand o : p.operands_of(ins)) {
      const bool whole = !o.is_partial() || (ins.has(iflag::guarded) && !o.is_half());
      if (!o.is_def() || !counts(ins, o) || !whole) continue;
      clear(o, behind_.data());
      if (acts) clear(o, live.data());
    }
    for (const operand o : p.operands_of(ins)) {
      if (o.is_use() && counts(ins, o)) set(o, live.data());
    }
    if (ins.has(iflag::unknown)) sets_.step(p, ins, live.data());  // reads all
    if (is_call(ins)) add(live, read_by_call_.data());
    if (ins.has(iflag::ret)) add(live, read_by_return_.data());
  }

  liveness sets_;  // its layout
  std::size_t words_ = 0;
  vec<std::uint64_t> in_;         // per block, meaningful for the first of a region
  vec<std::uint32_t> region_of_;  // per block: first block of its region
  vec<std::uint64_t> clobbered_, read_by_call_, read_by_return_, always_;
  vec<std::uint64_t> behind_;  // needed behind exits of the region that the walk has passed
};

}  // namespace ww
