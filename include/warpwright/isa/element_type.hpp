// SPDX-License-Identifier: BSL-1.0
//
// Data types and sizes in modifier text, where order or repetition counts.
//
//   type_bits("F16x2")     32: width of a data-type word in bits, 0 if it is no type. Small floats count where several are
//                          packed: E4M3x16, sixteen of a sign, 4 and 3 bits (observed: LDGMC with them writes 2 or 4 registers)
//   convert_types(text)    F2F.F64.F32: destination and source type in the order written
//   access_bytes(text)     bytes that one thread moves: .U8 1, .S16 2, none 4, .64 8, .128 16, .256 32, .ADD.F64 8
// Sources: facts/hardware.md 5.3 (memory type code), listings of the corpus.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "modifier_text.hpp"

namespace ww::isa {

namespace detail {

// The number behind the x at `at`, 1 to 99, or 0.
constexpr unsigned packed_count(string_view w, std::size_t at) {
  if (at >= w.size() || w[at] != 'x' || w.size() - at > 3) return 0;
  unsigned n = 0;
  for (++at; at < w.size(); ++at) {
    if (w[at] < '0' || w[at] > '9') return 0;
    n = n * 10 + static_cast<unsigned>(w[at] - '0');
  }
  return n;
}

}  // namespace detail

constexpr unsigned type_bits(string_view w) {
  if (w.size() > 4 && w[0] == 'E' && w[2] == 'M') {  // E4M3x16
    const auto exponent = static_cast<unsigned>(w[1] - '0');
    const auto mantissa = static_cast<unsigned>(w[3] - '0');
    return exponent <= 9 && mantissa <= 9 ? (1 + exponent + mantissa) * detail::packed_count(w, 4) : 0;
  }
  std::size_t at = 0;
  if (w.size() >= 2 && w[0] == 'B' && w[1] == 'F') {
    at = 2;
  } else if (w.size() >= 2 && w[0] == 'T' && w[1] == 'F') {
    at = 2;
  } else if (!w.empty() && (w[0] == 'F' || w[0] == 'S' || w[0] == 'U' || w[0] == 'B')) {
    at = 1;
  } else {
    return 0;
  }
  unsigned bits = 0;
  std::size_t digits = 0;
  while (at < w.size() && w[at] >= '0' && w[at] <= '9' && digits < 3) {
    bits = bits * 10 + static_cast<unsigned>(w[at++] - '0');
    ++digits;
  }
  if (digits == 0) return 0;
  if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32 && bits != 64 && bits != 128) return 0;
  if (at == w.size()) return bits;
  if (const unsigned n = detail::packed_count(w, at); n != 0) return bits * n;
  return at + 3 <= w.size() ? bits : 0;
}

struct type_pair {
  unsigned first = 0;   // bits, 0 = not written
  unsigned second = 0;  // bits, 0 = not written
};

constexpr type_pair convert_types(string_view modifiers) {
  type_pair t;
  for_each_modifier(modifiers, [&](string_view w) {
    const unsigned b = type_bits(w);
    if (b == 0) return true;
    if (t.first == 0) {
      t.first = b;
      return true;
    }
    t.second = b;
    return false;
  });
  return t;
}

constexpr unsigned access_bytes(string_view modifiers) {
  unsigned bytes = 4;
  for_each_modifier(modifiers, [&](string_view w) {
    const unsigned b = type_bits(w);
    if (b >= 8) {
      bytes = b / 8;
    } else if (w == "64" || w == "SD64") {  // SURED.D.1D.MAX.SD64: a pair, as the register tables have it
      bytes = 8;
    } else if (w == "96") {
      bytes = 12;
    } else if (w == "128") {
      bytes = 16;
    } else if (w == "256") {
      bytes = 32;
    }
    return true;
  });
  return bytes;
}

}  // namespace ww::isa
