// SPDX-License-Identifier: BSL-1.0
//
// sm_60 (Pascal) as an architecture policy.
//
// The six pages are in sm60/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "sm60/barriers.hpp"
#include "sm60/control.hpp"
#include "sm60/defaults.hpp"
#include "sm60/latency.hpp"
#include "sm60/limits.hpp"
#include "sm60/pipes.hpp"

namespace ww {

struct sm60 {
  using role = ww::role::arch;
  static constexpr sm_id id{600};
  static constexpr const char* name = "sm_60";
  using limits = sm60_limits;
  using pipes = sm60_pipes;
  using latency = sm60_latency;
  using barriers = sm60_barriers;
  using control_format = sm60_control_format;
  using defaults = sm60_defaults;
};

}  // namespace ww
