// SPDX-License-Identifier: BSL-1.0
//
// Roles of tensor-core operands.
//
// HMMA, IMMA, BMMA, DMMA, QMMA: result, a, b, c fragments, whose lengths come from the shape, then the sparsity
// selector or the scales of the newer forms. HGMMA and its like read a and b through uniform descriptors in shared
// memory (each a pair; two packed in four registers) and count on a group scoreboard. UTC* instructions work on
// tensor memory and take uniform registers only.
#pragma once

#include <cstdint>

#include "decode_alu.hpp"
#include "mma_shape.hpp"

namespace ww::isa::detail {

constexpr void decode_mma(decode_context& c) {
  const mma_shape s = shape_of(c.row.op, c.text.modifier_text);
  const mma_widths w = widths_of(c.row.op, s);
  unsigned n = 0, predicates = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_predicate(i)) {
      c.use(o, predicate_source_slot(predicates++));
    } else if (i == 0) {
      c.def(o, slot::dst, w.d);
    } else if (o.kind == asm_kind::reg) {
      ++n;
      if (n == 1) {
        c.use(o, slot::a, w.a, 1);
      } else if (n == 2) {
        c.use(o, slot::b, w.b, 2);
      } else if (n == 3) {
        c.use(o, slot::c, w.c, 3);
      } else {
        c.use(o, slot::data);
      }
    } else {
      c.use(o, slot::none);
    }
  }
}

constexpr void decode_hgmma(decode_context& c) {
  const mma_shape s = shape_of(c.row.op, c.text.modifier_text);
  const mma_widths w = widths_of(c.row.op, s);
  unsigned general = 0, predicates = 0, descriptors = 0;
  bool a_in_registers = false;
  for (unsigned i = 1; i < c.count(); ++i) {
    if (c.at(i).kind == asm_kind::gdesc) break;
    if (is_general(c.at(i))) a_in_registers = true;
  }
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (i == 0) {
      c.def(o, slot::dst, w.d);
    } else if (o.kind == asm_kind::gdesc) {
      c.use(o.base, slot::desc, a_in_registers || descriptors != 0 ? 2 : 4);
      ++descriptors;
    } else if (c.is_predicate(i)) {
      c.use(o, predicate_source_slot(predicates++));
    } else if (is_general(o)) {
      const bool first = general++ == 0 && a_in_registers;
      c.use(o, first ? slot::a : slot::c, first ? w.a : w.c);
    } else if (o.kind == asm_kind::special && o.text == "gsb0") {
      c.push_def(operand::def(special_register(o.text), slot::implicit).set(operand::bit_partial));
    } else {
      c.use(o, slot::none);
    }
  }
  c.ins.space = mem_space::shared;
  c.ins.dir = mem_dir::load;
}

// Everything is a uniform register or a tensor-memory address; pairs are assumed where the text does not tell.
constexpr void decode_umma(decode_context& c) {
  unsigned predicates = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_predicate(i)) {
      if (i == 0 && c.row.op == opcode::utcatomsws) {
        c.def(o, slot::pdst);
      } else {
        c.use(o, predicate_source_slot(predicates++));
      }
    } else if (o.kind == asm_kind::address) {
      c.use_address(o, 1, o.has(asm_flag::tensor) ? 1 : 2);
    } else if (i <= 1 && c.row.op == opcode::utcatomsws && o.kind == asm_kind::reg) {
      c.def(o, slot::dst);
    } else {
      c.use(o, slot::desc, o.kind == asm_kind::reg && o.has(asm_flag::wide64) ? 2 : 1);
    }
  }
  c.ins.space = mem_space::generic;
  c.ins.dir = mem_dir::order;
}

}  // namespace ww::isa::detail
