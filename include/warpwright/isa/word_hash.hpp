// SPDX-License-Identifier: BSL-1.0
//
// find_row: the row of a table whose `name`, a zero-ended char[16], is a given word. Used for mnemonics and modifiers,
// which the listing reader looks up once or several times per line.
//
// An open-addressed hash table of row numbers is made when the first word is looked up, in some microseconds, and a lookup
// compares two 64-bit integers per probe. It is not made at compile time, because every unit that includes the core would
// pay for that. In constant expressions the rows are searched one after the other. Words of 16 and more characters are
// never found. Rows have different names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"

namespace ww::isa::detail {

inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);

// The 16 bytes of a name as two integers.
struct word_key {
  std::uint64_t low;
  std::uint64_t high;

  explicit word_key(const char* name) {
    __builtin_memcpy(&low, name, 8);
    __builtin_memcpy(&high, name + 8, 8);
  }
  [[nodiscard]] std::size_t hash() const {
    return static_cast<std::size_t>(((low ^ (high * 0x9e3779b97f4a7c15ull)) * 0xd6e8feb86659fd93ull) >> 40);
  }
  [[nodiscard]] bool is(const word_key& o) const { return low == o.low && high == o.high; }
};

// Row numbers plus one by hash; Slots is a power of two and at least twice the number of rows.
template <std::size_t Slots>
struct word_slots {
  std::uint16_t slots[Slots];

  template <class Row, std::size_t N>
  explicit word_slots(const Row (&rows)[N]) {
    static_assert((Slots & (Slots - 1)) == 0 && Slots >= 2 * N);
    for (std::uint16_t& s : slots) s = 0;
    for (std::size_t n = 0; n < N; ++n) {
      std::size_t i = word_key(rows[n].name).hash() & (Slots - 1);
      while (slots[i] != 0) i = (i + 1) & (Slots - 1);
      slots[i] = static_cast<std::uint16_t>(n + 1);
    }
  }
};

template <std::size_t Slots, class Row, std::size_t N>
std::size_t find_hashed(const Row (&rows)[N], const char* padded) {
  static const word_slots<Slots> table(rows);
  const word_key key(padded);
  for (std::size_t i = key.hash() & (Slots - 1);; i = (i + 1) & (Slots - 1)) {
    const std::size_t n = table.slots[i];
    if (n == 0) return no_row;
    if (word_key(rows[n - 1].name).is(key)) return n - 1;
  }
}

// One array per call site type: `rows` is a constant, and no other table has its Row.
template <std::size_t Slots, class Row, std::size_t N>
constexpr std::size_t find_row(const Row (&rows)[N], string_view word) {
  if (word.empty() || word.size() > 15) return no_row;
  char padded[16] = {};
  for (std::size_t i = 0; i < word.size(); ++i) padded[i] = word[i];
  if (!__builtin_is_constant_evaluated()) return find_hashed<Slots>(rows, padded);
  for (std::size_t n = 0; n < N; ++n) {
    std::size_t i = 0;
    while (i < 16 && rows[n].name[i] == padded[i]) ++i;
    if (i == 16) return n;
  }
  return no_row;
}

}  // namespace ww::isa::detail
