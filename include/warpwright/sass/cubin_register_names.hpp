// SPDX-License-Identifier: BSL-1.0
//
// Where a cubin names registers outside its code, so that other registers there would make it tell what is not so.
//
//   debug information   .nv_debug_info_reg_sass, .nv_debug_info_reg_type, .debug_loc and .debug_info of builds with -G: which variable is
//                       in which register. Builds with -lineinfo have none of them
//   mask registers      EIATTR_COOP_GROUP_MASK_REGIDS: for each warp-wide instruction the register that holds its mask, -1 where none is
//                       told; tools that check synchronisation read it. forget_mask_registers() makes all of them -1
//   register maps       EIATTR_INSTR_REG_MAP and EIATTR_ATOM16_EMUL_INSTR_REG_MAP: instruction and register, of instructions that a driver
//                       may have to replace
//   statistics          EIATTR_PER_REG_TARGET_PERF_STATS
// Not counted: .debug_frame, whose rules name the stack pointer and registers that a function saves or returns through. These are live
// where the function starts, and keep their registers (fixed_reason::entry). Observed in 952 cubins of sm_70 to sm_120: masks are told
// in 292 records and not told in 456, 44 maps of the second kind, debug information with -G alone.
#pragma once

#include <cstdint>
#include <string_view>

#include "../meta/span.hpp"
#include "cubin.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"
#include "elf_read.hpp"

namespace ww::sass {

namespace detail {

inline constexpr std::uint8_t attribute_mask_registers = 0x29;
inline constexpr std::uint32_t no_mask_register = 0xffffffffu;

constexpr bool is_register_map(std::uint8_t attribute) {
  return attribute == 0x2e || attribute == 0x3c || attribute == 0x40;
}

// Calls f(place) for each register id of the masks of a code section.
template <class F>
void each_mask_register(const elf_file& file, const cubin& c, std::uint32_t section, F&& f) {
  for (const info_record& r : c.infos) {
    if (r.attribute != attribute_mask_registers || file.sections[r.section].info != section) continue;
    for (std::uint32_t at = 0; at + 4 <= r.value_size; at += 4) f(r, r.value_place + at);
  }
}

}  // namespace detail

// The first place that names registers of a code section; no error if there is none.
[[nodiscard]] inline elf_error find_register_names(const elf_file& file, const cubin& c, std::uint32_t section) {
  constexpr std::string_view debug[] = {".nv_debug_info_reg_sass", ".nv_debug_info_reg_type", ".debug_loc", ".debug_info"};
  for (const elf_section& s : file.sections) {
    for (const std::string_view name : debug) {
      if (s.name == name && !s.bytes.empty())
        return elf_error(s.offset, s.name, "no debug information that says what is in which register");
    }
  }
  for (const info_record& r : c.infos) {
    const elf_section& s = file.sections[r.section];
    if (s.info == section && r.value_size != 0 && detail::is_register_map(r.attribute))
      return elf_error(r.place, s.name, "no attribute that names registers of instructions");
  }
  elf_error found;
  detail::each_mask_register(file, c, section, [&](const info_record& r, std::uint64_t place) {
    if (!found && detail::load_le<std::uint32_t>(file.bytes, place) != detail::no_mask_register)
      found = elf_error(r.place, file.sections[r.section].name, "no mask registers (COOP_GROUP_MASK_REGIDS)");
  });
  return found;
}

// Makes a code section name no registers that hold masks; `changed` counts what was written. `file` and `c` are what was read of these
// bytes.
inline void forget_mask_registers(span<std::uint8_t> bytes, const elf_file& file, const cubin& c, std::uint32_t section,
                                  std::uint32_t& changed) {
  changed = 0;
  detail::each_mask_register(file, c, section, [&](const info_record&, std::uint64_t place) {
    if (detail::load_le<std::uint32_t>(file.bytes, place) == detail::no_mask_register) return;
    detail::store_le<std::uint32_t>(bytes, place, detail::no_mask_register);
    ++changed;
  });
}
// Returns an error for what is no cubin.
[[nodiscard]] inline elf_error forget_mask_registers(span<std::uint8_t> bytes, std::uint32_t section,
                                                     std::uint32_t& changed) {
  changed = 0;
  const elf_result e = read_elf(byte_span(bytes.data(), bytes.size()));
  if (e.error) return e.error;
  const cubin_result c = read_cubin(e.file);
  if (c.error) return c.error;
  forget_mask_registers(bytes, e.file, c.value, section, changed);
  return {};
}

}  // namespace ww::sass
