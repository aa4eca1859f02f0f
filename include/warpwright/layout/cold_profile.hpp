// SPDX-License-Identifier: BSL-1.0
//
// The two signals of cold code that come from a profile (HC-1, HC-7), in the shape of those in cold_signals.hpp.
//
//   seldom<1, 20>     it ran less than 1/20 as often as the block by which control enters its function
//   improbable<50>    every edge to it is taken with a probability below 50 in 1000 (the text's 5 %)
// `hot` is what `seldom` says of a block that was measured and ran often enough: no signal marks it. A block that was not
// measured, or whose function's entry was not, or never ran, is judged by the other signals. The text gives no threshold; 1/20
// is assumed: the text's own 5 %, and what GCC takes for unlikely (its parameter unlikely-bb-count-fraction, 20).
// An edge that was not measured is not improbable; edges between functions are not asked. The first block of a function is
// never cold.
#pragma once

#include <cstdint>

#include "cold_context.hpp"
#include "cold_marks.hpp"

namespace ww::layout::signal {

template <unsigned Part = 1, unsigned Whole = 20>
struct seldom {
  static_assert(Part > 0 && Part <= Whole, "ww::layout::signal::seldom: a part of the whole, and not none of it.");
  static constexpr const char* name = "seldom";
  static constexpr cold_reason reason = cold_reason::seldom;
  static bool cold(const cold_context& c, block_id b) { return measured(c, b) && low(c, b); }
  static bool hot(const cold_context& c, block_id b) { return measured(c, b) && !low(c, b); }

 private:
  static bool measured(const cold_context& c, block_id b) {
    if (c.profile == nullptr || !c.profile->has_count(b)) return false;
    const block_id entry = entry_of(c.code, b);
    return c.profile->has_count(entry) && c.profile->count[entry.index()] > 0;
  }
  static bool low(const cold_context& c, block_id b) {
    return c.profile->count[b.index()] * Whole < c.profile->count[entry_of(c.code, b).index()] * Part;
  }
};

template <unsigned PerMille = 50>
struct improbable {
  static constexpr const char* name = "improbable";
  static constexpr cold_reason reason = cold_reason::improbable;
  static bool cold(const cold_context& c, block_id b) {
    if (c.profile == nullptr) return false;
    bool any = false;
    for (const std::uint32_t e : c.code.pred_edges_of(c.code[b])) {
      if (!ww::detail::inside_function(c.code.edges[e].kind)) continue;
      if (!c.profile->has_probability(e) || c.profile->probability[e] * 1000 >= PerMille) return false;
      any = true;
    }
    return any;
  }
};

}  // namespace ww::layout::signal
