// SPDX-License-Identifier: BSL-1.0
//
// The block layouter: which blocks are cold, and in which order the blocks of a function stand (HC-1 to HC-8).
//
//   cold_context.hpp    what a signal of cold code may ask
//   cold_facts.hpp      the facts of every block that the signals ask for, and the workspace
//   cold_marks.hpp      which blocks are cold, and why
//   cold_profile.hpp    the two signals that a profile gives
//   cold_region.hpp     is a branch worth keeping, because what it jumps over is cold?
//   cold_signals.hpp    the five static signals
//   epilogue.hpp        which blocks store results behind loops
//   layouter.hpp        the order of the blocks: inside loops, of if/else, the final places
//   mark_cold.hpp       phase 41: marks the cold blocks
//   spread_cold.hpp     a step that lets cold spread along the control flow
//   temperature.hpp     hot and cold memory instructions
//   tepid_counts.hpp    math, copies and waiting of a block
//   tepid_node.hpp      what a walk over a block gathers of them
//   tepid_plan.hpp      how much overlap of math and memory a block is worth
//   tepid_report.hpp    how math and memory stand to each other, as values and as text
//   uniform_values.hpp  registers that hold the same value in all threads of a warp
#pragma once

#include "cold_context.hpp"
#include "cold_facts.hpp"
#include "cold_marks.hpp"
#include "cold_profile.hpp"
#include "cold_region.hpp"
#include "cold_signals.hpp"
#include "epilogue.hpp"
#include "layouter.hpp"
#include "mark_cold.hpp"
#include "spread_cold.hpp"
#include "temperature.hpp"
#include "tepid_counts.hpp"
#include "tepid_node.hpp"
#include "tepid_plan.hpp"
#include "tepid_report.hpp"
#include "uniform_values.hpp"
