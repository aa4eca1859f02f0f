// SPDX-License-Identifier: BSL-1.0
//
// The first half of composing a scheduler: are the arguments policies, and do their roles fit together?
//
//   argument_fault<P>()   one argument: a plain, complete, empty type that is not polymorphic, with a role of ww::role
//   role_fault<Ps...>()   all of them: exactly one architecture, at most one of every other single role
//   first_bad<Ps...>      the first argument with a fault, and which
// The functions only answer; they never fail to compile. meta/faults.hpp turns an answer into a sentence, and
// schedule/compose.hpp adds the second half: does each policy fill its page, and do pairs of them agree?
#pragma once

#include "faults.hpp"
#include "pick.hpp"
#include "role.hpp"
#include "traits.hpp"
#include "type_list.hpp"

namespace ww::meta {

namespace detail {

template <class P>
concept complete_type = requires {
  sizeof(P);
};

template <class P>
consteval fault argument_fault_impl() {
  if constexpr (is_decorated_v<P>) {
    return fault::not_plain;
  } else if constexpr (!__is_class(P)) {
    return fault::no_role;
  } else if constexpr (!complete_type<P>) {
    return fault::incomplete;
  } else if constexpr (!names_role<P>) {
    return fault::no_role;
  } else if constexpr (!has_role<P>) {
    return fault::unknown_role;
  } else if constexpr (__is_polymorphic(P)) {
    return fault::polymorphic;
  } else if constexpr (!__is_empty(P)) {
    return fault::not_empty;
  } else {
    return fault::none;
  }
}

}  // namespace detail

template <class P>
consteval fault argument_fault() {
  return detail::argument_fault_impl<P>();
}

// Call only when every argument is without fault.
template <class... Ps>
consteval fault role_fault() {
  struct limit {
    std::size_t count;
    fault if_more;
  };
  if (role_count_v<role::arch, Ps...> == 0) return fault::no_arch;
  const limit limits[] = {{role_count_v<role::arch, Ps...>, fault::two_archs},
                          {role_count_v<role::strategy, Ps...>, fault::two_strategies},
                          {role_count_v<role::mode, Ps...>, fault::two_modes},
                          {role_count_v<role::ready_list, Ps...>, fault::two_ready_lists},
                          {role_count_v<role::priority, Ps...>, fault::two_priorities},
                          {role_count_v<role::graph_builder, Ps...>, fault::two_graph_builders},
                          {role_count_v<role::disambiguation, Ps...>, fault::two_disambiguations},
                          {role_count_v<role::vector_width, Ps...>, fault::two_vector_widths},
                          {role_count_v<role::barrier_policy, Ps...>, fault::two_barrier_policies},
                          {role_count_v<role::yield_policy, Ps...>, fault::two_yield_policies},
                          {role_count_v<role::reuse_policy, Ps...>, fault::two_reuse_policies},
                          {role_count_v<role::occupancy, Ps...>, fault::two_occupancies},
                          {role_count_v<role::margin, Ps...>, fault::two_margins},
                          {role_count_v<role::phases, Ps...>, fault::two_phase_lists},
                          {role_count_v<role::allocator_budget, Ps...>, fault::two_allocator_budgets}};
  for (const limit& l : limits) {
    if (l.count > 1) return l.if_more;
  }
  return fault::none;
}

// Place of the first argument for which `faults[i]` is not none, or the number of arguments.
template <std::size_t N>
consteval std::size_t first_fault(const fault (&faults)[N]) {
  std::size_t i = 0;
  while (i < N && faults[i] == fault::none) ++i;
  return i;
}

}  // namespace ww::meta
