// SPDX-License-Identifier: BSL-1.0
//
// Strategies of a user's own whose order is none, or breaks a dependence: it is not taken, and the run says so.
#include <cstdint>

#include "../support/program_of.hpp"
#include "count_allocations.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/verify/same_order.hpp"

namespace {

enum class what : std::uint8_t { same, short_of_one, twice, beyond, reversed, too_long, swapped, branch_first, other };

// Says that every order is better, and makes one of the kind.
template <what Kind>
struct odd {
  using role = ww::role::strategy;
  static constexpr const char* name = "odd";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;

  template <class Config>
  static constexpr bool order(const ww::program&, ww::span<const ww::instr_id> given, ww::schedule_workspace<Config>& ws,
                              ww::schedule_stats&) {
    const auto n = static_cast<std::uint32_t>(given.size());
    auto& s = ws.sequence;
    s.clear();
    for (std::uint32_t i = 0; i < n; ++i) s.push_back(i);
    if (n < 5) return true;
    if constexpr (Kind == what::short_of_one) s.pop_back();
    if constexpr (Kind == what::twice) s[n - 1] = n - 2;
    if constexpr (Kind == what::beyond) s[0] = n + 1000;
    if constexpr (Kind == what::reversed) {
      for (std::uint32_t i = 0; i < n; ++i) s[i] = n - 1 - i;
    }
    if constexpr (Kind == what::too_long) s.push_back(0);
    if constexpr (Kind == what::swapped) s[1] = 2, s[2] = 1;  // FMUL behind what reads its result
    if constexpr (Kind == what::branch_first) s[n - 2] = n - 1, s[n - 1] = n - 2;
    if constexpr (Kind == what::other) s[2] = 3, s[3] = 2;  // the two do not depend on each other
    return true;
  }
  template <class Config, class Workspace>
  static constexpr bool worse(const Workspace&, const ww::schedule_stats&) {
    return false;
  }
};

ww::program code() {
  return ww_test::program_of<ww::sm90>(
      "LDC R2, c[0x0][0x210]\n"
      "FMUL R5, R4, R4\n"
      "FADD R6, R5, R5\n"
      "FADD R7, R4, R4\n"
      "MOV R9, R8\n"
      "MOV R11, R8\n"
      ".L_0:\n"  // a block without a branch: nothing depends on the last two
      "LDC R2, c[0x0][0x210]\n"
      "FMUL R5, R4, R4\n"
      "FADD R6, R5, R5\n"
      "FADD R7, R4, R4\n"
      "@P0 BRA `(.L_0)\n"
      "EXIT\n");
}

// Was the order of the first block refused, and is the program then as it was?
template <what Kind>
bool refused() {
  using config = ww::config_of<ww::sm90, odd<Kind>>;
  const ww::program before = code();
  ww::program p = before;
  ww::schedule_workspace<config> ws;
  const ww::schedule_stats s = ww::schedule_blocks<config>(p, ws);
  const ww::block second = p.blocks[1];
  CHECK(ww::meta::equal(p.order_of(second).begin(), p.order_of(second).end(), before.order_of(second).begin()) ==
        (s.failed || Kind == what::same));

  if constexpr (Kind != what::other && Kind != what::branch_first) CHECK(p.order == before.order);

  ww::program q = before;
  const ww::schedule_result r = ww::scheduler<ww::sm90, odd<Kind>>{}.run(q, {.warps = 1});
  CHECK(r.failed == s.failed);
  CHECK(r.proved);
  return s.failed;
}

// The same kinds, by order_part.
template <what Kind>
struct odd_part {
  using role = ww::role::strategy;
  static constexpr const char* name = "odd_part";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;

  template <class Config>
  static constexpr ww::schedule_stats order_part(ww::program& p, ww::span<ww::instr_id> order,
                                                 ww::schedule_workspace<Config>&) {
    const std::size_t n = order.size();
    ww::schedule_stats stats;
    stats.instructions = n;
    if (n < 5) return stats;
    const auto swap = [&](std::size_t i, std::size_t j) {
      const ww::instr_id was = order[i];
      order[i] = order[j];
      order[j] = was;
    };
    if constexpr (Kind == what::twice) order[n - 1] = order[n - 2];
    if constexpr (Kind == what::beyond) order[0] = ww::instr_id{1000};
    if constexpr (Kind == what::short_of_one) order[0] = p.order[p.order.size() - 1];  // of another block
    if constexpr (Kind == what::swapped) swap(1, 2);                                   // FMUL behind what reads its result
    if constexpr (Kind == what::branch_first) swap(n - 2, n - 1);
    if constexpr (Kind == what::other) swap(2, 3);  // the two do not depend on each other
    stats.planned_cycles = 1;                       // says that it is better than anything
    stats.original_cycles = 100;
    return stats;
  }
};

template <what Kind>
bool part_refused() {
  using config = ww::config_of<ww::sm90, odd_part<Kind>>;
  const ww::program before = code();
  ww::program p = before;
  ww::schedule_workspace<config> ws;
  const bool failed = ww::schedule_blocks<config>(p, ws).failed;
  if constexpr (Kind == what::swapped || Kind == what::twice || Kind == what::beyond) CHECK(p.order == before.order);
  CHECK((p.order == before.order) == (Kind != what::other && Kind != what::branch_first));

  ww::program q = before;
  const ww::schedule_result r = ww::scheduler<ww::sm90, odd_part<Kind>>{}.run(q, {.warps = 1});
  CHECK(r.failed == failed);
  CHECK(r.proved);
  ww::vec<ww::verify::order_difference> found;
  ww::verify::compare_orders(before, q, found);
  CHECK(found.empty());
  return failed;
}

}  // namespace

TEST_CASE("PLS-1 own strategy: what order_part makes is held against the dependences too") {
  CHECK_FALSE(part_refused<what::same>());
  CHECK_FALSE(part_refused<what::other>());
  CHECK(part_refused<what::short_of_one>());
  CHECK(part_refused<what::twice>());
  CHECK(part_refused<what::beyond>());
  CHECK(part_refused<what::swapped>());
  CHECK(part_refused<what::branch_first>());
}

TEST_CASE("PLS-1 own strategy: an order that is none, or breaks a dependence, is not taken") {
  CHECK_FALSE(refused<what::same>());
  CHECK_FALSE(refused<what::other>());
  CHECK(refused<what::short_of_one>());
  CHECK(refused<what::twice>());
  CHECK(refused<what::beyond>());
  CHECK(refused<what::reversed>());
  CHECK(refused<what::too_long>());
  CHECK(refused<what::swapped>());
  CHECK(refused<what::branch_first>());
}

TEST_CASE("PLS-1 scheduler: a warm run allocates the blocks of a program that came without, and nothing else") {
  using scheduler = ww::scheduler<ww::sm90>;
  const ww::program with = code();
  REQUIRE_FALSE(with.blocks.empty());
  ww::program without = with;
  without.blocks.clear();
  without.edges.clear();
  without.pred_edges.clear();
  scheduler::workspace ws;
  const auto allocated = [&](ww::program p, auto&& run) {  // the copy is made before anything is counted
    const std::size_t before = ww_test::allocations();
    run(p);
    return ww_test::allocations() - before;
  };
  bool proved = true;
  const auto schedule = [&](ww::program& p) { proved = scheduler{}.run(p, ws, {.warps = 1}).proved && proved; };
  const auto build = [](ww::program& p) { (void)ww::build_cfg(p); };
  CHECK(allocated(with, schedule) > 0);  // cold
  CHECK(allocated(with, schedule) == 0);
  const std::size_t blocks = allocated(without, build);
  CHECK(blocks > 0);
  CHECK(allocated(without, schedule) == blocks);
  CHECK(allocated(ww::program{}, schedule) == 0);
  CHECK(proved);
}
