// SPDX-License-Identifier: BSL-1.0
//
// The scheduling class of an instruction that is given by opcode and operands, without text.
//
// The class of the opcode, refined by what the operands tell: modifiers that change a class nearly always change a width too.
//   IMAD, UIMAD        result of 2: .WIDE; addend of 2 (RZ too) and result of 1: .HI
//   HMMA, IMMA, BMMA, QMMA   the depth from the registers of both factors: a row of A or of B is 64 times as many bits as a thread
//                      holds registers of a, 128 times as many as of a dense b (isa/mma_shape.hpp); a selector says sparse
//   F2F, F2I, I2F, FRND  any operand of 2: 64 bits; so is what comes from a constant or an immediate, whose width is not known
//   ISETP, IMNMX, MOV, SEL, IADD   operands of 2: 64 bits; UIADD3, ULEA: those, or a predicate as source: .X
//   CS2R               a result of 1: .32; BMOV: a result in B; USETMAXREG, UTCATOMSWS: a predicate as result
// Where they do not tell, it is the class with the longest distances: HFMA2 is taken for HFMA2.MMA up to sm_90 (observed on sm_80, sm_90
// and sm_90a, 6,287 in 15 million lines of listings, and on no other), HADD2 for HADD2.F32. Neither is longer towards everything: HFMA2
// that reads a double, or that replaces what CS2R or LEPC gave, and HFMA2 of both kinds in one program need the class named; so does
// HADD2 in front of the 64-bit addend of IMAD.HI on sm_75 and sm_100.
#pragma once

#include "../ir/operand.hpp"
#include "../meta/span.hpp"
#include "dialect.hpp"
#include "opcode_row.hpp"

namespace ww::isa {
namespace detail {

// What operands tell of the widths: the most of a slot, of results, of sources. 0: no register.
struct operand_widths {
  unsigned result = 0, source = 0, a = 0, b = 0, c = 0;
  bool selector = false, carry = false, predicate_result = false, barrier_result = false, other_source = false;
};

constexpr operand_widths widths_in(span<const operand> operands) {
  operand_widths w;
  const auto most = [](unsigned& into, unsigned n) { into = n > into ? n : into; };
  for (const operand& o : operands) {
    const reg_file f = o.file();
    const bool general = f == reg_file::r || f == reg_file::ur;
    const bool predicate = f == reg_file::p || f == reg_file::up;
    if (o.is_def()) {
      if (general) most(w.result, o.width());
      w.predicate_result = w.predicate_result || predicate;
      w.barrier_result = w.barrier_result || (f == reg_file::b && o.where() == slot::dst);  // .CLEAR has one more
    } else if (predicate) {
      w.carry = w.carry || (o.where() != slot::guard && o.where() != slot::branch);
    } else if (general) {
      most(w.source, o.width());
      if (o.where() == slot::a) most(w.a, o.width());
      if (o.where() == slot::b) most(w.b, o.width());
      if (o.where() == slot::c) most(w.c, o.width());
      w.selector = w.selector || o.where() == slot::data;
    } else {
      w.other_source = w.other_source || o.type() == operand_type::constant || o.type() == operand_type::immediate;
    }
  }
  return w;
}

// Bits of one row of B, half of them where A is sparse, as classify_mma counts them. 0: the factors do not tell.
constexpr unsigned factor_bits_of(const operand_widths& w) {
  const unsigned by_a = 64 * w.a;
  const unsigned by_b = (w.selector ? 64 : 128) * w.b;
  return by_a > by_b ? by_a : by_b;
}

constexpr sched_class typed_matrix(opcode op, const operand_widths& w) {
  const unsigned bits = factor_bits_of(w);
  switch (op) {
    case opcode::hmma:
      if (w.a == 2 && w.b == 2 && !w.selector) return sched_class::hmma_small;  // 884, which works on pairs
      if (w.selector && bits > 256) return sched_class::hmma_sparse;
      return w.a >= 2 && bits <= 128 ? sched_class::hmma_medium : sched_class::hmma_large;
    case opcode::imma:
      if (w.a == 1 && w.b == 1) return sched_class::imma_small;
      return w.a >= 2 && bits <= 128 ? sched_class::imma_medium : sched_class::imma_large;
    case opcode::bmma:
      if (w.a == 1 && w.b == 1) return sched_class::bmma_small;
      return w.a >= 2 && bits <= 128 ? sched_class::imma_medium : sched_class::bmma_large;
    default:
      return w.a >= 2 && bits <= 128 ? sched_class::hmma_medium : sched_class::qmma;
  }
}

}  // namespace detail

constexpr sched_class typed_class(const detail::opcode_row& row, span<const operand> operands, const dialect& d) {
  const detail::operand_widths w = detail::widths_in(operands);
  switch (row.op) {
    case opcode::imad:
      if (d.word64) return sched_class::imul;
      if (w.result > 1) return sched_class::imad_wide;
      return w.c > 1 ? sched_class::imad_hi : sched_class::imad;
    case opcode::uimad:
      return w.result > 1 || w.c > 1 ? sched_class::uimad_wide : sched_class::uimad;
    case opcode::hfma2:
      return d.word64 || d.uniform_zero == 255 ? sched_class::half : sched_class::hfma2_mma;
    case opcode::hadd2:
      return sched_class::half_f32;
    case opcode::f2f:
    case opcode::f2i:
    case opcode::i2f:
    case opcode::frnd:
      return w.result > 1 || w.source > 1 || w.other_source ? sched_class::conv_64 : sched_class::conv;
    case opcode::cs2r:
      return w.result == 1 && !d.word64 ? sched_class::cs2r_32 : sched_class::cs2r;
    case opcode::uiadd3:
    case opcode::ulea:
      return w.carry || w.result > 1 ? sched_class::ualu_x : sched_class::ualu;
    case opcode::mov:
    case opcode::sel:
      return w.result > 1 ? sched_class::alu_64 : sched_class::alu_dual;
    case opcode::isetp:
    case opcode::imnmx:
      return w.source > 1 ? sched_class::setp_64 : row.iclass;
    case opcode::iadd:
      if (w.result > 1) return sched_class::alu_64;
      return d.word64 ? sched_class::alu : sched_class::viadd;
    case opcode::fchk:
      return d.word64 ? sched_class::setp : row.iclass;
    case opcode::i2i:
      return d.word64 ? sched_class::conv : row.iclass;
    case opcode::hmma:
    case opcode::imma:
    case opcode::bmma:
    case opcode::qmma:
      return detail::typed_matrix(row.op, w);
    case opcode::bmov:
      return w.barrier_result ? sched_class::bmov_to_b : row.iclass;
    case opcode::usetmaxreg:
    case opcode::setmaxreg:
    case opcode::utcatomsws:
      return w.predicate_result ? sched_class::s2ur : row.iclass;
    default:
      return row.iclass;
  }
}

}  // namespace ww::isa
