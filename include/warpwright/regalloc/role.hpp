// SPDX-License-Identifier: BSL-1.0
//
// The roles of the register allocator's policies (core.hpp): each policy says `using role = ww::regalloc::role::...;`.
//
//   kinds       the constraint kinds that are known, and what each adds to the pressure (constraint_kinds.hpp)
//   selection   which slot a register gets (fat_point.hpp, select_register.hpp)
//   ordering    in which order registers get their slots (ordering.hpp)
//   relaxation  which soft constraints are left out on later attempts (relaxation.hpp)
// They are apart from ww::role: no scheduler takes them. The vector policy (simd/) is the one that schedulers take as well.
#pragma once

namespace ww::regalloc::role {

struct kinds {};
struct selection {};
struct ordering {};
struct relaxation {};

}  // namespace ww::regalloc::role
