// SPDX-License-Identifier: BSL-1.0
//
// A 64-bit little-endian ELF file as values: what sass/elf_read.hpp makes of the bytes.
//
//   section     one entry of the section header table, with its name and its bytes
//   symbol      one entry of a symbol table (section type 2)
//   relocation  one entry of a section of type 9 (REL: the addend lies in the patched place) or 4 (RELA)
//   segment     one entry of the program header table
// Names and bytes are views into the buffer that was read: keep it alive as long as the elf_file. Entry 0 of
// `sections` is the null section, so indices are those of the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "elf_bytes.hpp"

namespace ww::sass {

// Section types that the reader itself follows. Types from 0x70000000 on belong to the processor.
enum class elf_section_type : std::uint32_t {
  null = 0,
  progbits = 1,
  symtab = 2,
  strtab = 3,
  rela = 4,
  note = 7,
  nobits = 8,
  rel = 9,
  symtab_shndx = 18,
};

// True for sections that only ask for memory and have no bytes in the file: NOBITS, and NVIDIA's types for
// uninitialised global, local and shared data in relocatable files (0x70000007, 9, 10 and 0x15).
[[nodiscard]] constexpr bool without_bytes(elf_section_type t) {
  const auto n = static_cast<std::uint32_t>(t);
  return t == elf_section_type::nobits || n == 0x70000007u || n == 0x70000009u || n == 0x7000000au || n == 0x70000015u;
}

struct elf_section {
  static constexpr std::uint64_t flag_exec = 4;

  std::string_view name;
  elf_section_type type = elf_section_type::null;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;  // of its bytes in the file
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t align = 0;
  std::uint64_t entry_size = 0;
  byte_span bytes;  // none for NOBITS and the like

  [[nodiscard]] bool executable() const { return (flags & flag_exec) != 0; }
};

struct elf_symbol {
  static constexpr std::uint32_t no_section = 0xffffffffu;  // absolute, common or reserved

  std::string_view name;
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint32_t section = 0;  // 0 = undefined
  std::uint64_t value = 0;    // offset in the section
  std::uint64_t size = 0;
  std::uint32_t table = 0;  // section index of its symbol table
  std::uint64_t place = 0;  // file offset of the entry

  [[nodiscard]] unsigned type() const { return info & 15u; }  // 1 object, 2 function, 3 section
  [[nodiscard]] unsigned binding() const { return info >> 4; }
};

struct elf_relocation {
  std::uint32_t table = 0;   // section index of the relocation section
  std::uint32_t target = 0;  // section that is patched
  std::uint64_t offset = 0;  // in the target
  std::uint32_t symbol = 0;  // index into elf_file::symbols
  std::uint32_t type = 0;    // R_CUDA_*
  std::int64_t addend = 0;   // 0 when not `has_addend`
  bool has_addend = false;
  std::uint64_t place = 0;  // file offset of the entry
};

struct elf_segment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t align = 0;
};

struct elf_file {
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0;  // 1 relocatable, 2 executable
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::uint64_t section_table = 0;  // file offset of the section headers
  std::uint64_t segment_table = 0;  // file offset of the program headers
  byte_span bytes;                  // the whole file
  std::vector<elf_section> sections;
  std::vector<elf_symbol> symbols;
  std::vector<elf_relocation> relocations;
  std::vector<elf_segment> segments;

  static constexpr std::uint32_t none = 0xffffffffu;

  // Index of the first section of that name, `none` if there is none.
  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    for (std::uint32_t i = 1; i < sections.size(); ++i) {
      if (sections[i].name == name) {
        return i;
      }
    }
    return none;
  }
};

}  // namespace ww::sass
