// SPDX-License-Identifier: BSL-1.0
//
// Which soft constraints of a register are left out on later attempts (FPA-4).
//
//   progressive<Weight, Ceiling>   on attempt n the first n * Weight soft constraints; where banks count, also those behind
//                                  the last n * Ceiling from the end. Attempt 0 leaves out nothing
//   keep_all                       none
// skip(nth, total, attempt, banks): nth counts the soft constraints of the register and its aliases from 1. A policy says with
// `counts` whether it wants `total`.
#pragma once

#include <cstdint>

#include "role.hpp"

namespace ww::regalloc {

namespace relaxation {

// The text names both numbers as settings and gives no defaults: 1 each is assumed.
template <std::uint32_t Weight = 1, std::uint32_t Ceiling = 1>
struct progressive {
  using role = regalloc::role::relaxation;
  static constexpr const char* name = "progressive";
  static constexpr bool counts = true;
  [[nodiscard]] static constexpr bool skip(std::uint64_t nth, std::uint64_t total, std::uint32_t attempt, bool banks) {
    if (attempt == 0) return false;
    if (nth <= std::uint64_t{attempt} * Weight) return true;
    const std::uint64_t tail = std::uint64_t{attempt} * Ceiling;
    return banks && (tail >= total || nth > total - tail);
  }
};

struct keep_all {
  using role = regalloc::role::relaxation;
  static constexpr const char* name = "keep_all";
  static constexpr bool counts = false;
  [[nodiscard]] static constexpr bool skip(std::uint64_t, std::uint64_t, std::uint32_t, bool) { return false; }
};

}  // namespace relaxation

}  // namespace ww::regalloc
