// SPDX-License-Identifier: BSL-1.0
//
// Spelling of the modifiers that matter.
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
    {"8", modifier::w8}, {"16", modifier::w16}, {"32", modifier::w32}, {"64", modifier::w64}, {"96", modifier::w96},
    {"128", modifier::w128}, {"256", modifier::w256}, {"WIDE", modifier::wide}, {"HI", modifier::hi}, {"X", modifier::x},
    {"EX", modifier::ex}, {"F16", modifier::f16}, {"BF16", modifier::bf16}, {"F32", modifier::f32}, {"F64", modifier::f64},
    {"TF32", modifier::tf32}, {"S8", modifier::s8}, {"U8", modifier::u8}, {"S16", modifier::s16}, {"U16", modifier::u16},
    {"S32", modifier::s32}, {"U32", modifier::u32}, {"S64", modifier::s64}, {"U64", modifier::u64}, {"S4", modifier::s4},
    {"U4", modifier::u4}, {"E4M3", modifier::e4m3}, {"E5M2", modifier::e5m2},
    {"E", modifier::e}, {"CONSTANT", modifier::constant}, {"STRONG", modifier::strong}, {"SYS", modifier::sys},
    {"GPU", modifier::gpu}, {"SM", modifier::sm}, {"CTA", modifier::cta}, {"VOL", modifier::vol}, {"CAS", modifier::cas},
    {"POPC", modifier::popc}, {"INC", modifier::inc}, {"MMIO", modifier::mmio}, {"CI", modifier::ci},
    {"SP", modifier::sp}, {"MMA", modifier::mma}, {"MOV", modifier::mov}, {"SHL", modifier::shl}, {"IADD", modifier::iadd},
    {"RCP64H", modifier::rcp64h}, {"RSQ64H", modifier::rsq64h}, {"BOP", modifier::bop}, {"PAND", modifier::pand},
    {"ANY", modifier::any}, {"ALL", modifier::all}, {"EQ", modifier::eq}, {"U", modifier::u}, {"DIV", modifier::div},
    {"REG", modifier::reg}, {"ARV", modifier::arv}, {"DEFER_BLOCKING", modifier::defer_blocking}, {"SYNC", modifier::sync}, {"RED", modifier::red},
    {"COLLECTIVE", modifier::collective}, {"ABS", modifier::abs_}, {"REL", modifier::rel}, {"NOINC", modifier::noinc},
    {"NODEC", modifier::nodec}, {"LE", modifier::le}, {"LUT", modifier::lut}, {"T", modifier::transpose},
    {"1", modifier::num1}, {"2", modifier::num2}, {"4", modifier::num4}, {"AR", modifier::ar}, {"EXCH", modifier::exch},
    {"ARRIVE", modifier::arrive}, {"TRYWAIT", modifier::trywait}, {"IM2COL", modifier::im2col},
    {"MULTICAST", modifier::multicast}, {"SCR", modifier::scr}, {"P", modifier::p}, {"IVALL", modifier::ivall},
    {"CONV", modifier::cond}, {"TRANS64", modifier::trans64}, {"UNPACK_B", modifier::unpack_b},
    {"PF1", modifier::pf1}, {"PF2", modifier::pf2}, {"SPILL", modifier::spill}, {"FILL", modifier::fill},
};
// clang-format on

}  // namespace detail

constexpr modifier find_modifier(string_view word) {
  const std::size_t n = detail::find_row<256>(detail::modifier_words, word);
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
