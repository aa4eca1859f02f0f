// SPDX-License-Identifier: BSL-1.0
//
// One function of a report: what it costs before and after, why, what that rests on, which blocks it is spent in, and the blocks.
//
//   cost of a block   cycles of one execution for the warps that the kernel is judged for, times its weight. Blocks are
//                     listed by what they cost before scheduling, dearest first; equal ones in layout order
//   in full           the dearest blocks are open, further ones folded. A block is shown as long as rows are left of those that
//                     the page gives to a function; what is left out then is said, and stands in the list of blocks all the same
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "html_block.hpp"

namespace ww::report {

// How much of a kernel is shown: choices of the page, for a browser's sake.
struct html_limits {
  std::size_t open_blocks = 4;        // the dearest ones, unfolded
  std::size_t rows = 6'000;           // instructions in full, both sides together
  std::size_t rows_of_block = 1'500;  // of one side
};

namespace detail {

class html_kernel {
 public:
  html_kernel(std::string& out, const kernel_report& k, std::size_t number, const html_limits& limits)
      : out_(out), m_(out), k_(k), number_(number), limits_(limits) {}

  void write() {
    sort_blocks();
    choose();
    m_.add("<section class=kernel id=k")
        .integer(number_)
        .add(" aria-labelledby=t")
        .integer(number_)
        .add("><h2 id=t")
        .integer(number_);
    m_.add('>').text(k_.name.empty() ? string_view("(no name)") : string_view(k_.name)).add("</h2>\n");
    facts();
    m_.add("<div class=grid><div>");
    figures();
    m_.add("</div><div>");
    reasons();
    m_.add("</div><div>");
    evidences();
    m_.add("</div></div>\n");
    block_list();
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      if (pairs_[n].shown) block(n);
    }
    m_.add("</section>\n");
  }

 private:
  // A block on both sides; one may be missing where a strategy changed the blocks.
  struct pair {
    const timeline_block* before = nullptr;
    const timeline_block* after = nullptr;
    bool shown = false;

    [[nodiscard]] const timeline_block& any() const { return before != nullptr ? *before : *after; }
    [[nodiscard]] double cost() const { return any().weight * any().shared; }
  };

  void sort_blocks() {
    std::uint32_t most = 0;
    for (const timeline* t : {&k_.before, &k_.after}) {
      for (const timeline_block& b : t->blocks) most = std::max(most, b.number + 1);
    }
    std::vector<pair> by_number(most);
    for (const timeline_block& b : k_.before.blocks) by_number[b.number].before = &b;
    for (const timeline_block& b : k_.after.blocks) by_number[b.number].after = &b;
    for (const pair& x : by_number) {
      if (x.before != nullptr || x.after != nullptr) pairs_.push_back(x);
    }
    std::stable_sort(pairs_.begin(), pairs_.end(), [](const pair& x, const pair& y) { return x.cost() > y.cost(); });
  }

  void choose() {
    for (auto* ids : {&shown_before_, &shown_after_}) ids->assign(k_.texts.size(), 0);
    std::size_t left = limits_.rows;
    for (pair& x : pairs_) {
      const std::size_t rows = shown_rows(x.before) + shown_rows(x.after);
      if (rows == 0 || rows > left) continue;
      x.shown = true;
      left -= rows;
      note(k_.before, x.before, shown_before_);
      note(k_.after, x.after, shown_after_);
    }
  }
  [[nodiscard]] std::size_t most_rows() const { return std::min(limits_.rows_of_block, limits_.rows / 2); }
  [[nodiscard]] std::size_t shown_rows(const timeline_block* b) const {
    return b == nullptr ? 0 : std::min<std::size_t>(b->count, most_rows());
  }
  void note(const timeline& t, const timeline_block* b, std::vector<char>& ids) const {
    if (b == nullptr) return;
    const span<const timeline_row> rows = t.rows_of(*b);
    for (std::size_t k = 0; k < rows.size() && k < most_rows(); ++k) {
      if (rows[k].id.index() < ids.size()) ids[rows[k].id.index()] = 1;
    }
  }

  void facts() {
    m_.add("<p class=soft>").text(k_.sm).add(" \xc2\xb7 ").text(k_.file).add(" \xc2\xb7 ");
    m_.counted(k_.before.rows.size(), "instruction", "instructions").add(" in ");
    m_.counted(k_.before.blocks.size(), "block", "blocks").add(" \xc2\xb7 judged for ");
    m_.counted(k_.before.warps, "warp", "warps").add(" of a sub-core</p>\n<p class=lead>");
    const double before = k_.before.shared, after = k_.after.shared;
    if (after == before) {
      m_.add("Scheduling leaves it at <b>").decimal(before).add("</b> cycles");
    } else {
      m_.add("Scheduling takes it from ").decimal(before).add(" to <b>").decimal(after).add("</b> cycles (");
      m_.add(after < before ? "\xe2\x88\x92" : "+")
          .percent(after < before ? before - after : after - before, before)
          .add(')');
    }
    m_.add("; the lower bound is ").decimal(k_.bound).add(".</p>\n");
    for (const std::string& note : k_.notes) m_.add("<p>Note: ").text(note).add(".</p>\n");
  }

  void figure(const char* what, double before, double after) {
    m_.add("<tr><th scope=row>").add(what).add("<td>").decimal(before).add("<td>").decimal(after).add('\n');
  }
  void figures() {
    m_.add(
        "<table><caption>Figures</caption><thead><tr><th scope=col class=l>&nbsp;<th scope=col>Before<th "
        "scope=col>After</thead><tbody>\n");
    m_.add("<tr><th scope=row>Cycles of a warp, ").counted(k_.before.warps, "warp", "warps").add("<td>");
    m_.decimal(k_.before.shared).add("<td>").decimal(k_.after.shared).add('\n');
    if (k_.before.warps != 1) figure("Cycles of one warp alone", k_.before.alone, k_.after.alone);
    m_.add("<tr><th scope=row>Lower bound<td>").decimal(k_.bound).add("<td>").decimal(k_.bound).add('\n');
    figure("Instructions issued, weighted", issued(k_.before), issued(k_.after));
    figure("Live registers, most", k_.before.most_live, k_.after.most_live);
    m_.add("<tr><th scope=row>Registers declared");
    for (int k = 0; k < 2; ++k) {
      m_.add("<td>");
      if (k_.registers != 0) {
        m_.integer(k_.registers);
      } else {
        m_.add("not known");
      }
    }
    m_.add("\n<tr><th scope=row>Blocks in their old order<td>&nbsp;<td>").count(k_.blocks_kept).add(" of ");
    m_.count(k_.before.blocks.size()).add("</tbody></table>\n");
  }
  static double issued(const timeline& t) {
    double n = 0;
    for (const timeline_block& b : t.blocks) n += meta::rounded(b.weight * b.count);
    return n;
  }

  void share(const char* kind, double part, double whole) {
    if (!(part > 0) || !(whole > 0)) return;
    std::string width;
    add_decimal(width, 100 * part / whole);
    m_.add("<i class=").add(kind).add(" style=--n:").add(width.c_str()).add("></i>");
  }

  void reasons() {
    m_.add(
        "<table><caption>Cycles of one warp alone, weighted, by reason</caption><thead><tr><th scope=col class=l>Reason"
        "<th scope=col>Before<th scope=col>After</thead><tbody>\n");
    double lost[2] = {};
    for (const model::stall_reason r : reasons_in_order) {
      const double before = k_.before.alone_reasons[static_cast<unsigned>(r)];
      const double after = k_.after.alone_reasons[static_cast<unsigned>(r)];
      lost[0] += before;
      lost[1] += after;
      m_.add("<tr><th scope=row><span class=\"sw ").add(letter(r)).add("\"></span>").add(words(r));
      m_.add("<td>").decimal(before).add("<td>").decimal(after).add('\n');
    }
    m_.add("<tr><th scope=row><span class=\"sw i\"></span>with an issue<td>").decimal(k_.before.alone - lost[0]);
    m_.add("<td>").decimal(k_.after.alone - lost[1]).add("\n<tr><th scope=row>Share");
    for (const timeline* t : {&k_.before, &k_.after}) {
      m_.add("<td><div class=share aria-hidden=true>");
      double issues = t->alone;
      for (const model::stall_reason r : reasons_in_order) {
        const char kind[2] = {letter(r), '\0'};
        share(kind, t->alone_reasons[static_cast<unsigned>(r)], t->alone);
        issues -= t->alone_reasons[static_cast<unsigned>(r)];
      }
      share("i", issues, t->alone);
      m_.add("</div>");
    }
    m_.add("</tbody></table>\n");
  }

  void evidences() {
    double whole[2] = {};
    for (unsigned e = 0; e < evidence_count; ++e) {
      whole[0] += k_.before.path[e];
      whole[1] += k_.after.path[e];
    }
    m_.add(
        "<table><caption>What the critical paths of the blocks rest on, weighted cycles</caption><thead><tr><th scope=col "
        "class=l>Source"
        "<th scope=col>Cycles<th scope=col>Share</thead><tbody>\n");
    for (unsigned e = 0; e < evidence_count; ++e) {
      const double cycles = k_.after.path[e];
      m_.add("<tr><th scope=row><span class=\"sw e").integer(e).add("\"></span>").add(name(static_cast<evidence>(e)));
      m_.add("<td>").decimal(cycles).add("<td>").percent(cycles, whole[1]).add('\n');
    }
    m_.add("<tr><th scope=row>Share<td colspan=2><div class=share aria-hidden=true>");
    for (unsigned e = 0; e < evidence_count; ++e) {
      const char kind[3] = {'e', static_cast<char>('0' + e), '\0'};
      share(kind, k_.after.path[e], whole[1]);
    }
    m_.add("</div></tbody></table>\n");
  }

  void block_list() {
    double whole = 0;
    std::size_t shown = 0;
    double left_out = 0;
    for (const pair& x : pairs_) {
      whole += x.cost();
      shown += x.shown ? 1u : 0u;
      left_out += x.shown ? 0 : x.cost();
    }
    m_.add("<h3>Blocks, dearest first</h3>");
    if (shown != pairs_.size()) {
      m_.add("<p>").count(shown).add(" of ").counted(pairs_.size(), "block", "blocks").add(" are shown in full; ");
      m_.count(pairs_.size() - shown)
          .add(" with ")
          .percent(left_out, whole)
          .add(" of the cycles are in this list alone.</p>");
    }
    const bool many = k_.before.warps != 1;
    m_.add(
        "<div class=scroll role=region tabindex=0 aria-label=Blocks><table><thead><tr><th scope=col class=l>Block<th "
        "scope=col>Loop depth"
        "<th scope=col>Executions<th scope=col>Instructions<th scope=col>Cycles before<th scope=col>after");
    if (many) m_.add("<th scope=col>alone before<th scope=col>after");
    m_.add(
        "<th scope=col>Critical path<th scope=col>Weighted before<th scope=col>after<th scope=col>Share</thead><tbody>\n");
    for (const pair& x : pairs_) {
      m_.add("<tr><th scope=row>");
      if (x.shown) m_.add("<a href=#k").integer(number_).add('b').integer(x.any().number).add('>');
      m_.add("block ").integer(x.any().number).add(x.shown ? "</a><td>" : "<td>").integer(x.any().loop_depth).add("<td>");
      m_.decimal(x.any().weight).add("<td>").count(x.any().count);
      both(x, [](const timeline_block& b) { return b.shared; });
      if (many) both(x, [](const timeline_block& b) { return b.alone; });
      m_.add("<td>").count(x.any().critical_path);
      both(x, [](const timeline_block& b) { return b.weight * b.shared; });
      m_.add("<td>").percent(x.cost(), whole).add('\n');
    }
    m_.add("</tbody></table></div>\n");
  }
  template <class F>
  void both(const pair& x, F&& f) {
    for (const timeline_block* b : {x.before, x.after}) {
      m_.add("<td>");
      if (b != nullptr) m_.decimal(f(*b));
    }
  }

  void block(std::size_t n) {
    const pair& x = pairs_[n];
    m_.add("<details id=k").integer(number_).add('b').integer(x.any().number);
    m_.add(n < limits_.open_blocks ? " open><summary><h3>Block " : "><summary><h3>Block ")
        .integer(x.any().number)
        .add("</h3><span>");
    m_.counted(x.any().count, "instruction", "instructions");
    if (x.any().loop_depth != 0) m_.add(", loop depth ").integer(x.any().loop_depth);
    double axis = 1;
    for (const timeline_block* b : {x.before, x.after}) {
      if (b == nullptr) continue;
      axis = std::max(axis, b->count > most_rows() ? cut_at(b == x.before ? k_.before : k_.after, *b) : b->alone);
      m_.add(b == x.before ? ", " : " \xe2\x86\x92 ").decimal(b->alone);
    }
    m_.add(" cycles of one warp alone</span></summary><div class=body>\n");
    const auto cycles = static_cast<std::uint64_t>(axis);
    if (x.before != nullptr) {
      write_html_block(out_, {k_, k_.before, side::before, number_, shown_before_, shown_after_}, *x.before, cycles,
                       most_rows());
    }
    if (x.after != nullptr) {
      write_html_block(out_, {k_, k_.after, side::after, number_, shown_after_, shown_before_}, *x.after, cycles,
                       most_rows());
    }
    m_.add("</div></details>\n");
  }

  // Cycles to the end of the last row that is shown.
  [[nodiscard]] double cut_at(const timeline& t, const timeline_block& b) const {
    const span<const timeline_row> rows = t.rows_of(b);
    return most_rows() == 0 ? 0 : static_cast<double>(rows[most_rows() - 1].issue + 1);
  }

  std::string& out_;
  markup m_;
  const kernel_report& k_;
  std::size_t number_;
  html_limits limits_;
  std::vector<pair> pairs_;
  std::vector<char> shown_before_;
  std::vector<char> shown_after_;
};

}  // namespace detail

// The section of the `number`-th function of a page.
inline void write_html_kernel(std::string& out, const kernel_report& k, std::size_t number, const html_limits& limits) {
  detail::html_kernel(out, k, number, limits).write();
}

}  // namespace ww::report
