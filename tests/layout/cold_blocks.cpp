// SPDX-License-Identifier: BSL-1.0
//
// HC-1: which blocks each signal of phase 41 takes, and which it leaves.
#include <initializer_list>
#include <string>
#include <vector>

#include "../region/support.hpp"
#include "../schedule/count_allocations.hpp"
#include "../support/random_flow.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/layout/mark_cold.hpp"

namespace {

using namespace ww::layout;
using ww::block_id;

template <class... Policies>
cold_marks marks_of(const ww::program& p, const ww::flow_profile* profile = nullptr) {
  cold_workspace ws;
  cold_marks m;
  REQUIRE(mark_cold<ww::sm90, Policies...>::run(p, {.profile = profile}, ws, m));
  REQUIRE(m.reasons.size() == p.blocks.size());
  return m;
}

// The blocks of instructions by id are cold, and no others.
bool only(const ww::program& p, const cold_marks& m, std::initializer_list<unsigned> cold) {
  std::vector<bool> wanted(p.blocks.size());
  for (const unsigned i : cold) wanted[ww_test::block_of(p, i).index()] = true;
  for (unsigned b = 0; b < p.blocks.size(); ++b) {
    if (m.cold(block_id{b}) == wanted[b]) continue;
    UNSCOPED_INFO("block " << b << (wanted[b] ? " is hot" : " is cold"));
    return false;
  }
  return true;
}

const char* const trap_behind_work = R"(
  ISETP.GE.AND P0, PT, R0, R1, PT
  @P0 BRA `(good)
  MOV R2, 0x1
  @P1 BRA `(more)
  STG.E desc[UR4][R2.64], R2
  BRA `(fail)
more:
  STG.E desc[UR4][R2.64], R3
fail:
  BPT.TRAP 0x1
good:
  EXIT
)";

// Three conditions, one below the other; the last one of the kind given. 6 and 7 are the arms of the last one.
std::string nest(const std::string& last, const std::string& in_front = "NOP", const std::string& inside = "NOP") {
  return "@P0 BRA `(end)\n NOP\n @P1 BRA `(end)\n" + in_front + "\n" + last + "\n" + inside +
         "\n BRA `(join)\nother:\n FADD R1, R1, R2\njoin:\n NOP\nend:\n EXIT\n";
}

}  // namespace

TEST_CASE("HC-1 cold blocks: a trap, and what leads to nothing else, is cold") {
  const ww::program p = ww_test::from_text(trap_behind_work);
  CHECK(only(p, marks_of<signal::trap>(p), {2, 4, 6, 7}));
  CHECK(marks_of<>(p).has(ww_test::block_of(p, 2), cold_reason::trap));
  // A trap under a guard may not happen, and neither does what cannot be reached.
  CHECK(only(ww_test::from_text("@P0 BRA `(a)\n@P1 BPT.TRAP 0x1\na:\nEXIT\n"),
             marks_of<signal::trap>(ww_test::from_text("@P0 BRA `(a)\n@P1 BPT.TRAP 0x1\na:\nEXIT\n")), {}));
  const ww::program past = ww_test::from_text("EXIT\nBPT.TRAP 0x1\n");
  CHECK(only(past, marks_of<signal::trap>(past), {}));
  // KILL discards a pixel, which is no error. A handler of traps ends in RTT.
  const ww::program kill = ww_test::from_text("@P0 BRA `(a)\nKILL\na:\nEXIT\n");
  CHECK(only(kill, marks_of<signal::trap>(kill), {}));
  const ww::program rtt = ww_test::from_text("@P0 BRA `(a)\nRTT\na:\nEXIT\n");
  CHECK(only(rtt, marks_of<signal::trap>(rtt), {1}));
}

TEST_CASE("HC-1 cold blocks: a way out, a loop or an unknown branch in front of a trap keeps a block hot") {
  for (const char* text : {"@P0 BRA `(a)\nFADD R1, R1, R1\n@P1 EXIT\nBPT.TRAP 0x1\na:\nEXIT\n",
                           "@P0 BRA `(a)\nl:\nFADD R1, R1, R1\n@P1 BRA `(l)\nBPT.TRAP 0x1\na:\nEXIT\n"}) {
    const ww::program p = ww_test::from_text(text);
    CHECK(only(p, marks_of<signal::trap>(p), {3}));
  }
  // Both ways trap: everything is cold but the block by which control enters.
  const ww::program all = ww_test::from_text("@P0 BRA `(a)\nBPT.TRAP 0x1\na:\nBPT.TRAP 0x1\n");
  CHECK(only(all, marks_of<signal::trap>(all), {1, 2}));
}

TEST_CASE("HC-1 cold blocks: a call that never comes back is a trap, one that may is not") {
  const std::string head =
      ".kernel k\n@P0 BRA `(good)\nCALL.REL.NOINC `(f)\nSTG.E desc[UR4][R2.64], R2\ngood:\nEXIT\n.function f\n";
  const ww::program fails = ww_test::from_text(head + "MOV R1, R2\nBRA `(t)\nt:\nBPT.TRAP 0x1\n");
  CHECK(only(fails, marks_of<signal::trap>(fails), {1, 6}));
  const ww::program returns = ww_test::from_text(head + "@P1 BRA `(t)\nRET.REL.NODEC R20 `(k)\nt:\nBPT.TRAP 0x1\n");
  CHECK(only(returns, marks_of<signal::trap>(returns), {6}));
  // What is not known comes back: printing, then trapping.
  const ww::program prints = ww_test::from_text("@P0 BRA `(good)\nCALL.ABS.NOINC R2\nBPT.TRAP 0x1\ngood:\nEXIT\n");
  CHECK(only(prints, marks_of<signal::trap>(prints), {1, 2}));
}

TEST_CASE("HC-1 cold blocks: with words, only that form of BPT is a trap that traps") {
  const auto with = [](std::uint64_t low, std::uint64_t high) {
    ww::isa::builder b(ww::isa::dialect{.word64 = high == 0});
    const std::uint64_t words[2] = {low, high};
    const std::uint64_t other[2] = {1, 1};
    b.text("@P0 BRA `(a)", other).text("BPT.TRAP 0x1", words).label("a").text("EXIT", other);
    ww::program p = b.finish();
    REQUIRE(b.ok());
    REQUIRE(ww::build_cfg(p).ok);
    return marks_of<signal::trap>(p).cold(block_id{1});
  };
  CHECK(with(0x000000040000795cull, 0x000fea0000300000ull));        // BPT.TRAP 0x1
  CHECK_FALSE(with(0x000000040000795cull, 0x000fea0000400000ull));  // the next form
  CHECK(with(0xe3a00000001000c0ull, 0));                            // BPT.TRAP 0x1 of sm_52
  CHECK_FALSE(with(0xe3a0000000100100ull, 0));
}

TEST_CASE("HC-1 cold blocks: an EXIT with an error code that is not 0") {
  const auto with = [](std::initializer_list<ww::operand> operands) {
    ww::isa::builder b;
    b.text("@P0 BRA `(a)").emit(ww::opcode::exit, operands).label("a").text("EXIT");
    ww::program p = b.finish();
    REQUIRE(b.ok());
    REQUIRE(ww::build_cfg(p).ok);
    return marks_of<signal::error_exit>(p).has(block_id{1}, cold_reason::error_exit);
  };
  CHECK(with({exit_code(1)}));
  CHECK(with({exit_code(0x100000)}));
  CHECK_FALSE(with({exit_code(0)}));
  CHECK_FALSE(with({}));
  CHECK_FALSE(with({exit_code(1), ww::operand::use(ww::P(1), ww::slot::guard)}));
}

TEST_CASE("HC-1 cold blocks: below three conditions, the last of them uniform") {
  const auto cold = [](const std::string& text) {
    const ww::program p = ww_test::from_text(text);
    return marks_of<signal::nested<>>(p);
  };
  const auto arms = [&](const std::string& text) {
    const ww::program p = ww_test::from_text(text);
    return only(p, cold(text), {5, 7});
  };
  const auto none = [&](const std::string& text) {
    const ww::program p = ww_test::from_text(text);
    return only(p, cold(text), {});
  };
  CHECK(arms(nest("@UP0 BRA `(other)")));
  CHECK(arms(nest("BRA.U UP0, `(other)")));
  CHECK(none(nest("@P2 BRA `(other)")));
  CHECK(arms(nest("@P2 BRA `(other)", "ISETP.GE.AND P2, PT, RZ, c[0x0][0x160], PT")));
  CHECK(arms(nest("@P2 BRA `(other)", "ISETP.GE.AND P2, PT, RZ, UR4, PT")));
  CHECK(none(nest("@P2 BRA `(other)", "ISETP.GE.AND P2, PT, R4, UR4, PT")));
  CHECK(none(nest("@P2 BRA `(other)", "@P3 ISETP.GE.AND P2, PT, RZ, UR4, PT")));
  CHECK(none(nest("@P2 BRA `(other)", "ISETP.GE.AND P2, PT, RZ, UR4, P4")));
  CHECK(arms(nest("@P2 BRA `(other)", "VOTE.ANY P2, P3")));
  CHECK(none(nest("@P2 BRA `(other)", "@P4 VOTE.ANY P2, P3")));
  CHECK(none(nest("@P2 BRA `(other)", "ISETP.GE.AND P2, PT, RZ, UR4, PT\n@P4 VOTE.ANY P2, P3")));
  // Two are not deep, four are; the depth is the caller's.
  const ww::program p = ww_test::from_text(nest("@UP0 BRA `(other)"));
  CHECK(only(p, marks_of<signal::nested<4>>(p), {}));
  CHECK(only(p, marks_of<signal::nested<2>>(p), {5, 7}));
}

TEST_CASE("HC-1 cold blocks: what is uniform follows registers, through one way in and no further") {
  const auto cold = [](const std::string& in_front) {
    ww::isa::builder b;
    b.lines("@P0 BRA `(end)\nNOP\n@P1 BRA `(end)\n" + in_front +
            "\n@P2 BRA `(other)\nBRA `(join)\nother:\nFADD R1, R1, R2\njoin:\nNOP\nend:\nEXIT\n");
    ww::program p = b.finish();
    INFO(in_front << ": line " << b.first_error().line << " " << b.first_error().expected);
    REQUIRE(b.ok());
    REQUIRE(ww::build_cfg(p).ok);
    const auto at = static_cast<unsigned>(p.instructions.size());
    return marks_of<signal::nested<>>(p).cold(ww_test::block_of(p, at - 3));
  };
  const std::string test = "\nISETP.GE.AND P2, PT, R4, R5, PT";
  CHECK(cold("S2R R4, SR_CTAID.X\nMOV R5, c[0x0][0x160]" + test));
  CHECK_FALSE(cold("S2R R4, SR_TID.X\nMOV R5, c[0x0][0x160]" + test));
  CHECK(cold("LDC R4, c[0x0][RZ+0x10]\nMOV R5, 0x7" + test));
  CHECK_FALSE(cold("LDC R4, c[0x0][R9]\nMOV R5, 0x7" + test));
  CHECK_FALSE(cold("LDG.E R4, desc[UR4][R8.64]\nMOV R5, 0x7" + test));
  CHECK(cold("MOV R6, UR7\nIADD3 R4, R6, 0x1, RZ\nMOV R5, RZ" + test));
  CHECK_FALSE(cold("MOV R4, UR7\nMOV R5, RZ\n@P5 MOV R4, UR8" + test));
  CHECK(cold("MOV R4, UR7\nMOV R5, RZ\n@UP5 MOV R4, UR8" + test));
  CHECK_FALSE(cold("MOV R5, RZ\n@UP5 MOV R4, UR8" + test));  // the old value stays where it does not act
  CHECK_FALSE(cold("MOV R4, UR7\nMOV R5, RZ\nSHFL.IDX PT, R4, R4, R5, 0x1f" + test));
  CHECK_FALSE(cold("MOV R4, UR7\nMOV R5, RZ\nFOO R9" + test));  // an opcode that is not known may write anything
  // Virtual registers are registers.
  CHECK(cold("MOV R2000, UR7\nISETP.GE.AND P2, PT, R2000, RZ, PT"));
  CHECK_FALSE(cold("MOV R2000, UR7\nISETP.GE.AND P2, PT, R2001, RZ, PT"));
  // From a block with one way in to the next, but not behind a join or a call.
  CHECK(cold("MOV R4, UR7\nMOV R5, RZ\n@P3 BRA `(end)" + test));
  CHECK_FALSE(cold("MOV R4, UR7\nMOV R5, RZ\n@P3 BRA `(over)\nMOV R8, R9\nover:" + test));
  CHECK_FALSE(cold("MOV R4, UR7\nMOV R5, RZ\nCALL.ABS.NOINC R20" + test));
  // Threads may have left the loop in different iterations, with different values.
  CHECK_FALSE(cold("loop:\nMOV R4, UR7\nMOV R5, RZ\n@P3 BRA `(loop)" + test));
  CHECK(cold("loop:\nFADD R9, R9, R9\n@P3 BRA `(loop)\nMOV R4, UR7\nMOV R5, RZ" + test));
  // What one arm knows does not hold in the other one, whichever is looked at first.
  CHECK_FALSE(cold("MOV R5, RZ\n@P3 BRA `(second)\nMOV R4, UR7\nEXIT\nsecond:" + test));
  CHECK_FALSE(cold("MOV R5, RZ\n@P3 BRA `(first)\nBRA `(second)\nfirst:\nMOV R4, UR7\nEXIT\nsecond:" + test));
  // Shared memory may have been written in between; and so may a register, in a loop.
  CHECK_FALSE(cold("LDS R4, [UR4]\nMOV R5, RZ" + test));
  const auto round = ww_test::from_text(R"(
    MOV R4, UR7
    MOV R5, RZ
  loop:
    ISETP.GE.AND P2, PT, R4, R5, PT
    @P2 BRA `(skip)
    FADD R1, R1, R2
  skip:
    LDG.E R4, desc[UR4][R2.64]
    @P0 BRA `(loop)
    EXIT
  )");
  CHECK(only(round, marks_of<signal::nested<1>>(round), {}));
}

TEST_CASE("HC-1 cold blocks: conditions are counted in one iteration, and a way out of a loop is none") {
  const auto p = ww_test::from_text(R"(
    @UP0 BRA `(end)
    NOP
    @UP1 BRA `(end)
    NOP
    @UP2 BRA `(end)
  loop:
    FADD R1, R1, R2
    @UP3 BRA `(skip)
    FADD R1, R1, R3
  skip:
    @P0 BRA `(loop)
    STG.E desc[UR4][R2.64], R1
  end:
    EXIT
  )");
  // The loop's own condition is one; the block behind the loop stands below three, of which the last is uniform.
  CHECK(only(p, marks_of<signal::nested<3>>(p), {9}));
  CHECK(only(p, marks_of<signal::nested<1>>(p), {7, 9}));  // what leads to the loop is not cold
  // A loop right behind another one stands below what that one stands below.
  const auto two = ww_test::from_text(R"(
    @UP0 BRA `(end)
    NOP
    @UP1 BRA `(end)
    NOP
  first:
    FADD R1, R1, R2
    @P0 BRA `(first)
  second:
    FADD R1, R1, R2
    @P1 BRA `(second)
    STG.E desc[UR4][R2.64], R1
  end:
    EXIT
  )");
  CHECK(only(two, marks_of<signal::nested<2>>(two), {8}));
  // A condition whose other way is an error is none.
  const auto q =
      ww_test::from_text("@UP0 BRA `(bad)\nNOP\n@UP1 BRA `(end)\nFADD R1, R1, R2\nend:\nEXIT\nbad:\nBPT.TRAP 0x1\n");
  CHECK(only(q, marks_of<signal::nested<2>>(q), {}));
  CHECK(only(q, marks_of<signal::nested<1>>(q), {3, 5}));
}

TEST_CASE("HC-1 cold blocks: behind a loop, where a source of its back edge dominates, and in no loop") {
  const auto p = ww_test::from_text(R"(
    FADD R1, R1, R2
  first:
    FADD R1, R1, R3
    @P0 BRA `(first)
    @P1 BRA `(over)
    FADD R1, R1, R4
  over:
    FADD R1, R1, R4
  second:
    FADD R1, R1, R5
    @P2 BRA `(second)
    STG.E desc[UR4][R2.64], R1
    EXIT
  )");
  CHECK(only(p, marks_of<signal::behind_loop>(p), {3, 4, 5, 8}));  // and not the second loop, 6
  // Left at its header: no block behind it has been round the loop for certain. Nor where the loop can be passed by.
  const auto at_header = ww_test::from_text("h:\n@P0 BRA `(out)\nFADD R1, R1, R2\nBRA `(h)\nout:\nEXIT\n");
  CHECK(only(at_header, marks_of<signal::behind_loop>(at_header), {}));
  const auto passed = ww_test::from_text("@P1 BRA `(out)\nl:\nFADD R1, R1, R2\n@P0 BRA `(l)\nNOP\nout:\nEXIT\n");
  CHECK(only(passed, marks_of<signal::behind_loop>(passed), {3}));
  // Behind an inner loop, in the outer one: not taken only once.
  const auto inner = ww_test::from_text("o:\nNOP\ni:\nFADD R1, R1, R2\n@P0 BRA `(i)\nFADD R3, R3, R4\n@P1 BRA `(o)\nEXIT\n");
  CHECK(only(inner, marks_of<signal::behind_loop>(inner), {5}));
}

TEST_CASE("HC-1 cold blocks: few instructions and a branch to a block that returns") {
  // The slow way of a square root, from a listing (rmsnorm_h2, sm_75), shortened.
  const auto p = ww_test::from_text(R"(
  .kernel k
    CALL.REL.NOINC `(f)
    EXIT
  .function f
    @P0 BRA `(a)
    @P1 BRA `(b)
    FADD.FTZ R5, R4, R5
    FADD.FTZ R5, R4, R5
    FADD.FTZ R5, R4, R5
    FADD.FTZ R5, R4, R5
    BRA `(out)
  b:
    LOP3.LUT R5, R5, 0x80000000, RZ, 0xc0, !PT
    LOP3.LUT R5, R5, 0x7f800000, RZ, 0xfc, !PT
    BRA `(out)
  a:
    MUFU.RSQ R5, -QNAN
  out:
    MOV R6, R5
    IMAD.MOV.U32 R4, RZ, RZ, R11
    MOV R5, 0x0
    RET.REL.NODEC R4 `(k)
  )");
  CHECK(only(p, marks_of<signal::epilogue<>>(p), {9}));
  CHECK(only(p, marks_of<signal::epilogue<5>>(p), {4, 9}));
  CHECK(only(p, marks_of<signal::epilogue<3>>(p), {}));
  // The only way to the end is no epilogue of another one; nor is a branch under a guard, or to code that goes on.
  for (const char* text : {"@P0 BRA `(a)\nNOP\nEXIT\na:\nFADD R1, R1, R2\nBRA `(out)\nout:\nEXIT\n",
                           "@P0 BRA `(a)\nNOP\na:\nFADD R1, R1, R2\n@P1 BRA `(out)\nFADD R1, R1, R2\nout:\nEXIT\n",
                           "@P0 BRA `(a)\nBRA `(out)\na:\nFADD R1, R1, R2\nout:\n@P1 EXIT\nNOP\nEXIT\n"}) {
    const ww::program q = ww_test::from_text(text);
    CHECK(only(q, marks_of<signal::epilogue<>>(q), {}));
  }
}

TEST_CASE("HC-1 cold blocks: a profile wins") {
  const ww::program p = ww_test::from_text(trap_behind_work);  // blocks: 0 test, 1 work, 2, 3 more, 4 fail, 5 good
  ww::flow_profile f;
  f.reset(p);
  f.count[0] = 100;
  f.count[1] = 5;
  CHECK(only(p, marks_of<>(p, &f), {4, 6, 7}));  // measured often enough, 5 in 100: not cold although it leads to a trap
  f.count[1] = 4.9;
  CHECK(only(p, marks_of<>(p, &f), {2, 4, 6, 7}));
  CHECK(marks_of<>(p, &f).has(block_id{1}, cold_reason::seldom));
  f.count[5] = 1;
  CHECK(only(p, marks_of<>(p, &f), {2, 4, 6, 7, 8}));  // no static signal says so
  CHECK(marks_of<>(p, &f).reasons[5] == 1u << static_cast<unsigned>(cold_reason::seldom));
  CHECK(only(p, marks_of<signal::seldom<1, 100>>(p, &f), {}));
  // Of a function that never ran, or whose entry was not counted, nothing was measured.
  for (const double entry : {0.0, ww::flow_profile::unknown}) {
    f.count[0] = entry;
    CHECK(only(p, marks_of<>(p, &f), {2, 4, 6, 7}));
    CHECK_FALSE(marks_of<>(p, &f).has(block_id{5}, cold_reason::seldom));
  }
  // A profile of another size says nothing of what it does not hold.
  f.count.resize(1);
  f.count[0] = 100;
  f.probability.clear();
  CHECK(only(p, marks_of<>(p, &f), {2, 4, 6, 7}));
  // Each function has its own entry.
  const ww::program two = ww_test::from_text(
      ".kernel k\nCALL.REL.NOINC `(f)\nEXIT\n.function f\n@P0 BRA `(r)\nFADD R1, R1, R2\nr:\nRET.REL.NODEC R20 `(k)\n");
  f.reset(two);
  f.count[0] = 1000;
  f.count[ww_test::block_of(two, 2).index()] = 10;
  f.count[ww_test::block_of(two, 3).index()] = 3;
  f.count[ww_test::block_of(two, 4).index()] = 0.1;
  CHECK(only(two, marks_of<>(two, &f), {4}));
  // Where that was not counted, nothing was measured, whatever is known of the kernel.
  const ww::program traps = ww_test::from_text(
      ".kernel k\nCALL.REL.NOINC `(f)\nEXIT\n.function f\n@P0 BRA `(r)\nBPT.TRAP 0x1\nr:\nRET.REL.NODEC R20 `(k)\n");
  f.reset(traps);
  f.count[0] = 10;
  f.count[ww_test::block_of(traps, 3).index()] = 10;
  CHECK(only(traps, marks_of<>(traps, &f), {3}));
}

TEST_CASE("HC-1 cold blocks: every branch to an improbable block is below 5 %") {
  const ww::program p =
      ww_test::from_text("@P0 BRA `(b)\nNOP\n@P1 BRA `(b)\nFADD R1, R1, R2\nBRA `(end)\nb:\nFADD R1, R1, R3\nend:\nEXIT\n");
  const block_id b = ww_test::block_of(p, 5);
  ww::flow_profile f;
  f.reset(p);
  const auto into = p.pred_edges_of(p[b]);
  REQUIRE(into.size() == 2);
  f.probability[into[0]] = 0.04;
  CHECK(only(p, marks_of<signal::seldom<>, signal::improbable<>>(p, &f), {}));  // the other one was not measured
  f.probability[into[1]] = 0.05;
  CHECK(only(p, marks_of<signal::seldom<>, signal::improbable<>>(p, &f), {}));
  f.probability[into[1]] = 0.0499;
  CHECK(only(p, marks_of<signal::seldom<>, signal::improbable<>>(p, &f), {5}));
  CHECK(marks_of<signal::seldom<>, signal::improbable<>>(p, &f).has(b, cold_reason::improbable));
  CHECK(only(p, marks_of<signal::improbable<45>>(p, &f), {}));
  f.count[0] = 10;
  f.count[b.index()] = 5;
  CHECK(only(p, marks_of<signal::seldom<>, signal::improbable<>>(p, &f), {}));  // counted often: never cold
  // The block by which control enters is not asked.
  const ww::program round = ww_test::from_text("l:\nFADD R1, R1, R2\n@P0 BRA `(l)\nEXIT\n");
  f.reset(round);
  for (double& x : f.probability) x = 0.01;
  for (double& x : f.count) x = 0;
  CHECK(only(round, marks_of<signal::improbable<>, signal::seldom<>>(round, &f), {2}));
}

namespace {

struct stores {  // a signal of a user's own
  static constexpr const char* name = "stores";
  static constexpr auto reason = static_cast<cold_reason>(7);
  static bool cold(const cold_context& c, block_id b) {
    for (const ww::instr_id i : c.code.order_of(c.code[b])) {
      if (c.code[i].dir == ww::mem_dir::store) return true;
    }
    return false;
  }
};

struct own_sm : ww::sm90 {
  struct defaults : ww::sm90::defaults {
    using cold_signals = ww::meta::type_list<stores>;
  };
};

}  // namespace

TEST_CASE("HC-1 cold blocks: the gate, the budget, marks that stay, signals of one's own") {
  const ww::program p = ww_test::from_text(trap_behind_work);
  cold_workspace ws;
  cold_marks m;
  using text = mark_cold<ww::sm90>;
  CHECK_FALSE(text::run(p, {.level = 0}, ws, m));
  CHECK_FALSE(text::run(p, {.level = 1}, ws, m));
  CHECK(m.reasons.empty());
  CHECK(text::run(p, {.level = 2}, ws, m));
  CHECK(text::run(p, {.level = 3}, ws, m));
  CHECK(only(p, m, {2, 4, 6, 7}));

  cold_budget knob{.set = true, .limit = 2, .used = 0};
  CHECK(text::run(p, {.budget = &knob}, ws, m));
  CHECK_FALSE(text::run(p, {.level = 1, .budget = &knob}, ws, m));  // counts as well
  CHECK(knob.used == 2);
  m.reasons.clear();
  CHECK_FALSE(text::run(p, {.budget = &knob}, ws, m));
  CHECK(m.reasons.empty());
  CHECK(knob.used == 2);
  knob.set = false;
  CHECK(text::run(p, {.budget = &knob}, ws, m));
  CHECK(knob.used == 2);

  m.add(block_id{5}, cold_reason::nested);
  CHECK(text::run(p, {.keep = true}, ws, m));
  CHECK(only(p, m, {2, 4, 6, 7, 8}));
  CHECK(text::run(p, {}, ws, m));
  CHECK(only(p, m, {2, 4, 6, 7}));

  CHECK(std::string(stores::name) == "stores");
  CHECK(only(p, marks_of<stores>(p), {4, 6}));
  CHECK(marks_of<stores>(p).reasons[2] == 1u << 7u);
  CHECK(mark_cold<own_sm>::run(p, {}, ws, m));
  CHECK(only(p, m, {4, 6}));
  CHECK(mark_cold<own_sm, signal::trap>::run(p, {}, ws, m));
  CHECK(only(p, m, {2, 4, 6, 7}));
}

TEST_CASE("HC-1 cold blocks: spreading is off unless it is named, goes both ways, and stops at loops and counts") {
  const ww::program p = ww_test::from_text(R"(
    @P0 BRA `(good)
    FADD R1, R1, R2
    @P1 BRA `(s)
    FADD R1, R1, R3
    BRA `(t)
  s:
    STG.E desc[UR4][R2.64], R1
    BRA `(u)
  t:
    STG.E desc[UR4][R2.64], R1
  u:
    FADD R1, R1, R4
  l:
    FADD R1, R1, R4
    @P2 BRA `(l)
  good:
    EXIT
  )");
  CHECK(only(p, marks_of<stores>(p), {5, 7}));
  CHECK(only(p, marks_of<stores, spread_cold>(p), {1, 3, 5, 7, 8}));  // not the loop 9, not the entry 0
  ww::flow_profile f;
  f.reset(p);
  f.count[ww_test::block_of(p, 3).index()] = 1;
  CHECK(only(p, marks_of<stores, spread_cold>(p, &f), {5, 7, 8}));
}

TEST_CASE("HC-1 cold blocks: on random programs, as definitions say") {
  cold_workspace ws;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    ww::program p =
        ww_test::random_flow(seed, {.count = 12 + seed % 30, .registers = 6, .open = seed % 3 == 0, .calls = true});
    for (unsigned k = 0; k < p.instructions.size(); ++k) {
      ww::instruction& i = p.instructions[k];
      if (!i.has(ww::iflag::ends_block) && (k * 7 + seed) % 9 == 0) i.op = ww::opcode::bpt, i.word[0] = i.word[1] = 0;
    }
    const auto n = static_cast<std::uint32_t>(p.blocks.size());
    const cold_analysis a(p);
    const cold_context c = ws.prepare(p, a, nullptr);
    INFO("seed " << seed);
    const auto inside = [](const ww::cfg_edge& e) { return ww::detail::inside_function(e.kind); };
    // Reached from an entry, without a block.
    const auto reached = [&](std::uint32_t without) {
      std::vector<bool> seen(n);
      for (bool more = true; more;) {
        more = false;
        for (std::uint32_t b = 0; b < n; ++b) {
          if (b != without && p.blocks[b].entry && !seen[b]) seen[b] = more = true;
        }
        for (const ww::cfg_edge& e : p.edges) {
          if (inside(e) && seen[e.from.index()] && e.to.index() != without && !seen[e.to.index()])
            seen[e.to.index()] = more = true;
        }
      }
      return seen;
    };
    const std::vector<bool> all = reached(n);
    std::vector<bool> behind(n);
    for (const std::uint32_t e : a.loops.back_edges) {
      const std::vector<bool> rest = reached(p.edges[e].from.index());
      for (std::uint32_t b = 0; b < n; ++b) {
        if (all[b] && !rest[b] && b != p.edges[e].from.index()) behind[b] = true;
      }
    }
    std::vector<bool> doomed(n);
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t b = 0; b < n; ++b) {
        if (doomed[b]) continue;
        const ww::block& blk = p.blocks[b];
        const ww::instruction& last = p[p.order[blk.first + blk.count - 1]];
        bool now = false;
        for (const ww::instr_id i : p.order_of(blk))
          now = now || (p[i].op == ww::opcode::bpt && !p[i].has(ww::iflag::guarded));
        bool every =
            !last.has(ww::iflag::exit) && !last.has(ww::iflag::ret) && (!blk.open_exit || last.has(ww::iflag::call));
        bool any = false;
        for (const ww::cfg_edge& e : p.edges_of(blk)) {
          if (e.kind == ww::edge_kind::call && !may_fall(last)) now = now || doomed[e.to.index()];
          if (!inside(e)) continue;
          any = true;
          every = every && doomed[e.to.index()];
        }
        if (now || (any && every)) doomed[b] = more = true;
      }
    }
    for (std::uint32_t b = 0; b < n; ++b) {
      INFO("block " << b);
      REQUIRE(c.has(block_id{b}, cold_fact::reached) == all[b]);
      REQUIRE(c.has(block_id{b}, cold_fact::behind) == behind[b]);
      REQUIRE(c.has(block_id{b}, cold_fact::doomed) == doomed[b]);
      bool leads = false;
      for (std::uint32_t h = 0; h < n; ++h) {
        leads = leads || (a.loops.is_header[h] != 0 && a.dominators.dominates(block_id{b}, block_id{h}));
      }
      REQUIRE(c.has(block_id{b}, cold_fact::into_loop) == leads);
      if (a.loops.is_header[b] != 0) REQUIRE(c.conditions[b] == 0);
    }
    const cold_marks m = marks_of<>(p);
    REQUIRE(m.reasons == marks_of<>(p).reasons);
    for (std::uint32_t b = 0; b < n; ++b) {
      if (!all[b] || entry_of(p, block_id{b}) == block_id{b}) REQUIRE_FALSE(m.cold(block_id{b}));
      if (m.has(block_id{b}, cold_reason::behind_loop)) REQUIRE(p.blocks[b].loop_depth == 0);
    }
    // Spreading takes the least set that the two rules close.
    const cold_marks spread = marks_of<signal::trap, signal::behind_loop, spread_cold>(p);
    cold_marks naive = marks_of<signal::trap, signal::behind_loop>(p);
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t b = 0; b < n; ++b) {
        const ww::block& blk = p.blocks[b];
        if (naive.cold(block_id{b}) || !all[b] || blk.entry || a.loops.is_header[b] != 0) continue;
        unsigned in = 0, on = 0;
        bool cold_in = true, cold_on = true;
        for (const ww::cfg_edge& e : p.edges) {
          if (!inside(e)) continue;
          if (e.to.index() == b) ++in, cold_in = cold_in && naive.cold(e.from);
          if (e.from.index() == b) ++on, cold_on = cold_on && naive.cold(e.to);
        }
        const ww::instruction& last = p[p.order[blk.first + blk.count - 1]];
        const bool elsewhere =
            last.has(ww::iflag::exit) || last.has(ww::iflag::ret) || (blk.open_exit && !last.has(ww::iflag::call));
        if ((in != 0 && cold_in) || (on != 0 && cold_on && !elsewhere))
          naive.add(block_id{b}, cold_reason::trap), more = true;
      }
    }
    for (std::uint32_t b = 0; b < n; ++b) REQUIRE(spread.cold(block_id{b}) == naive.cold(block_id{b}));
  }
}

TEST_CASE("HC-1 cold blocks: programs that are empty, have no blocks, or lead nowhere") {
  ww::program none;
  CHECK(marks_of<>(none).reasons.empty());
  ww::program p = ww_test::from_text(trap_behind_work);
  const auto all_hot = [](const ww::program& q) {
    const cold_marks m = marks_of<>(q);
    for (const std::uint8_t r : m.reasons) {
      if (r != 0) return false;
    }
    return true;
  };
  ww::program bare = p;
  bare.blocks.clear();
  CHECK(all_hot(bare));
  for (unsigned fault = 0; fault < 8; ++fault) {
    ww::program q = p;
    if (fault == 0) q.edges[0].to = block_id{99};
    if (fault == 1) q.edges[0].from = block_id{};
    if (fault == 2) q.pred_edges[0] = 1000;
    if (fault == 3) q.blocks[2].first_edge = 1000;
    if (fault == 4) q.blocks[2].count = 1000;
    if (fault == 5) q.order[1] = ww::instr_id{};
    if (fault == 6) q.instructions[1].first_operand = 0xffffffffu;
    if (fault == 7) q.pred_edges.clear();
    INFO("fault " << fault);
    CHECK(all_hot(q));
  }
  p.functions.clear();
  for (ww::block& b : p.blocks) b.function = {};
  CHECK(only(p, marks_of<>(p), {2, 4, 6, 7}));
  p.blocks[3].count = 0;
  static_cast<void>(marks_of<>(p));
  const cold_marks m;
  CHECK_FALSE(m.cold(block_id{}));
}

TEST_CASE("HC-1 cold blocks: a long chain is walked without depth, and the second run allocates nothing") {
  std::string text;
  for (unsigned k = 0; k < 30'000; ++k) text += "@UP0 BRA `(end)\nFADD R1, R1, R2\n";
  text += "BPT.TRAP 0x1\nend:\nEXIT\n";
  const ww::program p = ww_test::from_text(text);
  const cold_analysis a(p);
  cold_workspace ws;
  cold_marks m;
  using phase = mark_cold<ww::sm90, signal::trap, signal::error_exit, signal::nested<>, signal::behind_loop,
                          signal::epilogue<>, signal::seldom<>, signal::improbable<>, spread_cold>;
  ww::flow_profile f;
  f.reset(p);
  REQUIRE(phase::run(p, a, {.profile = &f}, ws, m));
  CHECK(m.cold(block_id{29'999}));
  const cold_marks first = m;
  const std::size_t before = ww_test::allocations();
  REQUIRE(phase::run(p, a, {.profile = &f}, ws, m));
  CHECK(ww_test::allocations() == before);
  CHECK(m.reasons == first.reasons);
}
