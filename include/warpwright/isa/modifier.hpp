// SPDX-License-Identifier: BSL-1.0
//
// Opcode modifiers that decide widths, classes, spaces or carries, as a 64-bit set.
//
// A listing writes modifiers after the mnemonic: IMAD.WIDE.U32, LDG.E.128.CONSTANT. Named here are those that some header asks
// for: they change what an instruction reads, writes, occupies or orders. Types, sizes and shapes are read from the text, where
// their order counts (element_type.hpp, mma_shape.hpp); the others (rounding, comparison, cache hints) are accepted and ignored
// by meaning, never by spelling: the text keeps them all.
#pragma once

#include <cstdint>

namespace ww::isa {

enum class modifier : std::uint8_t {
  // widths
  w32,
  w64,
  wide,
  hi,
  x,
  ex,
  f32,
  f64,
  s64,
  u64,
  num2,
  num4,
  trans64,
  // memory
  e,
  constant,
  strong,
  cta,
  vol,
  mmio,
  ci,
  cas,
  exch,
  pf1,
  pf2,
  scr,
  p,
  // special forms
  mma,
  div,
  cond,
  arv,
  sync,
  defer_blocking,
  collective,
  abs_,
  spill,
  fill,
  count
};

struct modifier_set {
  std::uint64_t bits = 0;

  constexpr void add(modifier m) { bits |= 1ull << static_cast<unsigned>(m); }
  [[nodiscard]] constexpr bool has(modifier m) const { return (bits >> static_cast<unsigned>(m) & 1u) != 0; }
  friend constexpr bool operator==(const modifier_set&, const modifier_set&) = default;
};
static_assert(static_cast<unsigned>(modifier::count) <= 64);

}  // namespace ww::isa
