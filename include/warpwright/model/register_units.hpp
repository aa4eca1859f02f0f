// SPDX-License-Identifier: BSL-1.0
//
// Register units of the model: one small number for every 32-bit register or predicate that a program names.
//
// R, UR, P, UP and the carry flag are numbered file after file, each as long as the highest number in use. Convergence
// registers are interlocked by the hardware and special registers are never written: neither carries a dependence here.
// The model keeps its own numbering so that it shares nothing with what it judges.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"

namespace ww::model {

struct register_units {
  static constexpr std::uint32_t none = 0xffffffffu;

  array<std::uint32_t, 16> base{};
  std::uint32_t count = 0;

  // Renumbers for `p`. Linear in its operands.
  void build(const program& p) {
    array<std::uint32_t, 16> size{};
    for (const operand o : p.operands) {
      if (!o.is_register()) continue;
      std::uint32_t& s = size[static_cast<unsigned>(o.base().file()) & 15u];
      const std::uint32_t end = o.base().number() + width(o);
      if (end > s) s = end;
    }
    count = 0;
    for (unsigned f = 0; f < 16; ++f) {
      base[f] = count;
      if (tracked(static_cast<reg_file>(f))) count += size[f];
    }
  }

  // First unit of a register operand, `none` if it carries no dependence.
  [[nodiscard]] std::uint32_t first(operand o) const {
    if (!o.is_register() || !tracked(o.base().file())) return none;
    return base[static_cast<unsigned>(o.base().file()) & 15u] + o.base().number();
  }
  [[nodiscard]] static unsigned width(operand o) { return o.width() == 0 ? 1u : o.width(); }

 private:
  static constexpr bool tracked(reg_file f) {
    return f == reg_file::r || f == reg_file::p || f == reg_file::ur || f == reg_file::up || f == reg_file::cc;
  }
};

}  // namespace ww::model
