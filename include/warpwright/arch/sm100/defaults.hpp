// SPDX-License-Identifier: BSL-1.0
//
// What a scheduler for sm_100 uses when nothing is named.
//
// The back end follows the dispatch of the reference: B and C from sm_80 on.
// post_schedule: whether the block is scheduled again after register allocation (PS-1: from sm_80 on).
// regroups_tensor: whether groups of tensor-core operations are brought together behind that (PS-1: Blackwell).
// default_warps: resident warps per SM that a model assumes when the program does not say; assumed, four per sub-core.
#pragma once

#include "../backend.hpp"

namespace ww {

struct sm100_defaults {
  static constexpr backend_kind backend = backend_kind::bc;
  static constexpr bool post_schedule = true;
  static constexpr bool regroups_tensor = true;
  static constexpr unsigned default_warps = 16;
};

}  // namespace ww
