// SPDX-License-Identifier: BSL-1.0
//
// Text of one operand to its assembly form: registers with signs and suffixes, integers, floats, special values,
// constants c[..][..], addresses [..] with an optional name before the bracket (desc, tmem, a), matrix descriptors
// gdesc[..], labels `(..) with nested parentheses, alone or inside an address, relocations 32@lo((..)), and scoreboard
// lists {5,4}.
//
// Register numbers: R0..R254, UR0..UR254, P0..P6, UP0..UP6, B0..B15, SB0..SB5; numbers from 1024 on are virtual
// registers (R, UR, P, UP) for programs built in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "asm_form.hpp"
#include "text_cursor.hpp"

namespace ww::isa::detail {

struct register_name {
  reg_file file = reg_file::none;
  std::size_t prefix = 0;   // characters before the number
  std::uint32_t limit = 0;  // first number that is not legal
  char zero = '\0';         // the letter that means the zero register
};

constexpr register_name classify_register(string_view w) {
  if (w.size() < 2) return {};
  switch (w[0]) {
    case 'R':
      return {reg_file::r, 1, 255, 'Z'};
    case 'P':
      return {reg_file::p, 1, 7, 'T'};
    case 'B':
      return {reg_file::b, 1, 16, '\0'};
    case 'U':
      if (w[1] == 'R') return {reg_file::ur, 2, 255, 'Z'};
      if (w[1] == 'P') return {reg_file::up, 2, 7, 'T'};
      return {};
    case 'S':
      if (w[1] == 'B') return {reg_file::sb, 2, 6, '\0'};
      return {};
    default:
      return {};
  }
}

// Reads "R12", "URZ", "PT", "PR", "CC"; false if the word is not the name of a register.
constexpr bool read_register(string_view w, asm_operand& o) {
  const register_name n = classify_register(w);
  if (n.file == reg_file::none) {
    if (w != "CC") return false;
    o.kind = asm_kind::reg;
    o.base = reg{reg_file::cc, 0};
    return true;
  }
  if (w.size() <= n.prefix) return false;
  if (w.size() == n.prefix + 1 && !is_digit(w[n.prefix])) {
    const char last = w[n.prefix];
    if (n.zero != '\0' && last == n.zero) {
      o.kind = asm_kind::reg;
      o.base = reg{n.file, reg::zero_number};
      return true;
    }
    if (last == 'R' && (n.file == reg_file::p || n.file == reg_file::up)) {
      o.kind = asm_kind::predicates;
      o.base = reg{n.file, 0};
      return true;
    }
    return false;
  }
  std::uint32_t number = 0;
  if (w.size() - n.prefix > 6) return false;
  for (std::size_t i = n.prefix; i < w.size(); ++i) {
    if (!is_digit(w[i])) return false;
    number = number * 10 + static_cast<std::uint32_t>(w[i] - '0');
  }
  const bool can_be_virtual = n.file != reg_file::b && n.file != reg_file::sb;
  if (number >= n.limit && !(can_be_virtual && number >= reg::first_virtual)) return false;
  o.kind = asm_kind::reg;
  o.base = reg{n.file, number};
  return true;
}

constexpr void apply_suffix(string_view s, asm_operand& o) {
  if (s == "reuse") {
    o.add(asm_flag::reuse);
  } else if (s == "64") {
    o.add(asm_flag::wide64);
  } else if (s == "H0_H0") {
    o.add(asm_flag::half_low);
  } else if (s == "H1_H1") {
    o.add(asm_flag::half_high);
  } else if (s == "U32") {
    o.add(asm_flag::u32);
  } else if (s == "X4" || s == "X8" || s == "X16" || s == "X2") {
    o.add(asm_flag::scaled);
  } else if (s == "F32") {
    o.add(asm_flag::f32);
  } else if (s == "CC") {
    o.add(asm_flag::carry);
  }
}

constexpr bool read_suffixes(auto& c, asm_operand& o) {
  while (c.is('.') || c.is('|')) {
    if (c.take('|')) continue;
    ++c.at;
    const string_view s = c.word();
    if (s.empty()) return c.fail("a suffix after '.'");
    apply_suffix(s, o);
  }
  return true;
}

// 0x1f with an optional sign already consumed; at most 16 digits.
constexpr bool read_hex(auto& c, std::int64_t& value, bool negative) {
  const char* from = c.at;
  c.at += 2;
  std::uint64_t v = 0;
  const char* digits = c.at;
  while (c.at != c.end && is_kind(*c.at, char_hex)) {
    const char ch = *c.at++;
    const unsigned d = static_cast<unsigned>(ch <= '9' ? ch - '0' : (ch | 0x20) - 'a' + 10);
    if ((v >> 60) != 0) return c.fail_at(from, "a number of at most 16 hexadecimal digits");
    v = (v << 4) | d;
  }
  if (c.at == digits) return c.fail("hexadecimal digits after 0x");
  value = static_cast<std::int64_t>(negative ? std::uint64_t{0} - v : v);
  return true;
}

// `(NAME) with nested parentheses; the text is what stands inside.
constexpr bool read_parentheses(auto& c, string_view& inside) {
  const char* from = c.at;
  std::size_t depth = 0;
  while (c.at != c.end) {
    if (*c.at == '(') ++depth;
    if (*c.at == ')' && --depth == 0) {
      inside = string_view(from + 1, static_cast<std::size_t>(c.at - from) - 1);
      ++c.at;
      return true;
    }
    ++c.at;
  }
  return c.fail_at(from, "a closing parenthesis");
}

// One term of an address: a register, a constant with its sign, or `(SYMBOL) of a relocatable object.
constexpr bool read_address_term(auto& c, asm_operand& o) {
  bool negative = false;
  while (c.is('-') || c.is('~') || c.is('+') || c.is('|')) {
    if (*c.at == '-') negative = !negative;
    ++c.at;
  }
  if (c.take('`')) {
    string_view symbol;
    o.add(asm_flag::symbolic);
    return c.is('(') ? read_parentheses(c, symbol) : c.fail("'(' after '`'");
  }
  if (c.left() >= 2 && c.at[0] == '0' && c.at[1] == 'x') {
    std::int64_t v = 0;
    if (!read_hex(c, v, negative)) return false;
    o.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(o.value) + static_cast<std::uint64_t>(v));
    return true;
  }
  const char* from = c.at;
  const string_view w = c.word();
  if (w.empty()) return c.fail("a register or a hexadecimal offset");
  asm_operand t;
  if (!read_register(w, t)) {
    if (!is_digit(w.front())) return c.fail_at(from, "a register");
    std::int64_t v = 0;
    for (char ch : w) {
      if (!is_digit(ch) || v > 0xffffffff) return c.fail_at(from, "an offset");
      v = v * 10 + (ch - '0');
    }
    o.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(o.value) + static_cast<std::uint64_t>(negative ? -v : v));
    return true;
  }
  if (t.kind != asm_kind::reg) return c.fail_at(from, "a register");
  if (!read_suffixes(c, t)) return false;
  if (t.base.file() == reg_file::ur) {
    if (!o.ubase.is_none()) return c.fail_at(from, "at most one uniform register in an address");
    o.ubase = t.base;
    return true;
  }
  if (!o.base.is_none()) return c.fail_at(from, "at most one vector register in an address");
  o.base = t.base;
  o.flags = static_cast<std::uint16_t>(o.flags | t.flags);
  return true;
}

// [term+term+...] into base, ubase and value.
constexpr bool read_brackets(auto& c, asm_operand& o) {
  if (!c.take('[')) return c.fail("'['");
  for (;;) {
    c.skip_blanks();
    if (c.take(']')) return true;
    if (!read_address_term(c, o)) return false;
    c.skip_blanks();
    if (c.take('+') || c.is('-')) continue;
    if (c.take(']')) return true;
    return c.fail("'+' or ']' in an address");
  }
}

constexpr bool read_constant(auto& c, asm_operand& o) {
  o.kind = asm_kind::constant;
  asm_operand bank;
  bank.base = reg{reg_file::none, 0};
  const char* from = c.at;
  if (!read_brackets(c, bank)) return false;
  if (bank.has(asm_flag::symbolic)) {
    // c[`((NAME + 0xc))], c[R12+`(NAME)]: the linker fills in bank and offset, a register is an index as in c[0x4][R12].
    o.base = bank.base;
    o.ubase = bank.ubase;
    o.add(asm_flag::symbolic);
    return read_suffixes(c, o);
  }
  if (!bank.ubase.is_none()) {
    o.desc = bank.ubase;  // bindless: the bank is a descriptor in uniform registers
  } else if (!bank.base.is_none()) {
    return c.fail_at(from, "a bank number or a uniform register");
  } else if (bank.value < 0 || bank.value > 255) {
    return c.fail_at(from, "a bank number below 256");
  }
  o.bank = static_cast<std::uint8_t>(bank.value & 255);
  c.skip_blanks();  // c[0x2] [0x0].F32
  o.base = reg{reg_file::none, 0};
  if (!read_brackets(c, o)) return false;
  return read_suffixes(c, o);
}

constexpr bool read_address(auto& c, asm_operand& o, string_view name) {
  o.kind = asm_kind::address;
  o.base = reg{reg_file::none, 0};
  if (name == "gdesc" || name == "idesc") {
    o.kind = asm_kind::gdesc;
    if (!read_brackets(c, o)) return false;
    o.base = o.ubase;
    o.ubase = reg{reg_file::none, 0};
    return read_suffixes(c, o);  // gdesc[UR8].tnspB
  }
  if (name == "desc") {
    asm_operand d;
    d.base = reg{reg_file::none, 0};
    const char* from = c.at;
    if (!read_brackets(c, d)) return false;
    o.desc = d.ubase.is_none() ? d.base : d.ubase;
    if (o.desc.is_none()) return c.fail_at(from, "a descriptor register");
    c.skip_blanks();
    if (!c.is('[')) return true;
  }
  return read_brackets(c, o) && read_suffixes(c, o);
}

}  // namespace ww::isa::detail
