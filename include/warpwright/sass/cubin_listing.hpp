// SPDX-License-Identifier: BSL-1.0
//
// Brings a program that was read from a listing together with the cubin from which the listing was made.
//
//   match_text      finds the code section of a listing's section by name, and checks that the two are the same code: each
//                   instruction of the program stands at its address in the section with the same words (and, where the
//                   listing has no words, that the addresses exist). Code of 64-bit instructions is not patched, so never matched
//   program_patch   the patch that the program's present order and control information describe; instructions of the
//                   section that the listing does not print keep their places and their control bits
// The program must hold its instructions in the order of their addresses, as the listing reader leaves them; its order
// may be permuted and its control information changed before program_patch, not before match_text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cubin_patch.hpp"

namespace ww::sass {

struct text_match {
  const cubin_text* text = nullptr;
  elf_error error;
};

// `name` is that of the listing's section, with or without ".text.".
[[nodiscard]] inline text_match match_text(const cubin& c, std::string_view name, const program& p) {
  text_match m;
  if (dialect_of(c.target.id()).word64) {
    m.error = detail::word64_error();
    return m;
  }
  if (name.substr(0, detail::text_prefix.size()) == detail::text_prefix) {
    name.remove_prefix(detail::text_prefix.size());
  }
  for (const cubin_text& t : c.texts) {
    if (t.name == name) {
      m.text = &t;
      break;
    }
  }
  const std::string where = ".text." + std::string(name);
  if (m.text == nullptr) {
    m.error = elf_error(elf_error::no_offset, where, "a code section of this name in the cubin, as in the listing");
    return m;
  }
  const auto& code = m.text->code.instructions;
  for (std::size_t k = 0; k < p.instructions.size(); ++k) {
    const instruction& i = p.instructions[k];
    const std::uint64_t place = i.address / section_move::instruction_bytes;
    const bool rising = k == 0 || p.instructions[k - 1].address < i.address;
    if (i.address % section_move::instruction_bytes != 0 || place >= code.size() || !rising) {
      m.error = elf_error(m.text->offset + i.address, where,
                          "the instruction that the listing has at 0x" + elf_error::hex(i.address));
      return m;
    }
    const instruction& j = code[static_cast<std::size_t>(place)];
    if (p.has_encoding && (i.word[0] != j.word[0] || i.word[1] != j.word[1])) {
      m.error = elf_error(m.text->offset + i.address, where,
                          "the words of the listing, 0x" + elf_error::hex(i.word[0]) + " 0x" + elf_error::hex(i.word[1]));
      return m;
    }
  }
  return m;
}

// The patch of one matched section.
[[nodiscard]] inline text_patch program_patch(const cubin_text& text, const program& p) {
  text_patch t = make_text_patch(text.code, text.section);
  for (std::size_t k = 0; k < p.order.size() && k < p.instructions.size(); ++k) {
    const std::size_t slot = p.instructions[k].address / section_move::instruction_bytes;
    const instruction& i = p[p.order[k]];
    if (slot < t.old_index.size()) {
      t.old_index[slot] = i.address / section_move::instruction_bytes;
      t.control[slot] = sm70_128::encode(i.ctl);
    }
  }
  return t;
}

}  // namespace ww::sass
