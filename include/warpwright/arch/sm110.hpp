// SPDX-License-Identifier: BSL-1.0
//
// sm_110 (Blackwell, Thor; sm_101 until CUDA 12.9) as an architecture policy.
//
// The six pages are in sm110/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm110/barriers.hpp"
#include "sm110/control.hpp"
#include "sm110/defaults.hpp"
#include "sm110/latency.hpp"
#include "sm110/limits.hpp"
#include "sm110/pipes.hpp"

namespace ww {

struct sm110 {
  using role = ww::role::arch;
  static constexpr sm_id id{1100};
  static constexpr const char* name = "sm_110";
  using limits = sm110_limits;
  using pipes = sm110_pipes;
  using latency = sm110_latency;
  using barriers = sm110_barriers;
  using control_format = sm110_control_format;
  using defaults = sm110_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
