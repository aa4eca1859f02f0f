// SPDX-License-Identifier: BSL-1.0
//
// Encoders of stall and yield (SB-4; "Stall Count Computation" and "Yield Flag").
//
//   required_stall    cycles that a consumer still has to wait for its producers
//   encode_stall      that number cut to the field, raised to the floor, cut to the cap and the field again (the text's cap is one more
//                     than the field holds); what is cut is reported
//   encode_yield      the text's EncodeYieldField: cap at the threshold, yield from 3 on
//   encode_stall_and_yield   both fields of one word, with a yield that hardware accepts
// The text lets the stall field of an instruction delay that instruction; on hardware it delays the next one, so callers
// put the result into the word before. `short_by` is not zero where the number did not fit: the dependence then needs a
// drain, a counter or cycles elsewhere, for a stall that is cut short covers nothing.
#pragma once

#include <cstdint>

#include "../../meta/span.hpp"
#include "config.hpp"

namespace ww::scoreboard {

struct stall_source {
  std::int32_t issued = 0;  // cycle of the producer
  unsigned latency = 0;     // cycles
};

[[nodiscard]] constexpr unsigned required_stall(span<const stall_source> sources, std::int32_t cycle) {
  std::int32_t most = 0;
  for (const stall_source& s : sources) {
    const std::int32_t left = static_cast<std::int32_t>(s.latency) - (cycle - s.issued);
    if (left > most) most = left;
  }
  return static_cast<unsigned>(most);
}

struct stall_field {
  unsigned stall = 0;
  bool yield = false;
  unsigned short_by = 0;

  friend constexpr bool operator==(const stall_field&, const stall_field&) = default;
};

[[nodiscard]] constexpr stall_field encode_stall(unsigned required, const field_config& c) {
  unsigned s = required < c.field_limit ? required : c.field_limit;
  if (s < c.floor) s = c.floor;
  if (s > c.cap) s = c.cap;
  if (s > c.field_limit) s = c.field_limit;
  return {s, false, required > s ? required - s : 0};
}

// `override_cap` is the text's signed byte of a single instruction, negative = none; it can lower the stall, not raise it.
[[nodiscard]] constexpr stall_field encode_yield(unsigned stall, const field_config& c, int override_cap = -1) {
  const unsigned cap = override_cap >= 0 ? static_cast<unsigned>(override_cap) : c.yield_threshold;
  const unsigned s = stall < cap ? stall : cap;
  return {s, s >= 3, stall - s};
}

[[nodiscard]] constexpr stall_field encode_stall_and_yield(unsigned required, const field_config& c) {
  stall_field f = encode_stall(required, c);
  f.yield = f.stall >= c.yield_threshold || f.stall > c.stay_limit;
  return f;
}

}  // namespace ww::scoreboard
