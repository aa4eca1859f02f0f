// SPDX-License-Identifier: BSL-1.0
//
// The few type traits and concepts of <type_traits>, <concepts> and <utility> that the core needs, with the same names and
// the same meaning. Most ask the compiler directly; they exist for what those headers cost to compile.
// Concepts: same_as, convertible_to, unsigned_integral. Traits: is_same_v, conditional_t, is_decorated_v.
//
// `typename constant<unsigned{T::count}>` in a requires-expression asks for a compile-time number that fits unsigned, and
// `typename holds<bool{T::flag}>` for a compile-time flag that is true. What is no constant, or no number, is a false
// requirement and never an error.
#pragma once

#include <cstddef>

namespace ww::meta {

namespace detail {

template <bool Condition>
struct choose {
  template <class A, class>
  using type = A;
};
template <>
struct choose<false> {
  template <class, class B>
  using type = B;
};

template <class T>
inline constexpr bool is_pointer = false;
template <class T>
inline constexpr bool is_pointer<T*> = true;
template <class T>
inline constexpr bool is_pointer<T* const> = true;
template <class T>
inline constexpr bool is_reference = false;
template <class T>
inline constexpr bool is_reference<T&> = true;
template <class T>
inline constexpr bool is_reference<T&&> = true;
template <class T>
inline constexpr bool is_qualified = false;
template <class T>
inline constexpr bool is_qualified<const T> = true;
template <class T>
inline constexpr bool is_qualified<volatile T> = true;
template <class T>
inline constexpr bool is_qualified<const volatile T> = true;

template <class T>
inline constexpr bool is_unsigned = false;
template <>
inline constexpr bool is_unsigned<bool> = true;
template <>
inline constexpr bool is_unsigned<unsigned char> = true;
template <>
inline constexpr bool is_unsigned<unsigned short> = true;
template <>
inline constexpr bool is_unsigned<unsigned> = true;
template <>
inline constexpr bool is_unsigned<unsigned long> = true;
template <>
inline constexpr bool is_unsigned<unsigned long long> = true;

}  // namespace detail

template <class A, class B>
inline constexpr bool is_same_v = __is_same(A, B);
template <bool Condition, class A, class B>
using conditional_t = typename detail::choose<Condition>::template type<A, B>;

// T is a reference, a pointer, const or volatile: not the plain name of a policy.
template <class T>
inline constexpr bool is_decorated_v = detail::is_reference<T> || detail::is_pointer<T> || detail::is_qualified<T>;

template <class A, class B>
concept same_as = __is_same(A, B);
template <class From, class To>
concept convertible_to = requires(From (&from)(), void (&take)(To)) {
  take(from());
};
template <class T>
concept unsigned_integral = detail::is_unsigned<T>;

template <long long>
struct constant;
template <bool B>
requires B struct holds;

}  // namespace ww::meta
