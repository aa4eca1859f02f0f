// SPDX-License-Identifier: BSL-1.0
//
// The facts of every block that the signals of cold code ask for (HC-1): cold_workspace makes them, cold_context.hpp says
// what they mean.
//
//   walk    depth first from the entries, inside functions: reached, conditions, decided, uniform, behind. What dominates a
//           block, and its only predecessor, come before it
//   doom    from the traps backwards, by the number of ways on that are not doomed yet
// A call goes on behind itself, unless it enters a function that is doomed from its first block on. A guarded EXIT or RET is a
// way on that is not doomed. Linear in instructions and edges, times the nesting depth of loops where one is entered or left.
// The workspace keeps its memory: nothing is allocated for a program that is no larger than one before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "cold_context.hpp"
#include "uniform_values.hpp"

namespace ww::layout {

namespace cold_detail {

// Which form of BPT an instruction is: bits 84..86 of its encoding, in a short word bits 6..8. Observed: BPT.TRAP 0x1 is
// 0x000000040000795c 0x..300000 (23 of 23 in listings of sm_75 to sm_120) and 0xe3a00000001000c0 (sm_52, 2 of 2).
inline constexpr unsigned bpt_trap = 3;
[[nodiscard]] constexpr unsigned bpt_form(const instruction& i) {
  return static_cast<unsigned>(has_short_word(i) ? i.word[0] >> 6u : i.word[1] >> 20u) & 7u;
}

// Ends in an error whenever control gets there: BPT.TRAP, and RTT, which ends a handler of traps. BPT without words is taken
// for BPT.TRAP (assumed: it is the only form in listings). KILL is none: discarding a pixel is no error.
[[nodiscard]] constexpr bool traps(const instruction& i) {
  if (i.has(iflag::guarded) || i.has(iflag::never) || i.has(iflag::conditional)) return false;
  if (i.op == opcode::rtt) return true;
  if (i.op != opcode::bpt) return false;
  return (i.word[0] | i.word[1]) == 0 || bpt_form(i) == bpt_trap;
}

// Does every index that is followed here lead to something of the program? One that was read or built is so.
[[nodiscard]] inline bool whole(const program& p) {
  const auto slice = [](std::size_t first, std::size_t n, std::size_t size) { return first <= size && n <= size - first; };
  std::size_t edges = 0;
  std::size_t preds = 0;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const block& b = p.blocks[k];
    if (!slice(b.first, b.count, p.order.size()) || !slice(b.first_edge, b.edge_count, p.edges.size()) ||
        !slice(b.first_pred, b.pred_count, p.pred_edges.size())) {
      return false;
    }
    for (const cfg_edge& e : p.edges_of(b)) {
      if (e.from.index() != k || e.to.index() >= p.blocks.size()) return false;
    }
    for (const std::uint32_t e : p.pred_edges_of(b)) {
      if (e >= p.edges.size() || p.edges[e].to.index() != k) return false;
    }
    edges += b.edge_count;
    preds += b.pred_count;
  }
  if (edges != p.edges.size() || preds != p.edges.size()) return false;
  for (const instr_id i : p.order) {
    if (i.index() >= p.instructions.size()) return false;
  }
  for (const instruction& i : p.instructions) {
    if (!slice(i.first_operand, i.operand_count, p.operands.size())) return false;
  }
  return true;
}

}  // namespace cold_detail

class cold_workspace {
 public:
  // The facts of `p`, which stay valid until the next call. `p` is whole, `a` and `profile` are of it.
  [[nodiscard]] cold_context prepare(const program& p, const cold_analysis& a, const flow_profile* profile) {
    const std::size_t n = p.blocks.size();
    facts_.assign(n, 0);
    conditions_.assign(n, 0);
    entered_.assign(n, nest{});
    order_.clear();
    latch_.assign(n, 0);
    for (const std::uint32_t e : a.loops.back_edges) latch_[p.edges[e].from.index()] = 1;
    doom(p);
    values_.reset(p);
    for (std::uint32_t b = 0; b < n; ++b) {
      if (p.blocks[b].entry && !has(b, cold_fact::reached)) walk(p, a, b);
    }
    for (std::size_t k = order_.size(); k-- > 0;) {
      const std::uint32_t b = order_[k];
      const block_id up = a.dominators.idom(block_id{b});
      if (a.loops.is_header[b] != 0) add(b, cold_fact::into_loop);
      if (up.valid() && has(b, cold_fact::into_loop)) add(up.index(), cold_fact::into_loop);
    }
    return {p, a.dominators, a.loops, profile, {facts_.data(), n}, {conditions_.data(), n}};
  }

  // For the steps behind the signals (spread_cold.hpp): memory of theirs.
  vec<std::uint32_t> ways_in, ways_on, queue;

 private:
  struct frame {
    std::uint32_t block;
    std::uint32_t next;  // edge to look at
    std::size_t mark;    // of the values
  };
  // How many conditions stand around a place, and whether the innermost is uniform.
  struct nest {
    std::uint32_t conditions = 0;
    bool uniform = false;
  };

  [[nodiscard]] bool has(std::uint32_t b, cold_fact f) const { return (facts_[b] & static_cast<std::uint8_t>(f)) != 0; }
  void add(std::uint32_t b, cold_fact f) { facts_[b] = static_cast<std::uint8_t>(facts_[b] | static_cast<std::uint8_t>(f)); }

  void doom(const program& p) {
    ways_on.assign(p.blocks.size(), 0);
    queue.clear();
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const block& blk = p.blocks[b];
      for (const cfg_edge& e : p.edges_of(blk)) ways_on[b] += ww::detail::inside_function(e.kind) ? 1u : 0u;
      bool trap = false;
      for (const instr_id i : p.order_of(blk)) trap = trap || cold_detail::traps(p[i]);
      if (trap) doomed(b);
    }
    while (!queue.empty()) {
      const std::uint32_t b = queue.back();
      queue.pop_back();
      for (const std::uint32_t e : p.pred_edges_of(p.blocks[b])) {
        const std::uint32_t from = p.edges[e].from.index();
        const instruction* last =
            p.blocks[from].count == 0 ? nullptr : &p[p.order[p.blocks[from].first + p.blocks[from].count - 1]];
        const edge_kind kind = p.edges[e].kind;
        if (kind == edge_kind::call) {
          if (last != nullptr && !may_fall(*last)) doomed(from);
        } else if (ww::detail::inside_function(kind)) {
          if (--ways_on[from] == 0 && goes_on_by_edges(p.blocks[from], last)) doomed(from);
        }
      }
    }
  }
  void doomed(std::uint32_t b) {
    if (has(b, cold_fact::doomed)) return;
    add(b, cold_fact::doomed);
    queue.push_back(b);
  }
  // Are a block's edges all the ways on? What is called and not known comes back, or ends the program.
  static bool goes_on_by_edges(const block& b, const instruction* last) {
    if (last == nullptr) return false;
    if (last->has(iflag::exit) || last->has(iflag::ret)) return false;
    return !b.open_exit || last->has(iflag::call);
  }

  void walk(const program& p, const cold_analysis& a, std::uint32_t root) {
    open(p, a, root);
    while (!stack_.empty()) {
      frame& f = stack_.back();
      const block& blk = p.blocks[f.block];
      if (f.next == blk.first_edge + blk.edge_count) {
        values_.leave(f.mark);
        stack_.pop_back();
        continue;
      }
      const cfg_edge& e = p.edges[f.next++];
      if (ww::detail::inside_function(e.kind) && !has(e.to.index(), cold_fact::reached)) open(p, a, e.to.index());
    }
  }

  void open(const program& p, const cold_analysis& a, std::uint32_t b) {
    const block& blk = p.blocks[b];
    add(b, cold_fact::reached);
    order_.push_back(b);
    const block_id up = a.dominators.idom(block_id{b});
    const block_id above = up.valid() ? innermost(a.loops, up) : block_id{};
    const bool header = a.loops.is_header[b] != 0;
    const block_id outside = a.loops.outer[b];  // of the loop that begins here, or the innermost one around the block
    // The only way in comes from the immediate dominator, which is before this block on the path of the search. The back
    // edges of a header are no ways in, but values come by them too.
    const bool one_way_in = up.valid() && !blk.entry && only_from(p, a.loops, block_id{b}, up);
    const bool same_loop = up.valid() && outside == above;
    stack_.push_back({b, blk.first_edge, values_.enter(!one_way_in || !same_loop || header || behind_call(p, blk))});
    if (values_.scan(p, blk)) add(b, cold_fact::decided);
    if (!up.valid()) return;
    const std::uint32_t u = up.index();
    if (latch_[u] != 0 || has(u, cold_fact::behind)) add(b, cold_fact::behind);
    nest around;
    if (same_loop) {
      around = {conditions_[u], has(u, cold_fact::uniform)};
    } else if (const block_id h = left_loop(a.loops, above, outside); h.valid()) {
      around = entered_[h.index()];
    }
    if (one_way_in && same_loop && has_other_way(p, u, b)) around = {around.conditions + 1, has(u, cold_fact::decided)};
    if (header) {
      entered_[b] = around;
      return;
    }
    conditions_[b] = around.conditions;
    if (around.uniform) add(b, cold_fact::uniform);
  }

  // The header of the outermost loop that is left between a block of loop `from` and one of loop `to`; none if none is.
  static block_id left_loop(const loop_forest& loops, block_id from, block_id to) {
    for (block_id h = from; h.valid(); h = loops.outer[h.index()]) {
      if (loops.outer[h.index()] == to) return h;
    }
    return {};
  }
  static bool only_from(const program& p, const loop_forest& loops, block_id b, block_id from) {
    for (const std::uint32_t e : p.pred_edges_of(p[b])) {
      const block_id other = p.edges[e].from;
      if (ww::detail::inside_function(p.edges[e].kind) && other != from && !inside(loops, b, other)) return false;
    }
    return true;
  }
  // Is a block in the loop of this header?
  static bool inside(const loop_forest& loops, block_id header, block_id b) {
    if (loops.is_header[header.index()] == 0) return false;
    block_id h = innermost(loops, b);
    while (h.valid() && h != header) h = loops.outer[h.index()];
    return h == header;
  }
  static bool behind_call(const program& p, const block& b) {
    for (const std::uint32_t e : p.pred_edges_of(b)) {
      if (p.edges[e].kind == edge_kind::call_return) return true;
    }
    return false;
  }
  bool has_other_way(const program& p, std::uint32_t from, std::uint32_t to) const {
    for (const cfg_edge& e : p.edges_of(p.blocks[from])) {
      if (ww::detail::inside_function(e.kind) && e.to.index() != to && !has(e.to.index(), cold_fact::doomed)) return true;
    }
    return false;
  }

  vec<std::uint8_t> facts_;
  vec<std::uint8_t> latch_;        // by block: the source of a back edge
  vec<std::uint32_t> conditions_;  // by block
  vec<nest> entered_;              // by header: around its loop
  vec<std::uint32_t> order_;       // blocks as the search came to them
  vec<frame> stack_;
  uniform_values values_;
};

}  // namespace ww::layout
