// SPDX-License-Identifier: BSL-1.0
//
// Everything in a cubin, outside the code, that means an instruction: found, checked and moved.
//
//   record       an attribute value, relocation, symbol, table word, frame entry or line row
//   follows      it means one instruction and gets that instruction's new offset
//   closed only  it means a place between instructions; it stays, and no instruction may cross it
// Sections that hold no code offsets are listed by name; a section that is neither in that list nor understood is
// refused as soon as any instruction of the file moves. Used by sass/cubin_patch.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "cubin.hpp"
#include "cubin_annotation.hpp"
#include "cubin_control_flow.hpp"
#include "cubin_fixed_places.hpp"
#include "cubin_frame.hpp"
#include "cubin_line.hpp"
#include "cubin_resolved.hpp"

namespace ww::sass::detail {

class record_mover {
 public:
  record_mover(const elf_file& file, const cubin& c, const move_table& moves, std::vector<std::uint8_t>& out,
               cubin_remaps& remaps)
      : file_(file), cubin_(c), moves_(moves), out_(out), remaps_(remaps), index_(file), tables_(file.sections.size(), -1) {
    for (const info_record& r : c.infos) {
      const std::uint32_t text = file.sections[r.section].info;
      if (r.attribute == 0x34 && text < tables_.size()) {
        tables_[text] = 0;  // the targets are listed
      }
    }
  }

  elf_error run() {
    bool any = false;
    for (const section_move& m : moves_.moves) {
      any = any || m.moved();
    }
    if (!any) {
      return {};
    }
    for (std::uint32_t i = 1; i < file_.sections.size(); ++i) {
      if (elf_error e = section(i)) {
        return e;
      }
    }
    for (std::uint32_t i = 1; i < file_.sections.size(); ++i) {
      if (!is_resolved(file_.sections[i].name)) {
        continue;
      }
      if (elf_error e = resolved_mover(file_, moves_, span(out_), remaps_).run(i)) {
        return e;
      }
    }
    for (const info_record& r : cubin_.infos) {
      if (elf_error e = attribute(r)) {
        return e;
      }
    }
    if (elf_error e = symbols()) {
      return e;
    }
    return relocations();
  }

 private:
  elf_error fail(std::uint32_t section, std::uint64_t at, const std::string& kind, const std::string& wanted) const {
    const elf_section& s = file_.sections[section];
    return elf_error(s.offset + at, kind.empty() ? std::string(s.name) : std::string(s.name) + ", " + kind, wanted);
  }

  static bool starts(std::string_view name, std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; }

  // Sections that hold no place in the code, or whose places are relocated or are handled by their records.
  static bool harmless(std::string_view name) {
    constexpr std::string_view whole[] = {".shstrtab",     ".strtab",       ".symtab",        ".symtab_shndx",
                                          ".debug_str",    ".debug_abbrev", ".debug_macinfo", ".nv_debug_ptx_txt",
                                          ".nv.callgraph", ".nv.prototype", ".nv.rel.action", ".nv.compat",
                                          ".nv.info",      ".nv.global"};
    for (const std::string_view w : whole) {
      if (name == w) {
        return true;
      }
    }
    constexpr std::string_view prefixes[] = {".text.",
                                             ".nv.info.",
                                             ".nv.constant",
                                             ".nv.shared.",
                                             ".nv.local.",
                                             ".nv.global",
                                             ".nv.uft",
                                             ".nv.udt",
                                             ".note.",
                                             ".rel.",
                                             ".rela.",
                                             ".nv.capmerc.",
                                             ".nv.merc.",
                                             ".nv_debug_ptx_txt.",
                                             ".nv.tileir.debug_txt."};
    for (const std::string_view p : prefixes) {
      if (starts(name, p)) {
        return true;
      }
    }
    return false;
  }

  elf_error section(std::uint32_t i) {
    const elf_section& s = file_.sections[i];
    if (s.type == elf_section_type::null || s.bytes.empty()) {
      return {};
    }
    if (s.name == ".debug_frame") {
      return frame_mover(file_, index_, i, moves_, span(out_), remaps_).run();
    }
    if (is_line_table(s.name)) {
      return lines(i);
    }
    if (!is_resolved(s.name) && !harmless(s.name)) {
      return fail(i, 0, "",
                  "no section of this name beside code that changes its order: its code offsets are not understood");
    }
    if (starts(s.name, ".nv.constant2.")) {
      return table(i);
    }
    return {};
  }

  // Constant bank 2 of a kernel that branches through a table: 32-bit words that look like places in its code must be
  // closed ones. Where EIATTR_INDIRECT_BRANCH_TARGETS lists the targets, those are checked instead, because the bank
  // also holds numbers.
  elf_error table(std::uint32_t i) {
    const elf_section& s = file_.sections[i];
    const section_move* m = moves_.find(s.info);
    if (m == nullptr) {
      return {};
    }
    if (m->moves_tables()) {
      for (std::uint64_t at = 0; at < s.bytes.size(); at += 4) {
        std::uint64_t now = 0;
        if (!holds(s.bytes.size(), at, 4) || !m->place(load_le<std::uint32_t>(s.bytes, at), now)) {
          return fail(i, at, "jump table", "targets of branches only");
        }
        store_le<std::uint32_t>(out_, s.offset + at, static_cast<std::uint32_t>(now));
      }
      return {};
    }
    signed char& asks = tables_[s.info];
    if (asks < 0) {
      asks = branches_indirectly(file_.sections[s.info].bytes) ? 1 : 0;
    }
    if (asks == 0) {
      return {};
    }
    for (std::uint64_t at = 0; holds(s.bytes.size(), at, 4); at += 4) {
      const auto w = load_le<std::uint32_t>(s.bytes, at);
      if (w % section_move::instruction_bytes == 0 && m->inside(w) && !m->closed(w)) {
        return fail(i, at, "jump table", "no instruction to cross the code offset 0x" + elf_error::hex(w));
      }
    }
    return {};
  }

  elf_error lines(std::uint32_t i) {
    const elf_section& s = file_.sections[i];
    moved_line_table t;
    if (elf_error e = line_mover(file_, index_, i, moves_, remaps_).run(t)) {
      return e;
    }
    if (!t.changed) {
      return {};
    }
    for (const std::uint32_t relocation : index_.of(i)) {
      const elf_relocation& r = file_.relocations[relocation];
      std::uint64_t now = 0;
      if (!t.place(r.offset, now)) {
        return fail(r.table, r.place - file_.sections[r.table].offset, "",
                    "relocations of start addresses and headers only");
      }
      store_le<std::uint64_t>(out_, r.place, now);
    }
    std::uint64_t offset = s.offset;
    if (t.bytes.size() > s.bytes.size()) {  // it has grown: give it a place at the end of the file
      offset = out_.size();
      out_.resize(out_.size() + t.bytes.size());
    }
    for (std::size_t b = 0; b < t.bytes.size(); ++b) {
      out_[meta::to_size(offset) + b] = t.bytes[b];
    }
    const std::uint64_t header = file_.section_table + std::uint64_t{i} * 64;
    store_le<std::uint64_t>(out_, header + 24, offset);
    store_le<std::uint64_t>(out_, header + 32, t.bytes.size());
    return {};
  }

  // The instruction offset in the 32 bits at `at` of an attribute value follows its instruction.
  elf_error follow(const info_record& r, const section_move& m, std::uint64_t at, std::string_view kind) {
    const std::uint64_t place = r.value_place + at;
    const auto old = load_le<std::uint32_t>(file_.bytes, place);
    const std::uint64_t in_section = place - file_.sections[r.section].offset;
    if (old % section_move::instruction_bytes != 0 || !m.inside(old)) {
      return fail(r.section, in_section, std::string(kind), "the offset of an instruction, not 0x" + elf_error::hex(old));
    }
    const std::uint64_t now = m.follow(old);
    store_le<std::uint32_t>(out_, place, static_cast<std::uint32_t>(now));
    remaps_.push_back({short_name(file_.sections[r.section].name), std::string(kind), in_section, m.section(), old, now});
    return {};
  }

  elf_error pairs(const info_record& r, const section_move& m, std::string_view kind, std::uint64_t each, std::uint64_t at) {
    if (r.format != 4 || r.value_size % each != 0) {
      return fail(r.section, r.place - file_.sections[r.section].offset, std::string(kind),
                  "records of " + std::to_string(each) + " bytes");
    }
    for (std::uint64_t k = 0; k < r.value_size; k += each) {
      if (elf_error e = follow(r, m, k + at, kind)) return e;
    }
    return {};
  }

  elf_error attribute(const info_record& r) {
    const elf_section& s = file_.sections[r.section];
    const cubin_attribute a = attribute_of(r.attribute);
    const std::string kind = "EIATTR_" + std::string(a.name);
    const std::uint64_t in_section = r.place - s.offset;
    if (a.layout == attribute_layout::plain || (a.layout == attribute_layout::flag && r.format != 4)) {
      return {};
    }
    if (s.name == ".nv.info") {  // of the whole file: no section that an offset could belong to
      return fail(r.section, in_section, kind,
                  "an attribute without code offsets (0x" + elf_error::hex(r.attribute) + " is not known as one)");
    }
    const section_move* m = moves_.find(s.info);
    if (m == nullptr) {
      const bool named = s.info != 0 && s.info < file_.sections.size() && is_text(file_.sections[s.info]);
      return named ? elf_error{} : fail(r.section, in_section, kind, "a section whose info field leads to its code");
    }
    switch (a.layout) {
      case attribute_layout::offsets:
        return pairs(r, *m, kind, 4, 0);
      case attribute_layout::offset_first:
        return pairs(r, *m, kind, 8, 0);
      case attribute_layout::offset_second:
        return pairs(r, *m, kind, 8, 4);
      case attribute_layout::mbarriers:
        return pairs(r, *m, kind, 16, 0);
      case attribute_layout::annotations:
        return annotations(r, *m, kind);
      case attribute_layout::registers:
        return registers(r, *m, kind);
      case attribute_layout::branches:
        return branches(r, *m, kind);
      default:
        return fail(r.section, in_section, kind,
                    "an attribute that is understood (0x" + elf_error::hex(r.attribute) + " is not)");
    }
  }

  elf_error annotations(const info_record& r, const section_move& m, const std::string& kind) {
    std::uint64_t at = 0;
    while (r.format == 4 && at < r.value_size) {
      const annotation_entry x = annotation_at(file_.bytes, r.value_place + at, r.value_size - at);
      if (x.size == 0) break;
      if (x.of_instruction) {
        if (elf_error e = follow(r, m, at + 4, kind)) return e;
      }
      at += x.size;
    }
    if (at == r.value_size && r.format == 4) return {};
    return fail(r.section, r.value_place + at - file_.sections[r.section].offset, kind, "annotations of kinds 1 to 3");
  }

  // A register and the instruction in front of which it holds something. Where the instruction reads it (the count of an arrival at a
  // barrier object), the record follows; of any other nobody says who has written it, and no instruction may cross its place.
  elf_error registers(const info_record& r, const section_move& m, const std::string& kind) {
    constexpr std::uint64_t each = register_map_record;
    if (elf_error e = pairs(r, m, kind, each, 0)) return e;
    const byte_span code = file_.sections[file_.sections[r.section].info].bytes;
    for (std::uint64_t k = 0; k < r.value_size; k += each) {
      const auto [at, reads] = register_map_at(file_, r, code, k);
      if (!reads && (!m.closed(at) || !m.closed(at + section_move::instruction_bytes))) {
        return fail(
            r.section, r.value_place + k - file_.sections[r.section].offset, kind,
            "no instruction to cross 0x" + elf_error::hex(at) + ", which does not read the register that is recorded");
      }
    }
    return {};
  }

  elf_error branches(const info_record& r, const section_move& m, const std::string& kind) {
    const std::uint64_t base = r.value_place - file_.sections[r.section].offset;
    std::uint64_t at = 0;
    while (at < r.value_size) {
      if (r.format != 4 || !holds(r.value_size, at, 12)) {
        return fail(r.section, base + at, kind, "an indirect branch and the number of its targets");
      }
      const std::uint64_t count = load_le<std::uint32_t>(file_.bytes, r.value_place + at + 8);
      if (count > (r.value_size - at - 12) / 4) {
        return fail(r.section, base + at + 8, kind, "as many targets as the record holds");
      }
      if (elf_error e = follow(r, m, at, kind)) {
        return e;
      }
      for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t place = r.value_place + at + 12 + 4 * k;
        const auto target = load_le<std::uint32_t>(file_.bytes, place);
        std::uint64_t now = 0;
        if (!m.closed(target) && (!m.moves_tables() || !m.place(target, now))) {
          return fail(r.section, base + at + 12 + 4 * k, kind,
                      "no instruction to cross the target 0x" + elf_error::hex(target));
        }
        if (!m.closed(target)) store_le<std::uint32_t>(out_, place, static_cast<std::uint32_t>(now));
      }
      at += 12 + 4 * count;
    }
    return {};
  }

  elf_error symbols() {
    for (const elf_symbol& s : file_.symbols) {
      const section_move* m = moves_.find(s.section);
      if (m == nullptr) {
        continue;
      }
      std::uint64_t start = 0;
      std::uint64_t end = 0;
      if (!m->place(s.value, start) || (s.size != 0 && !m->place(s.value + s.size, end))) {
        return elf_error(s.place + 8, std::string(file_.sections[s.table].name) + ", symbol " + std::string(s.name),
                         "no instruction to cross the bounds of the symbol");
      }
      store_le<std::uint64_t>(out_, s.place + 8, start);
      if (s.size != 0) store_le<std::uint64_t>(out_, s.place + 16, end - start);
    }
    return {};
  }

  // The addend of a REL relocation. In code its field is part of an instruction: only an empty one is understood.
  bool stored_addend(const elf_relocation& r, std::uint64_t& addend) const {
    const elf_section& target = file_.sections[r.target];
    if (is_text(target)) {
      const std::uint64_t start = r.offset - r.offset % section_move::instruction_bytes;
      addend = 0;
      return holds(target.bytes.size(), start, 8) && (load_le<std::uint64_t>(target.bytes, start) >> 32) == 0;
    }
    if (!holds(target.bytes.size(), r.offset, 8)) {
      return false;
    }
    addend = load_le<std::uint64_t>(target.bytes, r.offset);
    return true;
  }

  elf_error relocations() {
    for (const elf_relocation& r : file_.relocations) {
      const std::uint64_t at = r.place - file_.sections[r.table].offset;
      const std::string_view target_name = file_.sections[r.target].name;
      const bool debug = starts(target_name, ".debug_") || starts(target_name, ".nv_debug_");
      const elf_symbol& s = file_.symbols[r.symbol];
      if (const section_move* m = moves_.find(s.section); m != nullptr && !debug) {
        // the place that the relocated field will hold: a return address, a function, a table entry
        std::uint64_t addend = static_cast<std::uint64_t>(r.addend);
        if (!r.has_addend && !stored_addend(r, addend)) {
          return fail(r.table, at, "relocation", "an addend of 0 in the code, or in a 64-bit field of data");
        }
        if (!m->keeps(s.value, addend)) {
          return fail(r.table, at, "relocation",
                      "no instruction to cross the relocated place 0x" + elf_error::hex(s.value + addend));
        }
      }
      if (const section_move* m = moves_.find(r.target); m != nullptr) {
        if (!m->inside(r.offset)) {
          return fail(r.table, at, "relocation", "an offset inside an instruction");
        }
        const std::uint64_t now = m->follow(r.offset);
        store_le<std::uint64_t>(out_, r.place, now);
        remaps_.push_back({short_name(file_.sections[r.table].name), "relocation", at, m->section(), r.offset, now});
      }
    }
    return {};
  }

  const elf_file& file_;
  const cubin& cubin_;
  const move_table& moves_;
  std::vector<std::uint8_t>& out_;
  cubin_remaps& remaps_;
  relocation_index index_;
  std::vector<signed char> tables_;  // by code section: words of constant bank 2 may be its targets; -1 = not asked yet
};

}  // namespace ww::sass::detail
