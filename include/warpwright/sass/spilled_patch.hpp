// SPDX-License-Identifier: BSL-1.0
//
// The patch of a cubin for code with spill code in it.
//
//   spilled_patch p;
//   make_spilled_patch(bytes, text, before, after, came_from, p)     `text`: index of the code section; the file may grow
//   patch_cubin(bytes, {p.patch})
//
//   before      the program of the section as its listing gave it, whose words the section holds
//   after       the new listing's program, read again: words with distances and control bits as they are to be
//   came_from   by instruction of `after`: that of `before`, none for what is new
//   places      new instructions take those of what is gone, then those of the NOPs that fill the section up at its end; where these
//               do not suffice it grows (cubin_growth.hpp)
//   blocks      of both programs are the same ones, which is checked: symbols and frame tables of functions in the section follow theirs
// Two steps: the new words are written at the old places, then patch_cubin() moves them with everything that the file says of
// them. All or nothing: on an error the bytes stay.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../arch/control_format.hpp"
#include "cubin_growth.hpp"
#include "cubin_patch.hpp"

namespace ww::sass {

namespace detail {

// By old position: where the block that starts there starts now, 0xffffffff where none does. False where an instruction has left its block.
[[nodiscard]] inline bool block_places(const program& before, const program& after, span<const instr_id> came_from,
                                       std::uint32_t count, std::vector<std::uint32_t>& out) {
  constexpr std::uint32_t none = 0xffffffffu;
  out.assign(count, none);
  std::vector<std::uint32_t> block_of(before.instructions.size(), none);
  for (std::uint32_t b = 0; b < before.blocks.size(); ++b) {
    const block& was = before.blocks[b];
    for (const instr_id id : before.order_of(was)) block_of[id.index()] = b;
    if (b < after.blocks.size() && was.first < count) out[was.first] = after.blocks[b].first;
  }
  for (std::uint32_t b = 0; b < after.blocks.size(); ++b) {
    for (const instr_id id : after.order_of(after.blocks[b])) {
      const instr_id old = came_from[id.index()];
      if (old.valid() && (old.index() >= block_of.size() || block_of[old.index()] != b)) return false;
    }
  }
  return true;
}

}  // namespace detail

[[nodiscard]] inline elf_error make_spilled_patch(std::vector<std::uint8_t>& bytes, std::uint32_t section,
                                                  const program& before, const program& after,
                                                  span<const instr_id> came_from, text_patch& out) {
  constexpr std::uint64_t step = section_move::instruction_bytes;
  constexpr std::uint32_t none = 0xffffffffu;
  const auto is_filling = [](const instruction& i) { return i.has(iflag::padding) && i.has(iflag::nop); };
  const auto fail = [section](const char* wanted) {
    return elf_error(elf_error::no_offset, "spill code in section " + std::to_string(section), wanted);
  };
  if (came_from.size() != after.instructions.size() || after.order.size() != came_from.size())
    return fail("a new program of the section");
  std::vector<std::uint32_t> from;  // by new position: the old one, none for what is new; without filling at the end
  for (const instr_id id : after.order) from.push_back(came_from[id.index()].valid() ? came_from[id.index()].index() : none);
  while (!from.empty() && is_filling(after[after.order[from.size() - 1]])) from.pop_back();
  const auto count = static_cast<std::uint32_t>(from.size());
  std::vector<std::uint8_t> grown = bytes;
  if (elf_error e = grow_code(grown, section, count); e) return e;
  const elf_result e = read_elf(byte_span(grown.data(), grown.size()));
  if (e.error) return e.error;
  if (section >= e.file.sections.size()) return fail("the index of a .text section");
  const elf_section& s = e.file.sections[section];
  const auto n = static_cast<std::uint32_t>(s.bytes.size() / step);
  if (before.instructions.size() > n) return fail("the code of the listing");
  std::vector<std::uint8_t> used(n, 0);
  for (const std::uint32_t k : from) {
    if (k == none) continue;
    if (k >= before.instructions.size() || used[k]++ != 0) return fail("instructions of the listing, each once");
  }
  for (std::uint32_t k = 0; k < before.instructions.size(); ++k) {
    constexpr std::uint64_t control = ((std::uint64_t{1} << 21) - 1) << 41;  // bits 105..125
    const instruction& i = before.instructions[k];
    const bool same = detail::load_le<std::uint64_t>(s.bytes, step * k) == i.word[0] &&
                      ((detail::load_le<std::uint64_t>(s.bytes, step * k + 8) ^ i.word[1]) & ~control) == 0;
    if (!same) return elf_error(s.offset + step * k, s.name, "the instruction of the listing");
  }
  out = {};
  out.section = section;
  out.in_order = true;
  out.gone.assign(n, 0);
  for (std::uint32_t k = 0; k < before.instructions.size(); ++k) {
    out.gone[k] = used[k] == 0 && !is_filling(before.instructions[k]) ? 1 : 0;
  }
  std::uint32_t spare = 0;
  const auto take_spare = [&] {
    while (used[spare] != 0) ++spare;
    used[spare] = 1;
    return spare;
  };
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint64_t word[2] = {filling_word[0], filling_word[1]};
    if (k < after.order.size()) {
      const instruction& i = after[after.order[k]];
      word[0] = i.word[0];
      word[1] = i.word[1];
      sm70_128::place(word, sm70_128::encode(i.ctl));
    }
    const std::uint32_t old = k < count && from[k] != none ? from[k] : take_spare();
    out.old_index.push_back(old);
    out.words.push_back({word[0], word[1]});
    out.control.push_back(sm70_128::extract(word));
    detail::store_le<std::uint64_t>(grown, s.offset + step * old, word[0]);
    detail::store_le<std::uint64_t>(grown, s.offset + step * old + 8, word[1]);
  }
  if (!detail::block_places(before, after, came_from, n, out.places)) return fail("the blocks of the listing");
  bytes = static_cast<std::vector<std::uint8_t>&&>(grown);
  return {};
}

}  // namespace ww::sass
