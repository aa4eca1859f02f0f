// SPDX-License-Identifier: BSL-1.0
//
// sm_120 (Blackwell, RTX) as an architecture policy.
//
// The six pages are in sm120/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm120/barriers.hpp"
#include "sm120/control.hpp"
#include "sm120/defaults.hpp"
#include "sm120/latency.hpp"
#include "sm120/limits.hpp"
#include "sm120/pipes.hpp"

namespace ww {

struct sm120 {
  using role = ww::role::arch;
  static constexpr sm_id id{1200};
  static constexpr const char* name = "sm_120";
  using limits = sm120_limits;
  using pipes = sm120_pipes;
  using latency = sm120_latency;
  using barriers = sm120_barriers;
  using control_format = sm120_control_format;
  using defaults = sm120_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
