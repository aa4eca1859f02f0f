// SPDX-License-Identifier: BSL-1.0
//
// The unified engine in its three modes and the strategies that order one block, in constant expressions: a schedule of 64
// instructions fits the limits that the compilers come with (searches: a block of 12), and is the one made at run time.
#include "../support/catch.hpp"
#include "../support/constant_tile.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/pipeline/constant.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/unified/unified.hpp"
#include "warpwright/strategy/all.hpp"

namespace {

using ww_test::tile;

template <class Arch, class... Ps>
using config = ww::config_of<Arch, Ps...>;

// Every fifth instruction of the tile: loads, arithmetic, guards, stores.
constexpr auto make_some() {
  ww::block_value<12> b;
  for (std::size_t i = 0; i < 12; ++i) {
    b.instructions[i] = tile.instructions[5 * i];
    b.operands[i] = tile.operands[5 * i];
  }
  return b;
}
constexpr auto some = make_some();

template <class Arch, class... Ps>
inline constexpr auto of_tile = ww::schedule_block<config<Arch, Ps...>>(tile);
template <class Arch, class... Ps>
inline constexpr auto of_some = ww::schedule_block<config<Arch, Ps...>>(some);

template <class S>
constexpr bool is_order(const S& s) {
  constexpr std::size_t count = sizeof(s.order) / sizeof(s.order[0]);
  bool seen[count] = {};
  for (const std::uint32_t i : s.order) {
    if (i >= count || seen[i]) return false;
    seen[i] = true;
  }
  return !s.failed && s.cycles >= s.critical_cycles;
}
using ww::strategy::unified;
static_assert(is_order(of_tile<ww::sm90, unified, ww::mode::ilp>));
static_assert(of_some<ww::sm90, unified, ww::mode::ilp>.cycles < of_some<ww::sm90, unified, ww::mode::ilp>.original_cycles);
static_assert(is_order(of_tile<ww::sm80, unified, ww::mode::dyn_batch>));
static_assert(is_order(of_tile<ww::sm80, unified, ww::mode::reduce_reg>));
static_assert(is_order(of_tile<ww::sm90, ww::strategy::latency<>>));
static_assert(is_order(of_tile<ww::sm90, ww::strategy::pressure>));
static_assert(is_order(of_tile<ww::sm90, ww::strategy::tensor<>>));
static_assert(is_order(of_some<ww::sm90, ww::strategy::permutation<>>));
static_assert(is_order(of_some<ww::sm90, ww::strategy::backtracking<>>));
static_assert(is_order(of_some<ww::sm90, ww::strategy::combined>));
static_assert(of_some<ww::sm90, ww::strategy::permutation<>>.cycles <= of_some<ww::sm90, ww::strategy::latency<>>.cycles,
              "nothing is better than the best of all orders");

// Another function at run time, so that the compiler does not do it once for both.
template <class Config, std::size_t N>
[[gnu::noinline]] ww::block_schedule<N> at_run_time(const ww::block_value<N>& b) {
  return ww::schedule_block<Config>(b);
}
template <std::size_t N>
bool same(const ww::block_schedule<N>& a, const ww::block_schedule<N>& b) {
  bool words = true;
  for (std::size_t i = 0; i < N; ++i) words = words && a.words[i] == b.words[i];
  return words && a.order == b.order && a.cycles == b.cycles && a.kept == b.kept;
}

}  // namespace

TEST_CASE("PLS-1 constant: the unified engine gives in a constant expression what it gives at run time") {
  CHECK(same(at_run_time<config<ww::sm90, unified, ww::mode::ilp>>(tile), of_tile<ww::sm90, unified, ww::mode::ilp>));
  CHECK(same(at_run_time<config<ww::sm80, unified, ww::mode::dyn_batch>>(tile),
             of_tile<ww::sm80, unified, ww::mode::dyn_batch>));
  CHECK(same(at_run_time<config<ww::sm80, unified, ww::mode::reduce_reg>>(tile),
             of_tile<ww::sm80, unified, ww::mode::reduce_reg>));
}

TEST_CASE("PLS-13 constant: so do the strategies that order one block") {
  using namespace ww::strategy;
  CHECK(same(at_run_time<config<ww::sm90, latency<>>>(tile), of_tile<ww::sm90, latency<>>));
  CHECK(same(at_run_time<config<ww::sm90, pressure>>(tile), of_tile<ww::sm90, pressure>));
  CHECK(same(at_run_time<config<ww::sm90, tensor<>>>(tile), of_tile<ww::sm90, tensor<>>));
  CHECK(same(at_run_time<config<ww::sm90, permutation<>>>(some), of_some<ww::sm90, permutation<>>));
  CHECK(same(at_run_time<config<ww::sm90, backtracking<>>>(some), of_some<ww::sm90, backtracking<>>));
  CHECK(same(at_run_time<config<ww::sm90, combined>>(some), of_some<ww::sm90, combined>));
}
