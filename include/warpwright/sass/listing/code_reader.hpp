// SPDX-License-Identifier: BSL-1.0
//
// The instructions of one code section, line by line.
//
//   128-bit  an address line with the low word, then a line with the high word; addresses step by 16
//   64-bit   (sm_50..62) a line with the control word of a group, then three address lines; addresses step by 8 and leave
//            the control words out. '{' and '}' mark two instructions that issue together; the word of the second then
//            stands on a line of its own
// An instruction is finished when all its words have been read; until then its line is held. Whether there are words at
// all is decided by the first instruction of the file and holds for all others. The first address tells which kind it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../arch/control_format.hpp"
#include "../../arch/dialect.hpp"
#include "../../isa/decode.hpp"
#include "../../isa/instruction_text.hpp"
#include "../error.hpp"
#include "../module.hpp"
#include "instruction_line.hpp"
#include "references.hpp"

namespace ww::sass::detail {

class code_reader {
 public:
  code_reader(sass::module& m, error& e) : m_(m), error_(e) {}

  void begin(std::string_view name, std::uint64_t line, sm_id sm) {
    m_.sections.emplace_back();
    section_info s;
    s.name = static_cast<std::uint32_t>(m_.names.size());
    s.first_record = static_cast<std::uint32_t>(m_.records.size());
    s.line = static_cast<std::uint32_t>(line);
    s.first_group = static_cast<std::uint32_t>(m_.control_words.size());
    m_.names.push_back(name);
    m_.infos.push_back(s);
    next_ = 0;
    pair_open_ = false;
    sm_ = sm;
    section().sm = sm;
    dialect_ = dialect_of(sm);
  }

  // A line whose first other character than blanks, at `first`, starts a comment. False with the error set if it is wrong.
  [[nodiscard]] bool read(std::string_view line, std::uint64_t number, std::size_t first) {
    line_ = line;
    number_ = number;
    line_fault fault;
    instruction_line& x = current_;
    if (!read_instruction_line(line, first, x, fault)) return fail(fault.at, fault.expected);
    if (x.columns) info().live_range_columns = true;
    if (!x.has_address) return word_line(x);
    if (waiting_) return fail(first, "the second word of the instruction above");
    return address_line(x);
  }

  // Null, or what is missing at the end of the section.
  [[nodiscard]] const char* close() {
    program& p = section();
    if (waiting_) return "the second word of the last instruction";
    if (pair_open_) return "the second instruction of a pair";
    if (p.instructions.empty()) return "an instruction in the section above";
    info().record_count = static_cast<std::uint32_t>(p.instructions.size());
    p.has_encoding = p.has_control = hex_ == hex_state::yes;
    m_.has_hex = m_.has_hex || p.has_encoding;
    return nullptr;
  }

  [[nodiscard]] bool waiting() const { return waiting_; }
  // Waits for the word of an instruction that closes a pair; a label of the next one may stand in front of that word.
  [[nodiscard]] bool waits_for_pair() const { return waiting_ && held_.closes_pair && have_words_ == 0; }
  // A label stood there; it ends at this byte of the text.
  void pass_label(std::uint32_t end) { held_record_.labels_end = end; }
  [[nodiscard]] const std::vector<reference>& references() const { return references_; }

 private:
  enum class hex_state : std::uint8_t { open, yes, no };

  program& section() { return m_.sections.back(); }
  section_info& info() { return m_.infos.back(); }
  std::uint32_t position(std::size_t at) const {
    return static_cast<std::uint32_t>(line_.data() - m_.text.data() + static_cast<std::ptrdiff_t>(at));
  }

  bool fail(std::size_t at, const char* expected) { return fail_in(line_, number_, at, expected); }
  bool fail_held(std::size_t at, const char* expected) { return fail_in(held_line_, held_number_, at, expected); }
  bool fail_in(std::string_view line, std::uint64_t number, std::size_t at, const char* expected) {
    error_.line = number;
    error_.column = at + 1;
    error_.expected = expected;
    error_.set_found(at < line.size() ? line.substr(at) : std::string_view{});
    return false;
  }

  bool word_line(const instruction_line& x) {
    const std::size_t digits = x.hex;
    if (waiting_) {  // second word, or the word of an instruction that closes a pair
      held_record_.hex[have_words_] = position(digits);
      held_record_.end = position(x.end);
      held_word_[have_words_++] = x.word;
      waiting_ = false;
      return commit();
    }
    const std::size_t n = section().instructions.size();
    const bool group_start = n == 0 || (info().word64 && n % 3 == 0 && groups() == n / 3);
    if (!group_start || groups() != n / 3) return fail(digits, "an instruction in front of a further word");
    if (hex_ == hex_state::no) return fail(digits, "no hex: the instructions above have none");
    hex_ = hex_state::yes;
    info().word64 = true;
    m_.control_words.push_back(position(digits));
    ++info().group_count;
    control_word_ = x.word;
    return true;
  }
  std::size_t groups() { return info().group_count; }

  bool address_line(const instruction_line& x) {
    const std::size_t n = section().instructions.size();
    if (n == 0 && x.address == 8) info().word64 = true;
    const bool word64 = info().word64;
    if (n == 0) {
      if (sm_ != sm_id::unknown && word64 != dialect_.word64) {
        return fail(x.address_at,
                    word64 ? "128-bit instructions, as the SM has" : "64-bit instructions in groups, as the SM has");
      }
      dialect_.word64 = word64;
      next_ = word64 ? 8 : 0;
    }
    if (x.address != next_)
      return fail(x.address_at, word64 ? "the next address (8 more, control words left out)" : "the next address (16 more)");
    if (x.closes_pair != pair_open_ || (x.opens_pair && pair_open_)) {
      return fail(x.opens_pair ? x.body : x.end - 1,
                  pair_open_ ? "'}' behind the second of a pair" : "';' behind the instruction");
    }
    if (x.opens_pair && !word64) return fail(x.body, "no '{': 128-bit instructions issue alone");
    pair_open_ = x.opens_pair;
    const bool hex_follows = x.closes_pair && !x.has_hex && hex_ == hex_state::yes;
    if (hex_ == hex_state::open) {
      hex_ = x.has_hex ? hex_state::yes : hex_state::no;
    } else if (!hex_follows && x.has_hex != (hex_ == hex_state::yes)) {
      return fail(x.has_hex ? x.hex - 5 : x.end,
                  x.has_hex ? "no hex: the instructions above have none" : "hex, as behind the instructions above");
    }
    if (hex_ == hex_state::yes && word64 && groups() != n / 3 + 1)
      return fail(x.address_at, "a control word before the group");
    next_ += word64 ? 8 : 16;
    if (word64 && next_ % 32 == 0) next_ += 8;
    hold(x);
    if (hex_ == hex_state::no) return commit();
    if (x.has_hex) {
      held_record_.hex[0] = position(x.hex);
      held_word_[0] = x.word;
      have_words_ = 1;
      if (word64) return commit();
    }
    waiting_ = true;
    return true;
  }

  void hold(const instruction_line& x) {
    held_ = x;
    held_line_ = line_;
    held_number_ = number_;
    text_record r;
    r.begin = position(0);
    r.end = r.labels = r.labels_end = position(x.end);
    r.address = position(x.address_at);
    r.body = position(x.body);
    r.body_end = position(x.body_end);
    r.line = static_cast<std::uint32_t>(number_);
    r.address_digits = static_cast<std::uint8_t>(x.address_digits);
    r.opens_pair = x.opens_pair;
    r.closes_pair = x.closes_pair;
    held_record_ = r;
    held_word_[0] = held_word_[1] = 0;
    have_words_ = 0;
  }

  bool commit() {
    program& p = section();
    if (!held_.closes_pair) held_record_.labels = held_record_.labels_end = held_record_.end;
    const std::string_view body = held_line_.substr(held_.body, held_.operands_end - held_.body);
    const isa::parse_result parsed = isa::parse_instruction(body, form_);
    if (!parsed.ok) return fail_held(held_.body + parsed.column, parsed.expected);
    if (names_virtual(form_)) return fail_held(held_.body + first_virtual(body), "a register that exists");
    const bool hex = have_words_ != 0;
    ww::instruction x = isa::decode(form_, held_word_, hex, dialect_, p.operands);
    x.word[0] = held_word_[0];
    x.word[1] = held_word_[1];
    x.address = held_.address;
    x.source = static_cast<std::uint32_t>(m_.records.size());
    const std::size_t n = p.instructions.size();
    if (!hex) {
      if (held_.opens_pair) {
        x.ctl.stall = 0;
        x.ctl.yield = false;
      }
    } else if (info().word64) {
      x.ctl = sm50_group::decode(sm50_group::extract(control_word_, static_cast<unsigned>(n % 3)));
    } else {
      x.ctl = sm70_128::decode(sm70_128::extract(x.word));
    }
    reference_request request{
        m_, p, x, form_, body, static_cast<std::uint32_t>(m_.sections.size() - 1), static_cast<std::uint32_t>(n)};
    if (held_.table != instruction_line::npos) {
      request.table = held_line_.substr(held_.table, held_.table_end - held_.table);
    }
    if (const char* expected = collect_references(request, references_); expected != nullptr) {
      return fail_held(held_.operands_end, expected);
    }
    p.instructions.push_back(x);
    p.order.push_back(instr_id{static_cast<std::uint32_t>(n)});
    m_.records.push_back(held_record_);
    return true;
  }

  // A listing holds what was encoded; registers from 1024 on are for programs built in memory.
  static bool names_virtual(const isa::asm_instruction& x) {
    bool found = x.guard.is_virtual();
    for (unsigned k = 0; k < x.operand_count; ++k) {
      const isa::asm_operand& o = x.operands[k];
      found = found || o.base.is_virtual() || o.ubase.is_virtual() || o.desc.is_virtual();
    }
    return found;
  }
  // Where the first of them stands in the text.
  static std::size_t first_virtual(std::string_view body) {
    for (std::size_t at = 0; at < body.size();) {
      std::size_t end = at;
      while (end < body.size() && isa::detail::is_word(body[end])) ++end;
      isa::asm_operand o;
      if (end != at && isa::detail::read_register(body.substr(at, end - at), o) && o.base.is_virtual()) return at;
      at = end + (end == at ? 1 : 0);
    }
    return 0;
  }

  sass::module& m_;
  error& error_;
  sm_id sm_ = sm_id::unknown;
  isa::dialect dialect_{};
  hex_state hex_ = hex_state::open;
  bool waiting_ = false;    // a word of the held instruction is still to come
  bool pair_open_ = false;  // '{' seen, '}' not yet
  std::uint32_t next_ = 0;  // address of the next instruction
  std::uint64_t control_word_ = 0;
  std::string_view line_;
  std::uint64_t number_ = 0;
  instruction_line current_;
  instruction_line held_;
  std::string_view held_line_;
  std::uint64_t held_number_ = 0;
  text_record held_record_;
  std::uint64_t held_word_[2] = {0, 0};
  unsigned have_words_ = 0;
  isa::asm_instruction form_;
  std::vector<reference> references_;
};

}  // namespace ww::sass::detail
