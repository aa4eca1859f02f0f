// SPDX-License-Identifier: BSL-1.0
//
// The packed 64-bit operand descriptor (FPA-3), and the roles an operand can play.
//
// Low word:  31 sign (negated) | 28..30 type | 24..27 modifier (bit 24: upper half of a pair) | 0..23 reg_id
// High word: 29 NOT | 26 high half | 25 low half | 22..24 shift or subfield | 0..21 constraint flags
// The reg_id is reg::packed. Of the 22 constraint flags, which the text does not take apart, this kit spends 19:
//   0..7   width: number of consecutive 32-bit registers (or predicates) named, 0 for non-registers
//   8..12  slot: which port of the instruction the operand stands in (see `slot`)
//   13     written by the instruction        14  read by the instruction
//   15     .reuse flag on this source        16  hidden: in the encoding, not in the text
//   17     partial: the write may leave the old value (guarded, or a half-register write)
//   19     assumed: registers one of which may be read; the text does not tell, and words are not known (isa/assumed_descriptor.hpp)
// Bits 22..24 (subfield) hold the port, 1 = a, 2 = b, 3 = c, 0 = none: which reuse flag (control::reuse bit port - 1) is
// this source's. It differs from the slot for the second source of FADD, DADD and HADD2, which uses port c.
// A register that is both read and written is two operands, one def and one use. Defs stand before uses.
#pragma once

#include <cstdint>

#include "reg.hpp"

namespace ww {

// The operand types of FPA-3.
enum class operand_type : std::uint8_t {
  unused = 0,
  physical = 1,
  virtual_def = 2,
  virtual_use = 3,
  immediate = 4,
  fixed = 5,     // special register, convergence register, program counter
  constant = 6,  // constant bank
  sentinel = 7,
};

// Where in the instruction an operand stands. Latency rules are keyed on it: a predicate read as a guard
// is needed 8 or 9 cycles earlier than one read as an operand, the addend of IMAD.WIDE later than its factors.
enum class slot : std::uint8_t {
  none,
  guard,     // @P0, @UP0: decides whether the instruction acts
  dst,       // first result
  dst1,      // second general result (texture second half), or the high result
  pdst,      // first predicate result
  pdst1,     // second predicate result
  a,         // source a (bits 24..31 of the encoding on sm_70+)
  b,         // source b (bits 32..39)
  c,         // source c (bits 64..71)
  psrc,      // predicate as data (select, carry, accumulate)
  psrc1,     // second predicate as data
  psrc2,     // third predicate as data
  address,   // vector address
  uaddress,  // uniform address or uniform base
  data,      // stored value, atomic operand
  data1,     // second stored value (compare-and-swap)
  desc,      // uniform memory, texture or matrix descriptor
  branch,    // a register or predicate that a branch decides or jumps on
  implicit,  // neither in the text nor in a register field (program counter, call convention)
};

struct operand {
  std::uint32_t low = static_cast<std::uint32_t>(operand_type::unused) << 28;
  std::uint32_t high = 0;

  static constexpr std::uint32_t bit_def = 1u << 13;
  static constexpr std::uint32_t bit_use = 1u << 14;
  static constexpr std::uint32_t bit_reuse = 1u << 15;
  static constexpr std::uint32_t bit_hidden = 1u << 16;
  static constexpr std::uint32_t bit_partial = 1u << 17;
  static constexpr std::uint32_t bit_assumed = 1u << 19;
  static constexpr std::uint32_t bit_low_half = 1u << 25;   // .H0_H0
  static constexpr std::uint32_t bit_high_half = 1u << 26;  // .H1_H1
  static constexpr std::uint32_t bit_not = 1u << 29;
  static constexpr std::uint32_t bit_negate = 1u << 31;  // of the low word

  static constexpr operand def(reg r, slot s, unsigned width = 1) { return make(r, s, width, true); }
  static constexpr operand use(reg r, slot s, unsigned width = 1) { return make(r, s, width, false); }
  static constexpr operand make(reg r, slot s, unsigned width, bool is_def) {
    operand_type t = operand_type::physical;
    if (r.file() == reg_file::special || r.file() == reg_file::b || r.file() == reg_file::sb) {
      t = operand_type::fixed;
    } else if (r.is_virtual()) {
      t = is_def ? operand_type::virtual_def : operand_type::virtual_use;
    }
    operand o;
    o.low = (static_cast<std::uint32_t>(t) << 28) | r.packed;
    o.high = (width & 0xffu) | (static_cast<std::uint32_t>(s) << 8) | (is_def ? bit_def : bit_use);
    return o;
  }
  static constexpr operand non_register(operand_type t, slot s) {
    operand o;
    o.low = static_cast<std::uint32_t>(t) << 28;
    o.high = (static_cast<std::uint32_t>(s) << 8) | bit_use;
    return o;
  }

  [[nodiscard]] constexpr operand_type type() const { return static_cast<operand_type>((low >> 28) & 7u); }
  [[nodiscard]] constexpr reg base() const { return reg::from_packed(low & 0xffffffu); }
  [[nodiscard]] constexpr reg_file file() const { return base().file(); }
  [[nodiscard]] constexpr unsigned width() const { return high & 0xffu; }
  [[nodiscard]] constexpr slot where() const { return static_cast<slot>((high >> 8) & 0x1fu); }
  [[nodiscard]] constexpr unsigned port() const { return (high >> 22) & 7u; }
  // The port through which a source is read: 1 = a, 2 = b, 3 = c, 0 = none of them. That of its slot where it was made without one.
  [[nodiscard]] constexpr unsigned read_port() const {
    const unsigned from_a = static_cast<unsigned>(where()) - static_cast<unsigned>(slot::a);
    const unsigned p = port() != 0 ? port() : from_a + 1u;
    return p <= 3 ? p : 0u;
  }
  [[nodiscard]] constexpr bool is_def() const { return (high & bit_def) != 0; }
  [[nodiscard]] constexpr bool is_use() const { return (high & bit_use) != 0; }
  [[nodiscard]] constexpr bool is_reuse() const { return (high & bit_reuse) != 0; }
  [[nodiscard]] constexpr bool is_hidden() const { return (high & bit_hidden) != 0; }
  [[nodiscard]] constexpr bool is_partial() const { return (high & bit_partial) != 0; }
  [[nodiscard]] constexpr bool is_assumed() const { return (high & bit_assumed) != 0; }
  // 16 of a register's 32 bits are named.
  [[nodiscard]] constexpr bool is_half() const { return (high & (bit_low_half | bit_high_half)) != 0; }
  [[nodiscard]] constexpr bool is_not() const { return (high & bit_not) != 0; }
  [[nodiscard]] constexpr bool is_negated() const { return (low & bit_negate) != 0; }
  // True where the operand names real registers, i.e. can carry a dependence.
  [[nodiscard]] constexpr bool is_register() const {
    constexpr auto bit = [](operand_type t) { return 1u << static_cast<unsigned>(t); };
    constexpr unsigned registers = bit(operand_type::physical) | bit(operand_type::virtual_def) |
                                   bit(operand_type::virtual_use) | bit(operand_type::fixed);
    return (registers >> static_cast<unsigned>(type()) & 1u) != 0 && !base().is_zero() && !base().is_none();
  }
  constexpr operand& set(std::uint32_t high_bits) {
    high |= high_bits;
    return *this;
  }
  friend constexpr bool operator==(operand, operand) = default;
};
static_assert(sizeof(operand) == 8);

}  // namespace ww
