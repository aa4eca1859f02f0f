// SPDX-License-Identifier: BSL-1.0
//
// The patch of a cubin for code that was laid out anew: the words of laid_out_listing.hpp, in as many places as there were.
//
//   room      a code section keeps its size. Inserted branches take the places of the NOPs that fill it up at the end, and removed
//             ones leave NOPs there; without enough of them the patch is refused. NOPs that the layout itself took away or put there
//             (pipeline/fill_code.hpp) count once: what matters is whether the code without NOPs at its end fits
//   follow    what the file says of an instruction follows it (cubin_patch.hpp). What it says of a removed branch, a row of a line
//             table, follows the NOP
// Refused besides what the listing's writer refuses: calls of functions of the section's own, whose return addresses are numbers that
// relocations may stand for; and by the patcher whatever means a place in the code that is not the beginning or the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cubin_listing.hpp"
#include "cubin_patch.hpp"
#include "laid_out_listing.hpp"

namespace ww::sass {

// For the code section `text` of a cubin, which match_text has found to hold the code of the listing's section. With an error `out` is
// of no use.
[[nodiscard]] inline error make_laid_out_patch(const sass::module& m, const laid_out& l, const cubin_text& text,
                                               text_patch& out) {
  const auto refuse = [&m, &l](const char* expected) {
    error e;
    e.line = l.section < m.infos.size() ? m.infos[l.section].line : 0;
    e.column = e.line != 0 ? 1 : 0;
    e.expected = expected;
    return e;
  };
  out = {};
  out.section = text.section;
  if (l.section >= m.sections.size() || l.section >= m.infos.size() || l.code == nullptr || !m.has_hex)
    return refuse("a section of a listing with hex");
  detail::laid_out_section made(m, l);
  if (error e = made.prepare(); e) return e;
  if (made.has_calls()) return refuse("no calls of functions of its own in a cubin");
  const program& p = m.sections[l.section];
  const program& q = *l.code;
  const auto n = static_cast<std::uint32_t>(p.instructions.size());
  if (n > text.code.instructions.size() || p.instructions[n - 1].address != std::uint64_t{16} * (n - 1))
    return refuse("every instruction of the section, from its beginning");
  const auto is_filling = [](const instruction& i) { return i.has(iflag::padding) && i.has(iflag::nop); };
  // The new program must fit into the places that there are: NOPs behind everything else can go, but none that is branched to.
  const auto all = static_cast<std::uint32_t>(q.order.size());
  std::uint32_t behind = 0;  // position behind the last block that is branched to
  for (const instruction& i : q.instructions) {
    if (i.target.valid()) behind = std::max(behind, made.place_of_target(i) + 1);
  }
  std::uint32_t kept = all;
  while (kept > n && kept > behind && is_filling(q[q.order[kept - 1]])) --kept;
  if (kept > n) return refuse("as many NOPs at the end as branches were put in");
  if (kept < n && !is_filling(p.instructions[n - 1])) return refuse("NOPs at the end, where branches were taken out");
  // Old instructions that are not kept. What was put in takes over their places: removed ones first, then dropped NOPs from the end.
  std::vector<std::uint8_t> used(n, 0);
  for (std::uint32_t k = 0; k < all; ++k) {
    if (const instr_id old = l.came_from[q.order[k].index()]; old.valid()) used[old.index()] = 1;
  }
  std::vector<std::uint32_t> gone;
  for (std::uint32_t k = 0; k < n; ++k) {
    if (used[k] == 0) gone.push_back(k);
  }
  for (std::uint32_t k = all; k-- > kept;) {
    if (const instr_id old = l.came_from[q.order[k].index()]; old.valid()) gone.push_back(old.index());
  }
  std::size_t next = 0;
  for (std::uint32_t k = 0; k < kept; ++k) {
    const instr_id old = l.came_from[q.order[k].index()];
    out.old_index.push_back(old.valid() ? old.index() : gone[next++]);
    out.words.push_back(made.words(k));
  }
  for (; next < gone.size(); ++next) {  // more filling, like the last of what is there
    out.old_index.push_back(gone[next]);
    const instruction& last = p.instructions[n - 1];
    out.words.push_back({last.word[0], last.word[1]});
  }
  for (std::size_t k = n; k < text.code.instructions.size(); ++k) {  // what the listing does not print
    const instruction& i = text.code.instructions[k];
    out.old_index.push_back(static_cast<std::uint32_t>(k));
    out.words.push_back({i.word[0], i.word[1]});
  }
  for (const auto& w : out.words) {
    const std::uint64_t word[2] = {w[0], w[1]};
    out.control.push_back(sm70_128::extract(word));
  }
  return {};
}

}  // namespace ww::sass
