// SPDX-License-Identifier: BSL-1.0
//
// Room for more instructions in a code section of a cubin.
//
//   grow_code(bytes, section, instructions)     NOPs behind the last instruction, until there are so many
//   whole lines   sections of code are filled up to multiples of 128 bytes, as compilers do (observed)
//   behind        what stands behind the section in the file moves by as much, tables of sections and segments included; a multiple
//                 of 128 keeps every alignment up to that
//   follows       the size of the section, of segments that hold its end, and of the functions that end with it, in symbols and frame
//                 tables
// Nothing in the section moves. What the NOPs become is a second step (spilled_patch.hpp). Refused by name: an internal form of the code
// beside the code (.nv.capmerc.*), line tables, whose sequences end with the section, sections at addresses or with larger alignments,
// functions across the section's bounds or none that fills it, and 64-bit instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../arch/dialect.hpp"
#include "cubin.hpp"
#include "cubin_code_place.hpp"
#include "cubin_line.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"
#include "elf_read.hpp"
#include "section_move.hpp"

namespace ww::sass {

inline constexpr std::uint64_t code_line_bytes = 128;
inline constexpr std::uint64_t filling_word[2] = {0x7918, 0xfc00000000000};  // NOP, as it stands behind code (observed)

namespace detail {

class code_grower {
 public:
  code_grower(const elf_file& file, const cubin& c, std::uint32_t section)
      : file_(file), cubin_(c), text_(section), old_(file.sections[section].bytes.size()) {}

  // Larger by `more` bytes.
  elf_error run(std::uint64_t more, std::vector<std::uint8_t>& out) {
    more_ = more;
    end_ = file_.sections[text_].offset + old_;
    if (elf_error e = check(); e) return e;
    out.assign(file_.bytes.begin(), file_.bytes.end());
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(end_), static_cast<std::size_t>(more), std::uint8_t{0});
    for (std::uint64_t at = end_; at < end_ + more; at += section_move::instruction_bytes) {
      store_le<std::uint64_t>(out, at, filling_word[0]);
      store_le<std::uint64_t>(out, at + 8, filling_word[1]);
    }
    tables(out);
    symbols(out);
    return frames(out);
  }

 private:
  static constexpr std::uint64_t section_header = 64;
  static constexpr std::uint64_t segment_header = 56;
  static constexpr std::uint64_t symbol_size_field = 16;

  [[nodiscard]] elf_error fail(std::uint32_t section, const char* wanted) const {
    const elf_section& s = file_.sections[section];
    return elf_error(s.offset, s.name, wanted);
  }

  [[nodiscard]] elf_error check() const {
    if (dialect_of(cubin_.target.id()).word64) return fail(text_, "128-bit instructions");
    if (old_ == 0 || old_ % section_move::instruction_bytes != 0) return fail(text_, "whole instructions");
    for (std::uint32_t i = 1; i < file_.sections.size(); ++i) {
      const elf_section& s = file_.sections[i];
      if (is_mercury(s)) return fail(i, "no internal form of the code (section .nv.capmerc.* or .nv.merc.*) beside it");
      if (is_line_table(s.name)) return fail(i, "no line table beside code that grows");
      if (s.address != 0) return fail(i, "a section without an address");
      if (!s.bytes.empty() && s.offset >= end_ && s.align > code_line_bytes)
        return fail(i, "an alignment of at most 128 bytes");
      if (i != text_ && !s.bytes.empty() && s.offset < end_ && s.offset + s.bytes.size() > end_)
        return fail(i, "no section across the end of the code");
    }
    std::uint32_t whole = 0;  // the kernel's symbol spans those of its functions (observed)
    for (const elf_symbol& s : file_.symbols) {
      if (s.section != text_ || s.type() == 3) continue;
      const bool inside = s.type() == 2 && s.value <= old_ && s.size <= old_ - s.value;
      if (!inside) return fail(text_, "functions inside their section");
      whole += s.value == 0 && s.size == old_ ? 1u : 0u;
    }
    return whole == 1 ? elf_error{} : fail(text_, "one function that fills its section");
  }

  // Where something of the old file stands now.
  [[nodiscard]] std::uint64_t now(std::uint64_t at) const { return at >= end_ ? at + more_ : at; }

  void tables(span<std::uint8_t> out) const {
    store_le<std::uint64_t>(out, 32, file_.segments.empty() ? file_.segment_table : now(file_.segment_table));
    store_le<std::uint64_t>(out, 40, now(file_.section_table));
    for (std::uint32_t i = 1; i < file_.sections.size(); ++i) {
      const elf_section& s = file_.sections[i];
      const std::uint64_t header = now(file_.section_table) + section_header * i;
      if (i != text_) store_le<std::uint64_t>(out, header + 24, now(s.offset));
      if (i == text_) store_le<std::uint64_t>(out, header + 32, old_ + more_);
    }
    for (std::uint32_t k = 0; k < file_.segments.size(); ++k) {
      const elf_segment& s = file_.segments[k];
      const std::uint64_t header = now(file_.segment_table) + segment_header * k;
      const bool holds_end = s.offset < end_ && s.offset + s.file_size >= end_;
      store_le<std::uint64_t>(out, header + 8, now(s.offset));
      if (!holds_end) continue;
      store_le<std::uint64_t>(out, header + 32, s.file_size + more_);
      store_le<std::uint64_t>(out, header + 40, s.memory_size + more_);
    }
  }
  void symbols(span<std::uint8_t> out) const {
    for (const elf_symbol& s : file_.symbols) {
      if (s.section != text_ || s.type() != 2 || s.value + s.size != old_ || s.size == 0) continue;
      store_le<std::uint64_t>(out, now(s.place) + symbol_size_field, s.size + more_);
    }
  }

  // Frame tables say how long a function is.
  elf_error frames(span<std::uint8_t> out) const {
    const relocation_index index(file_);
    for (std::uint32_t i = 1; i < file_.sections.size(); ++i) {
      const elf_section& s = file_.sections[i];
      if (s.name != ".debug_frame") continue;
      const field_relocations fields(file_, index.of(i));
      byte_reader r{s.bytes};
      while (r.more()) {
        const std::uint64_t length = r.take<std::uint32_t>();
        const std::uint64_t wide = length == 0xffffffffu ? r.take<std::uint64_t>() : 0;
        const std::uint64_t body = r.at;
        if (!r.skip(wide != 0 ? wide : length)) return fail(i, "whole frame entries");
        const std::uint64_t skip = wide != 0 ? 8 : 4;
        byte_reader e{s.bytes.first(meta::to_size(r.at)), body};
        const std::uint64_t id = wide != 0 ? e.take<std::uint64_t>() : e.take<std::uint32_t>();
        if (id == (wide != 0 ? ~std::uint64_t{0} : 0xffffffffu)) continue;
        const std::uint64_t start = e.take<std::uint64_t>();
        const std::uint64_t range = e.take<std::uint64_t>();
        if (!e.ok) return fail(i, "a frame entry with start and size of a function");
        const code_place p = fields.at(body + skip, start);
        if (!p.known && start == 0 && range == 0) continue;  // describes no code
        if (!p.known) return fail(i, "a relocation that says which function a frame entry describes");
        if (p.section != text_) continue;
        if (p.offset > old_ || range > old_ - p.offset) return fail(i, "a frame entry of a function inside its section");
        if (p.offset + range == old_ && range != 0)
          store_le<std::uint64_t>(out, now(s.offset) + body + skip + 8, range + more_);
      }
      if (!r.ok) return fail(i, "whole frame entries");
    }
    return {};
  }

  const elf_file& file_;
  const cubin& cubin_;
  std::uint32_t text_;
  std::uint64_t old_;
  std::uint64_t more_ = 0;
  std::uint64_t end_ = 0;  // of the section in the file
};

}  // namespace detail

// Makes room for `instructions` in the code section; nothing is done where there is enough. On an error the bytes stay.
[[nodiscard]] inline elf_error grow_code(std::vector<std::uint8_t>& bytes, std::uint32_t section,
                                         std::uint32_t instructions) {
  const elf_result e = read_elf(byte_span(bytes.data(), bytes.size()));
  if (e.error) return e.error;
  const cubin_result c = read_cubin(e.file);
  if (c.error) return c.error;
  if (section >= e.file.sections.size() || !detail::is_text(e.file.sections[section]))
    return elf_error(elf_error::no_offset, "growth of section " + std::to_string(section), "the index of a .text section");
  const std::uint64_t old = e.file.sections[section].bytes.size();
  const std::uint64_t wanted = std::uint64_t{instructions} * section_move::instruction_bytes;
  if (wanted <= old) return {};
  const std::uint64_t more = (wanted - old + code_line_bytes - 1) / code_line_bytes * code_line_bytes;
  std::vector<std::uint8_t> out;
  if (elf_error bad = detail::code_grower(e.file, c.value, section).run(more, out); bad) return bad;
  if (elf_error bad = read_elf(byte_span(out.data(), out.size())).error; bad) return bad;
  bytes = static_cast<std::vector<std::uint8_t>&&>(out);
  return {};
}

}  // namespace ww::sass
