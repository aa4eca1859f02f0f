// SPDX-License-Identifier: BSL-1.0
//
// Register numbers written into the two words of an instruction that is encoded already.
//
//   std::uint64_t word[2] = {i.word[0], i.word[1]};
//   register_words_result r = set_registers(word, i, p.operands_of(i), q.operands_of(i), dialect);
//
// `before` are the operands that the words hold, `after` the same with other physical numbers: file, width, slot and flags stay, RZ,
// URZ, PT and UPT too. An operand has its field by opcode, form and slot (register_place.hpp). Several operands may stand in one
// field, as number and threads of BAR or idesc[UR5] behind tmem[UR4]: they must agree on what it holds.
// All or nothing. Nothing is written unless the field of each operand that changes is known, and all known fields of the instruction
// hold what `before` says; so words that are not those of the text are left alone. Whether a group of registers may begin at its new
// number is for whoever has chosen it to know (lift/web.hpp, isa/operand_rules.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../meta/span.hpp"
#include "dialect.hpp"
#include "register_place.hpp"

namespace ww::isa {

enum class register_words_fault : std::uint8_t {
  none,
  no_words,        // the instruction has no encoding
  word64,          // one word, or groups of them (sm_50 to sm_62)
  other_operands,  // before and after differ in more than the numbers of registers
  unknown_place,   // no field is known for a register that changes
  other_number,    // a field does not hold the register that the operand names
  shared_field,    // two operands of one field want different registers there
  too_high,        // the SM has no such register
};

constexpr const char* name_of(register_words_fault f) {
  switch (f) {
    case register_words_fault::none:
      return "none";
    case register_words_fault::no_words:
      return "an instruction with its encoding";
    case register_words_fault::word64:
      return "an instruction of 128 bits";
    case register_words_fault::other_operands:
      return "the same operands in other registers";
    case register_words_fault::unknown_place:
      return "a register whose place in the encoding is known";
    case register_words_fault::other_number:
      return "an encoding that holds the registers of the text";
    case register_words_fault::shared_field:
      return "one register for the operands that share a field";
    case register_words_fault::too_high:
      return "a register that the SM has";
  }
  return "?";
}

struct register_words_result {
  register_words_fault fault = register_words_fault::none;
  std::uint32_t operand = 0;  // index of the operand at fault

  [[nodiscard]] constexpr bool ok() const { return fault == register_words_fault::none; }
};

namespace detail {

inline constexpr unsigned predicate_count = 7;  // P0..P6
inline constexpr unsigned vector_count = 255;   // R0..R254

constexpr std::uint64_t get_field(const std::uint64_t (&word)[2], unsigned at, unsigned width) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::uint64_t v = at < 64 ? word[0] >> at : word[1] >> (at - 64);
  if (at < 64 && at + width > 64) v |= word[1] << (64 - at);
  return v & mask;
}
constexpr void put_field(std::uint64_t (&word)[2], unsigned at, unsigned width, std::uint64_t value) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  if (at < 64) {
    word[0] = (word[0] & ~(mask << at)) | value << at;
    if (at + width > 64) word[1] = (word[1] & ~(mask >> (64 - at))) | value >> (64 - at);
  } else {
    word[1] = (word[1] & ~(mask << (at - 64))) | value << (at - 64);
  }
}

// An operand whose number the words hold, or should.
constexpr bool in_words(operand o) {
  return o.type() == operand_type::physical && o.width() != 0 && !o.is_assumed() && o.where() != slot::implicit;
}
// Registers of its file, the one that reads as zero left out.
constexpr std::uint32_t registers_of_file(reg_file f, const dialect& d) {
  return f == reg_file::r ? vector_count : f == reg_file::ur ? d.uniform_zero : predicate_count;
}
// What a field of `p` holds for a register: RZ and its like are the highest number of the field.
constexpr std::uint64_t field_value(reg r, const register_place& p) {
  const std::uint64_t mask = (std::uint64_t{1} << p.width) - 1;
  const std::uint64_t n = r.is_zero() ? mask : (r.number() - p.above) & mask;
  return p.inverted ? mask - n : n;
}
constexpr bool same_but_number(operand a, operand b) {
  const std::uint32_t number = reg::number_mask;
  return a.high == b.high && ((a.low ^ b.low) & ~number) == 0;
}

}  // namespace detail

[[nodiscard]] constexpr register_words_result set_registers(std::uint64_t (&word)[2], const instruction& i,
                                                            span<const operand> before, span<const operand> after,
                                                            const dialect& d) {
  using fault = register_words_fault;
  const auto fail = [](fault f, std::size_t k) { return register_words_result{f, static_cast<std::uint32_t>(k)}; };
  if (before.size() != after.size()) return fail(fault::other_operands, 0);
  std::size_t first = before.size();  // that changes
  for (std::size_t k = before.size(); k-- > 0;) {
    if (before[k] == after[k]) continue;
    first = k;
    if (!detail::same_but_number(before[k], after[k]) || !before[k].is_register() || !after[k].is_register())
      return fail(fault::other_operands, k);
  }
  if (first == before.size()) return {};
  if ((word[0] | word[1]) == 0) return fail(fault::no_words, first);
  if (d.word64 || word[1] == 0) return fail(fault::word64, first);
  const auto opcode = static_cast<unsigned>(word[0]) & 0xfffu;
  std::uint64_t now[2] = {word[0], word[1]};
  std::uint64_t seen[2] = {0, 0};  // bits of the fields so far
  for (std::size_t k = 0; k < before.size(); ++k) {
    const operand o = before[k];
    const operand n = after[k];
    const bool changes = o != n;
    if (!detail::in_words(o) || o.base().is_none()) {
      if (changes) return fail(fault::unknown_place, k);
      continue;
    }
    unsigned nth = 0;
    for (std::size_t m = 0; m < k; ++m) {
      nth += before[m].where() == o.where() && !before[m].base().is_none() ? 1u : 0u;
    }
    const register_place p = i.has(iflag::unknown) ? register_place{} : place_of(opcode, o, nth, d);
    if (!p.known()) {
      if (changes) return fail(fault::unknown_place, k);
      continue;
    }
    if (detail::get_field(word, p.at, p.width) != detail::field_value(o.base(), p)) return fail(fault::other_number, k);
    const std::uint32_t count = detail::registers_of_file(o.file(), d);
    const bool zero = n.base().is_zero();
    if (changes && (n.base().number() >= count || n.width() > count - n.base().number())) return fail(fault::too_high, k);
    if (!zero && n.base().number() < p.above) return fail(fault::shared_field, k);
    const std::uint64_t value = detail::field_value(n.base(), p);
    std::uint64_t bits[2] = {0, 0};
    detail::put_field(bits, p.at, p.width, (std::uint64_t{1} << p.width) - 1);
    const bool taken = (seen[0] & bits[0]) != 0 || (seen[1] & bits[1]) != 0;
    if (taken && detail::get_field(now, p.at, p.width) != value) return fail(fault::shared_field, k);
    detail::put_field(now, p.at, p.width, value);
    seen[0] |= bits[0];
    seen[1] |= bits[1];
  }
  word[0] = now[0];
  word[1] = now[1];
  return {};
}

}  // namespace ww::isa
