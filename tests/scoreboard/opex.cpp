// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/opex.hpp>

#include "support/corpus.hpp"

using namespace ww;
using namespace ww::scoreboard;

namespace {

// A program whose instructions other than `fresh` have final words, made as if the fresh ones did not exist.
struct grown {
  program p;
  vec<std::uint8_t> expanded;

  grown(const std::string& text, std::initializer_list<std::uint32_t> fresh) : p(ww_test::program_of<sm90>(text)) {
    expanded.assign(p.instructions.size(), 0);
    for (const std::uint32_t k : fresh) expanded[k] = 1;
  }
  control& word(std::uint32_t k) { return p.instructions[k].ctl; }
};

std::string loads(int first, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += "LDG.E R" + std::to_string(first + k) + ", desc[UR4][R2.64]\n";
  return text;
}

}  // namespace

TEST_CASE("SB-8 nothing expanded, nothing changed") {
  grown g(loads(10, 2) + "EXIT\n", {});
  const control had = g.word(0);
  opex<sm90> pass;
  const opex_report r = pass.run(g.p, g.expanded);
  CHECK(r.expanded == 0);
  CHECK(r.insertions.empty());
  CHECK(g.word(0) == had);
}

TEST_CASE("SB-8 WAR pass before: an old store whose source is now overwritten gets a counter, the overwriter waits") {
  grown g(
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R8, R9\n"
      "EXIT\n",
      {1});
  g.word(0).stall = 2;
  opex<sm90> pass;
  const opex_report r = pass.run(g.p, g.expanded);
  CHECK(r.before.counters == 1);
  CHECK(r.before.waits == 1);
  CHECK(r.after.counters == 0);
  REQUIRE(g.word(0).sets_read());
  CHECK(g.word(1).wait_mask == 1u << g.word(0).read_barrier);
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
}

TEST_CASE("SB-8 WAR pass after: finds an overwriter that does not wait, DEPBAR counts as a wait") {
  grown g(
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R8, R9\n"
      "EXIT\n",
      {1});
  g.word(0).read_barrier = 4;
  opex<sm90> pass;
  CHECK(pass.war_pass(g.p, g.expanded).waits == 1);
  CHECK(g.word(1).wait_mask == 1u << 4);
  CHECK(pass.war_pass(g.p, g.expanded).waits == 0);
  grown d(
      "STG.E desc[UR4][R2.64], R8\n"
      "DEPBAR.LE SB4, 0x0\n"
      "MOV R8, R9\n"
      "EXIT\n",
      {2});
  d.word(0).read_barrier = 4;
  CHECK(pass.war_pass(d.p, d.expanded).waits == 0);
}

TEST_CASE("SB-8 waits: an expanded reader waits for an old load, an old reader for an expanded one") {
  grown g(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "MUFU.RCP R5, R4\n"  // expanded
      "FADD R6, R5, R5\n"
      "STG.E desc[UR4][R2.64], R6\n"
      "EXIT\n",
      {1});
  g.word(0).write_barrier = 2;
  g.word(2).stall = 5;
  opex<sm90> pass;
  const opex_report r = pass.run(g.p, g.expanded);
  CHECK(r.insertions.empty());
  CHECK(g.word(1).wait_mask == 1u << 2);
  REQUIRE(g.word(1).sets_write());
  CHECK((g.word(2).wait_mask >> g.word(1).write_barrier & 1u) == 1);
  CHECK(g.word(2).stall == 5);  // an old word keeps what it has
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
}

TEST_CASE("SB-8 stalls: an old instruction in front of an expanded reader stalls longer") {
  grown g(
      "FADD R4, R2, R3\n"
      "FADD R5, R4, R4\n"  // expanded
      "EXIT\n",
      {1});
  g.word(0).stall = 1;
  opex<sm90> pass;
  pass.run(g.p, g.expanded);
  CHECK(g.word(0).stall == 4);
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
}

TEST_CASE("SB-8 DEPBAR: with six counters busy the oldest is waited for by an instruction of its own") {
  grown g(loads(10, 7) + "IADD3 R20, R16, R10, RZ\nEXIT\n", {6});
  for (std::uint8_t k = 0; k < 6; ++k) g.word(k).write_barrier = k;
  g.word(7).wait_mask = 1;
  g.word(7).stall = 5;
  grown listing = g;
  opex<sm90> pass;
  const opex_report r = pass.run(g.p, g.expanded);
  REQUIRE(r.insertions.size() == 1);
  CHECK(r.insertions[0] == insertion{6, 0, 4});
  CHECK(g.word(6).wait_mask == 0);
  CHECK(g.word(6).write_barrier == 0);
  REQUIRE(apply_insertions(g.p, r.insertions));
  CHECK(g.p.order.size() == 10);
  CHECK(g.p[g.p.order[6]].iclass == sched_class::depbar);
  CHECK(g.p.order[7] == instr_id{6});
  CHECK(g.p.blocks[0].count == 10);
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
  // the same without insertions
  CHECK(pass.run(listing.p, listing.expanded, opex_form::in_words).insertions.empty());
  CHECK(listing.word(6).wait_mask == 1);
  CHECK(ww_test::first_finding<sm90>(listing.p).empty());
}

TEST_CASE("SB-8 borders: an expanded instruction at the start of a block waits for what other blocks raise") {
  grown g(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "@P0 BRA `(next)\n"
      "FADD R7, R8, R8\n"
      "next:\n"
      "FADD R6, R4, R7\n"  // expanded
      "EXIT\n",
      {3});
  g.word(0).write_barrier = 3;
  g.word(1).stall = 5;
  opex<sm90> pass;
  pass.run(g.p, g.expanded);
  CHECK((g.word(3).wait_mask >> 3 & 1u) == 1);
  CHECK(g.word(2).drains());
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
}

TEST_CASE("SB-8 fences and groups: an expanded one raises the counter that a new program gives it") {
  struct sample {
    const char* text;
    bool write;
    bool read;
    bool next_waits;
  };
  const sample samples[] = {
      {"LDGDEPBAR", true, false, false},     {"FENCE.VIEW.ASYNC.S", true, false, false},
      {"UTMACMDFLUSH", false, true, false},  {"SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR6], RZ", true, true, false},
      {"MEMBAR.ALL.CTA", false, true, true}, {"MEMBAR.SC.GPU", false, false, false},
      {"CCTL.IVALL", false, false, false},   {"ERRBAR", false, false, false},
  };
  for (const sample& s : samples) {
    INFO(s.text);
    grown g(
        std::string("STG.E desc[UR4][R2.64], R8\n") + s.text + "\nLDG.E R4, desc[UR4][R2.64]\nIADD3 R5, R4, R4, RZ\nEXIT\n",
        {1});
    workspace ws;
    program made = g.p;
    made.has_control = false;
    assign_control<sm90>(made, ws);
    for (std::uint32_t k = 0; k < made.instructions.size(); ++k) {
      if (k != 1) g.word(k) = made.instructions[k].ctl;
    }
    g.p.has_control = true;
    opex<sm90> pass;
    pass.run(g.p, g.expanded);
    CHECK(g.word(1).sets_write() == s.write);
    CHECK(g.word(1).sets_read() == s.read);
    CHECK(g.word(1).sets_write() == made.instructions[1].ctl.sets_write());
    CHECK(g.word(1).sets_read() == made.instructions[1].ctl.sets_read());
    if (s.next_waits) CHECK((g.word(2).wait_mask >> g.word(1).read_barrier & 1u) == 1);
    CHECK(ww_test::first_finding<sm90>(g.p) == "");
  }
}

TEST_CASE("SB-8 results: an old load without a counter gets one where an expanded instruction reads or overwrites it") {
  for (const char* fresh : {"FADD R6, R4, R5\n", "MOV R4, R5\n"}) {
    grown g(std::string("LDG.E R4, desc[UR4][R2.64]\n") + fresh + "EXIT\n", {1});
    g.word(0).stall = 1;
    g.word(2).stall = 5;
    opex<sm90> pass;
    CHECK(pass.run(g.p, g.expanded).before.counters == 1);
    REQUIRE(g.word(0).sets_write());
    CHECK(g.word(0).stall == 2);
    CHECK(g.word(1).wait_mask == 1u << g.word(0).write_barrier);
    CHECK(ww_test::first_finding<sm90>(g.p).empty());
  }
}

TEST_CASE("SB-8 results: what a later one of the queue announced has a counter of its own when that one is made anew") {
  grown g(
      "LDS R4, [R2]\n"
      "LDS R5, [R2+4]\n"  // expanded
      "IADD3 R6, R4, R7, RZ\n"
      "EXIT\n",
      {1});
  g.word(0).stall = 1;
  g.word(2).stall = 1;
  g.word(2).wait_mask = 1;  // for the second load, which had announced the first
  g.word(3).stall = 5;
  opex<sm90> pass;
  pass.run(g.p, g.expanded);
  REQUIRE(g.word(0).sets_write());
  CHECK((g.word(2).wait_mask >> g.word(0).write_barrier & 1u) == 1);
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
}

TEST_CASE("SB-8 results: a load that an expanded CCTL may acquire is waited for by it, though nobody reads it") {
  grown g(
      "LDG.E.STRONG.GPU R4, desc[UR4][R2.64]\n"
      "CCTL.IVALL\n"  // expanded
      "EXIT\n",
      {1});
  g.word(0).stall = 2;
  g.word(2).stall = 5;
  opex<sm90> pass;
  pass.run(g.p, g.expanded);
  REQUIRE(g.word(0).sets_write());
  CHECK(g.word(1).wait_mask == 1u << g.word(0).write_barrier);
  CHECK(ww_test::first_finding<sm90>(g.p).empty());
}

TEST_CASE(
    "SB-8 counters: the rarest that DEPBAR does not name; a load's own read counter, or its result's, protects its "
    "sources") {
  grown g(loads(10, 3) + "LDG.E R4, desc[UR4][R2.64]\nFADD R6, R4, R5\nDEPBAR.LE SB0, 0x0\nEXIT\n", {4});
  g.word(0).write_barrier = 1;
  g.word(1).write_barrier = 2;
  g.word(2).write_barrier = 3;
  opex<sm90> pass;
  pass.war_pass(g.p, g.expanded);
  CHECK(g.word(3).write_barrier == 4);  // 0 is named, 1 to 3 have one use each
  grown own("LDG.E R4, desc[UR4][R2.64]\nMOV R2, R5\nEXIT\n", {1});
  own.word(0).write_barrier = 1;
  own.word(0).read_barrier = 2;
  CHECK(pass.war_pass(own.p, own.expanded).waits == 1);
  CHECK(own.word(1).wait_mask == 1u << 2);
  grown result("LDG.E R4, desc[UR4][R2.64]\nMOV R2, R5\nEXIT\n", {1});
  result.word(0).write_barrier = 1;
  CHECK(pass.war_pass(result.p, result.expanded).waits == 1);
  CHECK(result.word(1).wait_mask == 1u << 1);
}

TEST_CASE("SB-8 insertion: in front of the first instruction of a block it belongs to that block") {
  program p = ww_test::program_of<sm90>("MOV R4, R5\nnext:\nMOV R6, R7\n@P0 BRA `(next)\nEXIT\n");
  vec<insertion> list;
  list.push_back({1, 2, 4, 0});
  REQUIRE(apply_insertions(p, list));
  CHECK(p[p.order[1]].iclass == sched_class::depbar);
  CHECK(p.blocks[0].count == 1);
  CHECK(p.blocks[1].first == 1);
  CHECK(p.blocks[1].count == 3);
}

TEST_CASE("SB-8 corpus: any third of a real program counted as expanded comes out legal") {
  opex<sm90> pass;
  static workspace ws;
  std::size_t programs = 0;
  std::size_t insertions = 0;
  std::string first;
  for (const std::string& path : ww_test::corpus::listings()) {
    if (ww_test::corpus::sm_of(path) != sm90::id) continue;
    const auto r = sass::read_listing(ww_test::corpus::text(path), {.sm = sm90::id, .file = path});
    if (!r) continue;
    for (const program& s : r.mod.sections) {
      program p = s;
      if (p.sm != sm90::id || p.order.empty() || !build_cfg(p).ok) continue;
      vec<std::uint8_t> expanded(p.instructions.size(), 0);
      assign_control<sm90>(p, ws);
      for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
        instruction& i = p.instructions[k];
        if (k % 9 >= 3 || i.has(iflag::padding) || i.has(iflag::unknown)) continue;
        expanded[k] = 1;
        i.ctl = control{};
      }
      const opex_report report = pass.run(p, expanded);
      REQUIRE(apply_insertions(p, report.insertions));
      ++programs;
      insertions += report.insertions.size();
      const std::string f = ww_test::first_finding<sm90>(p);
      if (first.empty() && !f.empty()) first = path + ": " + f;
    }
  }
  CHECK(first == "");
  CHECK(programs > 0);
  CHECK(insertions > 0);
}
