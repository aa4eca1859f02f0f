// SPDX-License-Identifier: BSL-1.0
//
// sm_50 (Maxwell) as an architecture policy.
//
// The six pages are in sm50/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "sm50/barriers.hpp"
#include "sm50/control.hpp"
#include "sm50/defaults.hpp"
#include "sm50/latency.hpp"
#include "sm50/limits.hpp"
#include "sm50/pipes.hpp"

namespace ww {

struct sm50 {
  using role = ww::role::arch;
  static constexpr sm_id id{500};
  static constexpr const char* name = "sm_50";
  using limits = sm50_limits;
  using pipes = sm50_pipes;
  using latency = sm50_latency;
  using barriers = sm50_barriers;
  using control_format = sm50_control_format;
  using defaults = sm50_defaults;
};

}  // namespace ww
