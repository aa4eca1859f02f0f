// SPDX-License-Identifier: BSL-1.0
//
// sm_90a (Hopper with warp-group matrix operations) as an architecture policy.
//
// The six pages are in sm90a/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm90a/barriers.hpp"
#include "sm90a/control.hpp"
#include "sm90a/defaults.hpp"
#include "sm90a/latency.hpp"
#include "sm90a/limits.hpp"
#include "sm90a/pipes.hpp"

namespace ww {

struct sm90a {
  using role = ww::role::arch;
  static constexpr sm_id id{901};
  static constexpr const char* name = "sm_90a";
  using limits = sm90a_limits;
  using pipes = sm90a_pipes;
  using latency = sm90a_latency;
  using barriers = sm90a_barriers;
  using control_format = sm90a_control_format;
  using defaults = sm90a_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
