// SPDX-License-Identifier: BSL-1.0
//
// The pages of a composition: does each policy have what the library calls?
//
//   page_fault<P, Arch>()       the policy P against the page of its role, for the architecture of the composition
//   defaults_fit<Kit, Arch>()   what `Arch::defaults` name, each against the page of its slot
// Pages are concepts in the header of their role; a role whose layer stands above this one specialises meta::role_page.
// Only policies that are given are looked at, and nothing here fails to compile.
#pragma once

#include "../arch/concept.hpp"
#include "../arch/margin.hpp"
#include "../constraint/concept.hpp"
#include "../graph/build.hpp"
#include "../meta/compose.hpp"
#include "../meta/traits.hpp"
#include "../priority/pack.hpp"
#include "../simd/concept.hpp"
#include "defaults.hpp"
#include "mode.hpp"
#include "ready_list/concept.hpp"
#include "strategy.hpp"

namespace ww::detail {

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

// Does a word of the format hold what is written into it: the longest stall in both forms, every counter, a wait for all of
// them? A format that is not constexpr is believed.
template <class Format, class Barriers>
consteval bool format_holds() {
  if constexpr (requires { typename meta::constant<Format::encode(control{}) + unsigned{Format::valid(0)}>; }) {
    control c;
    c.stall = static_cast<std::uint8_t>(Barriers::max_stall);
    c.yield = true;
    c.write_barrier = c.read_barrier = static_cast<std::uint8_t>(Barriers::count - 1);
    c.wait_mask = static_cast<std::uint8_t>((1u << Barriers::count) - 1u);
    control stay;
    stay.stall = static_cast<std::uint8_t>(Barriers::max_stall_stay);
    for (const control& k : {c, stay}) {
      if (!Format::valid(Format::encode(k)) || Format::decode(Format::encode(k)) != k) return false;
    }
    return Barriers::max_stall < 256;
  } else {
    return true;
  }
}

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
  } else if constexpr (!format_holds<typename A::control_format, typename A::barriers>()) {
    return fault::arch_words;
  } else if constexpr (!requires { requires arch_stalls<typename A::pipes, typename A::barriers>; }) {
    return fault::arch_stalls;
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

// Does a policy fill the page of its role? `Arch` is the composition's architecture; a wrong one speaks first.
template <class P, class Arch>
consteval fault page_fault() {
  using role_type = typename P::role;
  if constexpr (meta::is_same_v<role_type, role::arch>) {
    return arch_fault<P>();
  } else if constexpr (arch_fault<Arch>() != fault::none) {
    return fault::none;
  } else if constexpr (!meta::arguments_fit<P>()) {
    return fault::policy_arguments;
  } else if constexpr (meta::is_same_v<role_type, role::strategy>) {
    return list_strategy<P> ? fault::none : fault::strategy_page;
  } else if constexpr (meta::is_same_v<role_type, role::mode>) {
    return mode_policy<P> ? fault::none : fault::mode_page;
  } else if constexpr (meta::is_same_v<role_type, role::ready_list>) {
    return ready_list_policy<P> ? fault::none : fault::ready_list_page;
  } else if constexpr (meta::is_same_v<role_type, role::priority>) {
    return priority_fault<P>();
  } else if constexpr (meta::is_same_v<role_type, role::constraint>) {
    return schedule_constraint<P, Arch> ? fault::none : fault::constraint_page;
  } else if constexpr (meta::is_same_v<role_type, role::disambiguation>) {
    return disambiguation_policy<P> ? fault::none : fault::disambiguation_page;
  } else if constexpr (meta::is_same_v<role_type, role::margin>) {
    return margin_policy<P> ? fault::none : fault::margin_page;
  } else if constexpr (!has_name<P>) {
    return fault::policy_name;
  } else if constexpr (meta::is_same_v<role_type, role::graph_builder>) {
    return graph_builder_policy<P, Arch> ? fault::none : fault::graph_builder_page;
  } else if constexpr (meta::is_same_v<role_type, role::vector_width>) {
    return vector_width_policy<P> ? fault::none : fault::vector_width_page;
  } else if constexpr (meta::is_same_v<role_type, role::phases> || meta::is_same_v<role_type, role::allocator_budget>) {
    return fault::role_unread;
  } else if constexpr (!meta::role_page<role_type>::template filled<P, Arch>) {
    return meta::is_same_v<role_type, role::barrier_policy> ? fault::barrier_page
           : meta::is_same_v<role_type, role::yield_policy> ? fault::yield_page
           : meta::is_same_v<role_type, role::reuse_policy> ? fault::reuse_page
                                                            : fault::occupancy_page;
  } else {
    return fault::none;
  }
}

// Does what `defaults` of the architecture name for a slot fit it? Nothing named fits.
template <class Slot, class Role, class Arch>
consteval bool default_fits() {
  if constexpr (!Slot::of_arch) {
    return true;
  } else {
    using policy = typename Slot::type;
    if constexpr (meta::argument_fault<policy>() != fault::none) {
      return false;
    } else if constexpr (!meta::is_same_v<typename policy::role, Role>) {
      return false;
    } else {
      return page_fault<policy, Arch>() == fault::none;
    }
  }
}
template <class P>
struct listed_slot_of {
  static constexpr bool of_arch = true;
  using type = P;
};
template <class L, class Arch>
inline constexpr bool default_constraints_fit = false;
template <class... Cs, class Arch>
inline constexpr bool default_constraints_fit<meta::type_list<Cs...>, Arch> =
    (default_fits<listed_slot_of<Cs>, role::constraint, Arch>() && ...);

template <class Kit, class Arch>
consteval bool defaults_fit() {
  return default_constraints_fit<typename slot_constraints<Arch, Kit>::type, Arch> &&
         default_fits<slot_strategy<Arch, Kit>, role::strategy, Arch>() &&
         default_fits<slot_mode<Arch, Kit>, role::mode, Arch>() &&
         default_fits<slot_ready_list<Arch, Kit>, role::ready_list, Arch>() &&
         default_fits<slot_priority<Arch, Kit>, role::priority, Arch>() &&
         default_fits<slot_graph_builder<Arch, Kit>, role::graph_builder, Arch>() &&
         default_fits<slot_disambiguation<Arch, Kit>, role::disambiguation, Arch>() &&
         default_fits<slot_vector_width<Arch, Kit>, role::vector_width, Arch>() &&
         default_fits<slot_barrier_policy<Arch, Kit>, role::barrier_policy, Arch>() &&
         default_fits<slot_yield_policy<Arch, Kit>, role::yield_policy, Arch>() &&
         default_fits<slot_reuse_policy<Arch, Kit>, role::reuse_policy, Arch>() &&
         default_fits<slot_occupancy<Arch, Kit>, role::occupancy, Arch>() &&
         default_fits<slot_margin<Arch, Kit>, role::margin, Arch>() &&
         default_fits<slot_phases<Arch, Kit>, role::phases, Arch>() &&
         default_fits<slot_allocator_budget<Arch, Kit>, role::allocator_budget, Arch>();
}

}  // namespace ww::detail
