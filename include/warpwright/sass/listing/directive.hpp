// SPDX-License-Identifier: BSL-1.0
//
// Small pieces of listing text: names, numbers, SM names, directives, and the heads of a fat binary.
//
// A name is [A-Za-z_.$][A-Za-z0-9_.$]* (facts, listing format 1.2). An SM name is sm_ and a number, with a letter for a
// variant: sm_90a is 901, sm_100f is 1002. Header flags are believed where they say EF_CUDA_SMnn, or where they are the bits
// of a newer file's SM number under the names of older flags (facts, trap 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../ir/program.hpp"
#include "instruction_line.hpp"

namespace ww::sass::detail {

[[nodiscard]] inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}
[[nodiscard]] inline bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

// One past the name that starts at i; i if none does.
[[nodiscard]] inline std::size_t name_length(std::string_view s, std::size_t i) {
  if (i >= s.size() || !is_name_start(s[i])) return i;
  while (i < s.size() && is_name_char(s[i])) ++i;
  return i;
}

[[nodiscard]] inline bool read_decimal(std::string_view s, std::uint64_t& out) {
  std::size_t i = 0;
  out = 0;
  for (; i < s.size() && s[i] >= '0' && s[i] <= '9' && i < 10; ++i) out = out * 10 + static_cast<std::uint64_t>(s[i] - '0');
  return i != 0;
}

// 0x and hex digits, or decimal; what follows is not looked at.
[[nodiscard]] inline bool read_number(std::string_view s, std::uint64_t& out) {
  if (s.size() < 3 || s[0] != '0' || s[1] != 'x') return read_decimal(s, out);
  std::size_t i = 2;
  out = 0;
  for (; i < s.size() && hex_digit(s[i]) < 16 && i < 18; ++i) out = (out << 4) | hex_digit(s[i]);
  return i > 2;
}

// "sm_90a": 901. unknown if it is not an SM name.
[[nodiscard]] inline sm_id read_sm(std::string_view s) {
  if (s.substr(0, 3) != "sm_") return sm_id::unknown;
  std::uint64_t n = 0;
  if (!read_decimal(s.substr(3), n) || n < 10 || n > 999) return sm_id::unknown;
  std::size_t i = 3;
  while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
  unsigned variant = 0;
  if (i < s.size() && s[i] == 'a') variant = 1;
  if (i < s.size() && s[i] == 'f') variant = 2;
  return static_cast<sm_id>(n * 10 + variant);
}

// 901: "sm_90a".
[[nodiscard]] inline std::string sm_name(sm_id id) {
  const auto v = static_cast<unsigned>(id);
  return "sm_" + std::to_string(v / 10) + (v % 10 == 1 ? "a" : v % 10 == 2 ? "f" : "");
}

// Files of ABI 8 (CUDA 13) keep the SM in bits 8..15 of the ELF flags, where a CUDA 12 disassembler sees old one-bit flags
// and prints their names. Put together again they give the number: sm_80 = 0x50 reads "EF_CUDA_SW_1729687_v2
// unrecognized:4". (facts: observed on listings of sm_75..sm_90; the letter of sm_90a is not in the flags.)
[[nodiscard]] inline sm_id sm_of_misread_flags(std::string_view flags) {
  struct named_bit {
    std::string_view name;
    unsigned bit;
  };
  constexpr named_bit bits[] = {{"EF_CUDA_TEXMODE_UNIFIED", 0x01}, {"EF_CUDA_TEXMODE_INDEPENDENT", 0x02},
                                {"EF_CUDA_64BIT_ADDRESS", 0x04},   {"EF_CUDA_SW_1729687", 0x08},
                                {"EF_CUDA_SW_1729687_v2", 0x10},   {"unrecognized:4", 0x40}};
  unsigned value = 0;
  bool abi8 = false;
  for (std::size_t i = 0; i < flags.size();) {
    std::size_t end = i;
    while (end < flags.size() && flags[end] != ' ' && flags[end] != '"' && flags[end] != '@') ++end;
    const std::string_view word = flags.substr(i, end - i);
    for (const named_bit& b : bits) {
      if (word == b.name) value |= b.bit;
    }
    // Bits 24..31, which CUDA 12 does not know: 06 as a rule, others with -lineinfo (0a, 09), -G (0f, 0e) and -rdc.
    constexpr std::string_view unknown_bits = "unrecognized:";
    const std::string_view bits_of =
        word.substr(0, unknown_bits.size()) == unknown_bits ? word.substr(unknown_bits.size()) : "";
    abi8 = abi8 || (bits_of.size() >= 7 && bits_of.size() <= 8 && bits_of.substr(bits_of.size() - 6) == "000000");
    i = end + 1;
  }
  return abi8 && value >= 75 && value <= 90 ? static_cast<sm_id>(value * 10) : sm_id::unknown;
}

[[nodiscard]] inline sm_id sm_of_flags(std::string_view flags) {
  constexpr std::string_view key = "EF_CUDA_SM";
  const std::size_t at = flags.find(key);
  if (at == std::string_view::npos) return sm_of_misread_flags(flags);
  std::uint64_t n = 0;
  if (!read_decimal(flags.substr(at + key.size()), n) || n < 10 || n > 999) return sm_id::unknown;
  // sm_90a, as disassemblers of CUDA 12 and later print it of cubins of CUDA 12
  const bool letter = n >= 90 && flags.find("EF_CUDA_ACCELERATORS") != std::string_view::npos;
  return static_cast<sm_id>(n * 10 + (letter ? 1 : 0));
}

struct directive {
  std::string_view word;  // with its dot
  std::string_view rest;  // without live-range columns and blanks around it
  std::size_t rest_at = 0;
};

[[nodiscard]] inline directive read_directive(std::string_view s, std::size_t i) {
  directive d;
  std::size_t k = i + 1;
  while (k < s.size() && ((s[k] >= 'a' && s[k] <= 'z') || s[k] == '_' || (s[k] >= '0' && s[k] <= '9'))) ++k;
  if (k == i + 1 || (k < s.size() && !is_blank(s[k]))) return d;
  d.word = s.substr(i, k - i);
  d.rest_at = skip_blanks(s, k);
  std::size_t stop = s.size();
  for (std::size_t at = s.find("// ", d.rest_at); at != std::string_view::npos; at = s.find("// ", at + 1)) {
    if (starts_columns(s, at)) {
      stop = at;
      break;
    }
  }
  while (stop > d.rest_at && is_blank(s[stop - 1])) --stop;
  d.rest = s.substr(d.rest_at, stop - d.rest_at);
  return d;
}

// Lines that cuobjdump prints around the code of a fat binary.
[[nodiscard]] inline bool is_fat_binary_head(std::string_view s) {
  constexpr std::string_view heads[] = {
      "Fatbin ",   "====",       "arch = ",    "code version = ", "host = ",  "compile_size = ", "producer",
      "has debug", "compressed", "identifier", "ptxasOptions",    "Elf file", "member ",         "Resource usage:",
      "Common:",   "GLOBAL:",    "REG:"};
  for (const std::string_view h : heads) {
    if (s.substr(0, h.size()) == h) return true;
  }
  constexpr std::string_view used = "Function ";  // and a name and a colon: what it uses; "Function : NAME" begins its code
  return s.substr(0, used.size()) == used && s.back() == ':';
}

// Behind the first line stands PTX, or nothing, up to one of the others.
[[nodiscard]] inline bool begins_ptx(std::string_view s) { return s.substr(0, 15) == "Fatbin ptx code"; }
[[nodiscard]] inline bool ends_ptx(std::string_view s) {
  return s.substr(0, 15) == "Fatbin elf code" || s.substr(0, 7) == "member " || s.substr(0, 9) == "Elf file ";
}

}  // namespace ww::sass::detail
