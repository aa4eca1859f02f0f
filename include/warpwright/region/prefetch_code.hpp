// SPDX-License-Identifier: BSL-1.0
//
// Writes the guard of a prefetch and the prefetch itself into a program: text for the decoder, words for whoever encodes.
//
//   IADD3 t, counter, addend, RZ          0x810, sources a 24..31 and c 64..71 (RZ), immediate 32..63
//   ISETP.cmp.AND q, PT, a, b, q or PT    0x?0c with the form of b; comparison 76..78, signed 73, combined by AND
//   @q CCTL.E.PF2 [low+offset]            arch/prefetch.hpp
// Encodings: facts, hardware 5; every IADD3 and ISETP of these forms in the corpus is what is written here
// (tests/region/prefetch.cpp). Virtual registers have no field: theirs hold RZ or PT, as after a lift the fields are not
// those of the operands anyway. Control bits are 0; who schedules the block assigns them.
#pragma once

#include <cstdint>
#include <string_view>

#include "../arch/prefetch.hpp"
#include "../ir/program.hpp"
#include "../isa/assemble.hpp"
#include "prefetch_guard.hpp"

namespace ww::region {

// A line of text in a fixed buffer.
class instruction_line {
 public:
  instruction_line& add(std::string_view s) {
    for (const char c : s) {
      if (size_ < sizeof text_) text_[size_++] = c;
    }
    return *this;
  }
  instruction_line& add_number(std::uint64_t n, unsigned base) {
    char digits[24];
    unsigned count = 0;
    do {
      digits[count++] = "0123456789abcdef"[n % base];
      n /= base;
    } while (n != 0);
    while (count != 0) add(std::string_view(&digits[--count], 1));
    return *this;
  }
  instruction_line& add_hex(std::int64_t n) {
    add(n < 0 ? "-0x" : "0x");
    return add_number(static_cast<std::uint64_t>(n < 0 ? -n : n), 16);
  }
  instruction_line& add_register(reg r) {
    const bool uniform = r.file() == reg_file::ur || r.file() == reg_file::up;
    const bool predicate = r.file() == reg_file::p || r.file() == reg_file::up;
    if (uniform) add("U");
    add(predicate ? "P" : "R");
    if (r.is_zero()) return add(predicate ? "T" : "Z");
    return add_number(r.number(), 10);
  }
  [[nodiscard]] std::string_view view() const { return {text_, size_}; }

 private:
  char text_[120] = {};
  std::size_t size_ = 0;
};

class prefetch_writer {
 public:
  prefetch_writer(program& p, const isa::dialect& d) : p_(p), dialect_(d) {}

  // t = counter + addend
  [[nodiscard]] instr_id add(reg t, reg counter, std::int32_t addend) {
    instruction_line line;
    line.add("IADD3 ").add_register(t).add(", ").add_register(counter).add(", ").add_hex(addend).add(", RZ");
    return append(line, 0x7810u | field(t) << 16 | field(counter) << 24 | upper(addend), 0x07ffe0ffu);
  }
  // q = (a cmp b) and also
  [[nodiscard]] instr_id compare(reg q, reg a, comparison c, bool is_signed, reg b, reg also) {
    return set(q, a, c, is_signed, b, also, 0x720cu | field(b) << 32, 0);
  }
  [[nodiscard]] instr_id compare(reg q, reg a, comparison c, bool is_signed, std::int32_t b, reg also) {
    instruction_line text;
    text.add_hex(b);
    return set(q, a, c, is_signed, text, also, 0x780cu | upper(b), 0);
  }
  // With the second source of `like`, an ISETP of the program.
  [[nodiscard]] instr_id compare(reg q, reg a, comparison c, bool is_signed, const instruction& like, reg also) {
    const std::uint64_t low = (like.word[0] & ~0xffffull & ~(0xffull << 24)) | (like.word[0] & 0xfffull) | 0x7000u;
    const std::uint64_t uniform = like.word[1] & (1ull << 27);
    for (const operand o : p_.operands_of(like)) {
      if (!o.is_use() || o.where() != slot::b) continue;
      if (o.is_register()) return set(q, a, c, is_signed, o.base(), also, low, uniform);
    }
    instruction_line text;  // c[bank][offset]
    text.add("c[").add_hex(static_cast<std::int64_t>(like.word[0] >> 54 & 31u)).add("][");
    text.add_hex(static_cast<std::int64_t>(like.word[0] >> 38 & 0xffffu)).add("]");
    return set(q, a, c, is_signed, text, also, low, uniform);
  }
  // Brings the line at low:low+1 + offset in, where q holds. `level` is 1 or 2.
  [[nodiscard]] instr_id prefetch(const prefetch_form& form, unsigned level, reg q, reg low, std::int32_t offset) {
    instruction_line line;
    line.add("@").add_register(q).add(level == 1 ? " CCTL.E.PF1 [" : " CCTL.E.PF2 [").add_register(low);
    if (offset != 0) line.add("+").add_hex(offset);
    line.add("]");
    return append(line, (form.low & ~0x7000ull) | predicate(q) << 12 | field(low) << 24 | upper(offset),
                  level == 1 ? form.high_l1 : form.high_l2);
  }

  [[nodiscard]] bool ok() const { return ok_; }

 private:
  static std::uint64_t field(reg r) { return r.number() < 255 ? r.number() : 255; }
  static std::uint64_t predicate(reg r) { return r.number() < 7 ? r.number() : 7; }
  static std::uint64_t upper(std::int32_t v) { return std::uint64_t{static_cast<std::uint32_t>(v)} << 32; }

  static void put(instruction_line& line, reg b) { line.add_register(b); }
  static void put(instruction_line& line, const instruction_line& b) { line.add(b.view()); }

  template <class B>
  instr_id set(reg q, reg a, comparison c, bool is_signed, const B& b, reg also, std::uint64_t low, std::uint64_t uniform) {
    constexpr const char* names[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
    instruction_line line;
    line.add("ISETP.").add(names[static_cast<unsigned>(c)]).add(is_signed ? ".AND " : ".U32.AND ").add_register(q);
    line.add(", PT, ").add_register(a).add(", ");
    put(line, b);
    line.add(", ").add_register(also);
    const std::uint64_t high = 0x00700070u | uniform | (is_signed ? 0x200u : 0u) |
                               std::uint64_t{static_cast<unsigned>(c)} << 12 | predicate(q) << 17 | predicate(also) << 23;
    return append(line, low | field(a) << 24, high);
  }

  instr_id append(const instruction_line& line, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t w[2] = {low, high};
    isa::asm_instruction form;
    isa::error e;
    ok_ = isa::append(p_, line.view(), w, dialect_, form, e) && ok_;
    p_.order.pop_back();  // it gets its place from the caller
    return instr_id{static_cast<std::uint32_t>(p_.instructions.size() - 1)};
  }

  program& p_;
  const isa::dialect& dialect_;
  bool ok_ = true;
};

}  // namespace ww::region
