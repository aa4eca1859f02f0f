// SPDX-License-Identifier: BSL-1.0
//
// Every third block of a program cold, as a pseudo-random number picks: so that everything moves when it is laid out anew.
#pragma once

#include <cstdint>

#include <warpwright/ir/program.hpp>
#include <warpwright/layout/cold_marks.hpp>

namespace ww_test {

inline ww::layout::cold_marks random_marks(const ww::program& p, std::uint32_t seed) {
  const auto mix = [](std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
  };
  ww::layout::cold_marks marks;
  marks.reasons.assign(p.blocks.size(), 0);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (mix(seed * 0x9e3779b9u + b) % 3 == 0) marks.add(ww::block_id{b}, ww::layout::cold_reason::seldom);
  }
  return marks;
}

}  // namespace ww_test
