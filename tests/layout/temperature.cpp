// SPDX-License-Identifier: BSL-1.0
//
// HC-2: the two functions of the text, their duality, and the scheduler's wider reading beside them.
#include <cstdio>
#include <random>
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/layout/temperature.hpp"
#include "warpwright/sass/listing.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace t = ww::layout::temperature;
using ww::mem_dir;
using ww::mem_space;

struct special {  // the other variant throughout
  static constexpr unsigned of(const ww::program&, const ww::instruction&) { return t::variant::hot; }
};
struct third {  // neither of the two
  static constexpr unsigned of(const ww::program&, const ww::instruction&) { return 3; }
};
struct by_place {  // all eight values of the field
  static constexpr unsigned of(const ww::program&, const ww::instruction& i) { return i.address / 16 & 7u; }
};
struct by_place_swapped {
  static constexpr unsigned of(const ww::program& p, const ww::instruction& i) {
    const unsigned v = by_place::of(p, i);
    return v == 1 ? 2 : v == 2 ? 1 : v;
  }
};

template <class Policy = t::text<>>
std::string of(const std::string& text) {
  INFO(text);
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.text(text);
  const ww::program p = b.finish();
  REQUIRE(b.ok());
  const bool hot = ww::layout::is_hot_memory<Policy>(p, ww::instr_id{0});
  const bool cold = ww::layout::is_cold_memory<Policy>(p, ww::instr_id{0});
  REQUIRE_FALSE((hot && cold));
  return hot ? "hot" : cold ? "cold" : "neither";
}

struct figures {
  unsigned memory = 0;  // loads, stores, atomics
  unsigned hot = 0;
  unsigned cold = 0;
  unsigned wide_hot = 0;
  unsigned wide_cold = 0;
};

// What one function of the text asks about, exchanged for what the other one does, exchanges the answers: global and constant
// memory in loads and stores, the two variants, atomics that give something back and those that do not.
void check(ww::program& p, figures& f) {
  using text = t::text<>;
  for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
    const ww::instr_id id{k};
    const ww::instruction i = p[id];
    const bool hot = text::hot(p, i);
    const bool cold = text::cold(p, i);
    REQUIRE_FALSE((hot && cold));
    REQUIRE_FALSE((t::wide::hot(p, i) && t::wide::cold(p, i)));
    f.wide_hot += t::wide::hot(p, i);
    f.wide_cold += t::wide::cold(p, i);
    REQUIRE_FALSE(((t::wide::hot(p, i) || t::wide::cold(p, i)) && !t::wide::candidate(p, i)));
    if (!text::candidate(p, i)) {
      REQUIRE_FALSE((hot || cold));
      continue;
    }
    ++f.memory;
    f.hot += hot;
    f.cold += cold;
    // By variant.
    const bool shared = i.space == mem_space::shared && i.dir != mem_dir::atomic;
    REQUIRE(t::text<special>::hot(p, i) == (shared ? cold : hot));
    REQUIRE(t::text<special>::cold(p, i) == (shared ? hot : cold));
    REQUIRE(t::text<by_place>::hot(p, i) == (shared ? t::text<by_place_swapped>::cold(p, i) : hot));
    REQUIRE(t::text<by_place>::cold(p, i) == (shared ? t::text<by_place_swapped>::hot(p, i) : cold));
    if (shared) REQUIRE_FALSE((t::text<third>::hot(p, i) || t::text<third>::cold(p, i)));
    // By space, and by what an atomic gives back.
    if (i.dir == mem_dir::atomic) {
      REQUIRE(hot != cold);
      if (i.space == mem_space::global || i.space == mem_space::generic) {
        const auto first = static_cast<std::uint32_t>(p.operands.size());
        const bool reduces = t::is_reduction(p, i);
        p.operands.push_back(ww::operand::def(reduces ? ww::R(4) : ww::RZ, ww::slot::dst));
        p[id].first_operand = first;
        p[id].operand_count = 1;
        REQUIRE(text::hot(p, p[id]) == cold);
        REQUIRE(text::cold(p, p[id]) == hot);
      } else {
        REQUIRE(cold);
      }
    } else if (!shared) {
      if (i.space == mem_space::global) p[id].space = mem_space::constant;
      if (i.space == mem_space::constant) p[id].space = mem_space::global;
      REQUIRE(text::hot(p, p[id]) == cold);
      REQUIRE(text::cold(p, p[id]) == hot);
    }
    p[id] = i;
  }
}

}  // namespace

TEST_CASE("HC-2 temperature: global memory is hot, constant memory cold, in loads and stores") {
  CHECK(of("LDG.E R4, desc[UR4][R2.64]") == "hot");
  CHECK(of("STG.E desc[UR4][R2.64], R4") == "hot");
  CHECK(of("LDC R4, c[0x0][R2]") == "cold");
  CHECK(of("ULDC UR4, c[0x0][0x210]") == "cold");
  CHECK(of("LDL R4, [R2]") == "neither");
  CHECK(of("LD.E R4, desc[UR4][R2.64]") == "neither");  // may be in any space
  CHECK(of("TEX.SCR.LL RZ, R4, R4, R6, UR4, 2D") == "neither");
  CHECK(of("FFMA R4, R5, R6, R7") == "neither");
  CHECK(of("IADD3 R4, R5, c[0x0][0x210], RZ") == "neither");
  CHECK(of("MEMBAR.SC.GPU") == "neither");
}

TEST_CASE("HC-2 temperature: shared memory goes by its variant") {
  for (const char* text : {"LDS R4, [R2]", "STS [R2], R4", "LDSM.16.M88.4 R4, [R2]"}) {
    CHECK(of(text) == "cold");
    CHECK(of<t::text<special>>(text) == "hot");
    CHECK(of<t::text<third>>(text) == "neither");
  }
  CHECK(of<t::text<t::variant::by_form>>("LDS R4, [R2]") == "cold");
  CHECK(of<t::text<t::variant::by_form>>("LDSM.16.M88.4 R4, [R2]") == "hot");
  CHECK(of<t::text<t::variant::by_form>>("STSM.16.M88.4 [R2], R4") == "hot");
}

TEST_CASE("HC-2 temperature: a reduction in global memory is hot, other atomics are cold") {
  CHECK(of("RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R4") == "hot");
  CHECK(of("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R4") == "hot");
  CHECK(of("ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R2.64], R4") == "cold");
  CHECK(of("ATOMG.E.ADD.STRONG.GPU PT, RZ, desc[UR4][R2.64], R4") == "hot");
  CHECK(of("ATOMG.E.ADD.STRONG.GPU P1, RZ, desc[UR4][R2.64], R4") == "cold");
  CHECK(of("ATOMS.ADD RZ, [R2], R4") == "cold");
  CHECK(of("ATOMS.ADD R6, [R2], R4") == "cold");
  CHECK(of<t::text<special>>("ATOMS.ADD R6, [R2], R4") == "cold");  // the variant is one of loads and stores
  CHECK(of("SUATOM.D.BA.2D.ADD.STRONG.GPU.TRAP PT, R4, [R2], R6, UR4") == "neither");
}

TEST_CASE("HC-2 temperature: the scheduler's reading stands beside it") {
  CHECK(of<t::wide>("LDG.E R4, desc[UR4][R2.64]") == "hot");
  CHECK(of<t::wide>("STG.E desc[UR4][R2.64], R4") == "neither");
  CHECK(of<t::wide>("LD.E R4, desc[UR4][R2.64]") == "hot");
  CHECK(of<t::wide>("TEX.SCR.LL RZ, R4, R4, R6, UR4, 2D") == "hot");
  CHECK(of<t::wide>("LDS R4, [R2]") == "cold");
  const ww::program none;
  CHECK_FALSE(ww::layout::is_hot_memory(none, ww::instr_id{0}));
  CHECK_FALSE(ww::layout::is_cold_memory(none, ww::instr_id{}));
}

TEST_CASE("HC-2 temperature: exact duals, in every listing and over all spaces and directions") {
  figures f;
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    if (!r) continue;
    INFO(path);
    for (ww::program& p : r.mod.sections) check(p, f);
  }
  std::printf("temperature: %u loads, stores and atomics: %u hot, %u cold; wide: %u hot, %u cold\n", f.memory, f.hot, f.cold,
              f.wide_hot, f.wide_cold);
  CHECK(f.hot > 500);
  CHECK(f.cold > 500);

  std::mt19937 random(41);
  ww::program p;
  for (unsigned k = 0; k < 20'000; ++k) {
    ww::instruction i;
    i.space = static_cast<mem_space>(random() % 9);
    i.dir = static_cast<mem_dir>(random() % 5);
    i.address = 16 * k;
    i.op = static_cast<ww::opcode>(random() % ww::opcode_count);
    i.first_operand = static_cast<std::uint32_t>(p.operands.size());
    i.operand_count = static_cast<std::uint8_t>(random() % 3);
    for (unsigned o = 0; o < i.operand_count; ++o) {
      const ww::reg r = random() % 2 != 0 ? ww::RZ : random() % 2 != 0 ? ww::R(static_cast<unsigned>(random() % 8)) : ww::PT;
      p.operands.push_back(random() % 2 != 0 ? ww::operand::def(r, ww::slot::dst) : ww::operand::use(r, ww::slot::a));
    }
    p.instructions.push_back(i);
  }
  figures g;
  check(p, g);
  CHECK(g.hot > 500);
  CHECK(g.cold > 500);
}
