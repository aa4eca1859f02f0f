// SPDX-License-Identifier: BSL-1.0
//
// Lines of a text, one after another, without copying.
//
// A line is a view that ends before its '\n' (and before a '\r' in front of it). The scanner refuses what no
// disassembler prints and what would make a later step slow or unsafe: a line longer than `max_line` bytes,
// a NUL byte, bytes that are not UTF-8. It looks at each byte once, eight at a time where all are ASCII.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ww::sass {

struct line_scanner {
  static constexpr std::size_t max_line = std::size_t{1}
                                          << 20;  // bytes; the longest line of a real listing is a branch table

  enum class status : std::uint8_t { line, end, too_long, not_utf8, nul };

  explicit line_scanner(std::string_view text) : cursor_(text.data()), end_(text.data() + text.size()) {}

  // Moves to the next line; false at the end of the text or at a fault, which `state` tells apart.
  [[nodiscard]] bool next() {
    if (cursor_ == end_) {
      state = status::end;
      return false;
    }
    const auto left = static_cast<std::size_t>(end_ - cursor_);
    const std::size_t window = left < max_line ? left : max_line;
    const void* hit = std::memchr(cursor_, '\n', window);
    ++number;
    column = 1;
    if (hit == nullptr && window < left) {
      state = status::too_long;
      column = max_line + 1;
      line = std::string_view(cursor_, 40);
      return false;
    }
    const char* stop = hit != nullptr ? static_cast<const char*>(hit) : end_;
    line = std::string_view(cursor_, static_cast<std::size_t>(stop - cursor_));
    cursor_ = hit != nullptr ? stop + 1 : end_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return check();
  }

  std::string_view line;
  std::uint64_t number = 0;  // 1-based
  std::uint64_t column = 0;  // of a fault
  status state = status::line;

 private:
  [[nodiscard]] bool check() {
    const char* p = line.data();
    const char* const stop = p + line.size();
    constexpr std::uint64_t high = 0x8080808080808080ull;
    constexpr std::uint64_t ones = 0x0101010101010101ull;
    std::uint64_t suspect = 0;
    for (; stop - p >= 8; p += 8) {
      std::uint64_t v = 0;
      std::memcpy(&v, p, 8);
      suspect |= (v | ((v - ones) & ~v)) & high;
    }
    for (; p != stop; ++p) suspect |= (*p == 0 || static_cast<unsigned char>(*p) >= 0x80u) ? 1u : 0u;
    return suspect == 0 || check_slowly();
  }

  [[nodiscard]] bool check_slowly() {
    const auto* const first = reinterpret_cast<const unsigned char*>(line.data());
    const std::size_t n = line.size();
    std::size_t i = 0;
    while (i < n) {
      const unsigned c = first[i];
      column = i + 1;
      if (c == 0) {
        state = status::nul;
        return false;
      }
      std::size_t extra = 0;
      unsigned least = 0x80;
      unsigned value = c;
      if (c >= 0xf0 && c <= 0xf4) {
        extra = 3;
        least = 0x10000;
        value = c & 0x07u;
      } else if (c >= 0xe0 && c < 0xf0) {
        extra = 2;
        least = 0x800;
        value = c & 0x0fu;
      } else if (c >= 0xc2 && c < 0xe0) {
        extra = 1;
        value = c & 0x1fu;
      } else if (c >= 0x80) {
        state = status::not_utf8;
        return false;
      }
      for (std::size_t k = 1; k <= extra; ++k) {
        if (i + k >= n || (first[i + k] & 0xc0u) != 0x80u) {
          state = status::not_utf8;
          return false;
        }
        value = (value << 6) | (first[i + k] & 0x3fu);
      }
      if (extra != 0 && (value < least || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))) {
        state = status::not_utf8;
        return false;
      }
      i += extra + 1;
    }
    return true;
  }

  const char* cursor_;
  const char* end_;
};

}  // namespace ww::sass
