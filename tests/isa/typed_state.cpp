// SPDX-License-Identifier: BSL-1.0
//
// Typed instructions carry what the same ones carry as text: from their operands, or because it can be said (docs/library.md).

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/arch/dialect.hpp>
#include <warpwright/isa/builder.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "listing_lines.hpp"

namespace {

using namespace ww;
using o = operand;

constexpr std::uint32_t bits(std::initializer_list<iflag> flags) {
  std::uint32_t all = 0;
  for (const iflag f : flags) all |= static_cast<std::uint32_t>(f);
  return all;
}

// What only a modifier tells, as the table of docs/library.md has it.
std::uint32_t told_by_modifiers(const instruction& i) {
  switch (i.op) {
    case opcode::bra:
    case opcode::jmp:
      return bits({iflag::conditional});
    case opcode::bar:
      return bits({iflag::arrives, iflag::blocks});
    case opcode::membar:
      return bits({iflag::block_fence});
    case opcode::bmov:
      return bits({iflag::quad, iflag::active_mask});
    case opcode::cctl:
      return 0;
    default:
      return i.dir == mem_dir::none ? 0 : bits({iflag::volatile_mem, iflag::readonly_mem, iflag::symbolic_mem});
  }
}

instruction only(isa::builder& b) { return b.finish().instructions.front(); }
instruction typed(opcode op, std::initializer_list<o> operands) {
  isa::builder b;
  b.emit(op, operands);
  return only(b);
}
o special(const char* name) { return o::use(isa::special_register(name), slot::b); }

}  // namespace

TEST_CASE("isa typed state: of every text of the bundled listings, operands and what can be said give the same flags") {
  std::uint64_t lines = 0;
  std::map<std::uint32_t, unsigned> said;
  for (const char* folder :
       {"listings", "listings_blackwell", "listings_rare", "listings_short", "listings_versions", "isa"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
      if (path.find(".sass") == std::string::npos) continue;
      const sm_id sm = ww_test::corpus::sm_of(path);
      isa::builder text(dialect_of(sm)), same(dialect_of(sm));
      for (const ww_test::listing_line& l : ww_test::read_lines(ww_test::corpus::text(path))) {
        text.text(l.body, l.words == 2 ? l.word : nullptr);
        const instruction& i = text.current().instructions.back();
        std::vector<o> operands;
        for (o x : text.current().operands_of(i)) {
          x.high &= ~(o::bit_hidden | o::bit_partial | o::bit_reuse);
          if (!x.is_assumed()) operands.push_back(x);
        }
        same.emit(i.op, span<const o>{operands.data(), operands.size()});
        const isa::detail::form shape = isa::row_of(i.op).shape;
        const bool opens = shape == isa::detail::form::bssy || shape == isa::detail::form::ssy;
        if (((i.has(iflag::branch) || i.has(iflag::call)) && !i.has(iflag::indirect)) || opens) same.to("a");
        if (i.op == opcode::cctl && !i.has(iflag::fence)) same.no_fence();
        if (i.dir != mem_dir::none || i.space != mem_space::none) same.memory(i.space, i.dir, i.mem_bytes, i.mem_offset);
        const std::uint32_t missing = i.flags & ~same.current().instructions.back().flags;
        for (unsigned k = 0; k < 32; ++k) {
          if ((missing >> k & 1u) == 0) continue;
          same.flag(static_cast<iflag>(1u << k));
          ++said[1u << k];
        }
        const instruction& j = same.current().instructions.back();
        INFO(path << ' ' << l.body);
        if ((missing & ~told_by_modifiers(i)) != 0) CHECK((missing & ~told_by_modifiers(i)) == 0);
        const bool equal = i.flags == j.flags && i.space == j.space && i.dir == j.dir && i.mem_bytes == j.mem_bytes &&
                           i.region == j.region && i.guard_negated == j.guard_negated;
        if (!equal) CHECK(equal);
        ++lines;
      }
    }
  }
  CHECK(lines > 30000);
  CHECK(said.size() == 9);                        // one row of the table each
  CHECK(said[bits({iflag::conditional})] < 100);  // BRA.U and BRA.U.ANY under a guard
}

TEST_CASE("isa typed state: a branch by register and label can fall through, before and behind the label") {
  isa::builder b;
  b.label("back").emit(opcode::bra, {o::use(URZ, slot::branch).set(o::bit_not)}).to("x");  // BRA.DIV ~URZ
  b.emit(opcode::bra, {o::use(R(4), slot::branch)}).to("back");                            // BRA.CONV R4
  b.emit(opcode::bra, {o::use(P(2), slot::branch)}).to("x");
  b.emit(opcode::bra, {o::use(PT, slot::branch)}).to("x");
  b.label("x").emit(opcode::exit, {o::use(R(3), slot::branch)});
  const program p = b.finish();
  REQUIRE(b.ok());
  const std::uint32_t goes[] = {4, 0, 4, 4};
  const bool falls[] = {true, true, true, false, true};
  for (std::uint32_t k = 0; k < 5; ++k) {
    INFO(k);
    CHECK(p.instructions[k].has(iflag::conditional) == falls[k]);
    CHECK(!p.instructions[k].has(iflag::indirect));
    if (k < 4) CHECK(p.instructions[k].target == instr_id{goes[k]});
  }
}

TEST_CASE("isa typed state: behind a register of BRX, CALL and RET a label is a base, as in text") {
  isa::builder text, typed;
  text.lines("BRX R2 `(f)\nCALL.REL.NOINC R2 `(f)\nf:\nRET.REL.NODEC R2 `(f)\nRET.REL.NODEC R2 `(elsewhere)\n");
  for (const opcode op : {opcode::brx, opcode::call}) typed.emit(op, {o::use(R(2), slot::branch, 2)}).to("f");
  typed.label("f").emit(opcode::ret, {o::use(R(2), slot::branch, 2)}).to("f");
  typed.emit(opcode::ret, {o::use(R(2), slot::branch, 2)}).to("elsewhere");
  const program p = text.finish(), q = typed.finish();
  REQUIRE((text.ok() && typed.ok()));
  for (std::size_t k = 0; k < 4; ++k) {
    INFO(k);
    CHECK(p.instructions[k].flags == q.instructions[k].flags);
    CHECK(!q.instructions[k].target.valid());
  }
  CHECK(p.leaders.size() == 3);
  CHECK(q.leaders.size() == 3);
  isa::builder constant;  // what a constant holds is where it goes
  constant.emit(opcode::jmp, {o::non_register(operand_type::constant, slot::branch)});
  CHECK(constant.finish().instructions.front().has(iflag::indirect));
  CHECK(constant.ok());
}

TEST_CASE("isa typed state: reads of clocks keep their place") {
  const auto pinned = [](const instruction& i) {
    return i.has(iflag::reads_clock) && i.has(iflag::fence) && i.has(iflag::side_effect);
  };
  for (const char* name : {"SR_CLOCKLO", "SR_CLOCKHI", "SR_GLOBALTIMERLO", "SR_ERRORSTATUS", "SR_NOT_KNOWN"}) {
    INFO(name);
    CHECK(pinned(typed(opcode::cs2r, {o::def(R(4), slot::dst, 2), special(name)})));
    CHECK(pinned(typed(opcode::s2ur, {o::def(UR(4), slot::dst), special(name)})));
  }
  for (const char* name : {"SRZ", "SR_TID.X", "SR_CTAID.Z", "SR_LANEID"}) {
    INFO(name);
    CHECK(!typed(opcode::s2r, {o::def(R(4), slot::dst), special(name)}).has(iflag::fence));
  }
  const reg beyond{reg_file::special, 80};
  CHECK(pinned(typed(opcode::s2r, {o::def(R(4), slot::dst), o::use(beyond, slot::b)})));
  CHECK(pinned(typed(opcode::s2r, {o::def(R(4), slot::dst), o::use(P(0), slot::guard)})));  // which one is not said
  CHECK(!typed(opcode::mov, {o::def(R(4), slot::dst)}).has(iflag::fence));
}

TEST_CASE("isa typed state: BMOV of MACTIVE names nothing but its convergence register") {
  CHECK(typed(opcode::bmov, {o::def(B(1), slot::dst)}).has(iflag::active_mask));
  CHECK(typed(opcode::bmov, {o::use(B(1), slot::b), o::use(P(0), slot::guard)}).has(iflag::active_mask));
  CHECK(!typed(opcode::bmov, {o::def(B(1), slot::dst), o::use(R(2), slot::b)}).has(iflag::active_mask));
  CHECK(!typed(opcode::bmov, {o::def(B(1), slot::dst), o::non_register(operand_type::immediate, slot::b)})
             .has(iflag::active_mask));
  CHECK(!typed(opcode::bmov, {o::def(B(1), slot::dst), o::use(B(2), slot::b)}).has(iflag::active_mask));
  CHECK(!typed(opcode::bssy, {o::def(B(1), slot::dst)}).has(iflag::active_mask));
}

TEST_CASE("isa typed state: reuse flags are legal where an operand names its port") {
  const o port_c = o::use(R(6), slot::b).set(3u << 22);  // as the second source of FADD has it
  const o plain = o::use(R(6), slot::b);
  CHECK(typed(opcode::fadd, {o::def(R(4), slot::dst), port_c}).has(iflag::reuse_legal));
  CHECK(!typed(opcode::fadd, {o::def(R(4), slot::dst), plain}).has(iflag::reuse_legal));
  CHECK(!typed(opcode::mufu, {o::def(R(4), slot::dst), port_c}).has(iflag::reuse_legal));
}

TEST_CASE("isa typed state: DEPBAR is told its count, CCTL that it is no fence") {
  isa::builder b;
  const o counter = o::use(reg{reg_file::sb, 0}, slot::a);
  b.emit(opcode::depbar, {counter}).emit(opcode::depbar, {counter}).count(2);
  b.emit(opcode::cctl, {o::use(R(2), slot::address, 2)}).emit(opcode::cctl, {o::use(R(2), slot::address, 2)}).no_fence();
  const program p = b.finish();
  REQUIRE(b.ok());
  CHECK(depbar_count(p.instructions[0]) == 0);
  CHECK(depbar_count(p.instructions[1]) == 2);
  CHECK(p.instructions[2].has(iflag::fence));
  CHECK(!p.instructions[3].has(iflag::fence));
  for (unsigned k = 0; k < 4; ++k) {
    isa::builder wrong;
    if (k == 0) wrong.emit(opcode::bar, {}).count(1);
    if (k == 1) wrong.emit(opcode::depbar, {counter}).count(64);
    if (k == 2) wrong.emit(opcode::membar, {}).no_fence();
    if (k == 3) wrong.count(1).no_fence();
    INFO(k);
    CHECK(!wrong.ok());
  }
}
