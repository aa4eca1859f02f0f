// SPDX-License-Identifier: BSL-1.0
//
// PLS-11: preliminary stalls, yields and barriers: which counter is taken, who waits for it, and that no dependence on a
// variable-latency result or a late source is without a wait, whatever the order.
#include "warpwright/schedule/unified/preliminary.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "../support/catch.hpp"
#include "../support/program_text.hpp"
#include "../support/random_block.hpp"
#include "count_allocations.hpp"
#include "warpwright/arch/sm100.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/graph/build.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/unified/preliminary_operands.hpp"
#include "warpwright/schedule/unified/unified.hpp"

namespace {

using namespace ww::unified;
using ww::control;

constexpr std::uint8_t no_barrier = control::no_barrier;

barrier_cover result_of(ww::pipe_id pipe) { return {true, false, static_cast<std::uint8_t>(pipe)}; }

// A draft of `count` instructions, none of them placed.
template <class Arch = ww::sm90>
preliminary empty_draft(std::uint32_t count, std::uint32_t knob_805 = 16) {
  preliminary d;
  d.start(count, limits_of<Arch>(knob_805));
  return d;
}

// The draft of a text in its own order, an instruction every `step` cycles.
template <class Arch = ww::sm90>
preliminary draft_of(const char* lines, std::uint32_t step = 2) {
  const ww::program p = ww_test::text(lines);
  ww::dependence_graph g;
  ww::graph_workspace ws;
  ww::build_graph<Arch>(p, p.order, g, ws);
  preliminary d = empty_draft<Arch>(static_cast<std::uint32_t>(p.order.size()));
  const operand_draft<Arch> by_operands(p, p.order, g);
  for (std::uint32_t i = 0; i < p.order.size(); ++i) by_operands.place(d, i, step * i);
  return d;
}

// What the second of two instructions waits for, when the first one takes a write barrier (or a read barrier).
template <class Arch = ww::sm90>
void check_waits_for_result(const char* lines) {
  INFO(lines);
  const preliminary d = draft_of<Arch>(lines);
  REQUIRE(d.words()[0].write_barrier < 6);
  CHECK((d.words()[1].wait_mask >> d.words()[0].write_barrier & 1) == 1);
}
template <class Arch = ww::sm90>
void check_waits_for_sources(const char* lines) {
  INFO(lines);
  const preliminary d = draft_of<Arch>(lines);
  REQUIRE(d.words()[0].read_barrier < 6);
  CHECK(d.words()[1].wait_mask == 1u << d.words()[0].read_barrier);
}
template <class Arch = ww::sm90>
void check_waits_for_nothing(const char* lines) {
  INFO(lines);
  const preliminary d = draft_of<Arch>(lines);
  CHECK(d.words()[0].read_barrier == no_barrier);
  CHECK(d.words()[1].wait_mask == 0);
}

}  // namespace

TEST_CASE("PLS-11 counters of age: taking one over makes it young, and the next producer takes another") {
  preliminary d = empty_draft(20);
  for (std::uint32_t i = 0; i < 6; ++i) d.place(i, i, true);
  for (std::uint32_t i = 6; i < 12; ++i) d.place(i, 94 + i, true);  // cycles 100 to 105
  for (std::uint32_t i = 0; i < 6; ++i) {
    CHECK(d.words()[i].write_barrier == i);
    CHECK(d.words()[i + 6].write_barrier == i);
    CHECK(d.words()[i + 6].wait_mask == 0);
  }
  CHECK(d.takeovers() == 6);
  CHECK(d.evictions() == 0);
  REQUIRE(d.outstanding().size() == 12);
  // Consumers of the older producers still wait for that counter, which settles both.
  d.consume(12, 3);
  CHECK(d.words()[12].wait_mask == 1u << 3);
  CHECK(d.outstanding().size() == 10);
  d.consume(13, 9);
  CHECK(d.words()[13].wait_mask == 0);
}

TEST_CASE("PLS-11 counters of age: 56 cycles, not 55") {
  preliminary d = empty_draft(10);
  for (std::uint32_t i = 0; i < 6; ++i) d.place(i, i, true);
  d.place(6, 56, true);  // counter 0 is 56 cycles old
  CHECK(d.words()[6].write_barrier == 0);
  CHECK(d.words()[6].wait_mask == 0);
  // None of the others is, and counter 0 has just been set: counter 1 is the oldest, though counter 0 has the oldest entry.
  d.place(7, 56, true);
  CHECK(d.words()[7].write_barrier == 1);
  CHECK(d.words()[7].wait_mask == 1u << 1);
  CHECK(d.evictions() == 1);
  CHECK(d.takeovers() == 1);
}

TEST_CASE("PLS-11 eviction: of six busy counters the one that was set longest ago is waited for") {
  preliminary d = empty_draft(12);
  for (std::uint32_t i = 0; i < 6; ++i) d.place(i, i, true);
  d.consume(6, 0);
  d.place(6, 6, true);  // counter 0 again
  CHECK(d.words()[6].write_barrier == 0);
  CHECK(d.evictions() == 0);
  for (std::uint32_t i = 7; i < 12; ++i) {
    d.place(i, i, true);
    CHECK(d.words()[i].write_barrier == i - 6);
    CHECK(d.words()[i].wait_mask == 1u << (i - 6));
  }
  CHECK(d.evictions() == 5);
}

TEST_CASE("PLS-11 affinity: of the free counters that of the same pipe is taken, else the first") {
  using ww::pipe_id;
  preliminary d = empty_draft(10);
  d.place(0, 0, result_of(pipe_id::lsu));
  d.place(1, 1, result_of(pipe_id::xu));
  d.place(2, 2, result_of(pipe_id::tex));
  d.wait(3, 7);
  d.place(3, 3, result_of(pipe_id::tex));
  CHECK(d.words()[3].write_barrier == 2);
  d.place(4, 4, result_of(pipe_id::xu));
  CHECK(d.words()[4].write_barrier == 1);
  d.place(5, 5, result_of(pipe_id::fp64));  // nobody's: the first free one
  CHECK(d.words()[5].write_barrier == 0);
  d.place(6, 6, result_of(pipe_id::lsu));  // its counter is busy
  CHECK(d.words()[6].write_barrier == 3);
  d.place(7, 63, result_of(pipe_id::tex));  // its counter is of age
  CHECK(d.words()[7].write_barrier == 2);
  CHECK(d.words()[7].wait_mask == 0);
  // The draft of a block names the pipes: MUFU does not take the counter of the loads.
  const preliminary b = draft_of(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "MUFU.RCP R5, R6\n"
      "FADD R7, R4, R5\n"
      "MUFU.RCP R8, R6\n"
      "EXIT\n");
  CHECK(b.words()[0].write_barrier == 0);
  CHECK(b.words()[1].write_barrier == 1);
  CHECK(b.words()[2].wait_mask == 3);
  CHECK(b.words()[3].write_barrier == 1);
}

TEST_CASE("PLS-11 table: 32 assignments; the one that was made first is waited for when it is full") {
  preliminary d = empty_draft(40);
  std::uint32_t i = 0;
  for (std::uint32_t round = 0; round < 5; ++round) {
    for (std::uint32_t k = 0; k < 6; ++k) d.place(i++, 100 * round + k, true);
  }
  d.place(i++, 500, true);
  d.place(i++, 501, true);
  CHECK(d.outstanding().size() == preliminary::table_entries);
  CHECK(preliminary::table_entries == 32);
  CHECK(d.evictions() == 0);
  for (std::uint32_t k = 0; k < 32; ++k) REQUIRE(d.words()[k].wait_mask == 0);
  d.place(i, 601, true);  // all counters are of age; counter 0 holds the first assignment and was set last but one
  CHECK(d.words()[32].wait_mask == 1);
  CHECK(d.words()[32].write_barrier == 0);
  CHECK(d.evictions() == 1);
  CHECK(d.outstanding().size() == 32 - 6 + 1);
  CHECK(d.outstanding()[0].producer == 1);
  d.consume(33, 6);  // waited for already
  CHECK(d.words()[33].wait_mask == 0);
  d.consume(34, 7);
  CHECK(d.words()[34].wait_mask == 2);
  // Settled ones in the middle: the first that is left is the victim.
  preliminary e = empty_draft(60);
  for (i = 0; i < 6; ++i) e.place(i, i, true);
  e.wait(6, 1);
  for (std::uint32_t round = 1; i < 33; ++round) {
    for (std::uint32_t k = 0; k < 6 && i < 33; ++k) e.place(i++, 100 * round + k, true);
  }
  REQUIRE(e.outstanding().size() == 32);
  e.place(33, 900, true);
  CHECK(e.words()[33].wait_mask == 2);
  // The last place goes to a result that takes over counter 0, then the sources of the same instruction find the table full:
  // it waits for counter 0 before it issues, and its own result is outstanding all the same.
  preliminary f = empty_draft(40);
  for (i = 0; i < 30; ++i) f.place(i, 100 * (i / 6) + i % 6, true);
  f.place(30, 500, true);
  f.place(31, 601, barrier_cover{true, true, barrier_cover::any_pipe});
  CHECK(f.words()[31].wait_mask == 1);
  CHECK(f.words()[31].write_barrier == 0);
  CHECK(f.words()[31].read_barrier == 0);
  CHECK(f.outstanding().size() == 32 - 6 + 1);
  f.consume(32, 31);
  CHECK(f.words()[32].wait_mask == 1);
}

TEST_CASE("PLS-11 stall: the gap to the next one, within knob 805, the field and the raw limit") {
  const auto stall_after = [](const preliminary_limits& limits, std::uint32_t gap) {
    preliminary d;
    d.start(2, limits);
    d.place(0, 7, false);
    d.place(1, 7 + gap, false);
    CHECK(d.words()[1].stall == 1);
    return unsigned{d.words()[0].stall};
  };
  CHECK(limits_of<ww::sm90>().raw_stall == 39);
  CHECK(stall_after(limits_of<ww::sm90>(), 14) == 14);
  CHECK(stall_after(limits_of<ww::sm90>(), 16) == 15);
  CHECK(stall_after(limits_of<ww::sm90>(5), 14) == 5);
  CHECK(stall_after(limits_of<ww::sm90>(5), 3) == 3);
  CHECK(stall_after(limits_of<ww::sm90>(12), 14) == 12);
  preliminary_limits wide = limits_of<ww::sm90>();
  wide.field_stall = 63;
  CHECK(stall_after(wide, 38) == 38);
  CHECK(stall_after(wide, 50) == 39);

  preliminary d = empty_draft(4);
  d.place(0, 0, false);
  d.place(1, 3, false);
  d.place(2, 7, false);
  CHECK(d.words()[0].yield == false);
  CHECK(d.words()[1].yield == true);
}

TEST_CASE("PLS-11 consumer distance: to the nearest consumer, at most the raw limit, whatever stands between") {
  preliminary d = empty_draft(8);
  d.place(0, 0, false);
  d.place(1, 1, false);
  d.consume(2, 0);
  CHECK(d.consumer_distance(0) == 0);  // not placed yet
  d.place(2, 20, false);
  d.consume(3, 0);
  d.consume(3, 1);
  d.place(3, 70, false);
  CHECK(d.consumer_distance(0) == 20);
  CHECK(d.consumer_distance(1) == 39);
  CHECK(d.consumer_distance(2) == 0);
  // The words hold the gaps, which add up to the distance.
  const preliminary b = draft_of("FADD R2, R3, R4\nFADD R5, R3, R4\nFADD R6, R2, R2\nEXIT\n");
  CHECK(b.consumer_distance(0) == 4);
  CHECK(b.words()[0].stall + b.words()[1].stall == 4);
  CHECK(b.consumer_distance(1) == 0);
}

TEST_CASE("PLS-11 results: read, overwritten, in part, in every register file, under guards") {
  check_waits_for_result("LDG.E R2, desc[UR4][R8.64]\nFADD R3, R2, R4\nEXIT\n");
  check_waits_for_result("LDG.E R2, desc[UR4][R8.64]\nMOV R2, R9\nEXIT\n");
  check_waits_for_result("LDG.E.128 R4, desc[UR4][R8.64]\nMOV R7, R9\nEXIT\n");
  check_waits_for_result("LDG.E.128 R4, desc[UR4][R8.64]\nFADD R3, R7, R9\nEXIT\n");
  check_waits_for_result("LDG.E R7, desc[UR4][R8.64]\nSTG.E.128 desc[UR4][R8.64], R4\nEXIT\n");
  check_waits_for_result("LDG.E R2, desc[UR4][R8.64]\n@P0 MOV R2, R9\nEXIT\n");
  check_waits_for_result("@P1 LDG.E R2, desc[UR4][R8.64]\n@P0 FADD R3, R2, R4\nEXIT\n");
  check_waits_for_result("SHFL.IDX P0, R2, R3, R4, R5\n@P0 MOV R6, R7\nEXIT\n");
  check_waits_for_result("SHFL.IDX P0, R2, R3, R4, R5\nISETP.NE.AND P0, PT, R6, R7, PT\nEXIT\n");
  check_waits_for_result("SHFL.IDX P0, R2, R3, R4, R5\nSEL R6, R7, R8, P0\nEXIT\n");
  check_waits_for_result("S2UR UR6, SR_CTAID.X\nUIADD3 UR7, UR6, UR8, URZ\nEXIT\n");
  check_waits_for_result("S2UR UR6, SR_CTAID.X\nUMOV UR6, 0x1\nEXIT\n");
  check_waits_for_result("S2UR UR6, SR_CTAID.X\nIADD3 R7, R6, UR6, RZ\nEXIT\n");
  check_waits_for_result<ww::sm80>("R2UR UR6, R4\nUMOV UR6, 0x1\nEXIT\n");
  const preliminary beside = draft_of("LDG.E.128 R4, desc[UR4][R12.64]\nFADD R3, R8, R9\nFADD R3, R3, R9\nEXIT\n");
  CHECK(beside.words()[1].wait_mask == 0);
  // The number is that of another file.
  const preliminary other = draft_of("S2UR UR6, SR_CTAID.X\nMOV R6, R7\nEXIT\n");
  CHECK(other.words()[1].wait_mask == 0);
  // Nothing comes back: no counter.
  const preliminary zero = draft_of("SHFL.IDX PT, RZ, R3, R4, R5\nEXIT\n");
  CHECK(zero.words()[0].write_barrier == no_barrier);
}

TEST_CASE("PLS-11 late sources: overwritten behind a read barrier, and only where somebody overwrites them") {
  check_waits_for_sources("STG.E desc[UR4][R8.64], R2\nMOV R2, R9\nEXIT\n");
  check_waits_for_sources("STG.E desc[UR4][R8.64], R2\nMOV R9, R3\nEXIT\n");  // upper half of the address
  check_waits_for_sources("STG.E.128 desc[UR4][R8.64], R4\nIMAD.WIDE R6, R2, R3, R10\nEXIT\n");
  check_waits_for_sources("STG.E desc[UR4][R8.64], R2\n@P0 MOV R2, R9\nEXIT\n");
  check_waits_for_sources("@P0 STG.E desc[UR4][R8.64], R2\nMOV R2, R9\nEXIT\n");
  check_waits_for_sources("LDG.E R2, desc[UR4][R8.64]\nMOV R8, R3\nEXIT\n");
  check_waits_for_sources("SYNCS.EXCH.64 URZ, [UR9], UR4\nUMOV UR4, 0x1\nEXIT\n");
  check_waits_for_nothing("STG.E desc[UR4][R8.64], R2\nMOV R3, R9\nEXIT\n");
  check_waits_for_nothing("STG.E desc[UR4][R8.64], R2\nFADD R3, R2, R2\nEXIT\n");
  check_waits_for_nothing("@P0 STG.E desc[UR4][R8.64], R2\nISETP.NE.AND P0, PT, R6, R7, PT\nEXIT\n");  // read at issue
  check_waits_for_nothing("STG.E desc[UR4][R8.64], R2\nUMOV UR4, 0x1\nEXIT\n");                        // the same
  // A load with both: two counters. Who waits for the result does not ask for the sources.
  const preliminary both = draft_of("LDG.E R2, desc[UR4][R8.64]\nMOV R8, R3\nFADD R4, R2, R2\nEXIT\n");
  CHECK(both.words()[0].write_barrier != both.words()[0].read_barrier);
  CHECK(both.words()[1].wait_mask == 1u << both.words()[0].read_barrier);
  CHECK(both.words()[2].wait_mask == 1u << both.words()[0].write_barrier);
  const preliminary one = draft_of("LDG.E R2, desc[UR4][R8.64]\nIMAD R8, R2, R3, R4\nEXIT\n");
  CHECK(one.words()[0].read_barrier == no_barrier);
  CHECK(one.words()[1].wait_mask == 1u << one.words()[0].write_barrier);
  preliminary d = empty_draft(2);
  d.place(0, 0, barrier_cover{true, true, barrier_cover::any_pipe});
  d.consume(1, 0);
  CHECK(d.words()[1].wait_mask == 1u << d.words()[0].write_barrier);
  REQUIRE(d.outstanding().size() == 1);
  CHECK(d.outstanding()[0].sources);
}

TEST_CASE("PLS-11 one counter for everything: an instruction never waits for what it raises itself") {
  preliminary_limits limits = limits_of<ww::sm90>();
  limits.counters = 1;
  preliminary d;
  d.start(4, limits);
  d.place(0, 0, barrier_cover{true, true, barrier_cover::any_pipe});
  CHECK(d.words()[0].write_barrier == 0);
  CHECK(d.words()[0].read_barrier == 0);
  CHECK(d.words()[0].wait_mask == 0);
  CHECK(d.outstanding().size() == 2);
  d.place(1, 1, barrier_cover{true, true, barrier_cover::any_pipe});
  CHECK(d.words()[1].wait_mask == 1);
  CHECK(d.outstanding().size() == 2);
  CHECK(d.evictions() == 1);
}

namespace {

// The oracle: all pairs of the order, by their operands alone.
struct oracle {
  const ww::program& p;
  const std::vector<std::uint32_t>& order;  // local indices
  const preliminary& d;

  static bool meet(const ww::operand& a, const ww::operand& b) {
    if (!a.is_register() || !b.is_register() || a.file() != b.file()) return false;
    for (unsigned i = 0; i < a.width(); ++i) {
      const std::uint32_t n = a.base().number() + i;
      if (n >= b.base().number() && n < b.base().number() + b.width()) return true;
    }
    return false;
  }
  const ww::instruction& at(std::uint32_t place) const { return p[p.order[order[place]]]; }
  bool waited(std::uint8_t counter, std::uint32_t first, std::uint32_t second) const {
    if (counter >= 6) return false;
    for (std::uint32_t k = first + 1; k <= second; ++k) {
      if ((d.words()[order[k]].wait_mask >> counter & 1) != 0) return true;
    }
    return false;
  }
  static const ww::operand* guard(ww::span<const ww::operand> ops) {
    for (const ww::operand& o : ops) {
      if (o.where() == ww::slot::guard) return &o;
    }
    return nullptr;
  }
  // No thread runs both: @P0 and @!P0 of one value.
  bool apart(std::uint32_t first, std::uint32_t second) const {
    const ww::operand* const a = guard(p.operands_of(at(first)));
    const ww::operand* const b = guard(p.operands_of(at(second)));
    if (a == nullptr || b == nullptr || a->base() != b->base()) return false;
    if (at(first).guard_negated == at(second).guard_negated) return false;
    for (std::uint32_t k = first; k < second; ++k) {
      for (const ww::operand& o : p.operands_of(at(k))) {
        if (o.is_def() && meet(o, *a)) return false;
      }
    }
    return true;
  }

  std::uint64_t raw = 0, waw = 0, war = 0;

  template <class Arch>
  void check() {
    for (std::uint32_t first = 0; first < order.size(); ++first) {
      const ww::instruction& x = at(first);
      const control& word = d.words()[order[first]];
      const bool variable = Arch::latency::variable(x.iclass);
      const bool late = Arch::latency::late_reader(x.iclass);
      if (!variable && !late) continue;
      for (std::uint32_t second = first + 1; second < order.size(); ++second) {
        for (const ww::operand& a : p.operands_of(x)) {
          for (const ww::operand& b : p.operands_of(at(second))) {
            if (!meet(a, b)) continue;
            if (a.is_def() && variable) {
              ++(b.is_def() ? waw : raw);
              INFO("result of " << order[first] << " at " << order[second]);
              REQUIRE(waited(word.write_barrier, first, second));
            }
            const ww::access_point source{x.iclass, a.where(), a.file(), 0, x.has(ww::iflag::guarded)};
            if (a.is_use() && b.is_def() && ww::late_source<typename Arch::latency>(source) && !apart(first, second)) {
              ++war;
              INFO("source of " << order[first] << " at " << order[second]);
              REQUIRE((waited(word.read_barrier, first, second) || waited(word.write_barrier, first, second)));
            }
          }
        }
      }
    }
  }
};

template <class Arch>
void check_random_blocks(unsigned seeds) {
  preliminary d;
  ww::dependence_graph g;
  ww::graph_workspace ws;
  std::uint64_t raw = 0, waw = 0, war = 0, read_barriers = 0, evictions = 0, takeovers = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    INFO(Arch::name << ", seed " << seed);
    std::mt19937 random(seed);
    ww_test::random_block_options o;
    o.count = 10 + seed % 90;
    o.registers = seed % 3 == 0 ? 60 : 12 + seed % 20;
    o.guard_percent = seed % 2 == 0 ? 35 : 5;
    o.memory_percent = seed % 5 == 0 ? 80 : 40;
    o.virtual_registers = seed % 4 == 1;
    const ww::program p = ww_test::random_block(seed, o);
    const auto count = static_cast<std::uint32_t>(p.order.size());
    if (seed % 7 == 3) {
      ww::build_graph<Arch, ww::last_writer_with_budget<40>>(p, p.order, g, ws);  // a chain before long
    } else {
      ww::build_graph<Arch>(p, p.order, g, ws);
    }
    // Any legal order: the program's, or one at random.
    std::vector<std::uint32_t> order, ready, open(count), earliest(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      open[i] = static_cast<std::uint32_t>(g.pred(i).size());
      if (open[i] == 0) ready.push_back(i);
    }
    d.start(count, limits_of<Arch>());
    const operand_draft<Arch> by_operands(p, p.order, g);
    std::uint32_t cycle = 0;
    order.reserve(count);
    ready.reserve(count);
    const std::size_t allocated = ww_test::allocations();
    while (!ready.empty()) {
      const std::size_t k = seed % 3 == 2
                                ? static_cast<std::size_t>(std::min_element(ready.begin(), ready.end()) - ready.begin())
                                : random() % ready.size();
      const std::uint32_t i = ready[k];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k));
      cycle = std::max(cycle + 1, earliest[i]);
      by_operands.place(d, i, cycle);
      order.push_back(i);
      for (const ww::dependence_edge& e : g.succ(i)) {
        // Results come as estimated or at once: how old a counter is must not matter.
        earliest[e.to] = std::max(earliest[e.to], cycle + (seed % 2 == 0 ? e.latency : 1u));
        if (--open[e.to] == 0) ready.push_back(e.to);
      }
    }
    CHECK(ww_test::allocations() == allocated);
    REQUIRE(order.size() == count);
    oracle all{p, order, d};
    all.check<Arch>();
    raw += all.raw;
    waw += all.waw;
    war += all.war;
    evictions += d.evictions();
    takeovers += d.takeovers();
    for (const control& w : d.words()) {
      read_barriers += w.sets_read() ? 1 : 0;
      REQUIRE(w.stall >= 1);
      REQUIRE(w.stall <= 15);
      REQUIRE(w.wait_mask < 64);
    }
  }
  CHECK(raw > 1000);
  CHECK(waw > 1000);
  CHECK(war > 1000);
  CHECK(read_barriers > 500);
  CHECK(evictions > 100);
  CHECK(takeovers > 100);
}

}  // namespace

TEST_CASE("PLS-11 the draft: every dependence on a variable result or a late source is waited for, in any order") {
  check_random_blocks<ww::sm75>(200);
  check_random_blocks<ww::sm80>(200);
  check_random_blocks<ww::sm90>(400);
  check_random_blocks<ww::sm100>(200);
}

TEST_CASE("PLS-11 the draft of the unified engine: every dependence is waited for") {
  using c = ww::config_of<ww::sm90, ww::strategy::unified, ww::mode::ilp>;
  ww::schedule_workspace<c> ws;
  ws.own.want_draft = true;
  std::uint64_t war = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    ww_test::random_block_options o;
    o.count = 20 + seed % 100;
    o.registers = seed % 2 == 0 ? 60 : 16;
    o.memory_percent = 60;
    const ww::program before = ww_test::random_block(seed, o);
    ww::program p = before;
    ww::schedule_block<c>(p, ww::block_id(0), ws);
    const std::vector<std::uint32_t> order(ws.sequence.begin(), ws.sequence.end());
    oracle all{before, order, ws.own.draft};
    all.check<ww::sm90>();
    war += all.war;
  }
  CHECK(war > 1000);
}
