// SPDX-License-Identifier: BSL-1.0
//
// span<T>: a part of an array that somebody else owns.
//
// The part of std::span that this kit uses, with the same names and the same meaning; the number of elements is always a
// run-time value. It exists for what it costs to compile: its iterators are plain pointers and its one constructor from
// arrays asks only for data() and size(), where <span> brings the concepts of ranges and checks them for every element
// type. It converts from and to std::span. No bounds are checked.
#pragma once

#include <cstddef>

namespace ww {

namespace detail {

template <class P>
struct pointed;
template <class T>
struct pointed<T*> {
  using type = T;
};
template <class T>
struct without_const {
  using type = T;
};
template <class T>
struct without_const<const T> {
  using type = T;
};

}  // namespace detail

template <class T>
class span {
 public:
  using element_type = T;
  using value_type = typename detail::without_const<T>::type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = T*;

  constexpr span() = default;
  constexpr span(T* first, std::size_t count) : data_(first), size_(count) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) : data_(array), size_(N) {}
  // Any array with data() and size(): vec, std::vector, std::array, std::span, spans of non-const elements.
  template <class Array>
  requires requires(Array& a, T*& first) { first = a.data(), a.size(); }
  constexpr span(Array& array) : data_(array.data()), size_(array.size()) {}
  template <class Array>
  requires requires(const Array& a, T*& first) { first = a.data(), a.size(); }
  constexpr span(const Array& array) : data_(array.data()), size_(array.size()) {}

  [[nodiscard]] constexpr T* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr T* begin() const { return data_; }
  [[nodiscard]] constexpr T* end() const { return data_ + size_; }
  [[nodiscard]] constexpr T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] constexpr T& front() const { return data_[0]; }
  [[nodiscard]] constexpr T& back() const { return data_[size_ - 1]; }
  [[nodiscard]] constexpr span first(std::size_t count) const { return {data_, count}; }
  [[nodiscard]] constexpr span last(std::size_t count) const { return {data_ + (size_ - count), count}; }
  [[nodiscard]] constexpr span subspan(std::size_t from) const { return {data_ + from, size_ - from}; }
  [[nodiscard]] constexpr span subspan(std::size_t from, std::size_t count) const { return {data_ + from, count}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T, std::size_t N>
span(T (&)[N]) -> span<T>;
template <class T>
span(T*, std::size_t) -> span<T>;
template <class Array>
span(Array&& array) -> span<typename detail::pointed<decltype(array.data())>::type>;

}  // namespace ww
