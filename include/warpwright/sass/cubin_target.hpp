// SPDX-License-Identifier: BSL-1.0
//
// The SM that a cubin is made for, from its ELF header.
//
//   layout   ABI version 7 (CUDA 12 and before): SM in bits 0..7 of e_flags, 0x800 = accelerated ("a")
//            ABI version 8 (CUDA 13): SM in bits 8..15, 0x8 = accelerated
//   variant  'a' for accelerated code (sm_90a), 0 for none. CUDA 13 leaves the flag clear and says it in .nv.compat:
//            attribute 0x09 (EICOMPAT_ATTR_CUDA_ACCELERATOR_TARGET) is 1 for sm_90a and 0 for sm_90. Seen so for
//            sm_90, 90a, 100, 100a; "f" variants carry 0 there and are not told from the plain SM.
// Sources: corpus cubins and ptxas 13.0 output; format.md trap 1; formats of both header layouts in the corpus.
#pragma once

#include <cstdint>
#include <vector>

#include "../ir/program.hpp"
#include "cubin_info.hpp"
#include "elf.hpp"

namespace ww::sass {

struct cubin_target {
  unsigned number = 0;  // 90 for sm_90 and sm_90a
  char variant = 0;     // 'a' or 0

  // The kit's id: ten times the number, one more for 'a'.
  [[nodiscard]] constexpr sm_id id() const { return static_cast<sm_id>(number * 10u + (variant == 'a' ? 1u : 0u)); }
};

inline constexpr std::uint16_t elf_machine_cuda = 190;

// number 0: the header names no SM.
[[nodiscard]] inline cubin_target read_target(const elf_file& file) {
  cubin_target t;
  const bool new_layout = file.abi_version >= 8;
  t.number = (new_layout ? file.flags >> 8 : file.flags) & 0xffu;
  bool accelerated = (file.flags & (new_layout ? 0x8u : 0x800u)) != 0;
  std::vector<info_record> records;
  for (std::uint32_t i = 1; i < file.sections.size() && !accelerated; ++i) {
    if (static_cast<std::uint32_t>(file.sections[i].type) != section_cuda_compat) {
      continue;
    }
    records.clear();
    if (read_info(file, i, records)) {
      continue;
    }
    for (const info_record& r : records) {
      accelerated =
          accelerated || (r.attribute == 0x09 && r.format == 2 && file.bytes[static_cast<std::size_t>(r.value_place)] == 1);
    }
  }
  t.variant = accelerated ? 'a' : '\0';
  return t;
}

}  // namespace ww::sass
