// SPDX-License-Identifier: BSL-1.0
//
// Long blocks: where one stall is not enough the walk goes on from the stall that grew, so that the cost is the length and not
// its square, and times never overflow.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

std::string repeated(const std::string& line, unsigned n) {
  std::string s;
  for (unsigned i = 0; i < n; ++i) s += line;
  return s + "EXIT\n";
}

template <class Arch>
std::size_t hazards(const program& p) {
  verify::hazard_workspace space;
  return verify::check_hazards<Arch>(p, {}, space).errors();
}

// Cycles that all walks together have looked at, for each instruction.
template <class Arch>
double walked(const std::string& text, unsigned n) {
  program p = program_of<Arch>(text);
  scoreboard::workspace ws;
  scoreboard::assign_control<Arch>(p, ws);
  CHECK(hazards<Arch>(p) == 0);
  return static_cast<double>(ws.clock) / n;
}

// The longest list of results that is left at the end of the last walk.
std::size_t longest_list(const scoreboard::workspace& ws) {
  std::size_t longest = 0;
  for (const scoreboard::unit_heads& h : ws.heads) {
    std::size_t length = 0;
    for (std::uint32_t k = h.write.next; k != 0xffffffffu && length <= ws.records.size(); k = ws.records[k].next) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace

TEST_CASE("SB-4 long blocks: a chain of matrix operations costs each the same, however long it is") {
  const std::string chain = "HMMA.16816.F32 R8, R8, R20, RZ\n";
  const double small = walked<sm90>(repeated(chain, 200), 200);
  const double large = walked<sm90>(repeated(chain, 3200), 3200);
  CHECK(large < 1.5 * small);
  // On many such blocks times start anew, and all is as before.
  program first = program_of<sm90>(repeated(chain, 500));
  program late = first;
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90>(first, ws);
  ws.clock = (1 << 29) - 100;
  scoreboard::assign_decoded<sm90>(late, ws);
  CHECK(ws.clock < (1 << 29) + 100'000);
  for (std::size_t i = 0; i < first.instructions.size(); ++i) CHECK(first.instructions[i].ctl == late.instructions[i].ctl);
}

TEST_CASE("SB-4 long blocks: a margin above one stall at every instruction") {
  using wide = with_margin<sm90, safety_margin<128>>;
  program p = program_of<sm90>(repeated("FADD R4, R4, R5\n", 3700));
  scoreboard::workspace ws;
  scoreboard::assign_control<wide>(p, ws);
  CHECK(hazards<sm90>(p) == 0);
}

TEST_CASE("SB-4 long blocks: results that replace each other under guards are not all remembered") {
  const auto cost = [](unsigned n) {
    std::string s;
    for (unsigned i = 0; i < n; ++i)
      s += std::string(i % 3 == 0 ? "@P" : "@!P") + char('0' + i % 5) + " MOV R4, R8\nFADD R9, R4, R4\n";
    program p = program_of<sm90>(s + "EXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(hazards<sm90>(p) == 0);
    return longest_list(ws);
  };
  CHECK(cost(100) <= 100);
  CHECK(cost(2000) <= 100);
}

TEST_CASE("SB-4 long blocks: what waits for everything does not remember all that it waited for") {
  for (const unsigned n : {100u, 2000u}) {
    program p = program_of<sm90>(repeated("QFOO R4, R5, R6\n", n));
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90>(p, ws);
    CHECK(hazards<sm90>(p) == 0);
    CHECK(longest_list(ws) <= 100);
  }
}

// Many distances in random code are longer than one stall.
TEST_CASE("SB-4 long blocks: random matrix and double-precision code keeps its distances") {
  std::mt19937 rng(7);
  const auto number = [&](unsigned n) { return static_cast<unsigned>(rng() % n); };
  for (unsigned round = 0; round < 40; ++round) {
    std::string s;
    for (unsigned i = 0; i < 120; ++i) {
      const std::string d = std::to_string(8 + 4 * number(12)), a = std::to_string(8 + 4 * number(12)),
                        b = std::to_string(8 + 4 * number(12));
      switch (number(4)) {
        case 0:
          s += "HMMA.16816.F32 R" + d + ", R" + a + ", R" + b + ", R" + d + "\n";
          break;
        case 1:
          s += "IMMA.16832.S8.S8 R" + d + ", R" + a + ".ROW, R" + b + ".COL, R" + d + "\n";
          break;
        case 2:
          s += "DFMA R" + d + ", R" + a + ", R" + b + ", R" + d + "\n";
          break;
        default:
          s += "FADD R" + d + ", R" + a + ", R" + b + "\n";
      }
    }
    for (const bool deep : {false, true}) {
      program p = deep ? program_of<sm80>(s + "EXIT\n") : program_of<sm90>(s + "EXIT\n");
      scoreboard::workspace ws;
      if (deep) {
        scoreboard::assign_control<sm80>(p, ws);
        CHECK(hazards<sm80>(p) == 0);
      } else {
        scoreboard::assign_control<sm90>(p, ws);
        CHECK(hazards<sm90>(p) == 0);
      }
    }
  }
}
