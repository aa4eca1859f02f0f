// SPDX-License-Identifier: BSL-1.0
//
// Logic with constants of which nothing is left: R4 | 0x7f800000 right before R4 & 0x80000000.
//
//   taken     the bits of a source that the result depends on
//   passed    the bits of a source that come out as they went in
// Where the second takes no bit that the first has not passed, the first does nothing. Compilers fold such pairs (observed: none
// in 13 million instructions of public libraries). That it stands there the wrong way round is only said where the other order
// is another function: two masks, two settings or two flips of one register come to the same.
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
  std::uint32_t of_zero = 0;  // what comes out for a source of zeros, and for one of ones, where Rc is zero
  std::uint32_t of_one = 0;
  bool third = false;  // Rc is a register
};

[[nodiscard]] inline constant_logic constant_logic_of(const program& p, const instruction& i) {
  constant_logic out;
  if (i.op != opcode::lop3 || !i.has(iflag::reads_immediate) || i.has(iflag::reads_constant)) return out;
  if (has_short_word(i)) return out;  // constant and table stand elsewhere there
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
  out.third = !c.is_none() && !c.is_zero();
  for (unsigned b = 0; b < 2; ++b) {
    const std::uint32_t bits = b == 0 ? ~constant : constant;
    bool takes = false;
    bool passes = true;
    for (unsigned third = 0; third <= (out.third ? 1u : 0u); ++third) {
      const bool of_zero = (table >> (2 * b + third) & 1u) != 0;
      const bool of_one = (table >> (4 + 2 * b + third) & 1u) != 0;
      takes = takes || of_zero != of_one;
      passes = passes && !of_zero && of_one;
    }
    out.of_zero |= (table >> (2 * b) & 1u) != 0 ? bits : 0u;
    out.of_one |= (table >> (4 + 2 * b) & 1u) != 0 ? bits : 0u;
    out.taken |= takes ? bits : 0u;
    out.passed |= passes ? bits : 0u;
  }
  out.source = a;
  out.result = d;
  return out;
}

// Whether both orders of the two come to the same.
[[nodiscard]] inline bool commute(const constant_logic& f, const constant_logic& g) {
  const auto apply = [](const constant_logic& h, std::uint32_t v) { return (v & h.of_one) | (~v & h.of_zero); };
  return !f.third && !g.third && apply(g, f.of_zero) == apply(f, g.of_zero) && apply(g, f.of_one) == apply(f, g.of_one);
}

// `y` right behind `x` changes the same register, and takes nothing of what `x` did to it.
[[nodiscard]] inline bool absorbed(const program& p, const instruction& x, const instruction& y) {
  // Predicates are put aside twice sometimes (observed on sm_103: a bit cleared, set under a guard, cleared again).
  if (y.has(iflag::guarded) || x.has(iflag::guarded)) return false;
  const constant_logic first = constant_logic_of(p, x);
  if (first.source.is_none() || first.source != first.result) return false;
  const constant_logic second = constant_logic_of(p, y);
  return second.source == first.result && second.result == first.result && (second.taken & ~first.passed) == 0 &&
         !commute(first, second);
}

}  // namespace ww::verify::detail
