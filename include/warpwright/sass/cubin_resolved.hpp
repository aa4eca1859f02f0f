// SPDX-License-Identifier: BSL-1.0
//
// Records of relocations that a linker has applied (.nv.resolvedrela.NAME: nvlink --preserve-relocs; also libraries that come with
// NVRTC): entries as those of .rela.NAME, whose fields hold the values already. Nothing is left to do for a loader; disassemblers print
// the names.
//
//   of code          a record follows its instruction
//   of other fields  a record stays, and the field must hold what it held. Those of .debug_frame are pointers to CIEs.
//   symbol + addend  of code names a place between instructions: none may cross it
// Known of .text.*, .debug_frame, .nv.constant* and .nv.global*; others are refused by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "cubin.hpp"
#include "cubin_code_place.hpp"
#include "cubin_control_flow.hpp"
#include "cubin_remap.hpp"
#include "elf.hpp"
#include "elf_error.hpp"

namespace ww::sass::detail {

inline constexpr std::string_view resolved_prefix = ".nv.resolvedrela";  // before the name of the section
[[nodiscard]] inline bool is_resolved(std::string_view name) {
  return name.substr(0, resolved_prefix.size()) == resolved_prefix;
}

class resolved_mover {
 public:
  // `out` is the whole file, with all other sections as they are to be.
  resolved_mover(const elf_file& file, const move_table& moves, span<std::uint8_t> out, cubin_remaps& remaps)
      : file_(file), moves_(moves), out_(out), remaps_(remaps) {}

  elf_error run(std::uint32_t i) {
    const elf_section& s = file_.sections[i];
    if (s.bytes.empty()) return {};
    if (s.info == 0 || s.info >= file_.sections.size() || !has_fields(file_.sections[s.info]) ||
        s.name.substr(resolved_prefix.size()) != file_.sections[s.info].name)
      return fail(s, 0, "resolved relocations of code, constants, variables or .debug_frame");
    for (std::uint64_t at = 0; at < s.bytes.size(); at += each) {
      if (s.entry_size != each || !holds(s.bytes.size(), at, each)) return fail(s, at, "entries of 24 bytes");
      if (elf_error e = entry(s, at); e) return e;
    }
    return {};
  }

 private:
  static constexpr std::uint64_t each = 24;  // offset, type and symbol, addend
  static constexpr std::uint64_t field_bytes = 8;

  static elf_error fail(const elf_section& s, std::uint64_t at, const std::string& wanted) {
    return elf_error(s.offset + at, s.name, wanted);
  }

  static bool has_fields(const elf_section& s) {
    const auto starts = [&s](std::string_view p) { return s.name.substr(0, p.size()) == p; };
    return is_text(s) || s.name == ".debug_frame" || starts(".nv.constant") || starts(".nv.global");
  }

  elf_error entry(const elf_section& s, std::uint64_t at) {
    const elf_section& target = file_.sections[s.info];
    const auto offset = load_le<std::uint64_t>(s.bytes, at);
    const elf_symbol* const named = symbol(s.link, load_le<std::uint64_t>(s.bytes, at + 8) >> 32);
    if (named == nullptr) return fail(s, at + 8, "the index of a symbol");
    if (const section_move* m = moves_.find(named->section);
        m != nullptr && !m->keeps(named->value, load_le<std::uint64_t>(s.bytes, at + 16)))
      return fail(s, at + 16, "no instruction to cross the place that a resolved relocation names");
    if (offset >= target.bytes.size()) return fail(s, at, "an offset inside " + std::string(target.name));
    if (const section_move* m = moves_.find(s.info); m != nullptr) {
      if (!m->inside(offset) || m->gone(offset)) return fail(s, at, "the offset of an instruction that is still there");
      const std::uint64_t now = m->follow(offset);
      store_le<std::uint64_t>(out_, s.offset + at, now);
      remaps_.push_back({short_name(s.name), "resolved relocation", at, m->section(), offset, now});
      return {};
    }
    for (std::uint64_t b = offset; b < offset + field_bytes && b < target.bytes.size(); ++b) {
      if (out_[meta::to_size(target.offset + b)] != target.bytes[meta::to_size(b)])
        return fail(s, at, "the offset of a field that holds what it held");
    }
    return {};
  }

  // Symbol k of a table, null without; where the link leads to no table, of the only one (as other relocation tables: elf_read.hpp).
  [[nodiscard]] const elf_symbol* symbol(std::uint32_t table, std::uint64_t k) const {
    const std::vector<elf_symbol>& all = file_.symbols;
    auto first = std::find_if(all.begin(), all.end(), [table](const elf_symbol& x) { return x.table == table; });
    if (first == all.end() && !all.empty() && all.front().table == all.back().table) first = all.begin();
    if (k >= static_cast<std::uint64_t>(all.end() - first)) return nullptr;
    const elf_symbol& found = *(first + static_cast<std::ptrdiff_t>(k));
    return found.table == first->table ? &found : nullptr;
  }

  const elf_file& file_;
  const move_table& moves_;
  span<std::uint8_t> out_;
  cubin_remaps& remaps_;
};

}  // namespace ww::sass::detail
