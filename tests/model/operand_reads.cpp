// SPDX-License-Identifier: BSL-1.0
//
// Register reads, reuse hits and bank conflicts: counted on small programs whose numbers are plain, priced by each policy,
// and compared with a count by values on random programs.
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/arch/dialect.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>
#include <warpwright/model/simulate.hpp>

#include "../support/catch.hpp"

using namespace ww;

namespace {

template <class Arch>
program plain(std::string_view text) {
  isa::builder b(dialect_of(Arch::id));
  b.lines(text);
  program p = b.finish();
  REQUIRE(b.ok());
  p.sm = Arch::id;
  REQUIRE(build_cfg(p).ok);
  for (instruction& i : p.instructions) i.ctl = control{};
  return p;
}

struct counts {
  double reads, hits, conflicts;
  bool operator==(const counts&) const = default;
};
std::ostream& operator<<(std::ostream& o, const counts& c) {
  return o << c.reads << " reads, " << c.hits << " hits, " << c.conflicts << " cycles";
}
template <class Arch>
counts count(const program& p) {
  const model::operand_reads r = model::count_operand_reads<Arch>(p);
  return {r.reads, r.hits, r.conflicts};
}
template <class Arch>
double cycles(const program& p, model::options o = {}) {
  model::workspace ws;
  return model::simulate<Arch>(p, o, ws).cycles;
}

}  // namespace

TEST_CASE("model operands: reads in the fullest bank above the issue interval") {
  const char* same = "FFMA R0, R2, R4, R6\nEXIT\n";
  CHECK(count<sm86>(plain<sm86>(same)) == counts{3, 0, 2});
  CHECK(count<sm80>(plain<sm80>(same)) == counts{3, 0, 1});  // the pipe is busy for two cycles anyway
  CHECK(count<sm86>(plain<sm86>("FFMA R0, R2, R4, R5\nEXIT\n")) == counts{3, 0, 1});
  CHECK(count<sm80>(plain<sm80>("FFMA R0, R2, R4, R5\nEXIT\n")) == counts{3, 0, 0});
  CHECK(count<sm86>(plain<sm86>("FFMA R0, R2, c[0x0][0x160], RZ\nEXIT\n")) == counts{1, 0, 0});
  SECTION("four banks of sm_50") {
    CHECK(count<sm50>(plain<sm50>("FFMA R0, R2, R4, R6\nEXIT\n")) == counts{3, 0, 1});
    CHECK(count<sm50>(plain<sm50>("FFMA R0, R1, R2, R3\nEXIT\n")) == counts{3, 0, 0});
    CHECK(count<sm50>(plain<sm50>("FFMA R0, R1, R5, R9\nEXIT\n")) == counts{3, 0, 2});
  }
  SECTION("a pair reads both banks; memory and matrix operations are not priced") {
    CHECK(count<sm80>(plain<sm80>("IMAD.WIDE R0, R2, R4, R6\nEXIT\n")) == counts{4, 0, 0});
    CHECK(count<sm80>(plain<sm80>("HMMA.16816.F32 R0, R4, R8, R0\nEXIT\n")) == counts{10, 0, 0});
    CHECK(count<sm80>(plain<sm80>("STG.E [R2.64], R4\nEXIT\n")) == counts{0, 0, 0});
  }
}

TEST_CASE("model operands: what a reuse flag saves") {
  program p = plain<sm86>("FFMA R0, R2, R4, R6\nFFMA R1, R2, R4, R6\nEXIT\n");
  CHECK(count<sm86>(p) == counts{6, 0, 4});
  p.instructions[0].ctl.reuse = 1;
  CHECK(count<sm86>(p) == counts{6, 1, 3});
  p.instructions[0].ctl.reuse = 7;
  CHECK(count<sm86>(p) == counts{6, 3, 2});
  const model::operand_reads r = model::count_operand_reads<sm86>(p);
  CHECK(r.instructions_hit == 1);
  CHECK(r.instructions_in_conflict == 1);
  SECTION("the second summand of an addition goes through the third port") {
    program q = plain<sm86>("FADD R0, R2, R4\nFADD R1, R3, R4\nEXIT\n");
    q.instructions[0].ctl.reuse = 4;
    CHECK(count<sm86>(q).hits == 1);
    q.instructions[0].ctl.reuse = 2;
    CHECK(count<sm86>(q).hits == 0);
  }
  SECTION("another register of the bank drops it, one of the other bank does not") {
    for (const auto& [between, hits] : std::map<std::string, double>{{"R12", 0}, {"R13", 1}, {"RZ", 1}}) {
      program q = plain<sm86>("FADD R0, R2, R4\nFADD R1, " + between + ", R5\nFADD R3, R2, R7\nEXIT\n");
      q.instructions[0].ctl.reuse = 1;
      CHECK(count<sm86>(q).hits == hits);
    }
  }
  SECTION("reads of another group of pipes neither take nor drop") {
    program q = plain<sm86>("HFMA2 R0, R2, R4, R6\nFADD R1, R12, R5\nHFMA2 R3, R2, R5, R7\nEXIT\n");
    q.instructions[0].ctl.reuse = 1;
    CHECK(count<sm86>(q).hits == 1);
    program s = plain<sm86>("HFMA2 R0, R2, R4, R6\nFADD R1, R2, R5\nEXIT\n");
    s.instructions[0].ctl.reuse = 1;
    CHECK(count<sm86>(s).hits == 0);
  }
  SECTION("lost at the yield form and at the end of a block") {
    p.instructions[0].ctl.yield = true;
    CHECK(count<sm86>(p).hits == 0);
    program q = plain<sm86>("FADD R0, R2, R4\nnext:\nFADD R1, R2, R5\n@P0 BRA `(next)\nEXIT\n");
    q.instructions[0].ctl.reuse = 1;
    CHECK(count<sm86>(q).hits == 0);
  }
  SECTION("a pair is taken whole or not at all") {
    program q = plain<sm86>("DFMA R0, R2, R4, R6\nDFMA R8, R2, R10, R12\nEXIT\n");
    q.instructions[0].ctl.reuse = 1;
    CHECK(count<sm86>(q).hits == 2);
    program s = plain<sm86>("IMAD.WIDE R0, R5, R7, R2\nIADD3 R8, R9, R9, R11\nIMAD.WIDE R12, R5, R7, R2\nEXIT\n");
    s.instructions[0].ctl.reuse = 4;
    CHECK(count<sm86>(s).hits == 0);
  }
  SECTION("weighted with the executions of the block") {
    p.blocks[0].weight = 10;
    CHECK(count<sm86>(p) == counts{60, 30, 20});
    model::workspace ws;
    const model::cost c = model::simulate<sm86>(p, {}, ws);
    CHECK(c.operands.hits == 30);
    CHECK(model::simulate<sm86>(p, {.warps = 4}, ws).operands.conflicts == 20);
  }
}

TEST_CASE("model operands: conflicts cost by policy") {
  using model::bank_pricing;
  const program conflict = plain<sm86>("FFMA R0, R2, R4, R6\nFFMA R1, R2, R4, R6\nFFMA R3, R2, R4, R6\nEXIT\n");
  const program smooth = plain<sm86>("FFMA R0, R2, R5, RZ\nFFMA R1, R2, R5, RZ\nFFMA R3, R2, R5, RZ\nEXIT\n");
  CHECK(cycles<sm86>(conflict, {.banks = bank_pricing::none}) == cycles<sm86>(smooth));
  CHECK(cycles<sm86>(conflict) == cycles<sm86>(smooth) + 6);
  CHECK(cycles<sm86>(conflict, {.banks = bank_pricing::sub_core}) == cycles<sm86>(smooth) + 6);
  SECTION("with the pipe held, a half-rate pipe takes the third read of a bank as a third cycle") {
    const program c = plain<sm80>("FFMA R0, R2, R4, R6\nFFMA R1, R2, R4, R6\nFFMA R3, R2, R4, R6\nEXIT\n");
    const program s = plain<sm80>("FFMA R0, R2, R5, RZ\nFFMA R1, R2, R5, RZ\nFFMA R3, R2, R5, RZ\nEXIT\n");
    CHECK(cycles<sm80>(c, {.banks = bank_pricing::sub_core}) > cycles<sm80>(s) + 1);
    CHECK(cycles<sm80>(c) <= cycles<sm80>(s) + 1);
  }
  SECTION("other warps fill the bubbles, unless they wait for the same ports") {
    const double none = cycles<sm86>(conflict, {.warps = 8, .stagger = 1, .banks = bank_pricing::none});
    const double warp = cycles<sm86>(conflict, {.warps = 8, .stagger = 1});
    const double all = cycles<sm86>(conflict, {.warps = 8, .stagger = 1, .banks = bank_pricing::sub_core});
    CHECK(none <= warp);
    CHECK(warp < all);
    CHECK(all >= 9);  // three instructions of three reads each
  }
  SECTION("the attribution names the banks") {
    model::workspace ws;
    const model::cost c = model::simulate<sm86>(conflict, {.reasons = true}, ws);
    CHECK(c.reasons[static_cast<unsigned>(model::stall_reason::bank)] > 0);
  }
}

TEST_CASE("model operands: the same hits as a count that knows what each port holds") {
  std::mt19937 random(5);
  double seen = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::string text;
    const auto r = [&] { return "R" + std::to_string(random() % 8); };
    for (unsigned k = 0; k < 20; ++k) {
      const auto kind = random() % 3;
      text += (kind == 0 ? "FFMA " : kind == 1 ? "IADD3 " : "HFMA2 ") + r() + ", " + r() + ", " + r() + ", " + r() + "\n";
    }
    program p = plain<sm86>(text + "EXIT\n");
    for (instruction& i : p.instructions) {
      i.ctl.reuse = static_cast<std::uint8_t>(i.has(iflag::reuse_legal) ? random() % 8 : 0u);
      i.ctl.yield = random() % 6 == 0;
    }
    // (half precision or not, port, bank) -> register
    std::map<std::tuple<bool, unsigned, unsigned>, unsigned> held;
    double hits = 0;
    for (const instruction& i : p.instructions) {
      for (const operand o : p.operands_of(i)) {
        if (!o.is_use() || o.file() != reg_file::r) continue;
        const unsigned port = o.port();
        const unsigned n = o.base().number();
        const auto place = std::tuple{i.op == opcode::hfma2, port, n % 2};
        const auto at = held.find(place);
        if (at != held.end() && at->second == n) hits += 1;
        held.erase(place);
        if ((i.ctl.reuse >> (port - 1) & 1u) != 0) held[place] = n;
      }
      if (i.ctl.yield) held.clear();
    }
    CHECK(count<sm86>(p).hits == hits);
    seen += hits;
  }
  CHECK(seen > 500);
}
