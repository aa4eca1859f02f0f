// SPDX-License-Identifier: BSL-1.0
//
// How many slots a register takes, how far a search for them steps and how far it goes (FPA-2).
//
//   stride         1 << alignment
//   aligned width  the width, rounded up to a multiple of the stride
//   pair mode      single; paired: two such registers share a physical one, slots are halves of it, and there are twice as
//                  many; doubled: twice the aligned width, twice the step
//   footprint      slots that a register takes; step: distance between slots at which one may start
//   ceiling        the last slot of the search that is within the budget
//   budget         slots that a search may look at: a few more than the hardware has, so that it can be seen by how much an
//                  attempt failed
#pragma once

#include <cstdint>

namespace ww::regalloc {

enum class pair_mode : std::uint8_t { single = 0, paired = 1, doubled = 3 };

// Which number of an allocation mode multiplies the budget: phis of plain and of paired registers need more room.
enum class allocation_mode : std::uint8_t { normal = 0, phi = 3, paired_phi = 6 };

inline constexpr std::uint32_t headroom = 7;            // slots looked at beyond the hardware limit
inline constexpr std::uint32_t scan_padding = 4;        // entries of the pressure arrays beyond the last slot
inline constexpr std::uint32_t most_registers = 4096;   // assumed: a larger file is a mistake, and cut down to this
inline constexpr std::uint32_t largest_alignment = 12;  // assumed: likewise, log2

[[nodiscard]] constexpr std::uint32_t stride_of(std::uint32_t alignment_log2) {
  return std::uint32_t{1} << (alignment_log2 < largest_alignment ? alignment_log2 : largest_alignment);
}

// ceil(width / stride) * stride, and at least one stride.
[[nodiscard]] constexpr std::uint32_t aligned_width(std::uint32_t width, std::uint32_t alignment_log2) {
  const std::uint32_t stride = stride_of(alignment_log2);
  return (width == 0 ? stride : stride + width - 1) & (0u - stride);
}

[[nodiscard]] constexpr std::uint32_t footprint_of(std::uint32_t width, std::uint32_t alignment_log2, pair_mode mode) {
  return aligned_width(width, alignment_log2) << (mode == pair_mode::doubled ? 1 : 0);
}

[[nodiscard]] constexpr std::uint32_t step_of(std::uint32_t alignment_log2, pair_mode mode) {
  return stride_of(alignment_log2) << (mode == pair_mode::doubled ? 1 : 0);
}

[[nodiscard]] constexpr std::uint32_t budget_of(std::uint32_t hardware_limit, allocation_mode mode) {
  const std::uint32_t slots = (hardware_limit < most_registers ? hardware_limit : most_registers) + headroom;
  return mode == allocation_mode::paired_phi ? slots * 4 : mode == allocation_mode::phi ? slots * 2 : slots;
}

// How often the ceiling doubles: once where slots are halves, twice for doubled registers of a class with a quad ceiling.
[[nodiscard]] constexpr std::uint32_t ceiling_shift(pair_mode mode, bool quad_ceiling) {
  return mode == pair_mode::paired ? 1u : mode == pair_mode::doubled && quad_ceiling ? 2u : 0u;
}

[[nodiscard]] constexpr std::uint32_t ceiling_of(std::uint32_t max_slot, std::uint32_t shift) {
  return ((max_slot + 1) << shift) - 1;
}

// Entries of the pressure arrays that a search of this many slots uses.
[[nodiscard]] constexpr std::uint32_t scan_width_of(std::uint32_t slot_count) { return slot_count + scan_padding; }

// The last slot that a register takes: what the consumption counter counts to. Of a single register this is its slot, of a
// doubled one of width one the slot behind.
[[nodiscard]] constexpr std::uint32_t consumption_of(std::uint32_t slot, std::uint32_t footprint) {
  return slot + footprint - 1;
}

static_assert(aligned_width(1, 0) == 1 && aligned_width(2, 0) == 2 && aligned_width(2, 1) == 2 && aligned_width(3, 1) == 4);
static_assert(step_of(1, pair_mode::single) == 2 && step_of(1, pair_mode::paired) == 2 &&
              step_of(1, pair_mode::doubled) == 4);
static_assert(footprint_of(3, 1, pair_mode::paired) == 4 && footprint_of(3, 1, pair_mode::doubled) == 8);
static_assert(budget_of(255, allocation_mode::normal) == 262 && budget_of(255, allocation_mode::phi) == 524 &&
              budget_of(255, allocation_mode::paired_phi) == 1048 && budget_of(7, allocation_mode::normal) == 14);
static_assert(ceiling_of(254, 0) == 254 && ceiling_of(254, 1) == 509 && ceiling_of(6, 2) == 27);
static_assert(ceiling_shift(pair_mode::doubled, false) == 0 && ceiling_shift(pair_mode::doubled, true) == 2);
static_assert(consumption_of(8, footprint_of(1, 0, pair_mode::single)) == 8 &&
              consumption_of(8, footprint_of(1, 0, pair_mode::doubled)) == 9);

}  // namespace ww::regalloc
