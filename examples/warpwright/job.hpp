// SPDX-License-Identifier: BSL-1.0
//
// The jobs of the command line on one file that is already read: check it, or schedule it, write it, read it again and patch
// its cubin. Nothing here is compiled for one SM; what needs one comes in as a `unit`. What comes back is plain text and
// numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <warpwright/report/kernel_report.hpp>
#include <warpwright/sass/module.hpp>
#include <warpwright/verify/same_order.hpp>

#include "options.hpp"
#include "unit.hpp"

namespace cli {

struct finding_row {
  std::string kind;
  std::string level;     // "finding" or "note"
  std::string evidence;  // documented, observed, measured, assumed
  std::string first;     // instruction text, empty where the finding has one instruction
  std::string second;
  std::uint32_t first_address = 0;
  std::uint32_t second_address = 0;
  std::string target;     // register
  unsigned short_by = 0;  // cycles
  unsigned required = 0;  // cycles
  int counter = -1;       // dependency counter, -1 = none
};

// One side of a before/after pair.
struct figures {
  double cycles = 0;                 // modelled, weighted by block
  std::uint64_t stalls = 0;          // sum of stall counts
  std::uint64_t waits = 0;           // wait bits
  std::uint64_t barriers = 0;        // barrier sets
  unsigned counters = 0;             // different counters that are set
  std::uint64_t depbars = 0;         // DEPBAR instructions
  std::uint64_t reuse = 0;           // operands with a reuse flag
  std::uint64_t reuse_hits = 0;      // instructions with an operand from an operand cache
  std::uint64_t bank_conflicts = 0;  // instructions that lose cycles by bank conflicts
  unsigned max_live = 0;             // live general registers
  unsigned registers = 0;            // declared
};

struct function_row {
  std::string name;
  std::string sm;
  std::string file;
  std::uint64_t instructions = 0;
  std::uint64_t blocks = 0;
  std::uint64_t blocks_kept = 0;  // blocks left in their original order
  bool kept_all = false;          // the whole function was left as it was
  unsigned warps = 0;             // scheduled and modelled for
  figures before, after;
  double bound = 0;  // lower bound of the modelled cycles
  layout_figures layout;
  bool spilled = false;
  spill_figures spill;
  std::vector<finding_row> hazards;
  std::vector<std::string> notes;
  double seconds = 0;
};

struct file_result {
  std::vector<function_row> rows;
  std::vector<ww::report::kernel_report> reports;  // of `report`
  std::string listing;                             // rewritten text, if asked for
  std::string error;                               // not empty: unusable, nothing may be written
  bool profiled = false;                           // the profile names a section of it
};

finding_row row_of(const ww::sass::module& m, const ww::program& p, const ww::verify::order_difference& d);

// The figures of a section's new program that do not depend on how it was made: live registers and control words.
void count_after(const unit& u, const ww::program& p, function_row& row);

// The SM that all sections are for; unknown where they are for several, which each name their own.
ww::sm_id common_sm(const ww::sass::module& m);

// Has a program that was read again the blocks that were meant? Builds the graph of `got`.
bool has_same_blocks(const ww::program& meant, ww::program& got);

// Does an instruction that was read again say what was meant: opcode, control word and operands, reuse flags apart?
bool reads_alike(const ww::program& p, const ww::instruction& a, const ww::program& q, const ww::instruction& b);

// Work on every section of `m`, each by its own unit. `cubin` holds the bytes to patch (may be empty); patched bytes go to
// `cubin_out`.
void work(const std::vector<unit>& named, const options& o, const std::string& file, ww::sass::module& m,
          const std::string& cubin, file_result& result, std::string& cubin_out);

// Check a cubin that has no listing: control words only.
void check_controls(const unit& u, const std::string& file, const ww::sass::module& m, file_result& result);

}  // namespace cli
