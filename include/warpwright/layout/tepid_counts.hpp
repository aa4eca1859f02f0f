// SPDX-License-Identifier: BSL-1.0
//
// Where the numbers of the tepid report come from (HC-5): a block of a program and its architecture. All of this is assumed;
// the text takes the numbers as given.
//
//   math     multiply-accumulate (multiply_accumulate.hpp)
//   copy     LDGSTS, UTMALDG, UBLKCP, and every load that leaves the core (LDG, LD, TEX, SULD)
//   dma      a block with a copy and without math
//   wait     budget: cycles of the block in its order when every reader waits for the estimate of what it reads, and the block for the
//            last result of a load or copy
//   tepid    budget: cycles of the same order when other work covers all that a counter announces: pipes and fixed latencies alone
//   cycles   of a math instruction: those for which it holds its pipe, on average over the block, rounded up; both for `math_cycles` and
//            `next_cycles`. Of the last one: until its result, and no less. (n - 1) * next + last is the length of a full pipe
// UTMALDG and UBLKCP have no estimate in the pages; they take as long as LDGSTS. What stands behind the first cycle is a node of
// tepid_node.hpp. Linear in instructions and edges.
#pragma once

#include <cstdint>

#include "../graph/build.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode.hpp"
#include "../meta/algorithm.hpp"
#include "../schedule/class_table.hpp"
#include "epilogue.hpp"
#include "multiply_accumulate.hpp"
#include "tepid_node.hpp"
#include "tepid_report.hpp"

namespace ww::layout {

[[nodiscard]] constexpr bool is_copy(const instruction& ins) {
  return ins.iclass == sched_class::ldgsts || ins.op == opcode::utmaldg || ins.op == opcode::ublkcp ||
         (leaves_core(ins) && ins.dir == mem_dir::load);
}

// Scratch memory; keep one per thread.
struct tepid_workspace {
  dependence_graph graph;
  graph_workspace graph_space;
  vec<std::uint32_t> waited;  // issue cycles, by node
  vec<std::uint32_t> issued;
  vec<std::uint8_t> marks;  // by block
  vec<std::uint32_t> stack;
};

// One walk over a block. An id that is no block, and padding, leave the node as it is made.
template <class Arch>
[[nodiscard]] constexpr tepid_node walk_tepid(const program& p, block_id id, tepid_workspace& ws) {
  using cycles = ww::detail::edge_cycles<Arch, distance_use::emit>;
  tepid_node node;
  if (id.index() >= p.blocks.size() || p[id].padding) return node;
  const span<const instr_id> order = p.order_of(p[id]);
  const auto count = static_cast<std::uint32_t>(order.size());
  build_graph<Arch>(p, order, ws.graph, ws.graph_space);
  ws.waited.assign(count, 0);
  ws.issued.assign(count, 0);
  std::uint32_t wait_free[pipe_count] = {};
  std::uint32_t issue_free[pipe_count] = {};
  std::uint32_t wait_cycle = 0;
  std::uint32_t issue_cycle = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const instruction& ins = p[order[i]];
    const ww::detail::class_row& row = ww::detail::row_of<Arch>(ins.iclass);
    std::uint32_t at = meta::max(wait_cycle, wait_free[row.pipe]);
    std::uint32_t covered = meta::max(issue_cycle, issue_free[row.pipe]);
    for (const dependence_edge& e : ws.graph.pred(i)) {
      const sched_class from = p[order[e.from]].iclass;
      const bool announced =
          e.kind == dependence_kind::war ? Arch::latency::late_reader(from) : Arch::latency::variable(from);
      at = meta::max(at, ws.waited[e.from] + e.latency);
      covered = meta::max(covered, ws.issued[e.from] + (announced ? 1u : e.latency));
    }
    ws.waited[i] = at;
    ws.issued[i] = covered;
    wait_free[row.pipe] = at + row.interval;
    issue_free[row.pipe] = covered + row.interval;
    wait_cycle = at + row.min_stall;
    issue_cycle = covered + row.min_stall;
    const std::uint32_t result = cycles::of(ins).result_cycles;  // 0: fixed
    std::uint32_t arrives = result;
    if (is_copy(ins)) {
      node.note_copy(at);
      if (result == 0) arrives = static_cast<std::uint32_t>(Arch::latency::result_estimate(sched_class::ldgsts, 4u));
    }
    if (is_math(ins, p.operands_of(ins))) {
      const access_point from{ins.iclass, slot::dst, reg_file::r, 0, ins.has(iflag::guarded)};
      const access_point to{ins.iclass, slot::c, reg_file::r, 0, false};
      const std::uint32_t latency = result != 0 ? result : cycles::fixed_raw(from, to);
      node.note_math(at, row.interval, meta::max<std::uint32_t>(latency, row.interval));
    }
    node.issued = covered + 1;
    node.waited = meta::max(node.waited, at + meta::max(arrives, 1u));
  }
  return node;
}

// The numbers of a block that the report asks for. `marks`: what earlier analysis has left on it; dma_mark is added.
[[nodiscard]] constexpr tepid_block tepid_numbers(const tepid_node& node, std::uint8_t marks) {
  tepid_block b;
  b.marks = marks;
  if (node.has_copy() && !node.has_math()) b.marks |= dma_mark;
  b.math = node.math;
  if (node.math != 0) b.math_cycles = static_cast<std::uint32_t>((node.math_interval + node.math - 1) / node.math);
  b.wait_budget = node.waited;
  b.tepid_budget = node.issued;
  b.last_cycles = node.last_math;
  b.next_cycles = b.math_cycles;
  return b;
}

// Reports every block of a program that is not padding, in layout order: each(block_id, numbers, report).
template <class Arch, tepid_reference Rule = tepid_reference::latest, class Each>
void report_tepid(const program& p, const tepid_mode& mode, tepid_workspace& ws, Each&& each) {
  ws.marks.assign(p.blocks.size(), 0);
  mark_epilogues(p, ws.marks, ws.stack);
  tepid_reporter<Rule> reporter(mode);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (p.blocks[b].padding || p.blocks[b].count == 0) continue;
    const tepid_block numbers = tepid_numbers(walk_tepid<Arch>(p, block_id{b}, ws), ws.marks[b]);
    each(block_id{b}, numbers, reporter.report(numbers));
  }
}

}  // namespace ww::layout
