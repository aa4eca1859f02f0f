// SPDX-License-Identifier: BSL-1.0
//
// The register names in the text of one instruction, and the operands that they mean.
//
//   name      R, UR, P or UP with a number, as an operand or a part of one; RZ and its like are none
//   meaning   which operand of the program a name stands for
// Names are matched by place and not by number: the two R4 of IMAD R4, R4, R5, R6 may belong to different values. So that no rule about
// the order of operands need be known here, each name is given a number of its own, the text with these is decoded as that of a listing
// is, and the operands tell which name they come from. The numbers are those of virtual registers, which decoding takes like any other.
// Symbols in `(..), remarks in (*..*) and what stands behind '&' or '?' hold no names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../ir/program.hpp"
#include "../../isa/decode.hpp"
#include "../../isa/instruction_text.hpp"
#include "../../isa/text_cursor.hpp"
#include "../../meta/span.hpp"

namespace ww::sass::detail {

class register_names {
 public:
  // Makes the text of `body` in which the operands `before` are `after`; null if all is well, else what was expected.
  [[nodiscard]] const char* rename(const instruction& x, std::string_view body, span<const operand> before,
                                   span<const operand> after, const isa::dialect& d, std::string& result) {
    find(body);
    if (!decode(x, body, d)) return "an instruction that can be read with other registers";
    if (decoded_.size() != before.size() || after.size() != before.size()) return "the operands of its text";
    for (std::size_t k = 0; k < before.size(); ++k) {
      const operand was = before[k];
      if (was == after[k]) continue;
      const std::uint32_t tag = decoded_[k].base().number() - reg::first_virtual;
      if (!decoded_[k].base().is_virtual() || tag >= names_.size() || decoded_[k].file() != was.file() ||
          decoded_[k].where() != was.where() || decoded_[k].is_def() != was.is_def() ||
          names_[tag].number != was.base().number())
        return "a register that the text names";
      name& n = names_[tag];
      if (n.changed && n.now != after[k].base().number()) return "one register for one name";
      n.changed = true;
      n.now = after[k].base().number();
    }
    // A name that several operands come from must have been changed by all of them.
    for (std::size_t k = 0; k < before.size(); ++k) {
      const std::uint32_t tag = decoded_[k].base().number() - reg::first_virtual;
      if (!decoded_[k].base().is_virtual() || tag >= names_.size() || !names_[tag].changed) continue;
      if (names_[tag].now != after[k].base().number()) return "one register for one name";
    }
    name_what_follows(x, before);
    write(body, [](const name& n) { return n.changed ? n.now : n.number; });
    result.assign(text_.data(), text_.size());
    return nullptr;
  }

 private:
  // USYNCS prints the register behind that of its address, also where it takes none (isa/decode_bulk.hpp).
  void name_what_follows(const instruction& x, span<const operand> before) {
    if (x.op != opcode::usyncs || names_.size() < 2) return;
    for (const operand o : before) {
      if (o.where() == slot::data || o.where() == slot::data1) return;
    }
    const name& address = names_[names_.size() - 2];
    name& last = names_.back();
    if (!address.changed || last.changed || last.number != address.number + 1) return;
    last.changed = true;
    last.now = address.now + 1;
  }
  struct name {
    std::size_t digits = 0;  // place of the number
    std::size_t end = 0;
    std::uint32_t number = 0;
    std::uint32_t now = 0;
    bool changed = false;
  };

  static bool is_word(char c) { return isa::detail::is_word(c); }
  static bool is_digit(char c) { return isa::detail::is_digit(c); }

  // Characters in front of the number of a register name; 0 if the word is none.
  static std::size_t prefix_of(std::string_view w) {
    const std::size_t u = !w.empty() && w[0] == 'U' ? 1 : 0;
    if (w.size() < u + 2 || w.size() > u + 4 || (w[u] != 'R' && w[u] != 'P')) return 0;
    for (std::size_t i = u + 1; i < w.size(); ++i) {
      if (!is_digit(w[i])) return 0;
    }
    return u + 1;
  }

  void add(std::string_view body, std::size_t from, std::size_t to) {
    const std::size_t prefix = prefix_of(body.substr(from, to - from));
    if (prefix == 0) return;
    name n;
    n.digits = from + prefix;
    n.end = to;
    for (std::size_t i = n.digits; i < to; ++i) n.number = n.number * 10 + static_cast<std::uint32_t>(body[i] - '0');
    names_.push_back(n);
  }

  static std::size_t word_end(std::string_view s, std::size_t i) {
    while (i < s.size() && is_word(s[i])) ++i;
    return i;
  }

  static std::size_t behind_parentheses(std::string_view s, std::size_t i) {
    std::size_t depth = 0;
    for (; i < s.size(); ++i) {
      if (s[i] == '(') ++depth;
      if (s[i] == ')' && --depth == 0) return i + 1;
    }
    return i;
  }

  void find(std::string_view s) {
    names_.clear();
    std::size_t i = 0;
    if (!s.empty() && s[0] == '@') {
      i = s.size() > 1 && s[1] == '!' ? 2 : 1;
      const std::size_t end = word_end(s, i);
      add(s, i, end);
      i = end;
      while (i < s.size() && (s[i] == ' ' || s[i] == '\t')) ++i;
    }
    while (i < s.size() && (is_word(s[i]) || s[i] == '.')) ++i;  // mnemonic and modifiers
    while (i < s.size() && s[i] != '&' && s[i] != '?') {
      if (s[i] == '(') {
        i = behind_parentheses(s, i);
      } else if (is_word(s[i])) {
        const std::size_t end = word_end(s, i);
        if (s[i - 1] != '.') add(s, i, end);  // no suffix
        i = end;
      } else {
        ++i;
      }
    }
  }

  template <class Number>
  void write(std::string_view body, Number&& number) {
    text_.clear();
    std::size_t from = 0;
    for (const name& n : names_) {
      text_.append(body.substr(from, n.digits - from));
      text_ += std::to_string(number(n));
      from = n.end;
    }
    text_.append(body.substr(from));
  }

  [[nodiscard]] bool decode(const instruction& x, std::string_view body, const isa::dialect& d) {
    const auto tag = [this](const name& n) { return reg::first_virtual + static_cast<std::uint32_t>(&n - names_.data()); };
    write(body, tag);
    if (!isa::parse_instruction(std::string_view(text_), form_).ok) return false;
    decoded_.clear();
    const bool has_words = (x.word[0] | x.word[1]) != 0;
    const instruction y = isa::decode(form_, x.word, has_words, d, decoded_);
    return y.op == x.op;
  }

  std::vector<name> names_;
  std::string text_;
  isa::asm_instruction form_;
  std::vector<operand> decoded_;
};

}  // namespace ww::sass::detail
