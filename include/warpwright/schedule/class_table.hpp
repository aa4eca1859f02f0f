// SPDX-License-Identifier: BSL-1.0
//
// What the engine needs to know of a scheduling class on one architecture, gathered into one table of six bytes per
// class that is built at compile time from the architecture's pages.
//
//   pipe       index of the execution pipe          interval   cycles before the pipe takes another instruction
//   min_stall  least own stall of the class, at least 1          variable   the result is covered by a dependency counter
//   unit       functional unit of PLS-9             queue      results return in order within it
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/array.hpp"
#include "../pressure/resource_vector.hpp"

namespace ww::detail {

struct class_row {
  std::uint8_t pipe = 0;
  std::uint8_t interval = 1;
  std::uint8_t min_stall = 1;
  bool variable = false;
  std::uint8_t unit = 0;
  std::uint8_t queue = 0;
};

template <class Arch>
consteval array<class_row, sched_class_count> make_class_table() {
  array<class_row, sched_class_count> table{};
  for (unsigned i = 0; i < sched_class_count; ++i) {
    const auto c = static_cast<sched_class>(i);
    class_row& row = table[i];
    row.pipe = static_cast<std::uint8_t>(Arch::pipes::pipe_of(c));
    const unsigned interval = Arch::pipes::interval(c);
    const unsigned stall = Arch::pipes::min_stall(c);
    row.interval = static_cast<std::uint8_t>(interval < 1 ? 1 : interval > 255 ? 255 : interval);
    row.min_stall = static_cast<std::uint8_t>(stall < 1 ? 1 : stall > 255 ? 255 : stall);
    row.variable = Arch::latency::variable(c);
    row.unit = static_cast<std::uint8_t>(unit_of(c));
    row.queue = static_cast<std::uint8_t>(Arch::latency::completion_queue(c));
  }
  return table;
}

template <class Arch>
inline constexpr array<class_row, sched_class_count> class_table = make_class_table<Arch>();

template <class Arch>
[[nodiscard]] constexpr const class_row& row_of(sched_class c) {
  return class_table<Arch>[static_cast<unsigned>(c)];
}

}  // namespace ww::detail
