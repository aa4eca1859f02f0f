// SPDX-License-Identifier: BSL-1.0
//
// The compact records that the text writes into code objects (PLS-18, "Binary-Embedded Statistics Record").
//
//   +0   32 bits   type: 3 a statistics string, 2 a register that is read before anything wrote it
//   +4   32 bits   length of the string
//   +8   bytes     the string: "instr/R-regs: %d instructions, %d R-regs", "Referencing undefined register: %s%d"
// Little endian, no zero behind the string and nothing between records: assumed, the text does not say.
//
// A record is a value with its bytes. read_record() takes the first one of bytes from anywhere, and says where the next begins; it
// trusts no length. read_instruction_record() gives the two numbers back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "guidance_numbers.hpp"
#include "text_line.hpp"

namespace ww::report {

enum class record_type : std::uint32_t { undefined_register = 2, statistics = 3 };

class guidance_record {
 public:
  static constexpr std::size_t header = 8;
  static constexpr std::size_t most_text = 120;  // the name of a register file is cut where it is longer than that leaves

  constexpr guidance_record(record_type type, string_view text) {
    const std::size_t length = text.size() < most_text ? text.size() : most_text;
    word(static_cast<std::uint32_t>(type));
    word(static_cast<std::uint32_t>(length));
    for (std::size_t i = 0; i < length; ++i) bytes_[size_++] = text[i];
  }
  [[nodiscard]] constexpr string_view bytes() const { return {bytes_, size_}; }

 private:
  constexpr void word(std::uint32_t w) {
    for (unsigned i = 0; i < 4; ++i) bytes_[size_++] = static_cast<char>(static_cast<unsigned char>(w >> (8 * i) & 0xffu));
  }

  char bytes_[header + most_text] = {};
  std::size_t size_ = 0;
};

[[nodiscard]] constexpr guidance_record instruction_record(const guidance_numbers& n) {
  const text_line text("instr/R-regs: %d instructions, %d R-regs",
                       {static_cast<double>(n.instructions()), static_cast<double>(n.registers())});
  return {record_type::statistics, text.view()};
}

// `file`: "R", "UR", "P", ..
[[nodiscard]] constexpr guidance_record undefined_register_record(string_view file, std::uint32_t number) {
  text_line text;
  text.add("Referencing undefined register: ");
  text.add(file);
  text.add("%d", {static_cast<double>(number)});
  return {record_type::undefined_register, text.view()};
}

struct read_record_result {
  bool ok = false;
  std::uint32_t type = 0;
  string_view text;      // inside the bytes that were read
  std::size_t next = 0;  // bytes of the record; 0 if it is none
};

[[nodiscard]] constexpr read_record_result read_record(string_view bytes) {
  read_record_result r;
  if (bytes.size() < guidance_record::header) return r;
  std::uint32_t words[2] = {0, 0};
  for (unsigned i = 0; i < guidance_record::header; ++i) {
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * (i % 4));
  }
  if (words[1] > bytes.size() - guidance_record::header) return r;
  r.ok = true;
  r.type = words[0];
  r.text = bytes.substr(guidance_record::header, words[1]);
  r.next = guidance_record::header + words[1];
  return r;
}

struct instruction_record_result {
  bool ok = false;
  std::int32_t instructions = 0;
  std::int32_t registers = 0;
};

namespace detail {

// Takes `text` off the front.
constexpr bool take(string_view& from, string_view text) {
  if (!from.starts_with(text)) return false;
  from.remove_prefix(text.size());
  return true;
}
constexpr bool take(string_view& from, std::int32_t& number) {
  std::size_t digits = 0;
  const bool negative = from.starts_with("-");
  if (negative) from.remove_prefix(1);
  std::int64_t value = 0;
  for (; digits < from.size() && from[digits] >= '0' && from[digits] <= '9'; ++digits) {
    value = value * 10 + (from[digits] - '0');
    if (value > std::int64_t{0x7fffffff} + (negative ? 1 : 0)) return false;
  }
  from.remove_prefix(digits);
  number = static_cast<std::int32_t>(negative ? -value : value);
  return digits != 0;
}

}  // namespace detail

[[nodiscard]] constexpr instruction_record_result read_instruction_record(string_view bytes) {
  const read_record_result record = read_record(bytes);
  instruction_record_result r;
  if (!record.ok || record.type != static_cast<std::uint32_t>(record_type::statistics)) return r;
  string_view text = record.text;
  r.ok = detail::take(text, "instr/R-regs: ") && detail::take(text, r.instructions) &&
         detail::take(text, " instructions, ") && detail::take(text, r.registers) && text == " R-regs";
  return r;
}

}  // namespace ww::report
