// SPDX-License-Identifier: BSL-1.0
//
// What the field encoders ask about an architecture (SB-4, "Architecture-Specific Control Word Configuration").
//
//   config_of<Arch>()        the kit's numbers: no stall floor, counters and caps of the architecture
//   text_config_of<Arch>()   the text's: floor 3 (knob 741), cap 16 (knobs 805 and 806)
// Cycles throughout. Flags: `extended` says that a class may have more than one scoreboard triplet, `conflicts` runs the
// intersection test over the counters that are waited for and tells of it (it adds no wait, for the masks of the encoders know all
// registers: barriers::avoid_conflicts is the policy that adds waits), `reuse` makes reuse flags.
#pragma once

#include "../../arch/concept.hpp"

namespace ww::scoreboard {

struct field_config {
  unsigned floor = 1;
  unsigned cap = 15;
  unsigned field_limit = 15;     // what the stall field holds
  unsigned stay_limit = 11;      // above it a stall must yield
  unsigned yield_threshold = 4;  // from this stall on the text yields
  unsigned counters = 6;
  unsigned barrier_latency = 56;  // distance after which the text counts a producer as done
  unsigned set_to_wait = 2;       // cycles from raising a counter to the first wait that sees it
  unsigned banks = 1;
  bool extended = false;
  bool conflicts = true;
  bool reuse = true;
};

template <class Arch>
[[nodiscard]] constexpr field_config config_of() {
  using b = typename Arch::barriers;
  field_config c;
  c.cap = c.field_limit = b::max_stall;
  c.stay_limit = b::max_stall_stay;
  c.yield_threshold = b::yield_threshold;
  c.counters = b::count;
  c.barrier_latency = b::barrier_latency;
  c.set_to_wait = b::set_to_wait;
  c.banks = Arch::limits::register_banks == 0 ? 1u : Arch::limits::register_banks;
  c.extended = b::max_triplets > 1;
  return c;
}

// `knob_805`: cap in cycles, at most 16 as the text has it, and at least one, for a word without a cycle is none; `knob_741`: floor in
// cycles, by default the architecture's. What the field does not hold is cut by encode_stall.
template <class Arch>
[[nodiscard]] constexpr field_config text_config_of(unsigned knob_805 = 16,
                                                    unsigned knob_741 = Arch::barriers::stall_floor) {
  field_config c = config_of<Arch>();
  c.floor = knob_741;
  constexpr unsigned text_cap = 16;
  c.cap = knob_805 > text_cap ? text_cap : knob_805 == 0 ? 1u : knob_805;
  return c;
}

}  // namespace ww::scoreboard
