// SPDX-License-Identifier: BSL-1.0
//
// Composing a scheduler: role-tagged policies in any order become one canonical type, or one sentence.
//
//   compose_t<Kit, Wrap, Ps...>   Wrap<scheduler_config<...>>, or meta::ignore after a static assertion of ours
//   config_of<Ps...>              the scheduler_config itself, with the kit's defaults
//   composable<Ps...>             a concept: does the composition stand? Never an error
// Checks run in order and stop at the first fault: every argument alone, the roles together, each policy against its page,
// pairs of policies against each other. The sentence appears where the alias is used, because naming the alias forces the
// checks.
#pragma once

#include "../arch/concept.hpp"
#include "../constraint/concept.hpp"
#include "../meta/compose.hpp"
#include "../meta/traits.hpp"
#include "../priority/pack.hpp"
#include "config.hpp"
#include "defaults.hpp"
#include "ready_list/concept.hpp"

namespace ww {

namespace detail {

using meta::fault;

template <class P>
concept pack_like = requires {
  typename P::bit_list;
  { P::total_bits } -> meta::convertible_to<unsigned>;
};

template <class P>
concept has_name = requires {
  { P::name } -> meta::convertible_to<const char*>;
};

template <class A>
consteval fault arch_fault() {
  if constexpr (
      !requires { typename A::limits; } || !requires { requires arch_limits<typename A::limits>; }) {
    return fault::arch_limits;
  } else if constexpr (!requires { requires arch_pipes<typename A::pipes>; }) {
    return fault::arch_pipes;
  } else if constexpr (!requires { requires arch_latency<typename A::latency>; }) {
    return fault::arch_latency;
  } else if constexpr (!requires { requires arch_barriers<typename A::barriers>; }) {
    return fault::arch_barriers;
  } else if constexpr (!requires { requires control_format<typename A::control_format>; }) {
    return fault::arch_control;
  } else if constexpr (!arch_policy<A>) {
    return fault::arch_identity;
  } else {
    return fault::none;
  }
}

template <class P>
consteval fault priority_fault() {
  if constexpr (pack_like<P>) {
    if constexpr (meta::size_v<typename P::bit_list> == 0) {
      return fault::pack_empty;
    } else if constexpr (!P::all_bits) {
      return fault::pack_not_a_bit;
    } else if constexpr (!P::distinct) {
      return fault::pack_twice;
    } else if constexpr (P::total_bits > 64) {
      return fault::pack_too_wide;
    } else {
      return fault::none;
    }
  } else if constexpr (!requires { requires priority_policy<P>; }) {
    return fault::priority_page;
  } else {
    return fault::none;
  }
}

// Does a policy fill the page of its role? `Arch` is the composition's architecture.
template <class P, class Arch>
consteval fault page_fault() {
  using role_type = typename P::role;
  if constexpr (meta::is_same_v<role_type, role::arch>) {
    return arch_fault<P>();
  } else if constexpr (meta::is_same_v<role_type, role::strategy>) {
    return list_strategy<P> ? fault::none : fault::strategy_page;
  } else if constexpr (meta::is_same_v<role_type, role::mode>) {
    return mode_policy<P> ? fault::none : fault::mode_page;
  } else if constexpr (meta::is_same_v<role_type, role::ready_list>) {
    return ready_list_policy<P> ? fault::none : fault::ready_list_page;
  } else if constexpr (meta::is_same_v<role_type, role::priority>) {
    return priority_fault<P>();
  } else if constexpr (meta::is_same_v<role_type, role::constraint>) {
    if constexpr (arch_fault<Arch>() != fault::none) {
      return fault::none;  // the architecture speaks first
    } else {
      return schedule_constraint<P, Arch> ? fault::none : fault::constraint_page;
    }
  } else if constexpr (meta::is_same_v<role_type, role::disambiguation>) {
    return disambiguation_policy<P> ? fault::none : fault::disambiguation_page;
  } else if constexpr (meta::is_same_v<role_type, role::margin>) {
    return requires { P::cycles; }
    ? fault::none : fault::margin_page;
  } else {
    return has_name<P> ? fault::none : fault::policy_name;
  }
}

template <class Kit, class... Ps>
struct build_config {
  using arch = meta::pick_t<role::arch, void, Ps...>;
  using priority_type = meta::pick_t<role::priority, typename slot_priority<arch, Kit>::type, Ps...>;
  using type =
      scheduler_config<arch, meta::pick_t<role::strategy, typename slot_strategy<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::mode, typename slot_mode<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::ready_list, typename ready_list_for<priority_type>::type, Ps...>, priority_type,
                       meta::pick_many_t<role::constraint, typename slot_constraints<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::graph_builder, typename slot_graph_builder<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::disambiguation, typename slot_disambiguation<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::vector_width, typename slot_vector_width<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::barrier_policy, typename slot_barrier_policy<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::yield_policy, typename slot_yield_policy<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::reuse_policy, typename slot_reuse_policy<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::occupancy, typename slot_occupancy<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::margin, typename slot_margin<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::phases, typename slot_phases<arch, Kit>::type, Ps...>,
                       meta::pick_t<role::allocator_budget, typename slot_allocator_budget<arch, Kit>::type, Ps...>>;
};

template <class C>
consteval unsigned counters_of() {
  if constexpr (requires { C::counters_used; }) {
    return C::counters_used;
  } else {
    return 0;
  }
}
template <class... Cs>
consteval unsigned most_counters(meta::type_list<Cs...>) {
  unsigned most = 0;
  ((most = counters_of<Cs>() > most ? counters_of<Cs>() : most), ...);
  return most;
}

template <class Config>
consteval fault pair_fault() {
  if constexpr (!meta::unique_v<typename Config::constraints>) {
    return fault::constraint_twice;
  } else if constexpr (!Config::priority::fixed_key && !Config::ready_list::iterable) {
    return fault::ready_list_order;
  } else if constexpr (most_counters(typename Config::constraints{}) > Config::arch::barriers::count) {
    return fault::too_many_counters;
  } else {
    return fault::none;
  }
}

// Result of the checks: the first fault, and what meta::report is told about it (a type or two numbers).
template <fault F, class Culprit, class Config = void>
struct outcome {
  static constexpr fault value = F;
  using culprit = Culprit;
  using config = Config;
};

template <fault F, class P>
consteval auto page_outcome() {
  if constexpr (F == fault::pack_too_wide) {
    return outcome<F, meta::numbers<P::total_bits, 64>>{};
  } else {
    return outcome<F, meta::type_identity<P>>{};
  }
}

template <class Kit, class... Ps>
consteval auto examine() {
  using list = meta::type_list<Ps...>;
  constexpr fault alone[] = {meta::argument_fault<Ps>()..., fault::none};
  constexpr std::size_t bad = meta::first_fault(alone);
  if constexpr (bad < sizeof...(Ps)) {
    return outcome<alone[bad], meta::type_identity<meta::at_t<bad, list>>>{};
  } else if constexpr (constexpr fault roles = meta::role_fault<Ps...>(); roles != fault::none) {
    return outcome<roles, meta::type_identity<list>>{};
  } else {
    using arch = meta::pick_t<role::arch, void, Ps...>;
    constexpr fault pages[] = {page_fault<Ps, arch>()..., fault::none};
    constexpr std::size_t page = meta::first_fault(pages);
    if constexpr (page < sizeof...(Ps)) {
      return page_outcome<pages[page], meta::at_t<page, list>>();
    } else {
      using config = typename build_config<Kit, Ps...>::type;
      constexpr fault pairs = pair_fault<config>();
      if constexpr (pairs == fault::too_many_counters) {
        constexpr unsigned counters = most_counters(typename config::constraints{});
        return outcome<pairs, meta::numbers<counters, arch::barriers::count>>{};
      } else if constexpr (pairs != fault::none) {
        return outcome<pairs, meta::type_identity<config>>{};
      } else {
        return outcome<fault::none, void, config>{};
      }
    }
  }
}

template <template <class> class Wrap, class Outcome, fault F = Outcome::value>
struct compose_result {
  using type = decltype(meta::report(meta::fault_is<F>{}, typename Outcome::culprit{}));
};
template <template <class> class Wrap, class Outcome>
struct compose_result<Wrap, Outcome, fault::none> {
  using type = Wrap<typename Outcome::config>;
};

template <class Config>
struct config_itself {
  using type = Config;
};

}  // namespace detail

// Wrap<config>, or meta::ignore beside one static assertion.
template <class Kit, template <class> class Wrap, class... Ps>
using compose_t = typename detail::compose_result<Wrap, decltype(detail::examine<Kit, Ps...>())>::type;

// The canonical configuration of a composition, with the kit's own defaults.
template <class... Ps>
using config_of = typename compose_t<detail::kit_defaults, detail::config_itself, Ps...>::type;

template <class... Ps>
concept composable = decltype(detail::examine<detail::kit_defaults, Ps...>())::value == meta::fault::none;

}  // namespace ww
