// SPDX-License-Identifier: BSL-1.0
//
// Moves that an allocation has left with one register at both ends: they do nothing, and go.
//
//   drop_idle_moves(p)     the number of instructions that stand in no block any more; their ids stay
// MOV, UMOV and IMAD of two zero registers, under a guard too. What somebody names stays (targets, tables, labels and entries
// name an instruction of their block), and so do the first instruction of a block and one that ends it. Whether the program is
// still what it was is for verify::check_allocation to say, which has a notion of copies of its own and follows deleted ones.
// Where code cannot be made shorter such moves have to stay (pipeline/rebuild.hpp). Linear.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"

namespace ww {

// Does the instruction move a register to itself, and nothing else?
[[nodiscard]] inline bool is_idle_move(const program& p, const instruction& i) {
  if (i.has(iflag::ends_block) || i.has(iflag::side_effect) || i.has(iflag::reads_immediate) || i.has(iflag::reads_constant))
    return false;
  const bool move = i.op == opcode::mov || i.op == opcode::umov;
  const bool product = i.op == opcode::imad || i.op == opcode::uimad;
  if (!move && !product) return false;
  operand to;
  operand from;
  unsigned ends = 0;
  for (const operand& o : p.operands_of(i)) {
    if (o.where() == slot::guard || o.base().is_zero()) continue;
    if (!o.is_register() || o.is_half() || o.is_negated() || o.is_not()) return false;
    if (product && o.is_use() && o.where() != slot::c) return false;
    ++ends;
    (o.is_def() ? to : from) = o;
  }
  return ends == 2 && to.is_register() && from.is_register() && to.base() == from.base() && to.width() == from.width();
}

// `p` has blocks and physical registers.
inline std::uint32_t drop_idle_moves(program& p) {
  std::uint32_t dropped = 0;
  std::size_t at = 0;
  vec<std::uint8_t> named(p.instructions.size());
  named.assign(p.instructions.size(), 0);
  const auto name = [&named](instr_id id) {
    if (id.index() < named.size()) named[id.index()] = 1;
  };
  for (const instruction& i : p.instructions) name(i.target);
  for (const instr_id id : p.table_targets) name(id);
  for (const instr_id id : p.leaders) name(id);
  for (const function& f : p.functions) name(f.entry);
  for (block& b : p.blocks) {
    const std::uint32_t first = b.first;
    const std::uint32_t count = b.count;
    b.first = static_cast<std::uint32_t>(at);
    for (std::uint32_t k = 0; k < count; ++k) {
      const instr_id id = p.order[first + k];
      if (k != 0 && named[id.index()] == 0 && is_idle_move(p, p[id])) {
        --b.count;
        ++dropped;
      } else {
        p.order[at++] = id;
      }
    }
  }
  p.order.resize(at);
  return dropped;
}

}  // namespace ww
