// SPDX-License-Identifier: BSL-1.0
//
// The scheduling-constraint page. A constraint looks at the best candidate before it is placed and may ask to
// postpone it. It is a wish, never a law: the graph alone says what is legal.
//
//   admits   true = place it now. The engine asks every constraint; a refused candidate waits one pick
//   patience how often one instruction may be refused by one pick or another; then it is placed, and counted as a violation
//   counters_used   (may be left out) dependency counters that it takes for granted: no more than the architecture has
// PS-2 rules know physical registers: `Arch` is there for banks and limits.
// When every candidate of the cycle is refused, the best one is placed: a constraint can never make a legal block
// unschedulable, and it never costs more than `patience` picks per instruction.
//
//   struct mine {
//     using role = ww::role::constraint;
//     static constexpr const char* name = "mine";
//     static constexpr unsigned patience = 1;
//     template <class Arch>
//     static bool admits(const ww::constraint::issue_view& next, const ww::constraint::issue_window& placed);
//   };
#pragma once

#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "issue_window.hpp"

namespace ww {

namespace detail {
template <class C>
concept names_counters = requires {
  C::counters_used;
};
template <class C>
concept counts_counters = requires {
  typename meta::constant<unsigned{C::counters_used}>;
};
}  // namespace detail

// Checked with the architecture that the composition names.
template <class C, class Arch>
concept schedule_constraint = (!detail::names_counters<C> ||
                               detail::counts_counters<C>)&&requires(const constraint::issue_view& v,
                                                                     const constraint::issue_window& w) {
  { C::name } -> meta::convertible_to<const char*>;
  typename meta::constant<unsigned{C::patience}>;
  { C::template admits<Arch>(v, w) } -> meta::same_as<bool>;
};

}  // namespace ww
