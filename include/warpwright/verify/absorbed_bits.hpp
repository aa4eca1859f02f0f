// SPDX-License-Identifier: BSL-1.0
//
// Logic with constants of which nothing is left: R4 | 0x7f800000 right before R4 & 0x80000000.
//
//   taken     the bits of a source that the result depends on
//   passed    the bits of a source that come out as they went in
// Where the second takes no bit that the first has not passed, the first does nothing. Compilers fold such pairs (observed: none
// in 13 million instructions of public libraries), so it stands there the wrong way round.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"

namespace ww::verify::detail {

// LOP3.LUT Rd, Ra, constant, Rc: what becomes of the bits of Ra.
struct constant_logic {
  reg source{};  // none if the instruction is something else
  reg result{};
  std::uint32_t taken = 0;
  std::uint32_t passed = 0;
};

[[nodiscard]] inline constant_logic constant_logic_of(const program& p, const instruction& i) {
  constant_logic out;
  if (i.op != opcode::lop3 || !i.has(iflag::reads_immediate) || i.has(iflag::reads_constant)) return out;
  reg a, c, d;
  for (const operand& o : p.operands_of(i)) {
    if (!o.is_register() || o.where() == slot::guard) continue;
    if (o.where() == slot::dst) {
      d = o.base();
    } else if (o.where() == slot::a) {
      a = o.base();
    } else if (o.where() == slot::c) {
      c = o.base();
    } else {
      return out;  // predicates
    }
  }
  if (a.is_none() || d.is_none() || a.is_zero() || a == c) return out;
  const auto constant = static_cast<std::uint32_t>(i.word[0] >> 32);
  const auto table = static_cast<unsigned>(i.word[1] >> 8) & 0xffu;  // bit 4a + 2b + c: the result
  const unsigned most_c = c.is_none() || c.is_zero() ? 0 : 1;
  for (unsigned b = 0; b < 2; ++b) {
    const std::uint32_t bits = b == 0 ? ~constant : constant;
    bool takes = false;
    bool passes = true;
    for (unsigned third = 0; third <= most_c; ++third) {
      const bool of_zero = (table >> (2 * b + third) & 1u) != 0;
      const bool of_one = (table >> (4 + 2 * b + third) & 1u) != 0;
      takes = takes || of_zero != of_one;
      passes = passes && !of_zero && of_one;
    }
    out.taken |= takes ? bits : 0u;
    out.passed |= passes ? bits : 0u;
  }
  out.source = a;
  out.result = d;
  return out;
}

// `y` right behind `x` changes the same register, and takes nothing of what `x` did to it.
[[nodiscard]] inline bool absorbed(const program& p, const instruction& x, const instruction& y) {
  if (y.has(iflag::guarded)) return false;
  const constant_logic first = constant_logic_of(p, x);
  if (first.source.is_none() || first.source != first.result) return false;
  const constant_logic second = constant_logic_of(p, y);
  return second.source == first.result && second.result == first.result && (second.taken & ~first.passed) == 0;
}

}  // namespace ww::verify::detail
