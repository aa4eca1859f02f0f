// SPDX-License-Identifier: BSL-1.0
//
// One test per rule of the lift, on programs made by hand, and what bad input gives.
#include <span>
#include <string>
#include <vector>

#include <warpwright/isa/builder.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>
#include <warpwright/lift/peak_live.hpp>
#include <warpwright/verify/reaching.hpp>

#include "../support/catch.hpp"
#include "../support/program_text.hpp"
#include "support.hpp"

namespace {

using ww::fixed_reason;
using ww::lifted_program;
using ww_test::text;

// The web of operand `k` of instruction `i`.
const ww::web& web_of(const lifted_program& l, unsigned i, unsigned k) {
  const std::uint32_t w = l.web_of_operand[l.code.instructions[i].first_operand + k];
  REQUIRE(w != lifted_program::no_web);
  return l.webs[w];
}

}  // namespace

TEST_CASE("lift: a register that is used again becomes two webs") {
  const ww::program p = text(R"(
    MOV R4, 0x1
    IADD3 R5, R4, 0x1, RZ
    MOV R4, 0x2
    IADD3 R6, R4, R5, RZ
    STG.E [R2.64], R6
    EXIT)");
  const lifted_program l = ww::lift(p);
  REQUIRE(l.ok());
  const ww::web& first = web_of(l, 0, 0);
  const ww::web& second = web_of(l, 2, 0);
  CHECK(&first != &second);
  CHECK(!first.is_fixed());
  CHECK(first.original == 4);
  CHECK(second.original == 4);
  CHECK(first.number != second.number);
  CHECK(first.defs == 1);
  CHECK(first.uses == 1);
  CHECK(first.weight == 2.0);
  const ww::web& address = web_of(l, 4, 0);
  CHECK(address.reason == fixed_reason::entry);
  CHECK(address.number == 2);
  CHECK(address.width == 2);
  CHECK(l.next_virtual[0] == ww::reg::first_virtual + 4);
}

TEST_CASE("lift: wide operands keep their registers together, aligned as they were") {
  const ww::program p = text(R"(
    MOV R8, 0x1
    MOV R9, 0x2
    MOV R11, 0x3
    MOV R10, 0x3
    STG.E.128 [R2.64], R8
    MOV R9, 0x5
    STG.E.64 [R2.64], R10
    STG.E [R2.64], R9
    EXIT)");
  const lifted_program l = ww::lift(p);
  const ww::web& tuple = web_of(l, 0, 0);
  CHECK(tuple.width == 4);
  CHECK(tuple.alignment == 4);
  CHECK(tuple.number % 4 == 0);
  CHECK(&web_of(l, 1, 0) == &tuple);
  CHECK(&web_of(l, 2, 0) == &tuple);
  CHECK(&web_of(l, 5, 0) != &tuple);  // a later value of R9 alone
  CHECK(web_of(l, 5, 0).width == 1);
  const ww::instruction& pair = l.code.instructions[6];
  CHECK(l.code.operands_of(pair)[1].base().number() == tuple.number + 2);
}

TEST_CASE("lift: a guarded write joins the value that it may leave") {
  const ww::program p = text(R"(
    MOV R4, 0x1
    ISETP.NE.AND P0, PT, R4, RZ, PT
    @P0 MOV R4, 0x2
    STG.E [R2.64], R4
    MOV R4, 0x3
    STG.E [R2.64], R4
    EXIT)");
  const lifted_program l = ww::lift(p);
  CHECK(&web_of(l, 0, 0) == &web_of(l, 2, 0));
  CHECK(&web_of(l, 2, 0) != &web_of(l, 4, 0));
  CHECK(!web_of(l, 1, 0).is_fixed());
  CHECK(web_of(l, 1, 0).file == ww::reg_file::p);
}

TEST_CASE("lift: a loop's value is one web, weighted by the loop's depth") {
  const ww::program p = text(R"(
    MOV R4, RZ
  loop:
    IADD3 R4, R4, 0x1, RZ
    ISETP.GE.AND P0, PT, R4, 0x10, PT
    @!P0 BRA `(loop)
    STG.E [R2.64], R4
    EXIT)");
  const lifted_program l = ww::lift(p);
  const ww::web& w = web_of(l, 0, 0);
  CHECK(&web_of(l, 4, 1) == &w);
  CHECK(w.defs == 2);
  CHECK(w.uses == 3);
  CHECK(w.weight == 1.0 + 10.0 + 10.0 + 10.0 + 1.0);
}

TEST_CASE("lift: fixed registers say why") {
  const ww::program p = text(R"(
    MOV R1, c[0x0][0x28]
    MOV R0, 0x5
    R2P PR, R0, 0x3
    @P1 MOV R0, 0x6
    ISETP.NE.AND P0, PT, R0, RZ, PT
    @P0 STL [R1], R0
    MOV R20, 0x1
    MOV R21, 0x0
    CALL.REL.NOINC `(leaf)
    STL [R1], R0
    EXIT
  leaf:
    IADD3 R0, R0, 0x1, RZ
    RET.REL.NODEC R20 `(leaf))");
  ww::program q = p;
  ww::function kernel;
  kernel.kernel = true;
  kernel.entry = ww::instr_id{0};
  ww::function leaf;
  leaf.entry = ww::instr_id{11};
  q.functions = {kernel, leaf};
  REQUIRE(ww::build_cfg(q).ok);
  const lifted_program l = ww::lift(q);
  REQUIRE(l.ok());
  CHECK(web_of(l, 0, 0).reason == fixed_reason::stack_pointer);
  CHECK(web_of(l, 2, 1).reason == fixed_reason::predicate_mask);  // P1, written through the mask
  CHECK(web_of(l, 4, 0).reason == fixed_reason::none);            // P0 again, from a comparison
  CHECK(web_of(l, 6, 0).has(fixed_reason::call));                 // the return address crosses the call
  CHECK(web_of(l, 6, 0).has(fixed_reason::branch_operand));
  CHECK(web_of(l, 1, 0).has(fixed_reason::call));
  CHECK(web_of(l, 11, 0).has(fixed_reason::call));
  CHECK(std::string(ww::name_of(fixed_reason::async_list)) == "async_list");
}

TEST_CASE("lift: what nobody has set where a kernel starts can be let go") {
  const auto with = [](bool kernel) {
    ww::program p = text(R"(
      MOV R1, c[0x0][0x28]
      ISETP.NE.AND P0, PT, R9, RZ, PT
      @P0 MOV R4, 0x2
      @P0 STG.E [R2.64], R4
      STL [R1], R9
      EXIT)");
    p.functions.clear();
    ww::function f;
    f.kernel = kernel;
    f.entry = ww::instr_id{0};
    p.functions.push_back(f);
    REQUIRE(ww::build_cfg(p).ok);
    return p;
  };
  const ww::program kernel = with(true);
  CHECK(ww::starts_kernel(kernel, ww::block_id{0}));
  CHECK_FALSE(ww::is_only_called(kernel, ww::block_id{0}));
  const lifted_program kept = ww::lift(kernel);
  CHECK(web_of(kept, 1, 2).reason == fixed_reason::entry);
  CHECK(web_of(kept, 2, 0).reason == fixed_reason::entry);
  const lifted_program l = ww::lift(kernel, {.unset_at_kernels = true});
  REQUIRE(l.ok());
  CHECK(!web_of(l, 1, 2).is_fixed());           // R9, which nobody sets at all
  CHECK(&web_of(l, 1, 2) == &web_of(l, 4, 1));  // and which is one register still
  CHECK(!web_of(l, 2, 0).is_fixed());           // R4, set under a guard
  CHECK(&web_of(l, 2, 0) == &web_of(l, 3, 1));
  CHECK(web_of(l, 3, 0).width == 2);
  CHECK(web_of(l, 0, 0).reason == fixed_reason::stack_pointer);
  CHECK(l.webs.size() == kept.webs.size());  // the webs are the same ones
  const ww::program function = with(false);  // its registers are parameters
  CHECK_FALSE(ww::starts_kernel(function, ww::block_id{0}));
  const lifted_program other = ww::lift(function, {.unset_at_kernels = true, .own_calls = true});
  CHECK(web_of(other, 1, 2).reason == fixed_reason::entry);
  CHECK(web_of(other, 2, 0).reason == fixed_reason::entry);
}

TEST_CASE("lift: registers of functions that only the program itself calls are registers like any other") {
  const auto with = [](bool kernel, bool called) {
    ww::program p = text(called ? R"(
      MOV R5, 0x5
      MOV R6, 0x6
      MOV R20, 0x50
      MOV R21, 0x0
      CALL.REL.NOINC `(leaf)
      STG.E [R2.64], R5
      STG.E [R2.64], R6
      EXIT
    leaf:
      IADD3 R5, R5, 0x1, RZ
      RET.REL.NODEC R20 `(leaf))"
                                : R"(
      MOV R5, 0x5
      MOV R6, 0x6
      MOV R20, 0x50
      MOV R21, 0x0
      NOP
      STG.E [R2.64], R5
      STG.E [R2.64], R6
      EXIT
    leaf:
      IADD3 R5, R5, 0x1, RZ
      RET.REL.NODEC R20 `(leaf))");
    ww::function first;
    first.kernel = true;
    first.entry = ww::instr_id{0};
    ww::function leaf;
    leaf.entry = ww::instr_id{8};
    leaf.kernel = kernel;
    p.functions = {first, leaf};
    REQUIRE(ww::build_cfg(p).ok);
    return p;
  };
  const auto leaf_of = [](const ww::program& p) { return p.functions[1].first_block; };
  const ww::program p = with(false, true);
  CHECK(ww::is_only_called(p, leaf_of(p)));
  const lifted_program kept = ww::lift(p);
  CHECK(web_of(kept, 0, 0).has(fixed_reason::entry));
  CHECK(web_of(kept, 1, 0).has(fixed_reason::call));
  const lifted_program l = ww::lift(p, {.own_calls = true});
  CHECK(!web_of(l, 0, 0).is_fixed());  // the parameter and result of the function
  CHECK(&web_of(l, 0, 0) == &web_of(l, 8, 1));
  CHECK(!web_of(l, 8, 0).is_fixed());
  CHECK(&web_of(l, 8, 0) == &web_of(l, 5, 1));
  CHECK(!web_of(l, 1, 0).is_fixed());  // what lives across it
  CHECK(&web_of(l, 1, 0) == &web_of(l, 6, 1));
  CHECK(web_of(l, 2, 0).reason == fixed_reason::branch_operand);  // where it goes back to
  CHECK(web_of(l, 5, 0).reason == fixed_reason::entry);  // the address, which nobody has set: no option of this name
  ww::program marked = p;                                // edges made before it was known to be a kernel
  marked.functions[1].kernel = true;
  CHECK_FALSE(ww::is_only_called(marked, leaf_of(marked)));
  CHECK_FALSE(ww::starts_kernel(marked, leaf_of(marked)));
  const ww::program uncalled = with(false, false);  // who enters it is not known
  CHECK_FALSE(ww::is_only_called(uncalled, leaf_of(uncalled)));
  const lifted_program open = ww::lift(uncalled, {.own_calls = true});
  CHECK(web_of(open, 8, 0).has(fixed_reason::open_exit));
  CHECK(web_of(open, 8, 1).has(fixed_reason::entry));
  const ww::program kernels = with(true, true);  // a kernel is called by nobody that is known
  CHECK_FALSE(ww::is_only_called(kernels, leaf_of(kernels)));
  CHECK(web_of(ww::lift(kernels, {.own_calls = true}), 8, 1).has(fixed_reason::entry));
}

TEST_CASE("lift: the peak of an order that is not the program's own") {
  const ww::program p = text(R"(
    MOV R4, 0x1
    MOV R5, 0x2
    MOV R6, 0x3
    STG.E [R2.64], R4
    STG.E [R2.64], R5
    STG.E [R2.64], R6
    EXIT)");
  const lifted_program l = ww::lift(p);
  CHECK(ww::peak_live(l)[ww::pressure_class::r] == 5);  // R2, R3 and three values
  ww::program q = l.code;
  q.order = {ww::instr_id{0}, ww::instr_id{3}, ww::instr_id{1}, ww::instr_id{4},
             ww::instr_id{2}, ww::instr_id{5}, ww::instr_id{6}};
  CHECK(ww::peak_live(q)[ww::pressure_class::r] == 3);
  ww::peak_workspace ws;
  ws.live.compute(l.code, l.physical);
  const ww::live_count one =
      ww::block_peak(l.code, ww::block_id{0}, {q.order.data(), q.order.size()}, ws.live, ws.row, ws.added);
  CHECK(one[ww::pressure_class::r] == 3);
  CHECK(ww::verify::same_reaching(l.code, q).ok());
  // A result may take the register of a source that dies there.
  CHECK(ww::peak_live(text("MOV R4, 0x1\nIADD3 R5, R4, R4, RZ\nIADD3 R4, R5, R5, RZ\nEXIT"))[ww::pressure_class::r] == 1);
}

TEST_CASE("lower: another assignment where there are no encoding words") {
  const ww::program p = text(R"(
    MOV R4, 0x1
    MOV R5, 0x2
    IADD3 R6, R4, R5, RZ
    MOV R7, RZ
    STG.E.64 [R2.64], R6
    EXIT)");
  lifted_program l = ww::lift(p);
  ww::vec<std::uint32_t> where = ww::identity_assignment(l);
  const auto index = [&](unsigned i, unsigned k) { return l.web_of_operand[p.instructions[i].first_operand + k]; };
  SECTION("registers change places") {
    std::swap(where[index(0, 0)], where[index(1, 0)]);
    where[index(2, 0)] = 8;
    const ww::lower_result r = ww::lower(l, where);
    REQUIRE(r.ok());
    CHECK(r.code.operands_of(r.code.instructions[0])[0].base() == ww::R(5));
    CHECK(r.code.operands_of(r.code.instructions[4])[1].base() == ww::R(8));
    CHECK(r.code.operands_of(r.code.instructions[4])[1].type() == ww::operand_type::physical);
    CHECK(ww::verify::same_reaching(p, r.code).ok());
    CHECK(ww::verify::same_reaching(l.code, r.code).ok());
  }
  SECTION("two live values in one register: the lowering is done, the check finds it") {
    where[index(1, 0)] = 4;
    const ww::lower_result r = ww::lower(l, where);
    REQUIRE(r.ok());
    const ww::verify::reaching_difference d = ww::verify::same_reaching(l.code, r.code);
    CHECK(d.fault == ww::verify::reaching_fault::use);
    CHECK(d.use == ww::instr_id{2});
    CHECK(!ww::lower(l, std::span<const std::uint32_t>(where.data(), 1)).ok());
  }
  SECTION("refused") {
    const auto fault = [&](const ww::vec<std::uint32_t>& a) { return ww::lower(l, a).fault; };
    ww::vec<std::uint32_t> a = where;
    a.pop_back();
    CHECK(fault(a) == ww::lower_fault::wrong_length);
    a = where;
    a[index(4, 0)] = 10;
    CHECK(fault(a) == ww::lower_fault::fixed_web);
    a = where;
    a[index(2, 0)] = 9;
    CHECK(fault(a) == ww::lower_fault::misaligned);
    CHECK(ww::lower(l, a).web == index(2, 0));
    a = where;
    a[index(0, 0)] = 255;
    CHECK(fault(a) == ww::lower_fault::out_of_range);
    a[index(0, 0)] = 0xffffffffu;
    CHECK(fault(a) == ww::lower_fault::out_of_range);
    a = where;
    a[index(0, 0)] = 9;
    l.has_encoding = true;
    CHECK(fault(a) == ww::lower_fault::needs_encoder);
    CHECK(ww::lower(l, where).ok());
    l.code.operands[p.instructions[0].first_operand] = ww::operand::def(ww::R(3000), ww::slot::dst);
    CHECK(fault(where) == ww::lower_fault::operands_differ);
    CHECK(ww::lower(l, where).code.instructions.empty());
    l.fault = ww::lift_fault::no_blocks;
    CHECK(fault(where) == ww::lower_fault::not_lifted);
  }
}

TEST_CASE("lift: bad and odd input") {
  SECTION("an empty program") {
    const ww::program p;
    const lifted_program l = ww::lift(p);
    CHECK(l.ok());
    CHECK(l.webs.empty());
    CHECK(ww::lower(l, {}).ok());
    CHECK(ww::peak_live(l) == ww::live_count{});
  }
  SECTION("no blocks") {
    ww::isa::builder b;
    b.lines("MOV R4, 0x1\nEXIT");
    const lifted_program l = ww::lift(b.finish());
    CHECK(l.fault == ww::lift_fault::no_blocks);
    CHECK(l.webs.empty());
    CHECK(l.code.instructions.size() == 2);
  }
  SECTION("virtual registers already") {
    const ww::program p = text("MOV R4, 0x1\nMOV R1024, R4\nEXIT");
    const lifted_program l = ww::lift(p);
    CHECK(l.fault == ww::lift_fault::virtual_registers);
    CHECK(p.operands[l.operand].base() == ww::R(1024));
    CHECK(l.code.operands == p.operands);
    CHECK(std::string(ww::name_of(l.fault)).find("lifted already") != std::string::npos);
    ww::lift_workspace ws;
    lifted_program again;
    CHECK(ww::lift(l.code, again, ws) == ww::lift_fault::virtual_registers);
  }
  SECTION("a second lift is refused, a lift of what was lowered gives the same") {
    const ww::program p = text("MOV R4, 0x1\nMOV R5, R4\nSTG.E [R2.64], R5\nEXIT");
    const lifted_program l = ww::lift(p);
    CHECK(ww::lift(l.code).fault == ww::lift_fault::virtual_registers);
    const lifted_program again = ww::lift(ww::lower(l, ww::identity_assignment(l)).code);
    CHECK(again.code.operands == l.code.operands);
  }
  SECTION("code that nothing reaches") {
    const ww::program p = text(R"(
    BRA `(end)
    IADD3 R5, R4, 0x1, RZ
    IADD3 R6, R5, 0x1, RZ
    STG.E [R2.64], R6
  end:
    EXIT)");
    const lifted_program l = ww::lift(p);
    REQUIRE(l.ok());
    CHECK(web_of(l, 1, 1).reason == fixed_reason::unreachable);
    CHECK(web_of(l, 1, 0).reason == fixed_reason::none);
    CHECK(ww::verify::same_reaching(p, l.code).ok());
  }
  SECTION("an irreducible loop") {
    const ww::program p = text(R"(
    MOV R4, 0x1
    ISETP.NE.AND P0, PT, R0, RZ, PT
    @P0 BRA `(second)
  first:
    IADD3 R4, R4, 0x1, RZ
  second:
    IADD3 R4, R4, 0x2, RZ
    ISETP.NE.AND P1, PT, R4, RZ, PT
    @P1 BRA `(first)
    MOV R4, RZ
    STG.E [R2.64], R4
    EXIT)");
    const lifted_program l = ww::lift(p);
    REQUIRE(l.ok());
    CHECK(&web_of(l, 0, 0) == &web_of(l, 3, 0));
    CHECK(&web_of(l, 0, 0) == &web_of(l, 4, 0));
    CHECK(&web_of(l, 0, 0) != &web_of(l, 7, 0));
    CHECK(ww_test::live_lines(p) == ww_test::live_lines(l.code, &l));
  }
}
