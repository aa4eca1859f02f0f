// SPDX-License-Identifier: BSL-1.0
//
// What opcode and operands of a typed instruction tell beyond registers: the flags that text has by its words.
//
//   slot::branch        a register says where control goes, a predicate whether it does
//   special registers   clocks keep their place
//   convergence         BMOV of MACTIVE
//   ports               reuse flags
// What only a modifier tells is for the generator to say (docs/library.md).
#pragma once

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../meta/span.hpp"
#include "decode.hpp"

namespace ww::isa {

// An instruction without operands, as its opcode alone says: class, flags and direction of memory. A template only so that a
// unit that builds nothing does not pay for reading instructions; so is the builder.
template <class Instruction = instruction>
[[nodiscard]] constexpr Instruction typed_instruction(opcode op, dialect d = {}) {
  const asm_instruction none;  // what the opcode does whatever stands behind it
  detail::decode_context c(none, row_of(op), d);
  detail::decode_operands(c);
  c.ins.mem_bytes = 0;
  return c.ins;
}

namespace detail {

// A general or uniform register, or a constant, that a branch reads.
constexpr bool names_place(span<const operand> operands) {
  for (const operand& o : operands) {
    if (o.where() != slot::branch) continue;
    if (o.file() == reg_file::r || o.file() == reg_file::ur || o.type() == operand_type::constant) return true;
  }
  return false;
}
// A register says where a branch goes, unless a label does (`to`), and then, as a predicate, whether it does.
constexpr void decide(instruction& i, form shape, span<const operand> operands) {
  const bool place = names_place(operands);
  bool condition = place && i.has(iflag::exit);
  for (const operand& o : operands) {
    if (o.where() != slot::branch) continue;
    condition = condition || ((o.file() == reg_file::p || o.file() == reg_file::up) && (!o.base().is_zero() || o.is_not()));
  }
  if (place && !i.has(iflag::exit)) i.add(iflag::indirect);
  if (!place && (shape == form::branch || shape == form::call)) i.remove(iflag::indirect);
  if (condition) i.add(iflag::conditional);
}
// What operands tell beyond registers, as in text: clocks keep their place, and so does a special register that is not named.
// BMOV has nothing but its convergence register where the other one is MACTIVE. Ports say that bits 122..125 are reuse flags.
constexpr void take_state(instruction& i, const opcode_row& row, span<const operand> operands) {
  const bool special_read = row.op == opcode::s2r || row.op == opcode::s2ur || row.op == opcode::cs2r ||
                            row.op == opcode::cs2ur || row.op == opcode::ucs2r;
  bool source = false, varies = false, port = false;
  unsigned count = 0, convergence = 0;
  for (const operand& o : operands) {
    if (o.where() == slot::guard) continue;
    source = source || o.is_use();
    ++count;
    convergence += o.file() == reg_file::b ? 1u : 0u;
    varies = varies || (o.is_use() && o.file() == reg_file::special && is_time_varying(o.base()));
    port = port || (o.is_use() && o.file() == reg_file::r && (o.port() & 3u) != 0);
  }
  if (varies || (special_read && !source)) {
    for (const iflag f : {iflag::reads_clock, iflag::fence, iflag::side_effect}) i.add(f);
  }
  if (row.op == opcode::bmov && convergence == 1 && count == 1) i.add(iflag::active_mask);
  if (row.has(trait::reuse) && port) i.add(iflag::reuse_legal);
}

}  // namespace detail

}  // namespace ww::isa
