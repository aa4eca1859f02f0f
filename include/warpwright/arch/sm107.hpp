// SPDX-License-Identifier: BSL-1.0
//
// sm_107 (CUDA 13.5) as an architecture policy.
//
// The six pages are in sm107/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "prefetch.hpp"
#include "sm107/barriers.hpp"
#include "sm107/control.hpp"
#include "sm107/defaults.hpp"
#include "sm107/latency.hpp"
#include "sm107/limits.hpp"
#include "sm107/pipes.hpp"

namespace ww {

struct sm107 {
  using role = ww::role::arch;
  static constexpr sm_id id{1070};
  static constexpr const char* name = "sm_107";
  using limits = sm107_limits;
  using pipes = sm107_pipes;
  using latency = sm107_latency;
  using barriers = sm107_barriers;
  using control_format = sm107_control_format;
  using defaults = sm107_defaults;
  static constexpr prefetch_form prefetch = cctl_prefetch;
};

}  // namespace ww
