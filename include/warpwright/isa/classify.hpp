// SPDX-License-Identifier: BSL-1.0
//
// The scheduling class of an instruction: the class of its opcode, refined by modifiers and operand files.
//
// Only what changes the unit or the latency is told apart: IMAD.WIDE and .HI, HFMA2.MMA, HADD2.F32, conversions from or to
// 64 bits, CS2R.32, tensor-core shapes by their k extent. Sources: facts/hardware.md 2.1, facts/observed.md (class names).
#pragma once

#include "../meta/string_view.hpp"
#include "asm_form.hpp"
#include "element_type.hpp"
#include "mma_shape.hpp"
#include "opcode_row.hpp"

namespace ww::isa {
namespace detail {

constexpr sched_class classify_mma(opcode op, string_view modifiers) {
  const mma_shape s = shape_of(op, modifiers);
  const unsigned dense = s.k * (s.a_bits < s.b_bits ? s.b_bits : s.a_bits);  // bits of one row of B
  // Half of the products of a sparse A are zero: it takes as long as a dense one of half the depth (observed with every type
  // and depth on sm_80, 86, 89, 90, 100 and 120, 400 pairs).
  const unsigned bits = s.sparse ? dense / 2 : dense;
  switch (op) {
    case opcode::hmma:
      if (s.sparse && bits > 256) return sched_class::hmma_sparse;              // deeper than any that was seen
      if (bits <= 64) return sched_class::hmma_small;                           // 884
      return bits <= 128 ? sched_class::hmma_medium : sched_class::hmma_large;  // 1688, 1684.TF32; 16816, 1688.TF32
    case opcode::imma:
      if (s.m == 8) return sched_class::imma_small;
      return bits <= 128 ? sched_class::imma_medium : sched_class::imma_large;
    case opcode::bmma:
      if (s.m == 8) return sched_class::bmma_small;
      return bits <= 128 ? sched_class::imma_medium
                         : sched_class::bmma_large;  // 168128: 16 cycles (observed on sm_80 to 89)
    case opcode::qmma:                               // 16816: 16 cycles (observed on sm_89)
      return bits != 0 && bits <= 128 ? sched_class::hmma_medium : sched_class::qmma;
    default:
      return sched_class::unknown;
  }
}

// Both factors of a video instruction have 8 or 16 bits: VMAD.U16.S8.SHR_15.
constexpr bool multiplies_parts(string_view modifiers) {
  unsigned narrow = 0;
  for_each_modifier(modifiers, [&](string_view w) {
    narrow += w == "S8" || w == "U8" || w == "S16" || w == "U16" ? 1u : 0u;
    return true;
  });
  return narrow >= 2;
}

}  // namespace detail

constexpr sched_class classify(const detail::opcode_row& row, const asm_instruction& text, bool word64 = false) {
  const modifier_set& m = text.modifiers;
  switch (row.op) {
    case opcode::
        imad:  // there the same unit as IMUL (hardware 2.1; observed, sm_50 to sm_62 at -O0: a counter on 508 of 508)
      if (word64) return sched_class::imul;
      if (m.has(modifier::wide)) return sched_class::imad_wide;
      return m.has(modifier::hi) ? sched_class::imad_hi : sched_class::imad;
    // There the same as IMAD where it multiplies 32 bits, and like other video instructions where it does 8 or 16 (generated kernels,
    // sm_50 to sm_61: a counter on 24 of 25, none on 46 of 46).
    case opcode::vmad:
      return word64 && !detail::multiplies_parts(text.modifier_text) ? sched_class::imul : row.iclass;
    case opcode::uimad:
      return m.has(modifier::wide) || m.has(modifier::hi) ? sched_class::uimad_wide : sched_class::uimad;
    case opcode::hfma2:
      return m.has(modifier::mma) ? sched_class::hfma2_mma : sched_class::half;
    case opcode::hadd2:
      return m.has(modifier::f32) ? sched_class::half_f32 : sched_class::half;
    case opcode::f2f:
    case opcode::f2i:
    case opcode::i2f:
    case opcode::frnd: {
      const bool wide = m.has(modifier::f64) || m.has(modifier::s64) || m.has(modifier::u64);
      return wide ? sched_class::conv_64 : sched_class::conv;
    }
    case opcode::cs2r:
      return m.has(modifier::w32) ? sched_class::cs2r_32 : sched_class::cs2r;
    case opcode::uiadd3:
    case opcode::ulea:
      return m.has(modifier::x) || m.has(modifier::w64) ? sched_class::ualu_x : sched_class::ualu;
    case opcode::mov:  // its two halves come as those of IADD.64 do (sm_120)
    case opcode::sel:  // likewise (compared as 64 bits 6 cycles behind or more, 113 of 113, 57 exactly 6; others 5)
      return m.has(modifier::w64) ? sched_class::alu_64 : sched_class::alu_dual;
    case opcode::isetp:  // lands a cycle later (observed, sm_120: 14 cycles to a guard, 1,320 of 1,320)
    case opcode::imnmx:  // goes through the ALU likewise (observed, sm_120: its own stall is 2 at least, 669 of 669)
      return m.has(modifier::u64) || m.has(modifier::s64) ? sched_class::setp_64 : row.iclass;
    case opcode::iadd:  // what VIADD was before CUDA 13 (observed, sm_120: 5 cycles to and from the ALU, 1,100 of 1,110)
      if (m.has(modifier::w64)) return sched_class::alu_64;
      return word64 ? sched_class::alu : sched_class::viadd;
    case opcode::fchk:  // no counter, its predicate after 13 cycles (observed, sm_50 to sm_61: all of 31, 13 cycles or more)
      return word64 ? sched_class::setp : row.iclass;
    case opcode::i2i:  // a conversion like others there (hardware 2.1: counted; sources after 2 cycles as those of MUFU)
      return word64 ? sched_class::conv : row.iclass;
    case opcode::hmma:
    case opcode::imma:
    case opcode::bmma:
    case opcode::qmma:
      return detail::classify_mma(row.op, text.modifier_text);
    default:
      return row.iclass;
  }
}

}  // namespace ww::isa
