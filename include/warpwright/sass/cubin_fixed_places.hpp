// SPDX-License-Identifier: BSL-1.0
//
// Places of a code section that no instruction may cross, for an attribute of the cubin says something of them that cannot follow.
//
//   std::vector<std::uint32_t> places;                           // bytes from the beginning of the section, as they come
//   find_fixed_places(elf.file, cubin.value, section, places);
//
// EIATTR_INSTR_REG_MAP: a register, and the instruction in front of which it holds something. An instruction that reads the register
// takes the record along; of any other nobody says who has written it (docs/cubin.md). Whoever orders the code sets iflag::pc_relative
// on the instructions at these places (pin_places), which keeps everything in front of them there.
#pragma once

#include <cstdint>
#include <vector>

#include "../ir/program.hpp"
#include "cubin.hpp"
#include "elf_bytes.hpp"
#include "elf_read.hpp"
#include "section_move.hpp"

namespace ww::sass {

namespace detail {

inline constexpr std::uint8_t attribute_register_map = 0x40;
inline constexpr std::uint64_t register_map_record = 12;  // bytes

struct mapped_register {
  std::uint32_t at = 0;  // code offset
  bool read = false;     // by the instruction there
};

// Record `k` (in bytes) of a map whose code is `code`.
[[nodiscard]] inline mapped_register register_map_at(const elf_file& file, const info_record& r, byte_span code,
                                                     std::uint64_t k) {
  mapped_register m;
  m.at = load_le<std::uint32_t>(file.bytes, r.value_place + k);
  const std::uint32_t number = load_le<std::uint32_t>(file.bytes, r.value_place + k + 4) >> 16;
  if (std::uint64_t{m.at} + section_move::instruction_bytes > code.size()) return m;
  const auto low = load_le<std::uint64_t>(code, m.at);
  const auto high = load_le<std::uint64_t>(code, std::uint64_t{m.at} + 8);
  m.read = (low >> 24 & 0xffu) == number || (low >> 32 & 0xffu) == number || (high & 0xffu) == number;
  return m;
}

}  // namespace detail

inline void find_fixed_places(const elf_file& file, const cubin& c, std::uint32_t section,
                              std::vector<std::uint32_t>& places) {
  for (const info_record& r : c.infos) {
    if (r.attribute != detail::attribute_register_map || r.section >= file.sections.size() ||
        file.sections[r.section].info != section || section >= file.sections.size()) {
      continue;
    }
    for (std::uint64_t k = 0; k + detail::register_map_record <= r.value_size; k += detail::register_map_record) {
      const detail::mapped_register m = detail::register_map_at(file, r, file.sections[section].bytes, k);
      if (!m.read) places.push_back(m.at);
    }
  }
}

// Pins the instructions that stand at these places. `p` is in the order read.
inline void pin_places(program& p, const std::vector<std::uint32_t>& places) {
  for (const std::uint32_t at : places) {
    const std::uint32_t k = at / section_move::instruction_bytes;
    if (k < p.order.size()) p.instructions[p.order[k].index()].add(iflag::pc_relative);
  }
}

}  // namespace ww::sass
