// SPDX-License-Identifier: BSL-1.0
//
// PS-2: both pick loops ask the constraints: what is refused waits, as often as the constraint has patience, and then goes.
#include <cstdint>
#include <vector>

#include "../support/catch.hpp"
#include "random_block.hpp"
#include "test_arch.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

using B = ww_test::block_builder;
using ww::sched_class;
using ww_test::tiny_arch;
namespace con = ww::constraint;
using indices = std::vector<std::uint32_t>;

// The earliest in source order, asked at each pick.
struct in_order {
  using role = ww::role::priority;
  static constexpr bool fixed_key = false;
  static constexpr ww::priority::verdict compare(const ww::priority::candidate& a, const ww::priority::candidate& b,
                                                 const ww::priority::pick_state&) {
    return {a.index < b.index, 0};
  }
  static constexpr const char* reason_name(unsigned) { return "source_order"; }
};

struct ordered {
  indices order;
  std::uint64_t postponed;
};
template <class... Policies>
ordered run(ww::program p) {
  using c = ww::config_of<tiny_arch, Policies...>;
  ww::schedule_workspace<c> ws;
  const ww::schedule_stats s = ww::schedule_block<c>(p, ww::block_id{0}, ws);
  CHECK(s.kept_blocks == 0);
  CHECK(s.violations == 0);
  ordered o{{}, s.postponed};
  for (const ww::instr_id i : p.order) o.order.push_back(i.index());
  return o;
}

// Source order is kept but for the constraint, by either loop.
template <class Constraint>
void check_order(const ww::program& p, const indices& with, std::uint64_t postponed) {
  INFO(Constraint::name);
  indices source;
  for (std::uint32_t i = 0; i < p.order.size(); ++i) source.push_back(i);
  using fixed = ww::priority::source_order<>;
  using per_pick = in_order;
  CHECK(run<fixed>(p).order == source);
  CHECK(run<per_pick>(p).order == source);
  const ordered a = run<fixed, Constraint>(p);
  CHECK(a.order == with);
  CHECK(a.postponed == postponed);
  const ordered b = run<per_pick, Constraint>(p);
  CHECK(b.order == with);
  CHECK(b.postponed == postponed);
}

// How often the instruction may be refused behind those before it.
template <class Constraint>
unsigned refusals(const ww::program& p, std::uint32_t at) {
  con::issue_window w;
  for (std::uint32_t i = 0; i < at; ++i) w.place(ww::detail::view_of<tiny_arch>(p, ww::instr_id{i}, i));
  const con::issue_view v = ww::detail::view_of<tiny_arch>(p, ww::instr_id{at}, at);
  unsigned n = 0;
  while (n < 100 && !con::admits_all<tiny_arch, ww::meta::type_list<Constraint>>(v, w, n)) ++n;
  return n;
}

}  // namespace

TEST_CASE("PS-2 bank limit: three sources of one bank wait for one pick") {
  B b;
  b.add(sched_class::fma, {B::d(1), B::a(2), B::b(4), B::c(6)});
  b.add(sched_class::fma, {B::d(3), B::a(2), B::b(9), B::c(7)});
  b.add(sched_class::fma, {B::d(11), B::a(8), B::b(9), B::c(7)});
  const ww::program p = b.finish();
  CHECK(refusals<con::bank_limit<>>(p, 0) == 1);
  CHECK(refusals<con::bank_limit<>>(p, 1) == 0);
  check_order<con::bank_limit<>>(p, {1, 0, 2}, 1);
}

TEST_CASE("PS-2 reuse limit: what throws a kept register away waits for one pick") {
  B b;
  b.add(sched_class::fma, {B::d(9), B::a(2).set(ww::operand::bit_reuse), B::b(21), B::c(23)});
  b.add(sched_class::fma, {B::d(11), B::a(4).set(ww::operand::bit_reuse), B::b(21), B::c(23)});
  b.add(sched_class::fma, {B::d(13), B::a(2), B::b(21), B::c(23)});
  const ww::program p = b.finish();
  CHECK(refusals<con::reuse_limit<>>(p, 1) == 1);
  CHECK(refusals<con::reuse_limit<>>(p, 0) == 0);
  check_order<con::reuse_limit<>>(p, {0, 2, 1}, 1);
}

TEST_CASE("PS-2 counters: what would open one group too many waits for four picks") {
  B b;
  b.add(sched_class::ldg, {B::d(10), B::addr(2)});
  b.add(sched_class::mufu, {B::d(13), B::a(3)});
  for (unsigned i = 0; i < 6; ++i) b.add(sched_class::fma, {B::d(20 + i), B::a(3), B::b(5), B::c(7)});
  const ww::program p = b.finish();
  CHECK(refusals<con::counters<1>>(p, 1) == 4);
  CHECK(refusals<con::counters<2>>(p, 1) == 0);
  check_order<con::counters<1>>(p, {0, 2, 3, 4, 5, 1, 6, 7}, 4);
}

TEST_CASE("PS-2 write distance: the second of two writes of a register waits for one pick") {
  B b;
  b.add(sched_class::alu, {B::d(30), B::a(20)});
  b.add(sched_class::fma, {B::d(31), B::a(20)});
  b.add(sched_class::fma, {B::d(4), B::a(20), B::b(21)});
  b.add(sched_class::fma, {B::d(4), B::a(22), B::b(23)});  // in cycle 4,
  b.add(sched_class::alu, {B::d(6), B::a(30)});            // as this one
  const ww::program p = b.finish();
  CHECK(refusals<con::write_distance>(p, 3) == 1);
  CHECK(refusals<con::write_distance>(p, 4) == 0);
  check_order<con::write_distance>(p, {0, 1, 2, 4, 3}, 1);
}
