// SPDX-License-Identifier: BSL-1.0
//
// vec<T>: the growing array that programs and scratch memory are made of.
//
// The part of std::vector that this kit uses, with the same names and the same meaning. It exists for what it costs to
// compile: iterators are plain pointers, elements that can be copied as bytes share one function that grows storage, and
// no other header comes with it. No bounds are checked; running out of memory ends in ::operator new.
//
//   vec<T> v(n), v(n, value), v(first, last), v{a, b}      resize, reserve, assign, insert, erase, push_back, swap, ...
#pragma once

#include <cstddef>
#include <initializer_list>
#include <new>

namespace ww {

namespace detail {

inline constexpr std::size_t plain_alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

[[nodiscard, gnu::noinline]] inline void* new_storage(std::size_t bytes, std::size_t alignment) {
  return alignment > plain_alignment ? ::operator new(bytes, std::align_val_t(alignment)) : ::operator new(bytes);
}
inline void delete_storage(void* old, std::size_t alignment) {
  if (alignment > plain_alignment) {
    ::operator delete(old, std::align_val_t(alignment));
  } else {
    ::operator delete(old);
  }
}
// Storage for `bytes` bytes, with the first `used` bytes of `old`, which is given back.
[[nodiscard, gnu::noinline]] inline void* regrow(void* old, std::size_t used, std::size_t bytes, std::size_t alignment) {
  void* fresh = new_storage(bytes, alignment);
  if (used != 0) __builtin_memcpy(fresh, old, used);
  delete_storage(old, alignment);
  return fresh;
}

}  // namespace detail

template <class T>
class vec {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  vec() = default;
  explicit vec(std::size_t n) { resize(n); }
  vec(std::size_t n, const T& value) { resize(n, value); }
  vec(std::initializer_list<T> list) { append(list.begin(), list.end()); }
  template <class It>
  requires requires(It i) { *i; }
  vec(It first, It last) { append(first, last); }
  vec(const vec& other) { append(other.begin(), other.end()); }
  vec(vec&& other) noexcept : data_(other.data_), size_(other.size_), capacity_(other.capacity_) { other.forget(); }
  vec& operator=(const vec& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  vec& operator=(vec&& other) noexcept {
    if (this != &other) {
      release();
      data_ = other.data_;
      size_ = other.size_;
      capacity_ = other.capacity_;
      other.forget();
    }
    return *this;
  }
  vec& operator=(std::initializer_list<T> list) {
    assign(list.begin(), list.end());
    return *this;
  }
  ~vec() { release(); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T& front() { return data_[0]; }
  [[nodiscard]] const T& front() const { return data_[0]; }
  [[nodiscard]] T& back() { return data_[size_ - 1]; }
  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }

  void clear() { shrink(0); }
  void reserve(std::size_t n) {
    if (n > capacity_) move_to(n);
  }
  void resize(std::size_t n) {
    reserve_for(n);
    shrink(n);
    T* to = end();
    for (T* const stop = data_ + n; to < stop; ++to) ::new (static_cast<void*>(to)) T{};
    size_ = n;
  }
  void resize(std::size_t n, const T& value) {
    if (n > capacity_) {
      const T copy = value;  // it may stand in this array
      reserve_for(n);
      fill_to(n, copy);
    } else {
      shrink(n);
      fill_to(n, value);
    }
  }
  void assign(std::size_t n, const T& value) {
    const T copy = value;
    clear();
    reserve(n);
    fill_to(n, copy);
  }
  template <class It>
  requires requires(It i) { *i; }
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  void assign(std::initializer_list<T> list) { assign(list.begin(), list.end()); }

  void push_back(T value) {
    if (size_ == capacity_) [[unlikely]]
      move_to(next_capacity(size_ + 1));
    ::new (static_cast<void*>(data_ + size_)) T(static_cast<T&&>(value));
    ++size_;
  }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    push_back(T{static_cast<Args&&>(args)...});
    return back();
  }
  void pop_back() { shrink(size_ - 1); }

  // Positions are iterators of this array; the elements inserted must not stand in it.
  T* insert(const T* at, T value) {
    const std::size_t place = static_cast<std::size_t>(at - data_);
    push_back(static_cast<T&&>(value));
    T last = static_cast<T&&>(back());
    for (std::size_t i = size_ - 1; i > place; --i) data_[i] = static_cast<T&&>(data_[i - 1]);
    data_[place] = static_cast<T&&>(last);
    return data_ + place;
  }
  template <class It>
  requires requires(It i) { *i; }
  T* insert(const T* at, It first, It last) {
    const std::size_t place = static_cast<std::size_t>(at - data_);
    if (place == size_) {
      append(first, last);
    } else {
      const vec tail(at, static_cast<const T*>(end()));
      shrink(place);
      append(first, last);
      append(tail.begin(), tail.end());
    }
    return data_ + place;
  }
  T* erase(const T* at) { return erase(at, at + 1); }
  T* erase(const T* first, const T* last) {
    T* to = data_ + (first - data_);
    if (first != last) {
      T* out = to;
      for (T* from = data_ + (last - data_); from != end(); ++from, ++out) *out = static_cast<T&&>(*from);
      shrink(static_cast<std::size_t>(out - data_));
    }
    return to;
  }
  void swap(vec& other) noexcept {
    vec kept(static_cast<vec&&>(other));
    other = static_cast<vec&&>(*this);
    *this = static_cast<vec&&>(kept);
  }

  // With any contiguous array, std::vector among them.
  template <class Array>
  requires requires(const Array& a) { *a.data() == *a.data(), a.size(); }
  friend bool operator==(const vec& x, const Array& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(x[i] == y[i])) return false;
    }
    return true;
  }

 private:
  static constexpr bool bytes = __is_trivially_copyable(T);

  [[nodiscard]] std::size_t next_capacity(std::size_t n) const {
    const std::size_t twice = capacity_ * 2;
    return n > twice ? n : twice;
  }
  void reserve_for(std::size_t n) {
    if (n > capacity_) move_to(next_capacity(n));
  }
  void move_to(std::size_t n) {
    if constexpr (bytes) {
      data_ = static_cast<T*>(detail::regrow(data_, size_ * sizeof(T), n * sizeof(T), alignof(T)));
    } else {
      T* fresh = static_cast<T*>(detail::new_storage(n * sizeof(T), alignof(T)));
      for (std::size_t i = 0; i < size_; ++i) {
        ::new (static_cast<void*>(fresh + i)) T(static_cast<T&&>(data_[i]));
        data_[i].~T();
      }
      detail::delete_storage(data_, alignof(T));
      data_ = fresh;
    }
    capacity_ = n;
  }
  void fill_to(std::size_t n, const T& value) {
    T* to = end();
    for (T* const stop = data_ + n; to < stop; ++to) ::new (static_cast<void*>(to)) T(value);
    size_ = n;
  }
  template <class It>
  void append(It first, It last) {
    if constexpr (requires { static_cast<std::size_t>(last - first); }) {
      const std::size_t n = size_ + static_cast<std::size_t>(last - first);
      reserve_for(n);
      for (T* to = end(); first != last; ++first, ++to) ::new (static_cast<void*>(to)) T(*first);
      size_ = n;
    } else {
      for (; first != last; ++first) push_back(T(*first));
    }
  }
  void shrink(std::size_t n) {
    if constexpr (bytes) {
      if (n < size_) size_ = n;
    } else {
      while (size_ > n) data_[--size_].~T();
    }
  }
  void release() {
    shrink(0);
    detail::delete_storage(data_, alignof(T));
  }
  void forget() {
    data_ = nullptr;
    size_ = 0;
    capacity_ = 0;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace ww
