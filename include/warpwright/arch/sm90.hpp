// SPDX-License-Identifier: BSL-1.0
//
// sm_90 (Hopper) as an architecture policy.
//
// The six pages are in sm90/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm90/barriers.hpp"
#include "sm90/control.hpp"
#include "sm90/defaults.hpp"
#include "sm90/latency.hpp"
#include "sm90/limits.hpp"
#include "sm90/pipes.hpp"

namespace ww {

struct sm90 {
  using role = ww::role::arch;
  static constexpr sm_id id{900};
  static constexpr const char* name = "sm_90";
  using limits = sm90_limits;
  using pipes = sm90_pipes;
  using latency = sm90_latency;
  using barriers = sm90_barriers;
  using control_format = sm90_control_format;
  using defaults = sm90_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
