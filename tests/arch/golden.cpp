// SPDX-License-Identifier: BSL-1.0
//
// Single values of the latency pages against the facts they come from, SM by SM.
//
// Each row is one sentence of facts: observed ("Model that reproduces the minima") or of the documented tables
// (facts: hardware 2.3 to 2.7), written down here by hand and not by the script that writes the tables. `value` is the
// distance that generated code keeps; the check distance must not exceed it.
#include <warpwright/arch/all.hpp>

#include "../support/catch.hpp"

namespace {

using namespace ww;
using c = sched_class;

struct golden {
  reg_file file;
  sched_class writer;
  unsigned part;
  sched_class reader;
  slot where;
  unsigned value;
  unsigned reader_part = 0;
};

unsigned rows_checked = 0;

template <class Arch, std::size_t N>
void check_rows(const golden (&rows)[N]) {
  using L = typename Arch::latency;
  for (const golden& g : rows) {
    const access_point w{g.writer, slot::dst, g.file, static_cast<std::uint8_t>(g.part)};
    const access_point r{g.reader, g.where, g.file, static_cast<std::uint8_t>(g.reader_part)};
    const distance d = L::raw(w, r);
    INFO(Arch::name << " file " << static_cast<unsigned>(g.file) << " writer " << static_cast<unsigned>(g.writer) << " part "
                    << g.part << " reader " << static_cast<unsigned>(g.reader) << " slot "
                    << static_cast<unsigned>(g.where));
    CHECK(d.emit == g.value);
    CHECK(d.check <= g.value);
    ++rows_checked;
  }
}

constexpr reg_file r = reg_file::r;
constexpr reg_file p = reg_file::p;
constexpr reg_file u = reg_file::ur;
constexpr reg_file up = reg_file::up;

// Rows that hold from sm_80 to sm_103 (ALU and moves alike).
constexpr golden rows_80[] = {
    {r, c::alu, 0, c::alu, slot::a, 4},
    {r, c::alu, 0, c::alu_dual, slot::a, 4},
    {r, c::alu, 0, c::setp, slot::a, 4},
    {r, c::alu_dual, 0, c::alu, slot::b, 4},
    {r, c::alu_dual, 0, c::setp, slot::b, 4},
    {r, c::alu, 0, c::fma, slot::a, 5},
    {r, c::alu, 0, c::imad, slot::c, 5},
    {r, c::fma, 0, c::fma, slot::c, 4},
    {r, c::imad, 0, c::fma, slot::a, 4},
    {r, c::fma, 0, c::alu, slot::a, 5},
    {r, c::fma, 0, c::setp, slot::a, 5},
    {r, c::fma, 0, c::alu_dual, slot::a, 5},
    {r, c::half, 0, c::alu, slot::a, 5},
    {r, c::half, 0, c::fma, slot::a, 5},
    {r, c::half, 0, c::ldg, slot::address, 5},
    {r, c::alu, 0, c::half, slot::a, 5},
    {r, c::fma, 0, c::half, slot::a, 5},
    {r, c::alu, 0, c::mufu, slot::a, 4},
    {r, c::fma, 0, c::mufu, slot::a, 4},
    {r, c::alu, 0, c::popc, slot::a, 4},
    {r, c::fma, 0, c::conv, slot::a, 4},
    {r, c::alu, 0, c::ldg, slot::address, 5},
    {r, c::fma, 0, c::stg, slot::data, 5},
    {r, c::alu_dual, 0, c::sts, slot::data, 5},
    {r, c::alu, 0, c::shfl, slot::a, 5},
    {r, c::alu, 0, c::atomg, slot::data, 5},
    {r, c::alu, 0, c::fp64, slot::a, 6},
    {r, c::fma, 0, c::fp64, slot::b, 6},
    {r, c::alu, 0, c::hmma_large, slot::a, 7},
    {r, c::fma, 0, c::hmma_large, slot::b, 7},
    {r, c::alu_dual, 0, c::imma_large, slot::a, 7},
    {r, c::cs2r, 0, c::alu, slot::a, 6},
    {r, c::cs2r, 0, c::fma, slot::a, 11},
    {r, c::vote, 0, c::alu, slot::a, 4},
    {r, c::vote, 0, c::fma, slot::a, 5},
    {r, c::imad_wide, 0, c::ldg, slot::address, 5},
    {r, c::imad_wide, 1, c::ldg, slot::address, 5},
    {r, c::imad_wide, 1, c::alu, slot::a, 5},
    {r, c::imad_wide, 1, c::fma, slot::a, 4},
    {r, c::imad_hi, 0, c::fma, slot::a, 4},
    {r, c::imad_hi, 0, c::imad_hi, slot::a, 6},
    {r, c::half_alu, 0, c::alu, slot::a, 5},
    {r, c::half_alu, 0, c::fma, slot::a, 5},
    {r, c::ldg, 0, c::alu, slot::a, 1},
    {r, c::mufu, 0, c::fma, slot::a, 1},
    {p, c::setp, 0, c::alu_dual, slot::psrc, 4},
    {p, c::setp, 0, c::setp, slot::psrc, 4},
    {p, c::setp, 0, c::alu, slot::guard, 13},
    {p, c::setp, 0, c::branch, slot::guard, 13},
    {p, c::setp, 0, c::exit, slot::guard, 13},
    {p, c::setp, 0, c::vote, slot::psrc, 13},
    {p, c::alu, 0, c::imad, slot::psrc, 5},
    {p, c::alu, 0, c::alu, slot::psrc, 4},
    {p, c::plop3, 0, c::fma, slot::guard, 13},
    {u, c::ualu, 0, c::ualu, slot::a, 4},
    {u, c::ualu, 0, c::alu, slot::b, 6},
    {u, c::ualu, 0, c::fma, slot::b, 6},
    {u, c::ualu, 0, c::ldg, slot::uaddress, 9},
    {u, c::umov, 0, c::ualu, slot::a, 2},
    {u, c::voteu, 0, c::alu, slot::b, 2},
    {u, c::uimad_wide, 0, c::ualu_x, slot::a, 8},
    {up, c::usetp, 0, c::usel, slot::psrc, 4},
    {up, c::usetp, 0, c::plop3, slot::psrc, 6},
    {up, c::usetp, 0, c::ualu, slot::guard, 11},
};

constexpr golden rows_80_only[] = {
    {p, c::imad_wide, 0, c::imad_wide, slot::psrc, 6},
    {p, c::imad_hi, 0, c::imad_wide, slot::psrc, 6},
    {p, c::alu, 0, c::imad_wide, slot::psrc, 5},
    {r, c::alu, 0, c::conv_64, slot::b, 6},
    {r, c::alu, 0, c::conv, slot::b, 4},
    {r, c::hfma2_mma, 0, c::alu, slot::a, 10},
    {r, c::hfma2_mma, 0, c::fma, slot::a, 10},
    {r, c::hfma2_mma, 0, c::hfma2_mma, slot::a, 6},
    {r, c::hfma2_mma, 0, c::mufu, slot::a, 6},
    {r, c::hfma2_mma, 0, c::stg, slot::data, 7},
    {r, c::alu, 0, c::hfma2_mma, slot::a, 6},
    {r, c::half, 0, c::half, slot::a, 4},
    {r, c::imad_wide, 0, c::alu, slot::a, 5},
    {r, c::imad_wide, 0, c::imad_wide, slot::c, 6},
    {r, c::imad_wide, 1, c::imad_wide, slot::c, 6, 1},
    {r, c::alu, 0, c::imad_wide, slot::a, 5},
    {r, c::fma, 0, c::imad_wide, slot::a, 4},
    {r, c::hmma_medium, 0, c::alu, slot::a, 16},
    {r, c::hmma_medium, 0, c::stg, slot::data, 15},
    {r, c::hmma_large, 0, c::alu, slot::a, 24},
    {r, c::hmma_large, 0, c::stg, slot::data, 23},
    {r, c::hmma_large, 0, c::hmma_large, slot::c, 24},
    {r, c::imma_small, 0, c::alu, slot::a, 13},
    {r, c::imma_small, 0, c::imma_small, slot::c, 14},
    {r, c::imma_large, 0, c::alu, slot::a, 24},
    {r, c::bmma_small, 0, c::alu, slot::a, 13},
    {r, c::fp64, 0, c::fp64, slot::a, 6},  // besides the counter
    {r, c::fp64, 0, c::fma, slot::a, 10},
    {r, c::fp64, 0, c::dmma, slot::a, 11},
    {r, c::fp64, 0, c::mufu, slot::a, 6},
    {r, c::fp64, 0, c::stg, slot::data, 7},
    {r, c::dmma, 0, c::stg, slot::data, 24},
    {r, c::dmma, 0, c::fp64, slot::a, 25},
    {r, c::dmma, 0, c::dmma, slot::a, 26},
    {r, c::dmma, 0, c::dmma, slot::c, 18},
    {p, c::dsetp, 0, c::alu, slot::guard, 14},
    {p, c::dsetp, 0, c::alu_dual, slot::psrc, 6},
    {u, c::uldc, 0, c::alu, slot::b, 2},
    {u, c::ualu, 0, c::uldc, slot::address, 12},
    {u, c::r2ur, 0, c::ualu, slot::a, 1},
    {u, c::ualu, 0, c::ualu_x, slot::a, 10},
};

constexpr golden rows_90_only[] = {
    {p, c::imad_wide, 0, c::imad_wide, slot::psrc, 6},
    {r, c::alu, 0, c::conv_64, slot::b, 6},
    {r, c::dmma, 0, c::stg, slot::data, 1},
    {r, c::fp64, 0, c::fp64, slot::a, 8},
    {r, c::fp64, 0, c::alu, slot::a, 10},
    {r, c::fp64, 0, c::mufu, slot::a, 6},
    {r, c::fp64, 0, c::stg, slot::data, 7},
    {r, c::hfma2_mma, 0, c::alu, slot::a, 10},
    {r, c::hfma2_mma, 0, c::hfma2_mma, slot::a, 8},
    {r, c::hfma2_mma, 0, c::stg, slot::data, 7},
    {r, c::viadd, 0, c::fma, slot::a, 4},
    {r, c::viadd, 0, c::alu, slot::a, 5},
    {r, c::imad_wide, 0, c::imad_wide, slot::c, 4},
    {r, c::hmma_medium, 0, c::alu, slot::a, 16},
    {r, c::hmma_large, 0, c::alu, slot::a, 24},
    {r, c::hmma_large, 0, c::hmma_large, slot::c, 24},
    {r, c::imma_small, 0, c::imma_small, slot::c, 14},
    {p, c::dsetp, 0, c::alu_dual, slot::psrc, 6},
    {p, c::dsetp, 0, c::alu, slot::guard, 14},
    {u, c::r2ur, 0, c::ualu, slot::a, 13},
    {u, c::r2ur, 0, c::ldg, slot::desc, 15},
    {u, c::ualu, 0, c::uldc, slot::address, 12},
    {u, c::ualu, 0, c::ualu_x, slot::a, 10},
};

constexpr golden rows_100_only[] = {
    {p, c::imad_wide, 0, c::imad_wide, slot::psrc, 6},
    {r, c::viadd, 0, c::conv_64, slot::b, 6},
    {r, c::fp64, 0, c::conv_64, slot::b, 10},
    {r, c::fp64, 0, c::conv, slot::b, 6},
    {r, c::fp64, 0, c::fp64, slot::a, 8},
    {r, c::fp64, 0, c::alu, slot::a, 10},
    {r, c::fp64, 0, c::stg, slot::data, 7},
    {r, c::viadd, 0, c::fma, slot::a, 4},
    {r, c::hmma_medium, 0, c::alu, slot::a, 19},
    {r, c::hmma_large, 0, c::alu, slot::a, 19},
    {r, c::hmma_large, 0, c::stg, slot::data, 19},
    {r, c::hmma_large, 0, c::hmma_large, slot::c, 20},
    {r, c::imma_large, 0, c::imma_large, slot::c, 20},
    {p, c::dsetp, 0, c::alu_dual, slot::psrc, 6},
    {p, c::dsetp, 0, c::alu, slot::guard, 14},
    {u, c::r2ur, 0, c::ualu, slot::a, 13},
    {u, c::ldcu, 0, c::alu, slot::b, 1},
    {u, c::ualu, 0, c::ldcu, slot::address, 12},
};

constexpr golden rows_120[] = {
    {r, c::alu_64, 0, c::alu_dual, slot::b, 6},
    {r, c::alu_64, 0, c::alu, slot::b, 5},
    {p, c::imad_wide, 0, c::imad_wide, slot::psrc, 5},
    {r, c::alu, 0, c::alu, slot::a, 4},
    {r, c::alu, 0, c::alu_dual, slot::a, 5},
    {r, c::alu_dual, 0, c::alu_dual, slot::a, 5},
    {r, c::alu_dual, 0, c::alu, slot::a, 5},
    {r, c::viadd, 0, c::alu, slot::a, 5},
    {r, c::alu, 0, c::viadd, slot::a, 5},
    {p, c::setp_64, 0, c::alu, slot::guard, 14},
    {p, c::setp_64, 0, c::exit, slot::guard, 14},
    {p, c::setp_64, 0, c::alu_dual, slot::psrc, 6},
    {p, c::setp_64, 0, c::setp, slot::psrc, 6},
    {r, c::alu, 0, c::setp, slot::a, 5},
    {r, c::fma, 0, c::fma, slot::a, 4},
    {r, c::alu, 0, c::fma, slot::a, 5},
    {r, c::fma, 0, c::alu, slot::a, 5},
    {r, c::half, 0, c::half, slot::a, 4},
    {r, c::half, 0, c::alu, slot::a, 5},
    {r, c::alu, 0, c::mufu, slot::a, 4},
    {r, c::alu, 0, c::ldg, slot::address, 5},
    {r, c::alu, 0, c::fp64, slot::a, 6},
    {r, c::alu, 0, c::hmma_large, slot::a, 7},
    {r, c::vote, 0, c::alu, slot::a, 5},
    {r, c::hmma_large, 0, c::alu, slot::a, 28},
    {r, c::hmma_large, 0, c::stg, slot::data, 28},
    {r, c::hmma_large, 0, c::hmma_large, slot::c, 29},
    {r, c::imma_large, 0, c::alu, slot::a, 26},
    {r, c::imma_large, 0, c::imma_large, slot::c, 27},
    {r, c::qmma, 0, c::alu, slot::a, 28},
    {r, c::fp64, 0, c::alu, slot::a, 1},
    {p, c::setp, 0, c::setp, slot::psrc, 5},
    {p, c::setp, 0, c::alu, slot::guard, 13},
    {u, c::r2ur, 0, c::ualu, slot::a, 13},
    {u, c::ualu, 0, c::ldg, slot::desc, 9},
    {u, c::ualu, 0, c::alu, slot::b, 6},
};

constexpr golden rows_75[] = {
    {p, c::imad_wide, 0, c::imad_wide, slot::psrc, 6},
    {r, c::alu, 0, c::alu, slot::a, 4},
    {r, c::alu, 0, c::fma, slot::a, 5},
    {r, c::fma, 0, c::fma, slot::a, 4},
    {r, c::fma, 0, c::alu, slot::a, 5},
    {r, c::half, 0, c::half, slot::a, 6},
    {r, c::half, 0, c::fma, slot::a, 8},
    {r, c::alu, 0, c::half, slot::a, 6},
    {r, c::fma, 0, c::half, slot::a, 6},
    {r, c::alu, 0, c::mufu, slot::a, 6},
    {r, c::alu, 0, c::ldg, slot::address, 8},
    {r, c::fma, 0, c::stg, slot::data, 8},
    {r, c::alu, 0, c::fp64, slot::a, 6},
    {r, c::alu, 0, c::hmma_large, slot::a, 6},
    {r, c::half, 0, c::stg, slot::data, 8},
    {r, c::imad_wide, 0, c::ldg, slot::address, 8},
    {r, c::fp64, 0, c::alu, slot::a, 9},  // besides the counter
    {r, c::fp64, 0, c::fp64, slot::a, 8},
    {r, c::fp64, 0, c::stg, slot::data, 9},
    {p, c::dsetp, 0, c::alu, slot::guard, 15},
    {p, c::dsetp, 0, c::alu_dual, slot::psrc, 9},
    {p, c::setp, 0, c::alu_dual, slot::psrc, 4},
    {p, c::setp, 0, c::alu, slot::guard, 12},
    {p, c::alu, 0, c::imad, slot::psrc, 5},
};

constexpr golden rows_50[] = {
    {r, c::alu, 0, c::alu, slot::a, 6},           {r, c::fma, 0, c::fma, slot::a, 6},
    {r, c::xmad, 0, c::alu, slot::a, 6},          {r, c::alu, 0, c::xmad, slot::a, 6},
    {r, c::alu_dual, 0, c::setp, slot::a, 6},     {p, c::setp, 0, c::alu, slot::guard, 13},
    {p, c::setp, 0, c::alu_dual, slot::psrc, 13}, {reg_file::cc, c::alu, 0, c::alu, slot::implicit, 6},
    {r, c::ldg, 0, c::alu, slot::a, 1},           {r, c::fp64, 0, c::alu, slot::a, 1},
};

template <class L>
distance war_u(sched_class reader, sched_class writer) {
  return L::war({reader, slot::a, reg_file::ur, 0}, {writer, slot::dst, reg_file::ur, 0});
}

}  // namespace

TEST_CASE("latency golden values: sm_80, 86, 89") {
  check_rows<sm80>(rows_80);
  check_rows<sm80>(rows_80_only);
  check_rows<sm86>(rows_80);
  check_rows<sm86>(rows_80_only);
  check_rows<sm89>(rows_80);
  check_rows<sm89>(rows_80_only);
}

namespace {
template <class Arch>
unsigned carry_check(sched_class from) {
  return Arch::latency::raw({from, slot::pdst, p, 0}, {c::imad_wide, slot::psrc, p, 0}).check;
}
}  // namespace

TEST_CASE("latency golden values: what is asked of a carry into IMAD.WIDE.X") {
  // 6 where compiled code was seen (32,000 cases, none sooner), 4 where it is seen there or was never seen
  CHECK(carry_check<sm75>(c::imad_wide) == 6);
  CHECK(carry_check<sm80>(c::imad_wide) == 6);
  CHECK(carry_check<sm80>(c::imad_hi) == 6);
  CHECK(carry_check<sm86>(c::imad_wide) == 6);
  CHECK(carry_check<sm89>(c::imad_hi) == 6);
  CHECK(carry_check<sm90>(c::imad_wide) == 4);
  CHECK(carry_check<sm120>(c::imad_wide) == 4);
  // SEL.64 takes a sum of 64 bits after 4 cycles, F2I.U64 and I2F.U64 are one class
  CHECK(sm120::latency::raw({c::alu_64, slot::dst, r, 0}, {c::alu_64, slot::b, r, 0}).check == 4);
  CHECK(sm120::latency::raw({c::alu_64, slot::dst, r, 0}, {c::alu_dual, slot::b, r, 0}).check == 6);
  // minima and moves to each other, to comparisons and to sums of 64 bits
  CHECK(sm120::latency::raw({c::alu_dual, slot::dst, r, 0}, {c::alu_dual, slot::b, r, 0}).check == 5);
  CHECK(sm120::latency::raw({c::alu_dual, slot::dst, r, 0}, {c::setp, slot::b, r, 0}).check == 5);
  CHECK(sm120::latency::raw({c::alu_dual, slot::dst, r, 0}, {c::alu_64, slot::b, r, 0}).check == 5);
  CHECK(sm80::latency::raw({c::alu, slot::dst, r, 0}, {c::conv_64, slot::b, r, 0}).check == 4);
  // sums of 64 bits to both halves of the addend of IMAD.WIDE, to IMAD.HI and to IADD
  for (const std::uint8_t half : {std::uint8_t{0}, std::uint8_t{1}}) {
    CHECK(sm120::latency::raw({c::alu_64, slot::dst, r, half}, {c::imad_wide, slot::c, r, half}).check == 6);
  }
  CHECK(sm120::latency::raw({c::alu_64, slot::dst, r, 0}, {c::imad_wide, slot::b, r, 0}).check == 4);
  for (const c to : {c::imad_hi, c::viadd})
    CHECK(sm120::latency::raw({c::alu_64, slot::dst, r, 0}, {to, slot::b, r, 0}).check == 6);
  // IADD to itself and to sums of 64 bits
  for (const c to : {c::viadd, c::alu_64})
    CHECK(sm120::latency::raw({c::viadd, slot::dst, r, 0}, {to, slot::b, r, 0}).check == 5);
}

TEST_CASE("latency golden values: R2UR takes the low half of IMAD.WIDE a cycle earlier than other results") {
  const access_point reader{c::r2ur, slot::a, r, 0};
  for (const unsigned low : {sm90::latency::raw({c::imad_wide, slot::dst, r, 0}, reader).check + 0u,
                             sm100::latency::raw({c::imad_wide, slot::dst, r, 0}, reader).check + 0u,
                             sm103::latency::raw({c::imad_wide, slot::dst, r, 0}, reader).check + 0u,
                             sm120::latency::raw({c::imad_wide, slot::dst, r, 0}, reader).check + 0u}) {
    CHECK(low == 3);
  }
  CHECK(sm100::latency::raw({c::imad_wide, slot::dst, r, 1}, reader).check == 4);
  CHECK(sm100::latency::raw({c::alu, slot::dst, r, 0}, reader).check == 4);
  // and its result is an index of constants after 13 cycles
  const access_point index{c::ldcu, slot::uaddress, u, 0};
  CHECK(sm100::latency::raw({c::r2ur, slot::dst, u, 0}, index).check == 13);
  CHECK(sm103::latency::raw({c::r2ur, slot::dst, u, 0}, index).check == 13);
  CHECK(sm120::latency::raw({c::r2ur, slot::dst, u, 0}, index).check == 13);
  CHECK(sm120::latency::raw({c::r2ur, slot::dst, u, 0}, index).emit == 15);
}

TEST_CASE("latency golden values: the carry of IADD on sm_120") {
  const auto carry = []<class Arch>(sched_class from, sched_class to, slot where) {
    return Arch::latency::raw({from, slot::pdst, reg_file::p, 0}, {to, where, reg_file::p, 0});
  };
  for (const sched_class to : {c::viadd, c::alu}) {
    CHECK((carry.operator()<sm120>(c::viadd, to, slot::psrc) == distance{5, 5, provenance::observed}));
    CHECK(carry.operator()<sm120>(c::alu, to, slot::psrc).emit == 4);
    CHECK(carry.operator()<sm100>(c::viadd, to, slot::psrc).emit == 4);
    CHECK(carry.operator()<sm120>(c::viadd, to, slot::guard) == carry.operator()<sm120>(c::alu, to, slot::guard));
  }
}

TEST_CASE("latency golden values: the carry of IADD.64 on sm_120") {
  const auto carry = []<class Arch>(sched_class to, slot where) {
    return Arch::latency::raw({c::alu_64, slot::pdst, reg_file::p, 0}, {to, where, reg_file::p, 0});
  };
  CHECK((carry.operator()<sm120>(c::alu_64, slot::psrc) == distance{6, 6, provenance::observed}));
  CHECK(carry.operator()<sm120>(c::alu, slot::psrc).emit == 6);
  CHECK(carry.operator()<sm120>(c::alu, slot::psrc).check == 4);
  CHECK(carry.operator()<sm120>(c::alu_64, slot::guard).emit == 13);
}

TEST_CASE("latency golden values: a counted double lands behind what it replaces") {
  for (const sched_class by : {c::fp64, c::dmma}) {
    CHECK(sm89::latency::waw({c::imad, slot::dst, r, 0}, {by, slot::dst, r, 0}).check == 1);
  }
  CHECK(sm89::latency::waw({c::imad, slot::dst, r, 0}, {c::ldg, slot::dst, r, 0}).check > 1);
  CHECK(sm103::latency::waw({c::imad, slot::dst, r, 0}, {c::imma_medium, slot::dst, r, 0}).check == 1);
}

TEST_CASE("latency golden values: 64-bit minima of sm_120, and sums that loads replace") {
  const access_point minimum{c::setp_64, slot::dst, r, 0};
  const auto to = [&](sched_class by) { return sm120::latency::raw(minimum, {by, slot::b, r, 0}).emit; };
  CHECK((to(c::setp_64) == 4 && to(c::alu) == 5));
  for (const sched_class by : {c::alu_64, c::alu_dual, c::viadd, c::imad_wide}) CHECK(to(by) == 6);
  CHECK(sm120::latency::raw(minimum, {c::stg, slot::data, r, 0}).emit == 6);
  // an address that its own load replaces: 7 in 876 of 1,200, none sooner
  const access_point loaded{c::ldg, slot::dst, r, 0};
  CHECK(sm120::latency::waw({c::alu_64, slot::dst, r, 0}, loaded).emit == 7);
  CHECK(sm120::latency::waw({c::alu, slot::dst, r, 0}, loaded).emit == 6);
  CHECK(sm120::latency::raw({c::alu_64, slot::dst, r, 0}, {c::conv_64, slot::b, r, 0}).emit == 7);
}

TEST_CASE("latency golden values: what ATOMS.CAST puts in place of the old value") {
  const access_point stored{c::sts, slot::data, r, 0};
  const access_point added{c::atoms, slot::data, r, 0};
  const access_point put{c::atoms, slot::data1, r, 0};
  const auto behind = []<class Arch>(sched_class writer, const access_point& reader) {
    return Arch::latency::raw({writer, slot::dst, r, 0}, reader);
  };
  for (const sched_class k : {c::fma, c::alu}) {
    CHECK(behind.operator()<sm75>(k, put) == behind.operator()<sm75>(k, stored));
    CHECK(behind.operator()<sm80>(k, put).emit == 6);
    CHECK(behind.operator()<sm89>(k, put).emit == 6);
    CHECK(behind.operator()<sm90>(k, put).emit == 6);
    CHECK(behind.operator()<sm90>(k, put).check == 5);
    CHECK(behind.operator()<sm90>(k, added).emit == 5);
    CHECK(behind.operator()<sm90>(k, {c::atomg, slot::data1, r, 0}).emit == 5);
    CHECK(behind.operator()<sm90>(k, stored).emit == 5);
    CHECK(behind.operator()<sm100>(k, put) == behind.operator()<sm100>(k, stored));
  }
  CHECK((behind.operator()<sm90>(c::fp64, put).check == 7 && behind.operator()<sm90a>(c::fp64, put).emit == 10));
  CHECK(behind.operator()<sm90>(c::fp64, stored).emit == 7);
  CHECK(behind.operator()<sm100>(c::fp64, put).emit == 7);
  CHECK(behind.operator()<sm90>(c::hmma_large, put) == behind.operator()<sm90>(c::hmma_large, stored));
  CHECK(behind.operator()<sm80>(c::ldg, put).emit == 1);  // counted
}

TEST_CASE(
    "latency golden values: MOVM takes its source as memory operations do, R2UR that of double precision as arithmetic "
    "does") {
  const auto behind = []<class Arch>(sched_class writer, sched_class reader) {
    return Arch::latency::raw({writer, slot::dst, r, 0}, {reader, slot::a, r, 0});
  };
  for (const sched_class k : {c::alu, c::fma, c::half}) {
    CHECK(behind.operator()<sm75>(k, c::movm).emit == 8);
    CHECK((behind.operator()<sm80>(k, c::movm).check == 5 && behind.operator()<sm89>(k, c::movm).emit == 5));
    CHECK((behind.operator()<sm90>(k, c::movm).check == 5 && behind.operator()<sm90a>(k, c::movm).emit == 5));
    CHECK((behind.operator()<sm100>(k, c::movm).check == 5 && behind.operator()<sm103>(k, c::movm).emit == 5));
    CHECK(behind.operator()<sm120>(k, c::movm).emit >= 5);
    CHECK(behind.operator()<sm90>(k, c::tex).emit == 4);
  }
  CHECK((behind.operator()<sm90>(c::fp64, c::r2ur) == distance{10, 10, provenance::observed}));
  CHECK(behind.operator()<sm100>(c::fp64, c::r2ur).emit == 10);
  CHECK(behind.operator()<sm90>(c::fp64, c::mufu).emit == 6);
}

TEST_CASE("latency golden values: sm_90 and sm_90a") {
  check_rows<sm90>(rows_80);
  check_rows<sm90>(rows_90_only);
  check_rows<sm90a>(rows_90_only);
}

TEST_CASE("latency golden values: sm_100 and sm_103") {
  check_rows<sm100>(rows_80);
  check_rows<sm100>(rows_100_only);
  check_rows<sm103>(rows_80);
  CHECK(sm103::latency::variable(c::fp64));
  CHECK(sm103::latency::variable(c::imma_large));
  CHECK_FALSE(sm103::latency::variable(c::hmma_large));
}

TEST_CASE("latency golden values: sm_110, which times integer matrix operations and counts double precision") {
  check_rows<sm110>(rows_80);
  CHECK(sm110::latency::variable(c::fp64));
  CHECK(sm110::latency::variable(c::dsetp));
  CHECK(sm110::latency::late_reader(c::fp64));
  for (const sched_class k : {c::imma_small, c::imma_medium, c::imma_large, c::bmma_small, c::bmma_large, c::hmma_large}) {
    CHECK_FALSE(sm110::latency::variable(k));
    CHECK_FALSE(sm110::latency::late_reader(k));
    CHECK(sm110::latency::completion_queue(k) == sm100::latency::completion_queue(k));
    CHECK(sm110::latency::read_queue(k) == sm100::latency::read_queue(k));
    const access_point result{k, slot::dst, reg_file::r, 0};
    CHECK(sm110::latency::raw(result, {c::fma, slot::a, reg_file::r, 0}) ==
          sm100::latency::raw(result, {c::fma, slot::a, reg_file::r, 0}));
    CHECK(sm110::latency::waw(result, {c::alu, slot::dst, reg_file::r, 0}).emit ==
          sm100::latency::waw(result, {c::alu, slot::dst, reg_file::r, 0}).emit);
  }
  CHECK(sm110::latency::max_fixed == sm103::latency::max_fixed);
  // Accumulator to accumulator 20, to arithmetic 19.
  CHECK(sm110::latency::raw({c::imma_large, slot::dst, reg_file::r, 0}, {c::imma_large, slot::c, reg_file::r, 0}).emit ==
        20);
  CHECK(sm110::latency::raw({c::imma_large, slot::dst, reg_file::r, 0}, {c::setp, slot::a, reg_file::r, 0}).check == 19);
  CHECK((sm110::limits::max_warps == 48 && sm110::limits::max_blocks == 24));
  CHECK((sm110::limits::warps_for(32) == 48 && sm110::limits::registers_for(48) == sm120::limits::registers_for(48)));
}

TEST_CASE("latency golden values: predicates of R2P as data, 6 cycles until sm_90, 5 later") {
  const auto emit = [](auto arch, sched_class reads) {
    using L = typename decltype(arch)::type::latency;
    return L::raw({c::r2p, slot::pdst, p, 0}, {reads, slot::psrc, p, 0}).emit + 0u;
  };
  for (const sched_class reads : {c::alu_dual, c::alu, c::setp}) {
    CHECK((emit(meta::type_identity<sm70>{}, reads) == 6 && emit(meta::type_identity<sm75>{}, reads) == 6));
    CHECK((emit(meta::type_identity<sm80>{}, reads) == 6 && emit(meta::type_identity<sm89>{}, reads) == 6));
    CHECK((emit(meta::type_identity<sm90>{}, reads) == 6 && emit(meta::type_identity<sm100>{}, reads) == 5));
    CHECK((emit(meta::type_identity<sm110>{}, reads) == 5 && emit(meta::type_identity<sm120>{}, reads) == 5));
  }
}

TEST_CASE("latency golden values: sm_107, arithmetic of sm_120 with timed double precision") {
  using lat = sm107::latency;
  const auto emit = [](reg_file f, sched_class w, unsigned part, sched_class reads, slot where) {
    return lat::raw({w, where == slot::guard ? slot::pdst : slot::dst, f, static_cast<std::uint8_t>(part)},
                    {reads, where, f, 0})
               .emit +
           0u;
  };
  // Moves, selects, comparisons and IADD are 5 from everything, fused multiplies 4 from each other.
  for (const sched_class w : {c::alu, c::alu_dual, c::viadd, c::fma, c::half}) {
    for (const sched_class reads : {c::alu_dual, c::setp, c::viadd}) CHECK(emit(r, w, 0, reads, slot::a) == 5);
    CHECK(emit(r, w, 0, c::ldg, slot::address) == 5);
  }
  CHECK((emit(r, c::alu, 0, c::alu, slot::a) == 4 && emit(r, c::fma, 0, c::fma, slot::a) == 4));
  // VISET has the class of HSET2: 5 from arithmetic, and to it.
  for (const sched_class other : {c::alu, c::alu_dual, c::viadd}) {
    CHECK((emit(r, c::half_alu, 0, other, slot::a) == 5 && emit(r, other, 0, c::half_alu, slot::a) == 5));
  }
  CHECK((emit(r, c::alu_64, 0, c::alu_64, slot::a) == 4 && emit(r, c::alu_64, 0, c::ldg, slot::address) == 6));
  // Double precision: 12 to arithmetic, 10 to itself, 9 to memory, 8 to the special unit, 16 to guards.
  CHECK_FALSE(lat::variable(c::fp64));
  CHECK_FALSE(lat::variable(c::dsetp));
  CHECK_FALSE(lat::late_reader(c::fp64));
  CHECK((emit(r, c::fp64, 1, c::alu, slot::a) == 12 && emit(r, c::fp64, 0, c::fp64, slot::b) == 10));
  CHECK((emit(r, c::fp64, 0, c::stg, slot::data) == 9 && emit(r, c::fp64, 0, c::mufu, slot::a) == 8));
  CHECK((emit(p, c::dsetp, 0, c::branch, slot::guard) == 16 && emit(p, c::dsetp, 0, c::alu_dual, slot::psrc) == 8));
  CHECK((emit(p, c::setp, 0, c::branch, slot::guard) == 13 && emit(p, c::setp_64, 0, c::branch, slot::guard) == 14));
  // Integer matrix operations are counted, those in half precision take as long as on sm_100.
  for (const sched_class k : {c::imma_small, c::imma_medium, c::imma_large, c::bmma_small, c::bmma_large}) {
    CHECK((lat::variable(k) && lat::late_reader(k)));
  }
  CHECK_FALSE(lat::variable(c::hmma_large));
  CHECK((emit(r, c::hmma_large, 0, c::hmma_large, slot::c) == 20 && emit(r, c::hmma_large, 0, c::fma, slot::a) == 19));
  // UMOV takes as long as other uniform arithmetic, and double precision takes uniform sources late.
  for (const sched_class w : {c::ualu, c::umov, c::voteu}) {
    CHECK((emit(u, w, 0, c::ualu, slot::a) == 4 && emit(u, w, 0, c::alu, slot::b) == 6));
    CHECK((emit(u, w, 0, c::fp64, slot::b) == 9 && emit(u, w, 0, c::dsetp, slot::b) == 9));
  }
  CHECK(emit(u, c::r2ur, 0, c::fp64, slot::b) == 13);
  CHECK(lat::war({c::ualu, slot::a, u, 0}, {c::umov, slot::dst, u, 0}).check == 1);
  CHECK(emit(p, c::alu, 0, c::alu_64, slot::psrc) == 5);
  CHECK(emit(p, c::alu, 0, c::alu, slot::psrc) == 4);
  CHECK((sm107::limits::max_warps == 32 && sm107::limits::max_blocks == 16 && sm107::limits::warps_for(32) == 32));
  CHECK(
      (sm107::pipes::interval(c::fp64) == 4 && sm107::pipes::interval(c::setp) == 1 && sm107::pipes::interval(c::alu) == 2));
  CHECK((sm107::pipes::interval(c::hmma_large) == 8 && sm107::pipes::interval(c::imma_large) == 64));
}

TEST_CASE("latency golden values: sm_120") {
  check_rows<sm120>(rows_120);
  for (const sched_class k : {c::alu_64, c::setp_64}) CHECK(sm120::pipes::min_stall(k) == 2);
}

TEST_CASE("latency golden values: sm_70 and sm_75") {
  check_rows<sm70>(rows_75);
  check_rows<sm75>(rows_75);
}

TEST_CASE("latency golden values: sm_50 and sm_60") {
  check_rows<sm50>(rows_50);
  check_rows<sm60>(rows_50);
  // Late readers: a fixed result may reach memory and the special unit after 2 cycles.
  const distance d = sm50::latency::raw({c::alu, slot::dst, r, 0}, {c::stg, slot::data, r, 0});
  CHECK(d.check == 2);
  // What fixed arithmetic gives to arithmetic of any kind takes 6 (observed: 381,166 reads, 70,790 exactly 6, none sooner); double
  // precision was seen at 4, and products of VMAD that are counted, textures and the special unit read later.
  for (const c from : {c::alu, c::alu_dual, c::fma, c::vote, c::xmad, c::rro}) {
    for (const c to : {c::alu, c::alu_dual, c::fma, c::setp, c::xmad, c::half, c::half_alu, c::vote}) {
      const distance d6 = sm60::latency::raw({from, slot::dst, r, 0}, {to, slot::a, r, 0});
      CHECK((d6.check == 6 && d6.emit == 6 && d6.source == provenance::observed));
    }
    CHECK(sm60::latency::raw({from, slot::dst, r, 0}, {c::fp64, slot::a, r, 0}).check == 4);
    for (const c to : {c::imul, c::mufu, c::tex}) {
      CHECK(sm60::latency::raw({from, slot::dst, r, 0}, {to, slot::a, r, 0}).check == 2);
    }
  }
  // Conversions from and to 64 bits read later than others (sm_60: 88 of 88 neighbours at 6).
  for (const c from : {c::alu, c::alu_dual, c::fma, c::vote}) {
    const distance wide = sm60::latency::raw({from, slot::dst, r, 0}, {c::conv_64, slot::b, r, 0});
    CHECK((wide.check == 2 && wide.emit == 6));
    CHECK(sm60::latency::raw({from, slot::dst, r, 0}, {c::conv, slot::b, r, 0}).emit == 4);
  }
  CHECK(rows_checked >= 150);
}

TEST_CASE("latency golden values: which results are counted") {
  for (const sched_class k :
       {c::ldg, c::lds, c::mufu, c::popc, c::conv, c::shfl, c::s2r, c::tex, c::ldc, c::atomg, c::dmma}) {
    meta::for_each<all_archs>([&]<class Arch>() {
      INFO(Arch::name << " class " << static_cast<unsigned>(k));
      CHECK(Arch::latency::variable(k));
    });
  }
  for (const sched_class k : {c::alu, c::fma, c::imad_wide, c::setp, c::stg, c::red, c::bar, c::branch}) {
    meta::for_each<all_archs>([&]<class Arch>() {
      INFO(Arch::name << " class " << static_cast<unsigned>(k));
      CHECK_FALSE(Arch::latency::variable(k));
    });
  }
  CHECK((sm50::latency::variable(c::half) && sm60::latency::variable(c::half) && !sm70::latency::variable(c::half)));
  CHECK((!sm75::latency::variable(c::half) && !sm80::latency::variable(c::half) && !sm120::latency::variable(c::half)));
  CHECK((sm75::latency::variable(c::fp64) && sm80::latency::variable(c::fp64) && sm120::latency::variable(c::dsetp)));
  CHECK((!sm90::latency::variable(c::fp64) && !sm100::latency::variable(c::dsetp)));
  CHECK((sm70::latency::variable(c::hmma_small) && sm75::latency::variable(c::imma_small)));
  CHECK((!sm80::latency::variable(c::hmma_large) && !sm90::latency::variable(c::imma_small)));
  CHECK((!sm75::latency::variable(c::uldc) && !sm90::latency::variable(c::uldc) && sm100::latency::variable(c::ldcu)));
  CHECK((sm75::latency::variable(c::r2ur) && sm80::latency::variable(c::r2ur) && !sm90::latency::variable(c::r2ur)));
  CHECK(!sm120::latency::variable(c::r2ur));
}

TEST_CASE("latency golden values: queues") {
  using L = sm80::latency;
  for (const sched_class k : {c::lds, c::sts, c::ldsm, c::atoms, c::shfl, c::movm})
    CHECK(L::completion_queue(k) == queue_id::shared);
  for (const sched_class k : {c::ldg, c::stg, c::red, c::atomg, c::ldgsts})
    CHECK(L::completion_queue(k) == queue_id::global);
  for (const sched_class k : {c::ldl, c::stl}) CHECK(L::completion_queue(k) == queue_id::local);
  for (const sched_class k : {c::mufu, c::conv, c::popc, c::flo, c::brev}) CHECK(L::completion_queue(k) == queue_id::xu);
  for (const sched_class k : {c::fp64, c::dsetp}) CHECK(L::completion_queue(k) == queue_id::fp64);
  for (const sched_class k : {c::s2ur, c::redux, c::ldc}) CHECK(L::completion_queue(k) == queue_id::own);
  for (const sched_class k : {c::s2r, c::b2r, c::r2ur, c::match}) CHECK(L::completion_queue(k) == queue_id::none);
  CHECK(L::completion_queue(c::shfl) == queue_id::shared);
  CHECK(L::completion_queue(c::fchk) == queue_id::xu);
  for (const sched_class k : {c::tex, c::tld}) CHECK(L::completion_queue(k) == queue_id::texture);
  CHECK(L::completion_queue(c::alu) == queue_id::none);
  for (const sched_class k : {c::stl, c::tex, c::tld, c::atom, c::st}) {
    CHECK(sm50::latency::completion_queue(k) == queue_id::global);
    CHECK(sm60::latency::completion_queue(k) == queue_id::global);
  }
  CHECK(sm90::latency::completion_queue(c::fp64) == queue_id::none);
  // Sources: one queue for all memory operations but loads of global and local memory, which have one of their own from sm_90 on.
  for (const sched_class k : {c::stl, c::lds, c::ldsm, c::atoms, c::stg, c::sts, c::red, c::shfl}) {
    CHECK(L::read_queue(k) == queue_id::global);
    CHECK(sm90::latency::read_queue(k) == queue_id::global);
    CHECK(sm75::latency::read_queue(k) == queue_id::global);
    CHECK(sm100::latency::read_queue(k) == queue_id::global);
    CHECK(sm70::latency::read_queue(k) == queue_id::global);
  }
  for (const sched_class k : {c::ldg, c::ldl, c::ld}) {
    for (const queue_id q : {L::read_queue(k), sm70::latency::read_queue(k), sm75::latency::read_queue(k),
                             sm86::latency::read_queue(k), sm89::latency::read_queue(k)}) {
      CHECK(q == queue_id::none);
    }
    CHECK(sm50::latency::read_queue(k) == queue_id::global);
    CHECK(sm50::latency::overwrite_queue(k) == queue_id::global);
    CHECK(sm50::latency::completion_queue(k) == queue_id::global);
    CHECK((sm50::latency::loads_in_order && !L::loads_in_order));
    for (const queue_id q : {sm90::latency::read_queue(k), sm90a::latency::read_queue(k), sm100::latency::read_queue(k),
                             sm103::latency::read_queue(k), sm120::latency::read_queue(k)}) {
      CHECK(q == queue_id::loads);
    }
    CHECK(L::overwrite_queue(k) == queue_id::none);
    CHECK(sm90::latency::overwrite_queue(k) == queue_id::loads);
  }
  for (const sched_class k : {c::half, c::half_f32, c::half_alu}) {
    CHECK((sm50::latency::read_queue(k) == queue_id::none && sm60::latency::read_queue(k) == queue_id::none));
  }
  // Global atomics read with the loads where these read in order, and land behind their reads.
  CHECK(L::read_queue(c::atomg) == queue_id::global);
  CHECK(sm90::latency::read_queue(c::atomg) == queue_id::loads);
  CHECK(sm120::latency::overwrite_queue(c::atomg) == queue_id::loads);
  CHECK(sm50::latency::overwrite_queue(c::atomg) == queue_id::global);
  // Whose results land behind the reads of the others: what comes through shared memory.
  for (const sched_class k : {c::lds, c::ldsm, c::atoms, c::shfl, c::movm}) CHECK(L::overwrite_queue(k) == queue_id::global);
  for (const sched_class k : {c::atomg, c::red, c::stg, c::ldgsts}) CHECK(L::overwrite_queue(k) == queue_id::none);
  for (const sched_class k : {c::mufu, c::conv}) CHECK(L::overwrite_queue(k) == queue_id::xu);
  // Tensor memory is a queue of its own, in which stores are read; copies of the transfer engine read theirs in order.
  CHECK(sm100::latency::completion_queue(c::ldtm) == queue_id::tensor);
  for (const sched_class k : {c::ldtm, c::sttm}) CHECK(sm100::latency::read_queue(k) == queue_id::tensor);
  CHECK(sm100::latency::read_queue(c::tma) == queue_id::own);
  CHECK(sm90::latency::read_queue(c::tma) == queue_id::own);
  CHECK(sm100::latency::completion_queue(c::tma) == queue_id::none);
}

TEST_CASE("latency golden values: ELECT") {
  // Compiled GEMM kernels for sm_90a and sm_100a: PLOP3 four cycles behind it, a move of its uniform result two.
  CHECK(sm90::latency::raw({c::elect, slot::pdst, reg_file::p, 0}, {c::plop3, slot::a, reg_file::p, 0}).check == 4);
  CHECK(sm100::latency::raw({c::elect, slot::pdst, reg_file::p, 0}, {c::plop3, slot::a, reg_file::p, 0}).check == 4);
  CHECK(sm100::latency::raw({c::elect, slot::pdst, reg_file::p, 0}, {c::plop3, slot::a, reg_file::p, 0}).emit == 13);
  // Public attention and GEMM kernels for sm_90a, sm_100a, sm_120a: comparisons and P2R four or five, guards later.
  const access_point chosen{c::elect, slot::pdst, reg_file::p, 0};
  for (const sched_class k : {c::setp, c::p2r}) {
    const access_point reader{k, slot::psrc, reg_file::p, 0};
    CHECK(sm90::latency::raw(chosen, reader).check == 4);
    CHECK(sm100::latency::raw(chosen, reader).check == 4);
    CHECK(sm120::latency::raw(chosen, reader).check == (k == c::setp ? 5 : 4));
  }
  // Guards thirteen, behind R2UR that gives a predicate too: 5,900 cases, none sooner.
  for (const access_point& by : {chosen, access_point{c::r2ur, slot::pdst, reg_file::p, 0}}) {
    const access_point guarded{c::alu, slot::guard, reg_file::p, 0};
    CHECK(sm90::latency::raw(by, guarded).check == 13);
    CHECK(sm100::latency::raw(by, guarded).check == 13);
    CHECK(sm110::latency::raw(by, guarded).check == 13);
    CHECK(sm120::latency::raw(by, guarded).check == 13);
    CHECK(sm110::latency::raw(by, guarded).source == provenance::observed);
  }
  // HSETP2 takes a predicate five cycles behind ISETP on sm_120 (168 cases), thirteen on sm_100 (168 of 168).
  const access_point compared{c::setp, slot::pdst, reg_file::p, 0};
  CHECK(sm120::latency::raw(compared, {c::half, slot::psrc, reg_file::p, 0}).check == 5);
  CHECK(sm100::latency::raw(compared, {c::half, slot::psrc, reg_file::p, 0}).check == 13);
  CHECK(sm120::latency::raw({c::setp_64, slot::pdst, reg_file::p, 0}, {c::plop3, slot::psrc, reg_file::p, 0}).check == 5);
  // STTM takes its data four cycles behind FMUL2, F2FP and FSEL; STS five.
  for (const sched_class k : {c::fma, c::alu, c::alu_dual}) {
    const access_point result{k, slot::dst, reg_file::r, 0};
    CHECK(sm100::latency::raw(result, {c::sttm, slot::data, reg_file::r, 0}).check == 4);
    CHECK(sm100::latency::raw(result, {c::sts, slot::data, reg_file::r, 0}).check == 5);
  }
  // UTCHMMA reads its uniform registers three cycles behind UMOV, nine behind ULEA.
  CHECK(sm100::latency::raw({c::umov, slot::dst, u, 0}, {c::tma, slot::uaddress, u, 0}).check <= 3);
  CHECK(sm100::latency::raw({c::ualu, slot::dst, u, 0}, {c::tma, slot::uaddress, u, 0}).check == 9);
  // What UTCATOMSWS takes comes as late as to an address of constants, in new words.
  CHECK(sm100::latency::raw({c::ualu, slot::dst, u, 0}, {c::tma, slot::data1, u, 0}).check == 9);
  CHECK(sm100::latency::raw({c::ualu, slot::dst, u, 0}, {c::tma, slot::data1, u, 0}).emit == 12);
  CHECK(sm100::latency::raw({c::umov, slot::dst, u, 0}, {c::s2ur, slot::data1, u, 0}).emit == 9);
  CHECK(sm90::latency::raw({c::elect, slot::dst, u, 0}, {c::alu_dual, slot::a, u, 0}).check == 2);
  CHECK(sm100::latency::raw({c::elect, slot::dst, u, 0}, {c::alu_dual, slot::a, u, 0}).check == 2);
}

TEST_CASE("latency golden values: registers of barriers, integer matrices, jumps and addends of wide products") {
  const auto both = [](distance d, unsigned cycles) { return d.check == cycles && d.emit >= cycles; };
  for (const sched_class k : {c::alu, c::alu_dual, c::imad}) {
    const access_point result{k, slot::dst, r, 0};
    // BAR reads its registers as memory operations do.
    CHECK(both(sm75::latency::raw(result, {c::bar, slot::a, r, 0}), 8));
    CHECK(both(sm80::latency::raw(result, {c::bar, slot::b, r, 0}), 5));
    CHECK(both(sm120::latency::raw(result, {c::bar, slot::b, r, 0}), 5));
    // On sm_75 IMMA and BMMA read later than HMMA, and jumps later than on sm_80.
    for (const slot s : {slot::a, slot::b, slot::c}) {
      for (const sched_class m : {c::imma_small, c::imma_medium, c::imma_large, c::bmma_small, c::bmma_large}) {
        CHECK(both(sm75::latency::raw(result, {m, s, r, 0}), 8));
      }
      CHECK(sm75::latency::raw(result, {c::hmma_medium, s, r, 0}).check == 6);
      CHECK(sm80::latency::raw(result, {c::imma_large, s, r, 0}).check == 7);
    }
    CHECK(both(sm75::latency::raw(result, {c::ret, slot::branch, r, 0}), 6));
    CHECK(sm80::latency::raw(result, {c::ret, slot::branch, r, 0}).check == 4);
  }
  const access_point high{c::imad_hi, slot::dst, r, 0};
  const access_point wide{c::imad_wide, slot::dst, r, 0};
  const auto addends = [&]<class L>(unsigned cycles) {
    return both(L::raw(high, {c::imad_wide, slot::c, r, 0}), cycles) &&
           both(L::raw(wide, {c::imad_hi, slot::c, r, 0}), cycles) &&
           both(L::raw(wide, {c::imad_wide, slot::c, r, 0}), cycles);
  };
  const distance old = sm75::latency::raw(high, {c::imad_wide, slot::c, r, 0});  // compilers of CUDA 10.2 keep 4
  CHECK((old.check == 4 && old.emit == 6));
  CHECK(both(sm75::latency::raw(wide, {c::imad_hi, slot::c, r, 0}), 6));
  CHECK(both(sm75::latency::raw(wide, {c::imad_wide, slot::c, r, 0}), 6));
  CHECK(addends.operator()<sm80::latency>(6));
  CHECK(addends.operator()<sm90::latency>(4));
  CHECK(addends.operator()<sm100::latency>(4));
  CHECK(addends.operator()<sm110::latency>(4));
  CHECK(addends.operator()<sm120::latency>(4));
  // P2R of sm_120 five cycles behind comparisons.
  CHECK(both(sm120::latency::raw({c::setp, slot::pdst, p, 0}, {c::p2r, slot::psrc, p, 0}), 5));
  CHECK(both(sm120::latency::raw({c::setp_64, slot::pdst, p, 0}, {c::p2r, slot::psrc, p, 0}), 5));
  // Descriptors of HGMMA nine behind uniform arithmetic.
  CHECK(sm90a::latency::raw({c::ualu, slot::dst, u, 0}, {c::hgmma, slot::desc, u, 0}).source == provenance::observed);
  CHECK(both(sm90a::latency::raw({c::uimad, slot::dst, u, 0}, {c::hgmma, slot::desc, u, 0}), 9));
}

TEST_CASE("latency golden values: overwriting and rewriting") {
  // A fixed reader's source may be overwritten in the next cycle.
  CHECK(sm80::latency::war({c::fma, slot::a, r, 0}, {c::fma, slot::dst, r, 0}).emit == 1);
  CHECK(sm80::latency::war({c::alu, slot::a, r, 0}, {c::ldg, slot::dst, r, 0}).emit == 2);
  // ULEA then UMOV of a source: 1 and 2 gave wrong values on sm_120, 3 right ones.
  CHECK(war_u<sm120::latency>(c::ualu, c::umov).emit == 3);
  CHECK(war_u<sm90::latency>(c::ualu, c::uldc).emit == 3);
  CHECK(war_u<sm90::latency>(c::ualu, c::ualu).emit == 1);
  CHECK(war_u<sm90::latency>(c::alu, c::umov).emit == 1);
  // A counted second writer after a fixed one: 6 on sm_75 and later.
  CHECK(sm80::latency::waw({c::alu, slot::dst, r, 0}, {c::ldg, slot::dst, r, 0}).emit == 6);
  CHECK(sm80::latency::waw({c::alu, slot::dst, r, 0}, {c::ldg, slot::dst, r, 0}).check <= 6);
  CHECK(sm80::latency::waw({c::alu, slot::dst, r, 0}, {c::alu, slot::dst, r, 0}).check == 1);
  // An integer result replaced by the single-precision pipe: at once, but not where the first writer is guarded.
  CHECK(sm80::latency::waw({c::alu, slot::dst, r, 0, false}, {c::fma, slot::dst, r, 0, true}).emit == 1);
  CHECK(sm90::latency::waw({c::alu, slot::dst, r, 0, false}, {c::fma, slot::dst, r, 0, true}).emit == 1);
  CHECK(sm80::latency::waw({c::alu, slot::dst, r, 0, true}, {c::fma, slot::dst, r, 0, true}).emit == 2);
  CHECK(sm80::latency::waw({c::fma, slot::dst, r, 0, false}, {c::fma, slot::dst, r, 0, true}).emit == 2);
  CHECK(sm100::latency::waw({c::alu, slot::dst, r, 0, false}, {c::fma, slot::dst, r, 0, true}).emit == 2);
  // A matrix result overwritten by fast arithmetic must not land last.
  CHECK(sm80::latency::waw({c::hmma_large, slot::dst, r, 0}, {c::alu, slot::dst, r, 0}).emit >= 20);
  CHECK(sm75::latency::waw({c::ldg, slot::dst, r, 0}, {c::alu, slot::dst, r, 0}).emit == 1);
  // UR: a direct write after an ALU write of the same register keeps 7.
  CHECK(sm80::latency::waw({c::ualu, slot::dst, u, 0}, {c::uldc, slot::dst, u, 0}).emit == 7);
}

TEST_CASE("latency golden values: what a guarded instruction replaces on sm_70 and sm_75 is as old as what it reads") {
  const auto waw = []<class Arch>(meta::type_identity<Arch>, c first, c second, bool guarded, std::uint8_t part = 0) {
    return Arch::latency::waw({first, slot::dst, r, part, false}, {second, slot::dst, r, part, guarded});
  };
  const auto both = [&]<class Arch>(meta::type_identity<Arch> sm) {
    INFO(Arch::name);
    CHECK(waw(sm, c::alu, c::alu, true).emit == 4);
    CHECK(waw(sm, c::imad, c::imad, true).emit == 4);
    CHECK(waw(sm, c::fma, c::fma, true).emit == 4);
    CHECK(waw(sm, c::imad, c::alu, true).emit == 5);
    CHECK(waw(sm, c::alu, c::imad, true).emit == 5);
    CHECK(waw(sm, c::alu, c::imad_wide, true).emit == 5);
    CHECK(waw(sm, c::imad, c::imad_wide, true).emit == 4);
    CHECK(waw(sm, c::imad_wide, c::imad_wide, true).emit == 6);
    CHECK(waw(sm, c::imad_wide, c::imad_wide, true, 1).emit == 6);
    CHECK(waw(sm, c::half, c::fma, true).emit == 8);
    CHECK(waw(sm, c::alu, c::fp64, true).emit == 6);
    // One that always writes does not, and the checker asks for no more than before.
    CHECK(waw(sm, c::alu, c::alu, false).emit == 1);
    CHECK(waw(sm, c::imad, c::alu, false).emit == 1);
    CHECK(waw(sm, c::imad, c::alu, true).check == 1);
    CHECK(waw(sm, c::ldg, c::alu, true).emit == 1);
    // What comes from memory lands 8 cycles later, or the special unit 6.
    for (const c by : {c::ldg, c::lds, c::ldl, c::ld, c::atoms, c::atomg, c::shfl, c::s2r}) {
      INFO("class " << static_cast<unsigned>(by));
      CHECK(waw(sm, c::alu, by, false).emit == 8);
      CHECK(waw(sm, c::imad, by, true).emit == 8);
      CHECK(waw(sm, c::alu, by, false).check <= 5);
      CHECK(waw(sm, c::ldg, by, false).emit == 1);
    }
    for (const c by : {c::mufu, c::conv, c::ldc}) CHECK(waw(sm, c::alu, by, false).emit == 6);
  };
  both(meta::type_identity<sm70>{});
  both(meta::type_identity<sm75>{});
  CHECK(waw(meta::type_identity<sm80>{}, c::imad, c::alu, true).emit == 1);
  CHECK(waw(meta::type_identity<sm80>{}, c::alu, c::ldg, true).emit == 6);
}

TEST_CASE("latency golden values: estimates of the memory table") {
  using L = sm86::latency;
  CHECK(
      (L::result_estimate(c::ldg, 4) == 32 && L::result_estimate(c::ldg, 8) == 34 && L::result_estimate(c::ldg, 16) == 38));
  CHECK((L::read_estimate(c::ldg, 4) == 11 && L::read_estimate(c::ldg, 16) == 11));
  CHECK((L::read_estimate(c::stg, 4) == 14 && L::read_estimate(c::stg, 8) == 16 && L::read_estimate(c::stg, 16) == 20));
  CHECK((L::read_estimate(c::sts, 4) == 12 && L::read_estimate(c::sts, 8) == 14 && L::read_estimate(c::sts, 16) == 18));
  CHECK((L::result_estimate(c::ldc, 4) == 29 && L::result_estimate(c::ldgsts, 16) == 39 &&
         L::read_estimate(c::ldgsts, 16) == 13));
  CHECK(
      (L::result_estimate(c::lds, 4) == 24 && L::result_estimate(c::lds, 8) == 24 && L::result_estimate(c::lds, 16) == 26));
  CHECK(L::read_estimate(c::lds, 4) == 9);
}

TEST_CASE("latency golden values: HADD2.F32 takes what comparisons of half precision give as HFMA2 does") {
  const auto raw = []<class Arch>(meta::type_identity<Arch>, c from, c to) {
    return Arch::latency::raw({from, slot::dst, reg_file::r, 0, false}, {to, slot::a, reg_file::r, 0, false});
  };
  const auto all = [&]<class Arch>(meta::type_identity<Arch> sm) {
    INFO(Arch::name);
    CHECK(raw(sm, c::half_alu, c::half_f32).check == 5);
    CHECK(raw(sm, c::half_alu, c::half_f32).emit == 5);
    CHECK(raw(sm, c::half_alu, c::half_alu).check == 4);
    CHECK(raw(sm, c::half_f32, c::half_alu).check == 4);
    CHECK(raw(sm, c::half_f32, c::half_alu).emit == 5);
    CHECK(raw(sm, c::half_f32, c::half_f32).emit == 5);
  };
  all(meta::type_identity<sm80>{});
  all(meta::type_identity<sm86>{});
  all(meta::type_identity<sm89>{});
  all(meta::type_identity<sm90>{});
  all(meta::type_identity<sm100>{});
  all(meta::type_identity<sm103>{});
  all(meta::type_identity<sm110>{});
  all(meta::type_identity<sm120>{});
  CHECK(raw(meta::type_identity<sm75>{}, c::half_alu, c::half_f32).emit == 6);
}

TEST_CASE("latency golden values: the low half of IMAD.WIDE as a factor of another") {
  const auto emit = []<class Arch>(meta::type_identity<Arch>) {
    const access_point low{sched_class::imad_wide, slot::dst, reg_file::r, 0, false};
    return Arch::latency::raw(low, {sched_class::imad_wide, slot::b, reg_file::r, 0, false}).emit;
  };
  CHECK(emit(meta::type_identity<sm75>{}) == 6);
  CHECK(emit(meta::type_identity<sm80>{}) == 6);
  CHECK(emit(meta::type_identity<sm90>{}) == 6);
  CHECK(emit(meta::type_identity<sm100>{}) == 6);
  CHECK(emit(meta::type_identity<sm103>{}) == 6);
  CHECK(emit(meta::type_identity<sm120>{}) == 6);
}

TEST_CASE("latency golden values: the counted form of sm_100 keeps the times of sm_100 beside its counters") {
  using form = counted_form_t<sm100>::latency;
  const access_point result{c::fp64, slot::dst, r, 0};
  const auto kept = [](distance d, unsigned cycles) { return d.check == 1 && d.emit == cycles; };
  CHECK(form::variable(c::fp64));
  CHECK(form::variable(c::imma_large));
  CHECK(kept(form::raw(result, {c::alu, slot::a, r, 0}), 10));
  CHECK(kept(form::raw(result, {c::fp64, slot::a, r, 0}), 8));
  CHECK(kept(form::raw(result, {c::mufu, slot::b, r, 0}), 6));
  CHECK(kept(form::raw(result, {c::stg, slot::data, r, 0}), 7));
  CHECK(kept(form::raw({c::dsetp, slot::pdst, p, 0}, {c::alu, slot::guard, p, 0}), 14));
  CHECK(kept(form::raw({c::imma_large, slot::dst, r, 0}, {c::imma_large, slot::c, r, 0}),
             sm100::latency::raw({c::imma_large, slot::dst, r, 0}, {c::imma_large, slot::c, r, 0}).emit));
  CHECK(form::raw({c::ldg, slot::dst, r, 0}, {c::alu, slot::a, r, 0}).emit == 1);
  CHECK(sm103::latency::raw(result, {c::alu, slot::a, r, 0}).emit == 1);
  CHECK(form::kept_beside(c::fp64) != 0);
  CHECK(form::kept_beside(c::ldg) == 0);
}
