// SPDX-License-Identifier: BSL-1.0
//
// What the tests of the lift share: live sets at both sides of each instruction, and comparison of whole programs.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>

namespace ww_test {

struct live_line {
  ww::live_count before;  // live before the instruction
  ww::live_count behind;  // live behind it, or written by it
  friend bool operator==(const live_line&, const live_line&) = default;
};

inline std::vector<live_line> live_lines(const ww::program& p, const ww::liveness& l) {
  std::vector<live_line> lines(p.order.size());
  ww::vec<std::uint64_t> live;
  ww::vec<std::uint64_t> row;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const ww::block& blk = p.blocks[b];
    live.assign(l.live_out(ww::block_id(b)).begin(), l.live_out(ww::block_id(b)).end());
    for (std::uint32_t at = blk.first + blk.count; at-- > blk.first;) {
      row = live;
      l.add_defs(p, p[p.order[at]], row.data());
      lines[at].behind = l.layout.population<ww::simd::scalar>(row.data());
      l.step(p, p[p.order[at]], live.data());
      lines[at].before = l.layout.population<ww::simd::scalar>(live.data());
    }
  }
  return lines;
}

inline std::vector<live_line> live_lines(const ww::program& p, const ww::lifted_program* of = nullptr) {
  ww::liveness l;
  if (of != nullptr) {
    l.compute(p, of->physical);
  } else {
    l.compute(p);
  }
  return live_lines(p, l);
}

// The largest count of a line, by class.
inline ww::live_count highest(const std::vector<live_line>& lines) {
  ww::live_count most;
  for (const live_line& l : lines) {
    for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
      most.of[c] = std::max({most.of[c], l.before.of[c], l.behind.of[c]});
    }
  }
  return most;
}

// Everything that a program holds, encoding words included.
inline bool identical(const ww::program& a, const ww::program& b) {
  if (a.instructions.size() != b.instructions.size() || a.operands != b.operands || a.order != b.order) return false;
  for (std::size_t i = 0; i < a.instructions.size(); ++i) {
    const ww::instruction& x = a.instructions[i];
    const ww::instruction& y = b.instructions[i];
    if (x.word[0] != y.word[0] || x.word[1] != y.word[1] || x.op != y.op || x.flags != y.flags ||
        x.first_operand != y.first_operand || x.operand_count != y.operand_count || x.iclass != y.iclass ||
        x.target != y.target || x.address != y.address || x.source != y.source || x.guard_negated != y.guard_negated ||
        x.mem_offset != y.mem_offset || x.mem_bytes != y.mem_bytes || x.space != y.space || x.dir != y.dir ||
        std::memcmp(&x.ctl, &y.ctl, sizeof x.ctl) != 0) {
      return false;
    }
  }
  return a.blocks.size() == b.blocks.size() && a.edges.size() == b.edges.size() && a.pred_edges == b.pred_edges &&
         a.functions.size() == b.functions.size() && a.tables.size() == b.tables.size() &&
         a.table_targets == b.table_targets && a.leaders == b.leaders && a.sm == b.sm &&
         a.register_count == b.register_count && a.has_encoding == b.has_encoding && a.has_control == b.has_control;
}

}  // namespace ww_test
