// SPDX-License-Identifier: BSL-1.0
//
// Schedules as constants: the engine, the graph and the packers in constant expressions, and the same results at run time.
#include "warpwright/pipeline/constant.hpp"

#include "../support/catch.hpp"
#include "../support/constant_block.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/priority/all.hpp"
#include "warpwright/schedule/compose.hpp"

namespace {

using ww::operand;
using ww::R;
using ww::sched_class;
using ww::slot;
using ww_test::of;

constexpr ww::instruction load() { return ww_test::memory(sched_class::ldg, ww::mem_space::global, ww::mem_dir::load, 4); }

// Two chains that the source order runs one after the other, and a load that comes last.
constexpr auto two_chains() {
  ww::block_value<7> b;
  b.set(0, of(sched_class::fma), operand::def(R(10), slot::dst), operand::use(R(1), slot::a));
  b.set(1, of(sched_class::fma), operand::def(R(11), slot::dst), operand::use(R(10), slot::a));
  b.set(2, of(sched_class::fma), operand::def(R(12), slot::dst), operand::use(R(11), slot::a));
  b.set(3, of(sched_class::alu), operand::def(R(20), slot::dst), operand::use(R(2), slot::a));
  b.set(4, of(sched_class::alu), operand::def(R(21), slot::dst), operand::use(R(20), slot::a));
  b.set(5, load(), operand::def(R(30), slot::dst), operand::use(R(4), slot::address, 2));
  b.set(6, of(sched_class::fma), operand::def(R(31), slot::dst), operand::use(R(30), slot::a));
  return b;
}
constexpr auto chains = two_chains();

template <class... Ps>
using config = ww::config_of<ww::sm90, Ps...>;

constexpr auto listed = ww::schedule_block<config<>>(chains);
static_assert(!listed.failed);
static_assert(listed.cycles < listed.original_cycles);
static_assert(listed.order[0] == 5, "the load goes first: it has the longest way to go");
static_assert(listed.cycles >= listed.critical_cycles);

constexpr auto packed = ww::schedule_block<config<ww::priority::packed>>(chains);
static_assert(packed.cycles <= packed.original_cycles);
constexpr auto refined = ww::schedule_block<config<ww::priority::refined>>(chains);
static_assert(refined.cycles <= refined.original_cycles);
constexpr auto deep = ww::schedule_block<config<ww::strategy::depth_first>>(chains);
static_assert(!deep.failed);
constexpr auto kept = ww::schedule_block<config<ww::strategy::keep>>(chains);
static_assert(kept.order[6] == 6 && kept.cycles == kept.original_cycles);

// A block of 64: eight chains of eight, each an add of what came before.
constexpr auto eight_chains() {
  ww::block_value<64> b;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t chain = i / 8;
    const sched_class c = chain % 2 == 0 ? sched_class::alu : sched_class::fma;
    b.set(i, of(c), operand::def(R(100 + chain), slot::dst), operand::use(R(i % 8 == 0 ? chain : 100 + chain), slot::a));
  }
  return b;
}
constexpr auto wide = ww::schedule_block<config<>>(eight_chains());
static_assert(wide.cycles < wide.original_cycles);
static_assert(wide.cycles < 80, "64 instructions that hide each other's latency");

template <class Config, std::size_t N>
[[gnu::noinline]] ww::block_schedule<N> at_run_time(const ww::block_value<N>& b) {
  return ww::schedule_block<Config>(b);
}

}  // namespace

TEST_CASE("PLS-1 constant: what a constant expression gives is what the program gives") {
  CHECK(at_run_time<config<>>(chains).order == listed.order);
  CHECK(at_run_time<config<>>(chains).cycles == listed.cycles);
  CHECK(at_run_time<config<ww::priority::packed>>(chains).order == packed.order);
  CHECK(at_run_time<config<ww::priority::refined>>(chains).order == refined.order);
  CHECK(at_run_time<config<ww::strategy::depth_first>>(chains).order == deep.order);
  CHECK(at_run_time<config<>>(eight_chains()).order == wide.order);
  CHECK(at_run_time<config<>>(eight_chains()).cycles < 80);
}
