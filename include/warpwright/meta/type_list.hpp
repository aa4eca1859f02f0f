// SPDX-License-Identifier: BSL-1.0
//
// Lists of types. Policies, architectures and priority bits are types; a list of them is `type_list<...>`, an
// empty value. Everything here is computed by pack expansion, folds or one overload resolution, never by recursion,
// so that a list of 100 costs what 100 elements cost.
//
//   size_v<L>            number of elements          at_t<At, L>        element At
//   contains_v<L, T>     T is an element             index_of_v<L, T>  first place of T, size_v<L> when absent
//   count_v<L, T>        how often T occurs          concat_t<Ls...>   all elements of all lists, in order
//   map_t<L, F>          F<T>::type of each          filter_t<L, P>    elements with P<T>::value, in order
//   unpack_t<L, Tmpl>    Tmpl<elements...>           for_each<L>(f)    f.template operator()<T>() of each, in order
//   any_of_v, all_of_v<L, P>                         unique_v<L>       no element occurs twice
#pragma once

#include <cstddef>

#include "traits.hpp"

namespace ww::meta {

template <class... Ts>
struct type_list {
  static constexpr std::size_t size = sizeof...(Ts);
};

// Joins two lists; only ever in an unevaluated fold.
template <class... As, class... Bs>
type_list<As..., Bs...> operator+(type_list<As...>, type_list<Bs...>);

// A type as a value: carries T through overload resolution and lambdas.
template <class T>
struct type_identity {
  using type = T;
};

namespace detail {

template <class L>
struct list_size;
template <class... Ts>
struct list_size<type_list<Ts...>> {
  static constexpr std::size_t value = sizeof...(Ts);
};

#if defined(__has_builtin)
#if __has_builtin(__type_pack_element)
#define WARPWRIGHT_HAS_TYPE_PACK_ELEMENT 1
#endif
#endif

#if defined(WARPWRIGHT_HAS_TYPE_PACK_ELEMENT)
template <std::size_t At, class L>
struct list_at;
template <std::size_t At, class... Ts>
struct list_at<At, type_list<Ts...>> {
  using type = __type_pack_element<At, Ts...>;
};
#undef WARPWRIGHT_HAS_TYPE_PACK_ELEMENT
#else
// One overload resolution over indexed bases.
template <std::size_t At, class T>
struct indexed {
  using type = T;
};
template <std::size_t... Is>
struct index_sequence;
template <class Is, class... Ts>
struct indexer;
template <std::size_t... Is, class... Ts>
struct indexer<index_sequence<Is...>, Ts...> : indexed<Is, Ts>... {};
template <std::size_t At, class T>
indexed<At, T> find_indexed(const indexed<At, T>*);

template <std::size_t At, class L>
struct list_at;
template <std::size_t At, class... Ts>
struct list_at<At, type_list<Ts...>> {
  using type = typename decltype(find_indexed<At>(
      static_cast<indexer<index_sequence<__integer_pack(sizeof...(Ts))...>, Ts...>*>(nullptr)))::type;
};
#endif

template <class L, class T>
struct list_find;
template <class... Ts, class T>
struct list_find<type_list<Ts...>, T> {
  static constexpr std::size_t count = (std::size_t{0} + ... + (is_same_v<Ts, T> ? 1u : 0u));
  static constexpr std::size_t index() {
    std::size_t i = 0;
    static_cast<void>(((is_same_v<Ts, T> ? false : (++i, true)) && ...));
    return i;
  }
};

template <class L, template <class> class F>
struct list_map;
template <class... Ts, template <class> class F>
struct list_map<type_list<Ts...>, F> {
  using type = type_list<typename F<Ts>::type...>;
};

template <class L, template <class> class P>
struct list_filter;
template <class... Ts, template <class> class P>
struct list_filter<type_list<Ts...>, P> {
  using type = decltype((type_list<>{} + ... + conditional_t<P<Ts>::value, type_list<Ts>, type_list<>>{}));
  static constexpr bool any = (P<Ts>::value || ...);
  static constexpr bool all = (P<Ts>::value && ...);
};

template <class L, template <class...> class Template>
struct list_unpack;
template <class... Ts, template <class...> class Template>
struct list_unpack<type_list<Ts...>, Template> {
  using type = Template<Ts...>;
};

template <class L>
struct list_unique;
template <class... Ts>
struct list_unique<type_list<Ts...>> {
  static constexpr bool value = ((list_find<type_list<Ts...>, Ts>::count == 1) && ...);
};

}  // namespace detail

template <class L>
inline constexpr std::size_t size_v = detail::list_size<L>::value;
template <std::size_t At, class L>
using at_t = typename detail::list_at<At, L>::type;
template <class L, class T>
inline constexpr std::size_t count_v = detail::list_find<L, T>::count;
template <class L, class T>
inline constexpr bool contains_v = detail::list_find<L, T>::count != 0;
template <class L, class T>
inline constexpr std::size_t index_of_v = detail::list_find<L, T>::index();
template <class... Ls>
using concat_t = decltype((type_list<>{} + ... + Ls{}));
template <class L, template <class> class F>
using map_t = typename detail::list_map<L, F>::type;
template <class L, template <class> class P>
using filter_t = typename detail::list_filter<L, P>::type;
template <class L, template <class> class P>
inline constexpr bool any_of_v = detail::list_filter<L, P>::any;
template <class L, template <class> class P>
inline constexpr bool all_of_v = detail::list_filter<L, P>::all;
template <class L, template <class...> class Template>
using unpack_t = typename detail::list_unpack<L, Template>::type;
template <class L>
inline constexpr bool unique_v = detail::list_unique<L>::value;

namespace detail {
template <class F, class... Ts>
constexpr void for_each_in(type_list<Ts...>, F& f) {
  (f.template operator()<Ts>(), ...);
}
}  // namespace detail

// Calls f.template operator()<T>() for every element, first to last.
template <class L, class F>
constexpr void for_each(F&& f) {
  detail::for_each_in(L{}, f);
}

}  // namespace ww::meta
