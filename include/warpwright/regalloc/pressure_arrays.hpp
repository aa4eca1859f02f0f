// SPDX-License-Identifier: BSL-1.0
//
// The two pressure arrays of a search, and the ways in which constraints add to them (FPA-4).
//
//   primary     cost of each slot: how strongly constraints speak against a register starting there
//   secondary   second cost, which decides where the first is equal, and alone on the first attempt
//   blocked     the occupancy bits: slots that a constraint forbids outright
// The arrays have 512 entries and a sentinel, aligned for every vector policy. Before each register they are zeroed over the
// entries that its search uses; an array that nobody added to since is left alone. pressure_view is what a constraint kind
// sees: a slot is where the register would start, so that what covers slot s speaks against the `width` starts up to s.
// Counting = false leaves out costs of slots that are blocked as well: for selections that never look at those.
#pragma once

#include <cstddef>
#include <cstdint>

#include "geometry.hpp"
#include "occupancy_bits.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t pressure_entries = 512;
inline constexpr std::uint32_t pressure_sentinel = 2;

struct pressure_arrays {
  alignas(64) std::int32_t primary[pressure_entries + pressure_sentinel] = {};
  alignas(64) std::int32_t secondary[pressure_entries + pressure_sentinel] = {};
  std::uint32_t primary_used = 0;  // entries that may not be zero
  std::uint32_t secondary_used = 0;

  template <class V>
  void zero() {
    if (primary_used != 0) V::zero(primary, primary_used);
    if (secondary_used != 0) V::zero(secondary, secondary_used);
    primary_used = secondary_used = 0;
  }
};

template <class V, bool Counting = true>
struct pressure_view {
  using vector = V;
  static constexpr std::int64_t short_range = 8;  // measured: below this a loop is faster than a call

  pressure_arrays* arrays = nullptr;
  occupancy_bits* blocked = nullptr;
  std::uint32_t entries = 0;  // of the arrays
  std::uint32_t width = 1;    // slots of the register that is being placed
  pair_mode pairing = pair_mode::single;

  // Slots first to stop - 1 as starts.
  void add(std::int64_t first, std::int64_t stop, std::int32_t weight, bool hard) {
    if (hard) blocked->set_range(first, stop);
    if (Counting || !hard) {
      arrays->primary_used = entries;
      add_to(arrays->primary, first, stop, weight);
    }
  }
  // Every start at which the register would cover one of the slots first to stop - 1.
  void add_covering(std::int64_t first, std::int64_t stop, std::int32_t weight, bool hard) {
    add(first - width + 1, stop, weight, hard);
  }
  void add_all_but(std::int64_t slot, std::int32_t weight, bool hard) {
    if (hard) blocked->set_all_but(slot);
    if (Counting || !hard) {
      arrays->primary_used = entries;
      add_to(arrays->primary, 0, slot, weight);
      add_to(arrays->primary, slot < 0 ? 0 : slot + 1, entries, weight);
    }
  }
  // All even slots, or all odd ones.
  void add_alternate(bool odd, std::int32_t weight, bool hard) {
    if (hard) blocked->set_alternate(odd);
    if (Counting || !hard) {
      arrays->primary_used = entries;
      V::add_alternate(arrays->primary, odd ? 0 : weight, odd ? weight : 0, entries);
    }
  }
  void add_secondary(std::int64_t first, std::int64_t stop, std::int32_t weight) {
    arrays->secondary_used = entries;
    add_to(arrays->secondary, first, stop, weight);
  }

 private:
  void add_to(std::int32_t* array, std::int64_t first, std::int64_t stop, std::int32_t weight) const {
    if (first < 0) first = 0;
    if (stop > entries) stop = entries;
    if (stop - first > short_range) {
      V::broadcast_add(array + first, weight, static_cast<std::size_t>(stop - first));
      return;
    }
    for (; first < stop; ++first) {
      array[first] =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(array[first]) + static_cast<std::uint32_t>(weight));
    }
  }
};

}  // namespace ww::regalloc
