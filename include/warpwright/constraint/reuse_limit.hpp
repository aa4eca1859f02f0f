// SPDX-License-Identifier: BSL-1.0
//
// Reuse limit (PS-2): at most `Entries` registers of a bank and port are held in the operand cache at a time.
//
// An instruction with a reuse flag asks for its source to be kept until the next read of that bank and port. Placing another
// instruction that keeps a different register of the same bank and port before anyone has read the first one throws the first
// away. Such an instruction is postponed once, so that the reader of the kept register can come first.
//
// The text allows one flag per bank, whatever the port. The cache has an entry for each bank and port (facts: hardware 3), so
// three flags of one bank in one instruction stand in three entries, and values kept through different ports do not meet:
// neither is refused. Flags inside one instruction are as the encoding says; no order changes them. A read without a flag
// also drops an entry, but takes none: it is not refused, or most arithmetic would be. Which operand cache a class uses is not
// asked.
// The window is the previous instruction, which fills one entry of a bank and port: with two of them, as on sm_50, nothing is
// refused.
#pragma once

#include "../meta/role.hpp"
#include "issue_window.hpp"

namespace ww::constraint {

template <unsigned Entries = 1>
struct reuse_limit {
  using role = ww::role::constraint;
  static constexpr const char* name = "reuse_limit";
  static constexpr bool arguments_fit = Entries >= 1;
  static constexpr unsigned patience = 1;

  template <class Arch>
  [[nodiscard]] constexpr static bool admits(const issue_view& next, const issue_window& placed) {
    constexpr unsigned banks = Arch::limits::register_banks;
    for (const operand& held : placed.previous.operands) {
      if (!keeps_value(held)) continue;
      for (const operand& o : next.operands) {
        if (!keeps_value(o) || o.read_port() != held.read_port() || o.base() == held.base()) continue;
        if (Entries == 1 && share_bank<banks>(o, held)) return false;
      }
    }
    return true;
  }

 private:
  template <unsigned Banks>
  constexpr static bool share_bank(const operand& a, const operand& b) {
    unsigned of_a = 0;
    for (unsigned i = 0; i < a.width(); ++i) of_a |= 1u << (a.base().number() + i) % Banks;
    for (unsigned i = 0; i < b.width(); ++i) {
      if ((of_a >> (b.base().number() + i) % Banks & 1u) != 0) return true;
    }
    return false;
  }
};

}  // namespace ww::constraint
