// SPDX-License-Identifier: BSL-1.0
//
// A cubin without a listing: its code sections as programs.
//
//   text      one .text.NAME section: a kernel (or, in relocatable files, any function) with its local functions
//   function  a symbol of type FUNC that points into the section
// The programs hold the instruction words, the decoded control words and the addresses, in file order, and nothing that
// needs an opcode table: no operands, no blocks, every instruction flagged `unknown`, which makes it a full fence. What a
// checker can say about them is what concerns control words alone. Register counts come from EIATTR_REGCOUNT, else
// from the top byte of the section's info field (sm_75..89).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../arch/control_format.hpp"
#include "../arch/dialect.hpp"
#include "../ir/program.hpp"
#include "cubin_info.hpp"
#include "cubin_target.hpp"
#include "elf_read.hpp"

namespace ww::sass {

struct cubin_function {
  std::string name;
  std::uint64_t offset = 0;  // in the section
  std::uint64_t size = 0;
  std::uint32_t register_count = 0;  // 0 = not known
  bool global = false;
};

struct cubin_text {
  std::string name;           // without ".text."
  std::uint32_t section = 0;  // index in the file
  std::uint64_t offset = 0;   // of the code in the file
  std::vector<cubin_function> functions;
  program code;
};

struct cubin {
  cubin_target target;
  std::vector<cubin_text> texts;   // in file order
  std::vector<info_record> infos;  // of all .nv.info sections
  bool mercury = false;            // carries an internal form of the code beside the code (sections .nv.capmerc.*)
};

struct cubin_result {
  cubin value;
  elf_error error;
};

namespace detail {

inline constexpr std::string_view text_prefix = ".text.";

[[nodiscard]] inline bool is_text(const elf_section& s) {
  return s.type == elf_section_type::progbits && s.executable() && s.name.substr(0, text_prefix.size()) == text_prefix;
}
[[nodiscard]] inline bool is_mercury(const elf_section& s) {
  return s.name.substr(0, 12) == ".nv.capmerc." || s.name.substr(0, 9) == ".nv.merc.";
}

inline void read_code(const elf_section& s, bool word64, program& p) {
  const auto add = [&p, word64](std::uint64_t low, std::uint64_t high, const control& c, std::uint32_t address) {
    instruction i;
    i.word[0] = low;
    i.word[1] = high;
    i.short_word = word64 ? 1 : 0;
    i.ctl = c;
    i.address = address;
    i.add(iflag::unknown);
    p.order.emplace_back(static_cast<std::uint32_t>(p.instructions.size()));
    p.instructions.push_back(i);
  };
  if (!word64) {
    p.instructions.reserve(s.bytes.size() / 16);
    p.order.reserve(s.bytes.size() / 16);
    for (std::uint64_t at = 0; at < s.bytes.size(); at += 16) {
      const std::uint64_t word[2] = {load_le<std::uint64_t>(s.bytes, at), load_le<std::uint64_t>(s.bytes, at + 8)};
      add(word[0], word[1], sm70_128::decode(sm70_128::extract(word)), static_cast<std::uint32_t>(at));
    }
    return;
  }
  for (std::uint64_t at = 0; at < s.bytes.size(); at += sm50_group::group_bytes) {
    const auto group = load_le<std::uint64_t>(s.bytes, at);
    for (unsigned k = 0; k < sm50_group::slots; ++k) {
      const std::uint64_t place = at + 8 + 8 * std::uint64_t{k};
      add(load_le<std::uint64_t>(s.bytes, place), 0, sm50_group::decode(sm50_group::extract(group, k)),
          static_cast<std::uint32_t>(place));
    }
  }
}

}  // namespace detail

// Reads the code sections of a cubin whose ELF structure has been read.
[[nodiscard]] inline cubin_result read_cubin(const elf_file& file) {
  cubin_result out;
  cubin& c = out.value;
  const auto fail = [&out](std::uint64_t at, std::string_view where, std::string_view wanted) {
    out.error = elf_error(at, where, wanted);
    return out;
  };
  if (file.machine != elf_machine_cuda) {
    return fail(18, "ELF header, machine", "190 (NVIDIA CUDA)");
  }
  c.target = read_target(file);
  if (c.target.number == 0) {
    return fail(48, "ELF header, flags", "the number of an SM");
  }
  const bool word64 = dialect_of(c.target.id()).word64;
  std::vector<std::uint32_t> text_of(file.sections.size(), elf_file::none);
  for (std::uint32_t i = 1; i < file.sections.size(); ++i) {
    const elf_section& s = file.sections[i];
    c.mercury = c.mercury || detail::is_mercury(s);
    if (static_cast<std::uint32_t>(s.type) == section_cuda_info) {
      if (elf_error e = read_info(file, i, c.infos)) {
        out.error = std::move(e);
        return out;
      }
    }
    if (!detail::is_text(s)) {
      continue;
    }
    const std::uint64_t unit = word64 ? sm50_group::group_bytes : 16;
    if (s.bytes.size() % unit != 0 || s.bytes.size() > 0x7fffffffu) {
      return fail(s.offset, s.name, word64 ? "a multiple of 32 bytes below 2 GiB" : "a multiple of 16 bytes below 2 GiB");
    }
    text_of[i] = static_cast<std::uint32_t>(c.texts.size());
    cubin_text& t = c.texts.emplace_back();
    t.name = s.name.substr(detail::text_prefix.size());
    t.section = i;
    t.offset = s.offset;
    t.code.sm = c.target.id();
    t.code.has_encoding = true;
    t.code.has_control = true;
    t.code.register_count = s.info >> 24;
    detail::read_code(s, word64, t.code);
  }
  // register counts by symbol, then functions by section
  std::vector<std::uint32_t> registers(file.symbols.size(), 0);
  for (const info_record& r : c.infos) {
    if (r.attribute == 0x2f && r.format == 4 && r.value_size == 8) {
      const auto symbol = detail::load_le<std::uint32_t>(file.bytes, r.value_place);
      if (symbol < registers.size()) {
        registers[symbol] = detail::load_le<std::uint32_t>(file.bytes, r.value_place + 4);
      }
    }
  }
  std::uint64_t budget = std::uint64_t{4} * file.bytes.size();  // many symbols may name one long text
  for (std::size_t k = 0; k < file.symbols.size(); ++k) {
    const elf_symbol& s = file.symbols[k];
    if (s.type() != 2 || s.section >= text_of.size() || text_of[s.section] == elf_file::none) {
      continue;
    }
    if (s.name.size() > budget) {
      return fail(s.place, "symbol name", "function names that do not share their text");
    }
    budget -= s.name.size();
    cubin_text& t = c.texts[text_of[s.section]];
    t.functions.push_back({std::string(s.name), s.value, s.size, registers[k], s.binding() != 0});
    if (s.value == 0 && registers[k] != 0) {
      t.code.register_count = registers[k];
    }
  }
  return out;
}

// Reads a cubin from its bytes. The result holds no views into them.
[[nodiscard]] inline cubin_result read_cubin(byte_span bytes) {
  elf_result e = read_elf(bytes);
  if (e.error) {
    cubin_result out;
    out.error = std::move(e.error);
    return out;
  }
  return read_cubin(e.file);
}

}  // namespace ww::sass
