// SPDX-License-Identifier: BSL-1.0
//
// Every shipped architecture: the list, and the step from a number or a name known at run time to a type.
//
//   all_archs              type list, in ascending order
//   visit_arch(sm, f)      calls f.template operator()<Arch>() for the architecture of that id and returns true; false if
//                          none
//   parse_sm(text)         "sm_90a", "sm90a", "90a", "SM_90A" -> id; unknown if it is not such a name
//   nearest_sm(id)         the shipped SM whose pages serve an id that is not shipped, and the id itself where it is
//
// Nearest: 52, 53 -> 50; 61, 62 -> 60; 72 -> 70; 87 and 88 -> 86; 100a -> 100; 101, as CUDA 12 called it, -> 110; 121 -> 120.
// Schedules of 52 to 62, of 80 to 89 and of 120 and 121 agree in the observed cells (docs/latency.md).
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "../meta/type_list.hpp"
#include "concept.hpp"
#include "counted_form.hpp"
#include "sm100.hpp"
#include "sm103.hpp"
#include "sm107.hpp"
#include "sm110.hpp"
#include "sm120.hpp"
#include "sm50.hpp"
#include "sm60.hpp"
#include "sm70.hpp"
#include "sm75.hpp"
#include "sm80.hpp"
#include "sm86.hpp"
#include "sm89.hpp"
#include "sm90.hpp"
#include "sm90a.hpp"

namespace ww {

using all_archs = meta::type_list<sm50, sm60, sm70, sm75, sm80, sm86, sm89, sm90, sm90a, sm100, sm103, sm107, sm110, sm120>;

namespace detail {

template <class F, class... Archs>
constexpr bool visit_arch_in(meta::type_list<Archs...>, sm_id id, F&& f) {
  return ((Archs::id == id ? (static_cast<void>(f.template operator()<Archs>()), true) : false) || ...);
}

}  // namespace detail

template <class F>
constexpr bool visit_arch(sm_id id, F&& f) {
  return detail::visit_arch_in(all_archs{}, id, f);
}

// The shipped architecture that serves an id, or unknown if there is none.
[[nodiscard]] constexpr sm_id nearest_sm(sm_id id) {
  const auto v = static_cast<std::uint16_t>(id);
  const unsigned number = v / 10u;
  const unsigned letter = v % 10u;
  if (number == 90u && letter == 1u) {
    return id;
  }
  switch (number) {
    case 50:
    case 60:
    case 70:
    case 75:
    case 80:
    case 86:
    case 89:
    case 90:
    case 100:
    case 103:
    case 107:
    case 110:
    case 120:
      return static_cast<sm_id>(number * 10u);
    case 52:
    case 53:
      return static_cast<sm_id>(500);
    case 61:
    case 62:
      return static_cast<sm_id>(600);
    case 72:
      return static_cast<sm_id>(700);
    case 87:
    case 88:
      return static_cast<sm_id>(860);
    case 101:
      return static_cast<sm_id>(1100);
    case 121:
      return static_cast<sm_id>(1200);
    default:
      return sm_id::unknown;
  }
}

// The id that a name stands for: optional "sm" and "_", two or three digits, optional "a" (1) or "f" (2).
[[nodiscard]] constexpr sm_id parse_sm(string_view text) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (text.size() >= 2 && lower(text[0]) == 's' && lower(text[1]) == 'm') {
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_') {
      text.remove_prefix(1);
    }
  }
  unsigned number = 0;
  unsigned digits = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9' && digits < 4u) {
    number = number * 10u + static_cast<unsigned>(text[0] - '0');
    text.remove_prefix(1);
    ++digits;
  }
  unsigned letter = 0;
  if (!text.empty()) {
    const char c = lower(text[0]);
    letter = c == 'a' ? 1u : c == 'f' ? 2u : 9u;
    text.remove_prefix(1);
  }
  if (digits < 2u || digits > 3u || letter == 9u || !text.empty()) {
    return sm_id::unknown;
  }
  return static_cast<sm_id>(number * 10u + letter);
}

}  // namespace ww
