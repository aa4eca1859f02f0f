// SPDX-License-Identifier: BSL-1.0
//
// Can the engine run a strategy? One that names `order`, `order_part` or `transform` has it with the signature that is called;
// one that names none of them is one of the engine's four or derives from one. `prepare`, `worse` and `finish` may be left
// out, and one that is there with another signature would never be called: usable_hooks() says so.
//
// A name is found by ambiguity: a type that inherits it from the strategy and from a second base cannot say it. A strategy
// that is final cannot be asked that way, so that only what it can do counts.
#pragma once

#include "../arch/margin.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/traits.hpp"
#include "config.hpp"
#include "stats.hpp"
#include "strategy.hpp"
#include "workspace.hpp"

namespace ww::detail {

// The same composition with another strategy.
template <class Config, class Strategy>
struct with_strategy;
template <class Arch, class Old, class... Rest, class Strategy>
struct with_strategy<scheduler_config<Arch, Old, Rest...>, Strategy> {
  using type = scheduler_config<Arch, Strategy, Rest...>;
};

struct strategy_names {
  static void order();
  static void order_part();
  static void transform();
  static void prepare();
  static void worse();
  static void finish();
};
template <class S, bool Final = __is_final(S)>
struct strategy_with_names : strategy_names {};
template <class S>
struct strategy_with_names<S, false> : S, strategy_names {};

template <class S>
inline constexpr bool engine_runs = __is_base_of(strategy::list, S) || __is_base_of(strategy::critical_path, S) ||
                                    __is_base_of(strategy::depth_first, S) || __is_base_of(strategy::keep, S);

// Is it one of the engine's four, without code of its own?
template <class S>
consteval bool runs_in_engine() {
  using named = strategy_with_names<S>;
  return engine_runs<S> && requires {
    &named::order;
    &named::order_part;
    &named::transform;
  };
}

template <class Config>
consteval bool usable_strategy() {
  using s = typename Config::strategy;
  if constexpr (meta::is_same_v<s, strategy::list>) {
    return true;
  } else {
    using named = strategy_with_names<s>;
    using workspace = schedule_workspace<Config>;
    constexpr bool orders = requires(const program& p, span<const instr_id> o, workspace& ws, schedule_stats& stats) {
      { s::template order<Config>(p, o, ws, stats) } -> meta::same_as<bool>;
    };
    constexpr bool orders_parts = requires(program & p, span<instr_id> o, workspace & ws) {
      { s::template order_part<Config>(p, o, ws) } -> meta::same_as<schedule_stats>;
    };
    constexpr bool transforms = requires(program & p, typename strategy_space<s>::type & own) {
      { s::template transform<Config>(p, own) } -> meta::convertible_to<unsigned>;
    };
    if constexpr ((!orders && !requires { &named::order; }) || (!orders_parts && !requires { &named::order_part; }) ||
                  (!transforms && !requires { &named::transform; })) {
      return false;
    } else if constexpr (requires { s::transforms_program; } || transforms) {
      if constexpr (transforms && region_strategy<s>) {
        return usable_strategy<typename with_strategy<Config, typename s::inner>::type>();
      } else {
        return false;
      }
    } else {
      return orders || orders_parts || engine_runs<s>;
    }
  }
}

template <class Config>
consteval bool usable_hooks() {
  using s = typename Config::strategy;
  if constexpr (meta::is_same_v<s, strategy::list>) {
    return true;
  } else {
    using named = strategy_with_names<s>;
    using workspace = schedule_workspace<Config>;
    using space = typename strategy_space<s>::type;
    using emit_arch = with_margin<typename Config::arch, typename Config::margin>;
    constexpr bool prepares = requires(program & p, workspace & ws) { s::template prepare<Config>(p, ws); }
    || requires { &named::prepare; };
    constexpr bool judges = requires(const workspace& ws, const schedule_stats& stats) {
      { s::template worse<Config>(ws, stats) } -> meta::convertible_to<bool>;
    }
    || requires { &named::worse; };
    constexpr bool finishes = requires(program & p, space & own) { s::template finish<emit_arch>(p, own); }
    || requires(program & p, space & own) { s::template finish<emit_arch>(p, own, 1u); }
    || requires { &named::finish; };
    return prepares && judges && finishes;
  }
}

}  // namespace ww::detail
