// SPDX-License-Identifier: BSL-1.0
// build_cfg: one test per rule, on programs made by hand.
#include <initializer_list>
#include <set>
#include <tuple>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/dominators.hpp>

#include "support/catch.hpp"

namespace {

using ww::block_id;
using ww::edge_kind;
using ww::iflag;
using ww::instr_id;

constexpr std::uint32_t bits(std::initializer_list<iflag> flags) {
  std::uint32_t b = 0;
  for (const iflag f : flags) b |= static_cast<std::uint32_t>(f);
  return b;
}

constexpr int nowhere = -1;
constexpr std::uint32_t plain = 0;
constexpr std::uint32_t bra = bits({iflag::branch, iflag::ends_block});
constexpr std::uint32_t brx = bits({iflag::branch, iflag::indirect, iflag::ends_block});
constexpr std::uint32_t call = bits({iflag::call, iflag::ends_block});
constexpr std::uint32_t ret = bits({iflag::ret, iflag::ends_block});
constexpr std::uint32_t exit_ = bits({iflag::exit, iflag::ends_block});
constexpr std::uint32_t nop = bits({iflag::padding});
constexpr std::uint32_t guarded = bits({iflag::guarded});
constexpr std::uint32_t never = bits({iflag::never});
constexpr std::uint32_t conditional = bits({iflag::conditional});
constexpr std::uint32_t indirect = bits({iflag::indirect});
constexpr std::uint32_t bssy = bits({iflag::convergence});
constexpr std::uint32_t bsync = bits({iflag::convergence, iflag::reconverge, iflag::ends_block});
constexpr std::uint32_t warpsync = bits({iflag::sync, iflag::branch, iflag::conditional, iflag::ends_block});

struct row {
  std::uint32_t flags = plain;
  int target = nowhere;
  int barrier = nowhere;  // B register
};

ww::program make(const std::vector<row>& rows, std::initializer_list<unsigned> entries = {}) {
  ww::program p;
  for (const row& r : rows) {
    ww::instruction x;
    x.flags = r.flags;
    if (r.target != nowhere) x.target = instr_id{static_cast<std::uint32_t>(r.target)};
    x.first_operand = static_cast<std::uint32_t>(p.operands.size());
    if (r.barrier != nowhere) {
      p.operands.push_back(ww::operand::use(ww::B(static_cast<std::uint32_t>(r.barrier)), ww::slot::none));
      x.operand_count = 1;
    }
    p.order.push_back(instr_id{static_cast<std::uint32_t>(p.instructions.size())});
    p.instructions.push_back(x);
  }
  for (const unsigned e : entries) {
    ww::function f;
    f.name = e;
    f.entry = instr_id{e};
    f.kernel = e == 0;
    p.functions.push_back(f);
  }
  return p;
}

using edge_row = std::tuple<unsigned, unsigned, edge_kind>;  // first instruction of from and to
std::set<edge_row> edges(const ww::program& p) {
  std::set<edge_row> s;
  for (const ww::cfg_edge& e : p.edges) s.insert({p[e.from].first, p[e.to].first, e.kind});
  return s;
}
const ww::block& block_of_line(const ww::program& p, unsigned first) {
  for (const ww::block& b : p.blocks) {
    if (b.first == first) return b;
  }
  FAIL("no block starts at " << first);
  return p.blocks.front();
}
std::size_t block_of(const ww::program& p, unsigned first) {
  return static_cast<std::size_t>(&block_of_line(p, first) - p.blocks.data());
}
std::set<unsigned> starts(const ww::program& p) {
  std::set<unsigned> s;
  for (const ww::block& b : p.blocks) s.insert(b.first);
  return s;
}

void check_whole(const ww::program& p) {  // blocks cover the order; predecessor lists mirror the edges
  std::uint32_t next = 0;
  std::size_t preds = 0;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    CHECK(p.blocks[b].first == next);
    CHECK(p.blocks[b].count > 0);
    next += p.blocks[b].count;
    for (const ww::cfg_edge& e : p.edges_of(p.blocks[b])) CHECK(e.from.index() == b);
    for (const std::uint32_t e : p.pred_edges_of(p.blocks[b])) CHECK(p.edges[e].to.index() == b);
    preds += p.blocks[b].pred_count;
  }
  CHECK(next == p.order.size());
  CHECK(preds == p.edges.size());
}

}  // namespace

TEST_CASE("cfg: an empty program has no blocks") {
  ww::program p;
  CHECK(ww::build_cfg(p).ok);
  CHECK(p.blocks.empty());
}

TEST_CASE("cfg: blocks start at targets, leaders, entries and behind enders") {
  ww::program p = make({{}, {bra | guarded, 4}, {}, {}, {}, {exit_}, {}, {exit_}}, {0, 6});
  p.leaders = {instr_id{3}};
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((starts(p) == std::set<unsigned>{0, 2, 3, 4, 6}));
  CHECK((edges(p) ==
         std::set<edge_row>{
             {0, 2, edge_kind::fall}, {0, 4, edge_kind::branch}, {2, 3, edge_kind::fall}, {3, 4, edge_kind::fall}}));
  CHECK(block_of_line(p, 0).entry);
  CHECK(block_of_line(p, 6).entry);
  CHECK(block_of_line(p, 6).function.index() == 1);
  CHECK(p.functions[0].block_count == 4);
  CHECK(p.functions[1].first_block == block_id{4});
  check_whole(p);
}

TEST_CASE("cfg: unguarded branches and exits do not fall through, guarded and conditional ones do") {
  ww::program p = make({{bra, 2}, {exit_}, {bra | conditional, 1}, {exit_ | guarded}, {exit_ | conditional}, {exit_}});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((edges(p) == std::set<edge_row>{{0, 2, edge_kind::branch},
                                        {2, 1, edge_kind::branch},
                                        {2, 3, edge_kind::fall},
                                        {3, 4, edge_kind::fall},
                                        {4, 5, edge_kind::fall}}));
}

TEST_CASE("cfg: an instruction that never acts only falls through") {
  ww::program p = make({{bra | never, 2}, {exit_ | never}, {exit_}});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((edges(p) == std::set<edge_row>{{0, 1, edge_kind::fall}, {1, 2, edge_kind::fall}}));
}

TEST_CASE("cfg: a branch table gives each target once, an open one goes to what nothing else reaches") {
  ww::program p = make({{brx}, {}, {bra, 4}, {exit_}, {exit_}});
  SECTION("with a table") {
    p.tables = {{instr_id{0}, 0, 3}};
    p.table_targets = {instr_id{3}, instr_id{1}, instr_id{3}};
    REQUIRE(ww::build_cfg(p).ok);
    CHECK(p.edges_of(p.blocks[0]).size() == 2);
    CHECK((edges(p) ==
           std::set<edge_row>{{0, 1, edge_kind::indirect}, {0, 3, edge_kind::indirect}, {1, 4, edge_kind::branch}}));
    CHECK(!block_of_line(p, 0).open_exit);
  }
  SECTION("without") {
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) ==
           std::set<edge_row>{{0, 1, edge_kind::indirect}, {0, 3, edge_kind::indirect}, {1, 4, edge_kind::branch}}));
    CHECK(block_of_line(p, 0).open_exit);
    CHECK(block_of_line(p, 3).reachable);
    check_whole(p);
  }
  SECTION("an empty table is an unknown one") {
    p.tables = {{instr_id{0}, 0, 0}};
    REQUIRE(ww::build_cfg(p).ok);
    CHECK(block_of_line(p, 0).open_exit);
  }
}

TEST_CASE("cfg: where several open branches may go are entries, each function by itself") {
  SECTION("two branches in one function") {
    // 0 opens a region up to 5, 1 branches, 2..4 are its cases; 5 branches too, 6 is a case of either
    ww::program p = make({{bssy, 5}, {brx}, {bra, 5}, {bra, 5}, {bra, 5}, {brx}, {exit_}}, {0});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{2, 5, edge_kind::branch}, {3, 5, edge_kind::branch}, {4, 5, edge_kind::branch}}));
    for (const ww::block& b : p.blocks) {
      CHECK(b.reachable);
      CHECK(b.entry == (b.first != 5));
    }
    CHECK(block_of_line(p, 0).open_exit);
    CHECK(block_of_line(p, 5).open_exit);
    check_whole(p);
  }
  SECTION("a branch that may fall through") {
    ww::program p = make({{brx | guarded}, {brx}, {exit_}, {exit_}}, {0});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{0, 1, edge_kind::fall}}));
    CHECK(!block_of_line(p, 1).entry);
    for (const std::uint32_t line : {2u, 3u}) CHECK(block_of_line(p, line).entry);
    check_whole(p);
  }
  SECTION("one in each of two functions, none in a third") {
    ww::program p = make({{brx}, {exit_}, {exit_}, {exit_}, {}, {brx}, {exit_}, {bra, 6}}, {0, 2, 4});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{0, 1, edge_kind::indirect},
                                          {4, 6, edge_kind::indirect},
                                          {4, 7, edge_kind::indirect},
                                          {7, 6, edge_kind::branch}}));
    CHECK(!block_of_line(p, 3).reachable);
    for (const ww::block& b : p.blocks) CHECK(b.entry == (b.first == 0 || b.first == 2 || b.first == 4));
    check_whole(p);
  }
}

TEST_CASE("cfg: a known function is entered by call edges and left by ret edges to all its sites") {
  ww::program p = make({{call, 5}, {}, {call, 5}, {}, {exit_}, {}, {ret | guarded}, {ret}}, {0, 5});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((edges(p) == std::set<edge_row>{{0, 5, edge_kind::call},
                                        {0, 1, edge_kind::call_return},
                                        {1, 5, edge_kind::call},
                                        {1, 3, edge_kind::call_return},
                                        {5, 7, edge_kind::fall},
                                        {5, 1, edge_kind::ret},
                                        {5, 3, edge_kind::ret},
                                        {7, 1, edge_kind::ret},
                                        {7, 3, edge_kind::ret}}));
  for (const ww::cfg_edge& e : p.edges) CHECK(ww::is_summary(p, e) == (e.kind == edge_kind::call_return));
  for (const ww::block& b : p.blocks) {
    CHECK(!b.open_exit);
    CHECK(b.loop_depth == 0);  // two calls of one function make no loop
  }
}

TEST_CASE("cfg: too many return edges make a function unknown") {
  constexpr std::uint32_t many = 300;
  ww::program p;
  for (std::uint32_t k = 0; k < 2 * many + 1; ++k) {
    ww::instruction x;
    x.flags = k < many ? call : k == many ? exit_ : ret | guarded;
    if (k < many) x.target = instr_id{many + 1};
    p.order.push_back(instr_id{k});
    p.instructions.push_back(x);
  }
  for (const std::uint32_t entry : {0u, many + 1}) {
    ww::function f;
    f.entry = instr_id{entry};
    p.functions.push_back(f);
  }
  ww::program same = p;
  REQUIRE(ww::build_cfg(p, {0}).ok);  // 90,000 edges against 64 for each of 601 instructions
  CHECK(block_of_line(p, many + 1).open_exit);
  CHECK(block_of_line(p, 0).open_exit);
  CHECK(p.edges.size() < 4 * many);
  REQUIRE(ww::build_cfg(same, {100000}).ok);
  CHECK(!block_of_line(same, many + 1).open_exit);
  CHECK(same.edges.size() > many * many);
}

TEST_CASE("cfg: a call to a plain label is a jump") {
  ww::program p = make({{}, {call | guarded, 3}, {bra, 0}, {exit_}}, {0});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((edges(p) == std::set<edge_row>{{0, 2, edge_kind::fall}, {0, 3, edge_kind::branch}, {2, 0, edge_kind::branch}}));
  CHECK(block_of_line(p, 0).loop_depth == 1);
  CHECK(block_of_line(p, 3).loop_depth == 0);
}

TEST_CASE("cfg: indirect and external calls are open and come back") {
  ww::program p = make({{call | indirect}, {call}, {exit_}}, {0});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((edges(p) == std::set<edge_row>{{0, 1, edge_kind::call_return}, {1, 2, edge_kind::call_return}}));
  CHECK(block_of_line(p, 0).open_exit);
  CHECK(block_of_line(p, 1).open_exit);
  CHECK(!ww::is_summary(p, p.edges[0]));
}

TEST_CASE("cfg: a call through a register by PRET and BRX comes back to what PRET names, who else comes there or not") {
  //                    0                1      2      3  4
  std::vector<row> code{{bra | guarded, 3}, {plain, 4}, {brx}, {}, {exit_}};
  code[1].flags = bits({iflag::ends_block});
  const auto with = [&](std::uint32_t flags) {
    ww::program p = make(code, {0});
    p.instructions[1].region = ww::region_kind::call;
    p.instructions[1].flags |= flags;
    REQUIRE(ww::build_cfg(p).ok);
    check_whole(p);
    return p;
  };
  const ww::program p = with(0);
  CHECK(edges(p).count({2, 4, edge_kind::call_return}) == 1);
  CHECK(edges(p).count({3, 4, edge_kind::fall}) == 1);
  CHECK(p.edges.size() == 5);
  CHECK(block_of_line(p, 2).open_exit);
  CHECK(edges(with(never)).count({2, 4, edge_kind::call_return}) == 0);
  // other branches than that right behind it
  code[2] = {bra, 3};
  CHECK(edges(with(0)).count({2, 4, edge_kind::call_return}) == 0);
}

TEST_CASE("cfg: a RET whose callers are not known is open") {
  ww::program p = make({{exit_}, {ret}}, {0, 1});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(p.edges.empty());
  CHECK(block_of_line(p, 1).open_exit);
  CHECK(block_of_line(p, 1).reachable);  // a function is an entry
}

TEST_CASE("cfg: BSYNC goes on behind itself where its BSSY says so, else to the target") {
  SECTION("behind") {
    ww::program p = make({{bssy, 3, 0}, {bra | guarded, 2}, {bsync, nowhere, 0}, {exit_}});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{0, 2, edge_kind::branch}, {0, 2, edge_kind::fall}, {2, 3, edge_kind::fall}}));
  }
  SECTION("elsewhere, and only regions of the same register") {
    ww::program p = make({{bssy, 4, 0}, {bssy, 5, 1}, {bsync, nowhere, 0}, {exit_}, {exit_}, {exit_}});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{0, 3, edge_kind::fall}, {0, 4, edge_kind::branch}}));
  }
  SECTION("what a move has written to the register may be any region") {
    for (const bool moves : {true, false}) {
      ww::program p = make({{bssy, 5, 1}, {bssy, 6, 0}, {bra | guarded, 6}, {bssy}, {bsync, nowhere, 0}, {exit_}, {exit_}});
      p.instructions[3].first_operand = static_cast<std::uint32_t>(p.operands.size());
      p.instructions[3].operand_count = moves ? 2 : 0;
      p.operands.push_back(ww::operand::def(ww::B(0), ww::slot::dst));
      p.operands.push_back(ww::operand::use(ww::R(4), ww::slot::b));
      REQUIRE(ww::build_cfg(p).ok);
      CHECK(edges(p).count({3, 5, edge_kind::fall}) == 1);
      CHECK(edges(p).count({3, 6, edge_kind::branch}) == (moves ? 0u : 1u));
    }
  }
  SECTION("however many regions open in between") {
    constexpr int between = 200;
    std::vector<row> rows{{bssy, between + 2, 0}};
    for (int k = 0; k < between; ++k) rows.push_back({bssy, between + 3, k == 0 ? 0 : 1});
    rows.insert(rows.end(), {{bsync, nowhere, 0}, {exit_}, {exit_}});
    ww::program p = make(rows);
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{0, between + 2, edge_kind::fall}}));
  }
  SECTION("without a register it always goes to targets") {
    ww::program p = make({{plain, 3}, {bsync}, {exit_}, {exit_}});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((edges(p) == std::set<edge_row>{{0, 3, edge_kind::branch}}));
  }
}

TEST_CASE("cfg: the code of a collective is run in passing") {
  ww::program p = make({{warpsync, 3}, {}, {}, {exit_}});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK((edges(p) == std::set<edge_row>{{0, 1, edge_kind::fall}, {1, 3, edge_kind::fall}}));
}

TEST_CASE("cfg: the closing self-branch and the NOPs behind it are padding, a real endless loop is not") {
  SECTION("padding") {
    ww::program p = make({{exit_}, {bra, 1}, {nop}, {nop}});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK((starts(p) == std::set<unsigned>{0, 1, 2}));
    CHECK(block_of_line(p, 1).padding);
    CHECK(block_of_line(p, 2).padding);
    CHECK(!block_of_line(p, 1).reachable);
    CHECK(!block_of_line(p, 2).open_exit);
    CHECK(p.instructions[1].has(iflag::padding));
  }
  SECTION("endless loop") {
    ww::program p = make({{exit_ | guarded}, {bra, 1}, {nop}});
    REQUIRE(ww::build_cfg(p).ok);
    CHECK(!block_of_line(p, 1).padding);
    CHECK(block_of_line(p, 1).loop_depth == 1);
  }
}

TEST_CASE("cfg: code that runs off the end is open") {
  ww::program p = make({{}, {}});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(p.blocks[0].open_exit);
}

TEST_CASE("cfg: contradictions are reported and leave no blocks") {
  ww::program p = make({{bra, 7}, {exit_}});
  ww::cfg_result r = ww::build_cfg(p);
  CHECK(!r.ok);
  CHECK(r.where == instr_id{0});
  CHECK(p.blocks.empty());
  p = make({{}, {exit_}});
  p.order[1] = instr_id{0};
  CHECK(!ww::build_cfg(p).ok);
  p = make({{brx}, {exit_}});
  p.tables = {{instr_id{0}, 1, 2}};
  p.table_targets = {instr_id{1}};
  CHECK(!ww::build_cfg(p).ok);
}

TEST_CASE("loops: depth, weight and its limit") {
  std::vector<row> rows;
  constexpr int depth = 8;
  ww::program p = make({});
  for (int k = 0; k < depth; ++k) rows.push_back({});
  for (int k = depth - 1; k >= 0; --k) rows.push_back({bra | guarded, k});
  rows.push_back({exit_});
  for (const row& r : rows) {
    ww::instruction x;
    x.flags = r.flags;
    if (r.target != nowhere) x.target = instr_id{static_cast<std::uint32_t>(r.target)};
    p.order.push_back(instr_id{static_cast<std::uint32_t>(p.instructions.size())});
    p.instructions.push_back(x);
  }
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(block_of_line(p, 0).loop_depth == 1);
  CHECK(block_of_line(p, 0).weight == 10.0);
  CHECK(block_of_line(p, depth - 1).loop_depth == depth);
  CHECK(block_of_line(p, depth - 1).weight == 1e6);
  CHECK(block_of_line(p, 2 * depth).loop_depth == 0);
  CHECK(block_of_line(p, 2 * depth).weight == 1.0);
}

TEST_CASE("loops: irreducible flow is one loop") {
  // 0 branches into the middle (2) of the loop 1..2
  ww::program p = make({{bra | guarded, 2}, {}, {bra | guarded, 1}, {exit_}});
  REQUIRE(ww::build_cfg(p).ok);
  ww::loop_forest forest;
  ww::find_loops(p, forest);
  CHECK(forest.back_edges.size() == 1);
  unsigned irreducible = 0;
  for (const std::uint8_t f : forest.is_irreducible) irreducible += f;
  CHECK(irreducible == 1);
  CHECK(block_of_line(p, 1).loop_depth == 1);
  CHECK(block_of_line(p, 2).loop_depth == 1);
  CHECK(block_of_line(p, 0).loop_depth == 0);
}

TEST_CASE("loops: a second entry into a loop makes it irreducible, and those around it") {
  // 0 1 2 3 and back: the inner loop 1..2, the outer one 0..3
  const auto flags = [](std::initializer_list<unsigned> entries) {
    ww::program p = make({{}, {}, {bra | guarded, 1}, {bra | guarded, 0}, {exit_}}, entries);
    REQUIRE(ww::build_cfg(p).ok);
    ww::loop_forest forest;
    ww::find_loops(p, forest);
    CHECK(block_of_line(p, 1).loop_depth == 2);
    return std::vector<unsigned>{forest.is_irreducible[block_of(p, 0)], forest.is_irreducible[block_of(p, 1)]};
  };
  CHECK((flags({0}) == std::vector<unsigned>{0, 0}));
  CHECK((flags({0, 1}) == std::vector<unsigned>{1, 0}));
  CHECK((flags({0, 2}) == std::vector<unsigned>{1, 1}));
  CHECK((flags({0, 4}) == std::vector<unsigned>{0, 0}));
}

TEST_CASE("loops: a nest deeper than can be counted has the greatest depth") {
  constexpr std::uint32_t depth = 0x10005;
  ww::program p;
  for (std::uint32_t k = 0; k < 2 * depth + 1; ++k) {
    ww::instruction x;
    x.flags = k < depth ? plain : k < 2 * depth ? bra | guarded : exit_;
    if (k >= depth && k < 2 * depth) x.target = instr_id{2 * depth - 1 - k};
    p.order.push_back(instr_id{k});
    p.instructions.push_back(x);
  }
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(p.blocks[0xfffd].loop_depth == 0xfffe);
  CHECK(p.blocks[0xfffe].loop_depth == 0xffff);
  CHECK(p.blocks[0xffff].loop_depth == 0xffff);
  CHECK(p.blocks[depth - 1].loop_depth == 0xffff);
}

TEST_CASE("cfg: a function that does nothing but branch to itself is no padding") {
  ww::program p = make({{exit_}, {bra, 1}, {exit_}, {bra, 3}}, {0, 1, 2});
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(!block_of_line(p, 1).padding);
  CHECK(block_of_line(p, 1).reachable);
  CHECK(!p.instructions[1].has(iflag::padding));
  CHECK(block_of_line(p, 3).padding);  // the closing one
}

TEST_CASE("dominators: against the definition, on random graphs") {
  std::uint32_t seed = 12345;
  const auto random = [&](std::uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
  };
  for (int round = 0; round < 300; ++round) {
    ww::program p;
    const std::uint32_t n = 2 + random(12);
    for (std::uint32_t i = 0; i < n; ++i) {
      ww::instruction x;
      const std::uint32_t what = random(4);
      x.flags = what == 0 ? exit_ : what == 1 ? bra : bra | guarded;
      if (what != 0) x.target = instr_id{random(n)};
      p.order.push_back(instr_id{i});
      p.instructions.push_back(x);
    }
    REQUIRE(ww::build_cfg(p).ok);
    const ww::dominator_tree tree(p);
    const auto reached_without = [&](std::uint32_t gone) {
      std::vector<std::uint8_t> seen(p.blocks.size(), 0);
      std::vector<std::uint32_t> stack;
      for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
        if (p.blocks[b].entry && b != gone) {
          seen[b] = 1;
          stack.push_back(b);
        }
      }
      while (!stack.empty()) {
        const std::uint32_t b = stack.back();
        stack.pop_back();
        for (const ww::cfg_edge& e : p.edges_of(p.blocks[b])) {
          const std::uint32_t to = e.to.index();
          if (to != gone && seen[to] == 0) {
            seen[to] = 1;
            stack.push_back(to);
          }
        }
      }
      return seen;
    };
    const std::vector<std::uint8_t> all = reached_without(0xffffffffu);
    for (std::uint32_t a = 0; a < p.blocks.size(); ++a) {
      const std::vector<std::uint8_t> without = reached_without(a);
      for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
        const bool want = all[b] != 0 && (a == b || without[b] == 0) && all[a] != 0;
        CHECK(tree.dominates(block_id{a}, block_id{b}) == want);
      }
    }
  }
}
