// SPDX-License-Identifier: BSL-1.0
//
// Stall or barrier, per source operand (SB-3): the decision by itself, as a value.
//
//   none      nothing to do (a gate said so)
//   stall     the distance fits the stall field: `cycles` between producer and consumer
//   barrier   a counter is raised by the producer and waited for by the consumer
//   recycle   a counter is needed and all are busy: the oldest is waited for (DEPBAR in the text) and taken
// `decide_text` is the reference: a physical predicate or RZ that is only read needs nothing; a constant bank counts as 26
// cycles, a uniform or special register as 20, a producer of the same block as 10, everything else as its real distance; up
// to 15 is a stall. `decide` is what hardware needs: the class decides between counter and distance, predicates have distances
// too, and constants have none (docs/deviations.md). The passes of this folder decide so from a table by class (class_table.hpp),
// made once for an SM; tests hold their words against this function. A distance above 15 is spread over the instructions between
// the two, or drained where there are too few.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../ir/operand.hpp"

namespace ww::scoreboard {

enum class cover_kind : std::uint8_t { none, stall, barrier, recycle };

struct operand_cover {
  cover_kind kind = cover_kind::none;
  unsigned cycles = 0;

  friend constexpr bool operator==(const operand_cover&, const operand_cover&) = default;
};

inline constexpr unsigned text_distance_constant = 26;
inline constexpr unsigned text_distance_uniform = 20;
inline constexpr unsigned text_distance_same_block = 10;

// Distance that the text assumes for an operand; `actual` is the real one in the general case.
[[nodiscard]] constexpr unsigned text_distance(operand o, bool same_block, unsigned actual) {
  if (o.type() == operand_type::constant) return text_distance_constant;
  if (o.file() == reg_file::ur || o.file() == reg_file::special) return text_distance_uniform;
  return same_block ? text_distance_same_block : actual;
}

template <class Barriers>
[[nodiscard]] constexpr operand_cover cover_distance(unsigned cycles, unsigned free_counters) {
  if (cycles <= Barriers::max_stall) return {cover_kind::stall, cycles};
  return {free_counters != 0 ? cover_kind::barrier : cover_kind::recycle, cycles};
}

template <class Barriers>
[[nodiscard]] constexpr operand_cover decide_text(operand o, bool same_block, unsigned actual, unsigned free_counters) {
  const bool predicate = o.file() == reg_file::p || o.file() == reg_file::up;
  if (o.type() == operand_type::physical && !o.is_def() && (predicate || o.base().is_zero())) return {};
  return cover_distance<Barriers>(text_distance(o, same_block, actual), free_counters);
}

// What a source needs from the instruction that wrote it.
template <class Arch>
[[nodiscard]] constexpr operand_cover decide(const access_point& writer, const access_point& reader,
                                             unsigned free_counters) {
  if (Arch::latency::variable(writer.iclass)) return {free_counters != 0 ? cover_kind::barrier : cover_kind::recycle, 0};
  const unsigned cycles = Arch::latency::raw(writer, reader).emit;
  return cycles <= 1 ? operand_cover{} : operand_cover{cover_kind::stall, cycles};
}

}  // namespace ww::scoreboard
