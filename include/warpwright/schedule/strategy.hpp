// SPDX-License-Identifier: BSL-1.0
//
// Strategies: how an order is searched. Each is an empty type; the engine holds the code.
//
//   list           cycle-driven list scheduling, forward: in each cycle the best instruction whose producers are done and
//   whose
//                  pipe is free; the next cycle when there is none (PLS-1). The default
//   critical_path  one sort by earliest cycle, then height: no pipes, no cycles, a cheap first order
//   depth_first    follows a chain to its end before it starts another: short lives, little overlap
//   keep           the order as it is; for measuring and for blocks that must not change
//
// `models_cycles` says that the strategy looks at pipes and cycles while it picks; `uses_priority` that it asks the priority
// policy.
#pragma once

#include <concepts>

#include "../meta/role.hpp"
#include "../meta/type_list.hpp"

namespace ww {

template <class S>
concept list_strategy = requires {
  { S::name } -> std::convertible_to<const char*>;
  { S::models_cycles } -> std::convertible_to<bool>;
  { S::uses_priority } -> std::convertible_to<bool>;
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
}  // namespace ww
