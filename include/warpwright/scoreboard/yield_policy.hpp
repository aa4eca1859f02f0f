// SPDX-License-Identifier: BSL-1.0
//
// When an instruction carries the yield form of its stall (SB-6). Each policy is an empty type of role yield_policy.
//
//   yields::observed   (default) what the compiler does: vector arithmetic yields at stalls of three cycles and more, the
//                      uniform path where they cover a result; at 12 and more everything does. Where nothing has yielded
//                      for `rhythm` cycles, vector arithmetic does so at a stall of two (yield_rhythm.hpp)
//   yields::text       the text's EncodeYieldField: yield from 3 cycles on; the cap at the threshold
//                      (4) is not applied, for shortening a stall would break a dependence (docs/deviations.md)
//   yields::stay       never yield unless the code set requires it
// yield_adjust.hpp makes others of them: no yields behind some instructions, batches of textures.
// Whatever a policy says, a stall above `max_stall_stay` must yield (codes 28..31 are undefined) and a drain always does.
#pragma once

#include <cstdint>

#include "../isa/sched_class.hpp"
#include "../meta/pick.hpp"
#include "../meta/role.hpp"
#include "../meta/traits.hpp"

namespace ww::scoreboard {

// Vector arithmetic and NOP. The compiler yields at every stall of three cycles and more of these classes, whatever the stall
// is for, a busy pipe as well as a result (observed on sm_80: 5,163 of 5,168), and hardly ever behind memory accesses, matrix
// instructions, the special unit, barriers and branches (4 of 9,300); uniform instructions in between.
[[nodiscard]] constexpr bool yields_when_it_stalls(sched_class c) {
  return c >= sched_class::nop && c <= sched_class::dsetp;
}

// `yield` of a policy for an SM with that page of barriers: a stall in cycles, and whether it covers a result.
template <class Y>
concept names_rhythm = requires {
  Y::rhythm;
};
template <class Y>
concept has_rhythm = requires {
  typename meta::constant<std::int32_t{Y::rhythm}>;  // cycles; may be left out
};
template <class Y>
concept names_adjust = requires {
  typename Y::adjust;
};
template <class Y>
concept has_adjust = requires(typename Y::adjust a, sched_class of, unsigned stall, bool yields) {
  { a.visit(of, stall, yields) } -> meta::same_as<bool>;  // by instruction of a block in order; may be left out
};
template <class Y, class Barriers>
concept yield_chooser = (!names_rhythm<Y> || has_rhythm<Y>)&&(!names_adjust<Y> ||
                                                              has_adjust<Y>)&&requires(unsigned stall, bool covers_latency) {
  { Y::name } -> meta::convertible_to<const char*>;
  { Y::template yield<Barriers>(stall, covers_latency) } -> meta::same_as<bool>;
};

}  // namespace ww::scoreboard

template <>
struct ww::meta::role_page<ww::role::yield_policy> {
  template <class P, class Arch>
  static constexpr bool filled = ww::scoreboard::yield_chooser<P, typename Arch::barriers>;
};

namespace ww::yields {

struct observed {
  using role = ww::role::yield_policy;
  static constexpr const char* name = "observed";
  static constexpr std::int32_t rhythm = 10;  // cycles
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool covers_latency) {
    return (covers_latency && stall >= 3) || stall > Barriers::max_stall_stay;
  }
};

struct text {
  using role = ww::role::yield_policy;
  static constexpr const char* name = "text";
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool) {
    return stall >= 3 || stall > Barriers::max_stall_stay;  // not the floor of knob 741, which is 3 as well
  }
};

struct stay {
  using role = ww::role::yield_policy;
  static constexpr const char* name = "stay";
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool) {
    return stall > Barriers::max_stall_stay;
  }
};

}  // namespace ww::yields
