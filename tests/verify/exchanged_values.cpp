// SPDX-License-Identifier: BSL-1.0
//
// What values betray of an exchanged pair: constants that nothing is left of, addresses of one new and one old half, and where
// nobody has optimised results that are lost, carries that nobody adds, signs of numbers that are replaced.
#include <cstdio>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "toy.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"

using namespace toy;
using namespace ww::verify::detail;
using verify::finding_kind;

namespace {

bool betrayed(const program& p) {
  verify::options o;
  o.dependences = false;
  o.encoding = false;
  for (const verify::finding& f : verify::check<sm>(p, o).findings) {
    if (f.kind == finding_kind::exchanged_pair && f.level == verify::severity::finding) return true;
  }
  return false;
}

line sts(reg a) { return op(sched_class::sts, {operand::use(a, slot::address)}).flag(iflag::side_effect).stall(5); }

constexpr unsigned a_and_b = 0xc0, a_or_b = 0xfc, a_xor_b = 0x3c, a_and_b_or_c = 0xea;

line logic(unsigned table, std::uint32_t constant, reg d, reg a, reg c = RZ) {
  line l = op(sched_class::alu, {operand::def(d, slot::dst), operand::use(a, slot::a), operand::use(c, slot::c)});
  l.i.op = opcode::lop3;
  l.i.word[0] = std::uint64_t{constant} << 32;
  l.i.word[1] = std::uint64_t{table} << 8;
  return l.flag(iflag::reads_immediate).stall(7);
}

// MOV R30, R30 with the longest stall: code that nobody has optimised.
line idle() {
  line l = alu(R(30), R(30)).stall(15);
  l.i.op = opcode::mov;
  return l;
}

// One instruction as a disassembler prints it.
struct printed {
  const char* text;
  unsigned long long low, high;
};
using code = std::vector<printed>;

// `at` of `c` is something else.
code with(code c, std::size_t at, printed other) {
  c[at] = other;
  return c;
}

program read(const code& c, unsigned sm_number) {
  std::string text;
  char piece[200];
  unsigned address = 0;
  for (const printed& i : c) {
    std::snprintf(piece, sizeof piece, "        /*%04x*/ %s ; /* 0x%016llx */\n /* 0x%016llx */\n", address, i.text, i.low,
                  i.high);
    text += piece;
    address += 16;
  }
  sass::listing_result r = sass::read_listing(text, {static_cast<sm_id>(sm_number), "code"});
  INFO(r.err.message());
  REQUIRE(r);
  REQUIRE(build_cfg(r.mod.sections[0]).ok);
  return r.mod.sections[0];
}

// Does check say that the order of two neighbours is wrong?
template <class Arch>
bool said(const program& p) {
  verify::options o;
  o.dependences = false;
  o.encoding = false;
  for (const verify::finding& f : verify::check<Arch>(p, o).findings) {
    if (f.kind == finding_kind::exchanged_pair && f.level == verify::severity::finding) return true;
  }
  return false;
}

const printed leave{"EXIT", 0x794d, 0xfea0003800000};

}  // namespace

TEST_CASE("verify values: which bits of a source logic with a constant takes and passes") {
  const auto of = [](const line& l) {
    const program p = build({l, exit_()});
    return constant_logic_of(p, p[instr_id{0}]);
  };
  const constant_logic masked = of(logic(a_and_b, 0xff00ff00u, R(4), R(5)));
  CHECK(masked.source == R(5));
  CHECK(masked.result == R(4));
  CHECK(masked.taken == 0xff00ff00u);
  CHECK(masked.passed == 0xff00ff00u);
  CHECK(of(logic(a_or_b, 0xff00ff00u, R(4), R(4))).taken == 0x00ff00ffu);
  CHECK(of(logic(a_or_b, 0xff00ff00u, R(4), R(4))).passed == 0x00ff00ffu);
  CHECK(of(logic(a_xor_b, 0xff00ff00u, R(4), R(4))).taken == 0xffffffffu);
  CHECK(of(logic(a_xor_b, 0xff00ff00u, R(4), R(4))).passed == 0x00ff00ffu);
  // a third source may hold anything
  CHECK(of(logic(a_and_b_or_c, 0xff00ff00u, R(4), R(4), R(6))).taken == 0xff00ff00u);
  CHECK(of(logic(a_and_b_or_c, 0xff00ff00u, R(4), R(4), R(6))).passed == 0u);
  CHECK(of(logic(a_and_b_or_c, 0xff00ff00u, R(4), R(4))).passed == 0xff00ff00u);
  CHECK(of(logic(a_and_b_or_c, 0xff00ff00u, R(4), R(4), R(4))).source.is_none());
  CHECK(of(logic(a_and_b, 1, R(4), RZ)).source.is_none());
  CHECK(of(logic(a_and_b, 1, R(4), R(4)).flag(iflag::reads_constant)).source.is_none());
  line sum = logic(a_and_b, 1, R(4), R(4));
  sum.i.op = opcode::iadd3;
  CHECK(of(sum).source.is_none());
  line in_short_words = logic(a_and_b_or_c, 0, R(4), R(4), R(6));  // LOP3.LUT R4, R4, 0xff, R6, 0xea of sm_50
  in_short_words.i.word[0] = 0x3e0003000ff70404;
  in_short_words.i.short_word = 1;
  in_short_words.i.word[1] = 0;
  CHECK(of(in_short_words).source.is_none());
  line of_registers = logic(a_and_b, 1, R(4), R(4));
  of_registers.operands.push_back(operand::use(R(7), slot::b));
  CHECK(of(of_registers).source.is_none());
}

TEST_CASE("verify values: a constant of which nothing is left stands the wrong way round") {
  const auto code = [](const line& x, const line& y) {
    return build({alu(R(30)).stall(7), alu(R(4)).stall(7), x, y, sts(R(4)), exit_()});
  };
  // sign and infinity: (x & 0x80000000) | 0x7f800000, and what is left of it the other way round
  const line sign = logic(a_and_b, 0x80000000u, R(4), R(4));
  const line infinity = logic(a_or_b, 0x7f800000u, R(4), R(4));
  CHECK(betrayed(code(infinity, sign)));
  CHECK_FALSE(betrayed(code(sign, infinity)));
  CHECK(betrayed(code(logic(a_xor_b, 0x0f, R(4), R(4)), logic(a_and_b, 0xf0, R(4), R(4)))));
  CHECK_FALSE(betrayed(code(logic(a_xor_b, 0x1f, R(4), R(4)), logic(a_and_b, 0xf0, R(4), R(4)))));
  CHECK(betrayed(code(logic(a_and_b, 0xff, R(4), R(4)), logic(a_or_b, ~0x0fu, R(4), R(4)))));
  CHECK_FALSE(betrayed(code(logic(a_and_b, 0xff, R(4), R(4)), logic(a_or_b, ~0x10fu, R(4), R(4)))));
  // Idle in one order as in the other: that tells nothing of the order.
  CHECK_FALSE(betrayed(code(logic(a_and_b, 0xff, R(4), R(4)), logic(a_and_b, 0x0f, R(4), R(4)))));
  CHECK_FALSE(betrayed(code(logic(a_or_b, 0x0f, R(4), R(4)), logic(a_or_b, 0xff, R(4), R(4)))));
  CHECK_FALSE(betrayed(code(logic(a_xor_b, 0, R(4), R(4)), logic(a_and_b, 0xff, R(4), R(4)))));
  // unless a third register comes in between the two
  CHECK(betrayed(code(logic(a_and_b, 0xff, R(4), R(4)), logic(a_and_b_or_c, 0x0f, R(4), R(4), R(30)))));
  // two registers, or a result that somebody may want as it was
  const program p = code(infinity, logic(a_and_b, 0x80000000u, R(5), R(4)));
  CHECK_FALSE(absorbed(p, p[instr_id{2}], p[instr_id{3}]));
  const program q = code(infinity, line(sign).guard(P(0)));
  CHECK_FALSE(absorbed(q, q[instr_id{2}], q[instr_id{3}]));
  const program g = code(line(infinity).guard(P(0)), sign);
  CHECK_FALSE(absorbed(g, g[instr_id{2}], g[instr_id{3}]));
  const program r = code(logic(a_or_b, 0x7f800000u, R(4), R(5)), sign);
  CHECK_FALSE(absorbed(r, r[instr_id{2}], r[instr_id{3}]));
}

TEST_CASE("verify values: an address of one new half and one old") {
  const auto load = [](reg base) {
    line l = op(sched_class::ldg, {operand::def(R(20), slot::dst), operand::use(base, slot::address, 2)}).sets(0).stall(7);
    l.i.dir = mem_dir::load;
    return l;
  };
  const auto sum = [](line l) {
    l.i.op = opcode::iadd3;
    return l.stall(7);
  };
  const auto low = [&](reg d) {
    return sum(
        op(sched_class::alu, {operand::def(d, slot::dst), operand::def(P(0), slot::pdst), operand::use(R(10), slot::a)}));
  };
  const auto high = [&](reg d) {
    return sum(
        op(sched_class::alu, {operand::def(d, slot::dst), operand::use(R(11), slot::a), operand::use(P(0), slot::psrc)}));
  };
  const auto made = [&](const line& z, const line& between, const line& x, const line& y) {
    const program p = build({z, between, x, y, exit_()});
    return half_made(p, p[block_id{0}], 2);
  };
  const line other = alu(R(40));
  CHECK(made(low(R(2)), other, load(R(2)), high(R(3))));
  CHECK(made(low(R(3)), other, load(R(2)), high(R(2))));
  CHECK_FALSE(made(low(R(2)), other, load(R(4)), high(R(3))));      // another pair
  CHECK_FALSE(made(low(R(5)), other, load(R(2)), high(R(3))));      // nobody here has made the other half
  CHECK_FALSE(made(alu(R(2)), other, load(R(2)), high(R(3))));      // not by the same sum
  CHECK_FALSE(made(low(R(2)), alu(P(0)), load(R(2)), high(R(3))));  // the carry of somebody else
  CHECK_FALSE(made(low(R(2)), alu(R(3)), load(R(2)), high(R(3))));  // the pair was whole
  CHECK_FALSE(made(line(low(R(2))).guard(P(1)), other, load(R(2)), high(R(3))));
  CHECK_FALSE(made(low(R(2)), other, load(R(2)), line(high(R(3))).guard(P(1))));
  CHECK_FALSE(made(low(R(2)), line(other).flag(iflag::unknown), load(R(2)), high(R(3))));
  line chosen = high(R(3));  // SEL R3, ..., P0 is no sum
  chosen.i.op = opcode::sel;
  CHECK_FALSE(made(low(R(2)), other, load(R(2)), chosen));
  line masked = low(R(2));  // nor is LOP3.LUT P0, R2, ...
  masked.i.op = opcode::lop3;
  CHECK_FALSE(made(masked, other, load(R(2)), high(R(3))));
  line one = load(R(2));
  one.operands[1] = operand::use(R(3), slot::address);
  CHECK_FALSE(made(low(R(4)), other, one, high(R(3))));  // one register is no pair

  const auto copy = [](unsigned to, unsigned from) {
    line l = op(sched_class::s2r, {operand::def(UR(to), slot::dst), operand::use(R(from), slot::a)}).sets(1).stall(15);
    l.i.op = opcode::r2ur;
    return l;
  };
  line described = load(R(2));
  described.operands.push_back(operand::use(UR(4), slot::desc, 2));
  const auto copied = [&](std::vector<line> lines, const line& y) {
    lines.push_back(described);
    lines.push_back(y);
    const std::size_t x = lines.size() - 2;
    lines.push_back(exit_());
    const program p = build(lines);
    return half_made(p, p[block_id{0}], x);
  };
  const line again = described;  // the old pair has been in use
  CHECK(copied({again, copy(4, 16), other}, copy(5, 17)));
  CHECK(copied({copy(4, 16), copy(5, 17), again, copy(4, 16)}, copy(5, 17)));
  CHECK(copied({copy(4, 16), copy(5, 17), again, copy(5, 17)}, copy(4, 16)));
  CHECK_FALSE(copied({copy(4, 16), copy(5, 17)}, copy(4, 16)));         // the same pair made anew
  CHECK_FALSE(copied({again, copy(5, 17), copy(4, 16)}, copy(5, 17)));  // whichever half comes first
  CHECK_FALSE(copied({copy(4, 16), other}, copy(5, 17)));
  CHECK_FALSE(copied({again, copy(4, 17)}, copy(5, 16)));
  CHECK_FALSE(copied({again, copy(4, 16)}, copy(5, 18)));
  CHECK_FALSE(copied({again, copy(4, 16)}, copy(6, 17)));
  line moved = copy(4, 16);
  moved.i.op = opcode::umov;
  CHECK_FALSE(copied({again, moved}, copy(5, 17)));

  // as findings, where nobody has optimised too
  const auto whole = [&](bool optimised) {
    const line filler = optimised ? alu(R(30)).stall(2) : idle();
    return betrayed(build({alu(R(30)).stall(7),
                           alu(R(2)).stall(7),
                           alu(R(3)).stall(7),
                           alu(R(10)).stall(7),
                           alu(R(11)).stall(7),
                           filler,
                           filler,
                           filler,
                           filler,
                           filler,
                           filler,
                           filler,
                           filler,
                           filler,
                           low(R(2)).stall(15),
                           load(R(2)).stall(15),
                           high(R(3)).stall(15),
                           sts(R(20)).waits(0),
                           sts(R(2)),
                           sts(R(3)),
                           exit_()}));
  };
  CHECK(whole(true));
  CHECK(whole(false));
}

TEST_CASE("verify values: what code that nobody has optimised loads and compares it takes") {
  const auto with = [](const line& x, const line& y) {
    return betrayed(build({alu(R(30)).stall(15), alu(R(2)).stall(15), alu(P(0)).stall(15), idle(), idle(), idle(), idle(), x,
                           y, sts(R(2)).waits(0), sts(R(3)), alu(R(5), P(0)).stall(15), sts(R(5)), exit_()}));
  };
  line pair = op(sched_class::ldg, {operand::def(R(2), slot::dst, 2), operand::use(R(2), slot::address)}).sets(0).stall(15);
  pair.i.dir = mem_dir::load;
  const auto copy = [](reg d, reg from) {
    line l = alu(d, from).waits(0).stall(15);
    l.i.op = opcode::mov;
    return l;
  };
  CHECK(with(pair, copy(R(2), R(30))));
  CHECK_FALSE(with(pair, copy(R(2), R(2))));
  CHECK_FALSE(with(pair, alu(R(2), R(2)).waits(0).stall(15)));
  CHECK_FALSE(with(pair, copy(R(6), R(30))));
  CHECK_FALSE(with(pair, copy(R(2), R(3))));  // the other half, put in its place
  CHECK_FALSE(with(pair, line(copy(R(2), R(30))).guard(P(0))));
  line sum = pair;
  sum.i.dir = mem_dir::none;
  sum.i.iclass = sched_class::alu;
  CHECK_FALSE(with(sum, copy(R(2), R(30))));  // half of it is still wanted
  line single = sum;
  single.operands.front() = operand::def(R(2), slot::dst);
  CHECK(with(single, copy(R(2), R(30))));
  CHECK(with(alu(R(3), R(2)).stall(15), sum));
  CHECK_FALSE(with(line(copy(R(3), R(2))), sum));  // results of copies are lost

  const auto compare = [](bool extended) {
    line l = op(sched_class::setp, {operand::def(P(0), slot::pdst), operand::use(R(2), slot::a)}).stall(15);
    if (extended) l.operands.push_back(operand::use(P(0), slot::psrc));
    return l;
  };
  CHECK(with(compare(true), compare(false)));
  CHECK_FALSE(with(compare(false), compare(true)));
  line kept = compare(true);
  kept.operands.push_back(operand::def(R(7), slot::dst));  // a number beside it
  line over = compare(false);
  over.operands.push_back(operand::def(R(7), slot::dst));
  CHECK(with(kept, over));
}

TEST_CASE("verify values: what code that nobody has optimised makes for others they take") {
  // R2 and R7 are read behind the two, R4 and R9 are not
  line other = idle();  // code that waits and copies much, and never to the same register, may well be optimised
  other.operands.front() = operand::def(R(29), slot::dst);
  line some = idle();
  const auto with = [&some](const line& x, const line& y, std::vector<line> behind = {}) {
    std::vector<line> all{alu(R(30)).stall(15), alu(P(0)).stall(15), some, some, some, some, x, y};
    all.insert(all.end(), behind.begin(), behind.end());
    for (const line& l : {sts(R(2)), sts(R(7)), exit_()}) all.push_back(l);
    return betrayed(build(all));
  };
  const auto made = [](opcode o, sched_class c, reg d, reg from) {
    line l = op(c, {operand::def(d, slot::dst), operand::use(from, slot::a)}).stall(15);
    l.i.op = o;
    return l;
  };
  const auto sum = [&](reg d, reg from) { return made(opcode::iadd3, sched_class::alu, d, from); };
  const auto copy = [&](reg d, reg from) { return made(opcode::mov, sched_class::alu, d, from); };
  const auto shift = [&](reg d, reg from) { return made(opcode::shf, sched_class::alu, d, from); };

  // what nobody reads but the one before it
  CHECK(with(sum(R(2), R(4)), sum(R(4), R(30))));
  some = other;
  CHECK_FALSE(with(sum(R(2), R(4)), sum(R(4), R(30))));
  some = idle();
  CHECK_FALSE(with(sum(R(7), R(2)), sum(R(2), R(30))));
  CHECK_FALSE(with(sum(R(2), R(4)), line(sum(R(4), R(30))).guard(P(0))));
  CHECK_FALSE(with(sum(R(2), R(4)), sum(R(4), R(30)), {sts(R(4))}));
  CHECK(with(sum(R(2), R(4)), sum(R(4), R(30)), {alu(R(4)).stall(15), sts(R(4))}));
  line shuffled = sum(R(4), R(30));
  shuffled.i.iclass = sched_class::shfl;
  CHECK_FALSE(with(sum(R(2), R(4)), shuffled));
  line stored = sum(R(4), R(30));
  CHECK_FALSE(with(sum(R(2), R(4)), stored.flag(iflag::side_effect)));

  // of a pair that half which the one before it reads; the low half of a wide product may be unwanted
  line pair = op(sched_class::alu, {operand::def(R(4), slot::dst, 2), operand::use(R(30), slot::a)}).stall(15);
  pair.i.op = opcode::iadd3;
  CHECK(with(sum(R(2), R(4)), pair, {sts(R(5))}));
  CHECK_FALSE(with(sum(R(2), R(5)), pair, {sts(R(5))}));
  line wide = pair;
  wide.i.iclass = sched_class::imad_wide;
  CHECK_FALSE(with(sum(R(2), R(4)), wide, {sts(R(5))}));

  // nor where its carry is wanted, or where it is the high half of a sum
  line low =
      op(sched_class::alu, {operand::def(R(4), slot::dst), operand::def(P(1), slot::pdst), operand::use(R(30), slot::a)});
  low.i.op = opcode::iadd3;
  low.stall(15);
  const line added = op(sched_class::alu, {operand::def(R(2), slot::dst), operand::use(P(1), slot::psrc)}).stall(15);
  CHECK_FALSE(with(sum(R(2), R(4)), low, {added}));
  line high = sum(R(4), R(30));
  high.operands.push_back(operand::use(P(0), slot::psrc));
  CHECK_FALSE(with(sum(R(2), R(4)), high));
  line barrier = op(sched_class::alu, {operand::use(R(4), slot::a)}).flag(iflag::sync).stall(15);
  CHECK_FALSE(with(barrier, sum(R(4), R(30))));

  // shifts behind shifts and copies are lost, whatever they are written as
  CHECK(with(sum(R(2), R(4)), shift(R(4), R(30))));
  CHECK_FALSE(with(shift(R(2), R(4)), shift(R(4), R(30))));
  CHECK_FALSE(with(sum(R(2), R(4)), copy(R(4), R(30))));
  CHECK_FALSE(with(sum(R(2), R(4)), copy(R(4), RZ)));
  CHECK_FALSE(with(copy(R(2), R(4)), copy(R(4), R(30))));
  const auto logic_of = [](std::initializer_list<operand> sources) {
    line l = op(sched_class::alu, {operand::def(R(4), slot::dst)}).stall(15);
    l.operands.insert(l.operands.end(), sources);
    l.operands.push_back(operand::non_register(operand_type::immediate, slot::none));  // the table
    l.i.op = opcode::lop3;
    return l;
  };
  const operand constant = operand::non_register(operand_type::immediate, slot::b);
  CHECK_FALSE(with(sum(R(2), R(4)), logic_of({operand::use(R(30), slot::a), operand::use(RZ, slot::b)})));
  CHECK(with(sum(R(2), R(4)), logic_of({operand::use(R(30), slot::a), constant})));
  CHECK(with(sum(R(2), R(4)), logic_of({operand::use(R(30), slot::a), operand::use(R(2), slot::b)})));
  line half = op(sched_class::half, {operand::def(R(4), slot::dst), constant}).stall(15);
  half.i.op = opcode::hfma2;
  CHECK_FALSE(with(sum(R(2), R(4)), half));
  half.operands.push_back(operand::use(R(30), slot::c));
  CHECK(with(sum(R(2), R(4)), half));
  // but not constants to compare with or to load from
  const line compare = op(sched_class::setp, {operand::def(P(1), slot::pdst), operand::use(R(4), slot::a)}).stall(15);
  const line decided = alu(R(2), P(1)).stall(15);
  CHECK(with(compare, copy(R(4), RZ), {decided}));
  CHECK_FALSE(with(compare, copy(R(4), R(30)), {decided}));
  CHECK_FALSE(with(compare, copy(R(4), RZ), {decided, sts(R(4))}));
  line counted = compare;
  counted.operands.push_back(operand::def(R(7), slot::dst));
  CHECK_FALSE(with(counted, copy(R(4), RZ), {decided}));
  const line load = op(sched_class::ldg, {operand::def(R(2), slot::dst), operand::use(R(4), slot::address)})
                        .sets(0)
                        .sets_read(1)
                        .stall(15);
  const line taken = sum(R(2), R(2)).waits(0);
  CHECK(with(load, line(copy(R(4), RZ)).waits(1), {taken}));
  CHECK_FALSE(with(load, line(copy(R(4), R(30))).waits(1), {taken}));

  // what `x` gives that is lost
  line two =
      op(sched_class::alu, {operand::def(R(4), slot::dst), operand::def(R(2), slot::dst1), operand::use(R(30), slot::a)});
  two.i.op = opcode::iadd3;
  two.stall(15);
  CHECK(with(sum(R(4), R(2)), two));
  CHECK_FALSE(with(shift(R(4), R(2)), two));
  line exchange = sum(R(4), R(2));
  exchange.i.iclass = sched_class::shfl;
  CHECK_FALSE(with(exchange, two));
  line upper = sum(R(4), R(2));
  upper.operands.push_back(operand::use(P(0), slot::psrc));
  CHECK_FALSE(with(upper, two));

  // the sign of a number that is replaced by another
  const auto sign = [&](std::uint32_t bits) {
    line l = shift(R(7), R(2)).flag(iflag::reads_immediate);
    l.i.word[0] = std::uint64_t{bits} << 32;
    return l;
  };
  CHECK(with(sign(31), copy(R(2), R(30))));
  CHECK_FALSE(with(sign(30), copy(R(2), R(30))));
  CHECK_FALSE(with(sign(31), sum(R(2), R(30))));
  CHECK_FALSE(with(sign(31), line(copy(R(2), R(30))).guard(P(0))));
  line rotated = sign(31);
  rotated.operands.push_back(operand::use(R(30), slot::a));
  CHECK_FALSE(with(rotated, copy(R(2), R(30))));
  line by_register = sign(31);
  by_register.i.flags = shift(R(7), R(2)).i.flags;
  CHECK_FALSE(with(by_register, copy(R(2), R(30))));
  line masked = sign(31);
  masked.i.op = opcode::lop3;
  CHECK_FALSE(with(masked, copy(R(2), R(30))));

  // a carry that nobody adds, in the block or behind it
  const auto carry = [&](bool again, bool guarded = false, bool behind = false) {
    line taker = sum(R(2), R(30));
    taker.operands.push_back(operand::use(P(0), slot::psrc));
    line giver =
        op(sched_class::alu, {operand::def(R(7), slot::dst), operand::def(P(0), slot::pdst), operand::use(R(30), slot::a)});
    giver.i.op = opcode::iadd3;
    giver.stall(15);
    std::vector<line> all{alu(R(30)).stall(15),
                          alu(P(0)).stall(15),
                          alu(P(1)).stall(15),
                          idle(),
                          idle(),
                          idle(),
                          idle(),
                          taker,
                          guarded ? giver.guard(P(1)) : giver};
    if (again) all.push_back(taker);
    const auto first = static_cast<unsigned>(all.size());
    for (const line& l : {behind ? taker : idle(), sts(R(2)), sts(R(7)), exit_()}) all.push_back(l);
    return betrayed(build(all, {first, 4}, {{0, 1}}));
  };
  CHECK(carry(false));
  CHECK_FALSE(carry(true));
  CHECK_FALSE(carry(false, true));
  CHECK_FALSE(carry(false, false, true));
}

TEST_CASE("verify values: half of what code selects that nobody has optimised may be lost") {
  // R2 and R7 are read behind the two, R4 is not
  const auto with = [](std::initializer_list<line> some) {
    std::vector<line> all{alu(R(30)).stall(15), alu(P(0)).stall(15), alu(P(1)).stall(15), idle(), idle(), idle(), idle()};
    all.insert(all.end(), some.begin(), some.end());
    for (const line& l : {sts(R(2)), sts(R(7)), exit_()}) all.push_back(l);
    return betrayed(build(all));
  };
  const auto select = [](reg d, reg from, reg by, bool negated = false) {
    operand selector = operand::use(by, slot::psrc);
    if (negated) selector.high |= operand::bit_not;
    line l = op(sched_class::alu_dual, {operand::def(d, slot::dst), operand::use(from, slot::a), selector}).stall(15);
    l.i.op = opcode::sel;
    return l;
  };
  line sum = alu(R(4), R(30)).stall(15);
  sum.i.op = opcode::iadd3;

  // a result that the second of two overwrites, and one that the first has read the old value of
  CHECK_FALSE(with({select(R(2), R(30), P(0)), select(R(4), R(4), P(0)), sum, sts(R(4))}));
  CHECK_FALSE(with({select(R(2), R(4), P(0)), select(R(4), R(30), P(0))}));
  CHECK_FALSE(with({select(R(2), R(4), P(0), true), select(R(4), R(30), P(0), true)}));
  // but not by another predicate, or by the complement
  CHECK(with({select(R(2), R(30), P(1)), select(R(4), R(4), P(0)), sum, sts(R(4))}));
  CHECK(with({select(R(2), R(4), P(1)), select(R(4), R(30), P(0))}));
  CHECK(with({select(R(2), R(4), P(0), true), select(R(4), R(30), P(0))}));
  // nor is it the half of a selection where something else stands before it
  line other = select(R(2), R(30), P(0));
  other.i.op = opcode::iadd3;
  CHECK(with({other, select(R(4), R(4), P(0)), sum, sts(R(4))}));
}

TEST_CASE("verify values: half of wider logic that nobody has optimised may be lost") {
  // R2 and R7 are read behind the two, R4 is not
  const auto with = [](std::initializer_list<line> some) {
    std::vector<line> all{alu(R(30)).stall(15), alu(R(4)).stall(15), idle(), idle(), idle(), idle()};
    all.insert(all.end(), some.begin(), some.end());
    for (const line& l : {sts(R(2)), sts(R(7)), exit_()}) all.push_back(l);
    return betrayed(build(all));
  };
  const auto logic_of = [](unsigned table, reg d, reg a, reg b) {
    line l = op(sched_class::alu, {operand::def(d, slot::dst), operand::use(a, slot::a), operand::use(b, slot::b)});
    l.i.op = opcode::lop3;
    l.i.word[1] = std::uint64_t{table} << 8;
    return l.stall(15);
  };
  line sum = alu(R(4), R(30)).stall(15);  // LOP3 R6, R5, R6, 0xfc; LOP3 R4, R4, R7, 0xfc; IADD3 R4, P0, R3, 0x18
  sum.i.op = opcode::iadd3;
  line other = alu(R(2), R(30)).stall(15);
  other.i.op = opcode::iadd3;
  CHECK_FALSE(with({logic_of(a_or_b, R(2), R(30), R(30)), logic_of(a_or_b, R(4), R(4), R(30)), sum, sts(R(4))}));
  CHECK(with({logic_of(a_xor_b, R(2), R(30), R(30)), logic_of(a_or_b, R(4), R(4), R(30)), sum, sts(R(4))}));
  CHECK(with({other, logic_of(a_or_b, R(4), R(4), R(30)), sum, sts(R(4))}));
  // LOP3 R20, R31, R21, 0x3c; LOP3 R21, R32, R22, 0x3c
  CHECK_FALSE(with({logic_of(a_xor_b, R(2), R(30), R(4)), logic_of(a_xor_b, R(4), R(30), R(30))}));
  CHECK(with({logic_of(a_or_b, R(2), R(30), R(4)), logic_of(a_xor_b, R(4), R(30), R(30))}));
  CHECK(with({logic_of(a_xor_b, R(2), R(30), R(4)), logic_of(a_xor_b, R(4), R(2), R(30))}));  // of the first one's result
}

TEST_CASE("verify values: registers that nobody wants may be exchanged by exclusive ORs") {
  const auto logic_of = [](reg d, reg a, reg b, unsigned table = a_xor_b) {
    line l = op(sched_class::alu,
                {operand::def(d, slot::dst), operand::use(a, slot::a), operand::use(b, slot::b), operand::use(RZ, slot::c)});
    l.i.op = opcode::lop3;
    l.i.word[1] = std::uint64_t{table} << 8;
    return l.stall(15);
  };
  const auto with = [](const line& one, const line& x, const line& y) {
    return betrayed(build({alu(P(0)).stall(15), alu(R(10)).stall(15), alu(R(11)).stall(15), alu(R(12)).stall(15), idle(),
                           idle(), idle(), idle(), one, x, y, sts(R(10)), exit_()}));
  };
  const line one = logic_of(R(11), R(11), R(10)), x = logic_of(R(10), R(11), R(10)), y = one;
  CHECK_FALSE(with(one, x, y));
  CHECK_FALSE(with(one, logic_of(R(10), R(10), R(11)), logic_of(R(11), R(10), R(11))));
  // another table, another register, a guard, or no first one
  CHECK(with(logic_of(R(11), R(11), R(10), a_or_b), x, y));
  CHECK(with(one, logic_of(R(10), R(11), R(10), a_and_b), y));
  CHECK(with(one, x, logic_of(R(11), R(11), R(10), a_or_b)));
  CHECK(with(logic_of(R(11), R(11), R(12)), x, y));
  CHECK(with(logic_of(R(12), R(11), R(10)), x, y));
  CHECK(with(line(one).guard(P(0)), x, y));
  CHECK(with(idle(), x, y));
}

TEST_CASE("verify values: what a matrix operation of four warps reads may be written again as it was") {
  const code c{{"ULDC.64 UR18, c[0x0][0x220]", 0x880000127ab9, 0xfe20000000a00},
               {"UIADD3 UR5, UR4, 0x3, URZ", 0x304057890, 0xfe2000fffe03f},
               {"WARPGROUP.ARRIVE", 0x79c5, 0x4fcc0000000000},
               {"HGMMA.SP.64x32x32.F32.BF16 R40, -R60, gdesc[UR16], R40, UP0, R64, 0x1", 0x86140103c287df0, 0xfe2000bf01b28},
               {"ULDC.64 UR18, c[0x0][0x220]", 0x880000127ab9, 0xfc60000000a00},
               {"IGMMA.SP.64x32x64.U8.U8 R24, R60, gdesc[UR16], R24, UP0, R64, gsb0", 0x14040103c187df1, 0xfe2000b800218},
               leave};
  const auto before = [](const code& x) {
    const program p = read(x, 901);
    return written_before(p, p.blocks[0], 3);
  };
  CHECK(before(c));
  CHECK_FALSE(said<sm90a>(read(c, 901)));
  CHECK(said<sm90a>(read(with(c, 0, {"ULDC.64 UR18, c[0x0][0x228]", 0x8a0000127ab9, 0xfe20000000a00}), 901)));
  CHECK_FALSE(before(with(c, 0, {"ULDC.64 UR18, c[0x0][0x228]", 0x8a0000127ab9, 0xfe20000000a00})));  // another value
  CHECK_FALSE(before(with(c, 0, {"ULDC.64 UR6, c[0x0][0x220]", 0x880000067ab9, 0xfe20000000a00})));
  CHECK_FALSE(before(with(c, 1, {"UIADD3 UR18, UR4, 0x3, URZ", 0x304127890, 0xfe2000fffe03f})));  // lost in between
  code indexed = with(c, 0, {"ULDC.64 UR18, c[0x0][UR4+0x220]", 0x880004127ab9, 0xfe20008000a00});
  indexed[4] = indexed[0];
  CHECK(before(indexed));
  CHECK_FALSE(
      before(with(indexed, 1, {"UIADD3 UR4, UR4, 0x3, URZ", 0x304047890, 0xfe2000fffe03f})));     // the source has changed
  CHECK_FALSE(before(with(c, 3, {"UIADD3 UR5, UR18, 0x3, URZ", 0x312057890, 0xfe2000fffe03f})));  // no matrix operation
}

TEST_CASE("verify values: a predicate is put aside in front of a comparison in two halves") {
  const code c{{"P2R R41, PR, RZ, 0x20", 0x20ff297803, 0xfe40000000000},
               {"ISETP.NE.U32.AND P5, PT, R26, RZ, PT", 0xff1a00720c, 0xfc80003fa5070},
               {"ISETP.NE.U32.AND P6, PT, R30, RZ, PT", 0xff1e00720c, 0xfc80003fc5070},
               {"ISETP.NE.AND.EX P6, PT, R31, RZ, PT, P6", 0xff1f00720c, 0xfe40003fc5360},
               {"ISETP.NE.AND.EX P5, PT, R27, RZ, PT, P5", 0xff1b00720c, 0xfe40003fa5350},
               {"P2R R27, PR, RZ, 0x60", 0x60ff1b7803, 0xfe40000000000},
               leave};
  const auto saves = [](const code& x) {
    const program p = read(x, 700);
    return saves_before_half(p, p.blocks[0], 0);
  };
  // what stands in front says which stalls are idle
  const code front{{"ISETP.NE.U32.AND P2, PT, R28, RZ, PT", 0xff1c00720c, 0xfe40003f45070},
                   {"ISETP.NE.U32.AND P3, PT, R26, RZ, PT", 0xff1a00720c, 0xfe40003f65070},
                   {"ISETP.NE.AND.EX P2, PT, R29, RZ, PT, P2", 0xff1d00720c, 0xfe20003f45320},
                   {"IMAD.WIDE R28, R23, 0x4, R30", 0x4171c7825, 0xfe200078e021e},
                   {"ISETP.NE.AND.EX P3, PT, R27, RZ, PT, P3", 0xff1b00720c, 0xfc60003f65330},
                   {"IMAD.WIDE R26, R9, 0x4, R30", 0x4091a7825, 0xfc800078e021e},
                   {"IMAD.WIDE R30, R37, 0x4, R30", 0x4251e7825, 0xfe200078e021e}};
  const auto behind_front = [&](const code& x) {
    code all = front;
    all.insert(all.end(), x.begin(), x.end());
    return said<sm70>(read(all, 700));
  };
  const code other = with(c, 4, {"ISETP.NE.AND.EX P4, PT, R27, RZ, PT, P5", 0xff1b00720c, 0xfe40003f85350});
  CHECK(saves(c));
  CHECK_FALSE(behind_front(c));
  CHECK_FALSE(saves(other));
  CHECK(behind_front(other));
  CHECK_FALSE(saves(with(c, 0, {"IMAD.MOV.U32 R8, RZ, RZ, 0x8", 0x8ff087424, 0xfe400078e00ff})));
  CHECK_FALSE(saves(with(c, 2, {"ISETP.NE.U32.AND P5, PT, R30, RZ, PT", 0xff1e00720c, 0xfc80003fa5070})));
  CHECK_FALSE(saves(with(c, 2, {"P2R R27, PR, RZ, 0x20", 0x20ff1b7803, 0xfe40000000000})));  // the half is put aside
}

TEST_CASE("verify values: a row of equal operations with other numbers that nobody reads is left over") {
  const code c{{"PRMT R75, R75, 0x5410, R0", 0x54104b4b7816, 0x1fc40000000000},
               {"LOP3.LUT R0, R38, 0x60, RZ, 0xfc, !PT", 0x6026007812, 0xfc800078efcff},
               {"LOP3.LUT R0, R38.reuse, 0xa0, RZ, 0xfc, !PT", 0xa026007812, 0x40fe400078efcff},
               {"LOP3.LUT R5, R38, 0x40, RZ, 0xfc, !PT", 0x4026057812, 0xfe200078efcff},
               {"LOP3.LUT R0, R38.reuse, 0xe0, RZ, 0xfc, !PT", 0xe026007812, 0x40fe400078efcff},
               leave};
  const auto row = [](const code& x) {
    const program p = read(x, 700);
    return left_in_row(p, p.blocks[0], 1);
  };
  CHECK(row(c));
  CHECK_FALSE(said<sm70>(read(c, 700)));
  CHECK(said<sm70>(read(with(c, 2, {"LOP3.LUT R0, R39, 0xa0, RZ, 0xfc, !PT", 0xa027007812, 0xfe400078efcff}), 700)));
  CHECK_FALSE(
      row(with(c, 2, {"LOP3.LUT R0, R39, 0xa0, RZ, 0xfc, !PT", 0xa027007812, 0xfe400078efcff})));  // of another register
  CHECK_FALSE(
      row(with(c, 3, {"LOP3.LUT R5, R0, 0x40, RZ, 0xfc, !PT", 0x4000057812, 0xfe200078efcff})));  // somebody reads it
  CHECK_FALSE(row(with(c, 4, {"LOP3.LUT R6, R38, 0xe0, RZ, 0xfc, !PT", 0xe026067812, 0xfe400078efcff})));
  CHECK_FALSE(row(with(c, 4, {"@P0 LOP3.LUT R0, R38, 0xe0, RZ, 0xfc, !PT", 0xe026000812, 0xfe400078efcff})));
  CHECK_FALSE(row(with(c, 1, {"@P0 LOP3.LUT R0, R38, 0x60, RZ, 0xfc, !PT", 0x6026000812, 0xfc800078efcff})));
  CHECK_FALSE(row(with(c, 2, {"PRMT R0, R75, 0x5410, R3", 0x54104b007816, 0xfc40000000003})));
}

TEST_CASE("verify values: the address of a loop is made in front of it and once more inside") {
  const code c{{"IMAD R42, R9, 0x4, R8", 0x4092a7824, 0x2fe400078e0208},
               {"IMAD.WIDE R8, R11, R10, c[0x0][0x160]", 0x58000b087625, 0xfc800078e020a},
               {"IMAD.MOV.U32 R8, RZ, RZ, 0x8", 0x8ff087424, 0xfe400078e00ff},
               {"IMAD.WIDE R8, R10, R8, c[0x0][0x160]", 0x58000a087625, 0x2fcc00078e0208},
               {"@P0 BRA 0x20", 0xffffffd000000947, 0xfea000383ffff},
               leave};
  const auto again = [](const code& x) {
    const program p = read(x, 800);
    REQUIRE(p.blocks.size() >= 2);
    return made_again(p, p.blocks[0], 1);
  };
  CHECK(again(c));
  CHECK_FALSE(said<sm80>(read(c, 800)));
  CHECK(said<sm80>(read(with(c, 3, {"IMAD.WIDE R8, R10, R8, c[0x0][0x168]", 0x5a000a087625, 0x2fcc00078e0208}), 800)));
  CHECK_FALSE(again(with(c, 3, {"IMAD.WIDE R8, R10, R8, c[0x0][0x168]", 0x5a000a087625, 0x2fcc00078e0208})));
  CHECK_FALSE(again(with(c, 3, {"@P0 IMAD.WIDE R8, R10, R8, c[0x0][0x160]", 0x58000a080625, 0x2fcc00078e0208})));
  CHECK_FALSE(again(with(c, 3, {"IMAD.WIDE R6, R10, R8, c[0x0][0x160]", 0x58000a067625, 0x2fcc00078e0208})));
  code own = with(c, 3, {"IMAD.WIDE R8, R0, 0x8, R8", 0x800087825, 0xfca00078e0208});  // no constant
  own[1] = own[3];
  CHECK_FALSE(again(own));
  const program p =
      read(with(c, 4, {"@P0 BRA 0x10", 0xffffffc000000947, 0xfea000383ffff}), 800);  // not the last of its block
  CHECK_FALSE(made_again(p, p.blocks[1], 0));
}

TEST_CASE("verify values: of an address of shared memory that a wide product makes the high half may be left") {
  const code c{{"IMAD.U32 R14, RZ, RZ, UR10", 0xaff0e7e24, 0xfe4000f8e00ff},
               {"IMAD.MOV.U32 R15, RZ, RZ, RZ", 0xffff0f7224, 0xfe400078e00ff},
               {"IMAD.WIDE R14, R0, 0x4, R14", 0x4000e7825, 0xfc800078e020e},
               {"IMAD.MOV.U32 R15, RZ, RZ, R0", 0xffff0f7224, 0xfe400078e0000},
               {"VIADD R17, R14, 0x1000", 0x10000e117836, 0xfe40000000000},
               {"STS [R17], R15", 0xf11007388, 0xfe40000000800},
               leave};
  CHECK_FALSE(said<sm90>(read(c, 900)));
  const auto left = [](const code& x) {
    const program p = read(x, 900);
    return wide_half_left(p, p.blocks[0], 2);
  };
  CHECK(left(c));
  const printed constant{"IMAD.MOV.U32 R15, RZ, RZ, 0x8", 0x8ff0f7424, 0xfe400078e00ff};
  const printed other{"IMAD.MOV.U32 R15, RZ, RZ, R3", 0xffff0f7224, 0xfe400078e0003};
  for (const printed& high : {constant, other, printed{"IMAD.MOV.U32 R13, RZ, RZ, RZ", 0xffff0d7224, 0xfe400078e00ff}}) {
    CHECK_FALSE(left(with(c, 1, high)));  // a pair
    CHECK(said<sm90>(read(with(c, 1, high), 900)));
  }
  CHECK_FALSE(left(with(c, 1, {"@P0 IMAD.MOV.U32 R15, RZ, RZ, RZ", 0xffff0f0224, 0xfe400078e00ff})));
  CHECK(left(with(c, 1, {"MOV R15, RZ", 0xff000f7202, 0xfe40000000f00})));
  CHECK_FALSE(left(with(c, 1, {"MOV R15, 0x8", 0x8000f7802, 0xfe40000000f00})));
  CHECK_FALSE(left(with(c, 2, {"IMAD.WIDE R14, R0, 0x4, RZ", 0x4000e7825, 0xfc800078e02ff})));
  CHECK_FALSE(left(with(c, 2, {"IMAD R15, R0, 0x4, R14", 0x4000f7824, 0xfc800078e020e})));
  CHECK_FALSE(left(with(c, 3, {"VIADD R15, R0, 0x1", 0x1000f7836, 0xfe40000000000})));
  CHECK_FALSE(left(with(c, 3, {"IMAD.IADD R15, R0, 0x1, R3", 0x1000f7824, 0xfe400078e0203})));
}
