// SPDX-License-Identifier: BSL-1.0
//
// The fat-point selection: the slot with the least against it (FPA-5).
//
//   1  On the first attempt only the second cost counts, so that wishes decide; what is forbidden is occupied anyhow. If a free
//      slot within the budget has a first cost above the threshold, the file is crowded, and the first cost counts as well.
//   2  On later attempts the first cost decides, and the second where the first is equal.
//   3  The lowest slot of cost zero is taken at once. Otherwise the lowest slot of the lowest cost.
//   4  Where banks count, slots of the same group as the slot given last (those that the mask does not tell apart) are left
//      out, unless there is no other within the budget.
//   5  If nothing within the budget is free, the lowest free slot beyond it: the register needs to be spilled.
#pragma once

#include <cstdint>

#include "role.hpp"
#include "slot_search.hpp"

namespace ww::regalloc {

inline constexpr std::int32_t congestion_threshold = 50;  // the text's default

template <std::int32_t Threshold = congestion_threshold, std::int32_t BankMask = -4, std::int32_t PairedBankMask = -8>
struct fat_point {
  using role = regalloc::role::selection;
  static constexpr const char* name = "fat_point";
  static constexpr bool reads_blocked = false;  // costs of occupied slots make no difference
  static_assert(BankMask < 0 && PairedBankMask < 0 && (-BankMask & (-BankMask - 1)) == 0 &&
                    (-PairedBankMask & (-PairedBankMask - 1)) == 0,
                "ww::regalloc::fat_point: bank masks are minus a power of two.");

  template <class V>
  [[nodiscard]] static slot_choice select(const slot_scan& s) {
    const search_geometry& g = s.geometry;
    const bool crowded = s.first_attempt && any_above<V>(s, Threshold);
    const compare by = s.first_attempt && !crowded ? compare::secondary_only : compare::primary_first;
    slot_choice best;
    if (s.banks && s.previous >= 0) {
      const std::int64_t mask = s.pairing == pair_mode::paired ? PairedBankMask : BankMask;
      const std::int64_t group = s.previous & mask;
      best = cheapest<V>(s, g.step, g.start, g.last, by, group, group - mask - 1);
    }
    if (best.slot < 0) best = cheapest<V>(s, g.step, g.start, g.last, by, -1, -1);
    if (best.slot < 0) best = beyond(s);
    return best;
  }

 private:
  [[nodiscard]] static slot_choice beyond(const slot_scan& s) {
    const std::int64_t from = s.geometry.last + 1 > s.geometry.start ? s.geometry.last + 1 : s.geometry.start;
    for (std::size_t w = static_cast<std::size_t>(from) / 64; w < s.blocked->words(); ++w) {
      const std::uint64_t free = detail::free_bits(s, w, s.geometry.step, from, s.geometry.end - std::int64_t{1});
      if (free == 0) continue;
      const std::int64_t slot = static_cast<std::int64_t>(w) * 64 + meta::countr_zero(free);
      return {slot, detail::cost_at(s.primary, s, slot), detail::cost_at(s.secondary, s, slot)};
    }
    return {};
  }
};

}  // namespace ww::regalloc
