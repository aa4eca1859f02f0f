// SPDX-License-Identifier: BSL-1.0
//
// From the assembly form to an instruction with operands.
//
//   instruction i = isa::decode(text, words, has_words, dialect, program.operands);
//
// appends the operands (results first, then sources, the guard among the sources) and returns the instruction with op,
// iclass, flags, memory description and operand slice set; control, address, source and target are the caller's.
// `detail::decode_operands` is the same without a vector, usable in constant expressions.
// An opcode that is not known is never guessed at: its iflags are unknown, fence and side_effect, and all registers of
// its text are listed as read and partly written.
#pragma once

#include <cstdint>

#include "../meta/vec.hpp"
#include "classify.hpp"
#include "decode_alu.hpp"
#include "decode_bulk.hpp"
#include "decode_context.hpp"
#include "decode_control.hpp"
#include "decode_memory.hpp"
#include "decode_mma.hpp"
#include "decode_texture.hpp"
#include "dialect.hpp"
#include "opcode.hpp"

namespace ww::isa {
namespace detail {

constexpr void decode_unknown(auto& c) {
  c.ins.add(iflag::unknown);
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::reg) c.push_def(operand::def(o.base, slot::none).set(operand::bit_partial));
    c.use(o, slot::none);
  }
  c.ins.space = mem_space::generic;
  c.ins.dir = mem_dir::order;
}

constexpr void apply_traits(auto& c) {
  const opcode_row& r = c.row;
  if (r.has(trait::fence)) c.ins.add(iflag::fence);
  if (r.has(trait::effect)) c.ins.add(iflag::side_effect);
  if (r.has(trait::sync)) c.ins.add(iflag::sync);
  if (r.has(trait::ends)) c.ins.add(iflag::ends_block);
  if (r.has(trait::pc)) c.ins.add(iflag::pc_relative);
  if (r.has(trait::convergence)) c.ins.add(iflag::convergence);
  if (r.op == opcode::b2r) c.ins.add(iflag::behind_barrier);
  if (r.op == opcode::ssy || r.op == opcode::sync) c.ins.region = region_kind::sync;
  if (r.op == opcode::pbk || r.op == opcode::brk) c.ins.region = region_kind::loop;
  if (r.op == opcode::pcnt || r.op == opcode::cont) c.ins.region = region_kind::next;
  if (r.op == opcode::pret) c.ins.region = region_kind::call;
}

constexpr void apply_guard(auto& c) {
  const reg g = c.text.guard;
  if (g.is_none()) return;
  operand o = operand::use(g, slot::guard);
  if (c.text.guard_negated) o.set(operand::bit_not);
  c.push_use(o);
  c.ins.guard_negated = c.text.guard_negated ? 1 : 0;
  if (!g.is_zero()) {
    c.ins.add(iflag::guarded);
    c.keep_old_values();
  } else if (c.text.guard_negated) {
    c.ins.add(iflag::never);
    c.ins.add(iflag::fence);
    c.ins.add(iflag::side_effect);
    c.keep_old_values();
  }
}

// Uniform registers that are short are put aside in vector registers (observed: sm_100, sm_103).
constexpr void apply_spill(auto& c) {
  if (c.has(modifier::spill) || c.has(modifier::fill)) c.ins.add(iflag::spill);
}

// Reads of clocks keep their place; the carry flag of sm_50..62 is read by the extended forms.
constexpr void apply_state(auto& c) {
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::special && is_special_name(o.text) && o.text != "gsb0" && is_time_varying(o.text)) {
      c.ins.add(iflag::reads_clock);
      c.ins.add(iflag::fence);
      c.ins.add(iflag::side_effect);
    }
  }
  if (c.machine.word64 && (c.has(modifier::x) || c.has(modifier::ex))) c.use(reg{reg_file::cc, 0}, slot::implicit);
}

constexpr void apply_reuse(auto& c) {
  if (!c.row.has(trait::reuse)) return;
  for (std::size_t i = 0; i < c.use_count; ++i) {
    if (c.uses[i].file() == reg_file::r && ((c.uses[i].high >> 22) & 3u) != 0) {
      c.ins.add(iflag::reuse_legal);
      return;
    }
  }
}

// BAR.SYNC without .DEFER_BLOCKING. Older disassemblers print every BAR.SYNC so: where the words are known, bits 77, 78 and 80
// tell.
constexpr bool blocks_at_once(const auto& c) {
  constexpr std::uint64_t other_forms = 0x16000;
  return c.has(modifier::sync) && !c.has(modifier::defer_blocking) && (!c.has_words || (c.word[1] & other_forms) == 0);
}

constexpr void decode_form(auto& c) {
  switch (c.row.shape) {
    case form::alu:
      return decode_alu(c);
    case form::setp:
      return decode_setp(c);
    case form::plop:
      return decode_plop(c);
    case form::vote:
      return decode_vote(c);
    case form::elect:
      return decode_elect(c);
    case form::p2r:
      return decode_p2r(c);
    case form::r2p:
      return decode_r2p(c);
    case form::src:
      return decode_source_list(c);
    case form::mma:
      return decode_mma(c);
    case form::hgmma:
      return decode_hgmma(c);
    case form::umma:
      return decode_umma(c);
    case form::load:
      return decode_load(c);
    case form::store:
      return decode_store(c);
    case form::atomic:
      return decode_atomic(c, true);
    case form::red:
      return decode_atomic(c, false);
    case form::ldgsts:
      return decode_ldgsts(c);
    case form::tex:
      return decode_texture(c);
    case form::texq:
      return decode_texture_query(c);
    case form::suld:
      return decode_surface(c, mem_dir::load);
    case form::sust:
      return decode_surface(c, mem_dir::store);
    case form::suatom:
      return decode_surface(c, mem_dir::atomic);
    case form::qspc:
      return decode_qspc(c);
    case form::order:
      return decode_order(c);
    case form::tma:
      return decode_tma(c);
    case form::syncs:
      return decode_syncs(c);
    case form::depbar:
      return decode_depbar(c);
    case form::ctl:
      if (c.row.op == opcode::nop) c.ins.add(iflag::nop);
      if (c.row.op == opcode::bar && c.has(modifier::arv)) c.ins.add(iflag::arrives);
      if (c.row.op == opcode::bar && blocks_at_once(c)) c.ins.add(iflag::blocks);
      return decode_source_list(c);
    case form::setmax:
      return decode_setmax(c);
    case form::bmov:
      return decode_bmov(c);
    case form::bssy:
      return decode_barrier_register(c, true, false);
    case form::bsync:
      c.ins.add(iflag::reconverge);
      return decode_barrier_register(c, false, true);
    case form::brk:
      return decode_barrier_register(c, true, true);
    case form::bclear:
      return decode_barrier_register(c, true, false);
    case form::warpsync:
      return decode_warpsync(c);
    case form::branch:
      return decode_branch(c);
    case form::branchi:
      return decode_indirect_branch(c);
    case form::call:
      return decode_call(c);
    case form::ret:
      return decode_ret(c);
    case form::exit_:
      return decode_exit(c);
    case form::ssy:
      return decode_source_list(c);
    case form::stack:
      return decode_stack(c);
  }
}

constexpr void decode_operands(auto& c) {
  c.ins.op = c.row.op;
  c.ins.iclass = classify(c.row, c.text, c.machine.word64);
  apply_traits(c);
  if (c.row.op == opcode::unknown) {
    decode_unknown(c);
  } else {
    decode_form(c);
  }
  apply_state(c);
  apply_spill(c);
  apply_reuse(c);
  apply_guard(c);
}

}  // namespace detail

inline instruction decode(const asm_instruction& text, const std::uint64_t word[2], bool has_words, dialect d,
                          auto& operands) {
  detail::decode_context c(text, row_of(find_opcode(text.mnemonic)), d);
  c.has_words = has_words;
  if (has_words) {
    c.word[0] = word[0];
    c.word[1] = word[1];
  }
  detail::decode_operands(c);
  c.ins.word[0] = c.word[0];
  c.ins.word[1] = c.word[1];
  c.ins.short_word = has_words && d.word64 ? 1 : 0;
  c.ins.first_operand = static_cast<std::uint32_t>(operands.size());
  c.ins.operand_count = static_cast<std::uint8_t>(c.def_count + c.use_count);
  operands.insert(operands.end(), c.defs.begin(), c.defs.begin() + static_cast<std::ptrdiff_t>(c.def_count));
  operands.insert(operands.end(), c.uses.begin(), c.uses.begin() + static_cast<std::ptrdiff_t>(c.use_count));
  return c.ins;
}

}  // namespace ww::isa
