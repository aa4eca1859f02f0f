// SPDX-License-Identifier: BSL-1.0
//
// Writing a listing whose instructions work in other registers: what an allocation has made of programs that were read from text.
//
//   code          by section: the program that was read, whose operands carry other physical numbers
//   write_renamed(m, code, out)   the text in the order read, with these registers in bodies and words
// An instruction whose operands are those of the module keeps its bytes. Another one gets new register names in its text, by place
// (listing/register_names.hpp), and new fields in its words (isa/register_words.hpp); control bits, modifiers, .reuse, numbers and symbols
// stay, and so do all other lines: who changes how many registers a kernel has says so elsewhere (register_count.hpp).
// The hex stays in its column, that of the second word below it; where a line has grown beyond, one blank stands in front of it. Remarks
// (*..*) stay in theirs. (A disassembler would lay out all lines anew, by the longest of them and by operands that it does not print.)
// All or nothing; the error says where. Refused: other instructions or operands than those of the module, 64-bit instructions with
// hex, live-range columns, and where a register has no name in the text or no known place in the words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../arch/dialect.hpp"
#include "../isa/register_words.hpp"
#include "../meta/span.hpp"
#include "error.hpp"
#include "listing/instruction_line.hpp"
#include "listing/register_names.hpp"
#include "module.hpp"

namespace ww::sass {

namespace detail {

class renamed_writer {
 public:
  renamed_writer(const sass::module& m, span<const program> code) : m_(m), code_(code) {}

  [[nodiscard]] error run(std::string& out) {
    if (m_.infos.size() != m_.sections.size() || code_.size() != m_.sections.size())
      return refuse(0, "a program for each section that was read");
    lines_.clear();
    lines_.resize(m_.records.size());
    for (std::size_t s = 0; s < m_.sections.size(); ++s) {
      if (error e = rename_section(m_.sections[s], code_[s], m_.infos[s]); e) return e;
    }
    write(out);
    return {};
  }

 private:
  struct line {
    bool changed = false;
    std::string body;
    std::uint64_t word[2] = {0, 0};
  };

  [[nodiscard]] error refuse(std::uint64_t at, const char* expected, std::string_view found = {}) const {
    return refusal_at(at, expected, found);
  }
  [[nodiscard]] error refuse(const instruction& x, const char* expected) const {
    return refuse(m_.record_of(x).line, expected, m_.body_of(x));
  }

  error rename_section(const program& p, const program& q, const section_info& info) {
    if (q.instructions.size() != p.instructions.size() || p.instructions.size() != info.record_count)
      return refuse(info.line, "the instructions that were read");
    isa::dialect d = dialect_of(p.sm);
    d.word64 = info.word64;
    for (std::size_t k = 0; k < p.instructions.size(); ++k) {
      const instruction& x = p.instructions[k];
      const instruction& y = q.instructions[k];
      const bool in_range = y.operand_count == 0 ||
                            (y.first_operand < q.operands.size() && y.operand_count <= q.operands.size() - y.first_operand);
      if (x.source != info.first_record + k || y.source != x.source || y.op != x.op || y.operand_count != x.operand_count ||
          !in_range)
        return refuse(info.line, "the instructions that were read");
      const span<const operand> before = p.operands_of(x);
      after_.assign(q.operands_of(y).begin(), q.operands_of(y).end());
      for (std::size_t o = 0; o < before.size(); ++o) {  // what is assumed stands nowhere
        if (before[o].is_assumed() && after_[o].is_assumed()) after_[o] = before[o];
      }
      const span<const operand> after(after_.data(), after_.size());
      if (std::equal(before.begin(), before.end(), after.begin(), after.end())) continue;
      if (info.live_range_columns) return refuse(x, "the registers that were read: the text has live-range columns");
      line& l = lines_[x.source];
      l.changed = true;
      if (const char* expected = rename(p, x, before, after, d, l); expected != nullptr) return refuse(x, expected);
    }
    return {};
  }

  const char* rename(const program& p, const instruction& x, span<const operand> before, span<const operand> after,
                     const isa::dialect& d, line& l) {
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (before[k] == after[k]) continue;
      if (!isa::detail::same_but_number(before[k], after[k]) || !before[k].is_register() || !after[k].is_register())
        return isa::name_of(isa::register_words_fault::other_operands);
      const std::uint32_t count = isa::detail::registers_of_file(after[k].file(), d);
      const std::uint32_t n = after[k].base().number();
      if (n >= count || after[k].width() > count - n) return isa::name_of(isa::register_words_fault::too_high);
    }
    std::string_view body = m_.body_of(x);
    body = operands_of(body);
    l.word[0] = x.word[0];
    l.word[1] = x.word[1];
    if (p.has_encoding) {
      const isa::register_words_result r = isa::set_registers(l.word, x, before, after, d);
      if (!r.ok()) return isa::name_of(r.fault);
    }
    if (const char* expected = names_.rename(x, body, before, after, d, l.body); expected != nullptr) return expected;
    std::string_view rest = m_.body_of(x).substr(body.size());
    const std::size_t gap = std::min(rest.find("(*"), rest.size());
    if (gap > 1 && gap < rest.size() && before_blanks(gap, rest) == 0) {  // a remark keeps its column
      l.body.append(body.size() + gap > l.body.size() + 1 ? body.size() + gap - l.body.size() : 1, ' ');
      rest = rest.substr(gap);
    }
    l.body += rest;
    return nullptr;
  }

  // Without the remark behind it, and without which half of a pair it is.
  static std::string_view operands_of(std::string_view body) {
    const auto strip = [&body] {
      while (!body.empty() && is_blank(body.back())) body.remove_suffix(1);
    };
    const std::size_t remark = body.find("(*\"");
    if (remark != std::string_view::npos) body = body.substr(0, remark);
    strip();
    for (const std::string_view half : {std::string_view(" SLOT 0"), std::string_view(" SLOT 1")}) {
      if (body.size() > half.size() && body.substr(body.size() - half.size()) == half) body.remove_suffix(half.size());
    }
    return body;
  }

  static void put_hex(std::string& out, std::uint64_t v) {
    for (unsigned k = 16; k-- > 0;) out += "0123456789abcdef"[v >> (4 * k) & 15u];
  }

  [[nodiscard]] std::uint32_t line_start(std::uint32_t at) const {
    while (at > 0 && m_.text[at - 1] != '\n') --at;
    return at;
  }
  // One past what stands in front of the blanks before `at`.
  static std::size_t before_blanks(std::size_t at, std::string_view text) {
    while (at > 0 && is_blank(text[at - 1])) --at;
    return at;
  }
  void write(std::string& out) const {
    out.clear();
    out.reserve(m_.text.size() + m_.text.size() / 16);
    std::uint32_t cursor = 0;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const text_record& r = m_.records[k];
      const line& l = lines_[k];
      if (!l.changed) continue;
      out += m_.text.substr(cursor, r.body - cursor);
      out += l.body;
      cursor = r.body_end;
      if (r.hex[0] == text_record::none || r.hex[1] == text_record::none) continue;
      const std::uint32_t comment = r.hex[0] - 5;  // "/* 0x"
      const std::uint32_t stop = std::max(static_cast<std::uint32_t>(before_blanks(comment, m_.text)), r.body_end);
      out += m_.text.substr(cursor, stop - cursor);
      const std::int64_t used =
          std::int64_t{stop - line_start(r.body)} - (r.body_end - r.body) + static_cast<std::int64_t>(l.body.size());
      out.append(blanks(r, comment, stop, used), ' ');
      out += m_.text.substr(comment, 5);
      put_hex(out, l.word[0]);
      out += m_.text.substr(r.hex[0] + 16, r.hex[1] - r.hex[0] - 16);
      put_hex(out, l.word[1]);
      cursor = r.hex[1] + 16;
    }
    out += m_.text.substr(cursor);
  }
  // Between ';', which is to stand before column `used`, and the hex.
  [[nodiscard]] std::size_t blanks(const text_record& r, std::uint32_t comment, std::uint32_t stop,
                                   std::int64_t used) const {
    const std::uint32_t next = line_start(r.hex[1]);
    const std::uint32_t first = comment - line_start(comment);
    const std::uint32_t gap = comment - stop;
    const std::uint32_t column = next > comment ? r.hex[1] - 5 - next : first;
    if (first != column && (gap != 1 || first < column)) return gap;
    return static_cast<std::size_t>(std::max<std::int64_t>(std::int64_t{column} - used, 1));
  }

  const sass::module& m_;
  span<const program> code_;
  register_names names_;
  std::vector<operand> after_;
  std::vector<line> lines_;  // by record
};

}  // namespace detail

// Returns an error that is false if all was written; with an error `out` is empty. `out` may not hold the text of the module.
[[nodiscard]] inline error write_renamed(const sass::module& m, span<const program> code, std::string& out) {
  out.clear();
  detail::renamed_writer writer(m, code);
  return writer.run(out);
}

}  // namespace ww::sass
