// SPDX-License-Identifier: BSL-1.0
//
// Reuse limit (PS-2): at most one register of a bank is held in the operand cache at a time.
//
// An instruction with a reuse flag asks for its source to be kept until the next read of that bank and slot. Placing another
// instruction that keeps a different register of the same bank before anyone has read the first one throws the first
// away. Such an instruction is postponed once, so that the reader of the kept register can come first.
// Flags inside one instruction are not order's business: they are as the encoding says.
#pragma once

#include "../meta/role.hpp"
#include "issue_window.hpp"

namespace ww::constraint {

template <unsigned PerBank = 1>
struct reuse_limit {
  using role = ww::role::constraint;
  static constexpr const char* name = "reuse_limit";
  static constexpr bool arguments_fit = PerBank >= 1;
  static constexpr unsigned patience = 1;

  template <class Arch>
  [[nodiscard]] constexpr static bool admits(const issue_view& next, const issue_window& placed) {
    constexpr unsigned banks = Arch::limits::register_banks;
    unsigned held[banks] = {};
    for (const operand& o : placed.previous.operands) {
      if (!keeps(o) || reads(next, o)) continue;
      ++held[o.base().number() % banks];
    }
    for (const operand& o : next.operands) {
      if (!keeps(o)) continue;
      if (held[o.base().number() % banks] >= PerBank) return false;
    }
    return true;
  }

 private:
  constexpr static bool keeps(const operand& o) {
    return o.is_use() && o.is_reuse() && o.is_register() && o.file() == reg_file::r;
  }
  constexpr static bool reads(const issue_view& next, const operand& kept) {
    for (const operand& o : next.operands) {
      if (o.is_use() && o.where() == kept.where() && o.base() == kept.base()) return true;
    }
    return false;
  }
};

}  // namespace ww::constraint
