// SPDX-License-Identifier: BSL-1.0
//
// Motion between blocks: every rule on a small program, planted illegal moves, random flow against two oracles.
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../schedule/test_arch.hpp"
#include "../support/random_flow.hpp"
#include "../support/reaching_oracle.hpp"
#include "support.hpp"
#include "warpwright/ir/block_starts.hpp"
#include "warpwright/ir/dominators.hpp"
#include "warpwright/ir/move.hpp"
#include "warpwright/region/global_motion.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/verify/reaching.hpp"

namespace {

using ww::region::motion_facts;
using ww::region::motion_refusal;
using ww_test::block_of;
using ww_test::from_text;
using ww_test::place_in;
using config = ww::config_of<ww_test::tiny_arch>;
using global = ww::strategy::global_motion<>;

constexpr auto nothing = [](ww::block_id) {};

// May instruction `id` go up to the block that dominates its own?
motion_refusal up(const ww::program& p, std::uint32_t id) {
  motion_facts f;
  f.compute(p);
  const ww::block_id from = block_of(p, id);
  return f.up(p, from, place_in(p, id), ww::dominator_tree(p).idom(from));
}
motion_refusal down(const ww::program& p, std::uint32_t id, std::uint32_t to) {
  motion_facts f;
  f.compute(p);
  return f.down(p, block_of(p, id), place_in(p, id), block_of(p, to));
}

// Number 3 is the instruction in question, in the block behind a guarded branch; R9 is stored on both ways.
ww::program behind_branch(const std::string& line, const std::string& first = "MOV R20, R21", const char* other = "") {
  return from_text("ISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(far)\n" + first + "\n" + line +
                   "\nSTG.E [R2.64], R4\nEXIT\nfar:\n" + other + "\nSTG.E [R2.64], R9\nEXIT");
}
// Number 6 is the instruction in question, behind a diamond.
ww::program behind_diamond(const std::string& line, const char* arm = "MOV R21, R22", const char* front = "MOV R20, R21") {
  return from_text("ISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(far)\n" + std::string(arm) +
                   "\nBRA `(join)\nfar: \nMOV R22, R23\njoin:\n" + front + "\n" + line + "\nSTG.E [R2.64], R4\nEXIT");
}

}  // namespace

TEST_CASE("PLS-13 global: a result that nothing else needs moves up over a branch") {
  CHECK(up(behind_branch("IADD3 R4, R5, R6, RZ"), 3) == motion_refusal::none);
  CHECK(up(behind_branch("@P1 IADD3 R4, R5, R6, RZ"), 3) == motion_refusal::none);  // the guard moves along
  CHECK(up(behind_branch("MOV R4, c[0x0][0x160]"), 3) == motion_refusal::none);
}

TEST_CASE("PLS-13 global: fences, barriers, clocks and side effects stay") {
  CHECK(up(behind_branch("BAR.SYNC 0x0"), 3) == motion_refusal::pinned);
  CHECK(up(behind_branch("CS2R R4, SR_CLOCKLO"), 3) == motion_refusal::pinned);
  CHECK(up(behind_branch("MEMBAR.SC.GPU"), 3) != motion_refusal::none);
  CHECK(up(behind_branch("@!PT IADD3 R4, R5, R6, RZ"), 3) == motion_refusal::pinned);
  CHECK(up(behind_branch("LDG.E.STRONG.SYS R4, [R6.64]"), 3) == motion_refusal::pinned);
  CHECK(up(behind_branch("STG.E [R6.64], R4"), 3) == motion_refusal::writes_memory);
  CHECK(up(behind_branch("ATOMG.E.ADD.STRONG.GPU PT, R4, [R6.64], R8"), 3) != motion_refusal::none);
}

TEST_CASE("PLS-13 global: what reads other threads' registers stays with its active threads") {
  CHECK(up(behind_branch("SHFL.IDX PT, R4, R5, R6, 0x1f"), 3) == motion_refusal::crosses_lanes);
  CHECK(up(behind_branch("VOTE.ANY R4, PT, P1"), 3) == motion_refusal::crosses_lanes);
}

TEST_CASE("PLS-13 global: nothing passes a register dependence") {
  CHECK(up(behind_branch("IADD3 R4, R5, R6, RZ", "MOV R5, R21"), 3) == motion_refusal::passes_register);  // reads it
  CHECK(up(behind_branch("IADD3 R4, R5, R6, RZ", "MOV R20, R4"), 3) == motion_refusal::passes_register);  // overwrites it
  CHECK(up(behind_branch("IADD3 R4, R5, R6, RZ", "MOV R4, R20"), 3) == motion_refusal::passes_register);  // written twice
  CHECK(up(behind_branch("ISETP.GE.AND P0, PT, R5, R6, PT"), 3) == motion_refusal::passes_register);      // the branch's own
  CHECK(up(behind_branch("@P2 IADD3 R4, R5, R6, RZ", "ISETP.GE.AND P2, PT, R5, R6, PT"), 3) ==
        motion_refusal::passes_register);
}

TEST_CASE("PLS-13 global: a register that the other path reads is not overwritten") {
  CHECK(up(behind_branch("IADD3 R9, R5, R6, RZ"), 3) == motion_refusal::live_elsewhere);
  CHECK(up(behind_branch("IADD3 R9, R5, R6, RZ", "MOV R20, R21", "MOV R9, R30"), 3) == motion_refusal::none);
  CHECK(up(behind_branch("@P1 IADD3 R9, R5, R6, RZ"), 3) == motion_refusal::live_elsewhere);
}

TEST_CASE("PLS-13 global: a load is not speculated, a constant at a fixed offset may be") {
  CHECK(up(behind_branch("LDG.E R4, [R6.64]"), 3) == motion_refusal::speculative_load);
  CHECK(up(behind_branch("LDS R4, [R6]"), 3) == motion_refusal::speculative_load);
  CHECK(up(behind_branch("LDC R4, c[0x0][R6]"), 3) == motion_refusal::speculative_load);
  CHECK(up(behind_branch("ULDC.64 UR4, c[0x0][0x118]"), 3) == motion_refusal::uniform);
}

TEST_CASE("PLS-13 global: divergent paths share uniform registers") {
  CHECK(up(behind_branch("UIADD3 UR4, UR5, UR6, URZ"), 3) == motion_refusal::uniform);
  CHECK(up(behind_diamond("UIADD3 UR4, UR5, UR6, URZ"), 6) == motion_refusal::none);
  const char* text =
      "UIADD3 UR4, UR5, UR6, URZ\nMOV R4, UR5\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(far)\n"
      "STG.E [R2.64], R4\nMOV R7, UR4\nSTG.E [R2.64], R7\nEXIT\nfar:\nSTG.E [R2.64], R9\nEXIT";
  CHECK(down(from_text(text), 0, 4) == motion_refusal::uniform);  // writes one
  CHECK(down(from_text(text), 1, 4) == motion_refusal::uniform);  // reads one, which the other path may overwrite first
}

TEST_CASE("PLS-13 global: control equivalent blocks, and nothing on the ways between them") {
  CHECK(up(behind_diamond("IADD3 R4, R5, R6, RZ"), 6) == motion_refusal::none);
  CHECK(up(behind_diamond("LDG.E R4, [R6.64]"), 6) == motion_refusal::none);  // runs as often as before
  CHECK(up(behind_diamond("IADD3 R4, R5, R6, RZ", "MOV R5, R22"), 6) == motion_refusal::passes_register);
  CHECK(up(behind_diamond("IADD3 R4, R5, R6, RZ", "MOV R22, R4"), 6) == motion_refusal::passes_register);
  CHECK(up(behind_diamond("LDG.E R4, [R6.64]", "STG.E [R8.64], R22"), 6) == motion_refusal::passes_memory);
  CHECK(up(behind_diamond("LDG.E R4, [R6.64]", "MOV R21, R22", "STG.E [R8.64], R22"), 6) == motion_refusal::passes_memory);
  CHECK(up(behind_diamond("LDS R4, [R6]", "STG.E [R8.64], R22"), 6) == motion_refusal::none);  // another memory
  CHECK(up(behind_diamond("IADD3 R4, R5, R6, RZ", "BAR.SYNC 0x0"), 6) == motion_refusal::passes_fence);
  CHECK(up(behind_diamond("IADD3 R4, R5, R6, RZ", "MOV R21, R22", "BAR.SYNC 0x0"), 6) == motion_refusal::passes_fence);
  CHECK(up(behind_diamond("IADD3 R4, R5, R6, RZ", "@P1 EXIT"), 6) == motion_refusal::shape);  // one way ends
}

TEST_CASE("PLS-13 global: a loop's block is not equivalent to what stands in front of the loop") {
  const char* text =
      "MOV R1, R2\nloop:\nMOV R20, R21\nIADD3 R4, R5, R6, RZ\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(loop)\n"
      "STG.E [R2.64], R4\nEXIT";
  CHECK(up(from_text(text), 2) == motion_refusal::shape);
}

TEST_CASE("PLS-13 global: no motion over calls, returns, reconvergence and indirect branches") {
  CHECK(up(from_text("MOV R1, R2\nBSSY B0, `(x)\nMOV R5, R6\nBSYNC B0\nx:\nMOV R20, R21\nIADD3 R4, R7, R8, RZ\n"
                     "STG.E [R2.64], R4\nEXIT"),
           5) == motion_refusal::block_end);
}

TEST_CASE("PLS-13 global: a block keeps its last instruction") {
  const char* text = "ISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(far)\nIADD3 R4, R5, R6, RZ\nfar:\nSTG.E [R2.64], R9\nEXIT";
  CHECK(up(from_text(text), 2) == motion_refusal::empty_block);
}

TEST_CASE("PLS-13 global: a result moves down to the one way that reads it") {
  const auto text = [](const char* line, const char* last) {
    return from_text(std::string(line) + "\n" + last +
                     "\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(far)\nSTG.E [R2.64], R4\nEXIT\nfar:\n"
                     "STG.E [R2.64], R9\nEXIT");
  };
  CHECK(down(text("IADD3 R4, R5, R6, RZ", "MOV R20, R21"), 0, 4) == motion_refusal::none);
  CHECK(down(text("LDG.E R4, [R6.64]", "MOV R20, R21"), 0, 4) == motion_refusal::none);  // it loads less often
  CHECK(down(text("LDG.E R4, [R6.64]", "STG.E [R2.64], R21"), 0, 4) == motion_refusal::passes_memory);
  CHECK(down(text("IADD3 R4, R5, R6, RZ", "MOV R5, R21"), 0, 4) == motion_refusal::passes_register);
  CHECK(down(text("IADD3 R4, R5, R6, RZ", "MOV R20, R4"), 0, 4) == motion_refusal::passes_register);
  CHECK(down(text("IADD3 R0, R5, R6, RZ", "MOV R20, R21"), 0, 4) == motion_refusal::passes_register);
  CHECK(down(text("IADD3 R9, R5, R6, RZ", "MOV R20, R21"), 0, 4) == motion_refusal::live_elsewhere);
  CHECK(down(text("IADD3 R4, R5, R6, RZ", "BAR.SYNC 0x0"), 0, 4) == motion_refusal::passes_fence);
  CHECK(down(text("IADD3 R4, R5, R6, RZ", "MOV R20, R21"), 0, 0) == motion_refusal::shape);
}

TEST_CASE("PLS-13 global: in a text, no label is crossed and no branch slides") {
  ww::program p = behind_branch("IADD3 R4, R5, R6, RZ");
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].source = i;
  CHECK(up(p, 3) == motion_refusal::address);  // the branch would slide
  ww::program q =
      from_text("ISETP.GE.AND P0, PT, R0, R1, PT\n@P0 EXIT\nMOV R20, R21\nIADD3 R4, R5, R6, RZ\nSTG.E [R2.64], R4\nEXIT");
  for (std::uint32_t i = 0; i < q.instructions.size(); ++i) q.instructions[i].source = i;
  CHECK(up(q, 3) == motion_refusal::none);  // an exit may
  CHECK(down(q, 0, 2) != motion_refusal::none);
  ww::program r =
      from_text("MOV R5, R6\nMOV R7, R8\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 EXIT\nMOV R20, R21\nSTG.E [R2.64], R5\nEXIT");
  for (std::uint32_t i = 0; i < r.instructions.size(); ++i) r.instructions[i].source = i;
  CHECK(down(r, 0, 4) == motion_refusal::none);
  r.leaders.push_back(ww::instr_id{4});
  CHECK(down(r, 0, 4) == motion_refusal::address);  // from there on it would be left out
  q.leaders.push_back(ww::instr_id{2});
  CHECK(up(q, 3) == motion_refusal::address);  // somebody holds the address behind it
}

TEST_CASE("PLS-13 global: the strategy fills the wait of a branch, and only where that is cheaper") {
  ww::program p = behind_branch("IADD3 R4, R5, R6, RZ", "NOP");
  const ww::program before = p;
  global::space space;
  REQUIRE(global::transform<config>(p, space) == 1);
  CHECK(space.raised == 1);
  CHECK(block_of(p, 3) == block_of(p, 0));  // the store waited for it
  CHECK(place_in(p, 1) == 2);               // the branch stays last
  CHECK(p.blocks[1].first == 3);
  CHECK(p.blocks[1].count == 3);
  CHECK(ww::verify::same_reaching(before, p).ok());
  // The wait is filled already.
  ww::program q = from_text(
      "ISETP.GE.AND P0, PT, R0, R1, PT\nMOV R30, R31\nMOV R32, R31\nMOV R33, R31\nMOV R34, R31\n@P0 BRA `(far)\n"
      "MOV R20, R21\nMOV R22, R21\nMOV R23, R21\nMOV R24, R21\nEXIT\nfar:\nSTG.E [R2.64], R9\nEXIT");
  CHECK(global::transform<config>(q, space) == 0);
}

TEST_CASE("PLS-13 global: what only the exit of a loop reads leaves the loop") {
  ww::program p = from_text(
      "MOV R1, R2\nloop:\nMOV R40, R41\nIADD3 R4, R5, R1, RZ\nIADD3 R1, R1, 0x1, RZ\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 "
      "BRA `(loop)\n"
      "STG.E [R2.64], R4\nEXIT");
  // R1 is counted between: the sum cannot leave
  CHECK(down(p, 2, 6) == motion_refusal::passes_register);
  ww::program q = from_text(
      "MOV R1, R2\nloop:\nIADD3 R1, R1, 0x1, RZ\nIADD3 R4, R5, R1, RZ\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 BRA `(loop)\n"
      "STG.E [R2.64], R4\nEXIT");
  const ww::program before = q;
  global::space space;
  CHECK(global::transform<config>(q, space) == 1);
  CHECK(space.lowered == 1);
  CHECK(block_of(q, 2) == block_of(q, 5));
  CHECK(ww::verify::same_reaching(before, q).ok());
}

TEST_CASE("PLS-13 global: what a branch names stays, for its block is found by it") {
  const char* const text =
      "MOV R8, R9\nloop:\nMOV R40, R41\nIADD3 R4, R5, R6, RZ\nIADD3 R1, R1, 0x1, RZ\nISETP.GE.AND P0, PT, R0, R1, PT\n@P0 "
      "BRA `(loop)\n"
      "STG.E [R2.64], R4\nSTG.E [R2.64], R40\nEXIT";
  ww::program p = from_text(text);
  CHECK(down(p, 1, 6) == motion_refusal::named);
  CHECK(down(p, 2, 6) == motion_refusal::none);
  const ww::program before = p;
  global::space space;
  (void)global::transform<config>(p, space);
  CHECK(space.refused[static_cast<unsigned>(motion_refusal::named)] > 0);
  const ww::block_starts came(before);
  const ww::block_starts goes(p);
  CHECK(block_of(p, goes(p.instructions[5].target).index()) ==
        block_of(before, came(before.instructions[5].target).index()));
}

TEST_CASE("PLS-13 global: planted illegal moves are seen by the comparison of definitions") {
  const auto planted = [](ww::program p, std::uint32_t id) {
    const ww::program before = p;
    const ww::block_id from = block_of(p, id);
    const ww::block_id to = ww::dominator_tree(p).idom(from);
    REQUIRE(up(p, id) != motion_refusal::none);
    const std::uint32_t at = motion_facts::end_place(p, p[to]) - p[to].first;
    REQUIRE(ww::move_instruction(p, from, place_in(p, id), to, at, nothing));
    return !ww::verify::same_reaching(before, p).ok();
  };
  CHECK(planted(behind_branch("IADD3 R9, R5, R6, RZ"), 3));
  CHECK(planted(behind_branch("IADD3 R4, R5, R6, RZ", "MOV R5, R21"), 3));
  CHECK(planted(behind_branch("ISETP.GE.AND P0, PT, R5, R6, PT"), 3));
  CHECK(planted(behind_diamond("IADD3 R4, R5, R6, RZ", "MOV R5, R22"), 6));
}

namespace {

// Loads and stores on one complete walk from the entry, the same choice at every branch. Empty if the walk is too long.
bool walk(const ww::program& p, std::uint32_t seed, std::vector<std::uint32_t>& loads, std::vector<std::uint32_t>& path) {
  std::mt19937 rng(seed);
  loads.clear();
  path.clear();
  ww::block_id b{0};
  for (unsigned steps = 0; steps < 40; ++steps) {
    path.push_back(b.index());
    for (const ww::instr_id i : p.order_of(p[b])) {
      if (p[i].dir != ww::mem_dir::none) loads.push_back(i.index());
    }
    const auto edges = p.edges_of(p[b]);
    const bool may_exit = p[p.order[p[b].first + p[b].count - 1]].has(ww::iflag::exit);
    if (edges.empty() || (may_exit && rng() % 2 != 0)) {
      std::sort(loads.begin(), loads.end());
      return true;
    }
    b = edges[rng() % edges.size()].to;
  }
  return false;
}

}  // namespace

TEST_CASE("PLS-13 global: on random flow every allowed move keeps definitions and the number of loads") {
  std::size_t allowed = 0;
  std::size_t walks = 0;
  std::map<motion_refusal, std::size_t> seen;
  motion_facts facts;
  std::vector<std::uint32_t> loads[2];
  std::vector<std::uint32_t> path;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const ww::program before =
        ww_test::random_flow(seed, {.count = 20 + seed % 20, .registers = 14, .calls = seed % 4 == 0});
    if (before.blocks.empty()) continue;
    const ww::dominator_tree tree(before);
    facts.compute(before);
    const ww_test::reaching_oracle old(before);
    for (std::uint32_t id = 0; id < before.instructions.size(); ++id) {
      const ww::block_id from = block_of(before, id);
      std::vector<std::pair<ww::block_id, bool>> ways;
      if (tree.idom(from).valid()) ways.push_back({tree.idom(from), true});
      for (const ww::cfg_edge& e : before.edges_of(before[from])) ways.push_back({e.to, false});
      for (const auto& [to, is_up] : ways) {
        const std::uint32_t place = place_in(before, id);
        const motion_refusal why = is_up ? facts.up(before, from, place, to) : facts.down(before, from, place, to);
        ++seen[why];
        if (why != motion_refusal::none) continue;
        ++allowed;
        ww::program p = before;
        const std::uint32_t at = is_up ? motion_facts::end_place(p, p[to]) - p[to].first : 0;
        REQUIRE(ww::move_instruction(p, from, place, to, at, nothing));
        INFO("seed " << seed << " instruction " << id << (is_up ? " up" : " down"));
        REQUIRE(ww::verify::same_reaching(before, p).ok());
        if (allowed % 4 == 0) REQUIRE(ww_test::reaching_oracle(p).pairs == old.pairs);
        for (std::uint32_t w = 0; w < 6; ++w) {
          const bool ends = walk(before, w, loads[0], path);
          if (!walk(p, w, loads[1], path) || !ends) continue;
          ++walks;
          // moved down, a load may be left out; moved up it runs exactly as often
          if (is_up) {
            REQUIRE(loads[0] == loads[1]);
          } else {
            REQUIRE(std::includes(loads[0].begin(), loads[0].end(), loads[1].begin(), loads[1].end()));
          }
        }
      }
    }
  }
  CHECK(allowed > 200);
  CHECK(walks > 200);
  for (const motion_refusal r : {motion_refusal::shape, motion_refusal::passes_register, motion_refusal::live_elsewhere,
                                 motion_refusal::speculative_load, motion_refusal::uniform}) {
    INFO(ww::region::name_of(r));
    CHECK(seen[r] != 0);
  }
}

TEST_CASE("PLS-13 global: the whole strategy on random flow keeps definitions, twice the same") {
  global::space space;
  std::size_t moves = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const ww::program before = ww_test::random_flow(seed, {.count = 30, .registers = 12});
    if (before.blocks.empty()) continue;
    ww::program p = before;
    moves += global::transform<config>(p, space);
    INFO("seed " << seed);
    REQUIRE(ww::verify::same_reaching(before, p).ok());
    ww::program again = before;
    global::transform<config>(again, space);
    REQUIRE(again.order == p.order);
    std::uint32_t place = 0;
    for (const ww::block& b : p.blocks) {
      REQUIRE(b.first == place);
      REQUIRE(b.count != 0);
      place += b.count;
    }
    REQUIRE(place == p.order.size());
  }
  CHECK(moves > 50);
}
