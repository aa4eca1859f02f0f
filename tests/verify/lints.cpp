// SPDX-License-Identifier: BSL-1.0
//
// Properties of values that all compiler output has: reads of something, results that are used, counters that are waited
// for.
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
  SECTION("control fields moved along: the late producer still waits for its reader") {
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(7), alu(R(0)).stall(4), sts(R(1)).stall(5), exit_()})) ==
          std::vector<finding_kind>{finding_kind::exchanged_pair});
  }
  SECTION("control fields stayed: the early reader waits for nobody") {
    CHECK(kinds(build({old, alu(R(1), R(0)).stall(4), alu(R(0)).stall(10), sts(R(1)).stall(5), exit_()})) ==
          std::vector<finding_kind>{finding_kind::exchanged_pair});
  }
  const std::vector<finding_kind> betrayed{finding_kind::exchanged_pair};
  const line spill = op(sched_class::stl, {operand::use(R(1), slot::data)}).flag(iflag::side_effect);
  auto spilling = [&](line first, line second) {
    line s = spill;
    s.i.space = mem_space::local;
    s.i.dir = mem_dir::store;
    return build({old, first, second, s.stall(5), exit_()});
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
        return kinds(
            build({alu(R(6)).stall(4), old, alu(R(1), R(0)).stall(7), line(late).stall(y), sts(R(1)).stall(5), exit_()}));
      };
      CHECK(with(7).empty());
      CHECK(with(4) == betrayed);
    }
  }
  SECTION("where values are spilled, recomputed ones are left behind: the control fields have to witness") {
    CHECK(kinds(spilling(alu(R(1), R(0)).stall(7), alu(R(0)).stall(7))).empty());
    CHECK(kinds(spilling(alu(R(1), R(0)).stall(7), alu(R(0)).stall(4))) == betrayed);
    CHECK(kinds(spilling(alu(R(1), R(0)).stall(4), alu(R(0)).stall(7))) == betrayed);
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
  }
  SECTION("code that is mostly copies was never optimised, whatever its control words say") {
    const line copy = alu(R(20)).stall(2);
    line mov = copy;
    mov.i.op = opcode::mov;
    const line late = alu(R(0)).stall(4);
    CHECK(kinds(build({old, copy, copy, copy, alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()})) == betrayed);
    CHECK(kinds(build({old, mov, mov, mov, alu(R(1), R(0)).stall(7), late, sts(R(1)).stall(5), exit_()})).empty());
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
    const line use = alu(R(1), R(0)).stall(7);
    const line back = bra(0);
    auto loop = [&](line before) {
      return build({before, use, alu(R(0)).stall(4), sts(R(1)).stall(5), back, sts(R(0)), exit_()}, {1, 4, 2},
                   {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}});
    };
    CHECK(kinds(loop(alu(R(2)))) == betrayed);
    CHECK(kinds(loop(alu(R(0)))).empty());
    // Arrays that are set in part are read as if they were whole: the control fields have to witness.
    CHECK(kinds(build({alu(R(2)), use, alu(R(0)).stall(7), sts(R(1)).stall(5), back, sts(R(0)), exit_()}, {1, 4, 2},
                      {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}))
              .empty());
    // Who needs the reader's own result stands behind it.
    CHECK(kinds(build({alu(R(2)), use, alu(R(0), R(1)).stall(4), sts(R(1)).stall(5), back, sts(R(0)), exit_()}, {1, 4, 2},
                      {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}))
              .empty());
    // of two values a predicate may have taken the other one
    const auto one_of_two = [&](opcode o) {
      line select = op(sched_class::alu, {operand::def(R(1), slot::dst), operand::use(R(2), slot::a),
                                          operand::use(R(0), slot::b), operand::use(P(3), slot::psrc)});
      select.i.op = o;
      return kinds(
          build({alu(P(3)), alu(R(2)), select.stall(7), alu(R(0)).stall(4), sts(R(1)).stall(5), back, sts(R(0)), exit_()},
                {2, 4, 2}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}));
    };
    CHECK(one_of_two(opcode::iadd3) == betrayed);
    CHECK(one_of_two(opcode::fsel).empty());
    const auto guarded = [&](reg p) {
      line copy = alu(R(1), R(0));
      if (p == P(3)) copy.guard(p);
      return kinds(
          build({alu(P(3)), alu(R(1)), copy.stall(7), alu(R(0)).stall(4), sts(R(1)).stall(5), back, sts(R(0)), exit_()},
                {2, 4, 2}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}}));
    };
    CHECK(guarded(PT) == betrayed);
    CHECK(guarded(P(3)).empty());
    // a result that lands some time is waited for by who needs it
    auto counted = [&](line x) {
      return build({alu(R(2)), alu(R(6)).stall(7), x, alu(R(0), R(6), RZ, sched_class::mufu).sets(2), sts(R(1)).stall(5),
                    back, sts(R(0)), exit_()},
                   {2, 4, 2}, {{0, 1}, {1, 1, edge_kind::branch}, {1, 2}});
    };
    CHECK(kinds(counted(use)).empty());
    CHECK(kinds(counted(line(use).waits(2))) == betrayed);
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
