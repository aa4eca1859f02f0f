// SPDX-License-Identifier: BSL-1.0
//
// What the reuse rules ask about a scheduling class, looked up once per architecture.
//
//   cache     which operand cache its sources are kept in. Pipes share one: 0 integer and single precision, 1 half
//             precision, 2 double precision, 3 matrix on floating numbers, 4 matrix on integers, 5 matrix on doubles
//   ports     bit p: a source of port p + 1 may carry a flag and may take a kept value; 0 = the class has neither
//   widest    registers of the widest source that is kept
//   interval  cycles before the pipe takes another warp instruction
//   banked    its sources are read through the bank ports at issue, so that a saved read can save a cycle (model/ prices
//             the same classes)
// Provenance: observed. In compiler output no value kept by one of these groups is taken by another, and reads of one do not
// drop what another keeps (HFMA2.MMA was seen to take through its third port only). Matrix sources wider than
// `matrix_reuse_registers` of the architecture are not kept. Of matrix operations the third port, that of what is added to, carries
// no flag (none of some 120,000 in compiler output; disassemblers refuse such words), on sm_120 neither does the first one
// (`matrix_reuse_ports`). Where double precision is a shared pipe of Blackwell (sm_103, sm_110, sm_120) compilers set no flag on
// doubles (`double_reuse_ports`), on sm_50 none on DSETP (`double_compare_reuse_ports`).
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/array.hpp"

namespace ww::scoreboard {

inline constexpr unsigned reuse_caches = 7;

struct reuse_class {
  std::uint8_t cache = 0;
  std::uint8_t ports = 0;
  std::uint8_t widest = 0;
  std::uint8_t interval = 1;
  bool banked = false;
};

namespace detail {

template <class Limits>
constexpr std::uint8_t widest_matrix_source() {
  if constexpr (requires { Limits::matrix_reuse_registers; }) {
    return static_cast<std::uint8_t>(Limits::matrix_reuse_registers);
  } else {
    return 4;
  }
}

template <class Limits>
constexpr std::uint8_t matrix_ports() {
  if constexpr (requires { Limits::matrix_reuse_ports; }) {
    return static_cast<std::uint8_t>(Limits::matrix_reuse_ports);
  } else {
    return 3;
  }
}

template <class Limits>
constexpr std::uint8_t double_ports() {
  if constexpr (requires { Limits::double_reuse_ports; }) {
    return static_cast<std::uint8_t>(Limits::double_reuse_ports);
  } else {
    return 7;
  }
}

// Of doubles that are compared.
template <class Limits>
constexpr std::uint8_t compare_ports() {
  if constexpr (requires { Limits::double_compare_reuse_ports; }) {
    return static_cast<std::uint8_t>(Limits::double_compare_reuse_ports);
  } else {
    return 7;
  }
}

template <class Arch>
constexpr reuse_class reuse_class_of(sched_class c) {
  using pipes = typename Arch::pipes;
  constexpr std::uint8_t matrix = widest_matrix_source<typename Arch::limits>();
  constexpr std::uint8_t ports = matrix_ports<typename Arch::limits>();
  constexpr std::uint8_t doubles = double_ports<typename Arch::limits>();
  const auto interval = static_cast<std::uint8_t>(pipes::interval(c));
  const bool timed = !Arch::latency::variable(c);
  switch (c) {
    case sched_class::hmma_small:
    case sched_class::hmma_medium:
    case sched_class::hmma_large:
    case sched_class::hmma_sparse:
    case sched_class::qmma:
      return {3, ports, matrix, interval, false};
    case sched_class::imma_small:
    case sched_class::imma_medium:
    case sched_class::imma_large:
    case sched_class::bmma_small:
    case sched_class::bmma_large:
      return {4, ports, matrix, interval, false};
    case sched_class::dmma:
      return {5, static_cast<std::uint8_t>(ports & doubles), matrix, interval, false};
    case sched_class::dsetp:
      return {2, static_cast<std::uint8_t>(doubles & compare_ports<typename Arch::limits>()), 2, interval, false};
    case sched_class::hfma2_mma:
      return {6, 7, 2, interval, false};
    case sched_class::r2ur:  // the newest compilers flag it, by a rule that is not known
      return {};
    default:
      break;
  }
  switch (pipes::pipe_of(c)) {
    case pipe_id::alu:
    case pipe_id::fma:
    case pipe_id::fma_heavy:
      return {0, 7, 2, interval, timed};
    case pipe_id::half:
      return {1, 7, 2, interval, timed};
    case pipe_id::fp64:
      return {2, doubles, 2, interval, false};
    default:
      return {};
  }
}

template <class Arch>
constexpr array<reuse_class, sched_class_count> make_reuse_classes() {
  array<reuse_class, sched_class_count> t{};
  for (unsigned i = 0; i < sched_class_count; ++i) t[i] = reuse_class_of<Arch>(static_cast<sched_class>(i));
  return t;
}

}  // namespace detail

template <class Arch>
inline constexpr array<reuse_class, sched_class_count> reuse_classes = detail::make_reuse_classes<Arch>();

}  // namespace ww::scoreboard
