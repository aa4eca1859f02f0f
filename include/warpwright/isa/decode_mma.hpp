// SPDX-License-Identifier: BSL-1.0
//
// Roles of tensor-core operands.
//
// HMMA, IMMA, BMMA, DMMA, QMMA: result, a, b, c fragments, whose lengths come from the shape, then the sparsity
// selector or the scales of the newer forms. HGMMA and its like read a and b through uniform descriptors in shared
// memory (four registers, whether they describe one factor or both) and count on a group scoreboard. UTC* instructions work
// on tensor memory and take uniform registers only.
#pragma once

#include <cstdint>

#include "decode_alu.hpp"
#include "mma_shape.hpp"

namespace ww::isa::detail {

constexpr void decode_mma(auto& c) {
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
      } else {  // of sparse ones with scales the selector and the scales of a are a pair (observed: OMMA.SF.SP, QMMA.SF.SP)
        c.use(o, slot::data, n == 4 && c.text.modifier_text.find(".SF.SP") != string_view::npos ? 2 : 1);
      }
    } else {
      c.use(o, slot::none);
    }
  }
}

constexpr void decode_hgmma(auto& c) {
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
      c.use(o.base, slot::desc, descriptors != 0 ? 2 : 4);
      ++descriptors;
    } else if (c.is_predicate(i)) {
      c.use(o, predicate_source_slot(predicates++));
    } else if (is_general(o)) {
      const unsigned place = general++ + (a_in_registers ? 0 : 1);
      if (place == 0) {
        c.use(o, slot::a, w.a);
      } else if (place == 1) {
        c.use(o, slot::c, w.c);
      } else {  // selects the elements of a sparse factor
        c.use(o, slot::data);
      }
    } else if (o.kind == asm_kind::special && o.text == "gsb0") {
      c.push_def(operand::def(special_register(o.text), slot::implicit).set(operand::bit_partial));
    } else {
      c.use(o, slot::none);
    }
  }
  c.ins.space = mem_space::shared;
  c.ins.dir = mem_dir::load;
}

// Masks of what is not to be written: a register for each 32 rows, or a pair of those of columns (.WS; observed: R2UR before them).
constexpr unsigned mask_width(const auto& c) {
  if (c.text.modifier_text.find(".WS") != string_view::npos) return 2;
  return c.text.modifier_text.find(".2CTA") != string_view::npos ? 8 : 4;
}
// UTCHMMA gdesc[UR16], gdesc[UR18], tmem[UR10], tmem[UR4], idesc[UR5], [tmem[UR12],] UP0: matrix descriptors are pairs, the
// rest single registers, but for the scales of the block-scaled forms (a pair of tensor-memory addresses) and for masks.
constexpr void decode_umma(auto& c) {
  unsigned predicates = 0;
  const bool allocates = c.row.op == opcode::utcatomsws;  // [predicate,] result, source: a value, and no descriptor
  bool result = allocates;
  bool idesc_seen = false;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_predicate(i)) {
      if (result) {
        c.def(o, slot::pdst);
        c.ins.iclass = sched_class::s2ur;  // under a counter
      } else {
        c.use(o, predicate_source_slot(predicates++));
      }
    } else if (result && o.kind == asm_kind::reg) {
      c.def(o, slot::dst);
      result = false;
    } else if (o.kind == asm_kind::address) {
      c.use_address(o, 1, idesc_seen ? 2 : 1);
    } else {
      const bool mask = idesc_seen && o.kind == asm_kind::reg;
      idesc_seen = idesc_seen || (o.kind == asm_kind::gdesc && o.text.substr(0, 1) == "i");
      c.use(o, allocates ? slot::data1 : slot::desc, mask ? mask_width(c) : 1);
    }
  }
  c.ins.space = mem_space::generic;
  c.ins.dir = mem_dir::order;
}

}  // namespace ww::isa::detail
