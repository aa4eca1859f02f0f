// SPDX-License-Identifier: BSL-1.0
//
// Is an instruction of an allocated program the same as one of the program before, but for its registers?
//
//   the same     opcode, class, flags, memory facts, and operands with their roles, widths and modifiers. Zero registers,
//                special registers, convergence registers and counters are no matter of allocation and must be equal; so are
//                predicates that an instruction names by their place in a mask (P2R and its like)
//   words        encodings are compared where both programs have them, without the control bits and the fields of registers
//                (word_fields.hpp). Immediates and constants stand nowhere else: without words they cannot be compared
// Words of one instruction only are a difference. Encodings of one word (sm_50 to sm_62) must be the same where the
// registers are, and are not looked at otherwise. Distances of branches are the layout's matter and are not compared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "equal_instruction.hpp"
#include "word_fields.hpp"

namespace ww::verify::detail {

[[nodiscard]] constexpr bool is_allocated_file(reg_file f) {
  return f == reg_file::r || f == reg_file::p || f == reg_file::ur || f == reg_file::up;
}

[[nodiscard]] constexpr bool names_predicates_by_mask(opcode op) {
  return op == opcode::p2r || op == opcode::r2p || op == opcode::up2ur || op == opcode::ur2up || op == opcode::r2up;
}

[[nodiscard]] constexpr bool has_words(const instruction& i) { return (i.word[0] | i.word[1]) != 0; }

// Operands of the same role, but for the register.
[[nodiscard]] constexpr bool same_role(operand u, operand v, bool by_mask) {
  constexpr std::uint32_t type_and_register = (7u << 28) | 0xffffffu;
  if (((u.high ^ v.high) & ~operand::bit_reuse) != 0 || ((u.low ^ v.low) & ~type_and_register) != 0) return false;
  if (u.is_register() != v.is_register()) return false;
  if (!u.is_register()) return u.type() == v.type() && u.base() == v.base();
  if (u.file() != v.file()) return false;
  if (!is_allocated_file(u.file())) return u.base() == v.base();
  const bool mask = by_mask && (u.file() == reg_file::p || u.file() == reg_file::up) && u.where() != slot::guard;
  return !mask || u.base() == v.base();
}

// Encodings, without what names registers; false if the form does not tell where those stand.
[[nodiscard]] constexpr bool same_words_but_registers(const program& p, const instruction& x, const program& q,
                                                      const instruction& y) {
  if (equal_words(x, y)) return true;
  if (has_short_word(x) != has_short_word(y)) return false;
  const span<const operand> u = p.operands_of(x);
  const span<const operand> v = q.operands_of(y);
  bool moved = false;
  for (std::size_t k = 0; k < u.size(); ++k) moved = moved || u[k].base() != v[k].base();
  if (has_short_word(x)) return moved;
  std::uint64_t differ[2] = {x.word[0] ^ y.word[0], (x.word[1] ^ y.word[1]) & ~(((1ull << 21) - 1) << 41)};
  const auto forget = [&differ](unsigned at, unsigned width) {
    for (unsigned bit = at; bit < at + width; ++bit) differ[bit >> 6] &= ~(1ull << (bit & 63u));
  };
  const auto form = static_cast<unsigned>(x.word[0] >> 9) & 7u;
  const auto code = static_cast<unsigned>(x.word[0]) & 0x1ffu;
  const bool other_place = (other_places[code >> 6] >> (code & 63u) & 1u) != 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const reg_file f = u[k].file();
    if (!u[k].is_register() || !is_allocated_file(f)) continue;
    unsigned at = usual_places[static_cast<unsigned>(u[k].where()) * places_of_slot + form * 8 + static_cast<unsigned>(f)];
    if (at == by_opcode || (other_place && at != no_place)) {
      unsigned nth = 0;
      for (std::size_t b = 0; b < k; ++b) nth += u[b].where() == u[k].where() && u[b].file() != reg_file::none ? 1u : 0u;
      const bool newer = !x.has(iflag::reads_constant);  // where since sm_100 two registers stand, a constant stood before
      at = place_of_opcode(x, u[k], nth, static_cast<std::uint8_t>(at), true, newer);
    }
    if (at == no_place || at == by_opcode) continue;
    forget(at, f == reg_file::r || f == reg_file::ur ? 8 : 3);
  }
  return (differ[0] | differ[1]) == 0;
}

// x of the program before, y of the one after.
[[nodiscard]] constexpr bool same_but_registers(const program& p, const instruction& x, const program& q,
                                                const instruction& y) {
  if (x.op != y.op || x.iclass != y.iclass || lasting_flags(x) != lasting_flags(y) || x.space != y.space || x.dir != y.dir ||
      x.mem_bytes != y.mem_bytes || x.mem_offset != y.mem_offset || x.region != y.region || x.other_value != y.other_value ||
      x.guard_negated != y.guard_negated || x.operand_count != y.operand_count || x.target.valid() != y.target.valid()) {
    return false;
  }
  const bool by_mask = names_predicates_by_mask(x.op);
  for (std::size_t k = 0; k < x.operand_count; ++k) {
    if (!same_role(p.operands_of(x)[k], q.operands_of(y)[k], by_mask)) return false;
  }
  if (holds_distance(x)) return true;
  if (has_words(x) != has_words(y)) return false;
  return !has_words(x) || same_words_but_registers(p, x, q, y);
}

}  // namespace ww::verify::detail
