// SPDX-License-Identifier: BSL-1.0
//
// Pages, traces and graphs as text: escapes, figures, what is shown and what is left out.
#include <cstdio>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/report/all.hpp"

namespace {

using ww::report::kernel_report;
using ww::report::side;

std::string html(const char* text) {
  std::string out;
  ww::report::escape_html(out, text);
  return out;
}
std::string json(ww::string_view text) {
  std::string out;
  ww::report::escape_json(out, text);
  return out;
}
std::string dot(const char* text) {
  std::string out;
  ww::report::escape_dot(out, text);
  return out;
}
std::string decimal(double x) {
  std::string out;
  ww::report::add_decimal(out, x);
  return out;
}
std::string control(const ww::control& c) {
  std::string out;
  ww::report::add_control(out, c);
  return out;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

kernel_report report_of(const std::string& lines, const char* name) {
  ww::program p = ww_test::program_of<ww::sm80>(lines);
  p.instructions[0].ctl.stall = 9;  // so that somebody waits
  kernel_report k;
  k.name = name;
  k.sm = "sm_80";
  k.file = "in<put>.sass";
  for (const ww::instruction& i : p.instructions) {
    k.texts.push_back("OP <" + std::to_string(k.texts.size()) + "> \"\\");
    k.addresses.push_back(i.address);
  }
  ww::report::make_timeline<ww::sm80>(p, 4, k.before);
  ww::report::make_timeline<ww::sm80>(p, 4, k.after);
  return k;
}

std::string page_of(const std::vector<kernel_report>& kernels, ww::report::html_limits limits) {
  std::string out;
  ww::report::write_html_page(out, ww::span<const kernel_report>(kernels.data(), kernels.size()), limits);
  return out;
}

constexpr const char* nasty = "k<er>n&\"e'l\\ \x01\n\xc3\xa9 \xff";

}  // namespace

TEST_CASE("report: any bytes as text of a page, of JSON and of a label") {
  CHECK(html("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(html("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(html("\xff\xc3") == "\xc3\xbf\xc3\x83");              // bytes that are no characters
  CHECK(html("\xed\xa0\x80") == "\xc3\xad\xc2\xa0\xc2\x80");  // half of a pair is none either
  CHECK(html("\xf5\xe0\x80\x80") == "\xc3\xb5\xc3\xa0\xc2\x80\xc2\x80");
  CHECK(html("\x01\n\x7f") == "\xe2\x90\x81\xe2\x90\x8a\xe2\x90\xa1");
  CHECK(json("\"\\/\n\x7f") == "\\\"\\\\/\\u000a\\u007f");
  CHECK(json(ww::string_view("\0x", 2)) == "\\u0000x");
  CHECK(json("\xff") == "\xc3\xbf");
  CHECK(dot("\"\\N&amp;") == "\\\"\\\\N&amp;amp;");
  CHECK(dot("a\nb") ==
        "a\xe2\x90\x8a"
        "b");
}

TEST_CASE("report: figures") {
  CHECK(decimal(0) == "0");
  CHECK(decimal(0.04) == "0");
  CHECK(decimal(-0.04) == "0");
  CHECK(decimal(0.05) == "0.1");
  CHECK(decimal(-12.34) == "-12.3");
  CHECK(decimal(999.96) == "1,000");
  CHECK(decimal(9999.94) == "9,999.9");
  CHECK(decimal(9999.96) == "10,000");
  CHECK(decimal(1234567.8) == "1,234,568");
  CHECK(decimal(1e300) == "1,000,000,000,000,000");
  CHECK(decimal(__builtin_nan("")) == "0");
  std::string out;
  ww::report::add_hex(out, 0x40);
  ww::report::add_hex(out, 0x12340);
  CHECK(out == "0x00400x12340");
  CHECK(control({.stall = 4, .yield = true, .read_barrier = 2, .wait_mask = 0x13, .reuse = 3}) == "01--4-:R2:W-:Y:S04:ab");
  CHECK(control({.stall = 12, .write_barrier = 5}) == "------:R-:W5:-:S12");
  CHECK(ww::report::without_reuse("FFMA R2, R3.reuse, R4.reuse, R5") == "FFMA R2, R3, R4, R5");
  CHECK(ww::report::detail::mark_distance(7) == 1);
  CHECK(ww::report::detail::mark_distance(15) == 2);
  CHECK(ww::report::detail::mark_distance(16) == 5);
  CHECK(ww::report::detail::mark_distance(79) == 10);
  CHECK(ww::report::detail::mark_distance(100) == 20);
  CHECK(ww::report::detail::mark_distance(4000000000) == 1000000000);
}

TEST_CASE("report: a page tells names as they are, and nothing of them is markup") {
  const std::vector<kernel_report> kernels{report_of("MOV R2, 0x1\nFADD R3, R2, R2\nEXIT\n", nasty)};
  const std::string page = page_of(kernels, {});
  CHECK(page.find("k<er>") == std::string::npos);
  CHECK(times(page, "k&lt;er&gt;n&amp;&quot;e&#39;l\\ \xe2\x90\x81\xe2\x90\x8a\xc3\xa9 \xc3\xbf") ==
        3);  // title, list, heading
  CHECK(page.find("OP <") == std::string::npos);
  CHECK(page.find("in<put>") == std::string::npos);
  CHECK(times(page, "OP &lt;1&gt; &quot;\\") == 2);
  CHECK(page == page_of(kernels, {}));
  // nothing of it is asked for from elsewhere
  for (const char* outside : {"http:", "https:", "src=", "url(", "@import", "<link"})
    CHECK(page.find(outside) == std::string::npos);
  std::string graph, trace;
  const ww::span<const kernel_report> all(kernels.data(), kernels.size());
  ww::report::write_graph_dot(graph, all);
  ww::report::write_trace_json(trace, all);
  CHECK(times(graph, "k<er>n&amp;\\\"e'l\\\\ \xe2\x90\x81\xe2\x90\x8a\xc3\xa9 \xc3\xbf (sm_80)") == 1);
  CHECK(times(graph, "OP <1> \\\"\\\\") == 1);
  CHECK(graph.find("k0i0 -> k0i1 [label=\"raw ") != std::string::npos);
  CHECK(times(trace, "\"name\":\"OP <1> \\\"\\\\\"") >= 2);  // where it issues, and on its pipe, before and after
  CHECK(times(trace, "k<er>n&\\\"e'l\\\\ \\u0001\\u000a\xc3\xa9 \xc3\xbf") == 1);
}

TEST_CASE("report: links lead to rows, and each instruction waits in words") {
  const std::vector<kernel_report> kernels{report_of("MOV R2, 0x1\nFADD R3, R2, R2\nEXIT\n", "k")};
  const std::string page = page_of(kernels, {});
  for (std::size_t at = page.find("href=#"); at != std::string::npos; at = page.find("href=#", at + 1)) {
    const std::size_t from = at + 6;
    const std::string id = page.substr(from, page.find_first_of(" >\"", from) - from);
    INFO(id);
    CHECK((page.find("id=" + id + ">") != std::string::npos || page.find("id=" + id + " ") != std::string::npos));
  }
  // both sides lead to each other, and who waits leads to whom
  CHECK(times(page, "<a href=#a0i1>0x") == 1);
  CHECK(times(page, "<a href=#b0i1>0x") == 1);
  CHECK(times(page, "<a href=#b0i0>OP 0x") == times(page, "<a href=#a0i0>OP 0x"));
  CHECK(times(page, "<a href=#b0i0>OP 0x") >= 1);
  // what a bar shows and the words say is the same number
  const auto& rows = kernels[0].before.rows;
  CHECK(rows[1].waited() == 8);
  for (const auto& r : rows) {
    for (const ww::model::stall_reason reason : ww::report::reasons_in_order) {
      const unsigned n = r.lost[static_cast<unsigned>(reason)];
      if (n == 0) continue;
      CHECK(page.find("<div>" + std::to_string(n) + " " + ww::report::words(reason)) != std::string::npos);
      CHECK(page.find("--n:" + std::to_string(n) + "></i>") != std::string::npos);
    }
  }
}

TEST_CASE("report: what does not fit is left out, dearest blocks last, and said") {
  std::string lines;
  for (unsigned b = 0; b < 6; ++b) {  // block b has b + 2 instructions, so that later ones cost more
    for (unsigned k = 0; k <= b; ++k) lines += "MOV R2, 0x1\n";
    lines += "@P0 EXIT\n";
  }
  lines += "EXIT\n";
  const std::vector<kernel_report> kernels{report_of(lines, "k")};
  const auto& blocks = kernels[0].before.blocks;
  REQUIRE(blocks.size() == 7);
  const std::string all = page_of(kernels, {});
  CHECK(times(all, "<details id=") == 7);
  CHECK(times(all, " open><summary>") == ww::report::html_limits{}.open_blocks);
  CHECK(all.find("are shown in full") == std::string::npos);
  CHECK(all.find("<details id=k0b5 open>") < all.find("<details id=k0b0>"));
  CHECK(all.find("<tr><th scope=row><a href=#k0b5>") < all.find("<tr><th scope=row><a href=#k0b4>"));
  const std::string some = page_of(kernels, {.open_blocks = 1, .rows = 30});  // 14 of block 5, 12 of block 4, 4 of block 0
  CHECK(times(some, "<details id=") == 3);
  CHECK(some.find("<details id=k0b5 open>") != std::string::npos);
  CHECK(some.find("<details id=k0b4>") != std::string::npos);
  CHECK(some.find("<p>3 of 7 blocks are shown in full; 4 with ") != std::string::npos);
  CHECK(times(some, "<tr><th scope=row><a href=#k0b") == 3);
  CHECK(times(some, "<tr><th scope=row>block ") == 4);
  const std::string cut = page_of(kernels, {.rows_of_block = 3});
  CHECK(cut.find("The first 3 of 7 instructions; the others are left out.") != std::string::npos);
  CHECK(times(cut, "<tr id=b0i") + times(cut, "<tr class=x id=b0i") == 3 + 3 + 3 + 3 + 3 + 2 + 1);
  // functions share the page
  const std::vector<kernel_report> two{kernels[0], kernels[0]};
  CHECK(times(page_of(two, {.rows = 30}), "<details id=k1b") == 1);
}
