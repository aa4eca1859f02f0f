// SPDX-License-Identifier: BSL-1.0
//
// What a search for one register of a file goes over: its slots, steps and ends, as numbers (FPA-2).
//
//   footprint, step   of the register, in slots; a slot is a physical register, for paired registers half of one
//   phase             a start is `phase` modulo the step
//   start, last       first and last slot at which the register may start within its budget; last is -1 or less where none is
//   end               slots there are, with those beyond the budget
//   entries           of the pressure arrays; slots beyond cost nothing
// Also the number of starts that are left among occupied slots, which the ordering wants to know.
#pragma once

#include <cstdint>

#include "../meta/bits.hpp"
#include "occupancy_bits.hpp"
#include "pressure_arrays.hpp"
#include "problem.hpp"

namespace ww::regalloc {

struct search_geometry {
  std::uint32_t footprint = 1;
  std::uint32_t step = 1;  // a power of two
  std::uint32_t phase = 0;
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t entries = 0;
  std::int64_t last = -1;
  bool paired = false;

  friend constexpr bool operator==(const search_geometry&, const search_geometry&) = default;
};

[[nodiscard]] constexpr search_geometry search_geometry_of(const register_file& file, const allocatable& r) {
  search_geometry g;
  g.paired = r.pairing == pair_mode::paired;
  const std::uint32_t halves = g.paired ? 1 : 0;
  g.footprint = footprint_of(r.width, r.has(register_flag::exact_width) ? 0 : r.alignment_log2, r.pairing);
  g.step = step_of(r.alignment_log2, r.pairing);
  std::uint32_t alignment = 1;
  while (alignment < file.scan_alignment && alignment < most_registers) alignment *= 2;
  if (alignment << halves > g.step && file.scan_alignment > 1) g.step = alignment << halves;
  g.phase = r.phase & (g.step - 1);
  const std::uint32_t searched = file.searched();
  g.start = (file.start < most_registers ? file.start : most_registers) << halves;
  g.end = searched << halves;
  const std::uint32_t entries = scan_width_of(searched) << halves;
  g.entries = entries < pressure_entries ? entries : pressure_entries;
  const std::uint32_t ceiling = ceiling_of(file.highest(r), ceiling_shift(r.pairing, file.quad_ceiling));
  g.last = static_cast<std::int64_t>(ceiling) - static_cast<std::int64_t>(g.footprint) + 1;
  return g;
}

// Bits of the slots of word w that are `phase` modulo the step.
[[nodiscard]] constexpr std::uint64_t step_bits(std::size_t w, std::uint32_t step, std::uint32_t phase = 0) {
  constexpr std::uint64_t patterns[] = {~std::uint64_t{0},
                                        0x5555555555555555u,
                                        0x1111111111111111u,
                                        0x0101010101010101u,
                                        0x0001000100010001u,
                                        0x0000000100000001u,
                                        1u};
  if (step <= occupancy_bits::word_bits) return patterns[meta::countr_zero(step)] << phase;
  const bool here = w * occupancy_bits::word_bits % step == phase - phase % occupancy_bits::word_bits;
  return here ? std::uint64_t{1} << (phase % occupancy_bits::word_bits) : 0u;
}

// Bits of word w from slot `from` to slot `last`, both included.
[[nodiscard]] constexpr std::uint64_t range_bits(std::size_t w, std::int64_t from, std::int64_t last) {
  const std::int64_t first = static_cast<std::int64_t>(w) * occupancy_bits::word_bits;
  std::uint64_t bits = ~std::uint64_t{0};
  if (last < first || from >= first + occupancy_bits::word_bits || from > last) return 0;
  if (from > first) bits &= ~std::uint64_t{0} << (from - first);
  if (last - first < occupancy_bits::word_bits - 1)
    bits &= ~std::uint64_t{0} >> (occupancy_bits::word_bits - 1 - (last - first));
  return bits;
}

// Slots at which a register of this geometry may start within its budget.
[[nodiscard]] inline std::uint32_t free_starts(const search_geometry& g, const occupancy_bits& blocked) {
  std::uint32_t count = 0;
  for (std::size_t w = 0; w < blocked.words(); ++w) {
    count += static_cast<std::uint32_t>(
        meta::popcount(~blocked.word(w) & step_bits(w, g.step, g.phase) & range_bits(w, g.start, g.last)));
  }
  return count;
}

}  // namespace ww::regalloc
