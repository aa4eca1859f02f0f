// SPDX-License-Identifier: BSL-1.0
//
// Text of one instruction to its assembly form.
//
//   asm_instruction ins;
//   parse_result r = isa::parse_instruction("@!P0 LDG.E.64 R2, desc[UR4][R6.64+0x10]", ins);
//
// `body` is what stands between the address comment and the semicolon: guard, mnemonic, modifiers, operands, and for
// BRX the comment with its targets. A trailing ';' or '}' ends it. Views in the result point into `body`.
// On failure `column` is the zero-based byte offset in `body` and `expected` says what should stand there; any
// bytes are safe input. Grammar: corpus format.md 1.3 to 1.6 and the traps of section 6; newer listings add
// `cx[UR4][..]`, `tmem[UR4]`, `idesc[UR4]` and suffix words that start with '&' or '?', which are skipped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "asm_form.hpp"
#include "modifier_text.hpp"
#include "operand_kind_text.hpp"
#include "text_cursor.hpp"

namespace ww::isa {

struct parse_result {
  bool ok = true;
  unsigned column = 0;
  const char* expected = "";

  constexpr explicit operator bool() const { return ok; }
};

namespace detail {

constexpr bool read_guard(auto& c, asm_instruction& out) {
  if (!c.take('@')) return true;
  out.guard_negated = c.take('!');
  asm_operand o;
  const string_view word = c.word();
  if (!read_register(word, o) || (o.base.file() != reg_file::p && o.base.file() != reg_file::up)) {
    return c.fail_at(word.data(), "a predicate after '@'");
  }
  out.guard = o.base;
  c.skip_blanks();
  return true;
}

constexpr bool read_mnemonic(auto& c, asm_instruction& out) {
  out.mnemonic = c.word();
  if (out.mnemonic.empty() || !is_upper(out.mnemonic.front())) return c.fail_at(out.mnemonic.data(), "a mnemonic");
  const char* first = c.at;
  while (c.take('.')) {
    const string_view w = c.word();
    if (w.empty()) return c.fail("a modifier after '.'");
    const modifier m = find_modifier(w);
    if (m != modifier::count) out.modifiers.add(m);
  }
  out.modifier_text = string_view(first, static_cast<std::size_t>(c.at - first));
  if (!c.done() && !is_blank(*c.at) && !c.at_end_mark()) return c.fail("a blank after the mnemonic");
  return true;
}

// The comment of BRX: (*"BRANCH_TARGETS .L_x_1,.L_x_2"*)
constexpr bool read_comment(auto& c, asm_instruction& out) {
  const char* start = c.at;
  c.at += 2;
  while (c.left() >= 2 && !(c.at[0] == '*' && c.at[1] == ')')) ++c.at;
  if (c.left() < 2) return c.fail_at(start, "a comment that ends in \"*)\"");
  string_view text(start + 2, static_cast<std::size_t>(c.at - start) - 2);
  c.at += 2;
  constexpr string_view key = "\"BRANCH_TARGETS ";
  if (text.substr(0, key.size()) == key) {
    text.remove_prefix(key.size());
    if (!text.empty() && text.back() == '"') text.remove_suffix(1);
    out.branch_targets = text;
  }
  return true;
}

constexpr bool read_operands(auto& c, asm_instruction& out) {
  bool comma = true;  // a separator, or the mnemonic, stands before
  for (;;) {
    c.skip_blanks();
    if (c.done() || c.at_end_mark()) return comma && out.operand_count != 0 ? c.fail("an operand after ','") : true;
    if (c.left() >= 2 && c.at[0] == '(' && c.at[1] == '*') {
      if (!read_comment(c, out)) return false;
      comma = false;
      continue;
    }
    if (*c.at == '&' || *c.at == '?') {  // scheduling suffixes of newer listings
      while (!c.done() && !c.at_end_mark()) ++c.at;
      return true;
    }
    if (out.operand_count == asm_instruction::max_operands) return c.fail("at most 12 operands");
    asm_operand& o = out.operands[out.operand_count];
    if (!read_operand(c, o)) return false;
    ++out.operand_count;
    const bool blank = c.skip_blanks();
    comma = c.take(',');
    if (!comma && !blank && !c.done() && !c.at_end_mark() && *c.at != '(') return c.fail("',' or a blank");
  }
}

}  // namespace detail

constexpr parse_result parse_instruction(string_view body, auto& out) {
  out.mnemonic = {};
  out.modifiers = {};
  out.modifier_text = {};
  out.guard = reg{reg_file::none, 0};
  out.guard_negated = false;
  out.operand_count = 0;
  out.branch_targets = {};
  detail::text_cursor c(body);
  c.skip_blanks();
  bool ok = detail::read_guard(c, out) && detail::read_mnemonic(c, out) && detail::read_operands(c, out);
  if (ok && c.at_end_mark()) {
    ++c.at;
    c.skip_blanks();
    ok = c.done() || c.fail("the end of the instruction");
  }
  if (ok) return {};
  return {false, c.error_column, c.expected};
}

}  // namespace ww::isa
