// SPDX-License-Identifier: BSL-1.0
//
// A workspace that has seen the largest program allocates nothing for smaller ones, whatever these are made of.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <warpwright/tools.hpp>

#include "../support/catch.hpp"
#include "../support/counted_allocations.hpp"
#include "../support/slow.hpp"

namespace {

using o = ww::operand;
using ww::opcode;
using ww::slot;

constexpr unsigned every_kind = 0x1ff;

struct shape {
  unsigned blocks = 1;
  unsigned length = 10;         // instructions of each block
  unsigned kinds = every_kind;  // of instructions, bit by bit
  unsigned registers = 28;
  bool loops = true;
};

ww::program random_program(unsigned seed, const shape& s) {
  std::mt19937 random(seed);
  const auto roll = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto any = [&](unsigned width) { return ww::R(roll(s.registers / width) * width); };
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  const auto load = [&](ww::reg to, ww::reg from) {
    b.emit(opcode::ldg, {o::def(to, slot::dst), o::use(from, slot::address, 2), o::use(ww::UR(4), slot::desc, 2)})
        .memory(ww::mem_space::global, ww::mem_dir::load, 4, static_cast<int>(roll(8) * 4));
  };
  const auto add = [&](ww::reg to) {
    b.emit(opcode::fadd, {o::def(to, slot::dst), o::use(any(1), slot::a), o::use(any(1), slot::b)});
  };
  for (unsigned at = 0; at < s.blocks; ++at) {
    b.label("b" + std::to_string(at));
    for (unsigned i = 0; i < s.length; ++i) {
      unsigned kind = roll(9);
      while ((s.kinds >> kind & 1u) == 0) kind = (kind + 1) % 9;
      switch (kind) {
        case 0:
          add(any(1));
          break;
        case 1:
          b.emit(opcode::imad, {o::def(any(2), slot::dst, 2), o::use(any(1), slot::a), o::use(any(1), slot::b),
                                o::use(any(2), slot::c, 2)});
          break;
        case 2:
          load(any(1), any(2));
          break;
        case 3:
          b.emit(opcode::stg,
                 {o::use(any(2), slot::address, 2), o::use(ww::UR(4), slot::desc, 2), o::use(any(1), slot::data)})
              .memory(ww::mem_space::global, ww::mem_dir::store, 4, static_cast<int>(roll(8) * 4));
          break;
        case 4:
          b.emit(opcode::mufu, {o::def(any(1), slot::dst), o::use(any(1), slot::b)});
          break;
        case 5:
          b.emit(opcode::isetp, {o::def(ww::P(roll(6)), slot::pdst), o::use(any(1), slot::a), o::use(any(1), slot::b),
                                 o::use(ww::P(roll(6)), slot::psrc)});
          break;
        case 6:
          b.emit(opcode::lds, {o::def(any(1), slot::dst), o::use(any(1), slot::address)})
              .memory(ww::mem_space::shared, ww::mem_dir::load, 4, static_cast<int>(roll(8) * 4));
          break;
        case 7:
          b.emit(opcode::dadd, {o::def(any(2), slot::dst, 2), o::use(any(2), slot::a, 2), o::use(any(2), slot::c, 2)});
          break;
        default:
          b.emit(opcode::sts, {o::use(any(1), slot::address), o::use(any(1), slot::data)})
              .memory(ww::mem_space::shared, ww::mem_dir::store, 4, static_cast<int>(roll(8) * 4));
      }
    }
    if (at + 1 == s.blocks || !s.loops) continue;
    b.emit(opcode::bra, {o::use(ww::P(roll(6)), slot::guard)}).to("b" + std::to_string(roll(s.blocks)));
  }
  b.emit(opcode::exit, {});
  ww::program p = b.finish();
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

// Runs of `programs`, each as it came, that allocate anything.
template <class Scheduler>
std::size_t allocating_runs(const std::vector<ww::program>& programs, typename Scheduler::workspace& ws) {
  std::size_t runs = 0;
  for (const ww::program& came : programs) {
    ww::program p = came;
    const std::size_t before = allocations;
    const ww::schedule_result r = Scheduler{}.run(p, ws);
    runs += allocations != before ? 1u : 0u;
    CHECK(r.proved);
  }
  return runs;
}
template <class Scheduler>
std::size_t allocating_runs_behind(const ww::program& large, const std::vector<ww::program>& small) {
  typename Scheduler::workspace ws;
  CHECK(allocating_runs<Scheduler>({large}, ws) == 1);
  return allocating_runs<Scheduler>(small, ws);
}

// Of every mix of kinds.
std::vector<ww::program> small_programs(unsigned blocks, unsigned length) {
  std::vector<ww::program> programs;
  std::mt19937 random(7);
  const auto roll = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned k = 0; k < 60; ++k) {
    if (!ww_test::chosen(k, 4)) continue;
    programs.push_back(
        random_program(100 + k, {1 + roll(blocks), 1 + roll(length), 1 + roll(every_kind), 8 + 2 * roll(11)}));
  }
  return programs;
}

}  // namespace

TEST_CASE("PLS-1 behind the largest program smaller ones of other kinds allocate nothing") {
  const std::vector<ww::program> small = small_programs(1, 400);
  for (const unsigned kinds : {every_kind, 0x25u}) {  // additions, loads from global memory and comparisons alone
    const ww::program large = random_program(1, {.length = 3000, .kinds = kinds});
    CHECK(allocating_runs_behind<ww::scheduler<ww::sm90>>(large, small) == 0);
    CHECK(allocating_runs_behind<ww::scheduler<ww::sm90, ww::priority::refined>>(large, small) == 0);
  }
  const ww::program large = random_program(1, {.length = 1500});
  CHECK(allocating_runs_behind<ww::scheduler<ww::sm90, ww::base_offset, ww::pairwise>>(large, small) == 0);
}

TEST_CASE("PLS-1 programs with branches that have been seen allocate nothing in any order") {
  std::vector<ww::program> programs = small_programs(10, 60);
  ww::scheduler<ww::sm90>::workspace ws;
  CHECK(allocating_runs<ww::scheduler<ww::sm90>>(programs, ws) != 0);
  std::mt19937 random(3);
  for (int round = 0; round < 3; ++round) {
    CHECK(allocating_runs<ww::scheduler<ww::sm90>>(programs, ws) == 0);
    std::shuffle(programs.begin(), programs.end(), random);
  }
}
