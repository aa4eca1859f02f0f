// SPDX-License-Identifier: BSL-1.0
//
// LatencyScale of backend C (PLS-17): the latency of a scheduling class on one SM, with an ALU instruction as the unit.
//
//   cycles   of a class with variable latency the result estimate for four bytes, of the others the distance that generated
//            code keeps from it to an ALU instruction that reads its result
// One table per SM, made at compile time from the architecture's latency page.
#pragma once

#include <cstdint>

#include "../../arch/vocabulary.hpp"
#include "../../isa/sched_class.hpp"
#include "../../meta/array.hpp"

namespace ww::backend::c {

template <class Arch>
[[nodiscard]] constexpr unsigned class_cycles(sched_class c) {
  using latency = typename Arch::latency;
  if (latency::variable(c)) return static_cast<unsigned>(latency::result_estimate(c, 4u));
  const access_point writer{c, slot::dst, reg_file::r, 0, false};
  const access_point reader{sched_class::alu, slot::a, reg_file::r, 0, false};
  const unsigned cycles = latency::raw(writer, reader).emit;
  return cycles < 1 ? 1 : cycles;
}

namespace detail {

struct latency_row {
  double scale = 1;
  std::uint16_t cycles = 1;
};

template <class Arch>
consteval array<latency_row, sched_class_count> make_latency_rows() {
  array<latency_row, sched_class_count> rows{};
  const double unit = class_cycles<Arch>(sched_class::alu);
  for (unsigned i = 0; i < sched_class_count; ++i) {
    const unsigned cycles = class_cycles<Arch>(static_cast<sched_class>(i));
    rows[i] = {cycles / unit, static_cast<std::uint16_t>(cycles)};
  }
  return rows;
}

template <class Arch>
inline constexpr array<latency_row, sched_class_count> latency_rows = make_latency_rows<Arch>();

}  // namespace detail

template <class Arch>
[[nodiscard]] constexpr double latency_scale(sched_class c) {
  return detail::latency_rows<Arch>[static_cast<unsigned>(c)].scale;
}

// The longest of all classes, in cycles.
template <class Arch>
[[nodiscard]] consteval unsigned longest_latency() {
  unsigned most = 1;
  for (const detail::latency_row& r : detail::latency_rows<Arch>) most = r.cycles > most ? r.cycles : most;
  return most;
}

}  // namespace ww::backend::c
