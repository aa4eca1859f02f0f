// SPDX-License-Identifier: BSL-1.0
//
// What a patcher did with one instruction offset that a cubin records outside the code.
//
//   section                 the section that holds the record (first 160 characters of its name)
//   kind                    what it is: an EIATTR name, "relocation", "frame", "row"
//   place                   byte of the section at which the offset stood before; for a row of a line table its number from 1
//   text                    index of the code section that the offset leads into
//   old_offset, new_offset  byte offsets in that code section; equal when the instruction did not move
// Every offset that leads into a changed code section and means one instruction is listed once, moved or not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elf_error.hpp"

namespace ww::sass {

struct cubin_remap {
  std::string section;
  std::string kind;
  std::uint64_t place = 0;
  std::uint32_t text = 0;
  std::uint64_t old_offset = 0;
  std::uint64_t new_offset = 0;
};

using cubin_remaps = std::vector<cubin_remap>;

// The beginning of a section's name: a file may hold names of any length, and a report repeats them.
[[nodiscard]] inline std::string short_name(std::string_view name) { return std::string(name.substr(0, 160)); }

// One line for people.
[[nodiscard]] inline std::string describe(const cubin_remap& r) {
  return r.section + " " + r.kind + " at 0x" + elf_error::hex(r.place) + ": 0x" + elf_error::hex(r.old_offset) + " -> 0x" +
         elf_error::hex(r.new_offset);
}

}  // namespace ww::sass
