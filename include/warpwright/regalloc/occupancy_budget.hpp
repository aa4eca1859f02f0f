// SPDX-License-Identifier: BSL-1.0
//
// How much of its register budget a function may use before spilling starts: less where occupancy matters (FPA-9).
//
//   step_scale       a step function of the register count: the low scale up to the limit of the file, the high scale beyond
//   budget_fraction  a line: from the medium scale where occupancy is highest, to the high scale where it is lowest
//   spill_threshold  the fraction of the registers that the class may have
//   triggers_spill   more registers are wanted than the threshold
// occupancy_span is the domain of the line. The text asks the target for both ends and gives 240 and 480 for one SM, in a unit
// that it does not name. As the model puts a register count in, span_of<Arch> takes registers per thread: the most that keep
// every warp resident, and the most that there are. A caller who knows better says so: all functions take a span.
#pragma once

#include <cstdint>

#include "../pressure/occupancy.hpp"

namespace ww::regalloc {

// The five settings of the text, with its defaults. A policy: derive from it and replace what is different.
struct occupancy_coefficients {
  static constexpr double low_scale = 0.2;
  static constexpr double high_scale = 1.0;
  static constexpr double medium_scale = 0.3;
  static constexpr unsigned low_count = 119;   // end of the first tier, registers
  static constexpr unsigned high_count = 160;  // end of the second tier
};

inline constexpr unsigned largest_register_count = 255;  // end of the third tier, unless the target takes some away

struct occupancy_span {
  double highest = 0;  // where occupancy is highest: fewest registers
  double lowest = 0;
};

template <class Arch>
[[nodiscard]] constexpr occupancy_span span_of() {
  const register_occupancy full = occupancy_of<Arch>(1);
  return {static_cast<double>(full.budget), static_cast<double>(Arch::limits::general_registers)};
}

// Threads that count as resident: what the hardware holds, or one below the first tier's end where that was set by hand.
[[nodiscard]] constexpr unsigned total_threads(unsigned hardware_threads, bool count_was_set, unsigned low_count) {
  const unsigned most = low_count == 0 ? 0 : low_count - 1;
  return count_was_set && hardware_threads > most ? most : hardware_threads;
}

template <class Coefficients = occupancy_coefficients>
struct occupancy_budget {
  using coefficients = Coefficients;

  // `taken`: registers that the target takes away from the largest count.
  [[nodiscard]] static constexpr double step_scale(unsigned registers, unsigned taken = 0) {
    const unsigned limit = taken < largest_register_count ? largest_register_count - taken : 0;
    const double value[] = {Coefficients::low_scale, Coefficients::low_scale, Coefficients::low_scale,
                            Coefficients::high_scale};
    const unsigned end[] = {Coefficients::low_count, Coefficients::high_count, limit};
    unsigned tier = 0;
    while (tier < 3 && registers > end[tier]) ++tier;
    return value[tier];
  }
  [[nodiscard]] static constexpr double slope(const occupancy_span& s) {
    if (s.lowest == s.highest) return 0;
    return (Coefficients::high_scale - Coefficients::medium_scale) / (s.lowest - s.highest);
  }
  [[nodiscard]] static constexpr double budget_fraction(double registers, const occupancy_span& s) {
    return (registers - s.highest) * slope(s) + Coefficients::medium_scale;
  }
  // `paired`: two registers of the class share one, so that half as many count.
  [[nodiscard]] static constexpr double spill_threshold(std::uint32_t registers, bool paired, std::uint32_t class_budget,
                                                        std::uint32_t class_floor, const occupancy_span& s) {
    const std::uint64_t counted = paired ? (std::uint64_t{registers} + 1) >> 1 : registers;
    const double range = static_cast<double>(class_budget) - static_cast<double>(class_floor) + 1.0;
    return budget_fraction(static_cast<double>(counted), s) * range;
  }
  // Spilled already, waiting to be spilled, and in registers: all of them together.
  [[nodiscard]] static constexpr bool triggers_spill(std::uint32_t spilled, std::uint32_t waiting, std::uint32_t registers,
                                                     double threshold) {
    return static_cast<double>(std::uint64_t{spilled} + waiting + registers) > threshold;
  }
};

}  // namespace ww::regalloc
