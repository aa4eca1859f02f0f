// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <warpwright/model/simulate.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/group_waits.hpp>

#include "support/corpus.hpp"

using namespace ww;
using ww_test::first_finding;
using ww_test::program_of;

namespace {

// Loads that miss: DEPBAR pays where results come in far apart.
template <class Latency>
struct missing_latency : Latency {
  static constexpr unsigned result_estimate(sched_class c, unsigned bytes) {
    return c == sched_class::ldg ? 500u : Latency::result_estimate(c, bytes);
  }
};
struct far_sm80 : sm80 {
  using latency = missing_latency<sm80::latency>;
};

template <class Arch>
double cycles(const program& p) {
  model::workspace ws;
  return model::simulate<Arch>(p, {}, ws).cycles;
}

// `n` loads some way apart, then as much work on each result.
std::string kernel(unsigned n, unsigned apart) {
  std::string text;
  for (unsigned k = 0; k < n; ++k) {
    text += "LDG.E R" + std::to_string(64 + k) + ", [R2.64+" + std::to_string(4 * k) + "]\n";
    for (unsigned w = 0; w < apart; ++w) text += "IADD3 R10, R10, 0x1, RZ\n";
  }
  for (unsigned k = 0; k < n; ++k) {
    text += "FADD R11, R11, R" + std::to_string(64 + k) + "\n";
    for (unsigned w = 0; w + 1 < apart; ++w) text += "FADD R11, R11, R12\n";
  }
  return text + "STG.E [R4.64], R11\nEXIT\n";
}

unsigned depbars(const program& p) {
  unsigned n = 0;
  for (const instr_id id : p.order) n += p[id].iclass == sched_class::depbar ? 1u : 0u;
  return n;
}

}  // namespace

TEST_CASE("SB-8 in-order groups: DEPBAR.LE waits for the first of several loads where that gains") {
  const std::string text = kernel(12, 6);
  scoreboard::workspace ws;
  program plain = program_of<sm80>(text);
  scoreboard::assign_control<far_sm80>(plain, ws);
  program p = program_of<sm80>(text);
  const scoreboard::group_stats s = scoreboard::assign_with_group_waits<far_sm80>(p, ws, cycles<far_sm80>);
  CHECK(first_finding<sm80>(p).empty());
  CHECK(s.groups == 2);
  CHECK(s.depbars == 10);
  CHECK(depbars(p) == s.depbars);
  CHECK(p.order.size() == plain.order.size() + s.depbars);
  CHECK(cycles<far_sm80>(plain) == 937);
  CHECK(cycles<far_sm80>(p) == 835);

  // every DEPBAR is needed, with its count
  for (const instr_id id : p.order) {
    if (p[id].iclass != sched_class::depbar) continue;
    program broken = p;
    ++broken[id].mem_offset;
    CHECK_FALSE(first_finding<sm80>(broken).empty());
  }
}

TEST_CASE("SB-8 in-order groups: gains and losses by latency and work") {
  scoreboard::workspace ws;
  const auto ratio = [&](unsigned n, unsigned apart) {
    program plain = program_of<sm80>(kernel(n, apart));
    scoreboard::assign_control<far_sm80>(plain, ws);
    program p = program_of<sm80>(kernel(n, apart));
    scoreboard::assign_with_group_waits<far_sm80>(p, ws, cycles<far_sm80>);
    CHECK(first_finding<sm80>(p).empty());
    return cycles<far_sm80>(p) / cycles<far_sm80>(plain);
  };
  CHECK(ratio(12, 10) < 0.84);
  CHECK(ratio(8, 4) < 1.0);
  CHECK(ratio(4, 10) == 1.0);   // counters suffice
  CHECK(ratio(12, 20) == 1.0);  // results are there in time
}

TEST_CASE("SB-8 in-order groups: nothing is inserted where the model does not gain") {
  scoreboard::workspace ws;
  for (const unsigned n : {4u, 12u}) {
    program plain = program_of<sm80>(kernel(n, 1));
    scoreboard::assign_control<sm80>(plain, ws);
    program p = program_of<sm80>(kernel(n, 1));
    const scoreboard::group_stats s = scoreboard::assign_with_group_waits<sm80>(p, ws, cycles<sm80>);
    CHECK(s.groups == 0);
    CHECK(s.depbars == 0);
    REQUIRE(p.order.size() == plain.order.size());
    for (std::size_t k = 0; k < p.instructions.size(); ++k) CHECK(p.instructions[k].ctl == plain.instructions[k].ctl);
  }
}

// With a judge that takes every insertion: the words stay right wherever a group is found.
TEST_CASE("SB-8 in-order groups: real programs stay free of hazards") {
  scoreboard::workspace ws;
  std::uint32_t inserted = 0;
  unsigned programs = 0;
  std::string bad;
  for (const std::string& path : ww_test::corpus::listings()) {
    if (ww_test::corpus::sm_of(path) != sm80::id) continue;
    sass::listing_result r = sass::read_listing(ww_test::corpus::text(path), {sm80::id, path.c_str()});
    if (!r) continue;
    for (program& p : r.mod.sections) {
      if (!build_cfg(p).ok || p.order.size() > 2000) continue;
      ++programs;
      const auto more_is_less = [](const program& q) { return -static_cast<double>(q.order.size()); };
      inserted += scoreboard::assign_with_group_waits<sm80>(p, ws, more_is_less).depbars;
      if (bad.empty() && !first_finding<sm80>(p).empty()) bad = path + ": " + first_finding<sm80>(p);
    }
  }
  CHECK(bad == "");
  CHECK(programs > 10);
  CHECK(inserted > 0);
  WARN(programs << " programs, " << inserted << " DEPBARs");
}

TEST_CASE("SB-8 in-order groups: random blocks stay free of hazards") {
  std::mt19937 random(56);
  scoreboard::workspace ws;
  std::uint32_t inserted = 0;
  unsigned bad = 0;
  std::string example;
  for (unsigned k = 0; k < 400; ++k) {
    const auto reg = [&] { return "R" + std::to_string(16 + random() % 24); };
    const auto pair = [&] { return "R" + std::to_string(2 + 2 * (random() % 5)); };
    std::string text;
    for (unsigned n = 0; n < 60; ++n) {
      const unsigned pick = static_cast<unsigned>(random() % 12);
      if (pick < 5) {
        text += "LDG.E " + reg() + ", [" + pair() + ".64]\n";
      } else if (pick < 6) {
        text += "LDS " + reg() + ", [" + pair() + "]\n";
      } else if (pick < 7) {
        text += "STG.E [" + pair() + ".64], " + reg() + "\n";
      } else if (pick < 8) {
        text += "MUFU.RCP " + reg() + ", " + reg() + "\n";
      } else if (pick < 9) {
        text += "@P0 IADD3 " + pair() + ", " + reg() + ", 0x1, RZ\n";
      } else {
        text += "FADD " + reg() + ", " + reg() + ", " + reg() + "\n";
      }
    }
    program p = program_of<sm80>(text + "EXIT\n");
    inserted += scoreboard::assign_with_group_waits<sm80>(p, ws, [](const program& q) {
                  return -static_cast<double>(q.order.size());
                }).depbars;
    const std::string finding = first_finding<sm80>(p);
    bad += finding.empty() ? 0u : 1u;
    if (example.empty()) example = finding;
  }
  INFO(example);
  CHECK(bad == 0);
  CHECK(inserted >= 100);
  WARN(inserted << " DEPBARs");
}
