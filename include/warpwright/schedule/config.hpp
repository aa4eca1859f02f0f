// SPDX-License-Identifier: BSL-1.0
//
// The canonical type behind a composition: one slot per role, in one fixed order.
//
// Whatever order the user writes policies in, `ww::scheduler<...>` names the same `scheduler_config`, so that <sm90, x> and
// <x, sm90> are one type and are compiled once. Constraints alone keep the order in which they are written: the engine asks
// them in that order, so that two orders of them are two types, with the same answers. Engine code takes `class Config` and reads the slots by name.
// A slot that nobody fills holds `meta::by_default<Role>`: the layer that owns the role resolves it.
#pragma once

#include "../arch/margin.hpp"
#include "../meta/pick.hpp"
#include "../meta/role.hpp"
#include "../meta/type_list.hpp"
#include "../simd/scalar.hpp"

namespace ww {

template <class Arch, class Strategy, class Mode, class ReadyList, class Priority, class ConstraintList = meta::type_list<>,
          class GraphBuilder = meta::by_default<role::graph_builder>,
          class Disambiguation = meta::by_default<role::disambiguation>, class VectorWidth = simd::scalar,
          class BarrierPolicy = meta::by_default<role::barrier_policy>,
          class YieldPolicy = meta::by_default<role::yield_policy>, class ReusePolicy = meta::by_default<role::reuse_policy>,
          class Occupancy = meta::by_default<role::occupancy>, class Margin = safety_margin<0>,
          class Phases = meta::by_default<role::phases>, class AllocatorBudget = meta::by_default<role::allocator_budget>>
struct scheduler_config {
  static constexpr bool composed = true;

  using arch = Arch;
  using strategy = Strategy;
  using mode = Mode;
  using ready_list = ReadyList;
  using priority = Priority;
  using constraints = ConstraintList;
  using graph_builder = GraphBuilder;
  using disambiguation = Disambiguation;
  using vector_width = VectorWidth;
  using vectors = VectorWidth;  // what strategies give to liveness and to unit vectors
  using barrier_policy = BarrierPolicy;
  using yield_policy = YieldPolicy;
  using reuse_policy = ReusePolicy;
  using occupancy = Occupancy;
  using margin = Margin;
  using phases = Phases;
  using allocator_budget = AllocatorBudget;
};

}  // namespace ww
