// SPDX-License-Identifier: BSL-1.0
//
// Expressions of constants that the builder's normalisation evaluates, so that the instruction becomes a move (FPA-3, phase 5).
//
//   add      a + b; on signed overflow the end of the range      select   predicate ? a : b
//   mul      a * b                                               mad      a * b + c
//   mul_wide 64 bits of a * b                                    shift_signed  a >> b, with the sign; 31 where b is more
//   shift    a >> b of `bytes` bytes, with zeros; 0 beyond them  min_max  the smaller, or the larger where the predicate is false
//   permute  four bytes out of those of a (0 to 3) and b (4 to 7): each nibble of c names one; its top bit spreads the byte's sign
// The text names them ADD, SEL, MUL, MAD (which it folds to a multiplication and an addition), IMUL, ISHR, SHR, IMNMX and PRMT.
// Its IMAD goes to a function that is not given; it is mad here. A pure function of a small value.
#pragma once

#include <cstdint>

namespace ww::regalloc {

enum class fold_operation : std::uint8_t { add, select, mul, mad, mul_wide, shift_signed, shift, min_max, permute };

struct constant_expression {
  fold_operation operation = fold_operation::add;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  bool predicate = true;
  bool is_signed = true;
  std::uint32_t bytes = 4;  // of shift: 1, 2 or 4
};

// What the move that takes the expression's place writes; `wide`: 64 bits of it.
struct folded_constant {
  std::uint64_t value = 0;
  bool wide = false;
};

namespace detail {

[[nodiscard]] constexpr std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const std::uint32_t pick = selector >> (4 * k) & 15u;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (pick & 7u)) & 0xffu);
    if ((pick & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * k);
  }
  return result;
}

}  // namespace detail

[[nodiscard]] constexpr folded_constant fold(const constant_expression& e) {
  const auto sa = static_cast<std::int64_t>(static_cast<std::int32_t>(e.a));
  const auto sb = static_cast<std::int64_t>(static_cast<std::int32_t>(e.b));
  const auto low = [](auto v) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(v)); };
  switch (e.operation) {
    case fold_operation::add: {
      if (!e.is_signed) return {low(e.a + e.b)};
      const std::int64_t sum = sa + sb;
      return {low(sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? -0x80000000ll : sum)};
    }
    case fold_operation::select:
      return {e.predicate ? e.a : e.b};
    case fold_operation::mul:
      return {low(e.a * e.b)};
    case fold_operation::mad:
      return {low(e.a * e.b + e.c)};
    case fold_operation::mul_wide:
      return {e.is_signed ? static_cast<std::uint64_t>(sa * sb) : std::uint64_t{e.a} * e.b, true};
    case fold_operation::shift_signed:
      return {low(sa >> (e.b < 31 ? e.b : 31))};
    case fold_operation::shift: {
      const std::uint32_t bits = e.bytes >= 4 ? 32 : e.bytes == 0 ? 8 : 8 * e.bytes;
      const std::uint32_t value = bits == 32 ? e.a : e.a & ((1u << bits) - 1);
      return {e.b < bits ? value >> e.b : 0u};
    }
    case fold_operation::min_max: {
      const bool less = e.is_signed ? sa < sb : e.a < e.b;
      return {less == e.predicate ? e.a : e.b};
    }
    case fold_operation::permute:
      return {detail::permuted(e.a, e.b, e.c)};
  }
  return {};
}

}  // namespace ww::regalloc
