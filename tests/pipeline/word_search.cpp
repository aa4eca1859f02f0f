// SPDX-License-Identifier: BSL-1.0
//
// The search for the cheapest control words of an order.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../support/bundled_programs.hpp"
#include "../support/catch.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm120.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/occupancy.hpp"
#include "warpwright/pipeline/word_search.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;

namespace {

#ifdef WW_TEST_FEW_ARCHS  // sanitizer builds are slow
constexpr std::size_t largest = 150;
#else
constexpr std::size_t largest = 1500;
#endif

double price(const program& p, unsigned warps) {
  model::workspace m;
  const double alone = model::simulate<sm80>(p, {.warps = 1}, m).cycles;
  if (warps <= 1) return alone;
  const double many = model::simulate<sm80>(p, {.warps = warps}, m).cycles;
  return alone * (many * many);
}

void wipe(program& p) {
  for (instruction& i : p.instructions) {
    const std::uint8_t fixed = i.has(iflag::reuse_legal) ? std::uint8_t{0} : i.ctl.reuse;
    i.ctl = {};
    i.ctl.reuse = fixed;
  }
}

// Every bundled program for sm_80 that is not too large.
template <class F>
void each_program(F&& f) {
  ww_test::each_bundled_program<sm80>(largest, f);
}
unsigned copy_groups = 0;

// DEPBAR names the counter of asynchronous copies: nobody moves it.
void check_copy_counters(const program& p, const program& before) {
  for (std::size_t i = 0; i < p.instructions.size(); ++i) {
    if (p.instructions[i].iclass != sched_class::ldgdepbar) continue;
    ++copy_groups;
    CHECK(p.instructions[i].ctl.write_barrier == before.instructions[i].ctl.write_barrier);
  }
}

// The same without its words.
template <class F>
void each_wiped(F&& f) {
  each_program([&](program& p) {
    wipe(p);
    f(p);
  });
}

}  // namespace

TEST_CASE("word search: the cheapest of its candidates, clean, the same every time") {
  unsigned programs = 0;
  unsigned better = 0;
  word_search<sm80>::workspace space;
  model::workspace m;
  each_wiped([&](program& p) {
    ++programs;
    for (const unsigned warps : {1u, 8u}) {
      program found = p;
      word_search<sm80> search(found, space, warps);
      search.consider_usual();
      search.finish();
      CHECK(space.candidates >= 1);
      CHECK(verify::check<sm80>(found).errors() == 0);
      const double cheapest = price(found, warps);
      CHECK(cheapest == space.price);
      program usual = p;
      scoreboard::workspace ws;
      scoreboard::assign_control<sm80>(usual, ws);
      const double alone = model::simulate<sm80>(found, {.warps = 1}, m).cycles;
      const double usual_alone = model::simulate<sm80>(usual, {.warps = 1}, m).cycles;
      CHECK(alone <= usual_alone * word_search<sm80>::slower);
      CHECK((cheapest <= price(usual, warps) || alone < usual_alone));
      better += cheapest < price(usual, warps) ? 1u : 0u;
      program again = p;
      word_search<sm80>::workspace other;
      word_search<sm80> second(again, other, warps);
      second.consider_usual();
      second.finish();
      for (std::size_t i = 0; i < found.instructions.size(); ++i) {
        REQUIRE(found.instructions[i].ctl == again.instructions[i].ctl);
      }
      // what the program has is left where nothing is cheaper
      word_search<sm80> third(again, other, warps);
      third.consider_present();
      CHECK(other.price == cheapest);
      third.consider_usual();
      third.finish();
      for (std::size_t i = 0; i < found.instructions.size(); ++i) {
        REQUIRE(found.instructions[i].ctl == again.instructions[i].ctl);
      }
    }
  });
  REQUIRE(programs > 2);
  CHECK((better > 0 || largest < 1500));
}

TEST_CASE("word search: for loads that miss too, nothing is dearer than what the program has, and some are cheaper then") {
  word_search<sm80>::workspace space;
  model::workspace m;
  unsigned programs = 0;
  unsigned better = 0;
  each_program([&](program& p) {
    if (!model::goes_far(p)) return;
    const auto far = [&m](const program& q) { return model::simulate<sm80>(q, model::far_view<sm80>(), m).cycles; };
    program near = p;
    program both = p;
    for (const bool misses : {false, true}) {
      program& q = misses ? both : near;
      word_search<sm80> search(q, space, 8, 1, misses);
      search.consider_present();
      search.consider_usual();
      search.finish();
      CHECK(verify::check<sm80>(q).errors() == 0);
    }
    ++programs;
    CHECK(far(both) <= far(p));
    better += far(both) < far(near) ? 1u : 0u;
  });
  CHECK(programs > 2);
  CHECK(better > 0);
}

TEST_CASE("word search: neighbours of the cheapest words are cheaper or there are none, and clean") {
  unsigned programs = 0;
  unsigned better = 0;
  unsigned moved = 0;
  word_search<sm80>::workspace space;
  each_wiped([&](program& p) {
    word_search<sm80> search(p, space, 4);
    search.consider_usual();
    search.finish();
    const program usual = p;
    const double before = space.price;
    const double alone_before = space.alone;
    const std::uint64_t work = 300 * p.order.size();
    const std::uint32_t candidates = space.candidates;
    search.consider_neighbours(work);
    search.finish();
    ++programs;
    CHECK(space.candidates - candidates <= 300u);
    CHECK((space.price <= before || space.alone < alone_before));
    CHECK(price(p, 4) == space.price);
    CHECK(verify::check<sm80>(p).errors() == 0);
    better += space.price < before ? 1u : 0u;
    std::size_t other_counters = 0;
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      const control& x = p.instructions[i].ctl;
      const control& y = usual.instructions[i].ctl;
      CHECK(x.sets_write() == y.sets_write());
      CHECK(x.sets_read() == y.sets_read());
      other_counters += x.write_barrier != y.write_barrier || x.read_barrier != y.read_barrier ? 1u : 0u;
    }
    check_copy_counters(p, usual);
    moved += other_counters != 0 ? 1u : 0u;
    // no work, no change
    const program found = p;
    search.consider_neighbours(0);
    search.finish();
    for (std::size_t i = 0; i < p.instructions.size(); ++i) CHECK(p.instructions[i].ctl == found.instructions[i].ctl);
  });
  REQUIRE(programs > 2);
  CHECK((better > 0 || largest < 1500));
  CHECK((moved > 0 || largest < 1500));
}

TEST_CASE("word search: waiting for all counters in front of loops is one of its candidates") {
  unsigned settled = 0;
  word_search<sm80>::workspace space;
  scoreboard::workspace ws;
  ws.settle_before_loops = true;
  each_wiped([&](program& p) {
    word_search<sm80> search(p, space, 8);
    search.consider_usual();
    search.finish();
    if (!space.settled) return;
    ++settled;
    // what is searched further are such words too: made anew with the same counters they wait for as much there
    const program found = p;
    ws.keep_indices = true;
    scoreboard::assign_control<sm80>(p, ws);
    bool entry_waits = false;
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const std::uint32_t at = scoreboard::detail::settles_at(p, b, ws);
      if (at == scoreboard::need_none) continue;
      const unsigned mask = found[p.order[at]].ctl.wait_mask;
      entry_waits = entry_waits || mask != 0;
      // or a little before it, where a counter that is needed anew makes room
      unsigned anew = p[p.order[at]].ctl.wait_mask;
      for (std::uint32_t k = p.blocks[b].first; k < at && (mask & ~anew) != 0; ++k) anew |= p[p.order[k]].ctl.wait_mask;
      CHECK((mask & ~anew) == 0);
      CHECK((p[p.order[at]].ctl.wait_mask & ~mask) == 0);
    }
    CHECK(entry_waits);
    CHECK(space.candidates > 1);
  });
  CHECK((settled > 0 || largest < 1500));
}

TEST_CASE("word search: kept counters stay where they are") {
  each_wiped([&](program& p) {
    scoreboard::workspace ws;
    scoreboard::assign_control<sm80>(p, ws);
    // Other counters than it would give by itself: the last for the first.
    const bool named = scoreboard::named_counters(p) != 0;
    const auto other = [&](std::uint8_t counter) {
      return named || counter >= control::barrier_count ? counter
                                                        : static_cast<std::uint8_t>(control::barrier_count - 1 - counter);
    };
    for (instruction& i : p.instructions) {
      i.ctl.write_barrier = other(i.ctl.write_barrier);
      i.ctl.read_barrier = other(i.ctl.read_barrier);
    }
    const program first = p;
    for (instruction& i : p.instructions) {
      i.ctl.wait_mask = 0;
      i.ctl.stall = 1;
    }
    ws.keep_indices = true;
    scoreboard::assign_control<sm80>(p, ws);
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      CHECK(p.instructions[i].ctl.write_barrier == first.instructions[i].ctl.write_barrier);
      CHECK(p.instructions[i].ctl.read_barrier == first.instructions[i].ctl.read_barrier);
    }
    CHECK(verify::check<sm80>(p).errors() == 0);
  });
}

TEST_CASE("word search: an empty program has no words") {
  program p;
  word_search<sm80>::workspace space;
  word_search<sm80> search(p, space, 8);
  search.consider_usual();
  search.consider_neighbours();
  search.finish();
  CHECK(p.instructions.empty());
  CHECK(space.candidates == 1);
}

TEST_CASE("word search: words made anew are as good as the compiler's, for one warp and for eight") {
  word_search<sm80>::workspace space;
  model::workspace m;
  unsigned programs = 0;
  std::size_t number = 0;
  each_program([&](program& p) {
    if (p.instructions.size() > std::min<std::size_t>(400, largest)) return;
    if (!ww_test::chosen(number++, 3)) return;
    const program compiled = p;
    wipe(p);
    word_search<sm80> search(p, space, occupancy::kernel::per_sub_core<sm80>(p), word_search<sm80>::usual_warps);
    search.consider_usual();
    search.consider_neighbours();
    search.finish();
    ++programs;
    for (const unsigned warps : {1u, 8u}) {
      INFO("warps " << warps);
      const double before = model::simulate<sm80>(compiled, {.warps = warps}, m).cycles;
      CHECK(model::simulate<sm80>(p, {.warps = warps}, m).cycles <= 1.03 * before);
    }
  });
  CHECK(programs > 2);
}

TEST_CASE("word search: a single cycle of one warp may be given away in a small kernel") {
  // Stalls of two at the ends of blocks make one warp a cycle slower, more than the hundredth that counts elsewhere, and
  // several warps faster.
  isa::builder b(dialect_of(sm80::id));
  b.lines(
      "MOV R1, c[0x0][0x28]\n"
      "S2R R2, SR_CTAID.X\n"
      "S2R R3, SR_TID.X\n"
      "IMAD R2, R2, c[0x0][0x0], R3\n"
      "IADD3 R4, R2, c[0x0][0x160], RZ\n"
      "IADD3 R5, R2, c[0x0][0x164], RZ\n"
      "EXIT\n");
  program p = b.finish();
  REQUIRE(b.ok());
  p.sm = sm80::id;
  REQUIRE(build_cfg(p).ok);
  word_search<sm80>::workspace ws;
  word_search<sm80> search(p, ws, 8);
  search.consider<barriers::share>();
  const double fast = ws.alone;
  REQUIRE(fast < 80);
  // a candidate that is one cycle slower alone is priced, one that is two cycles slower is not
  for (const unsigned more : {1u, 2u}) {
    const std::uint32_t priced = ws.priced;
    search.finish();
    p.instructions[3].ctl.stall = static_cast<std::uint8_t>(p.instructions[3].ctl.stall + more);
    search.consider_present();
    CHECK(ws.priced - priced == (more == 1 && 1 <= fast * (word_search<sm80>::slower_by_one - 1) ? 1u : 0u));
    search.finish();
  }
}

TEST_CASE("word search: padding may make one warp slower where several gain more") {
  // The load behind the NOPs is late by them in every round.
  isa::builder b(dialect_of(sm120::id));
  b.lines(
      "LOOP:\n"
      "LDG.E.64 R10, desc[UR4][R2.64]\n"
      "LDG.E.64 R4, desc[UR4][R2.64+0x8]\n"
      "DADD R10, R12, R12\n"
      "DADD R8, R14, R4\n"
      "NOP\n"
      "NOP\n"
      "NOP\n"
      "NOP\n"
      "LDG.E.64 R8, desc[UR4][R2.64+0x10]\n"
      "IADD3 R3, R3, 0x1, RZ\n"
      "IADD3 R1, R1, 0x1, RZ\n"
      "ISETP.LT.AND P0, PT, R1, R0, PT\n"
      "@P0 BRA `(LOOP)\n"
      "STG.E.64 desc[UR4][R2.64], R4\n"
      "EXIT\n");
  program p = b.finish();
  REQUIRE(b.ok());
  p.sm = sm120::id;
  REQUIRE(build_cfg(p).ok);
  word_search<sm120>::workspace space;
  word_search<sm120> search(p, space, 2);
  search.consider_usual();
  CHECK(space.padded);
  CHECK(space.alone > word_search<sm120>::slower_by_one * space.least);
  CHECK(verify::check<sm120>(p).errors() == 0);
  const double price = space.price;
  search.consider_neighbours();
  CHECK(space.padded);
  CHECK(space.alone > word_search<sm120>::slower_by_one * space.least);
  CHECK(space.price < price);
  CHECK(verify::check<sm120>(p).errors() == 0);
  // Cheaper words that came from elsewhere are not padded ones.
  const program cheaper = p;
  word_search<sm120> again(p, space, 2);
  again.consider<barriers::share>();
  again.consider_padding();
  REQUIRE(space.padded);
  p = cheaper;
  again.consider_present();
  CHECK_FALSE(space.padded);
  CHECK(space.price < price);
}

TEST_CASE("word search: groups of copies keep the counter that DEPBAR names, where more is raised than there are counters") {
  // Cheaper words were once found by taking the second group away from its counter; on silicon it was read before it was there.
  std::string text = "LDGSTS.E [R12], [R22.64]\nLDGDEPBAR\n";
  for (unsigned k = 0; k < 7; ++k) {
    text += "MUFU.RCP R" + std::to_string(40 + k) + ", R" + std::to_string(60 + k) + "\n";
    text += "LDS R" + std::to_string(50 + k) + ", [R4+" + std::to_string(4 * k) + "]\n";
  }
  text += "LDGSTS.E [R12+0x200], [R8.64]\nLDGDEPBAR\nDEPBAR.LE SB0, 0x1\nLDS R14, [R2]\n";
  for (unsigned k = 0; k < 7; ++k) text += "FADD R3, R" + std::to_string(40 + k) + ", R" + std::to_string(50 + k) + "\n";
  text += "DEPBAR.LE SB0, 0x0\nLDS R15, [R2+0x200]\nFADD R3, R14, R15\nSTG.E [R8.64], R3\nEXIT\n";
  isa::builder b(dialect_of(sm80::id));
  b.lines(text);
  program p = b.finish();
  REQUIRE(b.ok());
  p.sm = sm80::id;
  REQUIRE(build_cfg(p).ok);
  for (const unsigned warps : {1u, 8u}) {
    program found = p;
    word_search<sm80>::workspace space;
    word_search<sm80> search(found, space, warps);
    search.consider_usual();
    search.finish();
    const program usual = found;
    const std::uint32_t candidates = space.candidates;
    search.consider_neighbours();
    search.finish();
    CHECK(space.candidates > candidates);
    copy_groups = 0;
    check_copy_counters(found, usual);
    CHECK(copy_groups == 2);
    CHECK(verify::check<sm80>(found).errors() == 0);
    for (const instruction& i : found.instructions) {
      if (i.iclass == sched_class::ldgdepbar) CHECK(i.ctl.write_barrier == 0);
    }
  }
}
