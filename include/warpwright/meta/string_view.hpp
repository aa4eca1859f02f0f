// SPDX-License-Identifier: BSL-1.0
//
// string_view: characters that somebody else owns.
//
// The part of std::string_view that this kit uses, with the same names and the same meaning, except that substr() clamps
// its start too, for the core has no exceptions. It exists for what it costs to compile: <string_view> takes as long as a
// fifth of the whole core header. It converts from and to std::string_view, from literals and from std::string, compares
// with all of these, and prints into anything with the interface of std::ostream.
#pragma once

#include <cstddef>

namespace ww {

class string_view;

namespace detail {

// A type that holds characters and is no array: std::string, std::string_view, but not the string_view of this kit.
template <class S>
inline constexpr bool own_text = false;
template <>
inline constexpr bool own_text<string_view> = true;
template <class S>
concept foreign_text = !own_text<S> && requires(const S& s, const char*& first) {
  first = s.data(), s.size();
};

}  // namespace detail

class string_view {
 public:
  using value_type = char;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = const char*;
  using const_iterator = const char*;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  constexpr string_view() = default;
  constexpr string_view(const char* first, std::size_t count) : data_(first), size_(count) {}
  constexpr string_view(const char* zero_ended) : data_(zero_ended), size_(__builtin_strlen(zero_ended)) {}
  template <detail::foreign_text S>
  constexpr string_view(const S& s) : data_(s.data()), size_(s.size()) {}
  // To std::string_view and its like; a string that owns its characters is made in words: std::string(v).
  template <class S>
  requires(__is_trivially_copyable(S)) && requires(const char* p, std::size_t n) {
    typename S::traits_type;
    S(p, n);
  }
  [[nodiscard]] constexpr operator S() const { return S(data_, size_); }

  [[nodiscard]] constexpr const char* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::size_t length() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const char* begin() const { return data_; }
  [[nodiscard]] constexpr const char* end() const { return data_ + size_; }
  [[nodiscard]] constexpr const char& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] constexpr const char& front() const { return data_[0]; }
  [[nodiscard]] constexpr const char& back() const { return data_[size_ - 1]; }

  constexpr void remove_prefix(std::size_t n) { data_ += n, size_ -= n; }
  constexpr void remove_suffix(std::size_t n) { size_ -= n; }
  [[nodiscard]] constexpr string_view substr(std::size_t from, std::size_t count = npos) const {
    const std::size_t start = from < size_ ? from : size_;
    return {data_ + start, count < size_ - start ? count : size_ - start};
  }

  [[nodiscard]] constexpr bool starts_with(string_view s) const { return substr(0, s.size_) == s; }
  [[nodiscard]] constexpr bool ends_with(string_view s) const { return size_ >= s.size_ && substr(size_ - s.size_) == s; }
  [[nodiscard]] constexpr std::size_t find(char c, std::size_t from = 0) const {
    for (; from < size_; ++from) {
      if (data_[from] == c) return from;
    }
    return npos;
  }
  [[nodiscard]] constexpr std::size_t find(string_view s, std::size_t from = 0) const {
    for (; from + s.size_ <= size_; ++from) {
      if (substr(from, s.size_) == s) return from;
    }
    return npos;
  }
  [[nodiscard]] constexpr bool contains(string_view s) const { return find(s) != npos; }
  [[nodiscard]] constexpr std::size_t rfind(char c) const {
    for (std::size_t i = size_; i-- > 0;) {
      if (data_[i] == c) return i;
    }
    return npos;
  }
  [[nodiscard]] constexpr std::size_t find_first_of(string_view set, std::size_t from = 0) const {
    for (; from < size_; ++from) {
      if (set.find(data_[from]) != npos) return from;
    }
    return npos;
  }
  [[nodiscard]] constexpr std::size_t find_first_not_of(string_view set, std::size_t from = 0) const {
    for (; from < size_; ++from) {
      if (set.find(data_[from]) == npos) return from;
    }
    return npos;
  }
  [[nodiscard]] constexpr std::size_t find_last_not_of(string_view set) const {
    for (std::size_t i = size_; i-- > 0;) {
      if (set.find(data_[i]) == npos) return i;
    }
    return npos;
  }
  // Negative, zero or positive, by the values of the characters as unsigned bytes.
  [[nodiscard]] constexpr int compare(string_view s) const {
    for (std::size_t i = 0; i < size_ && i < s.size_; ++i) {
      if (data_[i] != s.data_[i]) {
        return static_cast<unsigned char>(data_[i]) < static_cast<unsigned char>(s.data_[i]) ? -1 : 1;
      }
    }
    return size_ == s.size_ ? 0 : size_ < s.size_ ? -1 : 1;
  }

  [[nodiscard]] friend constexpr bool operator==(string_view a, string_view b) {
    return a.size_ == b.size_ && same(a.data_, b.data_, a.size_);
  }
  template <detail::foreign_text S>
  [[nodiscard]] friend constexpr bool operator==(string_view a, const S& b) {
    return a == string_view(b.data(), b.size());
  }
  [[nodiscard]] friend constexpr bool operator<(string_view a, string_view b) { return a.compare(b) < 0; }
  [[nodiscard]] friend constexpr bool operator>(string_view a, string_view b) { return b < a; }

  // As std::ostream prints a std::string_view, width and fill included.
  template <class Stream>
  requires requires(Stream& out, const char* p) { out.write(p, out.width()), out.fill(); }
  friend Stream& operator<<(Stream& out, string_view s) {
    const auto size = static_cast<decltype(out.width())>(s.size_);
    const auto width = out.width(0);
    const bool left = (out.flags() & Stream::adjustfield) == Stream::left;
    if (left) out.write(s.data_, size);
    for (auto n = size; n < width; ++n) out.put(out.fill());
    if (!left) out.write(s.data_, size);
    return out;
  }

 private:
  static constexpr bool same(const char* a, const char* b, std::size_t n) {
    if (!__builtin_is_constant_evaluated()) return n == 0 || __builtin_memcmp(a, b, n) == 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ww
