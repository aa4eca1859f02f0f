// SPDX-License-Identifier: BSL-1.0
//
// Opt-in adapter: Boost.Hana algorithms iterate policy lists.
//
// With this header a `ww::meta::type_list<A, B>` is a Hana Foldable, Iterable and Searchable of hana::type values, so that
// hana::for_each, fold_left, unpack, at, length, contains, any_of, find_if and to_tuple read it. It is read-only: what makes
// a new sequence of the same kind (transform, filter) starts from hana::to_tuple(list). Nothing in the kit includes this
// header; who does not use Hana pays nothing, and only fine-grained Hana headers are included.
//
//   hana::for_each(ww::meta::type_list<ww::sm80, ww::sm90>{}, [](auto t) { use<typename decltype(t)::type>(); });
#pragma once

#include <boost/hana/bool.hpp>
#include <boost/hana/fwd/at.hpp>
#include <boost/hana/fwd/concept/foldable.hpp>
#include <boost/hana/fwd/concept/iterable.hpp>
#include <boost/hana/fwd/core/tag_of.hpp>
#include <boost/hana/fwd/drop_front.hpp>
#include <boost/hana/fwd/is_empty.hpp>
#include <boost/hana/fwd/length.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/type.hpp>
#include <cstddef>
#include <utility>

#include "type_list.hpp"

namespace ww::meta {

struct type_list_tag {};

namespace detail {

template <std::size_t Drop, class L, class Is>
struct drop_front_impl;
template <std::size_t Drop, class L, std::size_t... Is>
struct drop_front_impl<Drop, L, std::index_sequence<Is...>> {
  using type = type_list<at_t<Drop + Is, L>...>;
};
template <std::size_t Drop, class L>
using drop_front_t =
    typename drop_front_impl<(Drop < size_v<L> ? Drop : size_v<L>), L,
                             std::make_index_sequence<size_v<L> - (Drop < size_v<L> ? Drop : size_v<L>)>>::type;

}  // namespace detail
}  // namespace ww::meta

namespace boost::hana {

template <class... Ts>
struct tag_of<ww::meta::type_list<Ts...>> {
  using type = ww::meta::type_list_tag;
};

template <>
struct unpack_impl<ww::meta::type_list_tag> {
  template <class... Ts, class F>
  static constexpr decltype(auto) apply(const ww::meta::type_list<Ts...>&, F&& f) {
    return static_cast<F&&>(f)(hana::type_c<Ts>...);
  }
};

template <>
struct length_impl<ww::meta::type_list_tag> {
  template <class... Ts>
  static constexpr auto apply(const ww::meta::type_list<Ts...>&) {
    return hana::size_c<sizeof...(Ts)>;
  }
};

template <>
struct at_impl<ww::meta::type_list_tag> {
  template <class... Ts, class N>
  static constexpr auto apply(const ww::meta::type_list<Ts...>&, const N&) {
    return hana::type_c<ww::meta::at_t<N::value, ww::meta::type_list<Ts...>>>;
  }
};

template <>
struct is_empty_impl<ww::meta::type_list_tag> {
  template <class... Ts>
  static constexpr auto apply(const ww::meta::type_list<Ts...>&) {
    return hana::bool_c<sizeof...(Ts) == 0>;
  }
};

template <>
struct drop_front_impl<ww::meta::type_list_tag> {
  template <class... Ts, class N>
  static constexpr auto apply(const ww::meta::type_list<Ts...>&, const N&) {
    return ww::meta::detail::drop_front_t<N::value, ww::meta::type_list<Ts...>>{};
  }
};

}  // namespace boost::hana
