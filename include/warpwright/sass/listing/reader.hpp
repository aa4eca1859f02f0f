// SPDX-License-Identifier: BSL-1.0
//
// The reader of listings: one pass over the lines, one instruction at a time.
//
//   outside   before the first section and between sections      code   inside a code section
//   data      inside any other section: nothing but register counts (EIATTR_REGCOUNT) is looked at
//   ptx       between the code of a fat binary: text for another compiler, which is passed over
// Instruction lines go to code_reader.hpp. References to labels and offsets are collected there and resolved at the end
// of the file (resolver.hpp).
// Everything is kept per file in vectors that grow; nothing is allocated per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../arch/all.hpp"
#include "../error.hpp"
#include "../line_scanner.hpp"
#include "../module.hpp"
#include "code_reader.hpp"
#include "directive.hpp"
#include "instruction_line.hpp"
#include "label_table.hpp"
#include "references.hpp"

namespace ww::sass::detail {

class listing_reader {
 public:
  listing_reader(std::string_view text, sm_id hint, sass::module& m, error& e)
      : scanner_(text), hint_(hint), m_(m), error_(e), code_(m, e) {
    m_.text = text;
    base_ = text.data();
  }

  // False if there is an error; then the module must not be used.
  [[nodiscard]] bool run() {
    if (m_.text.empty()) return fail_file("a listing; the file is empty");
    if (m_.text.size() >= 0xffffff00u) return fail_file("a listing of less than 4 GiB");
    start_sm();
    while (scanner_.next()) {
      if (!line(scanner_.line)) return false;
    }
    switch (scanner_.state) {
      case line_scanner::status::too_long:
        return fail(scanner_.column - 1, "the end of the line within 1 MiB");
      case line_scanner::status::not_utf8:
        return fail(scanner_.column - 1, "UTF-8 text");
      case line_scanner::status::nul:
        return fail(scanner_.column - 1, "text without NUL bytes");
      default:
        break;
    }
    if (in_ == place::code && m_.form == listing_form::cuobjdump) return fail_end("a line of dots behind the function");
    if (!close_section()) return false;
    if (m_.sections.empty()) return fail_end("a listing with at least one code section");
    return true;
  }

  const std::vector<reference>& references() const { return code_.references(); }
  const std::vector<register_note>& register_notes() const { return notes_; }
  const label_table& labels() const { return table_; }
  const std::vector<symbol_note>& symbols() const { return symbols_; }

 private:
  enum class place : std::uint8_t { outside, code, data, ptx };
  // How the text names its SM: flags may be wrong, lines of cuobjdump may lack the letter, .target has all of it.
  enum class said : std::uint8_t { in_flags, without_letter, in_full };

  bool fail(std::size_t at, const char* expected) {
    error_.line = scanner_.number;
    error_.column = at + 1;
    error_.expected = expected;
    error_.set_found(at < scanner_.line.size() ? scanner_.line.substr(at) : std::string_view{});
    return false;
  }
  bool fail_file(const char* expected) {
    error_.expected = expected;
    return false;
  }
  bool fail_end(const char* expected) {  // at the end of what has been read
    error_.line = scanner_.number + (scanner_.state == line_scanner::status::end ? 1 : 0);
    error_.column = 1;
    error_.expected = expected;
    return false;
  }
  std::uint32_t position(std::size_t at) const {
    return static_cast<std::uint32_t>(scanner_.line.data() - base_) + static_cast<std::uint32_t>(at);
  }
  program& section() { return m_.sections.back(); }
  section_info& info() { return m_.infos.back(); }

  bool line(std::string_view s) {
    const std::size_t i = skip_blanks(s, 0);
    if (i == s.size()) return true;
    if (in_ == place::ptx) {
      if (!ends_ptx(s)) return true;
      in_ = place::outside;
    }
    if (s[i] == '/' && i + 1 < s.size() && s[i + 1] == '*') {
      if (in_ != place::data) return instruction(s, i);
      if (const std::size_t stop = s.find("*/", i + 2); stop != std::string_view::npos)
        data_word(s, skip_blanks(s, stop + 2));
      return true;
    }
    if (s[i] == '/' && i + 1 < s.size() && s[i + 1] == '/') return comment(s, i);
    if (s[i] == '.' && i > 0) return s.substr(i, 4) == "...." ? dots(s, i) : dot_word(s, i);
    if (in_ == place::data) return true;
    if (i == 0 && is_name_start(s[0])) {
      const std::size_t n = name_length(s, 0);
      const std::size_t colon = label_colon(s, n);
      if (colon < s.size()) return label_line(s, n, colon + 1);
    }
    return other(s, i);
  }

  // Where the colon of a label line stands, behind a name that ends at `n`; the size of the line: it has none. A comment may stand
  // before it (observed: name  /* (* "instr/R-regs: 15 instructions, 12 R-regs" *)*/  : by ptxas 13.5 --compiler-annotations).
  static std::size_t label_colon(std::string_view s, std::size_t n) {
    std::size_t at = n;
    for (std::size_t from = skip_blanks(s, at); s.substr(from, 2) == "/*"; from = skip_blanks(s, at)) {
      const std::size_t stop = s.find("*/", from + 2);
      if (stop == std::string_view::npos) return s.size();
      at = stop + 2;
    }
    if (at != n) at = skip_blanks(s, at);
    return at < s.size() && s[at] == ':' ? at : s.size();
  }

  bool comment(std::string_view s, std::size_t i) {
    constexpr std::string_view banner = "//---------------------";
    if (i == 0 && s.substr(0, banner.size()) == banner) {
      if (!close_section()) return false;
      in_ = place::outside;
      banner_ = true;
    } else if (in_ == place::code) {
      constexpr std::string_view source = "//## File ";
      if (s.substr(i, source.size()) == source) m_.source_lines = true;
    } else if (in_ == place::data) {
      if (const std::size_t at = s.find("EIATTR_"); at != std::string_view::npos) {
        regcount_ = s.substr(at, 15) == "EIATTR_REGCOUNT";
        regname_ = {};
        if (s.find("_OFFSETS", at) != std::string_view::npos) m_.names_places = true;
      }
    }
    return true;
  }

  // Inside .nv.info: .word index@(NAME), then .word COUNT.
  void data_word(std::string_view s, std::size_t i) {
    constexpr std::string_view head = ".word";
    if (!regcount_ || s.substr(i, head.size()) != head) return;
    const std::string_view value = s.substr(skip_blanks(s, i + head.size()));
    constexpr std::string_view index = "index@(";
    if (value.substr(0, index.size()) == index) {
      const std::size_t stop = value.find(')');
      if (stop != std::string_view::npos) regname_ = value.substr(index.size(), stop - index.size());
    } else if (!regname_.empty()) {
      std::uint64_t count = 0;
      if (read_number(value, count) && count < 0x10000) notes_.push_back({regname_, static_cast<std::uint32_t>(count)});
      regname_ = {};
    }
  }

  bool dot_word(std::string_view s, std::size_t i) {
    const directive d = read_directive(s, i);
    if (d.word.empty()) return fail(i, "a directive");
    if (d.word == ".section") return open_section(d);
    if (in_ == place::data) return true;
    if (d.word == ".set" || d.word == ".equ" || d.word == ".equiv")
      return fail(i, "no alias of a label; nvdisasm prints none");
    if (d.word == ".headerflags") {
      // Flags that can be read are right, but for a letter that they lack; the caller may name the SM whose rules serve the one
      // that they say.
      const sm_id id = sm_of_flags(d.rest);
      const bool same = id == sm_id::unknown || hint_ == sm_id::unknown || nearest_sm(id) == nearest_sm(hint_);
      note_sm(id, "header flags", said::in_flags);
      return same || agrees(id, true) || fail_sm(d.rest_at, "flags of the SM that the caller named", id);
    }
    if (d.word == ".target") {
      const sm_id id = read_sm(d.rest);
      if (id == sm_id::unknown) return fail(d.rest_at, "sm_NN");
      return note_sm(id, ".target directive", said::in_full) || fail_sm(d.rest_at, "the SM that the caller named", id);
    }
    if (in_ != place::code) return true;
    if (d.word == ".sectioninfo") {
      std::uint64_t n = 0;
      constexpr std::string_view key = "SHI_REGISTERS=";
      const std::size_t at = d.rest.find(key);
      if (at != std::string_view::npos && read_decimal(d.rest.substr(at + key.size()), n) && n < 0x10000) {
        section().register_count = static_cast<std::uint32_t>(n);
      }
      return true;
    }
    return symbol_directive(d);
  }

  // .type NAME,@function  .other NAME,@"STO_CUDA_ENTRY .."  .size NAME,(END - NAME)
  bool symbol_directive(const directive& d) {
    const bool type = d.word == ".type";
    const bool other = d.word == ".other";
    if (!type && !other && d.word != ".size") return true;
    const std::size_t comma = d.rest.find(',');
    if (comma == std::string_view::npos) return fail(d.rest_at, "NAME, and a value");
    const std::string_view name = d.rest.substr(0, comma);
    const std::string_view value = d.rest.substr(comma + 1);
    const auto current = static_cast<std::uint32_t>(m_.sections.size() - 1);
    if (type && value.substr(0, 9) == "@function") {
      symbols_.push_back({name, current, scanner_.number, symbol_kind::function});
    } else if (other && value.find("STO_CUDA_ENTRY") != std::string_view::npos) {
      symbols_.push_back({name, current, scanner_.number, symbol_kind::kernel});
    } else if (d.word == ".size" && value.size() > 1 && value[0] == '(') {
      const std::size_t n = name_length(value, 1);
      if (n > 1) symbols_.push_back({value.substr(1, n - 1), current, scanner_.number, symbol_kind::size_end});
    }
    return true;
  }

  bool open_section(const directive& d) {
    if (!close_section()) return false;
    std::size_t n = d.rest.find_first_of(", \t");
    if (n == std::string_view::npos) n = d.rest.size();
    std::string_view name = d.rest.substr(0, n);
    constexpr std::string_view text = ".text";
    if (name.substr(0, text.size()) != text || (name.size() > text.size() && name[text.size()] != '.')) {
      in_ = place::data;
      regcount_ = false;
      constexpr std::string_view debug = ".debug_";
      if (name.substr(0, debug.size()) == debug) m_.names_places = true;
      return true;
    }
    name.remove_prefix(name.size() > text.size() ? text.size() + 1 : 0);
    begin_section(name);
    return true;
  }

  bool label_line(std::string_view s, std::size_t n, std::size_t behind) {
    instruction_line unused;
    line_fault fault;
    if (!read_line_end(s, behind, unused, fault)) return fail(fault.at, fault.expected);
    if (in_ != place::code) return fail(0, "a label inside a code section");
    if (code_.waiting() && !code_.waits_for_pair()) return fail(0, "the second word of the instruction above");
    if (unused.columns) info().live_range_columns = true;
    label l;
    l.name = position(0);
    l.name_length = static_cast<std::uint32_t>(n);
    l.section = static_cast<std::uint32_t>(m_.sections.size() - 1);
    l.instruction = static_cast<std::uint32_t>(section().instructions.size()) + (code_.waiting() ? 1u : 0u);
    l.line = static_cast<std::uint32_t>(scanner_.number);
    m_.labels.push_back(l);
    if (code_.waiting()) code_.pass_label(position(s.size()));
    return table_.insert(m_, static_cast<std::uint32_t>(m_.labels.size() - 1)) ||
           fail(0, "a label that is not defined above");
  }

  // Lines that only cuobjdump prints.
  bool other(std::string_view s, std::size_t i) {
    const std::string_view rest = s.substr(i);
    constexpr std::string_view function = "Function : ";
    constexpr std::string_view code = "code for ";
    if (rest.substr(0, code.size()) == code) {
      const sm_id id = read_sm(rest.substr(code.size()));
      if (id == sm_id::unknown) return fail(i + code.size(), "sm_NN");
      return note_sm(id, "'code for' line", said::without_letter) ||
             fail_sm(i + code.size(), "the SM that the caller named", id);
    }
    if (rest.substr(0, function.size()) == function) {
      if (in_ == place::code) return fail(i, "a line of dots behind the function above");
      if (banner_) return fail(i, "a directive or an instruction");
      m_.form = listing_form::cuobjdump;
      const std::size_t n = name_length(s, i + function.size());
      if (n == i + function.size()) return fail(n, "a function name");
      begin_section(s.substr(i + function.size(), n - i - function.size()));
      return true;
    }
    if (in_ == place::outside && !banner_ && m_.form != listing_form::raw && is_fat_binary_head(rest)) {
      if (begins_ptx(s)) in_ = place::ptx;
      return true;
    }
    return fail(i, in_ == place::code ? "an instruction, a label or a directive" : "a section, a label or a directive");
  }

  bool dots(std::string_view, std::size_t i) {
    if (in_ == place::data) return true;
    if (in_ != place::code || m_.form != listing_form::cuobjdump) return fail(i, "a directive");
    if (!close_section()) return false;
    in_ = place::outside;
    return true;
  }

  bool instruction(std::string_view s, std::size_t i) {
    if (in_ == place::outside) {
      if (banner_ || m_.form == listing_form::cuobjdump) return fail(i, "a section before the first instruction");
      m_.form = listing_form::raw;
      begin_section({});
    }
    return code_.read(s, scanner_.number, i);
  }

  void begin_section(std::string_view name) {
    in_ = place::code;
    code_.begin(name, scanner_.number, sm_);
  }

  bool close_section() {
    if (in_ != place::code) return true;
    if (const char* missing = code_.close(); missing != nullptr) return fail_end(missing);
    in_ = place::outside;
    return true;
  }

  void start_sm() {
    sm_ = hint_;
    m_.sm_source = hint_ != sm_id::unknown ? "the caller" : "the listing names no SM that can be trusted";
  }

  // False if a name that is to be trusted contradicts the caller. A family letter is not printed by every tool.
  bool note_sm(sm_id id, const char* source, said how) {
    if (id == sm_id::unknown) return true;
    if (hint_ != sm_id::unknown) return how == said::in_flags || agrees(id, how == said::without_letter);
    sm_ = id;
    m_.sm_source = source;
    return true;
  }
  // What the text says is what the caller named; where only one of the two has a letter the rules must be the same, unless it is
  // the text that lacks it, where some tools print none.
  [[nodiscard]] bool agrees(sm_id id, bool may_lack_letter) const {
    const auto text = static_cast<unsigned>(id);
    if (text / 10 != static_cast<unsigned>(hint_) / 10) return false;
    return nearest_sm(id) == nearest_sm(hint_) || (may_lack_letter && text % 10 == 0);
  }
  bool fail_sm(std::size_t at, const char* expected, sm_id id) {
    fail(at, expected);
    error_.detail = sm_name(hint_);
    error_.set_found(sm_name(id));
    return false;
  }

  line_scanner scanner_;
  sm_id hint_;
  sass::module& m_;
  error& error_;
  code_reader code_;
  const char* base_ = nullptr;
  sm_id sm_ = sm_id::unknown;
  place in_ = place::outside;
  bool banner_ = false;    // section heads have been seen: not a raw binary, not cuobjdump
  bool regcount_ = false;  // inside a register count of .nv.info
  std::string_view regname_;
  label_table table_;
  std::vector<register_note> notes_;
  std::vector<symbol_note> symbols_;
};

}  // namespace ww::sass::detail
