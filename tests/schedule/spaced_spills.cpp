// SPDX-License-Identifier: BSL-1.0
//
// PS-3: spills and reloads are set apart, other work comes between them, and real spilled kernels stay right.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/graph/build.hpp"
#include "warpwright/graph/spaced_spills.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/verify/same_order.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::dependence_kind;
using ww_test::program_of;

template <class Builder, class Disambiguation = ww::conservative>
ww::dependence_graph graph_of(const ww::program& p) {
  ww::dependence_graph g;
  ww::graph_workspace ws;
  ww::build_graph<ww::sm80, Builder, Disambiguation>(p, p.order, g, ws);
  return g;
}
// Cycles of the edge, 0 if there is none; two edges between the same nodes are a fault.
unsigned edge(const ww::dependence_graph& g, std::uint32_t from, std::uint32_t to) {
  unsigned found = 0;
  for (const ww::dependence_edge& e : g.pred(to)) {
    if (e.from != from) continue;
    CHECK(found == 0);
    found = e.latency;
  }
  return found;
}
unsigned spaced(std::string_view text, std::uint32_t from, std::uint32_t to) {
  return edge(graph_of<ww::spaced_spills<>>(program_of<ww::sm80>(text)), from, to);
}

ww::stack_slot slot(const ww::program& p, std::uint32_t i) {
  return ww::slot_of(p.instructions[i], p.operands_of(p.instructions[i]));
}

template <class Config>
std::vector<std::uint32_t> order_of(ww::program p) {
  ww::schedule_workspace<Config> ws;
  ww::schedule_block<Config>(p, ww::block_id{0}, ws);
  std::vector<std::uint32_t> order;
  for (const ww::instr_id i : p.order) order.push_back(i.index());
  return order;
}
std::uint32_t between(const std::vector<std::uint32_t>& order, std::uint32_t first, std::uint32_t second) {
  const auto at = [&](std::uint32_t i) { return std::find(order.begin(), order.end(), i) - order.begin(); };
  return static_cast<std::uint32_t>(at(second) - at(first) - 1);
}

// Of every reload whose slot was written in its block: instructions from the newest such spill to it.
std::vector<std::size_t> distances(const ww::program& p) {
  std::vector<std::size_t> all;
  for (const ww::block& b : p.blocks) {
    const auto o = p.order_of(b);
    for (std::size_t i = 0; i < o.size(); ++i) {
      if (!ww::is_reload(p[o[i]])) continue;
      const ww::stack_slot s = ww::slot_of(p[o[i]], p.operands_of(o[i]));
      for (std::size_t k = i; k-- > 0;) {
        if (!ww::is_spill(p[o[k]]) || !s.meets(ww::slot_of(p[o[k]], p.operands_of(o[k])))) continue;
        all.push_back(i - k);
        break;
      }
    }
  }
  return all;
}

// What spaced_spills promises, pair by pair: the cycles that it asks for between two nodes.
unsigned asked(const ww::program& p, std::uint32_t from, std::uint32_t to) {
  const ww::stack_slot s = slot(p, from);
  const auto writes_base = [&](std::uint32_t k) {
    for (const ww::operand& o : p.operands_of(p.instructions[k])) {
      if (o.is_def() && s.stands_on(o)) return true;
    }
    return false;
  };
  if (!ww::is_spill(p.instructions[from]) || !ww::is_reload(p.instructions[to]) || !s.meets(slot(p, to))) return 0;
  for (std::uint32_t k = from + 1; k < to; ++k) {
    if (writes_base(k)) return 0;
    const ww::instruction& i = p.instructions[k];
    if (ww::is_spill(i) && !i.has(ww::iflag::guarded) && slot(p, k).covers(s)) return 0;
  }
  return 30;
}

template <class Builder, class Disambiguation>
void check_against_oracle(const ww::program& p) {
  const ww::dependence_graph plain = graph_of<Builder, Disambiguation>(p);
  const ww::dependence_graph g = graph_of<ww::spaced_spills<Builder>, Disambiguation>(p);
  for (std::uint32_t to = 0; to < g.count; ++to) {
    for (std::uint32_t from = 0; from < to; ++from) {
      const unsigned was = edge(plain, from, to);
      const unsigned want = std::max(was, asked(p, from, to));
      if (edge(g, from, to) != want) {
        INFO(from << " to " << to);
        CHECK(edge(g, from, to) == want);
      }
    }
  }
}

}  // namespace

TEST_CASE("PS-3 slots: spills, reloads and the bytes that they name") {
  const ww::program p = program_of<ww::sm80>(
      "STL [R1+0x8], R4\n"      // 0
      "STL.64 [R1+0x4], R4\n"   // 1
      "LDL R6, [R1+0xc]\n"      // 2
      "LDL.64 R6, [R1+0x8]\n"   // 3
      "LDL R6, [R2+0x8]\n"      // 4
      "STS [R1+0x8], R4\n"      // 5
      "LDG.E R6, [R8.64]\n"     // 6
      "LDL R6, [0x8]\n"         // 7
      "STL [0x8], R4\n"         // 8
      "LDL R6, [R1+UR4+0x8]\n"  // 9
      "LDL R6, [UR4+0x8]\n"     // 10
      "EXIT");
  CHECK(ww::is_spill(p.instructions[0]));
  CHECK(ww::is_spill(p.instructions[1]));
  CHECK_FALSE(ww::is_spill(p.instructions[2]));
  CHECK_FALSE(ww::is_spill(p.instructions[5]));
  CHECK(ww::is_reload(p.instructions[2]));
  CHECK_FALSE(ww::is_reload(p.instructions[0]));
  CHECK_FALSE(ww::is_reload(p.instructions[6]));
  ww::instruction whole_cache = p.instructions[0];
  whole_cache.dir = ww::mem_dir::order;
  CHECK_FALSE(ww::is_spill(whole_cache));
  CHECK_FALSE(ww::is_reload(whole_cache));
  CHECK(slot(p, 0).meets(slot(p, 1)));
  CHECK(slot(p, 0).meets(slot(p, 3)));
  CHECK_FALSE(slot(p, 0).meets(slot(p, 2)));
  CHECK_FALSE(slot(p, 1).meets(slot(p, 2)));
  CHECK_FALSE(slot(p, 2).meets(slot(p, 1)));
  CHECK_FALSE(slot(p, 0).meets(slot(p, 4)));
  CHECK_FALSE(slot(p, 0).meets(slot(p, 7)));
  CHECK_FALSE(slot(p, 7).meets(slot(p, 0)));
  CHECK(slot(p, 7).meets(slot(p, 8)));
  CHECK_FALSE(slot(p, 5).known());
  CHECK_FALSE(slot(p, 9).known());
  CHECK_FALSE(slot(p, 10).known());
  ww::instruction symbol = p.instructions[0];
  symbol.add(ww::iflag::symbolic_mem);
  CHECK_FALSE(ww::slot_of(symbol, p.operands_of(symbol)).known());
  CHECK(slot(p, 1).covers(slot(p, 0)));
  CHECK_FALSE(slot(p, 0).covers(slot(p, 1)));
  CHECK_FALSE(slot(p, 3).covers(slot(p, 1)));
  CHECK(slot(p, 0).stands_on(ww::operand::def(ww::R(1), ww::slot::dst)));
  CHECK(slot(p, 0).stands_on(ww::operand::def(ww::R(0), ww::slot::dst, 2)));
  CHECK_FALSE(slot(p, 0).stands_on(ww::operand::def(ww::R(2), ww::slot::dst)));
  CHECK_FALSE(slot(p, 7).stands_on(ww::operand::def(ww::R(1), ww::slot::dst)));
}

TEST_CASE("PS-3 distances: thirty cycles from a spill to its reload, twenty to the first reader") {
  CHECK(edge(graph_of<ww::last_writer>(program_of<ww::sm80>("STL [R1], R4\nLDL R5, [R1]\nEXIT")), 0, 1) == 1);
  CHECK(spaced("STL [R1], R4\nLDL R5, [R1]\nEXIT", 0, 1) == 30);
  CHECK(spaced("STL [R1], R4\nLDL R5, [R1+0x4]\nEXIT", 0, 1) == 1);
  CHECK(spaced("STL.64 [R1], R4\nLDL R5, [R1+0x4]\nEXIT", 0, 1) == 30);
  CHECK(spaced("STL [R1], R4\nSTL [R1+0x4], R6\nLDL R5, [R1]\nEXIT", 0, 2) == 30);  // added: order came by way of 1
  CHECK(spaced("STL [R1], R4\nSTL [R1+0x4], R6\nLDL R5, [R1]\nEXIT", 1, 2) == 1);
  CHECK(spaced("STL [R1], R4\nIADD3 R1, R1, 0x8, RZ\nLDL R5, [R1]\nEXIT", 0, 2) == 1);
  CHECK(spaced("STL [R1], R4\nSTL [R1], R6\nLDL R5, [R1]\nEXIT", 0, 2) == 0);  // nothing of 0 is left
  CHECK(spaced("STL [R1], R4\nSTL [R1], R6\nLDL R5, [R1]\nEXIT", 1, 2) == 30);
  CHECK(spaced("STL.64 [R1], R4\nSTL [R1], R6\nLDL.64 R8, [R1]\nEXIT", 0, 2) == 30);  // half of 0 is
  CHECK(spaced("STL [R1], R4\n@P0 STL [R1], R6\nLDL R5, [R1]\nEXIT", 0, 2) == 30);
  CHECK(spaced("LDL R5, [R1]\nSTL [R1], R4\nEXIT", 0, 1) < 30);
  // The estimate of a load from local memory is longer than the twenty cycles; whoever asks for more gets more.
  const ww::program p =
      program_of<ww::sm80>("LDL R5, [R1]\nFADD R6, R5, R7\nFADD R8, R6, R7\nLDS R9, [R2]\nFADD R9, R9, R9\nEXIT");
  const unsigned estimate = edge(graph_of<ww::last_writer>(p), 0, 1);
  const unsigned sum = edge(graph_of<ww::last_writer>(p), 1, 2);
  const unsigned shared = edge(graph_of<ww::last_writer>(p), 3, 4);
  CHECK(estimate == 32);
  CHECK(edge(graph_of<ww::spaced_spills<>>(p), 0, 1) == estimate);
  using wide = ww::spaced_spills<ww::last_writer, 30, 40>;
  CHECK(edge(graph_of<wide>(p), 0, 1) == 40);
  CHECK(edge(graph_of<wide>(p), 1, 2) == sum);
  CHECK(edge(graph_of<wide>(p), 3, 4) == shared);
  CHECK(shared < 40);
  using none = ww::spaced_spills<ww::last_writer, 0, 0>;  // never below what stood there
  CHECK(edge(graph_of<none>(program_of<ww::sm80>("STL [R1], R4\nLDL R5, [R1]\nEXIT")), 0, 1) == 1);
  using near_ones = ww::spaced_spills<ww::last_writer, 12, 0>;
  CHECK(edge(graph_of<near_ones>(program_of<ww::sm80>("STL [R1], R4\nLDL R5, [R1]\nEXIT")), 0, 1) == 12);
}

TEST_CASE("PS-3 distances: 64 spills are remembered") {
  const auto text = [](unsigned others) {
    std::string s = "STL [R1], R4\n";
    for (unsigned k = 1; k <= others; ++k) s += "STL [R1+" + std::to_string(8 * k) + "], R4\n";
    return s + "LDL R5, [R1]\nEXIT";
  };
  CHECK(spaced(text(63), 0, 64) == 30);
  CHECK(spaced(text(64), 0, 65) == 0);
}

TEST_CASE("PS-3 distances: both builders and both memory orders against pairs looked at one by one") {
  std::mt19937 random(31);
  const char* const lines[] = {
      "STL [R1], R4",         "STL [R1+0x4], R6",     "STL.64 [R1+0x8], R4",  "STL.64 [R1+0x4], R6", "STL [R2], R4",
      "@P0 STL [R1+0x4], R8", "LDL R5, [R1]",         "LDL R7, [R1+0x4]",     "LDL.64 R8, [R1+0x8]", "LDL R5, [R2]",
      "LDL R2, [R2+0x4]",     "IADD3 R1, R1, R3, RZ", "IADD3 R2, R4, R3, RZ", "FFMA R4, R5, R6, R4", "FFMA R10, R7, R8, R9",
      "STS [R2], R4",         "LDL.128 R4, [R1]",     "STL.128 [R1], R4"};
  unsigned pairs = 0;
  for (unsigned n = 0; n < 300; ++n) {
    std::string text;
    const auto length = static_cast<std::uint32_t>(4 + random() % 28);
    for (unsigned k = 0; k < length; ++k) {
      text += lines[random() % std::size(lines)];
      text += '\n';
    }
    INFO(text);
    const ww::program p = program_of<ww::sm80>(text + "EXIT");
    for (std::uint32_t to = 0; to < length; ++to) {
      for (std::uint32_t from = 0; from < to; ++from) pairs += asked(p, from, to) != 0 ? 1u : 0u;
    }
    check_against_oracle<ww::last_writer, ww::conservative>(p);
    check_against_oracle<ww::last_writer, ww::base_offset>(p);
    check_against_oracle<ww::pairwise, ww::conservative>(p);
    check_against_oracle<ww::pairwise, ww::base_offset>(p);
  }
  CHECK(pairs > 300);
}

TEST_CASE("PS-3 order: independent work comes between a spill and its reload, with the policy and not without") {
  std::string text = "STL [R1], R4\nLDL R5, [R1]\nFADD R6, R5, R7\nFMUL R6, R6, R6\n";
  for (unsigned k = 0; k < 12; ++k)
    text += "FFMA R" + std::to_string(10 + k) + ", R2, R3, R" + std::to_string(10 + k) + "\n";
  const ww::program p = program_of<ww::sm80>(text + "EXIT");
  const auto without = order_of<ww::config_of<ww::sm80>>(p);
  const auto with = order_of<ww::config_of<ww::sm80, ww::spaced_spills<>>>(p);
  CHECK(between(without, 0, 1) <= 2);
  CHECK(between(with, 0, 1) == 12);
  CHECK(with.front() == 0);
  // It is wished for, never waited for: alone with its spill a reload stands where it stood, and the code is as fast.
  const ww::program alone = program_of<ww::sm80>("STL [R1], R4\nLDL R5, [R1]\nFADD R6, R5, R7\nSTL [R1+0x4], R6\nEXIT");
  ww::program plain = alone;
  ww::program set = alone;
  const ww::schedule_result a = ww::scheduler<ww::sm80>{}.run(plain);
  const ww::schedule_result b = ww::scheduler<ww::sm80, ww::spaced_spills<>>{}.run(set);
  CHECK(a.cycles_after == b.cycles_after);
  CHECK(plain.order.size() == set.order.size());
  CHECK(std::equal(plain.order.begin(), plain.order.end(), set.order.begin()));
  static_assert(ww::composable<ww::sm80, ww::spaced_spills<ww::pairwise, 1, 0>>);
  static_assert(!ww::composable<ww::sm80, ww::spaced_spills<ww::last_writer, 0x10000>>);
  static_assert(!ww::composable<ww::sm80, ww::spaced_spills<ww::conservative>>);
  // No blocks, nothing to order.
  ww::program none;
  ww::scheduler<ww::sm80, ww::spaced_spills<>>{}.run(none);
  CHECK(none.order.empty());
}

namespace {

struct figures {
  std::size_t programs = 0;
  std::size_t pairs = 0;
  std::size_t before = 0;  // pairs closer than `near` instructions
  std::size_t plain = 0;
  std::size_t set = 0;
  double cycles_before = 0;
  double cycles_plain = 0;
  double cycles_set = 0;
};
constexpr std::size_t near = 8;

template <class Arch, class... More>
void run_spilled(figures& f) {
  const auto close = [](const ww::program& p) {
    const std::vector<std::size_t> all = distances(p);
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](std::size_t d) { return d < near; }));
  };
  std::vector<std::string> paths = corpus::listings();
  paths.push_back(corpus::bundled("listings_versions/spilled.sm80.sass"));
  for (const std::string& path : paths) {
    if (corpus::sm_of(path) != Arch::id) continue;
    const std::string text = corpus::text(path);
    if (text.find("STL") == std::string::npos) continue;
    INFO(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = Arch::id, .file = path});
    if (!r) continue;
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok || distances(p).empty()) continue;
      const ww::program before = p;
      ww::program plain = p;
      const ww::schedule_result still = ww::scheduler<Arch, More...>{}.run(plain);
      const ww::schedule_result s = ww::scheduler<Arch, ww::spaced_spills<>, More...>{}.run(p);
      ++f.programs;
      f.pairs += distances(p).size();
      f.before += close(before);
      f.plain += close(plain);
      f.set += close(p);
      f.cycles_before += s.cycles_before;
      f.cycles_plain += still.cycles_after;
      f.cycles_set += s.cycles_after;
      REQUIRE(s.proved);
      REQUIRE(s.hazards_after <= s.hazards_before);
      REQUIRE(s.cycles_after <= s.cycles_before);
      REQUIRE(ww::verify::check<Arch>(p).errors() <=
              std::max(ww::verify::check<Arch>(before).errors(), ww::verify::check<Arch>(plain).errors()));
      ww::vec<ww::verify::order_difference> found;
      ww::verify::same_order(before, p, found);
      REQUIRE(found.empty());
    }
  }
}

void print(const char* name, const figures& f) {
  std::printf(
      "spaced_spills, %s: %zu programs, %zu pairs; closer than %zu instructions: %zu as they came, %zu without, %zu with; "
      "cycles %.0f, %.0f, %.0f\n",
      name, f.programs, f.pairs, near, f.before, f.plain, f.set, f.cycles_before, f.cycles_plain, f.cycles_set);
}

}  // namespace

TEST_CASE("PS-3 real code: spilled kernels are proved, and their reloads come later") {
  figures plain;
  run_spilled<ww::sm80>(plain);
  print("sm_80", plain);
  CHECK(plain.programs >= 2);
  CHECK(plain.set <= plain.plain);
  figures apart;
  run_spilled<ww::sm80, ww::base_offset>(apart);
  print("sm_80, base_offset", apart);
  CHECK(apart.set <= apart.plain);
  if (corpus::reference()) CHECK(apart.set < apart.plain);
  figures newer;
  run_spilled<ww::sm90>(newer);
  if (newer.programs != 0) print("sm_90", newer);
}

TEST_CASE("PS-3 real code: the one near pair of a transform kernel") {
  const std::string path = corpus::bundled("listings/dct8x8-r64.sm80.sass");
  const std::string text = corpus::text(path);
  ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww::sm80::id, .file = path});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  const auto nearest = [](const ww::program& q) {
    const std::vector<std::size_t> all = distances(q);
    return *std::min_element(all.begin(), all.end());
  };
  CHECK(nearest(p) == 21);  // as the compiler put it: STL [R1] at 0x3930, LDL at 0x3a80
  ww::program plain = p;
  ww::schedule_workspace<ww::config_of<ww::sm80>> without;
  ww::schedule_blocks<ww::config_of<ww::sm80>>(plain, without);
  CHECK(nearest(plain) == 1);
  ww::schedule_workspace<ww::config_of<ww::sm80, ww::spaced_spills<>>> with;
  ww::schedule_blocks<ww::config_of<ww::sm80, ww::spaced_spills<>>>(p, with);
  CHECK(nearest(p) == 17);
}
