// SPDX-License-Identifier: BSL-1.0
//
// The plain selection: the slot of the lowest first cost, the second deciding between equals (FPA-5).
//
//   threshold  slots whose first cost is above it are not looked at, even if that leaves none
//   step       1; for paired and doubled registers 2 << pair_shift of the file (2 for pairs, 4 for quads); never less than the
//              register's own alignment asks for
// It knows neither attempts nor banks, and finds nothing beyond the budget: a register without a slot is spilled.
#pragma once

#include <cstdint>

#include "fat_point.hpp"
#include "role.hpp"
#include "slot_search.hpp"

namespace ww::regalloc {

template <std::int32_t Threshold = congestion_threshold>
struct select_register {
  using role = regalloc::role::selection;
  static constexpr const char* name = "select_register";
  static constexpr bool reads_blocked = false;

  [[nodiscard]] static constexpr std::uint32_t step_of(pair_mode mode, std::uint32_t shift, std::uint32_t own) {
    const std::uint32_t pairs =
        mode == pair_mode::single ? 1u : 2u << (shift < largest_alignment ? shift : largest_alignment);
    return pairs > own ? pairs : own;
  }

  template <class V>
  [[nodiscard]] static slot_choice select(const slot_scan& s) {
    const std::uint32_t step = step_of(s.pairing, s.pair_shift, s.geometry.step);
    return cheapest<V>(s, step, s.geometry.start, s.geometry.last, compare::primary_first, -1, -1, Threshold);
  }
};

}  // namespace ww::regalloc
