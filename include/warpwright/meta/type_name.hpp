// SPDX-License-Identifier: BSL-1.0
//
// The name of a type as text, without RTTI: `type_name<ww::sm90>()` is "ww::sm90".
//
// The text is the compiler's spelling and differs between compilers for templates (spaces, inline namespaces), so
// it is for people: list output and diagnostics. Where output must be the same on every compiler, a policy has a
// `name` member, and `name_of<Policy>()` prefers that.
#pragma once

#include <concepts>
#include <string_view>

namespace ww::meta {

template <class T>
[[nodiscard]] constexpr std::string_view type_name() {
#if defined(__clang__)
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t from = text.find("[T = ") + 5;
  return text.substr(from, text.rfind(']') - from);
#elif defined(__GNUC__)
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t from = text.find("with T = ") + 9;
  const std::size_t semicolon = text.find("; std::string_view", from);
  const std::size_t to = semicolon == std::string_view::npos ? text.rfind(']') : semicolon;
  return text.substr(from, to - from);
#else
#error "warpwright: type_name needs g++ or clang"
#endif
}

// The policy's own name, or the compiler's spelling where it has none.
template <class Policy>
[[nodiscard]] constexpr std::string_view name_of() {
  if constexpr (requires {
                  { Policy::name } -> std::convertible_to<std::string_view>;
                }) {
    return Policy::name;
  } else {
    return type_name<Policy>();
  }
}

}  // namespace ww::meta
