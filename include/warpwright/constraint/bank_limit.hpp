// SPDX-License-Identifier: BSL-1.0
//
// Bank limit (PS-2): at most `Limit` source operands of the issued instruction come from one register bank.
//
// The registers of an instruction are fixed after allocation, so order can help in one way only: a source that the previous
// instruction keeps in the operand cache (same port, same register, reuse flag set) needs no read. An instruction over the
// limit is therefore postponed only while the previous instruction does not keep one of its sources, and at most `patience`
// times. Banks are register number modulo Arch::limits::register_banks. Words: port = a, b or c, which the second source of
// FADD shares with the third one of FFMA (issue_window.hpp); all registers of a wide operand count; of a pair whose first
// register alone is kept that one is saved, any other difference in width saves nothing, as in model/operand_reads.hpp.
// Which operand cache a class uses is not asked: a value kept for another pipe counts as kept.
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "issue_window.hpp"

namespace ww::constraint {

template <unsigned Limit = 2>
struct bank_limit {
  using role = ww::role::constraint;
  static constexpr const char* name = "bank_limit";
  static constexpr bool arguments_fit = Limit >= 1;
  static constexpr unsigned patience = 1;

  // Reads of the fullest bank, after taking off what the operand cache holds.
  template <class Arch>
  [[nodiscard]] constexpr static unsigned reads(const issue_view& next, const issue_window& placed) {
    constexpr unsigned banks = Arch::limits::register_banks;
    unsigned count[banks] = {};
    for (const operand& o : next.operands) {
      if (!reads_through_port(o)) continue;
      for (unsigned i = kept(o, placed.previous); i < o.width(); ++i) ++count[(o.base().number() + i) % banks];
    }
    unsigned most = 0;
    for (const unsigned c : count) most = c > most ? c : most;
    return most;
  }

  template <class Arch>
  [[nodiscard]] constexpr static bool admits(const issue_view& next, const issue_window& placed) {
    return reads<Arch>(next, placed) <= Limit;
  }

 private:
  // The first registers of `source` that need no read.
  constexpr static unsigned kept(const operand& source, const issue_view& previous) {
    for (const operand& o : previous.operands) {
      if (!keeps_value(o) || o.read_port() != source.read_port() || o.base() != source.base()) continue;
      return o.width() == source.width() ? source.width() : o.width() == 1 ? 1u : 0u;
    }
    return 0;
  }
};

}  // namespace ww::constraint
