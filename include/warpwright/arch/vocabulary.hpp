// SPDX-License-Identifier: BSL-1.0
//
// The words of the architecture tables.
//
//   fixed       the result is ready a known number of cycles after issue; the distance is kept by stall counts
//   variable    the result is ready some time later; a dependency counter tells when
//   late reader a variable-latency instruction reads its sources some time after issue, so that overwriting one
//               of them needs a counter (or the same in-order queue) too
//   queue       a set of classes whose members complete (or read their sources) in issue order
//   two numbers per rule: `check` is the tightest distance seen in shipped code (a checker complains below it),
//               `emit` the one that generated code keeps (never below `check`)
//   provenance  where a number comes from; measured may allege, observed may lower, assumed mostly warns
#pragma once

#include <cstdint>

#include "../ir/operand.hpp"
#include "../isa/sched_class.hpp"

namespace ww {

enum class provenance : std::uint8_t { documented, observed, measured, assumed };

enum class hazard_kind : std::uint8_t { raw, war, waw };

// One side of a dependence, as far as latency rules can see it.
struct access_point {
  sched_class iclass{};
  slot where = slot::none;
  reg_file file = reg_file::r;
  std::uint8_t part = 0;  // register offset inside the operand: 1 = upper half of a pair
  bool guarded = false;   // the instruction has a guard

  friend constexpr bool operator==(const access_point&, const access_point&) = default;
};

// A required issue distance in cycles between two instructions (first to second).
struct distance {
  std::uint8_t check = 1;
  std::uint8_t emit = 1;
  provenance source = provenance::assumed;

  friend constexpr bool operator==(const distance&, const distance&) = default;
};

// In-order queues. Members of one queue complete in issue order among themselves.
enum class queue_id : std::uint8_t { none, fp64, shared, global, local, xu, own, texture, barrier, tensor, loads, count };

// Execution pipes of one SM sub-core.
enum class pipe_id : std::uint8_t { none, alu, fma, fma_heavy, half, fp64, tensor, xu, lsu, tex, uniform, control, count };

inline constexpr unsigned pipe_count = static_cast<unsigned>(pipe_id::count);

}  // namespace ww
