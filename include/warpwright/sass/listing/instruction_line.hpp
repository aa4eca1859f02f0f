// SPDX-License-Identifier: BSL-1.0
//
// One line of a code section taken apart, without meaning: where its pieces stand.
//
//   blanks "/*" ADDRESS "*/" blanks ["{" blanks] BODY [TABLE] (";" | "}") blanks ["/* 0x" HEX16 " */"]
//   blanks "/* 0x" HEX16 " */"                                       a word that belongs to the line before or after
// Behind either there may be live-range columns, which begin with "// |" or "// +". TABLE is the comment of an indirect
// branch, or of a SYNC, BRK or CONT of sm_50..62: (*"BRANCH_TARGETS a,b,c"*) or (*"TARGET= a "*). Those of relocated opcodes,
// (*"RELOCATOR OPCODE,..."*), of calls through a register, (*"INDIRECT_CALL"*), and of spills, (*"SpillRefill"*), are passed
// over. Grammar: facts, listing format 1.3, 1.6, 2 and 4; remarks seen from nvdisasm 12.4 and 13.5.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ww::sass::detail {

struct instruction_line {
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  bool has_address = false;
  bool has_hex = false;
  bool opens_pair = false;
  bool closes_pair = false;
  bool columns = false;  // live-range columns behind it
  std::uint32_t address = 0;
  std::uint64_t word = 0;
  // Byte positions in the line.
  std::size_t address_at = 0;
  std::size_t address_digits = 0;
  std::size_t body = 0;
  std::size_t operands_end = 0;  // of the operands; the table, if any, stands between it and body_end
  std::size_t body_end = 0;
  std::size_t table = npos;  // first target name
  std::size_t table_end = 0;
  std::size_t hex = npos;  // first digit
  std::size_t end = 0;     // one past ';', '}' or the comment, whichever is last
};

struct line_fault {
  const char* expected = nullptr;
  std::size_t at = 0;  // byte position in the line
};

inline constexpr std::array<std::uint8_t, 256> hex_value = [] {
  std::array<std::uint8_t, 256> t{};
  for (auto& v : t) v = 0xff;
  for (unsigned i = 0; i < 10; ++i) t['0' + i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < 6; ++i) {
    t['a' + i] = static_cast<std::uint8_t>(10 + i);
    t['A' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return t;
}();

[[nodiscard]] inline unsigned hex_digit(char c) { return hex_value[static_cast<unsigned char>(c)]; }

[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

[[nodiscard]] inline std::size_t skip_blanks(std::string_view s, std::size_t i) {
  while (i < s.size() && is_blank(s[i])) ++i;
  return i;
}

[[nodiscard]] inline bool starts_columns(std::string_view s, std::size_t i) {
  return s.size() - i >= 4 && s[i] == '/' && s[i + 1] == '/' && s[i + 2] == ' ' && (s[i + 3] == '|' || s[i + 3] == '+');
}

// "/* 0x" HEX16 " */" at position i.
[[nodiscard]] inline bool read_hex_comment(std::string_view s, std::size_t i, instruction_line& out, line_fault& fault) {
  constexpr std::string_view open = "/* 0x";
  if (s.substr(i, open.size()) != open) {
    fault = {"a comment with 16 hex digits", i};
    return false;
  }
  i += open.size();
  out.hex = i;
  std::uint64_t v = 0;
  for (unsigned k = 0; k < 16; ++k, ++i) {
    const unsigned d = i < s.size() ? hex_digit(s[i]) : 0xffu;
    if (d > 15 || (d > 9 && s[i] < 'a')) {
      fault = {"16 lower-case hex digits", i};
      return false;
    }
    v = (v << 4) | d;
  }
  if (s.substr(i, 3) != " */") {
    fault = {"' */' behind 16 hex digits", i};
    return false;
  }
  out.word = v;
  out.has_hex = true;
  out.end = i + 3;
  return true;
}

// What stands behind the instruction or its comment: nothing, or live-range columns.
[[nodiscard]] inline bool read_line_end(std::string_view s, std::size_t i, instruction_line& out, line_fault& fault) {
  i = skip_blanks(s, i);
  if (i == s.size()) return true;
  if (starts_columns(s, i)) {
    out.columns = true;
    return true;
  }
  fault = {"the end of the line", i};
  return false;
}

[[nodiscard]] inline bool read_body(std::string_view s, std::size_t i, instruction_line& out, line_fault& fault) {
  i = skip_blanks(s, i);
  if (i < s.size() && s[i] == '{') {
    out.opens_pair = true;
    i = skip_blanks(s, i + 1);
  }
  out.body = i;
  std::size_t stop = s.find(';', i);
  if (stop == std::string_view::npos) {
    stop = s.find('}', i);
    if (stop == std::string_view::npos) {
      fault = {"';' behind the instruction", s.size()};
      return false;
    }
    out.closes_pair = true;
  }
  std::size_t last = stop;
  while (last > i && is_blank(s[last - 1])) --last;
  if (last == i) {
    fault = {"an instruction", i};
    return false;
  }
  out.body_end = last;
  out.operands_end = last;
  if (s[last - 1] == ')' && last - i >= 4 && s[last - 2] == '*') {
    // Branch targets; a relocation of the opcode itself, in relocatable code: (*"RELOCATOR OPCODE,YIELD,280"*); or a remark
    // such as (*"SpillRefill"*), which says nothing that the instruction does not.
    std::string_view open = "(*\"BRANCH_TARGETS ";
    const std::string_view line = s.substr(0, last);
    std::size_t at = line.find("(*\"", i);
    if (s[last - 3] != '"') at = std::string_view::npos;
    std::size_t table = line.find(open, i);
    if (table == std::string_view::npos) {  // SYNC as disassemblers of CUDA 12 print it: (*"TARGET= .L_x_3 "*)
      open = "(*\"TARGET= ";
      table = line.find(open, i);
    }
    const bool jumps = line.find("BRX", i) < at || line.find("JMX", i) < at;
    if (at != std::string_view::npos && table != std::string_view::npos && last - table >= open.size() + 3) {
      out.table = table + open.size();
      out.table_end = last - 3;
    } else if (at == std::string_view::npos || last - at < 6 ||
               (jumps && line.find("(*\"RELOCATOR ", i) != at && line.find("(*\"INDIRECT_CALL\"", i) != at)) {
      fault = {jumps ? "(*\"BRANCH_TARGETS ..\"*)" : "(*\"..\"*)", at == std::string_view::npos ? i : at};
      return false;
    }
    std::size_t e = at;
    while (e > i && is_blank(s[e - 1])) --e;
    out.operands_end = e;
  }
  // Which half of a pair it is, as disassemblers of CUDA 12 say behind the operands: I2I.S32.S32 R17, |R2| SLOT 1
  const std::string_view text = s.substr(i, out.operands_end - i);
  for (const std::string_view half : {std::string_view(" SLOT 0"), std::string_view(" SLOT 1")}) {
    if (text.size() > half.size() && text.substr(text.size() - half.size()) == half) out.operands_end -= half.size();
  }
  out.end = stop + 1;
  i = skip_blanks(s, stop + 1);
  if (i == s.size() || starts_columns(s, i)) return read_line_end(s, i, out, fault);
  if (!read_hex_comment(s, i, out, fault)) return false;
  return read_line_end(s, out.end, out, fault);
}

// `first` is the position of "/*". False with `fault` set if the line is neither of the two shapes.
[[nodiscard]] inline bool read_instruction_line(std::string_view s, std::size_t first, instruction_line& out,
                                                line_fault& fault) {
  out = instruction_line{};
  std::size_t i = first + 2;
  if (i < s.size() && s[i] == ' ') {
    if (!read_hex_comment(s, first, out, fault)) return false;
    return read_line_end(s, out.end, out, fault);
  }
  out.has_address = true;
  out.address_at = i;
  std::uint64_t v = 0;
  while (i < s.size() && hex_digit(s[i]) < 16 && i - out.address_at < 9) v = (v << 4) | hex_digit(s[i++]);
  out.address_digits = i - out.address_at;
  if (out.address_digits < 4 || out.address_digits > 8) {
    fault = {"an address of 4 to 8 hex digits", out.address_at};
    return false;
  }
  out.address = static_cast<std::uint32_t>(v);
  if (s.substr(i, 2) != "*/") {
    fault = {"'*/' behind the address", i};
    return false;
  }
  return read_body(s, i + 2, out, fault);
}

}  // namespace ww::sass::detail
