// SPDX-License-Identifier: BSL-1.0
//
// The architecture page: what an SM policy must define. One folder per SM holds the same file set:
//
//   arch/smNN/limits.hpp   register file sizes, reserved registers, occupancy limits
//   arch/smNN/pipes.hpp    pipe of a class, issue intervals, minimum own stall
//   arch/smNN/latency.hpp  fixed or variable, RAW / WAR / WAW distances, estimates, queues
//   arch/smNN/barriers.hpp counters, set-to-wait distance, DEPBAR rules, scoreboard parameters (PLS-11)
//   arch/smNN/control.hpp  control-word format
//   arch/smNN/defaults.hpp the policies that a scheduler for this SM uses when none is named
//   arch/smNN.hpp          struct ww::smNN: `using role = role::arch;` and the six aliases
//
// Skeleton (see examples/03_own_sm.cpp for a whole one):
//   struct sm_mine {
//     using role = ww::role::arch;
//     static constexpr ww::sm_id id{1234};
//     static constexpr const char* name = "sm_mine";
//     using limits = ww::sm80::limits;      // same: declared reuse, never silent inheritance
//     using pipes = my_pipes; using latency = my_latency; using barriers = ww::sm80::barriers;
//     using control_format = ww::sm80::control_format;
//     using defaults = ww::sm80::defaults;
//   };
//
// Laws (run as a test over every shipped SM): emit >= check for all pairs; a variable class has an estimate above 0;
// pipes::interval >= 1; own stalls within barriers::max_stall; words of the defined set survive encode and decode.
#pragma once

#include <cstdint>

#include "../ir/control.hpp"
#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "vocabulary.hpp"

namespace ww {

// Numbers are compile-time constants that fit unsigned.
template <class L>
concept arch_limits = requires {
  { L::general_registers } -> meta::convertible_to<unsigned>;   // highest usable count of R registers
  { L::reserved_registers } -> meta::convertible_to<unsigned>;  // held by hardware, counted in the declared number
  { L::predicates } -> meta::convertible_to<unsigned>;
  { L::uniform_registers } -> meta::convertible_to<unsigned>;  // 0 where there are none
  { L::uniform_predicates } -> meta::convertible_to<unsigned>;
  { L::uniform_zero } -> meta::convertible_to<unsigned>;  // encoded number of URZ
  { L::max_warps } -> meta::convertible_to<unsigned>;     // per SM
  { L::sub_cores } -> meta::convertible_to<unsigned>;
  { L::register_granule } -> meta::convertible_to<unsigned>;  // registers per thread are allocated in steps of this
  { L::register_banks } -> meta::convertible_to<unsigned>;
  { L::warps_for(32u) } -> meta::convertible_to<unsigned>;  // resident warps per SM with that many registers per thread
  typename meta::constant<unsigned{L::general_registers} + unsigned{L::reserved_registers} + unsigned{L::predicates} +
                          unsigned{L::uniform_registers} + unsigned{L::uniform_predicates} + unsigned{L::uniform_zero} +
                          unsigned{L::max_warps} + unsigned{L::register_granule}>;
  typename meta::holds<(unsigned{L::sub_cores} > 0 && unsigned{L::register_banks} > 0)>;
  typename meta::holds<(unsigned{L::general_registers} > 0 && unsigned{L::predicates} > 0 && unsigned{L::max_warps} > 0 &&
                        unsigned{L::register_granule} > 0)>;
  // Numbers from there on are those of registers that have no place yet (ir/reg.hpp).
  typename meta::holds<(unsigned{L::general_registers} < reg::first_virtual &&
                        unsigned{L::uniform_registers} < reg::first_virtual)>;
};

// Members that a page may leave out. One that is there with another signature would never be asked, so it does not fit.
namespace detail {
template <class P>
concept names_pace = requires {
  &P::paced_interval;
};
template <class P>
concept paces = requires(sched_class c) {
  { P::paced_interval(c) } -> meta::convertible_to<unsigned>;  // cycles that the compiler keeps between two of a pipe
};
template <class P>
concept names_paced_pipe = requires {
  &P::paced_pipe;
};
template <class P>
concept paces_pipe = requires(sched_class c) {
  { P::paced_pipe(c) } -> meta::same_as<pipe_id>;  // the pipe to which it keeps them
};
template <class P>
concept names_barrier_distance = requires {
  P::behind_barrier;
};
template <class P>
concept keeps_behind_barrier = requires(sched_class c) {
  typename meta::constant<unsigned{P::behind_barrier}>;         // cycles that others stay behind a CTA barrier
  { P::free_behind_barrier(c) } -> meta::convertible_to<bool>;  // but not these
};
template <class L>
concept names_late_source = requires {
  &L::late_source;
};
template <class L>
concept tells_late_source = requires(access_point a) {
  { L::late_source(a) } -> meta::convertible_to<bool>;  // of a late reader, whether this source is read late
};
template <class P>
concept pace_fits = !names_pace<P> || paces<P>;
template <class P>
concept paced_pipe_fits = !names_paced_pipe<P> || paces_pipe<P>;
template <class P>
concept barrier_distance_fits = !names_barrier_distance<P> || keeps_behind_barrier<P>;
template <class L>
concept late_source_fits = !names_late_source<L> || tells_late_source<L>;
}  // namespace detail

namespace detail {
// Over all classes, in cycles; 0 where one is negative. Not `unsigned{}`: narrowing would be an error here, not an answer.
template <class P>
constexpr unsigned least_interval() {
  long long least = 1;
  for (unsigned c = 0; c < sched_class_count; ++c) {
    const auto n = static_cast<long long>(P::interval(static_cast<sched_class>(c)));
    least = n < least ? n : least;
  }
  return least < 0 ? 0u : static_cast<unsigned>(least);
}
template <class P>
constexpr bool own_stalls_within(unsigned most) {
  for (unsigned c = 0; c < sched_class_count; ++c) {
    const auto n = static_cast<long long>(P::min_stall(static_cast<sched_class>(c)));
    if (n < 0 || n > static_cast<long long>(most)) return false;
  }
  return true;
}
}  // namespace detail

template <class P>
concept arch_pipes = detail::pace_fits<P> && detail::paced_pipe_fits<P> && detail::barrier_distance_fits<P> &&
    requires(sched_class c) {
  { P::pipe_of(c) } -> meta::same_as<pipe_id>;
  { P::interval(c) } -> meta::convertible_to<unsigned>;   // cycles before the same pipe takes another warp instruction
  { P::min_stall(c) } -> meta::convertible_to<unsigned>;  // least own stall that the compiler emits for the class
  typename meta::constant<static_cast<unsigned>(P::pipe_of(sched_class{})) + unsigned{P::interval(sched_class{})} +
                          unsigned{P::min_stall(sched_class{})}>;
  typename meta::holds<(detail::least_interval<P>() >= 1)>;
};

template <class L>
concept arch_latency = detail::late_source_fits<L> && requires(sched_class c, access_point a) {
  { L::variable(c) } -> meta::same_as<bool>;                        // the result is covered by a counter
  { L::late_reader(c) } -> meta::same_as<bool>;                     // the sources are covered by a counter
  { L::raw(a, a) } -> meta::same_as<distance>;                      // (writer, reader)
  { L::war(a, a) } -> meta::same_as<distance>;                      // (reader, writer)
  { L::waw(a, a) } -> meta::same_as<distance>;                      // (first writer, second writer)
  { L::result_estimate(c, 4u) } -> meta::convertible_to<unsigned>;  // cycles to the result, by bytes moved; for models
  { L::read_estimate(c, 4u) } -> meta::convertible_to<unsigned>;    // cycles until the sources have been read
  { L::completion_queue(c) } -> meta::same_as<queue_id>;            // results return in order within it
  { L::read_queue(c) } -> meta::same_as<queue_id>;                  // sources are read in order within it
  { L::overwrite_queue(c) } -> meta::same_as<queue_id>;             // its results land behind the reads of that queue
  { L::max_fixed } -> meta::convertible_to<unsigned>;               // no fixed distance is longer than this
  typename meta::constant<unsigned{L::max_fixed} + unsigned{L::variable(sched_class{})} +
                          static_cast<unsigned>(L::completion_queue(sched_class{}))>;
};

template <class B>
concept arch_barriers = requires {
  { B::count } -> meta::convertible_to<unsigned>;        // dependency counters per warp
  { B::set_to_wait } -> meta::convertible_to<unsigned>;  // cycles from a set to the first wait that sees it
  { B::counter_max } -> meta::convertible_to<unsigned>;  // largest count of one counter
  { B::depbar_min_stall } -> meta::convertible_to<unsigned>;
  { B::max_stall } -> meta::convertible_to<unsigned>;           // largest stall with the yield form
  { B::max_stall_stay } -> meta::convertible_to<unsigned>;      // largest stall without it (11 on sm_70+)
  { B::scoreboard_entries } -> meta::convertible_to<unsigned>;  // PLS-11, 0 where the text has none
  { B::max_triplets } -> meta::convertible_to<unsigned>;
  { B::dependence_rules } -> meta::convertible_to<unsigned>;
  { B::raw_max_stall } -> meta::convertible_to<unsigned>;    // 39
  { B::barrier_latency } -> meta::convertible_to<unsigned>;  // 56
  { B::yield_threshold } -> meta::convertible_to<unsigned>;
  { B::stall_floor } -> meta::convertible_to<unsigned>;
  typename meta::holds<(unsigned{B::count} >= 1 &&
                        unsigned{B::count} <= control::barrier_count)>;  // what control words name
  typename meta::holds<(unsigned{B::counter_max} >= 1)>;
  typename meta::holds<(unsigned{B::max_stall_stay} >= 1 && unsigned{B::max_stall_stay} <= unsigned{B::max_stall})>;
  typename meta::constant<unsigned{B::set_to_wait} + unsigned{B::counter_max} + unsigned{B::depbar_min_stall} +
                          unsigned{B::max_stall} + unsigned{B::max_stall_stay} + unsigned{B::scoreboard_entries} +
                          unsigned{B::max_triplets} + unsigned{B::dependence_rules} + unsigned{B::raw_max_stall} +
                          unsigned{B::barrier_latency} + unsigned{B::yield_threshold} + unsigned{B::stall_floor}>;
};

// Every own stall, of each class and of DEPBAR, is one that a word may have.
template <class P, class B>
concept arch_stalls = requires {
  typename meta::holds<(detail::own_stalls_within<P>(B::max_stall) &&
                        unsigned{B::depbar_min_stall} <= unsigned{B::max_stall})>;
};

template <class F>
concept control_format = requires(control c, std::uint32_t w) {
  { F::encode(c) } -> meta::same_as<std::uint32_t>;
  { F::decode(w) } -> meta::same_as<control>;
  { F::valid(w) } -> meta::same_as<bool>;  // every field is one that the hardware defines
  typename meta::constant<unsigned{F::bits}>;
};

template <class A>
concept arch_policy = meta::same_as<typename A::role, role::arch> && requires {
  { A::id } -> meta::convertible_to<sm_id>;
  typename meta::constant<static_cast<unsigned>(static_cast<sm_id>(A::id))>;
  { A::name } -> meta::convertible_to<const char*>;
  typename A::defaults;
  requires __is_class(typename A::defaults);
  sizeof(typename A::defaults);  // defined, not declared alone
} && arch_limits<typename A::limits> && arch_pipes<typename A::pipes> && arch_latency<typename A::latency> &&
    arch_barriers<typename A::barriers> && arch_stalls<typename A::pipes, typename A::barriers> &&
    control_format<typename A::control_format>;

}  // namespace ww
