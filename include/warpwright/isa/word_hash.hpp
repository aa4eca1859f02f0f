// SPDX-License-Identifier: BSL-1.0
//
// A small open-addressed hash table from short words to 16-bit values, built at compile time.
//
// Words are up to 16 characters and are packed into a 128-bit key, so that a lookup is two integer
// comparisons per probe and never touches the characters again. Used for mnemonics and modifiers, which the listing
// reader looks up once or several times per line. Longer words are never found.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"

namespace ww::isa::detail {

struct word_key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  constexpr word_key() = default;
  constexpr explicit word_key(string_view s) {
    // Plain characters: tables are built of these keys in every unit that includes them.
    const char* const text = s.data();
    const std::size_t size = s.size() < 16 ? s.size() : 16;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t c = static_cast<unsigned char>(text[i]);
      if (i < 8) {
        low |= c << (8 * i);
      } else {
        high |= c << (8 * (i - 8));
      }
    }
  }
  [[nodiscard]] constexpr std::size_t hash() const {
    const std::uint64_t h = (low ^ (high * 0x9e3779b97f4a7c15ull)) * 0xd6e8feb86659fd93ull;
    return static_cast<std::size_t>(h >> 40);
  }
  friend constexpr bool operator==(const word_key& x, const word_key& y) { return x.low == y.low && x.high == y.high; }
};

template <std::size_t Slots>
struct word_table {
  static_assert((Slots & (Slots - 1)) == 0, "the number of slots is a power of two");
  static constexpr std::uint16_t absent = 0xffff;

  struct slot {
    word_key key;
    std::uint16_t value = absent;
  };
  slot slots[Slots] = {};

  // False if the word is there already, empty or too long.
  constexpr bool insert(string_view word, std::uint16_t value) {
    if (word.empty() || word.size() > 16) return false;
    const word_key key(word);
    for (std::size_t i = key.hash() & (Slots - 1);; i = (i + 1) & (Slots - 1)) {
      if (slots[i].value == absent) {
        slots[i] = {key, value};
        return true;
      }
      if (slots[i].key == key) return false;
    }
  }
  [[nodiscard]] constexpr std::uint16_t find(string_view word) const {
    if (word.empty() || word.size() > 16) return absent;
    const word_key key(word);
    for (std::size_t i = key.hash() & (Slots - 1);; i = (i + 1) & (Slots - 1)) {
      if (slots[i].value == absent) return absent;
      if (slots[i].key == key) return slots[i].value;
    }
  }
};

}  // namespace ww::isa::detail
