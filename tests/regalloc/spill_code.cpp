// SPDX-License-Identifier: BSL-1.0
//
// Spill code on lifted programs: small ones by hand, random ones and real listings under the check of allocations, and faults planted
// in what was inserted.
#include <random>
#include <string>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/graph/stack_slot.hpp>
#include <warpwright/isa/opcode_id.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "../support/random_flow.hpp"
#include "../support/slow.hpp"
#include "spill_support.hpp"

namespace {

namespace ra = ww::regalloc;
using ww_test::regalloc::check_consistent;
using ww_test::regalloc::report_text;
using ww_test::regalloc::spread;

struct spilled {
  ww::lifted_program before;
  ra::spilled_program s;
  ra::spill_workspace ws;
  ra::spill_result last;

  explicit spilled(const ww::program& p) : before(ww::lift(p)) {
    REQUIRE(before.ok());
    s = ra::start_spills(before);
  }
  void spill(const std::vector<std::uint32_t>& memory, const std::vector<std::uint32_t>& again = {},
             const ra::spill_space& space = {}) {
    last = ra::insert_spills(s, memory, again, space, ws);
    REQUIRE(last.ok);
    check_consistent(before, s);
  }
  // The web that operand `k` of instruction `i` of the program as read belongs to.
  [[nodiscard]] std::uint32_t web(std::uint32_t i, std::uint32_t k = 0) const {
    return before.web_of_operand[before.code.instructions[i].first_operand + k];
  }
  [[nodiscard]] ra::spill_refusal refusal(std::uint32_t w) const { return ws.plan.refusal[w]; }
  [[nodiscard]] ww::verify::allocation_report check() const {
    ww::program after;
    REQUIRE(spread(s.lifted, after));
    return ww::verify::check_allocation(before.code, after, s.map);
  }
  void clean() const {
    const auto r = check();
    INFO(report_text(r));
    CHECK(r.clean());
  }
  // The program as one letter per instruction: o original, s store, l load, r computed again; blocks apart by a bar.
  [[nodiscard]] std::string shape() const {
    std::string text;
    for (const ww::block& b : s.lifted.code.blocks) {
      if (!text.empty()) text += "|";
      for (const ww::instr_id i : s.lifted.code.order_of(b)) {
        switch (s.map[i.index()].what) {
          case ww::verify::allocated_as::original:
            text += "o";
            break;
          case ww::verify::allocated_as::spill:
            text += "s";
            break;
          case ww::verify::allocated_as::refill:
            text += "l";
            break;
          default:
            text += "r";
        }
      }
    }
    return text;
  }
  [[nodiscard]] std::vector<ww::instr_id> inserted(ww::verify::allocated_as what) const {
    std::vector<ww::instr_id> all;
    for (const ww::instr_id i : s.lifted.code.order) {
      if (s.map[i.index()].what == what) all.push_back(i);
    }
    return all;
  }
  [[nodiscard]] std::vector<std::string> accesses() const {
    std::vector<std::string> all;
    for (const ww::instr_id id : s.lifted.code.order) {
      if (id.index() < before.code.instructions.size()) continue;
      const ww::instruction& i = s.lifted.code[id];
      if (i.dir == ww::mem_dir::none) continue;
      std::string text = i.has(ww::iflag::guarded) ? (i.guard_negated != 0 ? "@!" : "@") : "";
      text += i.dir == ww::mem_dir::store ? "st" : "ld";
      text += std::to_string(i.mem_bytes) + "[" + std::to_string(i.mem_offset) + "]";
      all.push_back(text);
    }
    return all;
  }
};

ww::program program_of(const std::string& text) { return ww_test::program_of<ww::sm80>(text); }

const char* const straight =
    "MOV R1, c[0x0][0x28]\n"
    "S2R R4, SR_TID.X\n"
    "S2R R5, SR_CTAID.X\n"
    "IADD3 R6, R4, R5, RZ\n"
    "IADD3 R7, R6, R4, RZ\n"
    "STG.E desc[UR4][R2.64], R7\n"
    "EXIT\n";

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("FPA-8 spill code: a store behind the definition, a reload in front of every use") {
  spilled x(program_of(straight));
  x.spill({x.web(1)});
  CHECK(x.last.in_memory == 1);
  CHECK(x.shape() == "oosololooo");
  CHECK(x.accesses() == names{"st4[0]", "ld4[0]", "ld4[0]"});
  x.clean();
}

TEST_CASE("FPA-8 spill code: an instruction keeps one register for what it reads and writes of a web") {
  spilled x(program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nIADD3 R4, R4, R4, 0x1\nSTG.E desc[UR4][R2.64], R4\nEXIT\n"));
  REQUIRE(x.web(1) != x.web(2));  // the second value is another one
  x.spill({x.web(1)});
  CHECK(x.shape() == "ooslooo");
  x.clean();
  spilled y(
      program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nloop:\nIADD3 R4, R4, R4, 0x1\n@P0 BRA `(loop)\nSTG.E "
                 "desc[UR4][R2.64], R4\nEXIT\n"));
  REQUIRE(y.web(1) == y.web(2));
  y.spill({y.web(1)});
  CHECK(y.shape() == "oos|loso|loo");
  CHECK(y.accesses() == names{"st4[0]", "ld4[0]", "st4[0]", "ld4[0]"});
  const ww::span<const ww::operand> sum = y.s.lifted.code.operands_of(ww::instr_id{2});
  CHECK(sum[0].base() == sum[1].base());
  CHECK(sum[1].base() == sum[2].base());
  y.clean();
}

TEST_CASE("FPA-8 spill code: a write that may keep the old value is preceded by a reload, and stored whole") {
  spilled x(
      program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nISETP.GE.AND P0, PT, R4, 0x5, PT\n@!P0 MOV R4, 0x7\n"
                 "STG.E desc[UR4][R2.64], R4\nEXIT\n"));
  x.spill({x.web(1)});
  CHECK(x.shape() == "ooslolosloo");
  CHECK(x.accesses() == names{"st4[0]", "ld4[0]", "ld4[0]", "st4[0]", "ld4[0]"});
  x.clean();
  // The guard is written by the instruction itself.
  ww::program p = program_of(
      "MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nISETP.GE.AND P0, PT, R4, 0x5, PT\n"
      "@!P0 IADD3 R4, P0, R4, 0x7, RZ\nSTG.E desc[UR4][R2.64], R4\n@P0 EXIT\nEXIT\n");
  spilled y(p);
  y.spill({y.web(1)});
  CHECK(y.accesses() == names{"st4[0]", "ld4[0]", "ld4[0]", "st4[0]", "ld4[0]"});
  y.clean();
  // Half of a register.
  ww::program half = program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nMOV R4, 0x7\nSTG.E desc[UR4][R2.64], R4\nEXIT\n");
  half.operands[half.instructions[2].first_operand].set(ww::operand::bit_partial | ww::operand::bit_low_half);
  spilled z(half);
  REQUIRE(z.web(1) == z.web(2));
  z.spill({z.web(1)});
  CHECK(z.shape() == "ooslosloo");
  z.clean();
}

TEST_CASE("FPA-8 spill code: of a tuple what the operands name, in accesses as wide as the alignment allows") {
  spilled x(
      program_of("MOV R1, c[0x0][0x28]\nLDG.E.128 R4, desc[UR4][R2.64]\nIADD3 R8, R4, R5, R5\n"
                 "STG.E.64 desc[UR4][R2.64], R6\nSTG.E.128 desc[UR4][R2.64], R4\nSTG.E desc[UR4][R2.64], R8\nEXIT\n"));
  ra::spill_space space;
  space.frame_base = 20;  // the slot is aligned to sixteen bytes all the same
  x.spill({x.web(1)}, {}, space);
  CHECK(x.accesses() == names{"st16[32]", "ld4[32]", "ld4[36]", "ld8[40]", "ld16[32]"});
  CHECK(x.s.frame_end == 48);
  x.clean();
}

TEST_CASE("FPA-8 spill code: no access is wider than the base register is known to be aligned") {
  spilled x(program_of("MOV R1, c[0x0][0x28]\nLDG.E.128 R4, desc[UR4][R2.64]\nSTG.E.128 desc[UR4][R2.64], R4\nEXIT\n"));
  ra::spill_space space;
  space.base_alignment = 8;
  space.frame_base = -16;
  x.spill({x.web(1)}, {}, space);
  CHECK(x.accesses() == names{"st8[-16]", "st8[-8]", "ld8[-16]", "ld8[-8]"});
  x.clean();
  // Three words from an odd one on: nothing says that their registers are aligned.
  ww::program p =
      program_of("MOV R1, c[0x0][0x28]\nLDG.E.128 R4, desc[UR4][R2.64]\nNOP\nSTG.E.128 desc[UR4][R2.64], R4\nEXIT\n");
  ww::operand o = ww::operand::use(ww::R(5), ww::slot::a, 3);
  p.instructions[2].first_operand = static_cast<std::uint32_t>(p.operands.size());
  p.instructions[2].operand_count = 1;
  p.operands.push_back(o);
  REQUIRE(ww::build_cfg(p).ok);
  spilled y(p);
  y.spill({y.web(1)});
  CHECK(y.accesses() == names{"st16[0]", "ld4[4]", "ld4[8]", "ld4[12]", "ld16[0]"});
  y.clean();
}

TEST_CASE("FPA-8 spill code: wide accesses only where registers and slots are known to be aligned") {
  // A pair at an odd register, and two pairs that overlap.
  ww::program p = program_of(
      "MOV R1, c[0x0][0x28]\nLDG.E.64 R4, desc[UR4][R2.64]\nNOP\nNOP\nLDG.E.128 R8, desc[UR4][R2.64]\n"
      "NOP\nEXIT\n");
  const auto reads = [&](std::uint32_t i, std::initializer_list<ww::operand> operands) {
    p.instructions[i].first_operand = static_cast<std::uint32_t>(p.operands.size());
    p.instructions[i].operand_count = static_cast<std::uint8_t>(operands.size());
    for (const ww::operand& o : operands) p.operands.push_back(o);
  };
  ww::operand& pair = p.operands[p.instructions[1].first_operand];
  pair.low = (pair.low & ~0xffffffu) | ww::R(5).packed;
  reads(2, {ww::operand::use(ww::R(5), ww::slot::a, 2)});
  reads(5, {ww::operand::use(ww::R(9), ww::slot::a, 2), ww::operand::use(ww::R(10), ww::slot::b, 2)});
  REQUIRE(ww::build_cfg(p).ok);
  spilled x(p);
  x.spill({x.web(1)});
  CHECK(x.accesses() == names{"st4[0]", "st4[4]", "ld4[0]", "ld4[4]"});
  x.clean();
  spilled y(p);
  y.spill({y.web(4)});
  CHECK(y.accesses() == names{"st16[0]", "ld4[4]", "ld8[8]"});
  y.clean();
}

TEST_CASE("FPA-8 spill code: a value that lives into a block that stands earlier keeps its slot there from the start") {
  spilled x(
      program_of("MOV R1, c[0x0][0x28]\nBRA `(late)\nearly:\nS2R R6, SR_TID.X\nSTG.E desc[UR4][R2.64], R6\n"
                 "STG.E desc[UR4][R2.64], R4\nEXIT\nlate:\nS2R R4, SR_TID.X\nBRA `(early)\n"));
  x.spill({x.web(2), x.web(6)});
  CHECK(x.last.in_memory == 2);
  CHECK(x.last.slots == 2);
  x.clean();
}

TEST_CASE("FPA-8 spill code: what the last instruction of a block writes is stored by the blocks behind") {
  const auto with = [](bool join) {
    ww::isa::builder b;
    b.lines("MOV R1, c[0x0][0x28]\nS2R R5, SR_TID.X\n");
    if (join) b.text("@P1 BRA `(behind)");
    b.lines("S2R R4, SR_TID.X\nbehind:\nIADD3 R6, R4, R5, RZ\nSTG.E [R2.64], R6\nEXIT\n");
    ww::program p = b.finish();
    p.instructions[join ? 3 : 2].add(ww::iflag::ends_block);
    REQUIRE(ww::build_cfg(p).ok);
    return p;
  };
  spilled x(with(false));
  x.spill({x.web(2), x.web(1)});
  CHECK(x.last.in_memory == 2);
  CHECK(x.shape() == "ooso|sllooo");
  x.clean();
  ww::program p = with(true);
  const std::uint32_t def = 3;
  spilled y(p);
  const std::uint32_t w = y.web(def);
  y.spill({w});
  // Live from the start, as a path leads round its definition: fixed in any case.
  CHECK(y.last.in_memory == 0);
  CHECK((y.refusal(w) == ra::spill_refusal::fixed));
}

TEST_CASE("FPA-8 spill code: a join behind the last instruction of a block is a refusal") {
  ww::isa::builder b;
  b.lines("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\n@P1 BRA `(behind)\nS2R R4, SR_TID.Y\nbehind:\nSTG.E [R2.64], R4\nEXIT\n");
  ww::program p = b.finish();
  p.instructions[3].add(ww::iflag::ends_block);
  REQUIRE(ww::build_cfg(p).ok);
  spilled x(p);
  x.spill({x.web(3)});
  CHECK(x.last.in_memory == 0);
  CHECK((x.refusal(x.web(3)) == ra::spill_refusal::at_block_end));
  CHECK(x.shape() == "ooo|o|oo");
  x.clean();
}

TEST_CASE("FPA-8 spill code: slots are shared by values that do not live together") {
  const ww::program p = program_of(
      "MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nSTG.E desc[UR4][R2.64], R4\nS2R R5, SR_TID.X\nS2R R6, SR_TID.X\n"
      "STG.E desc[UR4][R2.64], R5\nSTG.E desc[UR4][R2.64], R6\nEXIT\n");
  spilled x(p);
  x.spill({x.web(1), x.web(3), x.web(4)});
  CHECK(x.last.slots == 2);
  CHECK(x.accesses() == names{"st4[0]", "ld4[0]", "st4[0]", "st4[4]", "ld4[0]", "ld4[4]"});
  CHECK(x.s.frame_end == 8);
  x.clean();
  // In rounds: the frame grows.
  spilled y(p);
  y.spill({y.web(1)});
  ra::spill_space space;
  space.frame_base = static_cast<std::int32_t>(y.s.frame_end);
  y.spill({y.web(3)}, {}, space);
  CHECK(y.accesses() == names{"st4[0]", "ld4[0]", "st4[4]", "ld4[4]"});
  y.clean();
}

TEST_CASE("FPA-8 slots: a slot is taken again behind the last position of its value, and by one of its shape only") {
  const auto laid = [](std::initializer_list<ra::slot_range> list, ra::slot_layout& out) {
    ww::vec<ra::slot_range> ranges;
    for (const ra::slot_range& r : list) ranges.push_back(r);
    ra::slot_space space;
    out = ra::lay_slots(ranges, 0, space);
    std::vector<std::int64_t> offsets(ranges.size());
    for (const ra::slot_range& r : ranges) offsets[r.owner] = r.offset;
    return offsets;
  };
  using offsets = std::vector<std::int64_t>;
  ra::slot_layout out;
  // Both ends are included: the second is live at 3 beside the first, the third is not.
  CHECK(laid({{.first = 0, .last = 3, .owner = 0}, {.first = 3, .last = 5, .owner = 1}, {.first = 4, .last = 6, .owner = 2}},
             out) == offsets{0, 4, 0});
  CHECK((out.slots == 2 && out.end == 8));
  CHECK(laid({{.first = 0, .last = 1, .width = 2, .alignment = 2, .owner = 0}, {.first = 5, .last = 6, .owner = 1}}, out) ==
        offsets{0, 8});
  CHECK(out.slots == 2);
}

TEST_CASE("FPA-8 spill code: a result that nobody reads is not stored") {
  spilled x(program_of(
      "MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nloop:\nSTG.E desc[UR4][R2.64], R4\n@P0 IADD3 R4, R4, 0x1, RZ\nEXIT\n"));
  x.spill({x.web(1)});
  CHECK(x.accesses() == names{"st4[0]", "ld4[0]", "ld4[0]"});
  x.clean();
}

TEST_CASE("FPA-8 spill code: refusals") {
  using ra::spill_refusal;
  spilled x(program_of(straight));
  const std::uint32_t sp = x.web(0);
  x.spill({sp, 999999});
  CHECK((x.refusal(sp) == spill_refusal::fixed));
  x.spill({x.web(1)});
  x.spill({x.web(1)});
  CHECK((x.refusal(x.web(1)) == spill_refusal::not_whole));
  const auto fresh = static_cast<std::uint32_t>(x.s.lifted.webs.size() - 1);
  x.spill({fresh});
  CHECK((x.refusal(fresh) == spill_refusal::not_whole));
  x.clean();

  spilled y(
      program_of("S2R R4, SR_TID.X\nMOV R1, c[0x0][0x28]\nISETP.GE.AND P0, PT, R4, 0x5, PT\nS2R R5, SR_TID.X\n"
                 "@P0 STG.E desc[UR4][R2.64], R4\nIADD3 R6, R4, R4, RZ\nEXIT\n"));
  y.spill({y.web(0), y.web(2), y.web(3), y.web(5)});
  CHECK((y.refusal(y.web(0)) == spill_refusal::base_differs));  // written before the stack pointer is there
  CHECK((y.refusal(y.web(2)) == spill_refusal::not_general));
  CHECK((y.refusal(y.web(3)) == spill_refusal::never_read));
  CHECK(y.last.in_memory == 0);

  // The stack pointer moves while the value lives.
  spilled z(
      program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nIADD3 R1, R1, -0x8, RZ\nS2R R5, SR_TID.X\n"
                 "IADD3 R6, R4, R5, RZ\nSTG.E desc[UR4][R2.64], R6\nEXIT\n"));
  z.spill({z.web(1), z.web(3)});
  CHECK((z.refusal(z.web(1)) == spill_refusal::base_differs));
  CHECK(z.last.in_memory == 1);
  z.clean();
  // On one path only: one value behind the meeting, unless control comes there again while the web is live.
  spilled v(
      program_of("MOV R1, c[0x0][0x28]\nS2R R5, SR_TID.X\n@P0 BRA `(on)\nIADD3 R1, R1, -0x8, RZ\non:\nS2R R4, SR_TID.X\n"
                 "STG.E desc[UR4][R2.64], R4\nSTG.E desc[UR4][R2.64], R5\nEXIT\n"));
  v.spill({v.web(1), v.web(4)});
  CHECK((v.refusal(v.web(1)) == spill_refusal::base_differs));
  CHECK((v.refusal(v.web(4)) == spill_refusal::none));
  CHECK(v.last.in_memory == 1);
  v.clean();
  // Each time round the loop the stack pointer is another one.
  spilled u(
      program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nloop:\nIADD3 R5, R4, R4, RZ\nSTG.E desc[UR4][R2.64], R5\n"
                 "IADD3 R4, R5, R5, RZ\n@P1 IADD3 R1, R1, -0x8, RZ\n@P0 BRA `(loop)\nEXIT\n"));
  REQUIRE(u.web(1) == u.web(4));
  u.spill({u.web(1), u.web(2)});
  CHECK((u.refusal(u.web(1)) == spill_refusal::base_differs));
  CHECK((u.refusal(u.web(2)) == spill_refusal::none));
  u.clean();
  spilled t(
      program_of("MOV R1, c[0x0][0x28]\nBRA `(in)\nloop:\n@P1 IADD3 R1, R1, -0x8, RZ\nin:\nSTG.E desc[UR4][R2.64], R1\n"
                 "S2R R4, SR_TID.X\nback:\nSTG.E desc[UR4][R2.64], R4\n@P0 BRA `(back)\n@P2 BRA `(loop)\nEXIT\n"));
  t.spill({t.web(4)});
  CHECK(t.last.in_memory == 1);
  t.clean();

  ra::spill_space small;
  small.frame_limit = 8;
  spilled f(program_of(straight));
  f.spill({f.web(1), f.web(2), f.web(3)}, {}, small);
  CHECK(f.last.in_memory == 2);
  f.clean();
  CHECK(f.s.frame_end == 8);
}

TEST_CASE("FPA-8 spill code: nothing comes between a barrier and what takes its result") {
  ww::program p =
      program_of("MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nNOP\nIADD3 R5, R4, R4, RZ\nSTG.E desc[UR4][R2.64], R5\nEXIT\n");
  p.instructions[3].add(ww::iflag::behind_barrier);
  spilled x(p);
  x.spill({x.web(1)});
  CHECK((x.refusal(x.web(1)) == ra::spill_refusal::behind_barrier));
  x.spill({x.web(3)});
  CHECK(x.last.in_memory == 1);
  ww::program q = program_of(
      "MOV R1, c[0x0][0x28]\nS2R R4, SR_TID.X\nMOV R6, 0x1\nIADD3 R5, R4, R6, RZ\n"
      "STG.E desc[UR4][R2.64], R5\nEXIT\n");
  q.instructions[2].add(ww::iflag::behind_barrier);
  spilled y(q);
  y.spill({y.web(1)});
  CHECK((y.refusal(y.web(1)) == ra::spill_refusal::behind_barrier));
  y.spill({}, {y.web(2)});
  CHECK((y.refusal(y.web(2)) == ra::spill_refusal::not_constant));
}

TEST_CASE("FPA-8 rematerialisation: constants are computed again in front of their readers") {
  const std::string lines =
      "MOV R1, c[0x0][0x28]\nMOV R4, 0x11\nLDC.64 R6, c[0x0][0x160]\nS2R R5, SR_TID.X\nIADD3 R8, R4, R6, R7\n"
      "IADD3 R9, R8, R4, R5\nSTG.E.64 desc[UR4][R2.64], R6\nSTG.E desc[UR4][R2.64], R9\nEXIT\n";
  spilled x(program_of(lines));
  x.spill({}, {x.web(1), x.web(2), x.web(3)});
  CHECK(x.last.recomputed == 2);
  CHECK((x.refusal(x.web(3)) == ra::spill_refusal::not_constant));
  CHECK(x.shape() == "oorrororooo");
  CHECK(x.s.deleted == 2);
  CHECK(x.s.recomputed == 4);
  x.clean();
  // Jumped to: it stays.
  spilled y(program_of("MOV R1, c[0x0][0x28]\nloop:\nMOV R4, 0x11\nSTG.E desc[UR4][R2.64], R4\n@P0 BRA `(loop)\nEXIT\n"));
  y.spill({}, {y.web(1)});
  CHECK(y.shape() == "o|oroo|o");
  CHECK(y.s.deleted == 0);
  y.clean();
  // Two definitions, a guard, a register: no constants.
  spilled z(
      program_of("MOV R1, c[0x0][0x28]\nMOV R4, 0x11\n@P0 MOV R4, 0x12\nSTG.E desc[UR4][R2.64], R4\nMOV R5, 0x7\n"
                 "IADD3 R6, R5, 0x7, RZ\nSTG.E desc[UR4][R2.64], R6\nEXIT\n"));
  z.spill({}, {z.web(1), z.web(4), z.web(5)});
  CHECK((z.refusal(z.web(1)) == ra::spill_refusal::not_constant));
  CHECK((z.refusal(z.web(5)) == ra::spill_refusal::not_constant));
  CHECK(z.last.recomputed == 1);
  z.clean();
}

TEST_CASE("FPA-8 spill code: shared memory, from an absolute address or from a register") {
  spilled x(program_of(straight));
  ra::spill_space space{ww::mem_space::shared, ww::RZ, 0x40};
  x.spill({x.web(1)}, {}, space);
  CHECK(x.accesses() == names{"st4[64]", "ld4[64]", "ld4[64]"});
  for (const ww::instr_id i : x.inserted(ww::verify::allocated_as::spill)) {
    CHECK((x.s.lifted.code[i].op == ww::opcode::sts));
    CHECK(x.s.lifted.code[i].operand_count == 1);
  }
  x.clean();
  spilled y(program_of(straight));
  space.base = ww::R(20);
  y.spill({y.web(1)}, {}, space);
  for (const ww::instr_id i : y.inserted(ww::verify::allocated_as::refill)) {
    CHECK((y.s.lifted.code[i].op == ww::opcode::lds));
    CHECK(y.s.lifted.code.operands_of(i)[1].base() == ww::R(20));
  }
  CHECK(y.s.lifted.webs.size() > y.before.webs.size() + 3);  // one for the base register
  y.clean();
}

TEST_CASE("FPA-8 spill code: the instructions are those that the text of them gives, and their slots are told apart") {
  spilled x(program_of(straight));
  x.spill({x.web(1), x.web(2)});
  const ww::instr_id store = x.inserted(ww::verify::allocated_as::spill)[0];
  const ww::instr_id load = x.inserted(ww::verify::allocated_as::refill)[1];
  const auto name = [&](ww::instr_id i, std::size_t k) {
    return "R" + std::to_string(x.s.lifted.code.operands_of(i)[k].base().number());
  };
  ww::isa::builder b;
  b.text("STL [R1], " + name(store, 1)).text("LDL " + name(load, 0) + ", [R1+0x4]");
  const ww::program text = b.finish();
  REQUIRE(b.ok());
  for (unsigned k = 0; k < 2; ++k) {
    const ww::instruction& typed = x.s.lifted.code[k == 0 ? store : load];
    const ww::instruction& read = text.instructions[k];
    CHECK((typed.op == read.op));
    CHECK((typed.iclass == read.iclass));
    CHECK(typed.flags == read.flags);
    CHECK((typed.space == read.space));
    CHECK((typed.dir == read.dir));
    CHECK(typed.mem_bytes == read.mem_bytes);
    CHECK(typed.mem_offset == read.mem_offset);
    const auto ours = x.s.lifted.code.operands_of(typed);
    const auto theirs = text.operands_of(read);
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t j = 0; j < ours.size(); ++j) CHECK(ours[j] == theirs[j]);
  }
  const auto slot = [&](ww::instr_id i) { return ww::slot_of(x.s.lifted.code[i], x.s.lifted.code.operands_of(i)); };
  CHECK(slot(store).known());
  CHECK_FALSE(slot(store).meets(slot(load)));
  CHECK(slot(x.inserted(ww::verify::allocated_as::spill)[1]).meets(slot(load)));
}

TEST_CASE("FPA-8 spill code: bad input changes nothing") {
  const ww::program p = program_of(straight);
  const auto refused = [&](auto&& change) {
    ra::spilled_program s = ra::start_spills(ww::lift(p));
    ra::spill_space space;
    change(s, space);
    ra::spill_workspace ws;
    const std::size_t count = s.lifted.code.instructions.size();
    const std::vector<std::uint32_t> all{0, 1, 2, 3};
    CHECK_FALSE(ra::insert_spills(s, all, {}, space, ws).ok);
    CHECK(s.lifted.code.instructions.size() == count);
  };
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.code.order[1] = ww::instr_id{77}; });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.code.order[1] = s.lifted.code.order[0]; });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.code.blocks[0].count = 3; });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.code.blocks[0].first = 0xfffffff0u; });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.web_of_operand.pop_back(); });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.web_of_operand[2] = 500; });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.fault = ww::lift_fault::too_many; });
  refused([](ra::spilled_program& s, ra::spill_space&) { s.lifted.next_virtual[0] = ww::reg::zero_number - 2; });
  refused([](ra::spilled_program&, ra::spill_space& space) { space.space = ww::mem_space::global; });
  refused([](ra::spilled_program&, ra::spill_space& space) { space.base = ww::R(2000); });
  ra::spilled_program empty = ra::start_spills(ww::lift(ww::program{}));
  ra::spill_workspace ws;
  CHECK(ra::insert_spills(empty, {}, {}, {}, ws).ok);
}

namespace {

// Faults in what was inserted: each must be found.
struct planted {
  const char* name;
  bool (*plant)(spilled&, ww::program&, std::mt19937&);
};

void take_out(ww::program& p, ww::instr_id id) {
  for (std::uint32_t at = 0; at < p.order.size(); ++at) {
    if (p.order[at] != id) continue;
    p.order.erase(p.order.begin() + static_cast<std::ptrdiff_t>(at));
    for (ww::block& b : p.blocks) {
      if (b.first > at) {
        --b.first;
      } else if (at < b.first + b.count) {
        --b.count;
      }
    }
    return;
  }
}
bool any_of(const spilled& x, ww::verify::allocated_as what, std::mt19937& rng, ww::instr_id& out) {
  const std::vector<ww::instr_id> all = x.inserted(what);
  if (all.empty()) return false;
  out = all[rng() % all.size()];
  return true;
}

const planted faults[] = {
    {"lost store",
     [](spilled& x, ww::program& p, std::mt19937& rng) {
       ww::instr_id i;
       if (!any_of(x, ww::verify::allocated_as::spill, rng, i)) return false;
       take_out(p, i);
       return true;
     }},
    {"lost reload",
     [](spilled& x, ww::program& p, std::mt19937& rng) {
       ww::instr_id i;
       if (!any_of(x, ww::verify::allocated_as::refill, rng, i)) return false;
       take_out(p, i);
       return true;
     }},
    {"other offset of a store",
     [](spilled& x, ww::program& p, std::mt19937& rng) {
       ww::instr_id i;
       if (!any_of(x, ww::verify::allocated_as::spill, rng, i)) return false;
       p[i].mem_offset += 4;
       return true;
     }},
    {"other offset of a reload",
     [](spilled& x, ww::program& p, std::mt19937& rng) {
       ww::instr_id i;
       if (!any_of(x, ww::verify::allocated_as::refill, rng, i)) return false;
       p[i].mem_offset -= 4;
       return true;
     }},
    {"guard on a store",
     [](spilled& x, ww::program& p, std::mt19937& rng) {
       ww::instr_id i;
       if (!any_of(x, ww::verify::allocated_as::spill, rng, i)) return false;
       ww::instruction& ins = p[i];
       const auto first = static_cast<std::uint32_t>(p.operands.size());
       for (std::uint32_t k = 0; k < ins.operand_count; ++k) {
         const ww::operand o = p.operands[ins.first_operand + k];
         p.operands.push_back(o);
       }
       p.operands.push_back(ww::operand::use(ww::P(900), ww::slot::guard));
       ins.add(ww::iflag::guarded);
       ins.first_operand = first;
       ++ins.operand_count;
       return true;
     }},
    {"lost value computed again",
     [](spilled& x, ww::program& p, std::mt19937& rng) {
       ww::instr_id i;
       if (!any_of(x, ww::verify::allocated_as::remat, rng, i)) return false;
       take_out(p, i);
       return true;
     }},
};

struct tally {
  std::size_t programs = 0, memory = 0, again = 0, stores = 0, reloads = 0, unplaced = 0, rounds = 0;
  std::size_t planted[6] = {}, found[6] = {};
  std::size_t refused[11] = {};
};

// The first byte behind what the program itself accesses in local or shared memory, as far as its offsets tell.
std::int32_t own_frame(const ww::program& p) {
  std::int32_t end = 0;
  for (const ww::instruction& i : p.instructions) {
    if (i.space == ww::mem_space::local || i.space == ww::mem_space::shared) end = std::max(end, i.mem_offset + 16);
  }
  return end + (end != 0 ? 32 : 0);
}

void spill_at_random(const ww::program& p, std::mt19937& rng, tally& t, bool plant, bool all_found) {
  spilled x(p);
  ra::spill_space space;
  const unsigned where = static_cast<unsigned>(rng() % 3);
  if (where == 1) space = {ww::mem_space::shared, ww::RZ};
  if (where == 2) space = {ww::mem_space::local, ww::R(201)};
  space.frame_base = static_cast<std::int32_t>(rng() % 64) - 32 + own_frame(p);
  if (rng() % 4 == 0) space.base_alignment = 4u << rng() % 3;
  const unsigned rounds = 1 + static_cast<unsigned>(rng() % 2);
  const unsigned often = 1 + static_cast<unsigned>(rng() % 4);
  for (unsigned k = 0; k < rounds; ++k) {
    std::vector<std::uint32_t> memory, again;
    for (std::uint32_t w = 0; w < x.s.lifted.webs.size(); ++w) {
      if (rng() % 4 < often) memory.push_back(w);
      if (rng() % 4 == 0) again.push_back(w);
    }
    const auto shuffle = [&](std::vector<std::uint32_t>& list) { std::shuffle(list.begin(), list.end(), rng); };
    shuffle(memory);
    x.spill(memory, again, space);
    space.frame_base = static_cast<std::int32_t>(x.s.frame_end);
    t.memory += x.last.in_memory;
    t.again += x.last.recomputed;
    ++t.rounds;
    for (const ra::spill_refusal r : x.ws.plan.refusal) ++t.refused[static_cast<unsigned>(r)];
  }
  ++t.programs;
  t.stores += x.s.stores;
  t.reloads += x.s.reloads;
  ww::program after;
  if (!spread(x.s.lifted, after)) {
    ++t.unplaced;
    return;
  }
  const auto report = ww::verify::check_allocation(x.before.code, after, x.s.map);
  INFO(report_text(report));
  REQUIRE(report.sound());
  if (!plant) return;
  for (std::size_t k = 0; k < 6; ++k) {
    ww::program wrong = after;
    if (!faults[k].plant(x, wrong, rng)) continue;
    ++t.planted[k];
    const auto r = ww::verify::check_allocation(x.before.code, wrong, x.s.map);
    t.found[k] += r.sound() ? 0u : 1u;
    INFO(faults[k].name << "\n" << x.shape());
    if (all_found) CHECK_FALSE(r.sound());
  }
}

}  // namespace

TEST_CASE(
    "FPA-8 spill code: random webs of random programs, in rounds, under the check of allocations; planted faults are "
    "found") {
  tally t;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    if (!ww_test::chosen(seed, 10)) continue;
    std::mt19937 rng(seed);
    ww_test::random_flow_options o;
    o.count = 10 + static_cast<unsigned>(rng() % 40);
    o.registers = 4 + static_cast<unsigned>(rng() % 12);
    o.open = seed % 4 == 3;
    o.calls = seed % 3 == 0;
    const ww::program p = ww_test::random_flow(seed, o);
    if (p.blocks.empty()) continue;
    INFO("seed " << seed);
    spill_at_random(p, rng, t, true, true);
  }
  CHECK(t.memory > 100);
  CHECK(t.again > (ww_test::slow ? 1u : 10u));
  for (std::size_t k = 0; k < 6; ++k) CHECK(t.planted[k] > 0);
  std::string text;
  for (std::size_t k = 0; k < 6; ++k)
    text += std::string(faults[k].name) + " " + std::to_string(t.found[k]) + "/" + std::to_string(t.planted[k]) + ", ";
  for (unsigned k = 0; k < 11; ++k)
    text += std::string(name_of(static_cast<ra::spill_refusal>(k))) + " " + std::to_string(t.refused[k]) + ", ";
  WARN(t.programs << " programs, " << t.memory << " webs in memory, " << t.again << " computed again, " << t.stores
                  << " stores, " << t.reloads << " reloads; " << text);
}

TEST_CASE("FPA-8 spill code: random webs of every listing, under the check of allocations") {
  tally t;
  unsigned seed = 1;
  for (const std::string& path : ww_test::corpus::listings()) {
    const std::string text = ww_test::corpus::text(path);
    auto r = ww::sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    REQUIRE(r);
    for (ww::program& p : r.mod.sections) {
      std::mt19937 rng(seed++);
      if (!ww_test::chosen(seed, 10) || p.order.size() > 6000) continue;
      REQUIRE(ww::build_cfg(p).ok);
      INFO(path);
      spill_at_random(p, rng, t, p.order.size() < 600, false);
    }
  }
  CHECK(t.programs > 5);
  // Programs hold copies: now and then the wrong register or slot has the right value.
  for (std::size_t k = 0; k < 6; ++k) CHECK(t.found[k] * 100 >= t.planted[k] * (ww_test::slow ? 80u : 95u));
  std::string text;
  for (std::size_t k = 0; k < 6; ++k)
    text += std::string(faults[k].name) + " " + std::to_string(t.found[k]) + "/" + std::to_string(t.planted[k]) + ", ";
  for (unsigned k = 0; k < 11; ++k)
    text += std::string(name_of(static_cast<ra::spill_refusal>(k))) + " " + std::to_string(t.refused[k]) + ", ";
  WARN(t.programs << " programs (" << t.unplaced << " not placed in the registers of the test), " << t.memory
                  << " webs in memory, " << t.again << " computed again, " << t.stores << " stores, " << t.reloads
                  << " reloads; " << text);
}
