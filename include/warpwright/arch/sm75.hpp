// SPDX-License-Identifier: BSL-1.0
//
// sm_75 (Turing) as an architecture policy.
//
// The six pages are in sm75/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm75/barriers.hpp"
#include "sm75/control.hpp"
#include "sm75/defaults.hpp"
#include "sm75/latency.hpp"
#include "sm75/limits.hpp"
#include "sm75/pipes.hpp"

namespace ww {

struct sm75 {
  using role = ww::role::arch;
  static constexpr sm_id id{750};
  static constexpr const char* name = "sm_75";
  using limits = sm75_limits;
  using pipes = sm75_pipes;
  using latency = sm75_latency;
  using barriers = sm75_barriers;
  using control_format = sm75_control_format;
  using defaults = sm75_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
