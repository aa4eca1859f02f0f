// SPDX-License-Identifier: BSL-1.0
//
// Picking policies out of an argument list by their role, in any order.
//
//   has_role<P>              P names a role of ww::role itself, not const and not derived from one
//   of_role_t<Role, Ps...>   every policy of that role, in the order written
//   pick_t<Role, D, Ps...>   the first policy of a single role, or D when there is none
//   pick_many_t<Role, D, Ps> the list of policies of a many role, or the list D when there is none
//   role_page<Role>          what a policy of a role must have besides a name; the header of the role specialises it, so that
//                            the composer can ask layers above it
//   by_default<Role>         what a slot holds when neither the user nor the layer that composes names a policy: the
//                            layer that owns the role resolves it
#pragma once

#include "role.hpp"
#include "traits.hpp"
#include "type_list.hpp"

namespace ww::meta {

namespace detail {
using every_role =
    type_list<role::arch, role::strategy, role::mode, role::ready_list, role::priority, role::constraint,
              role::graph_builder, role::disambiguation, role::vector_width, role::barrier_policy, role::yield_policy,
              role::reuse_policy, role::occupancy, role::margin, role::phases, role::allocator_budget>;
}

template <class P>
concept names_role = requires {
  typename P::role;
};

template <class P>
concept has_role = names_role<P> && contains_v<detail::every_role, typename P::role>;

// A policy template that does not take all arguments says which: `static constexpr bool arguments_fit`. What it is derived
// from or ordered by (`inner`) is asked as well.
template <class P>
consteval bool arguments_fit() {
  if constexpr (requires { typename holds<!bool{P::arguments_fit}>; }) {
    return false;
  } else if constexpr (requires { typename P::inner; }) {
    return arguments_fit<typename P::inner>();
  } else {
    return true;
  }
}

template <class Role>
struct role_page {
  template <class P, class Arch>
  static constexpr bool filled = true;
};

template <class Role>
struct by_default {
  using role = Role;
  static constexpr const char* name = "default";
};

namespace detail {

template <class P>
struct role_of_impl {
  using type = void;
};
template <names_role P>
struct role_of_impl<P> {
  using type = typename P::role;
};

template <class Role, class... Ps>
using of_role = decltype((type_list<>{} + ... +
                          conditional_t<is_same_v<typename role_of_impl<Ps>::type, Role>, type_list<Ps>, type_list<>>{}));

template <class L, class Default>
struct first_or {
  using type = at_t<0, L>;
};
template <class Default>
struct first_or<type_list<>, Default> {
  using type = Default;
};

template <class L, class Default>
struct list_or {
  using type = L;
};
template <class Default>
struct list_or<type_list<>, Default> {
  using type = Default;
};

}  // namespace detail

template <class Role, class... Ps>
using of_role_t = detail::of_role<Role, Ps...>;
template <class Role, class... Ps>
inline constexpr std::size_t role_count_v = size_v<of_role_t<Role, Ps...>>;
template <class Role, class Default, class... Ps>
using pick_t = typename detail::first_or<of_role_t<Role, Ps...>, Default>::type;
template <class Role, class DefaultList, class... Ps>
using pick_many_t = typename detail::list_or<of_role_t<Role, Ps...>, DefaultList>::type;

}  // namespace ww::meta
