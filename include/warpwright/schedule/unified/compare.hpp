// SPDX-License-Identifier: BSL-1.0
//
// The candidate comparison (PLS-6): which of two evaluated candidates goes first, and what decided.
//
//   1  resource vector   scores of general, predicate, address, uniform registers, lower first
//   2  bit scan          of the two bytes: bits 4, 6, 1, 2, 5; the one with the bit wins
//   3  tie-breakers      barrier group, latency counter, bit 7 (only with shared-memory accesses ready), contention,
//                        slot-manager cycles, earliest cycle, dependence cycle, deadline, register delta; lower first
//   4  position          source order
// The text prefers the higher slot "to preserve program order", which it can do only from the end of a block; here picks go
// forward, so the lower slot wins.
#pragma once

#include <cstdint>

#include "score.hpp"

namespace ww::unified {

enum class reason : std::uint8_t {
  general_score,
  predicate_score,
  address_score,
  uniform_score,
  overflow_bit,
  yield_bit,
  critical_bit,
  stall_free_bit,
  hot_bit,
  barrier_group,
  latency_counter,
  yield_related_bit,
  contention,
  slot_cycles,
  earliest,
  dependence,
  deadline,
  register_delta,
  position,
  count
};

[[nodiscard]] constexpr const char* reason_name(reason r) {
  constexpr const char* names[] = {"general_score", "predicate_score", "address_score",   "uniform_score",
                                   "overflow_bit",  "yield_bit",       "critical_bit",    "stall_free_bit",
                                   "hot_bit",       "barrier_group",   "latency_counter", "yield_related_bit",
                                   "contention",    "slot_cycles",     "earliest",        "dependence",
                                   "deadline",      "register_delta",  "position"};
  return names[r < reason::count ? static_cast<unsigned>(r) : static_cast<unsigned>(reason::position)];
}

struct outcome {
  bool first_wins = false;
  reason why = reason::position;
};

inline constexpr unsigned scan_bits[] = {bit::overflow, bit::yield_flag, bit::critical, bit::stall_free, bit::hot};

// Stages 1 and 2; false when they leave it open.
[[nodiscard]] constexpr bool decide_first(const evaluated& a, const evaluated& b, outcome& out) {
  for (unsigned g = 0; g < 4; ++g) {
    if (a.score[g] == b.score[g]) continue;
    out = {a.score[g] < b.score[g], static_cast<reason>(g)};
    return true;
  }
  const unsigned differ = a.byte ^ b.byte;
  for (unsigned i = 0; i < 5 && differ != 0; ++i) {
    if ((differ & scan_bits[i]) == 0) continue;
    out = {(a.byte & scan_bits[i]) != 0, static_cast<reason>(static_cast<unsigned>(reason::overflow_bit) + i)};
    return true;
  }
  return false;
}

// Stages 3 and 4. `shared_memory`: shared-memory accesses in the ready list.
[[nodiscard]] constexpr outcome decide_rest(const evaluated& a, const evaluated& b, std::uint32_t shared_memory) {
  const unsigned differ = a.byte ^ b.byte;
  if (a.barrier_group != b.barrier_group) return {a.barrier_group < b.barrier_group, reason::barrier_group};
  if (a.latency_counter != b.latency_counter) return {a.latency_counter < b.latency_counter, reason::latency_counter};
  if (shared_memory > 0 && (differ & bit::yield_related) != 0) {
    return {(a.byte & bit::yield_related) != 0, reason::yield_related_bit};
  }
  if (a.contention != b.contention) return {a.contention < b.contention, reason::contention};
  if (a.slot_cycles != b.slot_cycles) return {a.slot_cycles < b.slot_cycles, reason::slot_cycles};
  if (a.earliest != b.earliest) return {a.earliest < b.earliest, reason::earliest};
  if (a.dependence != b.dependence) return {a.dependence < b.dependence, reason::dependence};
  if (a.deadline != b.deadline) return {a.deadline < b.deadline, reason::deadline};
  if (a.delta != b.delta) return {a.delta < b.delta, reason::register_delta};
  return {a.slot < b.slot, reason::position};
}

// Stages 3 and 4 from the records, computing only as far as needed; the same as decide_rest().
template <class Arch>
[[nodiscard]] constexpr bool rest_wins(const record& a, const record& b, const state& s) {
  if (a.barrier_group != b.barrier_group) return a.barrier_group < b.barrier_group;
  const std::int32_t wait_a = a.latency_counter(s.cycle());
  const std::int32_t wait_b = b.latency_counter(s.cycle());
  if (wait_a != wait_b) return wait_a < wait_b;
  const bool yield_a = a.has(record_flag::yield_boundary);
  if (s.ready.shared_memory_count > 0 && yield_a != b.has(record_flag::yield_boundary)) return yield_a;
  const std::int32_t contention_a = contention_score<Arch>(a, s);
  const std::int32_t contention_b = contention_score<Arch>(b, s);
  if (contention_a != contention_b) return contention_a < contention_b;
  const std::int32_t slots_a = s.slots.contention(a);
  const std::int32_t slots_b = s.slots.contention(b);
  if (slots_a != slots_b) return slots_a < slots_b;
  if (a.earliest != b.earliest) return a.earliest < b.earliest;
  if (a.dependence_cycle != b.dependence_cycle) return a.dependence_cycle < b.dependence_cycle;
  if (a.deadline != b.deadline) return a.deadline < b.deadline;
  if (a.delta[0] != b.delta[0]) return a.delta[0] < b.delta[0];
  return a.slot < b.slot;
}

[[nodiscard]] constexpr outcome compare(const evaluated& a, const evaluated& b, std::uint32_t shared_memory) {
  outcome out;
  return decide_first(a, b, out) ? out : decide_rest(a, b, shared_memory);
}

}  // namespace ww::unified
