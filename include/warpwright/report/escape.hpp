// SPDX-License-Identifier: BSL-1.0
//
// Text of any bytes as text of a page, of JSON and of DOT, appended to a string.
//
//   html   text and attribute values in double quotes: & < > " ' are entities
//   json   inside a string in double quotes
//   dot    inside a string in double quotes of a label: no escape and no entity of the label's own
// What comes out is UTF-8. A byte that is no part of a character of UTF-8 becomes the character of its number; a control
// character becomes its picture (U+2400 and on), in JSON an escape. So different texts stay different but for those pictures.
#pragma once

#include <cstddef>
#include <string>

#include "../meta/string_view.hpp"

namespace ww::report {

namespace detail {

// Bytes of the UTF-8 character at `at`; 0 if none stands there.
[[nodiscard]] inline std::size_t character_bytes(string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(at + k) & 0xc0u) != 0x80u) return 0;
  }
  const unsigned second = byte(at + 1);
  const bool wild = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                    (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wild ? 0 : length;
}

// Calls one(out, c) for every ASCII character of `text`; copies the others.
template <class F>
void each_character(std::string& out, string_view text, F&& one) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_bytes(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out += static_cast<char>(0xc0u | first >> 6u);
      out += static_cast<char>(0x80u | (first & 0x3fu));
    } else if (length == 1) {
      one(out, static_cast<char>(first));
    } else {
      out.append(text.data() + at, length);
    }
    at += length == 0 ? 1 : length;
  }
}

[[nodiscard]] inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// U+2400 and on: the bytes e2 90 80 and on.
inline void add_picture(std::string& out, char c) {
  const unsigned place = c == 0x7f ? 0x21u : static_cast<unsigned char>(c);
  out += static_cast<char>(0xe2);
  out += static_cast<char>(0x90);
  out += static_cast<char>(0x80u + place);
}

}  // namespace detail

inline void escape_html(std::string& out, string_view text) {
  detail::each_character(out, text, [](std::string& to, char c) {
    switch (c) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      case '\'':
        to += "&#39;";
        break;
      default:
        if (detail::is_control(c)) {
          detail::add_picture(to, c);
        } else {
          to += c;
        }
    }
  });
}

inline void escape_json(std::string& out, string_view text) {
  detail::each_character(out, text, [](std::string& to, char c) {
    constexpr const char* digits = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (detail::is_control(c)) {
      to += "\\u00";
      to += digits[static_cast<unsigned char>(c) >> 4u];
      to += digits[static_cast<unsigned char>(c) & 15u];
    } else {
      to += c;
    }
  });
}

inline void escape_dot(std::string& out, string_view text) {
  detail::each_character(out, text, [](std::string& to, char c) {
    if (c == '"') {
      to += "\\\"";
    } else if (c == '\\') {
      to += "\\\\";
    } else if (c == '&') {
      to += "&amp;";
    } else if (detail::is_control(c)) {
      detail::add_picture(to, c);
    } else {
      to += c;
    }
  });
}

}  // namespace ww::report
