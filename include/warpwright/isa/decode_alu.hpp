// SPDX-License-Identifier: BSL-1.0
//
// Roles of arithmetic, compare, select, vote, move and conversion operands.
//
// Position decides what a predicate is: before or directly behind the result it is a second result (a carry out, a
// comparison), after the first source it is data (a carry in, a selector). Sources are numbered a, b, c in the order
// of the text; `port` is the operand port that a reuse flag means: a, b, c in the same order, but b for a single source
// and c for the second source of an addition or of what compares like one (FADD, FADD2, FHADD, DADD, HADD2, HSET2, HSETP2, DSETP;
// DSETP not in 64-bit words). Derived from the reuse flags of the corpus and, for FADD2, FHADD and DSETP, of other compiled code.
#pragma once

#include <cstdint>

#include "decode_context.hpp"
#include "widths.hpp"

namespace ww::isa::detail {

constexpr slot source_slot(unsigned n) { return n == 0 ? slot::a : (n == 1 ? slot::b : slot::c); }
constexpr slot predicate_source_slot(unsigned n) { return n == 0 ? slot::psrc : (n == 1 ? slot::psrc1 : slot::psrc2); }
constexpr slot predicate_result_slot(unsigned n) { return n == 0 ? slot::pdst : slot::pdst1; }

constexpr bool is_number(const asm_operand& o) { return o.kind == asm_kind::integer || o.kind == asm_kind::floating; }
constexpr bool is_general(const asm_operand& o) { return o.kind == asm_kind::reg && o.base.file() == reg_file::r; }

// Number of leading sources that are real value sources of a three-input operation, for the port rule.
constexpr unsigned value_sources(const auto& c, unsigned from) {
  unsigned n = 0;
  for (unsigned i = from; i < c.count() && !c.is_predicate(i); ++i) ++n;
  switch (c.row.op) {
    case opcode::lop3:  // the truth table follows
      return n > 3 ? 3 : n;
    case opcode::lea:  // so does the shift; none is printed for a shift by nothing (sm_50..62)
      return n <= 2 ? n : (n - 1 > 3 ? 3 : n - 1);
    case opcode::nanosleep:  // NANOSLEEP.SYNCS !P1, R8
      return 1;
    case opcode::hadd2:
    case opcode::hmul2:
    case opcode::hset2:
    case opcode::hsetp2:
    case opcode::hmnmx2:
      return 2;  // two halves of one immediate count once
    default:
      return n > 3 ? 3 : n;
  }
}

// Never flagged in 64-bit words, and disassemblers print no flag there (observed, sm_50 to sm_62: 2,800 of them in 439 listings).
constexpr bool never_flagged_short(opcode op) {
  return op == opcode::imad || op == opcode::imad32i || op == opcode::imul || op == opcode::imul32i ||
         op == opcode::iscadd32i || op == opcode::dmnmx;
}

constexpr void decode_sources(auto& c, unsigned from, const alu_widths& w) {
  const unsigned values = value_sources(c, from);
  const bool addition = c.row.op == opcode::fadd || c.row.op == opcode::fhadd || c.row.op == opcode::dadd ||
                        c.row.op == opcode::hadd2 || c.row.op == opcode::hsetp2 || c.row.op == opcode::hset2 ||
                        c.row.op == opcode::fadd2 || (c.row.op == opcode::dsetp && !c.machine.word64);
  // FFMA2 R4, R8.F32x2.HI_LO, R3.F32, R0.F32: a source named .F32 is one register for both halves.
  const bool paired = c.row.op == opcode::fadd2 || c.row.op == opcode::fmul2 || c.row.op == opcode::ffma2;
  // F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R11, R6, R7, F2FP.BF16.F32.MERGE_C.RZ R5, R6, R7 and F2FP.BF16.E2M1.UNPACK_B R5, R16.B1,
  // R99.B0: b and c.
  const string_view m = c.text.modifier_text;
  const bool from_b = c.row.op == opcode::f2fp && values == 2 &&
                      (m.find(".UNPACK_B") != string_view::npos || m.find(".MERGE_C") != string_view::npos);
  unsigned n = from_b ? 1 : 0, predicates = 0;
  for (unsigned i = from; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_predicate(i)) {
      c.use(o, predicate_source_slot(predicates++));
      continue;
    }
    unsigned port = values == 1 ? 2u : (n < 3 ? n + 1 : 0u);
    if (addition && n == 1) port = 3;
    if (c.row.op == opcode::fswzadd && n == 1) port = 0;  // not known: its field is that of c, and no flag was seen
    if (n >= values + (from_b ? 1u : 0u) || (c.machine.word64 && never_flagged_short(c.row.op))) port = 0;
    const unsigned width = paired && o.has(asm_flag::f32) ? 1u : (n == 0 ? w.a : (n == 1 ? w.b : w.c));
    c.use(o, values == 1 && n == 0 ? slot::b : source_slot(n), width, port);
    // HFMA2 R5, R5, 0.0625, 0.0625, R0: two halves of one source.
    const bool first_half = c.row.op == opcode::hfma2 && is_number(o) && i + 1 < c.count() && is_number(c.at(i + 1));
    if (!first_half) ++n;
  }
}

constexpr void decode_alu(auto& c) {
  const alu_widths w = widths_of(c.row.op, c.text, c.machine.word64);
  unsigned i = 0, predicates = 0;
  while (c.is_predicate(i)) c.def(c.at(i++), predicate_result_slot(predicates++));
  if (i < c.count()) {
    c.def(c.at(i), slot::dst, w.d);
    ++i;
  }
  while (c.is_predicate(i)) c.def(c.at(i++), predicate_result_slot(predicates++));
  if (i < c.count() && (c.row.op == opcode::r2ur || c.row.op == opcode::credux)) {
    c.use(c.at(i), slot::a, w.a, 1);
    return;
  }
  // MOV R9, R10, 0x1 is for the first of each four threads, and leaves the others as they are; 0xf is for all of them.
  if (c.row.op == opcode::mov && c.count() == i + 2 && c.at(i + 1).kind == asm_kind::integer) {
    if (c.at(i + 1).value != 0xf) c.keep_old_values();
    c.use(c.at(i), slot::b, w.a, 2);
    return;
  }
  decode_sources(c, i, w);
}

constexpr void decode_setp(auto& c) {
  const alu_widths w = widths_of(c.row.op, c.text, c.machine.word64);
  unsigned i = 0;
  while (c.is_predicate(i)) {
    c.def(c.at(i), predicate_result_slot(i));
    ++i;
  }
  decode_sources(c, i, w);
}

// PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x8; and PSET.AND.AND R5, P1, PT, PT of sm_50 to sm_62, whose result is a register.
constexpr void decode_plop(auto& c) {
  if (c.count() != 0 && !c.is_predicate(0)) {
    c.def(c.at(0), slot::dst);
    return decode_sources(c, 1, {});
  }
  unsigned i = 0;
  for (; i < 2 && c.is_predicate(i); ++i) c.def(c.at(i), predicate_result_slot(i));
  decode_sources(c, i, {});
}

// VOTE.ANY R2, PT, !P0 and VOTE.ALL P0, P0; ELECT P0, UR4, PT.
constexpr void decode_vote(auto& c) {
  unsigned i = 0;
  if (i < c.count() && !c.is_predicate(i)) c.def(c.at(i++), slot::dst);
  if (c.is_predicate(i)) c.def(c.at(i++), slot::pdst);
  decode_sources(c, i, {});
}

constexpr void decode_elect(auto& c) {
  unsigned i = 0;
  if (c.is_predicate(i)) c.def(c.at(i++), slot::pdst);
  if (i < c.count() && !c.is_predicate(i)) c.def(c.at(i++), slot::dst);
  decode_sources(c, i, {});
}

// The predicates that a P2R or R2P mask names, as one operand per predicate.
constexpr void masked_predicates(auto& c, reg_file f, std::int64_t mask, bool known, bool write) {
  for (unsigned p = 0; p < 7; ++p) {
    if (known && ((mask >> p) & 1) == 0) continue;
    if (write) {
      c.push_def(operand::def(reg{f, p}, slot::pdst).set(known ? 0u : operand::bit_partial));
    } else {
      c.use(reg{f, p}, slot::psrc);
    }
  }
}

struct mask_value {
  std::int64_t bits = 0x7f;
  bool known = false;
};

constexpr mask_value mask_of(const auto& c) {
  for (unsigned i = c.count(); i-- > 0;) {
    if (c.at(i).kind == asm_kind::integer) return {c.at(i).value & 0x7f, true};
  }
  return {};
}

// P2R R24, PR, RZ, 0x2: R24 = RZ with the masked bits taken from the predicates.
constexpr void decode_p2r(auto& c) {
  if (c.count() != 0) c.def(c.at(0), slot::dst);
  const mask_value m = mask_of(c);
  unsigned n = 0;
  for (unsigned i = 1; i < c.count(); ++i) {
    if (c.at(i).kind == asm_kind::predicates) {
      masked_predicates(c, c.at(i).base.file(), m.bits, m.known, false);
    } else {
      c.use(c.at(i), c.is_predicate(i) ? predicate_source_slot(n++) : slot::a);
    }
  }
}

constexpr void decode_r2p(auto& c) {
  const mask_value m = mask_of(c);
  bool first = true;
  for (unsigned i = 0; i < c.count(); ++i) {
    if (c.at(i).kind == asm_kind::predicates) {
      masked_predicates(c, c.at(i).base.file(), m.bits, m.known, true);
    } else {
      c.use(c.at(i), slot::a, 1, first ? 1u : 0u);  // R2P PR, R41.reuse.B1, 0x7f
      first = false;
    }
  }
}

constexpr void decode_source_list(auto& c) {
  const alu_widths w = widths_of(c.row.op, c.text, c.machine.word64);
  decode_sources(c, 0, w);
}

}  // namespace ww::isa::detail
