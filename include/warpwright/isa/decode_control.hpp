// SPDX-License-Identifier: BSL-1.0
//
// Roles of branches, calls, convergence barriers, scoreboard waits and stack operations.
//
// Targets stay labels or offsets in the assembly form; who lays out the program resolves them. What a called
// function reads and writes is not an operand of the call: the call is a fence and ends its block, and the control-flow
// graph leads into the callee. CALL through a register, RET and BRX read a pair (the 64-bit target).
// A label behind a register (RET.REL.NODEC R20 `(kernel)) is the base of a relative address, not a target.
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "decode_alu.hpp"

namespace ww::isa::detail {

constexpr bool has_label(const auto& c) {
  for (unsigned i = 0; i < c.count(); ++i) {
    if (c.at(i).kind == asm_kind::label || c.at(i).kind == asm_kind::integer) return true;
  }
  return false;
}

constexpr bool has_vector_register(const auto& c) {
  for (unsigned i = 0; i < c.count(); ++i) {
    if (is_general(c.at(i))) return true;
  }
  return false;
}

constexpr void decode_branch_sources(auto& c, unsigned width) {
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::reg) {
      const reg_file f = o.base.file();
      c.use(o, slot::branch, f == reg_file::r || f == reg_file::ur ? width : 1);
    } else if (o.kind == asm_kind::constant) {
      c.use(o, slot::branch);
    }
  }
}

// BRA P2, BRA.DIV UR4, BRA.CONV, EXIT P0: can fall through without a guard. @P0 BRA.U.ANY: one thread decides for all of the warp, so
// that the opposite guard is not the opposite branch.
constexpr void mark_conditional(auto& c) {
  bool conditional = c.has(modifier::div) || c.has(modifier::cond);
  const bool guarded = !c.text.guard.is_none() && !c.text.guard.is_zero();
  conditional = conditional || (guarded && c.ins.has(iflag::branch) && !c.text.modifier_text.empty());
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind != asm_kind::reg) continue;
    conditional = conditional || !c.is_predicate(i) || !o.base.is_zero() || o.has(asm_flag::invert);
  }
  if (conditional) c.ins.add(iflag::conditional);
}

constexpr void decode_branch(auto& c) {
  c.ins.add(iflag::branch);
  if (!has_label(c)) c.ins.add(iflag::indirect);
  mark_conditional(c);
  decode_branch_sources(c, 1);
}

constexpr void decode_indirect_branch(auto& c) {
  c.ins.add(iflag::branch);
  c.ins.add(iflag::indirect);
  decode_branch_sources(c, c.machine.word64 ? 1 : 2);
}

constexpr void decode_call(auto& c) {
  c.ins.add(iflag::call);
  if (!has_label(c)) c.ins.add(iflag::indirect);
  if (has_vector_register(c)) c.ins.add(iflag::indirect);
  decode_branch_sources(c, 2);
}

constexpr void decode_ret(auto& c) {
  c.ins.add(iflag::ret);
  c.ins.add(iflag::indirect);
  decode_branch_sources(c, 2);
}

constexpr void decode_exit(auto& c) {
  c.ins.add(iflag::exit);
  mark_conditional(c);
  decode_branch_sources(c, 1);
}

// USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8 says in UP0 whether the warp has got the registers, under a counter.
constexpr void decode_setmax(auto& c) {
  for (unsigned i = 0; i < c.count(); ++i) {
    if (i == 0 && c.is_predicate(i)) {
      c.def(c.at(i), slot::pdst);
      c.ins.iclass = sched_class::s2ur;
    } else {
      c.use(c.at(i), slot::b);
    }
  }
}

// BMOV.32.CLEAR R23, B8 reads and clears B8; BMOV.32 B6, R19 writes it.
constexpr void decode_bmov(auto& c) {
  const bool clear = c.text.modifier_text.find(".CLEAR") != string_view::npos;
  const unsigned width = c.has(modifier::w64) ? 2 : 1;
  if (c.text.modifier_text.find(".PQUAD") != string_view::npos) c.ins.add(iflag::quad);
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.text == "MACTIVE") c.ins.add(iflag::active_mask);
    if (i == 0) {
      c.def(o, slot::dst, is_general(o) ? width : 1);
    } else {
      c.use(o, slot::b, is_general(o) ? width : 1, 2);
      if (clear && o.kind == asm_kind::reg && o.base.file() == reg_file::b) c.def(o, slot::dst1);
    }
  }
  if (c.is_register(0, reg_file::b)) c.ins.iclass = sched_class::bmov_to_b;
}

constexpr void decode_barrier_register(auto& c, bool writes, bool reads) {
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_register(i, reg_file::b)) {
      if (writes) c.def(o, slot::dst);
      if (reads) c.use(o, slot::a);
    } else if (c.is_predicate(i)) {
      c.use(o, slot::branch);
    } else {
      c.use(o, slot::a);
    }
  }
}

constexpr void decode_warpsync(auto& c) {
  decode_branch_sources(c, 1);
  bool label = false;
  for (unsigned i = 0; i < c.count(); ++i) label = label || c.at(i).kind == asm_kind::label;
  if (label || c.has(modifier::collective)) {
    // One group goes on behind it up to ENDCOLLECTIVE, the others go to the label, where all of them meet.
    c.ins.iclass = sched_class::collective;
    c.ins.add(iflag::branch);
    c.ins.add(iflag::conditional);
    c.ins.add(iflag::ends_block);
  }
}

// DEPBAR.LE SB0, 0x1, {5,4}: waits for all counters named. The number is the count (depbar_count); where there are words, they tell it.
constexpr void decode_depbar(auto& c) {
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (c.is_register(i, reg_file::sb)) {
      c.use(o, slot::a);
    } else if (o.kind == asm_kind::integer) {
      c.compare_integer(o);
      if (!c.has_words) c.ins.mem_offset = static_cast<std::int32_t>(o.value & 63);
    } else if (o.kind == asm_kind::special) {
      for (char ch : o.text) {
        if (ch >= '0' && ch <= '5') c.use(reg{reg_file::sb, static_cast<std::uint32_t>(ch - '0')}, slot::b);
      }
    }
  }
}

constexpr void decode_stack(auto& c) {
  decode_branch_sources(c, 1);
  if (c.row.op == opcode::longjmp) {
    c.ins.add(iflag::branch);
    c.ins.add(iflag::indirect);
  } else {
    c.ins.add(iflag::reconverge);
  }
}

}  // namespace ww::isa::detail
