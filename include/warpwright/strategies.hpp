// SPDX-License-Identifier: BSL-1.0
//
// warpwright's further strategies: the core, and everything of the reference texts beyond the default list scheduler.
//
//   strategy/           the block-level strategies of PLS-13; strategy::every lists all of them
//   region/             those that work on regions and loops; strategy::regional lists them
//   layout/             cold blocks, and the order of the blocks of a function
//   regalloc/           the fat-point register allocator
//   pipeline/rebuild.hpp   machine code in a new order, with new registers and words
//   pipeline/spilling_rebuild.hpp   the same in fewer registers than its values need
//   pipeline/order_search.hpp   a better order than a scheduler has found, by trying neighbours of it
//   pipeline/post_schedule.hpp   phase 110 as the SM has it, and the groups of tensor-core operations behind it
//   backend/            backends B and C, the text's choice of a backend per SM
//   schedule/unified/   the unified engine in its three modes, with the whole priority function
//   schedule/inline_graph.hpp   the loop that builds its graph inline
//   graph/spaced_spills.hpp      a graph builder that sets spills and reloads apart
//   scoreboard/fields/           the field encoders of the reference and the chain of them
//   scoreboard/phase114.hpp      the texture fix-up in front of the main pass
//   scoreboard/opex.hpp, reconcile.hpp   words for instructions that came late, and for a draft that has grown stale
//   scoreboard/yield_adjust.hpp  yield policies made of others: no yields behind some instructions, batches of textures
//   scoreboard/group_waits.hpp, idle_nops.hpp   DEPBARs put in, NOPs taken out: for programs in memory
//   scoreboard/board.hpp, schedule_checks.hpp   the scoreboard object and the seven schedule checks of the reference
//   verify/same_flow.hpp         the proof that a new layout of blocks is the same program
// Kept apart from the core because a user who names one strategy should not compile all of them.
#pragma once

// Warnings that a user asks for of code of his own stop here; builds of the kit define WARPWRIGHT_WARNINGS and see them.
#if defined(__GNUC__) && !defined(WARPWRIGHT_WARNINGS)
#pragma GCC system_header
#endif

#include "arch/control_format/internal_record.hpp"
#include "backend/all.hpp"
#include "graph/spaced_spills.hpp"
#include "ir/flow_profile.hpp"
#include "layout/all.hpp"
#include "pipeline/branch_tables.hpp"
#include "pipeline/fill_code.hpp"
#include "pipeline/idle_moves.hpp"
#include "pipeline/order_search.hpp"
#include "pipeline/post_schedule.hpp"
#include "pipeline/rebuild.hpp"
#include "pipeline/region_scheduler.hpp"
#include "pipeline/spilling_rebuild.hpp"
#include "regalloc/all.hpp"
#include "region/all.hpp"
#include "schedule/inline_graph.hpp"
#include "schedule/order_graph.hpp"
#include "schedule/ready_list/red_black_tree.hpp"
#include "schedule/ready_list/three_key.hpp"
#include "schedule/unified/unified.hpp"
#include "scoreboard/board.hpp"
#include "scoreboard/fields/chain.hpp"
#include "scoreboard/group_waits.hpp"
#include "scoreboard/idle_nops.hpp"
#include "scoreboard/opex.hpp"
#include "scoreboard/phase114.hpp"
#include "scoreboard/reconcile.hpp"
#include "scoreboard/schedule_checks.hpp"
#include "scoreboard/yield_adjust.hpp"
#include "strategy/all.hpp"
#include "verify/same_flow.hpp"
#include "warpwright.hpp"
