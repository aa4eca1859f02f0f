// SPDX-License-Identifier: BSL-1.0
//
// Writing a listing whose blocks stand in another order: what layout/ has made of programs that were read from text.
//
//   laid_out   a section of the module, its new program (new words assigned) and where its instructions came from
//   write_laid_out(m, sections, sink)   the text with those sections made anew; all others as they were read
// An instruction's lines move with it. Its address is counted anew, bits 105..125 of its words are those of instruction::ctl, distances of
// branches lead to the new places, and a guard that was turned round is turned in text and words. A label stands in front of the block
// that it stood in front of; a block that is branched to and had none gets one (.L_ww_S_N). Inserted branches, and other instructions
// that come with a text and words of their own, are written in the columns of the section's first instruction; where one stands first in
// its block, what stood in front of the block does so still. Numbers of return addresses are those of the new places; which are
// such is found in the program read, or said (return_numbers).
// Refused by name, before the first piece: listings other than nvdisasm's, 64-bit instructions, live-range columns, other sections
// that name places in the code, control words without hex; and in a section: branches and calls through registers, LEPC, symbolic
// addresses, return addresses that go elsewhere than to RET, targets that words or text do not hold as expected.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../arch/control_format.hpp"
#include "../arch/dialect.hpp"
#include "../ir/block_starts.hpp"
#include "../isa/branch_words.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/span.hpp"
#include "error.hpp"
#include "listing/record_text.hpp"
#include "listing/reuse_text.hpp"
#include "module.hpp"
#include "return_numbers.hpp"

namespace ww::sass {

struct laid_out {
  std::uint32_t section = 0;
  const program* code = nullptr;
  span<const instr_id> came_from;       // by new instruction: the old one, none for an inserted one
  span<const std::string> bodies = {};  // by new instruction, or none: its text where that is new, else empty
  const std::vector<return_number>* return_numbers = nullptr;  // of the old program; null: they are looked for
  bool moves_tables = false;  // tables of branches that hold places in the code are changed by whoever writes them
};

namespace detail {

// One section, made anew.
class laid_out_section {
 public:
  laid_out_section(const sass::module& m, const laid_out& l)
      : m_(m), p_(m.sections[l.section]), q_(*l.code), info_(m.infos[l.section]), l_(l), starts_(q_) {}

  [[nodiscard]] error prepare() {
    if (error e = check_forms(); e) return e;
    new_id_.assign(p_.instructions.size(), instr_id{});
    for (std::uint32_t k = 0; k < q_.instructions.size(); ++k) {
      if (l_.came_from[k].valid()) new_id_[l_.came_from[k].index()] = instr_id{k};
    }
    position_.assign(q_.instructions.size(), 0);
    for (std::uint32_t k = 0; k < q_.order.size(); ++k) position_[q_.order[k].index()] = k;
    old_position_.assign(p_.instructions.size(), 0);
    for (std::uint32_t k = 0; k < p_.order.size(); ++k) old_position_[p_.order[k].index()] = k;
    split_ = dialect_of(p_.sm).split_distance;
    find_labels();
    lines_.resize(q_.order.size());
    for (std::uint32_t k = 0; k < q_.order.size(); ++k) {
      if (error e = make_line(k); e) return e;
    }
    return {};
  }

  // Text of the section from its first record to the end of its last one.
  template <class Sink>
  void write(Sink& sink) const {
    for (const line& l : lines_) {
      sink(std::string_view(l.lead));
      sink(std::string_view(l.text));
    }
  }
  // Does it call functions of its own?
  [[nodiscard]] bool has_calls() const { return calls_; }
  // The words of the new program's instruction at a position, control bits included.
  [[nodiscard]] const std::array<std::uint64_t, 2>& words(std::uint32_t k) const { return lines_[k].word; }
  // Position of the block that an instruction of the new program goes to or names.
  [[nodiscard]] std::uint32_t place_of_target(const instruction& x) const { return target_of(x); }
  [[nodiscard]] std::uint32_t begin() const { return m_.records[info_.first_record].begin; }
  [[nodiscard]] std::uint32_t end() const { return m_.records[info_.first_record + info_.record_count - 1].end; }

 private:
  struct line {
    std::string lead;  // line end, labels and other lines in front of it
    std::string text;
    std::array<std::uint64_t, 2> word{};
  };
  static constexpr std::uint32_t none = 0xffffffffu;

  [[nodiscard]] error refuse(std::uint64_t at, const char* expected, std::string_view found = {}) const {
    return refusal_at(at, expected, found);
  }
  [[nodiscard]] error refuse(const instruction& x, const char* expected) const {
    if (x.source == none) return refuse(info_.line, expected);
    return refuse(m_.record_of(x).line, expected, m_.body_of(x));
  }

  error check_forms() {
    if (m_.form != listing_form::nvdisasm || info_.word64 || info_.live_range_columns || m_.names_places)
      return refuse(info_.line,
                    "a listing of nvdisasm with 128-bit instructions, without other sections that name places in the code");
    if (p_.has_control && !p_.has_encoding) return refuse(info_.line, "hex that can hold the control words");
    if (l_.came_from.size() != q_.instructions.size() || q_.order.size() != q_.instructions.size() || q_.order.empty() ||
        (!l_.bodies.empty() && l_.bodies.size() != q_.instructions.size()))
      return refuse(info_.line, "a new program of this section");
    if (p_.order.size() != info_.record_count || p_.blocks.empty())
      return refuse(info_.line, "the instructions that were read");
    std::vector<std::uint8_t> used(p_.instructions.size(), 0);
    for (std::uint32_t k = 0; k < q_.instructions.size(); ++k) {
      const instr_id old = l_.came_from[k];
      const instruction& x = q_.instructions[k];
      if (!old.valid()) {
        if (body_of(k).empty() ? x.op != opcode::bra || x.has(iflag::guarded) || !x.target.valid() : x.target.valid())
          return refuse(info_.line, "a plain branch where one was inserted, or an instruction with its text");
        continue;
      }
      if (old.index() >= used.size() || used[old.index()] != 0 || p_[old].source != info_.first_record + old.index())
        return refuse(info_.line, "instructions with their text, each once");
      used[old.index()] = 1;
      const bool indirect = x.has(iflag::indirect) && (x.has(iflag::branch) || x.has(iflag::call));
      const std::string_view body = m_.body_of(p_[old]);
      const bool relative = x.has(iflag::ret) && body.find("RET.REL") != std::string_view::npos;
      const bool table = by_table(old);
      const bool symbolic = body.find('@', 1) != std::string_view::npos && !x.target.valid();
      if ((indirect && !table) || symbolic ||
          (!relative && !table && !x.target.valid() && (x.has(iflag::pc_relative) || x.has(iflag::ret))))
        return refuse(p_[old], "no branch through a register and no address in a register");
      calls_ = calls_ || x.has(iflag::call) || x.has(iflag::ret);
    }
    if (!calls_) return {};
    // Numbers stand in the words: without them nothing tells which are addresses.
    std::vector<return_number> numbers;
    if (l_.return_numbers != nullptr) numbers = *l_.return_numbers;
    if (!p_.has_encoding || (l_.return_numbers == nullptr && !find_return_numbers(p_, numbers)))
      return refuse(info_.line, "calls whose return addresses are numbers that go to RET alone");
    call_of_.assign(p_.instructions.size(), instr_id{});
    for (const return_number& n : numbers) {
      if (n.move.index() >= call_of_.size()) return refuse(info_.line, "return addresses of the section's own calls");
      call_of_[n.move.index()] = n.call;
    }
    return {};
  }

  // Names of the places that are branched to, and what stands in front of which instruction.
  void find_labels() {
    const auto section = static_cast<std::uint32_t>(&info_ - m_.infos.data());
    std::vector<std::uint32_t> label_at(p_.order.size() + 1, none);  // by old position
    std::vector<std::string_view> invented_before;                   // of any section
    for (std::uint32_t k = 0; k < m_.labels.size(); ++k) {
      const label& x = m_.labels[k];
      if (m_.name_of(x).substr(0, 6) == ".L_ww_") invented_before.push_back(m_.name_of(x));
      if (x.section == section && x.instruction <= p_.order.size() && label_at[x.instruction] == none)
        label_at[x.instruction] = k;
    }
    newline_ = "\n";
    for (std::uint32_t k = 1; k < info_.record_count; ++k) {
      if (lead_of(k) == "\r\n") newline_ = "\r\n";
    }
    // The lines in front of old position k go in front of the instruction that is its block's number k now.
    std::vector<std::uint32_t> block_at(p_.order.size(), 0);
    std::vector<std::uint32_t> taken(p_.blocks.size(), 0);
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      for (std::uint32_t k = 0; k < p_.blocks[b].count; ++k) block_at[p_.blocks[b].first + k] = b;
    }
    lead_.assign(q_.order.size(), none);
    names_.assign(q_.order.size(), {});
    const auto take = [&](std::uint32_t k, std::uint32_t b) {
      const std::uint32_t place = p_.blocks[b].first + taken[b]++;
      lead_[k] = place;
      if (label_at[place] != none) names_[k] = std::string(m_.name_of(m_.labels[label_at[place]]));
    };
    std::vector<std::uint8_t> starts(q_.order.size(), 0);
    for (const block& b : q_.blocks) starts[b.first] = b.count != 0 ? 1 : starts[b.first];
    std::uint32_t first = none;  // an inserted instruction that its block begins with
    for (std::uint32_t k = 0; k < q_.order.size(); ++k) {
      const instr_id old = l_.came_from[q_.order[k].index()];
      if (starts[k] != 0) first = old.valid() ? none : k;
      if (!old.valid()) continue;
      const std::uint32_t b = block_at[old_position_[old.index()]];
      take(first != none && taken[b] == 0 ? first : k, b);
      first = none;
    }
    std::sort(invented_before.begin(), invented_before.end());
    std::uint32_t invented = 0;
    new_label_.assign(q_.order.size(), 0);
    for (const instr_id id : q_.order) {
      if (!q_[id].target.valid()) continue;
      const std::uint32_t to = target_of(q_[id]);
      if (!names_[to].empty()) continue;
      std::string name;
      do {
        name = ".L_ww_" + std::to_string(section) + "_" + std::to_string(invented++);
      } while (std::binary_search(invented_before.begin(), invented_before.end(), name));
      names_[to] = name;
      new_label_[to] = 1;
    }
  }

  // The text that a new instruction came with, empty if it has none.
  [[nodiscard]] std::string_view body_of(std::uint32_t k) const {
    return l_.bodies.empty() ? std::string_view{} : std::string_view(l_.bodies[k]);
  }
  // Position of the block that an instruction goes to or names.
  [[nodiscard]] std::uint32_t target_of(const instruction& x) const { return position_[starts_(x.target).index()]; }

  // Between the record of an old position and the one before it.
  [[nodiscard]] std::string_view lead_of(std::uint32_t place) const {
    const std::uint32_t from = m_.records[info_.first_record + place - 1].end;
    const std::uint32_t to = m_.records[info_.first_record + place].begin;
    return m_.text.substr(from, to - from);
  }

  error make_line(std::uint32_t k) {
    const instruction& x = q_[q_.order[k]];
    const instr_id old = l_.came_from[q_.order[k].index()];
    line& out = lines_[k];
    if (k != 0) out.lead = lead_[k] != none && lead_[k] != 0 ? std::string(lead_of(lead_[k])) : newline_;
    if (k == 0 && lead_[k] != 0) return refuse(info_.line, "the section to begin with the block that it began with");
    if (new_label_[k] != 0) out.lead += names_[k] + ":" + newline_;
    std::uint64_t word[2] = {x.word[0], x.word[1]};
    std::string body;
    if (!body_of(q_.order[k].index()).empty()) {
      if (x.ctl.reuse != 0) return refuse(info_.line, "no reuse bits of an instruction with a text of its own");
      body = body_of(q_.order[k].index());
    } else if (!old.valid()) {
      body = "BRA `(" + names_[target_of(x)] + ")";
    } else if (error e = edit_body(x, old, body); e) {
      return e;
    }
    if (p_.has_encoding) {
      if (x.target.valid()) {
        const std::int64_t here = std::int64_t{16} * k;
        const std::int64_t there = std::int64_t{16} * target_of(x);
        if (!isa::set_distance(split_, word, there - here - 16))
          return old.valid() ? refuse(p_[old], "a branch whose words hold the distance to its target")
                             : refuse(info_.line, "a distance that fits");
      }
      if (old.valid() && (x.has(iflag::ret) || by_table(old)) &&
          !isa::set_distance(split_, word, -std::int64_t{16} * k - 16))
        return refuse(p_[old], "a branch whose words hold the distance to the beginning of the code");
      if (old.valid() && calls_ && call_of_[old.index()].valid()) {
        const std::uint64_t number = return_address(old);
        word[0] = (word[0] & 0xffffffffu) | number << 32;
      }
      const std::uint32_t control = sm70_128::encode(x.ctl);
      if (!sm70_128::valid(control)) return refuse(info_.line, "control words that hardware defines");
      sm70_128::place(word, control);
    }
    out.word = {word[0], word[1]};
    write_record(m_.text, out.text, m_.records[info_.first_record + (old.valid() ? old.index() : 0)], k, body, word);
    return {};
  }

  error edit_body(const instruction& x, instr_id old, std::string& body) {
    const instruction& was = p_[old];
    std::string_view text = m_.body_of(was);
    if (p_.has_encoding) {
      const unsigned present = sm70_128::decode(sm70_128::extract(was.word)).reuse;
      std::string_view edited;
      if (reuse_.edit(q_, x, text, present, x.ctl.reuse, edited) == reuse_text::outcome::impossible)
        return refuse(was, "reuse bits that the instruction's operands can carry");
      text = edited;
    }
    body = std::string(text);
    if (x.guard_negated != was.guard_negated) {
      if (body.substr(0, 2) != (was.guard_negated != 0 ? "@!" : "@P") &&
          body.substr(0, 2) != (was.guard_negated != 0 ? "@!" : "@U"))
        return refuse(was, "a guard in front of the instruction");
      if (was.guard_negated != 0) {
        body.erase(1, 1);
      } else {
        body.insert(1, "!");
      }
    }
    if (calls_ && call_of_[old.index()].valid()) {
      const std::size_t number = body.rfind("0x");
      const std::string held = "0x" + hex_digits(was.word[0] >> 32, 1);
      if (number == std::string::npos || body.substr(number) != held) return refuse(was, "a number at the end");
      body.replace(number, std::string::npos, "0x" + hex_digits(return_address(old), 1));
    }
    if (by_table(old)) {
      const std::string held = " -0x" + hex_digits(std::uint64_t{16} * old_position_[old.index()] + 16, 1) + " ";
      const std::size_t at = body.find(held);
      if (at == std::string::npos) return refuse(was, "the distance to the beginning of the code");
      body.replace(at, held.size(),
                   " -0x" + hex_digits(std::uint64_t{16} * position_[new_id_[old.index()].index()] + 16, 1) + " ");
    }
    if (x.has(iflag::ret) && !names_beginning(body)) return refuse(was, "a RET relative to the beginning of the section");
    if (!x.target.valid()) return {};
    const std::size_t open = body.rfind("`(");
    const std::size_t close = open == std::string::npos ? open : body.find(')', open);
    if (close == std::string::npos) return refuse(was, "a target in `(..)");
    const std::string_view named = std::string_view(body).substr(open + 2, close - open - 2);
    if (!names_place(named, was.target.index())) return refuse(was, "a target that is a label");
    body.replace(open + 2, close - open - 2, names_[target_of(x)]);
    return {};
  }

  // Is it a branch to places that a table holds?
  [[nodiscard]] bool by_table(instr_id old) const {
    return l_.moves_tables && p_[old].op == opcode::brx && p_.table_of(old) != nullptr;
  }
  // Address behind the call to which the number of an instruction belongs.
  [[nodiscard]] std::uint64_t return_address(instr_id move) const {
    return std::uint64_t{16} * (position_[new_id_[call_of_[move.index()].index()].index()] + 1);
  }

  // Does the text name the beginning of the section, from which addresses are counted?
  [[nodiscard]] bool names_beginning(std::string_view body) const {
    const std::size_t open = body.rfind("`(");
    const std::size_t close = open == std::string_view::npos ? open : body.find(')', open);
    return close != std::string_view::npos && names_place(body.substr(open + 2, close - open - 2), 0);
  }

  // Is it the name of a label in front of an instruction?
  [[nodiscard]] bool names_place(std::string_view name, std::uint32_t place) const {
    const auto section = static_cast<std::uint32_t>(&info_ - m_.infos.data());
    for (const label& x : m_.labels) {
      if (x.section == section && x.instruction == place && m_.name_of(x) == name) return true;
    }
    return false;
  }

  const sass::module& m_;
  const program& p_;
  const program& q_;
  const section_info& info_;
  const laid_out& l_;
  block_starts starts_;
  bool split_ = false;
  bool calls_ = false;             // it calls functions of its own
  std::vector<instr_id> call_of_;  // by old instruction that holds a return address: the call
  std::vector<instr_id> new_id_;   // by old instruction
  reuse_text reuse_;
  std::string newline_;
  std::vector<std::uint32_t> position_;      // by new instruction
  std::vector<std::uint32_t> old_position_;  // by old instruction
  std::vector<std::uint32_t> lead_;          // by new position: the old one whose lead it gets
  std::vector<std::string> names_;           // by new position: the label there
  std::vector<std::uint8_t> new_label_;      // by new position: the label is not in the text yet
  std::vector<line> lines_;
};

}  // namespace detail

// Returns an error that is false if all was written; with an error nothing was written. Each section at most once.
template <class Sink>
[[nodiscard]] error write_laid_out(const sass::module& m, span<const laid_out> sections, Sink&& sink) {
  constexpr std::uint32_t none_given = 0xffffffffu;
  std::vector<std::uint32_t> order(m.sections.size(), none_given);  // by section: index into `sections`
  for (std::uint32_t k = 0; k < sections.size(); ++k) {
    const laid_out& l = sections[k];
    if (l.section >= m.sections.size() || l.section >= m.infos.size() || l.code == nullptr ||
        order[l.section] != none_given) {
      error e;
      e.expected = "sections of the module, each once";
      return e;
    }
    order[l.section] = k;
  }
  std::vector<detail::laid_out_section> made;  // in the order of the file
  made.reserve(sections.size());
  for (const std::uint32_t k : order) {
    if (k == none_given) continue;
    made.emplace_back(m, sections[k]);
    if (error e = made.back().prepare(); e) return e;
  }
  std::uint32_t cursor = 0;
  for (const detail::laid_out_section& s : made) {
    sink(m.text.substr(cursor, s.begin() - cursor));
    s.write(sink);
    cursor = s.end();
  }
  sink(m.text.substr(cursor));
  return {};
}

}  // namespace ww::sass
