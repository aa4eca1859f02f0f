// SPDX-License-Identifier: BSL-1.0
//
// What a scheduler for sm_75 uses when nothing is named.
//
// The back end follows the dispatch of the reference: A up to sm_75, in three modes.
// post_schedule: whether the block is scheduled again after register allocation (PS-1: not below sm_80).
// places_blocks: whether the phase band puts blocks into source order at its end (PS-4: sm_70 and sm_75 only).
// default_warps: resident warps per SM that a model assumes when the program does not say; assumed, four per sub-core.
#pragma once

#include "../backend.hpp"

namespace ww {

struct sm75_defaults {
  static constexpr backend_kind backend = backend_kind::a;
  static constexpr bool post_schedule = false;
  static constexpr bool places_blocks = true;
  static constexpr unsigned default_warps = 16;
};

}  // namespace ww
