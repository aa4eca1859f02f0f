// SPDX-License-Identifier: BSL-1.0
//
// Scheduling for latency (PLS-13, ScheduleForLatency): long memory operations as early as possible, and independent work
// between them and their first uses.
//
//   long operation  a load or atomic whose result is counted and takes at least Long cycles (architecture's estimate)
//   feeder          an instruction that a long operation needs, directly or not: its addresses and guards
//   first use       reads the result of a long operation
// Of the instructions that can issue in a cycle the order is: long operations, the one with the longest way below first;
// feeders, by the cycles to the end of the block through the long operation that they feed; everything else by its height;
// first uses last, for their result may be later than the estimate, and whatever else is ready hides the difference.
// It is cycle-driven list scheduling with these keys: constraints are asked as always.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../schedule/fixed_loop.hpp"
#include "../schedule/timing.hpp"

namespace ww::strategy {

template <unsigned Long = 60>
struct latency {
  using role = ww::role::strategy;
  static constexpr const char* name = "latency";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = false;

  struct space {
    vec<std::uint64_t> keys;
    vec<std::uint32_t> feeds;  // cycles to the end through the long operation that the node feeds, 0 = none
    vec<std::uint8_t> kinds;
  };
  // Fields of a pick's reason.
  enum class kind : std::uint8_t { first_use, other, feeder, long_operation };
  [[nodiscard]] static constexpr const char* reason_name(unsigned reason) {
    constexpr const char* names[] = {"kind", "cycles", "source_order"};
    return names[reason < 2 ? reason : 2];
  }

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own,
                               schedule_stats& stats) {
    using arch = typename Config::arch;
    detail::fill_nodes<arch>(p, order, ws);
    ws.sequence.clear();
    if (ws.want_reasons) ws.reasons.clear();
    ws.planned = 0;
    const dependence_graph& g = ws.graph;
    if (!g.forward) return false;
    own.kinds.resize(g.count);
    own.feeds.assign(g.count, 0);
    own.keys.resize(g.count);
    for (std::uint32_t i = 0; i < g.count; ++i) {
      own.kinds[i] = static_cast<std::uint8_t>(is_long<arch>(p[order[i]]) ? kind::long_operation : kind::other);
    }
    for (std::uint32_t i = g.count; i-- > 0;) describe(g, i, own);
    return detail::keyed_loop<Config>(p, order, ws, stats, own_keys{own.keys.data()});
  }

  template <class Arch>
  [[nodiscard]] static constexpr bool is_long(const instruction& i) {
    if (i.dir != mem_dir::load && i.dir != mem_dir::atomic) return false;
    const unsigned bytes = i.mem_bytes == 0 ? 4u : i.mem_bytes;
    return detail::row_of<Arch>(i.iclass).variable && Arch::latency::result_estimate(i.iclass, bytes) >= Long;
  }

 private:
  struct own_keys {
    const std::uint64_t* keys;
    [[nodiscard]] constexpr std::uint64_t key(const priority::candidate& c) const { return keys[c.index]; }
    [[nodiscard]] static constexpr unsigned explain(std::uint64_t a, std::uint64_t b) {
      return a >> 32 != b >> 32 ? 0u : a != b ? 1u : 2u;
    }
  };

  static constexpr void describe(const dependence_graph& g, std::uint32_t i, space& own) {
    const bool is_long_operation = own.kinds[i] == static_cast<std::uint8_t>(kind::long_operation);
    for (const dependence_edge& e : g.succ(i)) {
      const bool long_below = own.kinds[e.to] == static_cast<std::uint8_t>(kind::long_operation);
      if (e.kind != dependence_kind::raw) continue;
      const std::uint32_t through = long_below ? g.height[e.to] : own.feeds[e.to];
      if (through != 0) own.feeds[i] = std::max(own.feeds[i], through + e.latency);
    }
    kind k = is_long_operation ? kind::long_operation : own.feeds[i] != 0 ? kind::feeder : kind::other;
    if (k == kind::other) {
      for (const dependence_edge& e : g.pred(i)) {
        if (e.kind == dependence_kind::raw && own.kinds[e.from] == static_cast<std::uint8_t>(kind::long_operation)) {
          k = kind::first_use;
        }
      }
    }
    if (!is_long_operation) own.kinds[i] = static_cast<std::uint8_t>(k);
    const std::uint32_t cycles = k == kind::feeder ? own.feeds[i] : g.height[i];
    own.keys[i] = (static_cast<std::uint64_t>(k) << 32) | std::min(cycles, 0xffffffu);
  }
};

}  // namespace ww::strategy
