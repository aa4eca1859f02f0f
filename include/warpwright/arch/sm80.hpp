// SPDX-License-Identifier: BSL-1.0
//
// sm_80 (Ampere, A100) as an architecture policy.
//
// The six pages are in sm80/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm80/barriers.hpp"
#include "sm80/control.hpp"
#include "sm80/defaults.hpp"
#include "sm80/latency.hpp"
#include "sm80/limits.hpp"
#include "sm80/pipes.hpp"

namespace ww {

struct sm80 {
  using role = ww::role::arch;
  static constexpr sm_id id{800};
  static constexpr const char* name = "sm_80";
  using limits = sm80_limits;
  using pipes = sm80_pipes;
  using latency = sm80_latency;
  using barriers = sm80_barriers;
  using control_format = sm80_control_format;
  using defaults = sm80_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
