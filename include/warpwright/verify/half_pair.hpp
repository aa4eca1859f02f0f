// SPDX-License-Identifier: BSL-1.0
//
// An address of one new half and one old: IADD3 R8, P0, ... / LDG [R8.64] / IADD3.X R9, ..., P0.
//
//   pair    two neighbouring registers that one operand reads; `x` reads it
//   early   the half that is new: the last one to write it stands before `x`
//   late    the other half: `y`, right behind `x`, writes it
// Both halves belong together where one addition gives them, low and high, by its carry, or where they are copies of two
// neighbours to uniform registers (R2UR UR4, R16 and R2UR UR5, R17). So `x` was to stand behind `y`. The same two copies are made
// again and again (-O0 does in front of every access), so there the old pair must have been in use before its early half went.
#pragma once

#include <cstddef>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "carry_pair.hpp"
#include "exchanged_pair.hpp"

namespace ww::verify::detail {

// The only number that the instruction gives, if it is one register; none otherwise.
[[nodiscard]] inline reg only_number(const program& p, const instruction& i) {
  reg out{};
  for (const operand& d : p.operands_of(i)) {
    if (!d.is_def() || !d.is_register() || is_predicate(d)) continue;
    if (!out.is_none() || d.width() != 1) return {};
    out = d.base();
  }
  return out;
}

// R2UR of two neighbours, the lower one by `low`.
[[nodiscard]] inline bool copies_neighbours(const program& p, const instruction& low, const instruction& high) {
  const auto source = [&p](const instruction& i) {
    for (const operand& o : p.operands_of(i)) {
      if (o.is_use() && o.is_register() && o.file() == reg_file::r) return o.base();
    }
    return reg{};
  };
  if (low.op != opcode::r2ur || high.op != opcode::r2ur) return false;
  const reg first = source(low);
  const reg second = source(high);
  return !first.is_none() && !second.is_none() && first.number() + 1 == second.number();
}

[[nodiscard]] inline bool carries(const instruction& i) {
  return i.op == opcode::iadd3 || i.op == opcode::uiadd3 || i.op == opcode::lea || i.op == opcode::ulea;
}

// The sum at `y` takes a carry of the one at `z`, and nobody between the two makes another.
[[nodiscard]] inline bool takes_carry(const program& p, const block& b, std::size_t z, std::size_t y) {
  const auto order = p.order_of(b);
  if (!carries(p[order[z]]) || !carries(p[order[y]])) return false;
  for (const operand& carry : p.operands_of(p[order[z]])) {
    if (!carry.is_def() || !carry.is_register() || !is_predicate(carry)) continue;
    for (const operand& o : p.operands_of(p[order[y]])) {
      if (!o.is_use() || !o.is_register() || o.where() != slot::psrc || o.base() != carry.base()) continue;
      std::size_t between = z + 1;
      while (between < y && !writes(p, p[order[between]], carry.base())) ++between;
      return between == y;
    }
  }
  return false;
}

// One half of a pair that `x` and `y` make between them, and of which the other half is all that is wanted: the high half of a sum,
// whose carry `x` gives (observed on sm_90: generic addresses of shared memory), or nothing under the high half that `x` makes (sm_90:
// a number of double precision, of which the sign is asked for).
[[nodiscard]] inline bool half_left_over(const program& p, const instruction& x, const instruction& y) {
  for (const operand& carry : p.operands_of(x)) {
    if (carry.is_def() && is_predicate(carry) && adds(x) && adds_carry(p, y) && reads(p, y, carry.base())) return true;
  }
  const reg high = only_number(p, x);
  const reg low = only_number(p, y);
  if (high.is_none() || low.is_none() || high.file() != low.file() || high.number() != low.number() + 1 ||
      low.number() % 2 != 0)
    return false;
  for (const operand& o : p.operands_of(y)) {
    if (o.is_use() && o.is_register() && !o.base().is_zero()) return false;
  }
  if (x.op != opcode::lop3 || !x.has(iflag::reads_immediate)) return false;
  return y.op == opcode::mov || y.op == opcode::imad || y.op == opcode::cs2r;
}

// The k-th instruction of `b` reads a pair of which one half is new, and the next one makes the other.
[[nodiscard]] inline bool half_made(const program& p, const block& b, std::size_t k) {
  const auto order = p.order_of(b);
  const instruction& y = p[order[k + 1]];
  const reg late = only_number(p, y);
  if (y.has(iflag::guarded) || late.is_none() || late.is_zero()) return false;
  reg early{};
  for (const operand& o : p.operands_of(p[order[k]])) {
    if (!o.is_use() || !o.is_register() || o.file() != late.file() || o.width() != 2) continue;
    if (o.base() == late) early = reg{late.file(), late.number() + 1};
    if (o.base().number() + 1 == late.number()) early = o.base();
  }
  if (early.is_none()) return false;
  const bool early_is_low = early.number() < late.number();
  std::size_t at = k;
  for (;; --at) {
    if (at == 0) return false;
    const instruction& z = p[order[at - 1]];
    if (writes(p, z, late) || z.has(iflag::unknown)) return false;
    if (writes(p, z, early)) break;
  }
  const instruction& z = p[order[--at]];
  if (z.has(iflag::guarded) || only_number(p, z) != early) return false;
  if (takes_carry(p, b, at, k + 1)) return true;
  if (!(early_is_low ? copies_neighbours(p, z, y) : copies_neighbours(p, y, z))) return false;
  const reg base = early_is_low ? early : late;
  while (at-- > 0) {
    for (const operand& o : p.operands_of(p[order[at]])) {
      if (o.is_use() && o.is_register() && o.base() == base && o.width() == 2) return true;
    }
    if (writes(p, p[order[at]], late)) return false;
  }
  return false;
}

}  // namespace ww::verify::detail
