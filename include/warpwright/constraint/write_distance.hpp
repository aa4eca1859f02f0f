// SPDX-License-Identifier: BSL-1.0
//
// Write-after-write distance (PS-2): two writes of one physical register do not issue back to back.
//
// Adjacent writes of one register stall in the operand collector; one independent instruction between them is enough. The
// second writer is postponed while another candidate is at hand. The graph keeps the legal distance; this is about the stall
// only. No shipped architecture names it in its defaults (docs/deviations.md): write
// `ww::scheduler<ww::sm90, ww::constraint::write_distance>`.
// The text has the stall from sm_90 on. A pipes page whose SM does not have it says `spaced_writes = false`, and nothing is
// refused there; where the member is left out, naming the constraint is enough.
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "issue_window.hpp"

namespace ww::constraint {

struct write_distance {
  using role = ww::role::constraint;
  static constexpr const char* name = "write_distance";
  static constexpr unsigned patience = 1;

  template <class Arch>
  [[nodiscard]] constexpr static bool admits(const issue_view& next, const issue_window& placed) {
    if constexpr (requires { Arch::pipes::spaced_writes; }) {
      if (!Arch::pipes::spaced_writes) return true;
    }
    for (const operand& first : placed.previous.operands) {
      if (!first.is_def()) break;  // defs stand before uses
      if (!first.is_register()) continue;
      for (const operand& second : next.operands) {
        if (!second.is_def()) break;
        if (second.is_register() && overlap(first, second)) return false;
      }
    }
    return true;
  }

 private:
  constexpr static bool overlap(const operand& a, const operand& b) {
    if (a.file() != b.file()) return false;
    const std::uint32_t x = a.base().number();
    const std::uint32_t y = b.base().number();
    return x < y + b.width() && y < x + a.width();
  }
};

}  // namespace ww::constraint
