// SPDX-License-Identifier: BSL-1.0
//
// The records of .nv.info, .nv.info.KERNEL and .nv.compat sections.
//
//   record  one byte format, one byte attribute, then the value:
//     format 1  no value (two bytes of padding)    format 2  8 bits    format 3  16 bits
//     format 4  16 bits of size, then that many bytes
// Every record is given with the file offsets of itself and of its value, so that a patcher can write in place.
// What an attribute means: sass/cubin_attribute.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../meta/algorithm.hpp"
#include "cubin_attribute.hpp"
#include "elf.hpp"
#include "elf_error.hpp"

namespace ww::sass {

// Section types of NVIDIA's own that the cubin reader follows.
inline constexpr std::uint32_t section_cuda_info = 0x70000000u;
inline constexpr std::uint32_t section_cuda_compat = 0x70000086u;

struct info_record {
  std::uint32_t section = 0;  // that holds the record
  std::uint8_t format = 0;    // 1..4
  std::uint8_t attribute = 0;
  std::uint64_t place = 0;        // file offset of the record
  std::uint64_t value_place = 0;  // file offset of its value
  std::uint32_t value_size = 0;   // bytes
};

// Appends the records of one section. On an error nothing more is appended.
[[nodiscard]] inline elf_error read_info(const elf_file& file, std::uint32_t section, std::vector<info_record>& out) {
  const elf_section& s = file.sections[section];
  const auto fail = [&s](std::uint64_t at, const char* wanted) { return elf_error(s.offset + at, s.name, wanted); };
  std::uint64_t at = 0;
  while (at < s.bytes.size()) {
    if (!detail::holds(s.bytes.size(), at, 4)) {
      return fail(at, "an attribute record of at least 4 bytes");
    }
    info_record r;
    r.section = section;
    r.format = s.bytes[meta::to_size(at)];
    r.attribute = s.bytes[meta::to_size(at) + 1];
    r.place = s.offset + at;
    r.value_place = r.place + 2;
    if (r.format == 0 || r.format > 4) {
      return fail(at, "an attribute format 1..4");
    }
    std::uint64_t next = at + 4;
    if (r.format == 4) {
      r.value_place = r.place + 4;
      r.value_size = detail::load_le<std::uint16_t>(s.bytes, at + 2);
      if (!detail::holds(s.bytes.size(), next, r.value_size)) {
        return fail(at + 2, "an attribute value that ends inside its section");
      }
      next += r.value_size;
    } else {
      r.value_size = r.format - 1u;
    }
    out.push_back(r);
    at = next;
  }
  return {};
}

}  // namespace ww::sass
