// SPDX-License-Identifier: BSL-1.0
//
// Reads a 64-bit little-endian ELF file into an elf_file.
//
// Every offset, count and index of the file is checked before it is used, in arithmetic that cannot overflow; what
// does not fit is an elf_error that names the place. Checked: the header; both header tables; every section's
// range; that no two sections share bytes (the same range twice is allowed: cubins of sm_100 name one data section
// twice); names inside their string tables; links of symbol and relocation tables, which must lead to a table of the
// right type (so a cycle of links is an error and never followed); symbol and relocation indices; relocated offsets.
// Work and memory are bounded by the size of the file: O(sections log sections + symbols + relocations).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../meta/algorithm.hpp"
#include "elf.hpp"
#include "elf_error.hpp"

namespace ww::sass {

struct elf_result {
  elf_file file;
  elf_error error;
};

namespace detail {

class elf_reader {
 public:
  explicit elf_reader(byte_span bytes) { out_.file.bytes = bytes; }

  elf_result run() {
    if (header() && section_headers() && section_names() && no_overlap() && segments() && symbols()) {
      relocations();
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint64_t header_bytes = 64;
  static constexpr std::uint64_t section_bytes = 64;
  static constexpr std::uint64_t segment_bytes = 56;
  static constexpr std::uint64_t symbol_bytes = 24;

  bool fail(std::uint64_t offset, std::string_view where, std::string_view expected) {
    out_.error = elf_error(offset, where, expected);
    return false;
  }

  [[nodiscard]] byte_span bytes() const { return out_.file.bytes; }
  [[nodiscard]] std::uint64_t size() const { return out_.file.bytes.size(); }
  template <class Unsigned>
  [[nodiscard]] Unsigned at(std::uint64_t offset) const {
    return load_le<Unsigned>(bytes(), offset);
  }

  static std::string numbered(const char* what, std::uint64_t i) { return std::string(what) + " " + std::to_string(i); }

  bool header() {
    if (size() < header_bytes) {
      return fail(size(), "ELF header", "64 bytes");
    }
    if (at<std::uint32_t>(0) != 0x464c457fu) {
      return fail(0, "ELF header", "the magic 7f 'E' 'L' 'F'");
    }
    if (bytes()[4] != 2) {
      return fail(4, "ELF header, class", "2 (64 bits)");
    }
    if (bytes()[5] != 1) {
      return fail(5, "ELF header, data", "1 (little endian)");
    }
    if (bytes()[6] != 1) {
      return fail(6, "ELF header, version", "1");
    }
    elf_file& f = out_.file;
    f.os_abi = bytes()[7];
    f.abi_version = bytes()[8];
    f.type = at<std::uint16_t>(16);
    f.machine = at<std::uint16_t>(18);
    f.segment_table = at<std::uint64_t>(32);
    f.section_table = at<std::uint64_t>(40);
    f.flags = at<std::uint32_t>(48);
    if (at<std::uint16_t>(52) != header_bytes) {
      return fail(52, "ELF header, size of this header", "64");
    }
    return true;
  }

  bool section_headers() {
    elf_file& f = out_.file;
    std::uint64_t count = at<std::uint16_t>(60);
    std::uint64_t names = at<std::uint16_t>(62);
    if (f.section_table == 0) {
      return count == 0 ? fail(40, "ELF header, section header offset", "a section header table")
                        : fail(60, "ELF header, number of sections", "0, since there is no section header table");
    }
    if (at<std::uint16_t>(58) != section_bytes) {
      return fail(58, "ELF header, size of a section header", "64");
    }
    if (!holds(size(), f.section_table, section_bytes)) {
      return fail(40, "ELF header, section header offset", "an offset inside the file");
    }
    if (count == 0) {  // the real count is in section 0
      count = at<std::uint64_t>(f.section_table + 32);
    }
    if (names == 0xffffu) {
      names = at<std::uint32_t>(f.section_table + 40);
    }
    if (count == 0 || count > (size() - f.section_table) / section_bytes) {
      return fail(60, "ELF header, number of sections", "a section header table inside the file");
    }
    if (names >= count) {
      return fail(62, "ELF header, index of the section names", "an index below " + std::to_string(count));
    }
    names_ = static_cast<std::uint32_t>(names);
    f.sections.resize(meta::to_size(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t h = f.section_table + i * section_bytes;
      elf_section& s = f.sections[meta::to_size(i)];
      s.type = static_cast<elf_section_type>(at<std::uint32_t>(h + 4));
      if (i == 0 || s.type == elf_section_type::null) {
        s.type = elf_section_type::null;
        continue;
      }
      s.flags = at<std::uint64_t>(h + 8);
      s.address = at<std::uint64_t>(h + 16);
      s.offset = at<std::uint64_t>(h + 24);
      s.size = at<std::uint64_t>(h + 32);
      s.link = at<std::uint32_t>(h + 40);
      s.info = at<std::uint32_t>(h + 44);
      s.align = at<std::uint64_t>(h + 48);
      s.entry_size = at<std::uint64_t>(h + 56);
      if (without_bytes(s.type)) {
        continue;
      }
      if (s.offset > size()) {
        return fail(h + 24, numbered("section header", i) + ", offset", "an offset inside the file");
      }
      if (!holds(size(), s.offset, s.size)) {
        return fail(h + 32, numbered("section header", i) + ", size", "a section that ends inside the file");
      }
      s.bytes = bytes().subspan(meta::to_size(s.offset), meta::to_size(s.size));
    }
    return true;
  }

  // The text at an offset of a string table; false when it does not end inside the table. The ends of a table's texts
  // are found once, so that many names inside one long text cost no more than others.
  [[nodiscard]] bool text_at(std::uint32_t section, std::uint64_t offset, std::string_view& out) {
    const byte_span table = out_.file.sections[section].bytes;
    if (offset >= table.size()) {
      out = {};
      return offset == 0;  // an empty table may stand for the empty name
    }
    std::vector<std::uint64_t>& ends = ends_[section];
    if (ends.empty()) {
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i] == 0) {
          ends.push_back(i);
        }
      }
      ends.push_back(table.size());
    }
    const std::uint64_t end = *std::lower_bound(ends.begin(), ends.end(), offset);
    if (end == table.size()) {
      return false;
    }
    out = std::string_view(reinterpret_cast<const char*>(table.data()) + offset, meta::to_size(end - offset));
    return true;
  }

  bool section_names() {
    elf_file& f = out_.file;
    if (f.sections[names_].type != elf_section_type::strtab) {
      return fail(62, "ELF header, index of the section names", "a string table");
    }
    ends_.resize(f.sections.size());
    for (std::size_t i = 1; i < f.sections.size(); ++i) {
      const std::uint64_t h = f.section_table + i * section_bytes;
      if (f.sections[i].type != elf_section_type::null && !text_at(names_, at<std::uint32_t>(h), f.sections[i].name)) {
        return fail(h, numbered("section header", i) + ", name", "an offset of a name in the section name table");
      }
    }
    return true;
  }

  // Two ranges of bytes may be equal (two sections, not three) or apart, nothing else; the headers are ranges too.
  bool no_overlap() {
    struct range {
      std::uint64_t first, last;
      std::size_t section;
    };
    const elf_file& f = out_.file;
    std::vector<range> ranges;
    ranges.reserve(f.sections.size() + 2);
    ranges.push_back({0, header_bytes, 0});
    ranges.push_back({f.section_table, f.section_table + f.sections.size() * section_bytes, 0});
    for (std::size_t i = 1; i < f.sections.size(); ++i) {
      if (!f.sections[i].bytes.empty()) {
        ranges.push_back({f.sections[i].offset, f.sections[i].offset + f.sections[i].size, i});
      }
    }
    std::sort(ranges.begin(), ranges.end(), [](const range& a, const range& b) {
      return a.first != b.first ? a.first < b.first : (a.last != b.last ? a.last < b.last : a.section < b.section);
    });
    bool shared = false;
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      const range& a = ranges[i - 1];
      const range& b = ranges[i];
      const bool same = a.first == b.first && a.last == b.last && a.section != 0 && !shared;
      shared = same;
      if (b.first < a.last && !same) {
        const std::size_t s = b.section != 0 ? b.section : a.section;
        return fail(f.section_table + s * section_bytes + 24, numbered("section header", s) + ", offset",
                    "bytes that no other section or header uses");
      }
    }
    return true;
  }

  bool segments() {
    elf_file& f = out_.file;
    const std::uint64_t count = at<std::uint16_t>(56);
    if (count == 0) {
      return true;
    }
    if (at<std::uint16_t>(54) != segment_bytes) {
      return fail(54, "ELF header, size of a program header", "56");
    }
    if (f.segment_table > size() || count > (size() - f.segment_table) / segment_bytes) {
      return fail(32, "ELF header, program header offset", "a program header table inside the file");
    }
    f.segments.resize(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t h = f.segment_table + i * segment_bytes;
      elf_segment& s = f.segments[meta::to_size(i)];
      s.type = at<std::uint32_t>(h);
      s.flags = at<std::uint32_t>(h + 4);
      s.offset = at<std::uint64_t>(h + 8);
      s.address = at<std::uint64_t>(h + 16);
      s.file_size = at<std::uint64_t>(h + 32);
      s.memory_size = at<std::uint64_t>(h + 40);
      s.align = at<std::uint64_t>(h + 48);
      if (!holds(size(), s.offset, s.file_size)) {
        return fail(h + 8, numbered("program header", i), "a segment inside the file");
      }
    }
    return true;
  }

  // Checks the link of a table; the section that it leads to must have the type.
  bool linked(std::size_t section, elf_section_type type, const char* what) {
    const elf_section& s = out_.file.sections[section];
    if (s.link == 0 || s.link >= out_.file.sections.size() || out_.file.sections[s.link].type != type) {
      return fail(out_.file.section_table + section * section_bytes + 40, numbered("section header", section) + ", link",
                  what);
    }
    return true;
  }

  bool entries(std::size_t section, std::uint64_t bytes_each) {
    const elf_section& s = out_.file.sections[section];
    const std::uint64_t h = out_.file.section_table + section * section_bytes;
    if (s.entry_size != bytes_each) {
      return fail(h + 56, numbered("section header", section) + ", entry size", std::to_string(bytes_each));
    }
    if (s.size % bytes_each != 0) {
      return fail(h + 32, numbered("section header", section) + ", size", "a multiple of " + std::to_string(bytes_each));
    }
    return true;
  }

  bool symbols() {
    elf_file& f = out_.file;
    first_symbol_.assign(f.sections.size(), 0);
    std::vector<std::uint32_t> extended_of(f.sections.size(), 0);
    for (std::size_t i = 1; i < f.sections.size(); ++i) {
      if (f.sections[i].type == elf_section_type::symtab_shndx && f.sections[i].link < f.sections.size()) {
        extended_of[f.sections[i].link] = static_cast<std::uint32_t>(i);
      }
    }
    for (std::size_t i = 1; i < f.sections.size(); ++i) {
      const elf_section& s = f.sections[i];
      if (s.type != elf_section_type::symtab) {
        continue;
      }
      if (!linked(i, elf_section_type::strtab, "the index of a string table") || !entries(i, symbol_bytes)) {
        return false;
      }
      const byte_span extended = f.sections[extended_of[i]].bytes;
      first_symbol_[i] = static_cast<std::uint32_t>(f.symbols.size());
      const std::uint64_t count = s.size / symbol_bytes;
      f.symbols.reserve(f.symbols.size() + static_cast<std::size_t>(count));
      for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t p = s.offset + k * symbol_bytes;
        elf_symbol sym;
        sym.table = static_cast<std::uint32_t>(i);
        sym.place = p;
        sym.info = at<std::uint8_t>(p + 4);
        sym.other = at<std::uint8_t>(p + 5);
        sym.value = at<std::uint64_t>(p + 8);
        sym.size = at<std::uint64_t>(p + 16);
        if (!text_at(s.link, at<std::uint32_t>(p), sym.name)) {
          return fail(p, numbered("symbol", k) + ", name", "an offset of a name in the string table");
        }
        std::uint32_t index = at<std::uint16_t>(p + 6);
        if (index == 0xffffu && holds(extended.size(), k * 4, 4)) {
          index = load_le<std::uint32_t>(extended, k * 4);
        } else if (index >= 0xff00u) {
          index = elf_symbol::no_section;
        }
        if (index != elf_symbol::no_section && index >= f.sections.size()) {
          return fail(p + 6, numbered("symbol", k) + ", section", "an index below " + std::to_string(f.sections.size()));
        }
        sym.section = index;
        f.symbols.push_back(sym);
      }
    }
    return true;
  }

  // The symbols of a relocation table are those that it links to. Compilers of CUDA 12.0 to 12.2 counted sections wrongly
  // there (observed: 5 where the table is section 3): then they are those of the only symbol table.
  std::uint32_t symbols_of(std::size_t relocations) const {
    const std::vector<elf_section>& sections = out_.file.sections;
    const std::uint32_t link = sections[relocations].link;
    if (link < sections.size() && sections[link].type == elf_section_type::symtab) return link;
    std::uint32_t only = 0;
    for (std::size_t i = 1; i < sections.size(); ++i) {
      if (sections[i].type != elf_section_type::symtab) continue;
      if (only != 0) return link;
      only = static_cast<std::uint32_t>(i);
    }
    return only != 0 && link != 0 && link < sections.size() ? only : link;
  }

  bool relocations() {
    elf_file& f = out_.file;
    for (std::size_t i = 1; i < f.sections.size(); ++i) {
      const elf_section& s = f.sections[i];
      const bool rela = s.type == elf_section_type::rela;
      if (!rela && s.type != elf_section_type::rel) {
        continue;
      }
      const std::uint64_t each = rela ? 24 : 16;
      const std::uint32_t table = symbols_of(i);
      if (table >= f.sections.size() || f.sections[table].type != elf_section_type::symtab) {
        return linked(i, elf_section_type::symtab, "the index of a symbol table");
      }
      if (!entries(i, each)) return false;
      if (s.info == 0 || s.info >= f.sections.size()) {
        return fail(f.section_table + i * section_bytes + 44, numbered("section header", i) + ", info",
                    "the index of the section that is relocated");
      }
      const std::uint64_t symbol_count = f.sections[table].size / symbol_bytes;
      const std::uint64_t count = s.size / each;
      f.relocations.reserve(f.relocations.size() + static_cast<std::size_t>(count));
      for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t p = s.offset + k * each;
        elf_relocation r;
        r.table = static_cast<std::uint32_t>(i);
        r.target = s.info;
        r.offset = at<std::uint64_t>(p);
        const std::uint64_t info = at<std::uint64_t>(p + 8);
        r.type = static_cast<std::uint32_t>(info);
        r.addend = rela ? static_cast<std::int64_t>(at<std::uint64_t>(p + 16)) : 0;
        r.has_addend = rela;
        r.place = p;
        if (r.offset >= f.sections[s.info].size) {
          return fail(p, std::string(s.name) + ", offset", "an offset inside " + std::string(f.sections[s.info].name));
        }
        if ((info >> 32) >= symbol_count) {
          return fail(p + 8, std::string(s.name) + ", symbol", "an index below " + std::to_string(symbol_count));
        }
        r.symbol = first_symbol_[table] + static_cast<std::uint32_t>(info >> 32);
        f.relocations.push_back(r);
      }
    }
    return true;
  }

  elf_result out_;
  std::uint32_t names_ = 0;
  std::vector<std::uint32_t> first_symbol_;
  std::vector<std::vector<std::uint64_t>> ends_;  // per string table: where its texts end
};

}  // namespace detail

// Reads the file. On failure `error` is set and `file` holds only what was read before.
[[nodiscard]] inline elf_result read_elf(byte_span bytes) { return detail::elf_reader(bytes).run(); }

}  // namespace ww::sass
