// SPDX-License-Identifier: BSL-1.0
//
// The refined comparison of PLS-3. It uses the same byte as packed.hpp, but not as an integer. Stages, first difference
// wins:
//
//   1  resource vector   pressure score of general, predicate, address, uniform registers; the lower score wins
//   2  bit scan          bits 4 (pressure), 6 (yield flag), 1 (critical path), 2 (stall free), 5 (hot or cold) of the byte;
//   a 1 wins 3  tie-breakers      barrier group, latency, bit 7 (only with shared-memory accesses ready), contention, pipe
//   wait,
//                        earliest cycle, dependence cycle, deadline, register delta; the lower wins, except latency (longer
//                        first)
//   4  source order
// Scores count what lies above the safe occupancy (PLS-3): a general register costs from the limit on, the narrow groups
// from seven on, the uniform group from its limit on. Contention is twice the registers above the reduced limit, less one
// when the ready list as a whole releases registers; the pipe wait stands where the text has the slot manager's cycles.
#pragma once

#include <cstdint>

#include "../meta/role.hpp"
#include "bits.hpp"
#include "concept.hpp"
#include "packed.hpp"

namespace ww::priority {

struct refined {
  using role = ww::role::priority;
  static constexpr const char* name = "refined";
  static constexpr bool fixed_key = false;
  static constexpr bool needs_pressure = true;
  static constexpr unsigned scan_order[] = {4, 6, 1, 2, 5};

  enum reason : std::uint8_t {
    general_score,
    predicate_score,
    address_score,
    uniform_score,
    pressure_bit,
    yield_bit,
    critical_bit,
    stall_free_bit,
    hot_cold_bit,
    barrier_group,
    latency,
    yield_related_bit,
    contention,
    pipe_wait,
    earliest,
    dependence,
    deadline,
    register_delta,
    source_order,
    reason_count
  };

  [[nodiscard]] static constexpr const char* reason_name(unsigned r) {
    constexpr const char* names[] = {"general_score", "predicate_score", "address_score",  "uniform_score", "pressure",
                                     "yield_flag",    "critical_path",   "stall_free",     "hot_cold",      "barrier_group",
                                     "latency",       "yield_related",   "contention",     "pipe_wait",     "earliest",
                                     "dependence",    "deadline",        "register_delta", "source_order"};
    return names[r < reason_count ? r : static_cast<unsigned>(source_order)];
  }

  // The pressure score of one group; 0 = placing the candidate keeps the group at a safe occupancy.
  [[nodiscard]] static constexpr std::int32_t score(const candidate& c, const pick_state& s, reg_group g) {
    const auto i = static_cast<unsigned>(g);
    const std::int32_t total = s.after(c, g);
    if (g == reg_group::general) {
      std::int32_t over = total - s.limit[0];
      if (over < 0) over = 0;
      if (over > 0 && c.delta[0] > 0 && c.latency < s.max_predecessor_cycle) ++over;
      if (over > 0 && c.has(trait::control)) ++over;
      return over;
    }
    if (g == reg_group::uniform) return total < s.limit[i] ? 0 : total;
    return (total <= s.limit[i] - 1 || (total == s.limit[i] && c.delta[i] <= 0)) ? 0 : total;
  }

  [[nodiscard]] static constexpr std::int32_t contention_score(const candidate& c, const pick_state& s) {
    const std::int32_t after = s.after(c, reg_group::general);
    if (s.reduced_limit >= after) return 0;
    return 2 * (after - s.reduced_limit) - (s.positive_pressure + c.delta[0] <= 0 ? 1 : 0);
  }

  [[nodiscard]] static constexpr verdict compare(const candidate& a, const candidate& b, const pick_state& s) {
    for (unsigned g = 0; g < group_count; ++g) {
      const std::int32_t x = score(a, s, static_cast<reg_group>(g));
      const std::int32_t y = score(b, s, static_cast<reg_group>(g));
      if (x != y) return {x < y, static_cast<std::uint8_t>(g)};
    }
    const auto x = static_cast<unsigned>(packed::key(a, s));
    const auto y = static_cast<unsigned>(packed::key(b, s));
    const unsigned differ = x ^ y;
    for (unsigned i = 0; i < 5; ++i) {
      const unsigned mask = 1u << scan_order[i];
      if ((differ & mask) != 0) return {(x & mask) != 0, static_cast<std::uint8_t>(pressure_bit + i)};
    }
    if (a.barrier_group != b.barrier_group) return {a.barrier_group < b.barrier_group, barrier_group};
    if (a.latency != b.latency) return {a.latency > b.latency, latency};
    if (s.shared_count > 0 && (differ & 0x80u) != 0) return {(x & 0x80u) != 0, yield_related_bit};
    if (const auto p = contention_score(a, s), q = contention_score(b, s); p != q) return {p < q, contention};
    if (const auto p = s.issue(a), q = s.issue(b); p != q) return {p < q, pipe_wait};
    if (a.earliest != b.earliest) return {a.earliest < b.earliest, earliest};
    if (a.dependence_cycle != b.dependence_cycle) return {a.dependence_cycle < b.dependence_cycle, dependence};
    if (a.deadline != b.deadline) return {a.deadline < b.deadline, deadline};
    if (a.delta[0] != b.delta[0]) return {a.delta[0] < b.delta[0], register_delta};
    return {a.index < b.index, source_order};
  }
};

}  // namespace ww::priority
