// SPDX-License-Identifier: BSL-1.0
#include "rebuild_job.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <warpwright/ir/block_starts.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/pipeline/branch_tables.hpp>
#include <warpwright/pipeline/fill_code.hpp>
#include <warpwright/sass/called_registers.hpp>
#include <warpwright/sass/cubin.hpp>
#include <warpwright/sass/cubin_listing.hpp>
#include <warpwright/sass/cubin_patch.hpp>
#include <warpwright/sass/cubin_register_names.hpp>
#include <warpwright/sass/cubin_registers.hpp>
#include <warpwright/sass/elf_read.hpp>
#include <warpwright/sass/frame_rule.hpp>
#include <warpwright/sass/frame_size.hpp>
#include <warpwright/sass/laid_out_listing.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/register_count.hpp>
#include <warpwright/sass/register_notes.hpp>
#include <warpwright/sass/renamed_listing.hpp>
#include <warpwright/sass/return_numbers.hpp>
#include <warpwright/sass/spilled_listing.hpp>
#include <warpwright/sass/spilled_patch.hpp>
#include <warpwright/sass/writer.hpp>

namespace cli {

namespace {

using ww::sass::module;

// A section as it was rebuilt.
struct made {
  ww::program code;
  std::uint32_t allowed = 0;  // hazards
  bool spilled = false;       // `code` is that of `spill`, with other instructions than the section
  ww::spilled_code spill;
  std::vector<ww::sass::return_number> returns;  // of the section as it was read
  bool tables = false;                           // its constants are targets of branches, which move with the code
};

ww::sass::spilled_section view(const made& x, std::size_t section) {
  return {static_cast<std::uint32_t>(section), &x.code,
          ww::span<const ww::instr_id>(x.spill.came_from.data(), x.spill.came_from.size()),
          ww::span<const ww::instr_id>(x.spill.computes.data(), x.spill.computes.size()), x.spill.step};
}

// Does the section branch by tables, and are those all that its constants are?
bool has_tables(const module& m, const ww::program& p) {
  if (p.tables.empty()) return false;
  std::vector<ww::instr_id> readers;
  for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
    if (m.body_of(p.instructions[k]).find("c[0x2]") != std::string_view::npos) readers.push_back(ww::instr_id{k});
  }
  return ww::has_tables_for_branches_only(p, {readers.data(), readers.size()});
}

// Are the return addresses of code that was made longer those of the same calls, and nothing else such a number?
bool returns_alike(const made& x, const ww::program& got) {
  std::vector<ww::sass::return_number> found;
  if (!ww::sass::find_return_numbers(got, found) || found.size() != x.returns.size()) return false;
  const auto old_of = [&x](ww::instr_id id) { return x.spill.came_from[x.code.order[id.index()].index()]; };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> was, is;
  for (const ww::sass::return_number& n : x.returns) was.emplace_back(n.move.value, n.call.value);
  for (const ww::sass::return_number& n : found) is.emplace_back(old_of(n.move).value, old_of(n.call).value);
  std::sort(was.begin(), was.end());
  std::sort(is.begin(), is.end());
  return was == is;
}

// The listing read again: what is wrong with it, or nothing. Its words have to be those of its text, and both what was meant.
std::string fault_of(const std::vector<unit>& units, const std::vector<made>& sections, ww::sm_id sm,
                     const std::string& text) {
  const ww::sass::listing_result again = ww::sass::read_listing(text, {.sm = sm, .file = "the new listing"});
  if (!again) return again.err.message();
  if (again.mod.sections.size() != sections.size()) return "the new listing has another number of sections";
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const ww::program& meant = sections[s].code;
    ww::program got = again.mod.sections[s];
    if (got.register_count != meant.register_count) return "the new listing tells another register count than was meant";
    if (!has_same_blocks(meant, got)) return "the new listing has another shape";
    const ww::block_starts starts(meant);
    for (std::size_t k = 0; k < meant.order.size(); ++k) {
      const ww::instruction& a = meant[meant.order[k]];
      const ww::instruction& b = got[got.order[k]];
      const bool same =
          !sections[s].spilled ||  // spill code is not in the input, and targets have moved
          (a.space == b.space && a.mem_bytes == b.mem_bytes && a.mem_offset == b.mem_offset && a.iclass == b.iclass &&
           a.target.valid() == b.target.valid() && (!a.target.valid() || starts(a.target) == meant.order[b.target.index()]));
      if (!same || !reads_alike(meant, a, got, b)) return "the new listing reads differently from what was meant";
    }
    if (sections[s].spilled && !returns_alike(sections[s], got)) return "the new listing has other return addresses";
    for (const ww::verify::finding& f : units[s].check_words(got).findings) {
      if (f.kind == ww::verify::finding_kind::other_words) return "the new listing has words that are not those of its text";
    }
    if (units[s].hazards(got) > sections[s].allowed) return "the new listing has hazards that the input does not have";
  }
  return {};
}

// An error of a writer: its place is one of `file`.
std::string told(ww::sass::error e, const std::string& file) {
  e.file = file;
  return e.message();
}

// Puts spill code into the text that has all else of the new programs.
std::string insert(const module& m, const std::string& file, const std::vector<made>& sections, ww::sm_id sm,
                   std::string& text) {
  const auto spilled = [](const made& x) { return x.spilled; };
  if (std::none_of(sections.begin(), sections.end(), spilled)) return {};
  const std::string before = std::move(text);
  text.clear();
  ww::sass::listing_result read = ww::sass::read_listing(before, {.sm = sm, .file = "the renamed listing"});
  if (!read) return file + ": " + read.err.message();
  std::vector<std::vector<std::string>> bodies(sections.size());
  std::vector<ww::sass::laid_out> views;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    if (!sections[s].spilled) continue;
    if (!ww::build_cfg(read.mod.sections[s]).ok) return file + ": the renamed listing has another shape";
    const ww::sass::spilled_section v = view(sections[s], s);
    if (const ww::sass::error e = ww::sass::spilled_bodies(m, v, bodies[s])) return told(e, file);
    views.push_back({v.section, v.code, v.came_from, ww::span<const std::string>(bodies[s].data(), bodies[s].size()),
                     &sections[s].returns, sections[s].tables});
  }
  const ww::sass::error e =
      ww::sass::write_laid_out(read.mod, ww::span<const ww::sass::laid_out>(views.data(), views.size()),
                               [&](std::string_view piece) { text += piece; });
  return e ? file + ": " + told(e, "the renamed listing") : std::string();
}

// The text with the new register names in the old order, read again and put into the new one. What is wrong, with the file.
std::string write(const module& m, const std::string& file, const std::vector<made>& sections, ww::sm_id sm,
                  std::string& renamed, std::string& out, module& now) {
  std::vector<ww::program> codes;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    codes.push_back(sections[s].spilled ? ww::sass::spilled_names(m.sections[s], view(sections[s], s)) : sections[s].code);
  }
  if (const ww::sass::error e =
          ww::sass::write_renamed(m, ww::span<const ww::program>(codes.data(), codes.size()), renamed)) {
    return told(e, file);
  }
  std::vector<ww::sass::register_note_count> counts;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const std::uint32_t count = sections[s].code.register_count;
    if (count != m.sections[s].register_count) counts.push_back({m.name_of(m.infos[s]), count});
  }
  if (!counts.empty()) renamed = ww::sass::set_register_notes(renamed, {counts.data(), counts.size()});
  ww::sass::listing_result read = ww::sass::read_listing(renamed, {.sm = sm, .file = "the renamed listing"});
  if (!read) return file + ": " + read.err.message();
  now = std::move(read.mod);
  if (now.sections.size() != sections.size()) return file + ": the renamed listing has another number of sections";
  for (std::size_t s = 0; s < sections.size(); ++s) {
    ww::program& p = now.sections[s];
    const ww::program& code = codes[s];
    if (p.instructions.size() != code.instructions.size() || !ww::build_cfg(p).ok)
      return file + ": the renamed listing has another shape";
    p.order = code.order;
    for (std::size_t i = 0; i < code.instructions.size(); ++i) p.instructions[i].ctl = code.instructions[i].ctl;
  }
  if (const ww::sass::error e = ww::sass::write_listing(now, [&](std::string_view piece) { out += piece; }))
    return told(e, file);
  return insert(m, file, sections, sm, out);
}

// A cubin whose code gets other registers, another order and other counts.
class cubin_job {
 public:
  // `bytes` may be empty: then there is nothing to patch.
  cubin_job(const std::string& bytes, const module& m) : bytes_(bytes.begin(), bytes.end()) {
    if (bytes_.empty()) return;
    ww::sass::elf_result elf = ww::sass::read_elf(ww::sass::byte_span(bytes_.data(), bytes_.size()));
    if (elf.error) {
      fault_ = elf.error.text();
      return;
    }
    file_ = std::move(elf.file);
    ww::sass::cubin_result read = ww::sass::read_cubin(file_);
    if (read.error) {
      fault_ = read.error.text();
      return;
    }
    cubin_ = std::move(read.value);
    if (cubin_.target.id() != common_sm(m)) {
      fault_ = "the cubin is for another SM than the listing";
      return;
    }
    for (std::size_t s = 0; s < m.sections.size(); ++s) {
      const ww::sass::text_match found = ww::sass::match_text(cubin_, m.name_of(m.infos[s]), m.sections[s]);
      if (found.error) {
        fault_ = found.error.text();
        return;
      }
      places_.push_back(found.text->section);
    }
    // Mask registers are forgotten where others are written, which tools that read them understand: they keep nothing as it is.
    std::erase_if(cubin_.infos,
                  [](const ww::sass::info_record& r) { return r.attribute == ww::sass::detail::attribute_mask_registers; });
  }
  cubin_job(const cubin_job&) = delete;  // what was read refers to the bytes
  cubin_job& operator=(const cubin_job&) = delete;

  [[nodiscard]] const std::string& fault() const { return fault_; }
  // What MAXREG_COUNT says of a section, or 0.
  [[nodiscard]] std::uint32_t most_registers(std::size_t s) const {
    return bytes_.empty() ? 0 : ww::sass::register_limit_of(file_, cubin_, places_[s]);
  }

  // By section: how many registers the file asks for, 0 where that is not told. Nothing without a file.
  [[nodiscard]] std::vector<std::uint32_t> counts() const { return counts_in(bytes_); }
  // `counts` becomes what it asks for once it gets these: its call graph may raise them. What it has against that.
  std::string raise(const std::vector<std::uint32_t>& before, std::vector<std::uint32_t>& counts) const {
    std::vector<ww::sass::register_request> requests;
    for (std::size_t s = 0; s < places_.size(); ++s) {
      if (counts[s] != before[s]) requests.push_back({places_[s], counts[s]});
    }
    std::vector<std::uint8_t> copy = bytes_;
    const ww::sass::register_counts done = ww::sass::set_register_counts(
        {copy.data(), copy.size()}, ww::span<const ww::sass::register_request>(requests.data(), requests.size()));
    if (!done.error) counts = counts_in(copy);
    return done.error ? done.error.text() : std::string();
  }

  // Why the registers of a section have to stay, or nothing.
  [[nodiscard]] std::string names_registers(std::size_t s) const {
    if (bytes_.empty()) return {};
    const ww::sass::elf_error e = ww::sass::find_register_names(file_, cubin_, places_[s]);
    return e ? e.text() : std::string();
  }

  // `now` has the new registers and orders of `m`, `made_text` is the new listing, which has the spill code too.
  std::string write(const module& m, const module& now, const std::vector<made>& sections, ww::sm_id sm,
                    const std::string& made_text, const std::vector<function_row>& rows, std::string& out) {
    ww::sass::listing_result written = ww::sass::read_listing(made_text, {.sm = sm, .file = "the new listing"});
    if (!written || written.mod.sections.size() != sections.size()) return "the new listing cannot be read again";
    using bytes_span = ww::span<std::uint8_t>;
    std::vector<std::uint8_t> renamed = bytes_;
    ww::sass::elf_result elf;
    ww::sass::cubin_result cubin;
    const auto read_again = [&] {  // spill code may have moved everything
      elf = ww::sass::read_elf(ww::sass::byte_span(renamed.data(), renamed.size()));
      if (!elf.error) cubin = ww::sass::read_cubin(elf.file);
      return elf.error ? elf.error.text() : cubin.error ? cubin.error.text() : std::string();
    };
    if (std::string fault = read_again(); !fault.empty()) return fault;
    std::uint32_t forgotten = 0;
    std::vector<ww::sass::text_patch> patches;
    std::vector<ww::sass::register_request> counts;
    std::vector<ww::sass::frame_request> frames;
    for (std::size_t s = 0; s < m.sections.size(); ++s) {
      if (sections[s].spilled) {
        const auto& x = sections[s];
        std::vector<ww::instr_id> came;  // by place in the new listing
        for (const ww::instr_id id : x.code.order) came.push_back(x.spill.came_from[id.index()]);
        if (!ww::build_cfg(written.mod.sections[s]).ok) return "the new listing cannot be read again";
        ww::sass::text_patch patch;
        if (const auto e = ww::sass::make_spilled_patch(renamed, places_[s], m.sections[s], written.mod.sections[s],
                                                        ww::span<const ww::instr_id>(came.data(), came.size()), patch)) {
          return e.text();
        }
        patch.tables = x.tables;
        if (std::string fault = read_again(); !fault.empty()) return fault;
        ww::sass::forget_mask_registers({renamed.data(), renamed.size()}, elf.file, cubin.value, places_[s], forgotten);
        if (rows[s].after.registers != rows[s].before.registers) counts.push_back({places_[s], rows[s].after.registers});
        std::uint32_t step = 0;
        for (std::uint32_t k = 0; k < x.code.order.size(); ++k) step = x.code.order[k] == x.spill.step ? 16 * k : step;
        frames.push_back({places_[s], rows[s].spill.frame - rows[s].spill.bytes, rows[s].spill.frame, step});
        patches.push_back(std::move(patch));
        continue;
      }
      if (const auto e = ww::sass::set_code_registers({renamed.data(), renamed.size()}, elf.file, cubin.value, places_[s],
                                                      m.sections[s], now.sections[s])) {
        return e.text();
      }
      if (!same_registers(m.sections[s], now.sections[s])) {
        ww::sass::forget_mask_registers({renamed.data(), renamed.size()}, elf.file, cubin.value, places_[s], forgotten);
        if (rows[s].after.registers != rows[s].before.registers) counts.push_back({places_[s], rows[s].after.registers});
      }
      patches.push_back(ww::sass::make_text_patch(now.sections[s], places_[s]));
    }
    ww::sass::patch_result patched = ww::sass::patch_cubin(ww::sass::byte_span(renamed.data(), renamed.size()), patches);
    if (patched.error) return patched.error.text();
    const ww::sass::register_counts done =
        ww::sass::set_register_counts(bytes_span(patched.bytes.data(), patched.bytes.size()),
                                      ww::span<const ww::sass::register_request>(counts.data(), counts.size()));
    if (done.error) return done.error.text();
    if (const auto e = ww::sass::set_frame_sizes(bytes_span(patched.bytes.data(), patched.bytes.size()),
                                                 ww::span<const ww::sass::frame_request>(frames.data(), frames.size()))) {
      return e.text();
    }
    std::uint32_t rules = 0;
    if (const auto e =
            ww::sass::set_frame_rules(bytes_span(patched.bytes.data(), patched.bytes.size()),
                                      ww::span<const ww::sass::frame_request>(frames.data(), frames.size()), rules)) {
      return e.text();
    }
    out.assign(reinterpret_cast<const char*>(patched.bytes.data()), patched.bytes.size());
    return {};
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> counts_in(const std::vector<std::uint8_t>& bytes) const {
    std::vector<std::uint32_t> counts;
    if (bytes.empty()) return counts;
    const ww::sass::elf_result elf = ww::sass::read_elf(ww::sass::byte_span(bytes.data(), bytes.size()));
    const ww::sass::cubin_result read = ww::sass::read_cubin(elf.file);
    std::vector<std::uint32_t> all;
    (void)ww::sass::read_register_counts(elf.file, read.value, all);
    for (const std::uint32_t place : places_) counts.push_back(all[place]);
    return counts;
  }
  static bool same_registers(const ww::program& p, const ww::program& q) {
    return std::equal(p.operands.begin(), p.operands.end(), q.operands.begin(), q.operands.end(),
                      [](const ww::operand& a, const ww::operand& b) { return a.low == b.low; });
  }

  std::vector<std::uint8_t> bytes_;
  ww::sass::elf_file file_;            // of the bytes, read once for all sections
  ww::sass::cubin cubin_;              // without the records of mask registers
  std::vector<std::uint32_t> places_;  // by section of the listing: index of the code section
  std::string fault_;
};

// Lets the new programs and their rows tell what the sections ask for with all that they call, alike for the listing and the cubin.
std::string settle_counts(const module& m, const std::string& file, const options& o, const cubin_job& cubin,
                          std::vector<made>& sections, std::vector<function_row>& rows) {
  std::vector<std::uint32_t> before = cubin.counts();
  const bool patched = !before.empty();
  std::vector<std::uint32_t> counts;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    auto& was = rows[s].before.registers;
    auto& is = rows[s].after.registers;
    if (!patched) before.push_back(m.sections[s].register_count);
    if (before[s] != 0 && before[s] != was) {  // the cubin knows better than the listing, which may not tell it at all
      if (is == was && (o.max_regs == 0 || before[s] <= o.max_regs)) is = before[s];
      was = before[s];
    }
    counts.push_back(before[s] == 0 ? 0 : is);
  }
  ww::sass::raise_register_counts(m, ww::span<const std::uint32_t>(before.data(), before.size()),
                                  {counts.data(), counts.size()});
  if (patched) {
    if (std::string fault = cubin.raise(before, counts); !fault.empty()) return o.cubin_in + ": " + fault;
  }
  for (std::size_t s = 0; s < sections.size(); ++s) {
    function_row& row = rows[s];
    if (counts[s] == 0) continue;
    std::uint32_t& told = sections[s].code.register_count;
    if (told != 0) told = counts[s] == before[s] ? m.sections[s].register_count : counts[s];
    if (counts[s] == row.after.registers) continue;
    const std::string many = std::to_string(counts[s]);
    if (o.max_regs != 0 && counts[s] > o.max_regs) {
      return file + ": section " + row.name + ": expected a rebuilt program in " + std::to_string(o.max_regs) +
             " registers (--max-regs); for what it calls it asks for " + many;
    }
    row.after.registers = counts[s];
    row.notes.push_back("asks for " + many + " registers " +
                        (counts[s] == before[s] ? "as before, more than its code needs" : "for what it calls"));
  }
  return {};
}

}  // namespace

void rebuild(const std::vector<unit>& named, const options& o, const std::string& file, const module& m,
             const std::string& cubin, file_result& result, std::string& cubin_out) {
  const ww::sm_id sm = common_sm(m);
  cubin_job file_patch(cubin, m);
  if (!file_patch.fault().empty()) {
    result.error = o.cubin_in + ": " + file_patch.fault();
    return;
  }
  options keep_registers = o;
  keep_registers.effort = 0;
  std::vector<unit> units;
  std::vector<made> sections(m.sections.size());
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const auto start = std::chrono::steady_clock::now();
    const ww::program& p = m.sections[s];
    const unit& u = units.emplace_back(named[s].in_counted_form(p) ? named[s].counted_form() : named[s]);
    function_row& row = result.rows[s];
    made& x = sections[s];
    const std::string named_registers = file_patch.names_registers(s);
    call_facts calls{.outside = !m.externals.empty()};
    ww::rebuild_result r = u.rebuild(named_registers.empty() ? o : keep_registers, p, calls, x.code);
    // The compiler was told how many registers the cubin's kernel may have at most: so many it gets.
    const std::uint32_t told = named_registers.empty() && o.max_regs == 0 ? file_patch.most_registers(s) : 0;
    if (told != 0 && r.registers_after > told && r.registers_before <= told) {
      options limited = o;
      limited.max_regs = told;
      r = u.rebuild(limited, p, calls, x.code);
    }
    if (!r.fits && named_registers.empty()) {
      calls.knows_return_moves = ww::sass::find_return_numbers(p, x.returns);
      std::vector<ww::instr_id> moves;
      for (const ww::sass::return_number& n : x.returns) moves.push_back(n.move);
      calls.return_moves = {moves.data(), moves.size()};
      r = u.rebuild_spilled(o, p, calls, r, x.spill, row.spill);
      row.spilled = x.spilled = r.fits;
      if (x.spilled) {
        x.tables = has_tables(m, p);
        ww::fill_code(p, x.spill);
        x.code = x.spill.code;
      }
    }
    const ww::schedule_result& done = r.scheduled;
    x.allowed = done.hazards_before;
    row.warps = done.warps;
    row.before.cycles = done.cycles_before;
    row.after.cycles = done.cycles_after;
    row.bound = done.bound;
    row.blocks_kept = done.kept_blocks;
    row.kept_all = done.kept_all;
    count_after(u, x.code, row);
    row.before.registers = r.registers_before;
    row.after.registers = r.registers_after;
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!named_registers.empty()) {
      row.notes.push_back("registers as they were: the cubin names registers elsewhere: " + named_registers);
    } else if (r.kept != ww::rebuild_kept::none) {
      row.notes.push_back(std::string("registers as they were: ") + ww::name_of(r.kept));
    }
    if (!r.fits) {
      const char* why = r.kept == ww::rebuild_kept::no_room ? row.spill.why : ww::name_of(r.kept);
      result.error = file + ": section " + row.name + ": expected a rebuilt program in " + std::to_string(o.max_regs) +
                     " registers (--max-regs); it has " + std::to_string(r.registers_before) + ", and " + why;
      return;
    }
    if (row.spilled) {
      row.notes.push_back("spilled: " + std::to_string(row.spill.values) + " values, " + std::to_string(row.spill.stores) +
                          " stores, " + std::to_string(row.spill.loads) + " reloads, " + std::to_string(row.spill.bytes) +
                          " bytes of local memory");
      if (x.tables) row.notes.push_back("its branch tables hold places in the code, and change with it");
      if (row.spill.recomputed != 0)
        row.notes.push_back(std::to_string(row.spill.recomputed) + " values are computed again where they are read");
    }
    if (!r.proved && !done.unknown_targets) {  // code that may go anywhere stays as it was
      result.error = file + ": section " + row.name + ": the result has hazards that the input does not have";
      return;
    }
  }
  if (const std::string fault = settle_counts(m, file, o, file_patch, sections, result.rows); !fault.empty()) {
    result.error = fault;
    return;
  }
  std::string renamed;
  module now;
  if (const std::string fault = write(m, file, sections, sm, renamed, result.listing, now); !fault.empty()) {
    result.error = fault;
    return;
  }
  if (const std::string fault = fault_of(units, sections, sm, result.listing); !fault.empty()) {
    result.error = file + ": " + fault;
    return;
  }
  if (cubin.empty()) return;
  if (const std::string fault = file_patch.write(m, now, sections, sm, result.listing, result.rows, cubin_out);
      !fault.empty()) {
    result.error = o.cubin_in + ": " + fault;
  }
}

}  // namespace cli
