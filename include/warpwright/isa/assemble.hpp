// SPDX-License-Identifier: BSL-1.0
//
// Adds one instruction, given as text, to a program built in memory.
//
//   isa::error e;
//   if (!isa::append(p, "@!P0 IADD3 R4, R2, 0x10, RZ", dialect, e)) ...   // e.column, e.expected
//
// The instruction goes to the end of program::instructions and program::order. Labels are not resolved here: a branch
// keeps `target` empty, which isa/builder.hpp fills. Without encoding words the hidden descriptor of sm_80..sm_89
// is assumed (assumed_descriptor.hpp) over all uniform registers. The text need not live longer than the call.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/string_view.hpp"
#include "decode.hpp"
#include "error.hpp"
#include "instruction_text.hpp"

namespace ww::isa {

// As below, with the two encoding words (low first) and the assembly form handed back.
inline bool append(auto& p, string_view text, const std::uint64_t* words, const dialect& d, asm_instruction& form,
                   error& e) {
  const parse_result r = parse_instruction(text, form);
  if (!r.ok) {
    e = {0, r.column, r.expected};
    return false;
  }
  instruction i = decode(form, words, words != nullptr, d, p.operands);
  const auto index = static_cast<std::uint32_t>(p.instructions.size());
  i.address = index * (d.word64 ? 8u : 16u);
  p.instructions.push_back(i);
  p.order.push_back(instr_id{index});
  return true;
}

inline bool append(auto& p, string_view text, const dialect& d, error& e) {
  asm_instruction form;
  return append(p, text, nullptr, d, form, e);
}

}  // namespace ww::isa
