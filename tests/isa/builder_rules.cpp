// SPDX-License-Identifier: BSL-1.0
//
// What the builder refuses, what it accepts, and what it says of it.

#include <cstdint>
#include <string>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/isa/builder.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "listing_lines.hpp"

namespace {

using namespace ww;

struct wrong {
  const char* text;
  unsigned column;
  const char* expected;
};

void refused(const wrong& w, const isa::dialect& d) {
  isa::builder b(d);
  b.lines(std::string("NOP\n") + w.text + "\nEXIT\n");
  INFO(w.text);
  CHECK_FALSE(b.ok());
  CHECK(b.first_error().line == 2);
  CHECK(b.first_error().column == w.column);
  CHECK(std::string(b.first_error().expected) == w.expected);
  CHECK(b.error_place() == instr_id{1});
}

isa::error error_of(std::initializer_list<operand> operands, opcode op = opcode::mov, const isa::dialect& d = {}) {
  isa::builder b(d);
  b.emit(opcode::nop, {}).emit(op, operands);
  if (!b.ok()) CHECK(b.error_place() == instr_id{1});
  return b.first_error();
}

std::string expected(std::initializer_list<operand> operands, const isa::dialect& d = {}) {
  return error_of(operands, opcode::mov, d).expected;
}

}  // namespace

TEST_CASE("isa builder rules: every text of the bundled listings is accepted") {
  std::uint64_t lines = 0, refused = 0;
  for (const char* folder :
       {"listings", "listings_blackwell", "listings_rare", "listings_short", "listings_versions", "isa"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
      if (path.find(".sass") == std::string::npos) continue;
      isa::builder b(dialect_of(ww_test::corpus::sm_of(path)));
      for (const ww_test::listing_line& l : ww_test::read_lines(ww_test::corpus::text(path))) {
        ++lines;
        b.text(l.body, l.words == 2 ? l.word : nullptr);
        if (b.ok() && b.unknown_count() == 0) continue;
        ++refused;
        INFO(path << ": " << l.body << ": expected " << b.first_error().expected);
        CHECK(refused > 5);
        (void)b.finish();
      }
    }
  }
  CHECK(refused == 0);
  CHECK(lines > 30000);
}

TEST_CASE("isa builder rules: kinds and numbers of operands that can never be right are errors") {
  const isa::dialect d = dialect_of(static_cast<sm_id>(800));
  const wrong table[] = {
      {"FADD R0, P0, R1", 9, "a source that is no predicate"},
      {"FADD R0, R1, P0", 13, "a source that is no predicate"},
      {"MOV 0x1, R0", 4, "a general register as result"},
      {"MOV UR4, R0", 4, "a general register as result"},
      {"UMOV R4, UR5", 5, "a uniform register as result"},
      {"UIADD3 UR4, R5, UR6, URZ", 12, "a uniform register"},
      {"@P0 FADD R0, R1", 15, "one more source"},
      {"FFMA R0, R1, R2", 15, "one more source"},
      {"FADD R0, R1, R2, R3", 17, "no further source"},
      {"IMAD R0, R1, R2, R3, P0, P1", 25, "no further predicate"},
      {"FADD R0, R1, [R2]", 13, "a register, a number or a constant"},
      {"FADD R0, R1, BANANA", 13, "a register, a number or a constant"},
      {"FADD R0, R1, B3", 13, "a register, a number or a constant"},
      {"ISETP.GE.AND R0, R1, R2, PT", 13, "a predicate as result"},
      {"LDG.E R0, R2", 12, "an address"},
      {"LDG.E [R2.64]", 6, "a result in front of the address"},
      {"LDG.E 0x4, [R2.64]", 6, "a result or an address"},
      {"STG.E R1, [R2.64]", 6, "an address"},
      {"STG.E [R2.64]", 13, "what is stored, behind the address"},
      {"RED.E.ADD R1, [R2.64]", 10, "an address"},
      {"HMMA.16816.F32 R0, R4, R8", 25, "a result and three factors and addends"},
      {"HMMA.16816.F32 R0, R4, 0x1, R12", 23, "a register"},
      {"BRA a", 4, "a label in backticks and parentheses: `(name)"},
      {"BRA", 3, "a label: `(name)"},
      {"CALL.REL.NOINC f", 15, "a label in backticks and parentheses: `(name)"},
      {"BSSY B0, join", 9, "a label in backticks and parentheses: `(name)"},
      {"BSSY B0", 7, "a label: `(name)"},
  };
  for (const wrong& w : table) refused(w, d);
}

TEST_CASE("isa builder rules: registers beyond their file, groups over its end and odd pairs are errors") {
  const isa::dialect d = dialect_of(static_cast<sm_id>(800));
  const char* const beyond = "a register that the SM has, or one from number 1024 on";
  const char* const over = "a group of registers that ends in its file";
  const wrong table[] = {
      {"UMOV UR90, 0x1", 5, beyond},
      {"MOV R5, UR63", 8, beyond},
      {"LDG.E.128 R252, [R2.64]", 10, over},
      {"LDG.E.64 R254, [R2.64]", 9, over},
      {"LDG.E.64 R5, [R2.64]", 9, "a pair that begins at an even register"},
      {"DADD R4, R6, R9", 13, "a pair that begins at an even register"},
      {"LDG.E R4, [R3.64]", 10, "a pair that begins at an even register"},
      {"STG.E.128 [R2.64], R6", 19, "a group that begins at a multiple of four"},
  };
  for (const wrong& w : table) refused(w, d);
  isa::builder b(d);
  b.lines(
      "MOV R254, 0x1\nUMOV UR62, 0x1\nLDG.E.64 R252, [R250.64]\nMOV R1024, R5000\nLDG.E.64 R1025, [R2.64]\nMOV R1, RZ\n");
  CHECK(b.ok());
  isa::builder later(dialect_of(static_cast<sm_id>(1000)));
  later.text("UMOV UR90, 0x1");
  CHECK(later.ok());
  isa::builder early(dialect_of(static_cast<sm_id>(500)));
  early.text("MOV R1, UR4");
  CHECK(std::string(early.first_error().expected) == beyond);

  using o = operand;
  CHECK(expected({o::def(R(4), slot::dst), o::use(R(5), slot::b)}, d).empty());
  CHECK(expected({o::def(R(5000), slot::dst), o::use(RZ, slot::b)}, d).empty());
  CHECK(expected({o::def(R(900), slot::dst)}, d) == beyond);
  CHECK(expected({o::def(R(255), slot::dst)}, d) == beyond);
  CHECK(expected({o::def(UR(200), slot::dst)}, d) == beyond);
  CHECK(expected({o::use(P(40), slot::psrc)}, d) == beyond);
  CHECK(expected({o::use(UP(7), slot::psrc)}, d) == beyond);
  CHECK(expected({o::use(B(16), slot::a)}, d) == beyond);
  CHECK(expected({o::use(B(2000), slot::a)}, d) == "a register of the machine");
  CHECK(expected({o::def(R(250), slot::dst, 8)}, d) == over);
  CHECK(expected({o::def(R(reg::zero_number - 1), slot::dst, 2)}, d) == over);
  CHECK(expected({o::def(R(3), slot::dst, 2)}, d) == "a pair that begins at an even register");
  CHECK(expected({o::def(R(4), slot::dst, 0)}, d) == "a width of one register or more");
  CHECK(expected({o::def(R(2000), slot::dst, 200)}, d) == "a width of 128 registers at most");
  CHECK(expected({o::use(R(3), slot::guard)}, d) == "a predicate as guard");
  CHECK(expected({operand{}}, d) == "a result or a source");
  CHECK(expected({operand::non_register(operand_type::immediate, slot::b)}, d).empty());
  CHECK(expected({operand::def(reg{}, slot::dst)}, d) == "a register");
  operand number = operand::non_register(operand_type::immediate, slot::dst);
  number.high ^= operand::bit_def | operand::bit_use;
  CHECK(expected({number}, d) == "a register as result");
}

TEST_CASE("isa builder rules: typed opcodes are those of the table, unknown ones are counted and named") {
  CHECK(std::string(error_of({}, static_cast<opcode>(60000)).expected) == "an opcode of isa/opcode_id.hpp");
  CHECK(error_of({}, static_cast<opcode>(opcode_count - 1)).ok());
  isa::builder b;
  b.lines("NOP\nFROB R0, R1\nEXIT\n").emit(opcode::unknown, {operand::use(R(4), slot::a)}).text("NOP");
  const program p = b.finish();
  CHECK(b.ok());
  REQUIRE(b.unknown_count() == 2);
  CHECK(b.unknown(0) == instr_id{1});
  CHECK(b.unknown_name(0) == "FROB");
  CHECK(b.unknown(1) == instr_id{3});
  CHECK(b.unknown_name(1).empty());
  CHECK(p.instructions[1].has(iflag::fence));
  b.text("NOP");
  CHECK(b.unknown_count() == 0);
}

TEST_CASE("isa builder rules: a branch that goes nowhere, and an offset outside, are errors with their place") {
  isa::builder typed;
  typed.emit(opcode::nop, {}).emit(opcode::bra, {}).emit(opcode::exit, {});
  CHECK(typed.ok());
  (void)typed.finish();
  CHECK(std::string(typed.first_error().expected) == "a place to go to: to(label) behind the branch");
  CHECK(typed.error_place() == instr_id{1});
  isa::builder call;
  call.emit(opcode::call, {}).emit(opcode::exit, {});
  (void)call.finish();
  CHECK_FALSE(call.ok());
  isa::builder jump;  // through a register
  jump.emit(opcode::brx, {operand::use(R(2), slot::branch, 2)}).emit(opcode::exit, {});
  (void)jump.finish();
  CHECK(jump.ok());
  for (const char* text : {"NOP\n  BRA 0x1000\n", "NOP\n  BRA 0x18\n", "NOP\n  BRA -0x10\n", "NOP\n  BRA `(a)\n"}) {
    isa::builder b;
    b.lines(text);
    (void)b.finish();
    INFO(text);
    CHECK_FALSE(b.ok());
    CHECK(b.first_error().line == 2);
    CHECK(b.first_error().column >= 6);
    CHECK(b.first_error().column <= 8);
    CHECK(b.error_place() == instr_id{1});
  }
}

TEST_CASE("isa builder rules: finish leaves an empty builder, and what is said needs an instruction") {
  isa::builder b;
  b.text("MOV R0, R999").text("EXIT").label("x");
  (void)b.finish();
  CHECK_FALSE(b.ok());  // still of the last program
  b.label("x").text("BRA `(x)").text("EXIT");
  CHECK(b.ok());
  CHECK(b.finish().instructions.size() == 2);
  CHECK(b.ok());
  CHECK_FALSE(b.error_place().valid());
  isa::builder unread;
  unread.lines("NOP\nNOP [\n");
  CHECK(unread.error_place() == instr_id{1});
  b.text("BRA `(nowhere)");
  (void)b.finish();
  CHECK_FALSE(b.ok());
  (void)b.finish();
  CHECK(b.ok());
  const std::string none = "an instruction before what is said of it";
  isa::builder to, memory, flag;
  CHECK(std::string(to.to("x").first_error().expected) == none);
  CHECK(std::string(memory.memory(mem_space::global, mem_dir::load, 4).first_error().expected) == none);
  CHECK(std::string(flag.flag(iflag::fence).first_error().expected) == none);
}

TEST_CASE("isa builder rules: regions end at their labels") {
  isa::builder text, typed;
  text.lines("BSSY B0, `(join)\nNOP\nBSYNC B0\nNOP\njoin:\nEXIT\n");
  typed.emit(opcode::bssy, {operand::def(B(0), slot::dst)}).to("join").emit(opcode::nop, {});
  typed.emit(opcode::bsync, {operand::use(B(0), slot::a)}).emit(opcode::nop, {}).label("join").emit(opcode::exit, {});
  for (isa::builder* b : {&text, &typed}) {
    const program p = b->finish();
    CHECK(b->ok());
    CHECK(p.instructions[0].target == instr_id{4});
  }
  isa::builder missing;
  missing.text("BSSY B0, `(join)");
  (void)missing.finish();
  CHECK_FALSE(missing.ok());
}

TEST_CASE("isa builder rules: without words an access may read any uniform pair that the program writes") {
  const isa::dialect d = dialect_of(static_cast<sm_id>(800));
  const auto descriptor = [](const program& p, std::size_t at) {
    for (const operand& o : p.operands_of(p.instructions[at])) {
      if (o.where() == slot::desc) return o;
    }
    return operand{};
  };
  const char* const source =
      "ULDC.64 UR4, c[0x0][0x118]\nUMOV UR9, UR3\nLDG.E R4, [R2.64]\nSTG.E [R2.64], R4\n"
      "RED.E.ADD [R2.64], R4\nLDGSTS.E [R8], [R2.64]\n";
  isa::builder b(d), other, typed(d), known(d), none(d);
  b.lines(source);
  program p = b.finish();
  for (std::size_t k = 2; k < 6; ++k) {
    const operand o = descriptor(p, k);
    CHECK((o.base() == UR(4) && o.width() == 6 && o.is_use() && o.is_hidden() && o.is_assumed()));
  }
  other.lines(source);
  CHECK_FALSE(descriptor(other.finish(), 2).is_use());
  none.lines("LDG.E R4, [R2.64]\nFADD R4, R4, R4\n");
  p = none.finish();
  CHECK((descriptor(p, 0).is_assumed() && !descriptor(p, 0).is_register()));
  known.lines("ULDC.64 UR4, c[0x0][0x118]\nLDG.E R4, desc[UR4][R2.64]\n");
  p = known.finish();
  CHECK((descriptor(p, 1).width() == 2 && !descriptor(p, 1).is_assumed()));

  const operand address = operand::use(R(2), slot::address, 2);
  const operand load = operand::def(R(4), slot::dst);
  typed.emit(opcode::uldc, {operand::def(UR(6), slot::dst, 2)}).emit(opcode::ldg, {load, address});
  typed.emit(opcode::ldg, {load, address, operand::use(UR(8), slot::desc, 2)});
  typed.emit(opcode::ldg, {load, operand::use(R(2), slot::address)})
      .emit(opcode::ldg, {load, address, operand::use(URZ, slot::desc, 2)})
      .emit(opcode::ldg, {load, address, operand::use(UR(4), slot::uaddress, 2)});
  p = typed.finish();
  CHECK(typed.ok());
  CHECK((descriptor(p, 1).base() == UR(6) && descriptor(p, 1).width() == 2 && descriptor(p, 1).is_assumed()));
  CHECK((descriptor(p, 2).base() == UR(8) && !descriptor(p, 2).is_assumed()));
  CHECK_FALSE(descriptor(p, 3).is_use());
  CHECK_FALSE(descriptor(p, 4).is_assumed());
  CHECK_FALSE(descriptor(p, 5).is_assumed());
  for (const std::size_t k : {1u, 2u, 4u}) {  // one of them, known or assumed
    unsigned n = 0;
    for (const operand& o : p.operands_of(p.instructions[k])) n += o.where() == slot::desc ? 1u : 0u;
    CHECK(n == 1);
  }

  isa::builder places(d);  // nobody knows which one a virtual register becomes
  places.lines("ULDC.64 UR1024, c[0x0][0x118]\nLDG.E R4, [R2.64]\nEXIT\n");
  (void)places.finish();
  CHECK(std::string(places.first_error().expected) ==
        "desc[..] in front of addresses, where uniform registers have numbers from 1024 on");
}

TEST_CASE("isa builder rules: typed results under a guard or of one half leave old values, constants and numbers are told") {
  isa::builder b;
  const operand result = operand::def(R(4), slot::dst), source = operand::use(R(5), slot::b);
  b.emit(opcode::mov, {result, source}).emit(opcode::mov, {result, source, operand::use(P(0), slot::guard)});
  b.emit(opcode::mov, {result, source, operand::use(PT, slot::guard).set(operand::bit_not)});
  b.emit(opcode::mov, {result, source, operand::use(PT, slot::guard)});
  b.emit(opcode::hmul2, {operand::def(R(4), slot::dst).set(operand::bit_high_half), source});
  b.emit(opcode::mov, {result, operand::non_register(operand_type::constant, slot::b)});
  b.emit(opcode::mov, {result, operand::non_register(operand_type::immediate, slot::b)});
  const program p = b.finish();
  const auto partial = [&p](unsigned k) { return p.operands_of(p.instructions[k])[0].is_partial(); };
  CHECK_FALSE(partial(0));
  CHECK(partial(1));
  CHECK(partial(2));
  CHECK_FALSE(partial(3));
  CHECK(partial(4));
  CHECK_FALSE(p.instructions[0].has(iflag::reads_constant));
  CHECK(p.instructions[5].has(iflag::reads_constant));
  CHECK(p.instructions[6].has(iflag::reads_immediate));
}
