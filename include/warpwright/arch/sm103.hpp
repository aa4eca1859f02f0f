// SPDX-License-Identifier: BSL-1.0
//
// sm_103 (Blackwell, B300) as an architecture policy.
//
// The six pages are in sm103/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm103/barriers.hpp"
#include "sm103/control.hpp"
#include "sm103/defaults.hpp"
#include "sm103/latency.hpp"
#include "sm103/limits.hpp"
#include "sm103/pipes.hpp"

namespace ww {

struct sm103 {
  using role = ww::role::arch;
  static constexpr sm_id id{1030};
  static constexpr const char* name = "sm_103";
  using limits = sm103_limits;
  using pipes = sm103_pipes;
  using latency = sm103_latency;
  using barriers = sm103_barriers;
  using control_format = sm103_control_format;
  using defaults = sm103_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
