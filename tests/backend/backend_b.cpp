// SPDX-License-Identifier: BSL-1.0
//
// Backend B, rule by rule. Numbers in these tests are worked out by hand from the rules of the reference text.
#include <string>

#include "../support/catch.hpp"
#include "support.hpp"

namespace {

using ww_test::Approx;
using ww_test::block_builder;
using ww_test::opened;
namespace b = ww::backend::b;
using ww::sched_class;

struct narrow : b::options {
  template <class Arch>
  static constexpr b::register_range range() {
    return {2, 102};
  }
};
struct narrow_b : ww::strategy::basic_backend_b<narrow> {
  static constexpr const char* name = "narrow_b";
};

struct roomy : b::options {
  template <class Arch>
  static constexpr b::register_range range() {
    return {50, 100};
  }
};
struct roomy_b : ww::strategy::basic_backend_b<roomy> {};

// `links` instructions R1 = R1 + R1, and `passing` registers that are live from end to end.
ww::program chain(unsigned links, unsigned passing) {
  block_builder k;
  for (unsigned i = 0; i < links; ++i) k.add(sched_class::alu, {k.d(1), k.a(1), k.b(1)});
  // Control leaves to unknown code, so that every register up to the largest named one is live: R0 and R1 and what passes.
  k.add(sched_class::alu, {k.d(1), k.a(1), k.b(passing + 1)});
  ww::program p = k.finish();
  p.blocks[0].open_exit = true;
  return p;
}

template <class Pass>
void run_forward(Pass& o) {
  o.ws.own.live.start(o.p, o.ws.at, o.order());
  b::forward_pass<ww_test::tiny_arch, narrow> pass(o.p, o.order(), o.ws, o.ws.own, o.stats);
  REQUIRE(pass.run());
}

}  // namespace

TEST_CASE("PLS-16: the weights of pair 1 are 1.8 and -0.8, of pair 2 3.2 and -2.2") {
  CHECK(b::text_weights::pressure_weight == 1.8);
  CHECK(b::text_weights::ilp_weight == -0.8);
  CHECK(b::text_weights::forward_weight == 3.2);
  CHECK(b::text_weights::backward_penalty == -2.2);
}

TEST_CASE("PLS-16: the complement rule: the weights of a pair add up to one") {
  CHECK(b::complement(1.8) == Approx(-0.8));
  CHECK(b::complement(3.2) == Approx(-2.2));
  CHECK(b::own_weights<1500, 2500>::pressure_weight == Approx(1.5));
  CHECK(b::own_weights<1500, 2500>::ilp_weight == Approx(-0.5));
  CHECK(b::own_weights<1500, 2500>::forward_weight == Approx(2.5));
  CHECK(b::own_weights<1500, 2500>::backward_penalty == Approx(-1.5));
}

TEST_CASE("PLS-16: slopes are the second weights divided by the register range") {
  const b::score<> s({30, 253});
  CHECK(s.pressure_slope() == Approx(-0.8 / 223));
  CHECK(s.secondary_slope() == Approx(-2.2 / 223));
  const b::score<> degenerate({40, 40});
  CHECK(degenerate.pressure_slope() == Approx(-0.8));
}

TEST_CASE("PLS-16: the range of an SM: all warps resident, reserved registers left out, up to what a thread can name") {
  const auto r80 = b::options::range<ww::sm80>();
  CHECK(r80.least == 30);  // 64 warps of 32 registers, 2 reserved
  CHECK(r80.most == 253);
  const auto r86 = b::options::range<ww::sm86>();
  CHECK(r86.least == 38);  // 48 warps of 40 registers
}

TEST_CASE("PLS-16: score of pair 1 is P * (slope * (P - min) + weight)") {
  const b::score<> s({20, 120});
  CHECK(s.first(70) == Approx(98.0));    // 70 * (1.8 - 0.008 * 50)
  CHECK(s.first(20) == Approx(36.0));    // 20 * 1.8
  CHECK(s.first(120) == Approx(120.0));  // 120 * 1.0
}

TEST_CASE("PLS-16: score of pair 2 is rounded down") {
  const b::score<> s({20, 120});
  CHECK(s.second(70) == 147.0);  // 70 * (3.2 - 0.022 * 50) = 147
  CHECK(s.second(33) == 96.0);   // 33 * (3.2 - 0.022 * 13) = 96.162
  CHECK(s.second(120) == 120.0);
}

TEST_CASE("PLS-16: at or below min pressure is accepted unconditionally") {
  const b::score<> s({20, 120});
  CHECK(s.accepts_forward(20, 0));
  CHECK(s.accepts_backward(20, 0, 0));
  CHECK_FALSE(s.accepts_forward(21, 0));
  CHECK_FALSE(s.accepts_backward(21, 0, 0));
}

TEST_CASE("PLS-16: the forward gate accepts above the score of pair 1, not on it") {
  const b::score<> s({20, 120});
  CHECK_FALSE(s.accepts_forward(70, 27.9));
  CHECK(s.accepts_forward(70, 28.1));
  const b::score<b::own_weights<1500>> even({4, 104});  // 4 is free; 54 * (1.5 - 0.005 * 50) = 67.5
  CHECK_FALSE(even.accepts_forward(54, 13.5));
  CHECK(even.accepts_forward(54, 14));
}

TEST_CASE("PLS-16: the backward gate asks both pairs, with the accumulated count in the second") {
  const b::score<> s({20, 120});
  CHECK_FALSE(s.accepts_backward(70, 29, 48));  // 147 on the score of pair 2
  CHECK(s.accepts_backward(70, 29, 49));
  CHECK_FALSE(s.accepts_backward(70, 27, 1000));  // pair 1 refuses
}

TEST_CASE("PLS-16: the other gate, by policy, accepts up to the score") {
  const b::score<b::text_weights, b::within_score> s({20, 120});
  CHECK(s.accepts_forward(70, 27.9));
  CHECK_FALSE(s.accepts_forward(70, 28.1));
}

TEST_CASE("PLS-16: depth is the population of the registers that only pass through") {
  opened<narrow_b> o(chain(20, 9));
  o.ws.own.live.start(o.p, o.ws.at, o.order());
  CHECK(o.ws.own.live.general(o.ws.own.live.in) == 11);  // R0 to R10
  CHECK(o.ws.own.live.general(o.ws.own.live.out) == 11);
  CHECK(o.ws.own.live.general(o.ws.own.live.through) == 9);  // all but R1 and R10
}

TEST_CASE("PLS-16: the forward pass is gated by P plus depth") {
  // P is passing + 2 at every pick. Pair 1 with the range 2..102: P * (1.8 - 0.008 * (P - 2)).
  // passing 8: 10 + 8 > 17.36; with one register of those touched, 10 + 7 is not.
  opened<narrow_b> wide(chain(20, 8));
  run_forward(wide);
  CHECK(wide.ws.own.live.general(wide.ws.own.live.through) == 8);
  CHECK(wide.stats.violations == 0);
  CHECK(wide.stats.postponed == 0);

  ww::program p = chain(20, 8);
  block_builder k;
  k.p = p;
  k.p.order.clear();
  k.p.instructions.clear();
  k.p.operands.clear();
  for (unsigned i = 0; i < 20; ++i) k.add(sched_class::alu, {k.d(1), k.a(1), k.b(1)});
  k.add(sched_class::alu, {k.d(1), k.a(9), k.b(8)});
  ww::program q = k.finish();
  q.blocks[0].open_exit = true;
  opened<narrow_b> tight(q);
  run_forward(tight);
  CHECK(tight.ws.own.live.general(tight.ws.own.live.through) == 7);
  CHECK(tight.stats.violations == 20);  // all but the end of R1's life are refused, and placed all the same
}

TEST_CASE("PLS-16: the backward pass's count relaxes the second gate with every placed instruction") {
  // P 11, depth 9: pair 1 is 11 * (1.8 - 0.072) = 19.008 below 20; pair 2 floor(11 * (3.2 - 0.022 * 9)) = floor(33.022).
  // 20 + count > 33 from count 14 on: the first 14 picks are forced.
  opened<narrow_b> o(chain(30, 9));
  run_forward(o);
  CHECK(o.stats.violations == 0);
  b::backward_pass<ww_test::tiny_arch, narrow> back(o.p, o.order(), o.ws, o.ws.own, o.stats);
  REQUIRE(back.run());
  CHECK(o.stats.violations == 14);
}

TEST_CASE("PLS-16: a refused candidate goes back, and when all are refused the one with the least pressure is placed") {
  // Two ready instructions: a load chain of great height that needs a new register, and an addition that ends two lives.
  block_builder k;
  k.add(sched_class::ldg, {k.d(6), k.addr(0)});
  k.add(sched_class::alu, {k.d(6), k.a(6), k.b(6)});
  k.add(sched_class::alu, {k.d(3), k.a(3), k.b(4)});
  k.add(sched_class::stg, {k.addr(0), k.data(3)});
  k.add(sched_class::stg, {k.addr(0), k.data(6)});
  opened<narrow_b> contended(k.finish());
  run_forward(contended);
  CHECK(contended.ws.sequence.front() == 2);  // R4 dies; the load would raise the count
  CHECK(contended.stats.violations > 0);

  opened<roomy_b> free(k.finish());
  free.ws.own.live.start(free.p, free.ws.at, free.order());
  b::forward_pass<ww_test::tiny_arch, roomy> pass(free.p, free.order(), free.ws, free.ws.own, free.stats);
  REQUIRE(pass.run());
  CHECK(free.ws.sequence.front() == 0);  // nothing is refused: the longest way first
  CHECK(free.stats.violations == 0);
}

TEST_CASE(
    "PLS-16: of equal pressure the first in queue order is placed, and of equal height that with more readers comes first") {
  ww_test::flow_builder k;
  k.add(sched_class::alu, {k.d(10), k.a(0), k.b(1)});
  k.add(sched_class::alu, {k.d(11), k.a(0), k.b(1)});  // the longer way to the end
  k.add(sched_class::alu, {k.d(12), k.a(11), k.b(0)});
  k.end_block();
  k.add(sched_class::stg, {k.addr(0), k.data(10)});
  k.add(sched_class::stg, {k.addr(2), k.data(11)});
  k.add(sched_class::stg, {k.addr(2), k.data(12)});
  k.end_block();
  k.edge(0, 1);
  opened<narrow_b> refused(k.finish());
  run_forward(refused);
  CHECK(refused.ws.sequence.front() == 1);
  CHECK(refused.stats.violations == 3);

  block_builder f;
  f.add(sched_class::alu, {f.d(10), f.a(0), f.b(1)});
  f.add(sched_class::alu, {f.d(11), f.a(0), f.b(1)});  // read twice
  f.add(sched_class::alu, {f.d(12), f.a(10), f.b(0)});
  f.add(sched_class::alu, {f.d(13), f.a(11), f.b(0)});
  f.add(sched_class::alu, {f.d(14), f.a(11), f.b(0)});
  opened<roomy_b> free(f.finish());
  REQUIRE(free.ws.graph.height[0] == free.ws.graph.height[1]);
  free.ws.own.live.start(free.p, free.ws.at, free.order());
  b::forward_pass<ww_test::tiny_arch, roomy> pass(free.p, free.order(), free.ws, free.ws.own, free.stats);
  REQUIRE(pass.run());
  CHECK(free.ws.sequence.front() == 1);
}

TEST_CASE(
    "PLS-16: the backward pass, too, places the one with the least pressure where all are refused, after several refusals") {
  // Live at the end: R0, R1 and the four results. In front of 3: one more for R32; of 2 and 1: one less; of 0: one more.
  ww_test::flow_builder k;
  k.add(sched_class::alu, {k.d(10), k.a(30), k.b(31)});
  k.add(sched_class::alu, {k.d(11), k.a(0), k.b(0)});
  k.add(sched_class::alu, {k.d(12), k.a(0), k.b(0)});
  k.add(sched_class::alu, {k.d(13), k.a(32), k.b(0)});
  k.end_block();
  for (unsigned r = 10; r < 14; ++r) k.add(sched_class::stg, {k.addr(0), k.data(r)});
  k.end_block();
  k.edge(0, 1);
  opened<narrow_b> o(k.finish());
  o.ws.own.live.start(o.p, o.ws.at, o.order());
  CHECK(o.ws.own.live.general(o.ws.own.live.out) == 6);
  CHECK(o.ws.own.live.general(o.ws.own.live.through) == 1);  // R1
  for (std::uint32_t i = 0; i < 4; ++i) o.ws.sequence.push_back(i);
  b::backward_pass<ww_test::tiny_arch, narrow> back(o.p, o.order(), o.ws, o.ws.own, o.stats);
  REQUIRE(back.run());
  // 6, 5, 5, 7: the first with 5; then 5, 4, 6; then 4, 5.
  const std::uint32_t wanted[] = {0, 3, 1, 2};
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(o.ws.sequence[i] == wanted[i]);
  CHECK(o.stats.violations == 4);
}

TEST_CASE("PLS-16: without refusals the backward pass gives the forward order back") {
  for (std::uint32_t seed = 1; seed < 30; ++seed) {
    opened<ww::strategy::backend_b, ww::sm80> o(ww_test::random_block(seed, 80));
    o.ws.own.live.start(o.p, o.ws.at, o.order());
    b::forward_pass<ww::sm80, b::options> pass(o.p, o.order(), o.ws, o.ws.own, o.stats);
    REQUIRE(pass.run());
    const auto forward = o.ws.sequence;
    b::backward_pass<ww::sm80, b::options> back(o.p, o.order(), o.ws, o.ws.own, o.stats);
    REQUIRE(back.run());
    CHECK(o.stats.violations == 0);  // 24 registers lie below the least of sm_80
    CHECK(o.ws.sequence == forward);
  }
}

TEST_CASE("PLS-16: the backward pass counts live registers as liveness does") {
  for (std::uint32_t seed = 1; seed < 20; ++seed) {
    ww::program p = ww_test::random_block(seed, 60, {40, true});
    for (ww::operand& x : p.operands) {  // neither a guarded nor a partial write ends a life; each without the other
      if (x.is_def() && x.is_partial()) x.high &= ~ww::operand::bit_partial;
      if (x.is_def() && x.base().number() % 7 == 0) x.set(ww::operand::bit_partial);
    }
    opened<narrow_b> o(p);
    REQUIRE(o.run());
    // after the last placement the running set is what is live at the start
    std::uint32_t alive = 0;
    for (const std::uint64_t w : o.ws.own.alive) alive += static_cast<std::uint32_t>(__builtin_popcountll(w));
    CHECK(alive == o.ws.own.live.general(o.ws.own.live.in));
  }
}

TEST_CASE("PLS-16: every order is legal, the end of the block stays, and the same input gives the same order") {
  for (std::uint32_t seed = 1; seed < 60; ++seed) {
    const ww::program before = ww_test::random_block(seed, 10 + seed * 3, {8 + seed, seed % 2 == 0});
    for (unsigned pass = 0; pass < 2; ++pass) {
      opened<narrow_b> o(before);
      REQUIRE(o.run());
      ww::program after = before;
      for (std::size_t k = 0; k < o.ws.sequence.size(); ++k) after.order[k] = before.order[o.ws.sequence[k]];
      REQUIRE(ww_test::legal(before, after));
      const auto first = o.ws.sequence;
      o.open(ww::block_id{0});
      REQUIRE(o.run());
      REQUIRE(o.ws.sequence == first);
    }
  }
}
