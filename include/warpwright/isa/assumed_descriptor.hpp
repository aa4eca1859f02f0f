// SPDX-License-Identifier: BSL-1.0
//
// The descriptor of an access whose text does not print it, where no words tell it either.
//
// On sm_80..sm_89 an access written [R2.64] reads a pair of uniform registers that only the encoding names (decode_memory.hpp).
// Code without words could read any pair. So it reads all: one hidden operand, marked as assumed, over the uniform file. Once the
// program is whole it is made as narrow as it can be: from the first uniform register that the program writes to the last one. What is
// never written orders nothing. A program that writes none has an operand that names no register.
//   desc[UR4][R2.64]      the pair is known, nothing is assumed; desc[URZ][R2.64]: there is none
//   [R2.64+UR4]           there is none: its field is that of UR4
// Assumed registers keep their place in every order and in every distance. They are live up to there. Checks do not allege that they
// are read without having been written.
#pragma once

#include <cstdint>

#include "../ir/operand.hpp"
#include "../meta/span.hpp"
#include "dialect.hpp"
#include "opcode_row.hpp"

namespace ww::isa {

// Every pair below URZ.
[[nodiscard]] constexpr operand assumed_descriptor(unsigned uniform_zero) {
  return operand::use(UR(0), slot::desc, uniform_zero).set(operand::bit_hidden | operand::bit_assumed);
}

// A typed access by a 64-bit address that has neither a descriptor nor another uniform register, which takes its field, among its
// operands, where accesses have one.
[[nodiscard]] constexpr bool lacks_descriptor(detail::form shape, span<const operand> operands, const dialect& d) {
  using detail::form;
  bool wide = false;
  for (const operand& o : operands) {
    if (o.where() == slot::desc || o.where() == slot::uaddress) return false;
    wide = wide || (o.where() == slot::address && o.width() == 2);
  }
  return d.hidden_descriptor && wide &&
         (shape == form::load || shape == form::store || shape == form::atomic || shape == form::red ||
          shape == form::ldgsts || shape == form::order);
}

// Makes the assumed operands of a whole program as narrow as what it writes allows. False if it assumes any and writes virtual uniform
// registers, whose places are not known: they are not covered.
constexpr bool narrow_assumed(auto& p) {
  bool assumes = false;
  bool unplaced = false;
  std::uint32_t first = reg::first_virtual;
  std::uint32_t end = 0;
  for (const operand& o : p.operands) {
    assumes = assumes || o.is_assumed();
    if (!o.is_def() || o.file() != reg_file::ur || !o.is_register()) continue;
    const std::uint32_t n = o.base().number();
    unplaced = unplaced || o.base().is_virtual();
    if (o.base().is_virtual()) continue;
    first = n < first ? n : first;
    end = n + o.width() > end ? n + o.width() : end;
  }
  if (!assumes) return true;
  for (operand& o : p.operands) {
    if (!o.is_assumed()) continue;
    o = end == 0 ? operand::non_register(operand_type::unused, slot::desc)
                 : operand::use(UR(first), slot::desc, end - first);
    o.set(operand::bit_hidden | operand::bit_assumed);
  }
  return !unplaced;
}

}  // namespace ww::isa
