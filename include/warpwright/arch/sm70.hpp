// SPDX-License-Identifier: BSL-1.0
//
// sm_70 (Volta) as an architecture policy.
//
// The six pages are in sm70/; arch/concept.hpp says what each of them must hold. An own SM is made by writing such a
// struct, taking from a shipped one what is the same.
#pragma once

#include "../ir/program.hpp"
#include "../meta/role.hpp"
#include "sm70/barriers.hpp"
#include "sm70/control.hpp"
#include "sm70/defaults.hpp"
#include "sm70/latency.hpp"
#include "sm70/limits.hpp"
#include "sm70/pipes.hpp"

namespace ww {

struct sm70 {
  using role = ww::role::arch;
  static constexpr sm_id id{700};
  static constexpr const char* name = "sm_70";
  using limits = sm70_limits;
  using pipes = sm70_pipes;
  using latency = sm70_latency;
  using barriers = sm70_barriers;
  using control_format = sm70_control_format;
  using defaults = sm70_defaults;
};

}  // namespace ww
