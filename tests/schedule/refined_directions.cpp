// SPDX-License-Identifier: BSL-1.0
//
// PLS-3, the refined comparison: who wins by each of its rules. The two candidates of a pair differ in one rule and in place
// alone, and the better one stands later, so that source order would take the other.
#include <string>

#include "../support/catch.hpp"
#include "warpwright/priority/refined.hpp"

namespace {

using namespace ww::priority;

candidate later() {
  candidate c;
  c.index = 7;
  return c;
}
// Better first; the answer is the same whichever is asked about.
bool decides(const candidate& better, const candidate& worse, const pick_state& s, refined::reason why) {
  const verdict v = refined::compare(better, worse, s);
  const verdict reverse = refined::compare(worse, better, s);
  INFO(refined::reason_name(v.reason) << " and " << refined::reason_name(reverse.reason));
  CHECK(v.reason == why);
  CHECK(reverse.reason == why);
  return v.first_wins && !reverse.first_wins;
}
pick_state mid_block() {
  pick_state s;
  s.cycle = 10;
  s.critical_length = 100;
  return s;
}

}  // namespace

TEST_CASE("PLS-3 refined: of two scores the lower wins, in each of the four groups") {
  for (unsigned g = 0; g < group_count; ++g) {
    INFO("group " << g);
    pick_state s = mid_block();
    s.live[g] = s.limit[g] + 1;
    candidate better = later();
    candidate worse;
    worse.delta[g] = 1;
    CHECK(refined::score(better, s, static_cast<reg_group>(g)) < refined::score(worse, s, static_cast<reg_group>(g)));
    CHECK(decides(better, worse, s, static_cast<refined::reason>(refined::general_group + g)));
    for (unsigned k = g + 1; k < group_count; ++k) {  // the groups behind it are not asked
      s.live[k] = s.limit[k] + 1;
      better.delta[k] = 1;
    }
    CHECK(decides(better, worse, s, static_cast<refined::reason>(refined::general_group + g)));
  }
}

TEST_CASE("PLS-3 refined: the general score has one more for a short growing instruction and one more for a control one") {
  pick_state s = mid_block();
  s.limit[0] = 100;
  s.live[0] = 101;
  s.max_predecessor_cycle = 8;
  candidate c;
  c.delta[0] = 2;
  c.latency = 8;
  CHECK(refined::general_score(c, s) == 3);
  c.latency = 7;  // less than the last predecessor's cycle
  CHECK(refined::general_score(c, s) == 4);
  c.add(trait::control);
  CHECK(refined::general_score(c, s) == 5);
  c.latency = 8;
  CHECK(refined::general_score(c, s) == 4);
  c.delta[0] = 0;  // does not grow
  c.latency = 1;
  CHECK(refined::general_score(c, s) == 2);
  s.live[0] = 100;  // within the limit nothing is added
  CHECK(refined::general_score(c, s) == 0);

  s.live[0] = 101;
  candidate growing = later();
  growing.delta[0] = 1;
  growing.latency = 9;
  candidate shorter = growing;
  shorter.index = 0;
  shorter.latency = 7;
  CHECK(decides(growing, shorter, s, refined::general_group));
  candidate control = growing;
  control.index = 0;
  control.add(trait::control);
  s.yield_state = true;  // it would win by its yield flag
  CHECK(decides(growing, control, s, refined::general_group));
}

TEST_CASE("PLS-3 refined: of two bytes the one with the scanned bit wins") {
  SECTION("4, pressure: what lowers a group over its limit and is not cold") {
    for (unsigned g = 0; g < group_count; ++g) {
      INFO("group " << g);
      pick_state s = mid_block();
      s.live[g] = s.limit[g] + (g == 3 ? 0 : 1);  // the uniform group is over at its limit
      candidate better = later();
      better.delta[g] = -1;
      candidate worse = better;
      worse.index = 0;
      worse.add(trait::cold);
      CHECK(decides(better, worse, s, refined::pressure_bit));
      --s.live[g];
      CHECK(decides(worse, better, s, refined::source_order));
    }
  }
  SECTION("6, yield flag: a control instruction where another warp should run") {
    pick_state s = mid_block();
    candidate better = later();
    better.add(trait::control);
    CHECK(decides(candidate{}, better, s, refined::source_order));
    s.yield_state = true;
    CHECK(decides(better, candidate{}, s, refined::yield_bit));
  }
  SECTION("1, critical: placed later it makes the block longer") {
    candidate better = later();
    better.height = 90;
    candidate worse;
    worse.height = 89;
    CHECK(decides(better, worse, mid_block(), refined::critical_bit));
  }
  SECTION("2, stall free: operands and pipe") {
    pick_state s = mid_block();
    candidate better = later();
    better.earliest = 10;
    candidate worse;
    worse.earliest = 11;
    CHECK(decides(better, worse, s, refined::stall_free_bit));
    worse.earliest = 10;
    worse.pipe = ww::pipe_id::fma;
    s.pipe_free[static_cast<unsigned>(ww::pipe_id::fma)] = 11;
    CHECK(decides(better, worse, s, refined::stall_free_bit));
  }
  SECTION("5, hot: while the budget lasts") {
    pick_state s = mid_block();
    candidate better = later();
    better.add(trait::hot);
    CHECK(decides(candidate{}, better, s, refined::source_order));
    s.hot_budget = 1;
    CHECK(decides(better, candidate{}, s, refined::hot_cold_bit));
  }
}

TEST_CASE("PLS-3 refined: each tie-breaker has its own direction and stands before all that follow it") {
  // Everything from the last tie-breaker up to the one asked for: what wins by it would lose by all the others.
  pick_state s = mid_block();
  s.reduced_limit = 100;
  s.limit[0] = 200;
  candidate better = later();
  candidate worse;

  better.delta[0] = -1;  // nothing is over the reduced limit
  CHECK(decides(better, worse, s, refined::register_delta));
  better.delta[0] = 1;

  better.deadline = 40;
  worse.deadline = 41;
  CHECK(decides(better, worse, s, refined::deadline));
  better.deadline = 42;

  better.dependence_cycle = 5;
  worse.dependence_cycle = 6;
  CHECK(decides(better, worse, s, refined::dependence));
  better.dependence_cycle = 7;

  better.earliest = 8;  // both have arrived
  worse.earliest = 9;
  CHECK(decides(better, worse, s, refined::earliest));
  better.earliest = 10;

  better.pipe = ww::pipe_id::fma;
  worse.pipe = ww::pipe_id::lsu;
  s.pipe_free[static_cast<unsigned>(ww::pipe_id::fma)] = 14;  // both wait
  s.pipe_free[static_cast<unsigned>(ww::pipe_id::lsu)] = 15;
  CHECK(decides(better, worse, s, refined::pipe_wait));
  s.pipe_free[static_cast<unsigned>(ww::pipe_id::fma)] = 16;

  s.live[0] = 101;
  better.delta[0] = 0;
  worse.delta[0] = 1;
  CHECK(decides(better, worse, s, refined::contention));
  better.delta[0] = 2;

  better.add(trait::yield_boundary);
  CHECK(decides(worse, better, s, refined::contention));  // no shared-memory access is ready
  s.shared_count = 1;
  CHECK(decides(better, worse, s, refined::yield_related_bit));
  better.traits = 0;
  worse.add(trait::yield_boundary);

  better.latency = 9;
  worse.latency = 8;
  CHECK(decides(better, worse, s, refined::latency));
  better.latency = 7;

  better.barrier_group = 1;
  worse.barrier_group = 2;
  CHECK(decides(better, worse, s, refined::barrier_group));

  // and the five bits before them all
  better.barrier_group = 3;
  s.hot_budget = 1;
  better.add(trait::hot);
  CHECK(decides(better, worse, s, refined::hot_cold_bit));
}

TEST_CASE("PLS-3 refined: contention is twice the registers above the reduced limit, less one where registers fall") {
  pick_state s = mid_block();
  s.limit[0] = 200;
  s.reduced_limit = 100;
  s.live[0] = 104;
  candidate c;
  c.delta[0] = -2;
  CHECK(refined::contention_score(c, s) == 2 * 2 - 1);
  s.positive_pressure = 2;  // what is ready takes as much as this gives back
  CHECK(refined::contention_score(c, s) == 2 * 2 - 1);
  s.positive_pressure = 3;
  CHECK(refined::contention_score(c, s) == 2 * 2);
  s.live[0] = 102;  // at the reduced limit
  CHECK(refined::contention_score(c, s) == 0);
}
