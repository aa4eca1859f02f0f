// SPDX-License-Identifier: BSL-1.0
//
// Opcodes and their mnemonics.
//
//   isa::name(op)          "IMAD"; empty for opcode::unknown
//   isa::find_opcode(word) the opcode of a mnemonic without modifiers, opcode::unknown if there is none
//
// Lookup is a compile-time hash table: about ten nanoseconds, no allocation. The enumerators are in
// isa/opcode_id.hpp, what is known of each opcode in isa/opcode_table.hpp.
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "opcode_id.hpp"
#include "opcode_table.hpp"
#include "word_hash.hpp"

namespace ww::isa {
namespace detail {

consteval word_table<1024> make_opcode_words() {
  word_table<1024> t;
  for (std::uint16_t i = 1; i < opcode_count; ++i) (void)t.insert(opcode_table[i].name, i);
  return t;
}
inline constexpr word_table<1024> opcode_words = make_opcode_words();

}  // namespace detail

constexpr const detail::opcode_row& row_of(opcode op) {
  const auto i = static_cast<unsigned>(op);
  return opcode_table[i < opcode_count ? i : 0u];
}

constexpr string_view name(opcode op) { return row_of(op).name; }

constexpr opcode find_opcode(string_view mnemonic) {
  const std::uint16_t v = detail::opcode_words.find(mnemonic);
  return v == detail::word_table<1024>::absent ? opcode::unknown : static_cast<opcode>(v);
}

}  // namespace ww::isa
