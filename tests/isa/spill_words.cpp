// SPDX-License-Identifier: BSL-1.0
//
// Words of spill code: known ones, and those of every access to local memory in the listings at hand.
#include <cstring>
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/isa/spill_words.hpp"
#include "warpwright/sass/listing.hpp"

using namespace ww;

namespace {

constexpr std::uint64_t control_bits = ((std::uint64_t{1} << 21) - 1) << 41;

struct golden {
  const char* text;
  std::uint64_t low, high;  // without control bits
};

}  // namespace

TEST_CASE("FPA-8 spill words: accesses to local memory have the words that compilers give them", "[spill_words]") {
  constexpr golden known[] = {
      {"STL [R1], R6", 0x0000000601007387, 0x100800},           {"STL [R1+0x98], R2", 0x0000980201007387, 0x100800},
      {"STL.64 [R1+0x8], R4", 0x0000080401007387, 0x100a00},    {"LDL R20, [R1+0xc]", 0x00000c0001147983, 0x100800},
      {"LDL.64 R22, [R1+0x130]", 0x0001300001167983, 0x100a00}, {"LDL.128 R12, [R12]", 0x000000000c0c7983, 0x100c00},
  };
  for (const golden& g : known) {
    isa::builder b;
    const std::uint64_t words[2] = {g.low, g.high};
    b.text(g.text, words);
    const program p = b.finish();
    REQUIRE(b.ok());
    std::uint64_t made[2] = {1, 1};
    INFO(g.text);
    REQUIRE(isa::set_local_access(made, p.instructions[0], p.operands_of(p.instructions[0])));
    CHECK(made[0] == g.low);
    CHECK(made[1] == g.high);
  }
}

TEST_CASE("FPA-8 spill words: what is no plain access to local memory is refused", "[spill_words]") {
  std::uint64_t made[2] = {1, 2};
  for (const char* text :
       {"STS [R1], R6", "@P0 STL [R1], R6", "LDG.E R2, [R4.64]", "LDL.U8 R2, [R1]", "IADD3 R1, R1, -0x8, RZ"}) {
    isa::builder b;
    b.text(text);
    const program p = b.finish();
    INFO(text);
    CHECK_FALSE(isa::set_local_access(made, p.instructions[0], p.operands_of(p.instructions[0])));
  }
  isa::builder b;
  b.text("STL.64 [R1+0x8], R4");
  program p = b.finish();
  instruction& i = p.instructions[0];
  for (const std::int32_t offset : {4, 1 << 23, -(1 << 23) - 8}) {  // not aligned, and out of reach
    i.mem_offset = offset;
    CHECK_FALSE(isa::set_local_access(made, i, p.operands_of(i)));
  }
  CHECK(made[0] == 1);
  CHECK(made[1] == 2);
  i.mem_offset = (1 << 23) - 8;
  CHECK(isa::set_local_access(made, i, p.operands_of(i)));
  CHECK(made[0] >> 40 == 0x7ffff8);
}

TEST_CASE("FPA-8 spill words: the step of the stack pointer is read, made and changed", "[spill_words]") {
  std::uint64_t word[2] = {0, 0};
  isa::set_stack_step(word, 0x40);
  CHECK(word[0] == 0xffffffc001017810);
  CHECK(word[1] == 0x7ffe0ff);
  CHECK(isa::stack_step(word) == 0x40);
  isa::change_stack_step(word, 0x158);
  CHECK(word[0] == 0xfffffea801017810);
  CHECK(isa::stack_step(word) == 0x158);
  const std::uint64_t viadd[2] = {0xffffff8001017836, 0x1fe20000000000};
  const std::uint64_t iadd[2] = {0xffffff8001017835, 0x1fe200078e0000};
  CHECK(isa::stack_step(viadd) == 0x80);
  CHECK(isa::stack_step(iadd) == 0x80);
  const std::uint64_t up[2] = {0x0000004001017810, 0x7ffe0ff};     // back up
  const std::uint64_t other[2] = {0xffffffc010017810, 0x7ffe0ff};  // of R16
  const std::uint64_t guard[2] = {0xffffffc001010810, 0x7ffe0ff};
  for (const auto& w : {up, other, guard}) {
    const std::uint64_t words[2] = {w[0], w[1]};
    CHECK(isa::stack_step(words) == 0);
  }
  CHECK(isa::stack_top_constant(dialect_of(static_cast<sm_id>(900))) == 0x28);
  CHECK(isa::stack_top_constant(dialect_of(static_cast<sm_id>(1000))) == 0x37c);
}

TEST_CASE("FPA-8 spill words: every plain access to local memory of the listings gets its own words again",
          "[spill_words]") {
  std::size_t same = 0, others = 0, tops = 0, steps = 0, number = 0;
  for (const std::string& path : ww_test::corpus::listings()) {
    if (!ww_test::chosen(++number, 10)) continue;
    const std::string text = ww_test::corpus::text(path);
    const sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    if (!r) continue;
    for (const program& p : r.mod.sections) {
      const isa::dialect d = dialect_of(p.sm);
      if (!p.has_encoding || d.word64) continue;
      for (const instruction& i : p.instructions) {
        const std::string body(r.mod.body_of(i));
        if (isa::reads_constant_word(i, isa::stack_top_constant(d)) && body.find(" R1, ") != std::string::npos) ++tops;
        if (isa::stack_step(i.word) != 0) ++steps;
        if (i.op != opcode::stl && i.op != opcode::ldl) continue;
        std::uint64_t made[2];
        const bool plain = body.rfind("STL [", 0) == 0 || body.rfind("LDL R", 0) == 0 || body.rfind("STL.64 [", 0) == 0 ||
                           body.rfind("LDL.64 R", 0) == 0 || body.rfind("STL.128 [", 0) == 0 ||
                           body.rfind("LDL.128 R", 0) == 0;
        if (!plain || !isa::set_local_access(made, i, p.operands_of(i))) {
          ++others;
          continue;
        }
        INFO(path << ": " << body);
        CHECK(made[0] == i.word[0]);
        CHECK(made[1] == (i.word[1] & ~control_bits));
        ++same;
      }
    }
  }
  WARN(same << " accesses alike, " << others << " of other forms (.LU, guards); " << tops << " loads of the stack pointer, "
            << steps << " steps");
  CHECK(tops > (ww_test::slow ? 5u : 20u));
  CHECK(same + steps > (ww_test::slow ? 1u : 5u));
}
