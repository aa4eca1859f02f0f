// SPDX-License-Identifier: BSL-1.0
//
// Composing a scheduler: role-tagged policies in any order become one canonical type, or one sentence.
//
//   compose_t<Kit, Wrap, Ps...>   Wrap<scheduler_config<...>>, or what stands in for it after a static assertion of ours
//   config_of<Ps...>              the scheduler_config itself, with the kit's defaults
//   composable<Ps...>             a concept: does the composition stand? Never an error
// Checks run in order and stop at the first fault: every argument alone, the roles together, each policy against its page,
// the architecture's defaults, pairs of policies against each other. The sentence appears where the alias is used, because naming the alias forces the
// checks.
#pragma once

#include "../meta/compose.hpp"
#include "../meta/traits.hpp"
#include "config.hpp"
#include "defaults.hpp"
#include "pages.hpp"
#include "usable_strategy.hpp"

namespace ww {

namespace detail {

template <class Kit, class... Ps>
struct build_config {
  using arch = meta::pick_t<role::arch, void, Ps...>;
  using priority_type = meta::pick_t<role::priority, typename slot_priority<arch, Kit>::type, Ps...>;
  using type = scheduler_config<
      arch, meta::pick_t<role::strategy, typename slot_strategy<arch, Kit>::type, Ps...>,
      meta::pick_t<role::mode, typename slot_mode<arch, Kit>::type, Ps...>,
      meta::pick_t<role::ready_list, typename ready_list_for<priority_type, slot_ready_list<arch, Kit>>::type, Ps...>,
      priority_type, meta::pick_many_t<role::constraint, typename slot_constraints<arch, Kit>::type, Ps...>,
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
  } else if constexpr (Config::margin::cycles != 0 &&
                       (__is_final(typename Config::arch) || __is_final(typename Config::arch::latency))) {
    return fault::arch_final;
  } else if constexpr (!usable_strategy<Config>()) {
    return fault::strategy_order;
  } else if constexpr (!usable_hooks<Config>()) {
    return fault::strategy_hook;
  } else {
    return fault::none;
  }
}

// Is something named that nothing reads? `Ps` are the policies as written, defaults apart.
template <class Config, class... Ps>
consteval fault unread_fault() {
  using s = typename Config::strategy;
  constexpr bool names_mode = !meta::is_same_v<meta::pick_t<role::mode, void, Ps...>, void>;
  constexpr bool names_priority = !meta::is_same_v<meta::pick_t<role::priority, void, Ps...>, void>;
  if constexpr (names_priority && !s::uses_priority) {
    return fault::priority_unread;
  } else if constexpr (names_mode && (!s::uses_priority || Config::priority::fixed_key)) {
    return runs_in_engine<s>() ? fault::mode_unread : fault::none;
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
    } else if constexpr (!defaults_fit<Kit, arch>()) {
      return outcome<fault::arch_defaults, meta::type_identity<arch>>{};
    } else {
      using config = typename build_config<Kit, Ps...>::type;
      constexpr fault fits = pair_fault<config>();
      constexpr fault pairs = fits != fault::none ? fits : unread_fault<config, Ps...>();
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

// What a wrong composition names: the kit's `rejected`, which has the interface of the real thing, if it has one.
template <class Kit, class Reported>
struct named_instead {
  using type = Reported;
};
template <class Kit, class Reported>
requires requires { typename Kit::rejected; }
struct named_instead<Kit, Reported> {
  using type = typename Kit::rejected;
};

template <class Kit, template <class> class Wrap, class Outcome, fault F = Outcome::value>
struct compose_result {
  using type = typename named_instead<Kit, decltype(meta::report(meta::fault_is<F>{}, typename Outcome::culprit{}))>::type;
};
template <class Kit, template <class> class Wrap, class Outcome>
struct compose_result<Kit, Wrap, Outcome, fault::none> {
  using type = Wrap<typename Outcome::config>;
};

template <class Config>
struct config_itself {
  using type = Config;
};

// What config_of names for a wrong composition: workspaces of it can be made, and what orders by it does nothing.
struct rejected_config {
  static constexpr bool composed = false;
  using strategy = ww::strategy::list;
  using ready_list = ww::ready_list::heap<>;
};
struct config_defaults : kit_defaults {
  using rejected = config_itself<rejected_config>;
};

}  // namespace detail

// Wrap<config>, or Kit::rejected (meta::ignore if there is none) beside one static assertion.
template <class Kit, template <class> class Wrap, class... Ps>
using compose_t = typename detail::compose_result<Kit, Wrap, decltype(detail::examine<Kit, Ps...>())>::type;

// The canonical configuration of a composition, with the kit's own defaults.
template <class... Ps>
using config_of = typename compose_t<detail::config_defaults, detail::config_itself, Ps...>::type;

template <class... Ps>
concept composable = decltype(detail::examine<detail::config_defaults, Ps...>())::value == meta::fault::none;

}  // namespace ww
