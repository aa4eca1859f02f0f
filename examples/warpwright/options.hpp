// SPDX-License-Identifier: BSL-1.0
//
// What the user asked for on the command line, as a value. Errors are sentences for the user; nothing is thrown.
#pragma once

#include <string>
#include <vector>

namespace cli {

class progress;

enum class command { none, help, version, check, schedule, layout, rebuild, compare, report, list };

struct options {
  command what = command::none;
  std::vector<std::string> files;
  std::string output;     // -o
  std::string cubin_in;   // --cubin
  std::string cubin_out;  // --cubin-out
  std::string sm;         // --sm, empty = from the input
  std::string strategy = "list";
  std::string priority;    // --priority, empty = the default of the architecture
  std::string backend;     // --backend, empty = what `strategy` says
  std::string mode;        // --mode, of the unified engine; empty = ilp
  std::string scoreboard;  // --scoreboard: text, shared or minimal; empty = the default policy
  std::string profile;     // --profile: block counts
  std::string counts;      // what that file holds, read once for all inputs
  std::string original;    // --original: the listing that the checked one was made from
  unsigned tries = 0;      // --search, places tried for instructions of the result
  unsigned warps = 0;      // --warps, 0 = the occupancy of the kernel
  std::string loads;       // --loads: hit or both; empty = both, and hit where --warps is given
  std::string cold_arms;   // --cold-arms: behind or beside; empty = behind
  std::string in_loops;    // --in-loops: off or mac-first; empty = off
  unsigned max_regs = 0;   // --max-regs, general registers of a rebuilt kernel; 0 = as many as keep its occupancy
  unsigned effort = 2;     // -O0 to -O3, of a rebuild
  std::string html;        // --html, --trace, --dot: of `report`
  std::string trace;
  std::string dot;
  bool json = false;
  bool o0 = false;    // --o0: conservative control words, program order
  unsigned jobs = 0;  // --jobs, 0 = all cores
  bool quiet = false;
  progress* shown = nullptr;  // to whom the work is told while it goes on, if to anybody
  std::string error;          // not empty: unusable command line
};

options parse(int argc, char** argv);
const char* usage();

}  // namespace cli
