// SPDX-License-Identifier: BSL-1.0
//
// Where each register of a program has its bit (PLS-10): one bit per register, the four classes R, P, UR and UP
// one behind the other, each starting at a 64-bit word of its own so that a class is counted by popcount over its words.
//
//   class     the register files that liveness and pressure know; other files (convergence, special) have no bits
//   physical  physical registers of a class: the largest number in the program + 1
//   count     bits of a class: the physical registers, then (from an even bit on) the virtual ones as many as are named
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"

namespace ww {

enum class pressure_class : std::uint8_t { r, p, ur, up, count };

inline constexpr unsigned pressure_class_count = static_cast<unsigned>(pressure_class::count);

// count where a file has no class.
constexpr pressure_class pressure_class_of(reg_file f) {
  switch (f) {
    case reg_file::r:
      return pressure_class::r;
    case reg_file::p:
      return pressure_class::p;
    case reg_file::ur:
      return pressure_class::ur;
    case reg_file::up:
      return pressure_class::up;
    default:
      return pressure_class::count;
  }
}

// Registers live at one place, by class.
struct live_count {
  array<std::uint32_t, pressure_class_count> of{};

  [[nodiscard]] std::uint32_t operator[](pressure_class c) const { return of[static_cast<std::size_t>(c)]; }
  friend constexpr bool operator==(const live_count&, const live_count&) = default;
};

struct register_layout {
  array<std::uint32_t, pressure_class_count> physical{};
  array<std::uint32_t, pressure_class_count> count{};
  array<std::uint32_t, pressure_class_count + 1> first_word{};

  [[nodiscard]] constexpr std::uint32_t words() const { return first_word[pressure_class_count]; }

  // The bit of a register; false where it has none (other files, zero registers, numbers not in the program).
  [[nodiscard]] constexpr bool bit_of(reg r, std::uint32_t& bit) const { return bits_of(r, 1, bit) != 0; }
  // How many of `width` registers from `r` on have a bit; `bit` is that of the first one, the others follow.
  [[nodiscard]] constexpr std::uint32_t bits_of(reg r, std::uint32_t width, std::uint32_t& bit) const {
    const auto c = static_cast<std::size_t>(pressure_class_of(r.file()));
    if (c >= pressure_class_count || r.is_zero()) return 0;
    const bool above = r.number() >= reg::first_virtual;
    const std::uint32_t n = above ? first_virtual_bit(c) + (r.number() - reg::first_virtual) : r.number();
    const std::uint32_t end = above ? count[c] : physical[c];
    bit = first_word[c] * 64 + n;
    return n >= end ? 0 : meta::min(width, end - n);
  }

  // The bit, counted from the class's first, at which its virtual registers start.
  [[nodiscard]] constexpr std::uint32_t first_virtual_bit(std::size_t c) const { return (physical[c] + 1) & ~1u; }

  // `at_least` gives the classes room for physical registers that the program does not name (those of its whole file).
  constexpr void compute(const program& p, const array<std::uint32_t, pressure_class_count>& at_least = {}) {
    physical = at_least;
    array<std::uint32_t, pressure_class_count> above{};  // registers beyond the physical ones
    for (const instruction& ins : p.instructions) {
      for (const operand o : p.operands_of(ins)) {
        const auto c = static_cast<std::size_t>(pressure_class_of(o.file()));
        if (c >= pressure_class_count || !o.is_register()) continue;
        const std::uint32_t end = o.base().number() + o.width();
        if (o.base().is_virtual()) {
          above[c] = meta::max(above[c], end - reg::first_virtual);
        } else {
          physical[c] = meta::max(physical[c], end);
        }
      }
    }
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      count[c] = above[c] == 0 ? physical[c] : first_virtual_bit(c) + above[c];
    }
    first_word[0] = 0;
    for (std::size_t c = 0; c < pressure_class_count; ++c) first_word[c + 1] = first_word[c] + (count[c] + 63) / 64;
  }

  template <class V>
  [[nodiscard]] constexpr live_count population(const std::uint64_t* bits) const {
    live_count n;
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      n.of[c] = static_cast<std::uint32_t>(V::popcount(bits + first_word[c], first_word[c + 1] - first_word[c]));
    }
    return n;
  }
};

}  // namespace ww
