// SPDX-License-Identifier: BSL-1.0
//
// text_line: one line of text in a buffer of its own, filled from a format and numbers.
//
//   %d    a number without its fraction          %.1f, %.2f, %f   with one, two or six digits behind the point
// As printf writes them in the C locale: the fraction is rounded to the nearest, ties to even. Exact for every value of type float
// and for every double with 32 bits or fewer behind the point. What is beyond `largest` is written as that, and what is not a
// number as 0.
//
// No memory is taken and no locale asked; it works in constant expressions. What does not fit into the buffer is left out, and
// `fits` says so. A format with more places than numbers ends at the first place that has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../meta/rounded.hpp"
#include "../meta/string_view.hpp"

namespace ww::report {

class text_line {
 public:
  static constexpr std::size_t most = 640;         // characters; the longest line of the guidance takes less (tested)
  static constexpr double largest = 1e15;          // 16 digits in front of the point
  static constexpr std::size_t most_decimals = 6;  // behind it

  constexpr text_line() = default;
  constexpr text_line(string_view format, std::initializer_list<double> numbers) { add(format, numbers); }

  constexpr void add(string_view format, std::initializer_list<double> numbers) {
    const double* next = numbers.begin();
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%') {
        put(format[i]);
        continue;
      }
      if (next == numbers.end()) return;
      const string_view rest = format.substr(i);
      if (rest.starts_with("%d")) {
        integer(*next++);
        i += 1;
      } else if (rest.starts_with("%f")) {
        fixed(*next++, 6);
        i += 1;
      } else if (rest.size() >= 4 && rest[1] == '.' && rest[3] == 'f') {
        fixed(*next++, static_cast<std::size_t>(rest[2] - '0'));
        i += 3;
      } else {
        put('%');
      }
    }
  }
  constexpr void add(string_view text) {
    for (const char c : text) put(c);
  }

  [[nodiscard]] constexpr string_view view() const { return {characters_, size_}; }
  [[nodiscard]] constexpr bool fits() const { return fits_; }

 private:
  constexpr void put(char c) {
    fits_ = fits_ && size_ < most;
    if (size_ < most) characters_[size_++] = c;
  }
  // At least `digits` digits, zeros in front.
  constexpr void digits(std::uint64_t value, std::size_t digits) {
    char reversed[24] = {};
    std::size_t n = 0;
    for (; value != 0 || n < digits; value /= 10) reversed[n++] = static_cast<char>('0' + value % 10);
    while (n > 0) put(reversed[--n]);
  }
  // Writes the sign and returns what is left.
  constexpr double magnitude(double value) {
    if (value < 0) put('-');
    const double positive = value < 0 ? -value : value;
    return positive < largest ? positive : positive >= largest ? largest : 0;
  }
  constexpr void integer(double value) {
    digits(static_cast<std::uint64_t>(magnitude(value > -1 && value < 0 ? 0 : value)), 1);
  }
  constexpr void fixed(double value, std::size_t decimals) {
    const std::size_t places = decimals < most_decimals ? decimals : most_decimals;
    std::uint64_t scale = 1;
    for (std::size_t i = 0; i < places; ++i) scale *= 10;
    const double positive = magnitude(value);
    auto whole = static_cast<std::uint64_t>(positive);
    const double scaled = meta::rounded((positive - static_cast<double>(whole)) * static_cast<double>(scale));
    auto part = static_cast<std::uint64_t>(scaled);
    const double left = scaled - static_cast<double>(part);
    if (left > 0.5 || (left == 0.5 && part % 2 == 1)) ++part;
    if (part == scale) {
      ++whole;
      part = 0;
    }
    digits(whole, 1);
    if (places == 0) return;
    put('.');
    digits(part, places);
  }

  char characters_[most] = {};
  std::size_t size_ = 0;
  bool fits_ = true;
};

}  // namespace ww::report
