// SPDX-License-Identifier: BSL-1.0
//
// warpwright's tools: the core, and what reads and writes the files of NVIDIA's tools.
//
//   lift/lift.hpp, lower.hpp, peak_live.hpp   a decoded program on virtual registers and back, and its peak pressure
//   sass/listing.hpp, writer.hpp   nvdisasm and cuobjdump text to programs and back
//   sass/renamed_listing.hpp, register_count.hpp, called_registers.hpp, cubin_register_names.hpp   the same text with other registers;
//                                how many a cubin asks for, how many a listing for what it calls, and where else registers are named
//   sass/cubin.hpp, cubin_patch.hpp   cubins: sections, control words, and new orders written into them
//   model/profile.hpp, pressure/listing_liveness.hpp   execution counts from a file, live registers as listings tell them
//   graph/validate.hpp, reachability.hpp   what is wrong with a graph that was filled by hand, and which node reaches which
//   report/all.hpp               guidance as compilers print it; reports of schedules
//   verify/hazards.hpp, same_order.hpp, reaching.hpp   the check of compiled code, and whether two programs are the same
//   verify/allocation.hpp, allocation_writer.hpp   whether a register allocation kept every value, and the report of that
//   simd/all.hpp                 vector instructions for priorities
//
// Kept apart from the core because these parts use strings and files' formats that a code generator does not need.
#pragma once

// Warnings that a user asks for of code of his own stop here; builds of the kit define WARPWRIGHT_WARNINGS and see them.
#if defined(__GNUC__) && !defined(WARPWRIGHT_WARNINGS)
#pragma GCC system_header
#endif

#include "graph/reachability.hpp"
#include "graph/validate.hpp"
#include "ir/move.hpp"
#include "lift/lift.hpp"
#include "lift/lower.hpp"
#include "lift/peak_live.hpp"
#include "model/flow_profile_read.hpp"
#include "model/guidance.hpp"
#include "model/profile.hpp"
#include "pressure/listing_liveness.hpp"
#include "report/all.hpp"
#include "sass/called_registers.hpp"
#include "sass/cubin.hpp"
#include "sass/cubin_fixed_places.hpp"
#include "sass/cubin_growth.hpp"
#include "sass/cubin_listing.hpp"
#include "sass/cubin_patch.hpp"
#include "sass/cubin_register_names.hpp"
#include "sass/cubin_registers.hpp"
#include "sass/frame_rule.hpp"
#include "sass/frame_size.hpp"
#include "sass/laid_out_listing.hpp"
#include "sass/laid_out_patch.hpp"
#include "sass/listing.hpp"
#include "sass/listing_counts.hpp"
#include "sass/register_count.hpp"
#include "sass/register_notes.hpp"
#include "sass/renamed_listing.hpp"
#include "sass/spilled_listing.hpp"
#include "sass/spilled_patch.hpp"
#include "sass/writer.hpp"
#include "simd/all.hpp"
#include "strategies.hpp"
#include "verify/allocation.hpp"
#include "verify/allocation_writer.hpp"
#include "verify/control_only.hpp"
#include "verify/hazards.hpp"
#include "verify/instances.hpp"
#include "verify/reaching.hpp"
#include "verify/same_order.hpp"
#include "warpwright.hpp"
