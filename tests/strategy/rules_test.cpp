// SPDX-License-Identifier: BSL-1.0
//
// One test per rule of the strategies that order a block by a rule: latency, pressure, tensor, scoreboard reuse, combined.
#include <random>

#include "../support/catch.hpp"
#include "support.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/strategy/combined.hpp"

namespace {

using ww::sched_class;
using ww_test::block_builder;
using ww_test::place_of;
using ww_test::random_block;
using ww_test::tiny_config;
using B = block_builder;
namespace strategy = ww::strategy;

template <class Arch>
ww::program text_program(std::string_view lines) {
  ww::isa::builder b(ww::dialect_of(Arch::id));
  b.lines(lines);
  REQUIRE(b.ok());
  ww::program p = b.finish();
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

unsigned matrix_runs(const ww::program& p) {
  unsigned runs = 0;
  bool in_run = false;
  for (const ww::instr_id id : p.order) {
    const bool matrix = strategy::tensor<>::is_matrix<ww::sm80>(p[id].iclass);
    runs += matrix && !in_run ? 1u : 0u;
    in_run = matrix;
  }
  return runs;
}

ww::live_count peak_of(const ww::program& p) {
  ww::liveness l;
  l.compute(p);
  ww::vec<ww::live_count> counts;
  ww::count_live(p, l, counts);
  ww::live_count most;
  for (const ww::live_count& c : counts) {
    for (std::size_t k = 0; k < ww::pressure_class_count; ++k) most.of[k] = std::max(most.of[k], c.of[k]);
  }
  return most;
}

constexpr auto general = static_cast<std::size_t>(ww::pressure_class::r);

}  // namespace

TEST_CASE("PLS-13 latency: a long load goes first even where nothing in the block waits for it") {
  block_builder b;
  for (unsigned i = 0; i < 8; ++i) {
    b.add(sched_class::fma, {B::d(40 + i), B::a(60), B::b(61), B::c(62)});
    b.add(sched_class::fma, {B::d(80 + i), B::a(40 + i), B::b(61), B::c(62)});
    b.add(sched_class::fma, {B::d(90 + i), B::a(80 + i), B::b(61), B::c(62)});
  }
  const ww::instr_id load = b.add(sched_class::ldg, {B::d(4), B::addr(2)});
  const ww::program before = b.finish();
  ww::program listed = before;
  ww::program p = before;
  ww_test::schedule<tiny_config<>>(listed);
  ww_test::schedule<tiny_config<strategy::latency<>>>(p);
  CHECK(place_of(listed, load) > 8);
  CHECK(place_of(p, load) == 0);
}

TEST_CASE("PLS-13 latency: what the address of a long load needs goes before other work") {
  block_builder b;
  for (unsigned i = 0; i < 8; ++i) {
    b.add(sched_class::alu, {B::d(40 + i), B::a(60), B::b(61)});
    b.add(sched_class::fma, {B::d(80 + i), B::a(40 + i), B::b(61), B::c(62)});
    b.add(sched_class::fma, {B::d(90 + i), B::a(80 + i), B::b(61), B::c(62)});
  }
  const ww::instr_id first = b.add(sched_class::alu, {B::d(6), B::a(60), B::b(61)});
  const ww::instr_id second = b.add(sched_class::alu, {B::d(2), B::a(6), B::b(61)});
  const ww::instr_id load = b.add(sched_class::ldg, {B::d(4), B::addr(2)});
  const ww::program before = b.finish();
  ww::program p = before;
  ww_test::schedule<tiny_config<strategy::latency<>>>(p);
  CHECK(place_of(p, first) == 0);
  CHECK(place_of(p, second) < 6);
  CHECK(place_of(p, load) < 9);
}

TEST_CASE("PLS-13 latency: independent work goes before a first use even when the estimate says that it has landed") {
  block_builder b;
  const ww::instr_id load = b.add(sched_class::ldg, {B::d(4), B::addr(2)});
  const ww::instr_id use = b.add(sched_class::alu, {B::d(5), B::a(4), B::b(61)});
  b.add(sched_class::alu, {B::d(7), B::a(5), B::b(61)});
  for (unsigned i = 0; i < 120; ++i) b.add(sched_class::alu, {B::d(100 + i), B::a(60), B::b(61)});  // 240 cycles of work
  const ww::program before = b.finish();
  ww::program listed = before;
  ww::program p = before;
  ww_test::schedule<tiny_config<>>(listed);
  ww_test::schedule<tiny_config<strategy::latency<>>>(p);
  CHECK(place_of(listed, use) < 110);
  CHECK(place_of(p, load) == 0);
  CHECK(place_of(p, use) == 121);
}

TEST_CASE("PLS-13 pressure: definitions move down to their uses and the peak falls") {
  block_builder b;
  for (unsigned i = 0; i < 8; ++i) b.add(sched_class::alu, {B::d(10 + i)});
  b.add(sched_class::alu, {B::d(30), B::a(10), B::b(11)});
  for (unsigned i = 1; i < 7; ++i) b.add(sched_class::alu, {B::d(30 + i), B::a(30 + i - 1), B::b(11 + i)});
  b.add(sched_class::stg, {B::data(36), B::addr(250)});
  b.add(sched_class::exit, {});
  const ww::program before = b.finish();
  ww::program p = before;
  ww::schedule_workspace<tiny_config<strategy::pressure>> ws;
  ww::schedule_block<tiny_config<strategy::pressure>>(p, ww::block_id{0}, ws);
  CHECK(peak_of(before)[ww::pressure_class::r] == 2 + 9u);  // two live-in address registers, eight operands, one result
  CHECK(peak_of(p)[ww::pressure_class::r] == 2 + 3u);
  CHECK(ws.own.before[general] > ws.own.after[general]);
  CHECK(ww_test::legal(before, p));
}

TEST_CASE("PLS-13 pressure: of two operands the one that needs more registers is computed first") {
  // left needs 2 registers, right needs 3; right first: 3 in all, left first: 4
  block_builder b;
  b.add(sched_class::alu, {B::d(10)});
  b.add(sched_class::alu, {B::d(11)});
  const ww::instr_id left = b.add(sched_class::alu, {B::d(12), B::a(10), B::b(11)});
  for (unsigned i = 0; i < 4; ++i) b.add(sched_class::alu, {B::d(20 + i)});
  b.add(sched_class::alu, {B::d(24), B::a(20), B::b(21)});
  b.add(sched_class::alu, {B::d(25), B::a(22), B::b(23)});
  const ww::instr_id right = b.add(sched_class::alu, {B::d(26), B::a(24), B::b(25)});
  b.add(sched_class::alu, {B::d(30), B::a(12), B::b(26)});
  b.add(sched_class::exit, {});
  const ww::program before = b.finish();
  ww::program p = before;
  ww_test::schedule<tiny_config<strategy::pressure>>(p);
  CHECK(place_of(p, right) < place_of(p, left));
  CHECK(peak_of(p)[ww::pressure_class::r] == 4);  // three, and a result beside its operands
}

TEST_CASE("PLS-13 pressure: no register class ever has a higher peak than in source order") {
  ww::schedule_workspace<tiny_config<strategy::pressure>> ws;
  unsigned lower = 0;
  unsigned longer = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const ww::program before = random_block(seed, 2 + seed % 80, {seed % 2 == 0 ? 12u : 60u, seed % 3 != 0});
    ww::program p = before;
    const ww::schedule_stats s = ww::schedule_block<tiny_config<strategy::pressure>>(p, ww::block_id{0}, ws);
    INFO("seed " << seed);
    REQUIRE(ww_test::legal(before, p));
    const ww::live_count old = peak_of(before);
    const ww::live_count now = peak_of(p);
    for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
      REQUIRE(now.of[c] <= old.of[c]);
      REQUIRE(now.of[c] == ws.own.after[c]);  // the strategy's own count is the true one
      REQUIRE(old.of[c] == ws.own.before[c]);
    }
    lower += now.of[general] < old.of[general] ? 1u : 0u;
    longer += s.planned_cycles > s.original_cycles ? 1u : 0u;
  }
  CHECK(lower > 100);
  CHECK(longer > 10);  // cycles are not its business
}

TEST_CASE("PLS-13 tensor: matrix instructions of one shape stand in runs") {
  std::string lines;
  for (unsigned i = 0; i < 8; ++i) {
    const std::string c = std::to_string(64 + 4 * i);
    lines += "HMMA.16816.F32 R" + c + ", R4, R12, R" + c + "\n";
    for (unsigned k = 0; k < 3; ++k) {
      const std::string d = std::to_string(120 + 3 * i + k);
      lines += "FFMA R" + d + ", R" + d + ", R20, R21\n";
    }
  }
  lines += "EXIT\n";
  const ww::program before = text_program<ww::sm80>(lines);
  ww::program listed = before;
  ww::program p = before;
  ww_test::schedule<ww::config_of<ww::sm80>>(listed);
  ww::schedule_workspace<ww::config_of<ww::sm80, strategy::tensor<4, 64>>> ws;
  ww::schedule_block<ww::config_of<ww::sm80, strategy::tensor<4, 64>>>(p, ww::block_id{0}, ws);
  CHECK(matrix_runs(before) == 8);
  CHECK(matrix_runs(listed) > 1);
  CHECK(ws.own.runs == 1);
}

TEST_CASE("PLS-13 tensor: a run waits until its instructions are ready, and shapes are not mixed") {
  // the second matrix instruction's factor is loaded late; other work goes first, then both together
  std::string lines =
      "HMMA.16816.F32 R64, R4, R12, R64\n"
      "LDS R8, [R40]\n"
      "HMMA.1688.F32 R80, R4, R12, R80\n"
      "LDS R9, [R40+0x4]\n"
      "LDS R10, [R40+0x8]\n"
      "LDS R11, [R40+0xc]\n"
      "HMMA.16816.F32 R68, R8, R12, R68\n";
  for (unsigned i = 0; i < 40; ++i) {  // two pipes, so that every cycle has something else to issue
    lines += "FFMA R" + std::to_string(100 + i) + ", R20, R21, R22\n";
    lines += "IADD3 R" + std::to_string(160 + i) + ", R20, R21, R22\n";
  }
  lines += "EXIT\n";
  const ww::program before = text_program<ww::sm80>(lines);
  using config = ww::config_of<ww::sm80, strategy::tensor<2, 8>>;
  ww::schedule_workspace<config> ws;
  const auto order = before.order_of(before.blocks[0]);
  ww_test::with_graph<config>(before, ws);
  ww::schedule_stats stats;
  REQUIRE((strategy::tensor<2, 8>::order<config>(before, order, ws, stats)));
  // node 2 is of another shape: never between nodes 0 and 6
  ww::vec<std::uint32_t> matrix;
  for (const std::uint32_t i : ws.sequence) {
    if (ws.own.kinds[i] != 0) matrix.push_back(i);
  }
  REQUIRE(matrix.size() == 3);
  CHECK(matrix[1] != 2);
  CHECK(ws.own.runs == 2);
}

TEST_CASE("PLS-13 tensor: warpgroup matrix instructions stay together whatever the gap, others only within it") {
  const auto runs_of = [](sched_class matrix) {
    block_builder b;
    for (unsigned i = 0; i < 4; ++i) {
      b.add(matrix, {B::d(64 + 4 * i, 4), B::a(4)});
      b.add(sched_class::fma, {B::d(120 + i), B::a(60), B::b(61), B::c(62)});
      b.add(sched_class::alu, {B::d(140 + i), B::a(60), B::b(61)});
    }
    const ww::program p = b.finish();
    using config = ww::config_of<ww::sm90, strategy::tensor<1, 0>>;
    ww::schedule_workspace<config> ws;
    ww_test::with_graph<config>(p, ws);
    ww::schedule_stats stats;
    REQUIRE((strategy::tensor<1, 0>::order<config>(p, p.order_of(p.blocks[0]), ws, stats)));
    return ws.own.runs;
  };
  CHECK(runs_of(sched_class::hgmma) == 1);
  CHECK(runs_of(sched_class::hmma_large) > 1);
}

TEST_CASE("PLS-13 scoreboard_reuse: producers with one consumer are issued together") {
  block_builder b;
  ww::instr_id loads[4];
  loads[0] = b.add(sched_class::lds, {B::d(10), B::a(2)});
  loads[1] = b.add(sched_class::lds, {B::d(12), B::a(2)});
  loads[2] = b.add(sched_class::lds, {B::d(11), B::a(2)});
  loads[3] = b.add(sched_class::lds, {B::d(13), B::a(2)});
  b.add(sched_class::fma, {B::d(20), B::a(10), B::b(11), B::c(62)});
  b.add(sched_class::fma, {B::d(21), B::a(12), B::b(13), B::c(62)});
  const ww::program before = b.finish();
  using config = tiny_config<strategy::scoreboard_reuse>;
  ww::schedule_workspace<config> ws;
  ww_test::with_graph<config>(before, ws);
  ww::schedule_stats stats;
  REQUIRE(strategy::scoreboard_reuse::order<config>(before, before.order_of(before.blocks[0]), ws, stats));
  CHECK(ws.sequence[0] == 0);
  CHECK(ws.sequence[1] == 2);
  CHECK(ws.sequence[2] == 1);
  CHECK(ws.sequence[3] == 3);
}

TEST_CASE("PLS-13 scoreboard_reuse: no order is longer than the list's") {
  ww::schedule_workspace<tiny_config<strategy::scoreboard_reuse>> a;
  ww::schedule_workspace<tiny_config<>> c;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const ww::program before = random_block(seed, 2 + seed % 60, {24, seed % 3 != 0});
    ww::program p = before;
    ww::program q = before;
    const ww::schedule_stats s = ww::schedule_block<tiny_config<strategy::scoreboard_reuse>>(p, ww::block_id{0}, a);
    const ww::schedule_stats t = ww::schedule_block<tiny_config<>>(q, ww::block_id{0}, c);
    REQUIRE(s.planned_cycles <= t.planned_cycles);
    REQUIRE(ww_test::legal(before, p));
  }
}

TEST_CASE("PLS-13 combined: never longer than the list or than any alternative that it tries") {
  ww::schedule_workspace<tiny_config<strategy::combined>> ws;
  unsigned taken = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const ww::program before = random_block(seed, 2 + seed % 60, {seed % 2 == 0 ? 12u : 60u, seed % 3 != 0});
    const auto cycles = [&]<class S>() {
      ww::program q = before;
      return ww_test::schedule<tiny_config<S>>(q).planned_cycles;
    };
    ww::program p = before;
    const ww::schedule_stats s = ww::schedule_block<tiny_config<strategy::combined>>(p, ww::block_id{0}, ws);
    INFO("seed " << seed);
    REQUIRE(ww_test::legal(before, p));
    REQUIRE(s.planned_cycles <= cycles.template operator()<strategy::list>());
    if ((ws.own.tried >> 1 & 1u) != 0) REQUIRE(s.planned_cycles <= cycles.template operator()<strategy::permutation<>>());
    if ((ws.own.tried >> 2 & 1u) != 0) REQUIRE(s.planned_cycles <= cycles.template operator()<strategy::backtracking<>>());
    if ((ws.own.tried >> 3 & 1u) != 0) REQUIRE(s.planned_cycles <= cycles.template operator()<strategy::latency<>>());
    taken += ws.own.taken != 0 ? 1u : 0u;
  }
  CHECK(taken > 10);
}

TEST_CASE("PLS-13 combined: the shape of a block decides what is tried") {
  using combined = strategy::combined;
  strategy::block_shape s;
  s.size = 30;
  CHECK(combined::worth<strategy::permutation<>>(s));
  CHECK(combined::worth<strategy::backtracking<>>(s));
  CHECK_FALSE(combined::worth<strategy::latency<>>(s));
  CHECK_FALSE(combined::worth<strategy::tensor<>>(s));
  s.memory = 20;
  s.tensor = 1;
  CHECK(combined::worth<strategy::latency<>>(s));
  CHECK(combined::worth<strategy::tensor<>>(s));
  s.size = 5000;
  CHECK_FALSE(combined::worth<strategy::permutation<>>(s));
  // a chain: the list's order is as short as the critical path, and nothing is tried
  block_builder b;
  for (unsigned i = 0; i < 12; ++i) b.add(sched_class::fma, {B::d(5), B::a(5), B::b(61), B::c(62)});
  ww::program p = b.finish();
  ww::schedule_workspace<tiny_config<combined>> ws;
  ww::schedule_block<tiny_config<combined>>(p, ww::block_id{0}, ws);
  CHECK(ws.own.tried == 0);
  CHECK(ws.own.shape.critical == 100);
}

TEST_CASE("PLS-13 depth_first: a chain is followed to its end, the longest of those set free first") {
  // one root sets three chains free: of one, three and two instructions
  block_builder b;
  b.add(sched_class::fma, {B::d(1), B::a(60), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(10), B::a(1), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(20), B::a(1), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(30), B::a(1), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(21), B::a(20), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(31), B::a(30), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(22), B::a(21), B::b(61), B::c(62)});
  ww::program p = b.finish();
  using config = tiny_config<strategy::depth_first>;
  ww::schedule_workspace<config> ws;
  ww_test::with_graph<config>(p, ws);
  ww::schedule_stats stats;
  REQUIRE(ww::order_nodes<config>(p, p.order_of(p.blocks[0]), ws, stats));
  const std::uint32_t wanted[] = {0, 2, 4, 6, 3, 5, 1};
  CHECK(std::equal(ws.sequence.begin(), ws.sequence.end(), std::begin(wanted), std::end(wanted)));
}

TEST_CASE("PLS-13 critical_path: sorted by the earliest cycle, then by the cycles left below") {
  block_builder b;
  b.add(sched_class::fma, {B::d(40), B::a(60), B::b(61), B::c(62)});  // nothing below
  b.add(sched_class::fma, {B::d(1), B::a(60), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(2), B::a(1), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(3), B::a(2), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(41), B::a(60), B::b(61), B::c(62)});
  b.add(sched_class::fma, {B::d(42), B::a(41), B::b(61), B::c(62)});
  ww::program p = b.finish();
  using config = tiny_config<strategy::critical_path>;
  ww::schedule_workspace<config> ws;
  ww_test::with_graph<config>(p, ws);
  ww::schedule_stats stats;
  REQUIRE(ww::order_nodes<config>(p, p.order_of(p.blocks[0]), ws, stats));
  const std::uint32_t wanted[] = {1, 4, 0, 2, 5, 3};
  CHECK(std::equal(ws.sequence.begin(), ws.sequence.end(), std::begin(wanted), std::end(wanted)));
}
