// SPDX-License-Identifier: BSL-1.0
//
// A report as one page of HTML that needs nothing else: no network, no files beside it, and no script to be read.
//
//   head     the functions with their figures and links
//   kernels  html_kernel.hpp, one section each
//   words    what colours and words mean, and how the model judges
// Same kernels, same bytes: there is no time, no path and no machine in it but the names that the kernels were given. The limits
// are of the whole page; its functions share them, so that a file of thousands of functions still opens.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "../meta/span.hpp"
#include "html_kernel.hpp"
#include "html_style.hpp"

namespace ww::report {

// Instructions in full of the whole page, both sides together (assumed: what browsers still scroll smoothly).
inline constexpr std::size_t html_rows_of_page = 24'000;

namespace detail {

inline constexpr const char* html_words = R"html(
<section class=kernel id=words aria-labelledby=w><h2 id=w>How to read this</h2>
<ul class=key><li><span class="sw d"></span>waits: dependence<li><span class="sw b"></span>waits: barrier<li><span class="sw p"></span>waits: pipe
<li><span class="sw k"></span>waits: register bank<li><span class="sw c"></span>waits: stall count<li><span class="sw z"></span>waits: drain
<li><span class="sw i"></span>issue<li><span class="sw f"></span>result in flight<li><span class="sw r"></span>sources being read
<li><abbr title="on the critical path">&#9670;</abbr>&nbsp;on the critical path</ul>
<p>A row is an instruction in the order of issue. Its bar shows what it waited for since the issue in front of it, the cycle of its issue, and
until when its result is on its way. Both tables of a block have the same axis. The curve above them is the number of live general registers.</p>
<dl>
<dt>dependence<dd>The stall in front of it is needed: a result with a fixed latency is not there sooner. The arrow leads to who writes it.
<dt>barrier<dd>It waits until a counter (SB0 to SB5) is zero; the arrow leads to who raised it and lowers it last.
<dt>pipe<dd>The pipe still takes the instruction that the arrow leads to.
<dt>register bank<dd>Sources of the instruction in front of it are in one bank, and are read one behind the other.
<dt>stall count<dd>The stall of the instruction in front of it is longer than anything here asks for.
<dt>drain<dd>The instruction in front of it lets everything in flight land first.
<dt>Control<dd><code>01--4-:R2:W-:Y:S04:ab</code> is: wait for counters 0, 1 and 4; raise counter 2 until the sources are read; none for the result; yield;
stall 4 cycles; keep sources a and b for reuse.
<dt>Lands<dd>Cycle in which the result is there. Loads are taken to hit the first-level cache.
<dt>Slack<dd>Cycles by which an instruction may slip before the critical path of its block gets longer; &#9670; marks one such path.
<dt>Source<dd>Where the distances on the critical paths come from: documented, observed in compiled code, measured on hardware, or assumed. Of counted results
(loads and the like) no table says when they land: those are estimated. Order is a cycle because instructions issue one behind the other.
</dl>
<h3>How the model judges</h3>
<p>Cycles are modelled, not measured. The timelines are of one warp alone: it issues in order, held by stalls, counters, pipes and register banks, and
each block starts from what the heaviest block in front of it left behind. A block's cycles go from the earliest issue of its first instruction to the
earliest issue of what comes behind it, and each is one in which something issues, or is lost to a reason.</p>
<p>A kernel is judged for as many warps as share a sub-core. They take turns and hide each other's waits; their cycles are those of the sub-core, divided
by the warps. Sums are weighted: a block counts as often as it is executed, by a profile where there is one, else ten times for each loop around it. No order of the
same blocks costs less than the lower bound; with several warps it is what they cannot beat once they are in a loop, and a short run may come out lower.</p>
</section>
)html";

}  // namespace detail

// The page of all kernels, appended to `out`. `limits.rows` is of the whole page here.
inline void write_html_page(std::string& out, span<const kernel_report> kernels,
                            html_limits limits = {.rows = html_rows_of_page}) {
  markup m(out);
  m.add(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta name=color-scheme content=\"light dark\"><meta name=referrer content=no-referrer><title>Schedule report");
  if (!kernels.empty()) m.add(": ").text(kernels.size() == 1 ? kernels[0].name : kernels[0].file);
  m.add("</title><style>")
      .add(html_style)
      .add("</style></head>\n<body><a class=skip href=#k0>Skip to the first function</a>\n");
  m.add("<header><h1>Schedule report</h1><p class=soft>").counted(kernels.size(), "function", "functions");
  m.add(", before and after scheduling. <a href=#words>How to read this</a></p>\n");
  m.add(
      "<p><button type=button hidden data-open=1>Open all blocks</button><button type=button hidden data-open=0>Fold all "
      "blocks</button></p>\n");
  m.add(
      "<div class=scroll role=region tabindex=0 aria-label=Functions><table class=wide><thead><tr><th scope=col "
      "class=l>Function"
      "<th scope=col class=l>SM<th scope=col>Instructions<th scope=col>Blocks<th scope=col>Warps<th scope=col>Cycles "
      "before<th scope=col>after"
      "<th scope=col>Ratio<th scope=col>Lower bound<th scope=col>Live before<th scope=col>after</thead><tbody>\n");
  for (std::size_t n = 0; n < kernels.size(); ++n) {
    const kernel_report& k = kernels[n];
    m.add("<tr><th scope=row class=up><a href=#k")
        .integer(n)
        .add('>')
        .text(k.name.empty() ? string_view("(no name)") : string_view(k.name));
    m.add("</a><td class=l>").text(k.sm).add("<td>").count(k.before.rows.size()).add("<td>").count(k.before.blocks.size());
    m.add("<td>")
        .integer(k.before.warps)
        .add("<td>")
        .decimal(k.before.shared)
        .add("<td>")
        .decimal(k.after.shared)
        .add("<td>");
    m.percent(k.before.shared > 0 ? k.after.shared : 1, k.before.shared > 0 ? k.before.shared : 1);
    m.add("<td>").decimal(k.bound).add("<td>").integer(k.before.most_live).add("<td>").integer(k.after.most_live).add('\n');
  }
  m.add("</tbody></table></div></header>\n<main>\n");
  html_limits own = limits;
  own.rows = std::min(html_limits{}.rows, kernels.empty() ? limits.rows : limits.rows / kernels.size());
  for (std::size_t n = 0; n < kernels.size(); ++n) write_html_kernel(out, kernels[n], n, own);
  m.add(detail::html_words).add("</main>\n<footer><p>Cycles are modelled. Written by warpwright.</p></footer>\n<script>");
  m.add(html_script).add("</script></body></html>\n");
}

}  // namespace ww::report
