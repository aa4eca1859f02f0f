// SPDX-License-Identifier: BSL-1.0
//
// The roles of the layouter's policies (layouter.hpp): each policy says `using role = ww::layout::role::...;`.
//
//   in_loop    phase 108, the blocks of a loop among themselves
//   flow       phase 109, arms of if/else
//   placement  phase 112, the final places
//   places     whether phase 112 acts on an SM
// They are apart from ww::role: no scheduler takes them, and the layouter takes no policy of a scheduler.
#pragma once

namespace ww::layout::role {

struct in_loop {};
struct flow {};
struct placement {};
struct places {};

}  // namespace ww::layout::role
