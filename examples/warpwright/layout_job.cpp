// SPDX-License-Identifier: BSL-1.0
#include "layout_job.hpp"

#include <chrono>
#include <string_view>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/unknown_targets.hpp>
#include <warpwright/model/flow_profile_read.hpp>
#include <warpwright/sass/laid_out_listing.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/same_flow.hpp>

namespace cli {

namespace {

using ww::sass::module;

// A section in its new layout.
struct made {
  ww::program code;
  ww::vec<ww::instr_id> came_from;
  std::uint32_t section = 0;
  std::uint32_t allowed = 0;  // hazards
};

ww::sass::laid_out view(const made& x) {
  return {x.section, &x.code, ww::span<const ww::instr_id>(x.came_from.data(), x.came_from.size())};
}

// The listing read again: what is wrong with it, or nothing. Texts and words have to be those that were meant; numbers that are
// addresses have changed, which the writer answers for.
std::string fault_of(const std::vector<unit>& units, const module& m, const std::vector<made>& sections,
                     const std::string& text) {
  const ww::sass::listing_result again =
      ww::sass::read_listing(text, {.sm = m.sections.front().sm, .file = "the new listing"});
  if (!again) return again.err.message();
  if (again.mod.sections.size() != m.sections.size()) return "the new listing has another number of sections";
  for (const made& x : sections) {
    ww::program got = again.mod.sections[x.section];
    if (got.instructions.size() != x.code.instructions.size() || !ww::build_cfg(got).ok)
      return "the new listing has another shape";
    for (std::size_t k = 0; k < x.code.order.size(); ++k) {
      const ww::instruction& a = x.code[x.code.order[k]];
      const ww::instruction& b = got[got.order[k]];
      bool same = a.op == b.op && a.ctl == b.ctl && a.operand_count == b.operand_count &&
                  a.guard_negated == b.guard_negated && a.target == b.target;
      for (std::size_t o = 0; same && o < a.operand_count; ++o) {
        const ww::operand u = x.code.operands_of(a)[o];
        const ww::operand v = got.operands_of(b)[o];
        same = u.low == v.low && ((u.high ^ v.high) & ~ww::operand::bit_reuse) == 0;
      }
      if (!same) return "the new listing reads differently from what was meant";
    }
    for (const ww::verify::finding& f : units[x.section].check_words(got).findings) {
      if (f.kind == ww::verify::finding_kind::other_words) return "the new listing has words that are not those of its text";
    }
    if (units[x.section].hazards(got) > x.allowed) return "the new listing has hazards that the input does not have";
  }
  return {};
}

}  // namespace

void lay_out(const std::vector<unit>& named, const options& o, const std::string& file, const module& m,
             file_result& result) {
  ww::vec<ww::model::profile_entry> entries;
  (void)ww::model::read_profile(o.counts, entries);  // a file with an error was refused before
  options keep = o;
  keep.strategy = "keep";
  std::vector<unit> units;
  std::vector<made> sections;
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const auto start = std::chrono::steady_clock::now();
    const ww::program& p = m.sections[s];
    const unit& u = units.emplace_back(named[s].in_counted_form(p) ? named[s].counted_form() : named[s]);
    function_row& row = result.rows[s];
    ww::program same = p;
    ww::schedule_result before;
    if (!u.schedule(keep, same, before)) continue;
    row.warps = before.warps;
    row.before.cycles = row.after.cycles = row.bound = before.cycles_before;
    made x;
    x.section = static_cast<std::uint32_t>(s);
    x.allowed = before.hazards_before;
    ww::flow_profile profile;
    const bool measured = !o.profile.empty() && ww::model::read_flow(p, m.name_of(m.infos[s]), entries, profile).counts != 0;
    u.lay_out(o, p, measured ? &profile : nullptr, x.code, x.came_from, row.layout);
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (ww::has_unknown_targets(p)) {
      row.notes.emplace_back("left as it was: an indirect branch has no known targets");
      row.layout.changed = false;
    }
    if (!row.layout.changed) continue;
    const ww::verify::same_flow_difference d = ww::verify::same_flow(p, x.code);
    if (!d.ok()) {
      result.error = file + ": section " + row.name + ": the new layout is another program: " + ww::verify::name(d.fault);
      return;
    }
    ww::schedule_result after;
    const bool words = u.schedule(keep, x.code, after);
    if (!words || !after.proved || after.hazards_after > x.allowed) {
      result.error = file + ": section " + row.name + ": the new layout has hazards that the input does not have";
      return;
    }
    const ww::sass::laid_out one = view(x);
    if (const ww::sass::error e =
            ww::sass::write_laid_out(m, ww::span<const ww::sass::laid_out>(&one, 1), [](std::string_view) {})) {
      row.notes.push_back(std::string("left as it was: expected ") + e.expected +
                          (e.line != 0 ? " in line " + std::to_string(e.line) : ""));
      row.layout.changed = false;
      continue;
    }
    row.after.cycles = after.cycles_after;
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    sections.push_back(std::move(x));
  }
  std::vector<ww::sass::laid_out> views;
  for (const made& x : sections) views.push_back(view(x));
  ww::sass::error bad = ww::sass::write_laid_out(m, ww::span<const ww::sass::laid_out>(views.data(), views.size()),
                                                 [&](std::string_view piece) { result.listing += piece; });
  if (bad) {
    bad.file = file;
    result.error = bad.message();
    return;
  }
  if (const std::string fault = fault_of(units, m, sections, result.listing); !fault.empty()) {
    result.error = file + ": " + fault;
  }
}

}  // namespace cli
