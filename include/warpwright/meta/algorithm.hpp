// SPDX-License-Identifier: BSL-1.0
//
// The few plain loops over arrays that the core needs, with the names, arguments and results of <algorithm>, which costs
// every unit a tenth of the time that the core header takes; and to_size.
//
//   min max clamp to_size          by value: for numbers and other small things
//   copy copy_n fill fill_n equal  from, to or between contiguous arrays
//   unique remove_if reverse       in place; the first two return the new end
#pragma once

#include <cstddef>

namespace ww::meta {

template <class T>
[[nodiscard]] constexpr T min(T a, T b) {
  return b < a ? b : a;
}

template <class T>
[[nodiscard]] constexpr T max(T a, T b) {
  return a < b ? b : a;
}

template <class T>
[[nodiscard]] constexpr T clamp(T v, T low, T high) {
  return v < low ? low : (high < v ? high : v);
}

// A 64-bit number that is known to fit, as an index.
template <class T>
[[nodiscard]] constexpr std::size_t to_size(T v) {
  return static_cast<std::size_t>(v);
}

template <class In, class Out>
constexpr Out copy(In first, In last, Out to) {
  for (; first != last; ++first, ++to) *to = *first;
  return to;
}

template <class In, class Out>
constexpr Out copy_n(In first, std::size_t count, Out to) {
  return copy(first, first + count, to);
}

template <class Out, class T>
constexpr void fill(Out first, Out last, T value) {
  for (; first != last; ++first) *first = value;
}

template <class Out, class T>
constexpr void fill_n(Out first, std::size_t count, T value) {
  fill(first, first + count, value);
}

template <class A, class B>
[[nodiscard]] constexpr bool equal(A first, A last, B other) {
  for (; first != last; ++first, ++other) {
    if (!(*first == *other)) return false;
  }
  return true;
}

// Keeps the first of each run of equal elements.
template <class It, class Same>
[[nodiscard]] constexpr It unique(It first, It last, Same same) {
  It to = first;
  for (It from = first; from != last; ++from) {
    if (from != first && same(to[-1], *from)) continue;
    if (to != from) *to = *from;
    ++to;
  }
  return to;
}

template <class It, class Unwanted>
[[nodiscard]] constexpr It remove_if(It first, It last, Unwanted unwanted) {
  It to = first;
  for (It from = first; from != last; ++from) {
    if (unwanted(*from)) continue;
    if (to != from) *to = *from;
    ++to;
  }
  return to;
}

template <class It>
constexpr void reverse(It first, It last) {
  while (first != last && first != --last) {
    auto kept = *first;
    *first = *last;
    *last = kept;
    ++first;
  }
}

}  // namespace ww::meta
