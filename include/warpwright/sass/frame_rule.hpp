// SPDX-License-Identifier: BSL-1.0
//
// The call-frame rule of a kernel whose frame has grown, for debuggers.
//
//   entry   of the kernel in .debug_frame: advances, and the rule def_cfa R1, bytes behind the instruction that moves the stack pointer
//   rule    where the frame of the caller is: R1 and as many bytes as the code has moved it by. Before that the rules of the CIE hold,
//           which say R1 and 0
// The entry is written anew with the new number, and where there was no frame its rule goes behind the instruction that was put in. It
// keeps its size: the number may take the filling at its end. An entry that is anything else, or has no room, stays as it is: nothing
// but a debugger reads it. Observed: all 486 kernels of bundled and corpus cubins whose frame is told have such an entry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../meta/span.hpp"
#include "cubin_code_place.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"
#include "elf_read.hpp"
#include "frame_factors.hpp"
#include "frame_size.hpp"

namespace ww::sass {

namespace detail {

inline constexpr std::uint64_t frame_register_r1 = 0x5000001;  // observed: R1 in the frame tables of compilers
inline constexpr std::uint8_t frame_nop = 0x00, frame_advance = 0x04, frame_def_cfa = 0x0c;

inline void put_uleb(std::vector<std::uint8_t>& out, std::uint64_t v) {
  do {
    const auto low = static_cast<std::uint8_t>(v & 0x7fu);
    v >>= 7;
    out.push_back(static_cast<std::uint8_t>(low | (v != 0 ? 0x80u : 0u)));
  } while (v != 0);
}

// The new program of an entry, `room` bytes; empty where it is not understood. `step`: offset of the instruction that moves the stack
// pointer, `factor`: bytes of code per unit of an advance.
[[nodiscard]] inline std::vector<std::uint8_t> new_frame_program(byte_span old, const frame_request& q,
                                                                 std::uint64_t factor) {
  byte_reader r{old};
  std::uint64_t at = 0;
  std::uint64_t rule = 0;
  std::uint64_t last = 0;
  unsigned rules = 0;
  while (r.more()) {
    const std::uint8_t op = r.take<std::uint8_t>();
    if (op == frame_advance) {
      at = last = at + std::uint64_t{r.take<std::uint32_t>()} * factor;
    } else if (op == frame_def_cfa) {
      const std::uint64_t base = r.take_uleb();
      const std::uint64_t bytes = r.take_uleb();
      if (base != frame_register_r1 || bytes != q.before || ++rules > 1) return {};
      rule = at;
    } else if (op != frame_nop) {
      return {};
    }
  }
  const std::uint64_t behind = std::uint64_t{q.step} + section_move::instruction_bytes;
  if (!r.ok || rules != 1 || last < behind || (q.before != 0 && rule != behind) || behind % factor != 0) return {};
  std::vector<std::uint8_t> out;
  const auto advance = [&out, factor](std::uint64_t by) {
    out.push_back(frame_advance);
    for (unsigned k = 0; k < 4; ++k) out.push_back(static_cast<std::uint8_t>(by / factor >> (8 * k)));
  };
  advance(behind);
  out.push_back(frame_def_cfa);
  put_uleb(out, frame_register_r1);
  put_uleb(out, q.after);
  if (last != behind) advance(last - behind);
  if (out.size() > old.size()) return {};
  out.resize(old.size(), frame_nop);
  return out;
}

}  // namespace detail

// `changed` counts entries. On an error the bytes stay.
[[nodiscard]] inline elf_error set_frame_rules(span<std::uint8_t> bytes, span<const frame_request> requests,
                                               std::uint32_t& changed) {
  changed = 0;
  const elf_result e = read_elf(bytes);
  if (e.error) return e.error;
  const detail::relocation_index index(e.file);
  for (std::uint32_t i = 1; i < e.file.sections.size(); ++i) {
    const elf_section& s = e.file.sections[i];
    if (s.name != ".debug_frame" || s.bytes.empty()) continue;
    const detail::field_relocations fields(e.file, index.of(i));
    const detail::frame_factors factors(s.bytes);
    detail::byte_reader r{s.bytes};
    while (r.more()) {
      const std::uint64_t length = r.take<std::uint32_t>();
      const bool wide = length == 0xffffffffu;
      const std::uint64_t size = wide ? r.take<std::uint64_t>() : length;
      const std::uint64_t body = r.at;
      if (!r.skip(size)) break;
      detail::byte_reader entry{s.bytes.first(meta::to_size(body + size)), body};
      const std::uint64_t cie = wide ? entry.take<std::uint64_t>() : entry.take<std::uint32_t>();
      if (cie == (wide ? ~std::uint64_t{0} : 0xffffffffu)) continue;
      const std::uint64_t field = entry.at;
      const detail::code_place p = fields.at(field, entry.take<std::uint64_t>());
      (void)entry.take<std::uint64_t>();
      const std::uint64_t factor = factors.of(cie);
      if (!entry.ok || !p.known || p.offset != 0 || factor == 0) continue;
      for (const frame_request& q : requests) {
        if (q.section != p.section || q.before == q.after) continue;
        const std::vector<std::uint8_t> now = detail::new_frame_program(
            s.bytes.subspan(meta::to_size(entry.at), meta::to_size(body + size - entry.at)), q, factor);
        for (std::size_t k = 0; k < now.size(); ++k) bytes[meta::to_size(s.offset + entry.at) + k] = now[k];
        changed += now.empty() ? 0u : 1u;
      }
    }
  }
  return {};
}

}  // namespace ww::sass
