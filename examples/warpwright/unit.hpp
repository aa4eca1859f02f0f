// SPDX-License-Identifier: BSL-1.0
//
// The seam between the command line and the library: what one SM can do, compiled for it in its own translation unit
// (unit.cpp). The SM is chosen once per section of a file; strategy and priority once per function, over the compile-time lists.
#pragma once

#include <cstdint>
#include <span>

#include <warpwright/ir/program.hpp>
#include <warpwright/model/operand_reads.hpp>
#include <warpwright/pipeline/result.hpp>
#include <warpwright/verify/report.hpp>

#include "options.hpp"

namespace cli {

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
  // Whether a program obeys the rules of another SM (arch/counted_form.hpp), and that SM's unit.
  bool (*in_counted_form)(const ww::program&);
  unit (*counted_form)();
};

template <class Arch>
unit unit_of();

}  // namespace cli
