// SPDX-License-Identifier: BSL-1.0
//
// The steps of write_listing(): what changed, whether it can be written, and the pieces of the new text.
//
// A place is a position of the order; its text is that of the instruction which stood there when the listing was read. The
// new text is the old one from `cursor` on, with the places that changed cut out and replaced.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../arch/control_format.hpp"
#include "../error.hpp"
#include "../module.hpp"
#include "reuse_text.hpp"

namespace ww::sass::detail {

class listing_patcher {
 public:
  explicit listing_patcher(const sass::module& m) : m_(m) {}

  [[nodiscard]] error check() {
    if (m_.infos.size() != m_.sections.size()) return refuse(0, "as many sections as were read");
    for (std::size_t s = 0; s < m_.sections.size(); ++s) {
      if (error e = check_section(m_.sections[s], m_.infos[s]); e) return e;
    }
    return {};
  }

  template <class Sink>
  void run(Sink& sink) {
    std::uint32_t cursor = 0;
    for (std::size_t s = 0; s < m_.sections.size(); ++s) {
      const program& p = m_.sections[s];
      const section_info& info = m_.infos[s];
      if (info.word64 && unchanged(p, info)) continue;
      const bool braces = prints_braces(info);
      bool before = false;  // the place before opens a pair; pairs do not chain
      for (std::uint32_t k = 0; k < p.order.size(); ++k) {
        if (info.word64 && info.group_count != 0 && k % 3 == 0) {
          const std::uint32_t at = m_.control_words[info.first_group + k / 3];
          const std::uint64_t word = group_word(p, k, read_word(at));
          cursor = replace_word(sink, cursor, at, word);
        }
        const text_record& place = m_.records[info.first_record + k];
        const instruction& x = p[p.order[k]];
        const bool opens = braces && !before && dual(x) && k + 1 < p.order.size();
        const bool closes = before;
        before = opens;
        const bool same_line = p.order[k].index() == k &&
                               (!braces || (opens == place.opens_pair && closes == place.closes_pair)) &&
                               (!info.word64 || old_reuse(p, info, x) == x.ctl.reuse);
        if (same_line && (info.word64 || !p.has_encoding || control_of(x) == sm70_128::extract(x.word))) continue;
        sink(m_.text.substr(cursor, place.begin - cursor));
        if (info.word64) {
          std::string_view body;
          (void)reuse_.edit(p, x, m_.body_of(x), old_reuse(p, info, x), x.ctl.reuse, body);
          write_short(sink, place, x, body, braces, opens, closes);
        } else {
          write_wide(sink, p, place, x);
        }
        cursor = place.end;
      }
    }
    sink(m_.text.substr(cursor));
  }

 private:
  static std::uint32_t control_of(const instruction& x) { return sm70_128::encode(x.ctl); }

  error refuse(std::uint64_t line, const char* expected, std::string_view found = {}) const {
    return refusal_at(line, expected, found);
  }
  error refuse(const instruction& x, const char* expected) const {
    return refuse(m_.record_of(x).line, expected, m_.body_of(x));
  }

  bool prints_braces(const section_info& info) const {
    if (!info.word64) return false;
    for (std::uint32_t k = 0; k < info.record_count; ++k) {
      if (m_.records[info.first_record + k].opens_pair) return true;
    }
    return false;
  }
  // As read; what the text says about pairs is then right even where the control words say something else.
  bool unchanged(const program& p, const section_info& info) const {
    for (std::uint32_t k = 0; k < p.order.size(); ++k) {
      const instruction& x = p.instructions[k];
      if (p.order[k].index() != k) return false;
      if (info.group_count != 0 ? control_of(x) != old_short(info, k) : dual(x) != m_.records[x.source].opens_pair)
        return false;
    }
    return true;
  }
  // sm_50..62: stall 0 without yield issues together with the next instruction (facts: hardware 1.4).
  static bool dual(const instruction& x) { return x.ctl.stall == 0 && !x.ctl.yield; }

  error check_section(const program& p, const section_info& info) {
    const auto n = static_cast<std::uint32_t>(p.order.size());
    if (n != info.record_count || p.instructions.size() != n) return refuse(info.line, "the instructions that were read");
    moved_.assign(n, 0);
    bool reordered = false;
    bool changed = false;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t id = p.order[k].index();
      if (id >= n || moved_[id] != 0) return refuse(info.line, "an order that names each instruction once");
      moved_[id] = 1;
      const instruction& x = p.instructions[id];
      if (x.source != info.first_record + id) return refuse(info.line, "instructions with their text");
      if (id != k) {
        reordered = true;
        // An exit may slide: it names no place. It stays the last one of its block (check_blocks).
        constexpr auto fixed =
            static_cast<std::uint32_t>(iflag::pc_relative) | static_cast<std::uint32_t>(iflag::ends_block);
        if (((x.flags & fixed) != 0 && !plain_exit(x)) || x.target.valid())
          return refuse(x, "an instruction that depends on its address in its old place");
      }
      const bool new_control = p.has_encoding && (info.word64 ? control_of(x) != old_short(info, id)
                                                              : control_of(x) != sm70_128::extract(x.word));
      if (!p.has_encoding && p.has_control) return refuse(x, "no control words: the text has no hex to hold them");
      changed = changed || id != k || new_control;
      std::string_view unused;
      if (reuse_.edit(p, x, m_.body_of(x), old_reuse(p, info, x), x.ctl.reuse, unused) == reuse_text::outcome::impossible)
        return refuse(x, "reuse bits that the instruction's operands can carry");
    }
    if (changed && info.live_range_columns) return refuse(info.line, "no change: the text has live-range columns");
    if (!reordered) return {};
    if (p.blocks.empty()) return refuse(info.line, "basic blocks, for a new order");
    return check_blocks(p, info);
  }

  static bool plain_exit(const instruction& x) {
    return x.has(iflag::exit) && !x.has(iflag::pc_relative) && !x.has(iflag::branch) && !x.target.valid();
  }

  // No instruction may cross a label or a place that something points at. Where two blocks meet without one, behind an
  // exit that not every thread takes, it may (strategy::global_motion); whether it should is for who moved it to know.
  error check_blocks(const program& p, const section_info& info) {
    const auto n = static_cast<std::uint32_t>(p.order.size());
    std::vector<std::uint8_t>& named = moved_;
    named.assign(std::size_t{n} + 1, 0);
    const auto name = [&](instr_id t) {
      if (t.valid() && t.index() < n) named[t.index()] = 1;
    };
    for (const instruction& x : p.instructions) name(x.target);
    for (const instr_id t : p.table_targets) name(t);
    for (const instr_id t : p.leaders) name(t);
    for (const function& f : p.functions) name(f.entry);
    const auto section = static_cast<std::uint32_t>(&info - m_.infos.data());
    for (const label& l : m_.labels) {
      if (l.section == section && l.instruction <= n && !l.attached) named[l.instruction] = 1;
    }
    std::uint32_t covered = 0;
    std::uint32_t highest = 0;
    for (const block& b : p.blocks) {
      if (b.count == 0 || b.first != covered || b.count > n - b.first)
        return refuse(info.line, "blocks that cover the order");
      covered = b.first + b.count;
      for (std::uint32_t k = b.first; k < covered; ++k) {
        const instruction& x = p[p.order[k]];
        highest = std::max(highest, p.order[k].index());
        if (x.has(iflag::ends_block) && k + 1 != covered)
          return refuse(x, "an instruction inside its own block, at its end");
        if (highest == k || k + 1 == n) continue;
        // the place behind k is crossed
        const bool between_blocks = k + 1 == covered;
        if (named[k + 1] != 0 || (between_blocks && !plain_exit(x))) return refuse(x, "an instruction inside its own block");
      }
    }
    return covered == n ? error{} : refuse(info.line, "blocks that cover the order");
  }

  std::uint32_t old_short(const section_info& info, std::uint32_t id) const {
    if (info.group_count == 0)
      return control_of(m_.sections[static_cast<std::size_t>(&info - m_.infos.data())].instructions[id]);
    return sm50_group::extract(read_word(m_.control_words[info.first_group + id / 3]), id % 3);
  }

  // As the control word had them that was read; where none was, as they are.
  unsigned old_reuse(const program& p, const section_info& info, const instruction& x) const {
    if (!info.word64) return p.has_encoding ? sm70_128::decode(sm70_128::extract(x.word)).reuse : x.ctl.reuse;
    return info.group_count == 0 ? x.ctl.reuse : sm50_group::decode(old_short(info, x.source - info.first_record)).reuse;
  }

  std::uint64_t read_word(std::uint32_t at) const {
    std::uint64_t v = 0;
    for (std::uint32_t i = 0; i < 16; ++i) v = (v << 4) | hex_digit(m_.text[at + i]);
    return v;
  }

  static std::uint64_t group_word(const program& p, std::uint32_t k, std::uint64_t word) {
    for (std::uint32_t i = 0; i < 3 && k + i < p.order.size(); ++i) {
      word = sm50_group::place(word, i, sm50_group::encode(p[p.order[k + i]].ctl));
    }
    return word;
  }

  struct digits {
    std::array<char, 16> text{};
    explicit digits(std::uint64_t v) {
      for (unsigned i = 0; i < 16; ++i) text[15 - i] = "0123456789abcdef"[(v >> (4 * i)) & 15u];
    }
    [[nodiscard]] std::string_view all() const { return {text.data(), 16}; }
    // At least four digits.
    [[nodiscard]] std::string_view address() const {
      std::size_t first = 0;
      while (first < 12 && text[first] == '0') ++first;
      return {text.data() + first, 16 - first};
    }
  };

  template <class Sink>
  std::uint32_t replace_word(Sink& sink, std::uint32_t cursor, std::uint32_t at, std::uint64_t word) const {
    if (read_word(at) == word) return cursor;
    sink(m_.text.substr(cursor, at - cursor));
    sink(digits(word).all());
    return at + 16;
  }

  std::uint32_t address_of(const text_record& place) const {
    std::uint32_t v = 0;
    for (std::uint32_t i = 0; i < place.address_digits; ++i) v = (v << 4) | hex_digit(m_.text[place.address + i]);
    return v;
  }

  template <class Sink>
  void blanks(Sink& sink, std::size_t n) const {
    constexpr std::string_view some = "                                                                ";
    for (; n > some.size(); n -= some.size()) sink(some);
    sink(some.substr(0, n));
  }

  // What stands between the body of a line and its hex, as wide as it has to be behind `body`; where it ends in what was read.
  template <class Sink>
  std::uint32_t keep_column(Sink& sink, const text_record& r, std::string_view body) const {
    if (r.hex[0] == text_record::none) return r.body_end;
    const std::uint32_t comment = r.hex[0] - 5;  // "/* 0x"
    std::uint32_t stop = comment;
    while (stop > r.body_end && is_blank(m_.text[stop - 1])) --stop;
    if (m_.text[stop - 1] == '\n') return r.body_end;  // behind the '}' of a pair: on a line of its own
    const std::size_t gap = comment - stop + (r.body_end - r.body);
    sink(m_.text.substr(r.body_end, stop - r.body_end));
    blanks(sink, gap > body.size() ? gap - body.size() : 1);
    return comment;
  }

  // Lines of x with the address of `place` and x's control word.
  template <class Sink>
  void write_wide(Sink& sink, const program& p, const text_record& place, const instruction& x) {
    const text_record& r = m_.record_of(x);
    sink(m_.text.substr(r.begin, r.address - r.begin));
    sink(digits(address_of(place)).address());
    const std::uint32_t behind = r.address + r.address_digits;
    if (!p.has_encoding) {
      sink(m_.text.substr(behind, r.end - behind));
      return;
    }
    std::uint64_t word[2] = {x.word[0], x.word[1]};
    sm70_128::place(word, control_of(x));
    sink(m_.text.substr(behind, r.body - behind));
    std::string_view body;
    (void)reuse_.edit(p, x, m_.body_of(x), sm70_128::decode(sm70_128::extract(x.word)).reuse, x.ctl.reuse, body);
    sink(body);
    const std::uint32_t comment = keep_column(sink, r, body);
    sink(m_.text.substr(comment, 5));
    sink(digits(word[0]).all());
    sink(m_.text.substr(r.hex[0] + 16, r.hex[1] - r.hex[0] - 16));
    sink(digits(word[1]).all());
    sink(m_.text.substr(r.hex[1] + 16, r.end - r.hex[1] - 16));
  }

  // One 64-bit instruction, with the text `body`. Where the listing prints braces, its line is made anew:
  //   address, 9 blanks, '{' or blank, 9 blanks, body, then " ;" and the hex, or 9 blanks, '}' and the hex on the next line.
  template <class Sink>
  void write_short(Sink& sink, const text_record& place, const instruction& x, std::string_view body, bool braces,
                   bool opens, bool closes) const {
    const text_record& r = m_.record_of(x);
    sink(m_.text.substr(r.begin, r.address - r.begin));
    sink(digits(address_of(place)).address());
    const std::uint32_t behind = r.address + r.address_digits;
    if (!braces || (opens == r.opens_pair && closes == r.closes_pair)) {
      sink(m_.text.substr(behind, r.body - behind));
      sink(body);
      const std::uint32_t from = keep_column(sink, r, body);
      sink(m_.text.substr(from, r.labels - from));
      sink(labels_at(place));
      sink(m_.text.substr(r.labels_end, r.end - r.labels_end));
      return;
    }
    const std::uint32_t lead = r.body - behind - 2;  // blanks (and a brace) between "*/" and the body
    sink(m_.text.substr(behind, 2));
    if (opens) {
      const std::uint32_t half = lead / 2;
      blanks(sink, half);
      sink(std::string_view("{"));
      blanks(sink, lead - half - 1);
    } else {
      blanks(sink, lead);
    }
    sink(body);
    const bool hex = r.hex[0] != text_record::none;
    if (closes) {
      sink(std::string_view("         }"));
      sink(labels_at(place));
      if (!hex) return;
      sink(std::string_view("\n"));
      blanks(sink, hex_column());
    } else {
      const bool tight = body == "NOP";
      sink(tight ? std::string_view(";") : std::string_view(" ;"));
      if (!hex) return sink(labels_at(place));
      const std::size_t used = r.body - r.begin + body.size() + (tight ? 1 : 2);
      blanks(sink, hex_column() > used ? hex_column() - used : 1);
    }
    sink(m_.text.substr(r.hex[0] - 5, 24));
    if (!closes) sink(labels_at(place));
  }
  // The labels that stand inside the text of a place: they stay.
  std::string_view labels_at(const text_record& place) const {
    return m_.text.substr(place.labels, place.labels_end - place.labels);
  }

  // Column of "/* 0x", one per file: that of the first control word.
  std::size_t hex_column() const {
    if (m_.control_words.empty()) return 0;
    const std::uint32_t at = m_.control_words.front() - 5;
    std::uint32_t start = at;
    while (start > 0 && m_.text[start - 1] != '\n') --start;
    return at - start;
  }

  const sass::module& m_;
  reuse_text reuse_;
  std::vector<std::uint8_t> moved_;
};

}  // namespace ww::sass::detail
