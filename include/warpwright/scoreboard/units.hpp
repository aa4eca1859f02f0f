// SPDX-License-Identifier: BSL-1.0
//
// Register units: one small number for every 32-bit register or predicate of a program.
//
// The analyses of this folder keep one array element per unit. R, UR, P, UP and the carry flag are numbered file after
// file, each as long as the highest number that the program names, so virtual registers cost no more than physical ones.
// Two further units name no register that a later instruction reads (facts: hardware 1.4, observed in compiler output):
// `order_unit` stands for "completion of a fence or of an asynchronous operation", `acquire_unit` for "what a strong load or
// an atomic brings", which must have come before a cache is thrown away.
// Convergence registers are interlocked by the hardware and special registers are never written: neither has units.
#pragma once

#include <cstdint>

#include "../graph/distance_memo.hpp"
#include "../ir/program.hpp"
#include "../meta/array.hpp"

namespace ww::scoreboard {

struct unit_map {
  static constexpr std::uint32_t none = 0xffffffffu;

  // Where the units of a register file start, and how many registers it has; none of either for what has no units.
  struct file_units {
    std::uint32_t base = 0;
    std::uint32_t limit = 0;
  };
  array<file_units, 16> files{};  // by register file; operands that are no registers name no file
  std::uint32_t order_unit = 0;
  std::uint32_t acquire_unit = 0;
  std::uint32_t count = 2;

  // The layout for physical registers: 256 R, 256 UR, 8 P, 8 UP and the carry flag.
  constexpr void set_physical() {
    if (physical) return;
    array<std::uint32_t, 16> size{};
    size[static_cast<unsigned>(reg_file::r)] = 256;
    size[static_cast<unsigned>(reg_file::ur)] = 256;
    size[static_cast<unsigned>(reg_file::p)] = 8;
    size[static_cast<unsigned>(reg_file::up)] = 8;
    size[static_cast<unsigned>(reg_file::cc)] = 1;
    lay_out(size);
    physical = true;
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

  // General registers stand first: a unit below this one is one, and its number too.
  std::uint32_t general = 0;
  // The file of an operand, as an index.
  [[nodiscard]] static constexpr unsigned file_of(operand o) { return o.low >> reg::number_bits & 15u; }
  // True if the operand is a register with units in the present layout. Never for a zero register.
  [[nodiscard]] constexpr bool has(operand o) const { return o.base().number() + width(o) <= files[file_of(o)].limit; }
  // Slot and file where access::what has them.
  [[nodiscard]] static constexpr std::uint32_t place(operand o) {
    return (o.high & 0x1f00u) | (o.low >> reg::number_bits & 15u) << ww::detail::access_code::bits;
  }
  // First unit of an operand that has some.
  [[nodiscard]] constexpr std::uint32_t first(operand o) const { return files[file_of(o)].base + o.base().number(); }
  [[nodiscard]] static constexpr unsigned width(operand o) { return o.width() == 0 ? 1u : o.width(); }

 private:
  bool physical = false;  // the present layout is that of set_physical()

  constexpr void lay_out(const array<std::uint32_t, 16>& size) {
    physical = false;
    std::uint32_t next = 0;
    for (const reg_file f : {reg_file::r, reg_file::p, reg_file::ur, reg_file::up, reg_file::cc}) {
      const std::uint32_t registers = size[static_cast<unsigned>(f)];
      files[static_cast<unsigned>(f)] = {next, registers};
      next += registers;
    }
    const std::uint32_t all = size[static_cast<unsigned>(reg_file::r)];
    general = all < 256 ? all : 256;
    order_unit = next;
    acquire_unit = next + 1;
    count = next + 2;
  }
};

}  // namespace ww::scoreboard
