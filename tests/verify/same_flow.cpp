// SPDX-License-Identifier: BSL-1.0
//
// verify::same_flow: every change that a layout may make is accepted, every other one is named with its place. Random programs and
// real code: same_flow_random.cpp.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>
#include <warpwright/verify/same_flow.hpp>

#include "../support/catch.hpp"
#include "../support/flow_trace.hpp"
#include "../support/program_text.hpp"

namespace {

using ww::iflag;
using ww::instr_id;
using ww::program;
using ww::verify::flow_fault;
using ww::verify::same_flow;
using ww::verify::same_flow_difference;
using ww_test::text;

using ids = std::initializer_list<std::uint32_t>;

// The instruction `branch` gets a table of these targets.
program with_table(program p, std::uint32_t branch, ids targets) {
  ww::branch_table t;
  t.branch = instr_id{branch};
  t.first = static_cast<std::uint32_t>(p.table_targets.size());
  t.count = static_cast<std::uint32_t>(targets.size());
  for (const std::uint32_t k : targets) p.table_targets.push_back(instr_id{k});
  p.tables.push_back(t);
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}
program with_leaders(program p, ids leaders) {
  for (const std::uint32_t k : leaders) p.leaders.push_back(instr_id{k});
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

same_flow_difference compare(const char* before, const char* after) { return same_flow(text(before), text(after)); }

// Equal, and so the other way round; the number of pairs.
std::uint32_t equal(const program& before, const program& after) {
  const same_flow_difference d = same_flow(before, after);
  INFO(ww::verify::name(d.fault) << " at " << d.before.value << ", " << d.after.value);
  CHECK(d.ok());
  CHECK(ww_test::same_traces(before, after, 50));
  const same_flow_difference e = same_flow(after, before);
  CHECK(e.ok());
  CHECK(e.pairs == d.pairs);
  return d.pairs;
}
std::uint32_t equal(const char* before, const char* after) { return equal(text(before), text(after)); }

// The fault, where it is and where control came from.
void differs(const same_flow_difference& d, flow_fault f, std::uint32_t before, std::uint32_t after,
             std::uint32_t from_before, std::uint32_t from_after) {
  INFO(ww::verify::name(d.fault) << " at " << d.before.value << ", " << d.after.value << " from " << d.from_before.value
                                 << ", " << d.from_after.value);
  CHECK(d.fault == f);
  CHECK(d.before.value == before);
  CHECK(d.after.value == after);
  CHECK(d.from_before.value == from_before);
  CHECK(d.from_after.value == from_after);
}
constexpr std::uint32_t none = 0xffffffffu;

const char* const diamond = R"(
  ISETP.NE.AND P0, PT, R0, RZ, PT
  @P0 BRA `(b)
  MOV R1, R2
  BRA `(c)
b:
  MOV R1, R3
c:
  MOV R4, R1
  EXIT
)";

}  // namespace

TEST_CASE("HC-4 same flow: branches put in, taken away, in chains, and guarded ones turned round") {
  CHECK(equal(diamond, diamond) == 6);
  // the arms change places: the branch is turned round, its BRA goes, another one comes
  const char* const turned = R"(
    ISETP.NE.AND P0, PT, R0, RZ, PT
    @!P0 BRA `(a)
    MOV R1, R3
  c:
    MOV R4, R1
    EXIT
  a:
    MOV R1, R2
    BRA `(c)
  )";
  CHECK(equal(diamond, turned) == 6);
  // not turned, but its fall is a BRA now
  CHECK(equal(diamond, R"(
    ISETP.NE.AND P0, PT, R0, RZ, PT
    @P0 BRA `(b)
    BRA `(a)
  b:
    MOV R1, R3
    BRA `(c)
  a:
    MOV R1, R2
  c:
    MOV R4, R1
    EXIT
  )") == 6);
  // chains, also in front of the first instruction, and a BRA to the next one
  CHECK(equal(diamond, R"(
    BRA `(x)
  y:
    BRA `(z)
  x:
    ISETP.NE.AND P0, PT, R0, RZ, PT
    @P0 BRA `(y)
    MOV R1, R2
    BRA `(w)
  w:
    BRA `(c)
  z:
    BRA `(b)
  b:
    MOV R1, R3
  c:
    MOV R4, R1
    EXIT
  )") == 6);
  const same_flow_difference d = compare(diamond, turned);
  CHECK(d.passed_before == 1);
  CHECK(d.passed_after == 1);
  // a guard in a uniform register
  CHECK(equal("@UP0 BRA `(b)\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT",
              "@!UP0 BRA `(a)\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT") == 5);
  // both ways lead to one place
  CHECK(equal("@P0 BRA `(b)\nb:\nMOV R1, R3\nEXIT", "@!P0 BRA `(b)\nb:\nMOV R1, R3\nEXIT") == 3);
  // a further operand that decides nothing stays as it is
  CHECK(equal("@P0 BRA PT, `(b)\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT",
              "@!P0 BRA PT, `(a)\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT") == 5);
  // a chain is passed once, however many come
  CHECK(compare("@P0 BRA `(b)\n@P1 BRA `(b)\nEXIT\nb:\nMOV R1, R3\nEXIT",
                "@P0 BRA `(a)\n@P1 BRA `(a)\nEXIT\na:\nBRA `(c)\nc:\nBRA `(b)\nb:\nMOV R1, R3\nEXIT")
            .passed_after == 2);
}

TEST_CASE("HC-4 same flow: loops, guarded exits, branches that more than a guard decides") {
  const char* const loop = R"(
    MOV R0, RZ
  head:
    ISETP.GE.AND P0, PT, R0, R1, PT
    @P0 BRA `(out)
    IADD3 R0, R0, R2, RZ
    BRA `(head)
  out:
    EXIT
  )";
  const char* const rotated = R"(
    MOV R0, RZ
    BRA `(head)
  body:
    IADD3 R0, R0, R2, RZ
  head:
    ISETP.GE.AND P0, PT, R0, R1, PT
    @!P0 BRA `(body)
    EXIT
  )";
  CHECK(equal(loop, rotated) == 5);
  CHECK(equal("@P0 EXIT\nMOV R1, R2\nEXIT", "BRA `(a)\nb:\nMOV R1, R2\nEXIT\na:\n@P0 EXIT\nBRA `(b)") == 3);
  for (const char* const branch : {"BRA.U UP0, ", "BRA P1, ", "@P0 BRA !P1, ", "BRA.DIV UR4, ", "@!P0 BRA.CONV UR4, "}) {
    const std::string b = branch;
    const std::string before = b + "`(b)\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT";
    const std::string after = b + "`(b)\nBRA `(a)\nb:\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT";
    CHECK(equal(before.c_str(), after.c_str()) == 5);
    // turned round it is another branch
    const std::string arms = b + "`(b)\nMOV R1, R3\nEXIT\nb:\nMOV R1, R2\nEXIT";
    differs(compare(before.c_str(), arms.c_str()), flow_fault::operands, 1, 1, 0, 0);
  }
  differs(compare("@P0 BRA P1, `(b)\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT",
                  "@!P0 BRA P1, `(b)\nMOV R1, R3\nEXIT\nb:\nMOV R1, R2\nEXIT"),
          flow_fault::operands, 0, 0, none, none);
}

TEST_CASE("HC-4 same flow: calls, local functions and what they come back to") {
  const char* const calls = R"(
  .kernel k
    MOV R1, R2
    CALL.REL.NOINC `(f)
    MOV R3, R1
    @P0 CALL.REL.NOINC `(g)
    EXIT
  .function f
    @P1 BRA `(m)
    MOV R1, R4
  m:
    RET.REL.NODEC R20 `(k)
  .function g
    MOV R1, R5
    RET.REL.NODEC R20 `(k)
  )";
  const char* const moved = R"(
  .kernel k
    MOV R1, R2
    CALL.REL.NOINC `(f)
    BRA `(a)
  b:
    EXIT
  a:
    MOV R3, R1
    @P0 CALL.REL.NOINC `(g)
    BRA `(b)
  .function f
    @!P1 BRA `(n)
  m:
    RET.REL.NODEC R20 `(k)
  n:
    MOV R1, R4
    BRA `(m)
  .function g
    MOV R1, R5
    RET.REL.NODEC R20 `(k)
  )";
  CHECK(equal(calls, moved) == 10);
  std::string other = moved;
  other.replace(other.find("`(f)"), 4, "`(g)");
  const same_flow_difference d = compare(calls, other.c_str());
  CHECK(!d.ok());
  CHECK(d.fault ==
        flow_fault::owner);  // the first of f stands beside the first of g, and the call is where control came from
  CHECK(d.from_before.value == 1);
  // a callee that is not known
  differs(compare("CALL.ABS.NOINC R2\nEXIT", "CALL.ABS.NOINC R2"), flow_fault::exits, 0, 0, none, none);
  // a call that nothing reaches made the callers of f known
  CHECK(equal(".kernel k\nEXIT\nCALL.REL.NOINC `(f)\nEXIT\n.function f\nRET.REL.NODEC R20 `(k)",
              ".kernel k\nEXIT\nEXIT\n.function f\nRET.REL.NODEC R20 `(k)") == 2);
  // a RET that may fall has something to fall to
  differs(compare(".kernel k\nEXIT\n.function f\n@P0 RET.REL.NODEC R20 `(k)\nEXIT",
                  ".kernel k\nEXIT\n.function f\n@P0 RET.REL.NODEC R20 `(k)"),
          flow_fault::exits, 1, 1, none, none);
  CHECK(equal("CALL.ABS.NOINC R2\nMOV R1, R2\nEXIT", "CALL.ABS.NOINC R2\nBRA `(a)\nb:\nEXIT\na:\nMOV R1, R2\nBRA `(b)") ==
        3);
  differs(compare("CALL.ABS.NOINC R2\nMOV R1, R2\nEXIT", "CALL.ABS.NOINC R2\nEXIT\nMOV R1, R2\nEXIT"),
          flow_fault::instruction, 1, 1, 0, 0);
  // code that moves to another function
  differs(compare(".kernel k\nMOV R1, R2\nBRA `(a)\na:\nMOV R2, R3\nEXIT\n.function f\nRET.REL.NODEC R20 `(k)",
                  ".kernel k\nMOV R1, R2\nBRA `(a)\n.function f\nRET.REL.NODEC R20 `(k)\na:\nMOV R2, R3\nEXIT"),
          flow_fault::owner, 2, 3, 0, 0);
}

TEST_CASE("HC-4 same flow: regions end at the same place, also through branches") {
  const char* const region = R"(
    BSSY B0, `(end)
    @P0 BRA `(b)
    MOV R1, R2
  b:
    BSYNC B0
  end:
    BSSY B0, `(last)
    BSYNC B0
  last:
    MOV R3, R1
    EXIT
  )";
  CHECK(equal(region, R"(
    BSSY B0, `(end)
    @!P0 BRA `(a)
  b:
    BSYNC B0
    BRA `(end)
  a:
    MOV R1, R2
    BRA `(b)
  end:
    BSSY B0, `(jump)
    BSYNC B0
  jump:
    BRA `(last)
    NOP
  last:
    MOV R3, R1
    EXIT
  )") == 8);
  std::string other = region;
  other.replace(other.find("(end)"), 5, "(last)");
  differs(compare(region, other.c_str()), flow_fault::duplicated, 4, 6, 0, 0);
  // what stands behind a BSYNC is a pair too
  differs(compare("BSSY B0, `(e)\nBSYNC B0\ne:\nMOV R1, R2\nEXIT",
                  "BSSY B0, `(e)\nBSYNC B0\nBRA `(x)\ne:\nMOV R1, R2\nx:\nEXIT"),
          flow_fault::instruction, 2, 4, 1, 1);
  // the stack of sm_50..62: where SYNC goes is what its opener says, and nothing falls behind it
  const char* const stack = R"(
    SSY `(e)
    @P0 BRA `(b)
    MOV R1, R2
    SYNC
  b:
    MOV R1, R3
    SYNC
  e:
    MOV R3, R1
    EXIT
  )";
  CHECK(equal(stack, R"(
    SSY `(e)
    @!P0 BRA `(a)
    MOV R1, R3
    SYNC
  e:
    MOV R3, R1
    EXIT
  a:
    MOV R1, R2
    SYNC
  )") == 8);
  other = stack;
  other.replace(other.find("(e)"), 3, "(b)");
  CHECK(!compare(stack, other.c_str()).ok());
  // where nobody knows the stack edges depend on what stands behind a SYNC; its opener tells all the same
  CHECK(equal("@P0 SSY `(e)\nMOV R1, R2\nSYNC\ne:\nMOV R3, R1\nEXIT",
              "@P0 SSY `(e)\nBRA `(x)\ne:\nMOV R3, R1\nEXIT\nx:\nMOV R1, R2\nSYNC") == 5);
  // groups of a collective meet at its label
  const char* const collective =
      "WARPSYNC.COLLECTIVE R1, `(m)\nSHFL.IDX PT, R3, R4, R5, R6\nENDCOLLECTIVE\nm:\nMOV R1, R3\nMOV R2, R3\nEXIT";
  CHECK(equal(collective, collective) == 6);
  differs(
      compare(collective,
              "WARPSYNC.COLLECTIVE R1, `(m)\nSHFL.IDX PT, R3, R4, R5, R6\nENDCOLLECTIVE\nMOV R1, R3\nm:\nMOV R2, R3\nEXIT"),
      flow_fault::duplicated, 3, 4, 0, 0);
}

TEST_CASE("HC-4 same flow: branch tables entry by entry, leaders in their order") {
  const program before = with_table(text("BRX R2 -0x10\na:\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT"), 0, {1, 3, 1});
  const program after = with_table(text("BRX R2 -0x10\nb:\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT"), 0, {3, 1, 3});
  CHECK(equal(before, after) == 5);
  program exchanged = after;
  std::swap(exchanged.table_targets[0], exchanged.table_targets[1]);
  REQUIRE(ww::build_cfg(exchanged).ok);
  differs(same_flow(before, exchanged), flow_fault::operands, 1, 1, 0, 0);
  differs(same_flow(before, with_table(text("BRX R2 -0x10\nb:\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT"), 0, {3, 1})),
          flow_fault::table, 0, 0, none, none);
  // the word of a listing on a SYNC is a table
  const char* const sync = "SSY `(a)\nSYNC\na:\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT";
  CHECK(equal(with_table(text(sync), 1, {2}), with_table(text(sync), 1, {2})) == 4);
  CHECK(same_flow(with_table(text(sync), 1, {2, 4}), with_table(text(sync), 1, {4, 2})).fault != flow_fault::none);

  const char* const apart = "EXIT\nMOV R1, R2\nEXIT\nMOV R1, R3\nEXIT";
  const char* const other = "EXIT\nMOV R1, R3\nEXIT\nMOV R1, R2\nEXIT";
  CHECK(equal(text(apart), text(other)) == 1);  // nothing reaches them
  CHECK(equal(with_leaders(text(apart), {1, 3}), with_leaders(text(other), {3, 1})) == 5);
  differs(same_flow(with_leaders(text(apart), {1, 3}), with_leaders(text(other), {1, 3})), flow_fault::operands, 1, 1, none,
          none);
  CHECK(same_flow(with_leaders(text(apart), {1, 3}), with_leaders(text(other), {3})).fault == flow_fault::shape);
}

TEST_CASE("HC-4 same flow: a function whose indirect branch has no table must stand as it stood") {
  const char* const open = R"(
    MOV R1, R2
    @P0 BRA `(b)
    BRX R2 -0x10
    MOV R1, R3
    EXIT
  b:
    MOV R1, R4
    EXIT
  )";
  CHECK(equal(open, open) == 7);
  // elsewhere instructions may differ only as ever: the code that nothing else reaches is compared
  std::string other = open;
  other.replace(other.find("R1, R3"), 6, "R1, R5");
  differs(compare(open, other.c_str()), flow_fault::operands, 3, 3, 2, 2);
  differs(compare(open, "MOV R1, R2\n@!P0 BRA `(a)\nMOV R1, R4\nEXIT\na:\nBRX R2 -0x10\nMOV R1, R3\nEXIT"),
          flow_fault::unknown_targets, 2, 4, 1, 1);
  // a branch more at its end moves nothing that was known
  differs(compare(open, "MOV R1, R2\n@P0 BRA `(b)\nBRX R2 -0x10\nMOV R1, R3\nEXIT\nb:\nMOV R1, R4\nBRA `(c)\nc:\nEXIT"),
          flow_fault::unknown_targets, 2, 2, 1, 1);
  differs(compare(open, (std::string(open) + "MOV R7, R8\nEXIT").c_str()), flow_fault::unknown_targets, 2, 2, 1, 1);
  differs(compare("MOV R1, R2\n@P0 BRA `(b)\nBRX R2 -0x10\nb:\nMOV R1, R4\nEXIT",
                  "MOV R1, R2\n@!P0 BRA `(a)\nMOV R1, R4\nEXIT\na:\nBRX R2 -0x10"),
          flow_fault::unknown_targets, 2, 4, 1, 1);
  const std::string next = ".function g\nMOV R5, R6\nRET.REL.NODEC R20 `(k)\n";
  const std::string kernel = std::string(".kernel k\n") + open;
  differs(compare((kernel + next).c_str(), (kernel + "MOV R7, R8\nEXIT\n" + next).c_str()), flow_fault::unknown_targets, 2,
          2, 1, 1);
  // another function may be laid out anew
  const std::string more = std::string(".kernel k\n") + open + ".kernel g\n";
  CHECK(equal((more + "@P0 BRA `(x)\nMOV R1, R2\nEXIT\nx:\nEXIT").c_str(),
              (more + "@!P0 BRA `(x)\nEXIT\nx:\nMOV R1, R2\nEXIT").c_str()) == 11);
  // a call through a register (sm_50..62) comes back to where PRET says
  const char* const pret = "PRET `(r)\nBRX R2 -0x10\nr:\nMOV R1, R2\n@P0 BRA `(b)\nMOV R1, R3\nb:\nEXIT";
  CHECK(equal(pret, "PRET `(r)\nBRX R2 -0x10\nr:\nMOV R1, R2\n@!P0 BRA `(a)\nb:\nEXIT\na:\nMOV R1, R3\nBRA `(b)") == 6);
  differs(compare(pret, "PRET `(r)\nBRX R2 -0x10\nMOV R1, R2\n@P0 BRA `(b)\nMOV R1, R3\nr:\nb:\nEXIT"),
          flow_fault::instruction, 2, 5, 1, 1);
  // and may be a switch if there is something that nothing reaches
  differs(compare("PRET `(r)\nBRX R2 -0x10\nr:\nMOV R1, R2\n@P0 EXIT\nMOV R1, R3\nEXIT\nMOV R1, R4\nEXIT",
                  "PRET `(r)\nBRX R2 -0x10\nr:\nMOV R1, R2\n@P0 EXIT\nBRA `(x)\nx:\nMOV R1, R3\nEXIT\nMOV R1, R4\nEXIT"),
          flow_fault::unknown_targets, 1, 1, 0, 0);
}

TEST_CASE("HC-4 same flow: planted faults are named, with their place and where control came from") {
  const auto fault = [](const char* from, const char* to) {
    std::string after = diamond;
    const std::size_t at = after.find(from);
    REQUIRE(at != std::string::npos);
    after.replace(at, std::string(from).size(), to);
    return compare(diamond, after.c_str());
  };
  // to the wrong block: found where that block begins, and the branch is named
  differs(fault("BRA `(c)", "BRA `(b)"), flow_fault::operands, 5, 4, 2, 2);
  // a branch turned round, and its ways not; ways exchanged, and the guard not
  differs(fault("@P0 BRA", "@!P0 BRA"), flow_fault::operands, 2, 4, 1, 1);
  differs(compare(diamond, R"(
    ISETP.NE.AND P0, PT, R0, RZ, PT
    @P0 BRA `(a)
    MOV R1, R3
  c:
    MOV R4, R1
    EXIT
  a:
    MOV R1, R2
    BRA `(c)
  )"),
          flow_fault::operands, 2, 2, 1, 1);
  differs(fault("MOV R1, R3", ""), flow_fault::duplicated, 4, 4, 1, 1);                           // dropped
  differs(fault("MOV R4, R1", "MOV R4, R1\n  MOV R4, R1"), flow_fault::instruction, 6, 6, 5, 5);  // one too many
  differs(fault("R0, RZ, PT", "R5, RZ, PT"), flow_fault::operands, 0, 0, none, none);
  differs(fault("MOV R1, R2", "IADD3 R1, R2, RZ, RZ"), flow_fault::instruction, 2, 2, 1, 1);
  differs(fault("EXIT", "EXIT P1"), flow_fault::instruction, 6, 6, 5, 5);
  differs(fault("@P0 BRA", "BRA"), flow_fault::instruction, 1, 4, 0, 0);
  differs(fault("  EXIT", "  RET.REL.NODEC R20 `(c)"), flow_fault::shape, none, none, none,
          none);  // an address is taken now
  differs(compare("MOV R1, R2\nEXIT\nMOV R3, R4\nEXIT", "MOV R1, R2\nMOV R3, R4\nEXIT"), flow_fault::instruction, 1, 1, 0,
          0);  // no EXIT
  differs(compare("MOV R1, R2\nMOV R3, R4\nEXIT", "MOV R3, R4\nMOV R1, R2\nEXIT"), flow_fault::operands, 0, 0, none, none);
  differs(compare("MOV R1, R2\nMOV R3, R4\nEXIT", "MOV R1, R2\nMOV R3, R4"), flow_fault::exits, 1, 1, 0, 0);
}

TEST_CASE("HC-4 same flow: memory facts, flags, classes and words of an instruction must stay") {
  const char* const code = "LDG.E R4, desc[UR4][R2.64+0x10]\nSTG.E desc[UR4][R2.64+0x20], R4\nEXIT";
  const auto changed = [&](auto change) {
    program after = text(code);
    change(after.instructions[1], after);
    return same_flow(text(code), after);
  };
  using ww::instruction;
  CHECK(changed([](instruction&, program&) {}).ok());
  const auto instruction_fault = [&](auto change) { differs(changed(change), flow_fault::instruction, 1, 1, 0, 0); };
  instruction_fault([](instruction& i, program&) { i.mem_offset += 4; });
  instruction_fault([](instruction& i, program&) { i.mem_bytes = 8; });
  instruction_fault([](instruction& i, program&) { i.space = ww::mem_space::shared; });
  instruction_fault([](instruction& i, program&) { i.dir = ww::mem_dir::load; });
  instruction_fault([](instruction& i, program&) { i.region = ww::region_kind::loop; });
  instruction_fault([](instruction& i, program&) { i.other_value = 1; });
  instruction_fault([](instruction& i, program&) { i.iclass = ww::sched_class::alu; });
  instruction_fault([](instruction& i, program&) { i.op = ww::opcode::ldg; });
  instruction_fault([](instruction& i, program&) { i.add(iflag::volatile_mem); });
  instruction_fault([](instruction& i, program&) { --i.operand_count; });
  instruction_fault(
      [](instruction& i, program&) { i.target = instr_id{0}; });  // (its block does not end; nothing else tells)
  const auto operand_fault = [&](auto change) { differs(changed(change), flow_fault::operands, 1, 1, 0, 0); };
  operand_fault([](instruction& i, program& p) { p.operands[i.first_operand].low ^= 1u; });
  operand_fault([](instruction& i, program& p) { p.operands[i.first_operand].high ^= ww::operand::bit_not; });
  operand_fault([](instruction& i, program&) { i.guard_negated = 1; });
  // free: control words, reuse flags, address, text, padding
  CHECK(changed([](instruction& i, program& p) {
          i.ctl.stall = 7;
          i.address = 96;
          i.source = 4;
          i.add(iflag::padding);
          p.operands[i.first_operand].high ^= ww::operand::bit_reuse;
        }).ok());

  // encodings, where both programs have some
  const auto words = [&](std::size_t at, std::uint64_t low, std::uint64_t high, const char* lines = nullptr) {
    program x = text(lines != nullptr ? lines : code);
    x.has_encoding = true;
    for (instruction& i : x.instructions) i.word[0] = i.word[1] = 7ull << 41;
    program y = x;
    y.instructions[at].word[0] ^= low;
    y.instructions[at].word[1] ^= high;
    return same_flow(x, y);
  };
  CHECK(words(1, 0, 0).ok());
  differs(words(1, 1, 0), flow_fault::word, 1, 1, 0, 0);
  differs(words(1, 0, 1ull << 40), flow_fault::word, 1, 1, 0, 0);
  differs(words(1, 0, 1ull << 62), flow_fault::word, 1, 1, 0, 0);
  for (unsigned bit = 41; bit < 62; ++bit) CHECK(words(1, 0, 1ull << bit).ok());
  CHECK(words(1, 0, 7ull << 41).ok());  // nor are control bits of zero, which leave nothing in the upper word
  program wide = text(code);
  wide.has_encoding = true;
  for (instruction& i : wide.instructions) i.word[0] = 1;
  program narrow = wide;
  narrow.instructions[1].short_word = 1;  // the same bits as an encoding of one word
  differs(same_flow(wide, narrow), flow_fault::word, 1, 1, 0, 0);
  // what holds a distance
  const char* const far = R"(
  .kernel k
    BSSY B0, `(a)
    @P0 BRA `(a)
    CALL.REL.NOINC `(f)
    LEPC R2
  a:
    EXIT
  .function f
    RET.REL.NODEC R20 `(f)
  )";
  for (const std::size_t at : {0u, 1u, 2u, 3u, 5u}) CHECK(words(at, 1ull << 40, 1, far).ok());
  differs(words(4, 1ull << 40, 0, far), flow_fault::word, 4, 4, 3, 3);
  program returns = text(far);
  returns.has_encoding = true;
  returns.instructions[5].remove(iflag::pc_relative);
  program back = returns;
  back.instructions[5].word[0] = 1;
  CHECK(same_flow(returns, back).ok());
  program bare = text(code);
  program full = bare;
  full.has_encoding = true;
  full.instructions[0].word[0] = 1;
  CHECK(same_flow(bare, full).ok());  // words are compared where both have them
  CHECK(same_flow(full, bare).ok());
}

TEST_CASE(
    "HC-4 same flow: a NOP is a fence by what stands in front of it, and a branch with modifiers is not turned round") {
  program p = text("NOP\nEXIT");
  program q = p;
  q.instructions[0].add(iflag::fence);
  CHECK(same_flow(p, q).ok());
  q.instructions[1].remove(iflag::fence);
  CHECK(same_flow(p, q).fault == flow_fault::instruction);

  differs(same_flow(text("@P0 BRA.U.ANY `(b)\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT"),
                    text("@!P0 BRA.U.ANY `(a)\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT")),
          flow_fault::operands, 0, 0, none, none);
  // Words say it where the text does not.
  const char* const any = "@P0 BRA `(b)\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT";
  const char* const not_any = "@!P0 BRA `(a)\nMOV R1, R3\nEXIT\na:\nMOV R1, R2\nEXIT";
  const auto encoded = [](const char* lines, std::uint64_t low, std::uint64_t high) {
    program x = text(lines);
    x.has_encoding = true;
    for (ww::instruction& i : x.instructions) i.word[0] = i.word[1] = 1;
    x.instructions[0].word[0] |= low;
    x.instructions[0].word[1] |= high;
    return x;
  };
  CHECK(same_flow(encoded(any, 0, 0), encoded(not_any, 0, 0)).ok());
  for (const unsigned bit : {32u, 33u}) {
    differs(same_flow(encoded(any, 1ull << bit, 0), encoded(not_any, 1ull << bit, 0)), flow_fault::operands, 0, 0, none,
            none);
  }
  for (const unsigned bit : {20u, 21u, 22u}) {
    differs(same_flow(encoded(any, 0, 1ull << bit), encoded(not_any, 0, 1ull << bit)), flow_fault::operands, 0, 0, none,
            none);
  }
  // nor is it plain without a guard
  const char* const u = "BRA.U `(a)\na:\nEXIT";
  CHECK(same_flow(encoded(u, 1ull << 32, 0), encoded(u, 1ull << 32, 0)).pairs == 2);
  CHECK(same_flow(encoded(u, 0, 0), encoded(u, 0, 0)).pairs == 1);
}

TEST_CASE("HC-4 same flow: empty loops") {
  const char* const spins = "@P0 BRA `(l)\nEXIT\nl:\nBRA `(l)";
  CHECK(equal(spins, spins) == 2);
  CHECK(equal(spins, "@P0 BRA `(l)\nEXIT\nl:\nBRA `(m)\nm:\nBRA `(l)") == 2);
  differs(compare(spins, "@P0 BRA `(l)\nEXIT\nl:\nEXIT"), flow_fault::empty_loop, 2, 2, 0, 0);
  differs(compare("@P0 BRA `(l)\nEXIT\nl:\nEXIT", spins), flow_fault::empty_loop, 2, 2, 0, 0);
  // into a circle, from a tail of it and twice
  const char* const tail = "@P0 BRA `(t)\n@P1 BRA `(m)\nEXIT\nt:\nBRA `(l)\nl:\nBRA `(m)\nm:\nBRA `(l)";
  CHECK(equal(tail, "@P0 BRA `(l)\n@P1 BRA `(l)\nEXIT\nl:\nBRA `(l)") == 3);
  CHECK(equal("l:\nBRA `(l)", "BRA `(m)\nm:\nBRA `(m)") == 0);
  // a loop that does something is none
  CHECK(equal("l:\nNOP\nBRA `(l)", "BRA `(l)\nl:\nNOP\nBRA `(l)") == 1);
}

TEST_CASE("HC-4 same flow: an instruction has one partner, and code that nothing reaches is not compared") {
  const char* const once = "@P0 BRA `(b)\nMOV R1, R2\nBRA `(c)\nb:\nMOV R1, R3\nc:\nMOV R4, R1\nEXIT";
  const char* const twice = "@P0 BRA `(b)\nMOV R1, R2\nMOV R4, R1\nEXIT\nb:\nMOV R1, R3\nMOV R4, R1\nEXIT";
  CHECK(ww_test::same_traces(text(once), text(twice), 20));
  differs(compare(once, twice), flow_fault::duplicated, 4, 5, 3, 4);
  differs(compare(twice, once), flow_fault::duplicated, 5, 4, 4, 3);
  CHECK(equal("EXIT\nMOV R1, R2\nEXIT", "EXIT\nMOV R3, R4\nMOV R1, R2\nEXIT") == 1);
}

TEST_CASE("HC-4 same flow: the shape of the programs") {
  const auto shape = [](const program& p, const program& q) {
    differs(same_flow(p, q), flow_fault::shape, none, none, none, none);
    CHECK(same_flow(p, p).ok());
    CHECK(same_flow(q, q).ok());
  };
  const char* const two = ".kernel k\nEXIT\n.function f\nRET.REL.NODEC R20 `(k)";
  shape(text("EXIT"), text(two));
  shape(text(two), text(".kernel k\nEXIT\n.kernel f\nRET.REL.NODEC R20 `(k)"));
  program p = text("EXIT");
  program q = p;
  q.register_count = 8;
  shape(p, q);
  q = p;
  q.sm = static_cast<ww::sm_id>(1);
  shape(p, q);
  shape(program{}, p);
  q = p;
  q.functions.push_back(q.functions[0]);
  shape(p, q);
  q = p;
  q.order.clear();
  q.blocks.clear();
  q.edges.clear();
  shape(p, q);
  // what stands in front of the first function is an entry
  q = text(".kernel k\nMOV R1, R2\nEXIT\n.function f\nMOV R1, R3\nEXIT");
  q.functions.erase(q.functions.begin());
  REQUIRE(ww::build_cfg(q).ok);
  CHECK(same_flow(q, q).pairs == 4);
  // a way out to unknown code
  q = p;
  q.blocks[0].open_exit = true;
  differs(same_flow(p, q), flow_fault::exits, 0, 0, none, none);
  CHECK(same_flow(program{}, program{}).ok());
  CHECK(same_flow(program{}, program{}).pairs == 0);
  q = p;
  q.blocks.push_back(q.blocks[0]);
  CHECK(same_flow(p, q).fault == flow_fault::malformed);
  // entries that are no function's: parts behind several branches that may go anywhere
  const char* const parts = "@P0 BRA `(b)\nBRX R2 -0x10\nb:\nBRX R4 -0x10\nMOV R1, R2\nEXIT\nMOV R1, R3\nEXIT";
  CHECK(same_flow(text(parts), text(parts)).pairs == 7);
}

TEST_CASE("HC-4 same flow: after a pass has permuted blocks a target may stand in the middle of its block") {
  const char* const lines = "BRA `(b)\na:\nMOV R1, R2\nEXIT\nb:\nMOV R3, R4\nMOV R5, R6\n@P0 BRA `(a)\nEXIT";
  program p = text(lines);
  std::swap(p.order[3], p.order[4]);
  program q = p;
  CHECK(same_flow(p, q).ok());
  CHECK(same_flow(p, q).pairs == 6);
  // The same in the order of today, from text.
  CHECK(same_flow(p, text("BRA `(b)\na:\nMOV R1, R2\nEXIT\nb:\nMOV R5, R6\nMOV R3, R4\n@P0 BRA `(a)\nEXIT")).ok());
  CHECK(same_flow(p, text(lines)).fault == flow_fault::operands);
}

TEST_CASE("HC-4 same flow: programs that contradict themselves are told, on either side, and never walked") {
  const char* const lines = R"(
  .kernel k
    BSSY B0, `(e)
    @P0 BRA `(b)
    MOV R1, R2
    BRX R2 -0x10
  b:
    CALL.REL.NOINC `(f)
    MOV R3, R4
  e:
    EXIT
  .function f
    RET.REL.NODEC R20 `(k)
  )";
  const program good = with_table(text(lines), 3, {4, 6});
  REQUIRE(same_flow(good, good).pairs == 8);
  const auto told = [&](flow_fault f, std::uint32_t where, auto change) {
    program bad = good;
    change(bad);
    differs(same_flow(bad, good), f, where, none, none, none);
    differs(same_flow(good, bad), f, none, where, none, none);
  };
  constexpr flow_fault malformed = flow_fault::malformed;
  told(malformed, none, [](program& p) { p.order[0] = instr_id{99}; });
  told(malformed, 0, [](program& p) { p.order[1] = instr_id{0}; });
  told(malformed, none, [](program& p) { p.blocks.clear(); });
  told(malformed, none, [](program& p) { p.blocks.pop_back(); });
  told(malformed, none, [](program& p) { p.order.pop_back(); });
  told(malformed, none, [](program& p) { p.blocks[0].count = 0; });
  told(malformed, none, [](program& p) {
    p.blocks.push_back(ww::block{});
    p.blocks.back().first = static_cast<std::uint32_t>(p.order.size());
  });
  told(malformed, none, [](program& p) { p.blocks[1].first = 0; });
  told(malformed, none, [](program& p) { p.blocks[1].count = 0xffffffffu; });
  told(malformed, none, [](program& p) { p.blocks[1].edge_count = 99; });
  told(malformed, none, [](program& p) { p.blocks[1].first_edge = 0xffffffffu; });
  told(malformed, none, [](program& p) { p.edges[0].to = {}; });
  told(malformed, none, [](program& p) { p.edges[0].from = ww::block_id{1}; });
  told(malformed, 2, [](program& p) { p.instructions[2].first_operand = 999; });
  told(malformed, 2, [](program& p) {
    p.instructions[2].first_operand = static_cast<std::uint32_t>(p.operands.size());
    p.instructions[2].operand_count = 1;
  });
  told(malformed, 1, [](program& p) { p.instructions[1].target = instr_id{99}; });
  told(malformed, 3, [](program& p) { p.tables[0].count = 3; });
  told(malformed, 3, [](program& p) { p.table_targets[1] = instr_id{99}; });
  told(malformed, none, [](program& p) { p.tables[0].branch = {}; });
  told(malformed, 3, [](program& p) { p.tables.push_back(p.tables[0]); });
  told(malformed, none, [](program& p) { p.leaders.push_back(instr_id{99}); });
  told(malformed, none, [](program& p) { p.functions[0].entry = instr_id{99}; });
  told(malformed, none, [](program& p) { p.functions[0].first_block = {}; });
  told(malformed, none, [](program& p) { p.functions[0].first_block = ww::block_id{1}; });

  // Edges of a kind from a block's last instruction.
  const auto edge = [](program& p, std::uint32_t from, ww::edge_kind kind) -> ww::cfg_edge& {
    for (ww::cfg_edge& e : p.edges) {
      if (p.order[p.blocks[e.from.index()].first + p.blocks[e.from.index()].count - 1] == instr_id{from} && e.kind == kind)
        return e;
    }
    FAIL("no such edge");
    return p.edges[0];
  };
  using ww::edge_kind;
  constexpr flow_fault graph = flow_fault::graph;
  told(graph, 1, [&](program& p) { edge(p, 1, edge_kind::branch).to = ww::block_id{1}; });
  told(graph, 1, [&](program& p) { edge(p, 1, edge_kind::fall).to = ww::block_id{2}; });
  told(graph, 1, [&](program& p) { edge(p, 1, edge_kind::fall).kind = edge_kind::branch; });
  told(graph, 1, [&](program& p) { edge(p, 1, edge_kind::branch).kind = edge_kind::indirect; });
  told(graph, 1, [&](program& p) { p.instructions[1].remove(iflag::guarded); });
  told(graph, 1, [&](program& p) { p.instructions[1].add(iflag::never); });
  told(graph, 1, [&](program& p) { p.instructions[1].add(iflag::exit); });
  told(graph, 1, [&](program& p) { p.instructions[1].add(iflag::ret); });
  told(graph, 1, [&](program& p) { p.instructions[1].add(iflag::sync); });
  told(graph, 0, [&](program& p) { p.instructions[0].add(iflag::branch); });
  told(graph, 0, [&](program& p) { p.instructions[0].add(iflag::ends_block); });
  told(graph, 3, [&](program& p) { edge(p, 3, edge_kind::indirect).to = ww::block_id{1}; });
  told(graph, 3, [&](program& p) { edge(p, 3, edge_kind::indirect).kind = edge_kind::branch; });
  told(graph, 3, [&](program& p) { p.table_targets[1] = p.table_targets[0]; });
  told(graph, 3, [&](program& p) { p.tables[0].count = 0; });
  told(graph, 4, [&](program& p) { edge(p, 4, edge_kind::call).to = ww::block_id{0}; });
  told(graph, 4, [&](program& p) { edge(p, 4, edge_kind::call_return).to = ww::block_id{0}; });
  told(graph, 4, [&](program& p) { edge(p, 4, edge_kind::call_return).kind = edge_kind::fall; });
  told(graph, 4, [&](program& p) { edge(p, 4, edge_kind::call).kind = edge_kind::branch; });
  told(graph, 4, [&](program& p) { edge(p, 4, edge_kind::call).kind = edge_kind::ret; });
  told(graph, 5, [&](program& p) { edge(p, 5, edge_kind::fall).kind = edge_kind::ret; });
  told(graph, 6, [&](program& p) {
    for (ww::block& b : p.blocks) {
      if (p.order[b.first] == instr_id{6}) b.function = ww::function_id{1};
    }
  });
  // the last edge of a block is missing: one of a table, the way back from a call, a fall
  for (const std::uint32_t place : {3u, 4u, 5u}) {
    told(graph, place, [&](program& p) {
      for (ww::block& b : p.blocks) b.edge_count -= b.first + b.count - 1 == place ? 1u : 0u;
    });
  }
  // A SYNC whose table says otherwise than its edges.
  const program sync = with_table(text("SSY `(a)\nSYNC\na:\nMOV R1, R2\nEXIT\nb:\nMOV R1, R3\nEXIT"), 1, {2});
  program bad = sync;
  bad.table_targets[0] = instr_id{4};
  differs(same_flow(bad, sync), graph, 1, none, none, none);
  bad = sync;
  bad.tables.clear();
  CHECK(same_flow(sync, bad).fault == flow_fault::table);
  CHECK(same_flow(bad, bad).ok());
}

TEST_CASE("HC-4 same flow: chains of many branches and many functions take neither depth nor long") {
  std::string chain = "@P0 BRA `(l0)\nEXIT\n";
  std::string plain = "@P0 BRA `(l)\nEXIT\nl:\nMOV R1, R2\nEXIT";
  const unsigned links = 30000;
  for (unsigned k = links; k-- > 0;) chain += "l" + std::to_string(k) + ":\nBRA `(l" + std::to_string(k + 1) + ")\n";
  chain += "l" + std::to_string(links) + ":\nMOV R1, R2\nEXIT";
  CHECK(same_flow(text(chain.c_str()), text(plain.c_str())).ok());
  CHECK(same_flow(text(plain.c_str()), text(chain.c_str())).passed_after == links);
  std::string many = ".kernel k\n";
  for (unsigned k = 0; k < 3000; ++k) many += "CALL.REL.NOINC `(f" + std::to_string(k) + ")\n";
  many += "EXIT\n";
  for (unsigned k = 0; k < 3000; ++k) many += ".function f" + std::to_string(k) + "\nRET.REL.NODEC R20 `(k)\n";
  CHECK(same_flow(text(many.c_str()), text(many.c_str())).pairs == 6001);
}
