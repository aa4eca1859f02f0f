// SPDX-License-Identifier: BSL-1.0
//
// The search for the cheapest slot, sixty-four slots at a time: what selection policies are made of (FPA-5).
//
//   slot_scan    what a selection policy is given: arrays, occupancy bits, range, and what is known about the costs
//   slot_choice  what it answers: a slot or none, and its costs
//   cheapest<V>  the lowest free slot of cost zero; if there is none, the lowest of the lowest cost. `compare` says which costs
//                count: both, the first before the second, or the second alone
// Free slots are found in the words of the occupancy bits, and their costs compared by the vector policy, so that slots that
// are occupied or lie between two steps cost next to nothing. Every vector policy gives the same slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/bits.hpp"
#include "search_geometry.hpp"

namespace ww::regalloc {

struct slot_scan {
  const std::int32_t* primary = nullptr;
  const std::int32_t* secondary = nullptr;
  const occupancy_bits* blocked = nullptr;
  search_geometry geometry;
  pair_mode pairing = pair_mode::single;
  std::uint32_t pair_shift = 0;
  std::int64_t previous = -1;  // the slot that was given last, -1 = none
  bool first_attempt = true;
  bool banks = false;            // keep away from the bank of the previous slot
  bool primary_clear = false;    // every free slot is known to cost 0
  bool secondary_clear = false;  // likewise
};

struct slot_choice {
  std::int64_t slot = -1;
  std::int32_t primary = 0;
  std::int32_t secondary = 0;
};

enum class compare : std::uint8_t { primary_first, secondary_only };

namespace detail {

[[nodiscard]] inline std::int32_t cost_at(const std::int32_t* array, const slot_scan& s, std::int64_t slot) {
  return slot < s.geometry.entries ? array[slot] : 0;
}

[[nodiscard]] inline std::uint64_t free_bits(const slot_scan& s, std::size_t w, std::uint32_t step, std::int64_t from,
                                             std::int64_t last) {
  return ~s.blocked->word(w) & step_bits(w, step, s.geometry.phase) & range_bits(w, from, last);
}

[[nodiscard]] inline std::size_t words_to(const slot_scan& s, std::int64_t last) {
  if (last < 0) return 0;
  const std::size_t words = static_cast<std::size_t>(last) / occupancy_bits::word_bits + 1;
  return words < s.blocked->words() ? words : s.blocked->words();
}

}  // namespace detail

// A free slot from the start to the last of the budget whose first cost is above the limit.
template <class V>
[[nodiscard]] bool any_above(const slot_scan& s, std::int32_t limit) {
  if (s.primary_clear) return limit < 0;
  const std::size_t stop = detail::words_to(s, s.geometry.last);
  for (std::size_t w = s.geometry.start / 64; w < stop && w * 64 < s.geometry.entries; ++w) {
    const std::int64_t known = static_cast<std::int64_t>(s.geometry.entries) - 1;
    const std::uint64_t free =
        detail::free_bits(s, w, s.geometry.step, s.geometry.start, s.geometry.last < known ? s.geometry.last : known);
    if (free != 0 && (V::above_mask(s.primary + w * 64, limit, 64) & free) != 0) return true;
  }
  return false;
}

// Free slots at multiples of `step`, from the phase on, from `from` to `last`, without those from `avoid` to `avoid_last`, and without those whose
// first cost is above the limit.
template <class V>
[[nodiscard]] slot_choice cheapest(const slot_scan& s, std::uint32_t step, std::int64_t from, std::int64_t last, compare by,
                                   std::int64_t avoid, std::int64_t avoid_last, std::int32_t limit = 0x7fffffff) {
  constexpr std::int32_t most = 0x7fffffff;
  const bool first_counts = by == compare::primary_first && !s.primary_clear;
  const bool second_counts = !s.secondary_clear;
  const std::size_t stop = detail::words_to(s, last);
  slot_choice best{-1, most, most};
  for (std::size_t w = static_cast<std::size_t>(from < 0 ? 0 : from) / 64; w < stop; ++w) {
    const std::int64_t base = static_cast<std::int64_t>(w) * 64;
    std::uint64_t free = detail::free_bits(s, w, step, from, last);
    if (avoid >= 0) free &= ~range_bits(w, avoid, avoid_last);
    if (free == 0) continue;
    const std::uint64_t known = range_bits(w, 0, static_cast<std::int64_t>(s.geometry.entries) - 1);
    const std::int32_t* const p = s.primary + base;
    const std::int32_t* const q = s.secondary + base;
    if (limit != most && !s.primary_clear && known != 0) {
      free &= ~(V::above_mask(p, limit, 64) & known);
      if (free == 0) continue;
    }
    std::uint64_t zero = free;
    if (known != 0) {
      if (first_counts) zero &= V::equal_mask(p, 0, 64) | ~known;
      if (second_counts && zero != 0) zero &= V::equal_mask(q, 0, 64) | ~known;
    }
    if (zero != 0) {
      best.slot = base + meta::countr_zero(zero);
      break;
    }
    // All of these are within the arrays, and cost something.
    std::int32_t first = 0;
    std::int32_t second = 0;
    if (first_counts) {
      first = V::min_where(p, free, 64);
      if (best.slot >= 0 && first > best.primary) continue;
      free &= V::equal_mask(p, first, 64);
    }
    if (second_counts) {
      second = V::min_where(q, free, 64);
      free &= V::equal_mask(q, second, 64);
    }
    const bool better = best.slot < 0 || (first_counts && first < best.primary) ||
                        ((!first_counts || first == best.primary) && second < best.secondary);
    if (better) best = {base + meta::countr_zero(free), first, second};
  }
  if (best.slot >= 0) {
    best.primary = detail::cost_at(s.primary, s, best.slot);
    best.secondary = detail::cost_at(s.secondary, s, best.slot);
  }
  return best;
}

}  // namespace ww::regalloc
