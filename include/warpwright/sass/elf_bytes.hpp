// SPDX-License-Identifier: BSL-1.0
//
// Little-endian loads and stores inside a byte range, with every offset checked first.
//
// `holds(n, offset, size)` is the one range test: true when [offset, offset + size) lies inside n bytes; it never
// overflows, whatever the arguments. The loads demand that the caller has asked it; `byte_reader` asks it itself and
// turns into a failed state that stays failed, so a decoder may check once at the end of a record.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"

namespace ww::sass {

using byte_span = span<const std::uint8_t>;

namespace detail {

[[nodiscard]] constexpr bool holds(std::uint64_t n, std::uint64_t offset, std::uint64_t size) {
  return offset <= n && size <= n - offset;
}

template <class Unsigned>
[[nodiscard]] constexpr Unsigned load_le(byte_span b, std::uint64_t offset) {
  Unsigned v = 0;
  for (std::size_t i = sizeof(Unsigned); i-- > 0;) {
    v = static_cast<Unsigned>((static_cast<std::uint64_t>(v) << 8) | b[meta::to_size(offset) + i]);
  }
  return v;
}

template <class Unsigned>
constexpr void store_le(span<std::uint8_t> b, std::uint64_t offset, Unsigned v) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    b[meta::to_size(offset) + i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(v) >> (8 * i));
  }
}

// Reads a range from front to back. After a read past the end `ok` is false, every value is 0 and `at` stands at the end.
struct byte_reader {
  byte_span bytes;
  std::uint64_t at = 0;
  bool ok = true;

  [[nodiscard]] constexpr bool more() const { return ok && at < bytes.size(); }

  constexpr bool skip(std::uint64_t n) {
    if (!ok || !holds(bytes.size(), at, n)) {
      ok = false;
      at = bytes.size();
      return false;
    }
    at += n;
    return true;
  }

  template <class Unsigned>
  constexpr Unsigned take() {
    const std::uint64_t place = at;
    return skip(sizeof(Unsigned)) ? load_le<Unsigned>(bytes, place) : Unsigned{0};
  }

  // Unsigned number in base 128; longer than 64 bits is a failure.
  constexpr std::uint64_t take_uleb() {
    std::uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t b = take<std::uint8_t>();
      if (!ok || shift > 63 || (shift == 63 && (b & 0x7eu) != 0)) {
        ok = false;
        return 0;
      }
      v |= static_cast<std::uint64_t>(b & 0x7fu) << shift;
      if ((b & 0x80u) == 0) {
        return v;
      }
    }
  }

  // Signed number in base 128.
  constexpr std::int64_t take_sleb() {
    std::uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t b = take<std::uint8_t>();
      if (!ok || shift > 63) {
        ok = false;
        return 0;
      }
      v |= static_cast<std::uint64_t>(b & 0x7fu) << shift;
      if ((b & 0x80u) == 0) {
        if ((b & 0x40u) != 0 && shift + 7 < 64) {
          v |= ~std::uint64_t{0} << (shift + 7);
        }
        return static_cast<std::int64_t>(v);
      }
    }
  }
};

}  // namespace detail
}  // namespace ww::sass
