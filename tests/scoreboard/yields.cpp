// SPDX-License-Identifier: BSL-1.0
//
// SB-6: when an instruction yields, and which stalls pipes ask for.
#include "support.hpp"

#include <cstdint>

#include <warpwright/sass/listing.hpp>

#include "support/corpus.hpp"

using namespace ww;

namespace {

template <class Arch>
std::vector<control> words(std::string_view text) {
  program p = ww_test::program_of<Arch>(text);
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  CHECK(ww_test::first_finding<Arch>(p).empty());
  std::vector<control> w;
  for (const instr_id id : p.order) w.push_back(p[id].ctl);
  return w;
}

// Yields of vector arithmetic beside the compiler's, by the two rules and the compiler's own stalls.
struct agreement {
  std::uint64_t both = 0, ours = 0, theirs = 0, neither = 0;
};

void compare(const program& p, agreement& a) {
  unsigned fifteens = 0;
  for (const instr_id id : p.order) fifteens += p[id].ctl.stall == 15 ? 1u : 0u;
  if (fifteens * 2 > p.order.size()) return;  // nobody has optimised this code
  scoreboard::yield_rhythm<yields::observed> rhythm;
  for (const block& b : p.blocks) {
    if (b.padding) continue;
    rhythm.begin();
    const auto order = p.order_of(b);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const instruction& i = p[order[k]];
      control c = i.ctl;
      const bool asked = c.stall > 1 && scoreboard::yields_when_it_stalls(i.iclass);
      if (asked) c.yield = yields::observed::yield<sm80::barriers>(c.stall, true);
      rhythm.visit(c, i.iclass, k + 1 == order.size());
      if (!asked) continue;
      if (c.yield) ++(i.ctl.yield ? a.both : a.ours);
      if (!c.yield) ++(i.ctl.yield ? a.theirs : a.neither);
    }
  }
}

}  // namespace

TEST_CASE("SB-6 yields: every stall of three cycles of vector arithmetic, whatever it is for") {
  // a result, and a busy pipe
  const auto result = words<sm80>("IMAD R2, R3, R4, R5\nIADD3 R6, R2, R3, RZ\nEXIT\n");
  CHECK(result[0].stall >= 4);
  CHECK(result[0].yield);
  const auto pipe =
      words<sm80>("IMAD.WIDE R2, R10, R11, R12\nIMAD.WIDE R4, R10, R11, R12\nIMAD.WIDE R6, R10, R11, R12\nEXIT\n");
  CHECK(pipe[0].stall == 4);
  CHECK(pipe[0].yield);
  // memory accesses and matrix instructions stay
  const auto memory = words<sm80>("STS [R2], R3\nSTS [R2+0x4], R4\nEXIT\n");
  CHECK(memory[0].stall == 4);
  CHECK_FALSE(memory[0].yield);
  const auto matrix = words<sm80>("HMMA.16816.F32 R4, R8, R12, R4\nHMMA.16816.F32 R16, R8, R12, R16\nEXIT\n");
  CHECK(matrix[0].stall == 8);
  CHECK_FALSE(matrix[0].yield);
}

TEST_CASE("SB-6 yields: at a stall of two where nothing has yielded for ten cycles") {
  std::string text;
  for (unsigned i = 0; i < 16; ++i) text += "IADD3 R" + std::to_string(2 * i + 40) + ", R2, R3, RZ\n";
  const auto w = words<sm80>(text + "EXIT\n");
  for (unsigned i = 0; i < 16; ++i) {
    INFO(i);
    // stalls of two: five of them make ten cycles, and the one behind them yields; its own stall does not count
    if (i < 15) CHECK(w[i].stall == 2);
    if (i < 15) CHECK(w[i].yield == (i % 6 == 5));
  }
  // another policy has no such rhythm
  program p = ww_test::program_of<sm80>(text + "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm80, yields::text>(p, ws);
  for (unsigned i = 0; i < 15; ++i) CHECK_FALSE(p[p.order[i]].ctl.yield);
}

TEST_CASE("SB-6 yields: the rules give the compiler's yields where its stalls are given") {
  agreement a;
  const std::string root = ww_test::corpus::root();
  for (const std::string& path :
       ww_test::corpus::files(root.empty() ? ww_test::corpus::bundled("listings") : root + "/listings")) {
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    for (program& p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      if (p.has_control) compare(p, a);
    }
  }
  INFO(a.both << " both, " << a.ours << " ours, " << a.theirs << " theirs, " << a.neither << " neither");
  REQUIRE(a.both > 1000);
  CHECK((a.ours + a.theirs) * 50 < a.both + a.ours + a.theirs + a.neither);
  CHECK(a.ours * 100 < a.both + a.ours);
  CHECK(a.theirs * 100 < 2 * (a.both + a.theirs));
}

TEST_CASE("SB-4 slow ends: a stall of two at the first instruction and where a block falls through, on demand only") {
  program p = ww_test::program_of<sm80>(
      "MOV R1, R2\nISETP.NE.AND P0, PT, R8, RZ, PT\n@P0 BRA `(next)\nMOV R3, R4\nnext:\nMOV R5, R6\nEXIT\n");
  scoreboard::workspace ws;
  for (const bool slow : {true, false}) {
    ws.slow_ends = slow;
    scoreboard::assign_control<sm80>(p, ws);
    CHECK(p.instructions[0].ctl.stall == 2);  // ALU after ALU: the pipe asks for as much
    CHECK(p.instructions[3].ctl.stall == (slow ? 2 : 1));
    CHECK(ww_test::first_finding<sm80>(p).empty());
  }
  program q = ww_test::program_of<sm80>("IMAD R1, R2, R3, R4\nMOV R5, R6\nEXIT\n");
  for (const bool slow : {true, false}) {
    ws.slow_ends = slow;
    scoreboard::assign_control<sm80>(q, ws);
    CHECK(q.instructions[0].ctl.stall == (slow ? 2 : 1));
  }
}

TEST_CASE("SB-4 pace: stalls for busy pipes are those that compilers encode") {
  CHECK(words<sm86>("DADD R2, R4, R6\nDADD R8, R4, R6\nEXIT\n")[0].stall == 4);
  CHECK(words<sm75>("DADD R2, R4, R6\nDADD R8, R4, R6\nEXIT\n")[0].stall == 4);
  CHECK(words<sm86>("HMMA.16816.F32 R4, R8, R12, R4\nHMMA.16816.F32 R16, R8, R12, R16\nEXIT\n")[0].stall == 8);
  CHECK(words<sm80>("CS2R R2, SRZ\nCS2R R4, SRZ\nEXIT\n")[0].stall == 1);
  CHECK(words<sm90>("UMOV UR4, 0x1\nUMOV UR6, 0x2\nEXIT\n")[0].stall == 1);
  // BAR behind an access of shared memory
  CHECK(words<sm80>("STS [R2], R3\nBAR.SYNC.DEFER_BLOCKING 0x0\nEXIT\n")[0].stall == 4);
  CHECK(words<sm86>("STS [R2], R3\nBAR.SYNC.DEFER_BLOCKING 0x0\nEXIT\n")[0].stall == 4);
}
