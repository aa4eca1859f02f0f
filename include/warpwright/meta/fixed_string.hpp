// SPDX-License-Identifier: BSL-1.0
//
// A string as a template argument: `template <ww::meta::fixed_string Name> struct phase`.
//
// `Size` is the number of characters without the closing zero. Two fixed strings are the same template
// argument when their characters are the same. `concat` joins at compile time; `view()` reads.
#pragma once

#include <cstddef>

#include "string_view.hpp"

namespace ww::meta {

template <std::size_t Size>
struct fixed_string {
  char text[Size + 1] = {};

  constexpr fixed_string() = default;
  // Implicit on purpose: a literal in the place of the template argument.
  constexpr fixed_string(const char (&literal)[Size + 1]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
  }
  [[nodiscard]] static constexpr std::size_t size() { return Size; }
  [[nodiscard]] constexpr string_view view() const { return {text, Size}; }
  [[nodiscard]] constexpr const char* c_str() const { return text; }

  template <std::size_t Other>
  friend constexpr bool operator==(const fixed_string& a, const fixed_string<Other>& b) {
    return a.view() == b.view();
  }
};

template <std::size_t N>
fixed_string(const char (&)[N]) -> fixed_string<N - 1>;

template <std::size_t A, std::size_t B>
[[nodiscard]] constexpr fixed_string<A + B> concat(const fixed_string<A>& a, const fixed_string<B>& b) {
  fixed_string<A + B> out;
  for (std::size_t i = 0; i < A; ++i) out.text[i] = a.text[i];
  for (std::size_t i = 0; i < B; ++i) out.text[A + i] = b.text[i];
  return out;
}

}  // namespace ww::meta
