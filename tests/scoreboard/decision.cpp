// SPDX-License-Identifier: BSL-1.0
#include <warpwright/arch/sm80.hpp>
#include <warpwright/arch/sm90.hpp>
#include <warpwright/scoreboard/decision.hpp>
#include <warpwright/scoreboard/yield_policy.hpp>

#include <string>

#include <warpwright/arch/all.hpp>

#include "support.hpp"
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
  CHECK(decide_text<b>(operand::use(UP(0), slot::psrc), false, 99, 6).kind == cover_kind::none);
  // The gate is for what is read only.
  CHECK(decide_text<b>(operand::def(P(0), slot::pdst), false, 99, 6).kind == cover_kind::barrier);
  CHECK(decide_text<b>(operand::def(RZ, slot::dst), false, 99, 6).kind == cover_kind::barrier);
  CHECK(text_distance(operand::use(reg{reg_file::special, 0}, slot::b), true, 1) == 20);
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

TEST_CASE("SB-3 decision of the hardware: words of neighbours are what it says") {
  struct neighbours {
    const char* writer;
    const char* reader;
    slot reads;
    bool guard;
  };
  const neighbours pairs[] = {
      {"FADD R8, R2, R3", "FADD R9, R8, R4", slot::a, false},
      {"IADD3 R8, R2, R3, RZ", "FFMA R9, R4, R5, R8", slot::c, false},
      {"LDG.E R8, desc[UR4][R2.64]", "FADD R9, R8, R4", slot::a, false},
      {"MUFU.RCP R8, R2", "FADD R9, R8, R4", slot::a, false},
      {"DADD R8, R2, R4", "DADD R10, R8, R4", slot::a, false},
      {"ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 FADD R9, R3, R4", slot::guard, true},
      {"FSETP.NE.AND P0, PT, R2, RZ, PT", "SEL R9, R3, R4, P0", slot::psrc, false},
      {"R2UR UR6, R2", "IADD3 R9, R3, UR6, RZ", slot::b, false},
      {"IMMA.16816.S8.S8 R8, R2.ROW, R4.COL, RZ", "IADD3 R12, R8, R3, RZ", slot::a, false},
  };
  const auto held = [&]<class Arch>(const neighbours& n) {
    program p = ww_test::program_of<Arch>(std::string(n.writer) + "\n" + n.reader + "\nEXIT\n");
    scoreboard::workspace ws;
    scoreboard::assign_control<Arch>(p, ws);
    CHECK(ww_test::first_finding<Arch>(p).empty());
    const instruction& w = p.instructions[0];
    const instruction& r = p.instructions[1];
    const operand result = p.operands[w.first_operand];
    const operand_cover c = decide<Arch>({w.iclass, result.where(), result.file(), 0, w.has(iflag::guarded)},
                                         {r.iclass, n.reads, result.file(), 0, r.has(iflag::guarded)}, 6);
    INFO(Arch::name << ": " << n.writer << ", " << n.reader);
    if (c.kind == cover_kind::barrier) {
      REQUIRE(w.ctl.sets_write());
      CHECK((r.ctl.wait_mask >> w.ctl.write_barrier & 1u) != 0);
    } else {
      CHECK_FALSE(w.ctl.sets_write());
      CHECK(r.ctl.wait_mask == 0);
      CHECK((w.ctl.drains() ? c.cycles > Arch::barriers::max_stall : w.ctl.stall >= c.cycles && c.cycles <= 15));
    }
  };
  for (const neighbours& n : pairs) {
    held.operator()<sm80>(n);
    held.operator()<sm90>(n);
    held.operator()<sm100>(n);
    held.operator()<sm120>(n);
  }
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
