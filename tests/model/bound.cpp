// SPDX-License-Identifier: BSL-1.0
//
// The lower bound: programs that are long in one way or the other, a case for each of its terms, and one for each way in which words may
// be shorter than a result or a read takes by itself.
#include <warpwright/model/bound.hpp>

#include <string>
#include <string_view>

#include <warpwright/model/simulate.hpp>

#include "scoreboard/support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

struct pair_of {
  double cost = 0;
  double bound = 0;
};

// The first block, with words that are made for it.
template <class Arch>
pair_of made(std::string_view text) {
  program p = program_of<Arch>(text);
  scoreboard::workspace sw;
  scoreboard::assign_control<Arch>(p, sw);
  model::workspace ws;
  const double cost = model::simulate<Arch>(p, {}, ws).block_cycles[0];
  return {cost, model::lower_bound<Arch>(p, {}, ws).blocks[0]};
}

template <class Arch>
bool is_tight(std::string_view text, double cycles) {
  const pair_of r = made<Arch>(text);
  INFO(text << "cost " << r.cost << ", bound " << r.bound << ", expected " << cycles);
  CHECK(r.cost == ww_test::Approx(cycles));
  return r.cost <= r.bound && r.bound <= r.cost;
}

// The first block with words by hand, one for each of its instructions: stall, counter of the result, counter of the reads, mask of
// waits, yield. They have to be legal.
struct by_hand {
  unsigned stall;
  unsigned write = 7;
  unsigned read = 7;
  unsigned waits = 0;
  bool yields = false;
};
template <class Arch>
pair_of given(program p, std::initializer_list<by_hand> words) {
  std::uint32_t k = 0;
  for (instruction& i : p.instructions) i.ctl = control{.stall = 15};
  for (const by_hand& w : words) {
    control& c = p.instructions[k++].ctl;
    c.stall = static_cast<std::uint8_t>(w.stall);
    c.write_barrier = static_cast<std::uint8_t>(w.write);
    c.read_barrier = static_cast<std::uint8_t>(w.read);
    c.wait_mask = static_cast<std::uint8_t>(w.waits);
    c.yield = w.yields;
  }
  CHECK(ww_test::first_finding<Arch>(p) == "");
  model::workspace ws;
  const double cost = model::simulate<Arch>(p, {}, ws).block_cycles[0];
  return {cost, model::lower_bound<Arch>(p, {}, ws).blocks[0]};
}
template <class Arch>
pair_of given(std::string_view text, std::initializer_list<by_hand> words) {
  return given<Arch>(program_of<Arch>(text), words);
}

}  // namespace

TEST_CASE("model bound: a block owes nothing to a longer one in front of it") {
  // The first block takes more cycles than any result may lie ahead; the second reads what it wrote last.
  std::string text;
  for (unsigned i = 0; i < 30'000; ++i) text += "FADD R0, R0, R1\n";
  const std::string second = "@P0 BRA `(.L_1)\nFADD R2, R0, R0\nFADD R3, R2, R2\n.L_1:\nEXIT\n";
  const program alone = program_of<sm90>("FADD R0, R0, R1\n" + second);
  const program behind = program_of<sm90>(text + second);
  model::workspace ws;
  const model::bound_result few = model::lower_bound<sm90>(alone, {.warps = 1}, ws);
  REQUIRE(few.blocks.size() == 3);
  const double want = few.blocks[1];
  const model::bound_result many = model::lower_bound<sm90>(behind, {.warps = 1}, ws);
  REQUIRE(many.blocks.size() == 3);
  CHECK(many.blocks[0] > 100'000);
  CHECK(many.blocks[1] == ww_test::Approx(want));
}

TEST_CASE("model bound: every one of very many equal blocks has the same") {
  constexpr unsigned blocks = 25'000;
  std::string text;
  for (unsigned i = 0; i < blocks; ++i) {
    text += "MUFU.RCP R4, R5\nFADD R2, R4, R0\nFADD R3, R2, R2\n@P0 BRA `(.L_end)\n";
  }
  const program p = program_of<sm90>(text + ".L_end:\nEXIT\n");
  model::workspace ws;
  const model::bound_result r = model::lower_bound<sm90>(p, {.warps = 1}, ws);
  REQUIRE(r.blocks.size() == blocks + 1);
  unsigned other = 0;
  for (unsigned b = 1; b < blocks; ++b) other += r.blocks[b] == r.blocks[1] ? 0u : 1u;
  CHECK(other == 0);
  CHECK(r.blocks[1] > 10);
}

TEST_CASE("model bound: each of its terms is met by words that are made for it") {
  // path: fixed results, counted results, and the end behind them
  const pair_of fixed = given<sm90>("FADD R0, R1, R2\nFADD R3, R0, R1\nFADD R4, R3, R0\nEXIT\n", {{4}, {4}, {1}, {5}});
  CHECK(fixed.cost == 4 + 4 + 1 + 5);
  CHECK(fixed.bound == fixed.cost);
  const pair_of counted = given<sm90>("MUFU.RCP R0, R1\nFADD R3, R0, R1\nEXIT\n", {{2, 0}, {1, 7, 7, 1}, {5}});
  CHECK(counted.cost == 15 + 1 + 5);
  CHECK(counted.bound == counted.cost);
  // resources: eight cycles each on the special unit; the last one goes on behind the end
  CHECK(is_tight<sm90>("MUFU.RCP R0, R1\nMUFU.RCP R2, R3\nMUFU.RCP R4, R5\nMUFU.RCP R6, R7\n@P0 BRA `(L)\nL:\nEXIT\n",
                       3 * 8 + 1 + 5));
  CHECK(is_tight<sm90>("LDS R0, [R1]\nLDS R2, [R1]\nLDS R3, [R1]\nL:\nFADD R4, R5, R6\n@P0 BRA `(L)\nEXIT\n", 2 * 4 + 1));
  // issue: each keeps its own stall
  CHECK(is_tight<sm90>("WARPSYNC 0xffffffff\nWARPSYNC 0xffffffff\nWARPSYNC 0xffffffff\nEXIT\n", 3 * 5 + 5));
  // late reads: the data of a store, the source of the special unit
  CHECK(is_tight<sm90>("STG.E desc[UR4][R2.64], R5\nMOV R5, R6\nEXIT\n", 14 + 1 + 5));
  CHECK(is_tight<sm90>("MUFU.RCP R0, R1\nMOV R1, R6\nEXIT\n", 8 + 1 + 5));
  // overwriting: of a counted result by a fixed one, of a fixed one by a later one on a shorter pipe
  const pair_of landed = given<sm90>("MUFU.RCP R0, R1\nMOV R0, R6\nEXIT\n", {{2, 0}, {1, 7, 7, 1}, {5}});
  CHECK(landed.cost == 15 + 1 + 5);
  CHECK(landed.bound == landed.cost);
}

TEST_CASE("model bound: words may be shorter than a result or a read takes by itself") {
  const auto holds = [](const pair_of& r, double cycles) {
    INFO("cost " << r.cost << ", bound " << r.bound);
    CHECK(r.cost == ww_test::Approx(cycles));
    return r.bound <= r.cost;
  };
  // guards that exclude each other: the reader does not wait
  CHECK(holds(given<sm90>("@P0 LDG.E R0, desc[UR4][R2.64]\n@!P0 FADD R3, R0, R1\nEXIT\n", {{1, 0}, {1}, {5}}), 7));
  // the reads of a double are over when its result lands
  CHECK(holds(given<sm80>("DADD R0, R2, R4\nMOV R2, R6\nEXIT\n", {{2, 0}, {1, 7, 7, 1}, {5}}), 10 + 1 + 5));
  // the counter of a narrow store covers the reads of a wide one in front of it
  CHECK(holds(given<sm90>("STG.E.128 desc[UR4][R2.64], R4\nSTG.E desc[UR4][R2.64], R8\nMOV R4, R6\nEXIT\n",
                          {{1}, {2, 7, 0}, {1, 7, 7, 1}, {5}}),
              4 + 14 + 1 + 5));
  // a barrier stands behind the shared memory in front of it
  CHECK(holds(given<sm90>("STS [R2], R4\nBAR.SYNC 0x0\nMOV R4, R6\nEXIT\n", {{1}, {1}, {1}, {5}}), 8));
  // BPT and a guarded CALL with one cycle (compiled code)
  CHECK(holds(given<sm90>("BPT.TRAP 0x1\nBPT.TRAP 0x1\nEXIT\n", {{1}, {1}, {5}}), 7));
  // what leaves nothing though its class is that of EXIT, and BREAK with four (compiled code)
  CHECK(holds(given<sm90>("PREEXIT\nACQBULK\nEXIT\n", {{1}, {1}, {5}}), 7));
  CHECK(
      holds(given<sm90>("ISETP.GE.AND P0, PT, R0, R1, PT\n@!P0 BREAK B2\nEXIT\n", {{13, 7, 7, 0, true}, {4}, {5}}), 13 + 4));
  // BSYNC ends a block, so nothing behind it overwrites what a move to its register reads
  CHECK(program_of<sm100>("BMOV.32 B11, R2\nBSYNC B11\nMOV R2, R3\nEXIT\n").blocks[0].count == 2);
  // the predicate of an atomic comes with its reads
  CHECK(holds(given<sm90>("ATOM.E.ADD.STRONG.GPU P0, R4, desc[UR4][R2.64], R5\n@P0 MOV R6, R7\nEXIT\n",
                          {{2, 0, 1}, {1, 7, 7, 2}, {5}}),
              14 + 1 + 5));
  // DEPBAR counts further than the model tells landings apart
  std::string atomics;
  for (unsigned k = 0; k < 9; ++k) {
    atomics += "ATOMG.E.ADD.STRONG.GPU PT, R" + std::to_string(10 + k) + ", [R2.64], R4\n";
  }
  program p = program_of<sm80>(atomics + "DEPBAR.LE SB0, 0x8\nMOV R5, R10\nEXIT\n");
  p.instructions[9].mem_offset = 8;
  CHECK(holds(given<sm80>(p, {{4, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 0}, {2, 0}, {4}, {1}, {5}}),
              8 * 4 + 2 + 4 + 1 + 5));
  // what never acts neither waits nor is waited for
  CHECK(holds(given<sm90>("@!PT LDS R0, [R1]\nFADD R2, R0, R3\nEXIT\n", {{1}, {1}, {5}}), 7));
}

TEST_CASE("model bound: where two may issue together, a pair takes one slot") {
  program p =
      program_of<sm50>("FADD R0, R2, R4\nMUFU.RCP R1, R3\nFADD R5, R6, R7\nMUFU.RCP R8, R9\n@P0 BRA `(L)\nL:\nEXIT\n");
  const pair_of r = given<sm50>(p, {{0}, {4, 0}, {0}, {1, 0}, {5}});
  CHECK(r.cost == 4 + 1 + 5);
  CHECK(r.bound <= r.cost);
  CHECK(r.bound > 5);
  const pair_of last = given<sm50>("MOV R0, R1\n@P0 BRA `(L)\nL:\nEXIT\n", {{0}, {5}});
  CHECK(last.cost == 5);
  CHECK(last.bound == 5);
  const pair_of four =
      given<sm50>("NOP\nNOP\nNOP\nNOP\nMOV R0, R1\nL:\nMOV R2, R3\n@P0 BRA `(L)\nEXIT\n", {{1}, {1}, {1}, {1}, {1}});
  CHECK(four.bound == 3);  // two pairs, one alone
}

TEST_CASE("model bound: several warps wait in one block while others work in the next") {
  scoreboard::workspace sw;
  model::workspace ws;
  const auto both = [&](unsigned units, unsigned warps) {
    std::string text;
    for (unsigned k = 0; k < 20; ++k) {
      for (unsigned i = 0; i < 12; ++i) text += "LDS R2, [R2]\n";
      text += "@P0 BRA `(B" + std::to_string(k) + ")\nB" + std::to_string(k) + ":\n";
      for (unsigned i = 0; i < units; ++i) text += "MUFU.RCP R" + std::to_string(10 + i) + ", R4\n";
      text += "@P0 BRA `(A" + std::to_string(k + 1) + ")\nA" + std::to_string(k + 1) + ":\n";
    }
    program p = program_of<sm90>(text + "EXIT\n");
    scoreboard::assign_control<sm90>(p, sw);
    const double cost = model::simulate<sm90>(p, {.warps = warps}, ws).cycles;
    return pair_of{cost, model::lower_bound<sm90>(p, {.warps = warps}, ws).cycles};
  };
  // two by turns: 12 loads and a branch, the special unit and a branch
  const pair_of two = both(10, 2);
  CHECK(two.bound == (20 * (11 * 24 + 1 + 5 + 9 * 8 + 1 + 5) + 5) / 2.0);
  CHECK(two.bound <= two.cost);
  CHECK(two.bound > 0.9 * two.cost);
  // eight: the special unit, which goes on for seven cycles behind its last instruction
  const pair_of eight = both(60, 8);
  CHECK(eight.bound == ww_test::Approx(20 * 60 * 8 - 7 / 8.0));
  CHECK(eight.bound <= eight.cost);
  CHECK(eight.bound > 0.9 * eight.cost);
  // one cycle for each instruction
  program q = program_of<sm90>("MOV R0, R1\nMOV R2, R3\nFADD R4, R5, R6\nMUFU.RCP R7, R8\nEXIT\n");
  scoreboard::assign_control<sm90>(q, sw);
  CHECK(model::lower_bound<sm90>(q, {.warps = 64}, ws).cycles == 8 - 7 / 64.0);
  program nops = program_of<sm90>("NOP\nNOP\nNOP\nEXIT\n");
  CHECK(model::lower_bound<sm90>(nops, {.warps = 64}, ws).cycles == 4);
}
