// SPDX-License-Identifier: BSL-1.0
//
// What a slot of the composition holds when the user names no policy for it.
//
// Looked up in this order: the user's policy; `Arch::defaults::<slot>`, if the architecture names one; the kit's default
// below; and `meta::by_default<Role>` for roles whose layer stands above this one (control words, phases), which that layer
// resolves.
//   slots   strategy, mode, ready_list, priority, constraints (a list), graph_builder, disambiguation, vector_width,
//           barrier_policy, yield_policy, reuse_policy, occupancy, margin, phases, allocator_budget
// The default ready list follows the priority: a heap for a fixed key, a sorted list for one that looks at every pick; the
// architecture's only where it serves the priority.
#pragma once

#include "../arch/margin.hpp"
#include "../graph/disambiguation.hpp"
#include "../graph/last_writer.hpp"
#include "../meta/compose.hpp"
#include "../priority/concept.hpp"
#include "../priority/critical_path.hpp"
#include "../simd/scalar.hpp"
#include "mode.hpp"
#include "ready_list/heap.hpp"
#include "ready_list/sorted_list.hpp"
#include "strategy.hpp"

namespace ww::detail {

// The kit's defaults; a layer above may hand the composer a struct with more members.
struct kit_defaults {
  using strategy = ww::strategy::list;
  using mode = ww::mode::ilp;
  using priority = ww::priority::critical_path;
  using constraints = meta::type_list<>;
  using graph_builder = last_writer;
  using disambiguation = conservative;
  using vector_width = simd::scalar;
  using margin = safety_margin<0>;
};

// One lookup per slot. A name that the architecture only declares counts as absent.
#define WARPWRIGHT_SLOT(slot, Role)                                                      \
  template <class Arch, class Kit>                                                       \
  struct slot_##slot {                                                                   \
    static auto find() {                                                                 \
      if constexpr (requires { sizeof(typename Arch::defaults::slot); }) {               \
        return meta::type_identity<typename Arch::defaults::slot>{};                     \
      } else if constexpr (requires { sizeof(typename Kit::slot); }) {                   \
        return meta::type_identity<typename Kit::slot>{};                                \
      } else {                                                                           \
        return meta::type_identity<meta::by_default<Role>>{};                            \
      }                                                                                  \
    }                                                                                    \
    using type = typename decltype(find())::type;                                        \
    static constexpr bool of_arch = requires { sizeof(typename Arch::defaults::slot); }; \
  };
WARPWRIGHT_SLOT(strategy, role::strategy)
WARPWRIGHT_SLOT(mode, role::mode)
WARPWRIGHT_SLOT(ready_list, role::ready_list)
WARPWRIGHT_SLOT(priority, role::priority)
WARPWRIGHT_SLOT(constraints, role::constraint)
WARPWRIGHT_SLOT(graph_builder, role::graph_builder)
WARPWRIGHT_SLOT(disambiguation, role::disambiguation)
WARPWRIGHT_SLOT(vector_width, role::vector_width)
WARPWRIGHT_SLOT(barrier_policy, role::barrier_policy)
WARPWRIGHT_SLOT(yield_policy, role::yield_policy)
WARPWRIGHT_SLOT(reuse_policy, role::reuse_policy)
WARPWRIGHT_SLOT(occupancy, role::occupancy)
WARPWRIGHT_SLOT(margin, role::margin)
WARPWRIGHT_SLOT(phases, role::phases)
WARPWRIGHT_SLOT(allocator_budget, role::allocator_budget)
#undef WARPWRIGHT_SLOT

// The architecture's, where it serves the priority.
template <class Priority, class Slot>
struct ready_list_for {
  using type = ready_list::sorted_list<>;
};
template <class Priority, class Slot>
requires(Slot::of_arch && (fixed_key_priority<Priority> || requires {
           typename meta::holds<bool{Slot::type::iterable}>;
         })) struct ready_list_for<Priority, Slot> {
  using type = typename Slot::type;
};
template <fixed_key_priority Priority, class Slot>
requires(!Slot::of_arch) struct ready_list_for<Priority, Slot> {
  using type = ready_list::heap<>;
};

}  // namespace ww::detail
