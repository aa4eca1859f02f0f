// SPDX-License-Identifier: BSL-1.0
//
// Properties of values that all compiler output has: reads of something, results that are used, counters that are waited
// for.
#include <algorithm>
#include <vector>

#include "../support/catch.hpp"
#include "toy.hpp"

using namespace toy;
using verify::finding_kind;

namespace {
ww::vec<verify::finding> found(const program& p) {
  verify::options o;
  o.dependences = false;
  o.encoding = false;
  o.notes = true;
  return verify::check<sm>(p, o).findings;
}
}  // namespace

TEST_CASE("verify lints: a register that no path has written") {
  const auto v = found(build({alu(R(0), R(1)), stg(R(0), R(0)).stall(2), exit_()}));
  REQUIRE(v.size() == 2);  // R1, and R1 as the upper half of the address
  CHECK(v[0].kind == finding_kind::undefined_read);
  CHECK(v[0].second == instr_id{0});
  CHECK(v[0].target == R(1));
  SECTION("one path is enough") {
    CHECK(found(build({alu(R(2)), alu(R(0)), alu(R(0), R(2)), alu(R(4), R(2)),
                       op(sched_class::sts, {operand::use(R(0), slot::address), operand::use(R(4), slot::data)})
                           .flag(iflag::side_effect),
                       exit_()},
                      {1, 1, 1, 3}, {{0, 1}, {0, 2, edge_kind::branch}, {1, 3}, {2, 3}}))
              .empty());
  }
  SECTION("a copy of a pair of which one half is there") {
    const auto pair = [](opcode o) {
      line l = op(sched_class::alu, {operand::def(R(4), slot::dst, 2), operand::use(R(0), slot::b, 2)});
      l.i.op = o;
      return found(build({alu(R(1)), l.stall(4), alu(R(0)).stall(4),
                          op(sched_class::sts, {operand::use(R(4), slot::address)}).flag(iflag::side_effect),
                          op(sched_class::sts, {operand::use(R(5), slot::address)}).flag(iflag::side_effect),
                          op(sched_class::sts, {operand::use(R(0), slot::address)}).flag(iflag::side_effect), exit_()}));
    };
    for (const opcode o : {opcode::mov, opcode::iadd3}) {
      const auto p = pair(o);
      REQUIRE(p.size() == 1);
      CHECK(p[0].kind == finding_kind::undefined_read);
      CHECK(p[0].target == R(0));
      CHECK(p[0].level == (o == opcode::mov ? verify::severity::note : verify::severity::finding));
    }
  }
  SECTION("it alleges something where the register is written soon behind, of copies where it is right behind") {
    const auto level = [](opcode o, unsigned between, bool written, reg unset = R(32)) {
      line reader = alu(R(6), unset).stall(5);
      reader.i.op = o;
      std::vector<line> lines{reader};
      for (unsigned k = 0; k < between; ++k) lines.push_back(alu(R(8 + k)));
      if (written) lines.push_back(alu(unset));
      lines.push_back(op(sched_class::sts, {operand::use(R(6), slot::address)}).flag(iflag::side_effect).stall(5));
      lines.push_back(exit_());
      for (const verify::finding& f : found(build(lines))) {
        if (f.kind == finding_kind::undefined_read) return f.level;
      }
      FAIL("nothing found");
      return verify::severity::note;
    };
    using verify::severity;
    CHECK(level(opcode::iadd3, 0, true) == severity::finding);
    CHECK(level(opcode::iadd3, 7, true) == severity::finding);
    CHECK(level(opcode::iadd3, 8, true) == severity::note);
    CHECK(level(opcode::iadd3, 0, false) == severity::note);
    for (const opcode copy : {opcode::mov, opcode::r2ur, opcode::prmt, opcode::imad}) {
      CHECK(level(copy, 0, true) == severity::finding);
      CHECK(level(copy, 1, true) == severity::note);
    }
    CHECK(level(opcode::mov, 0, true, reg(reg_file::ur, 13)) == severity::note);
  }
  SECTION("predicates that were put aside need never have been, and who changes a bit of them writes nothing") {
    // LOP3.LUT P0, RZ, R32, 0x2000 and what comes behind it
    const auto level = [](opcode o, std::initializer_list<operand> sources, std::initializer_list<line> behind,
                          unsigned stall = 13) {
      line asks = op(sched_class::alu, {operand::def(P(0), slot::pdst), operand::use(R(32), slot::a)}).stall(stall);
      for (const operand& s : sources) asks.operands.push_back(s);
      asks.i.op = o;
      std::vector<line> lines{asks};
      for (const line& l : behind) lines.push_back(l);
      lines.push_back(
          op(sched_class::sts, {operand::use(R(32), slot::address)}).guard(P(0)).flag(iflag::side_effect).stall(5));
      lines.push_back(exit_());
      for (const verify::finding& f : found(build(lines))) {
        if (f.kind == finding_kind::undefined_read && f.second == instr_id{0}) return f.level;
      }
      FAIL("nothing found");
      return verify::severity::note;
    };
    using verify::severity;
    const line set = alu(R(32)).stall(4);
    const line change = alu(R(32), R(32)).stall(4);
    const line other = alu(R(40)).stall(4);
    for (const opcode o : {opcode::lop3, opcode::isetp}) {
      CHECK(level(o, {}, {set}) == severity::finding);
      CHECK(level(o, {}, {other, set}) == severity::note);
      CHECK(level(o, {}, {alu(R(32)).guard(P(0)).stall(4), set}) == severity::note);
      CHECK(level(o, {operand::use(R(32), slot::b)}, {other, set}) == severity::finding);
      CHECK(level(o, {}, {alu(R(32)).stall(1)}, 1) == severity::note);  // too close, were it the other way round
      line again = alu(R(32)).stall(4);                                 // P2R: of what has just been asked
      again.operands.push_back(operand::use(P(0), slot::psrc));
      CHECK(level(o, {}, {again}) == severity::note);
    }
    // A uniform register beside the one that is asked is no predicate put aside.
    const reg bound{reg_file::ur, 13};
    line compares =
        op(sched_class::alu, {operand::def(P(0), slot::pdst), operand::use(R(2), slot::a), operand::use(bound, slot::b)});
    compares.i.op = opcode::isetp;
    bool alleged = false;
    for (const verify::finding& f : found(
             build({alu(R(2)).stall(4), compares.stall(13), alu(bound).stall(4),
                    op(sched_class::sts, {operand::use(R(2), slot::address)}).guard(P(0)).flag(iflag::side_effect).stall(5),
                    exit_()}))) {
      alleged = alleged || (f.kind == finding_kind::undefined_read && f.level == severity::finding);
    }
    CHECK(alleged);
    CHECK(level(opcode::iadd3, {}, {other, set}) == severity::finding);
    CHECK(level(opcode::iadd3, {}, {change, other}) == severity::note);
    CHECK(level(opcode::iadd3, {}, {change, set}) == severity::finding);
  }
  SECTION("behind a call of unknown code everything may have been written") {
    CHECK(found(build({bra(0), op(sched_class::sts, {operand::use(R(0), slot::address)}).flag(iflag::side_effect), exit_()},
                      {1, 2}, {{0, 1, edge_kind::call_return}}))
              .empty());
  }
}

TEST_CASE("verify lints: a result that nothing uses") {
  auto sts = [](reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect); };
  const auto v = found(build({alu(R(0)), alu(R(1)), sts(R(1)), exit_()}));
  REQUIRE(v.size() == 1);
  CHECK(v[0].kind == finding_kind::dead_result);
  CHECK(v[0].second == instr_id{0});
  CHECK(v[0].target == R(0));
  CHECK(found(build({alu(R(0)), alu(R(0)), sts(R(0)), exit_()})).size() == 1);
  SECTION("a guarded writer behind it leaves a use") {
    CHECK(found(build({alu(P(0)), alu(R(0)), alu(R(0)).guard(P(0)), sts(R(0)), exit_()})).empty());
  }
  SECTION("a use on one path only, or around the loop") {
    CHECK(found(build({alu(R(0)), alu(R(1)), sts(R(0)), sts(R(1)), exit_()}, {2, 1, 2},
                      {{0, 1}, {0, 2, edge_kind::branch}, {1, 2}}))
              .empty());
    CHECK(found(build({alu(R(0)), sts(R(0)), alu(R(0)), exit_()}, {1, 2, 1}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}))
              .empty());
  }
  SECTION("code that is not known may use it") {
    CHECK(found(build({alu(R(0)), bra(0)})).empty());
    CHECK(found(build({alu(R(0)), op(sched_class::unknown, {}).flag(iflag::unknown), exit_()})).empty());
  }
}

TEST_CASE("verify lints: a producer that stands right behind its consumer") {
  auto sts = [](reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect); };
  auto kinds = [](const program& p) {
    std::vector<finding_kind> k;
    for (const verify::finding& f : found(p)) {
      if (f.level == verify::severity::finding) k.push_back(f.kind);
    }
    return k;
  };
  // R0 = ..; R1 = f(R0) in the wrong order: R0 holds something older, so that only the dead result shows.
  const line old = alu(R(0)).stall(4);
  const line pad = alu(R(60)).stall(2);  // keeps others apart
  SECTION("control fields moved along: the late producer still waits for its reader") {
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(7), alu(R(0)).stall(4), sts(R(1)).stall(5), exit_()})) ==
          std::vector<finding_kind>{finding_kind::exchanged_pair});
  }
  SECTION("control fields stayed: the early reader waits for nobody") {
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(4), alu(R(0)).stall(10), sts(R(1)).stall(5), exit_()})) ==
          std::vector<finding_kind>{finding_kind::exchanged_pair});
  }
  const std::vector<finding_kind> betrayed{finding_kind::exchanged_pair};
  SECTION("where a call comes back to is put down last, and the mask of a barrier of all threads is not taken") {
    const auto followed = [&](const line& y, const line& next) {
      return kinds(build({old, alu(R(1), R(0)).stall(7), y, next, sts(R(1)).stall(5), exit_()})) == betrayed;
    };
    line target = op(sched_class::lepc, {operand::def(R(0), slot::dst, 2)}).stall(4);
    target.i.op = opcode::lepc;
    const line other = alu(R(61)).stall(13);
    CHECK(followed(alu(R(0)).stall(4), other));
    CHECK_FALSE(followed(target, other));
    CHECK_FALSE(followed(alu(R(0)).stall(7), op(sched_class::collective, {}).stall(5)));
  }
  const line spill = op(sched_class::stl, {operand::use(R(1), slot::data)}).flag(iflag::side_effect);
  // R0 as it was, and somebody who has let go, so that nobody close behind it does so at two cycles.
  const line earlier = alu(R(0)).stall(2).yield(true);
  const line gap = alu(R(9)).stall(2);
  auto spilling = [&](line first, line second) {
    line s = spill;
    s.i.space = mem_space::local;
    s.i.dir = mem_dir::store;
    return build({earlier, gap, first, second, pad, pad, s.stall(5), exit_()});
  };
  SECTION("a lost result beside its reader needs no other witness") {
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(7), alu(R(0)).stall(7), sts(R(1)).stall(5), exit_()})) == betrayed);
  }
  SECTION("shifted numbers and what is moved on for another round are left over: the control fields have to witness") {
    line shifted = alu(R(0), R(6));
    shifted.i.op = opcode::shf;
    shifted.flag(iflag::reads_immediate);
    for (const line& late : {shifted, alu(R(0), R(0))}) {
      const auto with = [&](unsigned y) {
        return kinds(build({alu(R(6)).stall(4), earlier, gap, alu(R(1), R(0)).stall(2), line(late).stall(y).yield(true), pad,
                            pad, sts(R(1)).stall(5), exit_()}));
      };
      CHECK(with(7).empty());
      CHECK(with(4) == betrayed);
    }
  }
  SECTION("where values are spilled, recomputed ones are left behind: the control fields have to witness") {
    CHECK(kinds(spilling(alu(R(1), R(0)).stall(2), alu(R(0)).stall(7).yield(true))).empty());
    CHECK(kinds(spilling(alu(R(1), R(0)).stall(2), alu(R(0)).stall(4).yield(true))) == betrayed);
    CHECK(kinds(spilling(alu(R(1), R(0)).stall(4).yield(true), alu(R(0)).stall(2))) == betrayed);
  }
  SECTION("saved predicates, active masks, copies of uniform registers and guarded writes are left behind by habit") {
    for (const sched_class c : {sched_class::p2r, sched_class::vote, sched_class::match}) {
      CHECK(kinds(build({old, alu(R(1), R(0)), alu(R(0), RZ, RZ, c), sts(R(1)).stall(5), exit_()})).empty());
    }
    CHECK(kinds(build({old, alu(reg(reg_file::ur, 4)), alu(R(1), R(0)), alu(R(0), reg(reg_file::ur, 4)), sts(R(1)).stall(5),
                       exit_()}))
              .empty());
    CHECK(kinds(build({old, alu(P(0)), alu(R(1), R(0)), alu(R(0)).guard(P(0)), sts(R(1)).stall(5), exit_()})).empty());
  }
  SECTION("where other threads take part, the wait has to witness, and the counter has to be nobody else's") {
    const line shuffle = alu(R(0), R(6), RZ, sched_class::shfl).sets(2);
    const line reader = alu(R(1), R(0)).stall(7);
    const line store = sts(R(6)).sets_read(2);
    auto with = [&](line before, line x) {
      return kinds(build({alu(R(6)).stall(4), old, before, x, shuffle, sts(R(1)).stall(5), exit_()}));
    };
    CHECK(with(alu(R(7)), reader).empty());
    CHECK(with(alu(R(7)), line(reader).waits(2)) == betrayed);
    CHECK(with(store, line(reader).waits(2)).empty());
    // A wait that nobody needs does not make the counter free; one for the store's source does.
    const auto between = [&](line waiter) {
      return kinds(build({alu(R(6)).stall(4), old, store, waiter.waits(2).stall(7), line(reader).waits(2), shuffle,
                          sts(R(1)).stall(5), exit_()}));
    };
    CHECK(between(alu(R(7))).empty());
    CHECK(between(alu(R(6))) == betrayed);
  }
  SECTION("code that is mostly copies was never optimised, whatever its control words say") {
    const line copy = alu(R(20)).stall(2);
    line mov = copy;
    mov.i.op = opcode::mov;
    line late = alu(R(0)).stall(4);
    late.i.op = opcode::mov;  // computed results nobody loses either way
    CHECK(kinds(build({old, copy, copy, copy, alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()})) == betrayed);
    CHECK(kinds(build({old, mov, mov, mov, alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()})).empty());
    // or if some of the copies are of registers to themselves: eight, and one in 128
    const auto with = [&](unsigned to_itself, unsigned others) {
      line idle = alu(R(21), R(21)).stall(2);
      idle.i.op = opcode::mov;
      std::vector<line> lines{old, alu(R(21)).stall(4)};
      for (unsigned k = 0; k < to_itself; ++k) lines.push_back(idle);
      for (unsigned k = 0; k < others; ++k) lines.push_back(copy);
      for (const line& l : {alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()}) lines.push_back(l);
      return kinds(build(lines));
    };
    CHECK(with(7, 200) == betrayed);
    CHECK(with(8, 200).empty());
    CHECK(with(8, 8 * 128 - 14).empty());
    CHECK(with(8, 8 * 128 - 13) == betrayed);
  }
  SECTION("no pair was exchanged that could not have stood the other way round") {
    // Compilers do leave dead results. Too close to each other, or the reader too close to who needs its result.
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(1), alu(R(0)).stall(2), sts(R(1)).stall(5), exit_()})).empty());
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(2), alu(R(0)).stall(7), alu(R(9), R(1)), sts(R(9)).stall(5), exit_()}))
              .empty());
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(4), alu(R(0)).stall(7), alu(R(9), R(1)), sts(R(9)).stall(5), exit_()})) ==
          betrayed);
    // The late producer too close to who is before the two, unless that value has been overwritten since.
    const line source = alu(R(5)).stall(3);
    const line late = alu(R(0), R(5)).stall(4);
    CHECK(kinds(build({old, source, alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()})).empty());
    CHECK(kinds(build({old, line(source).stall(4), alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()})) ==
          betrayed);
  }
  SECTION("the high half of a shared address is left behind") {
    line high = alu(R(0), R(0)).stall(4);
    high.operands.push_back(operand::use(P(0), slot::psrc));
    const auto over = [&](opcode o) {
      line low = alu(R(0), R(5)).stall(7);
      low.i.op = o;
      return kinds(build({alu(P(0)), alu(R(5)).stall(4), line(old).stall(13), high, low, sts(R(0)).stall(5), exit_()}));
    };
    CHECK(over(opcode::mov).empty());
    CHECK(over(opcode::iadd3) == betrayed);
  }
  SECTION("longer stalls beside a live result mean nothing") {
    for (unsigned n = 1; n <= 15; ++n) {
      CHECK(
          kinds(build({old, alu(R(1), R(0)).stall(n), alu(R(0)).stall(1), sts(R(1)).stall(5), sts(R(0)), exit_()})).empty());
      CHECK(kinds(build({old, alu(R(1), R(0)), alu(R(0)).stall(n), sts(R(1)).stall(5), sts(R(0)), exit_()})).empty());
    }
  }
  SECTION("an early result that the late producer overwrites unread") {
    // R0 = ..; R0 = f(R0) in the wrong order.
    CHECK(kinds(build({old, alu(R(0), R(0)).stall(7), alu(R(0)).stall(7), sts(R(0)).stall(5), exit_()})) == betrayed);
    // A chain is a chain either way round.
    CHECK(kinds(build({old, alu(R(0), R(0)).stall(7), alu(R(0), R(0)).stall(7), sts(R(0)).stall(5), exit_()})).empty());
  }
  SECTION("of a wide product nobody throws the high half away") {
    auto wide = [](reg d, reg a) {
      return op(sched_class::imad_wide, {operand::def(d, slot::dst, 2), operand::use(a, slot::a)}).stall(7);
    };
    const line address = op(sched_class::sts, {operand::use(R(2), slot::address, 2)}).flag(iflag::side_effect).stall(5);
    CHECK(kinds(build({alu(R(3)), wide(R(2), R(3)), alu(R(3)).stall(7), address, exit_()})) == betrayed);
    CHECK(kinds(build({alu(R(3)), wide(R(2), R(3)), alu(R(2), R(3)).stall(7), address, exit_()})).empty());
  }
  SECTION("a source that the first turn of a loop does not have, written right behind its reader") {
    const line use = alu(R(1), R(0)).stall(2);
    const line back = bra(0);
    auto loop = [&](line before, line y, bool read_later) {
      std::vector<line> lines{before, use, y, pad, pad, sts(R(1)).stall(5), back};
      if (read_later) lines.push_back(sts(R(0)));
      lines.push_back(exit_());
      return kinds(build(lines, {1, 6, read_later ? 2u : 1u}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}));
    };
    CHECK(loop(alu(R(2)), alu(R(0)).stall(4), false) == betrayed);
    CHECK(loop(alu(R(0)), alu(R(0)).stall(4), false).empty());
    // Arrays that are set in part are read as if they were whole: what is read in this round too was meant to be written.
    CHECK(loop(alu(R(2)), alu(R(0)).stall(4), true).empty());
    // Who needs the reader's own result stands behind it.
    CHECK(loop(alu(R(2)), alu(R(0), R(1)).stall(4), false).empty());
    // of two values a predicate may have taken the other one
    const auto one_of_two = [&](opcode o) {
      line select = op(sched_class::alu, {operand::def(R(1), slot::dst), operand::use(R(2), slot::a),
                                          operand::use(R(0), slot::b), operand::use(P(3), slot::psrc)});
      select.i.op = o;
      return kinds(
          build({alu(P(3)), alu(R(2)), select.stall(2), alu(R(0)).stall(4), pad, pad, sts(R(1)).stall(5), back, exit_()},
                {2, 6, 1}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}));
    };
    CHECK(one_of_two(opcode::iadd3) == betrayed);
    CHECK(one_of_two(opcode::fsel).empty());
    const auto guarded = [&](reg p) {
      line copy = alu(R(1), R(0));
      if (p == P(3)) copy.guard(p);
      return kinds(
          build({alu(P(3)), alu(R(1)), copy.stall(2), alu(R(0)).stall(4), pad, pad, sts(R(1)).stall(5), back, exit_()},
                {2, 6, 1}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}));
    };
    CHECK(guarded(PT) == betrayed);
    CHECK(guarded(P(3)).empty());
    // a result that lands some time and is read in this round: a wait more than is needed tells nothing
    auto counted = [&](line x) {
      return build({alu(R(2)), alu(R(6)).stall(7), x, alu(R(0), R(6), RZ, sched_class::mufu).sets(2), pad, pad,
                    sts(R(1)).stall(5), back, sts(R(0)), exit_()},
                   {2, 6, 2}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}});
    };
    CHECK(kinds(counted(use)).empty());
    CHECK(kinds(counted(line(use).waits(2))).empty());
  }
}

TEST_CASE("verify lints: stalls around an exchanged pair") {
  auto sts = [](reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect); };
  auto betrayed = [](const program& p) {
    for (const verify::finding& f : found(p)) {
      if (f.kind == finding_kind::exchanged_pair) return true;
    }
    return false;
  };
  const line old = alu(R(0)).stall(2).yield(true);
  const line gap = alu(R(9)).stall(2);
  const line pad = alu(R(60)).stall(2);
  // R0 = ..; R1 = f(R0) in the wrong order, and R0 has another reader, so that the stalls alone tell.
  auto code = [&](line x, line y, unsigned idle = 0) {
    std::vector<line> lines{old, gap, x, y, pad, pad, sts(R(1)).stall(5), sts(R(0)).stall(2)};
    for (unsigned k = 0; k < idle; ++k) lines.push_back(alu(R(50)).stall(9));  // cycles given away
    lines.push_back(exit_());
    return build(lines);
  };
  const line x = alu(R(1), R(0));
  const line y = alu(R(0));
  SECTION("one that is idle, as long as the opposite order needs") {
    CHECK(betrayed(code(line(x).stall(2), line(y).stall(4).yield(true))));
    CHECK(betrayed(code(line(x).stall(4).yield(true), line(y).stall(2))));
    // a clock is read where the source asks for it
    CHECK_FALSE(betrayed(code(line(x).stall(4).yield(true), line(y).flag(iflag::reads_clock).stall(2))));
    // idle in either order
    CHECK_FALSE(betrayed(code(line(x).stall(2), line(y).stall(7).yield(true))));
    CHECK_FALSE(betrayed(code(line(x).stall(7).yield(true), line(y).stall(4).yield(true))));
    CHECK_FALSE(betrayed(code(line(x).stall(2), line(y).stall(2))));
  }
  SECTION("one that comes before its pipe is free, which no longer stall explains") {
    const auto hurried = [&](const line& first, const line& before, unsigned others) {
      std::vector<line> lines{
          before, line(first).stall(1), line(y).stall(4),  alu(R(60), RZ, RZ, sched_class::fma).stall(2), pad,
          pad,    sts(R(1)).stall(5),   sts(R(0)).stall(2)};
      for (unsigned k = 0; k < others; ++k) lines.push_back(alu(R(50)).stall(1));
      lines.push_back(alu(R(51)).stall(2));
      lines.push_back(exit_());
      return betrayed(build(lines));
    };
    const line quiet = alu(R(0)).stall(2);
    CHECK(hurried(x, quiet, 0));
    CHECK(hurried(x, quiet, 2));
    CHECK_FALSE(hurried(x, quiet, 3));                                      // the program hurries anyway
    CHECK_FALSE(hurried(alu(R(1), R(0), RZ, sched_class::fma), quiet, 0));  // another pipe: the idle one is explained
    CHECK_FALSE(hurried(alu(R(1), R(0), RZ, sched_class::mufu), quiet, 0));
  }
  SECTION("a matrix result binds over as many instructions as it takes cycles") {
    const auto behind_matrix = [&](reg source) {
      std::vector<line> lines{gap, alu(R(40), RZ, RZ, sched_class::hmma_large)};
      for (unsigned k = 0; k < 15; ++k) lines.push_back(fma(R(70 + k)));
      for (const line& l : {old, gap, line(x).stall(4).yield(true), alu(R(0), source).stall(2), pad, pad, sts(R(1)).stall(5),
                            sts(R(0)).stall(2), exit_()})
        lines.push_back(l);
      return betrayed(build(lines));
    };
    CHECK(behind_matrix(RZ));
    CHECK_FALSE(behind_matrix(R(40)));  // 24 cycles behind it
  }
  SECTION("one longer stall explains what it makes idle") {
    for (unsigned n = 1; n <= 11; ++n) {
      CHECK_FALSE(betrayed(code(line(x).stall(n), line(y).stall(1))));
      CHECK_FALSE(betrayed(code(line(x).stall(1), line(y).stall(n))));
    }
    for (unsigned n = 2; n <= 5; ++n) {
      CHECK_FALSE(betrayed(build({old, gap, line(x).stall(n), line(y).stall(4), sts(R(1)).stall(5), sts(R(0)), exit_()})));
    }
    // Two that are idle, and in the opposite order R1 is as far from its reader as it has to be.
    CHECK(
        betrayed(build({old, gap, line(x).stall(6).yield(true), line(y).stall(4), sts(R(1)).stall(5), sts(R(0)), exit_()})));
  }
  SECTION("a stall that lets go of the warp was never one cycle, nor two where another one has just let go") {
    CHECK(betrayed(code(line(x).stall(2), line(y).stall(4).yield(true))));
    CHECK_FALSE(betrayed(code(line(x).stall(2), line(y).stall(4).yield(false))));
    const auto after = [&](unsigned cycles) {
      std::vector<line> lines{old};
      for (unsigned k = 0; k < cycles; k += 2) lines.push_back(alu(R(50 + k)).stall(2));
      for (const line& l :
           {line(x).stall(2), line(y).stall(4).yield(true), pad, pad, sts(R(1)).stall(5), sts(R(0)), exit_()})
        lines.push_back(l);
      return betrayed(build(lines));
    };
    CHECK(after(6));
    CHECK_FALSE(after(8));
  }
  SECTION("a stall is held against the next instruction only") {
    // R5 is as far from its reader as it has to be, but that is not the next one.
    const auto reader = [&](bool next, bool far = false) {
      std::vector<line> lines{old, gap, fma(R(5)).stall(1)};
      if (far) lines.push_back(gap);
      for (const line& l : {fma(R(1), R(0)).stall(1), fma(R(0)).stall(4).yield(true)}) lines.push_back(l);
      if (!next) lines.push_back(alu(R(60)).stall(1));
      for (const line& l : {sts(R(5)).stall(1), pad, pad, sts(R(1)).stall(5), sts(R(0)), exit_()}) lines.push_back(l);
      return betrayed(build(lines));
    };
    CHECK_FALSE(reader(true));
    CHECK(reader(false));
    CHECK(reader(true, true));
  }
  SECTION("stores are moved among each other after the stalls are set") {
    const auto stored = [&](const line& first) {
      return betrayed(build({old, gap, fma(R(1), R(0)).stall(1), fma(R(0)).stall(4).yield(true), first, sts(R(8)).stall(1),
                             sts(R(0)).stall(5), sts(R(1)).stall(5), exit_()}));
    };
    CHECK(stored(alu(R(61)).stall(1)));
    CHECK_FALSE(stored(sts(R(8)).stall(1)));
  }
  SECTION("who reads a double is as far from it as if nobody else had waited") {
    const auto read = [&](reg r) {
      const line twice = op(sched_class::fp64, {operand::def(R(20), slot::dst, 2)}).sets(3).stall(2);
      return betrayed(build({old, gap, twice, fma(R(1), R(0)).stall(1), fma(R(0)).stall(4).yield(true).waits(3),
                             alu(R(61), r).stall(2), pad, sts(R(61)).stall(5), sts(R(1)).stall(5), sts(R(0)), exit_()}));
    };
    CHECK(read(R(9)));
    CHECK_FALSE(read(R(21)));
  }
  SECTION("who is before the two counts if it is as far from the reader as it should be from the late producer") {
    auto with_source = [&](unsigned stall, reg source) {
      return betrayed(build({old, gap, alu(R(5)).stall(stall), line(x).stall(2), alu(R(0), source).stall(4), pad, pad,
                             sts(R(1)).stall(5), sts(R(0)), exit_()}));
    };
    CHECK(with_source(4, R(5)));
    CHECK_FALSE(with_source(4, R(6)));
    CHECK_FALSE(with_source(7, R(5)));
  }
  SECTION("where cycles are given away anyway, idle stalls mean nothing") {
    CHECK(betrayed(code(line(x).stall(2), line(y).stall(4).yield(true), 2)));
    CHECK_FALSE(betrayed(code(line(x).stall(2), line(y).stall(4).yield(true), 8)));
  }
}

TEST_CASE("verify lints: values that are computed, loaded or carried") {
  auto sts = [](reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect).stall(5); };
  auto kinds = [](const program& p) {
    std::vector<finding_kind> k;
    for (const verify::finding& f : found(p)) {
      if (f.level == verify::severity::finding) k.push_back(f.kind);
    }
    return k;
  };
  const std::vector<finding_kind> betrayed{finding_kind::exchanged_pair};
  const line old = alu(R(0)).stall(4);
  const line pad = alu(R(60)).stall(2);
  SECTION("products and sums are neither recomputed nor moved on for another round, masks are not moved on") {
    line spill = op(sched_class::stl, {operand::use(R(1), slot::data)}).flag(iflag::side_effect).stall(5);
    spill.i.space = mem_space::local;
    spill.i.dir = mem_dir::store;
    const auto with = [&](line late, bool spills) {
      return kinds(build({alu(R(6)).stall(4), line(old).stall(5), alu(R(1), R(0)).stall(7), late.stall(7), pad, pad,
                          spills ? spill : sts(R(1)), exit_()}));
    };
    line mask = alu(R(0), R(0));
    mask.i.op = opcode::lop3;
    CHECK(with(fma(R(0), R(0)), false) == betrayed);
    CHECK(with(mask, false) == betrayed);
    CHECK(with(alu(R(0), R(0)), false).empty());
    CHECK(with(fma(R(0), R(6)), true) == betrayed);
    CHECK(with(fma(R(0)), true).empty());  // of constants only
    CHECK(with(alu(R(0), R(6)), true).empty());
  }
  SECTION("uniform registers that are put aside are spills too") {
    const auto with = [&](line first) {
      return kinds(build({first, old, alu(R(1), R(0)).stall(7), alu(R(0)).stall(7), pad, pad, sts(R(1)), exit_()}));
    };
    CHECK(with(alu(R(9))) == betrayed);
    CHECK(with(alu(R(9)).flag(iflag::spill)).empty());
  }
  SECTION("the sum is lost though its carry is read") {
    auto low = [](reg sum) {
      return op(sched_class::alu,
                {operand::def(sum, slot::dst), operand::def(P(0), slot::pdst), operand::use(R(0), slot::a)})
          .stall(7);
    };
    const line high = op(sched_class::alu, {operand::def(R(3), slot::dst), operand::use(P(0), slot::psrc)}).stall(7);
    CHECK(kinds(build({old, low(R(2)),
                       op(sched_class::alu, {operand::def(R(2), slot::dst, 1), operand::def(R(0), slot::dst)}).stall(7),
                       high, sts(R(3)), sts(R(2)), sts(R(0)), exit_()})) == betrayed);
    CHECK(kinds(build({old, low(RZ), alu(R(0)).stall(7), high, sts(R(3)), sts(R(0)), exit_()})).empty());
  }
  SECTION("a carry that only another round adds") {
    const auto carrying = [&](unsigned chain) {
      const line low =
          op(sched_class::alu, {operand::def(R(2), slot::dst), operand::def(P(0), slot::pdst), operand::use(R(2), slot::a)});
      const line high =
          op(sched_class::alu, {operand::def(R(3), slot::dst), operand::use(R(3), slot::a), operand::use(P(0), slot::psrc)});
      std::vector<line> body = chain == 0 ? std::vector<line>{line(high).stall(1), line(low).stall(4), pad, pad}
                                          : std::vector<line>{line(low).stall(4), line(high).stall(1), pad, pad};
      if (chain == 2) {  // the carry of one sum is read, and that of the next comes right behind
        body = {line(low).stall(4), line(high).stall(4), line(low).stall(4), line(high).stall(4)};
      }
      if (chain == 3) body = {line(high).stall(1), line(low).stall(4).guard(P(1)), pad, pad};  // the old carry may stay
      std::vector<line> lines{alu(R(2)).stall(4), alu(P(0)).stall(4), alu(R(3)).stall(4), alu(P(1)).stall(15)};
      for (const line& l : body) lines.push_back(l);
      for (const line& l : {sts(R(2)), sts(R(3)), bra(0), exit_()}) lines.push_back(l);
      return kinds(build(lines, {4, 7, 1}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}));
    };
    CHECK(carrying(0) == betrayed);
    CHECK(carrying(1).empty());
    CHECK(carrying(2).empty());
    CHECK(carrying(3).empty());
  }
  SECTION("nobody loads or computes in vain, optimised or not") {
    const auto with = [&](bool loads) {
      line x = loads ? ldg(R(0), R(0)).sets(0) : alu(R(0), R(0));
      line mov = alu(R(0));
      mov.i.op = opcode::mov;
      line idle = alu(R(30), R(30));
      idle.i.op = opcode::mov;
      return kinds(build({alu(R(1)).stall(15), alu(R(30)).stall(15), line(idle).stall(15), line(idle).stall(15),
                          alu(R(0)).stall(15), x.stall(15), mov.waits(0).stall(15), sts(R(0)).stall(15), exit_()}));
    };
    CHECK(with(true) == betrayed);
    CHECK(with(false) == betrayed);
  }
  SECTION("an address that nobody has set is no insertion into itself") {
    const auto with = [&](slot where) {
      const line load = op(sched_class::ldg, {operand::def(R(0), slot::dst), operand::use(R(0), where)}).sets(0).stall(2);
      return kinds(build({load, alu(R(0)).waits(0).stall(6), sts(R(0)), exit_()}));
    };
    const auto address = with(slot::address);
    CHECK(std::count(address.begin(), address.end(), finding_kind::undefined_read) == 1);
    const auto data = with(slot::data);
    CHECK(std::count(data.begin(), data.end(), finding_kind::undefined_read) == 0);
  }
}

TEST_CASE("verify lints: a carry that nothing adds") {
  auto sts = [](reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect); };
  const line low = op(sched_class::alu, {operand::def(R(0), slot::dst), operand::def(P(0), slot::pdst)});
  const line high = op(sched_class::alu, {operand::def(R(1), slot::dst), operand::use(P(0), slot::psrc)});
  auto carries = [](const program& p) {
    unsigned n = 0;
    for (const verify::finding& f : found(p)) n += f.kind == finding_kind::dead_carry ? 1u : 0u;
    return n;
  };
  CHECK(carries(build({low, high, sts(R(0)), sts(R(1)), exit_()})) == 0);
  CHECK(carries(build({low, alu(P(0)), high, sts(R(0)), sts(R(1)), exit_()})) == 1);
}

TEST_CASE("verify lints: a counter that nobody waits for") {
  auto sts = [](reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect); };
  auto program_with = [&](line last) { return build({alu(R(2)), alu(R(3)), ldg(R(0), R(2)).sets(3), last, exit_()}); };
  const auto v = found(program_with(sts(R(0)).waits(2)));
  REQUIRE(v.size() == 2);
  CHECK(v[0].kind == finding_kind::unused_counter);
  CHECK(v[0].counter == 3);
  CHECK(v[1].kind == finding_kind::idle_wait);
  CHECK(v[1].level == verify::severity::note);
  CHECK(v[1].counter == 2);
  CHECK(found(program_with(sts(R(0)).waits(3))).empty());
}

TEST_CASE("verify lints: into a function that is called once more is no other round of a loop") {
  // Not set on every path, read, and set for the second call of the function.
  const auto calls = [](edge_kind into) {
    return found(build(
        {alu(R(4)), alu(R(16)), alu(R(2)), alu(R(5), R(16)), alu(R(16)).stall(7), alu(R(6), R(16)), alu(R(8)), alu(R(9)),
         stg(R(8), R(5)).stall(2), stg(R(8), R(6)).stall(2), stg(R(8), R(2)).stall(2), stg(R(8), R(4)).stall(2), exit_()},
        {1, 1, 1, 2, 1, 7},
        {{0, 1},
         {0, 2, edge_kind::branch},
         {1, 2},
         {2, 4, into},
         {2, 3, edge_kind::branch},
         {3, 4, into},
         {4, 3, edge_kind::ret},
         {4, 5, edge_kind::ret}}));
  };
  const auto exchanged = [](const ww::vec<verify::finding>& v) {
    return std::count_if(v.begin(), v.end(),
                         [](const verify::finding& f) { return f.kind == finding_kind::exchanged_pair; });
  };
  CHECK(exchanged(calls(edge_kind::call)) == 0);
  CHECK(exchanged(calls(edge_kind::branch)) == 1);
}
