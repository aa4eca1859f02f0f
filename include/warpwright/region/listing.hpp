// SPDX-License-Identifier: BSL-1.0
//
// The regional strategies that a listing or a cubin can hold: strategy::regional_listing (PLS-13).
//
//   global_motion<Inner>  moves instructions between blocks, where no branch slides and no label is crossed
//   loop_aware            orders the body of a loop by two iterations in a row
// The others insert instructions or leave some out (region/all.hpp), which only a program in memory can hold.
#pragma once

#include "../meta/type_list.hpp"
#include "global_motion.hpp"
#include "loop_aware.hpp"

namespace ww::strategy {

using regional_listing = meta::type_list<global_motion<>, loop_aware>;

}  // namespace ww::strategy
