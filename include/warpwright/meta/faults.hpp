// SPDX-License-Identifier: BSL-1.0
//
// Everything that can be wrong with a composition: an identifier and one sentence each.
//
// The checks of meta/compose.hpp and schedule/compose.hpp find the first fault; `report(fault_is<fault>, type)` says its
// sentence, and the compiler names the offending type beside it. Where two numbers are at odds, they are compared in the
// assertion itself, and the compiler prints them. A sentence says what is wrong; then what to write. docs/errors.md lists
// every sentence with its cause and cure; tests/reject provokes every one. Both are checked against this file.
#pragma once

#include "ignore.hpp"
#include "type_list.hpp"

namespace ww::meta {

enum class fault : unsigned char {
  none,
  not_plain,
  incomplete,
  no_role,
  unknown_role,
  polymorphic,
  not_empty,
  no_arch,
  two_archs,
  two_strategies,
  two_modes,
  two_ready_lists,
  two_priorities,
  two_graph_builders,
  two_disambiguations,
  two_vector_widths,
  two_barrier_policies,
  two_yield_policies,
  two_reuse_policies,
  two_occupancies,
  two_margins,
  two_phase_lists,
  two_allocator_budgets,
  arch_identity,
  arch_limits,
  arch_pipes,
  arch_latency,
  arch_barriers,
  arch_control,
  arch_words,
  arch_stalls,
  strategy_page,
  strategy_order,
  strategy_hook,
  strategy_region,
  mode_unread,
  priority_unread,
  mode_page,
  ready_list_page,
  priority_page,
  pack_empty,
  pack_not_a_bit,
  pack_twice,
  pack_too_wide,
  constraint_page,
  constraint_twice,
  disambiguation_page,
  graph_builder_page,
  barrier_page,
  yield_page,
  reuse_page,
  occupancy_page,
  vector_width_page,
  margin_page,
  policy_arguments,
  policy_name,
  role_unread,
  arch_defaults,
  arch_final,
  ready_list_order,
  too_many_counters,
  no_scheduler,
  count
};

namespace detail {
template <class...>
inline constexpr bool never = false;
}

// A fault as a type, and two numbers as a type: arguments of `report`.
template <fault F>
struct fault_is {};
template <unsigned long Have, unsigned long Most>
struct numbers {};

// Naming the type of report(fault_is<...>{}, culprit) instantiates the function, and with it the sentence. It is a
// function because both compilers go on after a failed assertion in one, so that the user's alias still names a type.
// clang-format off
template <class T> auto report(fault_is<fault::not_plain>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: an argument is a reference, a pointer or const; write the policy type itself, e.g. ww::scheduler<ww::sm90>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::incomplete>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a policy is declared but not defined here; include its header, e.g. warpwright/arch/sm90.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::no_role>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: an argument is no policy: it has no role; write `using role = ww::role::priority;` (or another ww::role) in it.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::unknown_role>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a policy has a role that is not one of ww::role itself; write e.g. `using role = ww::role::constraint;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::polymorphic>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a policy is polymorphic; write its functions as static constexpr functions.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::not_empty>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a policy has data members; write its values as template parameters or static constexpr members.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::no_arch>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names no architecture; give exactly one, e.g. ww::scheduler<ww::sm90>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_archs>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one architecture; keep one, e.g. ww::scheduler<ww::sm90>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_strategies>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one strategy; keep one, e.g. ww::strategy::list.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_modes>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one mode; keep one, e.g. ww::mode::ilp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_ready_lists>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one ready list; keep one, e.g. ww::ready_list::heap<>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_priorities>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one priority; keep one, or put the bits of both into one ww::priority::pack<...>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_graph_builders>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one graph builder; keep one, e.g. ww::last_writer.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_disambiguations>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one disambiguation; keep one, e.g. ww::conservative.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_vector_widths>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one vector width; keep one, e.g. ww::simd::avx2.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_barrier_policies>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one barrier policy; keep one.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_yield_policies>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one yield policy; keep one.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_reuse_policies>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one reuse policy; keep one, e.g. ww::reuse::set.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_occupancies>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one occupancy; keep one.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_margins>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one safety margin; keep one, e.g. ww::safety_margin<1>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_phase_lists>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one phase list; keep one.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::two_allocator_budgets>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names more than one allocator budget; keep one.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_identity>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture lacks a constant `id`, `name` or a `defaults` that is a defined class; see the skeleton in warpwright/arch/concept.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_limits>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `limits` is missing or incomplete, or a number in it is no constant or out of range; write e.g. `using limits = ww::sm80::limits;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_pipes>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `pipes` is missing or incomplete, or a number in it is no constant or out of range; write e.g. `using pipes = ww::sm80::pipes;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_latency>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `latency` is missing or incomplete, or a number in it is no constant; write e.g. `using latency = ww::sm80::latency;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_barriers>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `barriers` is missing or incomplete, or a number in it is no constant or out of range; write e.g. `using barriers = ww::sm80::barriers;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_control>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `control_format` is missing or incomplete; write e.g. `using control_format = ww::sm80::control_format;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_words>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `control_format` cannot hold a stall of `barriers::max_stall` cycles, one of `max_stall_stay` without yield, or every counter below `barriers::count`; write e.g. `using barriers = ww::sm80::barriers;`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_stalls>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `pipes::min_stall` of some class, or its `barriers::depbar_min_stall`, is above `barriers::max_stall`, the longest stall of a word; make one shorter or the other longer.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::strategy_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the strategy lacks `name`, `models_cycles` or `uses_priority`, or its `space` cannot be made; see warpwright/schedule/strategy.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::mode_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the mode lacks a weight, gate or knob, or one is no constant; derive from ww::mode::ilp in warpwright/schedule/mode.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::ready_list_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the ready list lacks `iterable` or a complete `queue`, with `at` and `take` where it is iterable; see warpwright/schedule/ready_list/concept.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::priority_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the priority has neither a fixed `key` nor a `compare`, or one with another signature, or lacks the `explain` or `reason_name` beside it; see warpwright/priority/concept.hpp or use ww::priority::pack<...>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::pack_empty>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the pack holds no bit; write at least one, e.g. ww::priority::pack<ww::priority::bits::critical_path>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::pack_not_a_bit>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the pack holds something that is no priority bit; a bit has `name` and `static constexpr bool test(const candidate&, const pick_state&)`, or `value` and a `width` of 1 to 64 (height_field: of 1 to 32).");
  return ignore{};
}
template <class T> auto report(fault_is<fault::pack_twice>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the pack holds one bit twice; the second one can never decide, so remove it.");
  return ignore{};
}
template <unsigned long Have, unsigned long Most> auto report(fault_is<fault::pack_too_wide>, numbers<Have, Most>) {
  static_assert(Have <= Most, "ww::scheduler<...>: the fields of the pack need more than 64 bits; make height_field<...> narrower or remove bits.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::constraint_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the constraint lacks `name`, a constant `patience` or `admits<Arch>`, or its `counters_used` is no count; see warpwright/constraint/concept.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::constraint_twice>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: names one constraint twice; keep one of them.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::disambiguation_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the disambiguation lacks a member, or its `window` is no count; see warpwright/graph/disambiguation.hpp, or write ww::conservative.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::margin_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the margin has no `cycles`, a constant of 0 to 128; write e.g. ww::safety_margin<1>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::policy_arguments>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a template argument of a policy does not fit it; see `arguments_fit` in the policy, or leave the arguments out, e.g. ww::strategy::backtracking<>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::policy_name>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a policy has no `name`; write `static constexpr const char* name = \"...\";` in it.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::ready_list_order>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the ready list keeps no changing keys, but the priority looks at every pick; write ww::ready_list::sorted_list<>.");
  return ignore{};
}
template <unsigned long Have, unsigned long Most> auto report(fault_is<fault::too_many_counters>, numbers<Have, Most>) {
  static_assert(Have <= Most, "ww::scheduler<...>: the constraint counts on more dependency counters than the architecture has; write ww::constraint::counters<6>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::strategy_order>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the strategy has no usable `order`, `order_part` or `transform`, or one with another signature; see warpwright/schedule/strategy.hpp, or derive from ww::strategy::list.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::strategy_hook>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the strategy has a `prepare`, `worse` or `finish` that cannot be called, and would run without it; see the signatures in warpwright/schedule/strategy.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::strategy_region>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a strategy that works on regions or loops has a scheduler of its own, which is not here; write #include <warpwright/strategies.hpp>.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::mode_unread>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: nothing here reads the mode; name ww::strategy::unified or a priority that compares at each pick, or leave the mode out.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::priority_unread>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the strategy asks no priority; name another strategy, e.g. ww::strategy::list, or leave the priority out.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::graph_builder_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the graph builder lacks `name` or `build<Cycles, Disambiguation>`; see ww::pairwise in warpwright/graph/pairwise.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::barrier_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the barrier policy lacks `name` or `choose`; see ww::barriers::evict_oldest in warpwright/scoreboard/barrier_policy.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::yield_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the yield policy lacks `name` or `yield<Barriers>`, its `rhythm` is no constant, or its `adjust` has no `visit`; see ww::yields::stay in warpwright/scoreboard/yield_policy.hpp.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::reuse_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the reuse policy lacks `name` or a flag; derive from one of warpwright/scoreboard/reuse_policy.hpp, e.g. ww::reuse::set.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::occupancy_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the occupancy lacks `name` or `per_sub_core<Arch>`; write e.g. ww::occupancy::warps<8>, of 1 to 64 warps.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::vector_width_page>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the vector width lacks a function; see warpwright/simd/concept.hpp, or write e.g. ww::simd::avx2.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::role_unread>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: phase lists and allocator budgets are read by nothing in this kit; leave the policy out.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_defaults>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: the architecture's `defaults` name something that does not fit its slot; write a policy of that role, and ww::meta::type_list<...> for `constraints`.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::arch_final>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::scheduler<...>: a safety margin derives from the architecture and its `latency`, and one of them is final; remove `final`, or leave the margin out.");
  return ignore{};
}
template <class T> auto report(fault_is<fault::no_scheduler>, type_identity<T>) {
  static_assert(detail::never<T>, "ww::order_search<...>: the argument is no scheduler; write e.g. ww::order_search<ww::scheduler<ww::sm90>>.");
  return ignore{};
}
// clang-format on

}  // namespace ww::meta
