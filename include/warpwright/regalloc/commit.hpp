// SPDX-License-Identifier: BSL-1.0
//
// Gives a register the slot that was chosen for it, and keeps the accounts of the round (FPA-6).
//
//   normal        the physical register is written; consumption, the last slot taken, raises the peak
//   paired        slots are halves: the register is half the slot, and a flag says which half
//   over budget   the last slot taken is beyond what the register may have, or there was no slot at all: it needs a spill, and
//                 its costs are added, unless it is in memory already. For one that must not be spilled the round has failed
//   alias set     every register that is coalesced with it gets the same place
// place_table holds where each register is, in halves of physical registers counted from the first of the file, so that
// registers of either kind can be compared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/span.hpp"
#include "constraint_kinds.hpp"
#include "problem.hpp"
#include "search_geometry.hpp"

namespace ww::regalloc {

// A round with a higher peak than this has failed. One that cannot place what must not be spilled says so by a peak beyond it.
inline constexpr std::int64_t sanity_peak = 0x989677 + 6;
inline constexpr std::int64_t failed_peak = sanity_peak + 1;

struct round_account {
  std::int64_t peak = -1;  // the highest physical register taken
  std::int64_t cumulative_pressure = 0;
  double spill_cost = 0;
  float secondary_cost = 0;
  std::uint32_t placed = 0;         // alias sets with a place within the budget
  std::uint32_t needing_spill = 0;  // alias sets

  void raise(std::int64_t to) { peak = to > peak ? to : peak; }
};

class place_table {
 public:
  void reset(std::size_t registers) { places_.assign(registers, place{}); }
  void put(std::uint32_t r, std::int64_t slot, const search_geometry& g) {
    const std::int64_t factor = g.paired ? 1 : 2;
    places_[r] = {static_cast<std::int32_t>(slot * factor), static_cast<std::int32_t>(g.footprint * factor)};
  }
  [[nodiscard]] bool has(std::uint32_t r) const { return places_[r].first >= 0; }

  // Where register r is, in slots of a search over halves or over whole registers. False: nowhere.
  [[nodiscard]] bool find(std::uint32_t r, bool halves, target_place& t) const {
    const place at = places_[r];
    if (at.first < 0) return false;
    if (halves) {
      t.slot = at.first;
      t.extent = at.extent;
    } else {
      t.slot = at.first >> 1;
      t.extent = ((at.first + at.extent + 1) >> 1) - t.slot;
    }
    return true;
  }

 private:
  struct place {
    std::int32_t first = -1;
    std::int32_t extent = 0;
  };
  vec<place> places_;
};

// The place of a physical register that was given from outside; false where it is none of this file.
[[nodiscard]] inline bool put_given(const register_file& file, const allocatable& r, std::uint32_t id,
                                    const search_geometry& g, place_table& places) {
  const std::int64_t at = std::int64_t{r.physical} - file.base;
  if (r.physical < 0 || at < 0 || at >= std::int64_t{most_registers} * 4) return false;
  places.put(id, g.paired ? at * 2 + (r.has(register_flag::high_half) ? 1 : 0) : at, g);
  return true;
}

// `slot` = -1: none was found.
inline void commit(problem& p, span<const std::uint32_t> members, std::uint32_t root, const search_geometry& g,
                   std::int64_t slot, place_table& places, round_account& account) {
  const allocatable& speaker = p.registers[root];
  const std::int64_t highest = p.file.highest(speaker);
  std::int64_t last = highest + 1;
  if (slot >= 0) {
    last = consumption_of(static_cast<std::uint32_t>(slot), g.footprint) >> (g.paired ? 1 : 0);
    for (const std::uint32_t r : members) {
      allocatable& m = p.registers[r];
      m.physical = static_cast<std::int32_t>(p.file.base + (slot >> (g.paired ? 1 : 0)));
      m.set(register_flag::high_half, g.paired && (slot & 1) != 0);
      places.put(r, slot, g);
    }
  }
  account.raise(last);
  if (slot >= 0 && last <= highest) {
    ++account.placed;
    return;
  }
  bool needs = false;
  for (const std::uint32_t r : members) {
    allocatable& m = p.registers[r];
    if (m.has(register_flag::must_not_spill)) account.raise(failed_peak);
    if (m.has(register_flag::spilled)) continue;
    m.set(register_flag::needs_spill);
    account.spill_cost += m.spill_cost;
    account.secondary_cost += m.secondary_cost;
    needs = true;
  }
  account.needing_spill += needs ? 1u : 0u;
}

}  // namespace ww::regalloc
