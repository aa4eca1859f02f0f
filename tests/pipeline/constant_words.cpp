// SPDX-License-Identifier: BSL-1.0
//
// Control words as constants: what a block must have by the rules, on several SMs, as static assertions; and that a constant
// expression makes the words that the program makes at run time.
#include "warpwright/pipeline/constant.hpp"

#include "../support/catch.hpp"
#include "../support/constant_block.hpp"
#include "../support/constant_tile.hpp"
#include "warpwright/arch/sm100.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

using ww::control;
using ww::operand;
using ww::P;
using ww::R;
using ww::sched_class;
using ww::slot;
using ww_test::bar;
using ww_test::guarded;
using ww_test::ldg;
using ww_test::lds;
using ww_test::of;
using ww_test::stg;
using ww_test::sts;
using ww_test::tile;

constexpr ww::instruction keeps_operands(sched_class c) {
  ww::instruction i = of(c);
  i.add(ww::iflag::reuse_legal);
  return i;
}
constexpr operand at_port(operand o, unsigned port) { return o.set(port << 22); }

template <class Arch, class... Ps>
using as_given = ww::scheduler<Arch, ww::strategy::keep, Ps...>;

template <class Arch, std::size_t N>
constexpr ww::block_schedule<N> words_of(const ww::block_value<N>& b) {
  return ww::schedule_block<as_given<Arch>>(b);
}

// Cycles from a result in a general register to its reader, by the page of the SM.
template <class Arch>
constexpr unsigned distance_of(sched_class writer, sched_class reader, slot where) {
  return Arch::latency::raw({writer, slot::dst, ww::reg_file::r, 0, false}, {reader, where, ww::reg_file::r, 0, false}).emit;
}

// Runs the checks of `Check<Arch>` on four generations.
template <template <class> class Check>
constexpr bool everywhere = Check<ww::sm75>::ok&& Check<ww::sm80>::ok&& Check<ww::sm90>::ok&& Check<ww::sm100>::ok;

// A load and its consumer: the load raises a counter, the consumer waits for it and for nothing else.
constexpr auto load_and_use = ww::block_value<2>{}
                                  .set(0, ldg(), operand::def(R(4), slot::dst), operand::use(R(2), slot::address, 2))
                                  .set(1, of(sched_class::fma), operand::def(R(5), slot::dst), operand::use(R(4), slot::a));
template <class Arch>
struct loads {
  static constexpr auto s = words_of<Arch>(load_and_use);
  static constexpr bool ok = !s.failed && s.words[0].sets_write() && !s.words[0].sets_read() && s.words[0].wait_mask == 0 &&
                             s.words[1].wait_mask == 1u << s.words[0].write_barrier &&
                             s.words[0].stall >= Arch::barriers::set_to_wait && !s.words[1].sets_write() &&
                             s.stall_cycles == s.words[0].stall + std::uint64_t{s.words[1].stall};
};
static_assert(everywhere<loads>);

// Numbers make no difference: virtual registers have units too.
constexpr unsigned far = ww::reg::first_virtual;
constexpr auto virtual_load =
    ww::block_value<2>{}
        .set(0, ldg(), operand::def(R(far), slot::dst), operand::use(R(2), slot::address, 2))
        .set(1, of(sched_class::fma), operand::def(R(far + 1), slot::dst), operand::use(R(far), slot::a));
static_assert(words_of<ww::sm80>(virtual_load).words == loads<ww::sm80>::s.words);

// What nobody in the block needs has landed when it ends: the last instruction waits for it.
constexpr auto left_behind = ww::block_value<3>{}
                                 .set(0, ldg(), operand::def(R(4), slot::dst), operand::use(R(2), slot::address, 2))
                                 .set(1, of(sched_class::alu), operand::def(R(5), slot::dst), operand::use(R(6), slot::a))
                                 .set(2, of(sched_class::fma), operand::def(R(7), slot::dst), operand::use(R(8), slot::a));
template <class Arch>
struct ends {
  static constexpr auto s = words_of<Arch>(left_behind);
  static constexpr unsigned landed = Arch::latency::max_fixed;
  static constexpr bool ok =
      s.words[0].sets_write() && s.words[1].wait_mask == 0 && (s.words[2].wait_mask >> s.words[0].write_barrier & 1u) != 0 &&
      s.words[2].stall >= distance_of<Arch>(sched_class::fma, sched_class::fma, slot::a) && s.words[2].stall <= landed;
};
static_assert(everywhere<ends>);

// A result of fixed latency and its reader: the distance on the page of the SM is the stall, and the yield form covers it.
constexpr auto fixed_pair = ww::block_value<2>{}
                                .set(0, of(sched_class::alu), operand::def(R(4), slot::dst), operand::use(R(2), slot::a))
                                .set(1, of(sched_class::fma), operand::def(R(5), slot::dst), operand::use(R(4), slot::b));
template <class Arch>
struct pairs {
  static constexpr unsigned distance = distance_of<Arch>(sched_class::alu, sched_class::fma, slot::b);
  static constexpr auto s = words_of<Arch>(fixed_pair);
  static constexpr bool ok = distance > 1 && s.words[0].stall == distance&& s.words[0].yield == (distance >= 3) &&
                             s.words[0].wait_mask == 0 && s.words[1].wait_mask == 0 && !s.words[0].sets_write();
};
static_assert(everywhere<pairs>);
// ... and a safety margin makes it longer.
static_assert(ww::schedule_block<as_given<ww::sm90, ww::safety_margin<2>>>(fixed_pair).words[0].stall ==
              pairs<ww::sm90>::distance + 2);

// A store reads its data late: overwriting it waits for a read counter.
constexpr auto late_source = ww::block_value<2>{}
                                 .set(0, stg(), operand::use(R(2), slot::address, 2), operand::use(R(4), slot::data))
                                 .set(1, of(sched_class::alu), operand::def(R(4), slot::dst), operand::use(R(5), slot::a));
template <class Arch>
struct late_sources {
  static constexpr auto s = words_of<Arch>(late_source);
  static constexpr bool ok = s.words[0].sets_read() && !s.words[0].sets_write() &&
                             s.words[1].wait_mask == 1u << s.words[0].read_barrier && !s.words[1].sets_read();
};
static_assert(everywhere<late_sources>);

// Eight loads with a consumer each and six counters: all of them raise one, at least two are shared, and each consumer waits
// for that of its load.
constexpr auto make_eight_loads() {
  ww::block_value<16> b;
  for (unsigned i = 0; i < 8; ++i) {
    b.set(i, ldg(), operand::def(R(10 + i), slot::dst), operand::use(R(2), slot::address, 2));
    b.set(8 + i, of(sched_class::fma), operand::def(R(20 + i), slot::dst), operand::use(R(10 + i), slot::a));
  }
  return b;
}
constexpr auto eight_loads = make_eight_loads();
template <class Arch>
struct shared_counters {
  static constexpr auto s = words_of<Arch>(eight_loads);
  static constexpr bool all_covered() {
    unsigned waited = 0;  // counters waited for so far
    for (unsigned i = 0; i < 8; ++i) {
      if (!s.words[i].sets_write() || s.words[i].write_barrier >= control::barrier_count) return false;
      if (s.words[i].wait_mask != 0) return false;  // shared, not taken away
      waited |= s.words[8 + i].wait_mask;
      if ((waited >> s.words[i].write_barrier & 1u) == 0) return false;
    }
    return true;
  }
  static constexpr bool ok = all_covered();
};
static_assert(everywhere<shared_counters>);
// The policy of the slot is asked: one that takes a busy counter makes its new producer wait.
constexpr bool some_load_waits(const ww::block_schedule<16>& s) {
  for (unsigned i = 0; i < 8; ++i) {
    if (s.words[i].wait_mask != 0) return true;
  }
  return false;
}
static_assert(some_load_waits(ww::schedule_block<as_given<ww::sm80, ww::barriers::evict_oldest>>(eight_loads)));

// A BAR between a store and a load of shared memory has no counter; the end of the block waits for what is outstanding.
constexpr auto around_bar = ww::block_value<4>{}
                                .set(0, sts(), operand::use(R(3), slot::address), operand::use(R(4), slot::data))
                                .set(1, bar())
                                .set(2, lds(), operand::def(R(5), slot::dst), operand::use(R(6), slot::address))
                                .set(3, of(sched_class::alu), operand::def(R(7), slot::dst), operand::use(R(8), slot::a));
template <class Arch>
struct barriers_between {
  static constexpr auto s = ww::schedule_block<ww::scheduler<Arch>>(around_bar);
  static constexpr std::uint32_t place_of(std::uint32_t i) {
    std::uint32_t k = 0;
    while (s.order[k] != i) ++k;
    return k;
  }
  static constexpr control bar_word = s.words[place_of(1)];
  static constexpr bool ok = place_of(0) < place_of(1) && place_of(1) < place_of(2) && !bar_word.sets_write() &&
                             !bar_word.sets_read() && bar_word.stall >= Arch::pipes::min_stall(sched_class::bar) &&
                             (place_of(2) == 3 || (s.words[3].wait_mask >> s.words[place_of(2)].write_barrier & 1u) != 0);
};
static_assert(everywhere<barriers_between>);

// A predicate that is read as a guard: its distance is longer than that of an operand, and a second predicate in between
// takes part of it.
constexpr auto predicates =
    ww::block_value<4>{}
        .set(0, of(sched_class::setp), operand::def(P(0), slot::pdst), operand::use(R(1), slot::a))
        .set(1, of(sched_class::plop3), operand::def(P(1), slot::pdst), operand::use(P(0), slot::psrc))
        .set(2, guarded(sched_class::alu), operand::def(R(4), slot::dst), operand::use(R(5), slot::a),
             operand::use(P(1), slot::guard))
        .set(3, guarded(sched_class::fma), operand::def(R(4), slot::dst), operand::use(R(6), slot::a),
             operand::use(P(0), slot::guard));
template <class Arch>
struct predicate_chain {
  static constexpr unsigned raw(sched_class w, sched_class r, slot where) {
    return Arch::latency::raw({w, slot::pdst, ww::reg_file::p, 0, false},
                              {r, where, ww::reg_file::p, 0, where == slot::guard})
        .emit;
  }
  static constexpr auto s = words_of<Arch>(predicates);
  static constexpr bool ok = s.words[0].stall == raw(sched_class::setp, sched_class::plop3, slot::psrc) &&
                             s.words[1].stall == raw(sched_class::plop3, sched_class::alu, slot::guard) &&
                             s.words[1].stall >= 8 && s.words[2].wait_mask == 0 && s.words[3].wait_mask == 0;
};
static_assert(everywhere<predicate_chain>);

// Two readers of one register through one port: the first keeps it for the second.
constexpr auto same_operand = ww::block_value<3>{}
                                  .set(0, keeps_operands(sched_class::fma), operand::def(R(4), slot::dst),
                                       at_port(operand::use(R(1), slot::a), 1), at_port(operand::use(R(2), slot::b), 2))
                                  .set(1, keeps_operands(sched_class::fma), operand::def(R(5), slot::dst),
                                       at_port(operand::use(R(1), slot::a), 1), at_port(operand::use(R(3), slot::b), 2))
                                  .set(2, keeps_operands(sched_class::fma), operand::def(R(6), slot::dst),
                                       at_port(operand::use(R(7), slot::a), 1), at_port(operand::use(R(3), slot::b), 2));
template <class Arch>
struct kept_operands {
  static constexpr auto s = words_of<Arch>(same_operand);
  static constexpr bool ok = s.words[0].reuse == 1 && s.words[1].reuse == 2 && s.words[2].reuse == 0;
};
static_assert(everywhere<kept_operands>);
static_assert(ww::schedule_block<as_given<ww::sm90, ww::reuse::clear>>(same_operand).words[0].reuse == 0);

// A distance that no stall can hold, with nothing in between to share it: the producer drains.
static_assert(ww::schedule_block<as_given<ww::sm90, ww::safety_margin<14>>>(fixed_pair).words[0].drains());

template <class Arch>
struct tiles {
  static constexpr auto s = ww::schedule_block<ww::scheduler<Arch>>(tile);
  static constexpr bool ok = !s.failed && s.cycles < s.original_cycles && s.stall_cycles >= 64;
};
static_assert(everywhere<tiles>, "64 instructions fit the limits that the compilers come with");

// Blocks of anything, from a small generator of numbers.
constexpr auto make_random_block(std::uint32_t seed) {
  ww::block_value<20> b;
  const auto next = [&](std::uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % below;
  };
  for (unsigned i = 0; i < 20; ++i) {
    const std::uint32_t kind = next(12);
    const std::uint32_t d = 4 * next(4);
    const std::uint32_t x = next(18);
    const std::uint32_t y = next(18);
    const operand to = operand::def(R(d), slot::dst);
    const operand a = at_port(operand::use(R(x), slot::a), 1);
    const operand c = at_port(operand::use(R(y), slot::b), 2);
    const operand where = operand::use(R(16), slot::address, 2);
    const operand guard = operand::use(P(y % 3), slot::guard);
    switch (kind) {
      case 0:
        b.set(i, ldg(4), operand::def(R(d), slot::dst, 4), where);
        break;
      case 1:
        b.set(i, stg(2), where, operand::use(R(d), slot::data, 2));
        break;
      case 2:
        b.set(i, lds(), to, operand::use(R(x), slot::address));
        break;
      case 3:
        b.set(i, sts(), operand::use(R(x), slot::address), operand::use(R(y), slot::data));
        break;
      case 4:
        b.set(i, of(sched_class::mufu), to, a);
        break;
      case 5:
        b.set(i, of(sched_class::setp), operand::def(P(x % 3), slot::pdst), a, c);
        break;
      case 6:
        b.set(i, guarded(sched_class::alu), to, a, guard);
        break;
      case 7:
        b.set(i, of(sched_class::imad_wide), operand::def(R(d), slot::dst, 2), a, c);
        break;
      case 8:
        b.set(i, of(x % 2 == 0 ? sched_class::r2ur : sched_class::uldc), operand::def(ww::UR(4 + y % 2), slot::dst));
        break;
      case 9:
        b.set(i, of(sched_class::alu), to, a, operand::use(ww::UR(4 + x % 2), slot::b));
        break;
      case 10:
        b.set(i, of(sched_class::ualu), operand::def(ww::UR(6), slot::dst), operand::use(ww::UR(4 + x % 2), slot::a));
        break;
      default:
        b.set(i, keeps_operands(sched_class::fma), to, a, c);
        break;
    }
  }
  return b;
}
template <std::uint32_t Seed>
constexpr auto random_block = make_random_block(Seed);
template <class Arch, std::uint32_t Seed>
constexpr auto random_constant = ww::schedule_block<ww::scheduler<Arch>>(random_block<Seed>);

// A uniform register that is overwritten by an instruction of another path: three cycles behind its reader on every SM, over
// an instruction in between.
constexpr auto overwritten_uniform =
    ww::block_value<3>{}
        .set(0, of(sched_class::ualu), operand::def(ww::UR(6), slot::dst), operand::use(ww::UR(4), slot::a))
        .set(1, of(sched_class::alu), operand::def(R(4), slot::dst), operand::use(R(5), slot::a))
        .set(2, of(sched_class::uldc), operand::def(ww::UR(4), slot::dst));
template <class Arch>
constexpr auto words_overwritten = ww::schedule_block<as_given<Arch>>(overwritten_uniform);
template <class Arch>
struct overwritten_uniforms {
  static constexpr auto& s = words_overwritten<Arch>;
  static constexpr bool ok = s.words[0].stall + s.words[1].stall == 3;
};
static_assert(everywhere<overwritten_uniforms>);

// The same at run time, by the calls that a program would make; and what the checker says of it.
struct made_at_run_time {
  ww::vec<std::uint32_t> order;
  ww::vec<control> words;
  std::uint64_t cycles = 0;
  std::uint64_t stall_cycles = 0;
  std::size_t errors = 0;
};
template <class Config>
[[gnu::noinline]] made_at_run_time at_run_time(ww::program p) {
  using arch = ww::with_margin<typename Config::arch, typename Config::margin>;
  made_at_run_time made;
  ww::schedule_workspace<Config> engine;
  made.cycles = ww::schedule_blocks<Config>(p, engine).planned_cycles;
  ww::scoreboard::workspace space;
  const auto assigned = ww::scoreboard::assign_control<arch, typename Config::barrier_policy, typename Config::yield_policy,
                                                       typename Config::reuse_policy>(p, space);
  made.stall_cycles = assigned.stall_cycles;
  for (const ww::instr_id id : p.order) {
    made.order.push_back(id.index());
    made.words.push_back(p[id].ctl);
  }
  made.errors = ww::verify::check<typename Config::arch>(p, {.lints = false}).errors();  // no path has written the sources
  return made;
}

template <class Sched, std::size_t N>
void same_at_run_time(const ww::block_value<N>& b, const ww::block_schedule<N>& constant) {
  const made_at_run_time made = at_run_time<typename Sched::config>(b.code());
  const bool same_order = made.order == constant.order;
  const bool same_words = made.words == constant.words;
  INFO("of " << N << " instructions");
  CHECK(same_order);
  CHECK(same_words);
  CHECK(made.cycles == constant.cycles);
  CHECK(made.stall_cycles == constant.stall_cycles);
  CHECK(made.errors == 0);
}

template <class Arch>
void same_everything() {
  INFO(Arch::name);
  using sched = ww::scheduler<Arch>;
  same_at_run_time<as_given<Arch>>(load_and_use, loads<Arch>::s);
  same_at_run_time<as_given<Arch>>(fixed_pair, pairs<Arch>::s);
  same_at_run_time<as_given<Arch>>(late_source, late_sources<Arch>::s);
  same_at_run_time<as_given<Arch>>(eight_loads, shared_counters<Arch>::s);
  same_at_run_time<as_given<Arch>>(predicates, predicate_chain<Arch>::s);
  same_at_run_time<as_given<Arch>>(same_operand, kept_operands<Arch>::s);
  same_at_run_time<sched>(around_bar, barriers_between<Arch>::s);
  same_at_run_time<sched>(tile, tiles<Arch>::s);
  same_at_run_time<sched>(random_block<1>, random_constant<Arch, 1>);
  same_at_run_time<sched>(random_block<2>, random_constant<Arch, 2>);
  same_at_run_time<sched>(random_block<3>, random_constant<Arch, 3>);
  same_at_run_time<as_given<Arch>>(overwritten_uniform, words_overwritten<Arch>);
}

}  // namespace

TEST_CASE("SB-7 constant: words of a constant expression are those of the program, and the checker finds nothing") {
  same_everything<ww::sm75>();
  same_everything<ww::sm90>();
}

TEST_CASE("SB-7 constant: policies of the scheduler's slots make the words") {
  using evicting = as_given<ww::sm80, ww::barriers::evict_oldest, ww::yields::stay, ww::reuse::clear, ww::safety_margin<1>>;
  constexpr auto s = ww::schedule_block<evicting>(eight_loads);
  same_at_run_time<evicting>(eight_loads, s);
}
