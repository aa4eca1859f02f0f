// SPDX-License-Identifier: BSL-1.0
//
// Timelines: every cycle of a block is accounted for, the figures are those of the model, and who is waited for is who lets go.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/model/simulate.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/report/all.hpp"
#include "warpwright/sass/listing.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::instr_id;
using ww::model::stall_reason;
using ww::report::evidence;
using ww::report::timeline;
using ww::report::timeline_block;
using ww::report::timeline_row;

std::uint32_t lost(const timeline_row& r, stall_reason reason) { return r.lost[static_cast<unsigned>(reason)]; }

struct seen {
  std::size_t programs = 0;
  std::size_t rows = 0;
  std::size_t barriers = 0;
  std::size_t dependences = 0;
  std::size_t pipes = 0;
  std::size_t elsewhere = 0;  // waits for another block
  std::vector<std::string> bad;

  void fault(const std::string& what) {
    if (bad.size() < 10) bad.push_back(what);
  }
};

// Longest distance that an operand of `i` asks for to a register that `by` writes; 0 where they share none.
template <class Arch>
std::int64_t distance_between(const ww::program& p, instr_id by, instr_id i) {
  std::int64_t most = 0;
  for (const ww::operand x : p.operands_of(by)) {
    if (!x.is_def() || !x.is_register()) continue;
    for (const ww::operand y : p.operands_of(i)) {
      if (!y.is_register() || y.file() != x.file()) continue;
      const std::uint32_t x0 = x.base().number(), y0 = y.base().number();
      const std::uint32_t end = std::min(x0 + std::max(x.width(), 1u), y0 + std::max(y.width(), 1u));
      for (std::uint32_t n = std::max(x0, y0); n < end; ++n) {
        const ww::access_point from{p[by].iclass, x.where(), x.file(), static_cast<std::uint8_t>(n - x0),
                                    p[by].has(ww::iflag::guarded)};
        const ww::access_point to{p[i].iclass, y.where(), y.file(), static_cast<std::uint8_t>(n - y0),
                                  p[i].has(ww::iflag::guarded)};
        const ww::distance d = y.is_def() ? Arch::latency::waw(from, to) : Arch::latency::raw(from, to);
        most = std::max(most, std::int64_t{d.check});
      }
    }
  }
  return most;
}

// What the rows of a block say, held against each other and against the program, not against the log that they are from.
template <class Arch>
void check_block(const ww::program& p, const timeline& t, const timeline_block& b, const std::string& what, seen& s) {
  constexpr auto set_to_wait = static_cast<std::int64_t>(Arch::barriers::set_to_wait);
  const auto rows = t.rows_of(b);
  std::vector<std::size_t> place(p.instructions.size(), rows.size());
  std::int64_t previous = -1;
  std::uint64_t sum = b.behind;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const timeline_row& r = rows[k];
    const std::string where = what + " at " + std::to_string(r.address);
    ++s.rows;
    sum += r.waited() + (r.issue > previous ? 1u : 0u);
    if (r.issue < previous) s.fault(where + ": issues before the one in front");
    const std::int64_t gap = r.issue > previous ? r.issue - previous - 1 : 0;
    if (static_cast<std::uint64_t>(gap) != r.waited()) s.fault(where + ": its wait is not the gap in front of it");
    if (lost(r, stall_reason::barrier) != 0) {
      ++s.barriers;
      if (r.counter >= ww::control::barrier_count) s.fault(where + ": waits for no counter");
      if (!r.raiser.valid()) s.fault(where + ": waits for nobody");
      if (r.raiser.valid() && place[r.raiser.index()] < k) {
        const timeline_row& w = rows[place[r.raiser.index()]];
        const bool by_result = w.ctl.write_barrier == r.counter && w.result == r.issue;
        const bool by_read = w.ctl.read_barrier == r.counter && w.read == r.issue;
        const bool raises = w.ctl.write_barrier == r.counter || w.ctl.read_barrier == r.counter;
        const bool just_set = raises && w.issue + set_to_wait == r.issue;
        if (!by_result && !by_read && !just_set) s.fault(where + ": waits for one that lets go at another time");
      } else {
        ++s.elsewhere;
      }
    } else if (r.counter != ww::control::no_barrier && r.ctl.wait_mask == 0 && p[r.id].iclass != ww::sched_class::depbar) {
      s.fault(where + ": names a counter that it does not wait for");
    }
    if (lost(r, stall_reason::dependence) != 0) {
      ++s.dependences;
      const std::size_t at = r.writer.valid() ? place[r.writer.index()] : rows.size();
      if (at >= k) {
        s.fault(where + ": needs nothing of this block");
      } else {
        // what is put down to it ends when the writer's result is there, or with the stall
        const std::int64_t there = rows[at].issue + distance_between<Arch>(p, r.writer, r.id);
        const std::int64_t end = previous + 1 + lost(r, stall_reason::dependence);
        const bool rest = r.waited() != lost(r, stall_reason::dependence);
        if (there < end || (rest && lost(r, stall_reason::stall_count) != 0 && there != end))
          s.fault(where + ": its writer's result is there at another time");
      }
    }
    if (lost(r, stall_reason::pipe) != 0) {
      ++s.pipes;
      if (!r.holder.valid()) {
        s.fault(where + ": waits for a pipe that nobody holds");
      } else if (place[r.holder.index()] < k) {
        const timeline_row& h = rows[place[r.holder.index()]];
        if (h.pipe != r.pipe) s.fault(where + ": another pipe");
        for (std::size_t n = place[r.holder.index()] + 1; n < k; ++n) {
          if (rows[n].pipe == r.pipe) s.fault(where + ": somebody else took the pipe behind its holder");
        }
        // no other wait may be behind a time at which the pipe is free again
        if (r.waited() == lost(r, stall_reason::pipe) && h.issue + h.busy != r.issue)
          s.fault(where + ": the pipe is free at another time");
      }
    }
    if (r.result < r.issue || r.read < r.issue) s.fault(where + ": lands before it issues");
    place[r.id.index()] = k;
    previous = r.issue;
  }
  if (static_cast<double>(sum) != b.alone)
    s.fault(what + ": block " + std::to_string(b.number) + " has cycles that nobody accounts for");
  std::uint64_t path = 0;
  for (const std::uint32_t cycles : b.path) path += cycles;
  if (path != b.critical_path) s.fault(what + ": the parts of a critical path are not the path");
  std::uint64_t along = 1;
  for (const auto& e : t.edges_of(b)) {
    if (!e.critical) continue;
    along += e.edge.latency;
    if (!rows[e.edge.from].critical || !rows[e.edge.to].critical) s.fault(what + ": a critical edge between others");
  }
  if (b.count != 0 && along != b.critical_path) s.fault(what + ": the marked path is not as long as the critical path");
  for (const timeline_row& r : rows) {
    if (r.critical && r.slack != 0) s.fault(what + ": slack on the critical path");
  }
}

template <class Arch>
void check_program(const ww::program& p, const std::string& what, seen& s) {
  static ww::model::workspace ws;
  timeline t;
  ww::report::make_timeline<Arch>(p, 6, t);
  ++s.programs;
  const ww::model::cost alone = ww::model::simulate<Arch>(p, {.reasons = true}, ws);
  bool same = t.alone == alone.cycles && t.alone_reasons == alone.reasons;
  for (const timeline_block& b : t.blocks) {
    same = same && b.alone == alone.block_cycles[b.number] && b.weight == p.blocks[b.number].weight;
    check_block<Arch>(p, t, b, what, s);
    for (const timeline_row& r : t.rows_of(b)) {
      for (unsigned k = 0; k < ww::model::reason_count; ++k) {
        const bool last = r.id == t.rows_of(b).back().id && k == static_cast<unsigned>(b.behind_reason);
        same = same && r.lost[k] + (last ? b.behind : 0) == alone.instructions[r.id.index()].lost[k];
      }
    }
  }
  ww::liveness live;
  live.compute(p);
  ww::vec<ww::live_count> counts;
  ww::count_live(p, live, counts);
  std::vector<std::uint32_t> by_id(p.instructions.size());
  for (std::size_t k = 0; k < p.order.size(); ++k) by_id[p.order[k].index()] = counts[k][ww::pressure_class::r];
  for (const timeline_row& r : t.rows) same = same && r.live == by_id[r.id.index()] && r.live <= t.most_live;
  same = same && (by_id.empty() || t.most_live == *std::max_element(by_id.begin(), by_id.end()));
  const ww::model::cost shared = ww::model::simulate<Arch>(p, {.warps = 6, .reasons = true}, ws);
  same = same && t.shared == shared.cycles && t.shared_reasons == shared.reasons && t.warps == 6;
  for (const timeline_block& b : t.blocks) same = same && b.shared == shared.block_cycles[b.number];
  if (!same) s.fault(what + ": figures are not those of the model");
}

}  // namespace

TEST_CASE("report: every cycle of every block of real code is accounted for") {
  seen s;
  std::size_t number = 0;
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"listings_short", "listings_blackwell", "listings_rare"}) {
    const std::vector<std::string> more = corpus::files(corpus::bundled(folder));
    paths.insert(paths.end(), more.begin(), more.end());
  }
  for (const std::string& path : paths) {
    if (!ww_test::chosen(number++, 2)) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    if (!r) continue;
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      ww::detail::visit_arch_in(ww::all_archs{}, ww::nearest_sm(p.sm),
                                [&]<class Arch>() { check_program<Arch>(p, path, s); });
    }
  }
  for (const std::string& line : s.bad) FAIL_CHECK(line);
  std::printf("report: %zu programs, %zu rows; waits: %zu barrier (%zu for another block), %zu dependence, %zu pipe\n",
              s.programs, s.rows, s.barriers, s.elsewhere, s.dependences, s.pipes);
  CHECK(s.programs > 20);
  CHECK(s.barriers > 100);
  CHECK(s.dependences > 100);
  CHECK(s.pipes > 100);
}

TEST_CASE("report: who is waited for, by hand") {
  // Two loads raise one counter; the second one lands last. The sum needs the loads, the move waits for the sum's result.
  ww::program p = ww_test::program_of<ww::sm80>(
      "LDG.E R2, [R10.64]\n"
      "LDG.E R3, [R12.64]\n"
      "FADD R4, R2, R3\n"
      "FMUL R5, R4, R4\n"
      "FMUL R6, R4, R4\n"
      "EXIT\n");
  const auto word = [&](unsigned id, unsigned stall, unsigned write, unsigned wait) {
    p[instr_id{id}].ctl = {.stall = static_cast<std::uint8_t>(stall),
                           .write_barrier = static_cast<std::uint8_t>(write),
                           .wait_mask = static_cast<std::uint8_t>(wait)};
  };
  word(0, 1, 2, 0);
  word(1, 1, 2, 0);
  word(2, 9, 7, 1u << 2);  // the distance that FMUL needs is 4 on this SM: the rest of the stall is for nothing
  word(3, 1, 7, 0);
  word(4, 1, 7, 0);
  word(5, 5, 7, 0);
  timeline t;
  ww::report::make_timeline<ww::sm80>(p, 1, t);
  REQUIRE(t.blocks.size() == 1);
  REQUIRE(t.rows.size() == 6);
  const auto& rows = t.rows;
  CHECK(rows[0].issue == 0);
  CHECK(rows[2].raiser == instr_id{1});
  CHECK(rows[2].counter == 2);
  CHECK(rows[2].issue == rows[1].result);
  CHECK(lost(rows[2], stall_reason::barrier) == rows[2].issue - rows[1].issue - 1);
  CHECK(lost(rows[1], stall_reason::pipe) == rows[1].issue - 1);
  CHECK(rows[1].holder == instr_id{0});
  CHECK(rows[3].writer == instr_id{2});
  CHECK(lost(rows[3], stall_reason::dependence) == 3);
  CHECK(lost(rows[3], stall_reason::stall_count) == 5);
  CHECK(rows[3].result == rows[3].issue + 4);
  CHECK(lost(rows[4], stall_reason::dependence) == 0);
  CHECK(rows[5].result == rows[5].issue);  // nothing lands
  CHECK(t.blocks[0].behind == 4);
  CHECK(t.blocks[0].behind_reason == stall_reason::stall_count);
  CHECK(t.blocks[0].alone == static_cast<double>(rows[5].issue + 5));
  CHECK(rows[3].live >= 2);
}

TEST_CASE("report: counters that are raised twice, and counts of DEPBAR") {
  ww::program p = ww_test::program_of<ww::sm80>(
      "LDG.E R2, [R10.64]\n"
      "LDG.E R3, [R12.64]\n"
      "LDG.E R4, [R14.64]\n"
      "DEPBAR.LE SB1, 0x3\n"
      "DEPBAR.LE SB1, 0x2\n"
      "DEPBAR.LE SB1, 0x1\n"
      "EXIT\n");
  for (ww::instruction& i : p.instructions) i.ctl = {.stall = 1};
  for (unsigned k = 0; k < 3; ++k) p[instr_id{k}].ctl.write_barrier = 1;
  p[instr_id{2}].ctl.read_barrier = 1;
  for (unsigned k = 3; k < 6; ++k)
    p[instr_id{k}].mem_offset = static_cast<std::int32_t>(6 - k);  // the counts, without encoding
  timeline t;
  ww::report::make_timeline<ww::sm80>(p, 1, t);
  REQUIRE(t.rows.size() == 7);
  // Four are outstanding: three results and the reads of the third load. The reads come first, then the results.
  const auto& rows = t.rows;
  for (const std::size_t k : {std::size_t{3}, std::size_t{4}, std::size_t{5}}) CHECK(rows[k].counter == 1);
  CHECK(rows[3].raiser == instr_id{2});
  CHECK(rows[3].issue == rows[2].read);
  CHECK(rows[4].raiser == instr_id{0});
  CHECK(rows[4].issue == rows[0].result);
  CHECK(rows[5].raiser == instr_id{1});
  CHECK(rows[5].issue == rows[1].result);
}

TEST_CASE("report: a counter is seen some time after it was set, and that is its setter's") {
  ww::program p = ww_test::program_of<ww::sm80>("LDG.E R2, [R10.64]\nDEPBAR.LE SB0, 0x8\nEXIT\n");
  p[instr_id{0}].ctl = {.stall = 1, .write_barrier = 0};
  p[instr_id{1}].ctl = {.stall = 1};
  p[instr_id{1}].mem_offset = 8;
  timeline t;
  ww::report::make_timeline<ww::sm80>(p, 1, t);
  REQUIRE(t.rows.size() == 3);
  CHECK(t.rows[1].issue == ww::sm80::barriers::set_to_wait);
  CHECK(lost(t.rows[1], stall_reason::barrier) == ww::sm80::barriers::set_to_wait - 1);
  CHECK(t.rows[1].raiser == instr_id{0});
}

TEST_CASE("report: results and reads of one queue end in order") {
  using latency = ww::sm80::latency;
  ww::program p = ww_test::program_of<ww::sm80>(
      "LDG.E.128 R4, [R10.64]\n"
      "LDG.E R3, [R12.64]\n"
      "STG.E.128 [R14.64], R4\n"
      "STG.E [R16.64], R3\n"
      "EXIT\n");
  for (ww::instruction& i : p.instructions) i.ctl = {.stall = 1};
  p[instr_id{0}].ctl.write_barrier = 0;
  p[instr_id{1}].ctl.write_barrier = 1;
  p[instr_id{2}].ctl.wait_mask = 3;
  p[instr_id{2}].ctl.read_barrier = 2;
  p[instr_id{3}].ctl.read_barrier = 3;
  p[instr_id{4}].ctl.wait_mask = 1u << 3;
  timeline t;
  ww::report::make_timeline<ww::sm80>(p, 1, t);
  REQUIRE(t.rows.size() == 5);
  const auto& rows = t.rows;
  CHECK(rows[0].result == latency::result_estimate(ww::sched_class::ldg, 16));
  REQUIRE(rows[1].issue + latency::result_estimate(ww::sched_class::ldg, 4) <
          rows[0].result);  // by itself it would be sooner
  CHECK(rows[1].result == rows[0].result);
  REQUIRE(rows[3].issue + latency::read_estimate(ww::sched_class::stg, 4) < rows[2].read);
  CHECK(rows[3].read == rows[2].read);
  CHECK(rows[4].issue == rows[3].read);
  CHECK(rows[4].raiser == instr_id{3});
}

TEST_CASE("report: waits reach over the start of a block, and a loop waits for its own end") {
  ww::program p = ww_test::program_of<ww::sm80>(
      "MOV R4, RZ\n"
      "loop:\n"
      "IADD3 R4, R4, R2, RZ\n"
      "LDG.E R2, [R10.64]\n"
      "@P0 BRA `(loop)\n"
      "EXIT\n");
  for (ww::instruction& i : p.instructions) i.ctl = {.stall = 2};
  p[instr_id{1}].ctl.wait_mask = 1;
  p[instr_id{2}].ctl.write_barrier = 0;
  timeline t;
  ww::report::make_timeline<ww::sm80>(p, 1, t);
  REQUIRE(t.rows.size() == 5);
  CHECK(lost(t.rows[1], stall_reason::barrier) > 10);  // the load of the turn before
  CHECK(t.rows[1].raiser == instr_id{2});
  CHECK(t.rows[1].counter == 0);
}

TEST_CASE("report: what critical paths rest on") {
  // sm_80: FFMA to FFMA is documented, LDG to its reader is an estimate, the exit stands behind by order.
  const auto path_of = [](const char* text) {
    const ww::program p = ww_test::program_of<ww::sm80>(text);
    timeline t;
    ww::report::make_timeline<ww::sm80>(p, 1, t);
    REQUIRE(t.blocks.size() == 1);
    return t.blocks[0].path;
  };
  const auto of = [](const auto& path, evidence e) { return path[static_cast<unsigned>(e)]; };
  const auto fixed = path_of("FFMA R2, R2, R2, R2\nFFMA R3, R2, R2, R2\nFFMA R4, R3, R3, R3\nFFMA R5, R4, R4, R4\nEXIT\n");
  const ww::access_point writer{ww::sched_class::fma, ww::slot::dst, ww::reg_file::r, 0, false};
  const ww::access_point reader{ww::sched_class::fma, ww::slot::a, ww::reg_file::r, 0, false};
  const ww::distance d = ww::sm80::latency::raw(writer, reader);
  CHECK(of(fixed, ww::report::evidence_of(d.source)) == 3u * d.emit);
  CHECK(of(fixed, evidence::estimated) == 0);
  CHECK(of(fixed, evidence::order) >= 1);
  const auto loaded = path_of("LDG.E R2, [R10.64]\nFFMA R3, R2, R2, R2\nEXIT\n");
  CHECK(of(loaded, evidence::estimated) == ww::sm80::latency::result_estimate(ww::sched_class::ldg, 4));
  CHECK(of(loaded, evidence::order) == 2);
  CHECK(of(path_of("EXIT\n"), evidence::order) == 1);
  const auto read_late = path_of("STG.E [R10.64], R2\nMOV R2, 0x1\nEXIT\n");
  CHECK(of(read_late, evidence::estimated) == ww::sm80::latency::read_estimate(ww::sched_class::stg, 4));
  CHECK(ww::report::evidence_of(ww::provenance::documented) == evidence::documented);
  CHECK(ww::report::evidence_of(ww::provenance::observed) == evidence::observed);
  CHECK(ww::report::evidence_of(ww::provenance::measured) == evidence::measured);
  CHECK(ww::report::evidence_of(ww::provenance::assumed) == evidence::assumed);
  // an edge that no pair of operands asks for
  ww::program p = ww_test::program_of<ww::sm80>("MOV R2, 0x1\nMOV R3, 0x1\nEXIT\n");
  CHECK(ww::report::evidence_of<ww::sm80>(p, p[instr_id{0}], p[instr_id{1}], {0, 1, 7, ww::dependence_kind::raw}) ==
        evidence::assumed);
  CHECK(ww::report::evidence_of<ww::sm80>(p, p[instr_id{0}], p[instr_id{1}], {0, 1, 7, ww::dependence_kind::memory}) ==
        evidence::order);
}

TEST_CASE("report: padding has no row") {
  ww::program p = ww_test::program_of<ww::sm80>("MOV R2, 0x1\nMOV R3, 0x1\nFADD R4, R2, R2\nEXIT\n");
  p[instr_id{1}].add(ww::iflag::padding);
  timeline t;
  ww::report::make_timeline<ww::sm80>(p, 1, t);
  REQUIRE(t.rows.size() == 3);
  seen s;
  check_program<ww::sm80>(p, "padded", s);
  for (const std::string& line : s.bad) FAIL_CHECK(line);
}

TEST_CASE("report: programs without anything") {
  ww::program p;
  p.sm = ww::sm90::id;
  timeline t;
  ww::report::make_timeline<ww::sm90>(p, 0, t);
  CHECK(t.rows.empty());
  CHECK(t.blocks.empty());
  CHECK(t.warps == 1);
  ww::report::kernel_report k;
  std::string html, trace, dot;
  for (const bool one : {false, true}) {
    const ww::span<const ww::report::kernel_report> kernels(&k, one ? 1u : 0u);
    ww::report::write_html_page(html, kernels);
    ww::report::write_trace_json(trace, kernels);
    ww::report::write_graph_dot(dot, kernels);
  }
  CHECK_FALSE(html.empty());
  CHECK(trace.substr(0, 3) == "[]\n");
}
