// SPDX-License-Identifier: BSL-1.0
//
// Register units: one small number for every 32-bit register or predicate of a program.
//
// The analyses of this folder keep one array element per unit. R, UR, P, UP and the carry flag are numbered file after
// file, each as long as the highest number that the program names, so virtual registers cost no more than physical ones.
// One further unit, `order_unit`, stands for "completion of a fence or of an asynchronous operation": such operations
// raise a counter, but name no register that a later instruction reads (facts: hardware 1.4, observed in compiler output).
// Convergence registers are interlocked by the hardware and special registers are never written: neither has units.
#pragma once

#include <cstdint>

#include "../graph/distance_memo.hpp"
#include "../ir/program.hpp"
#include "../meta/array.hpp"

namespace ww::scoreboard {

struct unit_map {
  static constexpr std::uint32_t none = 0xffffffffu;

  array<std::uint32_t, 16> base{};
  array<bool, 16> tracked{};
  std::uint32_t order_unit = 0;
  std::uint32_t count = 1;

  // The layout for physical registers: 256 R, 256 UR, 8 P, 8 UP and the carry flag.
  constexpr void set_physical() {
    array<std::uint32_t, 16> size{};
    size[static_cast<unsigned>(reg_file::r)] = 256;
    size[static_cast<unsigned>(reg_file::ur)] = 256;
    size[static_cast<unsigned>(reg_file::p)] = 8;
    size[static_cast<unsigned>(reg_file::up)] = 8;
    size[static_cast<unsigned>(reg_file::cc)] = 1;
    lay_out(size);
  }

  // The layout for a program with numbers above those. Linear in its operands.
  constexpr void build(const program& p) {
    array<std::uint32_t, 16> size{};
    for (const operand o : p.operands) {
      if (!o.is_register()) continue;
      const reg r = o.base();
      std::uint32_t& s = size[static_cast<unsigned>(r.file()) & 15u];
      const std::uint32_t end = r.number() + width(o);
      if (end > s) s = end;
    }
    lay_out(size);
  }

  // True if the registers of a register operand have units in the present layout. Never for a zero register.
  [[nodiscard]] constexpr bool fits(operand o) const {
    const unsigned f = static_cast<unsigned>(o.base().file()) & 15u;
    return o.base().number() + width(o) <= limit[f];
  }

  // True if the operand is a register with units in the present layout.
  [[nodiscard]] constexpr bool has(operand o) const { return is_register(o) && fits(o); }
  // Of any other operand: true if it should have units.
  [[nodiscard]] constexpr bool missing(operand o) const {
    return is_register(o) && tracked[static_cast<unsigned>(o.file()) & 15u] && !o.base().is_zero();
  }
  // Slot and file where access::what has them.
  [[nodiscard]] static constexpr std::uint32_t place(operand o) {
    return (o.high & 0x1f00u) | (o.low >> reg::number_bits & 15u) << ww::detail::access_code::bits;
  }
  // First unit of an operand that has some.
  [[nodiscard]] constexpr std::uint32_t first(operand o) const {
    return base[static_cast<unsigned>(o.file()) & 15u] + o.base().number();
  }
  [[nodiscard]] static constexpr unsigned width(operand o) { return o.width() == 0 ? 1u : o.width(); }

 private:
  array<std::uint32_t, 16> limit{};

  [[nodiscard]] static constexpr bool is_register(operand o) {
    constexpr unsigned kinds =
        1u << static_cast<unsigned>(operand_type::physical) | 1u << static_cast<unsigned>(operand_type::virtual_def) |
        1u << static_cast<unsigned>(operand_type::virtual_use) | 1u << static_cast<unsigned>(operand_type::fixed);
    return (kinds >> static_cast<unsigned>(o.type()) & 1u) != 0;
  }

  constexpr void lay_out(const array<std::uint32_t, 16>& size) {
    std::uint32_t next = 0;
    for (unsigned f = 0; f < reg_file_count; ++f) {
      const auto file = static_cast<reg_file>(f);
      tracked[f] =
          file == reg_file::r || file == reg_file::p || file == reg_file::ur || file == reg_file::up || file == reg_file::cc;
      base[f] = next;
      if (tracked[f]) next += size[f];
      limit[f] = tracked[f] ? size[f] : 0;
    }
    order_unit = next;
    count = next + 1;
  }
};

}  // namespace ww::scoreboard
