// SPDX-License-Identifier: BSL-1.0
//
// Strategies: how an order is searched. Each is an empty type.
//
//   list           cycle-driven list scheduling, forward: in each cycle the best instruction whose producers are done and
//                  whose pipe is free; the next cycle when there is none (PLS-1). The default
//   critical_path  one sort by earliest cycle, then height: no pipes, no cycles, a cheap first order
//   depth_first    follows a chain to its end before it starts another: short lives, little overlap
//   keep           the order as it is; for measuring and for blocks that must not change
//
// `models_cycles` says that the strategy looks at pipes and cycles while it picks; `uses_priority` that it asks the priority
// policy. The engine holds the code of these four and of types derived from them; any other brings `order`, `order_part` or
// `transform`, as static members, and of the rest what it needs:
//
//   space                                          its scratch memory, kept in the workspace of the composition
//   order<Config>(p, order, ws, stats) -> bool     orders the nodes of ws.graph into ws.sequence and says whether it could;
//                                                  ws.own is the space, ws.at the block; what breaks an edge is not taken
//   order_part<Config>(p, order, ws) -> stats      permutes `order` itself; the graph is built afterwards, to the same end
//   prepare<Config>(p, ws)                         called once before the blocks of a program are ordered (liveness, facts
//                                                  about other blocks); not called when a block is ordered on its own
//   worse<Config>(ws, stats) -> bool               the new order of a block is not taken; by default, when it is longer
//   transform<Config>(p, space) -> unsigned        changes the program before its blocks are ordered and says how often;
//                                                  with it come `transforms_program` and `inner` (region_strategy below)
//   finish<Arch>(p, space[, warps])                changes control words after they were assigned, for so many warps of a
//                                                  sub-core
#pragma once

#include "../meta/role.hpp"
#include "../meta/traits.hpp"
#include "../meta/type_list.hpp"

namespace ww {

namespace detail {

struct no_space {};
template <class S>
struct strategy_space {
  using type = no_space;
};
template <class S>
requires requires { typename S::space; }
struct strategy_space<S> {
  using type = typename S::space;
};

}  // namespace detail

template <class S>
concept list_strategy = requires {
  { S::name } -> meta::convertible_to<const char*>;
  typename meta::constant<bool{S::models_cycles} + bool{S::uses_priority}>;
  requires __is_constructible(typename detail::strategy_space<S>::type);
};

// It changes the program before the blocks are ordered. `inner` orders the blocks; the scheduler runs it on the unchanged
// program too and takes the cheaper result. `keeps_instructions = true` where instructions are only moved: then what they
// read is compared with what they read before; a strategy without it answers for what its program computes.
template <class S>
concept region_strategy = requires {
  typename S::inner;
  requires list_strategy<typename S::inner>;
  typename meta::holds<bool{S::transforms_program}>;
};

namespace strategy {

struct list {
  using role = ww::role::strategy;
  static constexpr const char* name = "list";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;
};

struct critical_path {
  using role = ww::role::strategy;
  static constexpr const char* name = "critical_path";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;
};

struct depth_first {
  using role = ww::role::strategy;
  static constexpr const char* name = "depth_first";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;
};

struct keep {
  using role = ww::role::strategy;
  static constexpr const char* name = "keep";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;
};

using shipped = meta::type_list<list, critical_path, depth_first, keep>;

}  // namespace strategy

namespace detail {
// A strategy that is an argument of another one, or, where the argument is none, one that compiles (arguments_fit says no).
template <class Inner>
using strategy_or_list = meta::conditional_t<list_strategy<Inner>, Inner, strategy::list>;
}  // namespace detail
}  // namespace ww
