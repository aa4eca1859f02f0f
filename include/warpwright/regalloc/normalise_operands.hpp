// SPDX-License-Identifier: BSL-1.0
//
// The normalisation of operands in front of the constraint builder, on single descriptors and values (FPA-3, phases 0 to 3).
//
//   fold_address_pair   an address (type 5) before a physical register (type 1) becomes one physical operand with the pair bit; the
//                       consumed slot becomes the sentinel. NOT, shift and half bits of the register go over to it
//   merge_last          the last operand of an instruction with merged pairs: the flag (the NOT bit) goes, and the operand
//                       names a constant that the caller resolves
//   constant_of         value of a constant operand with its modifiers: shift to the named half, cut to its width, then NOT, ABS, NEG,
//                       in this order; a predicate becomes 0 or all ones
// They are for a caller that has such operands: programs of machine code have none left, because the assembler has already put
// addresses, pairs and constants into the forms that the words can hold (docs/deviations.md). constant_folding.hpp has the
// expressions. Bit numbers are those of ir/operand.hpp; 30 and 31 of the high word are ABS and NEG of a constant.
#pragma once

#include <cstdint>

#include "../ir/operand.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t pair_bit = 1u << 24;  // of the low word: the upper half, and "merged" in the high word
inline constexpr std::uint32_t constant_absolute = 1u << 30;
inline constexpr std::uint32_t constant_negative = 1u << 31;
inline constexpr std::uint32_t descriptor_register = 0xffffffu;

[[nodiscard]] constexpr operand sentinel_operand() {
  operand o;
  o.low = static_cast<std::uint32_t>(operand_type::sentinel) << 28;
  o.high = 0;
  return o;
}

// False, and nothing changes, where the two are not an address and a single physical register.
constexpr bool fold_address_pair(operand& address, operand& next) {
  constexpr std::uint32_t kept = 0x8F000000u;       // sign and modifier of the address
  constexpr std::uint32_t handed_on = 0xFEC00000u;  // NOT, ABS, NEG, halves and shift of the register
  if (address.type() != operand_type::fixed || next.type() != operand_type::physical || (next.high & pair_bit) != 0)
    return false;
  address.low =
      (address.low & kept) | static_cast<std::uint32_t>(operand_type::physical) << 28 | (next.low & descriptor_register);
  address.high = (address.high & ~handed_on) | (next.high & handed_on) | pair_bit;
  next = sentinel_operand();
  return true;
}

// `resolve(register id)` gives the constant's number.
template <class Resolve>
constexpr bool merge_last(operand& last, Resolve&& resolve) {
  if ((last.high & operand::bit_not) == 0) return false;
  const std::uint32_t resolved = resolve(last.low & descriptor_register);
  last.low = (resolved & descriptor_register) | static_cast<std::uint32_t>(operand_type::constant) << 28;
  last.high = 0;
  return true;
}

// What a constant stands for: kinds of operands that read it differently.
enum class constant_use : std::uint8_t {
  plain,
  high_word,  // kinds 11 and 12: the half bit names the upper 32 of 64 bits
  half_word,  // kinds 13 and 14: shift bit 22 + 4 names the upper 16 bits
  predicate,  // kind 20
};

struct constant_shape {
  constant_use use = constant_use::plain;
  std::uint32_t bytes = 4;  // 8: not cut
  bool is_unsigned = false;
};

[[nodiscard]] constexpr std::int64_t constant_of(operand o, std::uint64_t value, const constant_shape& s) {
  unsigned shift = 0;
  if (s.use == constant_use::high_word && (o.high & operand::bit_high_half) != 0) shift = 32;
  if (s.use == constant_use::half_word) shift = (o.high >> 22) & 0x10u;
  value >>= shift;
  if (s.bytes < 8) {
    const unsigned bits = s.bytes == 0 ? 8u : 8u * s.bytes;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    value &= mask;
    if (!s.is_unsigned && (value >> (bits - 1) & 1u) != 0) value |= ~mask;
  }
  if ((o.high & operand::bit_not) != 0) value = ~value;
  if ((o.high & constant_absolute) != 0 && value >> 63 != 0) value = 0 - value;
  if ((o.high & constant_negative) != 0) value = 0 - value;
  if (s.use == constant_use::predicate) return value != 0 ? -1 : 0;
  return static_cast<std::int64_t>(value);
}

}  // namespace ww::regalloc
