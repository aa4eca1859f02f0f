// SPDX-License-Identifier: BSL-1.0
//
// The search for a better order: where instructions may stand, the best order of small blocks, and real listings.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../support/bundled_programs.hpp"
#include "../support/catch.hpp"
#include "../support/order_oracle.hpp"
#include "../support/random_block.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/order_search.hpp"
#include "warpwright/pipeline/region_scheduler.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/region/global_motion.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/verify/same_order.hpp"

using namespace ww;

namespace {

#ifdef WW_TEST_FEW_ARCHS  // sanitizer builds are slow
constexpr std::size_t largest = 120;
constexpr int few = 20;
#else
constexpr std::size_t largest = 400;
constexpr int few = 100;
#endif

using sched = scheduler<sm80>;
using search = order_search<sched>;

template <class Arch, class F>
void each_program(F&& f) {
  ww_test::each_bundled_program<Arch>(largest, f);
}

program random_program(std::mt19937& rng, unsigned count, unsigned fences) {
  program p;
  p.sm = sm80::id;
  ww_test::append_random_block(p, rng, {.count = count, .fence_percent = fences});
  p.blocks[0].reachable = true;
  p.blocks[0].weight = 1;
  return p;
}

std::span<const instr_id> order_of(const program& p, const block& b) { return {p.order.data() + b.first, b.count}; }

bool legal(const program& before, const program& after) {
  for (const block& b : before.blocks) {
    const ww_test::misplaced_pair wrong =
        ww_test::order_oracle(before, order_of(before, b)).first_misplaced(order_of(after, b));
    if (wrong.found || !wrong.permutation) return false;
  }
  return true;
}

bool same_words_and_order(const program& a, const program& b) {
  bool same = a.order == b.order;
  for (std::size_t i = 0; i < a.instructions.size(); ++i) same = same && a.instructions[i].ctl == b.instructions[i].ctl;
  return same;
}

template <class Arch>
double cycles(const program& p, unsigned warps) {
  model::workspace m;
  return model::simulate<Arch>(p, {.warps = warps}, m).cycles;
}
template <class Arch>
double far_view_cycles(const program& p) {
  model::workspace m;
  return model::simulate<Arch>(p, model::far_view<Arch>(), m).cycles;
}

// What the cheapest legal order of the only block costs, with words made for each.
double cheapest(const program& p, unsigned& orders) {
  std::vector<std::size_t> places(p.order.size() - 1);  // the last one ends the block
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  double least = 1e9;
  scoreboard::workspace words;
  do {
    program q = p;
    for (std::size_t i = 0; i < places.size(); ++i) q.order[i] = p.order[places[i]];
    if (!legal(p, q)) continue;
    ++orders;
    (void)scoreboard::assign_control<sm80>(q, words);
    least = std::min(least, cycles<sm80>(q, 1));
  } while (std::next_permutation(places.begin(), places.end()));
  return least;
}

}  // namespace

TEST_CASE("order search: an instruction may stand just where the quadratic oracle lets it") {
  std::mt19937 rng(5);
  std::size_t inside = 0, outside = 0;
  schedule_space space;
  block_moves moves;
  for (int n = 0; n < few; ++n) {
    program p = random_program(rng, 4 + static_cast<unsigned>(rng() % 20), 3);
    const program before = p;
    moves.build<sm80, last_writer, conservative>(p, space);
    const block b = p.blocks[0];
    for (std::uint32_t at = 0; at < b.count; ++at) {
      const block_moves::range r = moves.range_of(p, b, at);
      REQUIRE(r.first <= at);
      REQUIRE(r.last >= at);
      for (std::uint32_t to = 0; to < b.count; ++to) {
        block_moves::move(p, at, to);
        const bool may = r.first <= to && to <= r.last;
        CHECK(may == legal(before, p));
        (may ? inside : outside) += to == at ? 0u : 1u;
        block_moves::move(p, to, at);
        REQUIRE(p.order == before.order);
      }
    }
  }
  CHECK(inside > 200);
  CHECK(outside > 1000);
}

TEST_CASE("order search: what ends a block, padding and what is pinned stay") {
  std::mt19937 rng(6);
  schedule_space space;
  block_moves moves;
  for (int n = 0; n < few; ++n) {
    program p = random_program(rng, 12, 0);
    const block b = p.blocks[0];
    p.instructions[p.order[5].index()].add(iflag::pc_relative);
    p.instructions[p.order[10].index()].add(iflag::padding);
    moves.build<sm80, last_writer, conservative>(p, space);
    for (const std::uint32_t at : {5u, 10u, 11u}) {
      const block_moves::range r = moves.range_of(p, b, at);
      CHECK(r.first == at);
      CHECK(r.last == at);
    }
    for (std::uint32_t at = 0; at < b.count; ++at) {
      const block_moves::range r = moves.range_of(p, b, at);
      for (const std::uint32_t fixed : {5u, 10u, 11u}) CHECK((r.last < fixed || r.first > fixed || at == fixed));
    }
  }
}

TEST_CASE("order search: the best order of small blocks is found") {
  std::mt19937 rng(7);
  search::workspace ws;
  unsigned with_choice = 0, better = 0, best = 0;
  for (int n = 0; n < few; ++n) {
    program p = random_program(rng, 6, 0);
    unsigned orders = 0;
    const double least = cheapest(p, orders);
    if (orders < 2) continue;
    ++with_choice;
    const program before = p;
    const schedule_result r = search::run(p, ws, {{.warps = 1}, 300});
    REQUIRE_FALSE(r.malformed);
    CHECK(r.proved);
    CHECK(legal(before, p));
    CHECK(r.cycles_after == cycles<sm80>(p, 1));
    CHECK(r.cycles_after >= least);
    best += r.cycles_after == least ? 1u : 0u;
    better += r.cycles_after < r.cycles_before ? 1u : 0u;
  }
  std::printf("order search: %u blocks with several orders, %u made better, %u as good as the best\n", with_choice, better,
              best);
  CHECK(with_choice > static_cast<unsigned>(few) / 2);
  CHECK(better > 0);
  CHECK(best * 100 >= with_choice * 98);
}

TEST_CASE("order search: real programs stay the same, are proved and never dearer, and many get better") {
  double before_log = 0, after_log = 0;
  std::size_t programs = 0, better = 0;
  const auto one = [&]<class Arch>(program& p) {
    using of_arch = order_search<scheduler<Arch>>;
    static typename of_arch::workspace ws;
    const program came = p;
    const schedule_result first = scheduler<Arch>{}.run(p, {.warps = 1});
    const program given = p;
    const schedule_result r = of_arch::run(p, ws, {{.warps = 1}, 200});
    CHECK(r.proved);
    CHECK(r.hazards_after == 0);
    CHECK(r.warps == 1);
    CHECK(r.cycles_before == first.cycles_after);
    CHECK(r.cycles_after <= r.cycles_before);
    CHECK(r.cycles_after == cycles<Arch>(p, 1));
    CHECK(r.bound <= r.cycles_after);
    CHECK(ws.done.tries <= 200);
    CHECK(ws.done.taken <= ws.done.tries);
    CHECK(r.kept_all == same_words_and_order(p, given));
    CHECK(legal(came, p));
    vec<verify::order_difference> found;
    verify::compare_orders(came, p, found);
    CHECK(found.empty());
    CHECK(verify::check<Arch>(p).errors() == 0);
    before_log += std::log(r.cycles_before);
    after_log += std::log(r.cycles_after);
    better += r.cycles_after < r.cycles_before ? 1u : 0u;
    ++programs;
  };
  each_program<sm80>([&](program& p) { one.operator()<sm80>(p); });
  each_program<sm90>([&](program& p) { one.operator()<sm90>(p); });
  const double ratio = std::exp((after_log - before_log) / static_cast<double>(programs));
  std::printf("order search, one warp: %zu programs, %zu better, cycles over those of the scheduler %.4f\n", programs,
              better, ratio);
  CHECK(programs > 10);
  CHECK(better * 3 > programs);
  CHECK(ratio < 0.995);
}

TEST_CASE("order search: many warps, never dearer in either view") {
  search::workspace ws;
  std::size_t programs = 0, better = 0, far = 0;
  each_program<sm80>([&](program& p) {
    (void)sched{}.run(p);
    const program given = p;
    const schedule_result r = search::run(p, ws, {{}, 60});
    CHECK(r.proved);
    CHECK(r.cycles_after <= r.cycles_before);
    CHECK(r.far_after <= r.far_before);
    CHECK(r.cycles_before == cycles<sm80>(given, r.warps));
    CHECK(r.cycles_after == cycles<sm80>(p, r.warps));
    if (r.far_before != 0) {
      CHECK(r.far_before == far_view_cycles<sm80>(given));
      CHECK(r.far_after == far_view_cycles<sm80>(p));
      ++far;
    }
    ++programs;
    better += r.cycles_after < r.cycles_before ? 1u : 0u;
  });
  CHECK(far > 5);
  // Nearly all: tries that are dearer in one view and cheaper in the other lead nowhere, and are not gone on from.
  CHECK(better * 4 > programs * 3);
}

TEST_CASE("order search: the same seed gives the same program, no tries leave the order") {
  search::workspace ws;
  std::size_t other = 0, programs = 0;
  each_program<sm80>([&](program& p) {
    const search_options how{{.warps = 1}, 50};
    program a = p, b = p, c = p, d = p;
    (void)search::run(a, ws, how);
    const std::uint32_t tries = ws.done.tries;
    (void)search::run(b, how);
    CHECK(same_words_and_order(a, b));
    (void)search::run(c, ws, {{.warps = 1}, 50, 1});
    other += same_words_and_order(a, c) ? 0u : 1u;
    const schedule_result none = search::run(d, ws, {{.warps = 1}, 0});
    CHECK(ws.done.tries == 0);
    CHECK(d.order == p.order);
    CHECK(none.cycles_after <= none.cycles_before);
    if (tries != 0) CHECK(tries == 50);
    ++programs;
  });
  CHECK(other * 4 > programs);
}

TEST_CASE("order search: a watch sees every try, and may end it") {
  search::workspace ws;
  std::size_t ended = 0, better = 0;
  each_program<sm80>([&](program& p) {
    program watched = p, whole = p, cut = p, few_tries = p;
    search_progress last;
    std::uint32_t calls = 0;
    (void)search::run(watched, ws, {{.warps = 1}, 50}, [&](const search_progress& now) {
      CHECK(now.tries == ++calls);
      CHECK(now.taken >= last.taken);
      CHECK(now.taken - last.taken <= 1u);
      CHECK(now.cycles <= now.began_at);
      if (calls > 1) CHECK(now.cycles <= last.cycles);
      if (calls > 1 && now.taken == last.taken) CHECK(now.cycles == last.cycles);
      last = now;
      return true;
    });
    CHECK(calls == ws.done.tries);
    CHECK(last.taken == ws.done.taken);
    better += last.cycles < last.began_at ? 1u : 0u;
    const schedule_result of_whole = search::run(whole, ws, {{.warps = 1}, 50});
    CHECK(same_words_and_order(watched, whole));
    if (calls != 0 && !of_whole.kept_all) CHECK(of_whole.cycles_after <= last.cycles);
    struct seven {
      bool operator()(const search_progress& now) const { return now.tries < 7; }
    };
    (void)search::run(cut, {{.warps = 1}, 50}, seven{});
    const schedule_result of_cut = search::run(few_tries, {{.warps = 1}, 7});
    CHECK(same_words_and_order(cut, few_tries));
    CHECK(of_cut.proved);
    ended += calls > 7 ? 1u : 0u;
  });
  CHECK(ended > 5);
  CHECK(better > 5);
}

TEST_CASE("order search: the unit of the block weights does not matter") {
  search::workspace ws;
  std::size_t moved = 0;
  each_program<sm80>([&](program& p) {
    program plain = p;
    (void)search::run(plain, ws, {{.warps = 1}, 50});
    moved += plain.order == p.order ? 0u : 1u;
    for (const int power : {-300, -40, 40, 300}) {  // powers of two change no other bit of a sum
      program scaled = p;
      for (block& b : scaled.blocks) b.weight = std::ldexp(b.weight, power);
      (void)search::run(scaled, ws, {{.warps = 1}, 50});
      CHECK(scaled.order == plain.order);
    }
  });
  CHECK(moved > 5);
}

TEST_CASE("order search: as many tries as asked for, whatever cannot move") {
  std::mt19937 rng(8);
  search::workspace ws;
  program p = random_program(rng, 40, 0);
  program q = p;
  (void)search::run(q, ws, {{.warps = 1}, 70});
  CHECK(ws.done.tries == 70);
  // One pair that may change places among many instructions that may not, and a block that is dear and fixed.
  isa::builder b(dialect_of(sm80::id));
  std::string text = "MOV R4, R5\nMOV R6, R7\n";
  for (int k = 0; k < 400; ++k) text += "IADD3 R4, R4, R6, RZ\nMOV R6, R4\n";
  b.lines(text +
          "STG.E desc[UR4][R2.64], R6\nloop:\nIADD3 R0, R0, R0, RZ\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA "
          "`(loop)\nEXIT\n");
  program fixed = b.finish();
  REQUIRE(b.ok());
  REQUIRE(build_cfg(fixed).ok);
  for (block& k : fixed.blocks) k.weight = k.loop_depth != 0 ? 1e9 : 1;
  (void)search::run(fixed, ws, {{.warps = 1}, 90});
  CHECK(ws.done.tries == 90);
  // Nothing at all to move.
  isa::builder none(dialect_of(sm80::id));
  none.lines("MOV R4, R5\nMOV R5, R4\nEXIT\n");
  program still = none.finish();
  CHECK(search::run(still, ws, {{.warps = 1}, 90}).proved);
  CHECK(ws.done.tries == 0);
}

TEST_CASE("order search: programs that contradict themselves or nothing is known of are left alone") {
  program bad;
  bad.order.push_back(instr_id{3});
  CHECK(search::run(bad).malformed);
  program empty;
  const schedule_result r = search::run(empty);
  CHECK_FALSE(r.malformed);
  CHECK(r.blocks == 0);
}

TEST_CASE("order search: for strategies on regions, and for a composition that was rejected") {
  using regional = order_search<scheduler<sm80, strategy::global_motion<>>>;
  regional::workspace ws;
  std::size_t better = 0;
  each_program<sm80>([&](program& p) {
    const schedule_result r = regional::run(p, ws, {{.warps = 1}, 20});
    CHECK(r.proved);
    CHECK(r.cycles_after <= r.cycles_before);
    better += r.cycles_after < r.cycles_before ? 1u : 0u;
  });
  CHECK(better > 0);
  program p;
  order_search<detail::rejected_scheduler>::workspace none;
  CHECK(order_search<detail::rejected_scheduler>::run(p, none).blocks == 0);
}

TEST_CASE("order search: with a safety margin and policies of one's own") {
  using wide = order_search<scheduler<sm80, safety_margin<3>, base_offset>>;
  search::workspace ws;
  wide::workspace wide_ws;
  double plain = 0, with_margin = 0;
  each_program<sm80>([&](program& p) {
    program q = p;
    CHECK(search::run(p, ws, {{.warps = 1}, 20}).proved);
    CHECK(wide::run(q, wide_ws, {{.warps = 1}, 20}).proved);
    CHECK(verify::check<sm80>(q, {.lints = false}).errors() == 0);
    plain += cycles<sm80>(p, 1);
    with_margin += cycles<sm80>(q, 1);
  });
  CHECK(with_margin > plain);
}
