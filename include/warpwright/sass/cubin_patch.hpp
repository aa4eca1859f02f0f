// SPDX-License-Identifier: BSL-1.0
//
// Writes new instruction orders and control words into a cubin.
//
//   text_patch  for one .text.NAME section: which old instruction stands at each new place, and its 21 control bits
//   words       of code that was laid out anew (laid_out_patch.hpp): whole words, of which branches, BSSY and what becomes one or
//               stops being one may say something new, and all others must say what they said
// Without `words`, instruction words move as they are; only bits 105..125 change. Everything else in the file that means one of the
// moved instructions follows it: instruction offsets in .nv.info.*, relocations of the code, .debug_frame,
// .debug_line and .nv_debug_line_sass. What means a place between instructions (branches, symbols, jump tables, return
// addresses) does not change, and it is checked that no instruction crosses it. Whatever cannot be kept is
// refused, with the section and the kind in the error; then there are no bytes.
// Refused: groups of 64-bit instructions (sm_50..62); files with an internal form of the code beside the code
// (.nv.capmerc.*: sm_100 and later) unless `keep_mercury`; attributes that may hold offsets and are not understood;
// debug sections that hold code ranges (.debug_info, .debug_loc, ...); unknown sections. docs/cubin.md lists them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../arch/control_format.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "cubin_patch_records.hpp"
#include "elf_error.hpp"

namespace ww::sass {

struct text_patch {
  std::uint32_t section = 0;             // index of the code section in the file
  std::vector<std::uint32_t> old_index;  // [new position] -> old position, in instructions
  std::vector<std::uint32_t> control;    // [new position] -> bits 105..125
  std::vector<std::array<std::uint64_t, 2>>
      words;  // [new position], control bits included; empty where only the order is new
  bool in_order =
      false;  // of `words`: blocks stand in the order that they stood in, and only have more or fewer instructions
  std::vector<std::uint8_t>
      gone;             // by old position, or empty: instructions that are not there any more (section_move::set_gone)
  bool tables = false;  // constant bank 2 of the kernel holds targets of its indirect branches, and nothing else
  std::vector<std::uint32_t> places;  // of `in_order`, or empty: where blocks start now (section_move::set_places)
};

struct patch_options {
  // Patch the code of files that carry .nv.capmerc.* sections too, leaving those as they are. They describe the code
  // instruction by instruction, so they are wrong afterwards, and a driver that rebuilds code from them cannot be
  // trusted with the file (docs/cubin.md).
  bool keep_mercury = false;
};

struct patch_result {
  std::vector<std::uint8_t> bytes;  // the patched file; empty after an error
  cubin_remaps remaps;              // every instruction offset that was looked at
  elf_error error;
};

// The patch that a program's current order and control information describe. The instructions' addresses must be
// the offsets of a whole section, each once.
[[nodiscard]] inline text_patch make_text_patch(const program& p, std::uint32_t section) {
  text_patch t;
  t.section = section;
  t.old_index.reserve(p.order.size());
  t.control.reserve(p.order.size());
  for (const instr_id id : p.order) {
    t.old_index.push_back(p[id].address / section_move::instruction_bytes);
    t.control.push_back(sm70_128::encode(p[id].ctl));
  }
  return t;
}

namespace detail {

// May code that was laid out anew hold `now` where `was` moved to? The same instruction, another branch, or a branch for padding and
// padding for a branch.
inline bool may_replace(const std::uint64_t (&was)[2], const std::array<std::uint64_t, 2>& now) {
  constexpr std::uint64_t control = ((std::uint64_t{1} << 21) - 1) << 41;  // bits 105..125
  const auto free = [](std::uint64_t low) {
    return (low & 0xfffu) == 0x918 || ((low & 0xfffu) != 0x34e && pinned_word(low));
  };
  const bool same = was[0] == now[0] && ((was[1] ^ now[1]) & ~control) == 0;
  return same || (free(was[0]) && free(now[0]));
}

// Checks one patch and adds its move.
inline elf_error accept_patch(const elf_file& file, const text_patch& t, move_table& moves) {
  if (t.section == 0 || t.section >= file.sections.size() || !is_text(file.sections[t.section])) {
    return elf_error(elf_error::no_offset, "patch of section " + std::to_string(t.section), "the index of a .text section");
  }
  const elf_section& s = file.sections[t.section];
  const auto fail = [&s](std::uint64_t at, const std::string& wanted) { return elf_error(s.offset + at, s.name, wanted); };
  if (moves.of_section[t.section] != elf_file::none) {
    return fail(0, "one patch for each section");
  }
  const branch_form form = branch_form_of(s.bytes);
  const std::size_t n = s.bytes.size() / section_move::instruction_bytes;
  if (t.old_index.size() != n || t.control.size() != n || (!t.words.empty() && t.words.size() != n)) {
    return fail(0, "a patch of " + std::to_string(n) + " instructions");
  }
  section_move move;
  if (!move.assign(t.section, t.old_index)) {
    return fail(0, "an order that names each instruction once");
  }
  if (!t.words.empty() && !t.in_order) move.lay_out();
  if (!t.places.empty() && (t.words.empty() || !t.in_order || !move.set_places(t.places))) {
    return fail(0, "blocks that stand in the order that they stood in");
  }
  if (t.tables) move.move_tables();
  move.set_gone(t.gone);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t i = move.old_index(k);
    const std::uint64_t at = std::uint64_t{i} * section_move::instruction_bytes;
    const std::uint64_t word[2] = {load_le<std::uint64_t>(s.bytes, at), load_le<std::uint64_t>(s.bytes, at + 8)};
    if (t.control[k] != sm70_128::extract(word) && !sm70_128::valid(t.control[k])) {
      return fail(at, "a control word that hardware defines for this instruction");
    }
    if (!t.words.empty()) {
      if (!may_replace(word, t.words[k])) {
        return fail(at, "no other instruction in its place but for a branch");
      }
      continue;
    }
    if (i != k && pinned_word(word[0])) {
      return fail(at, "this branch, call or address-dependent instruction to stay where it is");
    }
    std::uint64_t target = 0;
    if (move.moved() && direct_target(form, word[0], word[1], at, target) && target <= s.bytes.size() &&
        !move.closed(target)) {
      return fail(at, "no instruction to cross the target 0x" + elf_error::hex(target) + " of this branch");
    }
  }
  moves.of_section[t.section] = static_cast<std::uint32_t>(moves.moves.size());
  moves.moves.push_back(std::move(move));
  return {};
}

inline void write_code(const elf_file& file, const text_patch& t, span<std::uint8_t> out) {
  const elf_section& s = file.sections[t.section];
  for (std::size_t k = 0; k < t.old_index.size(); ++k) {
    const std::uint64_t from = std::uint64_t{t.old_index[k]} * section_move::instruction_bytes;
    const std::uint64_t to = s.offset + std::uint64_t{k} * section_move::instruction_bytes;
    std::uint64_t word[2] = {load_le<std::uint64_t>(s.bytes, from), load_le<std::uint64_t>(s.bytes, from + 8)};
    if (!t.words.empty()) {
      word[0] = t.words[k][0];
      word[1] = t.words[k][1];
    }
    sm70_128::place(word, t.control[k]);
    store_le<std::uint64_t>(out, to, word[0]);
    store_le<std::uint64_t>(out, to + 8, word[1]);
  }
}

// Of sm_50 to sm_62.
[[nodiscard]] inline elf_error word64_error() {
  return elf_error(48, "ELF header, flags", "an SM with 128-bit instructions (groups of 64-bit ones are not patched)");
}

}  // namespace detail

// Patches a cubin. Sections without a patch keep their code.
[[nodiscard]] inline patch_result patch_cubin(byte_span bytes, span<const text_patch> patches, patch_options options = {}) {
  patch_result out;
  elf_result e = read_elf(bytes);
  if (e.error) {
    out.error = std::move(e.error);
    return out;
  }
  const cubin_result c = read_cubin(e.file);
  if (c.error) {
    out.error = c.error;
    return out;
  }
  if (dialect_of(c.value.target.id()).word64) {
    out.error = detail::word64_error();
    return out;
  }
  if (c.value.mercury && !options.keep_mercury) {
    for (const elf_section& s : e.file.sections) {
      if (detail::is_mercury(s)) {
        out.error =
            elf_error(s.offset, s.name, "no internal form of the code (section .nv.capmerc.* or .nv.merc.*) beside it");
        return out;
      }
    }
  }
  detail::move_table moves;
  moves.of_section.assign(e.file.sections.size(), elf_file::none);
  for (const text_patch& t : patches) {
    if (elf_error bad = detail::accept_patch(e.file, t, moves)) {
      out.error = std::move(bad);
      return out;
    }
  }
  std::vector<std::uint8_t> result(bytes.begin(), bytes.end());
  detail::record_mover mover(e.file, c.value, moves, result, out.remaps);
  if (elf_error bad = mover.run()) {
    out.error = std::move(bad);
    out.remaps.clear();
    return out;
  }
  for (const text_patch& t : patches) {
    detail::write_code(e.file, t, result);
  }
  if (elf_error bad = read_elf(result).error) {
    out.error = std::move(bad);
    out.remaps.clear();
    return out;
  }
  out.bytes = std::move(result);
  return out;
}

}  // namespace ww::sass
