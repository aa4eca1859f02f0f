// SPDX-License-Identifier: BSL-1.0
//
// The register allocator: which physical register each register of a program gets (FPA-1 to FPA-11).
//
//   core.hpp               one attempt over an allocation problem: ordering, pressure, selection, commit
//   occupancy_budget.hpp   how many registers are worth having
//   problem_builder.hpp    makes an allocation problem
//   select_register.hpp    the plain selection
#pragma once

#include "core.hpp"
#include "occupancy_budget.hpp"
#include "problem_builder.hpp"
#include "select_register.hpp"
