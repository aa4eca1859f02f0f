// SPDX-License-Identifier: BSL-1.0
//
// Backend C across blocks (PLS-17): what is in flight where control enters a block, through predecessors, callees and
// recursion, and what it does to scores and earliest cycles.
#include "../support/catch.hpp"
#include "support.hpp"

namespace {

using ww_test::Approx;
using ww_test::flow_builder;
using ww_test::opened;
using ww_test::tiny_arch;
namespace c = ww::backend::c;
using ww::block_id;
using ww::edge_kind;
using ww::sched_class;
using st_c = ww::strategy::backend_c;

constexpr std::uint32_t bit(std::uint32_t r) { return r; }  // general registers stand first in the layout

void alu(flow_builder& k, unsigned d, unsigned a) { k.add(sched_class::alu, {k.d(d), k.a(a), k.b(a)}); }

struct slow_issue : tiny_arch {
  struct pipes : tiny_arch::pipes {
    static constexpr unsigned min_stall(sched_class k) { return k == sched_class::alu ? 3 : 1; }
  };
};

template <class Arch = tiny_arch, class Opened>
const c::in_flight* arriving(Opened& o, std::uint32_t b, std::uint32_t r) {
  o.ws.own.records.template enter<Arch, c::options>(o.p, block_id{b});
  return o.ws.own.records.arriving(bit(r));
}

}  // namespace

TEST_CASE("PLS-17: a result in flight arrives in the next block with the cycles that remain") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  alu(k, 5, 6);
  alu(k, 7, 6);
  k.end_block();
  alu(k, 3, 2);
  alu(k, 8, 9);
  k.end_block();
  k.edge(0, 1);
  opened<st_c> o(k.finish());
  const c::in_flight* f = arriving(o, 1, 2);
  REQUIRE(f != nullptr);
  CHECK(f->remaining == 200 - 3);
  CHECK(f->producer == sched_class::ldg);
  CHECK(f->cost == Approx(50.0 * (2 + 6)));
  REQUIRE(arriving(o, 1, 7) != nullptr);
  CHECK(arriving(o, 1, 7)->remaining == 3);  // 4 cycles of an ALU result, less its own issue
  CHECK(arriving(o, 1, 5)->remaining == 2);
  CHECK(arriving(o, 1, 6) == nullptr);
  CHECK(arriving(o, 0, 2) == nullptr);
}

TEST_CASE("PLS-17: what arrives delays its reader, enters its score and the record of the block once") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  alu(k, 3, 2);                                       // reads the load
  k.add(sched_class::alu, {k.d(8), k.a(9), k.b(9)});  // free
  k.add(sched_class::fma, {k.d(4), k.a(2), k.b(3), k.c(3)});
  k.end_block();
  k.edge(0, 1);
  opened<st_c> o(k.finish());
  o.open(block_id{1});
  REQUIRE(o.run());
  CHECK(o.ws.own.carried[0] == 199);
  CHECK(o.ws.own.carried[1] == 0);
  CHECK(o.ws.own.carried[2] == 199);  // a second reader does not depend on the first one
  CHECK(o.ws.sequence[0] == 1);       // the free instruction first
  // the reader's score: the load's scale, once for both operands, times its own cost (R3 is read again, R2 too)
  const c::entry& reader = o.ws.own.entries[0];
  CHECK(reader.score == Approx(50.0 * reader.pressure_cost));
  // the load's cost is taken once: not for each operand, nor for the second reader
  double own_latency = 0;
  double own_weighted = 0;
  for (const c::entry& e : o.ws.own.entries) {
    own_latency += e.latency * e.pressure_cost;
    own_weighted += (e.priority - 2) * e.latency;
  }
  CHECK(o.ws.own.records[block_id{1}].pressure_latency == Approx(own_latency + 400.0));
  CHECK(o.ws.own.records[block_id{1}].weighted_latency == Approx(own_weighted + 50.0));
  o.open(block_id{1});
  REQUIRE(o.run());  // once more: the sums begin anew
  CHECK(o.ws.own.records[block_id{1}].pressure_latency == Approx(own_latency + 400.0));

  // alone, the block starts with the reader
  o.p.edges.clear();
  o.p.pred_edges.clear();
  for (ww::block& b : o.p.blocks) b.edge_count = b.pred_count = 0;
  o.ws.prepared = false;
  o.open(block_id{1});
  REQUIRE(o.run());
  CHECK(o.ws.sequence[0] == 0);
}

TEST_CASE("PLS-17: every reader of a result in flight waits for it, and what is free goes first") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  alu(k, 3, 2);
  alu(k, 8, 2);  // a reader of its own, and a chain behind it: the longest way to the end
  for (unsigned i = 0; i < 5; ++i) alu(k, 8, 8);
  for (unsigned i = 0; i < 60; ++i) alu(k, 40 + i, 20);  // 120 cycles of the pipe, less than the load takes
  k.end_block();
  k.edge(0, 1);
  opened<st_c> o(k.finish());
  o.open(block_id{1});
  REQUIRE(o.run());
  CHECK(o.ws.own.carried[0] == 199);
  CHECK(o.ws.own.carried[1] == 199);
  for (unsigned i = 0; i < 60; ++i) CHECK(o.ws.sequence[i] >= 7);
}

TEST_CASE("PLS-17: an instruction of another block is one dependence, as one of the same block is") {
  for (const bool other_block : {false, true}) {
    for (const bool twice : {false, true}) {
      INFO("other block " << other_block << ", one register twice " << twice);
      flow_builder k;
      k.add(sched_class::ldg, {k.d(4, 4), k.addr(0)});
      if (other_block) k.end_block();
      if (twice) {
        k.add(sched_class::alu, {k.d(20), k.a(4), k.b(4)});
      } else {
        k.add(sched_class::alu, {k.d(20), k.a(4, 4), k.b(30)});
      }
      k.end_block();
      if (other_block) k.edge(0, 1);
      opened<st_c> o(k.finish());
      const block_id at{other_block ? 1u : 0u};
      o.open(at);
      REQUIRE(o.run());
      const c::entry& reader = o.ws.own.entries[other_block ? 0 : 1];
      CHECK(reader.score == Approx(50.0 * reader.pressure_cost));
      if (other_block) CHECK(o.ws.own.records[at].pressure_latency == Approx(reader.pressure_cost + 400.0));
    }
  }
  // However many they are: twenty loads, one reader of all.
  flow_builder k;
  for (unsigned i = 0; i < 20; ++i) k.add(sched_class::ldg, {k.d(40 + i), k.addr(0)});
  k.end_block();
  k.add(sched_class::alu, {k.d(20), k.a(40, 20), k.b(30)});
  k.end_block();
  k.edge(0, 1);
  opened<st_c> o(k.finish());
  o.open(block_id{1});
  REQUIRE(o.run());
  CHECK(o.ws.own.entries[0].score == Approx(20 * 50.0 * o.ws.own.entries[0].pressure_cost));
}

TEST_CASE("PLS-17: who only overwrites a result in flight waits for it, and after that it is of no account") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  k.add(sched_class::alu, {k.d(2), k.a(6), k.b(6), k.guard(0)});                    // may leave it
  k.add(sched_class::alu, {k.d(2).set(ww::operand::bit_partial), k.a(7), k.b(7)});  // half of it
  alu(k, 2, 8);
  alu(k, 3, 2);
  alu(k, 2, 9);
  k.end_block();
  k.edge(0, 1);
  opened<st_c> o(k.finish());
  o.open(block_id{1});
  REQUIRE(o.run());
  const std::uint32_t wanted[] = {199, 199, 199, 0, 0};
  for (unsigned i = 0; i < 5; ++i) {
    INFO("instruction " << i);
    CHECK(o.ws.own.carried[i] == wanted[i]);
  }
  CHECK(o.ws.own.entries[0].score == 0);  // no dependence: it does not read it
}

TEST_CASE("PLS-17: results pass through blocks that do not touch them, and not through those that do") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.add(sched_class::ldg, {k.d(4), k.addr(0)});
  k.end_block();
  for (unsigned i = 0; i < 10; ++i) alu(k, 10 + i, 30);
  alu(k, 20, 4);  // waits for R4
  k.end_block();
  alu(k, 3, 2);
  k.end_block();
  k.edge(0, 1);
  k.edge(1, 2);
  opened<st_c> o(k.finish());
  REQUIRE(arriving(o, 2, 2) != nullptr);
  CHECK(arriving(o, 2, 2)->remaining == 200 - 2 - 11);
  CHECK(arriving(o, 2, 4) == nullptr);
}

TEST_CASE("PLS-17: what an instruction holds the issue up counts as time, and padding in front of a block leaves nothing") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  alu(k, 5, 6);
  alu(k, 7, 6);
  k.end_block();
  alu(k, 3, 2);
  k.end_block();
  k.edge(0, 1);
  ww::program p = k.finish();
  opened<st_c, slow_issue> o(p);
  REQUIRE(arriving<slow_issue>(o, 1, 2) != nullptr);
  CHECK(arriving<slow_issue>(o, 1, 2)->remaining == 200 - 1 - 3 - 3);
  p.blocks[0].padding = true;
  opened<st_c> padded(p);
  CHECK(arriving(padded, 1, 2) == nullptr);
}

TEST_CASE("PLS-17: results in flight arrive at the first part of a block, not at a later one") {
  flow_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  alu(k, 8, 9);
  alu(k, 3, 2);
  alu(k, 4, 2);
  k.end_block();
  k.edge(0, 1);
  opened<st_c> o(k.finish());
  o.ws.at = block_id{1};
  for (const std::size_t first : {0u, 1u}) {
    INFO("part from " << first);
    const auto part = o.p.order_of(o.p[block_id{1}]).subspan(first);
    o.ws.sequence.clear();
    ww::build_graph<tiny_arch>(o.p, part, o.ws.graph, o.ws.graph_space);
    ww::detail::fill_nodes<tiny_arch>(o.p, part, o.ws);
    REQUIRE(st_c::order<decltype(o)::config>(o.p, part, o.ws, o.stats));
    CHECK(o.ws.own.carried[1 - first] == (first == 0 ? 199 : 0));
    CHECK(o.ws.own.carried[2 - first] == (first == 0 ? 199 : 0));
  }
}

TEST_CASE("PLS-17: of several predecessors the longest wait counts") {
  flow_builder k;
  k.add(sched_class::lds, {k.d(2), k.a(9)});
  k.end_block();
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  alu(k, 3, 2);
  k.end_block();
  k.edge(0, 2, edge_kind::branch);
  k.edge(1, 2);
  opened<st_c> o(k.finish());
  REQUIRE(arriving(o, 2, 2) != nullptr);
  CHECK(arriving(o, 2, 2)->remaining == 199);
}

TEST_CASE("PLS-17: a callee's results and costs reach its caller, by call and return edges") {
  // 0 calls 2 and goes on at 1; 2 is a function that loads and returns.
  flow_builder k;
  k.add(sched_class::lds, {k.d(4), k.a(9)});
  k.end_block();
  alu(k, 3, 2);
  alu(k, 5, 4);
  k.end_block();
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  alu(k, 7, 6);
  k.end_block();
  k.edge(0, 2, edge_kind::call);
  k.edge(0, 1, edge_kind::call_return);  // only a summary beside the call edge
  k.edge(2, 1, edge_kind::ret);
  opened<st_c> o(k.finish());
  REQUIRE(arriving(o, 1, 2) != nullptr);
  CHECK(arriving(o, 1, 2)->remaining == 198);
  CHECK(arriving(o, 1, 2)->cost == Approx(400.0));
  REQUIRE(arriving(o, 1, 4) != nullptr);  // through the callee
  CHECK(arriving(o, 1, 4)->remaining == 30 - 1 - 2);
}

TEST_CASE("PLS-17: propagation ends on recursion and on loops") {
  // 0 calls 2; 2 loads, calls itself and goes on at 3; 3 loops and returns to 1 and to itself.
  flow_builder k;
  alu(k, 1, 0);
  k.end_block();
  alu(k, 3, 2);
  k.end_block();
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  alu(k, 7, 6);
  k.end_block();
  k.edge(0, 2, edge_kind::call);
  k.edge(2, 2, edge_kind::call);
  k.edge(2, 3, edge_kind::call_return);
  k.edge(3, 3, edge_kind::branch);
  k.edge(3, 1, edge_kind::ret);
  k.edge(3, 3, edge_kind::ret);
  k.edge(2, 3, edge_kind::fall);
  opened<st_c> o(k.finish());
  for (std::uint32_t b = 0; b < 4; ++b) arriving(o, b, 2);
  REQUIRE(arriving(o, 1, 2) != nullptr);
  CHECK(arriving(o, 1, 2)->remaining == 200 - 1 - 1);
  for (std::uint32_t b = 0; b < 4; ++b) {
    o.open(block_id{b});
    CHECK(o.run());
  }
}

TEST_CASE("PLS-17: long chains of blocks need no stack") {
  flow_builder k;
  constexpr unsigned blocks = 50000;
  for (unsigned b = 0; b < blocks; ++b) {
    alu(k, b % 30, 31);
    k.end_block();
    if (b > 0) k.edge(b - 1, b);
  }
  ww::program p;
  {  // edges of a chain are in order already: no quadratic finish()
    p = k.p;
    p.blocks = k.blocks;
    p.edges = k.edges;
    for (unsigned b = 0; b < blocks; ++b) {
      p.blocks[b].first_edge = b < blocks - 1 ? b : blocks - 1;
      p.blocks[b].edge_count = b < blocks - 1 ? 1 : 0;
      p.blocks[b].first_pred = b == 0 ? 0 : b - 1;
      p.blocks[b].pred_count = b == 0 ? 0 : 1;
      if (b > 0) p.pred_edges.push_back(b - 1);
    }
  }
  opened<st_c> o(p);
  const c::in_flight* f = arriving(o, blocks - 1, (blocks - 2) % 30);
  REQUIRE(f != nullptr);
  CHECK(f->remaining == 3);
}

TEST_CASE("PLS-17: after a block was ordered its exit is that of the new order") {
  flow_builder k;
  alu(k, 11, 10);
  k.end_block();
  alu(k, 5, 6);
  alu(k, 7, 6);
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.end_block();
  alu(k, 3, 2);
  k.end_block();
  k.edge(0, 1);
  k.edge(1, 2);
  k.edge(2, 0, edge_kind::branch);  // block 0 asks for the exits of 2 and 1 before they are ordered
  using config = ww::config_of<tiny_arch, st_c>;
  ww::program p = k.finish();
  ww::schedule_workspace<config> ws;
  ww::schedule_blocks<config>(p, ws);
  REQUIRE(p.order[2].index() == 3);  // the load goes between the additions, which share a pipe
  CHECK(ws.own.carried[0] == 200 - 2);
}
