// SPDX-License-Identifier: BSL-1.0
//
// ww::scheduler<Policies...>: the whole way from a program to a better program.
//
//   1  every block is ordered by the engine (schedule/); with the default priority also a second time, in an order close to
//      the old one, which is often the better one where many warps share the pipes
//   2  the whole program gets new control words (scoreboard/)
//   3  the model prices old and new orders, block by block (model/)
//   4  blocks that got worse go back to their original order, and 2 and 3 are done again
//   5  of the candidates with the fewest findings of the checker the cheapest is taken; the program as it came is one of
//      them
// So the result is never less right by the checker than the input, and never slower by the model than a right one. What does not
// depend on the strategy stands in rounds.hpp, so that a second strategy for an SM costs the compiler little.
//
// Keep one workspace per thread: after the largest program has been seen once, nothing is allocated. Largest is what has, whatever
// its instructions are and whatever came first, no less of
//   all of it      instructions, registers of its operands, operands of one instruction, blocks, edges of control flow, highest
//                  register number of each file, blocks that a warp of the model runs (loops twice)
//   one block      instructions, registers of its operands, instructions that touch memory, dependences of its graph
//   block by block registers and operations outstanding where the first block, the second and so on begin and end: straight code
//                  has none
// Apart from that, build_cfg (ir/cfg.hpp) allocates for a program that comes without blocks, the checker lists its findings where
// there are any, and what a strategy keeps for itself, or a policy or a ready list of one's own, is up to that.
#pragma once

#include "../ir/cfg.hpp"
#include "../meta/traits.hpp"
#include "../priority/source_order.hpp"
#include "../schedule/compose.hpp"
#include "../schedule/engine.hpp"
#include "occupancy.hpp"
#include "result.hpp"
#include "rounds.hpp"

namespace ww {

namespace detail {

// What a wrong composition names: everything that a scheduler has, so that its uses add no error to ours.
struct rejected_scheduler {
  static constexpr bool composed = false;
  struct workspace {};
  schedule_result run(program&, const run_options& = {}) const { return {}; }
  schedule_result run(program&, workspace&, const run_options& = {}) const { return {}; }
};

// Defaults of the slots that the engine itself does not know.
struct pipeline_defaults : kit_defaults {
  using rejected = rejected_scheduler;
  using barrier_policy = barriers::share;
  using yield_policy = yields::observed;
  using reuse_policy = reuse::as_compiler;
  using occupancy = ww::occupancy::kernel;
};

// The same composition with another priority.
template <class Config, class Priority>
struct with_priority;
template <class Arch, class Strategy, class Mode, class ReadyList, class Old, class... Rest, class Priority>
struct with_priority<scheduler_config<Arch, Strategy, Mode, ReadyList, Old, Rest...>, Priority> {
  using type = scheduler_config<Arch, Strategy, Mode, ReadyList, Priority, Rest...>;
};

}  // namespace detail

// Strategies that change the program first have a scheduler of their own: pipeline/region_scheduler.hpp.
template <class Config>
struct basic_scheduler {
  using config = Config;
  using arch = typename Config::arch;
  using strategy_type = typename Config::strategy;
  using emit_arch = with_margin<arch, typename Config::margin>;
  // With the default priority a second order is tried: close to the old one, for many warps.
  static constexpr bool two_priorities =
      strategy_type::uses_priority && meta::is_same_v<typename Config::priority, priority::critical_path>;
  using near_config = typename detail::with_priority<Config, priority::source_order<8>>::type;

  using rounds = pipeline_rounds<arch, emit_arch, typename Config::barrier_policy, typename Config::yield_policy,
                                 typename Config::reuse_policy>;

  struct workspace {
    schedule_workspace<Config> engine;
    typename rounds::workspace pricing;
  };

  // With a workspace of its own, or with one that is kept. Outside the class, so that one unit can compile them for all
  // (instances.hpp).
  schedule_result run(program& p, const run_options& options = {}) const;
  schedule_result run(program& p, workspace& ws, const run_options& options = {}) const;

 private:
  static void assign(program& p, workspace& ws) {
    rounds::assign(p, ws.pricing);
    if constexpr (requires { strategy_type::template finish<emit_arch>(p, ws.engine.own, 1u); }) {
      strategy_type::template finish<emit_arch>(p, ws.engine.own, ws.pricing.result.warps);
    } else if constexpr (requires { strategy_type::template finish<emit_arch>(p, ws.engine.own); }) {
      strategy_type::template finish<emit_arch>(p, ws.engine.own);
    } else {
      return;
    }
    // A strategy's last step makes words of its own, with the default flags.
    if constexpr (!meta::is_same_v<typename Config::reuse_policy, detail::pipeline_defaults::reuse_policy>) {
      scoreboard::assign_reuse<emit_arch, typename Config::reuse_policy>(p);
    }
  }
  // New control words for the present order, priced.
  static void price(program& p, workspace& ws, candidate_order as) {
    assign(p, ws);
    rounds::price(p, ws.pricing, as);
    if (!ws.pricing.far) return;
    ws.pricing.scoreboard.loads_miss = false;
    assign(p, ws);
    ws.pricing.scoreboard.loads_miss = true;
    rounds::price_instead(p, ws.pricing, as);
  }
};

template <class Config>
schedule_result basic_scheduler<Config>::run(program& p, const run_options& options) const {
  workspace ws;
  return run(p, ws, options);
}

template <class Config>
schedule_result basic_scheduler<Config>::run(program& p, workspace& ws, const run_options& options) const {
  using k = candidate_order;
  typename rounds::workspace& w = ws.pricing;
  if (!rounds::template begin<typename Config::occupancy>(p, w, options, [&](program& q) { assign(q, ws); }))
    return w.result;
  ws.engine.graph_space.far_cycles = w.far ? static_cast<std::uint32_t>(far_cycles<typename arch::latency>) : 0u;
  price(p, ws, k::same_order);
  w.result.failed = schedule_blocks<Config>(p, ws.engine).failed;
  price(p, ws, k::reordered);
  if constexpr (two_priorities) {
    rounds::restore_order(p, w);
    schedule_blocks<near_config>(p, ws.engine);
    price(p, ws, k::near_order);
  }
  rounds::mix(p, w, two_priorities ? 3 : 2);
  price(p, ws, k::mixed);
  rounds::choose(p, w, two_priorities);
  return w.result;
}

namespace detail {

// The scheduler of a composition. One of a strategy that changes the program first is there when its header is.
template <class Strategy>
inline constexpr bool has_scheduler = !region_strategy<Strategy>;
template <class Config, bool There = has_scheduler<typename Config::strategy>>
struct scheduler_of {
  using type = basic_scheduler<Config>;
};
template <class Config>
struct scheduler_of<Config, false> {
  using type = typename named_instead<pipeline_defaults,
                                      decltype(meta::report(meta::fault_is<meta::fault::strategy_region>{},
                                                            meta::type_identity<typename Config::strategy>{}))>::type;
};
template <class Config>
using scheduler_of_t = typename scheduler_of<Config>::type;

}  // namespace detail

// The user-facing name: policies in any order, one canonical type, one sentence when they do not fit.
template <class... Policies>
using scheduler = compose_t<detail::pipeline_defaults, detail::scheduler_of_t, Policies...>;

}  // namespace ww
