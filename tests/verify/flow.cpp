// SPDX-License-Identifier: BSL-1.0
//
// The data flow of the hazard checker, rule by rule, on hand-made programs over a small SM with round numbers.
#include "../support/catch.hpp"
#include "toy.hpp"
#include "warpwright/arch/all.hpp"

using namespace toy;
using verify::finding_kind;

namespace {
bool clean(const program& p) { return flow(p).findings.empty(); }
verify::finding only(const program& p) {
  const verify::report r = flow(p);
  REQUIRE(r.findings.size() == 1);
  return r.findings[0];
}
}  // namespace

TEST_CASE("verify flow: a fixed-latency result needs its distance") {
  CHECK(clean(build({alu(R(0)).stall(4), alu(R(1), R(0))})));
  const verify::finding f = only(build({alu(R(0)).stall(3), alu(R(1), R(0))}));
  CHECK(f.kind == finding_kind::raw_distance);
  CHECK(f.short_by == 1);
  CHECK(f.required == 4);
  CHECK(f.first == instr_id{0});
  CHECK(f.second == instr_id{1});
  CHECK(f.target == R(0));
  SECTION("the requirement belongs to the pair") {
    CHECK(only(build({alu(R(0)).stall(4), fma(R(1), R(0))})).short_by == 1);
    CHECK(clean(build({alu(R(0)).stall(5), fma(R(1), R(0))})));
  }
  SECTION("stalls in between add up") {
    CHECK(clean(build({alu(R(0)).stall(1), alu(R(5)).stall(2), alu(R(6)).stall(1), alu(R(1), R(0))})));
    CHECK(only(build({alu(R(0)).stall(1), alu(R(5)).stall(1), alu(R(6)).stall(1), alu(R(1), R(0))})).short_by == 1);
  }
  SECTION("only the newest unguarded writer counts") {
    CHECK(only(build({alu(R(0)).stall(1), alu(R(0)).stall(1), alu(R(1), R(0))})).first == instr_id{1});
  }
}

TEST_CASE("verify flow: a predicate as guard and as operand are two requirements") {
  CHECK(only(build({alu(P(0)).stall(5), alu(R(1)).guard(P(0))})).short_by == 8);
  CHECK(clean(build({alu(P(0)).stall(13), alu(R(1)).guard(P(0))})));
  CHECK(clean(
      build({alu(P(0)).stall(4), op(sched_class::alu, {operand::def(R(1), slot::dst), operand::use(P(0), slot::psrc)})})));
}

TEST_CASE("verify flow: a variable-latency result needs a wait on its counter") {
  CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(1), R(4)).waits(0)})));
  const verify::finding f = only(build({ldg(R(4), R(2)).sets(0).stall(15), alu(R(1), R(4))}));
  CHECK(f.kind == finding_kind::raw_counter);
  CHECK(f.counter == 0);
  CHECK(only(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(1), R(4)).waits(1)})).kind == finding_kind::raw_counter);
  CHECK(only(build({ldg(R(4), R(2)).stall(2), alu(R(1), R(4)).waits(0)})).counter == control::no_barrier);
  SECTION("any earlier wait serves all later consumers") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(8)).waits(0), alu(R(9), R(4)), alu(R(10), R(4))})));
  }
  SECTION("a counter is a count: one wait covers every producer that shares it") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(3), ldg(R(5), R(2)).sets(3), mufu(R(6), R(9)).sets(3).stall(2),
                       alu(R(1), R(4), R(5)).waits(3), alu(R(2), R(6))})));
  }
  SECTION("an instruction may wait for the counter that it sets itself") {
    CHECK(clean(
        build({ldg(R(4), R(2)).sets(0).stall(2), ldg(R(6), R(4)).sets(0).waits(0).stall(2), alu(R(1), R(6)).waits(0)})));
  }
  SECTION("upper registers of a wide result") {
    CHECK(only(build({ldg(R(4), R(2), 4).sets(0).stall(2), alu(R(1), R(7))})).target == R(7));
  }
  SECTION("a load's target is busy until the value lands") {
    CHECK(only(build({ldg(R(4), R(2)).sets(0).stall(15), alu(R(4))})).kind == finding_kind::waw_counter);
    CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(4)).waits(0)})));
  }
}

TEST_CASE("verify flow: a wait must stand two cycles behind the set") {
  const verify::finding f = only(build({ldg(R(4), R(2)).sets(0).stall(1), alu(R(1), R(4)).waits(0)}));
  CHECK(f.kind == finding_kind::set_to_wait);
  CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(1), alu(R(9)), alu(R(1), R(4)).waits(0)})));
  SECTION("an older producer on the same counter is covered all the same") {
    CHECK(clean(build({mufu(R(5), R(2)).sets(0).stall(2), ldg(R(4), R(2)).sets(0).stall(1), alu(R(1), R(5)).waits(0),
                       alu(R(6), R(4)).waits(0)})));
  }
  SECTION("stall 1 with yield leaves a cycle free") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(1).yield(true), alu(R(1), R(4)).waits(0)})));
  }
}

TEST_CASE("verify flow: operations of one unit complete in order") {
  SECTION("the newest one's counter covers the older ones") {
    CHECK(clean(build({lds(R(4), R(2)), lds(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4), R(5)).waits(1)})));
  }
  SECTION("loads of global memory are announced by their own counters all the same") {
    CHECK(only(build({ldg(R(4), R(2)), ldg(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4), R(5)).waits(1)})).target == R(4));
    CHECK(only(build({ldg(R(4), R(2)).sets(0), ldg(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4)).waits(1)})).counter == 0);
    CHECK(!clean(build({ldg(R(4), R(2)).sets(0), ldg(R(5), R(2)).sets(1).stall(2), alu(R(4)).waits(1)})));
    CHECK(clean(build({ldg(R(4), R(2)).sets(1), ldg(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4), R(5)).waits(1)})));
    CHECK(clean(
        build({ldg(R(4), R(2)).sets(0), ldg(R(5), R(8)).sets(1).stall(2), alu(R(2)).waits(1)})));  // the reads are covered
  }
  SECTION("not the other way round") {
    CHECK(only(build({lds(R(4), R(2)).sets(1), lds(R(5), R(2)).stall(2), alu(R(1), R(4), R(5)).waits(1)})).target == R(5));
  }
  SECTION("not across units") {
    CHECK(only(build({lds(R(4), R(2)), ldg(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4), R(5)).waits(1)})).target == R(4));
    CHECK(only(build({mufu(R(4), R(2)), ldg(R(5), R(2)).sets(1).stall(2), alu(R(1), R(4), R(5)).waits(1)})).target == R(4));
  }
  SECTION("a result of the same unit may be overwritten without a wait") {
    CHECK(clean(build({lds(R(4), R(2)).sets(1), lds(R(4), R(3)).sets(1).stall(2), alu(R(1), R(4)).waits(1)})));
  }
  SECTION("classes without a queue complete in any order") {
    auto s2r = [](reg d) { return op(sched_class::s2r, {operand::def(d, slot::dst)}); };
    CHECK(only(build({s2r(R(4)), s2r(R(5)).sets(1).stall(2), alu(R(1), R(4), R(5)).waits(1)})).target == R(4));
    CHECK(only(build({s2r(R(4)).sets(1), s2r(R(4)).sets(1).stall(2), alu(R(1), R(4)).waits(1)})).kind ==
          finding_kind::waw_counter);
  }
}

TEST_CASE("verify flow: DEPBAR.LE lets some increments be outstanding") {
  auto three = [](unsigned n, reg used) {
    return build(
        {lds(R(4), R(2)).sets(1), lds(R(5), R(2)).sets(1), lds(R(6), R(2)).sets(1).stall(2), depbar(1, n), alu(R(1), used)});
  };
  CHECK(clean(three(2, R(4))));
  CHECK(only(three(2, R(5))).kind == finding_kind::raw_counter);
  CHECK(clean(three(1, R(5))));
  CHECK(only(three(1, R(6))).target == R(6));
  CHECK(clean(three(0, R(6))));
  CHECK(!clean(three(3, R(4))));
  SECTION("increments of two units say nothing about which one is done") {
    CHECK(!clean(build({lds(R(4), R(2)).sets(1), mufu(R(5), R(2)).sets(1).stall(2), depbar(1, 1), alu(R(1), R(4))})));
    CHECK(clean(build({lds(R(4), R(2)).sets(1), mufu(R(5), R(2)).sets(1).stall(2), depbar(1, 0), alu(R(1), R(4), R(5))})));
  }
  SECTION("a counter that announces reads and result of one load: count 1 means that the reads are done") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(1).sets_read(1).stall(2), depbar(1, 1), alu(R(2))})));
    CHECK(!clean(build({ldg(R(4), R(2)).sets(1).sets_read(1).stall(2), depbar(1, 1), alu(R(1), R(4))})));
  }
  SECTION("a counter of which something may be left says nothing about the reads of one more operation") {
    const auto copied = [](unsigned left) {
      return build({lds(R(4), R(2)).sets(1), lds(R(5), R(2)).sets(1).stall(2), depbar(1, left),
                    ldg(R(6), R(8)).sets(1).sets_read(1).stall(2), depbar(1, 1), alu(R(8))});
    };
    CHECK(clean(copied(0)));
    CHECK(!clean(copied(1)));
  }
  SECTION("DEPBAR.LE SB0, 0x1, {1}: the count is that of SB0, of SB1 nothing is left") {
    const auto with_set = [](unsigned counter, unsigned set, reg used) {
      line wait = op(sched_class::depbar,
                     {operand::use(reg{reg_file::sb, counter}, slot::a), operand::use(reg{reg_file::sb, set}, slot::b)});
      wait.i.mem_offset = 1;
      return build({lds(R(4), R(2)).sets(1).stall(2), wait.flag(iflag::side_effect).stall(4), alu(R(1), used)});
    };
    CHECK(clean(with_set(0, 1, R(4))));
    CHECK(!clean(with_set(1, 0, R(4))));
  }
}

TEST_CASE("verify flow: late readers hold their sources") {
  CHECK(only(build({stg(R(2), R(4)), alu(R(4))})).kind == finding_kind::war_counter);
  CHECK(clean(build({stg(R(2), R(4)).sets_read(2).stall(2), alu(R(4)).waits(2)})));
  CHECK(only(build({ldg(R(6), R(2)).sets(0), alu(R(3))})).target == R(3));
  SECTION("the result's counter covers the reads too") {
    CHECK(clean(build({ldg(R(6), R(2)).sets(0).stall(2), alu(R(3)).waits(0)})));
  }
  SECTION("a later memory operation's counter covers earlier reads") {
    CHECK(clean(build({stg(R(2), R(4)), stg(R(2), R(5)).sets_read(1).stall(2), alu(R(4)).waits(1)})));
    CHECK(only(build({stg(R(2), R(4)).sets_read(1), stg(R(2), R(5)).stall(2), alu(R(5)).waits(1)})).first == instr_id{1});
  }
  SECTION("an operation of the same read queue may overwrite") {
    CHECK(clean(build({stg(R(2), R(4)), ldg(R(4), R(8)).sets(0)})));
    CHECK(only(build({stg(R(2), R(4)), mufu(R(4), R(8)).sets(0)})).kind == finding_kind::war_counter);
  }
  SECTION("a guard is read at issue") { CHECK(clean(build({stg(R(2), R(4)).guard(P(0)), alu(P(0))}))); }
}

TEST_CASE("verify flow: a load may overwrite what an earlier copy to shared memory has read") {
  const line copy =
      op(sched_class::ldgsts, {operand::use(R(4), slot::address), operand::use(R(2), slot::address, 2)}).stall(2);
  CHECK(flow(build({copy, ldg(R(2), R(8)).sets(1).stall(2), exit_()})).findings.empty());
  const verify::report r = flow(build({copy, lds(R(2), R(8)).sets(1).stall(2), exit_()}));
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].kind == finding_kind::war_counter);
  CHECK(r.findings[0].target == R(2));
}

TEST_CASE("verify flow: a load from local memory lands behind the reads of copies where loads read in order") {
  const line copy = op(sched_class::ldgsts, {operand::use(R(4), slot::address), operand::use(R(2), slot::address, 2)})
                        .sets_read(3)
                        .stall(4);
  const auto load = [](sched_class c) {
    return op(c, {operand::def(R(3), slot::dst), operand::use(R(1), slot::address)}).sets(1).stall(2);
  };
  const auto over = [&]<class Arch>(sched_class c) {
    verify::options only_flow;
    only_flow.lints = false;
    return verify::check<Arch>(build({copy, load(c), exit_().waits(1)}), only_flow).findings.size();
  };
  CHECK(over.operator()<sm80>(sched_class::ldl) == 1);
  CHECK(over.operator()<sm86>(sched_class::ldl) == 1);
  CHECK(over.operator()<sm90>(sched_class::ldl) == 0);
  CHECK(over.operator()<sm110>(sched_class::ldl) == 0);
  CHECK(over.operator()<sm120>(sched_class::ldl) == 0);
  CHECK(over.operator()<sm86>(sched_class::ldg) == 1);
  for (const sched_class c : {sched_class::ldg, sched_class::atomg}) {
    CHECK(over.operator()<sm90>(c) == 0);
    CHECK(over.operator()<sm110>(c) == 0);
    CHECK(over.operator()<sm120>(c) == 0);
  }
}

TEST_CASE("verify flow: an anti-dependence distance belongs to the pair") {
  auto u = [](reg d, reg a, sched_class c) { return op(c, {operand::def(d, slot::dst), operand::use(a, slot::a)}); };
  const verify::finding f = only(build({u(UR(6), UR(4), sched_class::ualu).stall(2), u(UR(4), URZ, sched_class::umov)}));
  CHECK(f.kind == finding_kind::war_distance);
  CHECK(f.short_by == 1);
  CHECK(clean(build({u(UR(6), UR(4), sched_class::ualu).stall(3), u(UR(4), URZ, sched_class::umov)})));
  CHECK(clean(build({u(UR(6), UR(4), sched_class::ualu), u(UR(4), URZ, sched_class::ualu)})));
}

TEST_CASE("verify flow: slow then fast results of one register") {
  auto mma = [](reg d) { return op(sched_class::hmma_large, {operand::def(d, slot::dst)}); };
  CHECK(only(build({mma(R(4)).stall(8), alu(R(4))})).kind == finding_kind::waw_distance);
  CHECK(clean(build({mma(R(4)).stall(10), alu(R(9)).stall(10), alu(R(4))})));
  CHECK(clean(build({mma(R(4)).stall(8), mma(R(4))})));
}

TEST_CASE("verify flow: guards") {
  SECTION("complementary guards are not ordered") {
    CHECK(clean(build({alu(R(0)).guard(P(0)), alu(R(1), R(0)).guard(P(0), true)})));
    CHECK(clean(build({ldg(R(0), R(2)).guard(P(0)).sets(0), alu(R(0)).guard(P(0), true)})));
  }
  SECTION("the same guard, another predicate, or a new value of the predicate: ordered") {
    CHECK(!clean(build({alu(R(0)).guard(P(0)), alu(R(1), R(0)).guard(P(0))})));
    CHECK(!clean(build({alu(R(0)).guard(P(0)), alu(R(1), R(0)).guard(P(1), true)})));
    CHECK(!clean(
        build({ldg(R(0), R(4)).guard(P(0)).sets(0).stall(2), alu(P(0)).stall(13), alu(R(1), R(0)).guard(P(0), true)})));
  }
  SECTION("a guarded write does not end an earlier one") {
    const verify::report r = flow(
        build({lds(R(0), R(4)).sets(0).stall(2), lds(R(0), R(4)).guard(P(0)).sets(1).stall(2), alu(R(1), R(0)).waits(1)}));
    CHECK(r.findings.empty());  // same unit: in order
    CHECK(!clean(build({mufu(R(0), R(4)).sets(0).stall(2), alu(R(0)).guard(P(0)).waits(0).stall(1), alu(R(1), R(0))})));
    CHECK(only(build({alu(R(0)).stall(2), alu(R(0)).guard(P(0), true).stall(1), alu(R(1), R(0)).guard(P(0))})).first ==
          instr_id{0});
  }
  SECTION("waits and sets act whatever the guard") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(8)).guard(P(0)).waits(0), alu(R(9), R(4))})));
  }
  SECTION("an instruction that never acts still waits") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(2), alu(R(8), R(4)).flag(iflag::never), alu(R(9)).waits(0),
                       alu(R(9), R(4)).stall(4)})));
  }
}

TEST_CASE("verify flow: stall 0 drains") {
  CHECK(clean(build({alu(R(0)).stall(0), alu(R(1), R(0))})));
  // What only a drain covers is right, and worth a note.
  const program p = build({ldg(R(0), R(2)).stall(1), alu(R(8)).stall(0), alu(R(1), R(0)), alu(R(2))});
  const verify::report r = flow(p);
  CHECK(r.clean());
  REQUIRE(r.notes() == 1);
  CHECK(r.findings[0].kind == finding_kind::drained_counter);
  CHECK(r.findings[0].first == instr_id{0});
  CHECK(r.findings[0].second == instr_id{1});
  CHECK(flow(build({ldg(R(0), R(2)).stall(0), alu(R(1), R(0)), alu(R(2))})).clean());
}

TEST_CASE("verify flow: the least over all paths") {
  // 0 -> 1 -> 3, 0 -> 2 -> 3
  auto diamond = [](line top, line left, line right, line bottom) {
    return build({top, left, right, bottom}, {1, 1, 1, 1}, {{0, 1}, {0, 2, edge_kind::branch}, {1, 3}, {2, 3}});
  };
  SECTION("distances") {
    CHECK(clean(diamond(alu(R(0)).stall(1), alu(R(8)).stall(3), alu(R(9)).stall(3), alu(R(1), R(0)))));
    CHECK(only(diamond(alu(R(0)).stall(1), alu(R(8)).stall(3), alu(R(9)).stall(2), alu(R(1), R(0)))).short_by == 1);
    CHECK(only(diamond(alu(R(0)).stall(1), alu(R(8)).stall(2), alu(R(9)).stall(3), alu(R(1), R(0)))).short_by == 1);
  }
  SECTION("waits") {
    CHECK(clean(diamond(ldg(R(0), R(2)).sets(0).stall(2), alu(R(8)).waits(0), alu(R(9)).waits(0), alu(R(1), R(0)))));
    CHECK(!clean(diamond(ldg(R(0), R(2)).sets(0).stall(2), alu(R(8)).waits(0), alu(R(9)), alu(R(1), R(0)))));
  }
  SECTION("counts: one path with fewer later increments") {
    auto with = [&](line right) {
      return build(
          {lds(R(0), R(2)).sets(0), lds(R(4), R(2)).sets(0).stall(2), right.stall(2), depbar(0, 1), alu(R(1), R(0))},
          {1, 1, 1, 2}, {{0, 1}, {0, 2, edge_kind::branch}, {1, 3}, {2, 3}});
    };
    CHECK(clean(with(lds(R(5), R(2)).sets(0))));
    CHECK(!clean(with(alu(R(5)))));
  }
  SECTION("in-order completion holds only if every path has issued the later operation") {
    auto with = [&](line right) {
      return build({lds(R(0), R(2)), lds(R(4), R(2)).sets(0).stall(2), right.stall(2), alu(R(1), R(0)).waits(0)},
                   {1, 1, 1, 1}, {{0, 1}, {0, 2, edge_kind::branch}, {1, 3}, {2, 3}});
    };
    CHECK(clean(with(lds(R(5), R(2)).sets(0))));
    CHECK(!clean(with(alu(R(5)))));
  }
  SECTION("a set close to the edge is still invisible behind it") {
    auto with = [&](unsigned stall) {
      return build({ldg(R(0), R(2)).sets(0).stall(stall), alu(R(1), R(0)).waits(0)}, {1, 1}, {{0, 1}});
    };
    CHECK(only(with(1)).kind == finding_kind::set_to_wait);
    CHECK(clean(with(2)));
  }
}

TEST_CASE("verify flow: around a loop") {
  // entry; loop body; exit
  auto loop = [](std::vector<line> body) {
    std::vector<line> v{alu(R(20)).stall(15)};
    const auto n = static_cast<unsigned>(body.size());
    v.insert(v.end(), body.begin(), body.end());
    v.push_back(exit_());
    return build(v, {1, n, 1}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}});
  };
  SECTION("a result that the next iteration reads") {
    CHECK(clean(loop({alu(R(1), R(0)).stall(2), alu(R(0), R(5)).stall(4)})));
    const verify::finding f = only(loop({alu(R(1), R(0)).stall(2), alu(R(0), R(5)).stall(3)}));
    CHECK(f.first == instr_id{2});
    CHECK(f.second == instr_id{1});
  }
  SECTION("a wait that only the first iteration has") {
    CHECK(!clean(loop({alu(R(1), R(4)), ldg(R(4), R(2)).sets(0).stall(5)})));
    CHECK(clean(loop({alu(R(1), R(4)).waits(0), ldg(R(4), R(2)).sets(0).stall(5)})));
  }
  SECTION("a source that the next iteration overwrites") {
    CHECK(only(loop({alu(R(4)).stall(6), stg(R(2), R(4)).stall(5)})).kind == finding_kind::war_counter);
    CHECK(clean(loop({alu(R(4)).waits(1).stall(6), stg(R(2), R(4)).sets_read(1).stall(5)})));
  }
}

TEST_CASE("verify flow: calls") {
  // 0: caller before, 1: caller after, 2: callee
  SECTION("behind a call of unknown code everything has landed") {
    CHECK(clean(build({ldg(R(4), R(2)).sets(0), bra(0), alu(R(1), R(4))}, {2, 1}, {{0, 1, edge_kind::call_return}})));
  }
  SECTION("a known callee is walked through") {
    auto call = [](line callee) {
      return build({ldg(R(4), R(2)).sets(0).stall(5), alu(R(1), R(4)), callee}, {1, 1, 1},
                   {{0, 2, edge_kind::call}, {0, 1, edge_kind::call_return}, {2, 1, edge_kind::ret}});
    };
    CHECK(!clean(call(alu(R(9)))));
    CHECK(clean(call(alu(R(9)).waits(0))));
  }
}

TEST_CASE("verify flow: a transfer of control takes its least time") {
  // A guarded call that is a jump carries stall 1; the taken path is later by the least branch stall.
  line jump = bra(2);
  jump.stall(1);
  CHECK(clean(build({alu(R(0)).stall(1), jump, fma(R(1), R(0))}, {2, 1}, {{0, 1, edge_kind::branch}})));
  CHECK(!clean(build({alu(R(0)).stall(1), jump, fma(R(1), R(0))}, {2, 1}, {{0, 1}})));
}

TEST_CASE("verify flow: everything has landed before WARPSYNC.COLLECTIVE goes to its label") {
  const auto collective = [] {
    line l = alu(R(9), R(8));
    l.i.op = opcode::warpsync;
    l.i.iclass = sched_class::collective;
    return l;
  };
  // The longest that any reader could need: 6 cycles for a general register, 13 for a predicate.
  CHECK(clean(build({alu(R(0)).stall(6), collective()})));
  const verify::finding f = only(build({alu(R(0)).stall(5), collective()}));
  CHECK(f.kind == finding_kind::raw_distance);
  CHECK(f.target == R(0));
  CHECK(f.required == 6);
  CHECK(f.short_by == 1);
  CHECK(clean(build({alu(P(1)).stall(13), collective()})));
  CHECK(only(build({alu(P(1)).stall(12), collective()})).short_by == 1);
  // whoever stands in front of the block counts as well
  CHECK(only(build({alu(R(0)).stall(2), alu(R(1)).stall(6), alu(R(2)).stall(3), collective()}, {2, 2}, {{0, 1}})).first ==
        instr_id{2});
  CHECK(only(build({alu(R(0)).stall(5), collective()}, {1, 1}, {{0, 1}})).first == instr_id{0});
  // of loads nothing is asked, nor of another collective instruction
  CHECK(clean(build({ldg(R(4), R(2)).sets(0), collective()})));
  line end = collective();
  end.i.op = opcode::nop;
  CHECK(clean(build({alu(R(0)).stall(1), end})));
}

namespace {
struct landing : toy::sm {
  struct pipes : toy::pipes {
    static constexpr bool lands_before_calls = true;
  };
};
// How many results are noted to be too young for what comes `apart` cycles later.
template <class Arch>
std::size_t too_young(sched_class c, unsigned apart) {
  const line leaves = op(c, {});
  return verify::check<Arch>(build({alu(R(0)).stall(apart), leaves, exit_()}), {true, false, false, true}).findings.size();
}
}  // namespace

TEST_CASE("verify flow: on some SMs everything has landed before CALL, LEPC and BSYNC") {
  for (const sched_class c : {sched_class::call, sched_class::lepc, sched_class::bsync}) {
    INFO(static_cast<unsigned>(c));
    CHECK(too_young<landing>(c, 6) == 0);
    CHECK(too_young<landing>(c, 5) == 1);
    CHECK(too_young<toy::sm>(c, 5) == 0);
  }
  CHECK(too_young<landing>(sched_class::branch, 5) == 0);
}

TEST_CASE("verify flow: DEPBAR sees a set of the instruction right before it") {
  CHECK(clean(build({ldg(R(4), R(2)).sets(0).stall(1), depbar(0, 0), alu(R(1), R(4))})));
  SECTION("and waits for its set of further counters") {
    line l = depbar(0, 0);
    CHECK(!clean(build({ldg(R(4), R(2)).sets(1).stall(1), l, alu(R(1), R(4))})));
    l.operands.push_back(operand::use(reg{reg_file::sb, 1}, slot::b));  // DEPBAR.LE SB0, 0x0, {1}
    CHECK(clean(build({ldg(R(4), R(2)).sets(1).stall(1), l, alu(R(1), R(4))})));
  }
}

namespace {
struct all_memory : toy::sm {
  struct latency : toy::latency {
    static constexpr bool barrier_behind_memory = true;
  };
};
// How often `drop` throws a cache away while `access`, which it should have waited for, is on its way.
template <class Arch>
unsigned not_awaited(const line& access, const line& drop) {
  unsigned n = 0;
  for (const verify::finding& f : verify::check<Arch>(build({access, drop, exit_()}), {true, false, false, false}).findings)
    n += f.kind == finding_kind::fence_wait ? 1u : 0u;
  return n;
}

}  // namespace

TEST_CASE("verify flow: a CTA barrier stands behind the reads of shared memory, on some SMs of all") {
  const line bar = op(sched_class::bar, {}).flag(iflag::sync).stall(6);
  line shared = stg(R(2), R(4)).stall(4);
  shared.i.space = mem_space::shared;
  CHECK(clean(build({shared, bar, alu(R(4))})));
  CHECK(!clean(build({shared, alu(R(4))})));
  CHECK(!clean(build({stg(R(2), R(4)).stall(4), bar, alu(R(4))})));
  CHECK(verify::check<all_memory>(build({stg(R(2), R(4)).stall(4), bar, alu(R(4))}), {true, false, false, false}).clean());
  CHECK((sm75::latency::barrier_behind_memory && !sm80::latency::barrier_behind_memory));
  CHECK(!clean(build({lds(R(4), R(2)).stall(4), bar, alu(R(1), R(4))})));  // not behind their results
  struct late_read : toy::sm {
    struct latency : toy::latency {
      static constexpr bool late_reader(sched_class c) { return c == sched_class::movm || c == sched_class::mufu; }
    };
  };
  const auto errors = [](sched_class c, const line& between) {  // MOVM goes down the same pipe
    const line reader = alu(R(0), R(4), RZ, c).sets(1).stall(4);
    return verify::check<late_read>(build({reader, between, alu(R(4))}), {true, false, false, false}).errors();
  };
  CHECK(errors(sched_class::movm, bar) == 0);
  CHECK(errors(sched_class::movm, alu(R(6)).stall(4)) == 1);
  CHECK(errors(sched_class::mufu, bar) == 1);
}

TEST_CASE("verify flow: an atomic that returns nothing and raises no counter is not acquired") {
  // ATOM.ADD PT, RZ, [R2], R4; CCTL.IVALL: a release before a fence (compiler output). With a result, or a counter, it may be.
  const auto errors = [](bool result, bool counter, bool waits) {
    line atom = op(sched_class::atom, {operand::use(R(2), slot::address, 2), operand::use(R(4), slot::data)});
    if (result) atom = op(sched_class::atom, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address, 2)});
    if (!result) atom.operands.push_back(operand::def(RZ, slot::dst));  // whose place takes nothing
    atom.i.dir = mem_dir::atomic;
    atom.i.space = mem_space::generic;
    atom.flag(iflag::volatile_mem).flag(iflag::side_effect).stall(4);
    if (counter) atom.sets(1);
    line drop = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
    if (waits) drop.waits(1);
    return not_awaited<sm80>(atom, drop);
  };
  CHECK(errors(false, false, false) == 0);
  CHECK(errors(false, true, false) == 1);
  CHECK(errors(false, true, true) == 0);
  CHECK(errors(true, true, false) == 1);
  CHECK(errors(true, true, true) == 0);
  // ATOM.ADD P0, RZ, [R2], R4 with a counter for its reads: so it is where only the predicate comes back.
  const auto with_predicate = [](bool counter) {
    line atom = op(sched_class::atom, {operand::def(P(0), slot::pdst), operand::use(R(2), slot::address, 2)});
    atom.i.dir = mem_dir::atomic;
    atom.i.space = mem_space::generic;
    atom.flag(iflag::volatile_mem).flag(iflag::side_effect).stall(4).sets_read(1);
    if (counter) atom.sets(2);
    const line drop = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
    return not_awaited<sm80>(atom, drop);
  };
  CHECK(with_predicate(false) == 0);
  CHECK(with_predicate(true) == 1);
}

TEST_CASE("verify flow: counted integer matrix operations of sm_103 come in order whatever their size") {
  const line first = op(sched_class::imma_large, {operand::def(R(4), slot::dst, 4), operand::use(R(40), slot::a)}).stall(10);
  const line later =
      op(sched_class::imma_medium, {operand::def(R(8), slot::dst, 4), operand::use(R(40), slot::a)}).sets(0).stall(2);
  const auto errors = [&](bool waits) {
    line reader = alu(R(1), R(4)).stall(5);
    if (waits) reader.waits(0);
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<sm103>(build({first, later, reader, exit_()}), {true, false, false, false}).findings)
      n += f.kind == finding_kind::raw_counter ? 1u : 0u;
    return n;
  };
  CHECK(errors(true) == 0);
  CHECK(errors(false) == 1);
}

TEST_CASE("verify flow: an atomic of shared memory that raises no counter is not acquired") {
  const auto errors = [](bool counter) {
    line atom = op(sched_class::atoms, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address)});
    atom.i.op = opcode::atoms;
    atom.i.dir = mem_dir::atomic;
    atom.i.space = mem_space::shared;
    atom.flag(iflag::side_effect).stall(4);
    if (counter) atom.sets(1);
    const line drop = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
    return not_awaited<sm100>(atom, drop);
  };
  CHECK(errors(true) == 1);
  CHECK(errors(false) == 0);
}

TEST_CASE(
    "verify flow: behind DEPBAR a cache is thrown away for what that has waited for, and surfaces are never acquired") {
  const auto errors = [](mem_space space, bool depbar) {
    line load = op(sched_class::ldg, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address, 2)});
    load.i.dir = mem_dir::load;
    load.i.space = space;
    load.flag(iflag::volatile_mem).stall(4).sets(1);
    line wait = op(sched_class::depbar, {operand::use(reg{reg_file::sb, 0}, slot::none)}).stall(4);
    wait.i.op = opcode::depbar;
    const line drop = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
    const auto lines = depbar ? build({load, wait, drop, exit_()}) : build({load, drop, exit_()});
    unsigned n = 0;
    for (const verify::finding& f : verify::check<sm90>(lines, {true, false, false, false}).findings)
      n += f.kind == finding_kind::fence_wait ? 1u : 0u;
    return n;
  };
  CHECK(errors(mem_space::global, false) == 1);
  CHECK(errors(mem_space::global, true) == 0);
  CHECK(errors(mem_space::surface, false) == 0);
}

TEST_CASE("verify flow: a cache is thrown away for no access of this thread behind MEMBAR or a wait for the cluster") {
  line load = op(sched_class::ldg, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address, 2)});
  load.i.dir = mem_dir::load;
  load.i.space = mem_space::global;
  load.flag(iflag::volatile_mem).stall(4).sets(1);
  const line drop = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
  const line membar = op(sched_class::membar, {}).flag(iflag::fence).stall(5);
  line cluster = op(sched_class::bar, {}).stall(5);
  cluster.i.op = opcode::ucgabar_wait;
  const auto errors = [](const program& p) {
    unsigned n = 0;
    for (const verify::finding& f : verify::check<sm90>(p, {true, false, false, false}).findings)
      n += f.kind == finding_kind::fence_wait ? 1u : 0u;
    return n;
  };
  const line other = alu(R(20)).stall(5);
  CHECK(errors(build({load, other, drop, exit_()})) == 1);
  CHECK(errors(build({load, membar, drop, exit_()})) == 0);
  CHECK(errors(build({load, cluster, drop, exit_()})) == 0);
  CHECK(errors(build({load, cluster, other, drop, exit_()})) == 1);  // right behind it
  CHECK(errors(build({load, membar, load, drop, exit_()})) == 1);    // what comes behind a fence is acquired
  // a fence that a branch goes around, where its scope is chosen when it runs
  const auto around = [&](const line& fence) {
    return build({load, bra(3), fence, drop, exit_()}, {2, 1, 2},
                 {{0, 2, edge_kind::branch}, {0, 1, edge_kind::fall}, {1, 2, edge_kind::fall}});
  };
  CHECK(errors(around(other)) == 1);
  CHECK(errors(around(membar)) == 0);
}

TEST_CASE("verify flow: a cache that is thrown away for a load of shared memory is so for no atomic in front of it") {
  line atom = op(sched_class::atom, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address, 2)});
  atom.i.op = opcode::atomg;
  atom.i.dir = mem_dir::atomic;
  atom.i.space = mem_space::global;
  atom.flag(iflag::volatile_mem).flag(iflag::side_effect).stall(4).sets(5);
  const auto load = [](unsigned counter) {
    line l = lds(R(8), R(9)).stall(2).sets(counter);
    l.i.op = opcode::lds;
    return l;
  };
  const auto errors = [&](const line& first, const line& second, unsigned waits) {
    const line drop = op(sched_class::cctl, {}).flag(iflag::fence).waits(waits).stall(5);
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<sm90a>(build({first, second, drop, exit_()}), {true, false, false, false}).findings) {
      n += f.kind == finding_kind::fence_wait ? 1u : 0u;
    }
    return n;
  };
  CHECK(errors(atom, load(0), 0) == 0);
  CHECK(errors(atom, load(0), 1) == 1);  // waits for another
  CHECK(errors(atom, load(5), 4) == 1);
  CHECK(errors(load(0), atom, 0) == 1);  // the atomic is the last
}

TEST_CASE("verify flow: a cache that is thrown away when a barrier object says so is so for no access of this thread") {
  line atom = op(sched_class::atom, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address, 2)});
  atom.i.op = opcode::atomg;
  atom.i.dir = mem_dir::atomic;
  atom.i.space = mem_space::global;
  atom.flag(iflag::volatile_mem).flag(iflag::side_effect).stall(4).sets(5);
  line object = op(sched_class::syncs, {operand::def(P(1), slot::pdst), operand::use(R(8), slot::address)}).stall(2).sets(0);
  object.i.op = opcode::syncs;
  const auto errors = [&](const line& between, unsigned guard) {
    line drop = op(sched_class::cctl, {operand::use(P(guard), slot::guard)});
    drop.flag(iflag::fence).flag(iflag::guarded).waits(0).stall(5);
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<sm90a>(build({atom, object, between, drop, exit_()}), {true, false, false, false}).findings) {
      n += f.kind == finding_kind::fence_wait ? 1u : 0u;
    }
    return n;
  };
  const line other = alu(R(20)).stall(5);
  const line compares = op(sched_class::setp, {operand::def(P(1), slot::pdst)}).stall(13);
  CHECK(errors(other, 1) == 0);
  CHECK(errors(other, 2) == 1);     // another predicate
  CHECK(errors(compares, 1) == 1);  // the same one, written since by somebody else
}

TEST_CASE("verify flow: whoever waits for a fence of a block may stand behind what never executes and a fence that drains") {
  line fence = op(sched_class::membar, {}).flag(iflag::fence).flag(iflag::block_fence).stall(5);
  const line drains = line(fence).stall(0).yield(true);
  fence.sets_read(0);
  const line never = op(sched_class::lds, {}).flag(iflag::never).stall(5);
  const auto errors = [&](const line& between, const line& last) {
    const program p = build({fence, between, last, exit_()});
    vec<verify::finding> out;
    verify::check_block_fence(p, p.blocks[0], 0, out);
    return out.size();
  };
  const line waiter = alu(R(8)).waits(0).stall(5);
  CHECK(errors(never, waiter) == 0);
  CHECK(errors(drains, waiter) == 0);
  CHECK(errors(never, alu(R(8)).stall(5)) == 1);
  CHECK(errors(line(fence).sets_read(1), waiter) == 1);
  // a NOP that makes the stall longer may stand in between
  line longer = op(sched_class::nop, {}).stall(15).yield(true);
  longer.i.op = opcode::nop;
  CHECK(errors(longer, waiter) == 0);
  CHECK(errors(longer, alu(R(8)).stall(5)) == 1);
  CHECK(errors(line(longer).waits(1), waiter) == 1);
  // what may be passed over may also wait itself
  const line plain = alu(R(8)).stall(5);
  CHECK(errors(drains, plain) == 1);
  CHECK(errors(line(drains).waits(0), plain) == 0);
  CHECK(errors(line(drains).waits(1), plain) == 1);
  CHECK(errors(line(never).waits(0), plain) == 0);
}

TEST_CASE("verify flow: loads and asynchronous copies read their addresses in one order from sm_90 on") {
  const auto errors = []<class Arch>(bool copy_first, bool waits) {
    line load = op(sched_class::ldg, {operand::def(R(6), slot::dst), operand::use(R(2), slot::address, 2)}).stall(4);
    load.i.dir = mem_dir::load;
    load.i.space = mem_space::global;
    line copy = op(sched_class::ldgsts, {operand::use(R(8), slot::address), operand::use(R(4), slot::address, 2)}).stall(4);
    copy.i.dir = mem_dir::store;
    copy.i.space = mem_space::shared;
    (copy_first ? load : copy).sets_read(0);
    if (!copy_first) load.sets(1);
    line over = alu(R(copy_first ? 4 : 2));
    if (waits) over.waits(0);
    const program p = copy_first ? build({copy, load, over, exit_()}) : build({load, copy, over, exit_()});
    unsigned n = 0;
    for (const verify::finding& f : verify::check<Arch>(p, {true, false, false, false}).findings)
      n += f.kind == finding_kind::war_counter ? 1u : 0u;
    return n;
  };
  for (const bool copy_first : {false, true}) {
    CHECK(errors.operator()<sm90>(copy_first, true) == 0);
    CHECK(errors.operator()<sm120>(copy_first, true) == 0);
    CHECK(errors.operator()<sm90>(copy_first, false) == 1);
    CHECK(errors.operator()<sm80>(copy_first, true) == 1);
  }
}

TEST_CASE("verify flow: a barrier that is not deferred stands behind the reads of all memory operations") {
  const auto errors = [](bool blocks, std::uint64_t low) {
    line store = op(sched_class::stg, {operand::use(R(2), slot::address, 2), operand::use(R(4), slot::data)}).stall(1);
    store.i.dir = mem_dir::store;
    store.i.space = mem_space::global;
    line bar = op(sched_class::bar, {}).stall(6);
    bar.i.word[0] = low;
    if (blocks) bar.flag(iflag::blocks);
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<sm80>(build({store, bar, alu(R(4)), exit_()}), {true, false, false, false}).findings)
      n += f.kind == finding_kind::war_counter ? 1u : 0u;
    return n;
  };
  CHECK(errors(true, 0x7b1d) == 0);
  CHECK(errors(false, 0x7b1d) == 1);  // DEFER_BLOCKING
  CHECK(errors(true, 0) == 1);        // older disassemblers do not print that: without words nobody knows
}

TEST_CASE("verify flow: of several strong accesses the last one is acquired") {
  const auto strong = [](unsigned r, unsigned counter) {
    return ldg(R(r), R(2)).flag(iflag::volatile_mem).sets(counter).stall(4);
  };
  const auto drop = [](std::initializer_list<unsigned> counters) {
    line l = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
    for (const unsigned c : counters) l.waits(c);
    return l;
  };
  const auto errors = [](const program& p) {
    unsigned n = 0;
    for (const verify::finding& f : verify::check<sm80>(p, {true, false, false, false}).findings)
      n += f.kind == finding_kind::fence_wait ? 1u : 0u;
    return n;
  };
  CHECK(errors(build({strong(4, 1), strong(5, 2), drop({1, 2}), exit_()})) == 0);
  CHECK(errors(build({strong(4, 1), strong(5, 2), drop({2}), exit_()})) == 0);
  CHECK(errors(build({strong(4, 1), strong(5, 2), drop({1}), exit_()})) == 1);
  CHECK(errors(build({strong(4, 1), drop({2}), exit_()})) == 1);
  // in a block of their own, and where only one of two ways has another one
  CHECK(errors(build({strong(4, 1), strong(5, 2), drop({2}), exit_()}, {2, 2}, {{0, 1}})) == 0);
  CHECK(errors(build({strong(4, 1), alu(R(9)), strong(5, 2), drop({2}), exit_()}, {2, 1, 2},
                     {{0, 1}, {0, 2, edge_kind::branch}, {1, 2}})) == 1);
  CHECK(errors(build({strong(4, 1), alu(R(9)), strong(5, 2), strong(6, 3), drop({3, 2}), exit_()}, {2, 1, 3},
                     {{0, 1}, {0, 2, edge_kind::branch}, {1, 2}})) == 0);
  // An atomic of shared memory is acquired inside its block only.
  line atom = op(sched_class::atoms, {operand::def(R(4), slot::dst), operand::use(R(2), slot::address)}).sets(1).stall(4);
  atom.i.op = opcode::atoms;
  atom.i.dir = mem_dir::atomic;
  atom.i.space = mem_space::shared;
  CHECK(errors(build({atom, drop({}), exit_()})) == 1);
  CHECK(errors(build({atom, drop({1}), exit_()})) == 0);
  CHECK(errors(build({atom, drop({}), exit_()}, {1, 2}, {{0, 1}})) == 0);
}

TEST_CASE("verify flow: tensor memory on sm_100") {
  // Four LDTM with a counter on the last; STTM read before a later LDTM has landed; not behind a load of global memory.
  const auto ldtm = [](unsigned r) { return op(sched_class::ldtm, {operand::def(R(r), slot::dst, 4)}); };
  const auto sttm = [](unsigned r) { return op(sched_class::sttm, {operand::use(R(r), slot::data, 4)}); };
  const auto errors = [](std::initializer_list<line> lines) {
    return verify::check<sm100>(build(lines), {true, false, false, false}).errors();
  };
  CHECK(errors({ldtm(4).stall(2), ldtm(8).sets(1).stall(2), alu(R(20), R(4)).waits(1)}) == 0);
  CHECK(errors({ldtm(4).stall(2), alu(R(20), R(4)).stall(4)}) == 1);
  CHECK(errors({ldtm(4).stall(2), lds(R(8), R(2)).sets(1).stall(2), alu(R(20), R(4)).waits(1)}) == 1);
  CHECK(errors({sttm(4).stall(2), ldtm(8).sets(1).stall(2), alu(R(4)).waits(1)}) == 0);
  CHECK(errors({sttm(4).stall(2), ldtm(8).sets(1).stall(2), alu(R(4))}) == 1);
  CHECK(errors({sttm(4).stall(2), sttm(8).sets_read(1).stall(2), alu(R(4)).waits(1)}) == 0);
  CHECK(errors({sttm(4).stall(2), lds(R(8), R(2)).sets(1).stall(2), alu(R(4)).waits(1)}) == 1);
}

TEST_CASE("verify flow: copies of the transfer engine read their registers in order") {
  const auto copy = [](unsigned r) {
    return op(sched_class::tma, {operand::use(reg(reg_file::ur, r), slot::uaddress, 2)}).stall(2);
  };
  const line over = op(sched_class::umov, {operand::def(reg(reg_file::ur, 4), slot::dst)});
  const auto errors = [](std::initializer_list<line> lines) {
    return verify::check<sm100>(build(lines), {true, false, false, false}).errors();
  };
  CHECK(errors({copy(4), copy(8).sets_read(1), line(over).waits(1)}) == 0);
  CHECK(errors({copy(4), copy(8).sets_read(1), over}) == 1);
  CHECK(errors({copy(4), over}) == 1);
  CHECK(errors({copy(8).sets_read(1), copy(4), line(over).waits(1)}) == 1);
}

TEST_CASE("verify flow: BSYNC stands behind the read of the move that wrote its register") {
  struct late_move : toy::sm {
    struct latency : toy::latency {
      static constexpr bool late_reader(sched_class c) {
        return c == sched_class::bmov_to_b || toy::latency::late_reader(c);
      }
    };
  };
  const auto errors = [](unsigned converges_on, bool waits) {
    const auto b = [](unsigned n) { return reg(reg_file::b, n); };
    const line move =
        op(sched_class::bmov_to_b, {operand::def(b(3), slot::dst), operand::use(R(2), slot::b)}).sets_read(1).stall(5);
    const line sync = op(sched_class::bsync, {operand::use(b(converges_on), slot::a)}).stall(5);
    line over = alu(R(2));
    if (waits) over.waits(1);
    return verify::check<late_move>(build({move, sync, over}), {true, false, false, false}).findings.size();
  };
  CHECK(errors(3, false) == 0);
  CHECK(errors(4, false) == 1);
  CHECK(errors(4, true) == 0);
}

namespace {

// Results of one class more have a counter, and its sources are read late.
template <sched_class Class>
struct counted : toy::sm {
  struct latency : toy::latency {
    static constexpr bool variable(sched_class c) { return c == Class || toy::latency::variable(c); }
    static constexpr bool late_reader(sched_class c) { return c == Class || toy::latency::late_reader(c); }
  };
};
using late_atom = counted<sched_class::atom>;
struct early_predicate : late_atom {
  struct latency : late_atom::latency {
    static constexpr bool predicates_with_reads = true;
  };
};

}  // namespace

TEST_CASE("verify flow: the predicate of a generic atomic comes with its reads") {
  auto atom = [] {
    return op(sched_class::atom,
              {operand::def(P(0), slot::pdst), operand::use(R(2), slot::address, 2), operand::use(R(4), slot::data)});
  };
  auto errors = []<class Arch>(const program& p) {
    return verify::check<Arch>(p, {true, false, false, false}).findings.size();
  };
  const program reads = build({atom().sets_read(2).stall(2), alu(R(8)).guard(P(0)).waits(2)});
  const program result = build({atom().sets(2).stall(2), alu(R(8)).guard(P(0)).waits(2)});
  const program neither = build({atom().sets_read(2).stall(2), alu(R(8)).guard(P(0))});
  CHECK(errors.operator()<early_predicate>(reads) == 0);
  CHECK(errors.operator()<early_predicate>(result) == 0);
  CHECK(errors.operator()<early_predicate>(neither) == 1);
  // not so before sm_90
  CHECK(errors.operator()<late_atom>(reads) == 1);
  CHECK(errors.operator()<late_atom>(result) == 0);
}

namespace {

using counted_dmma = counted<sched_class::dmma>;
struct timed_dmma : counted_dmma {
  struct latency : counted_dmma::latency {
    static constexpr unsigned dmma_behind_reads = 20;
    static constexpr queue_id completion_queue(sched_class c) {
      return c == sched_class::dmma ? queue_id::own : toy::latency::completion_queue(c);
    }
    static constexpr queue_id read_queue(sched_class c) {
      return c == sched_class::dmma ? queue_id::own : toy::latency::read_queue(c);
    }
  };
};

}  // namespace

TEST_CASE("verify flow: a small product of doubles comes in known time after a wait for its read counter") {
  auto product = [](unsigned width = 4) {
    return op(sched_class::dmma, {operand::def(R(8), slot::dst, width), operand::use(R(2), slot::a, 2),
                                  operand::use(R(4), slot::b, 2), operand::use(R(8), slot::c, width)})
        .sets(5)
        .sets_read(1)
        .stall(2);
  };
  auto errors = []<class Arch>(const program& p) {
    return verify::check<Arch>(p, {true, false, false, false}).findings.size();
  };
  auto timed = [&](const program& p) { return errors.operator()<timed_dmma>(p); };
  auto waited = [](unsigned stall) { return alu(R(20)).waits(1).stall(stall); };
  const program enough = build({product(), waited(15), alu(R(21)).stall(5), alu(R(22), R(11))});
  CHECK(timed(enough) == 0);
  CHECK(timed(build({product(), waited(14), alu(R(21)).stall(5), alu(R(22), R(11))})) == 1);
  CHECK(timed(build({product(), waited(15), alu(R(21)).stall(5), alu(R(11))})) == 0);
  CHECK(timed(build({product(), waited(14), alu(R(21)).stall(5), alu(R(11))})) == 1);
  CHECK(errors.operator()<counted_dmma>(enough) == 1);
  SECTION("only where that counter is awaited, and its set can be seen") {
    auto late = [&](line first, unsigned counter) {
      return timed(build({first, alu(R(20)).waits(counter).stall(15), alu(R(21)).stall(15), alu(R(22), R(11))}));
    };
    CHECK(late(product(), 1) == 0);
    CHECK(late(product(), 2) == 1);
    CHECK(late(product().sets_read(control::no_barrier), 1) == 1);
    CHECK(late(product().stall(1), 1) == 1);
    CHECK(late(product(8), 1) == 1);  // four doubles
  }
  SECTION("the wait for the reads of a later one says nothing") {
    auto behind = [&](unsigned own) {
      line other = op(sched_class::dmma, {operand::def(R(24), slot::dst, 4), operand::use(R(2), slot::a, 2)});
      return timed(build({product().sets_read(own), other.sets(0).sets_read(1).stall(2), waited(15), alu(R(21)).stall(15),
                          alu(R(22), R(11))}));
    };
    CHECK(behind(1) == 0);
    CHECK(behind(2) == 1);
  }
  SECTION("the shortest path counts, and every path has to wait") {
    const std::vector<cut> edges{{0, 1}, {0, 2, edge_kind::branch}, {1, 2}};
    auto over = [&](unsigned stall) {
      return timed(
          build({product(), waited(stall), bra(4), alu(R(21)).stall(15), alu(R(22), R(11)), exit_()}, {3, 1, 2}, edges));
    };
    CHECK(over(15) == 0);
    CHECK(over(14) == 1);
    auto joined = [&](unsigned stall) {
      return timed(
          build({product(), waited(10), bra(4), alu(R(20)).stall(2), alu(R(21)).stall(stall), alu(R(22), R(11)), exit_()},
                {3, 1, 3}, edges));
    };
    CHECK(joined(5) == 0);
    CHECK(joined(4) == 1);
    CHECK(timed(build({product(), bra(4), waited(15), alu(R(21)).stall(15), alu(R(22), R(11)), exit_()}, {2, 2, 2},
                      edges)) == 1);
  }
  SECTION("of every round anew") {
    const std::vector<cut> edges{{0, 1}, {1, 1, edge_kind::branch}, {1, 2}};
    CHECK(timed(build({alu(R(22)).stall(13), product(), waited(15), alu(R(21)).stall(5), alu(R(22), R(11)), bra(1), exit_()},
                      {1, 5, 1}, edges)) == 0);
    CHECK(timed(build({alu(R(22)).stall(13), alu(R(23), R(11)), product(), waited(13), bra(1), exit_()}, {1, 4, 1},
                      edges)) != 0);
    CHECK(timed(build({alu(R(22)).stall(13), alu(R(23), R(11)), product(), waited(15), bra(1), exit_()}, {1, 4, 1},
                      edges)) == 0);
  }
}

TEST_CASE("verify flow: an assumed distance warns, and alleges where no result of the file is ever read so soon") {
  struct guess : toy::sm {
    struct latency : toy::latency {
      static constexpr distance raw(access_point, access_point) { return {9, 9, provenance::assumed}; }
    };
  };
  struct short_guess : toy::sm {
    struct latency : toy::latency {
      static constexpr distance raw(access_point, access_point) { return {3, 3, provenance::assumed}; }
    };
  };
  const program p = build({alu(R(0)).stall(2), alu(R(1), R(0))});
  const verify::report r = verify::check<guess>(p, {true, false, false, true});
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].level == verify::severity::note);
  CHECK(r.findings[0].evidence == provenance::assumed);
  CHECK(r.clean());
  CHECK(verify::check<guess>(p, {true, false, false, false}).findings.empty());

  const auto alleged = []<class Arch>(const program& q) {
    return verify::check<Arch>(q, {true, false, false, false}).findings.size();
  };
  const auto read = [](unsigned cycles) { return build({alu(R(0)).stall(cycles), alu(R(1), R(0))}); };
  const auto asked = [](unsigned cycles) { return build({alu(P(1)).stall(cycles), alu(R(1)).guard(P(1))}); };
  CHECK(alleged.operator()<guess>(read(1)) == 1);
  CHECK(alleged.operator()<guess>(read(2)) == 0);
  CHECK(alleged.operator()<guess>(asked(3)) == 1);
  CHECK(alleged.operator()<guess>(asked(4)) == 0);
  CHECK(alleged.operator()<short_guess>(read(1)) == 0);
  CHECK(alleged.operator()<short_guess>(asked(1)) == 0);
}

TEST_CASE("verify flow: one finding per pair and register, in program order, the same every time") {
  const program p = build({ldg(R(4), R(2), 2).sets(0), alu(R(1), R(4), R(4)), alu(R(6), R(5)), alu(R(7), R(4))});
  const verify::report a = flow(p);
  REQUIRE(a.findings.size() == 3);
  CHECK(a.findings[0].second == instr_id{1});
  CHECK(a.findings[1].second == instr_id{2});
  CHECK(a.findings[2].second == instr_id{3});
  CHECK(a.findings == flow(p).findings);
  CHECK(a.instructions == 4);
}

TEST_CASE("verify flow: an empty program says that it looked at nothing") {
  const verify::report r = flow(program{});
  CHECK(r.findings.empty());
  CHECK(r.instructions == 0);
}

TEST_CASE("verify flow: whoever touches what a group of matrix operations works on waits for the group") {
  const auto group = [](unsigned result, unsigned factor, bool ends) {
    line l = op(sched_class::hgmma, {operand::def(R(result), slot::dst, 4), operand::use(R(factor), slot::a, 4),
                                     operand::use(R(result), slot::c, 4)})
                 .stall(2);
    l.i.space = mem_space::shared;
    l.i.dir = mem_dir::load;
    if (ends) l.operands.insert(l.operands.begin(), operand::def(reg{reg_file::special, 1}, slot::implicit));
    return l;
  };
  const auto until = [](unsigned n) {
    line l = op(sched_class::warpgroup, {operand::use(reg{reg_file::special, 1}, slot::none)});
    l.i.mem_offset = static_cast<std::int32_t>(n);
    return l.stall(2);
  };
  const auto errors = [](std::initializer_list<line> lines) {
    return verify::check<sm90a>(build(lines), {true, false, false, false}).errors();
  };
  CHECK(errors({group(24, 40, true), until(0), alu(R(1), R(24))}) == 0);
  CHECK(errors({group(24, 40, true), until(1), alu(R(1), R(24))}) == 1);
  CHECK(errors({group(24, 40, true), alu(R(1), R(24))}) == 1);
  CHECK(errors({group(24, 40, false), until(0), alu(R(1), R(24))}) == 1);                       // in no group yet
  CHECK(errors({group(24, 40, false), group(28, 44, true), until(0), alu(R(1), R(24))}) == 0);  // in that of a later one
  CHECK(errors({group(24, 40, true), group(28, 44, true), until(1), alu(R(1), R(24))}) == 0);
  CHECK(errors({group(24, 40, true), group(28, 44, true), until(1), alu(R(1), R(28))}) == 1);
  CHECK(errors({group(24, 40, true), alu(R(24))}) == 1);
  CHECK(errors({group(24, 40, true), alu(R(41))}) == 1);  // a factor is read late
  CHECK(errors({group(24, 40, true), until(0), alu(R(41))}) == 0);
  CHECK(errors({group(24, 40, true), op(sched_class::bar, {}).stall(6), alu(R(41))}) == 1);
  CHECK(errors({group(24, 40, true), group(24, 44, true), until(0), alu(R(1), R(24))}) == 0);  // the sum goes on
  CHECK(errors({group(24, 40, true), group(28, 24, true), until(0)}) == 4);                    // a result as a factor
}

TEST_CASE("verify flow: a load of constants is awaited by its own counter") {
  const auto ldc = [](unsigned r) { return op(sched_class::ldc, {operand::def(R(r), slot::dst)}).stall(2); };
  const auto errors = [](std::initializer_list<line> lines) {
    return verify::check<sm90>(build(lines), {true, false, false, false}).errors();
  };
  CHECK(errors({ldc(4).sets(0), ldc(5).sets(1), alu(R(1), R(4)).waits(0)}) == 0);
  CHECK(errors({ldc(4), ldc(5).sets(1), alu(R(1), R(4)).waits(1)}) == 1);
}

TEST_CASE("verify flow: everything has landed where control leaves to code that is not known") {
  const auto leave = [](iflag how, unsigned stall) { return op(sched_class::ret, {}).flag(how).stall(stall); };
  const auto errors = [](std::vector<line> lines, bool open = true) {
    program p = build(lines);
    p.blocks[0].open_exit = open;
    return verify::check<sm90>(p, {true, false, false, false}).errors();
  };
  for (const iflag how : {iflag::ret, iflag::call}) {
    const line load = ldg(R(4), R(2)).sets(0).stall(2);
    const line store = stg(R(2), R(4)).sets_read(1).stall(2);
    CHECK(errors({load, leave(how, 5)}) == 1);
    CHECK(errors({load, leave(how, 5).waits(0)}) == 0);
    CHECK(errors({load, leave(how, 5)}, false) == 0);
    CHECK(errors({store, leave(how, 5)}) == 1);
    CHECK(errors({store, leave(how, 5).waits(1)}) == 0);
    const line compare = alu(P(0), R(1), R(2), sched_class::setp).stall(8);
    CHECK(errors({compare, leave(how, 4)}) == 1);
    CHECK(errors({compare, leave(how, 5)}) == 0);
    const line sum = alu(R(4), R(1), R(2)).stall(1);  // its slowest reader asks for 7
    CHECK(errors({sum, leave(how, 5)}) == 1);
    CHECK(errors({sum, leave(how, 6)}) == 0);
    CHECK(errors({sum, leave(how, 10)}) == 0);
  }
  CHECK(errors({ldg(R(4), R(2)).sets(0).stall(2), bra(0)}) == 0);  // no call and no return
  // The stack that nobody uses, and the predicate of a generic atomic.
  const auto constant = [](unsigned r) { return op(sched_class::ldc, {operand::def(R(r), slot::dst)}).stall(2); };
  CHECK(errors({constant(1), leave(iflag::call, 5)}) == 0);
  CHECK(errors({constant(2), leave(iflag::call, 5)}) == 1);
  CHECK(errors({constant(1).sets(0), leave(iflag::call, 5)}) == 1);
  const line atom = op(sched_class::atom, {operand::def(P(0), slot::pdst), operand::use(R(2), slot::address, 2)});
  CHECK(errors({line(atom).sets_read(1).sets(0).stall(2), alu(R(8)).waits(1), leave(iflag::call, 15)}) == 0);
  CHECK(errors({line(atom).sets_read(1).sets(0).stall(2), alu(R(8)), leave(iflag::call, 15)}) == 1);
}

TEST_CASE("verify flow: a wide product adds a sum of 64 bits 6 cycles later, and sooner where it multiplies that sum too") {
  const auto errors = [](unsigned stall, reg left, reg right, bool of_sum = true) {
    const line sum = of_sum ? op(sched_class::alu_64, {operand::def(R(4), slot::dst, 2), operand::use(R(8), slot::a, 2)})
                            : op(sched_class::imad_wide, {operand::def(R(4), slot::dst, 2), operand::use(R(8), slot::a)});
    const line product = op(sched_class::imad_wide, {operand::def(R(10), slot::dst, 2), operand::use(left, slot::a),
                                                     operand::use(right, slot::b), operand::use(R(4), slot::c, 2)});
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<sm120>(build({line(sum).stall(stall), product, exit_().stall(5)}), {true, false, false, false})
             .findings)
      n += f.kind == finding_kind::raw_distance ? 1u : 0u;
    return n;
  };
  CHECK(errors(6, R(12), R(13)) == 0);
  CHECK(errors(5, R(12), R(13)) == 2);  // both halves
  CHECK(errors(4, R(12), R(4)) == 0);
  CHECK(errors(4, R(4), R(12)) == 0);
  CHECK(errors(3, R(12), R(4)) == 2);
  CHECK(errors(4, R(12), R(5)) == 2);  // the upper half as a factor, which was not seen
  CHECK(errors(4, R(12), R(13), false) == 0);
}

TEST_CASE("verify flow: half precision of sm_60 reads its sources in no order") {
  const auto errors = []<class Arch>(sched_class first, sched_class second, bool waits) {
    line reader = alu(R(6), R(2), RZ, first).sets(0).sets_read(1).stall(2);
    line over = alu(R(2), R(8), RZ, second).sets(2).stall(2);
    if (waits) over.waits(1);
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<Arch>(build({reader, over, exit_()}), {true, false, false, false}).findings)
      n += f.kind == finding_kind::war_counter ? 1u : 0u;
    return n;
  };
  for (const sched_class first : {sched_class::half, sched_class::half_f32, sched_class::half_alu}) {
    for (const sched_class second : {sched_class::half, sched_class::half_alu, sched_class::alu}) {
      CHECK(errors.operator()<sm60>(first, second, true) == 0);
      CHECK(errors.operator()<sm60>(first, second, false) == 1);
    }
  }
  CHECK(errors.operator()<sm60>(sched_class::mufu, sched_class::conv, false) == 0);  // the special unit reads in order
}

TEST_CASE("verify flow: accesses that stay outstanding are looked at when their list has doubled, and what is over goes") {
  using namespace ww::verify::detail;
  constexpr std::uint32_t n = 1000;
  walk_memory m;
  m.reads.assign(1, nil);
  m.touched.assign(1, 0);
  m.carried.assign(n, 0);
  m.walks = 1;
  std::uint32_t looks = 0;
  const auto add = [&](std::uint32_t instr, std::uint8_t where, bool always, bool over) {
    live_access l;
    l.instr = instr;
    l.where = where;
    m.record(m.reads, 0, l, always, [&](const live_access&) {
      ++looks;
      return over;
    });
  };
  const auto length = [&] {
    std::uint32_t count = 0;
    for (std::uint32_t k = m.reads[0]; k != nil; k = m.pool[k].next) ++count;
    return count;
  };
  for (std::uint32_t k = 0; k < n; ++k) {
    add(k, 1, false, false);
    add(k, 2, false, false);
    add(k, 1, false, false);  // the same access again
    CHECK(m.pool[m.reads[0]].length == 2 * (k + 1));
  }
  CHECK(length() == 2 * n);
  CHECK(looks <= 8 * n);
  m.carried[5] = m.walks;  // came into the walk: its accesses may stand anywhere
  add(5, 1, false, false);
  CHECK(length() == 2 * n);
  looks = 0;
  add(n - 1, 3, true, true);
  CHECK(looks == 2 * n - 8);
  CHECK(length() == 8 + 1);
  CHECK(m.pool[m.reads[0]].length == 8 + 1);
  for (std::uint32_t k = 0; k < n - 1; ++k) {
    add(k, 4, false, true);
    CHECK(length() <= 17);
  }
}
