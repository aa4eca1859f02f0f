// SPDX-License-Identifier: BSL-1.0
//
// The refined comparison of PLS-3. It uses the same byte as packed.hpp, but not as an integer. Stages, first difference
// wins:
//
//   1  resource vector   pressure score of general, predicate, address, uniform registers; the lower score wins
//   2  bit scan          bits 4 (pressure), 6 (yield flag), 1 (critical path), 2 (stall free), 5 (hot or cold) of the byte;
//                        a 1 wins
//   3  tie-breakers      barrier group, latency, bit 7 (only with shared-memory accesses ready), contention, pipe wait,
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
    general_group,
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
    if (g == reg_group::general) return general_score(c, s);
    if (g == reg_group::uniform) return uniform_score_of(c, s);
    return narrow_score(c, s, static_cast<unsigned>(g));
  }
  [[nodiscard]] static constexpr std::int32_t general_score(const candidate& c, const pick_state& s) {
    const std::int32_t over = s.live[0] + c.delta[0] - s.limit[0];
    if (over <= 0) return 0;
    return over + (c.delta[0] > 0 && c.latency < s.max_predecessor_cycle ? 1 : 0) + (c.has(trait::control) ? 1 : 0);
  }
  [[nodiscard]] static constexpr std::int32_t narrow_score(const candidate& c, const pick_state& s, unsigned g) {
    const std::int32_t total = s.live[g] + c.delta[g];
    return total <= s.limit[g] - 1 || (total == s.limit[g] && c.delta[g] <= 0) ? 0 : total;
  }
  [[nodiscard]] static constexpr std::int32_t uniform_score_of(const candidate& c, const pick_state& s) {
    const std::int32_t total = s.live[3] + c.delta[3];
    return total < s.limit[3] ? 0 : total;
  }

  [[nodiscard]] static constexpr std::int32_t contention_score(const candidate& c, const pick_state& s) {
    const std::int32_t after = s.after(c, reg_group::general);
    if (s.reduced_limit >= after) return 0;
    return 2 * (after - s.reduced_limit) - (s.positive_pressure + c.delta[0] <= 0 ? 1 : 0);
  }

  [[nodiscard, gnu::always_inline]] static constexpr verdict compare(const candidate& a, const candidate& b,
                                                                     const pick_state& s) {
    if (const auto x = general_score(a, s), y = general_score(b, s); x != y) return {x < y, general_group};
    if (const auto x = narrow_score(a, s, 1), y = narrow_score(b, s, 1); x != y) return {x < y, predicate_score};
    if (const auto x = narrow_score(a, s, 2), y = narrow_score(b, s, 2); x != y) return {x < y, address_score};
    if (const auto x = uniform_score_of(a, s), y = uniform_score_of(b, s); x != y) return {x < y, uniform_score};
    const auto x = static_cast<unsigned>(packed::key(a, s));
    const auto y = static_cast<unsigned>(packed::key(b, s));
    const unsigned differ = x ^ y;
    constexpr unsigned mask[] = {1u << scan_order[0], 1u << scan_order[1], 1u << scan_order[2], 1u << scan_order[3],
                                 1u << scan_order[4]};
    if ((differ & mask[0]) != 0) return {(x & mask[0]) != 0, pressure_bit};
    if ((differ & mask[1]) != 0) return {(x & mask[1]) != 0, yield_bit};
    if ((differ & mask[2]) != 0) return {(x & mask[2]) != 0, critical_bit};
    if ((differ & mask[3]) != 0) return {(x & mask[3]) != 0, stall_free_bit};
    if ((differ & mask[4]) != 0) return {(x & mask[4]) != 0, hot_cold_bit};
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
