// SPDX-License-Identifier: BSL-1.0
//
// sm_100 (Blackwell, B200) as an architecture policy.
//
// The six pages are in sm100/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm100/barriers.hpp"
#include "sm100/control.hpp"
#include "sm100/defaults.hpp"
#include "sm100/latency.hpp"
#include "sm100/limits.hpp"
#include "sm100/pipes.hpp"

namespace ww {

struct sm100 {
  using role = ww::role::arch;
  static constexpr sm_id id{1000};
  static constexpr const char* name = "sm_100";
  using limits = sm100_limits;
  using pipes = sm100_pipes;
  using latency = sm100_latency;
  using barriers = sm100_barriers;
  using control_format = sm100_control_format;
  using defaults = sm100_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
