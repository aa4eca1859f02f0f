// SPDX-License-Identifier: BSL-1.0
//
// Spelling of the modifiers that are asked for by name.
//
//   find_modifier("WIDE")   the modifier of one word (without its dot), modifier::count if it has no bearing on
//                           registers, classes, spaces or carries
//
// Words that are not in this table (rounding, comparisons, cache hints, element layouts) are legal and stay in
// asm_instruction::modifier_text. Shapes of tensor-core instructions are read by isa/mma_shape.hpp, memory sizes and
// conversion types by isa/element_type.hpp, because there the order of the words counts.
#pragma once

#include <cstddef>

#include "../meta/string_view.hpp"
#include "modifier.hpp"
#include "word_hash.hpp"

namespace ww::isa {
namespace detail {

struct modifier_word {
  char name[16];  // zero-ended
  modifier value;
};

// clang-format off
inline constexpr modifier_word modifier_words[] = {
    {"32", modifier::w32}, {"64", modifier::w64}, {"WIDE", modifier::wide}, {"HI", modifier::hi}, {"X", modifier::x},
    {"EX", modifier::ex}, {"F32", modifier::f32}, {"F64", modifier::f64}, {"S64", modifier::s64},
    {"U64", modifier::u64}, {"E", modifier::e}, {"CONSTANT", modifier::constant}, {"STRONG", modifier::strong},
    {"CTA", modifier::cta}, {"VOL", modifier::vol}, {"CAS", modifier::cas}, {"MMIO", modifier::mmio},
    {"CI", modifier::ci}, {"MMA", modifier::mma}, {"DIV", modifier::div}, {"ARV", modifier::arv},
    {"DEFER_BLOCKING", modifier::defer_blocking}, {"SYNC", modifier::sync}, {"COLLECTIVE", modifier::collective},
    {"ABS", modifier::abs_}, {"2", modifier::num2}, {"4", modifier::num4}, {"EXCH", modifier::exch},
    {"SCR", modifier::scr}, {"P", modifier::p}, {"CONV", modifier::cond}, {"TRANS64", modifier::trans64},
    {"PF1", modifier::pf1}, {"PF2", modifier::pf2}, {"SPILL", modifier::spill}, {"FILL", modifier::fill},
};
// clang-format on

}  // namespace detail

constexpr modifier find_modifier(string_view word) {
  const std::size_t n = detail::find_row<128>(detail::modifier_words, word);
  return n == detail::no_row ? modifier::count : detail::modifier_words[n].value;
}

// Calls f(word) for each word of ".WIDE.U32"; f returns false to stop.
template <class F>
constexpr void for_each_modifier(string_view text, F f) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '.') {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && text[end] != '.') ++end;
    if (!f(text.substr(at, end - at))) return;
    at = end;
  }
}

}  // namespace ww::isa
