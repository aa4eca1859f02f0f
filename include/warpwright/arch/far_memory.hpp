// SPDX-License-Identifier: BSL-1.0
//
// Loads that miss the first-level cache.
//
//   far access           a load or atomic of global or generic memory, a texture or a surface (leaves_core in ir/instruction.hpp)
//   far_cycles<Latency>  cycles by which its result comes later than Latency::result_estimate says when it comes from the
//                        second-level cache
// result_estimate is of hits. What a program costs beyond that decides on which side a compiler errs: a wait that stands too early
// is free while everything hits, and costs a whole round trip when it does not. So counters are chosen, and orders and words
// compared, by both.
#pragma once

#include <cstdint>

namespace ww {

// Assumed for every SM whose page says nothing: what was measured on sm_90, rounded.
inline constexpr std::int32_t assumed_far_cycles = 250;

namespace detail {

template <class Latency>
constexpr std::int32_t far_cycles_of() {
  if constexpr (requires { Latency::far_cycles; }) {
    return static_cast<std::int32_t>(Latency::far_cycles);
  } else {
    return assumed_far_cycles;
  }
}

}  // namespace detail

template <class Latency>
inline constexpr std::int32_t far_cycles = detail::far_cycles_of<Latency>();

}  // namespace ww
