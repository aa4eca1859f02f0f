// SPDX-License-Identifier: BSL-1.0
//
// The name of a type as text, without RTTI: `type_name<ww::sm90>()` is "ww::sm90".
//
// The text is the compiler's spelling and differs between compilers for templates (spaces, inline namespaces), so
// it is for people: list output and diagnostics. Where output must be the same on every compiler, a policy has a
// `name` member, and `name_of<Policy>()` prefers that.
#pragma once

#include "string_view.hpp"
#include "traits.hpp"

namespace ww::meta {

template <class T>
[[nodiscard]] constexpr string_view type_name() {
#if defined(__clang__)
  string_view text = __PRETTY_FUNCTION__;
  const std::size_t from = text.find("[T = ") + 5;
  return text.substr(from, text.rfind(']') - from);
#elif defined(__GNUC__)
  string_view text = __PRETTY_FUNCTION__;
  const std::size_t from = text.find("with T = ") + 9;
  return text.substr(from, text.rfind(']') - from);
#else
#error "warpwright: type_name needs g++ or clang"
#endif
}

// The policy's own name, or the compiler's spelling where it has none.
template <class Policy>
[[nodiscard]] constexpr string_view name_of() {
  if constexpr (requires {
                  { Policy::name } -> convertible_to<string_view>;
                }) {
    return Policy::name;
  } else {
    return type_name<Policy>();
  }
}

}  // namespace ww::meta
