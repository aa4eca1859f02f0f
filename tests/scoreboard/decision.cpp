// SPDX-License-Identifier: BSL-1.0
#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/scoreboard/decision.hpp>
#include <warpwright/scoreboard/yield_policy.hpp>

#include "support/catch.hpp"

using namespace ww;
using namespace ww::scoreboard;

namespace {
struct low_floor : sm80::barriers {
  [[maybe_unused]] static constexpr unsigned stall_floor = 1;
};
}  // namespace

TEST_CASE("SB-3 decision of the text: gates and distances by register type") {
  using b = sm80_barriers;
  const operand r = operand::use(R(4), slot::a);
  CHECK(decide_text<b>(operand::use(P(0), slot::psrc), false, 99, 6).kind == cover_kind::none);
  CHECK(decide_text<b>(operand::use(RZ, slot::a), false, 99, 6).kind == cover_kind::none);
  CHECK(decide_text<b>(r, true, 99, 6) == operand_cover{cover_kind::stall, 10});
  CHECK(decide_text<b>(r, false, 15, 6) == operand_cover{cover_kind::stall, 15});
  CHECK(decide_text<b>(r, false, 16, 6) == operand_cover{cover_kind::barrier, 16});
  CHECK(decide_text<b>(r, false, 16, 0) == operand_cover{cover_kind::recycle, 16});
  CHECK(decide_text<b>(operand::use(UR(4), slot::b), true, 1, 1) == operand_cover{cover_kind::barrier, 20});
  CHECK(decide_text<b>(operand::non_register(operand_type::constant, slot::b), true, 1, 1) ==
        operand_cover{cover_kind::barrier, 26});
}

TEST_CASE("SB-3 decision of the hardware: the class decides") {
  const access_point load{sched_class::ldg, slot::dst, reg_file::r, 0, false};
  const access_point add{sched_class::alu, slot::dst, reg_file::r, 0, false};
  const access_point use{sched_class::alu, slot::a, reg_file::r, 0, false};
  CHECK(decide<sm90>(load, use, 3).kind == cover_kind::barrier);
  CHECK(decide<sm90>(load, use, 0).kind == cover_kind::recycle);
  CHECK(decide<sm90>(add, use, 0) == operand_cover{cover_kind::stall, 4});
  // a predicate has a distance too: long as a guard, short as an operand
  const access_point test{sched_class::setp, slot::pdst, reg_file::p, 0, false};
  const access_point guard{sched_class::alu, slot::guard, reg_file::p, 0, true};
  const access_point data{sched_class::alu, slot::psrc, reg_file::p, 0, false};
  CHECK(decide<sm90>(test, guard, 0).cycles > decide<sm90>(test, data, 0).cycles + 6);
}

TEST_CASE("SB-6 yield policies never make an undefined issue code") {
  using b = sm80_barriers;
  for (unsigned stall = 1; stall <= b::max_stall; ++stall) {
    for (const bool covers : {false, true}) {
      for (const bool y : {yields::observed::yield<b>(stall, covers), yields::text::yield<b>(stall, covers),
                           yields::stay::yield<b>(stall, covers)}) {
        control c;
        c.stall = static_cast<std::uint8_t>(stall);
        c.yield = y;
        INFO("stall " << stall);
        CHECK(control::defined_code(c.issue_code()));
      }
    }
  }
  CHECK(yields::observed::yield<b>(4, true));
  CHECK_FALSE(yields::observed::yield<b>(4, false));
  CHECK_FALSE(yields::observed::yield<b>(1, true));
  CHECK(yields::observed::yield<b>(12, false));
  CHECK(yields::text::yield<b>(3, false));
  CHECK_FALSE(yields::text::yield<b>(2, false));
  CHECK_FALSE(yields::text::yield<low_floor>(2, false));  // the floor says nothing about yields
}
