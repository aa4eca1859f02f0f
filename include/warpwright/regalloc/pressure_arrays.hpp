// SPDX-License-Identifier: BSL-1.0
//
// The two pressure arrays of a search, and the ways in which constraints add to them (FPA-4).
//
//   primary     cost of each slot: how strongly constraints speak against a register starting there
//   secondary   second cost, which decides where the first is equal, and alone on the first attempt
//   blocked     the occupancy bits: slots that a constraint forbids outright
// The arrays have 512 entries and a sentinel, aligned for every vector policy. Before each register they are zeroed over the
// entries that were used. pressure_view is what a constraint kind sees: a slot is where the register would start, so that
// what covers slot s speaks against the `width` starts up to s. The first ranges are added to entry by entry. After those a
// range is two steps, up where it begins and down where it ends, and finish() adds up the steps of all ranges at once, with
// what holds for every second slot: many constraints cost the same, whether against one slot or all. Costs count after
// finish().
// Counting = false leaves out costs of slots that are blocked as well: for selections that never look at those.
#pragma once

#include <cstddef>
#include <cstdint>

#include "geometry.hpp"
#include "occupancy_bits.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t pressure_entries = 512;
inline constexpr std::uint32_t pressure_sentinel = 2;

struct pressure_layer {
  static constexpr std::size_t size = pressure_entries + pressure_sentinel;

  alignas(64) std::int32_t cost[size] = {};
  alignas(64) std::int32_t steps[size] = {};  // all zero but between an addition and finish()
  std::int32_t even = 0;                      // likewise
  std::int32_t odd = 0;
  std::uint32_t used = 0;  // entries that may not be zero
  bool stepped = false;

  template <class V>
  void zero() {
    if (used != 0) V::zero(cost, used);
    used = 0;
  }
  template <class V>
  void finish() {
    if (!stepped) return;
    V::add_running(cost, steps, even, odd, used);
    steps[used] = 0;
    even = odd = 0;
    stepped = false;
  }
  static void change(std::int32_t& number, std::int32_t by) {
    number = static_cast<std::int32_t>(static_cast<std::uint32_t>(number) + static_cast<std::uint32_t>(by));
  }
  static void change_back(std::int32_t& number, std::int32_t by) {
    number = static_cast<std::int32_t>(static_cast<std::uint32_t>(number) - static_cast<std::uint32_t>(by));
  }
};

struct pressure_arrays {
  pressure_layer primary;
  pressure_layer secondary;

  template <class V>
  void zero() {
    primary.zero<V>();
    secondary.zero<V>();
  }
};

template <class V, bool Counting = true>
struct pressure_view {
  using vector = V;
  // Measured, in times of adding to a short range (2 to 7 ns, as well as lengths can be foreseen): what finish() costs, and
  // entries of a long range; and up to which length a loop is as fast as a call.
  static constexpr std::int64_t finish_cost = V::lanes > 1 ? 16 : 24;
  static constexpr std::int64_t long_range = V::lanes > 1 ? 128 : 32;
  static constexpr std::int64_t short_range = 8;

  pressure_arrays* arrays = nullptr;
  occupancy_bits* blocked = nullptr;
  std::uint32_t entries = 0;  // of the arrays
  std::uint32_t width = 1;    // slots of the register that is being placed
  pair_mode pairing = pair_mode::single;
  std::int64_t spent = 0;  // on ranges added to entry by entry

  // Slots first to stop - 1 as starts.
  void add(std::int64_t first, std::int64_t stop, std::int32_t weight, bool hard) {
    if (hard) blocked->set_range(first, stop);
    if (Counting || !hard) add_to(arrays->primary, first, stop, weight);
  }
  // Every start at which the register would cover one of the slots first to stop - 1.
  void add_covering(std::int64_t first, std::int64_t stop, std::int32_t weight, bool hard) {
    add(first - width + 1, stop, weight, hard);
  }
  void add_all_but(std::int64_t slot, std::int32_t weight, bool hard) {
    if (hard) blocked->set_all_but(slot);
    if (Counting || !hard) {
      add_to(arrays->primary, 0, slot, weight);
      add_to(arrays->primary, slot < 0 ? 0 : slot + 1, entries, weight);
    }
  }
  // All even slots, or all odd ones.
  void add_alternate(bool odd, std::int32_t weight, bool hard) {
    if (hard) blocked->set_alternate(odd);
    if (Counting || !hard) {
      add_every_second(arrays->primary, odd, weight);
    }
  }
  void add_secondary_alternate(bool odd, std::int32_t weight) { add_every_second(arrays->secondary, odd, weight); }
  void add_secondary(std::int64_t first, std::int64_t stop, std::int32_t weight) {
    add_to(arrays->secondary, first, stop, weight);
  }
  void finish() {
    arrays->primary.template finish<V>();
    arrays->secondary.template finish<V>();
  }

 private:
  void add_every_second(pressure_layer& layer, bool odd, std::int32_t weight) {
    layer.used = entries;
    layer.stepped = true;
    pressure_layer::change(odd ? layer.odd : layer.even, weight);
  }
  void add_to(pressure_layer& layer, std::int64_t first, std::int64_t stop, std::int32_t weight) {
    if (first < 0) first = 0;
    if (stop > entries) stop = entries;
    if (first >= stop) return;
    if (!layer.stepped) {
      layer.used = entries;
      layer.stepped = spent >= finish_cost;
    }
    if (layer.stepped) {
      pressure_layer::change(layer.steps[first], weight);
      pressure_layer::change_back(layer.steps[stop], weight);
      return;
    }
    spent += 1 + (stop - first) / long_range;
    if (stop - first > short_range) {
      V::broadcast_add(layer.cost + first, weight, static_cast<std::size_t>(stop - first));
      return;
    }
    for (; first < stop; ++first) pressure_layer::change(layer.cost[first], weight);
  }
};

}  // namespace ww::regalloc
