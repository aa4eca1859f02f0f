// SPDX-License-Identifier: BSL-1.0
//
// The errors that public hazard checkers and control-word tools made and published, one test each, on a program that a
// checker with the error would judge wrongly. Numbers and wording follow the list of facts on public work (its 3.1 to 3.5),
// the last tests what no public tool covers (its 4).
#include "../support/catch.hpp"
#include "toy.hpp"
#include "warpwright/arch/sm120.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/isa/opcode.hpp"

using namespace toy;
using verify::finding_kind;

namespace {
bool clean(const program& p) { return flow(p).findings.empty(); }
verify::finding only(const program& p) {
  const verify::report r = flow(p);
  REQUIRE(r.findings.size() == 1);
  return r.findings[0];
}
sched_class class_of(opcode o) { return isa::row_of(o).iclass; }
line hmma(reg d, reg c) { return op(sched_class::hmma_large, {operand::def(d, slot::dst, 4), operand::use(c, slot::c, 4)}); }
line shfl(reg d, reg a) { return op(sched_class::lds, {operand::def(d, slot::dst), operand::use(a, slot::a)}); }
}  // namespace

TEST_CASE("model error 1: F2IP is not of F2I's class") {
  CHECK(ww::sm120::latency::variable(class_of(opcode::f2i)));
  CHECK_FALSE(ww::sm120::latency::variable(class_of(opcode::f2ip)));
  CHECK_FALSE(ww::sm90::latency::variable(class_of(opcode::f2ip)));
}

TEST_CASE("model error 2: R2UR has a fixed latency") {
  CHECK_FALSE(ww::sm120::latency::variable(class_of(opcode::r2ur)));
  CHECK_FALSE(ww::sm90::latency::variable(class_of(opcode::r2ur)));
}

TEST_CASE("model error 3: no pair of plain integer operations needs 20 cycles because few were ever seen closer") {
  for (const sched_class r : {sched_class::alu, sched_class::alu_dual, sched_class::imad}) {
    const access_point w{sched_class::alu, slot::dst, reg_file::r, 0, false};
    CHECK(ww::sm120::latency::raw(w, {r, slot::b, reg_file::r, 0, false}).check <= 6);
    CHECK(ww::sm90::latency::raw(w, {r, slot::b, reg_file::r, 0, false}).check <= 6);
  }
  CHECK(clean(build({alu(R(0)).stall(5), fma(R(1), R(0))})));
}

TEST_CASE("model error 4: a vector guard needs 13 cycles, not 18") {
  const access_point w{sched_class::setp, slot::pdst, reg_file::p, 0, false};
  const access_point guard{sched_class::alu, slot::guard, reg_file::p, 0, true};
  CHECK(ww::sm120::latency::raw(w, guard).check <= 13);
  CHECK(ww::sm90::latency::raw(w, guard).check <= 13);
  CHECK(clean(build({alu(P(0)).stall(13), alu(R(1)).guard(P(0))})));
  CHECK(only(build({alu(P(0)).stall(12), alu(R(1)).guard(P(0))})).short_by == 1);
}

TEST_CASE("model error 5: the distance beside a wait is no requirement") {
  CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(1), R(4)).waits(0)})));
}

TEST_CASE("model error 6: a missing counter is no error where a later one of the same queue covers it") {
  CHECK(clean(build({lds(R(4), R(2)), lds(R(5), R(2)).sets(0).stall(2), alu(R(1), R(4), R(5)).waits(0)})));
  CHECK(only(build({ldg(R(4), R(2)), lds(R(5), R(6)).sets(0).stall(2), alu(R(1), R(4), R(5)).waits(0)})).kind ==
        finding_kind::raw_counter);
}

TEST_CASE("model error 7: a producer without a counter still has its distance checked") {
  const program p = build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(5)).stall(1), alu(R(1), R(4), R(5)).waits(0)});
  CHECK(only(p).kind == finding_kind::raw_distance);
  CHECK(only(p).target == R(5));
}

TEST_CASE("model error 8: what @P0 defines does not reach @!P0") {
  CHECK(clean(build({alu(P(0)).stall(13), alu(R(1)).guard(P(0)), alu(R(2), R(1)).guard(P(0), true)})));
  SECTION("but it does when the predicate has a new value in between") {
    CHECK_FALSE(clean(build({alu(P(0)).stall(13), alu(R(1)).guard(P(0)), alu(P(0)).stall(1), alu(R(7)).stall(1),
                             alu(R(2), R(1)).guard(P(0), true)})));
  }
}

TEST_CASE("model error 9: matrix operations of sm_120 have fixed latencies") {
  CHECK_FALSE(ww::sm120::latency::variable(sched_class::hmma_large));
  CHECK_FALSE(ww::sm120::latency::variable(sched_class::imma_large));
  CHECK(clean(build({hmma(R(8), R(8)).stall(15), alu(R(4)).stall(9), alu(R(1), R(8))})));
  CHECK(only(build({hmma(R(8), R(8)).stall(15), alu(R(4)).stall(8), alu(R(1), R(8))})).required == 24);
}

TEST_CASE("model error 10: a distance is judged by the pair, not by the producer alone") {
  CHECK(clean(build({hmma(R(8), R(12)).stall(15), alu(R(4)).stall(5), alu(R(8))})));  // 20 to be overwritten, 24 to be read
  CHECK(only(build({hmma(R(8), R(12)).stall(15), alu(R(4)).stall(4), alu(R(8))})).kind == finding_kind::waw_distance);
}

TEST_CASE("model error 11: a uniform predicate needs less than a vector guard") {
  const access_point w{sched_class::usetp, slot::pdst, reg_file::up, 0, false};
  const access_point guard{sched_class::alu, slot::guard, reg_file::up, 0, true};
  CHECK(ww::sm120::latency::raw(w, guard).check < 13);
}

TEST_CASE("model error 12: a load's destination is overwritten when the value returns, not at issue") {
  CHECK(clean(build({alu(R(1), R(4)).stall(1), ldg(R(4), R(2)).sets(0).stall(2)})));
  CHECK(only(build({ldg(R(4), R(2)).sets(0).stall(15), alu(R(4))})).kind == finding_kind::waw_counter);
}

TEST_CASE("model error 13: an anti-dependence of 3 cycles is a property of the uniform datapath") {
  CHECK(clean(build({alu(R(1), R(0)).stall(1), alu(R(0))})));
  const line umov = alu(R(0), RZ, RZ, sched_class::umov);
  CHECK(only(build({alu(R(1), R(0)).stall(2), umov})).kind == finding_kind::war_distance);
  CHECK(clean(build({alu(R(1), R(0)).stall(3), umov})));
}

TEST_CASE("model error, latent: a wait does not forget what crossed a block or was yielded") {
  const program p = build({ldg(R(4), R(2)).sets(0).stall(1), alu(R(1), R(4)).waits(0)}, {1, 1}, {{0, 1}});
  CHECK(only(p).kind == finding_kind::set_to_wait);
  CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(1).yield(true), alu(R(1), R(4)).waits(0)}, {1, 1}, {{0, 1}})));
}

TEST_CASE("earlier correction: counters are counts, not flags") {
  CHECK(clean(build({lds(R(4), R(2)).sets(0), lds(R(5), R(2)).sets(0).stall(2), depbar(0, 1), alu(R(1), R(4))})));
  CHECK(only(build({lds(R(4), R(2)).sets(0), lds(R(5), R(2)).sets(0).stall(2), depbar(0, 1), alu(R(1), R(5))})).kind ==
        finding_kind::raw_counter);
}

TEST_CASE("earlier correction: any earlier wait serves all later consumers, a counter covers whatever the class") {
  CHECK(clean(build({ldg(R(4), R(2)).sets(0), mufu(R(5), R(3)).sets(0).stall(2), alu(R(9)).waits(0), alu(R(1), R(4)),
                     alu(R(6), R(5)), alu(R(7), R(4))})));
}

TEST_CASE("earlier correction: a definition that reaches itself is a loop, as far away as one turn takes") {
  CHECK(clean(build({alu(R(0), R(0)), bra(0)}, {2}, {{0, 0, edge_kind::branch}})));  // 1 + 5 cycles
  const verify::report r = flow(build({hmma(R(8), R(8)), bra(0)}, {2}, {{0, 0, edge_kind::branch}}));
  REQUIRE_FALSE(r.findings.empty());
  CHECK(r.findings[0].first == r.findings[0].second);
  CHECK(r.findings[0].distance == 6);
}

TEST_CASE("earlier correction: a predicated write is no kill") {
  const program p = build(
      {alu(P(0)).stall(13), ldg(R(4), R(2)).sets(0).stall(2), alu(R(4)).guard(P(0)).waits(1), alu(R(1), R(4)).stall(4)});
  bool load = false;
  for (const verify::finding& f : flow(p).findings)
    load = load || (f.kind == finding_kind::raw_counter && f.first == instr_id{1});
  CHECK(load);
}

TEST_CASE("earlier correction: in-order return within a unit, not across units") {
  CHECK(clean(build({shfl(R(4), R(2)), shfl(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4)).waits(1)})));
  CHECK(only(build({mufu(R(4), R(2)), shfl(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4)).waits(1)})).kind ==
        finding_kind::raw_counter);
}

TEST_CASE("earlier correction: an empty program must not read as checked") {
  const verify::report r = flow(program{});
  CHECK(r.clean());
  CHECK(r.instructions == 0);
}

TEST_CASE("wrong fix 3: a counter may be shared") {
  program p = build({alu(R(1))});
  std::vector<line> lines;
  for (unsigned k = 0; k < 22; ++k) lines.push_back(ldg(R(10 + k), R(2)).sets(0));
  lines.back().stall(2);
  lines.push_back(alu(R(1), R(10), R(31)).waits(0));
  p = build(lines);
  CHECK(clean(p));
}

TEST_CASE("wrong fixes 4 and 5: producers of one opcode are not one producer") {
  const program p =
      build({ldg(R(4), R(2)).sets(0), ldg(R(8), R(2), 4).sets(1).stall(2), alu(R(1), R(4)).waits(0), alu(R(20), R(11))});
  CHECK(only(p).target == R(11));
}

TEST_CASE("hole behind wrong fixes: a wait dropped on the back edge") {
  auto loop = [](bool waits) {
    line use = alu(R(1), R(4));
    if (waits) use.waits(0);
    return build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(9)).waits(0), use, ldg(R(4), R(2)).sets(0).stall(2), bra(2)},
                 {2, 3}, {{0, 1}, {1, 1, edge_kind::branch}});
  };
  CHECK(flow(loop(true)).findings.empty());
  const verify::report r = flow(loop(false));
  bool found = false;
  for (const verify::finding& f : r.findings)
    found = found || (f.kind == finding_kind::raw_counter && f.first == instr_id{3});
  CHECK(found);
}

TEST_CASE("hole behind wrong fixes: a setter needs a stall of 2 before an adjacent waiter") {
  CHECK(only(build({ldg(R(4), R(2)).sets(0).stall(1), alu(R(1), R(4)).waits(0)})).kind == finding_kind::set_to_wait);
}

TEST_CASE("wrong suppression: an overwritten matrix addend that differs from the result") {
  const line umov = alu(R(12), RZ, RZ, sched_class::umov);
  CHECK(only(build({hmma(R(8), R(12)).stall(2), umov})).kind == finding_kind::war_distance);
}

TEST_CASE("unclaimed 4: loop-carried distances are the least over all paths") {
  // Two ways back to the head, one shorter than the other.
  const program p = build({alu(R(1), R(0)), alu(R(0)).stall(1), bra(3), alu(R(5)).stall(9), bra(0)}, {3, 2},
                          {{0, 0, edge_kind::branch}, {0, 1}, {1, 0, edge_kind::branch}});
  CHECK(clean(p));  // the short way takes 1 + 5 cycles
  const program q = build({hmma(R(8), R(8)).stall(15), alu(R(7)).stall(1), bra(0), alu(R(5)).stall(9), bra(0)}, {3, 2},
                          {{0, 0, edge_kind::branch}, {0, 1}, {1, 0, edge_kind::branch}});
  const verify::report r = flow(q);
  REQUIRE_FALSE(r.findings.empty());
  for (const verify::finding& f : r.findings) CHECK(f.distance == 21);
}

TEST_CASE("unclaimed 5: stalls, counters and DEPBAR counts in one flow") {
  const program p = build({lds(R(4), R(2)).sets(0), lds(R(5), R(2)).sets(0).stall(2), depbar(0, 1), alu(R(6)).stall(1),
                           fma(R(1), R(4), R(6)), alu(R(7), R(5))});
  const verify::report r = flow(p);
  REQUIRE(r.findings.size() == 2);
  CHECK(r.findings[0].kind == finding_kind::raw_distance);
  CHECK(r.findings[1].kind == finding_kind::raw_counter);
}

TEST_CASE("unclaimed 6: undefined issue codes and reuse flags that they drop") {
  verify::options o;
  o.lints = false;
  o.dependences = false;
  line i = alu(R(1), R(2));
  i.stall(12).yield(false);
  const auto f = verify::check<sm>(build({i}), o).findings;
  REQUIRE(f.size() == 1);
  CHECK(f[0].kind == finding_kind::issue_code);
  const auto g = verify::check<sm>(build({alu(R(1), R(2)).stall(4).yield(true).reuse(1)}), o).findings;
  REQUIRE(g.size() == 1);
  CHECK(g[0].kind == finding_kind::reuse_code);
}
