// SPDX-License-Identifier: BSL-1.0
//
// The register allocator: which physical register each register of a program gets (FPA-1 to FPA-11).
//
//   core.hpp               one attempt over an allocation problem: ordering, pressure, selection, commit
//   allocate_program.hpp   a lifted program: problems of its webs (program_problem.hpp), attempts, the assignment for lower()
//   fit_problem.hpp        several attempts at a problem, without spilling
//   instruction_walk.hpp   instruction by instruction: where to spill
//   normalise_operands.hpp and constant_folding.hpp   single descriptors and expressions before the builder (FPA-3)
//   occupancy_budget.hpp   how many registers are worth having
//   pre_allocation.hpp     what should share a place or have a certain one (FPA-7)
//   problem_builder.hpp    makes an allocation problem
//   program_points.hpp     places in a block
//   retry_driver.hpp       attempts and rounds of spilling until it fits, over a host (retry_host.hpp)
//   select_register.hpp    the plain selection
//   spill_host.hpp         the host of retry_driver.hpp for a lifted program
//   spill_code.hpp         stores, reloads and values computed again, in a lifted program
#pragma once

#include "allocate_program.hpp"
#include "constant_folding.hpp"
#include "core.hpp"
#include "fit_problem.hpp"
#include "instruction_walk.hpp"
#include "normalise_operands.hpp"
#include "occupancy_budget.hpp"
#include "pre_allocation.hpp"
#include "problem_builder.hpp"
#include "program_points.hpp"
#include "program_problem.hpp"
#include "retry_driver.hpp"
#include "select_register.hpp"
#include "spill_code.hpp"
#include "spill_host.hpp"
