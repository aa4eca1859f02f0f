// SPDX-License-Identifier: BSL-1.0
//
// How many general registers the code of a cubin asks for, read and changed.
//
//   count      registers of a thread: EIATTR_REGCOUNT of the functions of a .text section (symbol, count) in .nv.info, and on sm_70 to
//              sm_89 once more in the upper eight bits of that section's info field (from sm_90 on these are 0). Files of compilers up
//              to CUDA 10 have no such record at all: there that field alone tells it
//   needed     register_count_for(highest register that the code names): two more than it has (assumed from observation, below)
//   callers    a caller asks for as many as what it calls. The edges are those of .nv.callgraph: pairs of symbols behind the mark
//              (0, -1), resolved ones of calls through pointers behind (0, -4)
// Observed: of 1,299 sections of 476 cubins for sm_75 to sm_120, of public libraries since CUDA 11 and of the corpus, all 1,271 that do not
// change their count while they run ask for the highest register that they name plus three; no rounding, no least number (the smallest
// is 4). The other 28 hold SETMAXREG; who does has EIATTR_REG_RECONFIG (39 of 39), and is refused here. EIATTR_MAXREG_COUNT is the
// limit that the compiler was given; a count beyond is refused. Whether as many threads as EIATTR_MAX_THREADS or REQNTID say still find
// room for their registers is for the caller to ask (pressure/occupancy.hpp). What names registers elsewhere: cubin_register_names.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../meta/span.hpp"
#include "cubin.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"
#include "elf_read.hpp"

namespace ww::sass {

inline constexpr std::uint32_t most_registers = 255;    // of a thread
inline constexpr std::uint32_t reserved_registers = 2;  // observed, see above

// What code asks for whose highest register is R`highest`; above most_registers where it has no room.
[[nodiscard]] constexpr std::uint32_t register_count_for(std::uint32_t highest) { return highest + 1 + reserved_registers; }

struct register_request {
  std::uint32_t section = 0;  // index of a .text section
  std::uint32_t count = 0;
};

struct register_counts {
  std::vector<register_request> changed;  // sections whose count is another one now, callers included; in file order
  elf_error error;
};

namespace detail {

inline constexpr std::uint8_t attribute_max_registers = 0x1b;
inline constexpr std::uint8_t attribute_register_count = 0x2f;
inline constexpr std::uint8_t attribute_register_reconfiguration = 0x54;

class register_counter {
 public:
  register_counter(const elf_file& file, const cubin& c) : file_(file), cubin_(c), counts_(file.sections.size(), 0) {}

  // Fills in the count of each section.
  elf_error read() {
    bool recorded = false;  // for any function
    for (const info_record& r : cubin_.infos) {
      recorded = recorded || r.attribute == attribute_register_count;
      const std::uint32_t section = section_of(r);
      if (section == elf_file::none) continue;
      const auto count = load_le<std::uint32_t>(file_.bytes, r.value_place + 4);
      if (counts_[section] != 0 && counts_[section] != count)
        return elf_error(r.place, file_.sections[r.section].name, "the same register count for all functions of a section");
      counts_[section] = count;
    }
    for (const cubin_text& t : cubin_.texts) {
      const elf_section& s = file_.sections[t.section];
      if (!recorded) counts_[t.section] = s.info >> 24;
    }
    return {};
  }
  [[nodiscard]] std::uint32_t count_of(std::uint32_t section) const {
    return section < counts_.size() ? counts_[section] : 0u;
  }

  elf_error request(const register_request& r) {
    if (count_of(r.section) == 0)
      return elf_error(elf_error::no_offset, "register count of section " + std::to_string(r.section),
                       "a code section with a register count");
    if (r.count == 0 || r.count > most_registers)
      return elf_error(file_.sections[r.section].offset, file_.sections[r.section].name, "1 to 255 registers");
    counts_[r.section] = r.count;
    return {};
  }

  // Callers get as many as what they call, where either count is another one than before. Each pass carries a count one call
  // further. (In relocatable files callers may ask for fewer: the linker raises them.)
  elf_error raise_callers(const register_counter& before) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // sections
    if (elf_error e = read_edges(edges); e) return e;
    for (bool again = true; again;) {
      again = false;
      for (const auto& [caller, callee] : edges) {
        const bool other = counts_[callee] > before.counts_[callee] || counts_[caller] < before.counts_[caller];
        if (!other || counts_[caller] >= counts_[callee] || counts_[caller] == 0) continue;
        counts_[caller] = counts_[callee];
        again = true;
      }
    }
    return {};
  }

  // Sections of `before` whose count is another one now, or what forbids that.
  elf_error changed(const register_counter& before, std::vector<register_request>& out) const {
    for (std::uint32_t s = 0; s < counts_.size(); ++s) {
      if (counts_[s] == before.counts_[s]) continue;
      const elf_section& text = file_.sections[s];
      if (text.info >> 24 != 0 && text.info >> 24 != before.counts_[s])
        return elf_error(text.offset, text.name, "the register count of .nv.info in the info field too");
      out.push_back({s, counts_[s]});
    }
    for (const info_record& r : cubin_.infos) {
      const std::uint32_t section = file_.sections[r.section].info;
      if (section >= counts_.size() || counts_[section] == before.counts_[section]) continue;
      if (r.attribute == attribute_register_reconfiguration)
        return elf_error(r.place, file_.sections[r.section].name,
                         "no REG_RECONFIG: code that changes its register count while it runs");
      if (r.attribute == attribute_max_registers && r.value_size == 2) {
        const std::uint32_t most = load_le<std::uint16_t>(file_.bytes, r.value_place);
        if (counts_[section] > most)
          return elf_error(r.place, file_.sections[r.section].name,
                           "at most " + std::to_string(most) + " registers, as MAXREG_COUNT says");
      }
    }
    return {};
  }

  elf_error write(const register_counter& before, span<std::uint8_t> out) const {
    constexpr std::uint64_t header_bytes = 64;
    constexpr std::uint64_t info_field = 44;
    for (const info_record& r : cubin_.infos) {
      const std::uint32_t section = section_of(r);
      if (section == elf_file::none || counts_[section] == before.counts_[section]) continue;
      store_le<std::uint32_t>(out, r.value_place + 4, counts_[section]);
    }
    for (const cubin_text& t : cubin_.texts) {
      const elf_section& s = file_.sections[t.section];
      if (s.info >> 24 == 0 || counts_[t.section] == before.counts_[t.section]) continue;
      const std::uint64_t at = file_.section_table + header_bytes * t.section + info_field;
      if (!holds(out.size(), at, 4) || load_le<std::uint32_t>(file_.bytes, at) != s.info)
        return elf_error(at, s.name, "a section header of 64 bytes");
      store_le<std::uint32_t>(out, at, (s.info & 0xffffffu) | counts_[t.section] << 24);
    }
    return {};
  }

 private:
  // The code section of a symbol, none if it is not in this file.
  [[nodiscard]] std::uint32_t section_of_symbol(std::uint32_t symbol) const {
    if (symbol >= file_.symbols.size()) return elf_file::none;
    const std::uint32_t s = file_.symbols[symbol].section;
    return s < file_.sections.size() && is_text(file_.sections[s]) ? s : elf_file::none;
  }
  // That whose register count a record tells.
  [[nodiscard]] std::uint32_t section_of(const info_record& r) const {
    if (r.attribute != attribute_register_count || r.format != 4 || r.value_size != 8) return elf_file::none;
    return section_of_symbol(load_le<std::uint32_t>(file_.bytes, r.value_place));
  }

  elf_error read_edges(std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) const {
    constexpr std::uint32_t direct = 0xffffffffu;
    constexpr std::uint32_t resolved = 0xfffffffcu;
    const std::uint32_t graph = file_.find(".nv.callgraph");
    if (graph == elf_file::none) return {};
    const elf_section& s = file_.sections[graph];
    if (s.bytes.size() % 8 != 0) return elf_error(s.offset, s.name, "pairs of symbols");
    std::uint32_t kind = 0;
    for (std::uint64_t at = 0; at < s.bytes.size(); at += 8) {
      const auto caller = load_le<std::uint32_t>(s.bytes, at);
      const auto callee = load_le<std::uint32_t>(s.bytes, at + 4);
      if (caller == 0 && callee >= 0xfffffff0u) {
        kind = callee;
        continue;
      }
      if (kind != direct && kind != resolved) continue;
      const std::uint32_t from = section_of_symbol(caller);
      const std::uint32_t to = section_of_symbol(callee);
      if (from != elf_file::none && to != elf_file::none && from != to) edges.emplace_back(from, to);
    }
    return {};
  }

  const elf_file& file_;
  const cubin& cubin_;
  std::vector<std::uint32_t> counts_;  // by section; 0: no code, or not told
};

}  // namespace detail

// Registers that the code of a section asks for.
[[nodiscard]] inline elf_error read_register_count(const elf_file& file, const cubin& c, std::uint32_t section,
                                                   std::uint32_t& count) {
  detail::register_counter counter(file, c);
  count = 0;
  if (elf_error e = counter.read(); e) return e;
  count = counter.count_of(section);
  if (count == 0)
    return elf_error(elf_error::no_offset, "register count of section " + std::to_string(section),
                     "a code section with a register count");
  return {};
}

// Of all sections of the file at once, 0 where there is none.
[[nodiscard]] inline elf_error read_register_counts(const elf_file& file, const cubin& c,
                                                    std::vector<std::uint32_t>& counts) {
  detail::register_counter counter(file, c);
  counts.assign(file.sections.size(), 0);
  if (elf_error e = counter.read(); e) return e;
  for (std::uint32_t s = 0; s < counts.size(); ++s) counts[s] = counter.count_of(s);
  return {};
}

// The most registers that the compiler was told the code of a section may ask for (EIATTR_MAXREG_COUNT); 0 where nothing says so.
[[nodiscard]] inline std::uint32_t register_limit_of(const elf_file& file, const cubin& c, std::uint32_t section) {
  std::uint32_t most = 0;
  for (const info_record& r : c.infos) {
    if (r.attribute != detail::attribute_max_registers || r.value_size != 2 || file.sections[r.section].info != section)
      continue;
    const auto told = detail::load_le<std::uint16_t>(file.bytes, r.value_place);
    most = most == 0 || told < most ? told : most;
  }
  return most;
}
// The same of the bytes of a cubin.
[[nodiscard]] inline elf_error read_register_limit(byte_span bytes, std::uint32_t section, std::uint32_t& most) {
  most = 0;
  const elf_result e = read_elf(bytes);
  if (e.error) return e.error;
  const cubin_result c = read_cubin(e.file);
  if (c.error) return c.error;
  most = register_limit_of(e.file, c.value, section);
  return {};
}

// Gives sections other counts, and their callers as many. `bytes` are those of a whole cubin, before or after patch_cubin(); on an error
// they stay. Counts in .nv.merc.* sections (the internal form of the code, sm_100 and later) stay too: files with these are refused unless
// `keep_mercury`, as patch_cubin() does it.
[[nodiscard]] inline register_counts set_register_counts(span<std::uint8_t> bytes, span<const register_request> requests,
                                                         bool keep_mercury = false) {
  register_counts out;
  const elf_result e = read_elf(byte_span(bytes.data(), bytes.size()));
  if (e.error) {
    out.error = e.error;
    return out;
  }
  const cubin_result c = read_cubin(e.file);
  if (c.error) {
    out.error = c.error;
    return out;
  }
  const detail::register_counter before = [&] {
    detail::register_counter r(e.file, c.value);
    out.error = r.read();
    return r;
  }();
  if (out.error) return out;
  detail::register_counter after = before;
  for (const register_request& r : requests) {
    if (out.error = after.request(r); out.error) return out;
  }
  if (out.error = after.raise_callers(before); out.error) return out;
  std::vector<register_request> changed;
  if (out.error = after.changed(before, changed); out.error) return out;
  if (!changed.empty() && c.value.mercury && !keep_mercury) {
    out.error =
        elf_error(elf_error::no_offset, "cubin", "no internal form of the code (.nv.capmerc.* or .nv.merc.*) beside it");
    return out;
  }
  if (out.error = after.write(before, bytes); out.error) return out;
  out.changed = std::move(changed);
  return out;
}

}  // namespace ww::sass
