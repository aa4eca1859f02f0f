// SPDX-License-Identifier: BSL-1.0
//
// The strategies that finish control words: dual issue, scoreboard reuse, warp yield. Judged by the checker and the model.
#include "../support/catch.hpp"
#include "support.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm50.hpp"
#include "warpwright/arch/sm60.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm86.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/strategy/dual_issue.hpp"
#include "warpwright/strategy/scoreboard_reuse.hpp"
#include "warpwright/strategy/warp_yield.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

namespace strategy = ww::strategy;

template <class Arch>
ww::program text_program(std::string_view lines) {
  ww::isa::builder b(ww::dialect_of(Arch::id));
  b.lines(lines);
  REQUIRE(b.ok());
  ww::program p = b.finish();
  p.sm = Arch::id;
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

template <class Arch>
void assign(ww::program& p) {
  ww::scoreboard::workspace ws;
  ww::scoreboard::assign_control<Arch>(p, ws);
}

template <class Arch>
double cycles_of(const ww::program& p, unsigned warps = 1) {
  ww::model::workspace ws;
  return ww::model::simulate<Arch>(p, {.warps = warps}, ws).cycles;
}

// Findings about distances, counters and encodings; the lints about dead or undefined registers mean nothing here.
template <class Arch>
unsigned hazards(const ww::program& p) {
  unsigned n = 0;
  for (const ww::verify::finding& f : ww::verify::check<Arch>(p).findings) {
    n += f.level == ww::verify::severity::finding && f.kind <= ww::verify::finding_kind::fixed_counter ? 1u : 0u;
  }
  return n;
}

constexpr std::string_view arithmetic_and_memory =
    "FFMA R8, R4, R5, R8\n"
    "FFMA R9, R4, R5, R9\n"
    "FFMA R10, R4, R5, R10\n"
    "FFMA R11, R4, R5, R11\n"
    "FFMA R12, R4, R5, R12\n"
    "FFMA R13, R4, R5, R13\n"
    "MUFU.RCP R20, R4\n"
    "LDS R21, [R3]\n"
    "LDG.E R22, [R2]\n"
    "MUFU.RCP R23, R5\n"
    "LDS R24, [R3+0x10]\n"
    "FADD R14, R4, R5\n"
    "FADD R15, R4, R5\n"
    "EXIT\n";

// What pair_rules must not let through, written once more from the documented rule.
bool legal_pair(const ww::program& p, ww::instr_id a, ww::instr_id b) {
  using c = ww::sched_class;
  const auto simple = [&](ww::instr_id i) {
    for (const c k : {c::fma, c::alu, c::alu_dual, c::setp, c::xmad, c::half}) {
      if (p[i].iclass == k) return true;
    }
    return false;
  };
  if (simple(a) == simple(b)) return false;
  for (const ww::operand x : p.operands_of(a)) {
    for (const ww::operand y : p.operands_of(b)) {
      if ((x.is_def() || y.is_def()) && ww_test::overlap(x, y)) return false;
    }
  }
  return p[b].ctl.wait_mask == 0;
}

}  // namespace

TEST_CASE("PLS-13 dual_issue: only where the control format has a code for it, decided at compile time") {
  STATIC_REQUIRE(strategy::dual_issue::applies<ww::sm50>);
  STATIC_REQUIRE(strategy::dual_issue::applies<ww::sm60>);
  STATIC_REQUIRE_FALSE(strategy::dual_issue::applies<ww::sm80>);
  STATIC_REQUIRE_FALSE(strategy::dual_issue_pairing::applies<ww::sm80>);
  ww::program p = text_program<ww::sm80>("FFMA R8, R4, R5, R8\nLDS R21, [R3]\nEXIT\n");
  assign<ww::sm80>(p);
  const ww::program before = p;
  strategy::dual_issue_pairing::space own;
  strategy::dual_issue_pairing::finish<ww::sm80>(p, own);
  for (std::size_t i = 0; i < p.instructions.size(); ++i) CHECK(p.instructions[i].ctl == before.instructions[i].ctl);
  CHECK(own.offered == 0);
}

TEST_CASE("PLS-13 dual_issue: the order puts partners side by side and saves cycles") {
  const ww::program before = text_program<ww::sm50>(arithmetic_and_memory);
  using config = ww::config_of<ww::sm50, strategy::dual_issue>;
  ww::schedule_workspace<config> ws;
  ww::program p = before;
  const ww::schedule_stats s = ww::schedule_block<config>(p, ww::block_id{0}, ws);
  CHECK(ws.own.benefit >= 4);
  ww::program q = before;
  CHECK(s.planned_cycles + 3 <= ww_test::schedule<ww::config_of<ww::sm50>>(q).planned_cycles);

  ww::program paired = before;
  ww::program listed = before;
  const ww::schedule_result a = ww::scheduler<ww::sm50, strategy::dual_issue>{}.run(paired, {.warps = 1});
  const ww::schedule_result b = ww::scheduler<ww::sm50>{}.run(listed, {.warps = 1});
  CHECK(a.proved);
  CHECK(a.cycles_after < b.cycles_after);
  unsigned pairs = 0;
  for (std::size_t k = 0; k + 1 < paired.order.size(); ++k) {
    if (!strategy::dual_issue_pairing::is_first_of_pair(paired[paired.order[k]])) continue;
    ++pairs;
    CHECK(legal_pair(paired, paired.order[k], paired.order[k + 1]));
    CHECK_FALSE(strategy::dual_issue_pairing::is_first_of_pair(paired[paired.order[k + 1]]));
    CHECK(ww::sm50::control_format::valid(ww::sm50::control_format::encode(paired[paired.order[k]].ctl)));
  }
  CHECK(pairs >= 3);
}

TEST_CASE("PLS-13 dual_issue_pairing: pairs along an order, none that the rule forbids, distances kept") {
  struct row {
    const char* lines;
    unsigned pairs;
  };
  const row rows[] = {
      {"FFMA R8, R4, R5, R8\nLDS R21, [R3]\nEXIT\n", 1},                   // arithmetic, then memory
      {"MUFU.RCP R20, R4\nFFMA R8, R4, R5, R8\nEXIT\n", 1},                // special function, then arithmetic
      {"FFMA R8, R4, R5, R8\nFADD R9, R4, R5\nEXIT\n", 0},                 // two of the same side
      {"FFMA R3, R4, R5, R8\nLDS R21, [R3]\nEXIT\n", 0},                   // the second reads the first's result
      {"MUFU.RCP R20, R4\nFFMA R20, R4, R5, R8\nEXIT\n", 0},               // both write R20
      {"LDS R21, [R3]\nFFMA R3, R4, R5, R8\nEXIT\n", 0},                   // overwrites the address
      {"FFMA R8, R4, c[0x0][0x140], R8\nLDC R21, c[0x3][R3]\nEXIT\n", 0},  // two constant reads
      {"FFMA R8, R4, R5, R8\nLDS R21, [R3]\nIADD R9, R4, R5\nEXIT\n", 1},  // three pipes: still two at a time
      {"FFMA R8, R4, R5, R8\nLDS R21, [R3]\nFADD R9, R4, R5\nEXIT\n", 1},  // a middle one pairs once only
      {"FFMA R8, R4, R5, R8\nLDS R21, [R3]\nFADD R9, R4, R5\nLDS R22, [R3+4]\nEXIT\n", 1},  // the memory pipe is busy
      {"LDS R21, [R3]\nFADD R9, R4, R5\nFADD R10, R4, R5\nFADD R12, R4, R5\nFADD R13, R4, R5\nMUFU.RCP R20, R21\nEXIT\n",
       1},  // the MUFU waits for a counter: only the first two pair
  };
  for (const row& r : rows) {
    ww::program p = text_program<ww::sm50>(r.lines);
    assign<ww::sm50>(p);
    strategy::dual_issue_pairing::space own;
    strategy::dual_issue_pairing::finish<ww::sm50>(p, own);
    INFO(r.lines);
    CHECK(own.pairs == r.pairs);
    CHECK(hazards<ww::sm50>(p) == 0);
  }
}

TEST_CASE("PLS-13 dual_issue: the pair rule itself") {
  struct row {
    const char* lines;
    bool pair;
  };
  const row rows[] = {
      {"FFMA R8, R4, R5, R8\nLDS R21, [R3]\nEXIT\n", true},
      {"LDS R21, [R3]\nIADD R9, R4, R5\nEXIT\n", true},
      {"FFMA R8, R4, R5, R8\nIADD R9, R4, R5\nEXIT\n", false},    // two simple ones, if on different pipes
      {"MUFU.RCP R20, R4\nLDS R21, [R3]\nEXIT\n", false},         // two of the other kind
      {"FFMA R3, R4, R5, R8\nLDS R21, [R3]\nEXIT\n", false},      // reads the first one's result
      {"MUFU.RCP R20, R4\nFFMA R20, R4, R5, R8\nEXIT\n", false},  // both write
      {"LDS R21, [R3]\nFFMA R3, R4, R5, R8\nEXIT\n", false},      // writes what the first one reads
      {"LDS R21, [R3]\nFFMA R8, R3, R5, R8\nEXIT\n", true},       // both only read R3
      {"FFMA R8, R4, R5, R8\nBAR.SYNC 0x0\nEXIT\n", false},       // synchronises
      {"FFMA R8, R4, R5, R8\nEXIT\n", false},                     // ends the block
  };
  for (const row& r : rows) {
    const ww::program p = text_program<ww::sm50>(r.lines);
    INFO(r.lines);
    CHECK(strategy::can_pair<ww::sm50>(p, p[p.order[0]], p[p.order[1]]) == r.pair);
  }
}

TEST_CASE("PLS-13 dual_issue_pairing: a fixed result keeps its distance across a pair") {
  // R8 is read by the FADD three instructions later: the pair in between takes a cycle away, which must come back
  ww::program p = text_program<ww::sm50>(
      "FFMA R8, R4, R5, R6\nFADD R9, R4, R5\nMUFU.RCP R20, R4\nFADD R10, R4, R5\nFADD R11, R8, R5\nEXIT\n");
  assign<ww::sm50>(p);
  strategy::dual_issue_pairing::space own;
  strategy::dual_issue_pairing::finish<ww::sm50>(p, own);
  CHECK(own.pairs == 1);
  unsigned distance = 0;
  for (unsigned k = 0; k < 4; ++k) distance += p[p.order[k]].ctl.stall;
  CHECK(distance >= 6);
  CHECK(hazards<ww::sm50>(p) == 0);
}

TEST_CASE("PLS-13 scoreboard_reuse: counters that nobody waits for soon become one, legal and no slower") {
  std::string lines;
  for (unsigned i = 0; i < 4; ++i)
    lines += "LDG.E R" + std::to_string(20 + i) + ", desc[UR4][R2.64+" + std::to_string(4 * i) + "]\n";
  for (unsigned i = 0; i < 140; ++i) lines += "FFMA R8, R8, R5, R6\n";
  for (unsigned i = 0; i < 4; ++i) lines += "FADD R" + std::to_string(30 + i) + ", R" + std::to_string(20 + i) + ", R8\n";
  lines += "EXIT\n";
  ww::program p = text_program<ww::sm80>(lines);
  assign<ww::sm80>(p);
  const double before = cycles_of<ww::sm80>(p);
  strategy::scoreboard_reuse::space own;
  strategy::scoreboard_reuse::finish<ww::sm80>(p, own);
  CHECK(own.before.counters == 4);
  CHECK(own.before.waits >= 4);
  CHECK(own.after.counters == 1);
  CHECK(own.after.waits == 1);
  CHECK(cycles_of<ww::sm80>(p) <= before);
  CHECK(hazards<ww::sm80>(p) == 0);
}

TEST_CASE("PLS-13 scoreboard_reuse: sharing that would delay a consumer is not taken") {
  // the second load's consumer comes at once, the first load takes much longer
  ww::program p = text_program<ww::sm80>(
      "LDG.E R20, desc[UR4][R2.64]\nLDS R21, [R3]\nFADD R30, R21, R5\nFADD R31, R30, R5\nFADD R32, R20, R31\nEXIT\n");
  assign<ww::sm80>(p);
  const double before = cycles_of<ww::sm80>(p);
  strategy::scoreboard_reuse::space own;
  strategy::scoreboard_reuse::finish<ww::sm80>(p, own);
  CHECK(own.after.counters == 2);
  CHECK(cycles_of<ww::sm80>(p) == before);
}

TEST_CASE("PLS-13 warp_yield: stalls from the threshold on yield, kept operands and short stalls do not") {
  ww::program p = text_program<ww::sm80>(
      "FFMA R8, R4, R5, R6\nFADD R9, R8, R5\nFADD R10, R9, R5\nFADD R11, R4, R5\nFADD R12, R4, R6\nBAR.SYNC.DEFER_BLOCKING "
      "0x0\nEXIT\n");
  assign<ww::sm80>(p);
  for (ww::instruction& i : p.instructions) {
    if (i.ctl.stall != 0 && i.ctl.stall <= ww::sm80::barriers::max_stall_stay) i.ctl.yield = false;
    i.ctl.reuse = 0;  // kept operands stand where the test puts them
  }
  p[p.order[1]].ctl.reuse = 2;
  p[p.order[3]].ctl.stall = 3;  // below the threshold
  const ww::program before = p;
  strategy::warp_yield<8>::space own;
  strategy::warp_yield<8>::finish<ww::sm80>(p, own);
  unsigned turned = 0;
  for (std::size_t k = 0; k < p.order.size(); ++k) {
    const ww::control& was = before[before.order[k]].ctl;
    const ww::control& is = p[p.order[k]].ctl;
    CHECK(is.stall == was.stall);
    CHECK(is.reuse == was.reuse);
    CHECK(is.wait_mask == was.wait_mask);
    if (is.stall >= ww::sm80::barriers::yield_threshold && is.reuse == 0) CHECK(is.yield);
    if (is.reuse != 0) CHECK_FALSE(is.yield);
    if (is.stall > 1 && is.stall < ww::sm80::barriers::yield_threshold) CHECK(is.yield == was.yield);
    turned += is.yield != was.yield ? 1u : 0u;
  }
  CHECK(turned >= 2);
  CHECK(own.changed == turned);
  CHECK(own.after <= own.before);
}

TEST_CASE("PLS-13 warp_yield: a yield that costs a warp alone is taken back") {
  // full-rate pipe: giving the next cycle away gains nothing and costs a lonely warp one each
  std::string lines;
  for (unsigned i = 0; i < 16; ++i) lines += "FFMA R" + std::to_string(8 + i) + ", R4, R5, R6\n";
  lines += "EXIT\n";
  ww::program p = text_program<ww::sm86>(lines);
  assign<ww::sm86>(p);
  for (ww::instruction& i : p.instructions) i.ctl.reuse = 0;  // nothing else keeps a yield away
  const ww::program before = p;
  strategy::warp_yield<4>::space own;
  strategy::warp_yield<4>::finish<ww::sm86>(p, own);
  CHECK(own.tries >= 2);  // at the end of the block, and between its neighbours
  CHECK(cycles_of<ww::sm86>(p) <= cycles_of<ww::sm86>(before));
  for (std::size_t k = 0; k < 15; ++k) CHECK(p[p.order[k]].ctl == before[before.order[k]].ctl);
}

TEST_CASE("PLS-13 warp_yield: giving way at stall 1 is kept only where the N-warp model saves cycles") {
  // half-rate pipe: a warp that goes on at once only waits for it; the other warp has work for another pipe
  std::string lines;
  for (unsigned i = 0; i < 16; ++i) lines += "FADD R" + std::to_string(8 + i) + ", R4, R5\n";
  for (unsigned i = 0; i < 16; ++i) lines += "IADD3 R" + std::to_string(40 + i) + ", R4, R5, R6\n";
  lines += "EXIT\n";
  for (const unsigned warps : {2u, 4u, 8u}) {
    ww::program p = text_program<ww::sm80>(lines);
    assign<ww::sm80>(p);
    for (ww::instruction& i : p.instructions) {
      if (i.ctl.stall == 2) i.ctl.stall = 1;  // let the pipe, not the stall, hold the warp
      i.ctl.reuse = 0;
    }
    const double before = cycles_of<ww::sm80>(p, warps);
    const auto run = [&]<unsigned N>() {
      typename strategy::warp_yield<N>::space own;
      strategy::warp_yield<N>::template finish<ww::sm80>(p, own);
      CHECK(own.before == before);
      CHECK(own.after == cycles_of<ww::sm80>(p, N));
      CHECK(own.after <= own.before);
      CHECK(own.tries <= 9);
    };
    if (warps == 2) run.template operator()<2>();
    if (warps == 4) run.template operator()<4>();
    if (warps == 8) run.template operator()<8>();
  }
}
