// SPDX-License-Identifier: BSL-1.0
//
// Other registers written into the code of a cubin, in the order that it has.
//
//   set_code_registers(bytes, section, before, after)   `before` is the program of that section as a listing gave it, `after` the same
//                                                       with other physical numbers (sass/renamed_listing.hpp takes the same two)
// The fields of the section's own words are written (isa/register_words.hpp); control bits, immediates that a linker filled in, and all
// other bytes stay. A new order with new control words is a second step, patch_cubin() on the result; so are other register counts,
// set_register_counts(). All or nothing: the words of the section must be those of `before` but for control bits, place by place, and on an
// error the bytes stay. Refused are 64-bit instructions, and files with an internal form of the code beside the code (.nv.capmerc.*:
// sm_100 and later) unless `keep_mercury`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../arch/dialect.hpp"
#include "../ir/program.hpp"
#include "../isa/register_words.hpp"
#include "../meta/span.hpp"
#include "cubin.hpp"
#include "elf_bytes.hpp"
#include "elf_error.hpp"
#include "elf_read.hpp"

namespace ww::sass {

namespace detail {

inline constexpr std::uint64_t word_bytes = 16;
inline constexpr std::uint64_t control_of_high_word = ((std::uint64_t{1} << 21) - 1) << 41;  // bits 105..125

// Calls f(place in the file, new words) for each instruction that changes.
template <class F>
elf_error each_renamed_word(const elf_section& s, const program& before, const program& after, const isa::dialect& d,
                            F&& f) {
  const auto fail = [&s](std::uint64_t at, const std::string& wanted) { return elf_error(s.offset + at, s.name, wanted); };
  if (before.instructions.size() != after.instructions.size() || before.instructions.size() > s.bytes.size() / word_bytes)
    return fail(0, "two programs of its instructions");
  for (std::size_t k = 0; k < before.instructions.size(); ++k) {
    const instruction& x = before.instructions[k];
    const instruction& y = after.instructions[k];
    const std::uint64_t at = word_bytes * k;
    const bool in_range = y.operand_count == 0 || (y.first_operand < after.operands.size() &&
                                                   y.operand_count <= after.operands.size() - y.first_operand);
    if (x.address != at || y.address != at || !in_range) return fail(at, "two programs of its instructions");
    std::uint64_t word[2] = {load_le<std::uint64_t>(s.bytes, at), load_le<std::uint64_t>(s.bytes, at + 8)};
    if (word[0] != x.word[0] || ((word[1] ^ x.word[1]) & ~control_of_high_word) != 0)
      return fail(at, "the instruction of the listing");
    const isa::register_words_result r = isa::set_registers(word, x, before.operands_of(x), after.operands_of(y), d);
    if (!r.ok()) return fail(at, isa::name_of(r.fault));
    f(s.offset + at, word);
  }
  return {};
}

}  // namespace detail

// `file` and `c` are what was read of these bytes.
[[nodiscard]] inline elf_error set_code_registers(span<std::uint8_t> bytes, const elf_file& file, const cubin& c,
                                                  std::uint32_t section, const program& before, const program& after,
                                                  bool keep_mercury = false) {
  if (section >= file.sections.size() || !detail::is_text(file.sections[section]))
    return elf_error(elf_error::no_offset, "registers of section " + std::to_string(section),
                     "the index of a .text section");
  const elf_section& s = file.sections[section];
  const isa::dialect d = dialect_of(c.target.id());
  if (d.word64) return elf_error(s.offset, s.name, isa::name_of(isa::register_words_fault::word64));
  bool changes = false;
  const auto look = [&](std::uint64_t at, const std::uint64_t(&word)[2]) {
    changes = changes || detail::load_le<std::uint64_t>(file.bytes, at) != word[0] ||
              detail::load_le<std::uint64_t>(file.bytes, at + 8) != word[1];
  };
  if (elf_error bad = detail::each_renamed_word(s, before, after, d, look); bad) return bad;
  if (!changes) return {};
  if (c.mercury && !keep_mercury)
    return elf_error(s.offset, s.name, "no internal form of the code (.nv.capmerc.* or .nv.merc.*) beside it");
  return detail::each_renamed_word(s, before, after, d, [&](std::uint64_t at, const std::uint64_t(&word)[2]) {
    detail::store_le<std::uint64_t>(bytes, at, word[0]);
    detail::store_le<std::uint64_t>(bytes, at + 8, word[1]);
  });
}

[[nodiscard]] inline elf_error set_code_registers(span<std::uint8_t> bytes, std::uint32_t section, const program& before,
                                                  const program& after, bool keep_mercury = false) {
  const elf_result e = read_elf(byte_span(bytes.data(), bytes.size()));
  if (e.error) return e.error;
  const cubin_result c = read_cubin(e.file);
  if (c.error) return c.error;
  return set_code_registers(bytes, e.file, c.value, section, before, after, keep_mercury);
}

}  // namespace ww::sass
