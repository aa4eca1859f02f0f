// SPDX-License-Identifier: BSL-1.0
//
// The lines of one instruction of a listing, written again with another address, body and words.
//
//   hex_digits(v, least)                     without "0x", at least so many
//   write_record(text, out, r, k, body, word)    as record `r` of `text` stands there, but as instruction k of its section. Columns stay
//                                            where they were as far as the body leaves room
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../module.hpp"
#include "instruction_line.hpp"

namespace ww::sass::detail {

[[nodiscard]] inline std::string hex_digits(std::uint64_t v, unsigned least) {
  std::string out;
  for (unsigned k = 16; k-- > 0;) {
    const auto d = static_cast<unsigned>(v >> (4 * k) & 15u);
    if (d != 0 || !out.empty() || k < least) out += "0123456789abcdef"[d];
  }
  return out;
}

inline void write_record(std::string_view text, std::string& out, const text_record& r, std::uint32_t k,
                         std::string_view body, const std::uint64_t (&word)[2]) {
  out += text.substr(r.begin, r.address - r.begin);
  out += hex_digits(std::uint64_t{16} * k, 4);
  const std::uint32_t behind = r.address + r.address_digits;
  out += text.substr(behind, r.body - behind);
  out += body;
  if (r.hex[0] == text_record::none) {
    out += text.substr(r.body_end, r.end - r.body_end);
    return;
  }
  const std::uint32_t comment = r.hex[0] - 5;  // "/* 0x"
  std::uint32_t stop = comment;
  while (stop > r.body_end && is_blank(text[stop - 1])) --stop;
  out += text.substr(r.body_end, stop - r.body_end);
  const std::size_t gap = comment - stop + (r.body_end - r.body);
  out.append(gap > body.size() ? gap - body.size() : 1, ' ');
  out += text.substr(comment, 5);
  out += hex_digits(word[0], 16);
  out += text.substr(r.hex[0] + 16, r.hex[1] - r.hex[0] - 16);
  out += hex_digits(word[1], 16);
  out += text.substr(r.hex[1] + 16, r.end - r.hex[1] - 16);
}

}  // namespace ww::sass::detail
