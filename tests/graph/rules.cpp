// SPDX-License-Identifier: BSL-1.0
//
// PLS-8: single rules of the graph, the edge budget, hand-made graphs, and allocation after warm-up.
#include <cstdlib>
#include <new>
#include <vector>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/arch/sm80.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/graph/pairwise.hpp>
#include <warpwright/graph/reachability.hpp>
#include <warpwright/graph/validate.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>

#include "../support/catch.hpp"
#include "../support/counted_allocations.hpp"
#include "../support/order_oracle.hpp"
#include "../support/random_block.hpp"
#include "../support/test_arch.hpp"

namespace {

using ww::dependence_kind;
using ww::iflag;
using ww::mem_dir;
using ww::mem_space;
using ww::operand;
using ww::sched_class;
using ww::slot;

struct maker {
  ww::program p;

  ww::instruction& add(sched_class c, std::vector<operand> ops) {
    ww::instruction ins;
    ins.iclass = c;
    for (const operand o : ops) {
      if (o.where() == slot::guard) ins.add(iflag::guarded);
    }
    ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
    ins.operand_count = static_cast<std::uint8_t>(ops.size());
    p.operands.insert(p.operands.end(), ops.begin(), ops.end());
    p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
    p.instructions.push_back(ins);
    return p.instructions.back();
  }
  ww::instruction& access(mem_space s, mem_dir d, unsigned address, int offset, unsigned data) {
    const bool load = d == mem_dir::load;
    ww::instruction& i = add(load ? sched_class::ldg : sched_class::stg,
                             {load ? operand::def(ww::R(data), slot::dst) : operand::use(ww::R(data), slot::data),
                              operand::use(ww::R(address), slot::address)});
    i.space = s;
    i.dir = d;
    i.mem_bytes = 4;
    i.mem_offset = offset;
    return i;
  }
};

operand def(unsigned n, unsigned width = 1) { return operand::def(ww::R(n), slot::dst, width); }
operand src(unsigned n, unsigned width = 1, slot s = slot::a) { return operand::use(ww::R(n), s, width); }
operand guard(unsigned n) { return operand::use(ww::P(n), slot::guard); }

template <class Disambiguation = ww::conservative>
ww::reachability reach(const ww::program& p) {
  ww::graph_workspace ws;
  ww::dependence_graph g;
  ww::build_graph<ww_test::test_arch, ww::last_writer, Disambiguation>(p, p.order, g, ws);
  ww::reachability r;
  r.compute(g);
  return r;
}

}  // namespace

TEST_CASE("PLS-8 edge latencies: parts, slots, estimates, queues, emit and check") {
  using lat = ww_test::scattered_latency;
  maker m;
  m.add(sched_class::imad_wide, {def(2, 2), src(8)});
  m.add(sched_class::alu, {def(5), src(3)});   // upper half of the pair
  m.add(sched_class::mufu, {def(6), src(5)});  // variable writer
  m.add(sched_class::alu, {def(7), src(6, 1, slot::b)});
  m.access(mem_space::global, mem_dir::store, 10, 0, 7);  // late reader of R7 and R10
  m.add(sched_class::alu, {def(7), src(9)});              // overwrites what the store reads
  m.access(mem_space::global, mem_dir::load, 12, 0, 10);  // same read queue as the store
  ww::graph_workspace ws;
  ww::dependence_graph g;
  const auto latency = [&](std::uint32_t from, std::uint32_t to) {
    for (const ww::dependence_edge& e : g.pred(to)) {
      if (e.from == from) return static_cast<unsigned>(e.latency);
    }
    return 0u;
  };
  const ww::access_point high{sched_class::imad_wide, slot::dst, ww::reg_file::r, 1, false};
  const ww::access_point reader{sched_class::alu, slot::a, ww::reg_file::r, 0, false};
  ww::build_graph<ww_test::test_arch>(m.p, m.p.order, g, ws);
  CHECK(latency(0, 1) == lat::raw(high, reader).emit);
  CHECK(latency(2, 3) == lat::result_estimate(sched_class::mufu, 4));
  CHECK(latency(4, 5) == lat::read_estimate(sched_class::stg, 4));
  const ww::access_point address{sched_class::stg, slot::address, ww::reg_file::r, 0, false};
  const ww::access_point result{sched_class::ldg, slot::dst, ww::reg_file::r, 0, false};
  CHECK(latency(4, 6) == lat::war(address, result).emit);
  ww::build_graph<ww_test::test_arch, ww::last_writer, ww::conservative, ww::distance_use::check>(m.p, m.p.order, g, ws);
  CHECK(latency(0, 1) == lat::raw(high, reader).check);
}

TEST_CASE("PLS-8 guards: complementary writes are free, until the predicate changes") {
  maker m;
  m.add(sched_class::alu, {def(2), src(8), guard(0)});
  m.add(sched_class::alu, {def(2), src(9), guard(0)}).guard_negated = 1;
  m.add(sched_class::alu, {def(3), src(2)});
  CHECK(!reach(m.p).reaches(0, 1));
  CHECK(reach(m.p).reaches(0, 2));
  CHECK(reach(m.p).reaches(1, 2));
  maker n;
  n.add(sched_class::alu, {def(2), src(8), guard(0)});
  n.add(sched_class::setp, {operand::def(ww::P(0), slot::pdst), src(4)});
  n.add(sched_class::alu, {def(2), src(9), guard(0)}).guard_negated = 1;
  CHECK(reach(n.p).reaches(0, 2));
  maker halves;  // the half that the second one leaves alone still comes from the first
  halves.add(sched_class::half, {def(2), src(8), guard(0)});
  halves.add(sched_class::half, {def(2).set(operand::bit_partial | operand::bit_high_half), src(9), guard(0)});
  halves.add(sched_class::half, {def(3), src(2), guard(0)});
  {
    ww::dependence_graph g;
    ww::graph_workspace ws;
    ww::build_graph<ww_test::test_arch, ww::last_writer>(halves.p, halves.p.order, g, ws);
    CHECK(g.succ(0).size() == 2);
  }
  maker own;  // who gives the guard a new value comes behind all that are guarded by the old one, whatever its own guard
  own.add(sched_class::alu, {def(2), src(8), guard(0)});
  own.add(sched_class::setp, {operand::def(ww::P(0), slot::pdst), src(4), guard(0)}).guard_negated = 1;
  CHECK(reach(own.p).reaches(0, 1));
  {
    ww::dependence_graph g;
    ww::graph_workspace ws;
    ww::build_graph<ww_test::test_arch, ww::pairwise>(own.p, own.p.order, g, ws);
    CHECK(g.succ(0).size() == 1);
  }
  maker x;  // a shuffle reads other threads' registers
  x.add(sched_class::alu, {def(2), src(8), guard(0)});
  x.add(sched_class::shfl, {def(3), src(2), guard(0)}).guard_negated = 1;
  CHECK(reach(x.p).reaches(0, 1));
}

TEST_CASE("PLS-8 memory order by space, and the base_offset policy") {
  maker m;
  m.access(mem_space::global, mem_dir::store, 10, 0, 1);
  m.access(mem_space::global, mem_dir::load, 10, 4, 2);
  m.access(mem_space::shared, mem_dir::store, 10, 0, 3);
  m.access(mem_space::generic, mem_dir::load, 20, 0, 4);
  m.access(mem_space::global, mem_dir::load, 10, 8, 5).add(iflag::readonly_mem);
  m.access(mem_space::local, mem_dir::load, 10, 0, 6);
  const ww::reachability c = reach(m.p);
  CHECK(c.reaches(0, 1));
  CHECK(!c.reaches(0, 2));
  CHECK(c.reaches(0, 3));
  CHECK(c.reaches(2, 3));
  CHECK(c.reaches(0, 4));
  CHECK(!c.reaches(0, 5));
  CHECK(!c.reaches(1, 3));
  const ww::reachability b = reach<ww::base_offset>(m.p);
  CHECK(!b.reaches(0, 1));
  CHECK(b.reaches(0, 3));
  CHECK(!b.reaches(0, 4));
  maker n;  // the base changes in between, ranges that touch
  n.access(mem_space::global, mem_dir::store, 10, 0, 1);
  n.add(sched_class::alu, {def(10), src(11)});
  n.access(mem_space::global, mem_dir::store, 10, 4, 2);
  n.access(mem_space::global, mem_dir::store, 10, 6, 3);
  CHECK(reach<ww::base_offset>(n.p).reaches(0, 2));
  CHECK(reach<ww::base_offset>(n.p).reaches(2, 3));
}

TEST_CASE("PLS-8 memory order: barriers, fences and shifts of tensor memory keep their place among all accesses") {
  using c = sched_class;
  for (const c k : {c::syncs, c::depbar, c::ldgdepbar, c::membar, c::errbar, c::fence, c::tensor_shift, c::cctl}) {
    CAPTURE(static_cast<unsigned>(k));
    for (const bool fences : {false, true}) {
      maker m;
      m.access(mem_space::global, mem_dir::load, 10, 0, 1);
      ww::instruction& i = m.add(k, {});
      if (fences) i.add(iflag::fence);
      m.access(mem_space::local, mem_dir::load, 20, 0, 2);
      const bool keeps = k != c::cctl || fences;  // without a fence, CCTL is a prefetch
      const ww::reachability r = reach<ww::base_offset>(m.p);
      CHECK(r.reaches(0, 1) == keeps);
      CHECK(r.reaches(1, 2) == keeps);
    }
  }
}

TEST_CASE("PLS-8 base_offset: a scaled base register without encoding is compared with nothing") {
  for (const char* text : {"STS [R2.X4], R8\nLDS R4, [R2+0x10]\nEXIT\n", "STS [R2], R8\nLDS R4, [R2.X16+0x10]\nEXIT\n"}) {
    ww::isa::builder b(ww::dialect_of(ww::sm80::id));
    b.lines(text);
    ww::program p = b.finish();
    REQUIRE(b.ok());
    REQUIRE(ww::build_cfg(p).ok);
    CHECK(reach<ww::base_offset>(p).reaches(0, 1));
  }
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  ww::program p = b.lines("STS [R2], R8\nLDS R4, [R2+0x10]\nEXIT\n").finish();
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(!reach<ww::base_offset>(p).reaches(0, 1));
}

TEST_CASE("PLS-8 base_offset: [R2.X4+0x10] and [R2] are not the same base") {
  constexpr std::uint64_t plain = 0x000fe80000000800ull;   // high word of STS [R2]
  constexpr std::uint64_t scaled = 0x000fe80000004800ull;  // high word of STS [R2.X4]
  maker m;
  m.access(mem_space::shared, mem_dir::store, 2, 0x10, 3).word[1] = scaled;
  m.access(mem_space::shared, mem_dir::store, 2, 0, 4).word[1] = plain;
  m.access(mem_space::shared, mem_dir::load, 2, 0x20, 5).word[1] = scaled;
  m.access(mem_space::shared, mem_dir::store, 2, 0x30, 6).word[1] = scaled;
  const ww::reachability r = reach<ww::base_offset>(m.p);
  CHECK(r.reaches(0, 1));
  CHECK(r.reaches(1, 2));
  CHECK(!r.reaches(2, 3));
  maker n;  // the subfield, the width (.U32 against .64) and a uniform base count too
  const auto store = [&n](operand base, int offset) {
    ww::instruction& i = n.add(sched_class::stg, {operand::use(ww::R(9), slot::data), base});
    i.space = mem_space::global;
    i.dir = mem_dir::store;
    i.mem_bytes = 4;
    i.mem_offset = offset;
  };
  store(src(2, 1, slot::address), 0);
  store(src(2, 1, slot::address).set(1u << 24), 16);
  store(src(2, 2, slot::address), 32);
  store(operand::use(ww::UR(2), slot::uaddress), 48);
  const ww::reachability u = reach<ww::base_offset>(n.p);
  CHECK(u.reaches(0, 1));
  CHECK(u.reaches(1, 2));
  CHECK(u.reaches(2, 3));
}

TEST_CASE("PLS-8 base_offset beyond its window keeps every order and stays linear") {
  maker m;
  for (int k = 0; k < 400; ++k)
    m.access(mem_space::global, k % 3 == 0 ? mem_dir::store : mem_dir::load, 10, 4 * (k % 150), 12);
  for (std::uint32_t i = 0; i < m.p.order.size(); ++i) {  // no register in common but the base
    for (operand& o : m.p.operands) {
      if (o.base() == ww::R(12)) o = o.is_def() ? def(300 + i) : src(300 + i, 1, slot::data);
    }
  }
  ww::graph_workspace ws;
  ww::dependence_graph g;
  ww::build_graph<ww_test::test_arch, ww::last_writer, ww::base_offset>(m.p, m.p.order, g, ws);
  ww::reachability r;
  r.compute(g);
  const ww_test::order_oracle oracle(m.p, m.p.order, ww_test::oracle_memory::same_base);
  unsigned missing = 0;
  for (std::uint32_t j = 0; j < g.count; ++j) {
    for (std::uint32_t i = 0; i < j; ++i) missing += oracle.dependent(i, j) && !r.reaches(i, j) ? 1u : 0u;
  }
  CHECK(missing == 0);
  CHECK(g.edges.size() < 70u * g.count);
}

TEST_CASE("PLS-8 edge budget: beyond it program order, no order lost, and the graph says so") {
  ww::graph_workspace ws;
  for (unsigned seed = 0; seed < 60; ++seed) {
    ww_test::random_block_options o;
    o.count = 60;
    const ww::program p = ww_test::random_block(seed, o);
    ww::dependence_graph g;
    ww::build_graph<ww_test::test_arch, ww::last_writer_with_budget<40>>(p, p.order, g, ws);
    REQUIRE(g.over_budget());
    REQUIRE(g.edges.size() < 40u + 3u * o.count + 64u);
    ww::reachability r;
    r.compute(g);
    const ww_test::order_oracle oracle(p, p.order);
    for (std::uint32_t j = 0; j < g.count; ++j) {
      for (std::uint32_t i = 0; i < j; ++i) {
        if (oracle.dependent(i, j)) REQUIRE(r.reaches(i, j));
        if (j >= g.chained_from) REQUIRE(r.reaches(i, j));
      }
    }
    ww::build_graph<ww_test::test_arch>(p, p.order, g, ws);
    REQUIRE(!g.over_budget());
  }
}

TEST_CASE("PLS-8 fences cost a linear number of edges") {
  maker m;
  for (int k = 0; k < 500; ++k) {
    if (k % 5 == 4) {
      m.add(sched_class::bar, {}).add(iflag::sync);
    } else {
      m.add(sched_class::alu, {def(static_cast<unsigned>(k) % 200), src(220)});
    }
  }
  ww::graph_workspace ws;
  ww::dependence_graph g;
  ww::build_graph<ww_test::test_arch>(m.p, m.p.order, g, ws);
  CHECK(g.edges.size() < 3u * g.count);
  const ww::reachability r = reach(m.p);
  CHECK(r.reaches(0, 4));
  CHECK(r.reaches(4, 499));
  CHECK(!r.reaches(0, 1));
}

TEST_CASE("PLS-8 long lists of guarded writes stay linear and lose no order") {
  maker m;
  for (unsigned k = 0; k < 600; ++k) {
    m.add(sched_class::setp, {operand::def(ww::P(k % 6), slot::pdst), src(100 + k % 90)});
    m.add(sched_class::alu, {def(2), src(3), guard(k % 6)}).guard_negated = static_cast<std::uint8_t>(k & 1u);
  }
  ww::graph_workspace ws;
  ww::dependence_graph g;
  ww::build_graph<ww_test::test_arch>(m.p, m.p.order, g, ws);
  CHECK(g.edges.size() < 120u * g.count);
  ww::reachability r;
  r.compute(g);
  const ww_test::order_oracle oracle(m.p, m.p.order);
  unsigned missing = 0;
  for (std::uint32_t j = 1; j < g.count; j += 7) {
    for (std::uint32_t i = 0; i < j; ++i) missing += oracle.dependent(i, j) && !r.reaches(i, j) ? 1u : 0u;
  }
  CHECK(missing == 0);
}

TEST_CASE("PLS-8 critical path of a hand-made graph, and a cycle as an error value that names it") {
  ww::dependence_graph g;
  g.reset(4);
  g.add(2, 0, 5, dependence_kind::raw);  // not forward
  g.add(0, 3, 4, dependence_kind::raw);
  g.add(2, 1, 1, dependence_kind::war);
  CHECK(!ww::validate_graph(g));
  g.finish();
  REQUIRE(ww::compute_critical_path(g));
  CHECK(g.height == std::vector<std::uint32_t>{5, 1, 10, 1});
  CHECK(g.depth == std::vector<std::uint32_t>{5, 1, 0, 9});
  CHECK(g.critical_path == 10);
  CHECK(g.slack(2) == 0);
  CHECK(g.slack(1) == 8);
  g.reset(4);
  g.add(0, 1, 1, dependence_kind::raw);
  g.add(1, 2, 1, dependence_kind::raw);
  g.add(2, 3, 1, dependence_kind::raw);
  g.add(3, 1, 1, dependence_kind::war);
  const ww::graph_error e = ww::validate_graph(g);
  REQUIRE(e.fault == ww::graph_fault::cycle);
  CHECK(e.nodes == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(e.edge.from == 3);
  g.finish();
  CHECK(!ww::compute_critical_path(g));
  g.reset(2);
  g.add(0, 7, 1, dependence_kind::raw);
  CHECK(ww::validate_graph(g).fault == ww::graph_fault::range);
}

TEST_CASE("PLS-8 building allocates nothing after warm-up") {
  ww_test::random_block_options o;
  o.count = 300;
  o.registers = 60;
  std::vector<ww::program> blocks;
  for (unsigned seed = 0; seed < 20; ++seed) blocks.push_back(ww_test::random_block(seed, o));
  ww::graph_workspace ws;
  ww::dependence_graph g;
  for (const ww::program& p : blocks) {
    ww::build_graph<ww_test::test_arch>(p, p.order, g, ws);
    ww::build_graph<ww_test::test_arch, ww::last_writer, ww::base_offset>(p, p.order, g, ws);
  }
  const std::size_t before = allocations;
  for (const ww::program& p : blocks) {
    ww::build_graph<ww_test::test_arch>(p, p.order, g, ws);
    ww::build_graph<ww_test::test_arch, ww::last_writer, ww::base_offset>(p, p.order, g, ws);
  }
  CHECK(allocations == before);
}

TEST_CASE("PLS-8 far loads: the result of a load that may miss is so much further away, by both builders; nothing else is") {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines("LDG.E R4, [R2.64]\nLDS R5, [R10]\nFADD R6, R4, R4\nFADD R7, R5, R5\nFADD R8, R6, R7\nSTG.E [R2.64], R8\n");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  REQUIRE(ww::build_cfg(p).ok);
  const auto latency = [&]<class Builder>(std::uint32_t far, std::uint32_t from, std::uint32_t to) {
    ww::graph_workspace ws;
    ws.far_cycles = far;
    ww::dependence_graph g;
    ww::build_graph<ww::sm80, Builder>(p, p.order_of(p.blocks[0]), g, ws);
    for (const auto& e : g.succ_edges) {
      if (e.from == from && e.to == to) return static_cast<unsigned>(e.latency);
    }
    return 0u;
  };
  const auto both = [&]<class Builder>() {
    const unsigned hit = latency.template operator()<Builder>(0, 0, 2);
    CHECK(hit > 4);
    CHECK(latency.template operator()<Builder>(250, 0, 2) == hit + 250);
    CHECK(latency.template operator()<Builder>(250, 1, 3) == latency.template operator()<Builder>(0, 1, 3));
    CHECK(latency.template operator()<Builder>(250, 2, 4) == latency.template operator()<Builder>(0, 2, 4));
  };
  both.template operator()<ww::last_writer>();
  both.template operator()<ww::pairwise>();
}
