// SPDX-License-Identifier: BSL-1.0
//
// The top of operand parsing: looks at the first characters and decides what kind of operand stands here.
//
// Signs may be combined (-|R2|, ~R3, !P0, -c[0x0][0x160]). Numbers without 0x are floating-point immediates or words
// such as 2D; only the opcode tells what a number means, so nothing is rounded here. A word that is no register
// is a special value (SR_TID.X, gsb0, CUBE, +INF).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "asm_form.hpp"
#include "operand_text.hpp"
#include "text_cursor.hpp"

namespace ww::isa::detail {

constexpr bool read_signs(auto& c, asm_operand& o) {
  for (; !c.done(); ++c.at) {
    switch (*c.at) {
      case '-':
        o.add(asm_flag::negate);
        break;
      case '+':
      case '|':
        break;
      case '~':
      case '!':
        o.add(asm_flag::invert);
        break;
      default:
        return true;
    }
  }
  return c.fail("an operand after its sign");
}

// Digits without 0x: a float, a shape word (2D), or a relocation (32@lo((F + .L_x_0@srel))).
constexpr bool read_number(auto& c, asm_operand& o) {
  const char* from = c.at;
  if (c.left() >= 2 && c.at[0] == '0' && c.at[1] == 'x') {
    o.kind = asm_kind::integer;
    const bool negative = o.has(asm_flag::negate);
    return read_hex(c, o.value, negative) && read_suffixes(c, o);
  }
  const string_view w = c.word();
  if (c.take('@')) {
    o.kind = asm_kind::label;
    (void)c.word();
    if (!c.is('(')) return c.fail("'(' of a relocation");
    return read_parentheses(c, o.text);
  }
  bool exponent = false;
  for (char ch : w) {
    if (is_digit(ch)) continue;
    if (ch == 'e' && !exponent) {
      exponent = true;
      continue;
    }
    if (is_upper(ch) || ch == '_') {
      o.kind = asm_kind::special;  // 2D
      o.text = w;
      return true;
    }
    return c.fail_at(from, "a number");
  }
  o.kind = asm_kind::floating;
  while (!c.done() && (is_word(*c.at) || *c.at == '.' || ((*c.at == '-' || *c.at == '+') && c.at[-1] == 'e'))) ++c.at;
  return true;
}

constexpr bool is_float_word(string_view w) { return w == "INF" || w == "QNAN" || w == "SNAN" || w == "NAN" || w == "QNaN"; }

constexpr bool read_named(auto& c, asm_operand& o) {
  const string_view w = c.word();
  if (c.is('[')) {
    return w == "c" || w == "cx" ? read_constant(c, o) : read_address(c, o, w);
  }
  if (read_register(w, o)) return read_suffixes(c, o);
  if (is_float_word(w)) {
    o.kind = asm_kind::floating;
    return true;
  }
  if (c.take('@')) {  // fun@lo((F)), and the like
    o.kind = asm_kind::label;
    (void)c.word();
    return c.is('(') ? read_parentheses(c, o.text) : c.fail("'(' of a relocation");
  }
  // R255, P9, B77: the name of a register that does not exist
  if (classify_register(w).file != reg_file::none &&
      is_digit(w[classify_register(w).prefix < w.size() ? classify_register(w).prefix : 0])) {
    return c.fail_at(w.data(), "a register that exists");
  }
  o.kind = asm_kind::special;
  while (c.take('.')) {  // SR_TID.X
    if (c.word().empty()) return c.fail("a name after '.'");
  }
  return true;
}

// {5,4} of DEPBAR.
constexpr bool read_list(auto& c, asm_operand& o) {
  const char* from = c.at;
  while (!c.done() && *c.at != '}') ++c.at;
  if (!c.take('}')) return c.fail_at(from, "'}'");
  o.kind = asm_kind::special;
  return true;
}

constexpr bool read_operand(auto& c, asm_operand& o) {
  o = asm_operand{};
  const char* from = c.at;
  bool ok = true;
  if (c.is('{')) {
    ok = read_list(c, o);
  } else if (c.is('`')) {
    ++c.at;
    o.kind = asm_kind::label;
    ok = c.is('(') ? read_parentheses(c, o.text) : c.fail("'(' after '`'");
  } else if (c.is('[')) {
    ok = read_address(c, o, {});
  } else {
    ok = read_signs(c, o);
    if (ok) {
      if (c.is('[')) {
        ok = read_address(c, o, {});
      } else if (is_digit(*c.at) || *c.at == '.') {
        ok = read_number(c, o);
      } else if (is_word(*c.at)) {
        ok = read_named(c, o);
      } else {
        ok = c.fail("an operand");
      }
    }
  }
  if (ok && o.text.empty()) o.text = string_view(from, static_cast<std::size_t>(c.at - from));
  return ok;
}

}  // namespace ww::isa::detail
