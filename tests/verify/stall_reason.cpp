// SPDX-License-Identifier: BSL-1.0
//
// Reasons that compilers have for a stall beyond the distances of the tables, each beside the same code without it.
#include "warpwright/verify/stall_reason.hpp"

#include <utility>

#include "../support/catch.hpp"
#include "toy.hpp"
#include "warpwright/arch/sm100.hpp"
#include "warpwright/arch/sm120.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm86.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/arch/sm90a.hpp"

using namespace toy;
namespace checked = ww::verify::detail;

namespace {
// Does the k-th instruction of one block need every cycle that it waits?
template <class Arch>
bool reasoned(const program& p, std::size_t k) {
  return checked::reasoned<Arch>(p, p.blocks[0], k);
}
line of_class(sched_class c, reg d, reg a, unsigned stall) { return alu(d, a, RZ, c).stall(stall); }
}  // namespace

TEST_CASE("verify stalls: what stands between two matrix operations shares out their distance") {
  constexpr sched_class matrix = sched_class::hmma_medium;
  constexpr unsigned pace = ww::sm86::pipes::interval(matrix);
  REQUIRE(pace >= 8);
  const auto between = [&](unsigned first, unsigned second, sched_class last) {
    return reasoned<ww::sm86>(build({of_class(matrix, R(8), R(2), 1), of_class(sched_class::fma, R(20), R(3), first),
                                     of_class(sched_class::alu, R(21), R(4), second), of_class(last, R(12), R(6), 1),
                                     of_class(sched_class::alu, R(22), R(4), 1), exit_()}),
                              1);
  };
  for (unsigned first = 3; first + 2 < pace; ++first) {
    CHECK(between(first, pace - first - 1, matrix));
    CHECK_FALSE(between(first, pace - first - 2, matrix));            // two matrix operations closer than their pace
    CHECK_FALSE(between(first, pace - first, matrix));                // or farther
    CHECK_FALSE(between(first, pace - first - 1, sched_class::alu));  // nothing to share
  }
}

TEST_CASE("verify stalls: floating point and IMAD keep one pace where they share a pipe") {
  constexpr sched_class light = sched_class::fma;
  constexpr sched_class heavy = sched_class::imad;
  REQUIRE(ww::sm86::pipes::pipe_of(light) != ww::sm86::pipes::pipe_of(heavy));
  CHECK(checked::pace<ww::sm75>(light, heavy) == 2);
  CHECK(checked::pace<ww::sm75>(heavy, light) == 2);
  CHECK(checked::pace<ww::sm80>(light, heavy) == 2);
  CHECK(checked::pace<ww::sm90>(light, heavy) == 1);
  CHECK(checked::pace<ww::sm90>(heavy, light) == 2);
  CHECK(checked::pace<ww::sm86>(light, heavy) == 1);
  CHECK(checked::pace<ww::sm86>(heavy, light) == 1);
  const program p = build({of_class(light, R(20), R(3), 2), of_class(heavy, R(21), R(4), 1), exit_()});
  CHECK(reasoned<ww::sm75>(p, 0));
  CHECK_FALSE(reasoned<ww::sm86>(p, 0));
}

TEST_CASE("verify stalls: half precision keeps the pace of pipes whose operand cache it does not share") {
  constexpr sched_class half = sched_class::half, to_float = sched_class::half_f32, compared = sched_class::half_alu;
  REQUIRE(ww::sm90::pipes::pipe_of(half) != ww::sm90::pipes::pipe_of(sched_class::fma));
  CHECK(checked::pace<ww::sm80>(half, sched_class::fma) == 1);
  CHECK(checked::pace<ww::sm86>(half, sched_class::fma) == 1);
  CHECK(checked::pace<ww::sm90>(half, sched_class::fma) == 2);
  CHECK(checked::pace<ww::sm90>(sched_class::fma, half) == 1);
  CHECK(checked::pace<ww::sm80>(to_float, sched_class::imad) == 1);
  CHECK(checked::pace<ww::sm86>(to_float, sched_class::imad) == 2);
  CHECK(checked::pace<ww::sm80>(compared, sched_class::alu) == 1);
  CHECK(checked::pace<ww::sm86>(compared, sched_class::alu) == 2);
  CHECK(checked::pace<ww::sm120>(sched_class::alu, compared) == 2);
}

TEST_CASE("verify stalls: five cycles before a cache is thrown away, and counted matrices of sm_75 by their own pace") {
  const auto in_front = [](const line& next, unsigned stall) {
    return reasoned<ww::sm80>(build({of_class(sched_class::imad, R(20), R(4), stall), next, exit_()}), 0);
  };
  const line drop = op(sched_class::cctl, {}).flag(iflag::fence).stall(5);
  CHECK(in_front(drop, 5));
  CHECK_FALSE(in_front(drop, 4));
  CHECK_FALSE(in_front(of_class(sched_class::imad, R(24), R(6), 1), 5));
  const auto behind_matrix = [](unsigned apart, reg source) {
    const program p = build({of_class(sched_class::hmma_medium, R(20), R(4), 1).sets(0),
                             of_class(sched_class::alu, R(24), source, 1).waits(0), exit_()});
    return checked::binds<ww::sm75>(p, p[instr_id{0}], p[instr_id{1}], apart);
  };
  REQUIRE(ww::sm75::latency::variable(sched_class::hmma_medium));
  CHECK(behind_matrix(10, R(20)));
  CHECK(behind_matrix(14, R(20)));
  CHECK_FALSE(behind_matrix(11, R(20)));
  CHECK_FALSE(behind_matrix(10, R(6)));
}

TEST_CASE("verify stalls: two cycles in front of a load that overwrites a source") {
  line load = op(sched_class::ldl, {operand::def(R(3), slot::dst), operand::use(R(1), slot::address)}).sets(0);
  load.i.dir = mem_dir::load;
  REQUIRE(ww::sm86::latency::variable(sched_class::ldl));
  const auto before = [&](unsigned stall, reg source) {
    return reasoned<ww::sm86>(
        build({of_class(sched_class::fma, R(20), source, stall), load, of_class(sched_class::alu, R(22), R(4), 1), exit_()}),
        0);
  };
  CHECK_FALSE(before(2, R(9)));
  CHECK(before(2, R(3)));
  CHECK_FALSE(before(3, R(3)));
}

TEST_CASE("verify stalls: 64-bit arithmetic of sm_120 keeps the ALU for three cycles") {
  const auto waits = [&](sched_class c, unsigned width, unsigned stall) {
    const line first = op(c, {operand::def(R(20), slot::dst, width), operand::use(R(4), slot::a, 2)}).stall(stall);
    return reasoned<ww::sm120>(
        build({first, of_class(sched_class::alu, R(24), R(6), 1), of_class(sched_class::alu, R(25), R(6), 1), exit_()}), 0);
  };
  for (const sched_class wide : {sched_class::alu_64, sched_class::setp_64, sched_class::alu_dual}) {
    CHECK(waits(wide, 2, 3));
    CHECK_FALSE(waits(wide, 2, 4));
  }
  // IMNMX.U64 names two predicates first.
  const auto least = [](unsigned width, unsigned stall) {
    const line first = op(sched_class::alu_dual, {operand::def(reg{reg_file::p, 7}, slot::pdst),
                                                  operand::def(R(20), slot::dst, width), operand::use(R(4), slot::a, width)})
                           .stall(stall);
    return reasoned<ww::sm120>(
        build({first, of_class(sched_class::alu, R(24), R(6), 1), of_class(sched_class::alu, R(25), R(6), 1), exit_()}), 0);
  };
  CHECK(least(2, 3));
  CHECK_FALSE(least(2, 4));
  CHECK_FALSE(least(1, 3));
  CHECK_FALSE(waits(sched_class::alu_dual, 1, 3));
  CHECK_FALSE(waits(sched_class::alu, 2, 3));
}

TEST_CASE("verify stalls: matrix operations of four warps keep the pace of their columns") {
  const auto matrix = [](unsigned columns) {
    return op(sched_class::hgmma, {operand::def(R(24), slot::dst, columns / 2)}).stall(1);
  };
  const auto between = [&](unsigned columns, unsigned stall, sched_class next) {
    const line last = next == sched_class::hgmma ? matrix(columns) : of_class(next, R(200), R(6), 1);
    return reasoned<ww::sm90a>(build({matrix(columns), of_class(sched_class::ualu, R(220), R(4), stall), last, exit_()}), 1);
  };
  for (const unsigned columns : {80u, 112u, 128u}) {
    const unsigned stall = columns / 8 - 4 - 1;
    CHECK(between(columns, stall, sched_class::hgmma));
    CHECK_FALSE(between(columns, stall - 1, sched_class::hgmma));
    CHECK_FALSE(between(columns, stall + 1, sched_class::hgmma));
    CHECK_FALSE(between(columns, stall, sched_class::alu));
  }
  // Several instructions share the distance.
  const auto shared = [&](unsigned first, unsigned second) {
    return reasoned<ww::sm90a>(build({matrix(128), of_class(sched_class::ualu, R(220), R(4), first),
                                      of_class(sched_class::ualu, R(221), R(6), second), matrix(128), exit_()}),
                               1);
  };
  CHECK(shared(6, 5));
  CHECK_FALSE(shared(6, 4));
  const program p = build({matrix(192), matrix(192), exit_()});
  CHECK(checked::binds<ww::sm90a>(p, p[instr_id{0}], p[instr_id{1}], 20));
  CHECK_FALSE(checked::binds<ww::sm90a>(p, p[instr_id{0}], p[instr_id{1}], 19));
  CHECK(checked::matrix_pace<ww::sm90a>(p, p[instr_id{0}]) == 20);
}

TEST_CASE("verify stalls: a shuffle may have been moved in front of the one that a stall was for") {
  const auto shuffle = [](reg d, reg a) {
    return op(sched_class::shfl, {operand::def(d, slot::dst), operand::use(a, slot::a)}).stall(1);
  };
  const auto before = [](unsigned stall, const line& next, const line& later) {
    return reasoned<ww::sm90>(build({of_class(sched_class::alu, R(42), R(3), stall), next, later, exit_()}), 0);
  };
  REQUIRE(ww::sm90::latency::raw({sched_class::alu, slot::dst, reg_file::r, 0, false},
                                 {sched_class::shfl, slot::a, reg_file::r, 0, false})
              .check == 5);
  CHECK(before(5, shuffle(R(62), R(13)), shuffle(R(69), R(42))));
  CHECK_FALSE(before(6, shuffle(R(62), R(13)), shuffle(R(69), R(42))));
  CHECK_FALSE(before(4, shuffle(R(62), R(13)), shuffle(R(69), R(42))));
  CHECK_FALSE(before(5, shuffle(R(62), R(13)), shuffle(R(69), R(14))));
  CHECK_FALSE(before(5, of_class(sched_class::alu, R(62), R(13), 1), shuffle(R(69), R(42))));
  CHECK_FALSE(before(4, shuffle(R(62), R(13)), of_class(sched_class::alu, R(69), R(42), 1)));
}

TEST_CASE("verify stalls: a store takes its address up to two cycles later than it could") {
  const auto apart = [](unsigned cycles, sched_class reader, mem_dir dir) {
    line store = op(reader, {operand::use(R(4), slot::address, 2)}).flag(iflag::side_effect).stall(1);
    store.i.dir = dir;
    store.i.space = mem_space::global;
    const unsigned need = ww::sm80::latency::raw({sched_class::imad_wide, slot::dst, reg_file::r, 0, false},
                                                 {reader, slot::address, reg_file::r, 0, false})
                              .check;
    REQUIRE(need == 5);
    line product = op(sched_class::imad_wide, {operand::def(R(4), slot::dst, 2), operand::use(R(6), slot::a)}).stall(3);
    return reasoned<ww::sm80>(build({product, of_class(sched_class::alu, R(20), R(3), cycles - 3), store, exit_()}), 1);
  };
  CHECK(apart(6, sched_class::stg, mem_dir::store));
  CHECK(apart(7, sched_class::stg, mem_dir::store));
  CHECK_FALSE(apart(8, sched_class::stg, mem_dir::store));
}

TEST_CASE(
    "verify stalls: R2P waits for predicates that its mask leaves out, and uniform ones are overwritten three cycles "
    "later") {
  const auto restored = [](unsigned stall, line giver) {
    line r2p = op(sched_class::alu, {operand::def(P(2), slot::pdst), operand::use(R(42), slot::a)});
    r2p.i.op = opcode::r2p;
    return reasoned<ww::sm75>(build({giver.stall(stall), r2p, exit_()}), 0);
  };
  const line carry = op(sched_class::alu, {operand::def(R(62), slot::dst), operand::def(P(0), slot::pdst1),
                                           operand::use(R(28), slot::a)});  // LEA R62, P0, R28, ..
  const line none =
      op(sched_class::alu, {operand::def(R(62), slot::dst), operand::def(PT, slot::pdst1), operand::use(R(28), slot::a)});
  CHECK(restored(4, carry));
  CHECK_FALSE(restored(5, carry));
  CHECK_FALSE(restored(3, carry));
  CHECK_FALSE(restored(4, none));
  const auto voted = [](unsigned stall, unsigned predicate) {
    line sum = op(sched_class::ualu, {operand::def(UR(13), slot::dst), operand::use(UP(0), slot::psrc)}).stall(stall);
    line vote = op(sched_class::voteu, {operand::def(UP(predicate), slot::pdst), operand::use(P(1), slot::psrc)});
    return !reasoned<ww::sm100>(build({sum, vote, exit_()}), 0);
  };
  CHECK_FALSE(voted(3, 0));
  CHECK(voted(4, 0));
  CHECK(voted(3, 1));
}

TEST_CASE("verify stalls: accesses to memory keep a pace of their own") {
  const auto access = [](sched_class c, unsigned bytes) {
    line l = op(c, {operand::use(R(40), slot::address)}).stall(1);
    l.i.mem_bytes = static_cast<std::uint8_t>(bytes);
    return l;
  };
  // `stall` cycles behind arithmetic that stands a cycle behind the first
  const auto behind = [&](line first, unsigned stall, line second) {
    return reasoned<ww::sm80>(build({first, of_class(sched_class::alu, R(20), R(3), stall), second, exit_()}), 1);
  };
  using enum sched_class;
  for (const auto& [bytes, pace] : {std::pair{4u, 8u}, std::pair{8u, 10u}, std::pair{16u, 12u}}) {
    for (const sched_class c : {ldg, stg, lds, sts}) {
      CHECK(behind(access(c, bytes), pace - 1, access(lds, 4)));
      CHECK(behind(access(stg, bytes), pace - 1, access(c, 16)));
      CHECK_FALSE(behind(access(c, bytes), pace - 2, access(c, bytes)));
      CHECK_FALSE(behind(access(c, bytes), pace, access(c, bytes)));
    }
    CHECK_FALSE(behind(access(stg, bytes), pace - 1, of_class(alu, R(21), R(4), 1)));
    CHECK_FALSE(behind(access(ldl, bytes), pace - 1, access(stg, bytes)));
  }
  CHECK_FALSE(behind(access(stg, 2), 7, access(stg, 4)));
  // only the last one before it counts
  const line other = of_class(alu, R(20), R(3), 6);
  CHECK_FALSE(reasoned<ww::sm80>(build({access(stg, 4), access(stg, 4), other, access(stg, 4), exit_()}), 2));
  CHECK(reasoned<ww::sm80>(build({access(stg, 4), access(stg, 4), line(other).stall(7), access(stg, 4), exit_()}), 2));
}
