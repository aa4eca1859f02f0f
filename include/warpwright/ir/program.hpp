// SPDX-License-Identifier: BSL-1.0
//
// A program: one code section (a kernel and its local functions) as flat arrays.
//
//   instructions  in the order they were read or built; an instr_id never changes
//   operands      slices of it belong to instructions, defs first, then uses, the guard among the uses
//   order         the current order: a permutation of instr_ids. Passes permute it inside a block; nothing is relinked
//   blocks        ranges of `order`, in layout order
//   edges         control-flow edges, grouped by source block
//
// A program is a value: copying it copies everything. ir/cfg.hpp fills blocks and edges from the instructions'
// flags and targets; isa/builder.hpp makes programs in memory; sass/ makes them from listings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "block.hpp"
#include "instruction.hpp"
#include "operand.hpp"

namespace ww {

// The number of an SM with its letter: 900 for sm_90, 901 for sm_90a. Only arch/ knows what the values mean.
enum class sm_id : std::uint16_t { unknown = 0 };

struct program {
  vec<instruction> instructions;
  vec<operand> operands;
  vec<instr_id> order;
  vec<block> blocks;
  vec<cfg_edge> edges;
  vec<std::uint32_t> pred_edges;  // indices into edges, grouped by target block
  vec<function> functions;
  vec<branch_table> tables;     // known targets of indirect branches, ordered by branch
  vec<instr_id> table_targets;  // slices of it belong to tables
  vec<instr_id> leaders;        // further places where a block must start: labels whose address is taken
  sm_id sm = sm_id::unknown;
  std::uint32_t register_count = 0;  // declared general registers, 0 = not known
  bool has_encoding = false;         // instruction::word is meaningful
  bool has_control = false;          // instruction::ctl was read, not defaulted

  [[nodiscard]] constexpr const instruction& operator[](instr_id i) const { return instructions[i.index()]; }
  [[nodiscard]] constexpr instruction& operator[](instr_id i) { return instructions[i.index()]; }
  [[nodiscard]] constexpr const block& operator[](block_id b) const { return blocks[b.index()]; }
  [[nodiscard]] constexpr block& operator[](block_id b) { return blocks[b.index()]; }
  [[nodiscard]] constexpr span<const operand> operands_of(const instruction& i) const {
    return {operands.data() + i.first_operand, i.operand_count};
  }
  [[nodiscard]] constexpr span<const operand> operands_of(instr_id i) const { return operands_of((*this)[i]); }
  [[nodiscard]] constexpr span<const instr_id> order_of(const block& b) const { return {order.data() + b.first, b.count}; }
  [[nodiscard]] constexpr span<instr_id> order_of(const block& b) { return {order.data() + b.first, b.count}; }
  [[nodiscard]] constexpr span<const cfg_edge> edges_of(const block& b) const {
    return {edges.data() + b.first_edge, b.edge_count};
  }
  [[nodiscard]] constexpr span<const std::uint32_t> pred_edges_of(const block& b) const {
    return {pred_edges.data() + b.first_pred, b.pred_count};
  }
  // The known targets of an indirect branch, null if it has none.
  [[nodiscard]] constexpr const branch_table* table_of(instr_id branch) const {
    std::size_t low = 0;
    std::size_t high = tables.size();
    while (low < high) {
      const std::size_t mid = low + (high - low) / 2;
      if (tables[mid].branch < branch) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low < tables.size() && tables[low].branch == branch ? &tables[low] : nullptr;
  }
};

}  // namespace ww
