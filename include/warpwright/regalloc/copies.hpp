// SPDX-License-Identifier: BSL-1.0
//
// Copies in a lifted program: instructions that move one web into another of the same file, and do nothing else (FPA-7).
//
//   counted as copies   MOV, UMOV; and IMAD.MOV, which is IMAD with zero registers for both factors: a single source, port c
//   not counted         guarded ones and those with .REUSE-like modifiers of value (negated, halves); moves from constants and
//                       immediates; R2UR and UR moves into R, which change the file
// Where both ends get one place, the instruction writes what is there already. Ends can be parts of tuples.
#pragma once

#include <cstdint>

#include "../isa/opcode.hpp"
#include "../lift/lifted.hpp"
#include "../pressure/register_layout.hpp"

namespace ww::regalloc {

struct copy_ends {
  bool found = false;
  pressure_class file_class = pressure_class::count;
  std::uint32_t to = 0;  // webs
  std::uint32_t from = 0;
  std::uint32_t to_part = 0;  // registers behind the first of the web
  std::uint32_t from_part = 0;

  // Both webs at one place make the copy write what is there.
  [[nodiscard]] constexpr bool aligned() const { return to_part == from_part; }
};

// Not found: no copy, or both ends are one web.
[[nodiscard]] inline copy_ends copy_of(const lifted_program& l, instr_id i) {
  copy_ends ends;
  const instruction& ins = l.code[i];
  const bool plain = ins.op == opcode::mov || ins.op == opcode::umov;
  const bool added = ins.op == opcode::imad || ins.op == opcode::uimad;
  if ((!plain && !added) || ins.has(iflag::guarded) || ins.has(iflag::reads_constant) || ins.has(iflag::reads_immediate) ||
      ins.has(iflag::spill)) {
    return ends;
  }
  std::uint32_t to = lifted_program::no_web;
  std::uint32_t from = lifted_program::no_web;
  reg_file file = reg_file::none;
  for (std::uint32_t k = ins.first_operand; k < ins.first_operand + ins.operand_count; ++k) {
    const operand o = l.code.operands[k];
    if (!o.is_register()) {
      if (o.type() == operand_type::constant || o.type() == operand_type::immediate) return ends;
      continue;  // zero registers
    }
    if (o.width() != 1 || o.is_half() || o.is_partial() || o.is_negated() || o.is_not()) return ends;
    std::uint32_t& end = o.is_def() ? to : from;
    if (end != lifted_program::no_web || l.web_of_operand[k] == lifted_program::no_web) return ends;
    end = l.web_of_operand[k];
    (o.is_def() ? ends.to_part : ends.from_part) = o.base().number() - l.webs[end].number;
    if (o.is_def()) file = o.file();
    if (added && o.is_use() && o.where() != slot::c) return ends;
  }
  if (to == lifted_program::no_web || from == lifted_program::no_web || to == from || l.webs[from].file != file) return ends;
  ends.found = true;
  ends.file_class = pressure_class_of(file);
  ends.to = to;
  ends.from = from;
  return ends;
}

}  // namespace ww::regalloc
