// SPDX-License-Identifier: BSL-1.0
//
// FPA-3: the packed operand descriptor. The text gives the places of its fields; they are read here from the two words, not
// through the members that are under test.
#include "warpwright/ir/operand.hpp"

#include <cstdint>
#include <random>

#include "../support/catch.hpp"
#include "warpwright/isa/decode.hpp"
#include "warpwright/isa/instruction_text.hpp"

namespace {

using namespace ww;

std::uint32_t field(std::uint32_t word, unsigned low, unsigned high) {
  return word >> low & ((1u << (high - low + 1)) - 1u);
}

// The one operand of an instruction's text that stands in `where`.
operand operand_of(const char* text, slot where, bool is_def) {
  isa::asm_instruction form;
  REQUIRE(isa::parse_instruction(text, form).ok);
  vec<operand> operands;
  isa::decode(form, nullptr, false, {}, operands);
  for (const operand& o : operands) {
    if (o.where() == where && o.is_def() == is_def) return o;
  }
  FAIL(text);
  return {};
}

}  // namespace

TEST_CASE("FPA-3 operand: type and register stand in the text's places") {
  struct row {
    operand o;
    unsigned type;
  };
  const row rows[] = {{operand{}, 0},
                      {operand::use(R(7), slot::a), 1},
                      {operand::def(reg{reg_file::r, 5000}, slot::dst), 2},
                      {operand::use(reg{reg_file::r, 5000}, slot::a), 3},
                      {operand::non_register(operand_type::immediate, slot::b), 4},
                      {operand::use(B(3), slot::none), 5},
                      {operand::non_register(operand_type::constant, slot::b), 6},
                      {operand::non_register(operand_type::sentinel, slot::none), 7}};
  for (const row& r : rows) {
    INFO("type " << r.type);
    CHECK(field(r.o.low, 28, 30) == r.type);
    CHECK(static_cast<unsigned>(r.o.type()) == r.type);
    CHECK(field(r.o.low, 31, 31) == 0);
    CHECK(field(r.o.low, 24, 27) == 0);
  }
  // Number and file of any register, physical or virtual, fit 24 bits and come back.
  std::mt19937 random(1);
  for (int k = 0; k < 10000; ++k) {
    const auto file = static_cast<reg_file>(1 + random() % (reg_file_count - 1));
    const reg r{file, static_cast<std::uint32_t>(random())};
    const operand o = operand::use(r, slot::c, 1u + static_cast<unsigned>(random() % 255u));
    CHECK(field(o.low, 0, 23) == r.packed);
    CHECK(o.base() == r);
    CHECK(o.file() == file);
  }
}

TEST_CASE("FPA-3 operand: sign, NOT, halves and port of decoded text stand in the text's places") {
  const operand negated = operand_of("IADD3 R0, R1, -R2, R3", slot::b, false);
  CHECK(field(negated.low, 31, 31) == 1);
  CHECK(negated.is_negated());
  CHECK(field(operand_of("IADD3 R0, R1, -R2, R3", slot::a, false).low, 31, 31) == 0);

  const operand inverted = operand_of("@!P3 MOV R0, R1", slot::guard, false);
  CHECK(field(inverted.high, 29, 29) == 1);
  CHECK(field(operand_of("@P3 MOV R0, R1", slot::guard, false).high, 29, 29) == 0);

  const operand low = operand_of("HFMA2 R0, R1.H0_H0, R2.H1_H1, R3", slot::a, false);
  const operand high = operand_of("HFMA2 R0, R1.H0_H0, R2.H1_H1, R3", slot::b, false);
  const operand both = operand_of("HFMA2 R0, R1.H0_H0, R2.H1_H1, R3", slot::c, false);
  CHECK(field(low.high, 25, 26) == 1);
  CHECK(field(high.high, 25, 26) == 2);
  CHECK(field(both.high, 25, 26) == 0);
  CHECK(low.is_half());
  CHECK(high.is_half());
  CHECK_FALSE(both.is_half());
  CHECK(field(low.high, 22, 24) == 1);
  CHECK(field(high.high, 22, 24) == 2);
  CHECK(field(both.high, 22, 24) == 3);
  // the second source of FADD goes through the third port
  CHECK(field(operand_of("FADD R0, R1, R2", slot::b, false).high, 22, 24) == 3);

  // Half of a register may be left as it was by whoever writes the other half.
  const operand result = operand_of("HADD2 R0.H1_H1, R1, R2", slot::dst, true);
  CHECK(field(result.high, 25, 26) == 2);
  CHECK(result.is_partial());
  CHECK_FALSE(operand_of("HADD2 R0, R1, R2", slot::dst, true).is_partial());
}

TEST_CASE("FPA-3 operand: what the kit keeps in the constraint flags does not reach other fields") {
  for (unsigned width = 0; width < 256; width += 5) {
    for (unsigned s = 0; s <= static_cast<unsigned>(slot::implicit); ++s) {
      for (const bool is_def : {false, true}) {
        operand o = operand::make(R(9), static_cast<slot>(s), width, is_def);
        o.set(operand::bit_reuse | operand::bit_hidden | operand::bit_partial);
        CHECK(o.high >> 22 == 0);
        CHECK(o.width() == width);
        CHECK(o.where() == static_cast<slot>(s));
        CHECK(o.is_def() == is_def);
        CHECK(o.is_use() == !is_def);
        o.set(7u << 22 | operand::bit_low_half | operand::bit_high_half | operand::bit_not);
        CHECK(o.width() == width);
        CHECK(o.where() == static_cast<slot>(s));
        CHECK(o.is_def() == is_def);
      }
    }
  }
}
