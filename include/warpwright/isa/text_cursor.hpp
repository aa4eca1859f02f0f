// SPDX-License-Identifier: BSL-1.0
//
// A reading position in the text of one instruction, with the first error.
//
//   word()    the longest run of letters, digits, '_' and '$' from here (may be empty)
//   take(c)   steps over c if it stands here
//   fail()    records what was expected and where, and returns false
// Never reads past the end; works on any bytes and at compile time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"

namespace ww::isa::detail {

enum : unsigned char { char_word = 1, char_digit = 2, char_hex = 4, char_blank = 8, char_upper = 16 };

struct char_table {
  unsigned char kind[256] = {};
};

consteval char_table make_char_table() {
  char_table t;
  for (int c = '0'; c <= '9'; ++c) t.kind[c] = char_word | char_digit | char_hex;
  for (int c = 'a'; c <= 'z'; ++c) t.kind[c] = static_cast<unsigned char>(char_word | (c <= 'f' ? char_hex : 0));
  for (int c = 'A'; c <= 'Z'; ++c)
    t.kind[c] = static_cast<unsigned char>(char_word | char_upper | (c <= 'F' ? char_hex : 0));
  t.kind[static_cast<int>('_')] = char_word;
  t.kind[static_cast<int>('$')] = char_word;
  t.kind[static_cast<int>(' ')] = char_blank;
  t.kind[static_cast<int>('\t')] = char_blank;
  t.kind[static_cast<int>('\r')] = char_blank;
  return t;
}
inline constexpr char_table chars = make_char_table();

constexpr bool is_kind(char c, unsigned kinds) { return (chars.kind[static_cast<unsigned char>(c)] & kinds) != 0; }
constexpr bool is_word(char c) { return is_kind(c, char_word); }
constexpr bool is_digit(char c) { return is_kind(c, char_digit); }
constexpr bool is_blank(char c) { return is_kind(c, char_blank); }
constexpr bool is_upper(char c) { return is_kind(c, char_upper); }

struct text_cursor {
  const char* begin;
  const char* at;
  const char* end;
  unsigned error_column = 0;
  const char* expected = "";

  constexpr explicit text_cursor(string_view s) : begin(s.data()), at(s.data()), end(s.data() + s.size()) {}

  [[nodiscard]] constexpr bool done() const { return at == end; }
  [[nodiscard]] constexpr std::size_t left() const { return static_cast<std::size_t>(end - at); }
  [[nodiscard]] constexpr bool is(char c) const { return at != end && *at == c; }
  [[nodiscard]] constexpr bool at_end_mark() const { return at != end && (*at == ';' || *at == '}'); }

  constexpr bool skip_blanks() {
    const char* from = at;
    while (at != end && is_blank(*at)) ++at;
    return at != from;
  }
  constexpr bool take(char c) {
    if (!is(c)) return false;
    ++at;
    return true;
  }
  constexpr string_view word() {
    const char* from = at;
    while (at != end && is_word(*at)) ++at;
    return {from, static_cast<std::size_t>(at - from)};
  }
  constexpr bool fail(const char* what) { return fail_at(at, what); }
  constexpr bool fail_at(const char* where, const char* what) {
    error_column = static_cast<unsigned>(where - begin);
    expected = what;
    return false;
  }
};

}  // namespace ww::isa::detail
