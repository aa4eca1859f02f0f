// SPDX-License-Identifier: BSL-1.0
//
// Which of the registers of one membership list goes onto the assignment stack first (FPA-1).
//
//   by_spill_cost   the cheapest to spill: it gets its place last, and the dearest have first pick
//   by_source       the last of the source
// A policy has key(register), and the lower key goes first. Between equal keys the later register of the source goes first, so
// that places are given in source order. `sorted` = false says that all keys are equal.
#pragma once

#include <cstdint>

#include "../meta/bits.hpp"
#include "problem.hpp"

namespace ww::regalloc {

namespace push_order {

struct by_spill_cost {
  static constexpr const char* name = "by_spill_cost";
  static constexpr bool sorted = true;
  // The bits of the number, turned so that they order like it does, whatever it is.
  [[nodiscard]] static constexpr std::uint64_t key(const allocatable& r) {
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, r.spill_cost + 0.0);  // no negative zero
    return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
  }
};

struct by_source {
  static constexpr const char* name = "by_source";
  static constexpr bool sorted = false;
  [[nodiscard]] static constexpr std::uint64_t key(const allocatable&) { return 0; }
};

static_assert(by_spill_cost::key({.spill_cost = -1.0}) < by_spill_cost::key({.spill_cost = -0.5}));
static_assert(by_spill_cost::key({.spill_cost = -0.0}) == by_spill_cost::key({.spill_cost = 0.0}));
static_assert(by_spill_cost::key({.spill_cost = 0.0}) < by_spill_cost::key({.spill_cost = 0.5}));

}  // namespace push_order

}  // namespace ww::regalloc
