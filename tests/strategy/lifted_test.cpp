// SPDX-License-Identifier: BSL-1.0
//
// Every strategy, backend and mode on lifted code, where no register is reused yet: legal by the brute-force oracle, every
// operand reads the definitions that it read before, and the same twice. The bundled listings, and the corpus where
// WARPWRIGHT_CORPUS names its folder; what is legal does not depend on latencies, so one architecture serves all.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/order_oracle.hpp"
#include "../support/slow.hpp"
#include "support.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/lift/lift.hpp"
#include "warpwright/lift/peak_live.hpp"
#include "warpwright/region/all.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/strategy/all.hpp"
#include "warpwright/verify/reaching.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace strategy = ww::strategy;

struct lifted {
  std::string name;
  ww::lifted_program l;
  ww::live_count peak;
};
const std::vector<lifted>& programs() {
  static const std::vector<lifted> all = [] {
    std::vector<lifted> v;
    ww::lift_workspace ws;
    for (const std::string& path : corpus::listings()) {
      const ww::sm_id sm = corpus::sm_of(path);
      if (sm != ww::sm80::id && static_cast<unsigned>(sm) != 900) continue;
      if (path.find("huge") != std::string::npos) continue;
      const std::string text = corpus::text(path);
      ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = sm, .file = path});
      if (!r) continue;
      for (ww::program& p : r.mod.sections) {
        lifted one;
        one.name = path;
        if (!ww::build_cfg(p).ok || ww::lift(p, one.l, ws) != ww::lift_fault::none) continue;
        one.peak = ww::peak_live(one.l);
        v.push_back(one);
      }
    }
    return v;
  }();
  return all;
}

struct figures {
  std::size_t programs = 0;
  std::size_t not_above = 0;
  std::size_t changed = 0;
};

// Blocks in an order of `Config`: the oracle on each block, the values that every operand reads, and the same twice.
template <class Config>
void order_twice(const ww::program& before, ww::schedule_workspace<Config>& ws, ww::program& p) {
  p = before;
  REQUIRE_FALSE(ww::schedule_blocks<Config>(p, ws).failed);
  for (const ww::block& b : before.blocks) {
    if (b.count < 2 || b.count > 200) continue;  // quadratic
    const ww_test::misplaced_pair bad = ww_test::order_oracle(before, before.order_of(b)).first_misplaced(p.order_of(b));
    if (!bad.permutation || bad.found) FAIL("block at " << b.first << ": an order that the oracle forbids");
  }
  REQUIRE(ww::verify::same_reaching(before, p).ok());
  ww::program again = before;
  ww::schedule_blocks<Config>(again, ws);
  REQUIRE(again.order == p.order);
}

template <class... Policies>
figures judge(const char* name) {
  using config = ww::config_of<ww::sm80, Policies...>;
  ww::schedule_workspace<config> ws;
  ww::peak_workspace peaks;
  figures f;
  ww::program p;
  std::size_t number = 0;
  for (const lifted& one : programs()) {
    if (!ww_test::chosen(number++, 2)) continue;
    INFO(name << " " << one.name);
    order_twice<config>(one.l.code, ws, p);
    ++f.programs;
    f.changed += p.order != one.l.code.order ? 1u : 0u;
    const auto r = ww::pressure_class::r;
    f.not_above += ww::peak_live(p, peaks, one.l.physical)[r] <= one.peak[r] ? 1u : 0u;
  }
  std::printf("lifted %-22s %3zu of %zu functions ordered anew, peak not above as compiled in %zu\n", name, f.changed,
              f.programs, f.not_above);
  REQUIRE(f.programs > 10);
  return f;
}

// A strategy that changes the program first: what it makes is ordered by its inner one and judged as above.
template <class S>
void judge_region() {
  using config = ww::config_of<ww::sm80, S>;
  using inner = ww::config_of<ww::sm80, typename S::inner>;
  ww::schedule_workspace<inner> ws;
  typename ww::detail::strategy_space<S>::type own;
  unsigned changes = 0;
  ww::program p;
  for (const lifted& one : programs()) {
    INFO(S::name << " " << one.name);
    ww::program moved = one.l.code;
    const unsigned made = S::template transform<config>(moved, own);
    changes += made;
    ww::program again = one.l.code;
    REQUIRE(S::template transform<config>(again, own) == made);
    REQUIRE(again.order == moved.order);
    REQUIRE(again.operands == moved.operands);
    if constexpr (requires { S::keeps_instructions; }) REQUIRE(ww::verify::same_reaching(one.l.code, moved).ok());
    order_twice<inner>(moved, ws, p);
  }
  std::printf("lifted %-22s %u changes in %zu functions\n", S::name, changes, programs().size());
  if (std::string(S::name) != "barrier_coalescence") CHECK(changes > 0);  // compilers leave no two barriers in a row
}

template <class... Ss, class F>
void each(ww::meta::type_list<Ss...>, F&& f) {
  (f.template operator()<Ss>(), ...);
}

}  // namespace

TEST_CASE("PLS-13 lifted code: every strategy and backend, legal by the oracle, the same values, the same twice") {
  each(strategy::every{}, []<class S>() { judge<S>(S::name); });
  judge<strategy::loop_aware>(strategy::loop_aware::name);
}

TEST_CASE("PLS-1 lifted code: every mode; ReduceReg's peak is at or below as compiled on nine kernels of ten") {
  each(ww::mode::shipped{}, []<class M>() {
    const figures f = judge<strategy::unified, M>(M::name);
    CHECK(f.changed * 2 > f.programs);
    if (std::is_same_v<M, ww::mode::reduce_reg>) CHECK(f.not_above * 10 >= f.programs * 9);
  });
}

TEST_CASE("PLS-13 lifted code: strategies between blocks and of loops, and the orders of what they make") {
  judge_region<strategy::global_motion<>>();
  judge_region<strategy::software_pipeline<>>();
  judge_region<strategy::barrier_coalescence<>>();
  judge_region<strategy::prefetch<>>();
}
