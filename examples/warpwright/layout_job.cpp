// SPDX-License-Identifier: BSL-1.0
#include "layout_job.hpp"

#include <chrono>
#include <string_view>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/unknown_targets.hpp>
#include <warpwright/model/flow_profile_read.hpp>
#include <warpwright/pipeline/fill_code.hpp>
#include <warpwright/sass/cubin.hpp>
#include <warpwright/sass/laid_out_listing.hpp>
#include <warpwright/sass/laid_out_patch.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/same_flow.hpp>

namespace cli {

namespace {

using ww::sass::module;

// A section in its new layout.
struct made {
  ww::program code;
  ww::vec<ww::instr_id> came_from;
  std::vector<std::string> bodies;  // by instruction: the text of NOPs that were put in
  std::uint32_t section = 0;
  std::uint32_t allowed = 0;  // hazards
};

ww::sass::laid_out view(const made& x) {
  return {x.section, &x.code, ww::span<const ww::instr_id>(x.came_from.data(), x.came_from.size()),
          ww::span<const std::string>(x.bodies.data(), x.bodies.size())};
}

// The listing read again: what is wrong with it, or nothing. Texts and words have to be those that were meant; numbers that are
// addresses have changed, which the writer answers for.
std::string fault_of(const std::vector<unit>& units, const module& m, const std::vector<made>& sections,
                     const std::string& text) {
  const ww::sass::listing_result again = ww::sass::read_listing(text, {.sm = common_sm(m), .file = "the new listing"});
  if (!again) return again.err.message();
  if (again.mod.sections.size() != m.sections.size()) return "the new listing has another number of sections";
  for (const made& x : sections) {
    ww::program got = again.mod.sections[x.section];
    if (got.instructions.size() != x.code.instructions.size() || !ww::build_cfg(got).ok)
      return "the new listing has another shape";
    for (std::size_t k = 0; k < x.code.order.size(); ++k) {
      const ww::instruction& a = x.code[x.code.order[k]];
      const ww::instruction& b = got[got.order[k]];
      const bool same = reads_alike(x.code, a, got, b) && a.guard_negated == b.guard_negated && a.target == b.target;
      if (!same) return "the new listing reads differently from what was meant";
    }
    for (const ww::verify::finding& f : units[x.section].check_words(got).findings) {
      if (f.kind == ww::verify::finding_kind::other_words) return "the new listing has words that are not those of its text";
    }
    if (units[x.section].hazards(got) > x.allowed) return "the new listing has hazards that the input does not have";
  }
  return {};
}

// What a cubin is patched with, section by section.
class patcher {
 public:
  // `bytes` may be empty: then there is nothing to patch.
  explicit patcher(const std::string& bytes)
      : bytes_(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), read_(ww::sass::read_cubin(bytes_)) {}

  [[nodiscard]] std::string fault() const { return bytes_.empty() || !read_.error ? std::string() : read_.error.text(); }
  [[nodiscard]] ww::sm_id sm() const { return read_.value.target.id(); }

  // Does the cubin hold the code of the section? What is wrong, or nothing.
  std::string match(const module& m, std::size_t section) const {
    const ww::sass::text_match found = ww::sass::match_text(read_.value, m.name_of(m.infos[section]), m.sections[section]);
    return found.error ? found.error.text() : std::string();
  }
  // Takes the new layout of a section if the file can hold it; else says why not.
  std::string add(const module& m, const made& x) {
    const ww::sass::text_match found =
        ww::sass::match_text(read_.value, m.name_of(m.infos[x.section]), m.sections[x.section]);
    ww::sass::text_patch patch;
    if (const ww::sass::error e = ww::sass::make_laid_out_patch(m, view(x), *found.text, patch)) return e.expected;
    std::vector<ww::sass::text_patch> all = patches_;
    all.push_back(std::move(patch));
    ww::sass::patch_result done = ww::sass::patch_cubin(bytes_, all);
    if (done.error) return done.error.expected;
    patches_ = std::move(all);
    patched_.assign(reinterpret_cast<const char*>(done.bytes.data()), done.bytes.size());
    return {};
  }
  // The patched file; the file as it was if nothing was taken.
  [[nodiscard]] std::string result(const std::string& bytes) const { return patches_.empty() ? bytes : patched_; }

 private:
  ww::sass::byte_span bytes_;
  ww::sass::cubin_result read_;
  std::vector<ww::sass::text_patch> patches_;
  std::string patched_;
};

}  // namespace

void lay_out(const std::vector<unit>& named, const options& o, const std::string& file, const module& m,
             const std::string& cubin, file_result& result, std::string& cubin_out) {
  ww::vec<ww::model::profile_entry> entries;
  (void)ww::model::read_profile(o.counts, entries);  // a file with an error was refused before
  patcher file_patch(cubin);
  std::string unfit = file_patch.fault();
  if (!cubin.empty() && unfit.empty() && file_patch.sm() != m.sections.front().sm) {
    unfit = "the cubin is for another SM than the listing";
  }
  for (std::size_t s = 0; s < m.sections.size() && unfit.empty() && !cubin.empty(); ++s) unfit = file_patch.match(m, s);
  if (!unfit.empty()) {
    result.error = o.cubin_in + ": " + unfit;
    return;
  }
  options keep = o;
  keep.strategy = "keep";
  std::vector<unit> units;
  std::vector<made> sections;
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const auto start = std::chrono::steady_clock::now();
    const ww::program& p = m.sections[s];
    const unit& u = units.emplace_back(named[s].in_counted_form(p) ? named[s].counted_form() : named[s]);
    function_row& row = result.rows[s];
    ww::schedule_result before;
    u.measure(keep, p, before);
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
    ww::fill_code(p, x.code, x.came_from);
    for (std::uint32_t k = 0; k < x.came_from.size(); ++k) {
      const bool put_in = !x.came_from[k].valid() && x.code[ww::instr_id{k}].has(ww::iflag::nop);
      x.bodies.emplace_back(put_in ? "NOP" : "");
    }
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
    if (after.cycles_after > before.cycles_before) {
      row.notes.emplace_back("left as it was: dearer by the model");
      row.layout.changed = false;
      continue;
    }
    const ww::sass::laid_out one = view(x);
    if (const ww::sass::error e =
            ww::sass::write_laid_out(m, ww::span<const ww::sass::laid_out>(&one, 1), [](std::string_view) {})) {
      row.notes.push_back(std::string("left as it was: expected ") + e.expected +
                          (e.line != 0 ? " in line " + std::to_string(e.line) : ""));
      row.layout.changed = false;
      continue;
    }
    if (const std::string why = cubin.empty() ? std::string() : file_patch.add(m, x); !why.empty()) {
      row.notes.push_back("left as it was: in the cubin, expected " + why);
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
    return;
  }
  if (!cubin.empty()) cubin_out = file_patch.result(cubin);
}

}  // namespace cli
