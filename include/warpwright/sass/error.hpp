// SPDX-License-Identifier: BSL-1.0
//
// What is wrong with an input, as a value: where it stands and what was expected there.
//
//   file      name given by the caller, for messages only
//   line      1-based line of a text, 0 for a file as a whole and for binary files
//   column    1-based byte column in that line; for binary files the byte offset
//   expected  what should have stood there (a string constant)
//   detail    which one of them, where that is known only now: the name of an SM
//   found     the first bytes of what stood there, made printable
// No error is an error without `expected`. message() gives `file:line:column: expected ... (detail), found '...'`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ww::sass {

struct error {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  const char* expected = nullptr;
  std::string detail{};
  std::string found{};

  // True if there is an error.
  [[nodiscard]] explicit operator bool() const { return expected != nullptr; }

  // Takes over at most 40 bytes of the text; bytes that are not printable ASCII become '?'.
  void set_found(std::string_view text) {
    found.clear();
    const std::size_t n = text.size() < 40 ? text.size() : 40;
    for (std::size_t i = 0; i < n; ++i) {
      const char c = text[i];
      if (c == '\n' || c == '\r') break;
      found.push_back(c >= ' ' && c <= '~' ? c : (c == '\t' ? ' ' : '?'));
    }
  }

  [[nodiscard]] std::string message() const {
    std::string m = file.empty() ? std::string("input") : file;
    if (line != 0 || column != 0) {
      m += ':';
      m += std::to_string(line);
      m += ':';
      m += std::to_string(column);
    }
    m += ": expected ";
    m += expected != nullptr ? expected : "nothing";
    if (!detail.empty()) {
      m += " (";
      m += detail;
      m += ')';
    }
    if (!found.empty()) {
      m += ", found '";
      m += found;
      m += '\'';
    }
    return m;
  }
};

namespace detail {

// What was expected in a line, 0 if in none, and what stands there.
[[nodiscard]] inline error refusal_at(std::uint64_t line, const char* expected, std::string_view found = {}) {
  error e;
  e.line = line;
  e.column = line != 0 ? 1 : 0;
  e.expected = expected;
  e.set_found(found);
  return e;
}

}  // namespace detail

}  // namespace ww::sass
