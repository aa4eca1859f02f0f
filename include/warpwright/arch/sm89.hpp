// SPDX-License-Identifier: BSL-1.0
//
// sm_89 (Ada) as an architecture policy.
//
// The six pages are in sm89/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm89/barriers.hpp"
#include "sm89/control.hpp"
#include "sm89/defaults.hpp"
#include "sm89/latency.hpp"
#include "sm89/limits.hpp"
#include "sm89/pipes.hpp"

namespace ww {

struct sm89 {
  using role = ww::role::arch;
  static constexpr sm_id id{890};
  static constexpr const char* name = "sm_89";
  using limits = sm89_limits;
  using pipes = sm89_pipes;
  using latency = sm89_latency;
  using barriers = sm89_barriers;
  using control_format = sm89_control_format;
  using defaults = sm89_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
