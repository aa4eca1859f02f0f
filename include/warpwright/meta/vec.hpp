// SPDX-License-Identifier: BSL-1.0
//
// vec<T>: the growing array that programs and scratch memory are made of.
//
// The part of std::vector that this kit uses, with the same names and the same meaning. It exists for what it costs to
// compile: iterators are plain pointers, elements that can be copied as bytes share one function that grows storage, and
// no other header comes with it. Members call few other members, because each one is compiled anew for every element type
// of every unit that includes the core; what makes or moves many elements is compiled once for each type and not into every
// place that calls it. No bounds are checked; running out of memory ends in ::operator new. Works in constant expressions,
// for elements that can be made from nothing.
//
//   vec<T> v(n), v(n, value), v(first, last), v{a, b}      resize, reserve, make_room, assign, insert, erase, push_back, swap, ...
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

// Capacity for n elements where there was room for `old`: at least doubled.
constexpr std::size_t next_capacity(std::size_t n, std::size_t old) { return n > old * 2 ? n : old * 2; }

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

  constexpr vec() = default;
  constexpr explicit vec(std::size_t n) { resize(n); }
  constexpr vec(std::size_t n, const T& value) { resize(n, value); }
  constexpr vec(std::initializer_list<T> list) { append(list.begin(), list.end()); }
  template <class It>
  requires requires(It i) { *i; }
  constexpr vec(It first, It last) { append(first, last); }
  constexpr vec(const vec& other) { append(other.data_, other.data_ + other.size_); }
  constexpr vec(vec&& other) noexcept : data_(other.data_), size_(other.size_), capacity_(other.capacity_) {
    other.data_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  constexpr vec& operator=(const vec& other) {
    if (this != &other) assign(other.data_, other.data_ + other.size_);
    return *this;
  }
  constexpr vec& operator=(vec&& other) noexcept {
    if (this != &other) {
      release();
      data_ = other.data_;
      size_ = other.size_;
      capacity_ = other.capacity_;
      other.data_ = nullptr;
      other.size_ = other.capacity_ = 0;
    }
    return *this;
  }
  constexpr vec& operator=(std::initializer_list<T> list) {
    assign(list.begin(), list.end());
    return *this;
  }
  constexpr ~vec() { release(); }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::size_t capacity() const { return capacity_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr T* data() { return data_; }
  [[nodiscard]] constexpr const T* data() const { return data_; }
  [[nodiscard]] constexpr T* begin() { return data_; }
  [[nodiscard]] constexpr const T* begin() const { return data_; }
  [[nodiscard]] constexpr T* end() { return data_ + size_; }
  [[nodiscard]] constexpr const T* end() const { return data_ + size_; }
  [[nodiscard]] constexpr T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] constexpr T& front() { return data_[0]; }
  [[nodiscard]] constexpr const T& front() const { return data_[0]; }
  [[nodiscard]] constexpr T& back() { return data_[size_ - 1]; }
  [[nodiscard]] constexpr const T& back() const { return data_[size_ - 1]; }

  constexpr void clear() {
    if constexpr (bytes) {
      size_ = 0;
    } else {
      shrink(0);
    }
  }
  constexpr void reserve(std::size_t n) {
    if (n > capacity_) move_to(n);
  }
  // Room for n elements, and for half as many again where there was less: for scratch memory that follows the largest program.
  // Constant expressions pay for every element of it, and do without.
  constexpr void make_room(std::size_t n) {
    if (n > capacity_ && !__builtin_is_constant_evaluated()) move_to(n + n / 2);
  }
  [[gnu::noinline]] constexpr void resize(std::size_t n) {
    if (n > capacity_) move_to(detail::next_capacity(n, capacity_));
    T* to = data_ + size_;
    T* const stop = data_ + n;
    if constexpr (bytes) {
      for (; to < stop; ++to) *to = T{};
    } else {
      shrink(n);
      for (; to < stop; ++to) put(to, T{});
    }
    size_ = n;
  }
  [[gnu::noinline]] constexpr void resize(std::size_t n, const T& value) {
    if (n > capacity_) {
      const T copy = value;  // it may stand in this array
      move_to(detail::next_capacity(n, capacity_));
      fill_to(n, copy);
    } else {
      if constexpr (!bytes) shrink(n);
      fill_to(n, value);
    }
  }
  [[gnu::noinline]] constexpr void assign(std::size_t n, const T& value) {
    const T copy = value;  // it may stand in this array. NOLINT(performance-unnecessary-copy-initialization)
    clear();
    if (n > capacity_) move_to(n);
    fill_to(n, copy);
  }
  template <class It>
  requires requires(It i) { *i; }
  constexpr void assign(It first, It last) {
    clear();
    append(first, last);
  }
  constexpr void assign(std::initializer_list<T> list) { assign(list.begin(), list.end()); }

  constexpr void push_back(T value) {
    if (size_ == capacity_) [[unlikely]]
      move_to(detail::next_capacity(size_ + 1, capacity_));
    if constexpr (bytes) {
      data_[size_] = value;
    } else {
      put(data_ + size_, static_cast<T&&>(value));
    }
    ++size_;
  }
  template <class... Args>
  constexpr T& emplace_back(Args&&... args) {
    push_back(T{static_cast<Args&&>(args)...});
    return back();
  }
  constexpr void pop_back() {
    if constexpr (bytes) {
      --size_;
    } else {
      shrink(size_ - 1);
    }
  }

  // Positions are iterators of this array; the elements inserted must not stand in it.
  constexpr T* insert(const T* at, T value) {
    const std::size_t place = static_cast<std::size_t>(at - data_);
    push_back(static_cast<T&&>(value));
    T last = static_cast<T&&>(data_[size_ - 1]);
    for (std::size_t i = size_ - 1; i > place; --i) data_[i] = static_cast<T&&>(data_[i - 1]);
    data_[place] = static_cast<T&&>(last);
    return data_ + place;
  }
  template <class It>
  requires requires(It i) { *i; }
  constexpr T* insert(const T* at, It first, It last) {
    const std::size_t place = static_cast<std::size_t>(at - data_);
    if (place == size_) {
      append(first, last);
    } else {
      const vec tail(at, static_cast<const T*>(data_ + size_));
      shrink(place);
      append(first, last);
      append(static_cast<const T*>(tail.data_), static_cast<const T*>(tail.data_ + tail.size_));
    }
    return data_ + place;
  }
  constexpr T* erase(const T* at) { return erase(at, at + 1); }
  constexpr T* erase(const T* first, const T* last) {
    T* to = data_ + (first - data_);
    if (first != last) {
      T* out = to;
      for (T* from = data_ + (last - data_); from != data_ + size_; ++from, ++out) *out = static_cast<T&&>(*from);
      shrink(static_cast<std::size_t>(out - data_));
    }
    return to;
  }
  constexpr void swap(vec& other) noexcept {
    vec kept(static_cast<vec&&>(other));
    other = static_cast<vec&&>(*this);
    *this = static_cast<vec&&>(kept);
  }

  // With any contiguous array, std::vector among them.
  template <class Array>
  requires requires(const Array& a) { *a.data() == *a.data(), a.size(); }
  constexpr friend bool operator==(const vec& x, const Array& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(x[i] == y[i])) return false;
    }
    return true;
  }

 private:
  static constexpr bool bytes = __is_trivially_copyable(T);

  // Elements that can be copied as bytes are assigned, others made by put() and ended by shrink(). In a constant expression
  // elements live from `new T[n]` to `delete[]`, so they are assigned and never destroyed singly.
  template <class V>
  static constexpr void put(T* to, V&& value) {
    if (__builtin_is_constant_evaluated()) {
      *to = T(static_cast<V&&>(value));
    } else {
      ::new (static_cast<void*>(to)) T(static_cast<V&&>(value));
    }
  }
  [[gnu::noinline, gnu::cold]] constexpr void move_to(std::size_t n) {
    if (__builtin_is_constant_evaluated()) {
      T* fresh = new T[n]{};
      for (std::size_t i = 0; i < size_; ++i) fresh[i] = static_cast<T&&>(data_[i]);
      delete[] data_;
      data_ = fresh;
    } else if constexpr (bytes) {
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
  constexpr void fill_to(std::size_t n, const T& value) {
    T* to = data_ + size_;
    for (T* const stop = data_ + n; to < stop; ++to) {
      if constexpr (bytes) {
        *to = value;
      } else {
        put(to, value);
      }
    }
    size_ = n;
  }
  template <class It>
  [[gnu::noinline]] constexpr void append(It first, It last) {
    if constexpr (requires { static_cast<std::size_t>(last - first); }) {
      const std::size_t n = size_ + static_cast<std::size_t>(last - first);
      if (n > capacity_) move_to(detail::next_capacity(n, capacity_));
      for (T* to = data_ + size_; first != last; ++first, ++to) {
        if constexpr (bytes) {
          *to = T(*first);
        } else {
          put(to, *first);
        }
      }
      size_ = n;
    } else {
      for (; first != last; ++first) push_back(T(*first));
    }
  }
  constexpr void shrink(std::size_t n) {
    if (bytes || __builtin_is_constant_evaluated()) {
      if (n < size_) size_ = n;
    } else {
      while (size_ > n) data_[--size_].~T();
    }
  }
  constexpr void release() {
    if constexpr (!bytes) shrink(0);
    if (__builtin_is_constant_evaluated()) {
      delete[] data_;
    } else {
      detail::delete_storage(data_, alignof(T));
    }
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace ww
