// SPDX-License-Identifier: BSL-1.0
//
// Numbers and control words as reports show them, appended to a string. The same everywhere, whatever the locale.
//
//   add_count     1234567 as 1,234,567
//   add_decimal   with one digit behind the point, none where it would be 0 or the number is 10,000 or more; negative ones too
//   add_hex       0x0a40, four digits or more
//   add_control   the control word in the notation of assemblers: counters waited for, read counter, write counter, yield,
//                 stall, reuse: "01--4-:R2:W-:Y:S04:ab"
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "../ir/control.hpp"
#include "text_line.hpp"

namespace ww::report {

inline void add_count(std::string& out, std::uint64_t n) {
  char reversed[32];
  std::size_t length = 0;
  std::size_t digits = 0;
  do {
    if (digits != 0 && digits % 3 == 0) reversed[length++] = ',';
    reversed[length++] = static_cast<char>('0' + n % 10);
    ++digits;
  } while ((n /= 10) != 0);
  while (length > 0) out += reversed[--length];
}

inline void add_decimal(std::string& out, double x) {
  constexpr double most_with_tenth = 10'000;
  const double size = x < 0 ? -x : x;
  const double whole = size < text_line::largest ? size : size >= text_line::largest ? text_line::largest : 0;
  auto tenths = static_cast<std::uint64_t>(std::llround(whole * 10));
  const bool tenth = whole < most_with_tenth && tenths % 10 != 0;
  if (!tenth) tenths = 10 * static_cast<std::uint64_t>(std::llround(whole));
  if (x < 0 && tenths != 0) out += '-';
  add_count(out, tenths / 10);
  if (!tenth) return;
  out += '.';
  out += static_cast<char>('0' + tenths % 10);
}

// A part of a whole in percent.
inline void add_percent(std::string& out, double part, double whole) {
  add_decimal(out, whole > 0 ? 100 * part / whole : 0);
  out += "\xc2\xa0%";
}

inline void add_hex(std::string& out, std::uint64_t n) {
  char reversed[16];
  std::size_t length = 0;
  for (; n != 0 || length < 4; n >>= 4u) reversed[length++] = "0123456789abcdef"[n & 15u];
  out += "0x";
  while (length > 0) out += reversed[--length];
}

inline void add_control(std::string& out, const control& c) {
  for (unsigned k = 0; k < control::barrier_count; ++k) {
    out += (c.wait_mask >> k & 1u) != 0 ? static_cast<char>('0' + k) : '-';
  }
  out += ":R";
  out += c.sets_read() ? static_cast<char>('0' + (c.read_barrier & 7u)) : '-';
  out += ":W";
  out += c.sets_write() ? static_cast<char>('0' + (c.write_barrier & 7u)) : '-';
  out += c.yield ? ":Y:S" : ":-:S";
  out += static_cast<char>('0' + (c.stall & 15u) / 10);
  out += static_cast<char>('0' + (c.stall & 15u) % 10);
  if (c.reuse == 0) return;
  out += ':';
  for (unsigned k = 0; k < 4; ++k) {
    if ((c.reuse >> k & 1u) != 0) out += static_cast<char>('a' + k);
  }
}

}  // namespace ww::report
