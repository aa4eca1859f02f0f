// SPDX-License-Identifier: BSL-1.0
//
// One block of a report: a table with a row for each instruction, before and after, on one axis of cycles.
//
//   why      an instruction that waits says for how long, by which reason, and on whom, with a link to that row. Its cycles,
//            those in which something issues and those behind the block are the block's: the line above the table adds them up
//   bars     what it waited for, its issue, and a thin line until its result has landed (clipped at the end of the axis); a
//            second one until its sources have been read, where a counter tells
//   curve    live general registers, on the same axis
// Rows beyond `most` are left out, and the table says so. Links lead to rows that are on the page only: `shown` says which are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_report.hpp"
#include "markup.hpp"

namespace ww::report {

// What one side of a kernel's report needs to know about the page around it.
struct html_side {
  const kernel_report& kernel;
  const timeline& line;
  side which = side::before;
  std::size_t number = 0;          // of the kernel
  const std::vector<char>& shown;  // by instruction id: has a row on this side
  const std::vector<char>& other;  // has a row on the other side
};

namespace detail {

inline void row_id(markup& m, side s, std::size_t kernel, instr_id id) {
  m.add(s == side::before ? 'b' : 'a').integer(kernel).add('i').integer(id.index());
}

// A distance between the marks of an axis: 1, 2 or 5 times a power of ten, at most eight of them.
[[nodiscard]] inline std::uint64_t mark_distance(std::uint64_t cycles) {
  std::uint64_t step = 1;
  for (unsigned turn = 0; cycles / step >= 8; ++turn) step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

class html_rows {
 public:
  html_rows(std::string& out, const html_side& s, const timeline_block& b, std::uint64_t axis, std::size_t most)
      : m_(out), s_(s), block_(b), axis_(axis), most_(most) {}

  void write() {
    const std::uint64_t step = mark_distance(axis_);
    m_.add("<h4>").add(title(s_.which)).add(" scheduling</h4>");
    sums();
    m_.add("<div class=scroll role=region tabindex=0 aria-label=\"").add(title(s_.which)).add(", block ");
    m_.integer(block_.number).add("\"><table class=tl style=\"--t:").integer(axis_).add(";--g:").integer(step).add("\">");
    head(step);
    m_.add("<tbody>\n");
    std::int64_t previous = -1;
    const span<const timeline_row> rows = s_.line.rows_of(block_);
    for (std::size_t k = 0; k < rows.size() && k < most_; ++k) {
      row(rows[k], k == 0 ? nullptr : &rows[k - 1], previous);
      previous = rows[k].issue;
    }
    m_.add("</tbody></table></div>\n");
    if (rows.size() > most_) {
      m_.add("<p class=soft>The first ")
          .count(most_)
          .add(" of ")
          .count(rows.size())
          .add(" instructions; the others are left out.</p>\n");
    }
  }

 private:
  // "143 cycles = 61 with an issue + 40 barrier + 42 dependence"
  void sums() {
    array<std::uint64_t, model::reason_count> lost{};
    std::uint64_t waited = block_.behind;
    for (const timeline_row& r : s_.line.rows_of(block_)) {
      for (unsigned k = 0; k < model::reason_count; ++k) lost[k] += r.lost[k];
      waited += r.waited();
    }
    const auto cycles = static_cast<std::uint64_t>(block_.alone > 0 ? block_.alone : 0);
    m_.add("<p class=sum>").counted(cycles, "cycle", "cycles").add(" = ");
    m_.count(cycles > waited ? cycles - waited : 0).add(" with an issue");
    for (const model::stall_reason r : reasons_in_order) {
      const std::uint64_t n = lost[static_cast<unsigned>(r)];
      if (n != 0) m_.add(" + ").count(n).add(' ').add(words(r));
    }
    if (block_.behind != 0) m_.add(" + ").count(block_.behind).add(" behind the last instruction");
    m_.add(". Critical path: ").counted(block_.critical_path, "cycle", "cycles").add(".</p>\n");
  }

  void head(std::uint64_t step) {
    m_.add(
        "<thead><tr><th scope=col>Issue<th scope=col class=l>Address<th scope=col class=l>Instruction<th scope=col "
        "class=l>Control"
        "<th scope=col class=l>Pipe<th scope=col class=\"l t\">");
    curve();
    m_.add("<span class=ax aria-hidden=true>");
    for (std::uint64_t at = 0; at < axis_; at += step) m_.add("<b style=--a:").integer(at).add('>').count(at).add("</b>");
    m_.add("</span><th scope=col class=l>Waits for<th scope=col>Lands<th scope=col>Live<th scope=col>Slack</thead>\n");
  }

  // Live registers over the axis: each number holds until the next instruction issues.
  void curve() {
    std::uint32_t most = 1;
    std::uint32_t least = 0xffffffffu;
    const span<const timeline_row> rows = s_.line.rows_of(block_);
    for (const timeline_row& r : rows) {
      most = r.live > most ? r.live : most;
      least = r.live < least ? r.live : least;
    }
    if (rows.empty()) return;
    m_.add("<span class=u><svg role=img preserveAspectRatio=none viewBox=\"0 0 ").integer(axis_).add(' ').integer(most);
    m_.add("\" aria-label=\"Live registers: ").integer(least).add(" to ").integer(most).add("\"><title>Live registers: ");
    m_.integer(least)
        .add(" to ")
        .integer(most)
        .add("</title><path d=\"M0 ")
        .integer(most)
        .add('V')
        .integer(most - rows[0].live);
    std::uint32_t live = rows[0].live;
    for (const timeline_row& r : rows) {
      if (r.live == live || at(r.issue) == axis_) continue;
      m_.add('H').integer(at(r.issue)).add('V').integer(most - r.live);
      live = r.live;
    }
    m_.add('H').integer(axis_).add('V').integer(most).add("z\"/></svg></span>");
  }

  [[nodiscard]] std::uint64_t at(std::int64_t cycle) const {
    const auto place = static_cast<std::uint64_t>(cycle < 0 ? 0 : cycle);
    return place < axis_ ? place : axis_;
  }

  void row(const timeline_row& r, const timeline_row* before, std::int64_t previous) {
    m_.add(r.critical ? "<tr class=x id=" : "<tr id=");
    row_id(m_, s_.which, s_.number, r.id);
    m_.add("><td>").integer(at(r.issue)).add("<td class=\"l m\">");
    if (r.id.index() < s_.other.size() && s_.other[r.id.index()] != 0) {
      m_.add("<a href=#");
      row_id(m_, s_.which == side::before ? side::after : side::before, s_.number, r.id);
      m_.add('>').hex(r.address).add("</a>");
    } else {
      m_.hex(r.address);
    }
    const string_view text = s_.kernel.text_of(r.id);
    m_.add("<td class=\"l m\"");
    if (text.size() > longest_shown) m_.add(" title=\"").text(text).add('"');
    m_.add('>')
        .text(text)
        .add("<td class=\"l m\">")
        .control(r.ctl)
        .add("<td class=l>")
        .add(words(r.pipe))
        .add("<td class=t>");
    bars(r, previous);
    m_.add("<td class=w>");
    why(r, before);
    m_.add("<td>");
    if (r.result > r.issue) m_.integer(static_cast<std::uint64_t>(r.result));
    m_.add("<td>").integer(r.live).add("<td class=s>");
    if (r.critical) {
      m_.add("<abbr title=\"on the critical path\">\xe2\x97\x86</abbr>&nbsp;");
    }
    m_.integer(r.slack).add('\n');
  }

  static constexpr std::size_t longest_shown = 48;  // characters; longer ones are cut by the style, so they are told whole

  void bars(const timeline_row& r, std::int64_t previous) {
    m_.add("<div>");
    std::uint64_t from = at(previous + 1);
    for (const model::stall_reason reason : reasons_in_order) {
      const std::uint64_t n = r.lost[static_cast<unsigned>(reason)];
      if (n == 0) continue;
      bar(letter(reason), from, from + n);
      from += n;
    }
    const std::uint64_t issue = at(r.issue);
    bar('i', issue, issue + 1);
    if (r.result > r.issue + 1) bar('f', issue + 1, at(r.result));
    if (r.read > r.issue + 1) bar('r', issue + 1, at(r.read));
    m_.add("</div>");
  }
  void bar(char kind, std::uint64_t from, std::uint64_t to) {
    if (to <= from) return;
    m_.add("<i class=").add(kind).add(" style=--a:").integer(from).add(";--n:").integer(to - from).add("></i>");
  }

  void why(const timeline_row& r, const timeline_row* before) {
    const instr_id front = before == nullptr ? instr_id{} : before->id;
    for (const model::stall_reason reason : reasons_in_order) {
      const std::uint64_t n = r.lost[static_cast<unsigned>(reason)];
      if (n == 0) continue;
      m_.add("<div>").count(n).add(' ').add(words(reason));
      if (reason == model::stall_reason::barrier && r.counter != control::no_barrier) m_.add(" SB").integer(r.counter);
      const bool named = reason == model::stall_reason::barrier || reason == model::stall_reason::dependence ||
                         reason == model::stall_reason::pipe;
      const instr_id whom = reason == model::stall_reason::barrier      ? r.raiser
                            : reason == model::stall_reason::dependence ? r.writer
                            : reason == model::stall_reason::pipe       ? r.holder
                                                                        : front;
      m_.add(named ? " \xe2\x86\x90 " : " of ");
      whose(whom);
      m_.add("</div>");
    }
  }
  void whose(instr_id id) {
    if (!id.valid()) {
      m_.add("an earlier block");
      return;
    }
    const bool here = id.index() < s_.shown.size() && s_.shown[id.index()] != 0;
    if (here) {
      m_.add("<a href=#");
      row_id(m_, s_.which, s_.number, id);
      m_.add('>');
    }
    const string_view text = s_.kernel.text_of(id);
    std::size_t end = 0;
    if (!text.empty() && text[0] == '@') {
      while (end < text.size() && text[end] != ' ') ++end;
      end += end < text.size() ? 1u : 0u;
    }
    const std::size_t first = end;
    while (end < text.size() && text[end] != ' ' && text[end] != '.') ++end;
    m_.text(text.substr(first, end - first));
    if (id.index() < s_.kernel.addresses.size()) m_.add(' ').hex(s_.kernel.addresses[id.index()]);
    if (here) m_.add("</a>");
  }

  markup m_;
  const html_side& s_;
  const timeline_block& block_;
  std::uint64_t axis_;
  std::size_t most_;
};

}  // namespace detail

// The rows of one side of a block, `most` of them; `axis` in cycles, the same for both sides.
inline void write_html_block(std::string& out, const html_side& s, const timeline_block& b, std::uint64_t axis,
                             std::size_t most) {
  detail::html_rows(out, s, b, axis == 0 ? 1 : axis, most).write();
}

}  // namespace ww::report
