// SPDX-License-Identifier: BSL-1.0
//
// Live registers as NVIDIA's disassembler counts them (nvdisasm -plr), instruction by instruction.
//
// The rules below were found from its tables (corpus, sm_80 and sm_90); they differ from liveness.hpp where the tool
// summarises or approximates, so use this to compare with listings and liveness.hpp for everything else.
//
//   row      registers live before the instruction or written by it
//   region   a maximal run of code that falls through and that no label interrupts; conditional branches do not end it
//   call     never followed, also when it goes to a plain label: reads R0 and R1 and clobbers by call_convention.hpp
//   ret      reads all preserved registers; exit and the closing self-branch read R1
//   guards   a guarded write does not end a live range; at the start of a region, however, a guarded call does, and a
//            value needed only where `@P BRA` is taken is not needed before a write under the same @P above it
//   collective and reconvergence instructions fall through only
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "../simd/scalar.hpp"
#include "call_convention.hpp"
#include "liveness.hpp"

namespace ww {

class listing_liveness {
 public:
  // Fills counts[position]; needs blocks and edges (ir/cfg.hpp). A call clobbers every register that exists: as many general
  // ones as the kernel declares, of the other classes as many as the file that the section comes from uses. `at_least`
  // holds these counts; program::register_count is heeded where it is known.
  void compute(const program& p, vec<live_count>& counts, array<std::uint32_t, pressure_class_count> at_least = {}) {
    at_least[0] = std::max(at_least[0], p.register_count);
    sets_.layout.compute(p, at_least);
    words_ = sets_.layout.words();
    prepare(p);
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
  // What is needed only where a guarded branch is taken.
  struct conditional {
    reg guard;
    bool negated = false;
    vec<std::uint64_t> live;
  };

  static bool is_call(const instruction& ins) { return ins.iclass == sched_class::call; }
  static bool falls_only(const instruction& ins) {
    return is_call(ins) || ins.has(iflag::convergence) || ins.has(iflag::sync) || ins.iclass == sched_class::warpsync ||
           ins.iclass == sched_class::collective || ins.iclass == sched_class::brk || ins.iclass == sched_class::bsync ||
           ins.iclass == sched_class::bpt;
  }

  void prepare(const program& p) {
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
    read_by_exit_.assign(words_, 0);
    call_convention::mark(sets_.layout, clobbered_.data(),
                          [](pressure_class c, std::uint32_t n) { return !call_convention::preserved(c, n); });
    call_convention::mark(sets_.layout, read_by_call_.data(), call_convention::read_by_call);
    call_convention::mark(sets_.layout, read_by_return_.data(), call_convention::read_by_return);
    call_convention::mark(sets_.layout, read_by_exit_.data(), call_convention::read_by_exit);
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
    std::fill(live.begin(), live.end(), 0);
    open_.clear();
    vec<std::uint64_t> row(words_);
    for (std::uint32_t b = last; b-- > first;) {
      const block& blk = p.blocks[b];
      if (blk.count == 0) continue;
      const instruction& end = last_of(p, b);
      const bool inside = b + 1 < last;
      if (!inside || !falls(p, b)) std::fill(live.begin(), live.end(), 0);
      if (!inside && b + 1 < p.blocks.size() && falls(p, b)) add(live, in_.data() + words_ * (b + 1));
      if (!falls_only(end)) {
        for (const cfg_edge& e : p.edges_of(blk)) {
          if (e.kind != edge_kind::branch && e.kind != edge_kind::indirect) continue;
          const std::uint64_t* const target = in_.data() + words_ * e.to.index();
          if (rows == nullptr && end.has(iflag::guarded)) {
            add_conditional(p, end, target);
          } else {
            add(live, target);
          }
        }
      }
      for (std::uint32_t at = blk.first + blk.count; at-- > blk.first;) {
        const instruction& ins = p[p.order[at]];
        step(p, ins, live, rows == nullptr);
        if (rows == nullptr) continue;
        row = live;
        sets_.add_defs(p, ins, row.data());
        if (is_call(ins)) add(row, clobbered_.data());
        (*rows)[at] = sets_.layout.population<simd::scalar>(row.data());
      }
    }
    for (const conditional& c : open_) add(live, c.live.data());
  }

  void add_conditional(const program& p, const instruction& branch, const std::uint64_t* target) {
    conditional c;
    for (const operand o : p.operands_of(branch)) {
      if (o.where() == slot::guard && o.is_register()) c.guard = o.base();
    }
    c.negated = branch.guard_negated != 0;
    c.live.assign(target, target + words_);
    open_.push_back(std::move(c));
  }

  void step(const program& p, const instruction& ins, vec<std::uint64_t>& live, bool outside) {
    const bool guarded = ins.has(iflag::guarded);
    reg guard;
    for (const operand o : p.operands_of(ins)) {
      if (o.where() == slot::guard && o.is_register()) guard = o.base();
    }
    // Definitions.
    if (is_call(ins) && (!guarded || outside)) {
      for (std::size_t w = 0; w < words_; ++w) live[w] &= ~clobbered_[w];
    }
    for (std::size_t k = 0; k < open_.size();) {
      conditional& c = open_[k];
      const bool same = guarded && guard == c.guard && (ins.guard_negated != 0) == c.negated;
      bool redefined = false;
      for (const operand o : p.operands_of(ins)) {
        if (!o.is_def() || !o.is_register()) continue;
        if (!guarded || same) sets_.each_bit(o, [&](std::uint32_t bit) { c.live[bit >> 6] &= ~(1ull << (bit & 63u)); });
        redefined = redefined || (o.file() == c.guard.file() && o.base().number() <= c.guard.number() &&
                                  c.guard.number() < o.base().number() + o.width());
      }
      if (is_call(ins)) {
        for (std::size_t w = 0; w < words_; ++w) c.live[w] &= ~clobbered_[w];
        redefined = true;
      }
      if (redefined) {
        add(live, c.live.data());
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
    sets_.step(p, ins, live.data());
    if (is_call(ins)) add(live, read_by_call_.data());
    if (ins.has(iflag::ret)) add(live, read_by_return_.data());
    const bool closes = ins.has(iflag::branch) && ins.target.valid() && &p[ins.target] == &ins;
    if (ins.has(iflag::exit) || closes) add(live, read_by_exit_.data());
  }

  liveness sets_;  // its layout and its step
  std::size_t words_ = 0;
  vec<std::uint64_t> in_;         // per block, meaningful for the first of a region
  vec<std::uint32_t> region_of_;  // per block: first block of its region
  vec<std::uint64_t> clobbered_, read_by_call_, read_by_return_, read_by_exit_;
  vec<conditional> open_;
};

}  // namespace ww
