// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the header of the scheduling guidance at every level, and which blocks come at once, which wait, and with what hint.
#include "warpwright/report/scheduling_guidance.hpp"

#include <random>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/sm90.hpp"

namespace {

using ww::model::back_edge_rule;
using ww::model::block_guidance;
using ww::model::block_order;

// What happens at a level, in its order.
std::string told(const ww::program& p, unsigned level) {
  std::string out;
  ww::report::write_scheduling_guidance(
      p, level, [&out](ww::string_view piece) { out += std::string(piece); }, [&out] { out += "(hook)\n"; },
      [&out](const block_guidance& g) { out += std::to_string(g.block.index()) + "\n"; });
  return out;
}

template <back_edge_rule Rule = back_edge_rule::own_too>
std::vector<block_guidance> classified(const ww::program& p) {
  std::vector<block_guidance> all;
  ww::model::classify_blocks<Rule>(p, [&all](const block_guidance& g) { all.push_back(g); });
  return all;
}

// 0 -> 1, 2; 1 -> 1, 2 (a loop of one block); 2 -> 0' ...; 4 and 5 are reached by nothing but each other.
constexpr const char* with_dead_loop =
    "FADD R1, R2, R3\n"
    "top:\n"
    "FADD R4, R4, R4\n"
    "own:\n"
    "FADD R5, R5, R5\n"
    "@P0 BRA `(own)\n"
    "FADD R6, R6, R6\n"
    "@P1 BRA `(top)\n"
    "EXIT\n"
    "dead:\n"
    "FADD R7, R7, R7\n"
    "@P2 BRA `(end)\n"
    "FADD R8, R8, R8\n"
    "BRA `(dead)\n"
    "end:\n"
    "EXIT\n";

}  // namespace

TEST_CASE("PLS-18 header: what every level writes and calls") {
  const ww::program p = ww_test::program_of<ww::sm90>("dead_first:\nFADD R1, R2, R3\nEXIT\nFADD R4, R5, R6\nEXIT\n");
  REQUIRE(p.blocks.size() == 2);
  CHECK(told(p, 0).empty());
  CHECK(told(p, 1) == "SCHEDULING GUIDANCE:\n0\n1\n");
  CHECK(told(p, 2) == "(hook)\nSCHEDULING GUIDANCE:\n0\n1\n");
  CHECK(told(p, 3) == told(p, 2));
  CHECK(told(p, 4) == "(hook)\nSCHEDULING GUIDANCE:\nLOOP STATIC METRICS : \n0\n1\n");
  CHECK(told(p, 5) == told(p, 4));
  CHECK(told(p, 0xffffffffu) == told(p, 4));
  CHECK(told(ww::program{}, 1) == "SCHEDULING GUIDANCE:\n");
}

TEST_CASE("PLS-18 header: padding and empty blocks are not handed out, what nothing reaches comes last") {
  ww::program p = ww_test::program_of<ww::sm90>("BRA `(last)\nFADD R1, R2, R3\nEXIT\nlast:\nFADD R4, R5, R6\nEXIT\n");
  REQUIRE(p.blocks.size() == 3);
  CHECK(told(p, 1) == "SCHEDULING GUIDANCE:\n0\n2\n1\n");
  p.blocks[2].padding = true;
  CHECK(told(p, 1) == "SCHEDULING GUIDANCE:\n0\n1\n");
  p.blocks[1].count = 0;
  CHECK(told(p, 1) == "SCHEDULING GUIDANCE:\n0\n");
  const std::vector<block_guidance> all = classified(p);
  REQUIRE(all.size() == 3);  // they are told to whoever asks
  CHECK(all[1].order == block_order::skipped);
  CHECK(all[2].order == block_order::skipped);
}

TEST_CASE("PLS-18 blocks: back edges in both passes, and a loop of one block by the rule that is asked for") {
  const ww::program p = ww_test::program_of<ww::sm90>(with_dead_loop);
  REQUIRE(p.blocks.size() == 8);
  const std::vector<block_guidance> own = classified(p);
  REQUIRE(own.size() == 8);
  const std::vector<std::uint32_t> order = {0, 1, 2, 3, 4, 5, 6, 7};
  for (std::size_t k = 0; k < own.size(); ++k) CHECK(own[k].block.index() == order[k]);
  for (std::size_t k = 0; k < 5; ++k) CHECK(own[k].order == block_order::first_pass);
  for (std::size_t k = 5; k < 8; ++k) CHECK(own[k].order == block_order::deferred);
  const auto last_of = [&p](std::uint32_t b) { return p.order[p.blocks[b].first + p.blocks[b].count - 1]; };
  CHECK_FALSE(own[0].back_edge.valid());
  CHECK(own[1].back_edge == last_of(3));
  CHECK(own[2].back_edge == last_of(2));
  CHECK_FALSE(own[3].back_edge.valid());
  CHECK_FALSE(own[4].back_edge.valid());
  CHECK(own[5].back_edge == last_of(6));  // the same in the second pass
  CHECK_FALSE(own[7].back_edge.valid());
  const std::vector<block_guidance> behind = classified<back_edge_rule::behind>(p);
  CHECK(behind[1].back_edge == last_of(3));
  CHECK_FALSE(behind[2].back_edge.valid());
  CHECK(behind[5].back_edge == last_of(6));
}

TEST_CASE("PLS-18 blocks: an edge from behind that is no direct branch to the block is no back edge") {
  // A callee in front of its caller: the call is an edge from behind, and so is the indirect branch.
  ww::program p = ww_test::program_of<ww::sm90>("FADD R1, R2, R3\ntop:\nFADD R4, R4, R4\nBRX R6 -0x40\nEXIT\n");
  const std::vector<block_guidance> before = classified(p);
  for (const block_guidance& g : before) CHECK_FALSE(g.back_edge.valid());
  ww::program q = ww_test::program_of<ww::sm90>("FADD R1, R2, R3\ntop:\nFADD R4, R4, R4\n@P0 BRA `(top)\nEXIT\n");
  REQUIRE(classified(q)[1].back_edge.valid());
  for (ww::cfg_edge& e : q.edges) {
    if (e.kind == ww::edge_kind::branch) e.kind = ww::edge_kind::indirect;
  }
  CHECK_FALSE(classified(q)[1].back_edge.valid());
}

TEST_CASE("PLS-18 blocks: a loop that a call closes has no branch for a hint") {
  const ww::program p =
      ww_test::program_of<ww::sm90>("FADD R1, R2, R3\ntop:\nFADD R4, R4, R4\n@P0 CALL.REL.NOINC `(top)\nEXIT\n");
  unsigned closing = 0;
  for (const ww::cfg_edge& e : p.edges)
    closing += e.kind == ww::edge_kind::branch && e.to.index() <= e.from.index() ? 1u : 0u;
  REQUIRE(closing == 1);
  for (const block_guidance& g : classified(p)) CHECK_FALSE(g.back_edge.valid());
}

TEST_CASE("PLS-18 blocks: of several back edges the last one is the hint") {
  const ww::program p = ww_test::program_of<ww::sm90>(
      "FADD R1, R2, R3\n"
      "top:\n"
      "FADD R4, R4, R4\n"
      "@P0 BRA `(top)\n"
      "FADD R5, R5, R5\n"
      "@P1 BRA `(top)\n"
      "FADD R6, R6, R6\n"
      "@P2 BRA `(top)\n"
      "EXIT\n");
  CHECK(classified(p)[1].back_edge == p.order[p.blocks[3].first + p.blocks[3].count - 1]);
}

TEST_CASE("PLS-18 blocks: against a plain reading of the rule on generated flow") {
  std::mt19937 random(7);
  unsigned hints = 0;
  unsigned deferred = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const unsigned blocks = 1 + static_cast<unsigned>(random() % 12);
    std::string text;
    std::vector<std::uint32_t> target(blocks, 0xffffffffu);
    std::vector<bool> falls(blocks, true);
    for (unsigned b = 0; b < blocks; ++b) {
      text += "L" + std::to_string(b) + ":\nFADD R1, R2, R3\n";
      const unsigned what = static_cast<unsigned>(random() % 4);
      if (what == 3 || b + 1 == blocks) {
        text += "EXIT\n";
        falls[b] = false;
      } else if (what != 0) {
        target[b] = static_cast<std::uint32_t>(random() % blocks);
        falls[b] = what == 1;
        text += (what == 1 ? "@P0 BRA `(L" : "BRA `(L") + std::to_string(target[b]) + ")\n";
      }
      if (b + 1 < blocks) text += "@P5 BRA `(L" + std::to_string(b + 1) + ")\n";  // ends the block in any case
    }
    const ww::program p = ww_test::program_of<ww::sm90>(text);
    std::vector<block_guidance> expected;
    for (const bool second : {false, true}) {
      for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
        if (p.blocks[b].padding || p.blocks[b].reachable == second) continue;
        block_guidance g;
        g.block = ww::block_id{b};
        g.order = second ? block_order::deferred : block_order::first_pass;
        for (std::uint32_t from = b; from < p.blocks.size(); ++from) {
          const ww::instr_id last = p.order[p.blocks[from].first + p.blocks[from].count - 1];
          const ww::instruction& i = p[last];
          if (i.has(ww::iflag::branch) && i.target.valid() && i.target == p.order[p.blocks[b].first]) g.back_edge = last;
        }
        hints += g.back_edge.valid() ? 1u : 0u;
        deferred += second ? 1u : 0u;
        expected.push_back(g);
      }
    }
    const std::vector<block_guidance> found = classified(p);
    INFO(text);
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      REQUIRE(found[k].block == expected[k].block);
      REQUIRE(found[k].order == expected[k].order);
      REQUIRE(found[k].back_edge == expected[k].back_edge);
    }
  }
  CHECK(hints > 200);
  CHECK(deferred > 100);
}
