// SPDX-License-Identifier: BSL-1.0
//
// When one instruction may leave its block (PLS-13, "Moves instructions across BB boundaries when safe").
//
//   up       from block `from` to the end of `to`, in front of what ends it. Either `to` is the only predecessor, or the two
//            are control equivalent: `to` dominates, and every way on from it leads through `from` once
//   down     from block `from` to the start of `to`, whose only predecessor it is and the only place that reads the result
//   passes   an instruction passes what stands between its two places, on every path: the rest of its block, the branch
//            between the blocks, and the blocks between control equivalent ones
//   speculative  at the new place it also acts on paths that did not run it. Loads never do (the address may be bad there),
//            but for constants at a fixed offset; other results only where nothing reads what they overwrite
//   placed   the program has a text or a file to go back to, in which branch distances and labels are fixed: then nothing
//            that depends on its address may slide, and no label may be crossed
// There are no exceptions to keep in order: arithmetic does not trap. Guards move along. Whoever moves something computes
// the facts again before asking about the next move.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../graph/guard.hpp"
#include "../graph/memory_access.hpp"
#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"

namespace ww::region {

enum class motion_refusal : std::uint8_t {
  none,
  pinned,            // fence, branch, barrier, convergence, clock, volatile, side effect
  writes_memory,     // store, atomic, cache control
  crosses_lanes,     // reads other threads' registers: the set of active threads counts
  other_file,        // writes carry, convergence or special registers
  no_result,         // nothing to gain
  shape,             // the blocks are not connected as said above
  empty_block,       // it is the last one left in its block
  block_end,         // what ends the block between is a call, a return, a reconvergence or an indirect branch
  passes_fence,      // a fence stands between the two places
  passes_register,   // something between reads or writes what it writes, or writes what it reads
  passes_memory,     // a write or an order of memory stands in front of a load
  speculative_load,  // it would load on a path that did not
  live_elsewhere,    // another path reads what it would overwrite
  uniform,           // a register of the whole warp, and the paths may run one after the other
  address,           // placed: a branch would slide or a label be crossed
  named,             // a branch, a table or a function names it: where it went, control would go (ir/block_starts.hpp)
  count
};

constexpr const char* name_of(motion_refusal r) {
  constexpr const char* names[static_cast<unsigned>(motion_refusal::count)] = {
      "none",
      "fence, branch, barrier, convergence, clock or side effect",
      "writes memory",
      "reads other threads' registers",
      "writes carry, convergence or special registers",
      "writes no register",
      "blocks that are not connected so",
      "last instruction of its block",
      "call, return, reconvergence or indirect branch between",
      "fence between",
      "register dependence between",
      "memory order between",
      "load on a path that did not load",
      "result live on another path",
      "uniform register on divergent paths",
      "label or branch distance in the way",
      "named by a branch, a table or a function"};
  return names[static_cast<unsigned>(r)];
}

class motion_facts {
 public:
  static constexpr std::uint32_t max_between = 16;  // blocks between control equivalent ones

  void compute(const program& p) {
    live_.compute(p);
    placed_ = false;
    labels_.assign(p.instructions.size() + 1, 0);
    for (const instruction& i : p.instructions) {
      placed_ = placed_ || i.source != 0xffffffffu || p.has_encoding;
      label(i.target);
    }
    for (const instr_id t : p.table_targets) label(t);
    for (const instr_id t : p.leaders) label(t);
    for (const function& f : p.functions) label(f.entry);
  }

  // May the instruction move at all?
  [[nodiscard]] motion_refusal movable(const program& p, const instruction& ins) const {
    constexpr iflag pins[] = {iflag::never,         iflag::branch,      iflag::indirect,    iflag::call,
                              iflag::ret,           iflag::exit,        iflag::ends_block,  iflag::fence,
                              iflag::unknown,       iflag::padding,     iflag::sync,        iflag::convergence,
                              iflag::volatile_mem,  iflag::pc_relative, iflag::reads_clock, iflag::reconverge,
                              iflag::behind_barrier};
    for (const iflag f : pins) {
      if (ins.has(f)) return motion_refusal::pinned;
    }
    if (access_of(p, ins).writes != 0) return motion_refusal::writes_memory;
    if (ins.has(iflag::side_effect) || ins.target.valid()) return motion_refusal::pinned;
    if (ww::detail::crosses_lanes(ins.iclass)) return motion_refusal::crosses_lanes;
    bool any = false;
    for (const operand o : p.operands_of(ins)) {
      if (!o.is_def() || !o.is_register()) continue;
      if (pressure_class_of(o.file()) == pressure_class::count) return motion_refusal::other_file;
      any = true;
    }
    for (const operand o : p.operands_of(ins)) {
      if (o.is_use() && (o.file() == reg_file::cc || o.file() == reg_file::b || o.file() == reg_file::sb)) {
        return motion_refusal::other_file;
      }
    }
    return any ? motion_refusal::none : motion_refusal::no_result;
  }

  // May the instruction at `place` (index into the order) of `from` go to the end of `to`?
  [[nodiscard]] motion_refusal up(const program& p, block_id from, std::uint32_t place, block_id to) {
    const instruction& ins = p[p.order[place]];
    if (const motion_refusal r = movable(p, ins); r != motion_refusal::none) return r;
    if (labels_[p.order[place].index()] != 0) return motion_refusal::named;
    const block& source = p[from];
    const block& target = p[to];
    if (source.count < 2) return motion_refusal::empty_block;
    if (target.count == 0 || from == to || !usable(target) || !usable(source) || source.entry) return motion_refusal::shape;
    const bool only = source.pred_count == 1 && p.edges[p.pred_edges_of(source)[0]].from == to;
    between_.clear();
    if (!only && !control_equivalent(p, from, to)) return motion_refusal::shape;
    if (!plain_end(p, target)) return motion_refusal::block_end;
    start();
    for (std::uint32_t k = source.first; k < place; ++k) pass(p, p[p.order[k]], false);
    for (const std::uint32_t b : between_) pass_block(p, p.blocks[b]);
    const std::uint32_t end = end_place(p, target);
    for (std::uint32_t k = end; k < target.first + target.count; ++k) pass(p, p[p.order[k]], true);
    if (const motion_refusal r = conflict(p, ins); r != motion_refusal::none) return r;
    const bool speculative = only && !always_reaches(p, target, from);
    if (speculative) {
      if (ins.dir == mem_dir::load && !fixed_constant(p, ins)) return motion_refusal::speculative_load;
      if (target.open_exit || live_on_other_paths(p, target, from, ins)) return motion_refusal::live_elsewhere;
      if (names_uniform(p, ins, true)) return motion_refusal::uniform;
    }
    return slides(p, end, place, end == source.first ? end : end + 1, place) ? motion_refusal::address
                                                                             : motion_refusal::none;
  }

  // May the instruction at `place` of `from` go to the start of `to`?
  [[nodiscard]] motion_refusal down(const program& p, block_id from, std::uint32_t place, block_id to) {
    const instruction& ins = p[p.order[place]];
    if (const motion_refusal r = movable(p, ins); r != motion_refusal::none) return r;
    if (labels_[p.order[place].index()] != 0) return motion_refusal::named;
    const block& source = p[from];
    const block& target = p[to];
    if (source.count < 2) return motion_refusal::empty_block;
    const bool only = target.pred_count == 1 && p.edges[p.pred_edges_of(target)[0]].from == from;
    if (from == to || !only || !usable(source) || !usable(target) || target.entry || target.count == 0) {
      return motion_refusal::shape;
    }
    if (!plain_end(p, source)) return motion_refusal::block_end;
    start();
    const std::uint32_t end = end_place(p, source);
    for (std::uint32_t k = place + 1; k < source.first + source.count; ++k) pass(p, p[p.order[k]], k >= end);
    if (const motion_refusal r = conflict(p, ins); r != motion_refusal::none) return r;
    if (!always_reaches(p, source, to)) {
      if (source.open_exit || live_on_other_paths(p, source, to, ins)) return motion_refusal::live_elsewhere;
      if (names_uniform(p, ins, false)) return motion_refusal::uniform;
    }
    return slides(p, place, target.first - 1, place + 1, target.first) ? motion_refusal::address : motion_refusal::none;
  }

  // Place in front of which `up` puts an instruction: that of what ends the block, or one past the last.
  [[nodiscard]] static std::uint32_t end_place(const program& p, const block& b) {
    const std::uint32_t last = b.first + b.count - 1;
    return p[p.order[last]].has(iflag::ends_block) ? last : last + 1;
  }

 private:
  void label(instr_id t) {
    if (t.valid() && t.index() < labels_.size()) labels_[t.index()] = 1;
  }
  static bool usable(const block& b) { return b.reachable && !b.padding; }
  static memory_access access_of(const program& p, const instruction& ins) {
    return ww::detail::describe_access(ins, 0, p.operands_of(ins).data(), false, [](reg) { return 0u; });
  }

  // A block that nothing ends, or a direct branch or an exit does.
  static bool plain_end(const program& p, const block& b) {
    const instruction& last = p[p.order[b.first + b.count - 1]];
    if (!last.has(iflag::ends_block)) return !last.has(iflag::call) && !last.has(iflag::unknown);
    for (const iflag f : {iflag::indirect, iflag::call, iflag::ret, iflag::reconverge, iflag::sync, iflag::convergence,
                          iflag::never, iflag::unknown, iflag::pc_relative}) {
      if (last.has(f)) return false;
    }
    return last.has(iflag::branch) || last.has(iflag::exit);
  }
  static bool always_reaches(const program& p, const block& b, block_id to) {
    const instruction& last = p[p.order[b.first + b.count - 1]];
    if (last.has(iflag::exit) || b.open_exit || b.edge_count == 0) return false;
    for (const cfg_edge& e : p.edges_of(b)) {
      if (e.to != to) return false;
    }
    return true;
  }

  // Fills between_: the blocks on the ways from `to` (the upper one) to `from`. False unless every way on from the upper
  // block leads to the lower one, and every way into the lower one comes from the upper one.
  bool control_equivalent(const program& p, block_id from, block_id to) {
    seen_.assign(p.blocks.size(), 0);
    stack_.assign(1, to.index());
    while (!stack_.empty()) {
      const block& b = p.blocks[stack_.back()];
      const bool upper = stack_.back() == to.index();
      stack_.pop_back();
      const bool leaves = b.count == 0 || p[p.order[b.first + b.count - 1]].has(iflag::exit) || b.edge_count == 0;
      if (leaves || b.open_exit || (b.entry && !upper) || !plain_end(p, b)) return false;
      for (const cfg_edge& e : p.edges_of(b)) {
        if (e.to == to) return false;
        if (e.to == from || seen_[e.to.index()] != 0) continue;
        if (between_.size() == max_between) return false;
        seen_[e.to.index()] = 1;
        between_.push_back(e.to.index());
        stack_.push_back(e.to.index());
      }
    }
    const auto comes_from_above = [&](const block& b) {
      for (const std::uint32_t e : p.pred_edges_of(b)) {
        const block_id pred = p.edges[e].from;
        if (pred != to && seen_[pred.index()] == 0) return false;
      }
      return b.pred_count != 0;
    };
    for (const std::uint32_t b : between_) {
      if (!comes_from_above(p.blocks[b])) return false;
    }
    return comes_from_above(p[from]);
  }

  void start() {
    reads_.assign(live_.layout.words(), 0);
    writes_.assign(live_.layout.words(), 0);
    fence_ = false;
    memory_writes_ = 0;
  }
  // `block_end`: a branch or exit, which is a fence for its own block only.
  void pass(const program& p, const instruction& ins, bool block_end) {
    fence_ = fence_ || (ins.has(iflag::fence) && !block_end) || ins.has(iflag::unknown) || ins.has(iflag::never);
    memory_writes_ |= access_of(p, ins).writes;
    for (const operand o : p.operands_of(ins)) {
      if (o.is_register()) add(o.is_def() ? writes_ : reads_, o);
    }
  }
  void pass_block(const program& p, const block& b) {
    const std::uint32_t end = end_place(p, b);
    for (std::uint32_t k = b.first; k < b.first + b.count; ++k) pass(p, p[p.order[k]], k >= end);
  }
  void add(vec<std::uint64_t>& set, operand o) {
    live_.each_bit(o, [&](std::uint32_t bit) { set[bit >> 6] |= 1ull << (bit & 63u); });
  }
  bool meets(const vec<std::uint64_t>& set, operand o) const {
    bool any = false;
    live_.each_bit(o, [&](std::uint32_t bit) { any = any || (set[bit >> 6] >> (bit & 63u) & 1u) != 0; });
    return any;
  }

  motion_refusal conflict(const program& p, const instruction& ins) const {
    if (fence_) return motion_refusal::passes_fence;
    for (const operand o : p.operands_of(ins)) {
      if (!o.is_register()) continue;
      if (meets(writes_, o) || (o.is_def() && meets(reads_, o))) return motion_refusal::passes_register;
    }
    const memory_access m = access_of(p, ins);
    return (m.reads & memory_writes_) != 0 ? motion_refusal::passes_memory : motion_refusal::none;
  }
  bool live_on_other_paths(const program& p, const block& b, block_id to, const instruction& ins) const {
    for (const cfg_edge& e : p.edges_of(b)) {
      if (e.to == to) continue;
      const span<const std::uint64_t> live = live_.live_in(e.to);
      bool any = false;
      for (const operand o : p.operands_of(ins)) {
        if (!o.is_def() || !o.is_register()) continue;
        live_.each_bit(o, [&](std::uint32_t bit) { any = any || (live[bit >> 6] >> (bit & 63u) & 1u) != 0; });
      }
      if (any) return true;
    }
    return false;
  }
  static bool names_uniform(const program& p, const instruction& ins, bool results_only) {
    for (const operand o : p.operands_of(ins)) {
      const bool uniform = o.file() == reg_file::ur || o.file() == reg_file::up;
      if (o.is_register() && uniform && (o.is_def() || !results_only)) return true;
    }
    return false;
  }
  // A constant whose address is in the instruction: every thread may load it at any time.
  static bool fixed_constant(const program& p, const instruction& ins) {
    if (ins.space != mem_space::constant) return false;
    for (const operand o : p.operands_of(ins)) {
      if (o.is_use() && o.is_register() && o.where() != slot::guard) return false;
    }
    return true;
  }

  // What stands at the places `low` to `high` slides by one, and labels from `first` to `last` would mean something else.
  bool slides(const program& p, std::uint32_t low, std::uint32_t high, std::uint32_t first, std::uint32_t last) const {
    if (!placed_) return false;
    if (low > high) return true;  // against the layout
    for (std::uint32_t k = low; k <= high; ++k) {
      const instruction& ins = p[p.order[k]];
      if (ins.target.valid() || ins.has(iflag::pc_relative) || ins.has(iflag::branch)) return true;
    }
    for (std::uint32_t k = first; k <= last; ++k) {
      if (labels_[k] != 0) return true;
    }
    return false;
  }

  liveness live_;
  vec<std::uint8_t> labels_;  // by place as read: something points there
  vec<std::uint8_t> seen_;
  vec<std::uint32_t> stack_, between_;
  vec<std::uint64_t> reads_, writes_;  // of what is passed
  bool fence_ = false;
  std::uint8_t memory_writes_ = 0;
  bool placed_ = false;
};

}  // namespace ww::region
