// SPDX-License-Identifier: BSL-1.0
//
// Does every index of a program lead to something of it?
//
//   order                instructions                  operand slices   operands of the program, in files that exist
//   targets, tables      instructions                  blocks           positions of the order, edges, predecessor edges
//   operands             a known register file; what is no register by its type (immediate, constant, sentinel, unused) names none
//                        and is 0 wide (ir/operand.hpp). misfit(p) says whose it is
// Blocks follow one another without a gap and hold the whole order: what stands in none of them would get no words.
// A program that was read, or built with isa::builder, is consistent; one that somebody filled by hand may not be. A scheduler asks
// once, in front of everything, and follows every index after that. Linear; nothing is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"

namespace ww {

// The first operand of a program that contradicts itself. `instruction` is none where no instruction holds it.
struct operand_misfit {
  bool found = false;
  instr_id instruction;
  std::uint8_t operand = 0;  // of that instruction
};

namespace detail {

constexpr bool fits_its_type(operand o) {
  constexpr auto bit = [](operand_type t) { return 1u << static_cast<unsigned>(t); };
  constexpr unsigned others =
      bit(operand_type::unused) | bit(operand_type::immediate) | bit(operand_type::constant) | bit(operand_type::sentinel);
  if (static_cast<unsigned>(o.file()) >= reg_file_count) return false;
  return (others >> static_cast<unsigned>(o.type()) & 1u) == 0 || (o.base().is_none() && o.width() == 0);
}

}  // namespace detail

[[nodiscard]] constexpr operand_misfit misfit(const program& p) {
  operand_misfit m;
  std::size_t at = 0;
  while (at < p.operands.size() && detail::fits_its_type(p.operands[at])) ++at;
  if (at == p.operands.size()) return m;
  m.found = true;
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
    const instruction& ins = p.instructions[i];
    if (at < ins.first_operand || at - ins.first_operand >= ins.operand_count) continue;
    m.instruction = instr_id{i};
    m.operand = static_cast<std::uint8_t>(at - ins.first_operand);
    break;
  }
  return m;
}

[[nodiscard]] constexpr bool consistent(const program& p) {
  const std::size_t count = p.instructions.size();
  const auto slice = [](std::size_t first, std::size_t n, std::size_t size) { return first <= size && n <= size - first; };
  const auto instr = [&](instr_id i) { return i.valid() && i.index() < count; };
  for (const instr_id i : p.order) {
    if (!instr(i)) return false;
  }
  for (const instruction& i : p.instructions) {
    if (!slice(i.first_operand, i.operand_count, p.operands.size()) ||
        static_cast<unsigned>(i.iclass) >= sched_class_count || (i.target.valid() && !instr(i.target))) {
      return false;
    }
  }
  for (const operand o : p.operands) {
    if (!detail::fits_its_type(o)) return false;
  }
  std::size_t end = 0;
  for (const block& b : p.blocks) {
    if (b.first != end) return false;
    end += b.count;
    if (!slice(b.first, b.count, p.order.size()) || !slice(b.first_edge, b.edge_count, p.edges.size()) ||
        !slice(b.first_pred, b.pred_count, p.pred_edges.size())) {
      return false;
    }
  }
  if (!p.blocks.empty() && end != p.order.size()) return false;
  for (const cfg_edge& e : p.edges) {
    if (!e.from.valid() || !e.to.valid() || e.from.index() >= p.blocks.size() || e.to.index() >= p.blocks.size())
      return false;
  }
  for (const std::uint32_t e : p.pred_edges) {
    if (e >= p.edges.size()) return false;
  }
  for (const branch_table& t : p.tables) {
    if (!instr(t.branch) || !slice(t.first, t.count, p.table_targets.size())) return false;
  }
  for (const instr_id i : p.table_targets) {
    if (!instr(i)) return false;
  }
  for (const instr_id i : p.leaders) {
    if (!instr(i)) return false;
  }
  return true;
}

}  // namespace ww
