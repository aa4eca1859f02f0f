// SPDX-License-Identifier: BSL-1.0
//
// The state of the unified engine at a pick (PLS-1, PLS-4): everything that is the same for all candidates.
//
//   live      registers live now, in hardware units: general, predicate, address, uniform (budget.hpp)
//   hot       hot and cold accesses count while `hot_active` and the budget of cold accesses lasts
//   yield     every ready instruction would wait at least the architecture's yield threshold
//   batch     DynBatch: the kind of instruction of the open batch, how many it has, and picks since its last one
#pragma once

#include <cstdint>

#include "../../isa/sched_class.hpp"
#include "budget.hpp"
#include "slot_manager.hpp"
#include "spill_mode.hpp"
#include "statistics.hpp"

namespace ww::unified {

struct batch_state {
  sched_class kind{};
  std::uint32_t length = 0;  // instructions, 0 = no open batch
  std::uint32_t gap = 0;     // picks since the last one of the batch
};

struct state {
  std::int32_t live[4] = {};
  register_budget budget;
  ready_statistics ready;
  spill_mode spill;
  slot_manager slots;
  batch_state batch;
  std::uint32_t hot_budget = 0;
  bool hot_active = false;
  bool yield = false;

  [[nodiscard]] constexpr std::uint32_t cycle() const { return slots.cursor; }
  [[nodiscard]] constexpr bool temperature_counts() const { return hot_active && hot_budget > 0; }
};

// The temperature after an instruction was placed: cold accesses use the budget up, a hot one ends the tracking.
constexpr void note_temperature(state& s, const record& r) {
  if (!s.temperature_counts()) return;
  if (r.has(record_flag::cold)) {
    --s.hot_budget;
  } else if (r.has(record_flag::hot)) {
    s.hot_active = false;
  }
}

// The open batch after an instruction was placed.
template <class Mode>
constexpr void note_batch(batch_state& b, const record& r) {
  if (r.has(record_flag::batched) && b.length != 0 && b.kind == r.iclass && b.length < Mode::batch_cap) {
    ++b.length;
    b.gap = 0;
  } else if (r.has(record_flag::batched)) {
    b = {r.iclass, 1, 0};
  } else if (b.length != 0 && ++b.gap > Mode::batch_gap) {
    b = {};
  }
}

// Does the open batch want this instruction next?
template <class Mode>
[[nodiscard]] constexpr bool continues_batch(const batch_state& b, const record& r) {
  return Mode::batch_cap != 0 && b.length != 0 && b.length < Mode::batch_cap && r.has(record_flag::batched) &&
         b.kind == r.iclass;
}

}  // namespace ww::unified
