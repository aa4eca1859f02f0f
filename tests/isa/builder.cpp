// SPDX-License-Identifier: BSL-1.0
//
// Programs built in memory from text and from typed operands.

#include <cstdint>

#include <warpwright/isa/builder.hpp>

#include "../support/catch.hpp"

using namespace ww;

// What the opcode alone says is known in constant expressions, for blocks that the compiler schedules.
constexpr auto typed_load = ww::isa::typed_instruction(ww::opcode::ldg);
static_assert(typed_load.iclass == ww::sched_class::ldg && typed_load.space == ww::mem_space::global);
static_assert(typed_load.dir == ww::mem_dir::load && typed_load.mem_bytes == 0);
static_assert(ww::isa::typed_instruction(ww::opcode::exit).has(ww::iflag::exit));

TEST_CASE("isa builder: a loop from text has its branch resolved") {
  isa::builder b;
  b.lines(R"(
    // sum of a vector
    MOV R0, RZ
  loop:
    LDS R1, [R2]
    IADD3 R2, R2, 0x4, RZ
    FADD R0, R0, R1
    ISETP.NE.AND P0, PT, R2, R3, PT
    @P0 BRA `(loop)
    EXIT
  )");
  REQUIRE(b.ok());
  const program p = b.finish();
  REQUIRE(p.instructions.size() == 7);
  REQUIRE(p.order.size() == 7);
  CHECK(p.instructions[5].has(iflag::branch));
  CHECK(p.instructions[5].target == instr_id{1});
  CHECK(p.instructions[3].address == 0x30);
  for (const instruction& i : p.instructions) CHECK(i.first_operand + i.operand_count <= p.operands.size());
}

TEST_CASE("isa builder: typed instructions equal the same text") {
  isa::builder text, typed;
  text.text("@!P0 IADD3 R4, R2, R3, RZ").text("LDS.64 R6, [R4+0x10]");
  operand guard = operand::use(P(0), slot::guard);
  guard.set(operand::bit_not);
  operand result = operand::def(R(4), slot::dst);
  result.set(operand::bit_partial);
  typed.emit(opcode::iadd3, {result, operand::use(R(2), slot::a), operand::use(R(3), slot::b), guard});
  typed.emit(opcode::lds, {operand::def(R(6), slot::dst, 2), operand::use(R(4), slot::address)})
      .memory(mem_space::shared, mem_dir::load, 8, 16);
  REQUIRE(text.ok());
  REQUIRE(typed.ok());
  const program a = text.finish(), b = typed.finish();
  REQUIRE(a.instructions.size() == b.instructions.size());
  for (std::size_t i = 0; i < a.instructions.size(); ++i) {
    CHECK(a.instructions[i].op == b.instructions[i].op);
    CHECK(a.instructions[i].iclass == b.instructions[i].iclass);
    CHECK(a.instructions[i].guard_negated == b.instructions[i].guard_negated);
    CHECK(a.instructions[i].mem_bytes == b.instructions[i].mem_bytes);
    CHECK(a.instructions[i].mem_offset == b.instructions[i].mem_offset);
    CHECK(a.instructions[i].has(iflag::guarded) == b.instructions[i].has(iflag::guarded));
  }
}

TEST_CASE("isa builder: a typed instruction does what its opcode says") {
  isa::builder text, typed;
  text.lines(
      "loop:\nLDG.E R4, [R2]\nSTG.E [R2], R8\nRED.E.ADD [R2], R8\nMEMBAR.SC.GPU\nBAR.SYNC.DEFER_BLOCKING 0x0\n@P0 BRA "
      "`(loop)\n@!PT MOV "
      "R0, R1\n"
      "RET.REL.NODEC R20 `(loop)\nEXIT\n");
  const operand a = operand::use(R(2), slot::address, 2);
  const operand v = operand::use(R(8), slot::data);
  typed.label("loop")
      .emit(opcode::ldg, {operand::def(R(4), slot::dst), a})
      .emit(opcode::stg, {a, v})
      .emit(opcode::red, {a, v});
  typed.emit(opcode::membar, {}).emit(opcode::bar, {}).emit(opcode::bra, {operand::use(P(0), slot::guard)}).to("loop");
  typed.emit(opcode::mov, {operand::def(R(0), slot::dst), operand::use(R(1), slot::b),
                           operand::use(PT, slot::guard).set(operand::bit_not)});
  typed.emit(opcode::ret, {operand::use(R(20), slot::branch, 2)}).emit(opcode::exit, {});
  const program x = text.finish(), y = typed.finish();
  REQUIRE(text.ok());
  REQUIRE(typed.ok());
  REQUIRE(x.instructions.size() == y.instructions.size());
  for (std::size_t i = 0; i < x.instructions.size(); ++i) {
    INFO(i);
    instruction read = x.instructions[i];  // what only operands of the text say
    read.remove(iflag::reads_immediate);
    read.remove(iflag::reuse_legal);
    CHECK(read.flags == y.instructions[i].flags);
    CHECK(x.instructions[i].iclass == y.instructions[i].iclass);
    CHECK(x.instructions[i].dir == y.instructions[i].dir);
    CHECK(x.instructions[i].space == y.instructions[i].space);
    CHECK(x.instructions[i].target == y.instructions[i].target);
    CHECK(y.instructions[i].mem_bytes == 0);  // not said, so that the address is compared with none
  }
  isa::builder jump;  // a register decides where, a predicate whether
  jump.emit(opcode::bra, {operand::use(UR(4), slot::branch)}).emit(opcode::bra, {operand::use(P(1), slot::branch)});
  jump.emit(opcode::call, {operand::use(R(4), slot::branch, 2)}).emit(opcode::exit, {operand::use(P(1), slot::branch)});
  const program j = jump.finish();
  CHECK((j.instructions[0].has(iflag::indirect) && !j.instructions[0].has(iflag::conditional)));
  CHECK((!j.instructions[1].has(iflag::indirect) && j.instructions[1].has(iflag::conditional)));
  CHECK(j.instructions[2].has(iflag::indirect));
  CHECK((!j.instructions[3].has(iflag::indirect) && j.instructions[3].has(iflag::conditional)));
  isa::builder wrong;
  wrong.emit(opcode::exit, {}).to("nowhere");
  CHECK(!wrong.ok());
}

TEST_CASE("isa builder: BAR.SYNC blocks at once where its text and its words agree") {
  const auto blocks = [](const char* text, const std::uint64_t* words) {
    isa::builder b;
    b.text(text, words);
    return b.finish().instructions.front().has(iflag::blocks);
  };
  const std::uint64_t at_once[2] = {0x7b1d, 0}, deferred[2] = {0x7b1d, 0x10000};
  CHECK(blocks("BAR.SYNC 0x0", nullptr));
  CHECK(blocks("BAR.SYNC 0x0", at_once));
  CHECK_FALSE(blocks("BAR.SYNC 0x0", deferred));  // older disassemblers print it so
  CHECK_FALSE(blocks("BAR.SYNC.DEFER_BLOCKING 0x0", nullptr));
  CHECK_FALSE(blocks("BAR.ARV 0x1, 0x80", at_once));
}

TEST_CASE("isa builder: errors keep line and column, missing and doubled labels are errors") {
  isa::builder b;
  b.lines("MOV R0, RZ\nMOV R0, R999\nEXIT\n");
  CHECK(!b.ok());
  CHECK(b.first_error().line == 2);
  CHECK(b.first_error().column == 8);

  isa::builder missing;
  missing.text("BRA `(nowhere)");
  CHECK(missing.ok());
  (void)missing.finish();
  CHECK(!missing.ok());

  isa::builder behind;
  behind.text("BRA `(end)").label("end");
  (void)behind.finish();
  CHECK(!behind.ok());

  isa::builder twice;
  twice.label("x").text("NOP").label("x").text("EXIT");
  CHECK(!twice.ok());

  isa::builder order;
  order.emit(opcode::mov, {operand::use(R(1), slot::b), operand::def(R(0), slot::dst)});
  CHECK(!order.ok());
}

TEST_CASE("isa builder: numeric offsets, encoding words and virtual registers") {
  isa::dialect d;
  d.hidden_descriptor = true;
  isa::builder b(d);
  const std::uint64_t words[2] = {0x0000000402007981, 0x000ea2000c1e1900};
  b.text("LDG.E R0, [R2.64]", words).text("IMAD R2000, R2001, 0x4, RZ").text("BRA 0x10").text("EXIT");
  const program p = b.finish();
  REQUIRE(b.ok());
  CHECK(p.has_encoding);
  CHECK(p.instructions[0].word[0] == words[0]);
  CHECK(p.instructions[2].target == instr_id{1});
  bool hidden = false;
  for (const operand& o : p.operands_of(p.instructions[0])) hidden = hidden || o.is_hidden();
  CHECK(hidden);
  bool is_virtual = false;
  for (const operand& o : p.operands_of(p.instructions[1])) is_virtual = is_virtual || o.type() == operand_type::virtual_def;
  CHECK(is_virtual);
}

TEST_CASE("isa append: one instruction at a time") {
  program p;
  isa::error e;
  CHECK(isa::append(p, "FFMA R0, R1, R2, R3", {}, e));
  CHECK(!isa::append(p, "FFMA R0, R1, R2, Q]", {}, e));
  CHECK(e.column == 18);
  CHECK(p.instructions.size() == 1);
  CHECK(p.order.size() == 1);
}
