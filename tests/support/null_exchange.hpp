// SPDX-License-Identifier: BSL-1.0
//
// Dependent neighbours that may be exchanged without changing what anybody reads, so that exchanging them plants no bug:
//
//   the same       both do the same (all bits but the control field)
//   self copy      one of the two is MOV Rx, Rx (code that nobody has optimised is full of them)
//   commuting      both add to the same register, or mask, set or flip bits of it, or take the least or the greatest of it and
//                  something else, under whatever guards: r + a + b = r + b + a, exactly, for integers; so with a least or
//                  greatest of any kind
//   apart          one acts where a predicate is true, the other one where it is false
//   same product   both multiply the same register by the same other one, whichever comes first: r = r * a and r = a * r
// Sums of floating-point numbers, and products with different others, are not among these: they round.
#pragma once

#include <cstdint>

#include "warpwright/ir/program.hpp"
#include "warpwright/isa/opcode_id.hpp"

namespace ww_test {

namespace detail {

inline bool same_bits(const ww::instruction& a, const ww::instruction& b) {
  constexpr std::uint64_t control_field = ((std::uint64_t{1} << 21) - 1) << 41;  // bits 105..125
  return a.op == b.op && a.target == b.target && a.word[0] == b.word[0] &&
         (a.word[1] & ~control_field) == (b.word[1] & ~control_field) && (a.word[0] | a.word[1]) != 0;
}

// The only register that `i` reads is the only one that it writes.
inline bool self_copy(const ww::program& p, ww::instr_id id) {
  if (p[id].op != ww::opcode::mov && p[id].op != ww::opcode::umov) return false;
  ww::reg written;
  for (const ww::operand& o : p.operands_of(id)) {
    if (!o.is_register()) continue;
    if (o.is_def()) written = o.base();
    if (o.is_use() && o.where() != ww::slot::guard) return o.base() == written && o.width() == 1;
  }
  return false;
}

// The register that `i` adds something to, or takes the least or greatest with; no register if it does neither.
inline ww::reg accumulated(const ww::program& p, ww::instr_id id) {
  const ww::instruction& i = p[id];
  const bool sum = i.op == ww::opcode::iadd3;
  const bool extreme = i.op == ww::opcode::fmnmx || i.op == ww::opcode::imnmx || i.op == ww::opcode::vimnmx;
  if (!sum && !extreme) return {};
  ww::reg written;
  unsigned as_source = 0;
  for (const ww::operand& o : p.operands_of(id)) {
    if (!o.is_register() || o.where() == ww::slot::guard) continue;
    if (o.file() != ww::reg_file::r || o.width() != 1) return {};  // carries; unpaired registers only
    if (o.is_def()) {
      written = o.base();
      continue;
    }
    if (o.base() != written) continue;
    ++as_source;
    if (o.is_negated() || (i.op == ww::opcode::fmnmx && o.where() != ww::slot::a)) return {};
  }
  constexpr std::uint64_t sign_and_magnitude_of_a = 3u << 8;  // bits 72, 73
  if (as_source != 1 || (extreme && (i.word[1] & sign_and_magnitude_of_a) != 0)) return {};
  return written;
}

// The register that LOP3 without predicates and without a third source masks, sets or flips bits of.
inline ww::reg bits_changed(const ww::program& p, ww::instr_id id) {
  const std::uint64_t table = p[id].word[1] >> 8 & 0xffu;
  if (p[id].op != ww::opcode::lop3 || (table != 0xc0 && table != 0xfc && table != 0x3c)) return {};
  ww::reg written;
  unsigned as_source = 0;
  for (const ww::operand& o : p.operands_of(id)) {
    if (!o.is_register() || o.where() == ww::slot::guard) continue;
    if (o.file() == ww::reg_file::p || o.where() == ww::slot::c) return {};
    if (o.is_def()) {
      written = o.base();
    } else {
      as_source += o.base() == written ? 1u : 0u;
    }
  }
  return as_source == 1 ? written : ww::reg{};
}

inline bool commute(const ww::program& p, ww::instr_id x, ww::instr_id y) {
  constexpr std::uint64_t modifiers = (std::uint64_t{1} << 41) - 1;  // bits 64..104
  if (p[x].op != p[y].op) return false;
  if (const ww::reg bits = bits_changed(p, x); !bits.is_none() && bits == bits_changed(p, y)) {
    return (p[x].word[1] >> 8 & 0xffu) == (p[y].word[1] >> 8 & 0xffu);
  }
  const ww::reg r = accumulated(p, x);
  if (r.is_none() || r.is_zero() || r != accumulated(p, y)) return false;
  return p[x].op == ww::opcode::iadd3 || (p[x].word[1] & modifiers) == (p[y].word[1] & modifiers);
}

// The guards of the two are opposite, and neither writes the predicate.
inline bool apart(const ww::program& p, ww::instr_id x, ww::instr_id y) {
  const auto guard = [&p](ww::instr_id id) {
    for (const ww::operand& o : p.operands_of(id)) {
      if (o.is_use() && o.where() == ww::slot::guard) return o;
    }
    return ww::operand{};
  };
  const ww::operand a = guard(x), b = guard(y);
  if (a.base().is_none() || a.base() != b.base() || a.is_not() == b.is_not()) return false;
  for (const ww::instr_id id : {x, y}) {
    for (const ww::operand& o : p.operands_of(id)) {
      if (o.is_def() && o.base() == a.base()) return false;
    }
  }
  return true;
}

// Both multiply the same register by the same other one, with neither signs nor magnitudes taken, under the same guard.
inline bool same_product(const ww::program& p, ww::instr_id x, ww::instr_id y) {
  constexpr std::uint64_t modifiers = (std::uint64_t{1} << 41) - 1;                               // bits 64..104
  constexpr std::uint64_t registers = (std::uint64_t{0xff} << 24) | (std::uint64_t{0xff} << 32);  // sources a and b
  constexpr std::uint64_t signs_of_b = std::uint64_t{3} << 62;
  constexpr std::uint64_t signs_of_a = 3u << 8;  // bits 72, 73
  const ww::instruction& i = p[x];
  if (i.op != ww::opcode::fmul || p[y].op != i.op || ((i.word[0] ^ p[y].word[0]) & ~registers) != 0 ||
      ((i.word[1] ^ p[y].word[1]) & modifiers) != 0 || (i.word[0] & signs_of_b) != 0 || (i.word[1] & signs_of_a) != 0) {
    return false;
  }
  const auto sources = [&p](ww::instr_id id, ww::reg& r, ww::reg& other) {
    for (const ww::operand& o : p.operands_of(id)) {
      if (o.is_register() && o.is_def()) r = o.base();
    }
    bool accumulates = false;
    for (const ww::operand& o : p.operands_of(id)) {
      if (!o.is_register() || !o.is_use() || o.where() == ww::slot::guard) continue;
      if (o.base() == r)
        accumulates = true;
      else
        other = o.base();
    }
    return accumulates && !other.is_none();
  };
  ww::reg rx, ry, ox, oy;
  return sources(x, rx, ox) && sources(y, ry, oy) && rx == ry && ox == oy;
}

}  // namespace detail

inline bool null_exchange(const ww::program& p, ww::instr_id x, ww::instr_id y) {
  return detail::same_bits(p[x], p[y]) || detail::self_copy(p, x) || detail::self_copy(p, y) || detail::commute(p, x, y) ||
         detail::same_product(p, x, y) || detail::apart(p, x, y);
}

}  // namespace ww_test
