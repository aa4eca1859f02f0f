// SPDX-License-Identifier: BSL-1.0
//
// Opcode modifiers that decide widths, classes, spaces or carries, as a 128-bit set.
//
// A listing writes modifiers after the mnemonic: IMAD.WIDE.U32, LDG.E.128.CONSTANT. Only those that change what an
// instruction reads, writes, occupies or orders are named here; the others (rounding, comparison, cache hints) are
// accepted and ignored by meaning, never by spelling: the text keeps them.
#pragma once

#include <cstdint>

namespace ww::isa {

enum class modifier : std::uint8_t {
  // widths
  w8,
  w16,
  w32,
  w64,
  w96,
  w128,
  wide,
  hi,
  x,
  ex,
  f16,
  bf16,
  f32,
  f64,
  tf32,
  s8,
  u8,
  s16,
  u16,
  s32,
  u32,
  s64,
  u64,
  s4,
  u4,
  e4m3,
  e5m2,
  // memory
  e,
  constant,
  strong,
  sys,
  gpu,
  sm,
  cta,
  vol,
  cas,
  popc,
  inc,
  ballot,
  // matrix shapes
  m1684,
  m1688,
  m16816,
  m16832,
  m16864,
  m168128,
  m168256,
  m8816,
  m8832,
  m88128,
  m884,
  sp,
  mma,
  m64,
  // special forms
  mov,
  shl,
  iadd,
  rcp64h,
  rsq64h,
  bop,
  pand,
  any,
  all,
  eq,
  u,
  div,
  reg,
  arv,
  defer_blocking,
  sync,
  red,
  collective,
  abs_,
  rel,
  noinc,
  nodec,
  le,
  lut,
  h0_h0,
  h1_h1,
  f32x2,
  transpose,
  num1,
  num2,
  num4,
  ar,
  exch,
  arrive,
  trywait,
  // later additions
  w256,
  im2col,
  multicast,
  ci,
  scr,
  p,
  popc_inc,
  mmio,
  ivall,
  f64x2,
  cond,
  trans64,
  unpack_b,
  pf1,
  pf2,
  spill,
  fill,
  count
};

struct modifier_set {
  std::uint64_t bits[2] = {0, 0};

  constexpr void add(modifier m) { bits[static_cast<unsigned>(m) >> 6] |= 1ull << (static_cast<unsigned>(m) & 63u); }
  [[nodiscard]] constexpr bool has(modifier m) const {
    return ((bits[static_cast<unsigned>(m) >> 6] >> (static_cast<unsigned>(m) & 63u)) & 1u) != 0;
  }
  friend constexpr bool operator==(const modifier_set&, const modifier_set&) = default;
};
static_assert(static_cast<unsigned>(modifier::count) <= 128);

}  // namespace ww::isa
