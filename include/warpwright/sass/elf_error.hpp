// SPDX-License-Identifier: BSL-1.0
//
// What is wrong with an ELF file or a cubin, as a value.
//
//   offset    byte of the file at which the reader stopped, `no_offset` when the finding has no single place
//   where     the section, table or header field that holds that byte
//   expected  what the reader wanted there
// An error is set when `expected` is not empty. Nothing in sass/elf* or sass/cubin* throws; every reader gives one
// of these back beside its result, and the result is then not to be used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ww::sass {

struct elf_error {
  static constexpr std::uint64_t no_offset = ~std::uint64_t{0};

  std::uint64_t offset = no_offset;
  std::string where;
  std::string expected;

  elf_error() = default;
  elf_error(std::uint64_t at, std::string_view place, std::string_view wanted)
      : offset(at), where(place), expected(wanted) {}

  // True when something is wrong.
  [[nodiscard]] explicit operator bool() const { return !expected.empty(); }

  // One line for people: `offset 0x40, section header 3: expected ...`.
  [[nodiscard]] std::string text() const {
    if (expected.empty()) {
      return "no error";
    }
    std::string s;
    if (offset != no_offset) {
      s += "offset 0x" + hex(offset) + ", ";
    }
    return s + where + ": expected " + expected;
  }

  // Lower-case hexadecimal digits of a number, without prefix.
  static std::string hex(std::uint64_t v) {
    char digits[16];
    int n = 0;
    do {
      digits[n++] = "0123456789abcdef"[v & 15u];
      v >>= 4;
    } while (v != 0);
    std::string s;
    while (n > 0) {
      s += digits[--n];
    }
    return s;
  }
};

}  // namespace ww::sass
