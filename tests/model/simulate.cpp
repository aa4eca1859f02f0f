// SPDX-License-Identifier: BSL-1.0
#include <warpwright/model/simulate.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "scoreboard/support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

// Straight code whose words are set by hand: stall 1, stay, nothing else.
template <class Arch>
program plain(std::string_view text) {
  program p = program_of<Arch>(text);
  for (instruction& i : p.instructions) i.ctl = control{};
  return p;
}

template <class Arch>
double cycles(const program& p, unsigned warps = 1) {
  model::workspace ws;
  return model::simulate<Arch>(p, {.warps = warps}, ws).cycles;
}

}  // namespace

TEST_CASE("model: a stall delays the next instruction") {
  program p = plain<sm90>("FADD R0, R2, R3\nIADD3 R1, R4, R5, RZ\nEXIT\n");
  p.instructions[2].ctl.stall = 5;
  CHECK(cycles<sm90>(p) == ww_test::Approx(7));
  p.instructions[0].ctl.stall = 6;
  CHECK(cycles<sm90>(p) == ww_test::Approx(12));
}

TEST_CASE("model: stall 1 with yield gives one cycle away") {
  program p = plain<sm90>("FADD R0, R2, R3\nIADD3 R1, R4, R5, RZ\nEXIT\n");
  const double stay = cycles<sm90>(p);
  p.instructions[0].ctl.yield = true;
  CHECK(cycles<sm90>(p) == ww_test::Approx(stay + 1));
}

TEST_CASE("model: a wait holds until the counter is zero, whoever raised it") {
  program p = plain<sm90>("LDG.E R4, desc[UR4][R2.64]\nMUFU.RCP R5, R6\nFADD R0, R5, R5\nEXIT\n");
  p.instructions[0].ctl.write_barrier = 0;
  p.instructions[1].ctl.write_barrier = 1;
  p.instructions[2].ctl.wait_mask = 2;
  const double only_mufu = cycles<sm90>(p);
  p.instructions[1].ctl.write_barrier = 0;
  p.instructions[2].ctl.wait_mask = 1;
  CHECK(cycles<sm90>(p) > only_mufu + 5);  // the shared counter also counts the load
}

TEST_CASE("model: DEPBAR.LE waits for all but n") {
  program p = plain<sm80>("LDG.E R4, [R2.64]\nLDG.E R5, [R2.64+0x4]\nDEPBAR.LE SB0, 0x0\nEXIT\n");
  p.instructions[0].ctl.write_barrier = 0;
  p.instructions[1].ctl.write_barrier = 0;
  p.instructions[1].ctl.stall = 2;
  p.instructions[2].mem_offset = 0;
  const double all = cycles<sm80>(p);
  p.instructions[2].mem_offset = 1;
  CHECK(cycles<sm80>(p) < all);
}

TEST_CASE("model: of the counters in its set DEPBAR.LE waits for all, whatever the count") {
  program p = plain<sm80>("LDG.E R4, [R2.64]\nDEPBAR.LE SB0, 0x1, {5}\nEXIT\n");
  p.instructions[0].ctl.write_barrier = 5;
  p.instructions[1].mem_offset = 0;
  const double none_left = cycles<sm80>(p);
  const double many = cycles<sm80>(p, 2);
  p.instructions[1].mem_offset = 1;
  CHECK(cycles<sm80>(p) == none_left);
  CHECK(cycles<sm80>(p, 2) == many);
  p.instructions[0].ctl.write_barrier = 0;  // one may be left of this
  CHECK(cycles<sm80>(p) < none_left);
  CHECK(cycles<sm80>(p, 2) < many);
}

TEST_CASE("model: drain waits for everything in flight") {
  program p = plain<sm90>("LDG.E.128 R4, desc[UR4][R2.64]\nNOP\nEXIT\n");
  p.instructions[0].ctl.stall = 0;
  p.instructions[0].ctl.yield = true;
  CHECK(cycles<sm90>(p) >= model::drain_least);
}

TEST_CASE("model: a drain waits for double precision no longer than it takes where it is fixed") {
  program p = plain<sm90>("DADD R4, R2, R6\nNOP\nEXIT\n");
  p.instructions[0].ctl.stall = 0;
  p.instructions[0].ctl.yield = true;
  p.instructions[2].ctl.stall = 5;
  CHECK(cycles<sm90>(p) == ww_test::Approx(model::drain_least + 1 + 5));
}

TEST_CASE("model: a pipe takes one instruction per interval, other pipes go on") {
  const double same = cycles<sm90>(plain<sm90>("MUFU.RCP R0, R2\nMUFU.RCP R1, R3\nEXIT\n"));
  const double other = cycles<sm90>(plain<sm90>("MUFU.RCP R0, R2\nIADD3 R1, R3, R4, RZ\nEXIT\n"));
  CHECK(same == ww_test::Approx(other + sm90::pipes::interval(sched_class::mufu) - 1));
}

TEST_CASE("model: bank ports cost bubbles, a reuse flag saves the read") {
  // sm_86: one read per bank and cycle, FFMA every cycle; three even registers take two bubbles
  program odd = plain<sm86>("FFMA R0, R2, R4, R6\nIADD3 R1, R3, R5, RZ\nEXIT\n");
  program mixed = plain<sm86>("FFMA R0, R2, R5, R7\nIADD3 R1, R3, R4, RZ\nEXIT\n");
  CHECK(cycles<sm86>(odd) == ww_test::Approx(cycles<sm86>(mixed) + 1));
  program twice = plain<sm86>("FFMA R0, R2, R4, R6\nFFMA R1, R2, R4, R6\nIADD3 R3, R5, R7, RZ\nEXIT\n");
  const double without = cycles<sm86>(twice);
  twice.instructions[0].ctl.reuse = 7;
  CHECK(cycles<sm86>(twice) < without);
}

TEST_CASE("model: more cycles than fit a word, with one warp and with many") {
  // Loads that wait for each other and miss by a million cycles.
  const auto run = [](unsigned loads, unsigned warps, bool reasons) {
    std::string text;
    for (unsigned k = 0; k < loads; ++k) text += "LDS R6, [R7]\nLDG.E R2, desc[UR4][R2.64]\n";
    program p = plain<sm90>(text + "MUFU.RCP R8, R9\nEXIT\n");
    for (std::size_t k = 0; k < 2 * std::size_t{loads}; ++k) {
      control& c = p.instructions[k].ctl;
      c.stall = 4;
      c.write_barrier = k % 2 == 0 ? 1 : 0;
      c.wait_mask = k % 2 == 0 ? 2 : 1;
    }
    p.instructions.back().ctl.wait_mask = 1;
    model::workspace ws;
    const model::options o{.warps = warps, .reasons = reasons, .stagger = 3000, .far = 5'000'000};
    const model::cost c = model::simulate<sm90>(p, o, ws);
    double lost = 0;
    for (const double r : c.reasons) lost += r;
    CHECK((!reasons || lost > 0.9 * c.cycles));
    return c.cycles;
  };
  for (const unsigned warps : {1u, 2u, 5u}) {
    const double some = run(100, warps, false);
    const double more = run(200, warps, false);
    CHECK(more - some > 100.0 * model::most_ahead / warps);
    CHECK(more - some < 100.1 * model::most_ahead / warps);
    const double many = run(2600, warps, warps == 1);
    INFO(warps << " warps: " << some << ", " << more << ", " << many);
    CHECK(std::abs(many - (some + 25 * (more - some))) < 1e-6 * many);
  }
}

TEST_CASE("model: warps start no further apart than a million cycles") {
  const program p = plain<sm90>("FADD R0, R2, R3\nMUFU.RCP R4, R5\nEXIT\n");
  model::workspace ws;
  const double most = model::simulate<sm90>(p, {.warps = 64, .stagger = 1u << 20}, ws).cycles;
  CHECK(model::simulate<sm90>(p, {.warps = 64, .stagger = 0xffffffffu}, ws).cycles == most);
  CHECK(most > 63.0 * (1 << 20) / 64);
}

TEST_CASE("model: every lost cycle has a reason") {
  program p = program_of<sm90>(
      "LDG.E R4, desc[UR4][R2.64]\nIADD3 R5, R6, R7, RZ\nIADD3 R8, R5, R4, RZ\nMUFU.RCP R9, R8\nMUFU.RCP R10, R8\nEXIT\n");
  scoreboard::workspace sw;
  scoreboard::assign_control<sm90>(p, sw);
  model::workspace ws;
  const model::cost c = model::simulate<sm90>(p, {.warps = 1, .reasons = true}, ws);
  double lost = 0;
  for (const double r : c.reasons) lost += r;
  CHECK(c.cycles == ww_test::Approx(c.issues + lost));
  const double tail = p.instructions.back().ctl.stall - 1.0;  // behind the last issue
  CHECK(c.instructions[p.instructions.size() - 1].lost[static_cast<unsigned>(model::stall_reason::stall_count)] >= tail);
  CHECK(c.reasons[static_cast<unsigned>(model::stall_reason::barrier)] > 0);
  CHECK(c.reasons[static_cast<unsigned>(model::stall_reason::dependence)] > 0);
}

TEST_CASE("model: bank ports that a stall hides are told apart from the pipe, a drain behind a block from its stall") {
  program p = plain<sm86>("FFMA R0, R2, R4, R6\nIADD3 R1, R3, R5, RZ\nEXIT\n");
  p.instructions[0].ctl.stall = 4;
  model::workspace ws;
  const auto of = [&](model::stall_reason r) {
    return model::simulate<sm86>(p, {.warps = 1, .reasons = true}, ws).reasons[static_cast<unsigned>(r)];
  };
  CHECK(of(model::stall_reason::bank) > 0);
  CHECK(of(model::stall_reason::pipe) == 0);
  CHECK(of(model::stall_reason::drain) == 0);
  p.instructions[2].ctl.stall = 0;
  p.instructions[2].ctl.yield = true;
  CHECK(of(model::stall_reason::drain) == model::drain_least - 1);
}

TEST_CASE("model: a block starts from what its heaviest predecessor left, behind a call from what was called") {
  program loop = plain<sm90>("MOV R0, R1\nLOOP:\nFADD R5, R4, R6\nLDG.E R4, desc[UR4][R2.64]\n@P0 BRA `(LOOP)\nEXIT\n");
  loop.instructions[1].ctl.wait_mask = 1;
  loop.instructions[2].ctl.write_barrier = 0;
  model::workspace ws;
  CHECK(model::simulate<sm90>(loop, {}, ws).block_cycles[1] > 30);
  isa::builder b(dialect_of(sm90::id));
  b.lines("CALL.REL.NOINC `(leaf)\nFADD R5, R4, R6\nEXIT\nleaf:\nLDG.E R4, desc[UR4][R2.64]\nRET.REL.NODEC R20 0x0\n");
  program call = b.finish();
  REQUIRE(b.ok());
  call.sm = sm90::id;
  function kernel;
  kernel.kernel = true;
  kernel.entry = instr_id{0};
  function leaf;
  leaf.entry = instr_id{3};
  call.functions.push_back(kernel);
  call.functions.push_back(leaf);
  REQUIRE(build_cfg(call).ok);
  for (instruction& i : call.instructions) i.ctl = control{};
  call.instructions[1].ctl.wait_mask = 1;
  call.instructions[3].ctl.write_barrier = 0;
  CHECK(model::simulate<sm90>(call, {}, ws).block_cycles[1] > 30);
}

TEST_CASE("model: a counter tells as many landings apart as it keeps, a trace of deep loops ends") {
  model::counter_file c;
  for (std::int32_t k = 0; k < 12; ++k) c.raise(0, k, 100 + 10 * k);
  CHECK(c.at_most(0, 0, 2) == 210);
  CHECK(c.at_most(0, 3, 2) == 180);
  CHECK(c.at_most(0, model::counter_file::kept - 1, 2) == 140);
  CHECK(c.at_most(0, model::counter_file::kept, 2) == 13);
  CHECK(c.at_most(0, 63, 2) == 13);
  std::string heads;
  std::string ends;
  for (unsigned k = 0; k < 300; ++k) {
    const std::string n = std::to_string(k);
    heads += "L" + n + ":\nFADD R0, R0, R1\n";
    ends = "@P0 BRA `(L" + n + ")\n" + ends;
  }
  const program p = program_of<sm90>(heads + ends + "EXIT\n");
  vec<std::uint32_t> trace;
  model::detail::make_trace(p, trace);
  std::size_t length = 0;
  for (const std::uint32_t k : trace) length += p.blocks[k].count;
  CHECK(length > 2 * p.order.size());
  CHECK(length <= 5 * p.order.size() + 4096 + 1);
}

TEST_CASE("model: block weights multiply, padding costs nothing") {
  program p = program_of<sm90>("MOV R0, RZ\nloop:\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA `(loop)\nEXIT\n");
  for (instruction& i : p.instructions) i.ctl = control{};
  model::workspace ws;
  const model::cost c = model::simulate<sm90>(p, {}, ws);
  double sum = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b) sum += p.blocks[b].weight * c.block_cycles[b];
  CHECK(c.cycles == ww_test::Approx(sum));
  CHECK(p.blocks[1].weight == ww_test::Approx(10));
  p.instructions.back().add(iflag::padding);
  CHECK(cycles<sm90>(p) < c.cycles);
}

TEST_CASE("model: warps hide each other's latency down to the resource cost") {
  program p = program_of<sm90>("LDG.E R4, desc[UR4][R2.64]\nFADD R5, R4, R4\nFADD R6, R5, R5\nEXIT\n");
  scoreboard::workspace sw;
  scoreboard::assign_control<sm90>(p, sw);
  const double one = cycles<sm90>(p, 1);
  const double eight = cycles<sm90>(p, 8);
  CHECK(eight < one / 3);
  CHECK(eight >= 4);  // four instructions, one issue per cycle
}

TEST_CASE("model: cycles of several warps are a mean over the distances between their starts") {
  program p = program_of<sm90>(
      "LOOP:\nLDG.E R4, desc[UR4][R2.64]\nFADD R5, R4, R4\nMUFU.RCP R6, R5\nFADD R7, R7, R6\nISETP.LT.AND P0, PT, R7, R9, "
      "PT\n"
      "@P0 BRA `(LOOP)\nSTG.E desc[UR4][R2.64], R7\nEXIT\n");
  scoreboard::workspace sw;
  scoreboard::assign_control<sm90>(p, sw);
  model::workspace ws;
  bool differ = false;
  for (const unsigned warps : {2u, 5u, 8u}) {
    double sum = 0;
    double first = 0;
    array<double, model::reason_count> reasons{};
    for (const std::uint32_t s : model::mean_staggers) {
      const model::cost c = model::simulate<sm90>(p, {.warps = warps, .reasons = true, .stagger = s}, ws);
      if (sum != 0) differ = differ || c.cycles != first;
      first = c.cycles;
      sum += c.cycles;
      for (unsigned r = 0; r < model::reason_count; ++r) reasons[r] += c.reasons[r];
    }
    const auto starts = static_cast<double>(model::mean_staggers.size());
    const model::cost mean = model::simulate<sm90>(p, {.warps = warps, .reasons = true}, ws);
    CHECK(mean.cycles == ww_test::Approx(sum / starts));
    for (unsigned r = 0; r < model::reason_count; ++r) CHECK(mean.reasons[r] == ww_test::Approx(reasons[r] / starts));
  }
  CHECK(differ);
}

TEST_CASE("model: the warp that issued last goes on while it is ready, then the youngest") {
  // Stalls and pipes alone, against a walk over all warps at every issue.
  const auto reference = [](const program& p, unsigned warps, std::uint32_t stagger) {
    std::vector<std::size_t> at(warps, 0);
    std::vector<std::int64_t> ready(warps);
    for (unsigned w = 0; w < warps; ++w) ready[w] = std::int64_t{w} * stagger;
    std::map<pipe_id, std::int64_t> pipes;
    std::vector<double> cycles(p.blocks.size(), 0.0);
    std::int64_t now = 0;
    unsigned last = 0;
    for (std::size_t left = warps * p.order.size(); left != 0; --left) {
      std::int64_t when = -1;
      unsigned pick = 0;
      for (unsigned w = 0; w < warps; ++w) {
        if (at[w] == p.order.size()) continue;
        const std::int64_t t = std::max({ready[w], pipes[sm90::pipes::pipe_of(p[p.order[at[w]]].iclass)], now});
        if (when >= 0 && (t > when || (t == when && pick == last))) continue;
        when = t;
        pick = w;
      }
      const instruction& i = p[p.order[at[pick]]];
      std::size_t b = 0;
      while (at[pick] - p.blocks[b].first >= p.blocks[b].count) ++b;
      cycles[b] += static_cast<double>(when + 1 - now) / warps;
      pipes[sm90::pipes::pipe_of(i.iclass)] = when + sm90::pipes::interval(i.iclass);
      ready[pick] = when + i.ctl.stall;
      ++at[pick];
      now = when + 1;
      last = pick;
    }
    return cycles;
  };
  std::mt19937 rng(5);
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::string text;
    for (unsigned half = 0; half < 2; ++half) {
      for (unsigned k = 0; k < 6; ++k) {
        const char* const ops[] = {"FADD R", "IADD3 R", "FMUL R"};
        const auto o = static_cast<unsigned>(rng() % 3);
        text += ops[o] + std::to_string(20 + 6 * half + k) + (o == 1 ? ", R2, R3, RZ\n" : ", R2, R3\n");
      }
      text += half == 0 ? "@P0 BRA `(L)\nL:\n" : "EXIT\n";
    }
    program p = plain<sm90>(text);
    REQUIRE(p.blocks.size() == 2);
    for (instruction& i : p.instructions) i.ctl.stall = static_cast<std::uint8_t>(1 + rng() % 5);
    for (const unsigned warps : {2u, 3u, 8u}) {
      for (const std::uint32_t stagger : {1u, 2u, 7u}) {
        model::workspace ws;
        const model::cost c =
            model::simulate<sm90>(p, {.warps = warps, .stagger = stagger, .banks = model::bank_pricing::none}, ws);
        const std::vector<double> expected = reference(p, warps, stagger);
        INFO("seed " << seed << " warps " << warps << " stagger " << stagger);
        for (std::size_t b = 0; b < 2; ++b) REQUIRE(c.block_cycles[b] == ww_test::Approx(expected[b]));
      }
    }
  }
}
