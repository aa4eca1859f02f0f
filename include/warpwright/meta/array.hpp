// SPDX-License-Identifier: BSL-1.0
//
// array<T, N>: N elements in place.
//
// The part of std::array that this kit uses, with the same names and the same meaning: an aggregate, usable in constant
// expressions and as a template argument. It exists for what it costs to compile: iterators are plain pointers, and
// <array> with the headers that it brings takes as long as a tenth of the whole core header. None is a number too.
#pragma once

#include <cstddef>

namespace ww {

template <class T, std::size_t N>
struct array {
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  T elements[N != 0 ? N : 1];  // of none, one that is not counted

  [[nodiscard]] static constexpr std::size_t size() { return N; }
  [[nodiscard]] static constexpr bool empty() { return N == 0; }
  [[nodiscard]] constexpr T* data() { return elements; }
  [[nodiscard]] constexpr const T* data() const { return elements; }
  [[nodiscard]] constexpr T* begin() { return elements; }
  [[nodiscard]] constexpr const T* begin() const { return elements; }
  [[nodiscard]] constexpr T* end() { return elements + N; }
  [[nodiscard]] constexpr const T* end() const { return elements + N; }
  [[nodiscard]] constexpr T& operator[](std::size_t i) { return elements[i]; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return elements[i]; }
  [[nodiscard]] constexpr T& front() { return elements[0]; }
  [[nodiscard]] constexpr const T& front() const { return elements[0]; }
  [[nodiscard]] constexpr T& back() { return elements[N - 1]; }
  [[nodiscard]] constexpr const T& back() const { return elements[N - 1]; }

  constexpr void fill(const T& value) {
    for (T& e : elements) e = value;
  }

  // With any contiguous array, std::array among them.
  template <class Array>
  requires requires(const Array& a) { *a.data() == *a.data(), a.size(); }
  [[nodiscard]] friend constexpr bool operator==(const array& x, const Array& y) {
    if (y.size() != N) return false;
    for (std::size_t i = 0; i < N; ++i) {
      if (!(x.elements[i] == y.data()[i])) return false;
    }
    return true;
  }
};

template <class T, class... More>
array(T, More...) -> array<T, 1 + sizeof...(More)>;

}  // namespace ww
