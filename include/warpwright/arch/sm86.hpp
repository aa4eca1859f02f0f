// SPDX-License-Identifier: BSL-1.0
//
// sm_86 (Ampere, RTX) as an architecture policy.
//
// The six pages are in sm86/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm86/barriers.hpp"
#include "sm86/control.hpp"
#include "sm86/defaults.hpp"
#include "sm86/latency.hpp"
#include "sm86/limits.hpp"
#include "sm86/pipes.hpp"

namespace ww {

struct sm86 {
  using role = ww::role::arch;
  static constexpr sm_id id{860};
  static constexpr const char* name = "sm_86";
  using limits = sm86_limits;
  using pipes = sm86_pipes;
  using latency = sm86_latency;
  using barriers = sm86_barriers;
  using control_format = sm86_control_format;
  using defaults = sm86_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
