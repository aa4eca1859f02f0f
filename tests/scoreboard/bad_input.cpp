// SPDX-License-Identifier: BSL-1.0
//
// Control words that no compiler writes, as input: the checker names each of them, and new words are right all the same.
#include "support.hpp"

#include <utility>
#include <vector>

#include <warpwright/sass/listing.hpp>

#include "support/corpus.hpp"

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;

namespace {

const char* const text =
    "LDGSTS.E.BYPASS.128 [R8], [R2.64]\n"
    "LDGDEPBAR\n"
    "LDG.E R4, [R2.64]\n"
    "STS [R10], R6\n"
    "MOV R6, R7\n"
    "DEPBAR.LE SB0, 0x0\n"
    "FADD R5, R4, R6\n"
    "STG.E [R2.64], R5\n"
    "EXIT\n";

// A program with right words, as if it had been read.
program good() {
  program p = program_of<sm80>(text);
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  REQUIRE(p.has_control);
  REQUIRE(first_finding<sm80>(p).empty());
  return p;
}

template <class Arch = sm80>
verify::report all_of(const program& p, bool lints = false) {
  verify::options o;
  o.lints = lints;
  o.notes = true;
  return verify::check<Arch>(p, o);
}

// Findings of a kind that allege, and the counter of the first.
std::pair<unsigned, unsigned> alleged(const program& p, verify::finding_kind k) {
  unsigned n = 0;
  unsigned counter = control::no_barrier;
  for (const verify::finding& f : all_of(p).findings) {
    if (f.kind != k || f.level != verify::severity::finding) continue;
    if (n++ == 0) counter = f.counter;
  }
  return {n, counter};
}

// New words for whatever stands in the old ones.
void repaired(program p) {
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  CHECK(first_finding<sm80>(p).empty());
  for (const instruction& i : p.instructions) {
    CHECK((i.ctl.write_barrier < control::barrier_count || i.ctl.write_barrier == control::no_barrier));
    CHECK((i.ctl.read_barrier < control::barrier_count || i.ctl.read_barrier == control::no_barrier));
    CHECK(i.ctl.wait_mask < 1u << control::barrier_count);
    CHECK(sm80::control_format::valid(sm80::control_format::encode(i.ctl)));
  }
}

}  // namespace

TEST_CASE("SB-4 bad input: counter 6 in a field") {
  using verify::finding_kind;
  for (const std::uint32_t k : {1u, 2u, 3u}) {
    INFO(k);
    program p = good();
    p.instructions[k].ctl.write_barrier = 6;
    CHECK(alleged(p, finding_kind::counter_index) == std::pair<unsigned, unsigned>{1, 6});
    repaired(p);
    p = good();
    p.instructions[k].ctl.read_barrier = 6;
    CHECK(alleged(p, finding_kind::counter_index) == std::pair<unsigned, unsigned>{1, 6});
    repaired(p);
  }
}

TEST_CASE("SB-4 bad input: counter 6 on an opcode that is not known") {
  program p = good();
  instruction& i = p.instructions[2];
  i.add(iflag::unknown);
  i.ctl.write_barrier = 6;
  i.ctl.read_barrier = 6;
  repaired(p);
}

TEST_CASE("SB-4 bad input: more counters than there are") {
  using verify::finding_kind;
  program p = good();
  p.instructions[6].ctl.wait_mask = 0x40;
  CHECK(alleged(p, finding_kind::counter_index) == std::pair<unsigned, unsigned>{1, 6});
  repaired(p);
  p = good();
  for (operand& o : p.operands) {
    if (o.file() == reg_file::sb) o = operand::use(reg{reg_file::sb, 7}, o.where());
  }
  CHECK(alleged(p, finding_kind::counter_index) == std::pair<unsigned, unsigned>{1, 7});
}

TEST_CASE("SB-4 bad input: issue codes that the hardware does not define") {
  using verify::finding_kind;
  for (const unsigned code : {16u, 28u, 29u, 30u, 31u}) {
    INFO(code);
    program p = good();
    control& c = p.instructions[4].ctl;
    c.stall = static_cast<std::uint8_t>(code & 15u);
    c.yield = false;
    CHECK_FALSE(sm80::control_format::valid(sm80::control_format::encode(c)));
    CHECK(alleged(p, finding_kind::issue_code).first == 1);
    repaired(p);
  }
}

// The words of sm_50..62 stand in an instruction of their own, for three: the reader refuses them as words of sm_80 and the
// other way round, before anything takes their bits for something else.
TEST_CASE("SB-1 bad input: control words of another SM's format") {
  const std::string old = ww_test::corpus::text(ww_test::corpus::bundled("listings/formats/maxwell.sm52.vliw.txt"));
  const std::string newer = ww_test::corpus::text(ww_test::corpus::bundled("listings/saxpy.sm80.sass"));
  REQUIRE(!old.empty());
  REQUIRE(!newer.empty());
  CHECK(static_cast<bool>(sass::read_listing(old, {sm50::id, "old"})));
  CHECK(static_cast<bool>(sass::read_listing(newer, {sm80::id, "newer"})));
  // by the flags of the header, and where it says nothing, by the instructions
  for (const bool named : {true, false}) {
    const auto as_read = [&](std::string t) {
      if (const std::size_t at = t.find("\t.headerflags"); !named) t.erase(at, t.find('\n', at) + 1 - at);
      return t;
    };
    const std::string a_text = as_read(old);
    const sass::listing_result a = sass::read_listing(a_text, {sm80::id, "old"});
    CHECK_FALSE(static_cast<bool>(a));
    CHECK(std::string(a.err.expected).find(named ? "flags of the SM" : "128-bit") != std::string::npos);
    const std::string b_text = as_read(newer);
    const sass::listing_result b = sass::read_listing(b_text, {sm50::id, "newer"});
    CHECK_FALSE(static_cast<bool>(b));
    CHECK(std::string(b.err.expected).find(named ? "flags of the SM" : "64-bit") != std::string::npos);
  }
}

TEST_CASE("SB-4 a wait for a counter that no path has set is a note, never an error") {
  program p = program_of<sm80>(
      "MOV R4, R5\n"
      "@P0 BRA `(skip)\n"
      "LDG.E R6, [R2.64]\n"
      "skip:\n"
      "FADD R7, R6, R4\n"
      "STG.E [R2.64], R7\n"
      "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80>(p, ws);
  const auto idle = [&] {
    std::vector<unsigned> found;
    for (const verify::finding& f : all_of(p, true).findings) {
      if (f.kind != verify::finding_kind::idle_wait) continue;
      CHECK(f.level == verify::severity::note);
      found.push_back(f.second.index());
    }
    return found;
  };
  REQUIRE(p.instructions[3].ctl.wait_mask != 0);  // set on one path: no note
  CHECK(idle().empty());
  p.instructions[0].ctl.wait_mask = 0x3f;
  p.instructions[4].ctl.wait_mask = static_cast<std::uint8_t>(0x3f & ~p.instructions[3].ctl.wait_mask);
  CHECK(idle() == std::vector<unsigned>{0, 4});
  CHECK(first_finding<sm80>(p).empty());
}
