// SPDX-License-Identifier: BSL-1.0
//
// How many bytes of local memory the code of a cubin asks for, changed.
//
//   frame      EIATTR_FRAME_SIZE of a function in .nv.info: by how much its code moves the stack pointer down
//   stack      EIATTR_MIN_STACK_SIZE of a kernel: what a thread needs, its callees included. Without calls it is the frame
// Observed: in 431 of 540 code sections of 360 cubins for sm_75 to sm_120 there is one frame, and both are the step of the stack
// pointer in the code; the others tell several frames, or others. Between a kernel compiled for many registers and the same compiled for few, with spill code, these two
// and the register counts are all that .nv.info has otherwise, besides places in the code; there is no section for local memory.
// A wrong number here is memory of another thread on silicon, so whatever differs from that is refused: functions beside the kernel that
// have frames, a record that is missing or stands twice, numbers that are not those of the code, and MAX_STACK_SIZE. ANNOTATIONS, which tells
// tools where spill code stands, is kept as it is; the call-frame rule of .debug_frame is a matter of its own (frame_rule.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "../meta/span.hpp"
#include "cubin.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"
#include "elf_read.hpp"

namespace ww::sass {

struct frame_request {
  std::uint32_t section = 0;  // index of a .text section
  std::uint32_t before = 0;   // bytes: what its code and its records say
  std::uint32_t after = 0;
  std::uint32_t step = 0;  // offset of the instruction that moves the stack pointer by `after`; for frame_rule.hpp
};

namespace detail {

inline constexpr std::uint8_t attribute_frame_size = 0x11;
inline constexpr std::uint8_t attribute_min_stack_size = 0x12;
inline constexpr std::uint8_t attribute_max_stack_size = 0x23;

// Where the two numbers of a request stand in the file.
inline elf_error find_frame_records(const elf_file& file, const cubin& c, const frame_request& q,
                                    std::uint64_t (&places)[2]) {
  if (q.section >= file.sections.size() || !is_text(file.sections[q.section]))
    return elf_error(elf_error::no_offset, "frame of section " + std::to_string(q.section), "the index of a .text section");
  const elf_section& text = file.sections[q.section];
  std::uint32_t functions = 0;  // that fill the section: the kernel
  std::uint32_t kernel = 0;
  for (std::uint32_t k = 0; k < file.symbols.size(); ++k) {
    const elf_symbol& s = file.symbols[k];
    if (s.section != q.section || s.type() != 2 || s.value != 0 || s.size != text.bytes.size()) continue;
    ++functions;
    kernel = k;
  }
  if (functions != 1) return elf_error(text.offset, text.name, "one function that fills its section");
  std::uint32_t found[2] = {0, 0};
  for (const info_record& r : c.infos) {
    if (r.format != 4 || r.value_size != 8) continue;
    const bool frame = r.attribute == attribute_frame_size;
    if (!frame && r.attribute != attribute_min_stack_size && r.attribute != attribute_max_stack_size) continue;
    const auto symbol = load_le<std::uint32_t>(file.bytes, r.value_place);
    if (symbol >= file.symbols.size() || file.symbols[symbol].section != q.section) continue;
    const auto name = file.sections[r.section].name;
    if (r.attribute == attribute_max_stack_size) return elf_error(r.place, name, "no EIATTR_MAX_STACK_SIZE of the function");
    if (symbol != kernel) {
      if (load_le<std::uint32_t>(file.bytes, r.value_place + 4) != 0)
        return elf_error(r.place, name, "no frame of a function beside the kernel");
      continue;
    }
    if (load_le<std::uint32_t>(file.bytes, r.value_place + 4) != q.before)
      return elf_error(r.place, name, "a frame of " + std::to_string(q.before) + " bytes, as the code has it");
    places[frame ? 0 : 1] = r.value_place + 4;
    ++found[frame ? 0 : 1];
  }
  if (found[0] != 1 || found[1] != 1)
    return elf_error(text.offset, text.name, "one EIATTR_FRAME_SIZE and one EIATTR_MIN_STACK_SIZE of its kernel");
  return {};
}

}  // namespace detail

// All or nothing: on an error the bytes stay.
[[nodiscard]] inline elf_error set_frame_sizes(span<std::uint8_t> bytes, span<const frame_request> requests) {
  const elf_result e = read_elf(byte_span(bytes.data(), bytes.size()));
  if (e.error) return e.error;
  const cubin_result c = read_cubin(e.file);
  if (c.error) return c.error;
  if (c.value.mercury && !requests.empty())
    return elf_error(elf_error::no_offset, "cubin", "no internal form of the code (.nv.capmerc.* or .nv.merc.*) beside it");
  std::uint64_t places[2] = {0, 0};
  for (const frame_request& q : requests) {
    if (elf_error bad = detail::find_frame_records(e.file, c.value, q, places); bad) return bad;
  }
  for (const frame_request& q : requests) {
    (void)detail::find_frame_records(e.file, c.value, q, places);
    for (const std::uint64_t at : places) detail::store_le<std::uint32_t>(bytes, at, q.after);
  }
  return {};
}

}  // namespace ww::sass
