// SPDX-License-Identifier: BSL-1.0
//
// Opcodes and their mnemonics.
//
//   isa::name(op)          "IMAD"; empty for opcode::unknown
//   isa::find_opcode(word) the opcode of a mnemonic without modifiers, opcode::unknown if there is none
//
// Lookup is by hash (isa/word_hash.hpp): about ten nanoseconds, no allocation. The enumerators are in
// isa/opcode_id.hpp, what is known of each opcode in isa/opcode_table.hpp.
#pragma once

#include <cstddef>

#include "../meta/string_view.hpp"
#include "opcode_id.hpp"
#include "opcode_table.hpp"
#include "word_hash.hpp"

namespace ww::isa {

constexpr const detail::opcode_row& row_of(opcode op) {
  const auto i = static_cast<unsigned>(op);
  return opcode_table[i < opcode_count ? i : 0u];
}

constexpr string_view name(opcode op) { return row_of(op).name; }

constexpr opcode find_opcode(string_view mnemonic) {
  const std::size_t n = detail::find_row<1024>(opcode_table, mnemonic);
  return n == detail::no_row ? opcode::unknown : static_cast<opcode>(n);
}

}  // namespace ww::isa
