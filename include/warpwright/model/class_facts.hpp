// SPDX-License-Identifier: BSL-1.0
//
// What the model asks about a scheduling class, looked up once per architecture.
//
// Times are cycles: `result` from issue to the result by 0, 4, 8 and 16 bytes moved, `read` from issue to the last source
// read. `banked` marks classes whose sources are read through the register-bank ports at issue: fixed-latency vector
// arithmetic. Memory operations read late and through other ports, matrix operations own their pipe for long enough.
// `cache` is the operand cache of the class's pipe: 0 integer and single precision, 1 half precision, 2 double precision,
// 3 matrix on floating numbers, 4 on integers, 5 on doubles (observed: reuse flags of compilers reach over each other's
// reads).
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../meta/array.hpp"

namespace ww::model {

inline constexpr unsigned operand_caches = 6;
inline constexpr std::uint8_t no_cache = 255;

struct class_fact {
  array<std::uint16_t, 4> result{};
  array<std::uint16_t, 4> read{};
  std::uint16_t interval = 1;
  pipe_id pipe = pipe_id::none;
  queue_id write_queue = queue_id::none;
  queue_id read_queue = queue_id::none;
  bool variable = false;
  bool banked = false;
  std::uint8_t cache = no_cache;
};

[[nodiscard]] constexpr unsigned size_index(unsigned bytes) {
  return bytes >= 16 ? 3u : bytes >= 8 ? 2u : bytes >= 4 ? 1u : 0u;
}

namespace detail {

constexpr std::uint8_t operand_cache_of(sched_class c, pipe_id pipe) {
  switch (c) {
    case sched_class::imma_small:
    case sched_class::imma_medium:
    case sched_class::imma_large:
    case sched_class::bmma_small:
    case sched_class::bmma_large:
      return 4;
    case sched_class::dmma:
      return 5;
    case sched_class::hfma2_mma:
    case sched_class::hgmma:
      return no_cache;
    default:
      break;
  }
  switch (pipe) {
    case pipe_id::alu:
    case pipe_id::fma:
    case pipe_id::fma_heavy:
      return 0;
    case pipe_id::half:
      return 1;
    case pipe_id::fp64:
      return 2;
    case pipe_id::tensor:
      return 3;
    default:
      return no_cache;
  }
}

template <class Arch>
array<class_fact, sched_class_count> make_class_facts() {
  using lat = typename Arch::latency;
  using pipes = typename Arch::pipes;
  constexpr unsigned bytes[4] = {0, 4, 8, 16};
  array<class_fact, sched_class_count> t{};
  for (unsigned i = 0; i < sched_class_count; ++i) {
    const auto c = static_cast<sched_class>(i);
    class_fact& f = t[i];
    for (unsigned k = 0; k < 4; ++k) {
      f.result[k] = static_cast<std::uint16_t>(lat::result_estimate(c, bytes[k]));
      f.read[k] = static_cast<std::uint16_t>(lat::read_estimate(c, bytes[k]));
    }
    f.interval = static_cast<std::uint16_t>(pipes::interval(c));
    f.pipe = pipes::pipe_of(c);
    f.write_queue = lat::completion_queue(c);
    f.read_queue = lat::read_queue(c);
    f.variable = lat::variable(c);
    f.banked = !f.variable &&
               (f.pipe == pipe_id::alu || f.pipe == pipe_id::fma || f.pipe == pipe_id::fma_heavy || f.pipe == pipe_id::half);
    f.cache = operand_cache_of(c, f.pipe);
  }
  return t;
}

}  // namespace detail

// The table of one architecture, made at its first use.
template <class Arch>
const array<class_fact, sched_class_count>& class_facts() {
  static const array<class_fact, sched_class_count> table = detail::make_class_facts<Arch>();
  return table;
}

}  // namespace ww::model
