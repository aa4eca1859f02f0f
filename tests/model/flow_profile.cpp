// SPDX-License-Identifier: BSL-1.0
//
// HC-7: counts and probabilities from one file, as the measured control flow of a program.
#include <random>
#include <string>
#include <vector>

#include "../region/support.hpp"
#include "../support/random_flow.hpp"
#include "warpwright/model/flow_profile_read.hpp"

using namespace ww;

namespace {

// Blocks: 0 test, 1 then, 2 else, 3 join (loop), 4 end. Edges 0->1, 0->2, 1->3, 2->3, 3->3, 3->4.
const char* const diamond = R"(
  @P0 BRA `(other)
  FADD R1, R1, R2
  BRA `(join)
other:
  FADD R1, R1, R3
join:
  FADD R1, R1, R4
  @P1 BRA `(join)
  EXIT
)";

model::flow_result read(const program& p, const std::string& text, flow_profile& f, const model::flow_options& o = {}) {
  ww::vec<model::profile_entry> e;
  const model::profile_error bad = model::read_profile(text, e);
  INFO(bad.line << ":" << bad.column << " " << bad.expected);
  REQUIRE_FALSE(bad.failed);
  return model::read_flow(p, "k", e, f, o);
}
double probability(const program& p, const flow_profile& f, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
    if (p.edges[e].from.index() == from && p.edges[e].to.index() == to) return f.probability[e];
  }
  FAIL("no such edge");
  return 0;
}

}  // namespace

TEST_CASE("HC-7 flow profile: counts and probabilities stand in one file") {
  const program p = ww_test::from_text(diamond);
  REQUIRE(p.blocks.size() == 5);
  flow_profile f;
  const auto r =
      read(p, "# head\n.text.k 0 10\nk 0->1 0.25 # seldom\nk\t0 2.5\nk 0->2 7.5e-1\nother 1 5\nother 0->9 0.5\n", f);
  CHECK(r.counts == 2);
  CHECK(r.probabilities == 2);
  CHECK(r.unknown == 0);
  CHECK(r.repeated == 0);
  CHECK(r.excess == 0);
  CHECK(r.derived == 0);
  CHECK(f.count[0] == 12.5);  // entries of a block add up
  CHECK(probability(p, f, 0, 1) == 0.25);
  CHECK(probability(p, f, 0, 2) == 0.75);
  for (std::uint32_t b = 1; b < 5; ++b) CHECK_FALSE(f.has_count(block_id{b}));
  CHECK(probability(p, f, 1, 3) == flow_profile::unknown);
  REQUIRE(f.count.size() == p.blocks.size());
  REQUIRE(f.probability.size() == p.edges.size());
  // A section that is not named was not measured; nor does a profile keep what was read before.
  ww::vec<model::profile_entry> none;
  CHECK(model::read_flow(p, "k", none, f).counts == 0);
  CHECK_FALSE(f.has_count(block_id{0}));
  CHECK(probability(p, f, 0, 1) == flow_profile::unknown);
}

TEST_CASE("HC-7 flow profile: blocks and edges that are not there are counted, with the place of the first") {
  const program p = ww_test::from_text(diamond);
  flow_profile f;
  auto r = read(p, "k 0->1 0.5\nk 1->2 0.5\nk 5 1\nk 0->5 1\nk 5->0 1\nk 4 1\n", f);
  CHECK(r.unknown == 4);
  CHECK(r.line == 2);
  CHECK(r.column == 3);
  CHECK(r.counts == 1);
  CHECK(r.probabilities == 1);
  r = read(p, "\nk   9 1\nk 1->2 0.5\n", f);
  CHECK(r.unknown == 2);
  CHECK(r.line == 2);
  CHECK(r.column == 5);
}

TEST_CASE("HC-7 flow profile: of several entries for an edge the first holds, and too much is told") {
  const program p = ww_test::from_text(diamond);
  flow_profile f;
  auto r = read(p, "k 0->1 0.1\nk 0->1 0.9\nk 0->2 0.9\n", f);
  CHECK(r.repeated == 1);
  CHECK(r.excess == 0);
  CHECK(probability(p, f, 0, 1) == 0.1);
  r = read(p, "k 0->1 0.6\nk 0->2 0.6\nk 3->3 0.3335\nk 3->4 0.667\n", f);
  CHECK(r.excess == 1);  // half of a thousandth is rounding
  // Two edges that go the same way are one way.
  const program same = ww_test::from_text("@P0 BRA `(next)\nnext:\nEXIT\n");
  REQUIRE(same.edges.size() == 2);
  r = read(same, "k 0->1 1\n", f);
  CHECK(r.excess == 0);
  CHECK(f.probability[0] == 1);
  CHECK(f.probability[1] == 1);
}

TEST_CASE("HC-7 flow profile: probabilities follow from counts where a block has one way in") {
  const program p = ww_test::from_text(diamond);
  flow_profile f;
  auto r = read(p, "k 0 8\nk 1 2\nk 2 6\nk 3 80\nk 4 8\n", f);
  CHECK(probability(p, f, 0, 1) == 0.25);
  CHECK(probability(p, f, 0, 2) == 0.75);
  CHECK(probability(p, f, 3, 4) == 0.1);
  CHECK(probability(p, f, 3, 3) == flow_profile::unknown);  // its count says nothing of where control came from
  CHECK(probability(p, f, 1, 3) == flow_profile::unknown);
  CHECK(r.derived == 3);
  // Not where a count around the branch is missing, where a probability is given, or where the block never ran.
  CHECK(read(p, "k 0 8\nk 1 2\n", f).derived == 0);
  r = read(p, "k 0 8\nk 1 2\nk 2 6\nk 0->1 0.5\n", f);
  CHECK(r.derived == 0);
  CHECK(probability(p, f, 0, 1) == 0.5);
  CHECK(probability(p, f, 0, 2) == flow_profile::unknown);
  CHECK(read(p, "k 0 0\nk 1 0\nk 2 0\n", f).derived == 0);
  // Counts that contradict one another make no more than certain.
  r = read(p, "k 0 8\nk 1 9\nk 2 6\n", f);
  CHECK(probability(p, f, 0, 1) == 1);
  // A complete file leaves out what never ran.
  r = read(p, "k 0 8\nk 1 8\nk 3 8\nk 4 8\n", f, {.absent_never_ran = true});
  CHECK(f.count[2] == 0);
  CHECK(probability(p, f, 0, 2) == 0);
  r = read(p, "k 0->1 0.5\n", f, {.absent_never_ran = true});
  CHECK_FALSE(f.has_count(block_id{0}));  // but counts it must have
}

TEST_CASE("HC-7 flow profile: a function's entry gets no probability from counts") {
  const program p =
      ww_test::from_text(".kernel k\nFADD R1, R1, R2\nCALL.REL.NOINC `(f)\nEXIT\n.function f\nRET.REL.NODEC R20 `(k)\n");
  flow_profile f;
  std::string text;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) text += "k " + std::to_string(b) + " 1\n";
  read(p, text, f);
  for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
    if (p.edges[e].kind == edge_kind::call) CHECK_FALSE(f.has_probability(e));
  }
  const program into = ww_test::from_text(".kernel k\n@P0 EXIT\n.kernel f\nFADD R1, R1, R2\nEXIT\n");
  REQUIRE(into.edges.size() == 1);
  CHECK(read(into, "k 0 4\nk 1 3\n", f).derived == 0);
}

TEST_CASE("HC-7 flow profile: bad lines have a place and a reason, and nothing is taken") {
  struct bad {
    const char* text;
    unsigned line;
    unsigned column;
    const char* expected;
  };
  for (const bad& b :
       {bad{"a 0 1\na 0-> 1\n", 2, 6, "a block number behind the arrow"}, bad{"a ->1 1\n", 1, 3, "a block number"},
        bad{"a x->1 1\n", 1, 3, "a block number"}, bad{"a 0->x 1\n", 1, 6, "a block number behind the arrow"},
        bad{"a 0->1->2 1\n", 1, 6, "a block number behind the arrow"},
        bad{"a 0->-1 1\n", 1, 6, "a block number behind the arrow"},
        bad{"a 0->99999999999 1\n", 1, 6, "a block number behind the arrow"},
        bad{"a 0->1 1.01\n", 1, 8, "a probability from 0 to 1"}, bad{"a 0->1 -0.1\n", 1, 8, "a probability from 0 to 1"},
        bad{"a 0->1 nan\n", 1, 8, "a probability from 0 to 1"}, bad{"a 0->1 50%\n", 1, 8, "a probability from 0 to 1"},
        bad{"a 0->1\n", 1, 7, "an execution count"},
        bad{"a 0 -> 1 0.5\n", 1, 8, "end of line after section, block and count"},
        bad{"a 0 x\n", 1, 5, "a non-negative execution count"}}) {
    ww::vec<model::profile_entry> e(1);
    const model::profile_error r = model::read_profile(b.text, e);
    INFO(b.text);
    CHECK(r.failed);
    CHECK(r.line == b.line);
    CHECK(r.column == b.column);
    CHECK(std::string(r.expected) == b.expected);
    CHECK(e.size() == 1);
  }
  // Weights come from counts alone: a file of probabilities leaves them.
  program p = ww_test::from_text(diamond);
  const double weight = p.blocks[3].weight;
  ww::vec<model::profile_entry> e;
  REQUIRE_FALSE(model::read_profile("k 0->1 0.5\nk 7->9 0.5\n", e).failed);
  const model::profile_result r = model::apply_profile(p, "k", e);
  CHECK(r.applied == 0);
  CHECK(r.unknown == 0);
  CHECK(p.blocks[3].weight == weight);
  REQUIRE_FALSE(model::read_profile("k 0 3\n", e).failed);
  CHECK(model::apply_profile(p, "k", e).applied == 1);
  CHECK(p.blocks[0].weight == 3);
}

TEST_CASE("HC-7 flow profile: any text is read, or refused with a place in it") {
  std::mt19937 random(7);
  const char letters[] = "k 01>-.e#\n\t9x+";
  const char* const pieces[] = {"k 0->1 0.5\n",
                                "k 0 1\n",
                                "k 3->4 1 # all\n",
                                "\tk 3->3 1e-3\r\n",
                                "other 1->2 0.1\n",
                                ".text.k 7->9 0\n",
                                "k 99 2\n",
                                "k 1->2 1\n",
                                "->",
                                "# "};
  const program p = ww_test::from_text(diamond);
  unsigned taken = 0;
  for (unsigned round = 0; round < 30'000; ++round) {
    std::string text;
    for (auto n = random() % 9; n > 0; --n) {
      if (random() % 12 != 0) {
        text += pieces[random() % (sizeof pieces / sizeof pieces[0])];
      } else {
        text += letters[random() % (sizeof letters - 1)];
      }
    }
    ww::vec<model::profile_entry> e;
    const model::profile_error bad = model::read_profile(text, e);
    INFO(text);
    if (bad.failed) {
      REQUIRE(e.empty());
      REQUIRE(bad.line >= 1);
      REQUIRE(bad.column >= 1);
      REQUIRE(std::string(bad.expected) != "");
      std::size_t at = 0;
      for (unsigned line = 1; line < bad.line; ++line) at = text.find('\n', at) + 1;
      REQUIRE(at + bad.column - 1 <= text.size());
      continue;
    }
    flow_profile f;
    const model::flow_result r = model::read_flow(p, "k", e, f);
    std::uint32_t own = 0;
    for (const model::profile_entry& x : e) own += model::names_section(x.section, "k") ? 1u : 0u;
    REQUIRE(r.counts + r.probabilities + r.repeated + r.unknown == own);
    taken += own != 0 ? 1u : 0u;
    for (const double x : f.probability) REQUIRE((x == flow_profile::unknown || (x >= 0 && x <= 1)));
  }
  CHECK(taken > 1000);
}

TEST_CASE("HC-7 flow profile: on random programs every edge that is named is found, and only those") {
  std::mt19937 random(11);
  for (unsigned seed = 0; seed < 400; ++seed) {
    const program p = ww_test::random_flow(seed, {.count = 24, .registers = 4, .open = seed % 2 == 0});
    const auto n = static_cast<std::uint32_t>(p.blocks.size());
    std::string text;
    std::vector<double> wanted(static_cast<std::size_t>(n) * n, flow_profile::unknown);
    unsigned missing = 0;
    for (unsigned k = 0; k < 2 * n; ++k) {
      const auto from = static_cast<std::uint32_t>(random() % n);
      const auto to = static_cast<std::uint32_t>(random() % n);
      const unsigned eighths = static_cast<unsigned>(random() % 9);
      text += "k " + std::to_string(from) + "->" + std::to_string(to) + " " + std::to_string(eighths * 0.125) + "\n";
      bool there = false;
      for (const cfg_edge& e : p.edges_of(p.blocks[from])) there = there || e.to.index() == to;
      missing += there ? 0u : 1u;
      double& w = wanted[from * n + to];
      if (w < 0) w = eighths * 0.125;
    }
    flow_profile f;
    const model::flow_result r = read(p, text, f);
    REQUIRE(r.unknown == missing);
    for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
      REQUIRE(f.probability[e] == wanted[p.edges[e].from.index() * n + p.edges[e].to.index()]);
    }
  }
}
