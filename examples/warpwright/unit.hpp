// SPDX-License-Identifier: BSL-1.0
//
// The seam between the command line and the library: what one SM can do, compiled for it in its own translation unit
// (unit.cpp). The SM is chosen once per section of a file; strategy and priority once per function, over the compile-time lists.
#pragma once

#include <cstdint>
#include <span>

#include <warpwright/ir/flow_profile.hpp>
#include <warpwright/ir/program.hpp>
#include <warpwright/model/operand_reads.hpp>
#include <warpwright/pipeline/rebuild_result.hpp>
#include <warpwright/pipeline/result.hpp>
#include <warpwright/pipeline/spilled_code.hpp>
#include <warpwright/report/timeline.hpp>
#include <warpwright/verify/report.hpp>

#include "options.hpp"

namespace cli {

// What was done to the order of a function's blocks.
struct layout_figures {
  bool changed = false;
  unsigned cold = 0;      // blocks
  unsigned patterns = 0;  // conditions with one cold arm
  unsigned moved = 0;     // blocks that stand behind another one than before
  unsigned inserted = 0;  // branches
  unsigned removed = 0;
  unsigned inverted = 0;
};

// What is known of the calls of a program.
struct call_facts {
  bool outside = false;             // some call code that is not there, or are called by it
  bool knows_return_moves = false;  // as ww::rebuild_options have them
  ww::span<const ww::instr_id> return_moves{};
};

// What was put into local memory.
struct spill_figures {
  unsigned values = 0;      // in memory
  unsigned recomputed = 0;  // computed again where they are read
  unsigned stores = 0;
  unsigned loads = 0;
  unsigned bytes = 0;    // by which the stack frame is larger
  unsigned frame = 0;    // bytes of it now
  const char* why = "";  // not, where the program does not fit
};

struct unit {
  const char* sm;
  ww::verify::report (*check)(const ww::program&);
  // The findings about timing and words alone.
  std::uint32_t (*hazards)(const ww::program&);
  // Each instruction by itself: its words, not what they mean to others.
  ww::verify::report (*check_words)(const ww::program&);
  ww::verify::report (*check_controls)(std::span<const ww::control>);
  ww::model::operand_reads (*operand_reads)(const ww::program&);
  // False if there is no strategy or priority of the names asked for.
  bool (*schedule)(const options&, ww::program&, ww::schedule_result&);
  // The figures of a program as it came: warps, cycles_before and hazards_before of schedule() with the strategy "keep", without a search
  // for better control words where it has some.
  void (*measure)(const options&, const ww::program&, ww::schedule_result&);
  // `out` is the program in its new layout with control words, `came_from` where its instructions come from. `profile` may be null.
  void (*lay_out)(const options&, const ww::program&, const ww::flow_profile* profile, ww::program& out,
                  ww::vec<ww::instr_id>& came_from, layout_figures&);
  // `out` is the program with the same instruction ids and other registers, order and words. `calls_outside`: some code that is not
  // in `p` calls it, or is called by it.
  ww::rebuild_result (*rebuild)(const options&, const ww::program& p, const call_facts&, ww::program& out);
  // What does not fit into the registers asked for, by what rebuild() says of it: `out` has values in local memory. Figures of the new
  // program stand in the result, whose `fits` then is true; else `why` says why not.
  ww::rebuild_result (*rebuild_spilled)(const options&, const ww::program& p, const call_facts&, const ww::rebuild_result&,
                                        ww::spilled_code& out, spill_figures&);
  // What the program does on the model's machine, for so many warps.
  void (*observe)(const ww::program&, unsigned warps, ww::report::timeline&);
  // Whether a program obeys the rules of another SM (arch/counted_form.hpp), and that SM's unit.
  bool (*in_counted_form)(const ww::program&);
  unit (*counted_form)();
};

template <class Arch>
unit unit_of();

}  // namespace cli
