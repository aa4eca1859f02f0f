// SPDX-License-Identifier: BSL-1.0
//
// Entries of EIATTR_ANNOTATIONS, one behind the other in the value of the attribute.
//
//   kind 1   8 bytes: 1, offset of a load or store of a spilled register
//   kind 2   2, offset of an instruction, bytes of a text, the text
//   kind 3   3, bytes of a text, the text: of the function
// Texts end with a zero that is counted, and are filled up to whole words. Observed: kinds 2 and 3 in what ptxas --compiler-annotations
// (13.5) writes; the disassembler prints the text of kind 2 behind the instruction at its offset.
#pragma once

#include <cstdint>

#include "elf_read.hpp"

namespace ww::sass {

struct annotation_entry {
  std::uint64_t size = 0;       // bytes; 0: no entry of a known kind that ends inside its record
  bool of_instruction = false;  // the second word is an instruction offset
};

// The entry at byte `at` of a file, in a record that has `left` bytes from there on.
[[nodiscard]] inline annotation_entry annotation_at(byte_span file, std::uint64_t at, std::uint64_t left) {
  const auto word = [&](std::uint64_t k) { return std::uint64_t{detail::load_le<std::uint32_t>(file, at + 4 * k)}; };
  const auto filled = [](std::uint64_t bytes) { return (bytes + 3) / 4 * 4; };
  if (left < 8) return {};
  const std::uint64_t kind = word(0);
  std::uint64_t size = kind == 1 ? 8 : 0;
  if (kind == 2 && left >= 12) size = 12 + filled(word(2));
  if (kind == 3) size = 8 + filled(word(1));
  if (size > left) return {};
  return {size, kind != 3};
}

}  // namespace ww::sass
