// SPDX-License-Identifier: BSL-1.0
//
// warpwright: the core in one include.
//
//   using sched = ww::scheduler<ww::sm90>;     // all defaults of sm_90
//   auto result = sched{}.run(program);        // order, control words, cycles, what was kept
//
// What a code generator needs. Not here: listings and cubins, profiles, the vector policies and the checks of a graph
// (all in tools.hpp), and the Boost.Hana adapter (meta/hana.hpp, opt-in). Needs C++20 and the standard library alone; builds
// without exceptions and RTTI.
#pragma once

#if __cplusplus < 202002L
#error "warpwright needs C++20: compile with -std=c++20 or newer"
#endif

// Warnings that a user asks for of code of his own stop here; builds of the kit define WARPWRIGHT_WARNINGS and see them.
#if defined(__GNUC__) && !defined(WARPWRIGHT_WARNINGS)
#pragma GCC system_header
#endif

#include "arch/all.hpp"
#include "arch/dialect.hpp"
#include "constraint/all.hpp"
#include "graph/critical_path.hpp"
#include "ir/block_starts.hpp"
#include "isa/builder.hpp"
#include "meta/fixed_string.hpp"
#include "meta/type_name.hpp"
#include "pipeline/constant.hpp"
#include "pipeline/instances.hpp"
#include "pipeline/phases.hpp"
#include "pipeline/scheduler.hpp"
#include "pipeline/word_search.hpp"
#include "pressure/liveness.hpp"
#include "pressure/occupancy.hpp"
#include "pressure/resource_vector.hpp"
#include "pressure/tracker.hpp"
#include "priority/all.hpp"
#include "schedule/ready_list/ordered3.hpp"
#include "scoreboard/decision.hpp"
#include "scoreboard/o0.hpp"
#include "scoreboard/phase115.hpp"

// What a build compiles once for all its units (warpwright_compile_once of the CMake package) is not compiled here again.
#ifdef WARPWRIGHT_COMPILED_ONCE
#include WARPWRIGHT_COMPILED_ONCE
#endif
