// SPDX-License-Identifier: BSL-1.0
//
// The rules of the priority function, one test each, named by ledger ID. The numbers are those of the text.
#include <random>
#include <vector>

#include "../support/catch.hpp"
#include "warpwright/arch/sm50.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/schedule/mode.hpp"
#include "warpwright/schedule/unified/compare.hpp"
#include "warpwright/schedule/unified/depth_threshold.hpp"
#include "warpwright/schedule/unified/quick_key.hpp"
#include "warpwright/schedule/unified/region_record.hpp"

namespace {

using namespace ww::unified;
using ww::mode::dyn_batch;
using ww::mode::ilp;
using ww::mode::reduce_reg;

struct literal : reduce_reg {
  static constexpr bool literal_overflow = true;
};
struct explicit_four : reduce_reg {
  static constexpr int explicit_reduction = 4;
  static constexpr int contention_margin = 20;
};

record ready_record() {
  record r;
  r.slot = 1;
  r.deadline = 1000;
  return r;
}
state roomy_state() {
  state s;
  s.budget = {200, 180, 7, 7, 63};
  s.spill.threshold = 0;
  s.slots.limit = 1000;
  s.ready.any_stall_free = true;
  s.ready.min_barrier_latency = 0;
  return s;
}
template <class Mode = reduce_reg>
unsigned byte_of(const record& r, const state& s, bool preferred = false) {
  return evaluate<ww::sm90, Mode>(r, s, preferred).byte;
}

}  // namespace

TEST_CASE("PLS-4 budget: ReduceReg takes off an eighth and three, or the explicit number; reduced is a sixteenth less") {
  constexpr register_budget b = make_budget<ww::sm50, reduce_reg>(128);
  CHECK(b.budget == 128 - 3 - (128 / 8 + 3));
  CHECK(b.reduced == b.budget - b.budget / 16);
  constexpr register_budget e = make_budget<ww::sm50, explicit_four>(128);
  CHECK(e.budget == 128 - 3 - 4);
  CHECK(e.reduced == e.budget - 20);  // knob 760
  CHECK(make_budget<ww::sm50, ilp>(128).budget == 128);
}

TEST_CASE("PLS-4 units: doubled from sm_70 on, and rounded up on the way back") {
  CHECK(to_units<ww::sm50>(10) == 10);
  CHECK(to_units<ww::sm90>(10) == 20);
  CHECK(to_registers<ww::sm90>(5) == 3);
  CHECK(to_registers<ww::sm50>(5) == 5);
  CHECK(make_budget<ww::sm90, ilp>(100).budget == 200);
}

TEST_CASE("PLS-4 target: ReduceReg aims at knob 776, never above what the block needs; ILP at 95 % of what is declared") {
  CHECK(reduce_reg::target(253, 0, 0) == 250);
  CHECK(reduce_reg::target(253, 0, 40) == 40);
  CHECK(reduce_reg::target(63, 0, 90) == 63);
  CHECK(ilp::target(253, 100, 40) == 95);
  CHECK(ilp::target(253, 0, 40) == 253);
  CHECK(dyn_batch::target(253, 100, 40) == 95);
}

TEST_CASE("PLS-4 depth threshold: whole tiers of equal latency until the old threshold is reached") {
  const std::int32_t table[] = {9, 4, 4, 7, 9, 4};
  CHECK(derive_threshold(table, 6, 0).threshold == 3);  // the tier of latency 4
  CHECK(derive_threshold(table, 6, 0).cutoff == 4);
  CHECK(derive_threshold(table, 6, 3).threshold == 3);
  CHECK(derive_threshold(table, 6, 4).threshold == 4);
  CHECK(derive_threshold(table, 6, 4).cutoff == 7);
  CHECK(derive_threshold(table, 6, 5).threshold == 6);
  CHECK(derive_threshold({}, 0, 0).threshold == 0);
  const std::int32_t far[] = {700, 400};  // cycles: further than any other
  CHECK(derive_threshold(far, 2, 0).cutoff == 400);
  CHECK(depth_table_entries == 32);
  CHECK(derive_threshold(table, 60, 50).threshold == 6);  // more targets than the table holds: it is used up
  // An old threshold that is not below the number of targets is not derived anew (reference text, phase 1b).
  CHECK(derive_threshold(table, 6, 60).threshold == 60);
  CHECK(derive_threshold(table, 6, 6).threshold == 6);
  CHECK(derive_threshold(table, 6, 6).cutoff == 999999);
}

TEST_CASE("PLS-4 overflow: three classes above their limit, the uniform one at it") {
  record r = ready_record();
  state s = roomy_state();
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) == 0);
  s.live[0] = 200;
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) == 0);
  r.delta[0] = 1;
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) != 0);
  r.delta[0] = 0;
  s.live[0] = 0;
  s.live[1] = 7;
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) == 0);
  s.live[1] = 8;
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) != 0);
  s.live[1] = 0;
  s.live[2] = 8;
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) != 0);
  s.live[2] = 0;
  s.live[3] = 62;
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) == 0);
  s.live[3] = 63;  // one sooner than the others
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) != 0);
  s.budget.uniform = 0;  // no uniform registers: nothing to overflow
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) == 0);
}

TEST_CASE("PLS-4 overflow: set only for what does not add to it, unless the mode is literal") {
  record r = ready_record();
  state s = roomy_state();
  s.live[0] = 220;
  r.delta[0] = 2;
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) == 0);
  CHECK((byte_of<literal>(r, s) & ww::unified::bit::overflow) != 0);
  r.delta[0] = -2;
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) != 0);
  r.add(record_flag::cold);  // cold accesses never
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) == 0);
}

TEST_CASE("PLS-4 overflow: a barrier target with headroom of 8, or 9 cycles further than the nearest, never overflows") {
  record r = ready_record();
  r.add(record_flag::barrier_target);
  state s = roomy_state();
  s.live[1] = 9;
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) == 0);  // 200 > 16 + 0
  s.live[0] = 184;                                           // 200 = 16 + 184
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) != 0);
  s.live[0] = 183;
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) == 0);
  s.live[0] = 190;
  r.earliest = 9;
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) != 0);
  r.earliest = 10;
  CHECK((byte_of(r, s) & ww::unified::bit::overflow) == 0);
}

TEST_CASE("PLS-4 scores: general above the budget with its two aggravations, the narrow classes from seven on") {
  record r = ready_record();
  state s = roomy_state();
  s.live[0] = 203;
  r.delta[0] = 2;
  r.latency = 4;
  CHECK(general_score(r, s) == 4);  // 2 + 3 - 1
  s.ready.max_predecessor_cycle = 5;
  CHECK(general_score(r, s) == 5);
  r.add(record_flag::control);
  CHECK(general_score(r, s) == 6);
  s.live[0] = 199;  // below the budget without it, above it with its two
  CHECK(general_score(r, s) == 1);
  s.live[0] = 198;
  CHECK(general_score(r, s) == 0);
  s.live[0] = 150;
  CHECK(general_score(r, s) == 0);
  CHECK(narrow_score(6, 0, 7) == 0);
  CHECK(narrow_score(7, 0, 7) == 0);
  CHECK(narrow_score(6, 1, 7) == 7);
  CHECK(narrow_score(8, -1, 7) == 0);
  CHECK(narrow_score(8, 0, 7) == 8);
  CHECK(uniform_score(61, 1, 63) == 0);
  CHECK(uniform_score(62, 1, 63) == 63);
  CHECK(uniform_score(0, 0, 0) == 0);
}

TEST_CASE("PLS-4 stall free: the producers are done, or the pre-scan prefers it") {
  record r = ready_record();
  state s = roomy_state();
  s.slots.cursor = 10;
  r.earliest = 10;
  CHECK((byte_of(r, s) & ww::unified::bit::stall_free) != 0);
  r.earliest = 11;
  CHECK((byte_of(r, s) & ww::unified::bit::stall_free) == 0);
  CHECK((byte_of(r, s, true) & ww::unified::bit::stall_free) != 0);
}

TEST_CASE("PLS-4 critical: enough barrier targets for the threshold, or the deadline reached") {
  record r = ready_record();
  state s = roomy_state();
  CHECK((byte_of(r, s) & ww::unified::bit::critical) == 0);
  s.spill.threshold = 3;
  s.ready.barrier_count = 2;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) == 0);
  s.ready.barrier_count = 3;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) != 0);
  s.spill.threshold = 0;
  r.deadline = 5;
  s.slots.cursor = 5;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) != 0);
  s.slots.cursor = 4;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) == 0);
}

TEST_CASE("PLS-4 critical in spill mode: everything but barrier targets and what relieves pressure within the slots") {
  record r = ready_record();
  state s = roomy_state();
  s.spill.countdown = 2;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) == 0);
  r.delta[0] = 1;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) != 0);
  r.delta[0] = 0;
  s.slots.limit = 0;
  s.slots.cursor = 1;
  CHECK((byte_of(r, s) & ww::unified::bit::critical) != 0);
  r.add(record_flag::barrier_target);
  CHECK((byte_of(r, s) & ww::unified::bit::critical) == 0);
}

TEST_CASE("PLS-3 temperature: hot counts while tracking lasts, and takes the yield flag away") {
  record r = ready_record();
  state s = roomy_state();
  r.add(record_flag::hot);
  CHECK((byte_of(r, s) & ww::unified::bit::hot) == 0);
  s.hot_active = true;
  s.hot_budget = 1;
  CHECK((byte_of(r, s) & ww::unified::bit::hot) != 0);
  r.add(record_flag::control);
  s.yield = true;
  CHECK((byte_of(r, s) & ww::unified::bit::yield_flag) == 0);
  s.hot_budget = 0;
  CHECK((byte_of(r, s) & ww::unified::bit::yield_flag) != 0);
  r.earliest = 3;  // behind schedule, and no barrier targets left
  CHECK((byte_of(r, s) & ww::unified::bit::yield_flag) == 0);
  s.spill.sequence = 1;
  CHECK((byte_of(r, s) & ww::unified::bit::yield_flag) != 0);
}

TEST_CASE("PLS-7 contention: the slot cost, and twice the registers above the reduced budget less one when falling") {
  record r = ready_record();
  state s = roomy_state();
  CHECK(contention_score<ww::sm90>(r, s) == 0);
  s.slots.pipe_free[0] = 4;
  CHECK(contention_score<ww::sm90>(r, s) == 4);
  s.slots.pipe_free[0] = 0;
  s.slots.anchor = 3;
  s.slots.anchor_pipe = 0;
  CHECK(contention_score<ww::sm90>(r, s) == 1);
  s.ready.any_stall_free = false;
  CHECK(contention_score<ww::sm90>(r, s) == 101);
  s.ready.any_stall_free = true;
  s.slots.anchor = no_record;
  s.live[0] = 190;  // 10 units above the reduced budget: 5 registers
  CHECK(contention_score<ww::sm90>(r, s) == 2 * 5 - 1);
  s.ready.positive_pressure = 1;
  CHECK(contention_score<ww::sm90>(r, s) == 2 * 5);
  s.live[0] = 180;
  r.add(record_flag::barrier_target);
  CHECK(contention_score<ww::sm90>(r, s) == 1000);  // clamped to what is left of the slots
}

TEST_CASE("PLS-7 slot manager: a wait ends the epoch and moves the cursor by its stride") {
  slot_manager m;
  record r = ready_record();
  r.interval = 4;
  CHECK(m.place(r, 0) == 0);
  CHECK(m.anchor == 0);
  CHECK(m.pending == 1);
  CHECK(m.cursor == 1);
  record other = r;
  other.pipe = 1;
  CHECK(m.place(other, 1) == 1);
  CHECK(m.pending == 2);
  CHECK(m.anchor == 0);
  CHECK(m.place(r, 2) == 4);  // its pipe is busy
  CHECK(m.stride == 2);
  CHECK(m.pending == 1);
  CHECK(m.anchor == 2);
}

TEST_CASE("PLS-7 slot manager: the cursor moves on by the least stall of what was placed") {
  slot_manager m;
  record r = ready_record();
  r.min_stall = 3;
  CHECK(m.place(r, 0) == 0);
  CHECK(m.cursor == 3);
  record other = ready_record();
  other.pipe = 1;
  CHECK(m.place(other, 1) == 3);
  CHECK(m.stride == 0);  // no wait: the epoch goes on
  CHECK(m.cursor == 4);
}

TEST_CASE("PLS-5 enter: few targets or some ready ones take the ready count, or the threshold when crowded") {
  spill_mode m;
  m.targets = 3;
  m.threshold = 2;
  spill_step s;
  s.barrier_target = true;
  s.ready_targets = 5;
  CHECK(spill_length(m, s) == 5);  // nothing crowded
  s.total_pressure = 10;
  s.partial_pressure = 4;
  s.live_after = 95;
  s.budget = 100;
  CHECK(spill_length(m, s) == 2);
  s.partial_pressure = 10;  // all of it within the threshold
  CHECK(spill_length(m, s) == 5);
  s.partial_pressure = 4;
  s.ready_targets = 2;  // not more than the threshold
  CHECK(spill_length(m, s) == 2);
  m.targets = 9;  // many, and none ready
  s.ready_targets = 5;
  CHECK(spill_length(m, s) == 2);
  s.budget = 1000;
  CHECK(spill_length(m, s) == 9);
  m.stall_free_targets = 1;
  CHECK(spill_length(m, s) == 5);
}

TEST_CASE("PLS-5 enter: crowded is above the budget, not at it; many targets need the threshold below them") {
  spill_mode m;
  m.targets = 9;
  m.threshold = 2;
  spill_step s;
  s.barrier_target = true;
  s.ready_targets = 5;
  s.total_pressure = 10;
  s.partial_pressure = 4;
  s.live_after = 91;
  s.budget = 100;
  CHECK(spill_length(m, s) == 2);
  s.live_after = 90;  // at the budget
  CHECK(spill_length(m, s) == 9);
  m.targets = 3;
  CHECK(spill_length(m, s) == 5);
  s.live_after = 91;
  CHECK(spill_length(m, s) == 2);
  m.targets = 9;
  m.threshold = 12;  // not below the targets
  CHECK(spill_length(m, s) == 9);
  m.threshold = 9;
  CHECK(spill_length(m, s) == 9);
  m.threshold = 2;
  s.partial_pressure = 10;  // all of it within the threshold
  CHECK(spill_length(m, s) == 9);
  s.partial_pressure = 4;
  m.threshold = 0;  // the pick that enters counts already
  CHECK(spill_length(m, s) == 1);
}

TEST_CASE("PLS-5 tick and path A: the countdown runs out and asks for a new scan") {
  spill_mode m;
  m.targets = 2;
  m.threshold = 1;
  m.sequence = 7;
  spill_step s;
  s.barrier_target = true;
  s.ready_targets = 2;
  step(m, s);
  CHECK(m.countdown == 1);
  CHECK(m.sequence == 6);
  CHECK(m.threshold == 1);
  step(m, s);
  CHECK(m.countdown == 0);
  CHECK(m.threshold == rescan);
}

TEST_CASE("PLS-5 exit: the supply of stall-free targets is used up inside the window") {
  spill_mode m;
  m.countdown = 5;
  m.sequence = 6;
  m.supply = 1;
  m.threshold = 3;
  spill_step s;
  s.barrier_target = true;
  s.stall_free = true;
  step(m, s);
  CHECK(m.countdown == 0);
  CHECK(m.threshold == rescan);
  m = {};
  m.countdown = 5;
  m.sequence = 40;  // more than the stall limit: keeps going
  m.supply = 1;
  m.threshold = 3;
  step(m, s);
  CHECK(m.countdown == 4);
  CHECK(m.threshold == 3);
}

TEST_CASE(
    "PLS-5 exit: not by the last target of the block, at the stall limit, at the end of the countdown, or by a stall") {
  spill_step s;
  s.barrier_target = true;
  s.stall_free = true;
  const auto start = [](std::int32_t countdown, std::int32_t sequence) {
    spill_mode m;
    m.countdown = countdown;
    m.sequence = sequence;
    m.supply = 1;
    m.threshold = 3;
    return m;
  };
  spill_mode m = start(5, 2);
  step(m, s);
  CHECK(m.countdown == 0);
  m = start(5, 1);  // nothing is left behind it
  step(m, s);
  CHECK(m.countdown == 4);
  m = start(5, 17);  // 16 left: as many as the limit
  step(m, s);
  CHECK(m.countdown == 4);
  m = start(5, 16);
  step(m, s);
  CHECK(m.countdown == 0);
  m = start(2, 6);  // one pick is left of the countdown
  step(m, s);
  CHECK(m.countdown == 1);
  CHECK(m.threshold == 3);
  m = start(3, 6);
  step(m, s);
  CHECK(m.countdown == 0);
  s.stall_free = false;  // takes nothing of the supply
  m = start(5, 6);
  step(m, s);
  CHECK(m.countdown == 4);
  CHECK(m.supply == 1);
}

TEST_CASE("PLS-5 path B: another winner ends it, unless nothing presses and the slots allow") {
  spill_mode m;
  m.countdown = 3;
  m.threshold = 2;
  spill_step s;
  s.within_slots = true;
  step(m, s);
  CHECK(m.countdown == 3);
  s.within_slots = false;
  step(m, s);
  CHECK(m.countdown == 0);
  CHECK(m.threshold == rescan);
  m.countdown = 3;
  s.within_slots = true;
  s.pressing = true;
  step(m, s);
  CHECK(m.countdown == 0);
}

TEST_CASE("PLS-5 scan: nothing of the episode before is left when the targets are scanned again") {
  spill_mode m;
  m.countdown = 3;
  m.sequence = 7;
  m.supply = 2;
  m.threshold = rescan;
  m.cutoff = 12;
  m.targets = 5;
  m.stall_free_targets = 4;
  m.no_threshold = false;
  begin_scan(m);
  CHECK(m.countdown == 0);
  CHECK(m.supply == 0);
  CHECK(m.threshold == 0);
  CHECK(m.cutoff == 999999);
  CHECK(m.targets == 0);
  CHECK(m.stall_free_targets == 0);
  CHECK(m.sequence == 7);  // targets of the block that are not placed: no scan changes them
  CHECK_FALSE(m.no_threshold);
}

TEST_CASE("PLS-6 order: resource vector, bit scan 4 6 1 2 5, the nine tie-breakers, position") {
  const evaluated even;
  const auto decides = [&](const evaluated& better, reason why, std::uint32_t shared = 0) {
    const outcome o = compare(better, even, shared);
    const outcome reverse = compare(even, better, shared);
    return o.first_wins && !reverse.first_wins && o.why == why && reverse.why == why;
  };
  // From the last criterion to the first: each one is set against everything below it.
  evaluated e;
  e.slot = -1;
  CHECK(decides(e, reason::position));
  const auto next = [&](auto&& set, reason why, std::uint32_t shared = 0) {
    evaluated worse_below;  // loses everything below
    worse_below.slot = 5;
    worse_below.delta = 5;
    worse_below.deadline = 5;
    worse_below.dependence = 5;
    worse_below.earliest = 5;
    worse_below.slot_cycles = 5;
    worse_below.contention = 5;
    worse_below.latency_counter = 5;
    worse_below.barrier_group = 5;
    set(worse_below);
    return decides(worse_below, why, shared);
  };
  CHECK(next([](evaluated& x) { x.barrier_group = -1; }, reason::barrier_group));
  CHECK(next([](evaluated& x) { x.barrier_group = 0, x.latency_counter = -1; }, reason::latency_counter));
  CHECK(next([](evaluated& x) { x.barrier_group = 0, x.latency_counter = 0, x.byte = 0x80; }, reason::yield_related_bit, 1));
  CHECK_FALSE(next([](evaluated& x) { x.barrier_group = 0, x.latency_counter = 0, x.byte = 0x80; },
                   reason::yield_related_bit, 0));  // only with shared memory ready
  CHECK(next([](evaluated& x) { x.barrier_group = 0, x.latency_counter = 0, x.contention = -1; }, reason::contention));
  CHECK(next([](evaluated& x) { x.barrier_group = 0, x.latency_counter = 0, x.contention = 0, x.slot_cycles = -1; },
             reason::slot_cycles));
  evaluated tail;
  tail.slot = tail.delta = 5;
  tail.deadline = tail.dependence = 5;
  evaluated base;
  base.earliest = 9;
  tail.earliest = 8;
  CHECK(compare(tail, base, 0).why == reason::earliest);
  CHECK(compare(tail, base, 0).first_wins);
  tail.earliest = base.earliest;
  base.dependence = 6;
  CHECK(compare(tail, base, 0).why == reason::dependence);
  CHECK(compare(tail, base, 0).first_wins);
  CHECK_FALSE(compare(base, tail, 0).first_wins);
  base.dependence = 5;
  base.deadline = 6;
  CHECK(compare(tail, base, 0).why == reason::deadline);
  CHECK(compare(tail, base, 0).first_wins);
  CHECK_FALSE(compare(base, tail, 0).first_wins);
  base.deadline = 5;
  base.delta = 6;
  CHECK(compare(tail, base, 0).why == reason::register_delta);
  CHECK(compare(tail, base, 0).first_wins);
  // The bit scan: each bit against all later ones of the scan.
  const unsigned scan_order[] = {0x10, 0x40, 0x02, 0x04, 0x20};
  for (unsigned i = 0; i < 5; ++i) {
    evaluated a;
    evaluated b;
    a.byte = scan_order[i];
    for (unsigned k = i + 1; k < 5; ++k) b.byte |= scan_order[k];
    b.barrier_group = -1;
    CHECK(compare(a, b, 0).first_wins);
    CHECK(compare(a, b, 0).why == static_cast<reason>(4 + i));
  }
  // The resource vector: general, predicate, address, uniform; lower first, and before every bit.
  for (unsigned g = 0; g < 4; ++g) {
    evaluated a;
    evaluated b;
    b.byte = 0x76;
    b.score[g] = 1;
    for (unsigned k = g + 1; k < 4; ++k) a.score[k] = 9;
    CHECK(compare(a, b, 0).first_wins);
    CHECK(compare(a, b, 0).why == static_cast<reason>(g));
  }
}

TEST_CASE("PLS-6 key: one number says what the scores and the scanned bits say, as long as narrow scores fit") {
  std::mt19937 rng(7);
  const auto roll = [&](int n) { return static_cast<std::int32_t>(rng() % static_cast<unsigned>(n)); };
  const auto check = [&]<class Mode>(Mode, std::int32_t top) {
    for (unsigned k = 0; k < 5000; ++k) {
      state s = roomy_state();
      s.live[0] = 190 + roll(20);
      for (unsigned g = 1; g < 4; ++g) s.live[g] = top - 4 + roll(8);
      if (roll(2) == 0) s.budget.uniform = top;
      s.ready.max_predecessor_cycle = roll(3);
      if (roll(3) == 0) s.spill.countdown = 2;
      s.ready.positive_pressure = roll(2);
      record r[2] = {ready_record(), ready_record()};
      for (record& x : r) {
        for (unsigned g = 0; g < 4; ++g) x.set_delta(g, roll(4) == 0 ? roll(5) - 2 : 0);
        if (roll(4) == 0) x.add(record_flag::barrier_target);
        if (roll(4) == 0) x.add(record_flag::cold);
        x.earliest = static_cast<std::uint32_t>(roll(2));
      }
      const pick_view v = view_of<ww::sm90, Mode>(s);
      const std::uint64_t first = quick_key<ww::sm90, Mode>(r[0], s, v, false);
      const std::uint64_t second = quick_key<ww::sm90, Mode>(r[1], s, v, false);
      outcome o;
      const bool decided =
          decide_first(evaluate<ww::sm90, Mode>(r[0], s, false), evaluate<ww::sm90, Mode>(r[1], s, false), o);
      REQUIRE((first != second) == decided);
      if (decided) REQUIRE((first < second) == o.first_wins);
    }
  };
  for (const std::int32_t top : {7, 63, 1000}) {
    check(reduce_reg{}, top);
    check(literal{}, top);
  }
  state s = roomy_state();
  const std::int32_t most[4] = {40000, 3, 3, 3};
  s.live[1] = s.live[2] = s.live[3] = 1020;
  CHECK(narrow_scores_fit(s, most));
  for (unsigned g = 1; g < 4; ++g) {
    s.live[g] = 1021;
    CHECK_FALSE(narrow_scores_fit(s, most));
    s.live[g] = 1020;
  }
}

TEST_CASE("PLS-1 DynBatch: the open batch wants its kind next, up to its cap, and closes after a gap") {
  batch_state b;
  record mma = ready_record();
  mma.iclass = ww::sched_class::hmma_large;
  mma.add(record_flag::batched);
  record other = ready_record();
  CHECK_FALSE(continues_batch<dyn_batch>(b, mma));
  note_batch<dyn_batch>(b, mma);
  CHECK(continues_batch<dyn_batch>(b, mma));
  CHECK_FALSE(continues_batch<ilp>(b, mma));
  CHECK_FALSE(continues_batch<dyn_batch>(b, other));
  for (unsigned i = 0; i < dyn_batch::batch_gap; ++i) note_batch<dyn_batch>(b, other);
  CHECK(continues_batch<dyn_batch>(b, mma));
  note_batch<dyn_batch>(b, other);
  CHECK_FALSE(continues_batch<dyn_batch>(b, mma));
  for (unsigned i = 0; i < dyn_batch::batch_cap; ++i) note_batch<dyn_batch>(b, mma);
  CHECK_FALSE(continues_batch<dyn_batch>(b, mma));  // full
  CHECK(dyn_batch::batch_cap == 16);                // knob 806
  CHECK(dyn_batch::batch_gap == 3);                 // knob 741
}

TEST_CASE("PLS-19 record: the chain of blocks, its regions and their boundaries") {
  region_record records[8];
  std::uint32_t head = no_record;
  // The newest comes first: 2 2 | end 2 | 5 start 5
  const std::int32_t weights[] = {5, -0x7fffffff, 5, 2, 0x7fffffff, 2, 2};
  for (std::uint32_t k = 0; k < 7; ++k) head = link_region(records, head, k, 10 + k, weights[k]);
  CHECK(head == 6);
  CHECK(records[0].next == no_record);
  std::vector<std::uint32_t> seen;
  std::vector<std::uint32_t> begins;
  each_of_chain(records, head, [&](std::uint32_t at, bool first) {
    CHECK(records[at].region == 10 + at);
    seen.push_back(at);
    if (first) begins.push_back(at);
  });
  CHECK(seen == std::vector<std::uint32_t>{6, 5, 3, 2, 0});
  CHECK(begins == std::vector<std::uint32_t>{6, 3, 2, 0});
  each_of_chain(records, no_record, [&](std::uint32_t, bool) { FAIL("an empty chain"); });
}

TEST_CASE("PLS-19 record: sentinels and relative cycles") {
  CHECK(is_boundary(0x7fffffff));
  CHECK(is_boundary(-0x7fffffff));
  CHECK_FALSE(is_boundary(0));
  record r;
  r.earliest = 12;
  CHECK(r.margin(10) == -2);
  CHECK(r.latency_counter(10) == 0);  // no barrier target
  r.add(record_flag::barrier_target);
  CHECK(r.latency_counter(10) == 2);
  CHECK(r.latency_counter(13) == 0);
}
