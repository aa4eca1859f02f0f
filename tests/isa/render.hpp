// SPDX-License-Identifier: BSL-1.0
//
// One line of text for a decoded instruction, for tables of expectations:
//
//   "R2:2@dst <- R4@a R5@b R6:2@c"     results, an arrow, sources; ":n" is a width above one, "@" the slot,
//   "?" a partial write, "~" a hidden operand, "!" a negated predicate. Zero registers and constants are left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <warpwright/isa/decode.hpp>
#include <warpwright/isa/instruction_text.hpp>

namespace ww_test {

inline const char* slot_name(ww::slot s) {
  static const char* const names[] = {"none",  "guard", "dst",  "dst1",  "pdst", "pdst1", "a",    "b",  "c",       "psrc",
                                      "psrc1", "psrc2", "addr", "uaddr", "data", "data1", "desc", "br", "implicit"};
  return names[static_cast<unsigned>(s)];
}

struct decoded {
  bool parsed = false;
  ww::isa::asm_instruction form;
  ww::instruction ins;
  ww::vec<ww::operand> operands;
};

inline decoded decode_text(const std::string& body, ww::isa::dialect d = {}, const std::uint64_t* words = nullptr) {
  decoded out;
  out.parsed = ww::isa::parse_instruction(body, out.form).ok;
  if (out.parsed) out.ins = ww::isa::decode(out.form, words, words != nullptr, d, out.operands);
  return out;
}

inline std::string render(const decoded& d) {
  static const char* const prefix[] = {"", "R", "P", "UR", "UP", "B", "SB", "CC", "SR"};
  std::string left, right;
  for (const ww::operand& o : d.operands) {
    if (!o.is_register()) continue;
    std::string s;
    if (o.is_use() && o.is_not()) s += "!";
    s += prefix[static_cast<unsigned>(o.file())];
    if (o.file() != ww::reg_file::cc && o.file() != ww::reg_file::special) s += std::to_string(o.base().number());
    if (o.width() != 1) s += ":" + std::to_string(o.width());
    s += std::string("@") + slot_name(o.where());
    if (o.is_partial()) s += "?";
    if (o.is_hidden()) s += "~";
    std::string& side = o.is_def() ? left : right;
    if (!side.empty()) side += " ";
    side += s;
  }
  return left + " <- " + right;
}

}  // namespace ww_test
