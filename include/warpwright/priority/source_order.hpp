// SPDX-License-Identifier: BSL-1.0
//
// The priority for many resident warps: the compiler's order, except where it would stall.
//
// With four warps or more on a sub-core the other warps hide most latency, so a longer lookahead gains little
// and moves loads away from where the compiler wanted them. The engine never waits for a dependence while something else
// can issue; among those that can, memory that takes long goes first only within `window` instructions of its place, and
// source order decides the rest.
//
//   field 0  place, counted in windows    field 1  long-latency result    last  source order
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "candidate.hpp"

namespace ww::priority {

template <unsigned Window = 8>
struct source_order {
  using role = ww::role::priority;
  static constexpr const char* name = "source_order";
  static constexpr bool arguments_fit = Window >= 1;
  static constexpr bool fixed_key = true;
  static constexpr unsigned window = Window;  // instructions

  [[nodiscard]] static constexpr std::uint64_t key(const candidate& c) {
    const std::uint64_t place = 0xffffffu - c.index / Window;
    return (place << 1) | (c.has(trait::variable) && c.has(trait::hot) ? 1u : 0u);
  }
  [[nodiscard]] static constexpr unsigned explain(std::uint64_t x, std::uint64_t y) {
    return (x >> 1) != (y >> 1) ? 0u : x != y ? 1u : 2u;
  }
  [[nodiscard]] static constexpr const char* reason_name(unsigned reason) {
    constexpr const char* names[] = {"place", "long_latency", "source_order"};
    return names[reason < 2 ? reason : 2];
  }
};

}  // namespace ww::priority
