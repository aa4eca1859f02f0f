// SPDX-License-Identifier: BSL-1.0
//
// The parts of the model machine: dependency counters, pipes and in-order queues of one warp.
//
//   counter_file   six counters; each holds the landing times of what was raised on it, newest `kept` of them. A wait needs
//                  all landed, DEPBAR.LE SBx, n all but n. A set is seen set_to_wait cycles later
//   pipe_file      when each pipe takes the next warp instruction (shared by the warps of a sub-core)
// Results of one in-order queue land in issue order (facts: observed, queues). Register banks: operand_reads.hpp.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/sort.hpp"

namespace ww::model {

struct counter_file {
  static constexpr unsigned kept = 8;
  struct counter {
    array<std::int32_t, kept> landing{};  // ring of the newest landing times
    std::int32_t last = 0;                // latest landing of all
    std::int32_t set = -1000;             // newest set
    std::uint32_t head = 0;               // next place in the ring
  };
  array<counter, control::barrier_count> counters{};

  void raise(unsigned c, std::int32_t issue, std::int32_t landing) {
    counter& k = counters[c];
    k.landing[k.head % kept] = landing;
    ++k.head;
    k.last = meta::max(k.last, landing);
    k.set = issue;
  }
  // Earliest time at which counter `c` is seen to be at most `n`. More than `kept` - 1 outstanding are not told apart.
  [[nodiscard]] std::int32_t at_most(unsigned c, unsigned n, std::int32_t set_to_wait) const {
    const counter& k = counters[c];
    const std::int32_t seen = k.set + set_to_wait;
    if (n == 0) return meta::max(k.last, seen);
    if (n >= kept) return seen;
    array<std::int32_t, kept> t = k.landing;
    ww::detail::sort(t.begin(), t.end(), [](std::int32_t x, std::int32_t y) { return x < y; });
    return meta::max(t[kept - 1 - n], seen);
  }
  void shift(std::int32_t by) {
    for (counter& k : counters) {
      for (std::int32_t& t : k.landing) t = meta::max(t - by, floor_time);
      k.last = meta::max(k.last - by, floor_time);
      k.set = meta::max(k.set - by, floor_time);
    }
  }
  static constexpr std::int32_t floor_time = -100000;
};

struct queue_file {
  array<std::int32_t, static_cast<std::size_t>(queue_id::count)> write{};
  array<std::int32_t, static_cast<std::size_t>(queue_id::count)> read{};

  // Time at which an operation of queue `q` ends that would by itself end at `t`.
  static std::int32_t in_order(std::int32_t& last, std::int32_t t) {
    last = meta::max(last, t);
    return last;
  }
  void shift(std::int32_t by) {
    for (auto& t : write) t = meta::max(t - by, counter_file::floor_time);
    for (auto& t : read) t = meta::max(t - by, counter_file::floor_time);
  }
};

}  // namespace ww::model
