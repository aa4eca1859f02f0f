// SPDX-License-Identifier: BSL-1.0
//
// Instruction text that is wrong, cut short or random: an error with a column, never a crash; and text in all its shapes.

#include <cstdint>
#include <string>
#include <type_traits>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "listing_lines.hpp"
#include "render.hpp"

namespace {

using namespace ww;

struct bad_text {
  const char* text;
  unsigned column;
};

// The column of the first byte that cannot be right.
const bad_text bad[] = {
    {"", 0},
    {"   ", 3},
    {"@P9 MOV R0, R1", 1},
    {"@R2 MOV R0, R1", 1},
    {"@!X MOV R0, R1", 2},
    {"lower R0", 0},
    {"123", 0},
    {"MOV.", 4},
    {"MOV R0,", 7},
    {"MOV R0, R1,", 11},
    {"MOV R0, R255", 8},
    {"MOV R0, P7", 8},
    {"BSSY B16, `(L)", 5},
    {"MOV R0, UR300", 8},
    {"MOV R0, R1.", 11},
    {"LDG.E R0, [R2", 13},
    {"LDG.E R0, [R2,R3]", 13},
    {"LDG.E R0, [R2+]x", 15},
    {"LDG.E R0, [R2+R4]", 14},
    {"LDG.E R0, [UR2+UR4]", 15},
    {"LDG.E R0, desc[0x0][R2]", 14},
    {"MOV R0, c[0x0]", 14},
    {"MOV R0, c[R2][0x0]", 9},
    {"MOV R0, c[0x100][0x0]", 9},
    {"MOV R0, 0x", 10},
    {"MOV R0, 0x12345678123456789", 8},
    {"BRA `(L", 5},
    {"BRA `L", 5},
    {"BRA (L)", 4},
    {"FADD R0, R1, ((R2))", 13},
    {"BRX R4 -0x10 (*\"BRANCH", 13},
    {"MOV R0, %", 8},
    {"MOV R0, -", 9},
    {"MOV R0 ; R1", 9},
    {"MOV, R0", 3},
    {"DEPBAR {5,4", 7},
    {"F R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12", 52},
};

std::uint64_t next(std::uint64_t& s) {
  s ^= s << 13;
  s ^= s >> 7;
  s ^= s << 17;
  return s;
}

// Every view of the result lies inside the text, and a failure has a column inside it.
void check_result(const std::string& text) {
  isa::asm_instruction form;
  const isa::parse_result r = isa::parse_instruction(text, form);
  if (!r.ok) {
    REQUIRE(r.column <= text.size());
    REQUIRE(r.expected != nullptr);
    REQUIRE(*r.expected != '\0');
    return;
  }
  const auto inside = [&](std::string_view v) {
    return v.empty() || (v.data() >= text.data() && v.data() + v.size() <= text.data() + text.size());
  };
  REQUIRE(inside(form.mnemonic));
  REQUIRE(inside(form.modifier_text));
  REQUIRE(form.operand_count <= isa::asm_instruction::max_operands);
  for (unsigned i = 0; i < form.operand_count; ++i) REQUIRE(inside(form.operands[i].text));
  ww::vec<operand> operands;
  const std::uint64_t words[2] = {0x0000000402007981, 0x000ea2000c1e1900};
  isa::dialect d;
  d.hidden_descriptor = (text.size() & 1) != 0;
  d.word64 = (text.size() & 2) != 0;
  const instruction i = isa::decode(form, words, true, d, operands);
  REQUIRE(i.operand_count == operands.size());
  bool uses = false;
  for (const operand& o : operands) {
    REQUIRE(o.is_def() != o.is_use());
    REQUIRE(!(uses && o.is_def()));
    uses = uses || o.is_use();
  }
}

// What is undefined is no constant expression.
template <auto F>
concept is_constant = requires {
  typename std::bool_constant<(F(), true)>;
};

// Offsets are added modulo 2^64, decimal ones as hexadecimal ones.
constexpr auto wrapped_offset = [] {
  isa::asm_instruction f;
  const bool read = isa::parse_instruction("LDG.E R0, [R2+0x7fffffffffffffff+5]", f).ok;
  return read && f.operands[1].value == -0x7ffffffffffffffc;
};
static_assert(is_constant<wrapped_offset>);
static_assert(wrapped_offset());

}  // namespace

TEST_CASE("isa text: errors name the column of the first byte that cannot be right") {
  for (const bad_text& b : bad) {
    INFO(b.text);
    isa::asm_instruction form;
    const isa::parse_result r = isa::parse_instruction(b.text, form);
    CHECK(!r.ok);
    CHECK(r.column == b.column);
    CHECK(*r.expected != '\0');
  }
}

TEST_CASE("isa text: all operand shapes are read") {
  isa::asm_instruction f;
  REQUIRE(isa::parse_instruction("LDG.E R0, desc[UR4][R2.64+-0x10]", f).ok);
  CHECK(f.operands[1].kind == isa::asm_kind::address);
  CHECK(f.operands[1].base == R(2));
  CHECK(f.operands[1].desc == UR(4));
  CHECK(f.operands[1].value == -16);
  CHECK(f.operands[1].has(isa::asm_flag::wide64));
  REQUIRE(isa::parse_instruction("LDG.E R0, [R10.64+UR4+0x1]", f).ok);
  CHECK(f.operands[1].ubase == UR(4));
  REQUIRE(isa::parse_instruction("HADD2 R21, -RZ.H0_H0, c[0x2] [0x8].F32", f).ok);
  CHECK(f.operands[2].kind == isa::asm_kind::constant);
  CHECK(f.operands[2].bank == 2);
  CHECK(f.operands[2].value == 8);
  REQUIRE(isa::parse_instruction("MOV R20, 32@lo((call_poly + .L_x_7@srel))", f).ok);
  CHECK(f.operands[1].kind == isa::asm_kind::label);
  CHECK(f.operands[1].text == "(call_poly + .L_x_7@srel)");
  REQUIRE(isa::parse_instruction("RET.REL.NODEC R20 `(call_indirect)", f).ok);
  CHECK(f.operand_count == 2);
  CHECK(f.operands[1].text == "call_indirect");
  REQUIRE(isa::parse_instruction("BRX R4 -0x160   (*\"BRANCH_TARGETS .L_x_19,.L_x_20 ,.L_x_26\"*);", f).ok);
  CHECK(f.branch_targets == ".L_x_19,.L_x_20 ,.L_x_26");
  CHECK(f.operands[1].value == -0x160);
  REQUIRE(isa::parse_instruction("LDC R2, cx[UR4][R6+0x10]", f).ok);
  CHECK(f.operands[1].desc == UR(4));
  CHECK(f.operands[1].base == R(6));
  REQUIRE(isa::parse_instruction("UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0", f).ok);
  CHECK(f.operands[2].kind == isa::asm_kind::address);
  CHECK(f.operands[2].ubase == UR(8));
  REQUIRE(isa::parse_instruction("LDCU.64 UR4, c[0x0][0x358] &wr=0x0 ?trans1;", f).ok);
  CHECK(f.operand_count == 2);
  REQUIRE(isa::parse_instruction("FSETP.NEU.AND P1, PT, |R5|.reuse, +INF , PT", f).ok);
  CHECK(f.operands[2].base == R(5));
  CHECK(f.operands[2].has(isa::asm_flag::reuse));
  CHECK(f.operands[3].kind == isa::asm_kind::floating);
  CHECK(f.operand_count == 5);
  REQUIRE(isa::parse_instruction("FADD R4, R0, -6.5827683646048100446e-37", f).ok);
  CHECK(f.operands[2].kind == isa::asm_kind::floating);
  REQUIRE(isa::parse_instruction("IMAD R1030, R1025, 0x4, RZ", f).ok);
  CHECK(f.operands[0].base.is_virtual());
}

TEST_CASE("isa text: every prefix and a hundred thousand mutations of real instructions are handled") {
  std::vector<std::string> seeds;
  for (const char* name : {"isa/tma_pipeline.sm90.sass", "isa/texsample.sm80.sass", "isa/dpx_int.sm120.sass"}) {
    for (const ww_test::listing_line& l : ww_test::read_lines(ww_test::corpus::text(ww_test::corpus::bundled(name)))) {
      seeds.push_back(l.body);
    }
  }
  REQUIRE(seeds.size() > 500);
  for (std::size_t i = 0; i < seeds.size(); i += 7) {
    for (std::size_t n = 0; n <= seeds[i].size(); ++n) check_result(seeds[i].substr(0, n));
  }
  std::uint64_t s = 0x9e3779b97f4a7c15ull;
  for (int round = 0; round < 100000; ++round) {
    std::string t = seeds[next(s) % seeds.size()];
    for (std::uint64_t k = next(s) % 4; k != 0 || t.empty(); --k) {
      if (t.empty()) t = "NOP";
      const std::size_t at = next(s) % t.size();
      switch (next(s) % 5) {
        case 0:
          t[at] = static_cast<char>(next(s) & 255);
          break;
        case 1:
          t.erase(at, 1 + next(s) % 4);
          break;
        case 2:
          t.insert(at, 1, "[](){}.,+-|!~@`*0xRUPB;: "[next(s) % 25]);
          break;
        case 3:
          t += t.substr(at);
          break;
        default:
          t.resize(at);
          break;
      }
      if (k == 0) break;
    }
    check_result(t);
  }
}

TEST_CASE("isa text: random bytes and very long input are handled") {
  std::uint64_t s = 12345;
  for (int round = 0; round < 20000; ++round) {
    std::string t(next(s) % 64, ' ');
    for (char& c : t) c = static_cast<char>(next(s) & 255);
    check_result(t);
  }
  check_result(std::string(1 << 20, '('));
  check_result("MOV R0, " + std::string(1 << 20, '('));
  check_result("MOV R0, " + std::string(1 << 20, '-') + "R1");
  check_result("LDG R0, [" + std::string(1 << 20, '+') + "R1]");
  check_result("MOV" + std::string(1 << 16, '.'));
  check_result("MOV R0, 1" + std::string(1 << 20, '0'));
}
