// SPDX-License-Identifier: BSL-1.0
//
// One block with its order and control words in a constant expression (small blocks, up to 64 instructions).
//
//   constexpr auto s = ww::schedule_block<ww::scheduler<ww::sm90>>(block);    // block: a ww::block_value<N>
//   static_assert(s.order[0] == 1 && s.words[0].write_barrier == 0 && s.words[1].wait_mask == 1);
//
//   order    places in the block as given, in issue order          words   control words, in the same order
//   cycles   before and after, by the engine's own view: a stall or a wait of the words can be shorter or longer
//
// Graph, ready lists, engines (the list scheduler and the unified one in its three modes), the strategies that order a block and
// control words are those that run at run time, and the policies are those of `Sched`, a ww::scheduler<...> or a
// scheduler_config. Searches (permutation, backtracking, combined) are for blocks of some twelve instructions: compilers limit
// the steps. What runs before the block has landed; what the block leaves behind has landed
// when it ends, but for what its last instruction starts. There is one order, the engine's: the choice between orders by the
// model (pipeline/scheduler.hpp) is for whole programs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/margin.hpp"
#include "../meta/array.hpp"
#include "../schedule/block_value.hpp"
#include "../schedule/engine.hpp"
#include "../schedule/workspace.hpp"
#include "../scoreboard/assign.hpp"

namespace ww {

template <std::size_t N>
struct block_schedule {
  array<std::uint32_t, N> order{};  // places in the block as given, in issue order
  array<control, N> words{};        // in issue order
  std::uint64_t cycles = 0;
  std::uint64_t original_cycles = 0;
  std::uint64_t critical_cycles = 0;
  std::uint64_t stall_cycles = 0;  // sum of the stalls
  bool kept = false;               // the order as given was at least as good
  bool failed = false;             // the dependences are cyclic, or the strategy broke one: the order is as given
};

namespace detail {

template <class Sched>
struct config_behind {
  using type = typename Sched::config;
};
template <class Sched>
requires requires { Sched::composed; }
struct config_behind<Sched> {
  using type = Sched;
};

// A strategy whose last step changes control words (schedule/strategy.hpp).
template <class Strategy, class Arch, class Space>
concept finishes_words = requires(program& p, Space& own) {
  Strategy::template finish<Arch>(p, own);
}
|| requires(program& p, Space& own) { Strategy::template finish<Arch>(p, own, 1u); };

}  // namespace detail

template <class Sched, std::size_t N>
constexpr block_schedule<N> schedule_block(const block_value<N>& given) {
  using config = typename detail::config_behind<Sched>::type;
  using strategy_type = typename config::strategy;
  using emit_arch = with_margin<typename config::arch, typename config::margin>;
  static_assert(!detail::finishes_words<strategy_type, emit_arch, typename detail::strategy_space<strategy_type>::type>,
                "ww::schedule_block<...>(block_value): a strategy that changes control words is for ww::scheduler::run");
  program p = given.code();
  schedule_workspace<config> ws;
  const schedule_stats stats = schedule_block<config>(p, block_id(0), ws);
  using policies = scoreboard::detail::chosen_policies<typename config::barrier_policy, typename config::yield_policy,
                                                       typename config::reuse_policy>;
  scoreboard::workspace space;
  scoreboard::detail::decode<emit_arch>(p, space);
  const scoreboard::assign_stats assigned = scoreboard::detail::make_control<emit_arch, policies>(p, space);
  block_schedule<N> s;
  for (std::size_t i = 0; i < N; ++i) {
    s.order[i] = p.order[i].index();
    s.words[i] = p[p.order[i]].ctl;
  }
  s.cycles = stats.planned_cycles;
  s.original_cycles = stats.original_cycles;
  s.critical_cycles = stats.critical_cycles;
  s.stall_cycles = assigned.stall_cycles;
  s.kept = stats.kept_blocks != 0;
  s.failed = stats.failed;
  return s;
}

// Behind a wrong composition, which is an error already.
template <class Sched, std::size_t N>
requires requires { requires !Sched::composed; }
constexpr block_schedule<N> schedule_block(const block_value<N>&) { return {}; }

}  // namespace ww
