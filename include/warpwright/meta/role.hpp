// SPDX-License-Identifier: BSL-1.0
//
// Roles: every policy carries `using role = ww::role::...;` and the composer finds it by that, in any order.
// A role is `single` (at most one policy of it in a composition) or `many` (a list, in the order written).
//
//   struct my_priority { using role = ww::role::priority; ... };
//
// What a policy of a role must have besides stands in the role's page: arch/concept.hpp, priority/concept.hpp and so on.
#pragma once

namespace ww::role {

struct single {};
struct many {};

struct arch : single {};            // ww::sm90
struct strategy : single {};        // how the next instruction is picked and what is searched
struct mode : single {};            // weights and gates of the engine: ilp, reduce_reg, dyn_batch
struct ready_list : single {};      // data structure behind the ready list
struct priority : single {};        // priority packer or score
struct constraint : many {};        // scheduling constraints
struct graph_builder : single {};   // last_writer, pairwise, spaced_spills
struct disambiguation : single {};  // memory order
struct vector_width : single {};    // scalar, sse2, avx2, avx512
struct barrier_policy : single {};  // how counters are assigned
struct yield_policy : single {};
struct reuse_policy : single {};  // which operand-reuse flags are set
struct occupancy : single {};     // how many warps to schedule for
struct margin : single {};        // ww::safety_margin<N>
struct phases : single {};        // compile-time phase list
struct allocator_budget : single {};

}  // namespace ww::role
