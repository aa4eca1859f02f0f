// SPDX-License-Identifier: BSL-1.0
//
// Backend C within one block, rule by rule. Numbers in these tests are worked out by hand from the reference text.
#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "../support/catch.hpp"
#include "support.hpp"
#include "warpwright/schedule/ready_list/red_black_tree.hpp"

namespace {

using ww_test::Approx;
using ww_test::block_builder;
using ww_test::opened;
using ww_test::tiny_arch;
namespace c = ww::backend::c;
using ww::opcode;
using ww::sched_class;
using st_c = ww::strategy::backend_c;

constexpr double all = std::numeric_limits<double>::infinity();

// Describes the part and runs one round with the gate as it is.
template <class Options = c::options, class Opened>
std::uint32_t one_round(Opened& o, const c::threshold& gate = {}) {
  auto& own = o.ws.own;
  own.number.resize(o.order().size());
  own.index_of.resize(o.order().size());
  for (std::uint32_t i = 0; i < own.number.size(); ++i) own.number[i] = own.index_of[i] = i;
  own.live.start(o.p, o.ws.at, o.order());
  using arch = typename Opened::config::arch;
  own.records.template enter<arch, Options>(o.p, o.ws.at);
  c::describe_part<arch, Options>(o.p, o.ws.at, o.order(), o.ws, own);
  own.gate = gate;
  c::list_round<typename Opened::config, Options> round(o.p, o.order(), o.ws, own, o.stats);
  REQUIRE(round.run());
  return round.cycles();
}

c::threshold ceiling(double score) {
  c::threshold t;
  t.refine(score);
  return t;
}

struct fixed_latency : tiny_arch {  // LDS 19 cycles, MUFU 20
  struct latency : tiny_arch::latency {
    static constexpr unsigned result_estimate(sched_class k, unsigned) { return k == sched_class::lds ? 19 : 20; }
  };
};

}  // namespace

TEST_CASE("PLS-17: opcode bonuses of the pressure cost") {
  const auto bonus = [](sched_class k, double latency_weight = 1.0) {
    return c::opcode_bonus(opcode::nop, k, latency_weight, false);
  };
  CHECK(bonus(sched_class::tex) == 5.0);
  CHECK(bonus(sched_class::tld) == 5.0);
  CHECK(bonus(sched_class::txq) == 5.0);
  CHECK(bonus(sched_class::ld) == 0.5);
  CHECK(bonus(sched_class::st) == 1.0);
  CHECK(bonus(sched_class::ldg) == 6.0);
  CHECK(bonus(sched_class::atoms) == Approx(0.4));
  CHECK(bonus(sched_class::atoms, 5.0) == Approx(2.0));
  CHECK(bonus(sched_class::lds) == 0.0);
  CHECK(bonus(sched_class::alu) == 0.0);
  CHECK(c::opcode_bonus(opcode::mov, sched_class::alu_dual, 1.0, false) == 1.0);
  CHECK(c::opcode_bonus(opcode::imad, sched_class::imad, 1.0, false) == 1.0);
  CHECK(c::opcode_bonus(opcode::mov, sched_class::alu_dual, 1.0, true) == 0.0);  // depends on another block
  CHECK(c::opcode_bonus(opcode::imad, sched_class::imad, 1.0, true) == 0.0);
}

TEST_CASE("PLS-17: the last register operand decides about damping; predicates and immediates are skipped") {
  using B = block_builder;
  ww::operand negated = B::b(3);
  negated.low |= ww::operand::bit_negate;
  const ww::operand number = ww::operand::non_register(ww::operand_type::immediate, ww::slot::b);
  const ww::operand plain[] = {B::d(1), negated, B::c(4)};
  CHECK_FALSE(c::last_register_negated(plain));
  const ww::operand last[] = {B::d(1), B::a(4), negated};
  CHECK(c::last_register_negated(last));
  const ww::operand skipped[] = {B::d(1), negated, number, B::guard(0)};
  CHECK(c::last_register_negated(skipped));
  const ww::operand none[] = {B::guard(0)};
  CHECK_FALSE(c::last_register_negated(none));
}

TEST_CASE("PLS-17: excess live ranges multiply the cost: (count - budget + 2) / (mode - 2) above the limit") {
  // budget 4, limit 0.5: before allocation (mode 6) an excess of 3 of 4 is above, of 2 is on it; after (mode 5) 2 of 3 is
  // above
  CHECK(c::with_live_range_penalty<c::options>(10.0, 4, c::entry_mode::pre) == 10.0);
  CHECK(c::with_live_range_penalty<c::options>(10.0, 5, c::entry_mode::pre) == 20.0);
  CHECK(c::with_live_range_penalty<c::options>(10.0, 3, c::entry_mode::post) == 10.0);
  CHECK(c::with_live_range_penalty<c::options>(10.0, 4, c::entry_mode::post) == 20.0);
  CHECK(c::with_live_range_penalty<c::options>(10.0, 99, c::entry_mode::fixed) == 10.0);
  struct lenient : c::options {};
  CHECK(c::with_live_range_penalty<lenient>(10.0, 0, c::entry_mode::post) == 10.0);
  CHECK(static_cast<int>(c::entry_mode::fixed) == 2);
  CHECK(static_cast<int>(c::entry_mode::post) == 5);
  CHECK(static_cast<int>(c::entry_mode::pre) == 6);
}

TEST_CASE("PLS-17: composite score: depth term, worst conflict of at least one, ten times that for long latency") {
  c::composite_score alone(7.0);
  CHECK(alone.value(false) == 0.0);  // without dependences the pressure cost does not count
  CHECK(alone.value(true) == 10.0);
  c::composite_score s(3.0);
  s.depend(2.0, false);
  s.depend(0.5, true);  // a conflict below one leaves one
  CHECK(s.value(false) == Approx(7.5));
  CHECK(s.value(true) == Approx(17.5));
  s.depend(4.0, true);
  CHECK(s.value(false) == Approx(19.5));
  CHECK(s.value(true) == Approx(59.5));
}

TEST_CASE("PLS-17: latency scale is in units of an ALU instruction") {
  CHECK(c::latency_scale<tiny_arch>(sched_class::alu) == 1.0);
  CHECK(c::latency_scale<tiny_arch>(sched_class::fma) == Approx(1.25));  // 5 cycles to an ALU reader, 4 from one
  CHECK(c::latency_scale<tiny_arch>(sched_class::ldg) == Approx(50.0));
  CHECK(c::longest_latency<tiny_arch>() == 200);
}

TEST_CASE("PLS-17: latency above 19 cycles is long") {
  block_builder k;
  k.add(sched_class::lds, {k.d(1), k.a(2)});
  k.add(sched_class::mufu, {k.d(3), k.a(4)});
  opened<st_c, fixed_latency> o(k.finish());
  one_round(o);
  CHECK_FALSE(o.ws.own.entries[0].long_latency);
  CHECK(o.ws.own.entries[1].long_latency);
  CHECK(o.ws.own.entries[0].score == 0.0);
  CHECK(o.ws.own.entries[1].score == 10.0);
}

TEST_CASE("PLS-17: entries of a block: live operands, bonuses, damping, latency factor, depth") {
  block_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});               // 0
  k.add(sched_class::fma, {k.d(4), k.a(2), k.b(3), k.c(4)});  // 1 reads the load
  k.add(sched_class::alu, {k.d(9), k.a(4), k.b(3)});          // 2 its result is never read
  k.add(sched_class::stg, {k.addr(0), k.data(4)});            // 3
  k.add(sched_class::alu, {k.d(3), k.a(20), k.b(20)});        // 4 overwrites a source of 1 and 2
  ww::program p = k.finish();
  opened<st_c> o(p);
  one_round(o);
  const auto& e = o.ws.own.entries;
  CHECK(e[0].pressure_cost == Approx((2 + 6) * 50.0));  // result and address live, LDG +6, counted result
  CHECK(e[0].score == Approx(10.0));                    // no dependence, long latency
  CHECK(e[1].pressure_cost == Approx(4.0));
  CHECK(e[1].score == Approx(50.0 * 4.0));   // the load's scale times its own cost
  CHECK(e[2].pressure_cost == Approx(2.0));  // a dead result is not counted
  CHECK(e[2].score == Approx(1.25 * 2.0));
  CHECK(e[3].pressure_cost == Approx(2.0));
  CHECK(e[4].pressure_cost == Approx(2.0));
  CHECK(e[4].score == 0.0);  // it waits for readers, for no result
  CHECK(e[0].priority > e[1].priority);
  CHECK(e[0].priority == static_cast<std::int32_t>(o.ws.graph.height[0]));

  for (ww::operand& x : p.operands) {
    if (x.where() == ww::slot::c) x.low |= ww::operand::bit_negate;
  }
  opened<st_c> damped(p);
  one_round(damped);
  CHECK(damped.ws.own.entries[1].pressure_cost == Approx(2.0));  // half
}

TEST_CASE(
    "PLS-17: a producer with a counter weighs in the score of a long reader, and uniform registers count as operands") {
  block_builder k;
  k.add(sched_class::lds, {k.d(0, 2), k.a(9)});
  k.add(sched_class::alu, {k.d(4), k.a(9), k.b(9)});
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});  // 2: waits for the shared load
  k.add(sched_class::mufu, {k.d(3), k.a(4)});    // 3: waits for the addition, which takes no counter
  k.add(sched_class::alu, {k.d(5), k.a(7), ww::operand::use(ww::UR(1), ww::slot::b)});
  opened<st_c> o(k.finish());
  one_round(o);
  const auto& e = o.ws.own.entries;
  CHECK(e[2].score == Approx(7.5 * e[2].pressure_cost + 7.5 * 10));  // 30 cycles of LDS: scale 7.5
  CHECK(e[3].score == Approx(1.0 * e[3].pressure_cost + 10));
  CHECK(o.ws.own.counts[4].live == 2);  // R7 and UR1; its result is dead
}

TEST_CASE("PLS-17: a guarded definition does not end the readers of the value before it") {
  for (const bool guarded : {false, true}) {
    INFO("guarded " << guarded);
    block_builder k;
    k.add(sched_class::alu, {k.d(1), k.a(20), k.b(21)});
    if (guarded) {
      k.add(sched_class::alu, {k.d(1), k.a(22), k.b(23), k.guard(0)});
    } else {
      k.add(sched_class::alu, {k.d(1), k.a(22), k.b(23)});
    }
    k.add(sched_class::stg, {k.addr(30), k.data(1)});
    opened<st_c> o(k.finish());
    one_round(o);
    CHECK(o.ws.own.counts[0].live == (guarded ? 3 : 2));  // two sources, and the result where it may still be read
  }
}

TEST_CASE("PLS-17: live-range penalty applies to an entry whose operands have further readers") {
  block_builder k;
  k.add(sched_class::fma, {k.d(5), k.a(1), k.b(2), k.c(3)});
  k.add(sched_class::fma, {k.d(6), k.a(1), k.b(2), k.c(3)});
  k.add(sched_class::stg, {k.addr(20), k.data(5)});
  k.add(sched_class::stg, {k.addr(20), k.data(5)});
  opened<st_c> o(k.finish());
  one_round(o);
  CHECK(o.ws.own.counts[0].multiple == 4);  // R5, read twice, and three sources that the second FMA reads again
  CHECK(o.ws.own.entries[0].pressure_cost == Approx(8.0));
  CHECK(o.ws.own.counts[1].multiple == 0);
  CHECK(o.ws.own.entries[1].pressure_cost == Approx(3.0));  // R6 is dead
}

TEST_CASE("PLS-17: three keys order the queue: priority, then score, then number") {
  block_builder k;
  k.add(sched_class::fma, {k.d(1), k.a(20), k.b(20)});  // 0: long way to the end
  k.add(sched_class::fma, {k.d(2), k.a(1), k.b(20)});   // 1
  k.add(sched_class::alu, {k.d(6), k.a(22), k.b(22)});  // 2: height 1, score 0
  k.add(sched_class::alu, {k.d(7), k.a(23), k.b(23)});  // 3: the same
  k.add(sched_class::mufu, {k.d(5), k.a(21)});          // 4: height 1, score 10
  opened<st_c> o(k.finish());
  one_round(o);
  REQUIRE(o.ws.own.entries[2].priority == o.ws.own.entries[4].priority);
  CHECK(o.ws.own.entries[4].score == 10.0);
  const auto& s = o.ws.sequence;
  REQUIRE(s.size() == 5);
  CHECK(s[0] == 0);  // highest priority
  CHECK(s[1] == 4);  // equal priority: the score
  CHECK(s[2] == 2);  // equal score: the number
}

TEST_CASE("PLS-17: FNV-1a over the four bytes of the class id") {
  CHECK(ww::meta::fnv1a(0x74736574u) == 0xafd071e5u);  // "test"
  CHECK(ww::meta::fnv1a(0) == 0x4b95f515u);
}

TEST_CASE("PLS-17: the solution table starts with 8 buckets and grows fourfold by its rule") {
  for (std::uint32_t stride : {1u, 3u, 257u, 4096u}) {
    ww::meta::fnv_table<int> table;
    CHECK(table.capacity() == 0);
    std::size_t capacity = 8;
    std::vector<std::uint32_t> keys;
    for (std::uint32_t i = 0; i < 600; ++i) {
      const std::uint32_t key = i * stride + 5;
      table.insert(key, static_cast<int>(i));
      keys.push_back(key);
      // the rule, worked out anew: sum over keys of the length of their chain when they came in
      const auto length_with = [&](std::size_t buckets) {
        std::map<std::size_t, std::size_t> chains;
        std::size_t sum = 0;
        for (const std::uint32_t k : keys) sum += ++chains[ww::meta::fnv1a(k) & (buckets - 1)];
        return sum;
      };
      if (length_with(capacity) > keys.size() && keys.size() > capacity / 2) capacity *= 4;
      REQUIRE(table.capacity() == capacity);
      REQUIRE(table.chain_length() == length_with(capacity));
      REQUIRE(table.entries() == keys.size());
    }
    for (std::uint32_t i = 0; i < 600; ++i) {
      REQUIRE(table.find(keys[i]) != nullptr);
      REQUIRE(*table.find(keys[i]) == static_cast<int>(i));
    }
    CHECK(table.find(0xffffffffu) == nullptr);
    table.insert(keys[7], -1);
    CHECK(*table.find(keys[7]) == -1);
    CHECK(table.entries() == 600);
    table.clear();
    CHECK(table.find(keys[7]) == nullptr);
    CHECK(table.entries() == 0);
  }
}

TEST_CASE("PLS-17: the threshold gate rejects everything until it is activated, then what lies above the ceiling") {
  c::threshold t;
  CHECK_FALSE(t.active());
  CHECK(t.ceiling() == 0.0);
  CHECK(t.rejects(-1.0));
  CHECK(t.rejects(0.0));
  CHECK(t.refine(5.0));
  CHECK_FALSE(t.rejects(5.0));
  CHECK_FALSE(t.rejects(4.0));
  CHECK(t.rejects(5.1));
  CHECK(t.refine(3.0));  // tightens
  CHECK(t.rejects(4.0));
  CHECK_FALSE(t.refine(4.0));  // never rises
  CHECK(t.ceiling() == 3.0);
  CHECK_FALSE(t.refine(3.0));
  t.reset();
  CHECK(t.rejects(0.0));
}

TEST_CASE("PLS-17: retry takes the first that only the threshold has rejected, else the first of all") {
  c::rejection_set<4> r;
  CHECK(r.empty());
  r.insert(7, c::verdict::pressure);
  CHECK(r.retry() == 7);
  r.insert(3, c::verdict::above_threshold);
  r.insert(1, c::verdict::above_threshold);
  CHECK(r.retry() == 3);
  r.insert(9, c::verdict::constraint);
  CHECK(r.full());
  CHECK(r[3] == 9);
  r.clear();
  r.insert(5, c::verdict::architecture);
  CHECK(r.retry() == 5);
}

TEST_CASE("PLS-17: with the gate inactive nothing is committed to the table, and retries finish the block") {
  opened<st_c> o(ww_test::random_block(4, 60));
  one_round(o);
  CHECK(o.ws.sequence.size() == 60);
  CHECK(o.ws.own.solutions.entries() == 0);
  CHECK(o.stats.postponed == 0);
}

TEST_CASE("PLS-17: an active gate commits what passes under its class, and postpones what does not") {
  block_builder k;
  k.add(sched_class::mufu, {k.d(5), k.a(21)});          // 0: score 10
  k.add(sched_class::alu, {k.d(6), k.a(22), k.b(22)});  // 1: score 0
  k.add(sched_class::fma, {k.d(7), k.a(23), k.b(23)});  // 2: score 0
  opened<st_c> o(k.finish());
  one_round(o, ceiling(10.0));
  CHECK(o.ws.sequence[0] == 0);
  CHECK(o.ws.own.solutions.entries() == 3);
  REQUIRE(o.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::mufu)) != nullptr);
  CHECK(*o.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::mufu)) == 10.0);

  opened<st_c> tight(o.p);
  one_round(tight, ceiling(9.0));
  CHECK(tight.ws.sequence[0] == 1);
  CHECK(tight.ws.own.solutions.entries() == 2);
  CHECK(tight.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::mufu)) == nullptr);
  CHECK(tight.stats.postponed > 0);
}

TEST_CASE("PLS-17: validation 1: the mode must be 5 or 6") {
  CHECK(c::mode_allows(c::entry_mode::post));
  CHECK(c::mode_allows(c::entry_mode::pre));
  CHECK_FALSE(c::mode_allows(c::entry_mode::fixed));
  CHECK_FALSE(c::mode_allows(static_cast<c::entry_mode>(4)));
  CHECK_FALSE(c::mode_allows(static_cast<c::entry_mode>(7)));
  block_builder k;
  k.add(sched_class::alu, {k.d(6), k.a(22), k.b(22)});
  k.add(sched_class::fma, {k.d(7), k.a(23), k.b(23)});
  ww::program p = k.finish();
  p.instructions[0].add(ww::iflag::fence);
  opened<st_c> o(p);
  one_round(o, ceiling(all));
  CHECK(o.ws.own.entries[0].mode == c::entry_mode::fixed);
  CHECK(o.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::alu)) == nullptr);
  CHECK(o.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::fma)) != nullptr);
}

TEST_CASE("PLS-17: fences, block ends, padding and unknown instructions have one place only") {
  for (const ww::iflag f : {ww::iflag::fence, ww::iflag::unknown, ww::iflag::ends_block, ww::iflag::padding}) {
    block_builder k;
    k.add(sched_class::alu, {k.d(6), k.a(22), k.b(22)});
    k.add(sched_class::fma, {k.d(7), k.a(23), k.b(23)});
    ww::program p = k.finish();
    p.instructions[1].add(f);
    opened<st_c> o(p);
    one_round(o);
    CHECK(o.ws.own.entries[0].mode == c::entry_mode::post);
    CHECK(o.ws.own.entries[1].mode == c::entry_mode::fixed);
  }
}

namespace {
struct no_fma {
  using role = ww::role::constraint;
  static constexpr const char* name = "no_fma";
  static constexpr unsigned patience = 255;
  template <class Arch>
  static bool admits(const ww::constraint::issue_view& next, const ww::constraint::issue_window&) {
    return next.ins->iclass != sched_class::fma;
  }
};
struct no_fma_twice : no_fma {
  static constexpr const char* name = "no_fma_twice";
  static constexpr unsigned patience = 2;
};
struct one_counter : tiny_arch {
  struct barriers : tiny_arch::barriers {
    static constexpr unsigned count = 1;
  };
};
}  // namespace

TEST_CASE("PLS-17: validation 1 asks the constraints of the composition, too") {
  block_builder k;
  k.add(sched_class::fma, {k.d(7), k.a(23), k.b(23)});
  k.add(sched_class::alu, {k.d(6), k.a(22), k.b(22)});
  opened<st_c, tiny_arch, no_fma> o(k.finish());
  one_round(o, ceiling(all));
  CHECK(o.ws.sequence[0] == 1);
  CHECK(o.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::fma)) == nullptr);
  opened<st_c> free(o.p);
  one_round(free, ceiling(all));
  CHECK(free.ws.sequence[0] == 0);
}

TEST_CASE("PLS-17: every refusal counts, until a constraint runs out of patience") {
  block_builder k;
  k.add(sched_class::fma, {k.d(1), k.a(23), k.b(23)});  // the best by its keys, from the start
  k.add(sched_class::fma, {k.d(1), k.a(1), k.b(1)});
  for (unsigned i = 0; i < 5; ++i) k.add(sched_class::imad, {k.d(6 + i), k.a(22), k.b(22)});  // of the same pipe
  opened<st_c, tiny_arch, no_fma_twice> o(k.finish());
  one_round(o, ceiling(all));
  const std::uint32_t wanted[] = {2, 3, 0};  // refused twice
  for (unsigned i = 0; i < 3; ++i) CHECK(o.ws.sequence[i] == wanted[i]);
}

TEST_CASE("PLS-17: validation 2: the dependency counters of the SM must suffice") {
  block_builder k;
  k.add(sched_class::ldg, {k.d(2), k.addr(0)});
  k.add(sched_class::mufu, {k.d(3), k.a(9)});
  k.add(sched_class::alu, {k.d(6), k.a(22), k.b(22)});
  opened<st_c, one_counter> o(k.finish());
  one_round(o, ceiling(all));
  CHECK(o.ws.sequence[1] == 2);  // the second result would need a second counter
  opened<st_c> six(o.p);
  one_round(six, ceiling(all));
  CHECK(six.ws.sequence[1] == 1);
}

TEST_CASE("PLS-17: validation 3: before allocation the pressure stays within the bound") {
  block_builder k;
  k.add(sched_class::ldg, {k.d(10), k.addr(0)});      // a new register
  k.add(sched_class::alu, {k.d(3), k.a(3), k.b(4)});  // ends R4
  k.add(sched_class::stg, {k.addr(0), k.data(3)});
  k.add(sched_class::stg, {k.addr(0), k.data(10)});
  ww::program p = k.finish();
  p.register_count = 5;  // 95 % of it: 4, what is live at the start
  opened<ww::strategy::backend_c_pre> o(p);
  one_round<c::pre_options>(o, ceiling(all));
  CHECK(o.ws.sequence[0] == 1);
  p.register_count = 6;
  opened<ww::strategy::backend_c_pre> roomy(p);
  one_round<c::pre_options>(roomy, ceiling(all));
  CHECK(roomy.ws.sequence[0] == 0);
  p.register_count = 2;  // more are live than may be: what adds nothing still passes
  opened<ww::strategy::backend_c_pre> over(p);
  one_round<c::pre_options>(over, ceiling(all));
  CHECK(over.ws.sequence[0] == 1);
  CHECK(over.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::alu)) != nullptr);
  CHECK(over.ws.own.solutions.find(static_cast<std::uint32_t>(sched_class::ldg)) == nullptr);
  p.register_count = 5;
  opened<st_c> post(p);
  one_round(post, ceiling(all));
  CHECK(post.ws.sequence[0] == 0);  // after allocation nothing can exceed the registers
}

TEST_CASE("PLS-17: before allocation mode is 6 and priorities are coarse, after it mode is 5") {
  const ww::program p = ww_test::random_block(3, 40);
  opened<ww::strategy::backend_c_pre> pre(p);
  one_round<c::pre_options>(pre);
  opened<st_c> post(p);
  one_round(post);
  for (std::size_t i = 0; i + 1 < 40; ++i) {
    REQUIRE(pre.ws.own.entries[i].mode == c::entry_mode::pre);
    REQUIRE(post.ws.own.entries[i].mode == c::entry_mode::post);
    REQUIRE(pre.ws.own.entries[i].priority == post.ws.own.entries[i].priority / 8);
  }
  CHECK(pre.ws.own.entries[39].mode == c::entry_mode::fixed);
}

namespace {
struct once : c::options {
  static constexpr unsigned refinements = 0;
};
struct once_c : ww::strategy::basic_backend_c<once> {};
struct tree_options : c::options {
  using queue = ww::ready_list::red_black_queue<ww::ready_list::three_rank>;
};
struct tree_c : ww::strategy::basic_backend_c<tree_options> {};
struct eager : c::options {
  static constexpr unsigned refinements = 6;
};
struct eager_c : ww::strategy::basic_backend_c<eager> {};
}  // namespace

TEST_CASE("PLS-17: only a better schedule is committed, and refinement finds some") {
  unsigned better = 0;
  unsigned committed = 0;
  for (std::uint32_t seed = 1; seed < 150; ++seed) {
    const ww::program p = ww_test::random_block(seed, 40 + seed % 60, {12 + seed % 20, true});
    opened<once_c, ww::sm80> plain(p);
    opened<st_c, ww::sm80> refined(p);
    opened<eager_c, ww::sm80> more(p);
    REQUIRE(plain.run());
    REQUIRE(refined.run());
    REQUIRE(more.run());
    const auto a = ww::detail::cycles_of(plain.ws, std::span<const std::uint32_t>(plain.ws.sequence));
    const auto b = ww::detail::cycles_of(refined.ws, std::span<const std::uint32_t>(refined.ws.sequence));
    const auto d = ww::detail::cycles_of(more.ws, std::span<const std::uint32_t>(more.ws.sequence));
    REQUIRE(b <= a);
    REQUIRE(d <= b);
    better += b < a ? 1u : 0u;
    committed += refined.ws.own.gate.active() ? 1u : 0u;
  }
  CHECK(better > 0);
  CHECK(committed > 50);  // the gate was activated from outside
}

TEST_CASE("PLS-17: the ceiling is the mean of all scores first, then the largest in the solution table") {
  unsigned tightened = 0;
  for (std::uint32_t seed = 1; seed < 1200; ++seed) {
    const ww::program p = ww_test::random_block(seed, 40 + seed % 60, {12 + seed % 20, true});
    opened<st_c, ww::sm80> o(p);
    // The search by hand: rounds as long as each is shorter than the one before.
    c::threshold gate;
    std::uint32_t best = one_round(o, gate);
    const std::uint32_t least = std::max(o.ws.graph.critical_path, o.ws.graph.count);
    for (unsigned round = 0; best > least; ++round) {
      double next = 0;
      if (round == 0) {
        for (const c::entry& e : o.ws.own.entries) next += e.score / static_cast<double>(o.ws.own.entries.size());
      } else {
        o.ws.own.solutions.each([&](std::uint32_t, double score) { next = std::max(next, score); });
      }
      if (!gate.refine(next) || round == c::options::refinements) break;
      tightened += round > 0 ? 1u : 0u;
      const std::uint32_t cycles = one_round(o, gate);
      if (cycles >= best) break;
      best = cycles;
    }
    opened<st_c, ww::sm80> searched(p);
    REQUIRE(searched.run());
    REQUIRE(searched.ws.own.gate.active() == gate.active());
    REQUIRE(searched.ws.own.gate.ceiling() == Approx(gate.ceiling()));
  }
  CHECK(tightened > 5);
}

TEST_CASE("PLS-17: the red-black tree and the fast queue give the same schedules") {
  for (std::uint32_t seed = 1; seed < 60; ++seed) {
    const ww::program p = ww_test::random_block(seed, 120);
    opened<tree_c, ww::sm90> a(p);
    opened<st_c, ww::sm90> b(p);
    REQUIRE(a.run());
    REQUIRE(b.run());
    REQUIRE(a.ws.sequence == b.ws.sequence);
  }
}

TEST_CASE("PLS-17: sums of the block: (priority - 2) * latency, and latency * pressure cost") {
  block_builder k;
  k.add(sched_class::fma, {k.d(4), k.a(2), k.b(3), k.c(4)});
  k.add(sched_class::stg, {k.addr(0), k.data(4)});
  opened<st_c> o(k.finish());
  REQUIRE(o.run());
  const auto& e = o.ws.own.entries;
  double weighted = 0;
  double pressure = 0;
  for (const c::entry& x : e) {
    weighted += (x.priority - 2) * x.latency;
    pressure += x.latency * x.pressure_cost;
  }
  CHECK(e[0].latency == Approx(1.25));
  CHECK(pressure == Approx(1.25 * 4 + e[1].latency * e[1].pressure_cost));
  CHECK(o.ws.own.records[ww::block_id{0}].weighted_latency == Approx(weighted));
  CHECK(o.ws.own.records[ww::block_id{0}].pressure_latency == Approx(pressure));
}

TEST_CASE("PLS-17: every order is legal, the end of the block stays, and the same input gives the same order") {
  for (std::uint32_t seed = 1; seed < 60; ++seed) {
    const ww::program before = ww_test::random_block(seed, 10 + seed * 3, {8 + seed, seed % 2 == 0});
    opened<st_c> o(before);
    opened<ww::strategy::backend_c_pre> pre(before);
    opened<ww::strategy::backend_bc> bc(before);
    const auto judge = [&](auto& x) {
      REQUIRE(x.run());
      ww::program after = before;
      for (std::size_t k = 0; k < x.ws.sequence.size(); ++k) after.order[k] = before.order[x.ws.sequence[k]];
      REQUIRE(ww_test::legal(before, after));
      const auto first = x.ws.sequence;
      x.open(ww::block_id{0});
      REQUIRE(x.run());
      REQUIRE(x.ws.sequence == first);
    };
    judge(o);
    judge(pre);
    judge(bc);
  }
}
