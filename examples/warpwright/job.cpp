// SPDX-License-Identifier: BSL-1.0
#include "job.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/unknown_targets.hpp>
#include <warpwright/model/flow_profile_read.hpp>
#include <warpwright/model/profile.hpp>
#include <warpwright/pressure/liveness.hpp>
#include <warpwright/sass/cubin.hpp>
#include <warpwright/sass/cubin_fixed_places.hpp>
#include <warpwright/sass/cubin_listing.hpp>
#include <warpwright/sass/cubin_patch.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/writer.hpp>

#include "files.hpp"
#include "layout_job.hpp"
#include "original.hpp"
#include "rebuild_job.hpp"
#include "report_job.hpp"

namespace cli {

namespace {

using ww::sass::module;

std::string register_name(ww::reg r) {
  constexpr const char* prefix[ww::reg_file_count] = {"", "R", "P", "UR", "UP", "B", "SB", "CC", "SR"};
  const auto file = static_cast<std::size_t>(r.file());
  if (r.is_none() || file >= ww::reg_file_count) {
    return {};
  }
  return prefix[file] + (r.is_zero() ? std::string("Z") : std::to_string(r.number()));
}

const char* evidence_name(ww::provenance p) {
  constexpr const char* names[] = {"documented", "observed", "measured", "assumed"};
  return names[static_cast<std::size_t>(p) & 3u];
}

std::string body(const module& m, const ww::program& p, ww::instr_id id) {
  if (!id.valid() || id.index() >= p.instructions.size()) {
    return {};
  }
  if (p[id].source < m.records.size()) {
    return std::string(m.body_of(p[id]));
  }
  char words[64];
  std::snprintf(words, sizeof words, "0x%016llx 0x%016llx", static_cast<unsigned long long>(p[id].word[0]),
                static_cast<unsigned long long>(p[id].word[1]));
  return words;
}

finding_row row_of(const module& m, const ww::program& p, const ww::verify::finding& f) {
  finding_row r;
  r.kind = ww::verify::name(f.kind);
  r.level = f.level == ww::verify::severity::finding ? "finding" : "note";
  r.evidence = evidence_name(f.evidence);
  r.first = body(m, p, f.first);
  r.second = body(m, p, f.second);
  r.first_address = f.first.valid() ? p[f.first].address : 0;
  r.second_address = f.second.valid() ? p[f.second].address : 0;
  r.target = register_name(f.target);
  r.short_by = f.short_by;
  r.required = f.required;
  r.counter = f.counter == ww::control::no_barrier ? -1 : static_cast<int>(f.counter);
  return r;
}

// The largest number of general registers that are live at one instruction.
unsigned max_live(const ww::program& p) {
  ww::liveness live;
  live.compute(p);
  ww::vec<ww::live_count> counts;
  ww::count_live(p, live, counts);
  unsigned most = 0;
  for (const ww::live_count& c : counts) {
    most = std::max(most, static_cast<unsigned>(c[ww::pressure_class::r]));
  }
  return most;
}

void count_controls(const unit& u, const ww::program& p, figures& f) {
  f.stalls = f.waits = f.barriers = f.depbars = f.reuse = 0;
  unsigned used = 0;
  for (const ww::instruction& i : p.instructions) {
    if (i.has(ww::iflag::padding)) {
      continue;
    }
    f.stalls += i.ctl.stall;
    f.waits += static_cast<unsigned>(std::popcount(static_cast<unsigned>(i.ctl.wait_mask)));
    f.barriers += (i.ctl.sets_write() ? 1u : 0u) + (i.ctl.sets_read() ? 1u : 0u);
    used |= (i.ctl.sets_write() ? 1u << i.ctl.write_barrier : 0u) | (i.ctl.sets_read() ? 1u << i.ctl.read_barrier : 0u);
    f.depbars += i.iclass == ww::sched_class::depbar ? 1u : 0u;
    f.reuse += i.has(ww::iflag::reuse_legal) ? static_cast<unsigned>(std::popcount(static_cast<unsigned>(i.ctl.reuse))) : 0u;
  }
  f.counters = static_cast<unsigned>(std::popcount(used));
  const ww::model::operand_reads reads = u.operand_reads(p);
  f.reuse_hits = reads.instructions_hit;
  f.bank_conflicts = reads.instructions_in_conflict;
}

// A program without control words, with words of ours for the order that it came in.
ww::program with_own_words(const unit& u, const options& o, const ww::program& p) {
  options keep;
  keep.strategy = "keep";
  keep.warps = o.warps;
  ww::program q = p;
  ww::schedule_result r;
  (void)u.schedule(keep, q, r);
  return q;
}

// Opcodes that the kit does not know, with counts; such an instruction is a fence that reads and writes everything.
void note_unknown(const module& m, const ww::program& p, function_row& row) {
  std::vector<std::pair<std::string, unsigned>> seen;
  for (const ww::instruction& i : p.instructions) {
    if (!i.has(ww::iflag::unknown)) {
      continue;
    }
    const std::string text(m.body_of(i));
    const std::size_t start = text.empty() || text[0] != '@' ? 0 : std::min(text.size(), text.find(' ') + 1);
    const std::string name = text.substr(start, text.find_first_of(". ", start) - start);
    const auto at = std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == name; });
    if (at == seen.end()) {
      seen.emplace_back(name, 1u);
    } else {
      ++at->second;
    }
  }
  for (const auto& [name, count] : seen) {
    row.notes.push_back(std::to_string(count) + " instructions of the unknown opcode " + name +
                        ": fences that nothing moves across");
  }
}

// Where the targets of indirect branches would stand, if the listing is of a form that has none.
std::string advice(const module& m) {
  return m.form == ww::sass::listing_form::nvdisasm ? "" : " (give nvdisasm -c -hex, which lists them)";
}

// Text and hex that contradict each other: what is checked is the text, what a cubin holds is the hex. Nothing is moved by it.
void note_other_words(const ww::verify::report& words, const module& m, const ww::program& p, function_row& row) {
  unsigned count = 0;
  std::uint32_t line = 0;
  for (const ww::verify::finding& f : words.findings) {
    if (f.kind != ww::verify::finding_kind::other_words) {
      continue;
    }
    const std::uint32_t source = p[f.second].source;
    const std::uint32_t at = source < m.records.size() ? m.records[source].line : 0;
    line = count == 0 || at < line ? at : line;
    ++count;
  }
  if (count != 0) {
    row.notes.push_back(std::to_string(count) + (count == 1 ? " instruction" : " instructions") +
                        " whose hex is that of another than the text, " + "which was followed; the first is in line " +
                        std::to_string(line));
  }
}

// Words by which nothing can be moved: a control word that is none of this SM (an undefined issue code, a counter that does not
// exist, reserved bits), and hex that says something else than the text beside it.
std::string foreign_word(const ww::verify::report& words, const module& m, const ww::program& p, const std::string& file) {
  for (const ww::verify::finding& f : words.findings) {
    const bool other = f.kind == ww::verify::finding_kind::other_words;
    if ((f.level != ww::verify::severity::finding && !other) || !f.second.valid()) {
      continue;
    }
    const char* wanted = f.kind == ww::verify::finding_kind::issue_code      ? "a stall and yield code that is defined"
                         : f.kind == ww::verify::finding_kind::counter_index ? "a counter that the SM has"
                         : f.kind == ww::verify::finding_kind::reserved_bits ? "reserved bits that are 0"
                         : other                                             ? "the registers and numbers of the text"
                                                                             : nullptr;
    if (wanted != nullptr) {
      const std::uint32_t source = p[f.second].source;
      const std::uint32_t line = source < m.records.size() ? m.records[source].line : 0;
      return file + ":" + std::to_string(line) + ":1: expected " + wanted +
             (other ? " in the hex of '" : " in the control word of '") + body(m, p, f.second) + "'";
    }
  }
  return {};
}

function_row first_figures(const unit& u, const module& m, std::size_t section, const std::string& file,
                           const ww::verify::report& words) {
  const ww::program& p = m.sections[section];
  function_row row;
  row.name = std::string(m.name_of(m.infos[section]));
  row.sm = u.sm;
  row.file = file;
  for (const ww::block& b : p.blocks) {
    if (!b.padding && b.count != 0) {
      ++row.blocks;
      row.instructions += b.count;
    }
  }
  row.before.registers = row.after.registers = p.register_count;
  row.before.max_live = row.after.max_live = max_live(p);
  count_controls(u, p, row.before);
  row.after = row.before;
  note_unknown(m, p, row);
  note_other_words(words, m, p, row);
  return row;
}

// Order and text are proved: every operand reads what it read in the program that came, effects keep their order
// (verify/same_order.hpp). The rewritten text is read again and must say the same thing: as many instructions, the same
// bodies in every block, the control words that were meant, and no more findings than before.
std::string reread_fault(const std::vector<unit>& units, const module& m, const std::string& text,
                         const std::vector<std::uint32_t>& allowed, const std::vector<ww::program>& came) {
  const ww::sass::listing_result again = ww::sass::read_listing(text, {.sm = common_sm(m), .file = "the rewritten listing"});
  if (!again) {
    return again.err.message();
  }
  if (again.mod.sections.size() != m.sections.size()) {
    return "the rewritten listing has another number of sections";
  }
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const ww::program& meant = m.sections[s];
    if (const std::string other = other_program(came[s], meant); !other.empty()) {
      return "the new order is another program than the input: " + other;
    }
    ww::program got = again.mod.sections[s];
    if (!has_same_blocks(meant, got)) return "the rewritten listing has another shape";
    for (std::size_t k = 0; k < meant.order.size(); ++k) {
      const ww::instruction& a = meant[meant.order[k]];
      const ww::instruction& b = got[got.order[k]];
      if (!reads_alike(meant, a, got, b)) {
        return "the rewritten listing reads differently from what was meant";
      }
    }
    if (units[s].hazards(got) > allowed[s]) {
      return "the rewritten listing has hazards that the input does not have";
    }
  }
  return {};
}

// Finds the code section of a listing section in the cubin, and makes sure that both hold the same words.
std::string patch_of(const module& m, std::size_t section, const ww::sass::cubin& c,
                     std::vector<ww::sass::text_patch>& patches) {
  const std::string name(m.name_of(m.infos[section]));
  const ww::program& p = m.sections[section];
  for (const ww::sass::cubin_text& t : c.texts) {
    if (t.name != name) {
      continue;
    }
    bool same = t.code.instructions.size() == p.instructions.size();
    for (std::size_t i = 0; same && i < p.instructions.size(); ++i) {
      same = std::memcmp(t.code.instructions[i].word, p.instructions[i].word, sizeof p.instructions[i].word) == 0;
    }
    if (!same) {
      return "section .text." + name + " does not hold the code of the listing";
    }
    patches.push_back(ww::sass::make_text_patch(p, t.section));
    return {};
  }
  return "no section .text." + name;
}

std::string patch(const module& m, const std::string& cubin, std::string& out) {
  const ww::sass::byte_span bytes(reinterpret_cast<const std::uint8_t*>(cubin.data()), cubin.size());
  const ww::sass::cubin_result read = ww::sass::read_cubin(bytes);
  if (read.error) {
    return read.error.text();
  }
  if (read.value.target.id() != common_sm(m)) {
    return "the cubin is for another SM than the listing";
  }
  std::vector<ww::sass::text_patch> patches;
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    if (std::string fault = patch_of(m, s, read.value, patches); !fault.empty()) {
      return fault;
    }
  }
  ww::sass::patch_result patched = ww::sass::patch_cubin(bytes, patches);
  if (patched.error) {
    return patched.error.text();
  }
  out.assign(reinterpret_cast<const char*>(patched.bytes.data()), patched.bytes.size());
  return {};
}

// Pins what the cubin's attributes do not let anything cross. What is wrong with the cubin is said where it is patched.
void pin(module& m, const std::string& cubin) {
  const ww::sass::byte_span bytes(reinterpret_cast<const std::uint8_t*>(cubin.data()), cubin.size());
  const ww::sass::elf_result elf = ww::sass::read_elf(bytes);
  if (elf.error) return;
  const ww::sass::cubin_result read = ww::sass::read_cubin(elf.file);
  if (read.error) return;
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const ww::sass::text_match found = ww::sass::match_text(read.value, m.name_of(m.infos[s]), m.sections[s]);
    if (found.error) continue;
    std::vector<std::uint32_t> places;
    ww::sass::find_fixed_places(elf.file, read.value, found.text->section, places);
    ww::sass::pin_places(m.sections[s], places);
  }
}

// Block weights from a profile file, for every section that it names; those that it does not name go into `left_out`.
std::string apply_profile(const options& o, module& m, std::vector<bool>& left_out, bool& named) {
  left_out.assign(m.sections.size(), false);
  if (o.profile.empty()) {
    return {};
  }
  ww::vec<ww::model::profile_entry> entries;
  const ww::model::profile_error bad = ww::model::read_profile(o.counts, entries);
  const auto place = [&](std::uint32_t line, std::uint32_t column) {
    return o.profile + ":" + std::to_string(line) + ":" + std::to_string(column) + ": expected ";
  };
  if (bad.failed) {
    return place(bad.line, bad.column) + bad.expected;
  }
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const std::string name(m.name_of(m.infos[s]));
    const ww::model::profile_result applied = ww::model::apply_profile(m.sections[s], name, entries);
    left_out[s] = applied.applied == 0;
    named = named || applied.applied != 0;
    if (applied.unknown != 0) {
      return place(applied.line, applied.column) + "a block number of section " + name + ", which has " +
             std::to_string(m.sections[s].blocks.size()) + " blocks";
    }
    ww::flow_profile flow;
    const ww::model::flow_result edges = ww::model::read_flow(m.sections[s], name, entries, flow);
    if (edges.unknown != 0) {
      return place(edges.line, edges.column) + "two blocks of section " + name + " with a way from the first to the second";
    }
    named = named || edges.probabilities != 0;
  }
  return {};
}

}  // namespace

finding_row row_of(const module& m, const ww::program& p, const ww::verify::order_difference& d) {
  ww::verify::finding f;
  f.evidence = ww::provenance::documented;
  f.first = d.first;
  f.second = d.second;
  f.target = d.target;
  finding_row r = row_of(m, p, f);
  r.kind = ww::verify::name(d.fault);
  return r;
}

void count_after(const unit& u, const ww::program& p, function_row& row) {
  row.after.max_live = max_live(p);
  count_controls(u, p, row.after);
}

ww::sm_id common_sm(const module& m) {
  const ww::sm_id sm = m.sections.front().sm;
  const bool one = std::all_of(m.sections.begin(), m.sections.end(), [&](const ww::program& p) { return p.sm == sm; });
  return one ? sm : ww::sm_id::unknown;
}

bool has_same_blocks(const ww::program& meant, ww::program& got) {
  return got.instructions.size() == meant.instructions.size() && ww::build_cfg(got).ok &&
         std::equal(got.blocks.begin(), got.blocks.end(), meant.blocks.begin(), meant.blocks.end(),
                    [](const ww::block& a, const ww::block& b) { return a.first == b.first && a.count == b.count; });
}

bool reads_alike(const ww::program& p, const ww::instruction& a, const ww::program& q, const ww::instruction& b) {
  bool same = a.op == b.op && a.ctl == b.ctl && a.operand_count == b.operand_count;
  for (std::size_t o = 0; same && o < a.operand_count; ++o) {
    const ww::operand x = p.operands_of(a)[o];
    const ww::operand y = q.operands_of(b)[o];
    same = x.low == y.low && ((x.high ^ y.high) & ~ww::operand::bit_reuse) == 0;
  }
  return same;
}

void work(const std::vector<unit>& named, const options& o, const std::string& file, module& m, const std::string& cubin,
          file_result& result, std::string& cubin_out) {
  if (!m.has_hex && (!o.original.empty() || (o.what != command::check && o.what != command::compare))) {
    const std::uint32_t line = m.records.empty() ? 1 : m.records.front().line;
    result.error = file + ":" + std::to_string(line) +
                   ":1: expected hex words beside the instructions (nvdisasm -c -hex): without them there is no place for "
                   "control words (check and compare do without)";
    return;
  }
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const ww::cfg_result graph = ww::build_cfg(m.sections[s]);
    if (!graph.ok) {
      result.error = file + ": section " + std::string(m.name_of(m.infos[s])) + ": expected " + graph.expected;
      return;
    }
  }
  if (!cubin.empty() && (o.what == command::schedule || o.what == command::rebuild)) pin(m, cubin);
  std::vector<bool> not_profiled;
  if (result.error = apply_profile(o, m, not_profiled, result.profiled); !result.error.empty()) {
    return;
  }
  std::vector<std::uint32_t> allowed;
  std::vector<unit> units;
  std::vector<ww::program> came;
  ww::sass::module original;
  std::string original_text;
  if (!o.original.empty()) {
    if (result.error = read_original(o.original, common_sm(m), original_text, original); !result.error.empty()) {
      return;
    }
  }
  comparison against(original, o.original, m);
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    ww::program& p = m.sections[s];
    const auto start = std::chrono::steady_clock::now();
    const bool counted = named[s].in_counted_form(p);
    const unit& u = units.emplace_back(counted ? named[s].counted_form() : named[s]);
    const ww::verify::report words = m.has_hex ? u.check_words(p) : ww::verify::report{};
    function_row row = first_figures(u, m, s, file, words);
    row.sm = named[s].sm;
    if (not_profiled[s]) {
      row.notes.emplace_back("not in the profile: block weights by loop depth");
    }
    if (o.what == command::check) {
      for (const ww::verify::finding& f : u.check(m.has_hex ? p : with_own_words(u, o, p)).findings) {
        if (m.has_hex || f.kind == ww::verify::finding_kind::undefined_read) row.hazards.push_back(row_of(m, p, f));
      }
      if (!m.has_hex) {
        row.notes.emplace_back(
            "no hex, so no control words: values that nothing has set were looked for; stalls, waits and distances need "
            "nvdisasm -c -hex");
      }
      if (!o.original.empty()) {
        if (result.error = against.run(s, row); !result.error.empty()) {
          return;
        }
      }
      if (ww::has_unknown_targets(p)) {
        row.notes.push_back("an indirect branch has no known targets" + advice(m) +
                            ": where it may go was checked as if it came from above, or from nowhere if there are several");
      }
    } else {
      if (result.error = foreign_word(words, m, p, file); !result.error.empty()) {
        return;
      }
      if (o.what == command::layout || o.what == command::rebuild) {
        result.rows.push_back(std::move(row));
        continue;
      }
      if (o.what == command::schedule || o.what == command::report) {
        came.push_back(p);
      }
      const std::size_t odd = m.has_hex ? u.check(p).errors() : 0;
      if (!m.has_hex) {
        count_controls(u, with_own_words(u, o, p), row.before);
        row.notes.emplace_back("no hex, so no control words: the order that came has words of this program");
      }
      ww::schedule_result r;
      if (!u.schedule(o, p, r)) {
        const bool own = o.backend.empty();
        result.error = (own ? "no strategy '" + o.strategy : "no backend '" + o.backend) + "'" +
                       (o.priority.empty() ? "" : " with priority '" + o.priority + "'") +
                       (o.mode.empty() ? "" : " with mode '" + o.mode + "'") +
                       "; see `warpwright list strategies`, `list backends`, `list modes` and `list priorities`";
        return;
      }
      if (counted) {
        row.notes.push_back("double precision and integer matrix operations raise counters here: by the rules of " +
                            std::string(u.sm));
      }
      row.warps = r.warps;
      row.before.cycles = r.cycles_before;
      row.after.cycles = r.cycles_after;
      row.bound = r.bound;
      row.blocks_kept = r.kept_blocks;
      row.kept_all = r.kept_all;
      count_after(u, p, row);
      allowed.push_back(r.hazards_before);
      if (r.unknown_targets) {
        row.notes.push_back("left as it was: an indirect branch has no known targets" + advice(m));
      } else if (r.kept_all) {
        row.notes.emplace_back("left as it was: no candidate was cheaper by the model");
      }
      if (m.names_places && o.what == command::schedule &&
          !std::equal(p.order.begin(), p.order.end(), came.back().order.begin())) {
        row.notes.emplace_back(
            "places in code that other sections name (.nv.info, .debug_frame, ..) are the old ones in this listing; in a "
            "cubin they are new (--cubin, --cubin-out)");
      }
      if (m.source_lines && o.what == command::schedule &&
          !std::equal(p.order.begin(), p.order.end(), came.back().order.begin())) {
        row.notes.emplace_back(
            "source lines (//## File ..) stand at their old places in this listing, no longer in front of their "
            "instructions; "
            "a cubin has them right (--cubin, --cubin-out)");
      }
      if (odd != 0) {
        row.notes.push_back(std::to_string(odd) + " hazards in the input; run check");
      }
      if (!r.proved) {
        result.error = file + ": section " + row.name + ": the result has hazards that the input does not have";
        return;
      }
      if (o.what == command::report) result.reports.push_back(report_of(u, m, came.back(), p, r, row));
    }
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.rows.push_back(std::move(row));
  }
  if (!o.original.empty()) {
    find_missing(original, o.original, m, result.rows);
  }
  if (o.what == command::layout) {
    lay_out(named, o, file, m, cubin, result, cubin_out);
  }
  if (o.what == command::rebuild) {
    rebuild(named, o, file, m, cubin, result, cubin_out);
  }
  if (o.what != command::schedule) {
    return;
  }
  ww::sass::error bad = ww::sass::write_listing(m, [&](std::string_view piece) { result.listing += piece; });
  if (bad) {
    bad.file = file;
    result.error = bad.message();
    return;
  }
  if (std::string fault = reread_fault(units, m, result.listing, allowed, came); !fault.empty()) {
    result.error = file + ": " + fault;
    return;
  }
  if (!cubin.empty()) {
    if (std::string fault = patch(m, cubin, cubin_out); !fault.empty()) {
      result.error = o.cubin_in + ": " + fault;
    }
  }
}

void check_controls(const unit& u, const std::string& file, const module& m, file_result& result) {
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    const ww::program& p = m.sections[s];
    function_row row;
    row.name = std::string(m.name_of(m.infos[s]));
    row.sm = u.sm;
    row.file = file;
    row.instructions = p.instructions.size();
    row.before.registers = row.after.registers = p.register_count;
    count_controls(u, p, row.before);
    row.after = row.before;
    std::vector<ww::control> fields;
    fields.reserve(p.instructions.size());
    for (const ww::instruction& i : p.instructions) {
      fields.push_back(i.ctl);
    }
    const ww::verify::report report = u.check_controls(fields);
    for (const ww::verify::finding& f : report.findings) {
      row.hazards.push_back(row_of(m, p, f));
    }
    row.notes.emplace_back(
        "control words only: issue codes, counter indices and reserved bits were checked; dependences, "
        "distances and waits need the listing (nvdisasm -c -hex)");
    result.rows.push_back(std::move(row));
  }
}

}  // namespace cli
